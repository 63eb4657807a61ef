"""Values of vector types (`__m128i`, `float32x4_t`), as the numbers in their lanes (`lanes`).

A vector variable has no statements of its own: what is in it is known, and is handed on. Only
where paths bring different numbers, as around a loop, scalars hold them, one a lane.
"""

from __future__ import annotations

from dataclasses import replace

from compiler.ir import (
    BOOL,
    COMPARISON_OF,
    EQ,
    BitAnd,
    BitNot,
    BitOr,
    BitXor,
    Cast,
    Const,
    Expr,
    Load,
    Shl,
    Shr,
    Variable,
)

from ..model.kernel import Assign, Declare
from .arithmetic import ARITHMETIC
from .bindings import Key, LanesBinding
from .bound import binding_key
from .categories import CASTS, operand_of_cast
from .dispatch import LANES, STORED_LANES, discard, lanes_of, store_lanes, value_of
from .effects import reads
from .failure import unsupported
from .folding import choose, convert, fold, number
from .lane_algebra import bitwise, compared, computed, inverted, rebuilt
from .lanes import Lanes
from .syntax import Node, strip_parentheses
from .translation import StartAgain, Translation
from .types import is_simd, lanes_of_type


def declare_lanes(t: Translation, node: Node) -> None:
    """A local variable of a vector type."""
    start = node.initializer
    if start is None:
        value = undefined(node.type)
    else:
        with t.expression_region(start) as region:
            value = lanes_of(t, start)
            t.flush(region)
    begin_lanes(t, node.key, node.spelling, value)


def begin_lanes(t: Translation, key: Key, name: str, value: Lanes) -> None:
    """Brings a vector variable to life."""
    type = t.known.lanes.get(key)
    if type is None:
        t.environment[key] = LanesBinding(name, value)
        return
    value = value.seen_as(type)
    kept = tuple(t.fresh(f"{name}.{i}") for i in range(len(value.numbers)))
    t.made.update(kept)
    t.kept_lanes.update(kept)
    for scalar in kept:
        t.emit(Declare(t.span, scalar, type))
    t.environment[key] = LanesBinding(name, value, kept)
    set_lanes(t, key, value)


def set_lanes(t: Translation, key: Key, value: Lanes) -> None:
    """Gives a vector variable what is in it from here on."""
    binding = t.environment[key]
    assert isinstance(binding, LanesBinding)
    if not binding.kept:
        t.environment[key] = LanesBinding(binding.name, value)
        return
    own = t.known.lanes[key]
    if value.type.bits != own.bits and not value.is_constant and not value.is_empty:
        narrower = min((value.type, own), key=lambda type: type.bits)
        if narrower is not own:
            raise StartAgain(replace(t.known, lanes={**t.known.lanes, key: narrower}))
    value = value.seen_as(own)
    _keep_others(t, key, set(binding.kept))
    held: list[Expr | None] = []
    changes: list[Assign] = []
    lost: list[Declare] = []
    old = set(binding.kept)
    before = binding.value.numbers
    for scalar, given, last in zip(binding.kept, value.numbers, before, strict=True):
        if given is not None:
            changes.append(Assign(t.span, scalar, given))
        elif last is not None:
            lost.append(Declare(t.span, scalar, own))
        held.append(None if given is None else Variable(scalar, own))
    t.emit(*_one_after_the_other(t, changes, old), *lost)
    t.environment[key] = LanesBinding(binding.name, Lanes(own, tuple(held)), binding.kept)


def _one_after_the_other(t: Translation, changes: list[Assign], own: set[str]) -> list[Assign]:
    """Assignments that take place at once, as statements: what one of them changes and a later one
    reads is kept before."""
    if not any((reads(c.value) & own) - {c.name} for c in changes):
        return changes
    made: list[Assign] = []
    later: list[Assign] = []
    for change in changes:
        kept = t.fresh(change.name)
        t.made.add(kept)
        made.append(Assign(change.span, kept, change.value))
        later.append(Assign(change.span, change.name, Variable(kept, change.value.type)))
    return [*made, *later]


def undefined(type: object) -> Lanes:
    """What a vector of this type holds before something is put into it."""
    element, count = lanes_of_type(type)
    return Lanes(element, (None,) * count)


def zeros(type: object) -> Lanes:
    """A vector of this type in which all numbers are 0."""
    element, count = lanes_of_type(type)
    return Lanes(element, (number(0, element),) * count)


@LANES.of("DECL_REF_EXPR")
def named_lanes(t: Translation, node: Node) -> Lanes:
    key = binding_key(t, node)
    if not isinstance(t.environment.get(key), LanesBinding):
        raise unsupported(
            "unsupported-type", node.span, f"`{node.spelling}` isn't known to be a vector"
        )
    return lanes_behind(t, key)


def lanes_behind(t: Translation, key: Key) -> Lanes:
    """What is in a vector variable, on whatever path."""
    binding = t.environment[key]
    assert isinstance(binding, LanesBinding)
    if binding.differs:
        assert key not in t.known.lanes, f"`{binding.name}` has scalars that hold it on all paths"
        raise StartAgain(replace(t.known, lanes={**t.known.lanes, key: binding.value.type}))
    return binding.value


@LANES.of("PAREN_EXPR", "UNEXPOSED_EXPR", "COMPOUND_LITERAL_EXPR", *CASTS)
def converted_lanes(t: Translation, node: Node) -> Lanes:
    inner = operand_of_cast(node)
    if is_simd(inner.type):
        return lanes_of(t, inner)
    element, count = lanes_of_type(node.type)
    value = value_of(t, inner)
    if node.kind in CASTS:
        # A number that is cast to a vector gives it its bits.
        if value.type.bits != element.bits * count:
            raise unsupported(
                "unsupported-expression", node.span, "a number of another size is seen as a vector"
            )
        return Lanes(value.type, (steady(t, value),)).seen_as(element)
    # A number beside a vector counts for each lane.
    return Lanes(element, (steady(t, convert(value, element)),) * count)


def is_mask(node: Node) -> bool:
    """Whether a variable holds a bit for each lane of a vector: a number which, like a vector, is
    known by what made it."""
    return node.written_type.removeprefix("const ").startswith("__mmask")


def is_steady(t: Translation, value: Expr) -> bool:
    """Whether a number stays what it is, whatever statements follow."""
    return all(_is_steady(t, node) for node in _parts(value))


def steady(t: Translation, value: Expr) -> Expr:
    """A number that stays what it is while a vector is made of it: of what nothing changes."""
    nodes = _parts(value)
    changing = [node for node in nodes if not _is_steady(t, node)]
    if not changing:
        return value
    if all(isinstance(node, _BITS) for node in nodes):
        # Each number by itself, so that the value can be taken apart into lanes.
        return rebuilt(value, {node: _kept(t, node) for node in changing}, {})
    return _captured(t, value)


_BITS = (BitAnd, BitNot, BitOr, BitXor, Cast, Const, Load, Shl, Shr, Variable)
"""What a number may be made of that is put together from parts."""


def _parts(value: Expr) -> list[Expr]:
    """The nodes of a number, without those that say where one is read."""
    found: dict[Expr, None] = {}
    pending = [value]
    while pending:
        node = pending.pop()
        if node not in found:
            found[node] = None
            pending += () if isinstance(node, Load) else node.children
    return list(found)


def _kept(t: Translation, node: Expr) -> Expr:
    kept = _captured(t, node)
    if isinstance(node, Load):
        t.lane_loads[kept.name] = node.array
    return kept


def _is_steady(t: Translation, node: Expr) -> bool:
    if isinstance(node, Variable):
        return node.name in t.fixed or node.name in t.lane_loads or node.name in t.lane_arguments
    return not isinstance(node, Load)


def _keep_others(t: Translation, key: Key, names: set[str]) -> None:
    """Vectors that are made of scalars which are about to change keep what they have."""
    for other, binding in list(t.environment.items()):
        if other == key or not isinstance(binding, LanesBinding):
            continue
        numbers = binding.value.numbers
        if not any(n is not None and reads(n) & names for n in numbers):
            continue
        kept = [None if n is None else _captured(t, n) for n in numbers]
        value = replace(binding.value, numbers=tuple(kept))
        t.environment[other] = replace(binding, value=value)


def _captured(t: Translation, value: Expr) -> Variable:
    kept = t.capture(value)
    t.made.add(kept.name)
    return kept


@LANES.of("INIT_LIST_EXPR")
def listed_lanes(t: Translation, node: Node) -> Lanes:
    element, count = lanes_of_type(node.type)
    if len(node.children) == 1 and is_simd(node.children[0].type):
        return lanes_of(t, node.children[0])
    found = [steady(t, convert(value_of(t, child), element)) for child in node.children]
    return Lanes(element, (*found, *(number(0, element) for _ in range(count - len(found)))))


@LANES.of("CONDITIONAL_OPERATOR")
def chosen_lanes(t: Translation, node: Node) -> Lanes:
    test, left, right = node.children
    condition = steady(t, convert(value_of(t, test), BOOL))
    a, b = lanes_of(t, left), lanes_of(t, right)
    type = a.type if b.is_constant or a.type.bits <= b.type.bits else b.type
    pairs = zip(a.seen_as(type).numbers, b.seen_as(type).numbers, strict=True)
    return Lanes(
        type, tuple(None if x is None or y is None else choose(condition, x, y) for x, y in pairs)
    )


@LANES.of_operator("BINARY_OPERATOR", "&", "|", "^")
def combined_lanes(t: Translation, node: Node) -> Lanes:
    left, right = node.children
    return bitwise(node.operator, lanes_of(t, left), lanes_of(t, right))


@LANES.of_operator("BINARY_OPERATOR", *(o for o in ARITHMETIC if o not in "&|^"))
def computed_lanes(t: Translation, node: Node) -> Lanes:
    left, right = node.children
    element, _ = lanes_of_type(node.type)
    return computed(node.operator, lanes_of(t, left), lanes_of(t, right), element)


@LANES.of_operator("BINARY_OPERATOR", *COMPARISON_OF)
def compared_lanes(t: Translation, node: Node) -> Lanes:
    left, right = node.children
    element, _ = lanes_of_type(left.type)
    return compared(node.operator, lanes_of(t, left), lanes_of(t, right), element)


@LANES.of_operator("BINARY_OPERATOR", ",")
def last_lanes(t: Translation, node: Node) -> Lanes:
    discard(t, node.children[0])
    return lanes_of(t, node.children[1])


@LANES.of_operator("UNARY_OPERATOR", "+", "-", "~", "__extension__")
def signed_lanes(t: Translation, node: Node) -> Lanes:
    value = lanes_of(t, node.children[0])
    element, count = lanes_of_type(node.type)
    if node.operator == "-":
        zero = Lanes(element, (number(-0.0 if element.is_float else 0, element),) * count)
        return computed("-", zero, value, element)
    return inverted(value) if node.operator == "~" else value


def is_lane(node: Node) -> bool:
    """Whether an expression names a lane of a vector: `v[i]`."""
    node = strip_parentheses(node)
    return node.kind == "ARRAY_SUBSCRIPT_EXPR" and is_simd(node.children[0].type)


def lane_at(t: Translation, node: Node) -> tuple[Node, Expr]:
    """The vector that `v[i]` names a lane of, and which one."""
    left, right = strip_parentheses(node).children
    value = value_of(t, right)
    _, count = lanes_of_type(left.type)
    if isinstance(value, Const) and not 0 <= value.value < count:
        raise unsupported("unsupported-expression", node.span, "a vector has no such lane")
    return left, value


def _known_lane(node: Node, place: Expr) -> int:
    if not isinstance(place, Const):
        raise unsupported(
            "unsupported-expression", node.span, "which lane of a vector this is isn't known",
            "store the vector to an array, and read that",
        )  # fmt: skip
    return int(place.value)


def lane_value(t: Translation, node: Node) -> Expr:
    """`v[i]` as a number."""
    vector, place = lane_at(t, node)
    element, _ = lanes_of_type(vector.type)
    numbers = lanes_of(t, vector).seen_as(element).numbers
    if isinstance(place, Const):
        numbers = numbers[int(place.value) :][:1]
    if any(n is None for n in numbers):
        raise unsupported(
            "unsupported-expression", node.span, "this lane is read before it has a value"
        )
    *others, found = (n for n in numbers if n is not None)
    for i, other in reversed(list(enumerate(others))):
        found = choose(fold(EQ(place, Const(place.type, i))), other, found)
    return found


def set_lane(t: Translation, node: Node, value: Expr) -> None:
    """`v[i] = value`."""
    vector, place = lane_at(t, node)
    element, _ = lanes_of_type(vector.type)
    numbers = list(lanes_of(t, vector).seen_as(element).numbers)
    numbers[_known_lane(node, place)] = steady(t, convert(value, element))
    store_lanes(t, vector, Lanes(element, tuple(numbers)))


@STORED_LANES.of("DECL_REF_EXPR")
def store_variable(t: Translation, node: Node, value: Lanes) -> None:
    """`v = value` of a vector variable."""
    key = binding_key(t, node)
    if not isinstance(t.environment.get(key), LanesBinding):
        raise unsupported(
            "unsupported-type", node.span, f"`{node.spelling}` isn't known to be a vector"
        )
    set_lanes(t, key, value)


@LANES.of_operator("BINARY_OPERATOR", "=")
def assigned_lanes(t: Translation, node: Node) -> Lanes:
    left, right = node.children
    value = lanes_of(t, right)
    store_lanes(t, left, value)
    return value


@LANES.of("COMPOUND_ASSIGNMENT_OPERATOR")
def compound_lanes(t: Translation, node: Node) -> Lanes:
    left, right = node.children
    operator = node.operator[:-1]
    element, _ = lanes_of_type(node.type)
    one, other = lanes_of(t, left), lanes_of(t, right)
    if operator in "&|^":
        value = bitwise(operator, one, other)
    else:
        value = computed(operator, one, other, element)
    store_lanes(t, left, value)
    return value
