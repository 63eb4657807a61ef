"""Accumulations: a scalar that a loop adds to, multiplies, takes an extreme with, or sets under a
condition.

Each solves a recurrence. With `v` the value at the head of an iteration, the iteration leaves
`v op g` where `g` doesn't depend on `v`; so the loop leaves `entry op g(0) op g(1) ...`. Where an
iteration leaves `v` alone under a condition, `g` is the operator's neutral element there. A scalar
that is set wherever another has a new extreme has the value of the first iteration with the
loop's extreme, or of the last if equal ones count as new.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from compiler.ir import (
    EQ,
    FALSE,
    GE,
    GT,
    I32,
    LE,
    LT,
    NE,
    TRUE,
    U8,
    Add,
    And,
    BitAnd,
    BitOr,
    Cast,
    Const,
    Expr,
    Load,
    Mul,
    Neg,
    Or,
    Select,
    Sub,
    Type,
    Variable,
    const,
    postorder,
)

from ..model.stage import Loop
from .closed_forms import LoopAnalysis
from .index import replace, typed
from .most_terms import depends_on, most_terms
from .polynomial import conjunction, conjuncts, negate, normal, polynomial
from .reduce import COMBINED_BY, Reduce, ReduceOperator, reduce_operator
from .scalars import fold, unknown
from .symbolic import Executor, markers


def accumulation(
    executor: Executor, analysis: LoopAnalysis, name: str, after: dict[str, Expr]
) -> Expr | None:
    """What a loop leaves of a scalar, where that is an accumulation; `after` has what an iteration
    leaves of each."""
    return _Accumulations(executor, analysis, after).of(name)


@dataclass(frozen=True)
class Step:
    """What an iteration does to a scalar: it combines it with `body`; None: it leaves it alone."""

    operator: ReduceOperator | None
    body: Expr | None


@dataclass(frozen=True)
class _Setting:
    """An iteration sets a scalar to `value` where `condition` holds, and leaves it elsewhere."""

    condition: Expr
    value: Expr | None
    is_bit: bool = False
    """Whether that holds only of a scalar that is 0 or 1."""


@dataclass(frozen=True)
class _Record:
    """`value` beats the scalar `name` where `condition` holds, too, and it is greater (or less);
    or equal, unless `is_strict`."""

    name: str
    operator: ReduceOperator
    value: Expr
    condition: Expr
    is_strict: bool


_UNTOUCHED = Step(None, None)


class _Accumulations:
    """The accumulations of one loop."""

    def __init__(self, executor: Executor, analysis: LoopAnalysis, after: dict[str, Expr]) -> None:
        self.executor = executor
        self.analysis = analysis
        self.after = after
        self.name = ""

    def of(self, name: str) -> Expr | None:
        """What the loop leaves of a scalar; None where that isn't seen."""
        self.name = name
        entry = self.analysis.entry[name]
        assert entry is not None
        step = self._step(name)
        if step is not None and step.operator is not None:
            return self._combined(step, entry)
        setting = self._setting(name)
        if setting is None or setting.value is None or not self._is_free(setting.value):
            return None
        if setting.is_bit and not (_is_bit(entry) and _is_bit(setting.value)):
            return None
        if not any(True for _ in markers(setting.condition)):
            return self._last_set(setting, entry)
        record = self._record(setting.condition)
        return None if record is None else self._set_at_extreme(record, setting.value, entry)

    # What an iteration does

    def _carried(self, name: str) -> Variable:
        return self.analysis.carried(name)

    def _value(self, name: str) -> Expr | None:
        """What an iteration leaves, as an expression over what it is handed on."""
        carried, value = self._carried(name), self.after.get(name)
        if value is None:
            return None
        # `v = pick(v, x)` is what its body makes of the two.
        return self.executor.opened(value, lambda call: carried in set(postorder(call)))

    def _step(self, name: str) -> Step | None:
        value, carried = self._value(name), self._carried(name)
        if value is None:
            return None
        step = step_of(value, carried)
        return step if step is not None else self._extreme(name)

    def _setting(self, name: str) -> _Setting | None:
        value, carried = self._value(name), self._carried(name)
        return None if value is None else _setting(value, carried)

    def _extreme(self, name: str) -> Step | None:
        """`if (x > m) m = x` is a maximum, `<` a minimum, under further conditions too."""
        setting, carried = self._setting(name), self._carried(name)
        if setting is None or setting.value is None or setting.is_bit or carried.type.is_float:
            return None
        record = self._record(setting.condition)
        if record is None or record.name != name:
            return None
        if record.value is not _same_number(setting.value):
            return None
        if record.condition is TRUE:
            return Step(record.operator, setting.value)
        nothing = neutral(record.operator, carried.type)
        return Step(record.operator, fold(Select(record.condition, setting.value, nothing)))

    def _record(self, condition: Expr) -> _Record | None:
        """The one comparison of `condition` with a scalar that the loop carries."""
        parts = conjuncts(condition)
        carried = {p: list(markers(p)) for p in parts}
        compared = [p for p in parts if carried[p]]
        for part in compared:
            found = _compared(part)
            others = [p for p in compared if p is not part]
            if found is None or any(not self._follows(p, found) for p in others):
                continue
            marker, operator, value, is_strict = found
            rest = conjunction(p for p in parts if not carried[p])
            name = _name_of(marker)
            if name in self.analysis.heads and marker is self._carried(name):
                return _Record(name, operator, value, rest, is_strict)
        return None

    def _follows(self, part: Expr, found: tuple[Variable, ReduceOperator, Expr, bool]) -> bool:
        """Whether what beats an extreme certainly doesn't beat the opposite one, as `part` says:
        `if (x < low) low = x; else if (x > high) high = x` with low <= high at first."""
        other = _compared(negate(part))
        if other is None or other[2] is not found[2] or {other[1], found[1]} != {"min", "max"}:
            return False
        (low, _, _, _), (high, _, _, _) = sorted((other, found), key=lambda f: f[1], reverse=True)
        names = [_name_of(low), _name_of(high)]
        if not self.analysis.heads.keys() >= set(names) or not (other[3] and found[3]):
            return False
        if (low, high) != tuple(map(self._carried, names)):
            return False
        step = self._alone(_name_of(other[0]))
        if step is None or step.operator != other[1]:
            return False
        least, greatest = (self.analysis.entry[n] for n in names)
        if least is None or greatest is None or least.type.is_float:
            return False
        if isinstance(least, Const) and isinstance(greatest, Const):
            return bool(least.value <= greatest.value)
        return _same_number(least) is _same_number(greatest)

    def _alone(self, name: str) -> Step | None:
        """The step of a scalar that depends on no other one's."""
        value, carried = self._value(name), self._carried(name)
        if value is None or set(markers(value)) != {carried}:
            return None
        return self._step(name)

    # What the loop leaves

    def _combined(self, step: Step, entry: Expr) -> Expr | None:
        operator, body = step.operator, step.body
        assert operator is not None and body is not None
        if not self._is_free(body):
            return None
        if entry.type.is_float and not (operator == "add" and _is_zero(entry)):
            # Floats are added in the written order, and a sum begins at +0.0.
            return None
        reduced = self._reduced(operator, body)
        if operator == "add" and entry.type.is_integer and entry is const(0, entry.type):
            return reduced
        return COMBINED_BY[operator](entry, reduced)

    def _last_set(self, setting: _Setting, entry: Expr) -> Expr | None:
        """What is left of a scalar that iterations set, whatever it was."""
        value, condition = setting.value, setting.condition
        assert value is not None
        if condition is TRUE or not self._is_free(condition):
            return None
        is_number = entry.type.is_integer and not entry.type.is_bool
        if is_number and isinstance(entry, Const) and isinstance(value, Const):
            # A flag: raised or lowered.
            operator: ReduceOperator = "max" if value.value >= entry.value else "min"
            body = fold(Select(condition, value, entry))
            return COMBINED_BY[operator](entry, self._reduced(operator, body))
        last = self._value_where(condition, value, is_first=False)
        if (last, entry) in ((TRUE, FALSE), (FALSE, TRUE)):
            return self._any(condition) if last is TRUE else negate(self._any(condition))
        return None if last is None else fold(Select(self._any(condition), last, entry))

    def _set_at_extreme(self, record: _Record, value: Expr, entry: Expr) -> Expr | None:
        """What is left of a scalar that is set where another one has a new extreme: the position
        of a maximum."""
        other = self.analysis.entry[record.name]
        step = self._alone(record.name)
        if other is None or step is None or other.type.is_float:
            return None
        if step.operator != record.operator or not self._is_free(record.value, record.condition):
            return None
        beats = self._converted(record, other.type)
        if step.body is not beats or beats is None:
            return None
        extreme = self._reduced(record.operator, beats)
        if not isinstance(extreme, Reduce):
            return None
        at_extreme = conjunction((record.condition, EQ(beats, self._again(extreme))))
        compare = {"max": (GT, GE), "min": (LT, LE)}[record.operator]
        is_new: Expr = compare[0 if record.is_strict else 1](extreme, other)
        if not record.is_strict:
            is_new = And(is_new, self._any(at_extreme))
        there = self._value_where(at_extreme, value, is_first=record.is_strict)
        return None if there is None else fold(Select(is_new, there, entry))

    def _converted(self, record: _Record, type: Type) -> Expr | None:
        """What a record compares, in the type of the extreme; the neutral element elsewhere."""
        value = record.value if record.value.type is type else Cast(type, record.value)
        if not type.is_integer or type.is_bool or not _holds(type, record.value.type):
            return None
        if record.condition is TRUE:
            return value
        return fold(Select(record.condition, value, neutral(record.operator, type)))

    def _value_where(self, condition: Expr, value: Expr, *, is_first: bool) -> Expr | None:
        """What a value is in the first or the last iteration in which a condition holds, if there
        is one."""
        slope = self._slope(value)
        if slope == 0:
            return value
        if slope is not None:
            return self._where(condition, value, "min" if is_first == (slope > 0) else "max")
        iteration = typed(I32, self.analysis.counter)
        if not value.type.is_integer or value.type.is_bool or self._slope(iteration) != 1:
            return None
        chosen = self._again(self._where(condition, iteration, "min" if is_first else "max"))
        nothing = const(0, value.type)
        # What the original reads under the condition alone is read under it here, too.
        here = conjunction((condition, EQ(iteration, chosen)))
        return self._reduced("add", fold(Select(here, value, nothing)))

    def _slope(self, value: Expr) -> int | None:
        """By how much a value grows from one iteration to the next: a constant. None where it
        doesn't grow steadily."""
        counter = self.analysis.counter
        if counter not in set(postorder(value)):
            return 0 if not any(isinstance(n, Load) for n in postorder(value)) else None
        if not value.type.is_integer or value.type.is_bool:
            return None
        index = value.value if isinstance(value, Cast) else value
        if index.type is not counter.type or not all(map(_is_sum_of_places, postorder(index))):
            return None
        slope = 0
        for monomial, factor in polynomial(index).items():
            if monomial == (counter,):
                slope = factor
            elif any(counter in set(postorder(atom)) for atom in monomial):
                return None
        loop = Loop(counter, self.analysis.extent, self.analysis.span)
        low, high = self.executor.ranges(loop).interval(index)
        fits = value.type.min <= low and high <= value.type.max
        return slope or None if fits else None

    def _where(self, condition: Expr, value: Expr, operator: ReduceOperator) -> Expr:
        """The least or greatest value in iterations in which a condition holds."""
        nothing = neutral(operator, value.type)
        return self._reduced(operator, fold(Select(condition, value, nothing)))

    def _any(self, condition: Expr) -> Expr:
        """Whether a condition holds in any iteration."""
        hit = self._reduced("max", Select(condition, const(1, U8), const(0, U8)))
        return GT(hit, const(0, U8))

    def _reduced(self, operator: ReduceOperator, body: Expr) -> Expr:
        """The reduction over all iterations; where each element has a number of its own of these,
        over as many as any has."""
        executor, counter, extent = self.executor, self.analysis.counter, self.analysis.extent
        body = _with_choice_inside(operator, body)
        if executor.is_step_of_follower(extent):
            return Reduce(operator, counter, extent, body)  # part of a window, or of no use
        outer = {loop.counter for loop in executor.loops}
        most = most_terms(extent, counter, body, outer) if depends_on(extent, outer) else extent
        if most is None and any(isinstance(n, Load) for n in postorder(extent)):
            return unknown("counted", self.name, body.type)
        if most is None or most is extent:
            return Reduce(operator, counter, extent, body)
        executor.span = self.analysis.span
        text = f"no {self.name} has more than {most} terms"
        executor.claim("bounds", normal(LE(extent, most)), text)
        body = Select(LT(counter, extent), body, nothing_of(operator, body.type))
        return Reduce(operator, counter, most, body)

    def _again(self, reduced: Expr) -> Expr:
        """The same reduction with a counter of its own, so that it may stand in another's body."""
        assert isinstance(reduced, Reduce)
        executor, counter = self.executor, self.executor.counter()
        executor.counters += 1
        body = replace(reduced.body, {reduced.counter: counter})
        executor.reads_again(reduced.counter, counter)
        made: Expr = Reduce(reduced.operator, counter, reduced.extent, body)
        return made

    def _is_free(self, *exprs: Expr) -> bool:
        """Whether nothing that an iteration is handed on is in the expressions, nor anything that
        the nest has overwritten by then."""
        return not any(True for _ in markers(*exprs)) and not any(
            reads_written_any(e, self.executor) for e in exprs
        )


def _name_of(marker: Variable) -> str:
    """The scalar that a marker stands for."""
    return marker.name.partition(":")[2].partition("@")[0]


def neutral(operator: ReduceOperator, type: Type) -> Expr:
    """What leaves every integer as it is, and every float sum that began at +0.0."""
    if operator in ("min", "max"):
        return const(type.max if operator == "min" else type.min, type)
    return const(0 if operator == "add" else 1, type)


def nothing_of(operator: ReduceOperator, type: Type) -> Expr:
    """A term that changes nothing. Of floats that is -0.0: 0.0 would change a -0.0."""
    is_sum = operator == "add" and type.is_float
    return const(-0.0, type) if is_sum else neutral(operator, type)


def _with_choice_inside(operator: ReduceOperator, body: Expr) -> Expr:
    """`c ? sum of t : 0` of integers as the sum of `c ? t : 0`: sums one directly inside of the
    other are one over several coordinates."""
    if not isinstance(body, Select) or not body.type.is_integer or body.type.is_bool:
        return body
    nothing = neutral(operator, body.type)
    sides = ((body.condition, body.a, body.b), (negate(body.condition), body.b, body.a))
    for condition, inner, other in sides:
        if isinstance(inner, Reduce) and inner.operator == operator and other is nothing:
            term = inner.body
            if isinstance(term, Select) and term.b is nothing:
                condition, term = conjunction((condition, term.condition)), term.a
            chosen = fold(Select(condition, term, nothing))
            return Reduce(operator, inner.counter, inner.extent, chosen)
    return body


def _is_sum_of_places(node: Expr) -> bool:
    return isinstance(node, (Add, Sub, Mul, Neg, Const, Variable))


def _is_zero(entry: Expr) -> bool:
    """Whether a float is the constant +0.0."""
    return isinstance(entry, Const) and entry.value == 0 and math.copysign(1.0, entry.value) > 0


def _is_bit(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.value in (0, 1)


def _above(expr: Expr, carried: Expr) -> set[Expr]:
    """The nodes of an expression that depend on `carried`."""
    found = {carried}
    for node in postorder(expr):
        if not found.isdisjoint(node.children):
            found.add(node)
    return found


def step_of(value: Expr, carried: Expr) -> Step | None:
    """What an iteration combines a scalar with, by an operator; extremes by conditions apart."""
    above = _above(value, carried)
    known: dict[Expr, Step | None] = {}

    def of(node: Expr) -> Step | None:
        if node not in known:
            known[node] = _UNTOUCHED if node is carried else found(node)
        return known[node]

    def found(node: Expr) -> Step | None:
        if node not in above:
            return None
        if isinstance(node, Select):
            if node.condition in above:
                return None
            return _either(node.condition, of(node.a), of(node.b), node.type)
        if isinstance(node, Sub) and node.type.is_integer:
            return None if node.b in above else _less(of(node.a), node.b)
        operator = reduce_operator(node)
        if operator is None or node.type.is_bool:
            return None
        a, b = node.children
        if (a in above) == (b in above):
            return None
        side, other = (a, b) if a in above else (b, a)
        return _and_then(of(side), operator, other)

    return of(value)


def _either(condition: Expr, a: Step | None, b: Step | None, type: Type) -> Step | None:
    if a is None or b is None:
        return None
    operator = a.operator or b.operator
    if operator is None:
        return _UNTOUCHED
    if {a.operator, b.operator} - {operator, None}:
        return None
    if type.is_float and operator != "add":
        return None
    nothing = neutral(operator, type)
    body = Select(condition, a.body or nothing, b.body or nothing)
    return Step(operator, fold(body))


def _and_then(step: Step | None, operator: ReduceOperator, body: Expr) -> Step | None:
    """A step, and then another one by an operator."""
    if step is None:
        return None
    if step.operator is None or step.body is None:
        return Step(operator, body)
    if step.operator != operator or body.type.is_float:
        return None
    return Step(operator, fold(COMBINED_BY[operator](step.body, body)))


def _less(step: Step | None, body: Expr) -> Step | None:
    """A step of integers, from which a term is then taken off."""
    if step is None or step.operator not in (None, "add"):
        return None
    return Step("add", fold(Sub(step.body or const(0, body.type), body)))


def _setting(value: Expr, carried: Expr) -> _Setting | None:
    """Where an iteration sets a scalar anew, and to what."""
    above = _above(value, carried)
    known: dict[Expr, _Setting | None] = {}

    def of(node: Expr) -> _Setting | None:
        if node not in known:
            known[node] = found(node)
        return known[node]

    def found(node: Expr) -> _Setting | None:
        if node is carried:
            return _Setting(FALSE, None)
        if node not in above:
            return _Setting(TRUE, node)
        if isinstance(node, Select):
            return _one_of(node.condition, of(node.a), of(node.b))
        return _bit_setting(node, carried)

    return of(value)


def _one_of(condition: Expr, a: _Setting | None, b: _Setting | None) -> _Setting | None:
    if a is None or b is None:
        return None
    is_bit = a.is_bit or b.is_bit
    if a.value is None or b.value is None:
        value = a.value or b.value
    else:
        value = fold(Select(condition, a.value, b.value))
    if a.condition is FALSE:
        condition, set_ = negate(condition), b.condition
    elif b.condition is FALSE:
        set_ = a.condition
    elif a.condition is TRUE and b.condition is TRUE:
        return _Setting(TRUE, value, is_bit)
    else:
        first = And(condition, a.condition)
        second = And(negate(condition), b.condition)
        return _Setting(fold(Or(first, second)), value, is_bit)
    return _Setting(conjunction((condition, set_)), value, is_bit)


def _bit_setting(node: Expr, carried: Expr) -> _Setting | None:
    """`any |= c`, `all &= c` and their like, of a scalar that is 0 or 1."""
    type = carried.type
    while isinstance(node, Cast) and node.type.is_integer and node.value.type.is_integer:
        node = node.value
    if not isinstance(node, (BitOr, BitAnd, Or, And)):
        return None
    sides = [(node.a, node.b), (node.b, node.a)]
    for own, other in sides:
        if not _is_as_bit(own, carried):
            continue
        condition = _as_condition(other)
        if condition is None or carried in set(postorder(condition)):
            continue
        raises = isinstance(node, (BitOr, Or))
        return _Setting(condition if raises else negate(condition), Const(type, int(raises)), True)
    return None


def _is_as_bit(node: Expr, carried: Expr) -> bool:
    """Whether a node is the scalar, in whatever type, or whether it isn't 0."""
    while isinstance(node, Cast) and node.type.is_integer:
        node = node.value
    if node is carried:
        return True
    return _is_nonzero(node) is carried


def _is_nonzero(node: Expr) -> Expr | None:
    if isinstance(node, NE) and isinstance(node.b, Const) and node.b.value == 0:
        return _same_number(node.a)
    return None


def _as_condition(node: Expr) -> Expr | None:
    """The boolean that a number 0 or 1 is."""
    while isinstance(node, Cast) and node.type.is_integer and not node.type.is_bool:
        node = node.value
    return node if node.type.is_bool else None


def _compared(part: Expr) -> tuple[Variable, ReduceOperator, Expr, bool] | None:
    """(carried scalar, operator, other side, whether strictly) of a comparison by which the other
    side beats the scalar."""
    if not isinstance(part, (LT, LE, GT, GE)) or part.a.type.is_float:
        return None
    a, b = _same_number(part.a), _same_number(part.b)
    sides = [s for s in (a, b) if isinstance(s, Variable) and s.name.startswith("carried:")]
    if len(sides) != 1:
        return None
    other = b if sides[0] is a else a
    if any(True for _ in markers(other)):
        return None
    greater = isinstance(part, (GT, GE)) == (other is a)
    return sides[0], "max" if greater else "min", other, isinstance(part, (LT, GT))


def _same_number(expr: Expr) -> Expr:
    """What an integer is converted from to a type that holds it."""
    while isinstance(expr, Cast) and expr.type.is_integer and expr.value.type.is_integer:
        own = expr.value.type
        if own.is_bool or not _holds(expr.type, own):
            break
        expr = expr.value
    return expr


def _holds(type: Type, own: Type) -> bool:
    return type.contains(own.min) and type.contains(own.max)


def reads_written_any(expr: Expr, executor: Executor) -> bool:
    """Whether `expr` reads an array that this stage has written already."""
    written = {w.array for log in executor.recording.logs for w in log.writes}
    return any(isinstance(n, Load) and n.array in written for n in postorder(expr))
