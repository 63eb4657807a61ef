"""A thin, cached view of libclang's cursors.

libclang's Python binding makes a new object at every step; `Node` keeps what was asked once, so
that several walks over one function cost one trip through the binding.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from ctypes import c_double, c_int, c_longlong, c_uint, c_ulonglong, c_void_p
from functools import cache
from typing import Any

import clang.cindex as ci

from ..model.diagnostic import Span

_MARGIN = 100
"""Calls that it takes the binding to list the children of a cursor."""
_BINARY = (
    "", ".*", "->*", "*", "/", "%", "+", "-", "<<", ">>", "<=>", "<", ">", "<=", ">=", "==", "!=",
    "&", "^", "|", "&&", "||", "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=",
    ",",
)  # fmt: skip
_UNARY = (
    "", "p++", "p--", "++p", "--p", "&", "*", "+", "-", "~", "!", "__real", "__imag",
    "__extension__", "co_await",
)  # fmt: skip


@cache
def library() -> Any:
    """libclang's C interface with the functions that the Python binding leaves undeclared."""
    lib = ci.conf.lib
    declare = {
        "clang_getCursorBinaryOperatorKind": ([ci.Cursor], c_int),
        "clang_getCursorUnaryOperatorKind": ([ci.Cursor], c_int),
        "clang_Cursor_getVarDeclInitializer": ([ci.Cursor], ci.Cursor),
        "clang_isInvalidDeclaration": ([ci.Cursor], c_uint),
        "clang_Cursor_Evaluate": ([ci.Cursor], c_void_p),
        "clang_EvalResult_getKind": ([c_void_p], c_int),
        "clang_EvalResult_getAsLongLong": ([c_void_p], c_longlong),
        "clang_EvalResult_isUnsignedInt": ([c_void_p], c_uint),
        "clang_EvalResult_getAsUnsigned": ([c_void_p], c_ulonglong),
        "clang_EvalResult_getAsDouble": ([c_void_p], c_double),
        "clang_EvalResult_dispose": ([c_void_p], None),
        "clang_Cursor_hasVarDeclExternalStorage": ([ci.Cursor], c_int),
        "clang_Cursor_isInlineNamespace": ([ci.Cursor], c_uint),
        "clang_Location_isInSystemHeader": ([ci.SourceLocation], c_int),
        "clang_getCursorPrintingPolicy": ([ci.Cursor], c_void_p),
        "clang_getCursorPrettyPrinted": ([ci.Cursor, c_void_p], ci._CXString),
        "clang_PrintingPolicy_dispose": ([c_void_p], None),
    }
    for name, (arguments, result) in declare.items():
        function = getattr(lib, name)
        function.argtypes, function.restype = arguments, result
    return lib


class Node:
    """One cursor. `kind` is libclang's name of its kind, e.g. `BINARY_OPERATOR`."""

    __slots__ = (
        "_canonical",
        "_children",
        "_declaration",
        "_key",
        "_operator",
        "_root",
        "_type",
        "cursor",
        "kind",
    )

    def __init__(self, cursor: Any, root: Node | None = None) -> None:
        self.cursor = cursor
        self.kind: str = cursor.kind.name
        self._root = root
        self._children: tuple[Node, ...] | None = None
        self._type: Any = None
        self._canonical: Any = None
        self._operator: str | None = None
        self._declaration: Any = False
        self._key: tuple[int, int] | None = None

    @property
    def children(self) -> tuple[Node, ...]:
        if self._children is None:
            root = self.root
            # Where Python's calls are too deep, libclang's binding would leave children out.
            depth = sys.getrecursionlimit()
            sys.setrecursionlimit(depth + _MARGIN)
            try:
                found = list(self.cursor.get_children())
            finally:
                sys.setrecursionlimit(depth)
            self._children = tuple(Node(c, root) for c in found)
        return self._children

    @property
    def root(self) -> Node:
        """Where the walk to this node began: the declaration of its function, as a rule."""
        return self if self._root is None else self._root

    def printed(self) -> str:
        """A declaration as clang prints it from its tree: macros are expanded; "" for the rest."""
        lib = library()
        policy = lib.clang_getCursorPrintingPolicy(self.cursor)
        try:
            text = lib.clang_getCursorPrettyPrinted(self.cursor, policy)
        finally:
            lib.clang_PrintingPolicy_dispose(policy)
        return str(lib.clang_getCString(text) or "")

    @property
    def spelling(self) -> str:
        return str(self.cursor.spelling)

    @property
    def type(self) -> Any:
        """The clang type, canonical (typedefs and `auto` resolved)."""
        if self._canonical is None:
            self._canonical = self.cursor.type.get_canonical()
        return self._canonical

    @property
    def written_type(self) -> str:
        """The clang type as the source has it."""
        return str(self.cursor.type.spelling)

    @property
    def operator(self) -> str:
        """The operator's symbol; `p++`, `++p`, `p--`, `--p` for steps."""
        if self._operator is None:
            if self.kind == "UNARY_OPERATOR":
                index = library().clang_getCursorUnaryOperatorKind(self.cursor)
                self._operator = _UNARY[index]
            else:
                index = library().clang_getCursorBinaryOperatorKind(self.cursor)
                self._operator = _BINARY[index]
        return self._operator

    @property
    def declaration(self) -> Any:
        """The cursor that a reference names (its definition where there is one), or None."""
        if self._declaration is False:
            self._declaration = self.cursor.referenced
        return self._declaration

    @property
    def key(self) -> tuple[int, int]:
        """What identifies the declaration that this node names (or is)."""
        if self._key is None:
            target = self.declaration if self.kind.endswith("_EXPR") else self.cursor
            self._key = key_of(target)
        return self._key

    @property
    def span(self) -> Span:
        return span_of(self.cursor)

    @property
    def initializer(self) -> Node | None:
        """The initializer of a variable's declaration."""
        found = library().clang_Cursor_getVarDeclInitializer(self.cursor)
        if found is None or found.kind.is_invalid():
            return None
        found._tu = self.cursor._tu
        return Node(found, self.root)

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in source order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def evaluate(self) -> int | float | None:
        """The value that clang's constant folding gives the expression; None where it has none."""
        lib = library()
        result = lib.clang_Cursor_Evaluate(self.cursor)
        if not result:
            return None
        try:
            kind = lib.clang_EvalResult_getKind(result)
            if kind == 1:
                if lib.clang_EvalResult_isUnsignedInt(result):
                    return int(lib.clang_EvalResult_getAsUnsigned(result))
                return int(lib.clang_EvalResult_getAsLongLong(result))
            if kind == 2:
                return float(lib.clang_EvalResult_getAsDouble(result))
            return None
        finally:
            lib.clang_EvalResult_dispose(result)


def key_of(cursor: Any) -> tuple[int, int]:
    """Equal for every reference to one declaration of a translation unit."""
    canonical = cursor.canonical
    return (canonical.hash, canonical.location.offset)


def span_of(cursor: Any) -> Span:
    """The cursor's place in the file where it is used (macros count where they are expanded)."""
    extent = cursor.extent
    start, end = extent.start, extent.end
    file = start.file.name if start.file else "<command line>"
    return Span(file, start.line, start.column, end.line, end.column)


_SCOPES = frozenset({"NAMESPACE", "CLASS_DECL", "STRUCT_DECL", "UNION_DECL", "CLASS_TEMPLATE"})


def scopes_of(cursor: Any) -> list[str]:
    """The namespaces and classes around a declaration, the outermost first; "" for one without a
    name. Inline namespaces, which the source needn't write, are left out."""
    found: list[str] = []
    parent = cursor.semantic_parent
    while parent is not None and parent.kind.name != "TRANSLATION_UNIT":
        if parent.kind.name in _SCOPES and not library().clang_Cursor_isInlineNamespace(parent):
            found.insert(0, str(parent.spelling))
        parent = parent.semantic_parent
    return found


def in_system_header(cursor: Any) -> bool:
    """Whether a declaration stands in a header of the system's or of ours."""
    return bool(library().clang_Location_isInSystemHeader(cursor.location))


def strip(node: Node) -> Node:
    """`node` without parentheses and without implicit conversions around it."""
    while node.kind in ("PAREN_EXPR", "UNEXPOSED_EXPR") and len(node.children) == 1:
        node = node.children[0]
    return node


def strip_parentheses(node: Node) -> Node:
    while node.kind == "PAREN_EXPR" and len(node.children) == 1:
        node = node.children[0]
    return node
