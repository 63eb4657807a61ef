"""Constants of file (or namespace) scope."""

from __future__ import annotations

from typing import NoReturn

from compiler.ir import I64, Const, Type

from ..model.kernel import Array
from .bindings import Object, Pointer
from .dispatch import construct
from .failure import unsupported
from .objects import new_object
from .syntax import Node
from .tables import table_values
from .translation import Translation
from .types import extents_of, is_array, is_const


def add_table(
    t: Translation,
    node: Node,
    element: Type,
    shape: tuple[int, ...],
    values: tuple[int | float, ...],
) -> Pointer:
    """A constant table as an array of the kernel, once for each declaration."""
    span = node.span
    name = t.declared.table_places.get(span)
    if name is None:
        name = t.fresh_array(node.spelling)
        t.declared.table_places[span] = name
        size = Const(I64, len(values))
        t.declare_array(Array(name, element, 1, "table", size, values, shape, span))
    return Pointer(name, element)


def table_of(t: Translation, node: Node) -> Pointer | None:
    """The constant table that a name of file (or namespace) scope stands for."""
    cursor = node.declaration
    if cursor is None or cursor.kind.name != "VAR_DECL":
        return None
    declaration = Node(cursor.get_definition() or cursor)
    if not is_array(declaration.type):
        refuse_global(node)
    extents = extents_of(declaration.type)
    if extents.element is None or not is_const(declaration.type):
        refuse_global(node)
    if t.program.is_replaceable(declaration.cursor):
        refuse_global(node)
    values = table_values(declaration, extents.element)
    if values is None:
        refuse_global(node)
    return add_table(t, declaration, extents.element, extents.shape, values)


def refuse_global(node: Node) -> NoReturn:
    """Says why a name of file scope has no meaning here."""
    if node.declaration is not None and is_const(node.declaration.type.get_canonical()):
        raise unsupported(
            "global-state",
            node.span,
            f"the constant `{node.spelling}` isn't known here, or isn't of numbers of one type",
            "give it constants where it is declared, in this file, or pass it as a parameter",
        )
    raise unsupported(
        "global-state",
        node.span,
        f"`{node.spelling}` is a global variable that isn't a constant table",
        "pass it as a parameter, or make it const with constant elements",
    )


def outlives_call(node: Node) -> bool:
    """Whether a variable is there before and after the call, whoever names it."""
    if node.kind != "VAR_DECL":
        return False
    cursor = node.cursor
    return cursor.storage_class.name in ("STATIC", "EXTERN") or cursor.tls_kind.name != "NONE"


def refuse_static(node: Node) -> None:
    """Refuses a variable of a block that outlives the call."""
    if not outlives_call(node):
        return
    if node.cursor.storage_class.name == "EXTERN":
        raise unsupported(
            "global-state",
            node.span,
            f"`{node.spelling}` is a global variable",
            "pass it as a parameter",
        )
    if is_const(node.type):
        raise unsupported(
            "static-state",
            node.span,
            f"`{node.spelling}` is computed in the first call, and keeps that value",
            "give it constants, or leave `static` out",
        )
    raise unsupported(
        "static-state",
        node.span,
        f"`{node.spelling}` keeps its value between calls",
        "pass the state as a parameter, or make it const",
    )


def global_object(t: Translation, node: Node) -> Object:
    """A constant object of file or class scope: it is made before anything else happens."""
    cursor = node.declaration
    declared = Node(cursor.get_definition() or cursor)
    start = declared.initializer if declared.kind == "VAR_DECL" else None
    if start is None or not declared.type.is_const_qualified():
        refuse_global(node)
    known = t.constants.get(node.key)
    if known is None:
        outer, t.environment = t.environment, {}
        targets, region = t.targets, t.region
        t.targets, t.region = [], None
        names, arrays = set(t.declared.names), set(t.declared.arrays)
        # No variable of the source can have this name.
        name = f"{node.spelling}.const"
        with t.block() as out, t.expression_region(start) as inner:
            made = new_object(t, node.key, name, declared.type, node)
            construct(t, made, declared.type, start)
            t.flush(inner)
        t.prologue += out
        made_arrays = {n: a for n, a in t.declared.arrays.items() if n not in arrays}
        t.declared.lasting.names |= t.declared.names - names
        t.declared.lasting.arrays |= made_arrays
        known = t.constants[node.key] = (made, t.environment)
        t.environment, t.targets, t.region = outer, targets, region
    made, bindings = known
    t.environment.update(bindings)
    return made
