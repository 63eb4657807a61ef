"""The DSL program of a function from the proven summaries of its stages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NoReturn

from compiler.ir import (
    GE,
    I32,
    I64,
    TRUE,
    Call,
    Cast,
    Const,
    Expr,
    Select,
    Sub,
    Type,
    Variable,
    evaluate,
    postorder,
    substitute,
    transform,
)  # fmt: skip
from compiler.ir.nodes import CallKind

from ..dag import normal
from ..model.diagnostic import Diagnostic, LiftError
from ..model.kernel import Kernel
from ..model.lifted import FunctionResult
from ..model.parameters import given_of, size_of
from ..model.summary import Dimension, Layout, Summary
from ..synth.paths import reads_by_pixels
from .accesses import Box, accesses, fixed_bounds
from .branches import exclusive, exhaustive
from .first_values import with_zero, without_old
from .hulls import with_hulls
from .names import Names, program_name
from .program import (
    UNDEFINED,
    ConstantTable,
    Domain,
    FuncDefinition,
    Image,
    Output,
    OutputRegion,
    Program,
    PureFunctionDefinition,
    Scalar,
    Stride,
    Update,
    read_by,
    value_name,
)  # fmt: skip
from .reductions import AXES, axis, inline_reductions
from .tidy import tidy


def build_program(result: FunctionResult) -> Program:
    """The program of a function whose every stage has a summary.

    Raises `LiftError` (code `emit-unsupported`) where stages fill one array in different regions.
    """
    if result.kernel is None or not result.summaries:
        raise ValueError(f"{result.name} has no summaries to emit")
    preconditions = result.proof.preconditions if result.proof is not None else ()
    known = [p.formula for p in preconditions if p.formula is not None]
    summaries, unset = with_hulls(result.summaries, known)
    result = replace(result, summaries=tuple(summaries))
    assert result.kernel is not None
    made = _Builder(result, result.kernel, unset)
    program = made.program()
    unread = made.unread()
    # A fill that a later one replaces is proved, and no part of what is left: again without it.
    return _Builder(result, result.kernel, unset, unread).program() if unread else program


class _Builder:
    def __init__(
        self,
        result: FunctionResult,
        kernel: Kernel,
        unset: frozenset[str],
        unread: frozenset[int] = frozenset(),
    ) -> None:
        """`unset` are the arrays that begin with any values; `unread` are the summaries, by their
        numbers, that no output needs: no definition is made of them."""
        self.summaries = [s for i, s in enumerate(result.summaries) if i not in unread]
        self.left_out = [result.summaries[i] for i in sorted(unread)]
        self.made_of: dict[str, list[Summary]] = {}
        """The summaries that a definition was made of."""
        self.result = result
        self.kernel = kernel
        self.unset = unset
        self.names = Names({"hl", "np", program_name(kernel.name), *kernel.functions})
        self.images: dict[str, Image] = {}
        self.scalars: dict[str, Scalar] = {}
        self.tables: dict[str, ConstantTable] = {}
        self.functions: dict[str, PureFunctionDefinition] = {}
        self.definitions: list[FuncDefinition] = []
        self.current: dict[str, str] = {}
        """The definition that holds an array's contents by now."""
        self.before: dict[str, str] = {}
        """`current` when the loop nest at hand began: its stages happen at once."""
        self.regions: dict[str, OutputRegion] = {}
        self.layouts: dict[str, Layout] = {}
        self.boxes: dict[str, list[Box]] = {}
        for summary in result.summaries:
            for name, boxes in accesses(summary, kernel.functions, kernel.arrays).items():
                self.boxes.setdefault(name, []).extend(boxes)
        self.coordinates: dict[str, Variable] = {}
        self.scalar_types = {p.name: p.type for p in kernel.params if p.kind == "scalar"}
        vectors = (p.name for p in kernel.params if p.kind == "vector")
        nullable = (p.name for p in kernel.params if p.may_be_null)
        derived = (*map(size_of, vectors), *map(given_of, nullable))
        self.scalar_types |= {v.name: v.type for v in derived}
        self.needs_input = self._arrays_that_start_full()
        # Names of arrays and parameters come first, so that they stay the original's.
        self.array_names: dict[str, str] = {}
        for array in kernel.arrays.values():
            self.array_names[array.name] = self.names.take(array.name)
        for name in self.scalar_types:
            self._scalar(name)
        used = self._used_scalars()
        self.scalars = {k: v for k, v in self.scalars.items() if k in used}

    # What the program reads.

    def _arrays_that_start_full(self) -> set[str]:
        """Output arrays whose contents before the call matter."""
        needed: set[str] = set()
        written: set[str] = set()
        done: list[Summary] = []
        for stage in self.summaries:
            if not _at_once(stage, done):
                written |= {d.output for d in done}
                done.clear()
            done.append(stage)
            for node in postorder(stage.expression, *stage.update_point):
                if not isinstance(node, Call) or node.kind != "image":
                    continue
                # What its own stages make use of was stored by them.
                is_own = node.name == stage.output and node.name in self.unset
                if node.name not in written and not is_own:
                    needed.add(node.name)
            if stage.output not in written | self.unset and (
                stage.domain or (stage.condition not in (None, TRUE))
            ):
                needed.add(stage.output)
        return needed

    def _used_scalars(self) -> set[str]:
        used: set[str] = set()
        for stage in self.summaries:
            parts = [stage.expression, *stage.update_point]
            parts += [stage.condition] if stage.condition is not None else []
            for dimension in stage.domain:
                parts += [dimension.lower, dimension.upper]
            used |= {n.name for n in postorder(*parts) if isinstance(n, Variable)}
            for node in postorder(stage.expression):
                extent = getattr(node, "extent", None)
                if isinstance(extent, Expr):
                    used |= {n.name for n in postorder(extent) if isinstance(n, Variable)}
        return used & set(self.scalar_types)

    def _scalar(self, source: str) -> Variable:
        found = self.scalars.get(source)
        if found is None:
            type = self.scalar_types[source]
            found = self.scalars[source] = Scalar(self.names.take(source), source, type)
        own: Variable = Variable(found.name, found.type)
        return own

    def _image(self, name: str) -> str:
        """The input image or table of an array, declared on first use."""
        if name in self.images or name in self.tables:
            return self.array_names[name]
        array, layout = self.kernel.arrays[name], self.layouts[name]
        if array.values is not None:
            self.tables[name] = _table(self.array_names[name], array.type, layout, array.values)
        elif array.origin == "local":
            self._internal(f"the local array {name} is read before a stage has written it")
        else:
            strides = tuple(map(stride, layout.strides))
            bounds = fixed_bounds(self.boxes[name], strides)
            self.images[name] = Image(self.array_names[name], name, array.type, strides, bounds)
        return self.array_names[name]

    # From the summaries' names to the program's.

    def _coordinate(self, variable: Variable) -> Variable:
        found = self.coordinates.get(variable.name)
        if found is None:
            found = Variable(self.names.take(variable.name), I32)
            self.coordinates[variable.name] = found
        return found

    def _scale(self, expr: Expr) -> Expr:
        """An index expression (unbounded integers over parameters) as an int32 expression."""

        def visit(node: Expr) -> Expr:
            if isinstance(node, Variable) and node.name in self.scalar_types:
                own: Expr = Cast(I64, self._scalar(node.name)) if node.type is I64 else node
                return own
            return node

        for node in postorder(expr):
            if isinstance(node, Variable) and node.name not in self.scalar_types:
                known = {s.name for s in self.scalars.values()}
                if node.name not in known:
                    self._internal(f"the bound {expr} of a reduction isn't over parameters")
        return tidy(Cast(I32, transform(expr, visit)))

    def _translate(
        self, expr: Expr, bound: dict[Expr, Expr], current: dict[str, str]
    ) -> tuple[Expr, tuple[Domain, ...]]:
        mapping = dict(bound)
        for node in postorder(expr):
            if not isinstance(node, Variable) or node in mapping:
                continue
            if node.name in self.scalar_types:
                own: Expr = self._scalar(node.name)
                mapping[node] = own if own.type is node.type else Cast(node.type, own)
        expr = tidy(substitute(expr, mapping))

        def visit(node: Expr) -> Expr:
            if not isinstance(node, Call):
                return node
            if node.kind == "pure":
                self._function(node.name)
                return node
            if node.kind != "image":
                return node
            name = current.get(node.name)
            kind: CallKind = "image" if name is None else "func"
            read: Expr = Call(name or self._image(node.name), node.args, node.type, kind)
            return read

        expr, domains = inline_reductions(
            expr, self.names, self._scale, {s.name for s in self.scalars.values()}
        )
        return tidy(transform(expr, visit)), domains

    def _function(self, name: str) -> None:
        if name in self.functions:
            return
        source = self.kernel.functions[name]
        body = tidy(source.body)
        for node in postorder(body):
            if isinstance(node, Call) and node.kind == "pure":
                self._function(node.name)
        names = Names({"hl", "np", *self.kernel.functions})
        params = tuple(Variable(names.take(p.name), p.type) for p in source.params)
        renamed = substitute(body, dict(zip(source.params, params, strict=True)))
        self.functions[name] = PureFunctionDefinition(name, params, renamed)

    # Stages.

    def program(self) -> Program:
        for stage in self.result.summaries:
            self._lay_out(stage)
        for stage in self.left_out:
            self._region(stage)
            self._keep_views(stage)
        stages = list(self.summaries)
        done: list[Summary] = []
        while stages:
            first = stages.pop(0)
            if not _at_once(first, done):
                self.before = dict(self.current)
                done.clear()
            done.append(first)
            if first.domain:
                together = [first]
                while first.is_fold and stages and _at_once(stages[0], done):
                    together.append(stages.pop(0))
                    done.append(together[-1])
                if first.is_fold:
                    self._fold(together)
                else:
                    self._reduction(first)
                continue
            arms = [first]
            while (
                stages
                and not stages[0].domain
                and _same_region(stages[0], first)
                and all(exclusive(stages[0].condition, arm.condition) for arm in arms)
            ):
                arms.append(stages.pop(0))
            self._pure(arms)
        return self._finish()

    def _lay_out(self, stage: Summary) -> None:
        """Arrays are seen in one way by all stages: coordinates of another view mean others."""
        for name, layout in stage.layouts.items():
            old = self.layouts.setdefault(name, layout)
            if (old.strides, old.offset, old.rows) != (layout.strides, layout.offset, layout.rows):
                self._unsupported(f"two stages see {name} with different strides", stage)

    def _func_name(self, array: str) -> str:
        if array in self.needs_input and self.kernel.arrays[array].origin != "local":
            return self.names.take(f"{self.array_names[array]}_out")
        if any(d.name == self.array_names[array] for d in self.definitions):
            return self.names.take(self.array_names[array])
        return self.array_names[array]

    def _region(self, stage: Summary) -> None:
        old = self.regions.get(stage.output)
        condition = stage.written_if if stage.condition is None else stage.condition
        region = OutputRegion(tuple((d.lower, d.upper) for d in stage.roi), condition)
        if old is None:
            self.regions[stage.output] = region
        elif self._goes_beyond(stage, region, old):
            what = "a scan goes" if stage.kind == "scan" else "updates go"
            self._unsupported(f"{what} beyond what other stages write of {stage.output}", stage)
        elif not stage.domain and old.bounds != region.bounds:
            self._unsupported(
                f"the stages that write {stage.output} fill different regions of it", stage
            )
        elif old.condition is not None and old.condition is not region.condition:
            both = region.condition is None or exhaustive(old.condition, region.condition)
            union = None if both else _either(old.condition, region.condition)
            self.regions[stage.output] = replace(old, condition=union)

    def _goes_beyond(self, stage: Summary, region: OutputRegion, other: OutputRegion) -> bool:
        """Whether a stage updates elements of the caller's outside of what is realized of them, or
        may do so."""
        is_realized = stage.kind == "scan" or self.kernel.arrays[stage.output].origin != "local"
        return bool(stage.domain) and is_realized and not _is_inside(region, other)

    def _pure(self, arms: list[Summary]) -> None:
        first = arms[0]
        array = first.output
        vars = tuple(self._coordinate(d.variable) for d in first.roi)
        previous = dict(self.before)
        pieces: list[tuple[Expr | None, Expr]] = []
        domains: list[Domain] = []
        for arm in arms:
            self._region(arm)
            bound: dict[Expr, Expr] = dict(zip((d.variable for d in arm.roi), vars, strict=True))
            expression = arm.expression
            if array not in previous and self.kernel.arrays[array].origin == "local":
                # What is updated is computed by itself, whatever choices stand around its readers.
                is_updated = any(s.domain for s in self.summaries if s.output == array)
                expression = (without_old if not is_updated else with_zero)(expression, arm)
            value, made = self._translate(expression, bound, previous)
            domains += made
            condition = None
            if arm.condition not in (None, TRUE):
                assert arm.condition is not None
                condition, _ = self._translate(arm.condition, {}, previous)
            pieces.append((condition, value))
        *guarded, (last_condition, result) = pieces
        covered = last_condition is None or (
            len(arms) == 2 and exhaustive(arms[0].condition, arms[1].condition)
        )
        if not covered and (array in previous or self.kernel.arrays[array].origin != "local"):
            assert last_condition is not None
            kind = "func" if array in previous else "image"
            name = previous.get(array) or self._image(array)
            result = Select(last_condition, result, Call(name, vars, result.type, kind))
        for condition, value in reversed(guarded):
            assert condition is not None
            result = Select(condition, value, result)
        name = self._func_name(array)
        self.definitions.append(FuncDefinition(name, vars, (tidy(result),), tuple(domains)))
        self.made_of[name] = arms
        self.current[array] = name

    def _reduction(self, stage: Summary) -> None:
        array = stage.output
        self._region(stage)
        name, bound, bounds = self._iterations(stage)
        before = next((d for d in self.definitions if d.name == self.current.get(array)), None)
        if before is None or self._is_read(before.name):
            before = self._start(stage, before)
        # The update reads the values of its own definition so far.
        current = {**self.before, array: before.name}
        expression = stage.expression
        if stage.condition not in (None, TRUE):
            assert stage.condition is not None
            old = Call(array, stage.update_point, expression.type, "image")
            expression = Select(stage.condition, expression, old)
        value, domains = self._translate(expression, bound, current)
        point = tuple(self._translate(p, bound, current)[0] for p in stage.update_point)
        axes = set(bound.values())
        is_once = all(_is_one(size) for _, size in bounds)
        if is_once and axes.isdisjoint(postorder(value, *point)):
            bounds.clear()
        made = before
        if value is not Call(before.name, point, value.type, "func"):
            update = _update(before.name, Domain(name, tuple(bounds)), point, (value,))
            made = replace(
                before, updates=(*before.updates, update), domains=(*before.domains, *domains)
            )
        at = self.definitions.index(before)
        self.definitions[at] = made
        if self._reads_later(at):
            self.definitions.append(self.definitions.pop(at))  # nothing reads it so far
        self.made_of.setdefault(made.name, []).append(stage)
        self.current[array] = made.name

    def _iterations(self, stage: Summary) -> tuple[str, dict[Expr, Expr], list[tuple[Expr, Expr]]]:
        """A domain for a stage's updates: its name, what the stage's coordinates are in it, and its
        bounds. Coordinates that don't depend on each other are the definition's own."""
        name = self.names.take("r")
        bound: dict[Expr, Expr] = {}
        bounds: list[tuple[Expr, Expr]] = []
        free = _free_coordinates(stage, self.result.summaries)
        for dimension in stage.domain:
            if dimension.variable in free:
                own = stage.roi[free[dimension.variable]].variable
                bound[dimension.variable] = self._coordinate(own)
                continue
            if len(bounds) == len(AXES):
                self._unsupported(f"it is updated in more than {len(AXES)} loops", stage)
            bound[dimension.variable] = axis(name, len(bounds))
            extent = Sub(dimension.upper, dimension.lower)
            bounds.append((self._scale(dimension.lower), self._scale(_difference(extent))))
        return name, bound, bounds

    def _fold(self, stages: list[Summary]) -> None:
        """A tuple that each iteration updates, or one for each place; its values are elements of
        arrays of their own."""
        name = self.names.take("state")
        domain, bound, bounds = self._iterations(stages[0])
        vars = tuple(self._coordinate(d.variable) for d in stages[0].roi)
        first: list[Expr] = []
        inner: list[Domain] = []
        made_of: list[Summary] = []
        current = dict(self.before)
        for number, stage in enumerate(stages):
            self._region(stage)
            before = next(d for d in self.definitions if d.name == self.current[stage.output])
            if before.updates or self._is_read(before.name):
                first.append(Call(before.name, vars, before.values[0].type, "func"))
            else:
                # What it begins as is part of the tuple's own definition.
                assert before.vars == vars
                first.append(before.values[0])
                inner += before.domains
                self.definitions.remove(before)
                made_of += self.made_of.pop(before.name)
            current[stage.output] = value_name(name, number)
        values: list[Expr] = []
        for stage in stages:
            value, more = self._translate(stage.expression, bound, current)
            values.append(value)
            inner += more
        point = tuple(self._translate(p, bound, current)[0] for p in stages[0].update_point)
        update = _update(name, Domain(domain, tuple(bounds)), point, tuple(values))
        self.definitions.append(FuncDefinition(name, vars, tuple(first), tuple(inner), (update,)))
        self.made_of[name] = [*made_of, *stages]
        self.current |= {s.output: current[s.output] for s in stages}

    def _start(self, stage: Summary, before: FuncDefinition | None) -> FuncDefinition:
        """A definition that holds the contents before a reduction."""
        array = stage.output
        dimensions = stage.roi or tuple(
            Dimension(Variable(n, I32), Const(I64, 0), Const(I64, 0))
            for n in ("x", "y", "z")[: len(stage.update_point)]
        )
        vars = tuple(self._coordinate(d.variable) for d in dimensions)
        type = self.kernel.arrays[array].type
        if before is not None:
            old: Expr = Call(before.name, vars, type, "func")
        elif array in self.unset:
            old = Call(UNDEFINED, (), type, "intrinsic")
        else:
            old = Call(self._image(array), vars, type, "image")
        made = FuncDefinition(self._func_name(array), vars, (old,))
        self.definitions.append(made)
        return made

    def unread(self) -> frozenset[int]:
        """The numbers of summaries whose definitions no output needs."""
        by_name = {d.name: d for d in self.definitions}
        pending = [f for a, f in self.current.items() if self.kernel.arrays[a].origin != "local"]
        needed = set(pending)
        while pending:
            for node in _nodes_of(by_name[pending.pop()]):
                if not (isinstance(node, Call) and node.kind == "func"):
                    continue
                name, _ = read_by(node.name)
                if name not in needed:
                    needed.add(name)
                    pending.append(name)
        unread = [s for name, own in self.made_of.items() if name not in needed for s in own]
        numbers = {id(s): i for i, s in enumerate(self.result.summaries)}
        return frozenset(numbers[id(s)] for s in unread)

    def _keep_views(self, stage: Summary) -> None:
        """The images that a stage reads which isn't there: the guard still speaks of them."""
        written = {s.output for s in self.result.summaries}
        for node in postorder(stage.expression):
            if isinstance(node, Call) and node.kind == "image" and node.name not in written:
                array = self.kernel.arrays[node.name]
                if array.values is None and array.origin != "local":
                    self._image(array.name)

    def _reads_later(self, at: int) -> bool:
        """Whether a definition reads one that stands behind it."""
        later = {d.name for d in self.definitions[at + 1 :]}
        return any(
            isinstance(node, Call) and node.kind == "func" and read_by(node.name)[0] in later
            for node in _nodes_of(self.definitions[at])
        )

    def _is_read(self, name: str) -> bool:
        """Whether another definition reads the func."""
        return any(
            isinstance(node, Call) and node.kind == "func" and read_by(node.name)[0] == name
            for d in self.definitions
            if d.name != name
            for node in _nodes_of(d)
        )

    def _finish(self) -> Program:
        outputs = []
        for param in self.kernel.params:
            func = self.current.get(param.name)
            if func is None:
                continue
            array, layout = self.kernel.arrays[param.name], self.layouts[param.name]
            strides = tuple(map(stride, layout.strides))
            region = self.regions[param.name]
            ends: Box = tuple((low, _last(high)) for low, high in region.bounds)
            bounds = fixed_bounds([ends], strides)
            copied = self._needs_copy(param.name, func)
            # What depends on no old elements is stored by the original in any case.
            changed = param.name in self.images and any(
                s.stores_changed for s in self.result.summaries if s.output == param.name
            )
            never = any(
                read.call.name == param.name
                for s in self.result.summaries
                for read in reads_by_pixels((s.expression, *s.update_point), s.output)
            )
            outputs.append(
                Output(
                    func, param.name, array.type, strides, bounds, region, copied, changed, never
                )
            )
        order: list[str] = []
        for param in self.kernel.params:
            if param.name in self.images:
                order.append(self.images[param.name].name)
            order += [
                self.scalars[name].name
                for name in (param.name, size_of(param.name).name, given_of(param.name).name)
                if name in self.scalars
            ]
        return Program(
            program_name(self.kernel.name),
            tuple(sorted(self.images.values(), key=lambda image: order.index(image.name))),
            tuple(self.scalars.values()),
            tuple(self.tables.values()),
            tuple(self.functions.values()),
            tuple(self.definitions),
            tuple(outputs),
            tuple(order),
            tuple(v.name for v in self.coordinates.values()),
        )

    def _needs_copy(self, array: str, func: str) -> bool:
        """Whether old contents may be read after the place was written: all reads but those of
        the final definition at its own point."""
        if array not in self.images:
            return False
        image = self.images[array].name
        for definition in self.definitions:
            reads = [
                node
                for node in postorder(*definition.values)
                if isinstance(node, Call) and node.kind == "image" and node.name == image
            ]
            if any(definition.name != func or node.args != definition.vars for node in reads):
                return True
            for update in definition.updates:
                for node in postorder(*update.values, *update.point):
                    if isinstance(node, Call) and node.kind == "image" and node.name == image:
                        return True
        return False

    def _unsupported(self, why: str, stage: Summary) -> NoReturn:
        raise LiftError(
            Diagnostic(
                "emit-unsupported", "error", f"{self.kernel.name}: {why}", self.kernel.span,
                notes=(f"stage {stage.stage}",), family="unsupported",
            )
        )  # fmt: skip

    def _internal(self, why: str) -> NoReturn:
        raise LiftError(
            Diagnostic(
                "internal", "error", f"{self.kernel.name}: {why}", self.kernel.span,
                family="internal",
            )
        )  # fmt: skip


def _update(name: str, domain: Domain, point: tuple[Expr, ...], values: tuple[Expr, ...]) -> Update:
    """An update of the definition `name` that is made as often as its domain has points.

    The language knows an update's domain by its coordinates. Where neither the point nor a value
    has any, the first value is chosen by a test of one that always holds:

        for (i = 0; i < n; i++) t += t;   ->   t() = select(r.x >= 0, t() + t(), t())
    """
    axes = {axis(domain.name, number) for number in range(len(domain.bounds))}
    if axes and axes.isdisjoint(postorder(*point, *values)):
        first, *others = values
        old = Call(name if not others else value_name(name, 0), point, first.type, "func")
        is_there = GE(axis(domain.name, 0), domain.bounds[0][0])
        values = (tidy(Select(is_there, first, old)), *others)
    return Update(domain, point, values)


def _nodes_of(definition: FuncDefinition) -> Iterator[Expr]:
    """All nodes of a definition's values and points."""
    parts = [*definition.values]
    for update in definition.updates:
        parts += [*update.values, *update.point]
    return iter(postorder(*parts))


def _last(upper: Expr) -> Expr:
    if isinstance(upper, Const):
        return Const(I64, int(upper.value) - 1)
    made: Expr = Sub(upper, Const(I64, 1))
    return made


def stride(expr: Expr) -> Stride:
    """A layout's stride as the program states it."""
    return int(expr.value) if isinstance(expr, Const) else None


def _either(a: Expr | None, b: Expr | None) -> Expr:
    from compiler.ir import Or

    assert a is not None and b is not None
    made: Expr = Or(a, b)
    return made


def _is_one(size: Expr) -> bool:
    is_constant = not any(isinstance(n, (Variable, Call)) for n in postorder(size))
    return is_constant and bool(evaluate(size, {}) == 1)


def _difference(extent: Sub) -> Expr:
    if isinstance(extent.b, Const) and extent.b.value == 0:
        return extent.a
    return extent


def _free_coordinates(stage: Summary, summaries: Sequence[Summary]) -> dict[Expr, int]:
    """The coordinates of a scan's domain along which no element is made of another, with the
    dimension of the output that each is: `a(x, r.y) = a(x, r.y) + a(x, r.y - 1)`.

    A definition's own coordinate goes over all that anybody asks of it, so every stage of the array
    has to have the bounds that the domain has.
    """
    if stage.kind != "scan":
        return {}
    # Of a tuple all values are made of all.
    outputs = {stage.output} | {
        s.output for s in summaries if s.is_fold and stage.is_fold and s.nest == stage.nest
    }
    regions = [s.roi for s in summaries if s.output in outputs]
    if any(len(roi) != len(stage.roi) for roi in regions):
        return {}
    found: dict[Expr, int] = {}
    values = [
        s.expression for s in summaries if s.output in outputs and s.nest == stage.nest and s.domain
    ]
    nodes = list(postorder(*values))
    own = [n.args for n in nodes if isinstance(n, Call) and n.name in outputs]
    for d in stage.domain:
        places = [i for i, p in enumerate(stage.update_point) if d.variable in postorder(p)]
        if len(places) != 1 or any(args[places[0]] is not d.variable for args in own):
            continue
        (i,) = places
        is_whole = all((d.lower, d.upper) == (roi[i].lower, roi[i].upper) for roi in regions)
        if stage.update_point[i] is d.variable and is_whole:
            found[d.variable] = i
    return found


def _is_inside(region: OutputRegion, other: OutputRegion) -> bool:
    """Whether a region is seen to lie in another one, by numbers that its bounds are away."""
    if len(region.bounds) != len(other.bounds):
        return False
    for (low, high), (least, most) in zip(region.bounds, other.bounds, strict=True):
        for distance in (normal(Sub(low, least)), normal(Sub(most, high))):
            if not isinstance(distance, Const) or distance.value < 0:
                return False
    return True


def _at_once(stage: Summary, earlier: list[Summary]) -> bool:
    """Whether a stage belongs to the same loop nest as the ones before it."""
    return bool(earlier) and stage.nest >= 0 and stage.nest == earlier[-1].nest


def _same_region(a: Summary, b: Summary) -> bool:
    return (
        a.output == b.output
        and len(a.roi) == len(b.roi)
        and all(
            d.lower is e.lower and d.upper is e.upper for d, e in zip(a.roi, b.roi, strict=True)
        )
    )


def _table(name: str, type: Type, layout: Layout, values: tuple[int | float, ...]) -> ConstantTable:
    """The table of a constant array; its layout is dense, innermost first."""
    steps = [int(s.value) for s in layout.strides if isinstance(s, Const)]
    if len(steps) != len(layout.strides) or steps != sorted(steps) or not steps or steps[0] != 1:
        raise ValueError(f"{name}: a constant table needs constant strides, not {layout.strides}")
    limits = [*steps[1:], len(values)]
    shape = tuple(limit // step for step, limit in zip(steps, limits, strict=True))
    return ConstantTable(name, type, shape, values)
