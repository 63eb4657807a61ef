"""From a function's definition to a `Kernel`, or to the reason why it is none."""

from __future__ import annotations

from dataclasses import replace

from compiler.ir import Const, Expr, Load, Type, Variable, postorder, to_text

from ..model.diagnostic import LiftError, Span
from ..model.kernel import (
    Allocate,
    Assign,
    Assume,
    Declare,
    Kernel,
    Param,
    Return,
    SourceField,
    SourceParam,
    Stmt,
    Store,
    expressions_of,
    statements,
)
from ..model.parameters import address_of, given_of, size_of
from .array_ends import with_array_ends
from .bindings import may_be_one
from .bound import element_name
from .cleanup import with_tables, without_unused
from .effects import reads, writes
from .exits import with_flags_apart, with_plain_exits
from .facts import value_of_fact
from .failure import unsupported
from .first_hits import with_first_hits
from .joint_tests import with_joint_tests
from .jumps import JumpTarget
from .kinds_of_calls import stated, where
from .lane_stores import with_lanes_in_loops
from .machine_addresses import refuse_whole_addresses
from .null_tests import of_parameters
from .odometers import with_rows_of_odometers
from .packed_pixels import with_packed_pixels
from .parameters import bind_parameters
from .pieces import with_whole_pieces
from .plain_numbers import PlainNumbers
from .program import FunctionDefinition, SourceProgram
from .pure_function import translate_body
from .region import RegionDefinition, region_of, translate_region
from .rotated_loops import with_first_tests
from .shorter_turns import with_lanes_counted, with_turns_as_loops
from .small_arrays import with_elements_apart
from .strips import with_strips
from .translation import Known, StartAgain, Translation
from .unrolled import with_places_in_turn
from .vector_memory import narrow_loads


def _translate_kernel(
    t: Translation, definition: FunctionDefinition
) -> tuple[tuple[Param, ...], JumpTarget]:
    """Translates a function with arrays; gives its parameters and the result's name."""
    t.mutated = set(definition.mutated)
    t.reassigned = set(definition.reassigned)
    t.span = definition.span
    t.inlined = [definition.key]
    t.own_statements = tuple(c.cursor.hash for c in definition.body.children)
    if isinstance(definition, RegionDefinition):
        return translate_region(t, definition)
    params = bind_parameters(t, definition)
    return params, translate_body(t, definition)


def _counts(t: Translation) -> dict[str, int]:
    """How many elements arrays have of which the source says it."""
    arrays = t.declared.arrays.items()
    own = {n: a.size for n, a in arrays if a.shape or a.origin == "local"}
    return {n: int(c.value) for n, c in own.items() if isinstance(c, Const)} | t.counts


def make_kernel(
    definition: FunctionDefinition,
    program: SourceProgram,
    name: str,
    qualified_name: str,
    preconditions: tuple[Assume, ...],
    source: str,
) -> Kernel:
    """Translates one function. Raises `LiftError` for what isn't understood."""
    is_region = isinstance(definition, RegionDefinition)
    if definition.result_type.kind.name == "ENUM" and not is_region:
        raise unsupported(
            "unsupported-type",
            definition.node.span,
            f"`{definition.name}` returns an enumeration",
            "let the caller give the array to fill, and return nothing or a number",
        )
    t, params, target = _translated(definition, program)
    body = (*t.prologue, *t.out)
    refuse_whole_addresses(t, body)
    body = with_flags_apart(where(body, definition.given), t.made)
    body = with_turns_as_loops(with_whole_pieces(body, t.fresh))
    plain = PlainNumbers() if t.lane_loads else None
    elements: set[str] = set()
    if plain is not None:
        body, elements = with_elements_apart(body, t.declared.arrays, t.fresh)
    body = with_lanes_in_loops(body, t.made - t.kept_lanes, t.fresh, elements, plain)
    body = with_lanes_counted(without_unused(body, frozenset(t.made | elements)))
    body = with_first_tests(with_plain_exits(with_joint_tests(body)))
    body = with_places_in_turn(body)
    numbers = [p.name for p in params if p.kind == "scalar"]
    body, equations = with_rows_of_odometers(body, numbers)
    if target.result is not None:
        body = _with_return(body, target.result, target.result_type)
    body = with_array_ends(body, _counts(t))
    body = with_first_hits(body, t.fresh, t.new_array)
    body = with_strips(body, t.fresh)
    body = with_packed_pixels(body, t.declared.arrays, t.fresh, t.new_array)
    scalars = {p.name for p in params if p.kind == "scalar"}
    scalars |= {size_of(p.name).name for p in params if p.kind == "vector"}
    scalars |= {given_of(name).name for name in t.given}
    scalars |= {address_of(name).name for name in t.addresses}
    assert all(reads(e) <= scalars - writes(body) for e in definition.given)
    asserted, body = _entry_asserts(body, scalars)
    if is_region:
        # What is known where it stands counts where it is about what the region uses.
        named = _named(body) | set(t.known.values)
        asserted = tuple(a for a in asserted if reads(a.condition) <= named)
    known = {a.condition for a in asserted}
    asserted += tuple(a for a in stated(definition.span, definition.given)
                      if a.condition not in known)  # fmt: skip
    asserted = (*asserted, *_multiples(t, definition.span))
    asserted += tuple(
        Assume(definition.span, e, to_text(e), "inferred")
        for e in equations
        if not any(a.condition is e for a in asserted)
    )
    used = {n for s in statements(body) for n in _arrays(s)}
    params, body, sources = _without_idle_fields(
        params, body, asserted, tuple(t.sources), used | set(t.not_null) | t.given
    )
    kept = {p.name for p in params}
    arrays = {
        n: a for n, a in t.declared.arrays.items() if n in kept or n in used
        or any(n in program.tables_of(f) for f in t.declared.functions.values())
    }  # fmt: skip
    body, arrays = with_tables(body, arrays)
    span = definition.span
    return Kernel(
        name=name,
        qualified_name=qualified_name,
        span=span,
        signature=str(definition.node.cursor.type.spelling),
        params=tuple(
            replace(
                _as_reference(p, body),
                may_be_null=p.name in t.given,
                has_address=p.name in t.addresses,
            )
            for p in params
        ),
        return_type=target.result_type,
        arrays=arrays,
        functions=dict(t.declared.functions),
        preconditions=(*asserted, *preconditions),
        body=body,
        warnings=tuple(t.declared.warnings),
        source_params=sources,
        source=source,
        not_null=of_parameters(t.not_null.values(), params, sources),
        symbol=definition.linker_name,
        region=region_of(definition, t, kept) if isinstance(definition, RegionDefinition) else None,
    )


def _multiples(t: Translation, span: Span) -> tuple[Assume, ...]:
    found = t.multiples.items()
    return tuple(Assume(span, condition, text, "inferred") for condition, text in found)


def _translated(
    definition: FunctionDefinition, program: SourceProgram
) -> tuple[Translation, tuple[Param, ...], JumpTarget]:
    """Translates a function, again with what an attempt has found out (see `Known`)."""
    known = Known()
    first: LiftError | None = None
    while True:
        t = Translation(program, known)
        try:
            with t.attempt():
                params, target = _translate_kernel(t, definition)
                narrow_loads(t, t.out)
        except StartAgain as again:
            known = again.known
            continue
        except LiftError as error:
            if known.values:
                known = replace(known, values={}, are_values=False)
                continue
            # Bytes that were taken for rows of wider elements may also be used as bytes.
            if first is not None or not known.rows:
                raise first or error from None
            first, known = error, known.without_rows()
            continue
        unsteady = frozenset(name for name in t.copies if _is_changed(t, name))
        if unsteady:
            known = replace(known, unsteady=known.unsteady | unsteady)
            continue
        mixed = _mixed_arrays(t)
        if not mixed:
            values = _values(t) if definition.is_region and known.are_values else {}
            if values.keys() <= known.values.keys():
                return t, params, target
            known = replace(known, values={**known.values, **values})
            continue
        rest = {a: e for a, e in known.elements.items() if a not in mixed}
        known = replace(known, elements=rest, whole=known.whole | mixed)


def _is_changed(t: Translation, copy: str) -> bool:
    """Whether a local number that is taken for a copy of a parameter is anything else somewhere in
    the whole function."""
    assigned: dict[str, set[Expr]] = {}
    for stmt in statements((*t.prologue, *t.out)):
        if isinstance(stmt, Assign):
            assigned.setdefault(stmt.name, set()).add(stmt.value)
    origins: set[Expr] = set()
    waiting, seen = [copy], set()
    while waiting:
        name = waiting.pop()
        seen.add(name)
        for value in assigned.get(name, ()):
            if not isinstance(value, Variable):
                return True
            if value.name in t.fixed:
                origins.add(value)
            elif value.name not in seen:
                waiting.append(value.name)
    return len(origins) != 1


def _values(t: Translation) -> dict[str, Const]:
    """The numbers that a region uses and that have one value where it stands."""
    named = _named(tuple(s for s in t.out if not isinstance(s, Assume)))
    facts = (value_of_fact(s.condition) for s in t.out if isinstance(s, Assume))
    return {f[0]: f[1] for f in facts if f is not None and f[0] in named}


def _named(body: tuple[Stmt, ...]) -> set[str]:
    return {n for s in statements(body) for e in expressions_of(s) for n in reads(e)}


def _mixed_arrays(t: Translation) -> frozenset[str]:
    """The member arrays of which an element is a parameter of its own, and that are also used as
    arrays, or whose like is written in another object of the class."""
    if not t.known.elements:
        return frozenset()
    used = {n for s in statements((*t.prologue, *t.out)) for n in _arrays(s)}
    stored = {s.array for s in statements((*t.prologue, *t.out)) if isinstance(s, Store)}
    written = [t.parts[name][0] for name in stored if name in t.parts]

    def is_written(name: str) -> bool:
        own = t.parts.get(name)
        return own is not None and any(may_be_one(own[0], other) for other in written)

    return frozenset(
        array
        for array, indices in t.known.elements.items()
        if array in used or any(is_written(element_name(array, i)) for i in indices)
    )


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
    used = names | arrays | {p.name for p in params if size_of(p.name).name in names}
    idle = parts - used
    body = tuple(s for s in body if not (isinstance(s, Assign) and s.name in idle))
    kept = tuple(replace(source, fields=_used_fields(source, idle, arrays)) for source in sources)
    return tuple(p for p in params if p.name not in idle), body, kept


def _used_fields(source: SourceParam, idle: set[str], tested: set[str]) -> tuple[SourceField, ...]:
    """The fields that the function uses, and the pointers that lead to them or that it tests."""
    fields = [f for f in source.fields if f.param not in idle]
    places = [f.path for f in fields if f.param]
    return tuple(
        f
        for f in fields
        if f.param
        or f"{source.name}.{f.path}".replace("->", ".") in tested
        or any(p.startswith(f"{f.path}->") for p in places)
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
    return replace(param, kind="reference")
