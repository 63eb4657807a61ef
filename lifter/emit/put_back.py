"""Lifted code back in its place: the call in the user's own text, and the guard that it calls.

    for (y = 0; y < h; y++)            if (!blend_loops1(dst, src, h)) { for (y = 0; y < h; y++)
        ...                                ... }

`blend_loops1` is a function of an object of ours: it tests what the proof assumes, runs the lifted
code, and gives 1, or 0 where nothing has been stored. The user's text sees its prototype alone,
which has none but builtin types. Variables that other pointers may lead to are passed by address:
the guard reads them, and tests that they lie apart from what the lifted code writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..model.kernel import LEFT_WITH, PutBack, PutBackArgument
from .c_expression import c_expression
from .guarded import argument_told, outputs_function, shown
from .header import entry_and_admits, preamble
from .interface import Interface, OutputView, Parameter
from .parameter_lists import declared, has_points, names_of, parameters, scalar_name

_BUILTIN = {
    "bool": "_Bool",
    "float32": "float",
    "float64": "double",
    **{
        f"{code}{bits}": f"{sign}{word}"
        for code, sign in (("int", "signed "), ("uint", "unsigned "))
        for bits, word in ((8, "char"), (16, "short"), (32, "int"), (64, "long"))
    },
}
"""The types of the source's machines, which are LP64, without a header."""
_OF_THE_CALL = ("lift_left", LEFT_WITH)
"""The variable of the text that says how loops are left."""


@dataclass(frozen=True, slots=True)
class PutBackCall:
    """One function or region whose code goes back; its interface has a name of its own."""

    interface: Interface
    name: str
    """The guard's name."""
    is_cpp: bool
    by_hand: bool = False
    """Whether people read the text: the guard is then one of the program's functions."""
    comparing: str = ""
    """The beginning of the names of those functions of the object that compare (`comparing_head`);
    empty where nothing is to be compared."""

    @property
    def is_region(self) -> bool:
        return "#" in self.interface.qualified_name

    def prototype(self) -> str:
        """The guard's declaration, on one line."""
        linkage = 'extern "C" ' if self.is_cpp else "" if self.by_hand else "extern "
        head = f"{linkage}int {self.name}({', '.join(self._types())})"
        if self.by_hand:
            return f"{head};"
        return f'{head} __attribute__((visibility("hidden"), nothrow));'

    @property
    def _compared(self) -> tuple[OutputView, ...]:
        """What is compared in calls that run both: all that the lifted code leaves in memory.

        Where pointers move to and how loops are left is the text's own affair, and so are loops of
        which parts are needed behind them, and what in C may call nothing `static`.
        """
        put_back = self.interface.put_back
        assert put_back is not None
        if put_back.is_constexpr or (put_back.is_inline and not self.is_cpp):
            return ()
        if not self.comparing or len(put_back.pieces) > 1:
            return ()
        told = {p.name for p, a in self._told() if a is not None and a.text not in _OF_THE_CALL}
        return tuple(o for o in self.interface.outputs if o.view.array in told)

    @property
    def _both(self) -> str:
        """The variable of the text for a call that runs both."""
        return f"lift_both_{self.interface.name.removeprefix('lift_')}"

    def _builtin(self, type: object) -> str:
        text = _BUILTIN[str(type)]
        if text != "signed char":
            text = text.removeprefix("signed ")
        return "bool" if self.is_cpp and text == "_Bool" else text

    def _types(self) -> list[str]:
        found: list[str] = []
        written = {output.view.array for output in self.interface.outputs}
        for parameter, text in self._told():
            is_written = parameter.name in written and parameter.kind != "rows"
            constant = "" if is_written else "const "
            if text is None:
                found.append("long *")
            elif text.by_address:
                found.append("const void *")
            elif parameter.kind == "scalar":
                found.append(self._builtin(parameter.type))
            else:
                found.append(f"{constant}void *")
                found += ["long"] if parameter.kind == "vector" else []
        put_back = self.interface.put_back
        assert put_back is not None
        found += ["const void *"] * len(put_back.kept)
        if self.interface.returns is not None:
            found.append(f"{self._builtin(self.interface.returns)} *")
        return [*found, "void **"] if self._compared else found

    def _told(self) -> list[tuple[Parameter, PutBackArgument | None]]:
        """Each parameter with what is passed for it; None for a pointer's move."""
        put_back = self.interface.put_back
        assert put_back is not None
        known = {a.param: a for a in put_back.arguments}
        names = self.interface.put_back_names
        told = zip(self.interface.params, names, strict=True)
        return [(parameter, known.get(name)) for parameter, name in told]

    def _arguments(self) -> list[str]:
        put_back = self.interface.put_back
        assert put_back is not None
        found: list[str] = []
        moves = 0
        for parameter, argument in self._told():
            if argument is None:
                found.append(f"&lift_moved_{moves}")
                moves += 1
            elif parameter.kind == "vector":
                found += [f"{argument.text}.data()", f"(long){argument.text}.size()"]
            elif argument.when:
                found.append(f"{argument.when} ? &{argument.text} : 0")
            elif argument.by_address or (
                parameter.kind == "reference" and "&" in parameter.spelling
            ):
                found.append(f"&{argument.text}")
            else:
                found.append(argument.text)
        found += [f"&{text}" for text, _ in put_back.kept]
        if self.interface.returns is not None:
            found.append("&lift_result")
        return [*found, f"&{self._both}"] if self._compared else found

    def _call(self) -> str:
        put_back = self.interface.put_back
        assert put_back is not None
        return " && ".join([*put_back.present, f"{self.name}({', '.join(self._arguments())})"])

    def texts(self) -> list[tuple[str, str]]:
        """What stands before and behind each piece of the text that the lifted code replaces."""
        plain = self._plain_texts()
        if not self._compared:
            return plain
        end = f"__attribute__((cleanup({self.comparing}_end)))"
        variable = f"{end} void *{self._both} = 0;"
        [(before, behind)] = plain
        if self.is_region:
            return [(f"{{ {variable} {before}", f"{behind} }}")]
        return [(f" {variable}{before}", behind)]

    def _plain_texts(self) -> list[tuple[str, str]]:
        """The same, but for the variable of calls that run both."""
        put_back, call = self.interface.put_back, self._call()
        assert put_back is not None
        constant = "__builtin_is_constant_evaluated()" if put_back.is_constexpr else ""
        if not self.is_region:
            if constant:
                call = f"!{constant} && {call}"
            if self.interface.returns is None:
                return [(f" if ({call}) return; {{", "} ")]
            type = self._builtin(self.interface.returns)
            return [(f" {{ {type} lift_result; if ({call}) return lift_result; }} {{", "} ")]
        if len(put_back.pieces) > 1:
            done = f"lift_done_{self.interface.name.rpartition('_loops')[2]}"
            test = f"!{constant} && {call}" if constant else call
            first = f"const int {done} = {test}; if (!{done}) {{ ", " }"
            return [first, *((f"if (!{done}) {{ ", " }") for _ in put_back.pieces[1:])]
        if put_back.moved or put_back.exits:
            test = f"!{constant} && {call}" if constant else call
            told, steps = self._told_behind()
            before = " ".join(["{", *told, f"if ({test}) {{", *steps, "} else { "])
            return [(before, " } }")]
        several = len(put_back.present) > 0
        test = f"!({call})" if several else f"!{call}"
        test = f"{constant} || {test}" if constant else test
        before, behind = f"if ({test}) {{ ", " }"
        if put_back.is_alone:
            before, behind = f"{{ {before}", f"{behind} }}"
        return [(before, behind)]

    def _told_behind(self) -> tuple[list[str], list[str]]:
        """Declarations of what the lifted code tells beside the variables of the text, and what is
        done with that behind the call."""
        told = self.interface.put_back
        assert told is not None
        variables = [f"long lift_moved_{i} = 0;" for i in range(len(told.moved))]
        steps = [
            f"{variable} += lift_moved_{i}{_scale(step, size)};"
            for i, (_, variable, step, size) in enumerate(told.moved)
        ]
        if told.exits:
            variables.append("int lift_left = 0;")
            given = (p.type for p, text in self._told() if text and text.text == LEFT_WITH)
            variables += [f"{self._builtin(type)} {LEFT_WITH} = 0;" for type in given]
        if len(set(told.exits)) == 1:
            steps.append(f"if (lift_left) {told.exits[0]}")
        elif told.exits:
            ways = enumerate(told.exits, 1)
            steps += [f"if (lift_left == {number}) {way}" for number, way in ways]
        return variables, steps

    def lines(self) -> tuple[list[str], list[str]]:
        """The same as lines, as people write them, for a text in one piece; those behind it say
        by how many steps it is indented. Before a function's own text nothing has to stand behind
        it."""
        told = self.interface.put_back
        assert told is not None
        call = self._call()
        if not self.is_region:
            if self.interface.returns is None:
                return [f"if ({call})", "    return;"], []
            type = self._builtin(self.interface.returns)
            inner = [f"    {type} lift_result;", f"    if ({call})", "        return lift_result;"]
            return ["{", *inner, "}"], []
        if told.moved or told.exits:
            variables, steps = self._told_behind()
            variables, steps = [f"    {v}" for v in variables], [f"        {s}" for s in steps]
            return ["{", *variables, f"    if ({call}) {{", *steps, "    } else {"], ["    }", "}"]
        test = f"if (!({call})) {{" if told.present else f"if (!{call}) {{"
        return (["{", f"    {test}"], ["    }", "}"]) if told.is_alone else ([test], ["}"])

    def misplaced(self) -> str:
        """What to say of a text in which the call isn't as it would be written."""
        opening, closing = (" ".join(" ".join(part).split()) for part in self.lines())
        around = f"`{opening}` before its loops and `{closing}` behind them"
        where = around if self.is_region else f"`{opening}` at the beginning"
        return f"its call of {self.name} isn't what belongs there: {where}, nothing between"

    def guard(self) -> list[str]:
        """The definition of the guard, and the declarations that it needs."""
        interface = self.interface
        put_back = interface.put_back
        assert put_back is not None
        places: list[str] = []
        sizes: list[str] = []
        names: list[str] = []
        before: list[str] = []
        flat: list[str] = []
        rows: list[tuple[int, Parameter, str]] = []
        for number, (parameter, argument) in enumerate(self._told()):
            name = f"lift_{number}"
            names.append(name)
            type = declared(replace_name(parameter), flat=True).partition(",")[0]
            type = type.removesuffix("lift_name").strip()
            if argument is not None and argument.is_row:
                rows.append((len(flat), parameter, type))
                places.append(name)
                sizes.append("sizeof(void *)")
                flat.append(f"{name}_value")
            elif argument is not None and argument.by_address:
                value = f"{name}_value"
                before += [f"{type} {value};", f"memcpy(&{value}, {name}, sizeof {value});"]
                places.append(name)
                sizes.append(f"sizeof {name}_value")
                flat.append(f"{name}_value")
            else:
                flat.append(f"({type}){name}")
            if parameter.kind == "vector":
                names.append(f"{name}_size")
                flat.append(f"{name}_size")
        flat_names = [n for p in interface.params for n in _flat_names(p)]
        values = dict(zip(flat_names, flat, strict=True))
        nullable = [p.name for p in interface.params if p.may_be_null]
        values |= {f"{name}_given": f"{values[name]} != 0" for name in nullable}

        def named(parameter: str) -> str:
            return f"({values[scalar_name(parameter)]})"

        is_written = " || ".join(
            f"({has_points(output.region, named)})" for output in interface.outputs
        )
        for number, parameter, type in rows:
            value = flat[number]
            boxes = interface.accesses.get(parameter.name, ())
            used = " || ".join(f"({has_points(box, named)})" for box in boxes) or "0"
            before += [
                f"{type} {value} = 0;",
                f"if ({value.removesuffix('_value')} && ({is_written}) && ({used}))",
                f"    memcpy(&{value}, {value.removesuffix('_value')}, sizeof {value});",
            ]
        for number, (_, size) in enumerate(put_back.kept):
            names.append(f"lift_kept_{number}")
            places.append(f"lift_kept_{number}")
            sizes.append(str(size))
        if interface.returns is not None:
            names.append("lift_result")
        if self._compared:
            names.append("lift_both")
        own = ", ".join(f"{t} {n}" for t, n in zip(self._types(), names, strict=True))
        tests = list(flat)
        if places:
            before += [
                f"const void *const lift_places[] = {{ {', '.join(places)} }};",
                f"const int64_t lift_sizes[] = {{ {', '.join(sizes)} }};",
            ]
            tests += ["lift_places", "lift_sizes"]
        tried = f"{interface.name}_try{'_flat' if interface.has_vectors else ''}"
        lines = [
            f"int {self.name}({own})",
            "{",
            *("    " + line for line in before),
            *self._tried_beside(", ".join(flat), ", ".join(tests)),
            *self._tried(f"{tried}({', '.join(flat)})", ", ".join(tests)),
        ]
        if interface.returns is not None:
            assert interface.returned is not None
            value = c_expression(interface.returned, named)
            lines.append(f"    *lift_result = ({interface.result})({value});")
        linkage = 'extern "C" ' if self.is_cpp else ""
        lines[0] = f"{linkage}{lines[0]}"
        return [
            *entry_and_admits(interface, len(places), flat=True),
            *self._comparing(tried),
            *lines,
            "    return 1;",
            "}",
            "",
        ]

    def _tried_beside(self, flat: str, tests: str) -> list[str]:
        """Leaves with 0, too, where the original runs to be compared."""
        name = self.interface.name
        if not self._compared:
            return []
        return [
            f"    if (lift_shadow_due(&{name}_counted) && {name}_admits({tests})",
            f"        && (*lift_both = {name}_begin({flat})))",
            "        return 0;",
        ]

    def _comparing(self, tried: str) -> list[str]:
        """The functions of a call that runs both: `_begin` runs the lifted code and takes back what
        it wrote, `_end` compares behind the original."""
        outputs = self._compared
        if not outputs:
            return []
        interface = replace(self.interface, outputs=outputs)
        name, names = interface.name, ", ".join(names_of(interface))
        scalars = [argument_told(p, p.name) for p in interface.params if p.kind == "scalar"]
        own = parameters(interface, flat=True)
        given = [f"    call->given[{i}] = {told};" for i, told in enumerate(scalars)]
        return [
            f"static lift_counts {name}_counted;",
            "typedef struct {",
            "    void (*end)(void *);",
            "    lift_shadow both;",
            f"    lift_region regions[{len(outputs)}];",
            f"    lift_argument given[{len(scalars) or 1}];",
            f"}} {name}_call;",
            *outputs_function(interface),
            f"LIFT_COLD void {name}_end(void *given)",
            "{",
            f"    {name}_call *call = ({name}_call *)given;",
            f'    lift_shadow_end(&call->both, "{shown(interface)}", &{name}_counted, call->given,',
            f"                    {len(scalars)});",
            "    free(call);",
            "}",
            f"LIFT_COLD void *{name}_begin({own})",
            "{",
            f"    {name}_call *call = ({name}_call *)malloc(sizeof *call);",
            "    if (!call)",
            "        return 0;",
            f"    call->end = {name}_end;",
            *given,
            f"    {name}_outputs({names}{', ' if names else ''}call->regions);",
            f"    if (!lift_shadow_begin(&call->both, call->regions, {len(outputs)})) {{",
            "        free(call);",
            "        return 0;",
            "    }",
            f"    const int failed = {tried}({names});",
            "    lift_shadow_turn(&call->both);",
            "    if (failed)",
            "        call->both.count = 0;  /* there is nothing to compare */",
            "    return call;",
            "}",
            "",
        ]

    def _tried(self, tried: str, tests: str) -> list[str]:
        """Leaves with 0 where the original must run."""
        name = self.interface.name
        if self.interface.copied:
            done = f"({name}_admits({tests}) ? {tried} == 0 : {name}_in_copies({tests}))"
            return [f"    if (!{done})", "        return 0;"]
        return [
            f"    if (!{name}_admits({tests})",
            f"        || {tried} != 0)",
            "        return 0;",
        ]


def _scale(step: int, size: int) -> str:
    """What turns steps of the lifted code into those of the pointer."""
    return "" if step == size else f" * {step} / {size}"


def _flat_names(parameter: Parameter) -> list[str]:
    names = [parameter.name]
    return [*names, f"{parameter.name}_size"] if parameter.kind == "vector" else names


def replace_name(parameter: Parameter) -> Parameter:
    """The parameter under a name that no type has in it."""
    return replace(parameter, name="lift_name")


def comparing_head(comparing: str, is_cpp: bool) -> str:
    """What the text sees of calls that run both: the function that ends one where it began."""
    linkage = 'extern "C" ' if is_cpp else "extern "
    hidden = '__attribute__((visibility("hidden"), nothrow))'
    end = f"{comparing}_end(void **call) {{ if (*call) {comparing}_compare(*call); }}"
    return (
        f"{linkage}void {comparing}_compare(void *) {hidden}; "
        f"__attribute__((unused)) static __inline void {end}"
    )


def guards_text(calls: Sequence[PutBackCall], hidden: bool = True) -> tuple[str, list[range]]:
    """The source of the guards, in C or in C++, and the lines of each; with `hidden`, no other
    library of a program sees them."""
    comparing = next((c.comparing for c in calls if c.comparing), "")
    flat = preamble([c.interface for c in calls], shadow=bool(comparing), flat=True)
    lines = [
        *(["#pragma GCC system_header"] if hidden else []),
        "#include <string.h>",
        *"\n".join(flat).split("\n"),
        *(["#pragma GCC visibility push(hidden)"] if hidden else []),
    ]
    if comparing:
        linkage = 'extern "C" ' if calls[0].is_cpp else ""
        head = f"{linkage}void {comparing}_compare(void *call)"
        lines += [f"{head};", head, "{", "    (*(void (**)(void *))call)(call);", "}"]
    places = []
    for call in calls:
        before = len(lines)
        lines += "\n".join(call.guard()).split("\n")
        places.append(range(before + 1, len(lines) + 1))
    lines += ["#pragma GCC visibility pop"] if hidden else []
    return "\n".join(lines) + "\n", places


def _offsets(source: bytes) -> Callable[[int, int], int]:
    """From line and column to offset; the function raises `ValueError` for a place that isn't."""
    starts = [0]
    for line in source.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)

    def offset(line: int, column: int) -> int:
        if not 1 <= line < len(starts) or starts[line - 1] + column - 1 >= starts[line]:
            raise ValueError(f"the source has no line {line}, column {column}")
        return starts[line - 1] + column - 1

    return offset


_NO_CODE = re.compile(rb"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'""", re.DOTALL)
"""Comments and literals."""


def is_in_place(
    source: bytes, call: PutBackCall, places: PutBack, others: Sequence[PutBackCall] = ()
) -> bool:
    """Whether a text calls lifted code once, as `lift patch` writes it: with its own arguments,
    and right around what the lifted code replaces, which is at `places` in this text.

    A text with other arguments, or with more behind the call, is another program: what is lifted
    of it doesn't say so, since the call is left out there. `others` may stand around it: loops may
    have several formulas, one for each function that a pointer leads to.
    """

    def squeezed(text: bytes) -> bytes:
        return b"".join(_NO_CODE.sub(b" ", text).split())

    opening, closing = (squeezed("".join(lines).encode()) for lines in call.lines())
    prototype = squeezed(call.prototype().encode())
    word = rb"(?<![\w$])%s\s*\(" % re.escape(call.name.encode())
    named = len(re.findall(word, _NO_CODE.sub(b" ", source)))
    if len(places.pieces) != 1 or named != squeezed(source).count(prototype) + 1:
        return False
    offset = _offsets(source)
    line, column, end_line, end_column = places.pieces[0]
    start, end = offset(line, column), offset(end_line, end_column)
    if not call.is_region:
        return squeezed(source[start:end]).startswith(opening)
    around = [
        tuple(squeezed("".join(lines).encode()) for lines in other.lines()) for other in others
    ]
    text = squeezed(source[start:end])
    while True:
        if _is_around(text, opening, closing):
            return True
        outer = next((o for o in around if _is_around(text, *o)), None)
        if outer is None:
            break
        text = text[len(outer[0]) : len(text) - len(outer[1])]
    before, behind = squeezed(source[:start]), squeezed(source[end:])
    while not (before.endswith(opening) and behind.startswith(closing)):
        inner = next((o for o in around if before.endswith(o[0]) and behind.startswith(o[1])), None)
        if inner is None:
            return False
        before, behind = before.removesuffix(inner[0]), behind.removeprefix(inner[1])
    return True


def _is_around(text: bytes, opening: bytes, closing: bytes) -> bool:
    """Whether a text is in what `opening` opens and `closing` closes, as a whole."""
    if not (text.startswith(opening) and text.endswith(closing)):
        return False
    depth = 0
    for at in range(len(opening), len(text) - len(closing)):
        depth += {ord("{"): 1, ord("}"): -1}.get(text[at], 0)
        if depth < 0:
            return False
    return depth == 0


def put_back(source: bytes, calls: Sequence[PutBackCall]) -> bytes:
    """The source with these calls in place; no line moves.

    Raises `ValueError` where the places aren't ones of this text.
    """
    offset = _offsets(source)
    insertions: list[tuple[int, int, int, bytes]] = []
    for call in calls:
        told = call.interface.put_back
        assert told is not None
        for piece, (before, behind) in zip(told.pieces, call.texts(), strict=True):
            start, end = offset(*piece[:2]), offset(*piece[2:])
            if not start <= end:
                raise ValueError(f"a piece ends before it begins, in line {piece[0]}")
            # A function's own text surrounds that of regions: it is opened first, closed last.
            insertions.append((start, 1, -end, before.encode()))
            insertions.append((end, 0, -start, behind.encode()))
    made, position = [], 0
    for at, _, _, text in sorted(insertions):
        made += [source[position:at], text]
        position = at
    return b"".join([*made, source[position:]])
