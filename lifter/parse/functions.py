"""From a function's definition to a `Kernel`, or to the reason why it is none."""

from __future__ import annotations

from compiler.ir import I64, Const, Expr, Load, Type, Variable, postorder

from .bindings import (
    ZERO,
    ElementPlace,
    Pointer,
    PointerBinding,
    ScalarBinding,
    ScalarPlace,
    VectorBinding,
)
from .cleanup import expressions_of, with_tables, without_unused
from .control_flow import Statements
from .declarations import THREADS
from .failure import unsupported
from .jumps import Target
from .kernel import (
    Allocate,
    Array,
    Assign,
    Assume,
    Declare,
    Kernel,
    Param,
    ParamKind,
    Return,
    Stmt,
    Store,
    statements,
)
from .program import Definition, Program
from .state import reads, writes
from .syntax import Node
from .types import (
    is_array,
    is_const,
    is_pointer,
    is_reference,
    pointee_of,
    scalar_type,
    vector_element,
)


class Translator(Statements):
    """The whole translator, of one function at a time."""

    def scalar_function(self, definition: Definition) -> Target:
        """Translates a function of scalars; the target names its result."""
        self.mutated = set(definition.mutated)
        for position, parameter in enumerate(definition.parameters):
            name = self.fresh(parameter.spelling or f"unnamed{position}")
            type = parameter.type
            own = scalar_type(pointee_of(type) if is_reference(type) else type)
            assert own is not None
            if parameter.key not in self.mutated:
                self.fixed.add(name)
            self.bind(parameter, ScalarBinding(ScalarPlace(name, own)))
        return self._body(definition)

    def _body(self, definition: Definition) -> Target:
        result = definition.result_type
        target = Target("function", result_type=scalar_type(result))
        if target.result_type is None and result.kind.name != "VOID":
            raise unsupported(
                "unsupported-type",
                definition.node.span,
                f"`{definition.name}` returns `{result.spelling}`",
                "return nothing, or a number",
            )
        if definition.body.kind == "CXX_TRY_STMT":
            raise unsupported("exception", definition.body.span, "exceptions aren't understood")
        self.targets = [target]
        self.span = definition.node.span
        self.run(definition.body.children)
        return target

    def kernel_function(self, definition: Definition) -> tuple[tuple[Param, ...], Target]:
        """Translates a function with arrays; gives its parameters and the result's name."""
        self.mutated = set(definition.mutated)
        self.span = definition.node.span
        self.inlined = [definition.key]
        params = tuple(
            self._parameter(parameter, position)
            for position, parameter in enumerate(definition.parameters)
        )
        return params, self._body(definition)

    def _parameter(self, node: Node, position: int) -> Param:
        name = node.spelling or f"unnamed{position}"
        type = node.type
        self.span = node.span
        kind: ParamKind
        if is_pointer(type) or is_array(type):
            kind, element, constant = self._pointer_parameter(node, name)
        elif vector_element(type) is not None:
            found = vector_element(type)
            assert found is not None
            if not is_reference(type):
                raise unsupported(
                    "unsupported-type",
                    node.span,
                    f"vector `{name}` is passed by value",
                    "pass it by (constant) reference",
                )
            kind, element = "vector", found
            constant = is_const(pointee_of(type))
            self.declare_array(Array(name, element, span=node.span))
            size = Variable(f"{name}.size", I64)
            self.names.add(size.name)
            self.fixed.add(size.name)
            self.bind(node, VectorBinding(Pointer(name, element), size))
        elif is_reference(type):
            found = scalar_type(pointee_of(type))
            if found is None:
                raise self._not_understood(node)
            kind, element = "reference", found
            constant = is_const(pointee_of(type))
            self.declare_array(Array(name, element, span=node.span))
            self.bind(node, ScalarBinding(ElementPlace(name, (ZERO,), element)))
        else:
            own = scalar_type(type)
            if own is None:
                raise self._not_understood(node)
            kind, element, constant = "scalar", own, is_const(type)
            self.names.add(name)
            if node.key not in self.mutated:
                self.fixed.add(name)
            self.bind(node, ScalarBinding(ScalarPlace(name, own)))
        return Param(name, kind, element, node.written_type, constant, node.span)

    def _not_understood(self, node: Node) -> Exception:
        if THREADS.search(node.type.spelling):
            return unsupported(
                "thread", node.span, f"parameter `{node.spelling}` is for work with threads"
            )
        return unsupported(
            "unsupported-type",
            node.span,
            f"parameter `{node.spelling}` has type `{node.written_type}`, which isn't understood",
        )

    def _pointer_parameter(self, node: Node, name: str) -> tuple[ParamKind, Type, bool]:
        pointee = pointee_of(node.type)
        level = 1
        if is_pointer(pointee):
            pointee, level = pointee_of(pointee), 2
        constant = is_const(pointee)
        while is_array(pointee):
            pointee = pointee.element_type.get_canonical()
        element = scalar_type(pointee)
        if element is None or pointee.is_volatile_qualified():
            raise self._not_understood(node)
        self.declare_array(Array(name, element, level, span=node.span))
        offset: Expr = ZERO
        if node.key in self.mutated:
            offset = Variable(self.program_name(node.key, name, (name, level), False), I64)
            self.emit(Assign(self.span, name, ZERO))
        start = Pointer(name, element, offset, level)
        self.environment[self.key(node)] = PointerBinding(name, start)
        return ("array" if level == 1 else "rows"), element, constant


def make_kernel(
    definition: Definition,
    program: Program,
    name: str,
    qualified_name: str,
    preconditions: tuple[Assume, ...],
    source: str,
) -> Kernel:
    """Translates one function. Raises `LiftError` for what isn't understood."""
    translator = Translator(program)
    params, target = translator.kernel_function(definition)
    body = tuple(translator.out)
    body = without_unused(body, frozenset(translator.made))
    if target.result is not None:
        body = _with_return(body, target.result, target.result_type)
    scalars = {p.name for p in params if p.kind == "scalar"}
    scalars |= {f"{p.name}.size" for p in params if p.kind == "vector"}
    asserted, body = _entry_asserts(body, scalars)
    used = {n for s in statements(body) for n in _arrays(s)}
    arrays = {
        n: a for n, a in translator.arrays.items() if a.origin == "param" or n in used
        or any(n in program.tables_of(f) for f in translator.functions.values())
    }  # fmt: skip
    body, arrays = with_tables(body, arrays)
    span = definition.node.span
    return Kernel(
        name=name,
        qualified_name=qualified_name,
        span=span,
        signature=str(definition.node.cursor.type.spelling),
        params=tuple(_as_reference(p, body) for p in params),
        return_type=target.result_type,
        arrays=arrays,
        functions=dict(translator.functions),
        preconditions=(*asserted, *preconditions),
        body=body,
        warnings=tuple(translator.warnings),
        source=source,
    )


def _with_return(body: tuple[Stmt, ...], result: str, type: Type | None) -> tuple[Stmt, ...]:
    assert type is not None
    last = body[-1]
    if isinstance(last, Assign) and last.name == result and result not in writes(body[:-1]):
        return (*body[:-1], Return(last.span, last.value))
    return (*body, Return(last.span, Variable(result, type)))


def _entry_asserts(
    body: tuple[Stmt, ...], params: set[str]
) -> tuple[tuple[Assume, ...], tuple[Stmt, ...]]:
    """The asserts over parameters alone that stand before any effect, and what remains."""
    found: list[Assume] = []
    rest: list[Stmt] = []
    assigned: set[str] = set()
    for position, stmt in enumerate(body):
        if isinstance(stmt, Assume):
            if reads(stmt.condition) <= params - assigned:
                found.append(stmt)
            else:
                rest.append(stmt)
        elif isinstance(stmt, (Assign, Declare, Allocate)):
            assigned.add(stmt.array if isinstance(stmt, Allocate) else stmt.name)
            rest.append(stmt)
        else:
            rest.extend(body[position:])
            break
    return tuple(found), tuple(rest)


def _arrays(stmt: Stmt) -> set[str]:
    found = {n.array for n in postorder(*expressions_of(stmt)) if isinstance(n, Load)}
    if isinstance(stmt, (Store, Allocate)):
        found.add(stmt.array)
    return found


def _as_reference(param: Param, body: tuple[Stmt, ...]) -> Param:
    """A pointer that is only ever used as `*p` is a reference."""
    if param.kind != "array":
        return param
    uses: list[tuple[Expr, ...]] = []
    for stmt in statements(body):
        uses.extend(
            n.indices
            for n in postorder(*expressions_of(stmt))
            if isinstance(n, Load) and n.array == param.name
        )
        if isinstance(stmt, Store) and stmt.array == param.name:
            uses.append(stmt.indices)
    single = all(isinstance(i, Const) and i.value == 0 for indices in uses for i in indices)
    if not uses or not single:
        return param
    return Param(param.name, "reference", param.type, param.spelling, param.is_const, param.span)
