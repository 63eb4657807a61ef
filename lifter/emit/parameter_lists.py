"""The parameters of a lifted function in C and C++: as declared, as passed on, as named."""

from __future__ import annotations

import re
from collections.abc import Callable

from .c_expression import c_expression
from .interface import Box, Interface, Parameter


def parameters(interface: Interface, *, flat: bool, references: bool = False) -> str:
    """The parameter list: `flat` makes pointer and size of a vector, `references` keeps `T&`."""
    parts = [declared(p, flat=flat, references=references) for p in interface.params]
    return ", ".join(parts) or "void"


def declared(parameter: Parameter, *, flat: bool, references: bool = False) -> str:
    """One parameter's declaration."""
    element = f"{'const ' if parameter.const else ''}{parameter.element}"
    name = parameter.name
    match parameter.kind:
        case "scalar":
            return f"{parameter.element} {name}"
        case "rows":
            inner = " *const *" if "*const*" in parameter.spelling.replace(" ", "") else " **"
            return f"{element}{inner}{name}"
        case "vector" if flat:
            return f"{element} *{name}, int64_t {name}_size"
        case "vector":
            const = "const " if parameter.const else ""
            return f"{const}std::vector<{parameter.element}> &{name}"
        case "reference" if references and "&" in parameter.spelling:
            return f"{element} &{name}"
        case _ if references and parameter.is_void:
            return f"{'const ' if parameter.const else ''}void *{name}"
    return f"{element} *{name}"


def flat_arguments(interface: Interface) -> str:
    """Arguments of the flat entry, from the parameters of the C++ one."""
    arguments = []
    for parameter in interface.params:
        if parameter.kind == "vector":
            size = f"(int64_t){parameter.name}.size()"
            arguments += [f"{parameter.name}.data()", size]
        else:
            arguments.append(parameter.name)
    return ", ".join(arguments)


def scalar_name(name: str) -> str:
    """A scalar of the source as the flat parameters have it: `src.size` is `src_size`."""
    return name.replace(".", "_")


def names_of(interface: Interface) -> list[str]:
    """The names of the flat parameters."""
    names = []
    for parameter in interface.params:
        names.append(parameter.name)
        if parameter.kind == "vector":
            names.append(f"{parameter.name}_size")
    return names


def given_tests(interface: Interface, text: str) -> list[str]:
    """C lines that declare `NAME_given` of those pointers of which `text` names it."""
    names = (p.name for p in interface.params if p.may_be_null)
    return [
        f"const bool {name}_given = {name} != 0;"
        for name in names
        if re.search(rf"\b{re.escape(name)}_given\b", text)
    ]


def row_address(interface: Interface, array: str) -> str:
    """The name of the C function that reads a row pointer of `array` with its own type."""
    return f"{interface.name}_{array}_row"


def has_points(box: Box, named: Callable[[str], str] = scalar_name) -> str:
    """Whether a box isn't empty, in C; `named` gives the C text of a parameter."""
    ends = ([c_expression(e, named) for e in axis] for axis in box)
    return " && ".join(f"({low}) <= ({high})" for low, high in ends) or "1"


def is_there(parameter: Parameter) -> str:
    """What stands before `has_points` of an array that may be null: nothing is touched then."""
    return f"{parameter.name} && " if parameter.may_be_null else ""


def row_bounds(interface: Interface, array: str) -> list[str]:
    """C lines that declare `ARRAY_low` and `ARRAY_high`, the first and the last row in use of a
    table of row pointers, `ARRAY_row_stride` in elements, and whether there is one, `ARRAY_even`.
    """
    parameter = interface.parameter(array)
    lines = [f"int64_t {array}_low = INT64_MAX, {array}_high = INT64_MIN;"]
    for box in interface.accesses[array]:
        low, high = (c_expression(e, scalar_name) for e in box[-1])
        # The rows of an empty box needn't be there.
        lines += [
            f"if ({is_there(parameter)}{has_points(box)}) {{",
            f"    {array}_low = lift_min({array}_low, {low});",
            f"    {array}_high = lift_max({array}_high, {high});",
            "}",
        ]
    return [
        *lines,
        f"if ({array}_low > {array}_high)",
        f"    {array}_low = 0, {array}_high = -1;",
        f"int {array}_even = 1;",
        f"const int64_t {array}_row_stride = lift_row_stride({array}, "
        f"{row_address(interface, array)},",
        f"    (int64_t)sizeof({parameter.memory}), {array}_low, {array}_high, &{array}_even);",
    ]


def guard_parameters(interface: Interface, kept: int) -> str:
    """Those of `NAME_admits`: with `kept` variables whose values the caller has read."""
    flat = parameters(interface, flat=True)
    if not kept:
        return flat
    return f"{flat}, const void *const *lift_places, const int64_t *lift_sizes"


def comment(text: str) -> str:
    """The text as it may stand in a C comment, on one line."""
    return text.replace("*/", "* /").replace("/*", "/ *").replace("\n", " ")
