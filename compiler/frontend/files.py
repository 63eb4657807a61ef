"""`compile_to_*`: the files that a pipeline is written to."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ..lang.enums import LinkageType, OutputFileType, StmtOutputFormat
from ..lang.errors import fail
from ..lang.overloads import instance, mismatch
from .module import Module


class WritesFiles:
    """The `compile_to_*` methods that `Func` and `Pipeline` share; `fn_name` names the C function.

    Raise `HalideError` where a parameter of the pipeline is not among the arguments, where the
    target is not supported, and where a file cannot be written.
    """

    def compile_to_module(
        self,
        arguments: Any,
        fn_name: str = "",
        target: Any = None,
        linkage: LinkageType = LinkageType.ExternalPlusMetadata,
    ) -> Module:
        """The pipeline as a function of a module, to be compiled later."""
        raise NotImplementedError

    def compile_to(self, outputs: Any, arguments: Any, fn_name: str, target: Any = None) -> None:
        """Writes several files at once: a path for each `OutputFileType`."""
        if not isinstance(outputs, Mapping):
            mismatch("compile_to", outputs)
        self.compile_to_module(arguments, fn_name, target).compile(outputs)

    def _write(
        self, kind: OutputFileType, filename: Any, arguments: Any, fn_name: Any, target: Any
    ) -> None:
        """`(filename, arguments, fn_name[, target])`, or `(filename, arguments, target)`."""
        if fn_name is not None and not isinstance(fn_name, str):
            if target is not None:
                mismatch(f"compile_to_{kind.name}", fn_name, target)
            fn_name, target = "", fn_name
        path = os.fspath(filename)
        self.compile_to_module(arguments, fn_name or "", target).compile({kind: path})

    def compile_to_object(
        self, filename: Any, arguments: Any, fn_name: Any = None, target: Any = None
    ) -> None:
        self._write(OutputFileType.object, filename, arguments, fn_name, target)

    def compile_to_assembly(
        self, filename: Any, arguments: Any, fn_name: Any = None, target: Any = None
    ) -> None:
        self._write(OutputFileType.assembly, filename, arguments, fn_name, target)

    def compile_to_bitcode(
        self, filename: Any, arguments: Any, fn_name: Any = None, target: Any = None
    ) -> None:
        self._write(OutputFileType.bitcode, filename, arguments, fn_name, target)

    def compile_to_llvm_assembly(
        self, filename: Any, arguments: Any, fn_name: Any = None, target: Any = None
    ) -> None:
        self._write(OutputFileType.llvm_assembly, filename, arguments, fn_name, target)

    def compile_to_header(
        self, filename: Any, arguments: Any, fn_name: Any = "", target: Any = None
    ) -> None:
        self._write(OutputFileType.c_header, filename, arguments, fn_name, target)

    def compile_to_c(
        self, filename: Any, arguments: Any, fn_name: Any = "", target: Any = None
    ) -> None:
        fail("compile_to_c is not supported by this compiler: it writes no C source.")

    def compile_to_file(
        self, filename_prefix: Any, arguments: Any, fn_name: str = "", target: Any = None
    ) -> None:
        """Writes `filename_prefix.o` and `filename_prefix.h`."""
        self._write_pair(OutputFileType.object, ".o", filename_prefix, arguments, fn_name, target)

    def compile_to_static_library(
        self, filename_prefix: Any, arguments: Any, fn_name: str = "", target: Any = None
    ) -> None:
        """Writes `filename_prefix.a` and `filename_prefix.h`."""
        self._write_pair(
            OutputFileType.static_library, ".a", filename_prefix, arguments, fn_name, target
        )

    def _write_pair(
        self, kind: OutputFileType, suffix: str, prefix: Any, arguments: Any, name: str, target: Any
    ) -> None:
        path = os.fspath(prefix)
        outputs = {kind: path + suffix, OutputFileType.c_header: path + ".h"}
        self.compile_to_module(arguments, instance("fn_name", name, str), target).compile(outputs)

    def compile_to_multitarget_static_library(
        self, filename_prefix: Any, arguments: Any, targets: Any
    ) -> None:
        fail("compile_to_multitarget_static_library is not supported by this compiler.")

    def compile_to_multitarget_object_files(
        self, filename_prefix: Any, arguments: Any, targets: Any, suffixes: Any
    ) -> None:
        fail("compile_to_multitarget_object_files is not supported by this compiler.")

    def _write_loops(
        self,
        method: str,
        kinds: tuple[OutputFileType, OutputFileType],
        filename: Any,
        arguments: Any,
        fmt: StmtOutputFormat,
        target: Any,
    ) -> None:
        """Writes loop nests as the first of `kinds`, a text, or as the second, a page."""
        text, page = kinds
        instance(method, fmt, StmtOutputFormat)
        kind = text if fmt is StmtOutputFormat.Text else page
        self._write(kind, filename, arguments, "", target)

    def compile_to_lowered_stmt(
        self,
        filename: Any,
        arguments: Any,
        fmt: StmtOutputFormat = StmtOutputFormat.Text,
        target: Any = None,
    ) -> None:
        """Writes the loop nests as code generation sees them, as text or as a page."""
        kinds = (OutputFileType.stmt, OutputFileType.stmt_html)
        self._write_loops("compile_to_lowered_stmt", kinds, filename, arguments, fmt, target)

    def compile_to_conceptual_stmt(
        self,
        filename: Any,
        arguments: Any,
        fmt: StmtOutputFormat = StmtOutputFormat.Text,
        target: Any = None,
    ) -> None:
        """Writes the loop nests as the schedule asks for them, before memory is laid out."""
        kinds = (OutputFileType.conceptual_stmt, OutputFileType.conceptual_stmt_html)
        self._write_loops("compile_to_conceptual_stmt", kinds, filename, arguments, fmt, target)


def compile_standalone_runtime(filename: Any, target: Any) -> None:
    """Raises `HalideError`: each object has the parts of the runtime that it needs."""
    fail(
        "compile_standalone_runtime is not supported by this compiler: every object has the parts "
        "of the runtime that it needs."
    )
