"""Expressions as Python closures: the exact meaning of `compiler/ir/nodes.py` on single values.

Where an operation is undefined in C++ the closure tells the `RunState` (kind, detail) and gives
`POISON`. `Select`, `And` and `Or` evaluate only what C++ evaluates, so nothing undefined is
reported for the branch that was not taken.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from compiler.ir import INTRINSICS, Type, dtype_of
from compiler.ir import nodes as n
from compiler.ir.nodes import Call, Cast, Const, Expr, Let, Load, Select, Variable
from compiler.ir.operators import OPERATORS, truncated_quotient, truncated_remainder

from ..model.diagnostic import Span
from ..model.kernel import UNORDERED, PureFunction
from .memory import POISON, Memory, Value, typed

Evaluator = Callable[["RunState"], Value]


class Stop(Exception):
    """Ends the run: nothing after this point has a meaning. The text says why."""


class RunState:
    """What a run changes: scalars, memories, the current place, and what went wrong."""

    __slots__ = ("limit", "memories", "report", "result", "scalars", "span", "steps")

    def __init__(
        self,
        scalars: dict[str, Value],
        memories: dict[str, Memory],
        report: Callable[[str, Span, str, str], None],
        span: Span,
        limit: int,
    ) -> None:
        self.scalars = scalars
        self.memories = memories
        self.report = report
        self.span = span
        self.steps = 0
        self.limit = limit
        self.result: Value | None = None

    def undefined(self, kind: str, detail: str, array: str = "") -> Value:
        """Reports undefined behaviour at the current place; gives `POISON`."""
        self.report(kind, self.span, detail, array)
        return POISON

    def index(self, array: str, indices: tuple[Evaluator, ...]) -> tuple[int, ...]:
        """The values of `indices`; a poisoned one stops the run."""
        values = tuple([i(self) for i in indices])
        for value in values:
            if value is POISON:
                self.undefined("poisoned-index", f"the index of {array} has no defined value")
                raise Stop("poisoned index")
        return values


_FLOAT: Final[dict[type[Expr], Callable[..., Any]]] = {
    kind: row.on_integers if kind in (n.Min, n.Max) else row.on_arrays
    for kind, row in OPERATORS.items()
    if issubclass(kind, n.Arithmetic)
}
"""On numpy's scalars. Minima and maxima of them are as exact, and quicker, by comparing."""
# Integer intrinsics on Python ints; the others go through the table's numpy meaning.
_NATIVE: Final[dict[str, Callable[..., int]]] = {
    "abs": abs,
    "absd": lambda a, b: abs(a - b),
}


class ExprCompiler:
    """Compiles expressions over one set of pure functions; each node once."""

    def __init__(self, functions: Mapping[str, PureFunction]) -> None:
        self._functions = functions
        self._done: dict[Expr, Evaluator] = {}
        self._bodies: dict[str, Evaluator] = {}

    def compile(self, expr: Expr) -> Evaluator:
        """The closure of `expr`. Raises `TypeError` for nodes that Kernel IR has not."""
        found = self._done.get(expr)
        if found is None:
            found = self._done[expr] = self._compile(expr)
        return found

    def _compile(self, expr: Expr) -> Evaluator:
        match expr:
            case Const():
                value = typed(expr.type, expr.value)
                return lambda state: value
            case Variable():
                return _variable(expr.name)
            case n.Neg() | n.BitNot() | n.Not():
                return self._unary(expr)
            case Cast():
                return _cast(expr.value.type, expr.type, self.compile(expr.value))
            case n.And() | n.Or():
                return _lazy(self.compile(expr.a), self.compile(expr.b), isinstance(expr, n.And))
            case n.Comparison():
                return _comparison(
                    OPERATORS[type(expr)].on_integers, self.compile(expr.a), self.compile(expr.b)
                )
            case n.Binary():
                return self._binary(expr)
            case Select():
                return _select(*(self.compile(c) for c in expr.children))
            case Load():
                return _load(expr.array, tuple(self.compile(i) for i in expr.indices))
            case Let():
                return _let(expr.name, self.compile(expr.value), self.compile(expr.body))
            case Call(kind="intrinsic"):
                return self._intrinsic(expr)
            case Call(kind="pure"):
                return self._call(expr)
        raise TypeError(f"Kernel IR has no {type(expr).__name__}: {expr}")

    def _unary(self, expr: Expr) -> Evaluator:
        value, result = self.compile(expr.children[0]), expr.type
        if isinstance(expr, n.Not):
            return _strict(lambda state, a: not a, value)
        if isinstance(expr, n.BitNot):
            if result.is_bool:
                return _strict(lambda state, a: not a, value)
            return _strict(lambda state, a: result.wrap(~a), value)
        if result.is_float:
            return _strict(lambda state, a: -a, value)
        fit = _fitter(result)
        return _strict(lambda state, a: fit(state, -a), value)

    def _binary(self, expr: n.Binary) -> Evaluator:
        a, b, result, kind = self.compile(expr.a), self.compile(expr.b), expr.type, type(expr)
        if result.is_float:
            operation = _FLOAT[kind]
            return _strict(lambda state, x, y: operation(x, y), a, b)
        integer = OPERATORS[kind].on_integers
        if result.is_bool:
            return _strict(lambda state, x, y: bool(integer(x, y)), a, b)
        if kind in (n.Shl, n.Shr):
            return _shift(integer, result, a, b)
        if kind in (n.TruncDiv, n.TruncMod):
            return _truncating(kind is n.TruncDiv, result, a, b)
        if kind in (n.Min, n.Max, n.BitAnd, n.BitOr, n.BitXor, n.Mod):
            return _strict(lambda state, x, y: integer(x, y), a, b)
        fit = _fitter(result)

        def evaluate(state: RunState) -> Value:
            x = a(state)
            y = b(state)
            if x is POISON or y is POISON:
                return POISON
            return fit(state, integer(x, y))

        return evaluate

    def _intrinsic(self, expr: Call) -> Evaluator:
        args, result = tuple(self.compile(a) for a in expr.args), expr.type
        native = _NATIVE.get(expr.name) if result.is_integer else None
        if native is not None:
            return _strict(lambda state, *values: native(*values), *args)
        if expr.name == UNORDERED:
            return lambda state: typed(result, result.max)
        if expr.name == "reinterpret":
            own, seen = dtype_of(expr.args[0].type), dtype_of(result)
            return _strict(
                lambda state, value: typed(result, np.asarray(value, own).view(seen)[()]), *args
            )
        meaning, kinds = INTRINSICS[expr.name].evaluate, [dtype_of(a.type) for a in expr.args]

        def evaluate(state: RunState, *values: Value) -> Value:
            operands = [np.asarray(v, k) for v, k in zip(values, kinds, strict=True)]
            return typed(result, np.asarray(meaning(*operands))[()])

        return _strict(evaluate, *args)

    def _call(self, expr: Call) -> Evaluator:
        function = self._functions[expr.name]
        names = tuple(p.name for p in function.params)
        args = tuple(self.compile(a) for a in expr.args)
        bodies = self._bodies
        if expr.name not in bodies:
            bodies[expr.name] = self.compile(function.body)
        body = bodies[expr.name]

        def evaluate(state: RunState) -> Value:
            values = [a(state) for a in args]
            outer = state.scalars
            state.scalars = dict(zip(names, values, strict=True))
            try:
                return body(state)
            finally:
                state.scalars = outer

        return evaluate


def _strict(operation: Callable[..., Value], *args: Evaluator) -> Evaluator:
    """`operation(state, *values)`, or poison when a value is poison."""
    if len(args) == 1:
        only = args[0]

        def one(state: RunState) -> Value:
            value = only(state)
            return POISON if value is POISON else operation(state, value)

        return one

    def many(state: RunState) -> Value:
        values = [a(state) for a in args]
        for value in values:
            if value is POISON:
                return POISON
        return operation(state, *values)

    return many


def _fitter(type: Type) -> Callable[[RunState, int], Value]:
    """Brings an exact result into `type`: wraps, but int32 and int64 overflow is undefined."""
    low, high, mask = type.min, type.max, (1 << type.bits) - 1
    if type.is_uint:
        return lambda state, value: value & mask
    if type.bits < 32:
        return lambda state, value: type.wrap(value)

    def fit(state: RunState, value: int) -> Value:
        if low <= value <= high:
            return value
        return state.undefined("signed-overflow", f"{value} does not fit {type}")

    return fit


def _variable(name: str) -> Evaluator:
    def evaluate(state: RunState) -> Value:
        value = state.scalars.get(name)
        if value is None:
            return state.undefined("uninitialised", f"{name} has no value yet")
        return value

    return evaluate


def _lazy(a: Evaluator, b: Evaluator, wanted: bool) -> Evaluator:
    def evaluate(state: RunState) -> Value:
        first = a(state)
        if first is POISON or first is not wanted:
            return first
        return b(state)

    return evaluate


def _comparison(operation: Callable[[Any, Any], Any], a: Evaluator, b: Evaluator) -> Evaluator:
    def evaluate(state: RunState) -> Value:
        x = a(state)
        y = b(state)
        return POISON if x is POISON or y is POISON else bool(operation(x, y))

    return evaluate


def _select(condition: Evaluator, a: Evaluator, b: Evaluator) -> Evaluator:
    def evaluate(state: RunState) -> Value:
        chosen = condition(state)
        if chosen is POISON:
            return POISON
        return a(state) if chosen else b(state)

    return evaluate


def _let(name: str, value: Evaluator, body: Evaluator) -> Evaluator:
    def evaluate(state: RunState) -> Value:
        outer = state.scalars
        state.scalars = {**outer, name: value(state)}
        try:
            return body(state)
        finally:
            state.scalars = outer

    return evaluate


def _load(array: str, indices: tuple[Evaluator, ...]) -> Evaluator:
    def evaluate(state: RunState) -> Value:
        index = state.index(array, indices)
        memory = state.memories.get(array)
        if memory is None:
            return state.undefined("out-of-bounds-read", f"{array} is not alive")
        if not memory.has(index):
            where = f"{array}{list(index)}, which has {memory.size} elements"
            return state.undefined("out-of-bounds-read", where, array)
        value = memory.read(index)
        if value is None:
            return state.undefined("uninitialised", f"{array}{list(index)} has no value yet")
        return value

    return evaluate


def _shift(
    operation: Callable[[int, int], int], type: Type, a: Evaluator, b: Evaluator
) -> Evaluator:
    def evaluate(state: RunState, x: int, y: int) -> Value:
        if not 0 <= y < type.bits:
            return state.undefined("shift-range", f"{type} shifted by {y}")
        return type.wrap(operation(x, y))

    return _strict(evaluate, a, b)


def _truncating(is_quotient: bool, type: Type, a: Evaluator, b: Evaluator) -> Evaluator:
    fit = _fitter(type)

    def evaluate(state: RunState, x: int, y: int) -> Value:
        if y == 0:
            return state.undefined("division-by-zero", f"{x} divided by 0")
        quotient = fit(state, truncated_quotient(x, y))
        if is_quotient or quotient is POISON:
            return quotient
        return truncated_remainder(x, y)

    return _strict(evaluate, a, b)


def _cast(source: Type, target: Type, value: Evaluator) -> Evaluator:
    if target is source:
        return value
    if target.is_bool:
        return _strict(lambda state, a: bool(a != 0), value)
    if target.is_float:
        if source.is_float:
            return _strict(lambda state, a: typed(target, a), value)
        return _strict(lambda state, a: _to_float(target, a), value)
    if source.is_float:
        return _strict(lambda state, a: _from_float(state, target, a), value)
    if target.contains_all(source):
        return _strict(lambda state, a: int(a), value)
    mask = (1 << target.bits) - 1
    if target.is_uint:
        return _strict(lambda state, a: a & mask, value)
    return _strict(lambda state, a: target.wrap(a), value)


def _to_float(target: Type, value: int) -> Value:
    # Beyond 2**53 Python would round to double first and to single second.
    if -(1 << 53) <= value <= 1 << 53:
        return typed(target, float(value))
    wide = np.int64(value) if value < 1 << 63 else np.uint64(value)
    return wide.astype(dtype_of(target))


def _from_float(state: RunState, target: Type, value: Value) -> Value:
    number = float(value)
    if not math.isfinite(number) or not target.contains(math.trunc(number)):
        return state.undefined("float-range", f"{number} converted to {target}")
    return math.trunc(number)
