"""Bottom-up enumeration of integer expressions in the order of their cost (dexter-2019 appendix A).

Expressions are built from cheaper ones, which are kept: the list of what was generated is the
memo. Two expressions with equal values on all samples are one (observational equivalence), so only
the first and cheapest is kept. Commutative operators take their operands in the list's order, and
so no pair is tried twice.

Values are computed for whole blocks of pairs at once: row i of a block's matrix has the values of
its i-th expression on the samples, and a random linear form of the row stands for it in the set of
what was seen. A clash there loses a candidate, it never makes a wrong one: who asks, proves.

What a search may cost is counted in expressions, not in seconds: the same search ends at the same
place on a busy machine.
"""

from __future__ import annotations

import math
import time
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from compiler.ir import (
    BOOL,
    COMMUTATIVE,
    Const,
    Expr,
    Int,
    Type,
    UInt,
    Variable,
    dtype_of,
    evaluate,
    intrinsic,
)
from compiler.ir import nodes as n

from .cost import weight
from .grammar import Vocabulary
from .samples import SEED, Samples, wraps

_CHUNK = 4096
"""Rows that are computed at once, at least where there are as many: bounds memory."""
_FULL = 60_000
"""Rows of one type and cost that are kept; beyond, only the goal is looked for."""
_PRICE = 200
"""Rows whose work is as much as that of one more computation, whatever its size."""


@dataclass
class _Block:
    """Rows made by one operator from rows of pools, or leaves."""

    make: Expr | None
    """The operator over `Variable("a")`, `Variable("b")`, ...; None for leaves."""
    sources: tuple[_Pool, ...]
    rows: tuple[Any, ...]
    leaves: tuple[Expr, ...] = ()


class _Pool:
    """All kept expressions of one type, the cheapest first."""

    def __init__(self, type: Type, size: int) -> None:
        """`size` is the number of samples."""
        self.size = size
        self.values = np.empty((256, size), dtype_of(type))
        self.fixed = np.empty(256, bool)
        """Which rows are constants: operators of constants alone make nothing new."""
        self.count = 0
        self.begins = [0]
        """By cost, where its rows begin."""
        self.seen: set[int] = set()
        self._blocks: list[_Block] = []
        self._starts: list[int] = []

    def of_cost(self, cost: int) -> range:
        """The rows of expressions that cost as much; all of them are there."""
        return range(self.begins[cost], self.begins[cost + 1])

    def add(self, block: _Block, values: Any, fixed: Any) -> None:
        end = self.count + len(values)
        if end > len(self.values):
            more = max(end, 2 * len(self.values)) - self.count
            self.values = np.concatenate(
                [
                    self.values[: self.count],
                    np.empty((more, self.values.shape[1]), self.values.dtype),
                ]
            )
            self.fixed = np.concatenate([self.fixed[: self.count], np.empty(more, bool)])
        self.values[self.count : end] = values
        self.fixed[self.count : end] = fixed
        self._starts.append(self.count)
        self._blocks.append(block)
        self.count = end

    def expression(self, row: int) -> Expr:
        place = bisect_right(self._starts, row) - 1
        return _build(self._blocks[place], row - self._starts[place])


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
                    node, (width, width), weight(node), kind in COMMUTATIVE, None, constant_right
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
        types = {leaf.type for leaf, _ in leaves}
        types.update(t for o in searching for t in (o.node.type, *o.operands))
        self.pools = {t: _Pool(t, self.size) for t in types}
        self.tried = 0
        """Expressions whose values were computed."""
        self.spent = 0
        """The work so far, in the work for one expression."""
        self._leaves = leaves
        self._inputs = inputs
        # Wrapping is for the goal alone to introduce: `a + b < a` as a test of overflow is no gain
        # for a reader, and the DSL leaves overflow of 32-bit signed integers open.
        self._calm = ~np.broadcast_to(overflow, (self.size,))

    def _marks(self, rows: Any) -> Any:
        # Signed values are extended, so that equal numbers of one type have equal marks.
        return rows.astype(np.int64).view(np.uint64) @ self.form

    def candidates(self, limit: int, budget: int, deadline: float) -> Iterator[Expr]:
        """Expressions that equal the goal on all samples, cheapest first, up to cost `limit`.

        Ends when the space is exhausted or `budget` is spent, at the latest at `deadline` (of
        `time.process_time`).
        """
        for cost in range(1, limit + 1):
            for pool in self.pools.values():
                pool.begins.append(pool.count)
            yield from self._leaves_of(cost)
            for operator in self.operators:
                for chosen in self._chunks(operator, cost - operator.weight):
                    if self.spent >= budget or time.process_time() > deadline:
                        return
                    rows, values = self._combine(operator, chosen)
                    if len(values):
                        make = _Block(operator.node, self._pools_of(operator), rows)
                        yield from self._keep(make, values, False, operator.final)

    def _leaves_of(self, cost: int) -> Iterator[Expr]:
        by_type: dict[Type, list[Expr]] = {}
        for leaf, price in self._leaves:
            if price == cost:
                by_type.setdefault(leaf.type, []).append(leaf)
        for _type, found in by_type.items():
            rows = [np.broadcast_to(evaluate(x, self._inputs), (self.size,)) for x in found]
            fixed = np.array([isinstance(x, Const) for x in found])
            block = _Block(None, (), (np.arange(len(found)),), tuple(found))
            yield from self._keep(block, np.stack(rows), fixed)

    def _pools_of(self, operator: _Operator) -> tuple[_Pool, ...]:
        return tuple(self.pools[t] for t in operator.operands)

    def _chunks(self, operator: _Operator, cost: int) -> Iterator[tuple[Any, ...]]:
        """All combinations of operands that cost as much together, some thousands at once: the
        operands' rows."""
        waiting: list[tuple[Any, ...]] = []
        count = 0
        for ranges in self._operand_ranges(operator, cost):
            sizes = [len(r) for r in ranges]
            total = math.prod(sizes)
            for start in range(0, total, _CHUNK):
                flat = np.arange(start, min(start + _CHUNK, total))
                places = np.unravel_index(flat, sizes)
                waiting.append(tuple(r.start + p for r, p in zip(ranges, places, strict=True)))
                count += len(flat)
                if count >= _CHUNK:
                    yield tuple(map(np.concatenate, zip(*waiting, strict=True)))
                    waiting, count = [], 0
        if waiting:
            yield tuple(map(np.concatenate, zip(*waiting, strict=True)))

    def _operand_ranges(self, operator: _Operator, cost: int) -> Iterator[tuple[range, ...]]:
        """The rows of each operand, for each way to share `cost` among them, in a fixed order."""

        def walk(pools: tuple[_Pool, ...], left: int) -> Iterator[tuple[range, ...]]:
            if len(pools) == 1:
                if left >= 1 and (last := pools[0].of_cost(left)):
                    yield (last,)
                return
            for c in range(1, left - len(pools) + 2):
                if first := pools[0].of_cost(c):
                    for rest in walk(pools[1:], left - c):
                        yield (first, *rest)

        for ranges in walk(self._pools_of(operator), cost):
            if not operator.commutative or ranges[0].start <= ranges[1].start:
                yield ranges

    def _combine(self, operator: _Operator, rows: tuple[Any, ...]) -> tuple[tuple[Any, ...], Any]:
        """(rows of each operand, values) of the combinations among `rows` that are worth a try."""
        pools = self._pools_of(operator)
        keep = np.zeros(len(rows[0]), bool)
        for pool, row in zip(pools, rows, strict=True):
            keep |= ~pool.fixed[row]
        if operator.commutative:
            keep &= rows[0] <= rows[1]
        if operator.constant_right:
            keep &= pools[1].fixed[rows[1]]
        if len(pools) == 3:
            keep &= rows[1] != rows[2]
        rows = tuple(row[keep] for row in rows)
        self.spent += len(rows[0]) + _PRICE
        operands = {
            name: pool.values[row] for name, pool, row in zip("abc", pools, rows, strict=False)
        }
        if isinstance(operator.node, (n.Shl, n.Shr)):
            amount = operands["b"].astype(np.int64)
            bits = operator.node.type.bits
            good = ((amount >= 0) & (amount < bits)).all(axis=1)
            rows = tuple(row[good] for row in rows)
            operands = {name: value[good] for name, value in operands.items()}
        values = evaluate(operator.meaning or operator.node, operands)
        wrapped = wraps(operator.node, tuple(operands.values()), values)
        if wrapped.ndim:
            good = ~(wrapped & self._calm if operator.node.type.bits == 32 else wrapped)
            kept = good.all(axis=1)
            rows, values = tuple(row[kept] for row in rows), values[kept]
        return rows, values

    def _keep(self, block: _Block, values: Any, fixed: Any, final: bool = False) -> Iterator[Expr]:
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
        pool = self.pools[type]
        _, first = np.unique(marks, return_index=True)
        listed = marks.tolist()
        new = [row for row in np.sort(first).tolist() if listed[row] not in pool.seen]
        new = new[: max(_FULL - (pool.count - pool.begins[-1]), 0)]
        if not new:
            return
        pool.seen.update(listed[row] for row in new)
        kept = _Block(
            block.make,
            block.sources,
            tuple(row[new] for row in block.rows),
            tuple(block.leaves[row] for row in new) if block.leaves else (),
        )
        pool.add(kept, values[new], fixed if fixed is False else fixed[new])
