"""Bottom-up enumeration of integer expressions in the order of their cost (dexter-2019 appendix A).

Expressions are built from cheaper ones, which are kept: the list of what was generated is the
memo. Two expressions with equal values on all samples are one (observational equivalence), so only
the first and cheapest is kept. Commutative operators take their operands in the list's order, and
so no pair is tried twice.

Values are computed for whole blocks of pairs at once: row i of a block's matrix has the values of
its i-th expression on the samples, and a random linear form of the row stands for it in the set of
what was seen. A clash there loses a candidate, it never makes a wrong one: who asks, proves.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from compiler.ir import BOOL, Const, Expr, Int, Type, UInt, Variable, evaluate, intrinsic
from compiler.ir import nodes as n

from .cost import weight
from .grammar import Vocabulary
from .samples import SEED, Samples, wraps

_CHUNK = 8192
"""Rows that are computed at once: bounds memory and the time between looks at the clock."""
_FULL = 60_000
"""Rows of one type and cost that are kept; beyond, only the goal is looked for."""


@dataclass
class _Block:
    """Rows made by one operator from rows of other blocks, or leaves."""

    make: Expr | None
    """The operator over `Variable("a")`, `Variable("b")`, ...; None for leaves."""
    sources: tuple[_Level, ...]
    rows: tuple[Any, ...]
    leaves: tuple[Expr, ...] = ()


@dataclass
class _Level:
    """All kept expressions of one type and cost."""

    values: Any
    blocks: list[_Block] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    fixed: Any = None
    """Which rows are constants: operators of constants alone make nothing new."""

    def expression(self, row: int) -> Expr:
        place = bisect_right(self.starts, row) - 1
        block, inside = self.blocks[place], row - self.starts[place]
        return _build(block, inside)


def _build(block: _Block, row: int) -> Expr:
    if block.make is None:
        return block.leaves[row]
    parts = [s.expression(int(r[row])) for s, r in zip(block.sources, block.rows, strict=True)]
    if isinstance(block.make, n.Cast):
        made: Expr = n.Cast(block.make.type, parts[0])
        return made
    return block.make.rebuild(tuple(parts))


@dataclass(frozen=True)
class _Operator:
    """One typed operator: a node over placeholders, and an expression that computes it fast."""

    node: Expr
    operands: tuple[Type, ...]
    weight: int
    commutative: bool = False
    meaning: Expr | None = None
    constant_right: bool = False
    final: bool = False
    """Only as the last step: `a < saturating_sub(128, b)` reads worse than `a + b < 128`."""


def _placeholders(*types: Type) -> tuple[Expr, ...]:
    return tuple(Variable(name, type) for name, type in zip("abc", types, strict=False))


_COMMUTATIVE = (n.Add, n.Mul, n.Min, n.Max, n.BitAnd, n.BitOr, n.BitXor, n.EQ, n.NE, n.And, n.Or)
_BITWISE = (n.BitAnd, n.BitOr, n.BitXor, n.Shl, n.Shr, n.BitNot)
_DIVIDING = (n.Div, n.Mod, n.TruncDiv, n.TruncMod)
_ALWAYS = (n.Add, n.Sub, n.Min, n.Max, n.LT, n.LE, n.EQ)


def operators(
    words: Vocabulary, types: Sequence[Type], present: set[type[Expr]]
) -> list[_Operator]:
    """The operators to search with: those of the grammar at `types`, of the families `present`.

    Bitwise operators are tried for expressions that have some, divisions likewise; a product for
    those that multiply, shift or divide.
    """
    bitwise = any(k in present for k in _BITWISE)
    dividing = any(k in present for k in (*_DIVIDING, n.Shr))
    scaling = dividing or n.Mul in present or n.Shl in present
    kinds: list[type[Expr]] = [*_ALWAYS]
    kinds += [n.Mul] if scaling else []
    kinds += [n.Div, n.Mod] if dividing else []
    kinds += [n.BitAnd, n.BitOr, n.BitXor, n.Shl, n.Shr] if bitwise else []
    free = any(k in present for k in (n.Div, n.Mod, n.TruncDiv, n.TruncMod))
    found: list[_Operator] = []
    for width in types:
        for kind in [n.And, n.Or] if width.is_bool else kinds:
            node = kind(*_placeholders(width, width))
            constant_right = kind in (n.Shl, n.Shr) or (kind in (n.Div, n.Mod) and not free)
            found.append(
                _Operator(
                    node, (width, width), weight(node), kind in _COMMUTATIVE, None, constant_right
                )
            )
        unary: list[type[Expr]] = [n.Not] if width.is_bool else [n.Neg] if width.is_int else []
        unary += [n.BitNot] if bitwise and not width.is_bool else []
        for one in unary:
            made = one(*_placeholders(width))
            found.append(_Operator(made, (width,), weight(made)))
        found += _functions(width, types)
        for target in types:
            if target is not width and not target.is_bool:
                cast: Expr = n.Cast(target, *_placeholders(width))
                found.append(_Operator(cast, (width,), weight(cast)))
        if not width.is_bool:
            choice: Expr = n.Select(*_placeholders(BOOL, width, width))
            found.append(_Operator(choice, (BOOL, width, width), weight(choice)))
    return [o for o in found if words.admits(o.node)]


def _functions(type: Type, types: Sequence[Type]) -> list[_Operator]:
    if type.is_bool:
        return []
    found: list[_Operator] = []
    pair = _placeholders(type, type)
    if type.is_uint or UInt(type.bits) in types:
        distance = intrinsic("absd", *pair)
        found.append(_Operator(distance, (type, type), weight(distance), True, final=True))
    if type.is_int and UInt(type.bits) in types:
        size = intrinsic("abs", pair[0])
        found.append(_Operator(size, (type,), weight(size)))
    if type.bits <= 16:
        wide = Int(32)
        for name, kind in (("saturating_add", n.Add), ("saturating_sub", n.Sub)):
            node = intrinsic(name, *pair)
            exact = kind(*(n.Cast(wide, p) for p in pair))
            low, high = Const(wide, type.min), Const(wide, type.max)
            meaning: Expr = n.Cast(type, n.Max(n.Min(exact, high), low))
            found.append(
                _Operator(node, (type, type), weight(node), kind is n.Add, meaning, final=True)
            )
    return found


class Enumeration:
    """One search: expressions over `leaves` whose values on the samples are the goal's.

    `leaves` pairs each expression with its cost; `inputs` has the samples of the variables in them;
    `overflow` says on which of them the goal itself wraps at 32 bits.
    """

    def __init__(
        self,
        leaves: Sequence[tuple[Expr, int]],
        goal: Expr,
        goal_values: Any,
        inputs: Samples,
        searching: Sequence[_Operator],
        overflow: Any,
    ) -> None:
        self.goal_type = goal.type
        self.goal_values = goal_values
        self.operators = searching
        self.size = len(goal_values)
        self.form = np.random.default_rng(SEED).integers(1, 1 << 63, self.size, dtype=np.uint64) | 1
        self.goal_mark = int(self._marks(goal_values[None, :])[0])
        self.levels: dict[tuple[Type, int], _Level] = {}
        self.seen: dict[Type, set[int]] = {}
        self.tried = 0
        self._leaves = leaves
        self._inputs = inputs
        # Wrapping is for the goal alone to introduce: `a + b < a` as a test of overflow is no gain
        # for a reader, and the DSL leaves overflow of 32-bit signed integers open.
        self._calm = ~np.broadcast_to(overflow, (self.size,))

    def _marks(self, rows: Any) -> Any:
        # Signed values are extended, so that equal numbers of one type have equal marks.
        return rows.astype(np.int64).view(np.uint64) @ self.form

    def candidates(self, limit: int, deadline: float) -> Iterator[Expr]:
        """Expressions that equal the goal on all samples, cheapest first, up to cost `limit`.

        Ends when the space is exhausted or at `deadline` (of `time.perf_counter`).
        """
        for cost in range(1, limit + 1):
            yield from self._leaves_of(cost)
            for operator in self.operators:
                for levels in self._operand_levels(operator, cost - operator.weight):
                    for rows, values, fixed in self._combine(operator, levels):
                        if time.perf_counter() > deadline:
                            return
                        make = _Block(operator.node, levels, rows)
                        yield from self._keep(make, values, fixed, cost, operator.final)

    def _leaves_of(self, cost: int) -> Iterator[Expr]:
        by_type: dict[Type, list[Expr]] = {}
        for leaf, price in self._leaves:
            if price == cost:
                by_type.setdefault(leaf.type, []).append(leaf)
        for _type, found in by_type.items():
            rows = [np.broadcast_to(evaluate(x, self._inputs), (self.size,)) for x in found]
            fixed = np.array([isinstance(x, Const) for x in found])
            block = _Block(None, (), (np.arange(len(found)),), tuple(found))
            yield from self._keep(block, np.stack(rows), fixed, cost)

    def _operand_levels(self, operator: _Operator, cost: int) -> Iterator[tuple[_Level, ...]]:
        """The levels whose costs add up to `cost`, one for each operand, in a fixed order."""

        def walk(types: tuple[Type, ...], left: int) -> Iterator[tuple[tuple[int, _Level], ...]]:
            costs = [left] if len(types) == 1 else range(1, left - len(types) + 2)
            for c in costs:
                level = self.levels.get((types[0], c))
                if level is None or c < 1:
                    continue
                if len(types) == 1:
                    yield ((c, level),)
                else:
                    for rest in walk(types[1:], left - c):
                        yield ((c, level), *rest)

        for combination in walk(operator.operands, cost):
            if operator.commutative and combination[0][0] > combination[1][0]:
                continue
            yield tuple(level for _, level in combination)

    def _combine(
        self, operator: _Operator, levels: tuple[_Level, ...]
    ) -> Iterator[tuple[tuple[Any, ...], Any, Any]]:
        """(rows of each operand, values, which are constant) for chunks of all combinations."""
        sizes = [len(level.values) for level in levels]
        total = int(np.prod(sizes))
        meaning = operator.meaning or operator.node
        for start in range(0, total, _CHUNK):
            flat = np.arange(start, min(start + _CHUNK, total))
            rows = tuple(np.unravel_index(flat, sizes))
            fixed = np.ones(len(flat), bool)
            for level, row in zip(levels, rows, strict=True):
                fixed &= level.fixed[row]
            keep = ~fixed
            if operator.commutative and levels[0] is levels[1]:
                keep &= rows[0] <= rows[1]
            if operator.constant_right:
                keep &= levels[1].fixed[rows[1]]
            if len(levels) == 3 and levels[1] is levels[2]:
                keep &= rows[1] != rows[2]
            if not keep.any():
                continue
            rows = tuple(row[keep] for row in rows)
            operands = {
                name: level.values[row]
                for name, level, row in zip("abc", levels, rows, strict=False)
            }
            if isinstance(operator.node, (n.Shl, n.Shr)):
                amount = operands["b"].astype(np.int64)
                bits = operator.node.type.bits
                good = ((amount >= 0) & (amount < bits)).all(axis=1)
                rows = tuple(row[good] for row in rows)
                operands = {name: value[good] for name, value in operands.items()}
            values = evaluate(meaning, operands)
            wrapped = wraps(operator.node, tuple(operands.values()), values)
            if wrapped.ndim:
                good = ~(wrapped & self._calm if operator.node.type.bits == 32 else wrapped)
                kept = good.all(axis=1)
                rows, values = tuple(row[kept] for row in rows), values[kept]
            yield rows, values, np.zeros(len(rows[0]), bool)

    def _keep(
        self, block: _Block, values: Any, fixed: Any, cost: int, final: bool = False
    ) -> Iterator[Expr]:
        """Adds the rows that are new; yields those that reach the goal, new or not."""
        self.tried += len(values)
        marks = self._marks(values)
        type = block.make.type if block.make is not None else block.leaves[0].type
        if type is self.goal_type:
            for row in np.nonzero(marks == self.goal_mark)[0].tolist():
                if np.array_equal(values[row], self.goal_values):
                    yield _build(block, row)
        if final:
            return
        seen = self.seen.setdefault(type, set())
        _, first = np.unique(marks, return_index=True)
        listed = marks.tolist()
        new = [row for row in np.sort(first).tolist() if listed[row] not in seen]
        level = self.levels.get((type, cost))
        room = _FULL - (0 if level is None else len(level.values))
        new = new[: max(room, 0)]
        if not new:
            return
        seen.update(listed[row] for row in new)
        kept = _Block(
            block.make,
            block.sources,
            tuple(row[new] for row in block.rows),
            tuple(block.leaves[row] for row in new) if block.leaves else (),
        )
        if level is None:
            level = self.levels[(type, cost)] = _Level(values[:0], fixed=fixed[:0])
        level.starts.append(len(level.values))
        level.blocks.append(kept)
        level.values = np.concatenate([level.values, values[new]])
        level.fixed = np.concatenate([level.fixed, fixed[new]])
