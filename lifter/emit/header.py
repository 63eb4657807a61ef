"""`<function>.h`: the lifted entry point, and the guarded one that falls back to the original."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from compiler.ir import I32, U64, Const, Expr, Sub, Variable, postorder

from .c_expression import c_expression
from .interface import Interface, Parameter, View

WITH_ORIGINAL = (
    "#ifdef LIFT_WITH_ORIGINAL  /* define it where the original's classes are declared */"
)
_POINTER = (
    "#ifndef LIFT_POINTER",
    "#define LIFT_POINTER",
    "struct lift_pointer {",
    "    const void *place;",
    "    template <typename T> operator T *() const { return (T *)place; }",
    "};",
    "#endif",
)
"""A pointer that becomes one to whatever is asked for."""
_PRELUDE = Path(__file__).with_name("guard_prelude.h")


def header_text(interface: Interface) -> str:
    """The header: C where the parameters allow it, the guarded entry for C++ alone.

    `NAME_lifted` takes exactly the original's parameters, a pointer for a reference; with vectors
    it is a C++ wrapper of `NAME_lifted_flat`. `NAME_admits` says whether all preconditions hold for
    the arguments; `NAME_guarded` calls the lifted code when they do and the original otherwise.
    """
    name = interface.name
    macro = f"LIFT_{name.upper()}_H"
    lines = [
        f"/* {name}, lifted from {interface.file}:{interface.line}. */",
        f"#ifndef {macro}",
        f"#define {macro}",
        "",
        "#include <stdbool.h>",
        "#include <stddef.h>",
        "#include <stdint.h>",
    ]
    if _has_vectors(interface):
        lines += ["#include <vector>"]
    lines += ["", _PRELUDE.read_text("utf-8").rstrip(), "", "#ifdef __cplusplus", 'extern "C" {']
    lines += ["#endif", ""]
    entry = f"{name}_lifted_flat" if _has_vectors(interface) else f"{name}_lifted"
    lines += [f"void {entry}({parameters(interface, flat=True)});", ""]
    lines += ["#ifdef __cplusplus", '}  /* extern "C" */', "#endif", ""]
    if _has_vectors(interface):
        lines += [
            f"inline void {name}_lifted({parameters(interface, flat=False)})",
            "{",
            f"    {entry}({_flat_arguments(interface)});",
            "}",
            "",
        ]
    lines += [*_admits(interface), "", "#ifdef __cplusplus", *_guarded(interface), "#endif", ""]
    lines += ["#endif"]
    return "\n".join(lines) + "\n"


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


def _has_vectors(interface: Interface) -> bool:
    return any(p.kind == "vector" for p in interface.params)


def _flat_arguments(interface: Interface) -> str:
    """Arguments of the flat entry, from the parameters of the C++ one."""
    arguments = []
    for parameter in interface.params:
        if parameter.kind == "vector":
            size = f"(int64_t){parameter.name}.size()"
            arguments += [f"{parameter.name}.data()", size]
        else:
            arguments.append(parameter.name)
    return ", ".join(arguments)


def _scalar(name: str) -> str:
    """A scalar of the source as the flat parameters have it: `src.size` is `src_size`."""
    return name.replace(".", "_")


class _Admits:
    """Writes the function that tests the preconditions, on flat parameters."""

    def __init__(self, interface: Interface) -> None:
        self.interface = interface
        self.lines: list[str] = []
        self.boxes: dict[str, int] = {}

    def text(self) -> list[str]:
        interface = self.interface
        tests = [a for a in interface.assumptions if a.kind == "formula"]
        for assumption in interface.assumptions:
            if assumption.kind == "not-null":
                self._not_null(assumption.arrays[0])
        self._unsigned([a.formula for a in tests if a.formula is not None])
        # Row strides appear in formulas, so the tables come first.
        plain = [a for a in tests if not self._uses_rows(a.formula)]
        late = [a for a in tests if self._uses_rows(a.formula)]
        for assumption in plain:
            assert assumption.formula is not None
            self._require(assumption.formula, assumption.text)
        for array in dict.fromkeys(p.name for p in interface.params if p.kind == "rows"):
            if array in interface.accesses:
                self._rows(array)
        for assumption in late:
            assert assumption.formula is not None
            self._require(assumption.formula, assumption.text)
        for array in dict.fromkeys(output.view.array for output in interface.outputs):
            if interface.view_of(array).rows:
                self._rows_apart(array)
        self._sizes()
        for assumption in interface.assumptions:
            if assumption.kind == "disjoint":
                self._disjoint(assumption.arrays)
        head = [
            "/* Whether everything holds that the proof of the lifted code assumes. */",
            f"static inline int {interface.name}_admits({parameters(interface, flat=True)})",
            "{",
        ]
        unused = [f"    (void){n};" for n in self._names() if not self._mentions(n)]
        return [*head, *unused, *("    " + line for line in self.lines), "    return 1;", "}"]

    def _names(self) -> list[str]:
        names = []
        for parameter in self.interface.params:
            names.append(parameter.name)
            if parameter.kind == "vector":
                names.append(f"{parameter.name}_size")
        return names

    def _mentions(self, name: str) -> bool:
        code = [line for line in self.lines if not line.lstrip().startswith("/*")]
        return any(re.search(rf"\b{re.escape(name)}\b", line) for line in code)

    def _uses_rows(self, formula: Expr | None) -> bool:
        return formula is not None and any(
            isinstance(n, Variable) and n.name.endswith(".row_stride") for n in postorder(formula)
        )

    def _c(self, expr: Expr) -> str:
        return c_expression(expr, _scalar)

    def _require(self, formula: Expr, text: str) -> None:
        self.lines += [f"/* {_comment(text)} */", f"if (!({self._c(formula)}))", "    return 0;"]

    def _unsigned(self, formulas: Sequence[Expr]) -> None:
        """The largest numbers of 64 bits are negative in the arithmetic of the tests."""
        used = {n.name for n in postorder(*formulas) if isinstance(n, Variable)}
        for parameter in self.interface.params:
            if parameter.kind == "scalar" and parameter.type is U64 and parameter.name in used:
                self.lines += [f"if ((int64_t){_scalar(parameter.name)} < 0)", "    return 0;"]

    def _rows(self, array: str) -> None:
        """The stride of a table of row pointers over all rows in use, and that it is one."""
        parameter = self.interface.parameter(array)
        boxes = self.interface.accesses[array]
        low, high = (self._c(e) for e in boxes[0][-1])
        for box in boxes[1:]:
            low = f"lift_min({low}, {self._c(box[-1][0])})"
            high = f"lift_max({high}, {self._c(box[-1][1])})"
        self.lines += [
            f"/* the rows of {array} are evenly spaced */",
            f"int {array}_even = 1;",
            f"const int64_t {array}_low = {low}, {array}_high = {high};",
            f"const int64_t {array}_row_stride = lift_row_stride({array}, "
            f"{row_address(self.interface, array)},",
            f"    (int64_t)sizeof({parameter.memory}), {array}_low, {array}_high, &{array}_even);",
            f"if (!{array}_even || !lift_fits_int32({array}_row_stride))",
            "    return 0;",
        ]

    def _rows_apart(self, array: str) -> None:
        """What is read of a row that is written lies in no other row either."""
        view = self.interface.view_of(array)
        inner: list[str] = []
        for number, box in enumerate(self.interface.accesses[array]):
            name = f"{array}_row{number}"
            inner.append(name)
            self.lines.append(f"lift_box {name} = lift_box_at({self._c(view.offset)});")
            for stride, (low, high) in list(zip(view.strides, box, strict=True))[:-1]:
                ends = f"{self._c(stride)}, {self._c(low)}, {self._c(high)}"
                self.lines.append(f"{name} = lift_box_axis({name}, {ends});")
        for name in inner[1:]:
            self.lines.append(f"{inner[0]} = lift_box_around({inner[0]}, {name});")
        self.lines += [
            f"if ({array}_low < {array}_high && !lift_row_fits({inner[0]}, {array}_row_stride))",
            "    return 0;",
        ]

    def _sizes(self) -> None:
        """The compiled code counts coordinates and strides in 32 bits."""
        sizes: list[Expr] = []
        for output in self.interface.outputs:
            for low, high in output.region:
                sizes += [low, high, *([] if _is_zero(low) else [Sub(high, low)])]
        views = [*self.interface.images, *(o.view for o in self.interface.outputs)]
        for view in views:
            sizes += view.strides
        fits = dict.fromkeys(self._c(size) for size in sizes if not self._always_fits(size))
        tests = [f"lift_fits_int32({text})" for text in fits]
        if tests:
            joined = "\n      && ".join(tests)
            self.lines += ["/* sizes and strides fit 32 bits */", f"if (!({joined}))".replace(
                "\n", "\n    "), "    return 0;"]  # fmt: skip

    def _always_fits(self, size: Expr) -> bool:
        if isinstance(size, Const):
            return I32.contains(int(size.value))
        types = {p.name: p.type for p in self.interface.params if p.kind == "scalar"}
        if not isinstance(size, Variable) or size.name not in types:
            return isinstance(size, Variable) and size.name.endswith(".row_stride")
        type = types[size.name]
        return type.bits < 32 or type is I32

    def _not_null(self, name: str) -> None:
        """Pointers to objects aren't flat parameters: the guarded entry itself tests those."""
        if any(p.name == name for p in self.interface.params):
            self.lines += [f"/* {name} isn't null */", f"if (!{name})", "    return 0;"]

    def _disjoint(self, arrays: tuple[str, ...]) -> None:
        a, b = arrays
        self.lines.append(f"/* {a} and {b} do not overlap */")
        for left in self._boxes_of(a):
            for right in self._boxes_of(b):
                p, q = self._place(a), self._place(b)
                self.lines += [f"if (!lift_apart({p}, {left}, {q}, {right}))", "    return 0;"]

    def _place(self, array: str) -> str:
        parameter = self.interface.parameter(array)
        pointer = array
        if parameter.kind == "rows":
            empty = f"{array}_low > {array}_high"
            pointer = f"({empty} ? (const void *)0 : (const void *){array}[{array}_low])"
        return f"{pointer}, (int64_t)sizeof({parameter.memory})"

    def _boxes_of(self, array: str) -> list[str]:
        """Names of C variables with the boxes of the array, declared on first use."""
        boxes = self.interface.accesses.get(array, ())
        if array not in self.boxes:
            self.boxes[array] = len(boxes)
            view = self.interface.view_of(array)
            for number, box in enumerate(boxes):
                name = f"{array}_box{number}"
                self.lines.append(f"lift_box {name} = lift_box_at({self._c(view.offset)});")
                self.lines += [
                    f"{name} = lift_box_axis({name}, {stride}, {low}, {high});"
                    for stride, low, high in self._axes(view, array, box)
                ]
        return [f"{array}_box{n}" for n in range(self.boxes[array])]

    def _axes(
        self, view: View, array: str, box: tuple[tuple[Expr, Expr], ...]
    ) -> list[tuple[str, str, str]]:
        axes = []
        for number, (stride, (low, high)) in enumerate(zip(view.strides, box, strict=True)):
            c_low, c_high = self._c(low), self._c(high)
            if view.rows and number == len(box) - 1:
                c_low, c_high = f"({c_low}) - {array}_low", f"({c_high}) - {array}_low"
            axes.append((self._c(stride), c_low, c_high))
        return axes


def row_address(interface: Interface, array: str) -> str:
    """The name of the C function that reads a row pointer of `array` with its own type."""
    return f"{interface.name}_{array}_row"


def _row_addresses(interface: Interface) -> list[str]:
    lines = []
    for parameter in interface.params:
        if parameter.kind == "rows" and parameter.name in interface.accesses:
            const = "const " if parameter.const else ""
            lines += [
                f"static inline intptr_t {row_address(interface, parameter.name)}"
                "(const void *rows, int64_t row)",
                "{",
                f"    return (intptr_t)(({const}{parameter.element} *const *)rows)[row];",
                "}",
                "",
            ]
    return lines


def _admits(interface: Interface) -> list[str]:
    return [*_row_addresses(interface), *_Admits(interface).text()]


def _is_zero(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.value == 0


def _comment(text: str) -> str:
    return text.replace("*/", "* /").replace("\n", " ")


def _guarded(interface: Interface) -> list[str]:
    if interface.takes_objects:
        return _guarded_objects(interface)
    is_instance = "<" in interface.qualified_name
    *spaces, plain = interface.qualified_name.split("<")[0].split("::")
    own = parameters(interface, flat=False, references=True)
    own = "" if own == "void" else own
    opening = "".join(f"namespace {space} {{ " for space in spaces)
    closing = " }" * len(spaces)
    flat, lifted, original = [], [], []
    by_name = {p.name: p for p in interface.params}
    for parameter in interface.params:
        name = parameter.name
        # An instance's own types are the original's affair: it takes what it wants.
        theirs = is_instance and parameter.kind == "array" and not parameter.is_standard
        original.append(f"lift_pointer{{{name}}}" if theirs else name)
        if parameter.kind == "vector":
            flat += [f"{name}.data()", f"(int64_t){name}.size()"]
            lifted.append(name)
        elif parameter.kind == "reference" and "&" in parameter.spelling:
            flat.append(f"&{name}")
            lifted.append(f"&{name}")
        else:
            passed = _numbers(parameter, name) if parameter.is_void else name
            flat.append(passed)
            lifted.append(passed)
    entry = [
        "/* The lifted code where its proof holds, the original elsewhere. */",
        f"inline {interface.result} {interface.name}_guarded({own})",
        *_choice(interface, flat, lifted, original, lambda name: _size(name, by_name)),
    ]
    if is_instance:
        return [WITH_ORIGINAL.replace("classes are", "template is"), *_POINTER, *entry, "#endif"]
    return [f"{opening}{interface.result} {plain}({own});{closing}", "", *entry]


def _size(name: str, params: dict[str, Parameter]) -> str:
    """A scalar of the flat entry in the guarded one, which has vectors."""
    stem, _, last = name.rpartition(".")
    return f"{stem}.size()" if last == "size" and stem in params else name


def _choice(
    interface: Interface,
    admits: Sequence[str],
    lifted: Sequence[str],
    original: Sequence[str],
    scalar: Callable[[str], str],
    tests: str = "",
) -> list[str]:
    """The body of the guarded entry; `scalar` gives the C text of a parameter."""
    admitted = f"{tests}{interface.name}_admits({', '.join(admits)})"
    run = f"{interface.name}_lifted({', '.join(lifted)});"
    otherwise = f"{interface.qualified_name}({', '.join(original)});"
    if interface.returned is None:
        return [
            "{", f"    if ({admitted})", f"        {run}", "    else", f"        {otherwise}", "}",
        ]  # fmt: skip
    value = c_expression(interface.returned, scalar)
    return [
        "{",
        f"    if (!({admitted}))",
        f"        return {otherwise}",
        f"    {run}",
        f"    return ({interface.result})({value});",
        "}",
    ]


def _numbers(parameter: Parameter, place: str) -> str:
    """A pointer to what isn't a number by itself, as the lifted function has it."""
    if parameter.kind != "array" or parameter.is_standard:
        return place
    return f"({'const ' if parameter.const else ''}{parameter.element} *){place}"


def _guarded_objects(interface: Interface) -> list[str]:
    """The guarded entry with the original's own parameters, for those who have its classes.

    A method's fields are its class's own affair: it has the flat entry alone.
    """
    if any(s.passing == "this" for s in interface.sources):
        return []
    declared_: list[str] = []
    flat: list[str] = []
    passed: list[str] = []
    followed: list[str] = []
    places: dict[str, str] = {}
    by_name = {p.name: p for p in interface.params}
    for source in interface.sources:
        passed.append(source.name)
        if source.passing == "plain":
            parameter = by_name[source.name]
            declared_.append(declared(parameter, flat=False, references=True))
            is_reference = parameter.kind == "reference" and "&" in parameter.spelling
            flat.append(f"&{source.name}" if is_reference else _numbers(parameter, source.name))
            continue
        arrow = source.passing == "pointer"
        constant = "const " if source.spelling.startswith("const ") else ""
        declared_.append(f"{constant}{source.record} {'*' if arrow else '&'}{source.name}")
        if arrow:
            followed.append(source.name)
        for field in source.fields:
            place = f"{source.name}{'->' if arrow else '.'}{field.path}"
            if not field.param:
                followed.append(place)
                continue
            if field.record == "std::array":
                place = f"{place.removesuffix('.')}.data()" if not arrow else f"{place}data()"
            parameter = by_name[field.param]
            if parameter.kind == "vector":
                return []
            is_reference = "&" in parameter.spelling
            places[field.param] = place
            flat.append(f"&{place}" if is_reference else _numbers(parameter, place))
    own = ", ".join(declared_)
    tests = "".join(f"{pointer} && " for pointer in followed)
    return [
        WITH_ORIGINAL,
        "/* The lifted code where its proof holds, the original elsewhere. */",
        f"inline {interface.result} {interface.name}_guarded({own})",
        *_choice(interface, flat, flat, passed, lambda name: places.get(name, name), tests),
        "#endif",
    ]
