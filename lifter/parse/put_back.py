"""Where a kernel's text stands in its file, and what names of that place its interface has.

A region's statements stay where they are and run where the lifted code doesn't. That is possible
where they are text of the file itself: what a macro or another file makes can't be led elsewhere
without a second meaning for those who use it, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from itertools import pairwise
from typing import Any

from ..model.kernel import (
    LEFT_WITH,
    Kernel,
    Param,
    PutBack,
    PutBackArgument,
    RegionChoice,
    SourceField,
    Store,
    statements,
)
from .jumps import LOOPS
from .liveness import Run
from .naming import instance_test, template_of
from .program import FunctionDefinition
from .region import RegionDefinition
from .syntax import Node, in_system_header, library, scopes_of, strip
from .types import (
    is_pointer,
    is_reference,
    never_changes,
    pointee_of,
    scalar_type,
    vector_record,
    vector_row,
)

_POINTER_BYTES = 8
_VECTOR_BYTES = 24
"""Of a `std::vector` itself: three pointers in every library."""
_OF_VECTORS = (".data()", ".size()")
"""What is asked of a vector of structures."""
_AS_FAST = frozenset({"memset", "memcpy", "memmove", "fill", "fill_n", "copy", "copy_n"})
"""Functions of the library of which a call by itself stays what it is."""
_SUB_STATEMENT = frozenset(
    {
        "FOR_STMT", "WHILE_STMT", "CXX_FOR_RANGE_STMT", "SWITCH_STMT", "IF_STMT", "LABEL_STMT",
        "CASE_STMT", "DEFAULT_STMT", "UNEXPOSED_STMT", "CXX_TRY_STMT", "CXX_CATCH_STMT",
    }
)  # fmt: skip
"""Statements that end where the last statement inside of them does."""
_ENDED = frozenset({"COMPOUND_STMT", "DECL_STMT", "NULL_STMT"})
"""Statements whose place reaches to their own end; that of others lacks the semicolon."""
_BEHIND = re.compile(rb"(?:\s|//[^\n]*\n|/\*.*?\*/|\\\r?\n)*;", re.DOTALL)
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(\w*)|\b(_Pragma)\b", re.MULTILINE)
_DEFINES = re.compile(rb"^[ \t]*#[ \t]*(define|undef)\b", re.MULTILINE)
_EXIT = re.compile(r"return\b[^#\\\"'{};\ufffd]*;")
"""A `return` without what can't be moved to another line: comments among others."""
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_CONSTEXPR = re.compile(rb"\bconste(xpr|val)\b")


class _Refused(Exception):
    """Why the text can't be replaced."""


def with_put_back(
    kernel: Kernel,
    definition: FunctionDefinition,
    path: str,
    text: bytes,
    is_read_again: bool,
    macros: frozenset[str],
) -> Kernel:
    """The kernel with what it takes to put its lifted code into its file, whose bytes are `text`,
    where the source `path` is compiled.

    `is_read_again`: whether the source includes itself; `macros`: the names that are
    macros without parameters somewhere in it.
    """
    is_cpp = not path.endswith(".c")
    cursor = definition.node.cursor
    file = str(cursor.location.file)
    is_inline = bool(library().clang_Cursor_isFunctionInlined(cursor))
    is_included = file != path
    made = PutBack(file, is_inline=is_inline, is_included=is_included)
    try:
        if is_read_again:
            raise _Refused("its file includes itself, so its text has several meanings")
        instance: tuple[str, ...] = ()
        if _is_of_template(cursor):
            body = _host_body(definition).cursor.extent.start
            test = instance_test(cursor, (str(body.file), int(body.offset)))
            if test is None:
                raise _Refused("an instance of a template, whose text other instances share")
            instance = (test,)
        if isinstance(definition, RegionDefinition):
            calls = [strip(s) for s in definition.run.statements]
            if all(map(_is_as_fast, calls)):
                raise _Refused(f"`{calls[0].spelling}` is as fast as it gets")
            if _is_of_one_pixel(definition.run, kernel):
                raise _Refused("it runs for each pixel, and a call takes longer than it does")
            pieces = _pieces(definition, file, text)
            made = replace(made, pieces=_places(pieces, text), is_alone=_is_alone(definition.run))
            exits = tuple(
                f"return {LEFT_WITH};"
                if number in definition.known_inside
                else _exit(way, file, text)
                for number, way in enumerate(definition.ways_out, 1)
            )
            if exits and any(_DEFINES.search(text, *piece) for piece in pieces):
                raise _Refused("it defines macros, and is left by `return`")
            made = replace(made, exits=exits)
        else:
            made = replace(made, pieces=_places([_body(definition, file, text)], text))
        made = _with_arguments(made, kernel, definition, is_cpp)
        made = replace(made, present=(*instance, *made.present), is_instance=bool(instance))
        for name in _names_in(made):
            if name in macros:
                raise _Refused(f"`{name}` is a macro, too")
        begin = _host_body(definition).cursor.extent.start.offset
        head = text[cursor.extent.start.offset : begin]
        constant = _CONSTEXPR.search(head)
        if constant is not None and constant[1] == b"val":
            raise _Refused("consteval: it never runs")
        made = replace(made, is_constexpr=constant is not None)
        if (definition.functions or definition.given) and len(made.pieces) > 1:
            raise _Refused("its statements stand apart, and there are several formulas for them")
        if (made.moved or made.exits) and len(made.pieces) > 1:
            raise _Refused("a declaration among these loops is used after them")
    except _Refused as why:
        made = PutBack(file, is_inline=is_inline, is_included=is_included, refused=str(why))
    return replace(kernel, put_back=made)


def _names_in(made: PutBack) -> Iterator[str]:
    """The words of what is added to a file's text."""
    told = (a.text for a in made.arguments)
    written = (*told, *made.present, *(p for p, _ in made.kept), *(v for _, v, *_ in made.moved))
    for text in written:
        yield from _WORD.findall(text)


def _is_of_one_pixel(run: Run, kernel: Kernel) -> bool:
    """Whether loops make numbers alone, within two loops or more: the sum over a window."""
    around = sum(node.kind in LOOPS for node in run.path)
    numbers = {name for name, array in kernel.arrays.items() if array.origin != "param"}
    numbers |= {p.name for p in kernel.params if p.kind == "reference"}
    stored = {s.array for s in statements(kernel.body) if isinstance(s, Store)}
    return around >= 2 and stored <= numbers


def _is_as_fast(call: Node) -> bool:
    named = call.kind == "CALL_EXPR" and call.spelling in _AS_FAST
    return named and call.declaration is not None and in_system_header(call.declaration)


def _places(
    pieces: Sequence[tuple[int, int]], text: bytes
) -> tuple[tuple[int, int, int, int], ...]:
    """Offsets as lines and columns, which are those of the file: what is added to the text that is
    parsed stands at the ends of lines."""

    def place(offset: int) -> tuple[int, int]:
        return text.count(b"\n", 0, offset) + 1, offset - text.rfind(b"\n", 0, offset)

    return tuple((*place(start), *place(end)) for start, end in pieces)


def _host_body(definition: FunctionDefinition) -> Node:
    """The body of the whole function, of that around a region."""
    return definition.host.body if isinstance(definition, RegionDefinition) else definition.body


def _is_of_template(cursor: Any) -> bool:
    """Whether a function is an instance, or stands in a class that is one."""
    while cursor is not None and cursor.kind.name != "TRANSLATION_UNIT":
        if template_of(cursor) is not None or "TEMPLATE" in cursor.kind.name:
            return True
        cursor = cursor.semantic_parent
    return False


def _place(node: Node, file: str) -> tuple[int, int]:
    """A node's first byte and the one behind its last, in the file where it is used."""
    extent = node.cursor.extent
    if extent.start.file is None or str(extent.start.file) != file:
        raise _Refused("it stands in another file")
    if extent.end.file is None or str(extent.end.file) != file:
        raise _Refused("it ends in another file")
    return int(extent.start.offset), int(extent.end.offset)


def _statement(node: Node, file: str, text: bytes) -> tuple[int, int]:
    """The same for a statement, its semicolon included."""
    start, end = _place(node, file)
    if not _has_end(node):
        behind = _BEHIND.match(text, end)
        if behind is not None:
            end = behind.end()
    return start, end


def _exit(way: Node, file: str, text: bytes) -> str:
    """The text of a `return`, on one line."""
    start, end = _statement(way, file, text)
    found = text[start:end].decode("utf-8", "replace")
    if not _EXIT.fullmatch(found) or "//" in found or "/*" in found:
        raise _Refused("a macro makes a `return`")
    return " ".join(found.split())


def _has_end(node: Node) -> bool:
    """Whether the last token of a statement is the last one that clang has of it."""
    while node.kind in _SUB_STATEMENT and node.children:
        node = node.children[-1]
    return node.kind in _ENDED


def _body(definition: FunctionDefinition, file: str, text: bytes) -> tuple[int, int]:
    """What is between the braces of a function's body."""
    body = definition.body
    if body.kind != "COMPOUND_STMT":
        raise _Refused("its body is a try block")
    start, end = _place(body, file)
    own, _ = _place(definition.node, file)
    if own >= start or text[start : start + 1] != b"{" or text[end - 1 : end] != b"}":
        raise _Refused("a macro makes it")
    return start + 1, end - 1


def _pieces(region: RegionDefinition, file: str, text: bytes) -> tuple[tuple[int, int], ...]:
    """The statements of a region, without declarations that the text after it needs."""
    run = region.run
    places = [_statement(s, file, text) for s in run.statements]
    siblings = run.block.children
    first = next(i for i, c in enumerate(siblings) if c is run.statements[0])
    last = first + len(places) - 1
    before = _place(run.block, file)[0]
    if run.block.kind == "COMPOUND_STMT" and text[before : before + 1] == b"{":
        before += 1
    elif run.block.kind == "COMPOUND_STMT":
        raise _Refused("a macro makes it")
    own = places[0][0]
    if first:
        before = max(before, _statement(siblings[first - 1], file, text)[1])
    if own < before or (run.block.kind != "COMPOUND_STMT" and own == before):
        raise _Refused("a macro makes it")
    if last + 1 < len(siblings):
        following = siblings[last + 1].cursor.extent.start
        if str(following.file) == file and following.offset < places[-1][1]:
            raise _Refused("a macro makes it")
    for (_, end), (start, _) in pairwise(places):
        if start < end:
            raise _Refused("a macro makes it")
    if text[places[-1][1] - 1 : places[-1][1]] not in (b"}", b";", b")"):
        raise _Refused("a macro makes it")
    if _is_shared_text(region, file, own, places[-1][1]):
        raise _Refused("a macro makes it together with something else")
    places[0] = _with_pragmas(before, own, text), places[0][1]
    pieces: list[tuple[int, int]] = []
    for statement, (start, end) in zip(run.statements, places, strict=True):
        if statement.kind == "DECL_STMT" and _is_needed_after(region, statement):
            pieces.append((end, end))
        elif pieces and pieces[-1][0] < pieces[-1][1]:
            pieces[-1] = pieces[-1][0], end
        elif pieces:
            pieces[-1] = start, end
        else:
            pieces.append((start, end))
    return tuple(p for p in pieces if p[0] < p[1])


def _is_shared_text(region: RegionDefinition, file: str, start: int, end: int) -> bool:
    """Whether anything else of the function comes from the text that would stand behind the call:
    a macro may make a `break` or half of the next statement, too."""

    def place(node: Node) -> tuple[int, int] | None:
        extent = node.cursor.extent
        if extent.start.file is None or str(extent.start.file) != file:
            return None
        return int(extent.start.offset), int(extent.end.offset)

    last = _place(region.run.statements[-1], file)[1]  # without its semicolon
    own = {*map(id, region.run.path), *map(id, region.run.statements)}
    for around in region.run.path:
        found = place(around)
        if found is None or found[0] >= start or found[1] < last:
            return True
        if around.kind in ("COMPOUND_STMT", "DO_STMT") and found[1] <= end:
            return True
        for child in around.children:
            found = None if id(child) in own else place(child)
            if found is not None and found[0] < end and found[1] > start:
                return True
    return False


def _with_pragmas(before: int, start: int, text: bytes) -> int:
    """Where a statement begins together with the pragmas right before it."""
    found = {m[1] or m[2] for m in _DIRECTIVE.finditer(text, before, start)}
    return before if found and found <= {b"pragma", b"_Pragma"} else start


def _is_needed_after(region: RegionDefinition, statement: Node) -> bool:
    """Whether what a statement among those of a region declares is named after them. Raises where
    that isn't as good as its declaration."""
    needed = False
    for child in statement.children:
        if child.kind != "VAR_DECL":
            needed = True  # types, as a rule
            continue
        needed = needed or region.is_used_after(child)
    if needed:
        for child in statement.children:
            if child.kind == "VAR_DECL" and not region.is_redone(child.key):
                raise _Refused(
                    f"`{child.spelling}` is declared among these loops and used after them"
                )
    return needed


def _is_alone(run: Run) -> bool:
    return run.block.kind not in ("COMPOUND_STMT", "CASE_STMT", "DEFAULT_STMT")


def _with_arguments(
    made: PutBack, kernel: Kernel, definition: FunctionDefinition, is_cpp: bool
) -> PutBack:
    nodes = {n.spelling: n for n in definition.parameters if n.spelling}
    kinds = {p.name: p for p in kernel.params}
    outputs = kernel.region.outputs if kernel.region is not None else ()
    moved = tuple(
        (o.param, o.variable, o.step, max(1, pointee_of(nodes[o.variable].type).get_size()))
        for o in outputs
        if o.step
    )
    distances = kernel.region.distances if kernel.region is not None else ()
    choices = {c.param: c for c in (kernel.region.choices if kernel.region is not None else ())}
    arguments: dict[str, PutBackArgument] = {}
    present: list[str] = []
    kept: list[tuple[str, int]] = []
    left = {o.param: o.variable for o in outputs if not o.step}
    for source in kernel.source_params:
        node = nodes.get(left.get(source.name, source.name))
        if source.passing == "plain":
            apart = {name for name, *_ in (*moved, *map(astuple, distances))}
            if source.name in apart or source.name in choices:
                continue
            if kernel.region is not None and source.name == kernel.region.left:
                arguments[source.name] = PutBackArgument(source.name, "lift_left")
                continue
            if kernel.region is not None and source.name == kernel.region.left_with:
                arguments[source.name] = PutBackArgument(source.name, LEFT_WITH)
                continue
            own = kinds.get(source.name)
            is_variable = own is not None and own.kind == "reference" and "&" in own.spelling
            shared = node is not None and not is_variable and _is_shared(node, definition)
            text = "0" if node is None else _named(node, definition, is_cpp)
            array, _, index = source.name.rpartition(".")
            of_structures = nodes.get(array if node is None else source.name)
            if of_structures is not None and vector_record(of_structures.type) is not None:
                vector = _named(of_structures, definition, is_cpp)
                part = "size()" if node is None else "data()"
                arguments[source.name] = PutBackArgument(source.name, f"{vector}.{part}")
                kept.append((vector, _VECTOR_BYTES))
                continue
            if node is None and array in nodes:
                # An element of an array, or of a table of tables of rows.
                at = _named(nodes[index], definition, is_cpp) if index in nodes else index
                whole = _named(nodes[array], definition, is_cpp)
                if is_pointer(nodes[array].type):
                    element = f"{whole}[{at}]"
                    arguments[source.name] = PutBackArgument(source.name, element, True, True)
                    if _is_shared(nodes[array], definition):
                        kept.append((whole, _POINTER_BYTES))
                    continue
                shared, text = True, f"{whole}[{at}]"
            arguments[source.name] = PutBackArgument(source.name, text, shared)
            if source.name in kinds and kinds[source.name].kind == "vector":
                kept.append((text, _VECTOR_BYTES))
            elif node is not None and vector_row(node.type) is not None:
                arguments[source.name] = PutBackArgument(source.name, f"{text}.data()")
                kept.append((text, _VECTOR_BYTES))
            continue
        text = "this" if node is None else _named(node, definition, is_cpp)
        if source.passing == "pointer":
            present.append(text)
            if node is not None and _is_shared(node, definition):
                kept.append((text, _POINTER_BYTES))
        is_object = source.passing == "object"
        for field in source.fields:
            place = f"{text}{'.' if is_object else '->'}{field.path}"
            if field.record == "std::array":
                place = f"{place.removesuffix('.')}.data()"
            elif is_cpp and node is not None:
                hidden = _hidden(node.type, text, field.path, definition)
                if hidden is not None and not field.param:
                    raise _Refused(f"`{field.path}` can't be named here")
                if hidden is not None:
                    place = _around(hidden, kinds[field.param], field)
            if field.param and field.path.endswith(_OF_VECTORS):
                arguments[field.param] = PutBackArgument(field.param, place)
                kept.append((place.rpartition(".")[0], _VECTOR_BYTES))
            elif not field.param:
                present.append(place)
                kept.append((place, _POINTER_BYTES))
            elif field.param in choices:
                arguments[field.param] = _which(choices[field.param], place, definition, is_cpp)
                kept.append((place, _POINTER_BYTES))
            elif kinds[field.param].kind == "vector":
                arguments[field.param] = PutBackArgument(field.param, place)
                kept.append((place, _VECTOR_BYTES))
            elif field.is_row_vector:
                arguments[field.param] = PutBackArgument(field.param, f"{place}.data()")
                kept.append((place, _VECTOR_BYTES))
            elif field.count > 0 or kinds[field.param].kind == "reference":
                arguments[field.param] = PutBackArgument(field.param, place)
            else:
                arguments[field.param] = PutBackArgument(field.param, place, True)
    for choice in choices.values():
        if choice.pointer and choice.param in kinds:
            node = nodes[choice.pointer]
            text = _named(node, definition, is_cpp)
            arguments[choice.param] = _which(choice, text, definition, is_cpp)
            if _is_shared(node, definition):
                kept.append((text, _POINTER_BYTES))
    for told in distances:
        node = nodes[told.pointer]
        text = _named(node, definition, is_cpp)
        if _is_shared(node, definition):
            kept.append((text, _POINTER_BYTES))
        if told.base not in arguments:
            raise _Refused(f"`{told.base}` has no name here")
        base = arguments[told.base].text
        away = f"(const char *)({text}) - (const char *)({base})"
        arguments[told.param] = PutBackArgument(told.param, away)
    known = [arguments[p.name] for p in kernel.params if p.name in arguments]
    if len(known) + len(moved) != len(kernel.params):
        raise _Refused("one of its parameters has no name here")
    return replace(
        made, arguments=tuple(known), present=tuple(present), kept=tuple(kept), moved=moved
    )


def _which(
    choice: RegionChoice, place: str, definition: FunctionDefinition, is_cpp: bool
) -> PutBackArgument:
    """Which of the known functions a pointer leads to; -1 for any other."""
    assert isinstance(definition, RegionDefinition)
    if choice.elsewhere:
        raise _Refused(f"`{choice.elsewhere[0]}`, which a pointer may lead to, has no name here")
    for name in choice.functions:
        if not is_cpp and definition.host.declared_names[name]:
            raise _Refused(f"`{name}` is a local name, too")
    names = (n if n.startswith("::") or not is_cpp else f"::{n}" for n in choice.functions)
    tests = (f"{place} == {name} ? {i} : " for i, name in enumerate(names))
    return PutBackArgument(choice.param, f"({''.join(tests)}-1)")


@dataclass(frozen=True, slots=True)
class _Hidden:
    """A member that the text around the call may not name: an object, and how far in it is."""

    object: str
    """The address of the object."""
    offset: int


def _hidden(type: Any, text: str, path: str, definition: FunctionDefinition) -> _Hidden | None:
    """Where a private member is that inlined methods of other classes have led to; None for one
    that can be named.

    Raises where another object stands between that can't be named, either.
    """
    if "[" in path or path.endswith(_OF_VECTORS):
        # An element of a member array, or what is asked of a vector.
        plain = re.sub(r"\[[^]]*\]|\.\w+\(\)$", "", path)
        if _hidden(type, text, plain, definition) is not None:
            raise _Refused(f"`{path}` can't be named here")
        return None
    is_object = not is_pointer(type)
    address = f"__builtin_addressof({text})" if is_object else text
    if is_pointer(type) or is_reference(type):
        type = pointee_of(type)
    named = f"{text}{'.' if is_object else '->'}"
    offset, is_hidden = 0, False
    for name, then in re.findall(r"(\w+)(->|\.|$)", path):
        field = next((f for f in type.get_fields() if f.spelling == name), None)
        bits = -1 if field is None else type.get_offset(name)
        if field is None or bits < 0 or bits % 8:
            return None
        offset += bits // 8
        is_hidden = is_hidden or not _may_name(field, definition)
        type = field.type.get_canonical()
        named += f"{name}{then}"
        if then == "->":
            if is_hidden:
                raise _Refused(f"`{path}` can't be named here")
            address, offset = named.removesuffix("->"), 0
            type = pointee_of(type)
    return _Hidden(address, offset) if is_hidden else None


def _may_name(field: Any, definition: FunctionDefinition) -> bool:
    if field.access_specifier.name in ("PUBLIC", "NONE", "INVALID"):
        return True
    around = definition.node.cursor.semantic_parent
    while around is not None and around.kind.name != "TRANSLATION_UNIT":
        if around.canonical == field.semantic_parent.canonical:
            return True
        around = around.semantic_parent
    return False


def _around(hidden: _Hidden, param: Param, field: SourceField) -> str:
    """The text of a member that can't be named: a vector, an array's address, or its first byte."""
    start = f"const_cast<char *>(reinterpret_cast<const char *>({hidden.object}))"
    if param.kind == "vector" or field.is_row_vector:
        type = param.spelling.removesuffix("&").strip()
        if field.is_row_vector:
            type = f"std::vector<{type.removesuffix('const *').strip()}>"
        return f"(*reinterpret_cast<{type} *>({start} + {hidden.offset}))"
    return f"{start} + {hidden.offset}" if field.count > 0 else f"{start}[{hidden.offset}]"


def _is_shared(node: Node, definition: FunctionDefinition) -> bool:
    """Whether somebody else may have the address of a variable whose value is passed."""
    if not isinstance(definition, RegionDefinition):
        return False  # nobody knows a parameter yet
    if never_changes(node.type) or is_reference(node.type):
        return False
    if scalar_type(node.type) is None and not is_pointer(node.type):
        return False
    return definition.is_known_elsewhere(node)


def _named(node: Node, definition: FunctionDefinition, is_cpp: bool) -> str:
    """A variable's name, in full for one of C++ outside of all functions."""
    name = node.spelling or "0"
    if not isinstance(definition, RegionDefinition) or definition.is_local(node):
        return name
    if not is_cpp:
        return name
    return "::".join(["", *filter(None, scopes_of(node.cursor)), name])
