"""Running and compiling pipelines: what `Func` and `Pipeline` share.

Lowering and code generation are imported when first used, so that `import compiler` stays light.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable as AnyCallable
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..ir.stmt_transform import block, children_of, rebuild
from ..ir.stmts import AssertStmt, LoweredFunction, Stmt
from ..lang import changes
from ..lang.argument import Argument, name_of, sources_of, value_of
from ..lang.buffer import Buffer
from ..lang.enums import LinkageType
from ..lang.errors import HalideError, fail, warn
from ..lang.overloads import instance
from ..lang.params import InputImageParam
from ..lang.requirements import Requirement, with_requirements
from .bounds_query import answer, asks_for_bounds, storage_order
from .callable import Callable
from .constants import constant_of
from .destinations import destinations
from .files import WritesFiles
from .lowering import schedule_and_lower
from .module import Module
from .output_regions import grown
from .target import Target, chosen_in_process, in_process_target, machine_target
from .target_features import TargetFeature

if TYPE_CHECKING:
    from ..lang.function import Function


@dataclass
class _Compiled:
    """Machine code in this process: `run` takes the values of `inputs`, then the outputs."""

    run: AnyCallable[..., Any]
    inputs: list[Any]
    lowered: LoweredFunction


@dataclass(slots=True)
class _Again:
    """What the last `realize` into Buffers ran, for as long as nothing was changed since."""

    run: AnyCallable[..., Any]
    inputs: list[Any]
    outputs: int
    target: Any
    count: int

    def buffers(self, destination: Any, target: Any) -> Sequence[Buffer] | None:
        """The Buffers of a call that can go to the same code, which checks them as `realize` does;
        None where it can't."""
        if self.count != changes.count or target is not self.target:
            return None
        given = destination if destination.__class__ in (list, tuple) else (destination,)
        if len(given) != self.outputs or any(b.__class__ is not Buffer for b in given):
            return None
        return given


class Compilable(WritesFiles):
    """`realize`, `compile_to_*`, `print_loop_nest` for whatever has output stages."""

    _compiled: dict[Any, _Compiled]

    def _outputs(self) -> list[Function]:
        raise NotImplementedError

    def _requirements(self) -> Sequence[Requirement]:
        """What must hold when the pipeline is run."""
        return ()

    def argument_sources(self) -> list[Any]:
        """The images (constant ones too) and parameters that the pipeline reads, in the order in
        which its compiled function takes them."""
        from ..lower import infer_arguments

        found = list(infer_arguments(self._outputs()))
        for requirement in self._requirements():
            found += [s for s in requirement.parameters() if s not in found]
        return found

    def infer_arguments(self) -> list[Argument]:
        """The images and parameters that a caller has to give, in order."""
        if not self._outputs_defined():
            return []
        return [Argument(s) for s in self.argument_sources() if not isinstance(s, Buffer)]

    def _outputs_defined(self) -> bool:
        return all(f.defined for f in self._output_functions())

    def _output_functions(self) -> list[Function]:
        """The output stages, defined or not."""
        return self._outputs()

    def lowered(
        self,
        name: str = "",
        arguments: Sequence[Any] | None = None,
        target: Any = None,
        observe: AnyCallable[[str, Stmt], None] | None = None,
    ) -> LoweredFunction:
        """The loop nests; parameters are `arguments` (inferred if None), then the outputs.

        `observe` is called with the name of each lowering pass and the statement that it left.
        """
        from ..codegen import Target as Machine
        from ..lower import realization_order

        outputs = self._outputs()
        machine = machine_target(target)
        needed = self.argument_sources()
        given = needed if arguments is None else sources_of("arguments", list(arguments))
        names = {name_of(s) for s in given}
        for source in needed:
            if name_of(source) not in names:
                kind = "image parameter" if hasattr(source, "dim") else "parameter"
                fail(
                    f"Generated code refers to {kind} {name_of(source)}, which was not found in "
                    "the argument list."
                )
        _check_schedules(realization_order(outputs))
        fn = schedule_and_lower(
            outputs,
            # What names a function of the machine's is no place for blanks and quotes.
            name or re.sub(r"[^A-Za-z0-9_.$]", "_", outputs[0].name),
            machine if machine is not None else Machine.host(),
            given,
            observe,
        )
        unchecked = isinstance(target, Target) and target.has_feature(TargetFeature["NoAsserts"])
        if unchecked:
            return replace(fn, body=_without_checks(fn.body))
        return with_requirements(fn, self._requirements(), given)

    def realize(self, destination: Any = (), target: Any = None, **named: Any) -> Any:
        """Computes the pipeline into new Buffers of the given sizes, or into the given ones.

        `realize([w, h])` gives a Buffer (a tuple of them for several values); `realize(buffer)` and
        `realize([buffer, ...])` fill those and give None. Raises `HalideError` when a Buffer is
        unbound, of a wrong shape, or does not cover what is read.
        """
        again = self.__dict__.get("_again")
        if again is not None and not named:
            given = again.buffers(destination, target)
            if given is not None:
                with suppress(TypeError):  # nothing was computed; the long way says what is wrong
                    _run(again.run, [*map(value_of, again.inputs), *given])
                    return None
        for keyword in ("dst", "sizes"):
            if keyword in named and destination == ():
                destination = named.pop(keyword)
        if named:
            raise TypeError(f"realize() got unexpected arguments {', '.join(named)}")
        outputs = self._outputs()
        buffers, returned = destinations(outputs, destination)
        compiled = self._compile(target)
        values = [value_of(i) for i in compiled.inputs]
        if asks_for_bounds([*values, *buffers]):
            answer(compiled.lowered, [*values, *buffers])
            return None
        whole = buffers
        if returned:
            whole, buffers = grown(compiled.lowered, values, buffers)
        _run(compiled.run, [*values, *whole])
        if not returned:
            given = destination if isinstance(destination, (list, tuple)) else [destination]
            for own, buffer in zip(given, buffers, strict=True):
                if own is not buffer:
                    buffer.copy_to_host()  # nobody else knows of what a device has for an array
            self.__dict__["_again"] = _Again(
                compiled.run, compiled.inputs, len(buffers), target, changes.count
            )
            return None
        return buffers[0] if len(buffers) == 1 else tuple(buffers)

    def compile_jit(self, target: Any = None) -> None:
        """Compiles now what `realize` would compile when first called."""
        self._compile(target)

    def invalidate_cache(self) -> None:
        """Forgets machine code that was made."""
        self.__dict__.pop("_compiled", None)
        self.__dict__.pop("_again", None)

    def _compile(self, target: Any) -> _Compiled:
        from ..lower import schedule_key
        from ..runtime import compile_in_process

        target = chosen_in_process(target)
        cache = self.__dict__.setdefault("_compiled", {})
        about_target = str(target) if isinstance(target, Target) else target
        outputs = self._outputs()
        default = os.environ.get("LIFT_DEFAULT_SCHEDULE")
        key = (schedule_key(outputs), about_target, len(self._requirements()), default)
        if key not in cache:
            fn = self.lowered("", None, target)
            run = compile_in_process(fn, in_process_target(target))
            cache[key] = _Compiled(run, self.argument_sources(), fn)
            for function in outputs:
                function.frozen = True
        made: _Compiled = cache[key]
        return made

    def compile_to_callable(self, arguments: Any, target: Any = None) -> Callable:
        """Machine code in this process, called with `arguments` and then the outputs."""
        from ..runtime import compile_in_process

        target = chosen_in_process(target)
        given = sources_of("compile_to_callable", arguments)
        names = [name_of(s) for s in given]
        constants = self._constants(given)
        fn = self.lowered("", [*constants, *given], target)
        run = compile_in_process(fn, in_process_target(target))
        for function in self._outputs():
            function.frozen = True
        # The number that makes a stage's name unique is none of the caller's business.
        outputs = [re.sub(r"\$\d+$", "", a.name) for a in fn.args if a.is_output]
        return Callable(run, fn, [*names, *outputs], constants)

    def _constants(self, given: Sequence[Any]) -> list[Buffer]:
        """The constant images that `given` doesn't name: no caller passes them."""
        names = {name_of(s) for s in given}
        needed = self.argument_sources()
        return [s for s in needed if isinstance(s, Buffer) and name_of(s) not in names]

    def compile_to_module(
        self,
        arguments: Any,
        fn_name: str = "",
        target: Any = None,
        linkage: LinkageType = LinkageType.ExternalPlusMetadata,
    ) -> Module:
        """The pipeline as a function of a module, to be compiled later.

        Constant images that are no arguments become part of it, as they are now.
        """
        if not isinstance(arguments, (list, tuple)):
            raise TypeError(f"compile_to_module(): {arguments!r} is no list of arguments")
        name = instance("compile_to_module", fn_name, str) or self._output_functions()[0].name
        seen: list[Stmt] = []
        given = sources_of("arguments", list(arguments))
        constants = self._constants(given)
        fn = self.lowered(name, [*constants, *given], target, lambda _, body: seen.append(body))
        module = Module(name, target)
        module.append(replace(fn, constants=tuple(map(constant_of, constants))))
        module._buffers += constants
        if seen:
            module._conceptual[fn.name] = replace(fn, body=seen[0])
        return module

    def infer_input_bounds(self, dst: Any = (), target: Any = None) -> None:
        """Gives each unbound `ImageParam` a new Buffer of the region that `realize(dst)` reads.

        `dst` is what `realize` takes: sizes, a Buffer, or Buffers.
        """
        try:
            buffers, _ = destinations(self._outputs(), dst)
            fn = self.lowered("", None, target)
            sources = self.argument_sources()
            unbound = [s for s in sources if isinstance(s, InputImageParam) and s.bound is None]
            values = [
                Buffer.make_bounds_query(s.type(), [0] * s.dimensions())
                if s in unbound
                else value_of(s)
                for s in sources
            ]
        except HalideError as error:
            raise ValueError(f"Invalid arguments to infer_input_bounds: {error}") from None
        answer(fn, [*values, *buffers])
        for image, query in zip(sources, values, strict=True):
            if image not in unbound:
                continue
            dims = [query.dim(d) for d in range(image.dimensions())]
            order = storage_order(fn, [*values, *buffers], image.name())
            made = Buffer(image.type(), [d.extent() for d in dims], order)
            made.set_min([d.min() for d in dims])
            image.set(made)

    def print_loop_nest(self) -> None:
        """Prints the loops that the schedule asks for, to stderr as the real package does."""
        from ..lower import loop_nest_text

        print(loop_nest_text(self._outputs()), end="", file=sys.stderr)


def _run(run: AnyCallable[..., Any], values: Sequence[Any]) -> None:
    try:
        run(*values)
    except RuntimeError as error:
        from ..codegen import CompilerRuntimeError

        if not isinstance(error, CompilerRuntimeError):
            raise
        raise HalideError(str(error)) from None


def _check_schedules(order: Sequence[Function]) -> None:
    """Raises for places that were never set and for prefetches of what isn't there; warns of
    definitions that seem forgotten."""
    stages = {f.name for f in order}
    for function in order:
        schedule = function.schedule
        images = {name_of(s) for s in schedule.sources if isinstance(s, (InputImageParam, Buffer))}
        for prefetch in (p for s in schedule.stages for p in s.prefetches):
            if prefetch.source == function.name or prefetch.source not in stages | images:
                fail(
                    f"In schedule for {function.name}: prefetch of {prefetch.source}, which has "
                    "not been allocated there."
                )
        for level in (schedule.level, schedule.store_level, schedule.hoist_level):
            if level is not None and level.place == "undefined":
                fail(
                    "There should be no undefined LoopLevels at the start of lowering. (Did you "
                    f"mean to use LoopLevel.inlined() instead of LoopLevel() in the schedule of "
                    f"{function.name}?)"
                )
        if not any(s.touched for s in schedule.stages):
            continue
        for index, stage in enumerate(schedule.stages[1:]):
            if not stage.touched:
                warn(
                    f"Update definition {index} of function {function.name} has not been "
                    "scheduled, even though some other definitions have been. You may have "
                    "forgotten to schedule it. If this was intentional, call "
                    f"{function.name}.update({index}).unscheduled() to suppress this warning."
                )


def _without_checks(body: Stmt) -> Stmt:
    """`body` without its run-time checks, as the feature `no_asserts` asks for."""
    if isinstance(body, AssertStmt):
        return block()
    return rebuild(body, tuple(map(_without_checks, children_of(body))), lambda e: e)


__all__ = ["Compilable", "HalideError"]
