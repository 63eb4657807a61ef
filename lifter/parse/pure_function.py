"""Functions of scalars: called by name in a kernel, where their bodies fold into one expression."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.ir import Cast, Const, Expr, Load, Select, Variable, postorder, transform

from ..model.diagnostic import LiftError
from ..model.kernel import Assign, Declare, If, PureFunction, Stmt, WhileLoop, statements
from .bindings import ScalarBinding, ScalarPlace
from .border_loops import left_by
from .dispatch import run
from .failure import unsupported
from .folding import convert, fold
from .jumps import JumpTarget
from .program import FunctionDefinition, SourceProgram
from .translation import Known, StartAgain, Translation
from .types import is_reference, pointee_of, scalar_type


def pure_function(
    program: SourceProgram, definition: FunctionDefinition, stack: Sequence[str] = ()
) -> PureFunction | None:
    """The function as one expression, or None where it must be inlined (or can't be)."""
    key = definition.key
    if key not in program.pure:
        program.pure[key] = None
        if definition.is_scalar and definition.error is None:
            program.pure[key] = _fold(program, definition, stack)
    found = program.pure[key]
    if isinstance(found, LiftError):
        raise found
    return found


def _fold(
    program: SourceProgram, definition: FunctionDefinition, stack: Sequence[str]
) -> PureFunction | LiftError | None:
    known = Known()
    while True:
        t = Translation(program, known)
        t.inlined = [*stack, definition.key]
        try:
            with t.attempt():
                params, target = _translate_scalars(t, definition)
        except StartAgain as again:
            known = again.known
            continue
        except LiftError as error:
            return error
        break
    arrays = t.declared.arrays
    if target.result is None or any(a.origin != "table" for a in arrays.values()):
        return None
    try:
        body = fold_statements([*t.prologue, *t.out], target.result, frozenset(arrays))
    except (NotPure, RecursionError):
        return None
    name = program.unique_name(definition)
    program.add_pure(name, dict(arrays), dict(t.declared.functions))
    return PureFunction(name, params, body, definition.node.span, definition.is_model)


def _translate_scalars(
    t: Translation, definition: FunctionDefinition
) -> tuple[tuple[Variable, ...], JumpTarget]:
    """Translates a function of scalars; gives its parameters (those of one pack have one name in
    the source), and the target that names its result."""
    t.mutated = set(definition.mutated)
    parameters: list[Variable] = []
    for position, parameter in enumerate(definition.parameters):
        name = t.fresh(parameter.spelling or f"unnamed{position}")
        type = parameter.type
        own = scalar_type(pointee_of(type) if is_reference(type) else type)
        assert own is not None
        if t.is_constant(parameter.key):
            t.fixed.add(name)
            t.constant_scalars[name] = parameter.key
        t.bind(parameter, ScalarBinding(ScalarPlace(name, own)))
        parameters.append(Variable(name, own))
    return tuple(parameters), translate_body(t, definition)


def translate_body(t: Translation, definition: FunctionDefinition) -> JumpTarget:
    """Translates the body of a function whose parameters are bound."""
    result = definition.value_type
    target = JumpTarget("function", result_type=scalar_type(result))
    if target.result_type is None and result.kind.name != "VOID":
        raise unsupported(
            "unsupported-type",
            definition.node.span,
            f"`{definition.name}` returns `{result.spelling}`",
            "let the caller give the array to fill, and return nothing or a number",
        )
    if definition.body.kind == "CXX_TRY_STMT":
        raise unsupported("exception", definition.body.span, "exceptions aren't understood")
    t.targets = [target]
    t.span = definition.node.span
    run(t, definition.body.children)
    return target


_ROUNDS = 64
_NODES = 3000


class NotPure(Exception):
    """The statements are no expression: they touch memory, or loop an unknown number of times."""


Values = dict[str, Expr]


def fold_statements(body: Sequence[Stmt], result: str, tables: frozenset[str]) -> Expr:
    """The value of the scalar `result` after `body`, as an expression of the parameters.

    `tables` are the constant arrays that may be read. Raises `NotPure`.
    """
    values: Values = {}
    for stmt in body:
        _execute(stmt, values, tables)
    if result not in values:
        raise NotPure
    found = values[result]
    size = 0
    for node in postorder(found):
        size += 1
        if isinstance(node, Load) and node.array not in tables:
            raise NotPure
    if size > _NODES:
        raise NotPure
    return found


def _substituted(expr: Expr, values: Values) -> Expr:
    def visit(node: Expr) -> Expr:
        if isinstance(node, Variable):
            return values.get(node.name, node)
        if isinstance(node, Select) and isinstance(node.condition, Const):
            return node.a if node.condition.value else node.b
        children = node.children
        if children and all(isinstance(c, Const) for c in children):
            if isinstance(node, Cast):
                return convert(node.value, node.type)
            return fold(node)
        return node

    return transform(expr, visit)


def _execute(stmt: Stmt, values: Values, tables: frozenset[str]) -> None:
    if isinstance(stmt, Assign):
        values[stmt.name] = _substituted(stmt.value, values)
    elif isinstance(stmt, Declare):
        values.pop(stmt.name, None)
    elif isinstance(stmt, If):
        _execute_if(stmt, values, tables)
    elif isinstance(stmt, WhileLoop):
        _execute_loop(stmt, values, tables)
    else:
        raise NotPure


def _execute_if(stmt: If, values: Values, tables: frozenset[str]) -> None:
    condition = _substituted(stmt.condition, values)
    if isinstance(condition, Const):
        for inner in stmt.then if condition.value else stmt.otherwise:
            _execute(inner, values, tables)
        return
    then, otherwise = dict(values), dict(values)
    for inner in stmt.then:
        _execute(inner, then, tables)
    for inner in stmt.otherwise:
        _execute(inner, otherwise, tables)
    for name in dict.fromkeys((*then, *otherwise)):
        a, b = then.get(name), otherwise.get(name)
        # A name that only one path knows is undefined on the other, or a parameter there.
        if a is None or b is None:
            known = a if a is not None else b
            assert known is not None
            unknown = Variable(name, known.type)
            a, b = (known, unknown) if b is None else (unknown, known)
        values[name] = a if a is b else Select(condition, a, b)


def _execute_loop(stmt: WhileLoop, values: Values, tables: frozenset[str]) -> None:
    if _execute_at_once(stmt, values, tables):
        return
    first = not stmt.test_first
    for _ in range(_ROUNDS):
        if not first:
            condition = _substituted(stmt.condition, values)
            if not isinstance(condition, Const):
                raise NotPure
            if not condition.value:
                return
            for inner in stmt.again:
                _execute(inner, values, tables)
        first = False
        for inner in (*stmt.body, *stmt.step):
            _execute(inner, values, tables)
    raise NotPure


def _execute_at_once(stmt: WhileLoop, values: Values, tables: frozenset[str]) -> bool:
    """Whether the loop brings a place inside of a size, which needs no iterations."""
    body = list(statements(stmt.body))
    if not all(isinstance(s, (Assign, If)) for s in body):
        return False
    changed = {s.name: s.value.type for s in body if isinstance(s, Assign)}
    if len(changed) != 1 or not stmt.test_first or stmt.again or stmt.step:
        return False
    ((name, type),) = changed.items()
    place: Variable = Variable(f"{name}'", type)
    after: Values = {**values, name: place}
    condition = _substituted(stmt.condition, after)
    for inner in stmt.body:
        _execute(inner, after, tables)
    found = left_by(condition, after[name], place)
    if found is None:
        return False
    values[name] = _substituted(found, {place.name: values.get(name, Variable(name, type))})
    return True
