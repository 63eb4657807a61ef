"""Running and compiling pipelines: what `Func` and `Pipeline` share.

Lowering and code generation are imported when first used, so that `import compiler` stays light.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..ir.stmts import LoweredFunction
from .buffer import Buffer
from .errors import HalideError, fail
from .output_regions import grown
from .params import ImageParam, Param, Parameter

if TYPE_CHECKING:
    from .function import Function

Kind = Literal["object", "assembly", "llvm_assembly", "bitcode", "header", "static_library"]


class Compilable:
    """`realize`, `compile_to_*`, `print_loop_nest` for whatever has output stages."""

    _compiled: dict[Any, tuple[Callable[..., Any], Sequence[Any], LoweredFunction]]

    def _outputs(self) -> list[Function]:
        raise NotImplementedError

    def lowered(
        self, name: str = "", arguments: Sequence[Any] | None = None, target: Any = None
    ) -> LoweredFunction:
        """The loop nests; parameters are `arguments` (inferred if None), then the outputs."""
        from ..lower import lower

        outputs = self._outputs()
        return lower(
            outputs, name or outputs[0].name, _target_features(target), _arguments(arguments)
        )

    def realize(self, destination: Any = None, target: Any = None) -> Any:
        """Computes the pipeline into new Buffers of the given sizes, or into the given ones.

        `realize([w, h])` gives a Buffer (a list of them for several values); `realize(buffer)` and
        `realize([buffer, ...])` fill those and give None. Raises `HalideError` when a Buffer is
        unbound, of a wrong shape, or does not cover what is read.
        """
        outputs = self._outputs()
        types = [(f, t) for f in outputs for t in f.types]
        buffers, returned = _destinations(outputs, destination)
        if len(buffers) != len(types):
            fail(f"realize needs {len(types)} output buffers; {len(buffers)} were given.")
        for buffer, (function, type) in zip(buffers, types, strict=True):
            if buffer.type() is not type:
                fail(
                    f"Output buffer {function.name} has type {type} "
                    f"but type of the buffer passed in is {buffer.type()}"
                )
            if buffer.dimensions() != len(function.args):
                fail(
                    f"Output buffer {function.name} has {len(function.args)} dimensions "
                    f"but the buffer passed in has {buffer.dimensions()}"
                )
        run, inputs, fn = self._compile_jit(target)
        values = [_bound_value(i) for i in inputs]
        whole, buffers = grown(fn, values, buffers) if returned else (buffers, buffers)
        from ..codegen import CompilerRuntimeError

        try:
            run(*values, *whole)
        except CompilerRuntimeError as error:
            raise HalideError(str(error)) from None
        if not returned:
            return None
        return buffers[0] if len(buffers) == 1 else buffers

    def compile_jit(self, target: Any = None) -> None:
        """Compiles now what `realize` would compile when first called."""
        self._compile_jit(target)

    def _compile_jit(
        self, target: Any
    ) -> tuple[Callable[..., Any], Sequence[Any], LoweredFunction]:
        from ..codegen import compile_in_process
        from ..lower import infer_arguments, schedule_key

        outputs = self._outputs()
        cache = self.__dict__.setdefault("_compiled", {})
        key = (schedule_key(outputs), target)
        if key not in cache:
            fn = self.lowered("", None, target)
            cache[key] = (compile_in_process(fn, target), infer_arguments(outputs), fn)
            for function in outputs:
                function.frozen = True
        made: tuple[Callable[..., Any], Sequence[Any], LoweredFunction] = cache[key]
        return made

    def infer_arguments(self) -> list[Any]:
        """The images and parameters that the pipeline reads, in the order `realize` passes them."""
        from ..lower import infer_arguments

        return list(infer_arguments(self._outputs()))

    def _emit(
        self, kind: Kind, path: str, arguments: Sequence[Any], name: str, target: Any
    ) -> None:
        from ..codegen import emit

        emit(self.lowered(name, arguments, target), kind, os.fspath(path), target)

    def compile_to_object(
        self, filename: str, arguments: Sequence[Any], fn_name: Any = "", target: Any = None
    ) -> None:
        """Writes an object file with the pipeline as C function `fn_name`."""
        if not isinstance(fn_name, str):
            fn_name, target = "", fn_name
        self._emit("object", filename, arguments, fn_name, target)

    def compile_to_assembly(
        self, filename: str, arguments: Sequence[Any], fn_name: str = "", target: Any = None
    ) -> None:
        self._emit("assembly", filename, arguments, fn_name, target)

    def compile_to_llvm_assembly(
        self, filename: str, arguments: Sequence[Any], fn_name: str = "", target: Any = None
    ) -> None:
        self._emit("llvm_assembly", filename, arguments, fn_name, target)

    def compile_to_header(
        self, filename: str, arguments: Sequence[Any], fn_name: str = "", target: Any = None
    ) -> None:
        self._emit("header", filename, arguments, fn_name, target)

    def compile_to_static_library(
        self, filename_prefix: str, arguments: Sequence[Any], fn_name: str = "", target: Any = None
    ) -> None:
        """Writes `filename_prefix.a` and `filename_prefix.h`."""
        self._emit("static_library", filename_prefix + ".a", arguments, fn_name, target)
        self._emit("header", filename_prefix + ".h", arguments, fn_name, target)

    def compile_to_lowered_stmt(
        self, filename: str, arguments: Sequence[Any], fmt: Any = None, target: Any = None
    ) -> None:
        """Writes the loop nests as text."""
        from ..ir.stmt_printer import function_to_text

        with open(filename, "w", encoding="utf-8") as file:
            file.write(function_to_text(self.lowered("", arguments, target)))

    def print_loop_nest(self) -> None:
        """Prints the loops that the schedule asks for."""
        from ..lower import loop_nest_text

        print(loop_nest_text(self._outputs()), end="")


def _target_features(target: Any) -> Any:
    """What lowering may know of the target; the host's when no target is given."""
    if target is None:
        from ..codegen import Target

        target = Target.host()
    return target


def _arguments(arguments: Sequence[Any] | None) -> list[Any] | None:
    if arguments is None:
        return None
    given: list[Any] = []
    for argument in arguments:
        if isinstance(argument, Param):
            given.append(argument._parameter)
        elif isinstance(argument, (ImageParam, Parameter, Buffer)):
            given.append(argument)
        else:
            fail(f"An argument must be a Param or an ImageParam, not {argument!r}.")
    return given


def _destinations(outputs: list[Function], given: Any) -> tuple[list[Buffer], bool]:
    if isinstance(given, Buffer):
        return [given], False
    if isinstance(given, np.ndarray):
        return [Buffer(given)], False
    items = list(given) if given is not None else []
    if items and all(isinstance(i, (Buffer, np.ndarray)) for i in items):
        return [i if isinstance(i, Buffer) else Buffer(i) for i in items], False
    sizes = [int(i) for i in items]
    for function in outputs:
        if len(sizes) != len(function.args):
            fail(
                f"Func {function.name} is {len(function.args)}-dimensional "
                f"but the realization size has {len(sizes)} dimensions"
            )
    return [Buffer(t, sizes) for f in outputs for t in f.types], True


def _bound_value(argument: Any) -> Any:
    if isinstance(argument, Parameter):
        if argument.value is None:
            fail(f"Parameter {argument.name} does not have a valid scalar value.")
        return argument.value
    if isinstance(argument, ImageParam):
        if argument.bound is None:
            fail(f"Buffer argument {argument.name()} is nullptr")
        return argument.bound
    return argument


__all__ = ["Compilable", "HalideError"]
