"""Calls: pure functions stay calls, everything else whose body is seen is inlined."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from compiler.ir import Call, Cast, Const, Expr, Type, Variable

from .bindings import (
    Address,
    ConstantBinding,
    Null,
    Place,
    Pointer,
    PointerBinding,
    PointerValue,
    ScalarBinding,
    ScalarPlace,
)
from .failure import unsupported
from .folding import add, convert, index
from .jumps import Target, jumps
from .kernel import Assign, Assume, PureFunction
from .library import Library
from .state import writes
from .syntax import Node, is_instance, strip
from .types import is_array, is_pointer, is_reference, pointee_of, scalar_type, vector_element

if TYPE_CHECKING:
    from .program import Definition


def callee_of(node: Node) -> str:
    """The called function's name, with its namespace where it has one (`std::min`)."""
    cursor = node.declaration
    if cursor is None:
        return node.spelling
    name = str(cursor.spelling)
    parent = cursor.semantic_parent
    while parent is not None and parent.kind.name in ("NAMESPACE", "CLASS_DECL", "STRUCT_DECL"):
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


def _may_reach_scalars(argument: Node) -> bool:
    """Whether an argument may let the callee change a scalar variable of the caller."""
    if argument.kind == "DECL_REF_EXPR":
        return scalar_type(argument.type) is not None
    return any(n.kind == "UNARY_OPERATOR" and n.operator == "&" for n in argument.walk())


class Calls(Library):
    """Translation of calls."""

    @abstractmethod
    def run(self, work: Sequence[Node]) -> bool: ...

    def call(self, node: Node, used: bool) -> Expr | None:
        """A call; its value where it has a scalar one."""
        result = self._call(node, used)
        if isinstance(result, (Pointer, Null, Address)):
            if used:
                raise unsupported(
                    "unsupported-expression", node.span, "a pointer is used as a number"
                )
            return None
        return result

    def pointer_call(self, node: Node) -> PointerValue:
        if node.kind == "CXX_NEW_EXPR":
            allocated = self.allocation(node, "memory")
            assert allocated is not None
            return allocated
        result = self._call(node, True)
        if isinstance(result, (Pointer, Null, Address)):
            return result
        raise unsupported("unsupported-expression", node.span, "this call gives no pointer")

    def _call(self, node: Node, used: bool) -> Expr | PointerValue | None:
        name = callee_of(node)
        if name == "lift_assert":
            self._assume(node)
            return None
        definition = self.program.definition(node.declaration, name)
        if definition is None or not definition.is_model:
            known = self.library_call(node, name, used)
            if known is not NotImplemented:
                value: Expr | PointerValue | None = known
                return value
        if definition is None:
            raise self._unmodelled(node, name)
        return self._defined(node, name, definition, used)

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
        if cursor is not None and is_instance(cursor):
            return unsupported(
                "template",
                node.span,
                f"`{name}` is an instance of a template",
                "write a function for the type that you use",
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
            test = self.condition(condition)
            if len(self.out) > since or region.pending:
                raise unsupported("unsequenced", node.span, "an assert with a side effect")
        if not isinstance(test, Const) or not test.value:
            literal = strip(text).spelling
            shown = literal[1:-1].replace('\\"', '"').replace("\\\\", "\\")
            self.emit(Assume(self.span, test, shown))

    # Functions whose body is seen

    def _defined(
        self, node: Node, name: str, definition: Definition, used: bool
    ) -> Expr | PointerValue | None:
        if definition.key in self.inlined:
            raise unsupported(
                "recursion",
                node.span,
                f"`{name}` calls itself",
                "write the recursion as a loop",
            )
        pure = self.program.pure_function(definition, (*self.inlined,))
        arguments = arguments_of(node)
        if pure is not None and self._tables_fit(pure):
            values = self.operands(arguments, node)
            converted = [convert(v, p.type) for v, p in zip(values, pure.params, strict=True)]
            self.program.use(pure, self.functions)
            call: Expr = Call(pure.name, tuple(converted), pure.body.type, "pure")
            return call
        return self._inline(node, definition, arguments, used)

    def _tables_fit(self, pure: PureFunction) -> bool:
        """Takes over the tables of a pure function; False where a name means another array."""
        tables = self.program.tables_of(pure)
        if any(self.arrays.get(name, table) != table for name, table in tables.items()):
            return False
        self.arrays.update(tables)
        for name, table in tables.items():
            if table.span is not None:
                self.table_places[table.span] = name
        return True

    def _inline(
        self, node: Node, definition: Definition, arguments: Sequence[Node], used: bool
    ) -> Expr | PointerValue | None:
        self.program.check_readable(definition, node)
        span = self.span
        self.mutated |= definition.mutated
        since = len(self.out)
        apart = not any(map(_may_reach_scalars, arguments))
        for number, (parameter, argument) in enumerate(
            zip(definition.parameters, arguments, strict=False)
        ):
            began = len(self.out)
            self._bind_argument(parameter, argument, definition, apart)
            if (
                number
                and len(self.out) - began > 1
                and writes(self.out[began:-1]) & writes(self.out[since:began])
            ):
                raise self.unsequenced(node)
        result = definition.result_type
        target = Target("function")
        if is_pointer(result):
            target.single = _returns_last(definition.body)
            target.result_key = (-1 - len(self.inlined), definition.node.cursor.hash)
            self.environment[target.result_key] = PointerBinding("result", None)
        else:
            target.result_type = scalar_type(result)
            if target.result_type is None and result.kind.name != "VOID":
                raise unsupported(
                    "unsupported-type", node.span, f"a result of type `{result.spelling}`"
                )
        outer, self.targets = self.targets, [target]
        region, self.region = self.region, None
        self.inlined.append(definition.key)
        self.run(definition.body.children)
        self.inlined.pop()
        self.targets, self.region = outer, region
        self.span = span
        if target.result_key is not None:
            binding = self.environment[target.result_key]
            assert isinstance(binding, PointerBinding)
            return self.bound_pointer(binding, node)
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

    def _bind_argument(
        self, parameter: Node, argument: Node, definition: Definition, apart: bool
    ) -> None:
        """Gives a parameter its meaning; `apart` says that the callee can't change the caller's
        scalars, so that an argument that is just one of them needs no copy."""
        type = parameter.type
        key = parameter.key
        name = parameter.spelling or "unnamed"
        if is_reference(type):
            pointee = pointee_of(type)
            if vector_element(pointee) is not None:
                binding = self.vector_binding(argument)
                if binding is None:
                    raise unsupported("unsupported-type", argument.span, "this vector argument")
                self.environment[key] = binding
                return
            own = scalar_type(pointee)
            if own is None:
                raise unsupported(
                    "unsupported-type",
                    argument.span,
                    f"an argument of type `{parameter.written_type}` isn't understood",
                )
            place: Place = self.referred(argument, own, name)
            self.environment[key] = ScalarBinding(place)
        elif is_pointer(type) or is_array(type):
            value = self.pointer(argument)
            constant = key not in definition.mutated
            if constant and (not isinstance(value, Pointer) or self._stays(value, apart)):
                self.environment[key] = PointerBinding(name, value)
                return
            self.environment[key] = PointerBinding(name, None)
            self.set_pointer(key, name, value, constant)
        else:
            own = scalar_type(type)
            if own is None:
                raise unsupported(
                    "unsupported-type",
                    argument.span,
                    f"an argument of type `{parameter.written_type}` isn't understood",
                )
            found = convert(self.value(argument), own)
            if key not in definition.mutated and self._is_stable(found, apart):
                self.environment[key] = ConstantBinding(found)
                return
            copy = self.fresh(name)
            self.assign(copy, found)
            self.environment[key] = ScalarBinding(ScalarPlace(copy, own))

    def _is_stable(self, value: Expr, apart: bool) -> bool:
        """Whether an argument means the same at every place in the callee."""
        while isinstance(value, Cast):
            value = value.value
        return isinstance(value, Const) or (
            isinstance(value, Variable) and (apart or value.name in self.fixed)
        )

    def _stays(self, pointer: Pointer, apart: bool) -> bool:
        return self._is_stable(pointer.offset, apart) and (
            pointer.row is None or self._is_stable(pointer.row, apart)
        )

    def offset(self, pointer: Pointer, distance: Expr) -> Pointer:
        """`pointer + distance`, in elements."""
        return pointer.at(add(pointer.offset, index(distance)))

    def own_type(self, node: Node) -> Type | None:
        return scalar_type(node.type)
