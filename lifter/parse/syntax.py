"""A thin, cached view of libclang's cursors.

libclang's Python binding makes a new object at every step; `Node` keeps what was asked once, so
that several walks over one function cost one trip through the binding.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from ctypes import c_double, c_int, c_longlong, c_uint, c_ulonglong, c_void_p
from functools import cache
from itertools import count
from typing import Any, Generic, TypeVar, overload

import clang.cindex as ci

from ..model.diagnostic import Span
from ..model.kernel import LIFTED_HERE

_MARGIN = 100
"""Calls that it takes the binding to list the children of a cursor."""
_BINARY = (
    "", ".*", "->*", "*", "/", "%", "+", "-", "<<", ">>", "<=>", "<", ">", "<=", ">=", "==", "!=",
    "&", "^", "|", "&&", "||", "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=",
    ",",
)  # fmt: skip
STEPS = ("p++", "p--", "++p", "--p")
"""The operators that change a variable by one, as `Node.operator` gives them."""
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


def _append(child: Any, _parent: Any, found: list[Any]) -> int:
    found.append(child)
    return 1


_collect = ci.callbacks["cursor_visit"](_append)


def children_of(cursor: Any) -> list[Any]:
    """A cursor's children; the binding's own `get_children` takes twice as long."""
    found: list[Any] = []
    ci.conf.lib.clang_visitChildren(cursor, _collect, found)
    unit = cursor._tu
    for child in found:
        child._tu = unit  # a cursor keeps its unit alive
    return found


def walk_cursors(root: Any) -> Iterator[Any]:
    """A cursor and all below it, in source order."""
    waiting = [root]
    while waiting:
        cursor = waiting.pop()
        yield cursor
        waiting += reversed(children_of(cursor))


@cache
def _kind_name(number: int) -> str:
    return str(ci.CursorKind.from_id(number).name)


def kind_of(cursor: Any) -> str:
    """libclang's name of a cursor's kind."""
    return _kind_name(cursor._kind_id)


_LEAVES = frozenset({"INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL"})


@cache
def _type_functions() -> tuple[Any, Any]:
    """A cursor's type and a type's canonical one, without the binding's checks of results."""
    found = []
    for name, argument in (("clang_getCursorType", ci.Cursor), ("clang_getCanonicalType", ci.Type)):
        function = ci.conf.lib[name]  # by index: a function of our own, not the binding's
        function.argtypes, function.restype = [argument], ci.Type
        found.append(function)
    return found[0], found[1]


@cache
def _type_kind_name(number: int) -> str:
    return str(ci.TypeKind.from_id(number).name)


def kind_of_type(type: Any) -> str:
    """libclang's name of a type's kind."""
    return _type_kind_name(type._kind_id)


_Of = TypeVar("_Of")
_Value = TypeVar("_Value")


class _Once(Generic[_Of, _Value]):
    """A property that is computed when it is first asked for, and from then on is an attribute.

    `functools.cached_property` takes a lock for that in Python 3.11, and nodes are many.
    """

    def __init__(self, compute: Callable[[_Of], _Value]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, owner: None, cls: object) -> _Once[_Of, _Value]: ...

    @overload
    def __get__(self, owner: _Of, cls: object) -> _Value: ...

    def __get__(self, owner: Any, cls: object) -> Any:
        if owner is None:
            return self
        value = owner.__dict__[self._name] = self._compute(owner)
        return value


class Node:
    """One cursor. `kind` is libclang's name of its kind, e.g. `BINARY_OPERATOR`."""

    def __init__(self, cursor: Any, root: Node | None = None) -> None:
        self.cursor = cursor
        self.kind: str = _kind_name(cursor._kind_id)
        self._root = root

    @property
    def root(self) -> Node:
        """Where the walk to this node began: the declaration of its function, as a rule."""
        return self if self._root is None else self._root

    def cut(self) -> None:
        """Lets go of all below a root; nodes know their root, so nothing else would free them
        soon. The node itself can't be used any more."""
        self.__dict__.clear()

    @_Once
    def children(self) -> tuple[Node, ...]:
        if self.kind in _LEAVES or self.is_put_back:
            return ()
        root = self.root
        # Where Python's calls are too deep, libclang's binding would leave children out.
        depth = sys.getrecursionlimit()
        sys.setrecursionlimit(depth + _MARGIN)
        try:
            found = children_of(self.cursor)
        finally:
            sys.setrecursionlimit(depth)
        made = tuple([Node(c, root) for c in found])
        if self.kind == "BINARY_OPERATOR":
            last = strip(made[-1]) if made[-1].kind == "UNEXPOSED_EXPR" else made[-1]
            if last.is_put_back and self.operator == "&&":
                return last, last  # `p && CALL` gives 0, whatever `p` is
        return made

    @property
    def is_put_back(self) -> bool:
        """Whether this calls lifted code that `lift patch` has put into the text. What is read is
        the text without it: such a call does nothing, and gives 0."""
        if self.kind != "CALL_EXPR" or not self.cursor.spelling.endswith(LIFTED_HERE):
            return False
        declared = self.cursor.referenced
        return declared is not None and declared.get_definition() is None

    @_Once
    def _types(self) -> dict[tuple[int, int | None, int | None], Any]:
        """Of a root: the types of its nodes, each once, as clang has them each once."""
        return {}

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

    @_Once
    def type(self) -> Any:
        """The clang type, canonical (typedefs and `auto` resolved)."""
        cursor_type, canonical = _type_functions()
        found = canonical(cursor_type(self.cursor))
        data = found.data
        identity = (found._kind_id, data[0], data[1])
        types = self.root._types
        known = types.get(identity)
        if known is None:
            found._tu = self.cursor._tu
            types[identity] = known = found
        return known

    @property
    def written_type(self) -> str:
        """The clang type as the source has it."""
        return str(self.cursor.type.spelling)

    @_Once
    def operator(self) -> str:
        """The operator's symbol; `p++`, `++p`, `p--`, `--p` for steps."""
        if self.kind == "UNARY_OPERATOR":
            return _UNARY[library().clang_getCursorUnaryOperatorKind(self.cursor)]
        return _BINARY[library().clang_getCursorBinaryOperatorKind(self.cursor)]

    @property
    def is_step(self) -> bool:
        """Whether a unary operator is `++` or `--`."""
        return self.operator in STEPS

    @_Once
    def declaration(self) -> Any:
        """The cursor that a reference names (its definition where there is one), or None."""
        return self.cursor.referenced

    @_Once
    def key(self) -> tuple[int, int]:
        """What identifies the declaration that this node names (or is)."""
        return key_of(self.declaration if self.kind.endswith("_EXPR") else self.cursor)

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
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.children[::-1]

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


_FIELD = ci.CursorKind.FIELD_DECL.value
_fields = count(1)


@cache
def _number_of_field(name: str) -> int:
    """A number for the member of this name (USR), which no other one has in this process."""
    return -next(_fields)


def key_of(cursor: Any) -> tuple[int, int]:
    """Equal for every reference to one declaration of a translation unit, and to one member of a
    class in all units."""
    canonical = cursor.canonical
    if canonical._kind_id == _FIELD:
        name = canonical.get_usr()
        if name:
            return (_number_of_field(name), -1)
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


def is_in(cursor: Any, path: str) -> bool:
    """Whether a declaration stands in a file; what a macro makes stands where it is used."""
    file = cursor.location.file
    return file is not None and file.name == path


def in_system_header(cursor: Any) -> bool:
    """Whether a declaration stands in a header of the system's or of ours."""
    return bool(library().clang_Location_isInSystemHeader(cursor.location))


def has_cleanup(node: Node) -> bool:
    """Whether a function gets the variable's address at the end of its scope: GNU's `cleanup`."""
    is_marked = any(child.kind == "UNEXPOSED_ATTR" for child in node.children)
    return is_marked and "cleanup(" in node.printed()


def sets(node: Node) -> bool:
    """Whether an expression sets its first operand."""
    if node.kind == "BINARY_OPERATOR":
        return node.operator == "="
    is_step = node.kind == "UNARY_OPERATOR" and node.is_step
    return is_step or node.kind == "COMPOUND_ASSIGNMENT_OPERATOR"


def strip(node: Node) -> Node:
    """`node` without parentheses and without implicit conversions around it."""
    while node.kind in ("PAREN_EXPR", "UNEXPOSED_EXPR") and len(node.children) == 1:
        node = node.children[0]
    return node


def strip_parentheses(node: Node) -> Node:
    while node.kind == "PAREN_EXPR" and len(node.children) == 1:
        node = node.children[0]
    return node
