"""Calls: pure functions stay calls, everything else whose body is seen is inlined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from compiler.ir import I32, Call, Const, Expr

from ..model.kernel import Assume
from .bindings import (
    Address,
    FunctionAddress,
    FunctionChoice,
    LambdaBinding,
    Nothing,
    Null,
    ObjectAddress,
    Place,
    Pointer,
    PointerValue,
    Result,
)
from .bound import base_object
from .builtins import PREFIX, builtin, hint
from .categories import NAMES, names_place
from .conditions import condition_of
from .dispatch import EFFECT, LANES, PLACE, POINTER, VALUE, object_of, pointer_of
from .extremes import extreme_place
from .failure import unsupported
from .folding import convert, with_constants
from .function_pointers import chosen_call
from .inlining import inline
from .lambdas import lambda_of
from .lane_functions import is_lane_function, lane_call
from .lanes import Lanes
from .library import library_call
from .null_tests import all_must_hold
from .objects import assigned_object
from .order import values_of
from .program import FunctionDefinition, arguments_of, callee_of
from .pure_function import pure_function
from .records import is_implicit, is_lambda, refuse_own_copy
from .steady import steady_object
from .syntax import Node, children_of, in_system_header, kind_of, strip
from .translation import Translation
from .types import is_pointer, is_record, is_reference, number_type, scalar_type
from .vectors import is_vector_access, vector_place
from .views import element_at, read


def call(t: Translation, node: Node, as_place: bool = False) -> Result:
    """What a call gives; `as_place` where it is what a returned reference leads to."""
    if node.is_put_back:
        return Const(I32, 0)
    cursor = node.declaration
    arguments = arguments_of(node)
    pointer = _pointer_called(node)
    if pointer is not None:
        found = pointer_of(t, pointer)
        if isinstance(found, FunctionChoice):
            return chosen_call(t, node, found, lambda f: _at(t, node, f.definition, arguments))
        if not isinstance(found, FunctionAddress):
            raise unsupported(
                "unmodelled-call",
                node.span,
                f"it isn't known which function `{node.spelling}` points to here",
                "call the function by its name",
            )
        return _at(t, node, found.definition, arguments)
    name = callee_of(node)
    if name == "lift_assert" and in_system_header(cursor):
        _assume(t, node)
        return Nothing()
    definition = t.program.definition(cursor, name)
    if definition is None and name.startswith(PREFIX):
        hinted = hint(t, node, name)
        if hinted is not None:
            return hinted
        definition = builtin(name)
    function = t.program.library_function(cursor)
    if function is not None and (definition is None or not definition.is_model):
        known = library_call(t, node, function)
        if known is not None:
            return known
    if cursor is not None and cursor.kind.name in ("CXX_METHOD", "CONVERSION_FUNCTION"):
        return _method_call(t, node, name, definition)
    if definition is None:
        raise _unmodelled(node, name)
    if as_place and is_reference(definition.result_type):
        return inline(t, node, definition, arguments)
    return _defined(t, node, name, definition, arguments)


def _pointer_called(node: Node) -> Node | None:
    """The pointer through which a function is called: `p(x)`, `o.p(x)`, `(*p)(x)`."""
    cursor = node.declaration
    if cursor is not None and cursor.kind.name in ("VAR_DECL", "PARM_DECL", "FIELD_DECL"):
        return node.children[0]
    if cursor is not None or not node.children:
        return None
    head = strip(node.children[0])
    while head.kind == "UNARY_OPERATOR" and head.operator == "*":
        head = strip(head.children[0])
    is_place = head.kind in NAMES or head.kind == "ARRAY_SUBSCRIPT_EXPR"
    return head if is_place and is_pointer(head.type) else None


def _at(
    t: Translation, node: Node, definition: FunctionDefinition, arguments: tuple[Node, ...]
) -> Result:
    """A call of a function whose address is known."""
    return _defined(t, node, definition.name, definition, arguments)


@EFFECT.of("CALL_EXPR")
def do_call(t: Translation, node: Node) -> None:
    call(t, node)


@VALUE.of("CALL_EXPR")
def called_value(t: Translation, node: Node) -> Expr:
    result = call(t, node)
    if isinstance(result, Expr):
        return result
    if isinstance(result, Nothing):
        raise unsupported("unsupported-expression", node.span, "this call has no value")
    if scalar_type(node.type) is not None:
        # A reference: the number is read from where it leads.
        if isinstance(result, Address):
            return read(result.place, number_type(node))
        if isinstance(result, Pointer):
            return read(element_at(t, result, node), number_type(node))
    raise unsupported("unsupported-expression", node.span, "this call gives no number")


@LANES.of("CALL_EXPR")
def called_lanes(t: Translation, node: Node) -> Lanes:
    found = call(t, node)
    if not isinstance(found, Lanes):
        raise unsupported("unsupported-expression", node.span, "this call gives no vector")
    return found


@POINTER.of("CALL_EXPR")
def called_pointer(t: Translation, node: Node) -> PointerValue:
    result = call(t, node)
    if isinstance(result, (Pointer, Null, Address, ObjectAddress, FunctionAddress)):
        return result
    raise unsupported("unsupported-expression", node.span, "this call gives no pointer")


@PLACE.of("CALL_EXPR")
def called_place(t: Translation, node: Node) -> Place:
    """The element of a vector, or the place that a function gives that returns a reference."""
    if is_vector_access(t, node):
        return vector_place(t, node)
    extreme = extreme_place(t, node)
    if extreme is not None:
        return extreme
    found = call(t, node, as_place=True)
    if isinstance(found, Address):
        return found.place
    if isinstance(found, Pointer):
        return element_at(t, found, node)
    raise unsupported("unsupported-expression", node.span, "this lvalue isn't understood")


def _method_call(
    t: Translation, node: Node, name: str, definition: FunctionDefinition | None
) -> Result:
    cursor = node.declaration
    arguments = arguments_of(node)
    if cursor.is_static_method():
        if definition is None:
            raise _unmodelled(node, name)
        return _defined(t, node, name, definition, arguments)
    head = strip(node.children[0])
    if cursor.is_virtual_method():
        if not (_is_final(cursor) or _is_of_a_variable(head)):
            raise _unmodelled(node, name)
        definition = t.program.definition(cursor, name, is_itself=True)
    # `o.field = v` begins with a member, too: with the object, not with the method.
    by_operator = head.kind != "MEMBER_REF_EXPR" or names_place(head)
    if by_operator:
        # An overloaded operator: the object is the first operand.
        object_node, arguments = arguments[0], arguments[1:]
    if is_lambda(cursor.semantic_parent.type):
        if not by_operator or definition is None:
            raise unsupported("lambda", node.span, "this call of a lambda isn't understood")
        return _lambda_call(t, node, lambda_of(t, object_node), definition, arguments)
    if cursor.spelling == "operator=" and len(arguments) == 1 and is_implicit(cursor):
        refuse_own_copy(object_node.type, node)
        return assigned_object(t, object_node, arguments[0])
    if definition is None:
        raise _unmodelled(node, name)
    receiver = object_of(t, object_node) if by_operator else base_object(t, head)
    receiver = steady_object(t, receiver, "this")
    return inline(t, node, definition, arguments, receiver)


def _is_final(method: Any) -> bool:
    """Whether no class derived from a virtual method's own has another one."""
    declared = (method, method.semantic_parent)
    return any(kind_of(c) == "CXX_FINAL_ATTR" for d in declared for c in children_of(d))


def _is_of_a_variable(called: Node) -> bool:
    """Whether `o.method` is called of an object that is a variable of its very class."""
    if called.kind != "MEMBER_REF_EXPR" or not called.children:
        return False
    owner = strip(called.children[0])
    cursor = owner.declaration if owner.kind == "DECL_REF_EXPR" else None
    return (
        cursor is not None
        and cursor.kind.name == "VAR_DECL"
        and (is_record(cursor.type.get_canonical()))
    )


def _lambda_call(
    t: Translation,
    node: Node,
    called: LambdaBinding,
    definition: FunctionDefinition,
    arguments: Sequence[Node],
) -> Result:
    if definition.key in t.inlined:
        raise unsupported("recursion", node.span, "a lambda calls itself")
    before = {key: t.environment.get(key) for key, _ in called.captured}
    result = inline(t, node, definition, arguments, called.receiver, called.captured)
    for key, binding in before.items():
        if binding is not None:
            t.environment[key] = binding
    return result


def _unmodelled(node: Node, name: str) -> Exception:
    """Why a call of a function without a body has no meaning."""
    if name.startswith(("std::thread", "std::mutex", "std::atomic", "pthread_")):
        return unsupported("thread", node.span, f"`{name}` works with threads")
    cursor = node.declaration
    if cursor is not None and cursor.kind.name in ("CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR"):
        virtual = cursor.kind.name == "CXX_METHOD" and cursor.is_virtual_method()
        return unsupported(
            "virtual-call" if virtual else "unsupported-type",
            node.span,
            f"a call of the {'virtual ' if virtual else ''}method `{name}`",
        )
    why = _refused(cursor)
    if why is not None:
        return unsupported(
            "unmodelled-call", node.span, f"`{name}` has no meaning here: {why}",
            "say what it's taken to mean, as plain C++ in a file: --model FILE",
        )  # fmt: skip
    return unsupported(
        "unmodelled-call",
        node.span,
        f"the body of `{name or 'this function'}` isn't seen",
        "give its meaning as plain C++ in a file: --model FILE",
    )


def _refused(cursor: Any) -> str | None:
    """Why our headers give a function no body, where they say it."""
    if cursor is None or not in_system_header(cursor):
        return None
    said = (c.spelling for c in children_of(cursor) if kind_of(c) == "ANNOTATE_ATTR")
    return next(map(str, said), None)


def _assume(t: Translation, node: Node) -> None:
    """`assert`, as our header has it."""
    condition, text = arguments_of(node)
    with t.expression_region(condition) as region:
        since = len(t.out)
        t.asserting, t.leaving = all_must_hold(condition), True
        test = condition_of(t, condition)
        t.asserting = t.leaving = False
        if len(t.out) > since or region.pending:
            raise unsupported("unsequenced", node.span, "an assert with a side effect")
    if not isinstance(test, Const) or not test.value:
        literal = strip(text).spelling
        shown = literal[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        t.emit(Assume(t.span, test, shown))


def _defined(
    t: Translation,
    node: Node,
    name: str,
    definition: FunctionDefinition,
    arguments: tuple[Node, ...],
) -> Result:
    """A call of a function whose body is seen."""
    if definition.key in t.inlined:
        raise unsupported(
            "recursion",
            node.span,
            f"`{name}` calls itself",
            "write the recursion as a loop",
        )
    if is_lane_function(definition):
        return lane_call(t, node, definition, arguments)
    pure = pure_function(t.program, definition, (*t.inlined,))
    # What reads tables is inlined: an image of the DSL can't be read in a pure function.
    if pure is not None and isinstance(pure.body, Const) and not pure.params:
        return pure.body  # a trait's constant
    if pure is not None and not t.program.tables_of(pure):
        values = values_of(t, arguments, node)
        converted = [convert(v, p.type) for v, p in zip(values, pure.params, strict=True)]
        if converted and all(isinstance(v, Const) for v in converted):
            known = with_constants(pure.body, dict(zip(pure.params, converted, strict=True)))
            if isinstance(known, Const):
                return known
        t.program.use(pure, t.declared.functions)
        call: Expr = Call(pure.name, tuple(converted), pure.body.type, "pure")
        return call
    return inline(t, node, definition, arguments)
