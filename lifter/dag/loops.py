"""Loops: closed forms of induction variables, trip counts, reductions.

For a loop, every scalar that it changes is given a symbol for its value at the head of an arbitrary
round. Running the body once shows how each changes: by a fixed amount (an induction variable, whose
closed form is entry + i*step), by a function of others (its closed form is that function one round
earlier), by an accumulation (a `Reduce`), or in another way (unknown: using it is an error).
Every closed form is checked by running the body again from it: base case, step and trip count become
`induction` claims.
"""

from __future__ import annotations

from collections.abc import Iterable

from compiler.ir import (
    EQ,
    FALSE,
    GE,
    GT,
    I64,
    LE,
    LT,
    NE,
    TRUE,
    Add,
    And,
    Cast,
    Comparison,
    Const,
    Div,
    Expr,
    Max,
    Min,
    Mod,
    Mul,
    Or,
    Select,
    Sub,
    Variable,
    const,
    postorder,
    substitute,
)

from ..parse.kernel import Assign, Declare, Stmt, statements
from ..parse.kernel import Loop as KernelLoop
from .polynomial import ONE, ZERO, conjunction, from_polynomial, negate, normal, polynomial
from .reduce import Reduce, ReduceOperator
from .stage import Loop
from .symbolic import UNROLL_LIMIT, Executor, Log, is_unknown, markers, unknown, unsupported


def run_loop(executor: Executor, stmt: KernelLoop) -> None:
    """Runs a loop for all its rounds; raises `LiftError` where it isn't understood."""
    analysis = LoopAnalysis(executor, stmt)
    extent = analysis.extent
    if analysis.must_unroll():
        assert isinstance(extent, Const)
        _unroll(executor, stmt, int(extent.value))
        return
    if isinstance(extent, Const) and extent.value <= 0:
        return
    _run_symbolically(executor, stmt, analysis)


def _unroll(executor: Executor, stmt: KernelLoop, rounds: int) -> None:
    for _ in range(rounds):
        executor.run(stmt.body)
        executor.run(stmt.step)


class LoopAnalysis:
    """What one loop does to the scalars, in terms of the counter of its rounds."""

    def __init__(self, executor: Executor, stmt: KernelLoop) -> None:
        self.executor = executor
        self.stmt = stmt
        self.span = stmt.span
        self.counter = Variable(f"i{executor.counters}", I64)
        self.modified = _assigned(stmt, executor)
        self.entry = {n: self._entry(n) for n in self.modified}
        executor.heads += 1
        self.heads = {n: Variable(f"{n}@{executor.heads}", t) for n, t in self.modified.items()}
        self.after, condition = self._one_round(dict(self.heads))
        self.closed: dict[str, Expr] = {}
        self._find_closed_forms()
        self.extent = self._extent(condition)

    def _entry(self, name: str) -> Expr | None:
        declared = self.executor.parameters.get(name)
        return self.executor.env.get(name, None if declared is None else Variable(name, declared))

    def _one_round(self, head: dict[str, Expr]) -> tuple[dict[str, Expr], Expr]:
        """Scalars after one round that begins with `head`, and the loop's condition."""
        executor = self.executor
        with executor.dry_run():
            executor.env.update(head)
            executor.counters += 1
            executor.loops = (*executor.loops, Loop(self.counter, const(1 << 62, I64), self.span))
            condition = executor.value(self.stmt.condition) if self.stmt.test_first else TRUE
            if self.stmt.test_first:
                executor.path.append(condition)
            executor.run(self.stmt.body)
            executor.run(self.stmt.step)
            after = dict(executor.env)
            if not self.stmt.test_first:
                condition = executor.value(self.stmt.condition)
        return after, condition

    def _find_closed_forms(self) -> None:
        for name, head in self.heads.items():
            if self.after.get(name) is head and self.entry[name] is not None:
                self.closed[name] = self.entry[name]  # type: ignore[assignment]
        progress = True
        while progress:
            progress = False
            for name, head in self.heads.items():
                if name in self.closed or not head.type.is_integer or head.type.is_bool:
                    continue
                found = self._closed_form(name)
                if found is not None:
                    self.closed[name] = found
                    progress = True

    def _closed_form(self, name: str) -> Expr | None:
        entry, after, head = self.entry[name], self.after[name], self.heads[name]
        if entry is None or is_unknown(entry):
            return None
        executor = self.executor
        with executor.dry_run():
            executor.loops = (*executor.loops, Loop(self.counter, const(1 << 31, I64), self.span))
            indexer = executor.indexer()
            start, moved = indexer.index(entry), indexer.index(after)
        step = normal(Sub(moved, Variable(head.name, I64)))
        if self._is_invariant(step):
            value = normal(Add(start, Mul(self.counter, step)))
            return self._induction(head, value)
        previous = self._at_closed_heads(moved)
        if previous is not None:
            earlier = _shift(previous, self.counter, -1)
            if normal(substitute(earlier, {self.counter: ZERO})) is start:
                return self._induction(head, normal(earlier))
        return None

    def _induction(self, head: Variable, value: Expr) -> Expr:
        if head.type.is_int and head.type.bits >= 32:
            self.executor.fitting.add((head.type, value))
        return self.executor.typed(head.type, value)

    def _is_invariant(self, expr: Expr) -> bool:
        heads = set(self.heads.values()) | {Variable(h.name, I64) for h in self.heads.values()}
        return not any(
            node in heads
            or node is self.counter
            or is_unknown(node)
            or _reads_written(node, self.executor)
            for node in postorder(expr)
        )

    def _at_closed_heads(self, expr: Expr) -> Expr | None:
        """`expr` with each head symbol replaced by its closed form; None when one has none."""
        mapping: dict[Expr, Expr] = {}
        for name, head in self.heads.items():
            form = self.closed.get(name)
            if form is not None:
                mapping[head] = form
                if head.type.is_integer:
                    mapping[Variable(head.name, I64)] = _index_of(form)
        result = (
            normal(substitute(expr, mapping)) if expr.type is I64 else substitute(expr, mapping)
        )
        left = set(self.heads.values()) | {Variable(h.name, I64) for h in self.heads.values()}
        return None if any(n in left or is_unknown(n) for n in postorder(result)) else result

    def head_env(self) -> dict[str, Expr]:
        return {n: self.closed.get(n, unknown("carried", n, h.type)) for n, h in self.heads.items()}

    def _extent(self, condition: Expr) -> Expr:
        """The number of rounds, as an index expression that may be negative for none."""
        executor = self.executor
        with executor.dry_run():
            executor.loops = (*executor.loops, Loop(self.counter, const(1 << 31, I64), self.span))
            formula = executor.indexer().formula(condition)
        at_head = None if formula is None else self._at_closed_heads(normal(formula))
        if at_head is None:
            raise unsupported(
                "loop-bound", "the number of rounds of this loop isn't known at its beginning", self.span,
                "a loop must count up or down by a fixed amount to a bound that it doesn't change",
            )  # fmt: skip
        rounds = self._rounds(normal(at_head))
        if self.stmt.test_first:
            return rounds
        return normal(Max(normal(Add(rounds, ONE)), ONE))

    def _rounds(self, condition: Expr) -> Expr:
        """How many rounds from 0 on satisfy `condition`, which is monotone in the counter."""
        if isinstance(condition, Const):
            if condition is FALSE:
                return ZERO
            raise unsupported("loop-bound", "this loop never ends", self.span)
        if isinstance(condition, And):
            return normal(Min(self._rounds(condition.a), self._rounds(condition.b)))
        if isinstance(condition, Comparison):
            distance = _distance(condition)
            if distance is not None:
                return self._rounds_until(distance, isinstance(condition, NE))
        raise unsupported(
            "loop-bound", f"the loop's condition `{condition}` isn't a simple bound", self.span,
            "a loop must count up or down by a fixed amount to a bound that it doesn't change",
        )  # fmt: skip

    def _rounds_until(self, distance: Expr, exact: bool) -> Expr:
        """Rounds while `distance` > 0, where it falls by a constant each round.

        With `exact` the loop runs while distance != 0: it must start at a multiple of the fall that
        is not negative (else the original runs away); that is claimed.
        """
        terms = polynomial(distance)
        slope = {
            tuple(a for a in m if a is not self.counter): c
            for m, c in terms.items()
            if self.counter in m
        }
        start = from_polynomial({m: c for m, c in terms.items() if self.counter not in m})
        if set(slope) != {()} or any(m.count(self.counter) > 1 for m in terms):
            raise unsupported(
                "loop-bound", f"the loop's step isn't a constant: `{distance}` must fall by a fixed amount",
                self.span,
            )  # fmt: skip
        fall = -slope[()]
        if exact and fall < 0:
            start, fall = normal(Sub(ZERO, start)), -fall
        if fall <= 0:
            raise unsupported("loop-bound", "the loop runs away from its bound", self.span)
        if not exact:
            return (
                start
                if fall == 1
                else normal(Div(Add(start, const(fall - 1, I64)), const(fall, I64)))
            )
        formula: Expr = GE(start, ZERO)
        if fall > 1:
            formula = conjunction((formula, EQ(Mod(start, const(fall, I64)), ZERO)))
        self.executor.claim("termination", normal(formula), f"the loop ends: {normal(formula)}")
        return start if fall == 1 else normal(Div(start, const(fall, I64)))

    def must_unroll(self) -> bool:
        """Whether a short loop carries values that have no closed form."""
        if not isinstance(self.extent, Const) or self.extent.value > UNROLL_LIMIT:
            return False
        carried = [n for n, h in self.heads.items() if n not in self.closed]
        used = {node for name in self.modified for node in postorder(self.after.get(name, FALSE))}
        return any(self.heads[n] in used for n in carried) or _uses_local_array(
            self.stmt, self.executor
        )


def _uses_local_array(stmt: KernelLoop, executor: Executor) -> bool:
    """Small arrays of a kernel's own inside a short loop are worked out element by element."""
    names = {s.array for s in statements((stmt,)) if hasattr(s, "array")}
    return any(executor.arrays[n].origin == "local" and executor.loops for n in names)


def _run_symbolically(executor: Executor, stmt: KernelLoop, analysis: LoopAnalysis) -> None:
    loop = Loop(analysis.counter, analysis.extent, stmt.span)
    executor.counters += 1
    outer_env = dict(executor.env)
    for name in analysis.closed:
        _claim_base(executor, analysis, name)
    executor.loops = (*executor.loops, loop)
    executor.env.update(analysis.head_env())
    executor.recording.logs.append(Log([]))
    executor.run(stmt.body)
    executor.run(stmt.step)
    executor.span = stmt.span
    writes = executor.recording.logs.pop().writes
    for name, form in analysis.closed.items():
        _claim_step(executor, analysis, name, form)
    after = executor.env
    executor.loops = executor.loops[:-1]
    _claim_extent(executor, analysis)
    executor.env = outer_env
    final = normal(Max(analysis.extent, ZERO)) if stmt.test_first else analysis.extent
    for name, head in analysis.heads.items():
        executor.env[name] = _final_value(executor, analysis, name, head, after, final)
    for write in writes:
        executor.add_write(write)


def _final_value(
    executor: Executor,
    analysis: LoopAnalysis,
    name: str,
    head: Variable,
    after: dict[str, Expr],
    final: Expr,
) -> Expr:
    form = analysis.closed.get(name)
    if form is not None:
        index = (
            normal(substitute(_index_of(form), {analysis.counter: final}))
            if head.type.is_integer
            else form
        )
        if head.type.is_integer and not head.type.is_bool:
            if head.type.is_int and head.type.bits >= 32:
                executor.fitting.add((head.type, index))
            return executor.typed(head.type, index)
        return form
    entry = analysis.entry[name]
    value = after.get(name)
    if entry is None or is_unknown(entry, "undefined") or value is None:
        return unknown("undefined", name, head.type)
    reduced = _reduction(executor, analysis, name, value, entry)
    return reduced if reduced is not None else unknown("carried", name, head.type)


_REDUCTIONS: dict[str, ReduceOperator] = {"Add": "add", "Mul": "mul", "Min": "min", "Max": "max"}


def _reduction(
    executor: Executor, analysis: LoopAnalysis, name: str, value: Expr, entry: Expr
) -> Expr | None:
    """entry op (op over all rounds of g), when the variable only accumulates g in each round."""
    carried = unknown("carried", name, analysis.heads[name].type)
    if isinstance(value, Select) and value.b is carried:
        part = _accumulated(value.a, carried)
        if part is None or any(n is carried for n in postorder(value.condition)):
            return _extremum(analysis, value, carried, entry)
        operator, added = part
        if operator != "add":
            return None
        zero = const(0, value.type)
        part = operator, Select(value.condition, added, zero)
    else:
        part = _accumulated(value, carried)
    if part is None:
        return None
    operator, body = part
    if any(True for _ in markers(body)) or _reads_written_any(body, executor):
        return None
    if entry.type.is_float and operator not in ("add",):
        return None
    reduced: Expr = Reduce(operator, analysis.counter, analysis.extent, body)
    if (
        isinstance(entry, Const)
        and entry.value == 0
        and operator == "add"
        and entry.type.is_integer
    ):
        return reduced
    return _COMBINE[operator](entry, reduced)


_COMBINE = {
    "add": lambda a, b: Add(a, b),
    "mul": lambda a, b: Mul(a, b),
    "min": lambda a, b: Min(a, b),
    "max": lambda a, b: Max(a, b),
}


def _accumulated(value: Expr, carried: Expr) -> tuple[ReduceOperator, Expr] | None:
    """(op, g) when `value` is `carried op g` with g free of it; sums of integers may be nested."""
    operator = _REDUCTIONS.get(type(value).__name__)
    if operator is None:
        return None
    a, b = value.children
    has_a, has_b = (any(n is carried for n in postorder(c)) for c in (a, b))
    if has_a == has_b:
        return None
    side, other = (a, b) if has_a else (b, a)
    if side is carried:
        return operator, other
    if value.type.is_float:
        return None
    inner = _accumulated(side, carried)
    if inner is None or inner[0] != operator:
        return None
    return operator, value.rebuild((inner[1], other))


def _extremum(analysis: LoopAnalysis, value: Select, carried: Expr, entry: Expr) -> Expr | None:
    """`if (x > m) m = x` is a maximum; `<` a minimum (integers)."""
    condition = value.condition
    if value.type.is_float or not isinstance(condition, (LT, LE, GT, GE)):
        return None
    pair = (condition.a, condition.b)
    x = value.a
    if set(pair) != {x, carried} or any(n is carried for n in postorder(x)):
        return None
    greater = isinstance(condition, (GT, GE)) == (pair[0] is x)
    operator: ReduceOperator = "max" if greater else "min"
    return _COMBINE[operator](entry, Reduce(operator, analysis.counter, analysis.extent, x))


def _claim_base(executor: Executor, analysis: LoopAnalysis, name: str) -> None:
    entry, form = analysis.entry[name], analysis.closed[name]
    if entry is None or not form.type.is_integer or form.type.is_bool:
        return
    start = normal(substitute(_index_of(form), {analysis.counter: ZERO}))
    executor.span = analysis.span
    executor.claim(
        "induction", EQ(start, executor.indexer().index(entry)), f"{name} begins as {start}"
    )


def _claim_step(executor: Executor, analysis: LoopAnalysis, name: str, form: Expr) -> None:
    value = executor.env[name]
    if not form.type.is_integer or form.type.is_bool:
        if value is not form:
            raise unsupported(
                "loop-carried", f"the value of {name} isn't a function of the round", analysis.span
            )
        return
    expected = _shift(_index_of(form), analysis.counter, 1)
    actual = executor.indexer().index(value)
    executor.claim(
        "induction", EQ(actual, expected), f"{name} = {_index_of(form)} at the head of each round"
    )


def _claim_extent(executor: Executor, analysis: LoopAnalysis) -> None:
    """The loop's condition holds in round i exactly when i < extent, for 0 <= i <= extent."""
    counter, extent = analysis.counter, analysis.extent
    with executor.dry_run():
        # One more round than the loop has: the condition is also tested after the last.
        executor.loops = (
            *executor.loops,
            Loop(counter, normal(Add(Max(extent, ZERO), ONE)), analysis.span),
        )
        executor.env.update(analysis.head_env())
        if not analysis.stmt.test_first:
            executor.run(analysis.stmt.body)
            executor.run(analysis.stmt.step)
        condition = executor.indexer().formula(executor.value(analysis.stmt.condition))
    if condition is None:
        raise unsupported("loop-bound", "the loop's condition isn't about integers", analysis.span)
    inside = (
        LT(counter, extent) if analysis.stmt.test_first else LT(normal(Add(counter, ONE)), extent)
    )
    same = Or(And(condition, inside), And(negate(condition), negate(inside)))
    last = Max(extent, ZERO) if analysis.stmt.test_first else normal(Sub(extent, ONE))
    executor.claim(
        "induction", same, f"the loop runs max({extent}, 0) rounds",
        given=(GE(counter, ZERO), LE(counter, last)),
    )  # fmt: skip


def _distance(condition: Comparison) -> Expr | None:
    """An expression that is > 0 exactly while the condition holds (!= 0 for `!=`)."""
    a, b = condition.a, condition.b
    if isinstance(condition, LT):
        return normal(Sub(b, a))
    if isinstance(condition, LE):
        return normal(Add(Sub(b, a), ONE))
    if isinstance(condition, GT):
        return normal(Sub(a, b))
    if isinstance(condition, GE):
        return normal(Add(Sub(a, b), ONE))
    if isinstance(condition, NE):
        return normal(Sub(b, a))
    return None


def _index_of(form: Expr) -> Expr:
    """The index expression inside a closed form."""
    if form.type is I64:
        return form
    if isinstance(form, Cast) and form.value.type is I64:
        return form.value
    if isinstance(form, Const):
        return const(form.value, I64)
    if isinstance(form, Variable):
        return Variable(form.name, I64)
    return Cast(I64, form)


def _shift(expr: Expr, counter: Variable, by: int) -> Expr:
    return normal(substitute(expr, {counter: Add(counter, const(by, I64))}))


def _assigned(stmt: KernelLoop, executor: Executor) -> dict[str, object]:
    """Scalars that the loop assigns, with their types, in order of appearance."""
    types: dict[str, object] = {}
    for inner in _inner_statements((*stmt.body, *stmt.step)):
        if isinstance(inner, Assign):
            types.setdefault(inner.name, inner.value.type)
        elif isinstance(inner, Declare):
            types.setdefault(inner.name, inner.type)
    return types


def _inner_statements(body: Iterable[Stmt]) -> Iterable[Stmt]:
    return statements(tuple(body))


def _reads_written(node: Expr, executor: Executor) -> bool:
    from compiler.ir import Load

    return isinstance(node, Load) and executor.arrays[node.array].origin != "table"


def _reads_written_any(expr: Expr, executor: Executor) -> bool:
    """Whether `expr` reads an array that this stage has written already."""
    from compiler.ir import Load

    written = {w.array for log in executor.recording.logs for w in log.writes}
    return any(isinstance(n, Load) and n.array in written for n in postorder(expr))
