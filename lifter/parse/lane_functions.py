"""Functions of vectors alone, found once for all of their calls: each lane of the result, in terms
of the arguments' lanes.

Intrinsics are such functions; what they mean stands as C in our headers, as loops over lanes, and
is read when one is called for the first time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from compiler.ir import Call, Const, Expr, Type, Variable, postorder

from ..model.kernel import Assign, Declare, PureFunction, Stmt
from .bindings import ConstantBinding, LanesBinding, Result
from .dispatch import lanes_of, run, value_of
from .failure import unsupported
from .folding import convert
from .jumps import JumpTarget
from .lane_algebra import rebuilt
from .lane_loops import is_over_lanes
from .lanes import Lanes, Number
from .program import FunctionDefinition, SourceProgram
from .syntax import Node
from .translation import StartAgain, Translation
from .types import is_simd, scalar_type
from .vector_values import steady, undefined


@dataclass(frozen=True, slots=True)
class _ParameterLanes(Lanes):
    """The lanes of an argument, of whatever type the function sees them as."""

    name: str = ""
    used: dict[Expr, tuple[str, Type, int]] = field(default_factory=dict, compare=False)
    names: set[str] = field(default_factory=set, compare=False)

    def seen_as(self, type: Type) -> Lanes:
        count = self.bits // type.bits
        made: list[Number] = []
        for place in range(count):
            lane: Expr = Variable(f"{self.name}:{type}:{place}", type)
            self.names.add(f"{self.name}:{type}:{place}")
            self.used[lane] = (self.name, type, place)
            made.append(lane)
        return Lanes(type, tuple(made))


@dataclass(frozen=True)
class LaneFunction:
    """`result` in terms of lanes: `used` says of each variable in it which lane, seen as what, of
    which parameter it is; of numbers, which parameter."""

    result: Lanes | Expr
    used: dict[Expr, tuple[str, Type, int]]
    numbers: dict[str, Expr]

    def of(self, lanes: dict[str, Lanes], numbers: dict[str, Expr]) -> Lanes | Expr:
        """The result for these arguments, by parameter."""
        seen: dict[tuple[str, Type], Lanes] = {}
        known: dict[Expr, Expr] = {self.numbers[name]: value for name, value in numbers.items()}
        missing: set[Expr] = set()
        for variable, (name, type, place) in self.used.items():
            if (name, type) not in seen:
                seen[name, type] = lanes[name].seen_as(type)
            given = seen[name, type].numbers[place]
            if given is None:
                missing.add(variable)
            else:
                known[variable] = given
        done: dict[Expr, Expr] = {}
        if isinstance(self.result, Expr):
            return rebuilt(self.result, known, done)
        found: list[Number] = []
        for number in self.result.numbers:
            is_missing = number is None or (missing and missing & set(postorder(number)))
            found.append(None if is_missing or number is None else rebuilt(number, known, done))
        return Lanes(self.result.type, tuple(found))


_WAYS = ("IF_STMT", "SWITCH_STMT", "WHILE_STMT", "DO_STMT", "CXX_FOR_RANGE_STMT", "GOTO_STMT",
         "LABEL_STMT", "GCC_ASM_STMT", "ASM_STMT", "CXX_TRY_STMT", "LAMBDA_EXPR")  # fmt: skip


def is_lane_function(definition: FunctionDefinition) -> bool:
    """Whether vectors and numbers go in, and one of them comes out, by one way."""
    if any(kind in definition.nodes for kind in _WAYS):
        return False
    if not all(map(is_over_lanes, definition.nodes_of("FOR_STMT"))):
        return False
    types = [p.type for p in definition.parameters]
    result = definition.result_type
    is_any = is_simd(result) or any(map(is_simd, types))
    return is_any and all(is_simd(x) or scalar_type(x) is not None for x in (*types, result))


def lane_call(
    t: Translation, node: Node, definition: FunctionDefinition, arguments: Sequence[Node]
) -> Result:
    """What a call of such a function gives. Raises `unsupported-expression` where its body isn't
    one expression a lane."""
    lanes: dict[str, Lanes] = {}
    numbers: dict[str, Expr] = {}
    constants: dict[str, Const | Lanes] = {}
    for parameter, argument in zip(definition.parameters, arguments, strict=True):
        name = parameter.spelling
        if is_simd(parameter.type):
            given = lanes_of(t, argument)
            if given.is_constant:
                constants[name] = given
            else:
                lanes[name] = given
            continue
        type = scalar_type(parameter.type)
        assert type is not None
        value = convert(value_of(t, argument), type)
        if isinstance(value, Const):
            _check_range(parameter, value, definition.name, argument)
            constants[name] = value
        else:
            numbers[name] = steady(t, value)
    types = tuple((name, value.type) for name, value in lanes.items())
    function = _lane_function(t.program, definition, constants, dict(types))
    if function is None:
        text = f"`{definition.name}` isn't one expression a lane"
        raise unsupported("unsupported-expression", node.span, text)
    return function.of(lanes, numbers)


_RANGE = re.compile(r"(?:const )?__(?:(\d+)_)?to_(\d+)")
"""The type of a parameter that has to be a constant, in headers of intrinsics."""


def _check_range(parameter: Node, value: Const, name: str, argument: Node) -> None:
    ends = _RANGE.fullmatch(parameter.written_type)
    if ends is None:
        return
    least, most = int(ends[1] or 0), int(ends[2])
    if not least <= value.value <= most:
        raise unsupported(
            "unsupported-expression", argument.span,
            f"`{name}` takes a constant from {least} to {most}, and this is {value.value}",
        )  # fmt: skip


def _lane_function(
    program: SourceProgram,
    definition: FunctionDefinition,
    constants: dict[str, Const | Lanes],
    types: dict[str, Type],
) -> LaneFunction | None:
    """For arguments whose lanes are of these types: bits are combined in them."""
    key = (definition.key, tuple(constants.items()), tuple(types.items()))
    known: dict[Any, LaneFunction | None] = program.lane_functions
    if key not in known:
        known[key] = lane_function(program, definition, constants, types)
    return known[key]


def lane_function(
    program: SourceProgram,
    definition: FunctionDefinition,
    constants: dict[str, Const | Lanes],
    types: dict[str, Type],
) -> LaneFunction | None:
    t = Translation(program)
    t.inlined = [definition.key]
    t.mutated = set(definition.mutated)
    used: dict[Expr, tuple[str, Type, int]] = {}
    numbers: dict[str, Expr] = {}
    for parameter in definition.parameters:
        name = parameter.spelling
        constant = constants.get(name)
        if isinstance(constant, Lanes):
            t.bind(parameter, LanesBinding(name, constant))
            continue
        if is_simd(parameter.type):
            type, count = types[name], parameter.type.get_size() // types[name].bytes
            own = _ParameterLanes(type, (None,) * count, name, used, t.lane_arguments)
            own = replace(own, numbers=own.seen_as(type).numbers)
            t.bind(parameter, LanesBinding(name, own))
            continue
        scalar = scalar_type(parameter.type)
        assert scalar is not None
        if constant is None:
            numbers[name] = Variable(f"{name}:", scalar)
            t.fixed.add(f"{name}:")
        t.bind(parameter, ConstantBinding(constant or numbers[name]))
    result = definition.result_type
    target = JumpTarget("function", result_type=scalar_type(result))
    if is_simd(result):
        target.lanes_key = (-1, definition.node.cursor.hash)
        t.environment[target.lanes_key] = LanesBinding("result", undefined(result))
    t.targets = [target]
    t.span = definition.node.span
    t.library_call = definition.node.span
    try:
        with t.attempt():
            run(t, definition.body.children)
    except StartAgain:
        return None
    values = _Values(t.declared.functions)
    if not values.run(t.out):
        return None
    if target.lanes_key is None:
        if target.result is None or target.result_type is None:
            return None
        value = values.of(Variable(target.result, target.result_type))
        return LaneFunction(value, used, numbers)
    ends = target.returns or [t.environment]
    binding = ends[-1][target.lanes_key]
    assert isinstance(binding, LanesBinding)
    found = binding.value
    if isinstance(found, _ParameterLanes):
        found = found.seen_as(found.type)
    lanes = tuple(None if n is None else values.of(n) for n in found.numbers)
    return LaneFunction(replace(found, numbers=lanes), used, numbers)


class _Values:
    """What scalars are, statement by statement, in terms of the arguments."""

    def __init__(self, functions: dict[str, PureFunction]) -> None:
        self.functions = functions
        self.values: dict[Expr, Expr] = {}

    def run(self, statements: Sequence[Stmt]) -> bool:
        """Whether they are nothing but assignments."""
        for stmt in statements:
            if isinstance(stmt, Declare):
                continue
            if not isinstance(stmt, Assign):
                return False
            value = self.of(stmt.value)
            self.values[Variable(stmt.name, value.type)] = value
        return True

    def of(self, value: Expr) -> Expr:
        """With the bodies of functions of scalars in the place of their calls."""
        done: dict[Expr, Expr] = {}
        for node in postorder(value):
            if isinstance(node, Call) and node.kind == "pure" and node.name in self.functions:
                called = self.functions[node.name]
                arguments = (done[a] for a in node.args)
                given: dict[Expr, Expr] = dict(zip(called.params, arguments, strict=True))
                done[node] = _Values(self.functions).of(rebuilt(called.body, given, {}))
            else:
                rebuilt(node, self.values, done)
        return done[value]


__all__ = ["LaneFunction", "is_lane_function", "lane_call", "lane_function"]
