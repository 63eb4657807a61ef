"""The directives about loops, which `Func` (for its pure definition) and `Stage` share.

Each says what it does by a before/after picture and records it in the schedule of the stage
(compiler/lang/schedule.py); compiler/lang/loop_changes.py has the checks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from ..ir.stmts import ForKind
from . import loop_changes, unsupported
from .errors import fail
from .fusing import compute_with
from .gpu import GpuDirectives
from .names import fresh_name
from .overloads import (
    VarOrRVar,
    expression,
    instance,
    int32,
    loop_variable,
    loop_variables,
    mismatch,
    names_of,
    only_variable,
    split_factor,
)
from .races import combines, reductions_commute
from .schedule import Partition, PrefetchBoundStrategy, PrefetchDirective, TailStrategy
from .specializations import specialize, specialize_fail
from .variables import RVar, Var

if TYPE_CHECKING:
    from .handles import DefinitionHandle

_AUTO = TailStrategy.Auto


class Directives(GpuDirectives):
    """The directives that `Func` (for its pure definition) and `Stage` share."""

    def _stage(self) -> DefinitionHandle:
        raise NotImplementedError

    def split(
        self, old: Any, outer: Any, inner: Any, factor: Any, tail: TailStrategy = _AUTO
    ) -> Self:
        """`for x` becomes `for xo: for xi in [0, factor)`."""
        variables = [loop_variable("split", v) for v in (old, outer, inner)]
        instance("split", tail, TailStrategy)
        self._split(variables[0], variables[1], variables[2], factor, tail)
        return self

    def _split(
        self, old: VarOrRVar, outer: VarOrRVar, inner: VarOrRVar, factor: Any, tail: TailStrategy
    ) -> None:
        stage = self._stage()
        size, sources = split_factor("split", old.name(), factor)
        stage.function.schedule.sources |= sources
        loop_changes.split(
            stage.schedule, stage.name(), stage.index > 0, old, outer, inner, size, tail
        )

    def fuse(self, inner: Any, outer: Any, fused: Any) -> Self:
        """`for y: for x` becomes `for t in [0, height * width)`."""
        stage = self._stage()
        variables = [loop_variable("fuse", v) for v in (inner, outer, fused)]
        commutes = reductions_commute(stage.function, stage.index)
        loop_changes.fuse(
            stage.schedule, stage.name(), variables[0], variables[1], variables[2], commutes
        )
        return self

    def rename(self, old_name: Any, new_name: Any) -> Self:
        """`for x` becomes `for u`: the same loop under another name."""
        stage = self._stage()
        variables = [loop_variable("rename", v) for v in (old_name, new_name)]
        loop_changes.rename(stage.schedule, stage.name(), *variables)
        return self

    def reorder(self, *order: Any, **named: Any) -> Self:
        """Puts the named loops in this order, innermost first, in the places they have."""
        stage = self._stage()
        names = names_of(listed_variables("reorder", order, named, "vars"))
        loop_changes.reorder(
            stage.schedule,
            stage.name(),
            names,
            reductions_commute(stage.function, stage.index),
        )
        return self

    def tile(self, *arguments: Any, **named: Any) -> Self:
        """Splits x and y and orders the loops `yo, xo, yi, xi` (outermost first).

        `tile(x, y, xo, yo, xi, yi, xfactor, yfactor[, tail])`, or without xo and yo;
        `tile(previous, outers, inners, factors[, tail])` with lists, or without outers.
        """
        previous, outers, inners, factors, tail = _tile_arguments(arguments, named)
        if not len(previous) == len(outers) == len(inners) == len(factors):
            fail("Vectors passed to Stage::tile must all be the same length.")
        for old, outer, inner, factor in zip(previous, outers, inners, factors, strict=True):
            self._split(old, outer, inner, factor, tail)
        return self.reorder(*inners, *outers)

    def _mark(self, what: str, kind: ForKind, var: Any, factor: Any, tail: TailStrategy) -> Self:
        loop = loop_variable(what, var)
        name = loop.name()
        if factor is not None:
            instance(what, tail, TailStrategy)
            inner = VarOrRVar(fresh_name("r" if loop.is_rvar else "v"), loop.is_rvar)
            self._split(loop, loop, inner, expression(what, factor), tail)
            name = name if kind == "parallel" else inner.name()
        stage = self._stage()
        loop_changes.mark(
            stage.schedule, stage.name(), name, kind, lambda: combines(stage.function, stage.index)
        )
        return self

    def vectorize(self, var: Any, *factor: Any, **named: Any) -> Self:
        """`vectorize(x[, factor[, tail]])`: the iterations of a loop, or of an inner loop of
        `factor` iterations split off it, become the lanes of a vector."""
        return self._mark(
            "vectorize", "vectorized", var, *_factor("vectorize", "factor", factor, named)
        )

    def unroll(self, var: Any, *factor: Any, **named: Any) -> Self:
        """`unroll(x[, factor[, tail]])`: writes the iterations one after the other."""
        return self._mark("unroll", "unrolled", var, *_factor("unroll", "factor", factor, named))

    def parallel(self, var: Any, *task_size: Any, **named: Any) -> Self:
        """`parallel(x[, task_size[, tail]])`: runs the iterations on the thread pool, `task_size`
        of them one after the other as one task."""
        return self._mark(
            "parallel", "parallel", var, *_factor("parallel", "task_size", task_size, named)
        )

    def serial(self, var: Any) -> Self:
        """Runs the iterations of a loop in order."""
        return self._mark("serial", "serial", var, None, _AUTO)

    def partition(self, var: Any, partition_policy: Partition) -> Self:
        """Whether the loop is cut so that its steady state needs no boundary conditions."""
        instance("partition", partition_policy, Partition)
        return self._partition("partition", [loop_variable("partition", var)], partition_policy)

    def never_partition(self, vars: Any) -> Self:
        return self._partition(
            "never_partition", loop_variables("never_partition", vars), Partition.Never
        )

    def always_partition(self, vars: Any) -> Self:
        return self._partition(
            "always_partition", loop_variables("always_partition", vars), Partition.Always
        )

    def never_partition_all(self) -> Self:
        return self._partition_all(Partition.Never)

    def always_partition_all(self) -> Self:
        return self._partition_all(Partition.Always)

    def _partition(self, what: str, loops: list[VarOrRVar], policy: Partition) -> Self:
        stage = self._stage()
        for name in names_of(loops):
            loop_changes.set_partition(stage.schedule, stage.name(), name, policy)
        return self

    def _partition_all(self, policy: Partition) -> Self:
        stage = self._stage()
        for dimension in stage.schedule.dimensions:
            dimension.partition = policy
        stage.schedule.touched = True
        return self

    def atomic(self, override_associativity_test: bool = False) -> Self:
        """Allows to vectorize or run in parallel over reduction variables of an associative update:
        each update of a point happens as a whole."""
        schedule = self._stage().schedule
        schedule.atomic = schedule.touched = True
        schedule.override_associativity = bool(override_associativity_test)
        return self

    def allow_race_conditions(self) -> Self:
        """Allows to vectorize or run in parallel whatever comes of it."""
        schedule = self._stage().schedule
        schedule.allow_races = schedule.touched = True
        return self

    def prefetch(self, source: Any = None, *arguments: Any, **named: Any) -> Self:
        """`prefetch(func or image, at, from[, offset[, strategy]])`: in each iteration of the loop
        `at`, asks for what `source` will be read at `offset` iterations of the loop `from`
        later."""
        name, sources = _prefetched(source, named)
        given = dict(zip(("at", "from", "offset", "strategy"), arguments, strict=False))
        if len(arguments) > 4 or given.keys() & named.keys() or not {"at", "from"} <= {
            *given, *named}:  # fmt: skip
            mismatch("prefetch", source, *arguments)
        given.update(named)
        if given.keys() > {"at", "from", "offset", "strategy"}:
            mismatch("prefetch", source, *given)
        at, step = (loop_variable("prefetch", given[k]).name() for k in ("at", "from"))
        offset = int32("prefetch", "the offset of a prefetch", given.get("offset", 1))
        strategy = given.get("strategy", PrefetchBoundStrategy.GuardWithIf)
        instance("prefetch", strategy, PrefetchBoundStrategy)
        stage = self._stage()
        stage.schedule.prefetches.append(PrefetchDirective(name, at, step, offset.node, strategy))
        stage.schedule.touched = True
        stage.function.schedule.sources |= offset.sources | sources
        return self

    def compute_with(self, stage: Any = None, *arguments: Any, **named: Any) -> Self:
        """`compute_with(stage, var[, align])` or `compute_with(loop_level[, align])`: this
        definition's loops from `var` outwards are those of `stage`; both are computed in there.
        `align` says where their iterations meet: one strategy, or a list of (loop, strategy)."""
        compute_with(self._stage(), stage, arguments, named)
        return self

    def specialize(self, condition: Any) -> DefinitionHandle:
        """`if condition: <these loops> else: <the others>`; directives on what is returned change
        the loops for the condition alone."""
        return specialize(self._stage(), expression("specialize", condition))

    def specialize_fail(self, message: str) -> None:
        """Where no condition of a specialization holds, the call fails with `message`."""
        specialize_fail(self._stage(), instance("specialize_fail", message, str))


for _name in unsupported.STAGE:
    setattr(Directives, _name, unsupported.refuse(_name))


def listed_variables(
    what: str, order: tuple[Any, ...], named: dict[str, Any], keyword: str
) -> list[VarOrRVar]:
    """Variables given one by one, or as one list."""
    if keyword in named and not order and len(named) == 1:
        order = (named[keyword],)
    elif named:
        mismatch(what, *order, *named)
    if len(order) == 1 and isinstance(order[0], (list, tuple)):
        return loop_variables(what, order[0])
    for value in order:
        # The real bindings cast these one by one, and say so when that fails.
        if not isinstance(only_variable(value), (Var, RVar, VarOrRVar)):
            raise RuntimeError(f"{what}(): {value!r} is not a variable of a loop")
    return [loop_variable(what, v) for v in order]


def _factor(
    what: str, keyword: str, given: tuple[Any, ...], named: dict[str, Any]
) -> tuple[Any, TailStrategy]:
    """(factor or None, tail) of `vectorize`, `unroll` and `parallel`."""
    values = dict(zip((keyword, "tail"), given, strict=False))
    if len(given) > 2 or values.keys() & named.keys():
        mismatch(what, *given, *named)
    values.update(named)
    if values.keys() - {keyword, "tail"} or (values and values.get(keyword) is None):
        mismatch(what, *given, *named)
    return values.get(keyword), values.get("tail", _AUTO)


_TILES = (
    ("x", "y", "xo", "yo", "xi", "yi", "xfactor", "yfactor", "tail"),
    ("x", "y", "xi", "yi", "xfactor", "yfactor", "tail"),
    ("previous", "outers", "inners", "factors", "tail"),
    ("previous", "inners", "factors", "tail"),
)
_Tile = tuple[list[VarOrRVar], list[VarOrRVar], list[VarOrRVar], list[Any], TailStrategy]


def _tile_arguments(arguments: tuple[Any, ...], named: dict[str, Any]) -> _Tile:
    """(previous, outers, inners, factors, tail), whichever overload was called."""
    for names in _TILES:
        if len(arguments) > len(names):
            continue
        given = dict(zip(names, arguments, strict=False))
        if given.keys() & named.keys():
            continue
        given.update(named)
        tail = given.pop("tail", _AUTO)
        if given.keys() != set(names[:-1]) or not isinstance(tail, TailStrategy):
            continue
        lists = names[0] == "previous"
        if any(isinstance(v, (list, tuple)) is not lists for v in given.values()):
            continue
        if not lists:
            given = {
                "previous": [given["x"], given["y"]],
                "outers": [given.get("xo", given["x"]), given.get("yo", given["y"])],
                "inners": [given["xi"], given["yi"]],
                "factors": [given["xfactor"], given["yfactor"]],
            }
        previous = loop_variables("tile", given["previous"])
        outers = loop_variables("tile", given.get("outers", given["previous"]))
        factors = [expression("tile", f) for f in given["factors"]]
        return previous, outers, loop_variables("tile", given["inners"]), factors, tail
    mismatch("tile", *arguments, *named)


def _prefetched(source: Any, named: dict[str, Any]) -> tuple[str, frozenset[Any]]:
    """The name of the stage or image to prefetch, and what keeps it alive."""
    for keyword in ("func", "image"):
        if source is None and keyword in named:
            source = named.pop(keyword)
    if hasattr(source, "function"):
        return source.function.name, frozenset({source.function})
    if hasattr(source, "dim") and hasattr(source, "set_estimates"):
        return source.name(), frozenset({source})
    mismatch("prefetch", source)
