"""`NAME_admits`: whether a call is one that the proof of the lifted code is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from compiler.ir import I32, I64, U64, Const, Expr, Sub, Variable, const, postorder

from ..model.summary import counted_in_32_bits
from .c_expression import c_expression
from .interface import ImageView, Interface, ScannedNumber
from .parameter_lists import (
    comment,
    given_tests,
    guard_parameters,
    has_points,
    is_there,
    names_of,
    row_bounds,
    scalar_name,
)


class Admits:
    """Writes the function that tests the preconditions, on flat parameters."""

    def __init__(self, interface: Interface, kept: int = 0, on_device: bool = False) -> None:
        self.interface = interface
        self.kept = kept
        self.on_device = on_device
        self.lines: list[str] = []
        self.boxes: dict[str, int] = {}

    def before_rows(self) -> None:
        """The tests that no row stride appears in."""
        interface = self.interface
        for assumption in interface.assumptions:
            if assumption.kind == "not-null":
                self._not_null(assumption.arrays[0])
        self._arrays_are_there()
        tests = [a for a in interface.assumptions if a.kind == "formula"]
        self._unsigned([a.formula for a in tests if a.formula is not None])
        for assumption in tests:
            assert assumption.formula is not None
            if not self._uses_rows(assumption.formula):
                self._require(assumption.formula, assumption.text)

    def text(self) -> list[str]:
        """The function's lines."""
        interface = self.interface
        # Row strides appear in formulas, so the tables come first.
        self.before_rows()
        for array in dict.fromkeys(p.name for p in interface.params if p.kind == "rows"):
            if array in interface.accesses:
                self._rows(array)
        for assumption in interface.assumptions:
            if assumption.kind == "formula" and self._uses_rows(assumption.formula):
                assert assumption.formula is not None
                self._require(assumption.formula, assumption.text)
        for array in dict.fromkeys(output.view.array for output in interface.outputs):
            if interface.view_of(array).rows:
                self._rows_apart(array)
        self._sizes()
        apart = [a.arrays for a in interface.assumptions if a.kind == "disjoint"]
        late = [arrays for arrays in apart if not interface.compared.keys().isdisjoint(arrays)]
        for arrays in apart:
            if arrays not in late:
                self._disjoint(arrays)
        # All else holds by now, so what is scanned is there.
        for scan in interface.scans:
            self._scan(scan)
        for greatest, most in interface.limits:
            self.lines += [f"if ({greatest} > {self._c(most)})", "    return 0;"]
        for least, end in interface.floors:
            self.lines += [f"if ({least} < {self._c(end)})", "    return 0;"]
        self._fit(e for boxes in interface.compared.values() for b in boxes for a in b for e in a)
        for arrays in late:
            self._disjoint(arrays)
        for parameter in interface.params:
            if parameter.kind == "rows" and parameter.name in interface.accesses:
                self._table_apart(parameter.name)
        if self.kept:
            self._kept_apart()
        if interface.has_floats:
            self.lines += [
                "/* floats are rounded to nearest, tiny ones too */",
                "if (!lift_default_float_modes())",
                "    return 0;",
            ]
        self.lines[:0] = given_tests(interface, "\n".join(self.lines))
        head = [
            "/* Whether everything holds that the proof of the lifted code assumes. */",
            f"static inline int {interface.name}_admits({guard_parameters(interface, self.kept)})",
            "{",
        ]
        unused = [f"    (void){n};" for n in names_of(interface) if not self._mentions(n)]
        return [*head, *unused, *("    " + line for line in self.lines), "    return 1;", "}"]

    def _kept_apart(self) -> None:
        """Variables whose values the caller has read lie outside of all that is written."""
        written = dict.fromkeys(o.view.array for o in self.interface.outputs)
        boxes = {array: self.boxes_of(array) for array in written}
        self.lines += [
            "/* what was read before the call lies apart from what is written */",
            f"for (int lift_kept = 0; lift_kept < {self.kept}; lift_kept++) {{",
        ]
        for array, names in boxes.items():
            for name in names:
                place = f"{self.place(array)}, {name}"
                other = "lift_places[lift_kept], lift_sizes[lift_kept], lift_box_at(0)"
                self.lines += [f"    if (!lift_apart({place}, {other}))", "        return 0;"]
        self.lines.append("}")

    def _mentions(self, name: str) -> bool:
        code = [line for line in self.lines if not line.lstrip().startswith("/*")]
        return any(re.search(rf"\b{re.escape(name)}\b", line) for line in code)

    def _uses_rows(self, formula: Expr | None) -> bool:
        return formula is not None and any(
            isinstance(n, Variable) and n.name.endswith(".row_stride") for n in postorder(formula)
        )

    def _c(self, expr: Expr) -> str:
        return c_expression(expr, scalar_name)

    def _require(self, formula: Expr, text: str) -> None:
        self.lines += [f"/* {comment(text)} */", f"if (!({self._c(formula)}))", "    return 0;"]

    def _unsigned(self, formulas: Sequence[Expr]) -> None:
        """The largest numbers of 64 bits are negative in the arithmetic of the tests."""
        used = {n.name for n in postorder(*formulas) if isinstance(n, Variable)}
        for parameter in self.interface.params:
            if parameter.kind == "scalar" and parameter.type is U64 and parameter.name in used:
                self.lines += [f"if ((int64_t){scalar_name(parameter.name)} < 0)", "    return 0;"]

    def _rows(self, array: str) -> None:
        """The stride of a table of row pointers over all rows in use, and that it is one."""
        self.lines += [
            f"/* the rows of {array} are evenly spaced */",
            *row_bounds(self.interface, array),
            f"if (!{array}_even || !lift_fits_int32({array}_row_stride))",
            "    return 0;",
        ]

    def row_box(self, array: str) -> str:
        """The name of the box, declared here, around what is touched of each row of a table."""
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
        return inner[0]

    def _rows_apart(self, array: str) -> None:
        """What is read of a row that is written lies in no other row either."""
        box = self.row_box(array)
        self.lines += [
            f"if ({array}_low < {array}_high && !lift_row_fits({box}, {array}_row_stride))",
            "    return 0;",
        ]

    def _sizes(self) -> None:
        """The compiled code counts coordinates and strides in 32 bits."""
        views = [*self.interface.images, *(o.view for o in self.interface.outputs)]
        sizes = counted_in_32_bits(
            (axis for output in self.interface.outputs for axis in output.region),
            (view.strides for view in views),
        )
        sizes += self.interface.bounds
        one_less = {Sub(size, const(1, I64)) for size in sizes}
        for array, boxes in self.interface.accesses.items():
            # Constant ends beyond 32 bits are those of a type; what is scanned says the true ones.
            scanned = array in self.interface.compared
            ends = [end for box in boxes for axis in box for end in axis if end not in one_less]
            sizes += [end for end in ends if not (scanned and isinstance(end, Const))]
        self._fit(sizes)

    def _fit(self, sizes: Iterable[Expr]) -> None:
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

    def _arrays_are_there(self) -> None:
        """The original may touch nothing where a table of rows is looked at, or what is written is
        copied: no counts of a histogram without pixels."""
        written = {output.view.array for output in self.interface.outputs}
        told = {a.arrays[0] for a in self.interface.assumptions if a.kind == "not-null"}
        for parameter in self.interface.params:
            boxes = self.interface.accesses.get(parameter.name)
            if (
                boxes
                and (parameter.kind == "rows" or parameter.name in written)
                and parameter.kind in ("array", "rows", "vector")
                and parameter.name not in told
                and not parameter.may_be_null
            ):
                used = " || ".join(f"({has_points(box)})" for box in boxes)
                self.lines += [f"if (!{parameter.name} && ({used}))", "    return 0;"]

    def _scan(self, scan: ScannedNumber) -> None:
        """The least and the greatest of a number at the points of a box, which the original has."""
        least, greatest = scan.least, scan.greatest
        arrays = dict.fromkeys(read.array for read in scan.reads)
        there = "".join(is_there(self.interface.parameter(array)) for array in arrays)
        self.lines += [
            f"/* the numbers that are read of {', '.join(arrays)} */",
            f"int64_t {least} = INT64_MAX, {greatest} = INT64_MIN;",
            f"if ({there}{has_points(scan.region)})",
        ]
        if self.on_device:
            self.lines[-1] += " {"
            for array in arrays:
                self._copy_of(scan, array)
        indent = self._loops(scan, *(r.element for r in scan.reads), scan.value)
        for read in scan.reads:
            memory = self.interface.parameter(read.array).memory
            place = f"lift_{read.array}_at" if self.on_device else f"(const char *){read.array}"
            self.lines += [
                f"{indent}{memory} {read.name};",
                f"{indent}memcpy(&{read.name}, {place}"
                f" + ({self._c(read.element)}) * (int64_t)sizeof {read.name}, sizeof {read.name});",
            ]
        value = self._c(scan.value)
        self.lines += [
            f"{indent}{least} = lift_min({least}, {value});",
            f"{indent}{greatest} = lift_max({greatest}, {value});",
            f"{indent[4:]}}}",
            *(
                [*(f"    free(lift_{array}_copy);" for array in arrays), "}"]
                if self.on_device
                else []
            ),
            f"if ({least} > {greatest})",
            f"    {least} = 0, {greatest} = -1;",
        ]

    def _loops(self, scan: ScannedNumber, *parts: Expr) -> str:
        """Opens loops over the points of a scan, those that the parts depend on; gives the indent
        of what they do."""
        used = {n.name for n in postorder(*parts) if isinstance(n, Variable)}
        indent = "    "
        for counter, (low, high) in reversed(list(zip(scan.coordinates, scan.region, strict=True))):
            if counter in used:
                first, last = self._c(low), self._c(high)
                steps = f"int64_t {counter} = {first}; {counter} <= {last}; {counter}++"
                self.lines.append(f"{indent}for ({steps})")
                indent += "    "
        self.lines.append(f"{indent[4:]}{{")
        return indent

    def _copy_of(self, scan: ScannedNumber, array: str) -> None:
        """Declares where a scan reads an array: a copy of what lies on the device."""
        elements = [r.element for r in scan.reads if r.array == array]
        size = f"(int64_t)sizeof({self.interface.parameter(array).memory})"
        self.lines += [
            f"    const char *lift_{array}_at = (const char *){array};",
            f"    void *lift_{array}_copy = 0;",
            f"    if (lift_cuda_is_on_device({array})) {{",
            "    int64_t lift_low = INT64_MAX, lift_high = INT64_MIN;",
        ]
        indent = self._loops(scan, *elements)
        for element in elements:
            self.lines += [
                f"{indent}lift_low = lift_min(lift_low, {self._c(element)});",
                f"{indent}lift_high = lift_max(lift_high, {self._c(element)});",
            ]
        self.lines += [
            f"{indent[4:]}}}",
            f"    lift_{array}_copy = lift_cuda_copy_of(lift_{array}_at + lift_low * {size},",
            f"        (lift_high - lift_low + 1) * {size});",
            f"    if (!lift_{array}_copy)",
            "        return 0;",
            f"    lift_{array}_at = (const char *)((intptr_t)lift_{array}_copy",
            f"        - lift_low * {size});",
            "    }",
        ]

    def _disjoint(self, arrays: tuple[str, ...]) -> None:
        a, b = arrays
        self.lines.append(f"/* {a} and {b} do not overlap */")
        for left in self.boxes_of(a):
            for right in self.boxes_of(b):
                p, q = self.place(a), self.place(b)
                self.lines += [f"if (!lift_apart({p}, {left}, {q}, {right}))", "    return 0;"]

    def _table_apart(self, table: str) -> None:
        """The original looks rows up again after it has written."""
        entries = f"lift_box_axis(lift_box_at(0), 1, {table}_low, {table}_high)"
        self.lines.append(f"/* nothing is written over {table} itself */")
        for array in dict.fromkeys(output.view.array for output in self.interface.outputs):
            for box in self.boxes_of(array):
                rows = f"{table}, (int64_t)sizeof(void *), {entries}"
                self.lines += [f"if (!lift_apart({self.place(array)}, {box}, {rows}))",
                               "    return 0;"]  # fmt: skip

    def place(self, array: str) -> str:
        parameter = self.interface.parameter(array)
        pointer = array
        if parameter.kind == "rows":
            empty = f"{array}_low > {array}_high"
            pointer = f"({empty} ? (const void *)0 : (const void *){array}[{array}_low])"
        return f"{pointer}, (int64_t)sizeof({parameter.memory})"

    def boxes_of(self, array: str) -> list[str]:
        """Names of C variables with the boxes of the array, declared on first use."""
        interface = self.interface
        boxes = interface.compared.get(array, interface.accesses.get(array, ()))
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
        self, view: ImageView, array: str, box: tuple[tuple[Expr, Expr], ...]
    ) -> list[tuple[str, str, str]]:
        axes = []
        for number, (stride, (low, high)) in enumerate(zip(view.strides, box, strict=True)):
            c_low, c_high = self._c(low), self._c(high)
            if view.rows and number == len(box) - 1:
                c_low, c_high = f"({c_low}) - {array}_low", f"({c_high}) - {array}_low"
            axes.append((self._c(stride), c_low, c_high))
        return axes
