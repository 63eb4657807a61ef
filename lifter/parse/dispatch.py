"""Which function translates which kind of cursor: a table for statements, and one for expressions
by what is wanted of them.

An expression is walked for its value (a number), for the place it names, for where it points, for
the object it is, for what it gives an object to begin with, or for its effects alone. The modules
of the room are about one construct of C++ each; they register what they translate here, by the
kind of cursor and, for operators, by the symbol, and they walk their operands by the functions at
the end of this file, so that no module needs to know another's construct.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from compiler.ir import Expr

from .bindings import Object, ObjectBinding, Place, PointerValue
from .categories import CASTS, NAMES, unwrapped
from .failure import unsupported
from .folding import number
from .lanes import Lanes
from .records import check_record
from .syntax import Node, strip, strip_parentheses
from .translation import Translation
from .types import is_pointer, is_record, is_simd, is_union, number_type, uniform_record

Function = TypeVar("Function", bound=Callable[..., Any])
Following = bool | tuple[Node, ...]
"""What a statement leaves to do in its block, or whether control reaches the end of the block."""

_OPERATORS = frozenset({"UNARY_OPERATOR", "BINARY_OPERATOR"})


class DispatchTable(Generic[Function]):
    """Functions by the kind of cursor that they translate."""

    def __init__(self) -> None:
        self._by_kind: dict[str, Function] = {}
        self._by_symbol: dict[tuple[str, str], Function] = {}
        self._otherwise: Function | None = None

    def of(self, *kinds: str) -> Callable[[Function], Function]:
        """Registers the function below for cursors of these kinds."""

        def register(function: Function) -> Function:
            for kind in kinds:
                assert kind not in self._by_kind, kind
                self._by_kind[kind] = function
            return function

        return register

    def of_operator(self, kind: str, *symbols: str) -> Callable[[Function], Function]:
        """Registers the function below for operators with these symbols (see `Node.operator`)."""

        def register(function: Function) -> Function:
            for symbol in symbols:
                assert (kind, symbol) not in self._by_symbol, symbol
                self._by_symbol[(kind, symbol)] = function
            return function

        return register

    def otherwise(self, function: Function) -> Function:
        """Registers the function below for all other cursors."""
        self._otherwise = function
        return function

    def kinds(self) -> set[str]:
        """The kinds of cursor that have a function."""
        return {*self._by_kind, *(kind for kind, _ in self._by_symbol)}

    def find(self, node: Node) -> Function | None:
        """The function for a cursor; None where its kind (with its symbol) has none."""
        kind = node.kind
        if kind in _OPERATORS:
            found = self._by_symbol.get((kind, node.operator))
            if found is not None:
                return found
        return self._by_kind.get(kind, self._otherwise)


VALUE: DispatchTable[Callable[[Translation, Node], Expr]] = DispatchTable()
PLACE: DispatchTable[Callable[[Translation, Node], Place]] = DispatchTable()
POINTER: DispatchTable[Callable[[Translation, Node], PointerValue]] = DispatchTable()
OBJECT: DispatchTable[Callable[[Translation, Node, bool], Object]] = DispatchTable()
INITIALIZER: DispatchTable[Callable[[Translation, ObjectBinding, Any, Node], None]] = (
    DispatchTable()
)
LANES: DispatchTable[Callable[[Translation, Node], Lanes]] = DispatchTable()
STORED_LANES: DispatchTable[Callable[[Translation, Node, Lanes], None]] = DispatchTable()
EFFECT: DispatchTable[Callable[[Translation, Node], None]] = DispatchTable()
STATEMENT: DispatchTable[Callable[[Translation, Node, tuple[Node, ...]], Following]] = (
    DispatchTable()
)
DECLARATION: DispatchTable[Callable[[Translation, Node], None]] = DispatchTable()


def value_of(t: Translation, node: Node) -> Expr:
    """The value of a scalar expression, in the IR type of its C++ type."""
    translate = VALUE.find(node)
    if translate is not None:
        return translate(t, node)
    constant = node.evaluate()
    if constant is not None:
        return number(constant, number_type(node))
    raise unsupported("unsupported-expression", node.span, "this expression isn't understood")


def place_of(t: Translation, node: Node) -> Place:
    """The variable or element that a scalar lvalue names."""
    translate = PLACE.find(node)
    if translate is None:
        raise unsupported("unsupported-expression", node.span, "this lvalue isn't understood")
    return translate(t, node)


def pointer_of(t: Translation, node: Node) -> PointerValue:
    """Where an expression of pointer (or array) type points."""
    translate = POINTER.find(node)
    if translate is None:
        raise unsupported(
            "unsupported-expression", node.span, "this pointer expression isn't understood"
        )
    return translate(t, node)


def lanes_of(t: Translation, node: Node) -> Lanes:
    """What is in the lanes of an expression of a vector type."""
    translate = LANES.find(node)
    if translate is None:
        raise unsupported(
            "unsupported-expression", node.span, "this expression of a vector type isn't understood"
        )
    return translate(t, node)


def store_lanes(t: Translation, node: Node, value: Lanes) -> None:
    """Gives the vector that an expression names, a variable or memory, what is in its lanes."""
    node = strip(node)
    store = STORED_LANES.find(node)
    if store is None:
        raise unsupported("unsupported-expression", node.span, "this vector isn't understood")
    store(t, node, value)


def object_of(t: Translation, node: Node, lasting: bool = True) -> Object:
    """The object that an expression of class type names or makes.

    Without `lasting` it is read at once, and may be a copy of the one that is named.
    """
    inner = _converted_object(node)
    while inner is not None:
        node, inner = inner, _converted_object(inner)
    if not is_union(node.type) or uniform_record(node.type) is None:
        check_record(node.type, node)
    translate = OBJECT.find(node)
    if translate is None:
        raise unsupported("unsupported-expression", node.span, "this object isn't understood")
    return translate(t, node, lasting)


def _converted_object(node: Node) -> Node | None:
    """The object inside of a conversion that leaves it what it is."""
    kind = node.kind
    passes = (
        len(node.children) == 1
        if kind in ("PAREN_EXPR", "UNEXPOSED_EXPR")
        else (kind in CASTS and bool(node.children))
    )
    # A conversion may call a constructor or an operator; then the child is a call.
    return node.children[-1] if passes and is_record(node.children[-1].type) else None


def construct(t: Translation, target: ObjectBinding, type: Any, start: Node) -> None:
    """Gives `target` (or its part of the base class `type`) what the initializer says."""
    inner = unwrapped(start)
    translate = INITIALIZER.find(inner)
    assert translate is not None
    translate(t, target, type, inner)


def discard(t: Translation, node: Node) -> None:
    """An expression whose value nobody uses, with its side effects completed."""
    with t.expression_region(node) as region:
        do(t, node)
        t.flush(region)


def do(t: Translation, node: Node) -> None:
    """What an expression does, but for the side effects that may wait for its end."""
    node = strip_parentheses(node)
    if is_record(node.type) and node.kind != "CALL_EXPR" and node.kind not in NAMES:
        object_of(t, node, lasting=False)
        return
    translate = EFFECT.find(node)
    if translate is not None:
        translate(t, node)
    elif is_pointer(node.type):
        pointer_of(t, node)
    elif is_simd(node.type):
        lanes_of(t, node)
    elif node.kind != "DECL_REF_EXPR":
        value_of(t, node)


def declare(t: Translation, node: Node) -> None:
    """One declared name of a declaration statement."""
    translate = DECLARATION.find(node)
    if translate is None:
        raise unsupported("unsupported-statement", node.span, "this declaration isn't understood")
    translate(t, node)


def run(t: Translation, work: Sequence[Node]) -> bool:
    """Translates statements in order; tells whether control may reach their end."""
    rest = tuple(work)
    while rest:
        node, rest = rest[0], rest[1:]
        translate = STATEMENT.find(node)
        if translate is None:
            _run_expression(t, node)
            continue
        following = translate(t, node, rest)
        if isinstance(following, bool):
            return following
        rest = following
    return True


def _run_expression(t: Translation, node: Node) -> None:
    """A statement that is an expression."""
    t.span = t.span_of(node)
    if node.kind.endswith("_STMT"):
        raise unsupported("unsupported-statement", node.span, "this statement isn't understood")
    discard(t, node)
