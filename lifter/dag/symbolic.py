"""Symbolic execution of Kernel IR: statements to reads and writes over loop counters.

Runs each statement once on symbolic values. A loop is run once for an arbitrary iteration `i`: its
induction variables are replaced by closed forms over `i` (closed_forms.py), which become claims
that the verifier proves. The result is a list of `Write`s and `Read`s whose indices are
polynomials; this is the reduced program of dexter-2019 section 4.1.2 with the values kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import gcd
from typing import Any

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
    Call,
    Cast,
    Comparison,
    Const,
    Div,
    Expr,
    Load,
    Max,
    Min,
    Mod,
    Mul,
    Neg,
    Not,
    Or,
    Select,
    Shl,
    Shr,
    Sub,
    TruncDiv,
    TruncMod,
    Type,
    Variable,
    const,
    postorder,
    substitute,
    transform,
)

from ..model.kernel import (
    UNORDERED,
    Allocate,
    Array,
    Assign,
    Assume,
    Break,
    Declare,
    If,
    Kernel,
    Stmt,
    Store,
    statements,
)
from ..model.kernel import WhileLoop as KernelLoop
from ..model.parameters import parameters
from ..model.stage import Claim, Fact, Loop, Read, Write
from . import registers
from .cases import in_all_cases
from .failure import unsupported
from .followers import Course
from .index import Indexer, Ranges, domain, typed
from .index import replace as substituted
from .liveness import Liveness
from .place_functions import end_functions, place_functions
from .polynomial import (
    choices,
    conjunction,
    conjuncts,
    decided,
    disjunction,
    from_polynomial,
    negate,
    normal,
    polynomial,
)
from .remainders import told_by_remainder
from .scalars import fold, is_unknown, unknown
from .wrapped_places import euclids

MOST_OF_SIDES = 24
"""Facts of one side of a choice in a stage: each question has all of them to look at."""
UNROLL_LIMIT = 64
"""Loops of at most this many iterations, known from the source, are unrolled where they carry
values.
"""


@dataclass
class Log:
    """Writes recorded since a branch or loop body began, conditions relative to it."""

    writes: list[Write]


@dataclass
class Recording:
    """What one stage has shown so far."""

    reads: dict[tuple[Any, ...], Read]
    claims: dict[tuple[Any, ...], Claim]
    logs: list[Log]
    facts: dict[Fact, None] = field(default_factory=dict)
    of_sides: int = 0
    """How often something was told of one side of a choice alone."""
    handed_on: set[str] = field(default_factory=set)
    """See `Stage.handed_on`."""


_PLACING = (
    Add, And, Call, Cast, Comparison, Const, Div, Max, Min, Mod, Mul, Neg, Not, Or, Select, Shl,
    Shr, Sub, TruncDiv, TruncMod, Variable,
)  # fmt: skip
"""What an index may be made of whose place is to be told from its text."""


class Executor:
    """Runs statements; `env` maps scalars to typed expressions over parameters and counters.

    `run_loop` runs a loop for all its iterations (loops.py), which needs an executor in its turn;
    `fold_where` says what is left of a fold's result where that is one of a choice (folds.py), and
    `put_in_order` runs the statements at the head of some that put elements in order, and says how
    many those are (put_in_order.py).
    """

    def __init__(
        self,
        kernel: Kernel,
        run_loop: Callable[[Executor, KernelLoop], None],
        fold_where: Callable[[Executor, str, Expr, Expr, Expr], Expr | None],
        put_in_order: Callable[[Executor, Sequence[Stmt]], int],
    ) -> None:
        self.kernel = kernel
        self.run_loop = run_loop
        self.fold_where = fold_where
        self.put_in_order = put_in_order
        self.liveness = Liveness(kernel)
        self.arrays: dict[str, Array] = dict(kernel.arrays)
        self.registers = registers.register_arrays(kernel)
        """Small local arrays whose elements are scalars, and their sizes."""
        self.data_of_registers = registers.data_of(kernel.body, self.registers)
        self.places_in_registers = registers.places_in(kernel.body, self.registers)
        self.rests: dict[Expr, Any] = {}
        """By the markers of elements whose order isn't known: the `Rest` (put_in_order.py)."""
        self.place_functions = place_functions(kernel)
        self.end_functions = end_functions(kernel)
        self.parameters = parameters(kernel)
        self.stated = tuple(_values_of_parameters(kernel))
        """What preconditions say of the values of parameters."""
        self.env: dict[str, Expr] = {}
        self.loops: tuple[Loop, ...] = ()
        self.path: list[Expr] = []
        self.fitting: set[tuple[Type, Expr]] = set()
        self.recording = Recording({}, {}, [Log([])])
        self.read_before: set[tuple[Any, ...]] = set()
        """What stages before this one read, as keys of `Recording.reads`."""
        self.lasting_reads: dict[tuple[Any, ...], Read] = {}
        """Reads of arrays that nothing writes, whose values are still there in later stages."""
        self.folds: dict[Expr, Any] = {}
        """What markers of scalars stand for that loops leave as folds (folds.py)."""
        self.left_by_folds: dict[Any, dict[str, Expr]] = {}
        """What folds leave of each of their scalars: markers, or what is known to be the same."""
        self.refills: dict[Expr, Expr] = {}
        """What choices of the loops around are that fill shift registers (refills.py)."""
        self.knows_error_terms = True
        self.has_error_terms = False
        """Whether any were found (error_terms.py)."""
        self.claimed: tuple[Expr, ...] = ()
        """What is claimed of error terms in the loops around, as index formulas."""
        self.counts: dict[Expr, Expr] = {}
        """How often loops bring error terms back, by the greater of this and what they run at
        least: where that is claimed to be no more."""
        self.courses: dict[Variable, tuple[Course, ...]] = {}
        """By the counters of loops: of scalars that not every iteration moves (followers.py)."""
        self.moved_up: dict[Expr, Expr] = {}
        """What choices of the loops around are that move followers up: claimed where they stand."""
        self.states: dict[Variable, Any] = {}
        """By the markers of what iterations are handed: the loop's state (states.py)."""
        self.left_in_rows: dict[Variable, Variable] = {}
        """By the markers of what loops within others leave: those of what iterations are handed."""
        self.dry = False
        self.runs_in_turn = False
        """Whether iterations of a loop run one by one in which elements are put in order."""
        self.position = 0
        self.counters = 0
        self.counter_prefix = _prefix(self.parameters)
        self.span = kernel.span
        self.allocations: dict[str, Expr] = {}
        self.heads = 0

    @contextmanager
    def dry_run(self) -> Iterator[None]:
        """Runs statements for their effect on scalars alone; everything is put back afterwards."""
        saved = (self.env, self.recording, self.dry, self.position, self.counters, self.path,
                 self.loops, self.fitting, self.allocations)  # fmt: skip
        self.env, self.path = dict(self.env), list(self.path)
        self.fitting, self.allocations = set(self.fitting), dict(self.allocations)
        self.recording = Recording({}, {}, [Log(list(log.writes)) for log in self.recording.logs])
        self.dry = True
        try:
            yield
        finally:
            (self.env, self.recording, self.dry, self.position, self.counters, self.path,
             self.loops, self.fitting, self.allocations) = saved  # fmt: skip

    @contextmanager
    def noting_claims(self) -> Iterator[dict[tuple[Any, ...], Claim]]:
        """The claims that are made meanwhile: of what is evaluated in a dry run alone, they have to
        be kept (`keep_claims`)."""
        before, found = self.recording.claims, dict[tuple[Any, ...], Claim]()
        self.recording.claims = found
        try:
            yield found
        finally:
            self.recording.claims = {**before, **found}

    def keep_claims(self, claims: Mapping[tuple[Any, ...], Claim]) -> None:
        self.recording.claims = {**claims, **self.recording.claims}

    def counter(self) -> Variable:
        """The counter of the next loop; its name is no parameter's."""
        made: Variable = Variable(f"{self.counter_prefix}{self.counters}", I64)
        return made

    def new_counters(self) -> Iterator[Variable]:
        """Counters of loops that stand nowhere in the source."""
        while True:
            made = self.counter()
            self.counters += 1
            yield made

    def ranges(self, *inner: Loop) -> Ranges:
        """What is known at this point, within further loops."""
        loops = (*self.loops, *inner)
        return Ranges(self.parameters, loops, self.fitting, dict(self._least_of_parameters()))

    def _least_of_parameters(self) -> Iterator[tuple[str, int]]:
        """What preconditions, claims and the branches around this point say that parameters are at
        least: `w > 0`, behind `if (w <= 0) return;`."""
        found: dict[str, int] = {}
        stated = (p.condition for p in self.kernel.preconditions)
        if self.kernel.region is not None:
            # A guard may be unable to test one part of what is known there, and then tests none.
            stated = (c for c in stated if len(conjuncts(c)) == 1)
        known = (*stated, *self.claimed, *self.path)
        for part in (part for condition in known for part in conjuncts(condition)):
            if not isinstance(part, (GT, GE, LT, LE)):
                continue
            more, less = (part.a, part.b) if isinstance(part, (GT, GE)) else (part.b, part.a)
            if not isinstance(more, Variable) or not isinstance(less, Const):
                continue
            declared = self.parameters.get(more.name)
            if declared is None or not more.type.is_integer or more.type not in (declared, I64):
                continue
            least = int(less.value) + isinstance(part, (GT, LT))
            found[more.name] = max(least, found.get(more.name, least))
        yield from found.items()

    def indexer(self, is_of_loop: bool = False) -> Indexer:
        return Indexer(
            self.ranges(), self._claim_range, self._learn_range, facts=self.facts,
            is_of_loop=is_of_loop,
        )  # fmt: skip

    def _learn_range(self, type: Type, value: Expr, where: tuple[Expr, ...]) -> None:
        if isinstance(value, Const):
            return
        if where:
            self.recording.of_sides += 1
            if self.recording.of_sides > MOST_OF_SIDES:
                return
        path = tuple(dict.fromkeys((*self.path, *where)))
        for formula in (GE(value, const(type.min, I64)), LE(value, const(type.max, I64))):
            self.recording.facts[Fact(normal(formula), self.loops, path)] = None

    def learn_from(self, condition: Expr) -> None:
        """What is computed for a branch's condition fits its type, too, or else it is undefined."""
        nodes = list(postorder(condition))
        reads = [n for n in nodes if isinstance(n, Load)]
        if any(isinstance(n, Call) and n.kind == "pure" for n in nodes) or (
            reads and all(map(_is_narrow, reads))
        ):
            return
        doubts: list[Expr] = []
        told: list[tuple[Type, Expr, tuple[Expr, ...]]] = []
        Indexer(
            self.ranges(),
            lambda doubt, _: doubts.append(doubt),
            lambda *value: told.append(value),
        ).formula(condition)
        for value in [] if doubts else told:
            self._learn_range(*value)

    def _claim_range(self, formula: Expr, text: str) -> None:
        self.claim("range", formula, text)

    def claim(self, name: Any, formula: Expr, text: str, given: Iterable[Expr] = ()) -> None:
        """Records what the verifier must prove under the loops and branches around this point."""
        hypotheses = (*domain(self.loops), *self.facts(), *given)
        key = (name, formula, hypotheses)
        if key not in self.recording.claims:
            self.recording.claims[key] = Claim(name, formula, hypotheses, self.span, text)

    def facts(self) -> tuple[Expr, ...]:
        """The branch conditions around this point that are about integers.

        One whose arithmetic may wrap says nothing unless it doesn't: it becomes an implication.
        """
        found = (self._fact(c) for c in self.path)
        return tuple(f for f in found if f is not None and not isinstance(f, Const))

    def _fact(self, condition: Expr) -> Expr | None:
        doubts: list[Expr] = []
        formula = Indexer(self.ranges(), lambda doubt, _: doubts.append(doubt)).formula(condition)
        return None if formula is None else disjunction((formula, *map(negate, doubts)))

    def typed(self, type: Type, index: Expr) -> Expr:
        """An index expression as a program value; a parameter stays the parameter."""
        if isinstance(index, Variable) and self.parameters.get(index.name) is type:
            return Variable(index.name, type)
        return typed(type, index)

    # Expressions

    def value(self, expr: Expr) -> Expr:
        """`expr` over parameters, counters and the arrays' contents at the stage's beginning."""
        if isinstance(expr, Const):
            return expr
        if isinstance(expr, Variable):
            found = self.env.get(expr.name)
            if found is not None:
                return found
            return (
                expr if expr.name in self.parameters else unknown("undefined", expr.name, expr.type)
            )
        if isinstance(expr, Load):
            return self._load(expr)
        if isinstance(expr, Select):
            condition = self.value(expr.condition)
            if isinstance(condition, Const):
                return self.value(expr.a if condition.value else expr.b)
            if any(isinstance(n, Load) for n in postorder(condition)):
                self.learn_from(condition)
            return self._folded(Select(condition, self._under(condition, expr.a),
                                       self._under(negate(condition), expr.b)))  # fmt: skip
        if isinstance(expr, (And, Or)):
            first = self.value(expr.a)
            wanted = first if isinstance(expr, And) else negate(first)
            if wanted is FALSE:
                return first
            return fold(type(expr)(first, self._under(wanted, expr.b)))
        if isinstance(expr, Call) and expr.name == UNORDERED and expr.kind == "intrinsic":
            self.heads += 1
            return unknown("unordered", f"an element@{self.heads}", expr.type)
        if not expr.children:
            return expr
        made = self._folded(expr.rebuild(tuple(self.value(c) for c in expr.children)))
        if isinstance(made, Call) and made.name in self.end_functions:
            return self.opened(made, lambda call: True)
        if isinstance(made, Call) and made.name in self.place_functions:
            return self._placed(made)
        return told_by_remainder(made) or made

    def _folded(self, expr: Expr) -> Expr:
        found = fold(expr)
        return euclids(found, self._is_positive) or found

    def _is_positive(self, divisor: Expr) -> bool:
        index = self._plain_index(divisor)
        return index is not None and self.indexer().ranges.interval(index)[0] > 0

    def _plain_index(self, expr: Expr) -> Expr | None:
        """The mathematical value of an expression; None where that takes a claim."""
        doubts: list[Expr] = []
        index = Indexer(self.ranges(), lambda doubt, _: doubts.append(doubt)).index(expr)
        return None if doubts else index

    def _under(self, condition: Expr, expr: Expr) -> Expr:
        self.path.append(condition)
        try:
            return self.value(expr)
        finally:
            self.path.pop()

    @contextmanager
    def under(self, conditions: Iterable[Expr]) -> Iterator[None]:
        """Around what happens where conditions hold."""
        count = len(self.path)
        self.path += conditions
        try:
            yield
        finally:
            del self.path[count:]

    def index(self, expr: Expr) -> Expr:
        """The mathematical value of a program expression."""
        return self.indexer().index(self.value(expr))

    def places(self, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """The element at indices of the program, as index expressions."""
        return self._indices_of(tuple(map(self.value, indices)))

    def _indices_of(self, values: tuple[Expr, ...]) -> tuple[Expr, ...]:
        indexer = self.indexer
        placed = map(self._placed, values)
        return tuple(self._in_iteration(indexer().index(i)) for i in placed)

    def _placed(self, index: Expr) -> Expr:
        """An index whose functions of counters and parameters are given by their bodies, as that
        of a border is: which element it is has to be known."""

        def tells_a_place(call: Call) -> bool:
            body = self.kernel.functions[call.name].body
            return all(isinstance(n, _PLACING) for n in postorder(call, body))

        return self._wrapped_around(self.opened(index, tells_a_place))

    def _wrapped_around(self, expr: Expr) -> Expr:
        """A place with Euclid's remainders in it, by sizes that are positive where these count."""
        if not any(isinstance(n, TruncMod) for n in postorder(expr)):
            return expr
        if isinstance(expr, Select):
            condition = self._wrapped_around(fold(expr.condition))
            if isinstance(condition, Const):
                return self._wrapped_around(expr.a if condition.value else expr.b)
            with self.under((condition,)):
                a = self._wrapped_around(expr.a)
            with self.under((negate(condition),)):
                b = self._wrapped_around(expr.b)
            found = fold(Select(condition, a, b))
        else:
            found = fold(expr.rebuild(tuple(map(self._wrapped_around, expr.children))))
        return euclids(found, self._is_said_to_be_positive) or found

    def _is_said_to_be_positive(self, divisor: Expr) -> bool:
        """Whether a divisor is, or claims to be: of a place that is wrapped around a size."""
        if self._is_positive(divisor):
            return True
        index = self._plain_index(divisor)
        names = postorder(index) if index is not None else ()
        if index is None or not all(
            isinstance(n, (Const, Add, Sub, Mul)) or self._is_parameter(n) for n in names
        ):
            return False
        terms = polynomial(index)
        factor = gcd(*terms.values()) or 1
        size = from_polynomial({m: c // factor for m, c in terms.items()})
        self._claim_range(normal(GE(size, const(1, I64))), f"{size} is positive")
        return True

    def _is_parameter(self, node: Expr) -> bool:
        return isinstance(node, Variable) and node.name in self.parameters

    def opened(self, expr: Expr, wanted: Callable[[Call], bool]) -> Expr:
        """`expr` with the bodies of the source's pure functions for those calls that are
        `wanted`."""
        functions = self.kernel.functions

        def visit(node: Expr) -> Expr:
            if not isinstance(node, Call) or node.name not in functions or not wanted(node):
                return node
            function = functions[node.name]
            given: dict[Expr, Expr] = dict(zip(function.params, node.children, strict=True))
            return self.opened(transform(substitute(function.body, given), fold), wanted)

        return transform(expr, visit) if functions else expr

    def _in_iteration(self, index: Expr) -> Expr:
        """max(0, extent) is the extent inside a loop: an iteration of it is running."""
        for loop in self.loops:
            index = substitute(index, {normal(Max(const(0, I64), loop.extent)): loop.extent})
        index = normal(index)
        if not choices(index):
            return index
        # What is stated, and the branches around this point, have made some choices, and so have
        # the loops.
        known = (*self.stated, *self.facts(), *self._entered())
        return in_all_cases(decided(index, known), known)

    def _entered(self) -> Iterator[Expr]:
        """What holds since an iteration of each loop around this point is running: that nothing
        decides its extent to be none."""
        for loop in self.loops:
            for condition in choices(loop.extent):
                for way in (condition, negate(condition)):
                    extent = decided(loop.extent, (way,))
                    if isinstance(extent, Const) and extent.value <= 0:
                        yield negate(way)

    @staticmethod
    def undefined(name: str, type: Type) -> Expr:
        """A scalar that has no value yet."""
        return unknown("undefined", name, type)

    def _load(self, expr: Load) -> Expr:
        if expr.array in self.registers:
            return registers.load(self, expr)
        array = self.arrays[expr.array]
        indices = self.places(expr.indices)
        if array.values is not None and all(isinstance(i, Const) for i in indices):
            place = int(indices[0].value)  # type: ignore[attr-defined]
            if 0 <= place < len(array.values):
                return Const(expr.type, array.values[place])
        self.position += 1
        read = Read(
            expr.array,
            indices,
            expr.type,
            self.loops,
            conjunction(self.path),
            self.position,
            self.span,
        )
        stored = self._forwarded(read)
        if self._is_kept(read, stored is not None):
            read = replace(read, is_kept=True)
            self._note_kept(read)
        if stored is not None and stored[0] is TRUE:
            return stored[1]
        # The same element may be read again after a store: the last place is the one to check.
        self.recording.reads[read.key] = read
        load: Expr = Load(expr.array, indices, expr.type)
        return load if stored is None else fold(Select(stored[0], stored[1], load))

    def note_read(self, load: Load) -> Read:
        """Records a load that happens here, around a loop whose bound it is."""
        self.position += 1
        read = Read(load.array, load.indices, load.type, self.loops, conjunction(self.path),
                    self.position, self.span)  # fmt: skip
        self.recording.reads[read.key] = read
        return read

    def reads_again(self, counter: Variable, other: Variable) -> None:
        """Records that what is read in iterations of a loop is meant with another counter, too."""
        mapping: dict[Expr, Expr] = {counter: other}
        for read in list(self.recording.reads.values()):
            if all(loop.counter is not counter for loop in read.loops):
                continue
            loops = tuple(
                replace(
                    loop,
                    counter=other if loop.counter is counter else loop.counter,
                    extent=substituted(loop.extent, mapping),
                )
                for loop in read.loops
            )
            again = replace(
                read,
                indices=tuple(substituted(i, mapping) for i in read.indices),
                loops=loops,
                condition=substituted(read.condition, mapping),
            )
            self.recording.reads[again.key] = again

    def _forwarded(self, read: Read) -> tuple[Expr, Expr] | None:
        """(condition, value) of the store in this iteration that this load sees, if there is
        one."""
        found: tuple[Expr, Expr] | None = None
        for log in reversed(self.recording.logs):
            for write in reversed(log.writes):
                if write.array != read.array or write.loops != self.loops:
                    continue
                if write.indices != read.indices:
                    continue
                if found is None:
                    found = write.condition, write.value
                else:
                    # Where the later store didn't happen, one before the branch may have.
                    condition, value = found
                    found = (
                        fold(Or(condition, write.condition)),
                        fold(Select(condition, value, write.value)),
                    )
                if found[0] is TRUE:
                    return found
        return found

    def _is_kept(self, read: Read, is_stored: bool) -> bool:
        """See `Read.is_kept`."""
        written = [w for log in self.recording.logs for w in log.writes if w.array == read.array]
        others = [w for w in written if (w.indices, w.loops) != (read.indices, read.loops)]
        if is_stored or not others:
            return bool(others)
        before, last = self._loads_of(read), max(w.position for w in others)
        return any(r.is_kept or r.position < last for r in before)

    def _loads_of(self, read: Read) -> list[Read]:
        """What was recorded of loads of this element in this iteration."""
        found = self.recording.reads.values()
        place = read.array, read.indices, read.loops
        return [r for r in found if (r.array, r.indices, r.loops) == place]

    def _note_kept(self, read: Read) -> None:
        for known in self._loads_of(read):
            self.recording.reads[known.key] = replace(known, is_kept=True)

    # Statements

    def run(self, body: Iterable[Stmt]) -> None:
        rest = tuple(body)
        while rest:
            self.span = rest[0].span
            done = self.put_in_order(self, rest) if self.registers else 0
            if not done:
                self.step(rest[0])
            rest = rest[max(done, 1) :]

    def step(self, stmt: Stmt) -> None:
        if isinstance(stmt, Assign):
            self.env[stmt.name] = self.value(stmt.value)
        elif isinstance(stmt, Declare):
            self.env[stmt.name] = unknown("undefined", stmt.name, stmt.type)
        elif isinstance(stmt, Store):
            self._store(stmt)
        elif isinstance(stmt, If):
            self._if(stmt)
        elif isinstance(stmt, KernelLoop):
            self.run_loop(self, stmt)
        elif isinstance(stmt, Allocate):
            if stmt.array in self.registers:
                registers.forget(self, stmt.array)
                return
            size = self.arrays[stmt.array].size
            if self.loops:
                raise unsupported(
                    "unsupported-stage", f"array {stmt.array} is allocated inside a loop",
                    stmt.span, "move the allocation out of the loop",
                )  # fmt: skip
            if size is not None:
                self.allocations[stmt.array] = self.index(size)
        elif isinstance(stmt, Assume):
            pass  # assuming less is sound; those over parameters stand in Kernel.preconditions
        elif isinstance(stmt, Break):
            raise unsupported(
                "loop-bound", "the loop may end early by `break`", stmt.span,
                "only loops that run a countable number of iterations are understood",
            )  # fmt: skip
        else:
            raise AssertionError(type(stmt))

    def _store(self, stmt: Store) -> None:
        if stmt.array in self.registers:
            registers.store(self, stmt)
            return
        value = self.value(stmt.value)
        indices = tuple(map(self.value, stmt.indices))
        places: Iterable[tuple[Expr, tuple[Expr, ...]]] = [(TRUE, self._indices_of(indices))]
        if not self._is_counted(stmt.array, indices, value):
            places = [*self._places(stmt.array, indices)]
        self.position += 1
        for condition, indices in places:
            self.add_write(
                Write(stmt.array, indices, value, self.loops, condition, self.position, stmt.span)
            )

    def _is_counted(self, array: str, indices: tuple[Expr, ...], value: Expr) -> bool:
        """Whether a store changes the element that what is read says, whichever that is, as in
        `h[s[x] & 1 ? 1 : 0]++`: one update, whose place is looked up."""
        if Load(array, self._indices_of(indices), value.type) not in postorder(value):
            return False
        counters = {loop.counter for loop in self.loops}
        waiting, looks_up = list(indices), False
        while waiting:
            node = waiting.pop()
            if node in counters:
                return False
            looks_up |= isinstance(node, Load) or (
                isinstance(node, Select) and any(isinstance(n, Load) for n in postorder(node))
            )
            if isinstance(node, Select):
                waiting += (node.a, node.b)
            elif not isinstance(node, Load):
                waiting += node.children
        return looks_up

    def _places(
        self, array: str, indices: tuple[Expr, ...]
    ) -> Iterator[tuple[Expr, tuple[Expr, ...]]]:
        """Where a store goes, and when: `d[big ? 1 : 0] = v` goes to one of two places, as in
        `if (big) d[1] = v; else d[0] = v;`."""
        few = filter(_is_of_constants, postorder(*indices))
        choice = next((n for n in few if self._chooses_among_stores(n, array)), None)
        if not isinstance(choice, Select):
            yield TRUE, self._indices_of(indices)
            return
        side = self._decided_side(choice)
        if side is not None:
            yield from self._places(array, tuple(substitute(i, {choice: side}) for i in indices))
            return
        self.learn_from(choice.condition)
        for condition, side in (
            (choice.condition, choice.a),
            (negate(choice.condition), choice.b),
        ):
            chosen: dict[Expr, Expr] = {choice: side}
            self.path.append(condition)
            for more, there in self._places(array, tuple(substitute(i, chosen) for i in indices)):
                yield conjunction((condition, more)), there
            self.path.pop()

    def _decided_side(self, choice: Select) -> Expr | None:
        """The side that what is stated, or a branch around this point, takes: a format that was
        asked before the loops says how wide its pixels are. None where that takes a claim."""
        doubts: list[Expr] = []
        indexer = Indexer(self.ranges(), lambda doubt, _: doubts.append(doubt))
        formula = indexer.formula(choice.condition)
        if formula is None or doubts:
            return None
        asked = Select(formula, const(1, I64), const(0, I64))
        told = decided(asked, (*self.stated, *self.facts()))
        if not isinstance(told, Const):
            return None
        return choice.a if told.value else choice.b

    def _chooses_among_stores(self, choice: Expr, array: str) -> bool:
        """Whether iterations make another choice each, or other stores may go where this one
        doesn't: what one store's parameters choose is no more than where its region begins."""
        counters = {loop.counter for loop in self.loops}
        if any(n in counters or isinstance(n, Load) for n in postorder(choice)):
            return True
        stores = (s for s in statements(self.kernel.body) if isinstance(s, Store))
        return sum(s.array == array for s in stores) > 1

    def add_write(self, write: Write) -> None:
        """Appends to the current log; a second store to the same place in one iteration
        overrides."""
        log = self.recording.logs[-1]
        for i, old in enumerate(log.writes):
            if (
                old.array == write.array
                and old.loops == write.loops
                and old.indices == write.indices
            ):
                value = fold(Select(write.condition, write.value, old.value))
                condition = fold(Or(old.condition, write.condition))
                log.writes[i] = replace(old, value=value, condition=condition, span=write.span)
                return
        log.writes.append(write)

    def branch(self, condition: Expr, body: Iterable[Stmt]) -> tuple[dict[str, Expr], list[Write]]:
        """Runs `body` where `condition` holds, from the present state, which is left as it was."""
        before, fitting = dict(self.env), set(self.fitting)
        self.recording.logs.append(Log([]))
        self.path.append(condition)
        try:
            self.run(body)
            return self.env, self.recording.logs[-1].writes
        finally:
            self.env, self.fitting = before, fitting
            self.path.pop()
            self.recording.logs.pop()

    def _if(self, stmt: If) -> None:
        condition = self.value(stmt.condition)
        if isinstance(condition, Const):
            self.run(stmt.then if condition.value else stmt.otherwise)
            return
        self.learn_from(condition)
        then_env, then_writes = self.branch(condition, stmt.then)
        last = [w for w in then_writes if self._is_last(w, then_writes)]
        else_env, else_writes = self.branch(negate(condition), stmt.otherwise)
        self.merge_env(condition, then_env, else_env)
        for write in join(condition, then_writes, else_writes, self.loops, last):
            self.add_write(write)

    def _is_last(self, write: Write, branch: Sequence[Write]) -> bool:
        """Whether a store of a branch that has just run might as well be at its end: nothing of its
        array is read or stored in between."""
        accesses: list[Read | Write] = [*self.recording.reads.values(), *branch]
        return not any(a.array == write.array and a.position > write.position for a in accesses)

    def merge_env(self, condition: Expr, then: dict[str, Expr], otherwise: dict[str, Expr]) -> None:
        for name in {**then, **otherwise}:
            own = self._own(name)
            a, b = then.get(name, own), otherwise.get(name, own)
            if a is None or b is None:
                present = a if a is not None else b
                assert present is not None
                missing = unknown("undefined", name, present.type)
                a, b = (present, missing) if a is not None else (missing, present)
            known = self.fold_where(self, name, condition, a, b)
            if known is None and registers.is_element(self, name):
                known = _in_order(condition, a, b)
            self.env[name] = self._chosen(condition, a, b) if known is None else known

    def _chosen(self, condition: Expr, a: Expr, b: Expr) -> Expr:
        value = self._folded(Select(condition, a, b))
        moved = self.moved_up.get(value)
        if moved is not None:
            self._claim_moved_up(value, moved)
            return moved
        known = self.refills.get(value)
        if known is None:
            return value
        for load in [n for n in postorder(known) if isinstance(n, Load)]:
            self.note_read(load)
        return known

    def is_step_of_follower(self, extent: Expr) -> bool:
        """Whether a loop runs as often as it moves a follower up in an iteration of one around."""
        around = [c for loop in self.loops for c in self.courses.get(loop.counter, ())]
        return any(course.step is extent for course in around)

    def _claim_moved_up(self, value: Expr, moved: Expr) -> None:
        if moved.type.is_int and moved.type.bits >= 32 and isinstance(moved, Cast):
            self.fitting.add((moved.type, moved.value))
        indexer = self.indexer()
        number = indexer.index(moved)
        self.claim("induction", EQ(indexer.index(value), number), f"it goes up to {number}")

    def _own(self, name: str) -> Expr | None:
        """What a scalar is before anything is assigned to it: a parameter is itself."""
        type = self.parameters.get(name)
        return None if type is None else Variable(name, type)


def _in_order(condition: Expr, a: Expr, b: Expr) -> Expr | None:
    """A choice of two integers by their order as the lesser or the greater one, which is smaller:
    elements that are put in order are made of each other many times."""
    if not isinstance(condition, (GT, GE, LT, LE)) or a.type is not b.type:
        return None
    if not a.type.is_integer or a.type.is_bool:
        return None
    sides = condition.children
    for one, other in (sides, tuple(map(_before_promotion, sides))):
        if (one, other) in ((a, b), (b, a)):
            first_is_less = isinstance(condition, (LT, LE))
            return Min(a, b) if first_is_less == (one is a) else Max(a, b)
    return None


def _before_promotion(number: Expr) -> Expr:
    """A number as it was before it was converted to a type that has all of its own values."""
    if isinstance(number, Cast) and number.type.is_integer and number.value.type.is_integer:
        return number.value if number.type.contains_all(number.value.type) else number
    return number


def _is_narrow(number: Expr) -> bool:
    """Whether sums of a few such numbers fit an int whatever they are."""
    return number.type.is_bool or (number.type.is_integer and number.type.bits < 32)


def _values_of_parameters(kernel: Kernel) -> Iterator[Expr]:
    """That a parameter has a value, or hasn't, as preconditions say of it or of its equal; a number
    that is another one where it is converted is none of these."""
    known = [part for p in kernel.preconditions for part in conjuncts(p.condition)]
    equal: list[tuple[Variable, Variable]] = []
    for stated in known:
        a, b = (_number(stated.a), _number(stated.b)) if isinstance(stated, EQ) else (None, None)
        if isinstance(a, Variable) and isinstance(b, Variable) and a.type is b.type:
            equal += [(a, b), (b, a)]
    for stated in known:
        if not isinstance(stated, (EQ, NE)) or not isinstance(stated.b, Const):
            continue
        tested, value = _number(stated.a), stated.b.value
        if isinstance(tested, Variable) and tested.type.contains(int(value)):
            for same in (tested, *(other for one, other in equal if one is tested)):
                yield stated.rebuild((Variable(same.name, I64), const(value, I64)))


def _number(expr: Expr) -> Expr | None:
    """An integer without conversions that make one number of one."""
    if not expr.type.is_integer:
        return None
    while isinstance(expr, Cast) and _keeps_bits(expr):
        expr = expr.value
    return expr if expr.type.is_integer and not expr.type.is_bool else None


def _keeps_bits(conversion: Cast) -> bool:
    """Whether integers that a conversion makes one were one."""
    inner = conversion.value.type
    return inner.is_integer and not inner.is_bool and conversion.type.bits >= inner.bits


def _prefix(parameters: Iterable[str]) -> str:
    prefix = "i"
    while any(n.startswith(prefix) and n[len(prefix) :].isdigit() for n in parameters):
        prefix += "_"
    return prefix


def _is_of_constants(expr: Expr) -> bool:
    return isinstance(expr, Select) and all(isinstance(s, Const) for s in (expr.a, expr.b))


def join(
    condition: Expr,
    then: list[Write],
    otherwise: list[Write],
    loops: tuple[Loop, ...],
    last: Sequence[Write] = (),
) -> Iterator[Write]:
    """The writes of a conditional: stores of both branches to one place become one store. Of
    `last`, those of the first branch that might be at its end, it is where the second one's is:
    what that one reads it reads before."""
    partners = {(w.array, w.indices): w for w in otherwise if w.loops == loops}
    for write in then:
        other = partners.pop((write.array, write.indices), None) if write.loops == loops else None
        if other is None:
            yield replace(write, condition=conjunction((condition, write.condition)))
        else:
            yield replace(
                write,
                value=fold(Select(condition, write.value, other.value)),
                condition=fold(Select(condition, write.condition, other.condition)),
                position=other.position if write in last else write.position,
            )
    left = set(partners.values()) | {w for w in otherwise if w.loops != loops}
    for write in otherwise:
        if write in left:
            yield replace(write, condition=conjunction((negate(condition), write.condition)))


def markers(*exprs: Expr) -> Iterator[Variable]:
    """The unknown scalars that `exprs` depend on."""
    for node in postorder(*exprs):
        if isinstance(node, Variable) and is_unknown(node):
            yield node
