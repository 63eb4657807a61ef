"""From a function's definition to a `Kernel`, or to the reason why it is none."""

from __future__ import annotations

from dataclasses import replace

from compiler.ir import Const, Expr, Load, Type, Variable, postorder

from ..model.diagnostic import LiftError, Span
from ..model.kernel import (
    Allocate,
    Assign,
    Assume,
    Declare,
    Kernel,
    Param,
    Return,
    SourceParam,
    Stmt,
    Store,
    expressions_of,
    statements,
)
from .bindings import ScalarBinding, ScalarPlace
from .cleanup import with_tables, without_unused
from .exits import with_plain_exits
from .failure import unsupported
from .jumps import Target
from .naming import linker_name
from .null_tests import of_parameters
from .objects import FieldWritten
from .parameters import Parameters
from .program import Definition, Program
from .state import Changed, Held, Learnt, reads, writes
from .types import is_reference, pointee_of, scalar_type
from .views import Narrower, Rows


class Translator(Parameters):
    """The whole translator, of one function at a time."""

    own_parameters: list[Variable]
    """Those of a function of scalars; the parameters of one pack have one name in the source."""

    def scalar_function(self, definition: Definition) -> Target:
        """Translates a function of scalars; the target names its result."""
        self.mutated = set(definition.mutated)
        self.own_parameters = []
        for position, parameter in enumerate(definition.parameters):
            name = self.fresh(parameter.spelling or f"unnamed{position}")
            type = parameter.type
            own = scalar_type(pointee_of(type) if is_reference(type) else type)
            assert own is not None
            if self.is_constant(parameter.key):
                self.fixed.add(name)
                self.constant_scalars[name] = parameter.key
            self.bind(parameter, ScalarBinding(ScalarPlace(name, own)))
            self.own_parameters.append(Variable(name, own))
        return self._body(definition)

    def _body(self, definition: Definition) -> Target:
        result = definition.value_type
        target = Target("function", result_type=scalar_type(result))
        if target.result_type is None and result.kind.name != "VOID":
            raise unsupported(
                "unsupported-type",
                definition.node.span,
                f"`{definition.name}` returns `{result.spelling}`",
                "let the caller give the array to fill, and return nothing or a number",
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
        self.reassigned = set(definition.reassigned)
        self.span = definition.node.span
        self.inlined = [definition.key]
        self.own_statements = tuple(c.cursor.hash for c in definition.body.children)
        params = self.parameters(definition)
        return params, self._body(definition)


def make_kernel(
    definition: Definition,
    program: Program,
    name: str,
    qualified_name: str,
    preconditions: tuple[Assume, ...],
    source: str,
) -> Kernel:
    """Translates one function. Raises `LiftError` for what isn't understood."""
    if definition.result_type.kind.name == "ENUM":
        raise unsupported(
            "unsupported-type",
            definition.node.span,
            f"`{definition.name}` returns an enumeration",
            "let the caller give the array to fill, and return nothing or a number",
        )
    translator, params, target = _translated(definition, program)
    body = (*translator.prologue, *translator.out)
    body = without_unused(body, frozenset(translator.made))
    body = with_plain_exits(body)
    if target.result is not None:
        body = _with_return(body, target.result, target.result_type)
    scalars = {p.name for p in params if p.kind == "scalar"}
    scalars |= {f"{p.name}.size" for p in params if p.kind == "vector"}
    asserted, body = _entry_asserts(body, scalars)
    asserted = (*asserted, *_multiples(translator, definition.node.span))
    used = {n for s in statements(body) for n in _arrays(s)}
    params, body, sources = _without_idle_fields(
        params, body, asserted, tuple(translator.sources), used | set(translator.not_null)
    )
    kept = {p.name for p in params}
    arrays = {
        n: a for n, a in translator.arrays.items() if n in kept or n in used
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
        source_params=sources,
        source=source,
        not_null=of_parameters(translator.not_null.values(), params, sources),
        symbol=linker_name(definition.node.cursor),
    )


def _multiples(translator: Translator, span: Span) -> tuple[Assume, ...]:
    found = translator.multiples.items()
    return tuple(Assume(span, condition, text, "inferred") for condition, text in found)


def _translated(
    definition: Definition, program: Program
) -> tuple[Translator, tuple[Param, ...], Target]:
    """Translates a function; fields of its parameters are constant until one is seen written."""
    written: frozenset[str] = frozenset()
    widths: dict[str, int] = {}
    rows: dict[str, Type] = {}
    learnt = Learnt()
    first: LiftError | None = None
    while True:
        translator = Translator(program, written, learnt)
        translator.widths, translator.rows = widths, rows
        try:
            params, target = translator.kernel_function(definition)
        except FieldWritten as found:
            # Two parameters of one class may be one object: the field of both is written.
            written |= translator.fields_like(found.name)
            continue
        except (Held, Changed) as found:
            learnt.add(found)
            continue
        except Narrower as found:
            widths = {**widths, found.array: found.bits}
            rows = {n: t for n, t in rows.items() if n != found.array}
            continue
        except Rows as found:
            rows = {**rows, found.array: found.element}
            continue
        except LiftError as error:
            if first is not None or not rows:
                raise first or error from None
            first = error
            widths = {**widths, **dict.fromkeys(rows, 8)}
            rows = {}
            continue
        return translator, params, target


def _without_idle_fields(
    params: tuple[Param, ...],
    body: tuple[Stmt, ...],
    asserted: tuple[Assume, ...],
    sources: tuple[SourceParam, ...],
    arrays: set[str],
) -> tuple[tuple[Param, ...], tuple[Stmt, ...], tuple[SourceParam, ...]]:
    """Drops the fields of parameters that the function doesn't use."""
    parts = {f.param for s in sources for f in s.fields if f.param}
    if not parts:
        return params, body, sources
    # A pointer field that is moved starts at 0 even if nothing reads through it.
    roots = [e for s in (*statements(body), *asserted) for e in expressions_of(s)]
    names = {n.name for n in postorder(*roots) if isinstance(n, Variable)}
    used = names | arrays | {n.removesuffix(".size") for n in names if n.endswith(".size")}
    idle = parts - used
    body = tuple(s for s in body if not (isinstance(s, Assign) and s.name in idle))
    kept = tuple(
        replace(source, fields=tuple(f for f in source.fields if f.param not in idle))
        for source in sources
    )
    return tuple(p for p in params if p.name not in idle), body, kept


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
