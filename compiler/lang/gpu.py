"""The directives for loops that a GPU runs: blocks, threads of a block, lanes of a warp.

A kernel is a nest of at most three loops over blocks; inside are loops over the threads of a block,
at most three of them around one another. What is computed inside of a block before others read it
is common to its threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from ..ir import Call
from ..ir.printer import to_text
from ..ir.stmts import ForKind
from . import loop_changes
from .enums import DeviceAPI
from .errors import fail
from .overloads import VarOrRVar, expression, instance, loop_variable, mismatch
from .races import combines
from .schedule import TailStrategy
from .variables import Var

if TYPE_CHECKING:
    from .function import Function
    from .handles import DefinitionHandle

MOST_DIMENSIONS = 3
"""Of a grid of blocks, and of a block of threads."""
_DEFAULT = DeviceAPI["Default_GPU"]
_DEVICES = (_DEFAULT, DeviceAPI["CUDA"])
_LETTERS = "xyz"


class GpuDirectives:
    """The directives about GPUs that `Func` (for its pure definition) and `Stage` share.

    Each takes `device_api` as its last argument: `Default_GPU` or `CUDA`. Raises `HalideError` for
    the devices that this compiler has no code for.
    """

    if TYPE_CHECKING:

        def _stage(self) -> DefinitionHandle: ...

        def _split(
            self,
            old: VarOrRVar,
            outer: VarOrRVar,
            inner: VarOrRVar,
            factor: Any,
            tail: TailStrategy,
        ) -> None: ...

        def reorder(self, *order: Any) -> Self: ...

    def gpu_blocks(self, *arguments: Any, **named: Any) -> Self:
        """`gpu_blocks(block_x[, block_y[, block_z]])`: the iterations of the loops are the blocks
        of a kernel, which run in any order and at once."""
        return self._marked("gpu_blocks", "gpu_block", "block", arguments, named)

    def gpu_threads(self, *arguments: Any, **named: Any) -> Self:
        """`gpu_threads(thread_x[, thread_y[, thread_z]])`: the iterations of the loops are the
        threads of a block; the first varies fastest."""
        return self._marked("gpu_threads", "gpu_thread", "thread", arguments, named)

    def gpu_lanes(self, *arguments: Any, **named: Any) -> Self:
        """`gpu_lanes(thread_x)`: the iterations are the lanes of a warp, at most 32, which may hand
        one another values that lie in registers."""
        return self._marked("gpu_lanes", "gpu_lane", "thread", arguments, named, most=1)

    def gpu(self, *arguments: Any, **named: Any) -> Self:
        """`gpu(block_x, thread_x)`, `gpu(block_x, block_y, thread_x, thread_y)`, or with z: what
        `gpu_blocks` and `gpu_threads` do."""
        overloads = [
            [f"{kind}_{letter}" for kind in ("block", "thread") for letter in _LETTERS[:count]]
            for count in range(1, MOST_DIMENSIONS + 1)
        ]
        given = _given("gpu", overloads, arguments, named)
        loops = [loop_variable("gpu", v) for v in given.values()]
        half = len(loops) // 2
        return self._mark_loops("gpu", "gpu_block", loops[:half])._mark_loops(
            "gpu", "gpu_thread", loops[half:]
        )

    def gpu_tile(self, *arguments: Any, **named: Any) -> Self:
        """`gpu_tile(x, bx, tx, x_size[, tail])`, `gpu_tile(x, y, bx, by, tx, ty, x_size,
        y_size[, tail])` or with z: splits the loops and runs the outer ones as blocks, the inner
        ones as threads. Without names for the outer loops these keep the old ones."""
        overloads = []
        for count in range(1, MOST_DIMENSIONS + 1):
            letters = list(_LETTERS[:count])
            names = [[*letters], [f"b{x}" for x in letters], [f"t{x}" for x in letters]]
            sizes = [f"{x}_size" for x in letters]
            overloads += [
                [*names[0], *names[1], *names[2], *sizes, "tail"],
                [*names[0], *names[2], *sizes, "tail"],
            ]
        given = _given("gpu_tile", overloads, arguments, named)
        letters = [x for x in _LETTERS if x in given]
        old, outer, inner = (
            [loop_variable("gpu_tile", given.get(prefix + x, given[x])) for x in letters]
            for prefix in ("", "b", "t")
        )
        factors = [expression("gpu_tile", given[f"{x}_size"]) for x in letters]
        tail = given.get("tail", TailStrategy.Auto)
        for loops in zip(old, outer, inner, factors, strict=True):
            self._split(*loops, tail)
        self.reorder(*inner, *outer)
        return self._mark_loops("gpu_tile", "gpu_block", outer)._mark_loops(
            "gpu_tile", "gpu_thread", inner
        )

    def gpu_single_thread(self, device_api: Any = _DEFAULT) -> Self:
        """All of the definition is one kernel of one block of one thread."""
        _check_device("gpu_single_thread", device_api)
        schedule = self._stage().schedule
        for kind in ("gpu_thread", "gpu_block"):
            loop_changes.add_outermost(schedule, kind)
        return self

    def _marked(
        self,
        what: str,
        kind: ForKind,
        word: str,
        arguments: tuple[Any, ...],
        named: dict[str, Any],
        most: int = MOST_DIMENSIONS,
    ) -> Self:
        letters = _LETTERS[:most]
        overloads = [[f"{word}_{x}" for x in letters[:count]] for count in range(1, most + 1)]
        given = _given(what, overloads, arguments, named)
        loops = [loop_variable(what, v) for v in given.values()]
        return self._mark_loops(what, kind, loops)

    def _mark_loops(self, what: str, kind: ForKind, loops: Sequence[VarOrRVar]) -> Self:
        stage = self._stage()
        for loop in loops:
            loop_changes.mark(
                stage.schedule,
                stage.name(),
                loop.name(),
                kind,
                lambda: combines(stage.function, stage.index),
            )
        return self


_COPYING_THREADS = {1: (256,), 2: (32, 8)}
"""Of a block that copies a stage, by how many of its loops are split."""


class DeviceCopies:
    """The directives of a `Func` that copies another one to where it is to be used."""

    if TYPE_CHECKING:
        _function: Function

        def gpu_tile(self, *arguments: Any, **named: Any) -> Self: ...

        def gpu_single_thread(self, device_api: Any = _DEFAULT) -> Self: ...

    def copy_to_device(self, device_api: Any = _DEFAULT) -> Self:
        """Copies the stage's values, which are another stage's or an image's at the same point, on
        the device: all of its loops are taken for that. Raises `HalideError` for a stage that
        computes anything, or has an update."""
        _check_device("copy_to_device", device_api)
        self._check_copies("copy_to_device")
        names = self._function.args[:2]
        if not names:
            return self.gpu_single_thread()
        loops = [Var(name) for name in names]
        threads = [Var() for _ in names]
        return self.gpu_tile(
            *loops, *threads, *_COPYING_THREADS[len(names)], TailStrategy.GuardWithIf
        )

    def copy_to_host(self) -> Self:
        """Copies the stage's values, as for `copy_to_device`, on the host. Raises the same."""
        self._check_copies("copy_to_host")
        return self

    def _check_copies(self, what: str) -> None:
        function = self._function
        if not function.defined:
            fail(f"{what} on Func {function.name} with no definition")
        definition, *updates = function.definitions
        if updates:
            fail(f"{what} on Func {function.name} with update definition")
        for value in definition.values:
            if not (
                isinstance(value, Call)
                and value.kind in ("func", "image")
                and value.args == definition.args
            ):
                fail(
                    f"Func {function.name} is scheduled as copy_to_host/device, but has value: "
                    f"{to_text(value)}\nExpected a single call to another Func with matching "
                    "dimensionality and argument order."
                )


def _given(
    what: str,
    overloads: Sequence[Sequence[str]],
    arguments: tuple[Any, ...],
    named: dict[str, Any],
) -> dict[str, Any]:
    """The parameters of the one of `overloads` that was called, but for the device.

    One named `tail`, which is a `TailStrategy` as no other is, may be left out.
    """
    for names in overloads:
        positional, given = list(arguments), dict(named)
        if positional and isinstance(positional[-1], DeviceAPI):
            given.setdefault("device_api", positional.pop())
        if len(positional) > len(names) or given.keys() & set(names[: len(positional)]):
            continue
        device = given.pop("device_api", _DEFAULT)
        given.update(zip(names, positional, strict=False))
        are_tails = [isinstance(v, TailStrategy) == (k == "tail") for k, v in given.items()]
        if given.keys() | {"tail"} == set(names) | {"tail"} and all(are_tails):
            _check_device(what, device)
            return {name: given[name] for name in names if name in given}
    mismatch(what, *arguments, *named)


def _check_device(what: str, device: Any) -> None:
    instance(what, device, DeviceAPI)
    if device not in _DEVICES:
        fail(f"{what}: this compiler has no code generator for {device.name}.")


__all__ = ["DeviceCopies", "GpuDirectives"]
