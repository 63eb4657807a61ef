"""The check that an emitted text says what was proved.

The text is executed under our own language, and what it defines is compared, node for node after
`tidy`, with the program that the text was printed from. So no mistake of the printer (a precedence,
a promotion rule, a literal's type) can reach a file that carries a proof.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from compiler.ir import (  # fmt: skip
    I32,
    Call,
    Cast,
    Const,
    Expr,
    Shl,
    Shr,
    Variable,
    neutral,
    substitute,
    transform,
)
from compiler.lang.buffer import Buffer
from compiler.lang.function import Definition, Function
from compiler.lang.params import InputImageParam, Param
from compiler.lang.variables import ReductionDomain

from ..dag import reduce_operator
from ..model.diagnostic import Diagnostic, LiftError, Span
from .inline_reduction import InlineReduction
from .load import LoadedPipeline, run_pipeline
from .program import (
    UNDEFINED,
    ConstantTable,
    Domain,
    FuncDefinition,
    Program,
    read_by,
    value_name,
)
from .tidy import tidy

Shape = tuple[tuple[str, ...], tuple[Expr, ...], tuple[Any, ...]]
"""Coordinates, pure values, updates as (domain bounds, point, values)."""


def check_round_trip(
    program: Program,
    text: str,
    span: Span | None = None,
    load: Callable[[str, str], LoadedPipeline] = run_pipeline,
) -> None:
    """Raises `LiftError` (code `internal`) when executing `text` doesn't define `program`.

    `load` gives what the text defines: who doesn't trust it takes `read_pipeline`.
    """
    found = read_definitions(program, text, span, load)
    for definition in program.definitions:
        expected = _expected(program, definition)
        actual = found[definition.name]
        for what, wanted, got in zip(("vars", "values", "updates"), expected, actual, strict=True):
            if wanted != got:
                note = f"{definition.name}: its {what} should be {wanted}, not {got}"
                raise _failure(program, note, span)


def read_definitions(
    program: Program,
    text: str,
    span: Span | None = None,
    load: Callable[[str, str], LoadedPipeline] = run_pipeline,
    domains: dict[str, Domain] | None = None,
) -> dict[str, Shape]:
    """The program's definitions as `text` has them, pure functions written out.

    `domains` gets those of inline reductions, by the names that these have for them. Raises
    `LiftError` (code `internal`) where it has other inputs, outputs or stages.
    """
    try:
        loaded = load(text, program.name)
    except Exception as error:
        raise _failure(program, f"it doesn't run: {error}", span) from error
    _check_interface(program, loaded.inputs, loaded.outputs, span)
    reader = _Reader(program, {} if domains is None else domains)
    found: dict[str, Function] = {}
    for output in loaded.outputs:
        try:
            _collect(output.function, {d.name for d in program.definitions}, found)
        except ValueError as error:
            raise _failure(program, str(error), span) from error
    shapes: dict[str, Shape] = {}
    for definition in program.definitions:
        function = found.get(definition.name)
        if function is None:
            raise _failure(program, f"nothing uses the stage {definition.name}", span)
        try:
            shapes[definition.name] = reader.definition(function)
        except ValueError as error:
            raise _failure(program, f"{definition.name}: {error}", span) from error
    return shapes


def _failure(program: Program, note: str, span: Span | None) -> LiftError:
    return LiftError(
        Diagnostic(
            "internal", "error",
            f"{program.name}: the emitted DSL text does not say what was proved",
            span, notes=(note,), family="internal",
            help="this is a bug in lift, not in your code; nothing was written",
        )
    )  # fmt: skip


def _check_interface(program: Program, inputs: Any, outputs: Any, span: Span | None) -> None:
    described: list[tuple[str, Any, int | None]] = []
    for item in inputs:
        if isinstance(item, InputImageParam):
            described.append((item.name(), item.element_type, item.dimensions()))
        elif isinstance(item, Param):
            described.append((item.name(), item.parameter().type, None))
    known: dict[str, tuple[str, Any, int | None]] = {
        i.name: (i.name, i.type, i.dimensions) for i in program.images
    }
    known |= {s.name: (s.name, s.type, None) for s in program.scalars}
    if described != [known[name] for name in program.inputs]:
        raise _failure(program, f"its inputs are {described}", span)
    names = [_plain(output.name()) for output in outputs]
    if names != [output.func for output in program.outputs]:
        raise _failure(program, f"its outputs are {names}", span)


def _plain(name: str) -> str:
    """A stage's name without the number that makes it unique in the process."""
    stage, number = read_by(name)
    plain = stage.split("$")[0]
    return value_name(plain, int(number)) if number else plain


def _collect(function: Function, wanted: set[str], found: dict[str, Function]) -> None:
    """All stages of the program that `function` reads, itself included, by plain name."""
    pending, seen = [function], {function}
    while pending:
        current = pending.pop()
        plain = _plain(current.name)
        if plain in wanted and found.setdefault(plain, current) is not current:
            raise ValueError(f"two stages are named {plain}")
        for definition in current.definitions:
            for source in definition.sources:
                if isinstance(source, Function) and source not in seen:
                    seen.add(source)
                    pending.append(source)


def _expected(program: Program, definition: FuncDefinition) -> Shape:
    bodies = {f.name: f for f in program.functions}
    domains: dict[str, Domain] = {d.name: d for d in definition.domains}

    def inline(node: Expr) -> Expr:
        if isinstance(node, Call) and node.name == UNDEFINED and node.kind == "intrinsic":
            return Call(UNDEFINED, (), node.type, "pure")  # as the language has it
        if isinstance(node, Call) and node.kind == "pure":
            function = bodies[node.name]
            arguments: dict[Expr, Expr] = dict(zip(function.params, node.args, strict=True))
            return substitute(transform(function.body, inline), arguments)
        if isinstance(node, InlineReduction):
            key = _domain_key(domains[node.domain].bounds)
            made: Expr = InlineReduction(node.operator, f"{node.domain}{key}", node.body)
            return made
        return node

    def normal(expr: Expr) -> Expr:
        return _normal(transform(expr, inline))

    updates = tuple(
        (
            _bounds(u.domain.bounds),
            _point(tuple(map(normal, u.point))),
            tuple(map(normal, u.values)),
        )
        for u in definition.updates
    )
    return tuple(v.name for v in definition.vars), tuple(map(normal, definition.values)), updates


def _bounds(bounds: tuple[tuple[Expr, Expr], ...]) -> tuple[Expr, ...]:
    return tuple(tidy(part) for pair in bounds for part in pair)


def _point(point: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """Coordinates are int32, whether or not the text says so."""
    return tuple(tidy(Cast(I32, part)) for part in point)


def _domain_key(bounds: tuple[tuple[Expr, Expr], ...]) -> str:
    """A text in which equal bounds, and no others, are equal."""
    return repr([f"{part}: {part.type}" for part in _bounds(bounds)])


def _normal(expr: Expr) -> Expr:
    """`tidy`, and shift amounts without casts: the language converts them in its own way, and an
    amount in range has the same value in every type."""

    def visit(node: Expr) -> Expr:
        if isinstance(node, (Shl, Shr)) and not isinstance(node.b, Const):
            amount = node.b
            while isinstance(amount, Cast) and amount.value.type.is_integer:
                if amount.value.type.bits > node.type.bits or amount.value.type.is_bool:
                    break
                amount = amount.value
            if amount is not node.b:
                node = type(node)(node.a, Cast(node.type, amount))
        return node

    return tidy(transform(tidy(expr), visit))


def _is_variable(expr: Expr) -> bool:
    return isinstance(expr, Variable)


class _Reader:
    """Reads definitions of the language back into the program's terms."""

    def __init__(self, program: Program, domains: dict[str, Domain]) -> None:
        self.program = program
        self.domains = domains

    def definition(self, function: Function) -> Shape:
        pure, *updates = function.definitions
        return (
            function.args,
            tuple(self._expr(value, pure) for value in pure.values),
            tuple(self._update(update) for update in updates),
        )

    def _update(self, update: Definition) -> Any:
        bounds: tuple[Expr, ...] = ()
        if update.domain is not None:
            bounds = self._domain_bounds(update.domain, update)
        point = _point(tuple(self._expr(p, update) for p in update.args))
        return bounds, point, tuple(self._expr(value, update) for value in update.values)

    def _domain_bounds(self, domain: ReductionDomain, definition: Definition) -> tuple[Expr, ...]:
        if domain.predicates:
            raise ValueError("a domain with a predicate is none of ours")
        return tuple(self._expr(part, definition) for pair in domain.bounds for part in pair)

    def _expr(self, expr: Expr, definition: Definition) -> Expr:
        functions = {s.name: s for s in definition.sources if isinstance(s, Function)}
        buffers = {s.name(): s for s in definition.sources if isinstance(s, Buffer)}
        visit = self._visitor(functions, buffers)
        return _normal(transform(expr, visit))

    def _visitor(
        self, functions: dict[str, Function], buffers: dict[str, Buffer]
    ) -> Callable[[Expr], Expr]:
        own = {
            value_name(d.name, i) if len(d.values) > 1 else d.name
            for d in self.program.definitions
            for i in range(len(d.values))
        }

        def visit(node: Expr) -> Expr:
            if isinstance(node, Variable):
                name, mark, rest = node.name.partition("$")
                if mark:
                    name = name if rest == "param" else f"{name}.{rest}"
                    variable: Expr = Variable(name, node.type)
                    return variable
            if isinstance(node, Call) and node.kind == "func":
                if _plain(node.name) in own:
                    own_read: Expr = Call(_plain(node.name), node.args, node.type, "func")
                    return own_read
                return self._reduction(functions[node.name], node)
            if isinstance(node, Call) and node.kind == "image" and node.name in buffers:
                table = self._table(buffers[node.name])
                read: Expr = Call(table.name, node.args, node.type, "image")
                return read
            return node

        return visit

    def _reduction(self, function: Function, call: Call) -> Expr:
        """An inline reduction, which the language keeps as a stage with one update."""
        pure, update = function.definitions
        step, domain = update.values[0], update.domain
        operator = reduce_operator(step)
        arguments = tuple(Variable(name, I32) for name in function.args)
        before = Call(function.name, arguments, step.type, "func")
        if operator is None or domain is None or not all(map(_is_variable, call.args)):
            raise ValueError(f"{function.name} is no inline reduction")
        start, (first, body) = pure.values[0], step.children
        if first is not before or not isinstance(start, Const) or update.args != arguments:
            raise ValueError(f"{function.name} is no inline reduction")
        if start.value != neutral(type(step), start.type):
            raise ValueError(f"{function.name} starts from {start}")
        # Where it stands in another reduction, that one's coordinates have other names in here.
        body = substitute(body, dict(zip(arguments, call.args, strict=True)))
        bounds = self._domain_bounds(domain, update)
        pairs = tuple(zip(bounds[::2], bounds[1::2], strict=True))
        name = domain.names[0].split("$")[0]
        label = f"{name}{_domain_key(pairs)}"
        self.domains[label] = Domain(name, pairs)
        made: Expr = InlineReduction(operator, label, self._expr(body, update))
        return made

    def _table(self, buffer: Buffer) -> ConstantTable:
        for table in self.program.tables:
            wanted = np.array(table.values).reshape(tuple(reversed(table.shape))).T
            same = buffer.element_type is table.type and buffer.array.shape == wanted.shape
            if same and np.array_equal(buffer.array, wanted.astype(buffer.array.dtype)):
                return table
        raise ValueError("a table is none of the source's")
