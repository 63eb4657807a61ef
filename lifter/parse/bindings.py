"""What C++ names and pointer expressions stand for while a function is translated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from compiler.ir import GE, I64, LT, And, Const, Expr, Type, Variable

from ..model.diagnostic import Diagnostic
from .lanes import Lanes

if TYPE_CHECKING:
    from .program import FunctionDefinition

ZERO = Const(I64, 0)


@dataclass(frozen=True, slots=True)
class Pointer:
    """An address: `offset` elements from the start of `array` (of its row `row`, for row tables).

    `level` is 2 for a pointer to row pointers (`T**`): then `offset` counts rows.
    """

    array: str
    element: Type
    offset: Expr = ZERO
    level: int = 1
    row: Expr | None = None
    given: Expr | None = None
    """Where some path makes it null: whether it leads into the array. None: it does as it began."""

    @property
    def base(self) -> tuple[str, int]:
        """What a pointer variable keeps while it is only moved."""
        return self.array, self.level

    def at(self, offset: Expr) -> Pointer:
        return replace(self, offset=offset)

    @property
    def parts(self) -> tuple[Expr, ...]:
        """The numbers that it is made of."""
        return tuple(e for e in (self.offset, self.row, self.given) if e is not None)

    def rebuilt(self, change: Callable[[Expr], Expr]) -> Pointer:
        """The pointer with other numbers in the place of its own."""
        row = None if self.row is None else change(self.row)
        given = None if self.given is None else change(self.given)
        return replace(self, offset=change(self.offset), row=row, given=given)


@dataclass(frozen=True, slots=True)
class Null:
    """The null pointer."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """What a call gives that has no value."""


@dataclass(frozen=True, slots=True)
class Address:
    """`&x` of a scalar variable (a place that is no array element)."""

    place: ScalarPlace | ChosenPlace | ConstantPlace


@dataclass(frozen=True, slots=True)
class ScalarPlace:
    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class ElementPlace:
    array: str
    indices: tuple[Expr, ...]
    type: Type
    """The array's element type; the expression may view it with the other signedness."""


@dataclass(frozen=True, slots=True)
class BitsPlace(ElementPlace):
    """A bit-field: `width` bits of the number `word`, above the lowest `shift`; `type` is what it
    was declared with. The indices are the word's."""

    word: ElementPlace
    shift: int
    width: int


@dataclass(frozen=True, slots=True)
class RealPlace(ElementPlace):
    """A float that shares its bits with integers, as a union has it: those of the number `word`.
    `type` is the float's; the indices are the word's."""

    word: ElementPlace


@dataclass(frozen=True, slots=True)
class ChosenPlace:
    """One of two places: `a` where `condition` holds, else `b`.

    What a reference stands for has a condition that never changes.
    """

    condition: Expr
    a: Place
    b: Place

    @property
    def type(self) -> Type:
        return self.a.type


@dataclass(frozen=True, slots=True)
class ConstantPlace:
    """A variable that nothing changes, by its value."""

    value: Expr

    @property
    def type(self) -> Type:
        return self.value.type


@dataclass(frozen=True, slots=True)
class ObjectBinding:
    """An object taken apart: each of its fields has a binding of its own, by `bound.field_key`.

    `name` is what the source calls the object; references to it have the same binding.
    """

    key: Key
    name: str
    type: Any = field(compare=False)


@dataclass(frozen=True, slots=True)
class ElementObject:
    """An object inside an array: a structure of numbers of one type, `pointer` at its first."""

    pointer: Pointer
    type: Any = field(compare=False)


@dataclass(frozen=True, slots=True)
class ObjectAddress:
    """`&object` of an object that is taken apart."""

    target: ObjectBinding


@dataclass(frozen=True, slots=True)
class FunctionAddress:
    """A pointer to a known function."""

    definition: FunctionDefinition = field(compare=False)
    key: str


@dataclass(frozen=True, slots=True)
class FunctionChoice:
    """A pointer to one of the functions of the file; the number `which` says to which."""

    which: Variable
    functions: tuple[FunctionAddress, ...]
    is_certain: bool = False
    """Whether it can't lead elsewhere: all of a constant table are known."""

    @property
    def known(self) -> Expr:
        """That it is one of them."""
        count = Const(self.which.type, len(self.functions))
        return And(GE(self.which, Const(self.which.type, 0)), LT(self.which, count))


@dataclass(frozen=True, slots=True)
class LambdaBinding:
    """A lambda; `captured` are its own copies of variables, by the variables' keys."""

    place: int
    """Where it stands in the source, which tells it from any other."""
    captured: tuple[tuple[Key, Binding], ...]
    receiver: Object | None
    """What `this` means inside."""
    used: tuple[Key, ...]
    """The variables that its body names."""


@dataclass(frozen=True, slots=True)
class UnknownBinding:
    """A field that isn't understood; `why` is reported where it is used."""

    why: Diagnostic


Key = tuple[int, int]
Part = tuple[Key, ...]
"""A field of an object: its declaration, behind those of the members that the object is a part of
another one by, as far as that is known."""
Object = ObjectBinding | ElementObject
PointerValue = Pointer | Null | Address | ObjectAddress | FunctionAddress | FunctionChoice
Result = Expr | Lanes | PointerValue | Object | Nothing
"""What a call may give."""
Place = ScalarPlace | ElementPlace | ChosenPlace | ConstantPlace


@dataclass(frozen=True, slots=True)
class ScalarBinding:
    place: Place
    """The variable itself, or what a reference stands for."""


@dataclass(frozen=True, slots=True)
class ConstantBinding:
    value: Expr


@dataclass(frozen=True, slots=True)
class ArrayBinding:
    """An array variable: its first element."""

    pointer: Pointer


@dataclass(frozen=True, slots=True)
class VectorBinding:
    """A `std::vector`: its first element and its element count (int64)."""

    pointer: Pointer
    size: Expr


@dataclass(frozen=True, slots=True)
class RowVectorBinding:
    """A `std::vector` of pointers to rows: the table of them, of which none is changed."""

    pointer: Pointer


@dataclass(frozen=True, slots=True)
class ObjectVectorBinding:
    """A `std::vector` of structures of numbers of one type: the first number, and how many
    structures there are (int64)."""

    pointer: Pointer
    count: Expr
    numbers: int
    """That each is made of."""


@dataclass(frozen=True, slots=True)
class PointerBinding:
    """A pointer variable: where it points now, as far as known on every path to here.

    `value` is None before the first assignment; `conflict` names the arrays that it may point
    into when paths disagree.
    """

    name: str
    value: PointerValue | None
    conflict: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LanesBinding:
    """A variable of a vector type, by what is in it now.

    `kept` are the scalars that hold its numbers where paths bring different ones; without them it
    has no statements of its own. `differs` says that paths have brought different numbers.
    """

    name: str
    value: Lanes
    kept: tuple[str, ...] = ()
    differs: bool = False


@dataclass(frozen=True, slots=True)
class LanesArrayBinding:
    """A local array of vectors: each of its elements is a vector variable of its own."""

    key: Key
    name: str
    shape: tuple[int, ...]

    def element(self, position: int) -> Key:
        """What the element at a position (of a flat array) is bound by."""
        return self.key[0] + (position + 1 << 64), self.key[1]


@dataclass(frozen=True, slots=True)
class ReferredPointer:
    """A reference to a pointer, `const u8 *&p = q`, or to a vector: another name of what `key`
    binds."""

    key: Key


@dataclass(frozen=True, slots=True)
class PointersBinding:
    """A local array of pointers: each of its elements is a pointer variable of its own."""

    key: Key
    name: str
    count: int


Binding = (
    ScalarBinding
    | ConstantBinding
    | ArrayBinding
    | VectorBinding
    | RowVectorBinding
    | ObjectVectorBinding
    | PointerBinding
    | PointersBinding
    | LanesBinding
    | LanesArrayBinding
    | ReferredPointer
    | ObjectBinding
    | ElementObject
    | LambdaBinding
    | UnknownBinding
)
Environment = dict[Key, Binding]


def describe(value: PointerValue | None) -> str:
    """The array a pointer leads into, for messages."""
    if isinstance(value, Pointer):
        return f"`{value.array}`"
    if isinstance(value, ObjectAddress):
        return f"`{value.target.name}`"
    if isinstance(value, FunctionAddress):
        return f"`{value.definition.name}`"
    if isinstance(value, FunctionChoice):
        return "one of several functions"
    return "a scalar" if isinstance(value, Address) else "nothing"


def joined(one: Environment, other: Environment) -> Environment:
    """What is known where two paths meet."""
    result = dict(one)
    for key, binding in other.items():
        mine = result.get(key)
        if mine is None or mine == binding:
            result[key] = binding
        elif isinstance(mine, PointerBinding) and isinstance(binding, PointerBinding):
            result[key] = _joined_pointers(mine, binding)
        elif isinstance(mine, LanesBinding) and isinstance(binding, LanesBinding):
            result[key] = _joined_lanes(mine, binding)
        else:
            result[key] = UnknownBinding(_PATHS_DIFFER)
    return result


_PATHS_DIFFER = Diagnostic(
    "unsupported-type",
    "error",
    "what this is depends on the path that led here",
    help="give the two paths variables of their own",
    family="unsupported",
)


def _joined_pointers(a: PointerBinding, b: PointerBinding) -> PointerBinding:
    if a.conflict or b.conflict:
        return a if a.conflict else b
    if a.value is None or b.value is None:
        return a if b.value is None else b
    arrays = tuple(dict.fromkeys((describe(a.value), describe(b.value))))
    return PointerBinding(a.name, None, arrays if len(arrays) > 1 else (*arrays, arrays[0]))


def _joined_lanes(a: LanesBinding, b: LanesBinding) -> LanesBinding:
    if a.kept and a.kept == b.kept:
        # On either path the scalars hold the numbers: where one path has none, reading it is
        # undefined there.
        pairs = zip(a.value.numbers, b.value.numbers, strict=True)
        numbers = tuple(y if x is None else x for x, y in pairs)
        return replace(a, value=replace(a.value, numbers=numbers))
    if a.differs or b.differs:
        return a if a.differs else b
    # Zero has no width of its own.
    return replace(b if a.value.is_constant or a.value.is_empty else a, differs=True)


def may_be_one(a: Part, b: Part) -> bool:
    """Whether two fields of objects that pointers and references lead to may be one number. Members
    of different names are different objects, of whatever class."""
    count = min(len(a), len(b))
    return a[-count:] == b[-count:]
