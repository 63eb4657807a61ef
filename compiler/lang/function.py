"""`Function`: what a stage computes; the object that all `Func` handles and expressions share."""

from __future__ import annotations

from dataclasses import dataclass

from .. import ir
from ..ir import Type, Variable
from .changes import changed
from .errors import fail, user_location, warn
from .expr import Expr, Sources
from .functions import is_undef
from .implicit import expanded_definition
from .multi_point import in_points
from .names import fresh_name, is_pure_variable_name, unique_name
from .params import OutputImageParam
from .races import independent_variables
from .random_numbers import with_coordinates
from .references import coordinates
from .schedule import FunctionSchedule, LoopDimension, StageSchedule
from .variables import ReductionDomain


@dataclass(frozen=True, eq=False)
class Definition:
    """`func(args) = values`, over `domain` for an update with reduction variables."""

    args: tuple[ir.Expr, ...]
    values: tuple[ir.Expr, ...]
    sources: Sources
    domain: ReductionDomain | None
    location: str | None

    @property
    def predicates(self) -> tuple[ir.Expr, ...]:
        return tuple(self.domain.predicates) if self.domain else ()


class Function:
    """A stage: name, coordinates, value types, a pure definition and updates in order."""

    def __init__(self, name: str | None) -> None:
        """`name` is made unique; None is for a name that nobody chose."""
        if name is not None and "." in name:
            fail(
                f"Func name \"{name}\" is invalid. Func names may not contain the character '.', "
                "as it is used internally as a separator"
            )
        self.name = fresh_name("f") if name is None else unique_name(name)
        self.args: tuple[str, ...] = ()
        self.types: tuple[Type, ...] = ()
        self.definitions: list[Definition] = []
        self._schedule = FunctionSchedule([])
        self.frozen = False
        self.outputs: tuple[OutputImageParam, ...] = ()
        self.required_types: tuple[Type, ...] = ()
        """What the definition's types must be; empty where nothing is required."""
        self.required_dimensions = -1
        self.wrappers: dict[str, Function] = {}
        """By consumer's name ("" for all others): the stage that it reads instead of this one
        (`in_`, `clone_in`)."""

    @property
    def schedule(self) -> FunctionSchedule:
        """The schedule, to read and to change."""
        changed()
        return self._schedule

    @schedule.setter
    def schedule(self, schedule: FunctionSchedule) -> None:
        changed()
        self._schedule = schedule

    @property
    def defined(self) -> bool:
        return bool(self.definitions)

    def define(self, args: list[Expr], values: list[Expr]) -> None:
        """Adds the pure definition, or an update when there is one already.

        Raises `HalideError` for anything that the real package rejects.
        """
        if self.frozen and self.defined:
            fail(
                f"Func {self.name} cannot be given a new update definition, because it has "
                "already been realized or used in the definition of another Func."
            )
        args = expanded_definition(self.name, args, values, len(self.args))
        values = in_points(self.name, args, values)
        if self.defined:
            self._define_update(args, values)
        else:
            self._check_requirements(args, values)
            self._define_pure(args, values)

    def _check_requirements(self, args: list[Expr], values: list[Expr]) -> None:
        """What `Func(types, dimensions, name)` asks for."""
        if self.required_dimensions not in (-1, len(args)):
            fail(
                f'Func "{self.name}" is constrained to have exactly {self.required_dimensions} '
                f"dimensions, but is defined with {len(args)} dimensions."
            )
        types = tuple(v.node.type for v in values)
        if self.required_types and self.required_types != types:
            fail(
                f'Func "{self.name}" is constrained to only hold values of type '
                f"{_type_text(self.required_types)} but is defined with values of type "
                f"{_type_text(types)}."
            )

    def _define_pure(self, args: list[Expr], values: list[Expr]) -> None:
        names: list[str] = []
        for i, arg in enumerate(args):
            node = arg.node
            if not (isinstance(node, Variable) and is_pure_variable_name(node.name)):
                fail(f'Argument {i + 1} in initial definition of "{self.name}" is not a Var.')
            if node.name in names:
                fail(
                    f'In pure definition of Func "{self.name}": In left-hand-side of definition, '
                    f'arguments {i} and {names.index(node.name)} both have the name "{node.name}".'
                )
            names.append(node.name)
        for value in values:
            self._check_value(value, set(names), None)
            if any(isinstance(s, Function) and s is self for s in value.sources):
                fail(f'Func "{self.name}" is used in its own pure definition.')
        self.args, self.types = tuple(names), tuple(v.node.type for v in values)
        self._add(args, values, None)
        self.make_outputs()

    def make_outputs(self) -> None:
        """The shapes of the buffers that the values are realized into."""
        self.outputs = tuple(
            OutputImageParam(t, len(self.args), self.value_name(i))
            for i, t in enumerate(self.types)
        )

    def value_name(self, index: int) -> str:
        """By which calls read value `index`, and of the memory that it lies in."""
        return self.name if len(self.types) == 1 else f"{self.name}.{index}"

    def _define_update(self, args: list[Expr], values: list[Expr]) -> None:
        number = len(self.definitions) - 1
        self.check_coordinates(args)
        nodes = coordinates(self.name, args)
        args = [Expr.of(node, arg) for node, arg in zip(nodes, args, strict=True)]
        where = f'In update definition {number} of Func "{self.name}"'
        if len(values) != len(self.types):
            fail(
                f"{where}: Number of tuple elements for update definition must match number of "
                f"tuple elements for pure definition: {len(values)} and {len(self.types)}."
            )
        for i, (value, type) in enumerate(zip(values, self.types, strict=True)):
            if value.node.type is not type:
                fail(
                    f"{where}: Tuple element {i} of update definition has type {value.node.type}, "
                    f"but pure definition has type {type}"
                )
        pure: set[str] = set()
        domains: set[ReductionDomain] = set()
        for name, arg in zip(self.args, args, strict=True):
            if isinstance(arg.node, Variable) and arg.node.name == name:
                pure.add(name)
        for part in (*args, *values):
            domains.update(s for s in part.sources if isinstance(s, ReductionDomain))
        if len(domains) > 1:
            fail(f"{where}: it uses more than one RDom.")
        domain = domains.pop() if domains else None
        for part in (*args, *values):
            self._check_value(part, pure, domain)
        self._check_self_reads(where, pure, [*args, *values])
        if len(pure) == len(args) and domain is None and not self._is_read_by(values):
            warn(
                f"{where}: it hides earlier definitions completely, because all the arguments are "
                "pure, and it has neither self-references nor a reduction domain. This may be an "
                "accidental re-definition of an already-defined function."
            )
        self._add(args, values, domain)

    def _check_self_reads(self, where: str, pure: set[str], parts: list[Expr]) -> None:
        """Each point of the pure coordinates is updated for itself, so that they have no order."""
        names = {self.value_name(i) for i in range(len(self.types))}
        for node in ir.postorder(*(p.node for p in parts)):
            if not (isinstance(node, ir.Call) and node.kind == "func" and node.name in names):
                continue
            for name, arg in zip(self.args, node.args, strict=True):
                if name in pure and not (isinstance(arg, Variable) and arg.name == name):
                    fail(
                        f"{where}: All of a function's recursive references to itself must contain "
                        "the same pure variables in the same places as on the left-hand-side: "
                        f"{name} in {node}."
                    )

    def _is_read_by(self, values: list[Expr]) -> bool:
        return any(source is self for value in values for source in value.sources)

    def _check_value(self, value: Expr, pure: set[str], domain: ReductionDomain | None) -> None:
        for node in ir.postorder(value.node):
            if isinstance(node, Variable):
                known = not is_pure_variable_name(node.name) or node.name in pure
                reduction = any(
                    node.name in s.names for s in value.sources if isinstance(s, ReductionDomain)
                )
                if reduction and domain is None:
                    fail(
                        f'In pure definition of Func "{self.name}": Reduction domain referenced '
                        f"in pure function definition, by its variable {node.name}."
                    )
                if not known:
                    fail(f'Undefined variable "{node.name}" in definition of Func "{self.name}"')

    def _add(self, args: list[Expr], values: list[Expr], domain: ReductionDomain | None) -> None:
        sources: Sources = frozenset().union(*(p.sources for p in (*args, *values)))
        if domain:
            sources |= domain.sources
        for source in sources:
            if isinstance(source, Function) and source is not self:
                source.frozen = True
        here = [*self.args, *(domain.names if domain else ())]
        nodes = with_coordinates([p.node for p in (*args, *values)], here)
        definition = Definition(
            tuple(nodes[: len(args)]),
            tuple(nodes[len(args) :]),
            # A stage that reads itself must not keep itself alive through its own definition.
            sources - {self},
            domain,
            user_location(),
        )
        names = domain.names if domain else ()
        free = independent_variables(self.name, definition.args, definition.values, names)
        dimensions = [LoopDimension(n, is_pure=False, is_independent=n in free) for n in names]
        for name, arg in zip(self.args, definition.args, strict=True):
            if isinstance(arg, Variable) and arg.name == name:
                dimensions.append(LoopDimension(name))
        self.definitions.append(definition)
        if domain:
            domain.frozen = True
        self.schedule.stages.append(StageSchedule(dimensions))

    def stage_name(self, index: int) -> str:
        return self.name if index == 0 else f"{self.name}.update({index - 1})"

    def check_coordinates(self, args: list[Expr]) -> None:
        """Raises `HalideError` unless `args` are as many integers as the stage has coordinates."""
        if len(args) != len(self.args):
            fail(
                f'Func "{self.name}" was called with {len(args)} arguments, '
                f"but was defined with {len(self.args)}"
            )
        coordinates(self.name, args)

    def read(self, args: list[Expr], index: int = 0) -> Expr:
        """The value `index` of this stage at `args`."""
        if not self.defined:
            fail(f'Func "{self.name}" has no definition: it was called before it was defined.')
        self.check_coordinates(args)
        nodes = coordinates(self.name, args)
        return Expr.of(
            ir.Call(self.value_name(index), nodes, self.types[index], "func"),
            *args,
            extra=frozenset({self}),
        )


def _type_text(types: tuple[Type, ...]) -> str:
    return str(types[0]) if len(types) == 1 else f"({', '.join(map(str, types))})"


def has_undef(definition: Definition) -> bool:
    """Whether the definition leaves what is there (`undef` as its value)."""
    return all(is_undef(v) for v in definition.values)
