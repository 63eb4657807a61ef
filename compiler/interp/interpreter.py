"""Runs the definitions of a pipeline on numpy, as they are written, without any schedule.

A pure definition is evaluated over the box around the coordinates that are asked for, once; where
that reads outside of an image, or the box is huge, at exactly those coordinates. One with updates
is a table: each update runs over its domain in order, first coordinate innermost, and all points at
once along coordinates where none reads what another writes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..ir import Call, Expr, Variable, evaluate, lane_dtype, postorder, substitute
from ..ir.message_text import pieces_of
from ..lang import (
    Buffer,
    Definition,
    Function,
    HalideError,
    InputImageParam,
    Parameter,
    StageHandle,
    is_undef,
)
from ..lang.names import PARAMETER_MARK
from .table import SLACK, Array, Box, Effort, Table, box_of, count, covers, points_of, union


class OutOfBounds(HalideError):
    """Pixels are read where their image has none."""


def interpret(
    func: StageHandle | Function,
    region: Sequence[tuple[int, int]],
    start: Sequence[Array] | None = None,
    effort: Effort | None = None,
) -> list[Array]:
    """The values of `func` over `region`, a (min, extent) for each dimension: one array a value.

    Axis i of an array is dimension i. Images and parameters have the values they are set to.
    `start` is what the output holds before (for `undef`); zeros when None. Raises `OutOfBounds`
    for a read outside of an image, `HalideError` for a parameter without a value and a broken
    `require`, and `TooMuch` where it would take more than `effort`.
    """
    function = func.function if isinstance(func, StageHandle) else func
    axes = [np.arange(low, low + extent) for low, extent in region]
    points = tuple(np.meshgrid(*axes, indexing="ij")) if axes else ()
    run = _Run(function, start, [low for low, _ in region], effort or Effort())
    shape = tuple(extent for _, extent in region)
    return [
        np.broadcast_to(run.value(function, i, points), shape).astype(lane_dtype(t))
        for i, t in enumerate(function.types)
    ]


LARGEST_BOX = 1 << 22
"""Points of a pure stage that are evaluated at once; in a larger box only those that are read."""


class _Run:
    def __init__(
        self,
        output: Function,
        start: Sequence[Array] | None,
        low: Sequence[int],
        effort: Effort,
    ) -> None:
        self.output, self.start, self.low, self.effort = output, start, low, effort
        self.tables: dict[Function, tuple[Any, dict[tuple[int, ...], list[Any]]]] = {}
        self.boxes: dict[tuple[Function, int], tuple[Box, Array]] = {}
        self.wholes: dict[Function, tuple[Box, Table]] = {}
        self.only_points: set[Function] = set()

    def value(self, function: Function, index: int, points: tuple[Array, ...]) -> Any:
        """Value `index` of a stage at the coordinates `points`, arrays of one shape."""
        if any(p.size == 0 for p in points):
            return np.zeros(points[0].shape, lane_dtype(function.types[index]))
        if len(function.definitions) == 1 and not self._keeps(function):
            return self._remembered(function, index, points)
        whole = self._whole(function, points)
        if whole is not None:
            return whole.read(index, points)
        table = self._table(function, points)
        shape = points[0].shape if points else ()
        flat = [p.ravel().tolist() for p in points]
        keys = zip(*flat, strict=True) if flat else [()]
        found = [self._point(function, table, tuple(k))[index] for k in keys]
        return np.array(found, lane_dtype(function.types[index])).reshape(shape)

    def _whole(self, function: Function, points: tuple[Array, ...]) -> Table | None:
        """The stage's values as arrays; None where only single points may be asked for."""
        if self._keeps(function) or function in self.only_points:
            return None
        box = box_of(points)
        known = self.wholes.get(function)
        if known is not None:
            asked, table = known
            if covers(asked, box):
                return table
            box = union(asked, box)

        def before(at: tuple[Array, ...]) -> list[Array]:
            return [
                np.broadcast_to(self._pure(function, i, at), at[0].shape if at else ()).astype(
                    lane_dtype(type)
                )
                for i, type in enumerate(function.types)
            ]

        try:
            table = Table(box, before, self.effort)
            for definition in function.definitions[1:]:
                self._update_whole(function, definition, box, table)
        except HalideError:
            # Something that the program itself never reads lies outside of an image.
            self.only_points.add(function)
            return None
        self.wholes[function] = (box, table)
        return table

    def _remembered(self, function: Function, index: int, points: tuple[Array, ...]) -> Any:
        """A pure stage's value from the box that was evaluated before, or is now."""
        box = box_of(points)
        known = self.boxes.get((function, index))
        if known is None or not covers(known[0], box):
            if known is not None:
                # Grown by more than is asked for, or one point after the other would be costly.
                box = tuple((a - SLACK, b + SLACK) for a, b in union(known[0], box))
            if count(box) > min(LARGEST_BOX, self.effort.points):
                return self._pure(function, index, points)
            try:
                values = self._pure(function, index, points_of(box))
            except HalideError:
                # Of the box, points that nobody asked for lie outside of an image.
                return self._pure(function, index, points)
            shape = tuple(b - a + 1 for a, b in box)
            known = box, np.broadcast_to(values, shape)
            self.boxes[function, index] = known
        position = tuple(p - low for p, (low, _) in zip(points, known[0], strict=True))
        return known[1][position]

    def _keeps(self, function: Function) -> bool:
        return function is self.output and any(
            is_undef(n) for v in function.definitions[0].values for n in postorder(v)
        )

    def _pure(self, function: Function, index: int, points: tuple[Array, ...]) -> Any:
        variables = dict(zip(function.args, points, strict=True))
        definition = function.definitions[0]
        return evaluate(definition.values[index], *self._context(definition, variables, None))

    def _context(
        self,
        definition: Definition,
        variables: Mapping[str, Any],
        own: tuple[Function, Callable[[tuple[Array, ...], int], Any]] | None,
    ) -> tuple[dict[str, Any], Callable[[Expr, tuple[Any, ...]], Any]]:
        """Variables with the parameters' values, and a reader of stages and images."""
        known = dict(variables)
        stages: dict[str, tuple[Function, int]] = {}
        images: dict[str, Buffer] = {}
        for source in definition.sources:
            if isinstance(source, Parameter):
                if source.value is None:
                    raise HalideError(f"Parameter {source.name} has no value.")
                known[source.name + PARAMETER_MARK] = source.value
            elif isinstance(source, Function):
                stages.update(_value_names(source))
            else:
                buffer = source.bound if isinstance(source, InputImageParam) else source
                if isinstance(buffer, Buffer):
                    images[source.name()] = buffer
                    known.update(_fields(source.name(), buffer))
        if own is not None:
            stages.update(_value_names(own[0]))

        def read(node: Expr, args: tuple[Any, ...]) -> Any:
            assert isinstance(node, Call)
            if node.kind == "effect":
                return _effect(node, args)
            points = tuple(np.broadcast_arrays(*args)) if args else ()
            if node.kind == "image":
                return _read_image(images[node.name], points)
            stage, index = stages[node.name]
            if own is not None and stage is own[0]:
                return own[1](points, index)
            return self.value(stage, index, points)

        return known, read

    def _table(
        self, function: Function, points: tuple[Array, ...]
    ) -> dict[tuple[int, ...], list[Any]]:
        box = tuple((int(p.min()), int(p.max())) for p in points)
        known = self.tables.get(function)
        if known is not None:
            old, table = known
            if covers(old, box):
                return table
            box = union(old, box)
        self.effort.hold(box)
        table = {}
        for definition in function.definitions[1:] or function.definitions:
            self._update(function, definition, box, table)
        self.tables[function] = (box, table)
        return table

    def _point(
        self, function: Function, table: dict[tuple[int, ...], list[Any]], at: tuple[int, ...]
    ) -> list[Any]:
        if at not in table:
            if self._keeps(function):
                table[at] = self._before(at)
            else:
                coordinates = tuple(np.asarray(c) for c in at)
                table[at] = [
                    self._pure(function, i, coordinates) for i in range(len(function.types))
                ]
        return table[at]

    def _before(self, at: tuple[int, ...]) -> list[Any]:
        position = tuple(c - low for c, low in zip(at, self.low, strict=True))
        if self.start is None:
            return [0 for _ in self.output.types]
        return [a[position] for a in self.start]

    def _update(
        self,
        function: Function,
        definition: Definition,
        box: tuple[tuple[int, int], ...],
        table: dict[tuple[int, ...], list[Any]],
    ) -> None:
        if all(is_undef(v) for v in definition.values):
            return

        def own_value(points: tuple[Array, ...], index: int) -> Any:
            return self._point(function, table, tuple(int(p) for p in points))[index]

        own = (function, own_value)
        names, ranges = self._domain(function, definition, box)
        for step in itertools.product(*(range(a, b) for a, b in reversed(ranges))):
            self.effort.step()
            variables = dict(zip(names, reversed(step), strict=True))
            context = self._context(definition, variables, own)
            if not all(bool(evaluate(p, *context)) for p in definition.predicates):
                continue
            at = tuple(int(evaluate(a, *context)) for a in definition.args)
            kept = [
                _without_undef(v, i, function, definition) for i, v in enumerate(definition.values)
            ]
            table[at] = [evaluate(v, *context).item() for v in kept]

    def _update_whole(
        self, function: Function, definition: Definition, box: Box, table: Table
    ) -> None:
        """One update on arrays: pure coordinates at once where they don't meet, steps in order."""
        if all(is_undef(v) for v in definition.values):
            return
        names, ranges = self._domain(function, definition, box)
        values = [
            _without_undef(v, i, function, definition) for i, v in enumerate(definition.values)
        ]
        at_once = _independent_coordinates(function, definition)
        spread = [n for n in names if n in at_once]
        steps = [(n, r) for n, r in zip(names, ranges, strict=True) if n not in at_once]
        of = dict(zip(names, ranges, strict=True))
        grid = points_of(tuple((of[n][0], of[n][1] - 1) for n in spread))
        if any(p.size == 0 for p in grid):
            return
        context = self._context(
            definition, {}, (function, lambda points, index: table.read(index, points))
        )
        known, read = context
        known.update(zip(spread, grid, strict=True))
        for step in itertools.product(*(range(a, b) for _, (a, b) in reversed(steps))):
            self.effort.step()
            known.update(zip((n for n, _ in steps), reversed(step), strict=True))
            where: Any = np.bool_(True)
            for predicate in definition.predicates:
                where = np.logical_and(where, evaluate(predicate, known, read))
            if not np.any(where):
                continue
            if np.ndim(where) == 0:
                where = np.bool_(True)
            made = [evaluate(v, known, read) for v in values]
            args = [np.asarray(evaluate(a, known, read)) for a in definition.args]
            at = tuple(np.broadcast_arrays(*args, *grid))[: len(args)] if args else ()
            if np.ndim(where):
                where = np.broadcast_to(where, at[0].shape)
            table.write(at, made, where)

    def _domain(
        self, function: Function, definition: Definition, box: tuple[tuple[int, int], ...]
    ) -> tuple[list[str], list[tuple[int, int]]]:
        """The loop variables of an update and their [first, last + 1), innermost first."""
        names: list[str] = []
        ranges: list[tuple[int, int]] = []
        if definition.domain is not None:
            context = self._context(definition, {}, None)
            for name, (low, extent) in zip(
                definition.domain.names, definition.domain.bounds, strict=True
            ):
                first = int(evaluate(low, *context))
                names.append(name)
                ranges.append((first, first + int(evaluate(extent, *context))))
        used = {a.name for a in definition.args if hasattr(a, "name")}
        for name, (a, b) in zip(function.args, box, strict=True):
            if name in used:
                names.append(name)
                ranges.append((a, b + 1))
        return names, ranges


def _independent_coordinates(function: Function, definition: Definition) -> set[str]:
    """The pure coordinates along which no point reads what another one writes."""
    pure = {
        name: position
        for position, (name, arg) in enumerate(zip(function.args, definition.args, strict=True))
        if isinstance(arg, Variable) and arg.name == name
    }
    names = _value_names(function)
    everything = (*definition.args, *definition.values, *definition.predicates)
    for node in postorder(*everything):
        if isinstance(node, Call) and node.kind == "func" and node.name in names:
            for name, position in list(pure.items()):
                own = node.args[position]
                if not (isinstance(own, Variable) and own.name == name):
                    del pure[name]
    return set(pure)


def _effect(node: Call, args: tuple[Any, ...]) -> Any:
    """The value of `print`, `print_when` and `require`; nothing is printed."""
    name, _, message = node.name.partition(":")
    if name == "require" and not np.all(args[0]):
        raise HalideError("{}".join(pieces_of(message)))
    return args[0] if name == "print" else args[1]


def _without_undef(value: Expr, index: int, function: Function, definition: Definition) -> Expr:
    name = function.name if len(function.types) == 1 else f"{function.name}.{index}"
    kept = Call(name, definition.args, value.type, "func")
    return substitute(value, {Call("undef", (), value.type, "pure"): kept})


def _value_names(function: Function) -> dict[str, tuple[Function, int]]:
    if len(function.types) == 1:
        return {function.name: (function, 0)}
    return {f"{function.name}.{i}": (function, i) for i in range(len(function.types))}


def _fields(name: str, buffer: Buffer) -> dict[str, int]:
    made: dict[str, int] = {}
    for d in range(buffer.dimensions()):
        dim = buffer.dim(d)
        made[f"{name}.min.{d}"], made[f"{name}.extent.{d}"] = dim.min(), dim.extent()
        made[f"{name}.stride.{d}"] = dim.stride()
    return made


def _read_image(buffer: Buffer, points: tuple[Array, ...]) -> Any:
    position = []
    for d, p in enumerate(points):
        dim = buffer.dim(d)
        if p.size and (p.min() < dim.min() or p.max() > dim.max()):
            raise OutOfBounds(
                f"Input buffer {buffer.name()} is read from {p.min()} to {p.max()} in dimension "
                f"{d}, but it covers only {dim.min()} to {dim.max()}"
            )
        position.append(p - dim.min())
    return buffer.array[tuple(position)]
