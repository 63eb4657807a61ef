"""Calls: pure functions stay calls, everything else whose body is seen is inlined."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from compiler.ir import Call, Const, Expr, Variable

from ..model.kernel import Assign, Assume
from .arguments import Arguments
from .bindings import (
    Address,
    Binding,
    FunctionAddress,
    Key,
    LambdaBinding,
    Null,
    Object,
    ObjectAddress,
    ObjectBinding,
    Place,
    Pointer,
    PointerBinding,
    PointerValue,
    ScalarBinding,
    joined,
)
from .categories import names_place
from .construction import constructor_parts
from .failure import unsupported
from .folding import add, convert, index
from .jumps import Target, jumps
from .null_tests import all_must_hold
from .records import (
    bases_of,
    default_initializer,
    is_implicit,
    is_lambda,
    own_fields,
    refuse_own_copy,
)
from .state import Held, Site, writes
from .syntax import Node, in_system_header, strip
from .types import (
    is_pointer,
    is_record,
    is_reference,
    scalar_type,
    vector_element,
)

if TYPE_CHECKING:
    from .program import Definition


_SCOPES = ("NAMESPACE", "CLASS_DECL", "STRUCT_DECL", "UNION_DECL")


def callee_of(node: Node) -> str:
    """The called function's name, with its namespace where it has one (`std::min`)."""
    cursor = node.declaration
    if cursor is None:
        return node.spelling
    name = str(cursor.spelling)
    parent = cursor.semantic_parent
    while parent is not None and parent.kind.name in _SCOPES:
        if parent.spelling:
            name = f"{parent.spelling}::{name}"
        parent = parent.semantic_parent
    return name


def arguments_of(node: Node) -> tuple[Node, ...]:
    """The argument expressions of a call, default arguments included."""
    return tuple(Node(c) for c in node.cursor.get_arguments())


def _returns_last(body: Node) -> bool:
    """Whether the only `return` of a function is its last statement."""
    statements = body.children
    return (
        bool(statements)
        and statements[-1].kind == "RETURN_STMT"
        and not any("return" in jumps(s) for s in statements[:-1])
    )


class Calls(Arguments):
    """Translation of calls."""

    @abstractmethod
    def run(self, work: Sequence[Node]) -> bool: ...

    def call(self, node: Node, used: bool) -> Expr | None:
        """A call; its value where it has a scalar one."""
        result = self._call(node, used)
        if isinstance(result, Expr) or result is None:
            return result
        if not used:
            return None
        if scalar_type(node.type) is None:
            raise unsupported("unsupported-expression", node.span, "this call gives no number")
        # A reference: the number is read from where it leads.
        if isinstance(result, Address):
            return self.read(result.place, self.scalar(node))
        if isinstance(result, Pointer):
            return self.read(self.element(result, node), self.scalar(node))
        raise unsupported("unsupported-expression", node.span, "this call gives no number")

    def pointer_call(self, node: Node) -> PointerValue:
        if node.kind == "CXX_NEW_EXPR":
            allocated = self.allocation(node, "memory")
            assert allocated is not None
            return allocated
        result = self._call(node, True)
        if isinstance(result, (Pointer, Null, Address, ObjectAddress, FunctionAddress)):
            return result
        raise unsupported("unsupported-expression", node.span, "this call gives no pointer")

    def call_result(
        self, node: Node, as_place: bool = False
    ) -> PointerValue | Object | Expr | None:
        return self._call(node, True, as_place)

    def _call(
        self, node: Node, used: bool, as_place: bool = False
    ) -> Expr | PointerValue | Object | None:
        """What a call gives; `as_place` where it is what a returned reference leads to."""
        cursor = node.declaration
        arguments = arguments_of(node)
        if cursor is not None and cursor.kind.name in ("VAR_DECL", "PARM_DECL", "FIELD_DECL"):
            found = self.pointer(node.children[0])
            if not isinstance(found, FunctionAddress):
                raise unsupported(
                    "unmodelled-call",
                    node.span,
                    f"it isn't known which function `{node.spelling}` points to here",
                    "call the function by its name",
                )
            return self._defined(node, found.definition.name, found.definition, used, arguments)
        name = callee_of(node)
        if name == "lift_assert" and in_system_header(cursor):
            self._assume(node)
            return None
        definition = self.program.definition(cursor, name)
        function = self.program.library_function(cursor)
        if function is not None and (definition is None or not definition.is_model):
            known = self.library_call(node, function)
            if known is not NotImplemented:
                value: Expr | PointerValue | None = known
                return value
        if cursor is not None and cursor.kind.name in ("CXX_METHOD", "CONVERSION_FUNCTION"):
            return self._method_call(node, name, definition, used)
        if definition is None:
            raise self._unmodelled(node, name)
        if as_place and is_reference(definition.result_type):
            return self._inline(node, definition, arguments, used)
        return self._defined(node, name, definition, used, arguments)

    def _method_call(
        self, node: Node, name: str, definition: Definition | None, used: bool
    ) -> Expr | PointerValue | Object | None:
        cursor = node.declaration
        arguments = arguments_of(node)
        if cursor.is_static_method():
            if definition is None:
                raise self._unmodelled(node, name)
            return self._defined(node, name, definition, used, arguments)
        if cursor.is_virtual_method():
            raise self._unmodelled(node, name)
        head = strip(node.children[0])
        # `o.field = v` begins with a member, too: with the object, not with the method.
        by_operator = head.kind != "MEMBER_REF_EXPR" or names_place(head)
        if by_operator:
            # An overloaded operator: the object is the first operand.
            object_node, arguments = arguments[0], arguments[1:]
        if is_lambda(cursor.semantic_parent.type):
            if not by_operator or definition is None:
                raise unsupported("lambda", node.span, "this call of a lambda isn't understood")
            return self._lambda_call(node, self.lambda_of(object_node), definition, arguments, used)
        if cursor.spelling == "operator=" and len(arguments) == 1 and is_implicit(cursor):
            refuse_own_copy(object_node.type, node)
            return self.assigned_object(object_node, arguments[0])
        if definition is None:
            raise self._unmodelled(node, name)
        receiver = self.object(object_node) if by_operator else self._base_object(head)
        receiver = self.steady_object(receiver, "this")
        return self._inline(node, definition, arguments, used, receiver)

    def _lambda_call(
        self,
        node: Node,
        called: LambdaBinding,
        definition: Definition,
        arguments: Sequence[Node],
        used: bool,
    ) -> Expr | PointerValue | Object | None:
        if definition.key in self.inlined:
            raise unsupported("recursion", node.span, "a lambda calls itself")
        before = {key: self.environment.get(key) for key, _ in called.captured}
        result = self._inline(node, definition, arguments, used, called.receiver, called.captured)
        for key, binding in before.items():
            if binding is not None:
                self.environment[key] = binding
        return result

    def _unmodelled(self, node: Node, name: str) -> Exception:
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
        return unsupported(
            "unmodelled-call",
            node.span,
            f"the body of `{name or 'this function'}` isn't seen",
            "give its meaning as plain C++ in a file: --model FILE",
        )

    def _assume(self, node: Node) -> None:
        condition, text = arguments_of(node)
        with self.expression_region(condition) as region:
            since = len(self.out)
            self.asserting, self.leaving = all_must_hold(condition), True
            test = self.condition(condition)
            self.asserting = self.leaving = False
            if len(self.out) > since or region.pending:
                raise unsupported("unsequenced", node.span, "an assert with a side effect")
        if not isinstance(test, Const) or not test.value:
            literal = strip(text).spelling
            shown = literal[1:-1].replace('\\"', '"').replace("\\\\", "\\")
            self.emit(Assume(self.span, test, shown))

    # Functions whose body is seen

    def _defined(
        self,
        node: Node,
        name: str,
        definition: Definition,
        used: bool,
        arguments: tuple[Node, ...],
    ) -> Expr | PointerValue | Object | None:
        if definition.key in self.inlined:
            raise unsupported(
                "recursion",
                node.span,
                f"`{name}` calls itself",
                "write the recursion as a loop",
            )
        pure = self.program.pure_function(definition, (*self.inlined,))
        # What reads tables is inlined: an image of the DSL can't be read in a pure function.
        if pure is not None and not self.program.tables_of(pure):
            values = self.operands(arguments, node)
            converted = [convert(v, p.type) for v, p in zip(values, pure.params, strict=True)]
            self.program.use(pure, self.functions)
            call: Expr = Call(pure.name, tuple(converted), pure.body.type, "pure")
            return call
        return self._inline(node, definition, arguments, used)

    def inlined_method(
        self, node: Node, definition: Definition, receiver: Object
    ) -> Expr | PointerValue | Object | None:
        """A call of a method without parameters that C++ makes by itself."""
        return self._inline(node, definition, (), True, receiver)

    def _inline(
        self,
        node: Node,
        definition: Definition,
        arguments: Sequence[Node],
        used: bool,
        receiver: Object | None = None,
        captured: Sequence[tuple[Key, Binding]] = (),
    ) -> Expr | PointerValue | Object | None:
        if definition.key in self.inlined:
            raise unsupported("recursion", node.span, f"`{definition.name}` calls itself")
        self.program.check_readable(definition, node)
        span = self.span
        since = len(self.out)
        site = self._entered(node, definition)
        held = self.bind_arguments(node, definition, arguments, site)
        self.environment.update(captured)
        target = self._target_of(node, definition)
        begin = len(self.out)
        self._run_inlined(definition, target, receiver)
        self._check_held(held, begin, site)
        self.span = span
        if target.result_key is not None:
            binding = self.environment[target.result_key]
            assert isinstance(binding, PointerBinding)
            value = self.bound_pointer(binding, node)
            if isinstance(value, ObjectAddress) and target.by_reference:
                return value.target
            return value
        if target.result_object is not None:
            return target.result_object
        if target.result is None or target.result_type is None:
            return None
        last = self.out[-1] if self.out else None
        if (
            isinstance(last, Assign)
            and last.name == target.result
            and target.result not in writes(self.out[since:-1])
        ):
            self.out.pop()
            self.names.discard(target.result)
            return last.value
        result_variable: Expr = Variable(target.result, target.result_type)
        return result_variable

    def _entered(self, node: Node, definition: Definition) -> Site:
        """Begins the inlining of a function; gives what identifies this call of it."""
        self.mutated |= definition.mutated
        self.reassigned |= definition.reassigned
        # A pointer variable of an earlier call may still be part of a value: this is another.
        own = self.parts_of(definition.declared) | {self._result_key(definition)}
        self.pointer_names = {k: n for k, n in self.pointer_names.items() if k[0] not in own}
        return (tuple(self.inlined), node.cursor.hash, node.cursor.extent.start.offset)

    def _check_held(self, held: frozenset[str], begin: int, site: Site) -> None:
        """Raises `Held` where a callee has changed what its parameters stand for by name."""
        if held & writes(self.out[begin:]):
            raise Held(site)

    def _result_key(self, definition: Definition) -> Key:
        return (-1 - len(self.inlined), definition.node.cursor.hash)

    def _target_of(self, node: Node, definition: Definition) -> Target:
        """Where the result of an inlined function goes."""
        result = definition.result_type
        target = Target("function")
        if is_pointer(result) or is_reference(result):
            target.by_reference = is_reference(result)
            target.single = _returns_last(definition.body)
            target.result_key = self._result_key(definition)
            self.environment[target.result_key] = PointerBinding("result", None)
        elif is_record(result) and vector_element(result) is None and not is_lambda(result):
            key = (-2 - len(self.inlined), node.cursor.hash)
            target.result_object = self.new_object(key, definition.name, result, node)
        else:
            target.result_type = scalar_type(result)
            if target.result_type is None and result.kind.name != "VOID":
                raise unsupported(
                    "unsupported-type", node.span, f"a result of type `{result.spelling}`"
                )
        return target

    def _run_inlined(self, definition: Definition, target: Target, receiver: Object | None) -> None:
        outer, self.targets = self.targets, [target]
        region, self.region = self.region, None
        self.inlined.append(definition.key)
        self.receivers.append(receiver)
        reached = self.run(definition.body.children)
        ends = [*target.returns, *([self.environment] if reached else [])]
        for end in ends:
            self.environment = end if end is ends[0] else joined(self.environment, end)
        self.receivers.pop()
        self.inlined.pop()
        self.targets, self.region = outer, region

    def run_constructor(
        self, node: Node, definition: Definition, target: ObjectBinding, arguments: Sequence[Node]
    ) -> None:
        """Inlines a constructor: initializers in the order of the declarations, then the body."""
        if definition.key in self.inlined:
            raise unsupported("recursion", node.span, f"`{definition.name}` makes itself")
        self.program.check_readable(definition, node)
        span = self.span
        site = self._entered(node, definition)
        held = self.bind_arguments(node, definition, arguments, site)
        begin = len(self.out)
        members, bases = constructor_parts(definition)
        own = definition.node.cursor.semantic_parent.type.get_canonical()
        region, self.region = self.region, None
        self.inlined.append(definition.key)
        self.receivers.append(target)
        if own.spelling in bases:
            self.construct(target, own, bases[own.spelling])
        else:
            for base in bases_of(own):
                start = bases.get(base.spelling)
                if start is not None:
                    self.construct(target, base, start)
                else:
                    self._default_object(target, base, node, zero=False)
            for field in own_fields(own):
                start = members.get(field.key) or default_initializer(field)
                self.initialise_field(target, field, start, node, zero=False)
        self.receivers.pop()
        self.inlined.pop()
        self.region = region
        self._run_inlined(definition, Target("function"), target)
        self._check_held(held, begin, site)
        self.span = span

    def this_pointer(self, node: Node) -> PointerValue:
        found = self.this(node)
        return ObjectAddress(found) if isinstance(found, ObjectBinding) else found.pointer

    def function_address(self, node: Node) -> PointerValue:
        if node.kind == "CONDITIONAL_OPERATOR":
            raise unsupported(
                "pointer-base",
                node.span,
                "this may point to one of two functions",
                "branch around the calls",
            )
        cursor = node.declaration
        definition = None
        if cursor is not None:
            definition = self.program.definition(cursor, callee_of(node))
        if definition is None:
            raise unsupported("unmodelled-call", node.span, "this function isn't seen")
        return FunctionAddress(definition, definition.key)

    def reference_to(self, start: Node, name: str) -> Binding:
        """What a reference to an object is bound to."""
        if is_lambda(start.type):
            return self.lambda_of(start)
        return self.steady_object(self.object(start), name)

    def extreme_place(self, node: Node) -> Place | None:
        """The place to which `std::min(a, b)` and its like refer; None for any other call."""
        function = self.program.library_function(node.declaration)
        own, arguments = scalar_type(node.type), arguments_of(node)
        if function is None or not function.is_std or own is None:
            return None
        counts = {"min": 2, "max": 2, "clamp": 3}
        if counts.get(function.meaning) != len(arguments):
            return None
        works = [partial(self.referred, a, own, function.meaning) for a in arguments]
        places = self.in_any_order(works, lambda place: (self.read(place, own),), node)
        return self.one_of(function.meaning, places, own)

    def is_pure_call(self, node: Node) -> bool:
        """Whether a call is one of a function that is kept by its name."""
        if self.vector_access(node) or node.declaration is None:
            return False
        definition = self.program.definition(node.declaration, callee_of(node))
        return definition is not None and self.program.pure_function(definition) is not None

    def is_variable(self, member: Node) -> bool:
        """Whether a member of an object is a variable, not a constant."""
        if member.declaration is None or member.declaration.kind.name != "FIELD_DECL":
            return False
        return isinstance(self.member(member), (ScalarBinding, Pointer))

    def offset(self, pointer: Pointer, distance: Expr) -> Pointer:
        """`pointer + distance`, in elements."""
        return pointer.at(add(pointer.offset, index(distance)))
