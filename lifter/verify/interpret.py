"""A concrete interpreter of Kernel IR: slow, obviously right (docs/design.md, "Verification").

It finds counterexamples, screens candidates, and tells which input makes a kernel undefined. The
meaning of expressions is in `interpret_expr`, of memory in `memory`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from compiler.ir import Expr, Type, Variable, postorder

from ..model.diagnostic import Span
from ..model.kernel import (
    Allocate,
    Array,
    Assign,
    Assume,
    Break,
    Declare,
    If,
    PureFunction,
    Return,
    Stmt,
    Store,
    WhileLoop,
    statements,
)
from .interpret_expr import Evaluator, ExprCompiler, RunState, Stop
from .memory import POISON, Memory, Value, typed

DEFAULT_STEP_LIMIT = 2_000_000


@dataclass(frozen=True, slots=True)
class UndefinedEvent:
    """Something C++ gives no meaning to happened at `span`; `detail` has the values.

    `kind` is one of `uninitialised`, `out-of-bounds-read`, `out-of-bounds-write`,
    `signed-overflow`, `division-by-zero`, `shift-range`, `float-range`, `allocation-size`,
    `assumption` (an `Assume` that does not hold), `poisoned-branch`, `poisoned-index`.
    """

    kind: str
    span: Span
    detail: str
    array: str = ""
    """Of accesses: to what."""


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """What a run left behind.

    `undefined` has the first event of each kind at each place and array. `stopped` says why the
    run did not reach its end (`poisoned branch`, `poisoned index`, `assumption`, `step limit`),
    else None.
    """

    scalars: dict[str, Value]
    arrays: dict[str, Memory]
    result: Value | None
    undefined: list[UndefinedEvent]
    stopped: str | None
    steps: int


_BREAK, _RETURN = "break", "return"
_Runner = Callable[[RunState], str | None]


def run(
    kernel_body: tuple[Stmt, ...],
    scalars: Mapping[str, int | float],
    arrays: Mapping[str, Memory],
    arrays_info: Mapping[str, Array],
    functions: Mapping[str, PureFunction],
    step_limit: int = DEFAULT_STEP_LIMIT,
) -> RunOutcome:
    """Runs a kernel's statements on `scalars` and on the memories in `arrays`, which it changes.

    Constant tables and local arrays come from `arrays_info`; every array name without a scalar of
    that name gets one of value 0 (a pointer at its start). Two names may share one `Memory`: that
    is how overlapping arguments are given. A step is one iteration of a loop.
    """
    program = _program(kernel_body, arrays_info, functions)
    events: dict[tuple[str, Span, str], UndefinedEvent] = {}

    def report(kind: str, span: Span, detail: str, array: str) -> None:
        events.setdefault((kind, span, array), UndefinedEvent(kind, span, detail, array))

    values: dict[str, Value] = dict.fromkeys(arrays_info, 0)
    for name, value in scalars.items():
        type = program.types.get(name)
        values[name] = value if type is None else typed(type, value)
    memories = dict(arrays)
    for array in arrays_info.values():
        if array.name not in memories and array.values is not None:
            memories[array.name] = Memory.of(array.type, array.values)
    state = RunState(values, memories, report, program.span, step_limit)
    stopped = None
    with np.errstate(all="ignore"):
        try:
            program.run(state)
        except Stop as reason:
            stopped = str(reason)
    return RunOutcome(
        state.scalars, memories, state.result, list(events.values()), stopped, state.steps
    )


class _Program:
    """The closures of one kernel body."""

    def __init__(
        self,
        body: tuple[Stmt, ...],
        arrays_info: Mapping[str, Array],
        functions: Mapping[str, PureFunction],
    ) -> None:
        # Kept alive: the cache below goes by identity.
        self.key = (body, arrays_info, functions)
        self.span = body[0].span if body else Span("", 0, 0, 0, 0)
        self._arrays = arrays_info
        self._expressions = ExprCompiler(functions)
        self.types = _scalar_types(body, arrays_info)
        self.run = self._block(body)

    def _block(self, stmts: tuple[Stmt, ...]) -> _Runner:
        parts = tuple(self._statement(s) for s in stmts)

        def block(state: RunState) -> str | None:
            for part in parts:
                signal = part(state)
                if signal is not None:
                    return signal
            return None

        return block

    def _statement(self, stmt: Stmt) -> _Runner:
        match stmt:
            case Assign():
                return _assign(stmt.span, stmt.name, self._expressions.compile(stmt.value))
            case Store():
                indices = tuple(self._expressions.compile(i) for i in stmt.indices)
                value = self._expressions.compile(stmt.value)
                return _store(stmt.span, stmt.array, indices, value)
            case If():
                return _if(
                    stmt.span,
                    self._expressions.compile(stmt.condition),
                    self._block(stmt.then),
                    self._block(stmt.otherwise),
                )
            case WhileLoop():
                condition = self._expressions.compile(stmt.condition)
                body, step = self._block(stmt.body), self._block(stmt.step)
                again = self._block(stmt.again)
                return _loop(stmt.span, condition, body, step, again, stmt.test_first)
            case Declare():
                return _declare(stmt.name)
            case Allocate():
                return self._allocate(stmt)
            case Break():
                return lambda state: _BREAK
            case Assume():
                return _assume(stmt.span, self._expressions.compile(stmt.condition), stmt.text)
            case Return():
                result = None if stmt.value is None else self._expressions.compile(stmt.value)
                return _return(stmt.span, result)
        raise TypeError(f"Kernel IR has no {type(stmt).__name__}")

    def _allocate(self, stmt: Allocate) -> _Runner:
        array = self._arrays[stmt.array]
        size = None if array.size is None else self._expressions.compile(array.size)

        def allocate(state: RunState) -> str | None:
            state.span = stmt.span
            count = None if size is None else size(state)
            if count is POISON or (count is not None and count < 0):
                state.undefined("allocation-size", f"{array.name} has size {count}")
                raise Stop("allocation size")
            state.memories[array.name] = Memory(array.type, size=count)
            return None

        return allocate


def _assign(span: Span, name: str, value: Evaluator) -> _Runner:
    def assign(state: RunState) -> str | None:
        state.span = span
        state.scalars[name] = value(state)
        return None

    return assign


def _store(span: Span, array: str, indices: tuple[Evaluator, ...], value: Evaluator) -> _Runner:
    def store(state: RunState) -> str | None:
        state.span = span
        index = state.index(array, indices)
        stored = value(state)
        memory = state.memories.get(array)
        if memory is None:
            state.undefined("out-of-bounds-write", f"{array} is not alive")
        elif memory.has(index):
            memory.write(index, stored)
        else:
            where = f"{array}{list(index)}, which has {memory.size} elements"
            state.undefined("out-of-bounds-write", where, array)
        return None

    return store


def _holds(state: RunState, span: Span, condition: Evaluator) -> bool:
    state.span = span
    holds: Value = condition(state)
    if holds is POISON:
        state.undefined("poisoned-branch", "the condition has no defined value")
        raise Stop("poisoned branch")
    return bool(holds)


def _if(span: Span, condition: Evaluator, then: _Runner, otherwise: _Runner) -> _Runner:
    def branch(state: RunState) -> str | None:
        return then(state) if _holds(state, span, condition) else otherwise(state)

    return branch


def _loop(
    span: Span,
    condition: Evaluator,
    body: _Runner,
    step: _Runner,
    again: _Runner,
    test_first: bool,
) -> _Runner:
    def loop(state: RunState) -> str | None:
        if test_first and not _holds(state, span, condition):
            return None
        while True:
            state.steps += 1
            if state.steps > state.limit:
                raise Stop("step limit")
            signal = body(state)
            if signal is not None:
                return None if signal == _BREAK else signal
            step(state)
            if not _holds(state, span, condition):
                return None
            again(state)

    return loop


def _declare(name: str) -> _Runner:
    def declare(state: RunState) -> str | None:
        state.scalars.pop(name, None)
        return None

    return declare


def _assume(span: Span, condition: Evaluator, text: str) -> _Runner:
    def assume(state: RunState) -> str | None:
        if not _holds(state, span, condition):
            state.undefined("assumption", f"{text} does not hold")
            raise Stop("assumption")
        return None

    return assume


def _return(span: Span, value: Evaluator | None) -> _Runner:
    def leave(state: RunState) -> str | None:
        state.span = span
        state.result = None if value is None else value(state)
        return _RETURN

    return leave


def _scalar_types(body: tuple[Stmt, ...], arrays: Mapping[str, Array]) -> dict[str, Type]:
    """The type of every scalar that the statements and the sizes of local arrays read."""
    roots: list[Expr] = [a.size for a in arrays.values() if a.size is not None]
    for stmt in statements(body):
        match stmt:
            case Assign():
                roots.append(stmt.value)
            case Store():
                roots.extend((*stmt.indices, stmt.value))
            case If() | WhileLoop() | Assume():
                roots.append(stmt.condition)
            case Return(value=Expr() as value):
                roots.append(value)
    return {v.name: v.type for v in postorder(*roots) if isinstance(v, Variable)}


_CACHE_SIZE = 64
_cache: OrderedDict[tuple[int, int, int], _Program] = OrderedDict()


def _program(
    body: tuple[Stmt, ...],
    arrays_info: Mapping[str, Array],
    functions: Mapping[str, PureFunction],
) -> _Program:
    key = (id(body), id(arrays_info), id(functions))
    found = _cache.get(key)
    if found is None:
        found = _cache[key] = _Program(body, arrays_info, functions)
        if len(_cache) > _CACHE_SIZE:
            _cache.popitem(last=False)
    else:
        _cache.move_to_end(key)
    return found
