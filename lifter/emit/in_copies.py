"""The part of a guard that calls lifted code with copies of rows that lie apart from each other.

    f_in_copies(d, s, w, h)      1 where it has done the work of the original, else nothing is done

It tests what the proof assumes of numbers, puts a table of evenly spaced rows in the place of each
table that has none, and asks `f_admits` about those. What is written must lie apart from all else,
row by row, and from the tables, too: the original may look up a row again after it has written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from compiler.ir import I64, Add, Const, Expr, Mul, Sub, Variable, const, postorder, substitute

from ..dag import normal
from .admits import Admits
from .c_expression import c_expression
from .interface import CopiedRead, CopiedTable, Interface, OutputView, Parameter
from .parameter_lists import given_tests, guard_parameters, names_of, row_bounds, scalar_name

COPIES_PRELUDE = Path(__file__).with_name("copies_prelude.h")
Copy = Callable[[str, str, str], str]
"""The C statement that copies from one element of a row to another one, all given as C texts."""


def in_copies(interface: Interface, kept: int) -> list[str]:
    """The lines of `NAME_in_copies`, which takes what `NAME_admits` takes; none where no table of
    rows is copied."""
    return _InCopies(interface, kept).text() if interface.copied else []


class _InCopies:
    """Writes the function, on flat parameters."""

    def __init__(self, interface: Interface, kept: int) -> None:
        self.interface = interface
        self.kept = kept
        self.written = {o.view.array for o in interface.outputs}
        used = [p for p in interface.params if p.name in interface.accesses]
        self.tables = [p for p in used if p.kind == "rows"]
        self.others = [p for p in used if p.kind != "rows"]
        self.copied = {c.array: c for c in interface.copied}

    def text(self) -> list[str]:
        interface = self.interface
        tests = Admits(interface)
        tests.before_rows()
        for table in self.tables:
            tests.lines += row_bounds(interface, table.name)
        copied = [t.name for t in self.tables if t.name in self.copied]
        tests.lines += [
            f"if ({' && '.join(f'{name}_even' for name in copied)})",
            "    return 0;  /* they need no copies */",
        ]
        for table in self.tables:
            if table.name not in self.copied:
                tests.lines += [f"if (!{table.name}_even)", "    return 0;"]
        rows = {table.name: tests.row_box(table.name) for table in self.tables}
        others = {other.name: tests.boxes_of(other.name) for other in self.others}
        for name in self.written & others.keys():
            # What is written isn't apart from itself.
            first, *more = others[name]
            tests.lines += [f"{first} = lift_box_around({first}, {one});" for one in more]
            others[name] = [first]
        spans = str(self.kept + len(self.tables) + sum(map(len, others.values())))
        for table in self.tables:
            spans += f" + ({table.name}_high - {table.name}_low + 1)"
        lines = [
            *tests.lines,
            *self._room(spans, rows),
            *self._copy_tables(copied, rows),
            *self._spans(rows, others),
        ]
        passed = [f"lift_copy_{n}" if n in copied else n for n in names_of(interface)]
        asked = [*passed, *(["lift_places", "lift_sizes"] if self.kept else [])]
        tried = f"{interface.name}_try{'_flat' if interface.has_vectors else ''}"
        lines += [
            f"if (lift_spans_apart(lift_spans, lift_count) && {interface.name}_admits("
            f"{', '.join(asked)})) {{",
            *(f"    {line}" for name in copied for line in self._copied_in(name)),
            f"    if ({tried}({', '.join(passed)}) == 0) {{",
            *(f"        {line}" for name in copied for line in self._copied_back(name)),
            "        lift_done = 1;",
            "    }",
            "}",
            "free(lift_memory);",
            "return lift_done;",
        ]
        lines[:0] = given_tests(interface, "\n".join(lines))
        own = guard_parameters(interface, self.kept)
        return [
            "",
            "/* The lifted code with copies of rows that lie anywhere; 0 where nothing is done. */",
            f"static inline int {interface.name}_in_copies({own})",
            "{",
            *("    " + line for line in lines),
            "}",
        ]

    def _room(self, spans: str, rows: dict[str, str]) -> list[str]:
        """Declares how much memory is needed, and gets it."""
        lines = [
            "int lift_done = 0;",
            "int64_t lift_count = 0;",
            f"int64_t lift_room = lift_rounded(lift_product({spans}, (int64_t)sizeof(lift_span)));",
        ]
        for name in self.copied:
            size = _size(self.interface.parameter(name))
            lines += [
                f"const int64_t lift_rows_{name} = {name}_even ? 0 : {name}_high - {name}_low + 1;",
                f"const int64_t lift_width_{name} = lift_copied_width({rows[name]}, {size});",
                f"lift_room += lift_room_of_rows(lift_rows_{name}, lift_width_{name}, {size});",
            ]
        return [
            *lines,
            "char *const lift_memory = lift_copies_memory(lift_room);",
            "if (!lift_memory)",
            "    return 0;",
            "char *lift_next = lift_memory;",
            "lift_span *const lift_spans = (lift_span *)lift_take(&lift_next, "
            f"({spans}) * (int64_t)sizeof(lift_span));",
        ]

    def _copy_tables(self, copied: list[str], rows: dict[str, str]) -> Iterator[str]:
        """Declares a table for each, of rows without contents where it isn't evenly spaced."""
        for name in copied:
            parameter = self.interface.parameter(name)
            own, pointer = _own_type(parameter), f"{_own_type(parameter)} *"
            size = _size(parameter)
            yield f"{own} *lift_copy_{name} = ({pointer})(intptr_t){name};"
            yield f"lift_run *lift_runs_{name} = 0;"
            yield f"if (!{name}_even) {{"
            yield f"    lift_copy_{name} = ({pointer})((intptr_t)lift_take(&lift_next, "
            yield f"        lift_rows_{name} * (int64_t)sizeof(void *)) - {name}_low * "
            yield "        (int64_t)sizeof(void *));"
            yield f"    lift_runs_{name} = (lift_run *)lift_take(&lift_next, "
            yield f"        lift_rows_{name} * (int64_t)sizeof(lift_run));"
            yield f"    for (int64_t lift_row = 0; lift_row < lift_rows_{name}; lift_row++) {{"
            yield f"        char *lift_place = lift_take(&lift_next, lift_width_{name} * {size});"
            yield f"        lift_copy_{name}[{name}_low + lift_row] = ({own})((intptr_t)lift_place "
            yield f"            - {rows[name]}.low * {size});"
            yield f"        lift_runs_{name}[lift_row].low = 0;"
            yield f"        lift_runs_{name}[lift_row].high = -1;"
            yield "    }"
            yield "}"

    def _spans(self, rows: dict[str, str], others: dict[str, list[str]]) -> Iterator[str]:
        """Lists the memory that the call touches."""

        def add(place: str, size: str, box: str, written: bool) -> str:
            return (
                f"lift_add_span(lift_spans, &lift_count, {place}, {size}, {box}, {int(written)});"
            )

        for name, box in rows.items():
            parameter = self.interface.parameter(name)
            yield f"if ({name}_low <= {name}_high) {{"
            whole = f"lift_box_axis(lift_box_at(0), 1, {name}_low, {name}_high)"
            yield f"    {add(name, '(int64_t)sizeof(void *)', whole, False)}"
            yield f"    for (int64_t lift_row = {name}_low; lift_row <= {name}_high; lift_row++)"
            row = add(f"{name}[lift_row]", _size(parameter), box, name in self.written)
            yield f"        {row}"
            yield "}"
        for name, boxes in others.items():
            size = _size(self.interface.parameter(name))
            for box in boxes:
                yield add(name, size, box, name in self.written)
        if self.kept:
            yield f"for (int lift_kept = 0; lift_kept < {self.kept}; lift_kept++)"
            sized = "lift_sizes[lift_kept], lift_box_at(0)"
            yield f"    lift_add_span(lift_spans, &lift_count, lift_places[lift_kept], {sized}, 0);"

    def _copied_in(self, name: str) -> Iterator[str]:
        """Copies what the original reads of a table."""
        table: CopiedTable = self.copied[name]
        size = _size(self.interface.parameter(name))

        def copy(row: str, low: str, high: str) -> str:
            ends = f"{size}, {low}, {high}, &lift_runs_{name}[({row}) - {name}_low]"
            return f"lift_copy_run((void *)lift_copy_{name}[{row}], {name}[{row}], {ends});"

        if table.reads:
            yield f"if (!{name}_even) {{"
            for read in table.reads:
                yield from ("    " + line for line in _loops(read, copy))
            yield "}"

    def _copied_back(self, name: str) -> Iterator[str]:
        """Copies what the lifted code has written to the rows of a table."""
        parameter = self.interface.parameter(name)

        def copy(row: str, low: str, high: str) -> str:
            rows = f"(void *){name}[{row}], lift_copy_{name}[{row}]"
            return f"lift_copy_elements({rows}, {_size(parameter)}, {low}, {high});"

        for output in self.interface.outputs:
            if output.view.array == name:
                given = f" && {name}_given" if parameter.may_be_null else ""
                yield f"if (!{name}_even{given}) {{"
                yield from ("    " + line for line in _loops(_stored(output), copy))
                yield "}"


def _stored(output: OutputView) -> CopiedRead:
    """What is written of a table, as what is read of one."""
    names = [Variable(f"lift_at{i}", I64) for i in range(len(output.region))]
    *inside, row = names
    element = output.view.offset
    for stride, place in zip(output.view.strides, inside, strict=False):
        element = Add(element, Mul(stride, place))
    region = tuple((low, normal(Sub(end, const(1, I64)))) for low, end in output.region)
    order = tuple(reversed(names))
    return CopiedRead(order, tuple(reversed(region)), row, normal(element), output.condition)


def _loops(read: CopiedRead, copy: Copy) -> Iterator[str]:
    """C loops over all points of a read, over neighbours at once where there are any."""
    ends = dict(zip(read.coordinates, read.region, strict=True))
    bound = _names(*(e for pair in read.region for e in pair))
    told = _names(read.row, *([] if read.condition is None else [read.condition]))
    together = [c for c in reversed(read.coordinates) if c not in bound | told]
    run = next((c for c in together if _step(read.element, c) == 1), None)
    order = [c for c in read.coordinates if c is not run]
    if not bound & set(read.coordinates):
        # Rows outside, so that what lies in one row is copied one after the other.
        order.sort(key=lambda c: c not in _names(read.row))
    used = bound | told | _names(read.element)
    indent = ""
    for coordinate in order:
        low, high = (_c(end) for end in ends[coordinate])
        name = coordinate.name
        if coordinate in used:
            yield f"{indent}for (int64_t {name} = {low}; {name} <= {high}; {name}++)"
        else:
            yield f"{indent}if (({low}) <= ({high}))"
        indent += "    "
    if read.condition is not None:
        yield f"{indent}if ({_c(read.condition)})"
        indent += "    "
    first = last = read.element
    if run is not None:
        first, last = (normal(substitute(read.element, {run: end})) for end in ends[run])
    yield f"{indent}{copy(_c(read.row), _c(first), _c(last))}"


def _step(element: Expr, coordinate: Variable) -> int | None:
    """By how many elements a step of the coordinate moves, where that is one number."""
    following = substitute(element, {coordinate: Add(coordinate, const(1, I64))})
    step = normal(Sub(following, element))
    return int(step.value) if isinstance(step, Const) else None


def _names(*parts: Expr) -> set[Expr]:
    return {node for node in postorder(*parts) if isinstance(node, Variable)}


def _c(expr: Expr) -> str:
    return c_expression(expr, scalar_name)


def _size(parameter: Parameter) -> str:
    return f"(int64_t)sizeof({parameter.memory})"


def _own_type(parameter: Parameter) -> str:
    """The type of a row's pointer."""
    return f"{'const ' if parameter.const else ''}{parameter.element} *"
