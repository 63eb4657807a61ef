"""Classes of the standard library that our headers declare, but whose insides they don't have.

Their functions have no bodies, so no kernel can call them. What is left to keep away from kernels
is their sizes, and functions that take such objects: those belong to the application around them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .failure import unsupported
from .older_headers import HEADERS
from .syntax import Node
from .types import is_record, pointee_of

_UNDERSTOOD = frozenset({"array", "vector", "pair", "initializer_list"})
_THREADS = frozenset(
    {"atomic", "condition_variable", "future", "mutex", "pthread.h", "shared_mutex", "thread"}
)
"""Headers whose objects a kernel may well be given, to fail for what it does with them."""
_RECORDS = frozenset({"STRUCT_DECL", "CLASS_DECL", "CLASS_TEMPLATE", "UNION_DECL"})


def is_of_the_application(type: Any) -> bool:
    """Whether `type`, or what it points at, is a string, a stream, a map ...: nothing of images."""
    declaration = _class_of(type)
    if declaration is None or _foreign(declaration) is None:
        return False
    return Path(declaration.location.file.name).name not in _THREADS


def _class_of(type: Any) -> Any | None:
    """The declaration of the class that `type`, or what it points at, is."""
    type = type.get_canonical()
    while type.kind.name in ("POINTER", "LVALUEREFERENCE", "RVALUEREFERENCE"):
        type = pointee_of(type).get_canonical()
    return type.get_declaration() if is_record(type) else None


def check_size(node: Node) -> None:
    """Raises for a `sizeof` that asks for the size of a library class: the real one may differ."""
    for part in node.cursor.walk_preorder():
        declaration = part.referenced
        if declaration is None or declaration.kind.name not in _RECORDS:
            declaration = _class_of(part.type)
        name = None if declaration is None else _foreign(declaration)
        if name is not None:
            message = f"the size of `{name}` is the library's own affair"
            raise unsupported("unsupported-type", node.span, message)


def _foreign(declaration: Any) -> str | None:
    file = declaration.location.file
    if file is None or HEADERS not in Path(file.name).parents:
        return None
    name = str(declaration.spelling)
    return None if name in _UNDERSTOOD else name
