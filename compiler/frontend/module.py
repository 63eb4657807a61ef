"""`Module`: lowered functions, ready to be written to files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..ir.stmts import LoweredFunction
from ..lang.enums import OutputFileType
from ..lang.errors import fail
from ..lang.overloads import mismatch
from .target import Target, machine_target

_KINDS = {
    OutputFileType.assembly: "assembly",
    OutputFileType.bitcode: "bitcode",
    OutputFileType.c_header: "header",
    OutputFileType.llvm_assembly: "llvm_assembly",
    OutputFileType.object: "object",
    OutputFileType.static_library: "static_library",
}


class Module:
    """A name, a target, and the functions of a pipeline."""

    def __init__(self, name: str, target: Any = None) -> None:
        self._name, self._target = name, target
        self._functions: list[LoweredFunction] = []
        self._conceptual: dict[str, Any] = {}
        self._buffers: list[Any] = []

    def name(self) -> str:
        return self._name

    def target(self) -> Target:
        return self._target if isinstance(self._target, Target) else Target("host")

    def functions(self) -> list[LoweredFunction]:
        return list(self._functions)

    def buffers(self) -> list[Any]:
        """The constant images that become part of the code."""
        return list(self._buffers)

    def submodules(self) -> list[Module]:
        return []

    def append(self, part: Any) -> None:
        """Adds the functions of another module."""
        if isinstance(part, LoweredFunction):
            self._functions.append(part)
        elif isinstance(part, Module):
            self._functions += part._functions
            self._conceptual.update(part._conceptual)
            self._buffers += part._buffers
        else:
            mismatch("append", part)

    def compile(self, outputs: Mapping[Any, str]) -> None:
        """Writes the files: a path for each `OutputFileType`.

        Raises `HalideError` for a kind of file that this compiler does not write, and where a file
        can't be written.
        """
        if not isinstance(outputs, Mapping):
            mismatch("compile", outputs)
        if len(self._functions) != 1:
            fail(f"Module {self._name} has {len(self._functions)} functions; one can be compiled.")
        for kind, path in outputs.items():
            if not isinstance(kind, OutputFileType) or not isinstance(path, str):
                mismatch("compile", outputs)
            self._write(kind, path)

    def _write(self, kind: OutputFileType, path: str) -> None:
        # For load time: few programs write files.
        from ..codegen import emit

        fn = self._functions[0]
        try:
            if kind is OutputFileType.device_code:
                _write_device_code(fn, path, self._target)
                return
            if kind in _KINDS:
                emit(fn, _KINDS[kind], path, machine_target(self._target))  # type: ignore[arg-type]
                return
            from .statement_files import statement_text

            conceptual = self._conceptual.get(fn.name)
            text = statement_text(kind, fn, conceptual)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            fail(f"Error opening output {path}: {error.strerror}")
        except ValueError as error:
            fail(f"Error opening output {path!r}: {error}")

    def __repr__(self) -> str:
        return f"<Module '{self._name}'>"


def _write_device_code(fn: LoweredFunction, path: str, target: Any) -> None:
    """The kernels as one PTX module."""
    from ..codegen.ptx import kernels_ptx

    machine = machine_target(target)
    if machine is None or not machine.has_device:
        fail("There is no device code: the target has no GPU (cuda).")
    text = kernels_ptx(fn.kernels, machine.capability, machine.contracts_floats, fn.in_place)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def link_modules(name: str, modules: Any) -> Module:
    """One module with the functions of all of `modules`."""
    made = Module(name, modules[0].target() if modules else None)
    for module in modules:
        made.append(module)
    return made
