"""Instances of templates: which ones a file uses.

libclang shows the body of an instance, with its arguments put in, to those who hold a reference to
it; it doesn't list instances. Calls are references. An explicit instantiation (`template void
f<float>(float *);`) isn't one, and neither is a name in a table of function pointers, so the text
that clang parses gets an *anchor* behind each: a class with the same function as its friend.
Anchors add no lines, so that all places stay what they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .naming import template_of
from .program import CALLABLE, has_body
from .syntax import children_of, in_system_header, is_in, key_of, kind_of, walk_cursors

CLASS_TEMPLATES = frozenset({"CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"})
_HOLDERS = CLASS_TEMPLATES | {
    "NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL", "CLASS_DECL", "STRUCT_DECL", "UNION_DECL",
    "FRIEND_DECL",
}  # fmt: skip
_FUNCTIONS = frozenset({*CALLABLE, "DESTRUCTOR"})
_REFERRING = frozenset({"CALL_EXPR", "DECL_REF_EXPR", "MEMBER_REF_EXPR"})

ANCHOR_ARGUMENTS = (
    "-DLIFT_PASTED(a, b)=a##b",
    "-DLIFT_ANCHOR_(n)=LIFT_PASTED(lift_anchor_, n)",
    "-DLIFT_ANCHOR=LIFT_ANCHOR_(__COUNTER__)",
)
"""What clang needs to know to read anchors, those that macros make included."""

_SKIPPED = re.compile(
    r"//[^\n]*|/\*.*?\*/|R\"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)\"|\"(?:\\.|[^\"\\\n])*\""
    r"|'(?:\\.|[^'\\\n])*'",
    re.DOTALL,
)
_EXPLICIT = re.compile(
    r"(?<!extern )\btemplate\b(?!\s*<)\s+(?P<declared>[^;{}#\n]*)(?P<end>;|\n|\Z)"
)


def with_anchors(text: str) -> str:
    """`text` with an anchor behind each explicit instantiation of a function.

    Before: `template void f<float>(float *);`, after:
    `template void f<float>(float *); struct A { friend void f<float>(float *); };`.
    """
    if "template" not in text:
        return text
    plain = _SKIPPED.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    # A macro's continued lines are one line.
    joined = plain.replace("\\\n", "  ")
    result: list[str] = []
    last = 0
    for match in _EXPLICIT.finditer(joined):
        if joined[: match.start()].rstrip()[-1:] in (".", ">", ":"):
            continue  # `object.template method<T>()`
        declared = match["declared"]
        in_macro = joined[joined.rfind("\n", 0, match.start()) + 1 :].lstrip().startswith("#")
        if match["end"] != ";" and not in_macro:
            # A declaration over several lines.
            end = joined.find(";", match.start())
            if end < 0:
                continue
            declared = joined[match.start("declared") : end]
            stop = end + 1
        else:
            stop = match.end("declared") + (match["end"] == ";")
        anchor = _anchor(declared)
        if anchor is None:
            continue
        result.append(text[last:stop])
        result.append(f"{'' if match['end'] == ';' or not in_macro else ';'} {anchor}")
        last = stop
    return "".join((*result, text[last:]))


def _anchor(declared: str) -> str | None:
    declared = " ".join(declared.split())
    if re.match(r"(class|struct|union)\b", declared):
        return None
    depth = 0
    for position, character in enumerate(declared):
        if character in "<>":
            depth += 1 if character == "<" else -1
        elif character == "(" and depth == 0:
            head = declared[:position].rstrip()
            if not head or "operator" in head:
                return None
            if not head.endswith(">"):
                head += "<>"
            return f"struct LIFT_ANCHOR {{ friend {head}{declared[position:]}; }};"
    return None


def with_table_anchors(text: str, own: Sequence[Any]) -> str:
    """`text` with an anchor behind each table, of its file's `own` declarations, that holds
    pointers to instances of templates.

    Before: `Blend *const T[] = {f<A>};`, after:
    `Blend *const T[] = {f<A>}; struct L { friend __typeof__(void (int *)) f<A>; };`.
    """
    content = text.encode()
    inserted: list[tuple[int, bytes]] = []
    for table in _tables(own):
        function = _function_type(table.type.get_canonical())
        if function is None:
            continue
        names: dict[bytes, None] = {}
        for cursor in walk_cursors(table):
            if _is_overloaded(cursor):
                extent = cursor.extent
                names[content[extent.start.offset : extent.end.offset]] = None
        end = content.find(b";", table.extent.end.offset)
        anchors = b"".join(
            b" struct LIFT_ANCHOR { friend __typeof__(%s) %s; };" % (function.encode(), name)
            for name in names
            if b"<" in name
        )
        if anchors and end >= 0:
            inserted.append((end + 1, anchors))
    for position, anchor in sorted(inserted, reverse=True):
        content = content[:position] + anchor + content[position:]
    return content.decode()


def _tables(declarations: Sequence[Any]) -> Iterator[Any]:
    for cursor in declarations:
        kind = kind_of(cursor)
        if kind in ("NAMESPACE", "LINKAGE_SPEC"):
            yield from _tables(children_of(cursor))
        elif kind == "VAR_DECL" and any(map(_is_overloaded, walk_cursors(cursor))):
            yield cursor


def _is_overloaded(cursor: Any) -> bool:
    return kind_of(cursor) == "DECL_REF_EXPR" and any(
        kind_of(c) == "OVERLOADED_DECL_REF" for c in children_of(cursor)
    )


def _function_type(type: Any) -> str | None:
    """The type of the functions that a table's elements, or one field of them, point to."""
    while type.kind.name in ("CONSTANTARRAY", "INCOMPLETEARRAY"):
        type = type.element_type.get_canonical()
    if type.kind.name == "RECORD":
        found = [
            f for f in (_function_type(c.type.get_canonical()) for c in type.get_fields()) if f
        ]
        return found[0] if len(found) == 1 else None
    if type.kind.name == "POINTER":
        pointee = type.get_pointee().get_canonical()
        return str(pointee.spelling) if pointee.kind.name == "FUNCTIONPROTO" else None
    return None


def instances(roots: Iterable[Any]) -> Iterator[Any]:
    """The functions outside of system headers that are instances of templates and used by the
    `roots`, each once.

    Bodies of instances are searched in turn.
    """
    seen: set[tuple[int, int]] = set()
    waiting = list(roots)
    while waiting:
        for cursor in walk_cursors(waiting.pop(0)):
            found = _referenced(cursor)
            if found is None or found.kind.name not in CALLABLE or template_of(found) is None:
                continue
            body = found.get_definition()
            if body is None or not has_body(body) or key_of(body) in seen:
                continue
            seen.add(key_of(body))
            if in_system_header(body):
                continue
            waiting.append(body)
            yield body


def users_of_templates(declarations: Sequence[Any], own: Sequence[Any], path: str) -> Sequence[Any]:
    """Of a unit's declarations, in order, those that may use instances of templates of `path`,
    whose declarations are its `own`.

    A header's code can name a template only behind its first declaration. Most files declare none
    of their templates in a header, or have none: their headers, which are long, aren't searched.
    """
    first = next((i for i, c in enumerate(declarations) if c is own[0]), 0) if own else 0
    positions: dict[int, int] | None = None
    templates = False
    for cursor in _templates(own):
        templates = True
        declared = cursor.canonical
        if is_in(declared, path):
            continue
        if positions is None:
            positions = {c.hash: i for i, c in enumerate(declarations)}
        while declared is not None and declared.hash not in positions:
            declared = declared.lexical_parent
        first = min(first, 0 if declared is None else positions[declared.hash])
    return declarations[first:] if templates else own


def _templates(declarations: Sequence[Any]) -> Iterator[Any]:
    """The templates of functions among declarations and inside of them, methods of class templates
    and specializations included."""
    for cursor in declarations:
        kind = kind_of(cursor)
        if kind in _HOLDERS:
            yield from _templates(children_of(cursor))
        elif kind == "FUNCTION_TEMPLATE" or (
            kind in _FUNCTIONS
            and (template_of(cursor) is not None or _is_of_template(cursor.semantic_parent))
        ):
            yield cursor


def is_generic(cursor: Any) -> bool:
    """Whether a function is a template, or a method of a class template, and no instance."""
    while cursor is not None and kind_of(cursor) != "TRANSLATION_UNIT":
        if kind_of(cursor) == "FUNCTION_TEMPLATE" or kind_of(cursor) in CLASS_TEMPLATES:
            return True
        cursor = cursor.semantic_parent
    return False


def _is_of_template(cursor: Any) -> bool:
    while cursor is not None and kind_of(cursor) != "TRANSLATION_UNIT":
        if kind_of(cursor) in CLASS_TEMPLATES or template_of(cursor) is not None:
            return True
        cursor = cursor.semantic_parent
    return False


def _referenced(cursor: Any) -> Any:
    """The function that an expression names, or an anchor, which a friend is."""
    kind = kind_of(cursor)
    if kind == "FRIEND_DECL":
        return next(iter(children_of(cursor)), None)
    return cursor.referenced if kind in _REFERRING else None
