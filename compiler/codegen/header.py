"""C headers: of a flat entry, and of a pipeline with `halide_buffer_t` arguments."""

from __future__ import annotations

import re

from ..ir import Type
from ..ir.stmts import LoweredFunction
from .entry import Entry

_INCLUDES = ("#include <stdbool.h>", "#include <stddef.h>", "#include <stdint.h>")


def c_type(type: Type) -> str:
    """The C name of a number format."""
    if type.is_bool:
        return "bool"
    if type.is_float:
        return {16: "_Float16", 32: "float", 64: "double"}[type.bits]
    return f"{'u' if type.is_uint else ''}int{type.bits}_t"


def header_text(entry: Entry) -> str:
    """The header of a flat entry: its prototype with the original's spellings, for C and C++."""
    parameters = ", ".join(param.declaration for param in entry.params) or "void"
    result = "void" if entry.return_type is None else c_type(entry.return_type)
    return _guarded(entry.name, [f"{result} {entry.name}({parameters});"])


def pipeline_header_text(fn: LoweredFunction) -> str:
    """The header of a pipeline's C entry, which returns 0 or an error's code."""
    parameters = ", ".join(
        f"struct halide_buffer_t *{_identifier(argument.name)}"
        if argument.is_buffer
        else f"{c_type(argument.type)} {_identifier(argument.name)}"
        for argument in fn.args
    )
    lines = ["struct halide_buffer_t;", "", f"int {fn.name}({parameters or 'void'});"]
    return _guarded(fn.name, lines)


def _identifier(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _guarded(name: str, lines: list[str]) -> str:
    macro = f"LIFT_{_identifier(name).upper()}_H"
    opening = ["#ifdef __cplusplus", 'extern "C" {', "#endif", ""]
    closing = ["", "#ifdef __cplusplus", "}", "#endif", "", f"#endif /* {macro} */", ""]
    head = [f"#ifndef {macro}", f"#define {macro}", "", *_INCLUDES, ""]
    return "\n".join([*head, *opening, *lines, *closing])
