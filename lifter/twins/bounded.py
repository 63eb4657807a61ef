"""What a kernel leaves behind at given sizes, as expressions over its inputs.

Loops run as often as the sizes say; what is read and what other parameters hold stays open. So two
kernels of any shape can be compared for all contents of a small image, and a solver finds the one
input of 2^64 on which they part. Signed overflow wraps here and division by zero gives anything:
who finds a difference has to run it.

    for (i = 0; i < n; i++)                 n = 2:    dst[0] = u8(src[0] + bias)
        dst[i] = u8(src[i] + bias)                    dst[1] = u8(src[1] + bias)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from compiler.ir import (
    EQ,
    FALSE,
    I64,
    TRUE,
    And,
    Call,
    Const,
    Expr,
    Load,
    Not,
    Or,
    Select,
    Variable,
    const,
    postorder,
)
from compiler.ir.fold import fold

from ..model.kernel import (
    Allocate,
    Assign,
    Assume,
    Break,
    Declare,
    If,
    Kernel,
    Return,
    Stmt,
    Store,
    WhileLoop,
)

MOST_STEPS = 4_000
"""Iterations of a kernel's loops, all together."""
MOST_NODES = 60_000
"""Nodes of expressions that are made."""
LARGEST_TABLE = 256
"""The elements of a constant table that may be looked up by an open number."""

Place = tuple[int, ...]


class NotBounded(ValueError):
    """A kernel that can't be followed in this way, with the reason."""


class Needed(NotBounded):
    """Parameters that have to be numbers: for how often a loop runs, or (`is_place`) where in
    memory something is."""

    def __init__(self, names: Collection[str], is_place: bool) -> None:
        super().__init__(f"{', '.join(sorted(names))} must be numbers")
        self.names = frozenset(names)
        self.is_place = is_place


@dataclass
class Left:
    """What a run has left: written elements, the result, and what has to hold for it to be so."""

    arrays: dict[str, dict[Place, Expr]]
    result: Expr | None
    assumed: tuple[Expr, ...]


@dataclass
class _State:
    scalars: dict[str, Expr]
    arrays: dict[str, dict[Place, Expr]]
    left_loop: Expr = FALSE
    """Whether a `break` has left the innermost loop."""
    result: Expr | None = None

    def copy(self) -> _State:
        arrays = {name: dict(cells) for name, cells in self.arrays.items()}
        return _State(dict(self.scalars), arrays, self.left_loop, self.result)


def run_bounded(
    kernel: Kernel, numbers: Mapping[str, int], inlined: Callable[[Expr], Expr]
) -> Left:
    """Follows a kernel with these numbers for some of its scalars. Raises `NotBounded`; `Needed`
    where others have to be numbers, too."""
    return _Run(kernel, numbers, inlined).left()


@dataclass
class _Run:
    kernel: Kernel
    numbers: Mapping[str, int]
    inlined: Callable[[Expr], Expr]
    steps: int = 0
    nodes: int = 0
    assumed: list[Expr] = field(default_factory=list)
    locals: set[str] = field(default_factory=set)

    def left(self) -> Left:
        scalars: dict[str, Expr] = {
            name: const(0, I64) for name, a in self.kernel.arrays.items() if a.rank == 1
        }
        state = _State(scalars, {})
        self._block(self.kernel.body, state, TRUE)
        return Left(state.arrays, state.result, tuple(self.assumed))

    # Statements.

    def _block(self, body: Sequence[Stmt], state: _State, when: Expr) -> None:
        for stmt in body:
            self._statement(stmt, state, when)

    def _statement(self, stmt: Stmt, state: _State, when: Expr) -> None:
        # What follows a `break` under a condition is run where that didn't hold.
        if state.left_loop is TRUE:
            return
        if state.left_loop is not FALSE:
            inner = state.copy()
            inner.left_loop = FALSE
            self._one(stmt, inner, _and(when, _not(state.left_loop)))
            self._merge(state.left_loop, state, inner, into=state)
            return
        self._one(stmt, state, when)

    def _one(self, stmt: Stmt, state: _State, when: Expr) -> None:
        match stmt:
            case Assign():
                state.scalars[stmt.name] = self._value(stmt.value, state)
            case Declare():
                state.scalars.pop(stmt.name, None)
            case Allocate():
                self.locals.add(stmt.array)
                state.arrays[stmt.array] = {}
            case Store():
                place = self._place(stmt.indices, state)
                cells = state.arrays.setdefault(stmt.array, {})
                cells[place] = self._value(stmt.value, state)
            case If():
                self._if(stmt, state, when)
            case WhileLoop():
                self._loop(stmt, state, when)
            case Break():
                state.left_loop = TRUE
            case Assume():
                self.assumed.append(_or(_not(when), self._value(stmt.condition, state)))
            case Return():
                if stmt.value is not None:
                    state.result = self._value(stmt.value, state)
            case _:
                raise NotBounded(f"Kernel IR has no {type(stmt).__name__}")

    def _if(self, stmt: If, state: _State, when: Expr) -> None:
        condition = self._value(stmt.condition, state)
        if isinstance(condition, Const):
            self._block(stmt.then if condition.value else stmt.otherwise, state, when)
            return
        other = state.copy()
        self._block(stmt.then, state, _and(when, condition))
        self._block(stmt.otherwise, other, _and(when, _not(condition)))
        self._merge(condition, state, other, into=state)

    def _loop(self, stmt: WhileLoop, state: _State, when: Expr) -> None:
        outer = state.left_loop
        state.left_loop = FALSE
        if not stmt.test_first or self._goes_on(stmt, state):
            while True:
                self.steps += 1
                if self.steps > MOST_STEPS:
                    raise NotBounded("its loops run too often")
                self._block(stmt.body, state, when)
                if state.left_loop is TRUE:
                    break
                self._block(stmt.step, state, when)
                if not self._goes_on(stmt, state):
                    break
                self._block(stmt.again, state, when)
        state.left_loop = outer

    def _goes_on(self, stmt: WhileLoop, state: _State) -> bool:
        condition = self._value(stmt.condition, state)
        if not isinstance(condition, Const):
            raise self._needed((condition,), False)
        return bool(condition.value)

    def _merge(self, condition: Expr, one: _State, other: _State, into: _State) -> None:
        """What holds after either of two ways: `one` where the condition holds."""
        scalars: dict[str, Expr] = {}
        for name in one.scalars.keys() | other.scalars.keys():
            a, b = (self._scalar(name, *pair) for pair in ((one, other), (other, one)))
            scalars[name] = self._choice(condition, a, b)
        arrays: dict[str, dict[Place, Expr]] = {}
        for array in one.arrays.keys() | other.arrays.keys():
            cells, others = one.arrays.get(array, {}), other.arrays.get(array, {})
            arrays[array] = {
                place: self._choice(
                    condition, self._cell(array, place, cells), self._cell(array, place, others)
                )
                for place in cells.keys() | others.keys()
            }
        result = one.result
        if one.result is not None and other.result is not None:
            result = self._choice(condition, one.result, other.result)
        left = _or(_and(condition, one.left_loop), _and(_not(condition), other.left_loop))
        into.scalars, into.arrays, into.result, into.left_loop = scalars, arrays, result, left

    def _scalar(self, name: str, state: _State, other: _State) -> Expr:
        """What a scalar holds that one of two ways has set: what the caller gave, or what nobody
        reads where the other way was gone."""
        if name in state.scalars:
            return state.scalars[name]
        set_there = other.scalars[name]
        if any(p.name == name and p.kind == "scalar" for p in self.kernel.params):
            return self._variable(Variable(name, set_there.type), state)
        return set_there

    # Expressions.

    def _place(self, indices: Iterable[Expr], state: _State) -> Place:
        made = [self._value(i, state) for i in indices]
        if not all(isinstance(i, Const) for i in made):
            raise self._needed(made, True)
        return tuple(int(i.value) for i in made if isinstance(i, Const))

    def _needed(self, exprs: Sequence[Expr], is_place: bool) -> NotBounded:
        nodes = list(postorder(*exprs))
        names = {n.name for n in nodes if isinstance(n, Variable)} - self.numbers.keys()
        if any(isinstance(n, Load) for n in nodes) or not names:
            what = "where it writes" if is_place else "how often a loop runs"
            return NotBounded(f"what is in memory decides {what}")
        return Needed(names, is_place)

    def _value(self, expr: Expr, state: _State) -> Expr:
        done: dict[Expr, Expr] = {}
        for node in postorder(self.inlined(expr)):
            done[node] = self._node(node, state, done)
        return done[self.inlined(expr)]

    def _node(self, node: Expr, state: _State, done: Mapping[Expr, Expr]) -> Expr:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise NotBounded("what it computes gets too long")
        match node:
            case Const():
                return node
            case Variable():
                return self._variable(node, state)
            case Load():
                return self._load(node, [done[i] for i in node.indices], state)
            case Select():
                return self._choice(*(done[c] for c in node.children))
            case And():
                return _and(done[node.a], done[node.b])
            case Or():
                return _or(done[node.a], done[node.b])
        children = tuple(done[c] for c in node.children)
        if isinstance(node, Call) and node.kind != "intrinsic":
            raise NotBounded(f"{node.name} isn't known")
        return fold(node.rebuild(children) if children != node.children else node)

    def _variable(self, node: Variable, state: _State) -> Expr:
        known = state.scalars.get(node.name)
        if known is not None:
            return known
        number = self.numbers.get(node.name)
        return node if number is None else Const(node.type, number)

    def _load(self, node: Load, indices: Sequence[Expr], state: _State) -> Expr:
        array = self.kernel.arrays[node.array]
        if all(isinstance(i, Const) for i in indices):
            place = tuple(int(i.value) for i in indices if isinstance(i, Const))
            return self._cell(node.array, place, state.arrays.get(node.array, {}))
        if array.values is None or len(array.values) > LARGEST_TABLE or len(indices) > 1:
            raise self._needed(indices, True)
        made: Expr = Const(array.type, array.values[-1])
        for number, value in reversed(list(enumerate(array.values[:-1]))):
            here = EQ(indices[0], Const(indices[0].type, number))
            made = self._choice(here, Const(array.type, value), made)
        return made

    def _cell(self, array: str, place: Place, cells: Mapping[Place, Expr]) -> Expr:
        found = cells.get(place)
        if found is not None:
            return found
        info = self.kernel.arrays[array]
        if info.values is not None:
            if len(place) != 1 or not 0 <= place[0] < len(info.values):
                raise NotBounded(f"{array} is read outside of its elements")
            return Const(info.type, info.values[place[0]])
        if info.origin == "local":
            raise NotBounded(f"{array} is read before it is written")
        return Load(array, tuple(const(p, I64) for p in place), info.type)

    def _choice(self, condition: Expr, a: Expr, b: Expr) -> Expr:
        if isinstance(condition, Const):
            return a if condition.value else b
        return a if a is b else Select(condition, a, b)


def _and(a: Expr, b: Expr) -> Expr:
    if FALSE in (a, b):
        return FALSE
    return b if a is TRUE else a if b is TRUE or a is b else And(a, b)


def _or(a: Expr, b: Expr) -> Expr:
    if TRUE in (a, b):
        return TRUE
    return b if a is FALSE else a if b is FALSE or a is b else Or(a, b)


def _not(a: Expr) -> Expr:
    if isinstance(a, Const):
        return FALSE if a.value else TRUE
    return Not(a)
