"""The directives of a whole stage: where it is computed and stored, how it lies in memory, which
region of it is computed, what is written down about it while it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from ..ir import Const
from ..ir.stmts import MemoryKind
from . import unsupported
from .directives import listed_variables
from .enums import MemoryType
from .errors import fail
from .expr import Expr
from .loop_level import LoopLevel
from .overloads import instance, int32, mismatch, only_variable, pure_variable
from .schedule import INLINE, ROOT, Bound, ComputeLevel, StorageDimension
from .variables import Range, RVar, Var

if TYPE_CHECKING:
    from .function import Function

_MEMORY: dict[MemoryType, MemoryKind] = {
    MemoryType.Auto: "auto",
    MemoryType.Heap: "heap",
    MemoryType.Stack: "stack",
    MemoryType.Register: "register",
    MemoryType.GPUShared: "shared",
    MemoryType.GPUSharedAsync: "async",
}


class Placement:
    """The directives that only a `Func` has."""

    _function: Function

    # -- where it is computed and stored ------------------------------------------------------

    def compute_root(self) -> Self:
        """Computes all that is needed of the stage before anything that reads it."""
        return self._at("level", ROOT)

    def compute_inline(self) -> Self:
        """Computes each value where it is read (the default)."""
        self._at("level", INLINE)
        self._function.schedule.store_level = None
        return self

    def compute_at(self, f: Any = None, var: Any = None, **named: Any) -> Self:
        """Computes what one iteration of the loop `var` of `f` needs, inside that loop."""
        return self._place("compute_at", "level", f, var, named)

    def store_root(self) -> Self:
        return self._at("store_level", ROOT)

    def store_at(self, f: Any = None, var: Any = None, **named: Any) -> Self:
        """Keeps what was computed for one iteration of loops inside of `var` for later
        iterations."""
        return self._place("store_at", "store_level", f, var, named)

    def hoist_storage_root(self) -> Self:
        return self._at("hoist_level", ROOT)

    def hoist_storage(self, f: Any = None, var: Any = None, **named: Any) -> Self:
        """Allocates the stage's memory in the loop `var` of `f`, outside of where it is stored."""
        return self._place("hoist_storage", "hoist_level", f, var, named)

    def _place(self, what: str, field: str, f: Any, var: Any, named: dict[str, Any]) -> Self:
        keywords = {"rvar", "loop_level"} & named.keys()
        if len(keywords) != len(named) or len(keywords) > 1:
            mismatch(what, f, var, *named)
        if "loop_level" in named:
            if f is not None or var is not None:
                mismatch(what, f, var)
            f = named["loop_level"]
        elif "rvar" in named:
            var = instance(what, only_variable(named["rvar"]), RVar)
        if isinstance(f, LoopLevel) and var is None:
            f.follow(self._recorder(field))
            return self
        if not hasattr(f, "function") or hasattr(f, "index"):
            mismatch(what, f, var)
        var = only_variable(var)
        if not isinstance(var, (Var, RVar)):
            mismatch(what, f, var)
        return self._at(field, ComputeLevel("at", f.function.name, var.name()))

    def _recorder(self, field: str) -> Callable[[ComputeLevel], None]:
        schedule = self._function.schedule

        def record(level: ComputeLevel) -> None:
            setattr(schedule, field, level)
            schedule.touched = True

        return record

    def _at(self, field: str, level: ComputeLevel) -> Self:
        self._recorder(field)(level)
        return self

    def store_in(self, memory_type: MemoryType) -> Self:
        """Which memory holds the stage."""
        kind = instance("store_in", memory_type, MemoryType)
        if kind not in _MEMORY:
            fail(f"store_in({kind.name}) is not supported by this compiler: no such memory.")
        self._function.schedule.memory = _MEMORY[kind]
        return self

    def stream_stores(self) -> Self:
        """Writes the stage past the caches: for values that are not read again soon."""
        self._function.schedule.stream_stores = True
        return self

    def stream_loads(self) -> Self:
        """Reads what the stage is made of past the caches: for values not read again soon."""
        self._function.schedule.stream_loads = True
        return self

    # -- how it lies in memory ----------------------------------------------------------------

    def reorder_storage(self, *order: Any, **named: Any) -> Self:
        """Puts the named coordinates in this order in memory, innermost first, in their places."""
        variables = listed_variables("reorder_storage", order, named, "dims")
        names = [pure_variable("reorder_storage", v.var).name() for v in variables]
        if len(names) < 2:
            fail("reorder_storage must have at least two dimensions in reorder list.")
        for name in names:
            if names.count(name) > 1:
                fail(
                    f"In schedule for {self._function.name}, call to reorder_storage references "
                    f"{name} twice"
                )
        storage = self._storage()
        places = [self._storage_place(name, "reorder the storage of") for name in names]
        moved = [storage[p] for p in places]
        for place, dimension in zip(sorted(places), moved, strict=True):
            storage[place] = dimension
        return self

    def align_storage(self, dim: Var, alignment: Any) -> Self:
        """Rounds the coordinate's extent in memory up to a multiple of `alignment`."""
        size = self._positive("align_storage", "an alignment", alignment)
        return self._store("align_storage", dim, "align the storage of", alignment=size)

    def bound_storage(self, dim: Var, bound: Any) -> Self:
        """Promises that this extent in memory is enough; checked at run time."""
        size = self._positive("bound_storage", "a bound", bound)
        return self._store("bound_storage", dim, "bound the storage of", bound=size)

    def fold_storage(self, dim: Var, extent: Any, fold_forward: bool = True) -> Self:
        """Keeps the coordinate modulo `extent`: enough where only the latest ones are read."""
        size = self._positive("fold_storage", "a fold factor", extent)
        return self._store(
            "fold_storage", dim, "fold the storage of", fold_factor=size,
            fold_forward=bool(fold_forward),
        )  # fmt: skip

    def _positive(self, what: str, meaning: str, value: Any) -> Expr:
        e = int32(what, meaning, value)
        if isinstance(e.node, Const) and e.node.value < 1:
            fail(f"In schedule for {self._function.name}, {what} needs {meaning} above 0, not {e}.")
        self._function.schedule.sources |= e.sources
        return e

    def _storage(self) -> list[StorageDimension]:
        storage = self._function.schedule.storage
        if not storage:
            storage.extend(StorageDimension(a) for a in self._function.args)
        return storage

    def _storage_place(self, name: str, doing: str) -> int:
        names = [d.var for d in self._storage()]
        if name not in names:
            fail(
                f"In schedule for {self._function.name}, could not find var {name} to {doing}.\n"
                f"Vars: {' '.join(names)}"
            )
        return names.index(name)

    def _store(self, what: str, dim: Var, doing: str, **promise: Any) -> Self:
        place = self._storage_place(pure_variable(what, dim).name(), doing)
        nodes: dict[str, Any] = {
            k: v.node if isinstance(v, Expr) else v for k, v in promise.items()
        }
        storage = self._storage()
        storage[place] = replace(storage[place], **nodes)
        return self

    # -- which region is computed -------------------------------------------------------------

    def bound(self, var: Var, min: Any, extent: Any) -> Self:
        """Promises that `var` runs over exactly [min, min + extent); checked at run time."""
        return self._bound("bound", "bound", var, min=min, extent=extent)

    def bound_extent(self, var: Var, extent: Any) -> Self:
        """Promises that `var` takes exactly `extent` values; checked at run time."""
        return self._bound("bound_extent", "bound", var, extent=extent)

    def align_bounds(self, var: Var, modulus: Any, remainder: Any = 0) -> Self:
        """Grows the region until its min is `remainder` modulo `modulus`, its extent a multiple."""
        return self._bound(
            "align_bounds", "align bounds of", var, modulus=modulus, remainder=remainder
        )

    def align_extent(self, var: Var, modulus: Any) -> Self:
        """Grows the region upwards until its extent is a multiple of `modulus`."""
        return self._bound("align_extent", "align extent of", var, extent_only=True,
                           modulus=modulus, remainder=0)  # fmt: skip

    def _bound(
        self, what: str, doing: str, var: Var, extent_only: bool = False, **parts: Any
    ) -> Self:
        name = self._pure_argument(what, doing, var)
        values = {k: int32(what, f"the {k} of {what}", v) for k, v in parts.items()}
        schedule = self._function.schedule
        modulus = values["modulus"].node if "modulus" in values else None
        if isinstance(modulus, Const) and modulus.value < 1:
            fail(f"In schedule for {self._function.name}, {what} needs a modulus above 0.")
        for e in values.values():
            schedule.sources |= e.sources
        nodes: dict[str, Any] = {k: v.node for k, v in values.items()}
        schedule.bounds.append(Bound(name, **nodes, extent_only=extent_only))
        return self

    def _pure_argument(self, what: str, doing: str, var: Var) -> str:
        name = pure_variable(what, var).name()
        if name not in self._function.args:
            fail(
                f"Can't {doing} variable {name} of function {self._function.name} because {name} "
                f"is not one of the pure variables of {self._function.name}."
            )
        return name

    def set_estimate(self, var: Var, min: Any, extent: Any) -> Self:
        """The region that a scheduler may expect; no promise."""
        name = self._pure_argument("set_estimate", "provide an estimate on", var)
        low, size = (int32("set_estimate", "an estimate", e) for e in (min, extent))
        self._function.schedule.estimates[name] = (low.node, size.node)
        return self

    def set_estimates(self, estimates: Any) -> Self:
        """`set_estimate` of every coordinate: a list of (min, extent)."""
        pairs = [(r.min, r.extent) if isinstance(r, Range) else tuple(r) for r in estimates]
        args = self._function.args
        if len(pairs) != len(args):
            fail(
                f"Func {self._function.name} has {len(args)} dimensions, but the estimates passed "
                f"to set_estimates contains {len(pairs)} pairs."
            )
        for name, pair in zip(args, pairs, strict=True):
            self.set_estimate(Var(name), *pair)
        return self

    # -- what is written down while it runs ---------------------------------------------------

    def _trace(self, what: str) -> Self:
        self._function.schedule.traced |= {what}  # type: ignore[arg-type]
        return self

    def trace_loads(self) -> Self:
        """Writes a line for every value that is read of the stage."""
        return self._trace("loads")

    def trace_stores(self) -> Self:
        """Writes a line for every value that is stored to the stage."""
        return self._trace("stores")

    def trace_realizations(self) -> Self:
        """Writes a line where the stage's memory comes and goes, and where it is produced and
        consumed."""
        return self._trace("realizations")

    def add_trace_tag(self, trace_tag: str) -> Self:
        self._function.schedule.trace_tags.append(instance("add_trace_tag", trace_tag, str))
        return self

    def debug_to_file(self, filename: str) -> None:
        """Writes all of the stage to a file (.npy, .mat, .tiff, .tmp) after it was computed."""
        self._function.schedule.debug_file = instance("debug_to_file", filename, str)


for _name in unsupported.FUNC:
    setattr(Placement, _name, unsupported.refuse(_name))
