"""The C and C++ standard library's functions that have a meaning of their own here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from compiler.ir import (
    F32,
    F64,
    GE,
    I64,
    LE,
    LT,
    NE,
    U8,
    Add,
    Call,
    Cast,
    Const,
    Div,
    Expr,
    Load,
    Max,
    Min,
    Mul,
    Select,
    Sub,
    Type,
    Variable,
    intrinsic,
)

from ..model.kernel import If, Store
from .bindings import ElementPlace, Place, Pointer, VectorBinding
from .chosen import Chosen
from .failure import unsupported
from .folding import add, convert, divide_exactly, fold, index, number, scale, subtract
from .library_function import BINARY, TO_LONG, UNARY, LibraryFunction
from .syntax import Node, strip
from .types import (
    Extents,
    extents_of,
    is_pointer,
    is_record,
    pointee_of,
    same_bytes,
    scalar_type,
    vector_element,
)

_UNARY = {
    "sqrt": "sqrt", "floor": "floor", "ceil": "ceil", "trunc": "trunc", "rint": "round",
    "nearbyint": "round", "exp": "exp", "log": "log", "sin": "sin", "cos": "cos", "fabs": "abs",
}  # fmt: skip
_BY_FORMULA = frozenset({"exp", "log", "pow"})
"""In float32 the DSL computes these by formulas of its own, whose last bits aren't the C library's;
in float64 both call the C library."""
_MATHEMATICS = frozenset({*UNARY, *BINARY, *TO_LONG, "abs"})
_ALLOCATORS = frozenset({"malloc", "calloc", "aligned_alloc", "realloc"})


class Library(Chosen):
    """Translation of calls of known library functions."""

    def library_call(self, node: Node, function: LibraryFunction) -> Any:
        """The value of a call of a library function, None for one without value, else
        `NotImplemented`: what the function's body says, if it has one, is its meaning."""
        arguments = tuple(Node(c) for c in node.cursor.get_arguments())
        holder, _, member = function.meaning.rpartition("::")
        if holder == "vector":
            return self._vector_member(node, member, arguments)
        if holder == "numeric_limits":
            return self._limit(node, member)
        if function.meaning in _MATHEMATICS:
            return self._mathematics(node, function.meaning, arguments)
        if function.is_std:
            return self._algorithm(node, function.meaning, arguments)
        return self._memory(node, function.meaning, arguments)

    # Mathematics

    def _mathematics(self, node: Node, name: str, arguments: tuple[Node, ...]) -> Any:
        result = scalar_type(node.type)
        if result is None:
            return NotImplemented
        if name == "abs":
            value = convert(self.value(arguments[0]), result)
            return convert(intrinsic("abs", value), result)
        if name in TO_LONG:
            value = self.value(arguments[0])
            if not value.type.is_float:
                value = convert(value, F64)
            rounded = intrinsic("round", value) if name == "lrint" else self._half_away(value)
            return Cast(I64, rounded)
        if not result.is_float:
            return NotImplemented
        if name in _BINARY:
            a, b = (convert(v, result) for v in self.operands(arguments, node))
            found = _BINARY[name](a, b)
            if name != "pow" or not isinstance(found, Call):
                return found
        if name in _BY_FORMULA and result.bits < 64:
            raise unsupported(
                "inexact-function",
                node.span,
                f"`{name}` of {result} isn't computed to the C library's last bit",
                f"compute it in double: `(float){name}((double)...)`",
            )
        if name == "round":
            return self._half_away(convert(self.value(arguments[0]), result))
        if name in _UNARY:
            return intrinsic(_UNARY[name], convert(self.value(arguments[0]), result))
        return found

    def _half_away(self, value: Expr) -> Expr:
        """C's `round`: to the nearest whole number, halves away from zero, exactly."""
        if not isinstance(value, (Const, Variable)):
            value = self.captured(value)
        whole = intrinsic("trunc", value)
        away = Select(
            LT(value, number(0, value.type)), number(-1, value.type), number(1, value.type)
        )
        half = GE(intrinsic("abs", Sub(value, whole)), number(0.5, value.type))
        rounded: Expr = Select(half, Add(whole, away), whole)
        return rounded

    def _limit(self, node: Node, which: str) -> Any:
        own = scalar_type(node.type)
        if own is None:
            return NotImplemented
        if own.is_integer:
            limits: dict[str, float] = {"min": own.min, "lowest": own.min, "max": own.max}
        elif own is F32:
            largest = float.fromhex("0x1.fffffep+127")
            limits = {
                "max": largest, "lowest": -largest, "min": 2.0**-126, "epsilon": 2.0**-23,
                "infinity": float("inf"),
            }  # fmt: skip
        else:
            largest = float.fromhex("0x1.fffffffffffffp+1023")
            limits = {
                "max": largest, "lowest": -largest, "min": 2.0**-1022, "epsilon": 2.0**-52,
                "infinity": float("inf"),
            }  # fmt: skip
        return number(limits[which], own) if which in limits else NotImplemented

    # <algorithm>

    def _algorithm(self, node: Node, name: str, arguments: tuple[Node, ...]) -> Any:
        if name in ("min", "max"):
            own = self.scalar(node)
            kind: type[Expr] = Min if name == "min" else Max
            if len(arguments) == 1:
                items = self.list_items(arguments[0])
                values = [convert(v, own) for v in self.operands(items, node)]
                result = values[0]
                for value in values[1:]:
                    result = fold(kind(result, value))
                return result
            if len(arguments) == 2:
                a, b = (convert(v, own) for v in self.operands(arguments, node))
                return fold(kind(a, b))
        if name == "clamp" and len(arguments) == 3:
            own = self.scalar(node)
            value, low, high = (convert(v, own) for v in self.operands(arguments, node))
            return fold(Max(fold(Min(value, high)), low))
        if name == "minmax" and len(arguments) in (1, 2) and is_record(node.type):
            return self.minmax(node, arguments)
        if name == "swap" and len(arguments) == 2:
            return self._swap(node, arguments)
        if name in ("fill", "fill_n", "copy", "copy_n"):
            return self._range(node, name, arguments)
        return NotImplemented

    def list_items(self, node: Node) -> tuple[Node, ...]:
        inner = node
        while inner.kind != "INIT_LIST_EXPR" and len(inner.children) == 1:
            inner = inner.children[0]
        if inner.kind != "INIT_LIST_EXPR" or not inner.children:
            raise unsupported("unsupported-expression", node.span, "this list isn't understood")
        return inner.children

    def _swap(self, node: Node, arguments: tuple[Node, ...]) -> None:
        one, other = arguments
        if is_record(one.type) and vector_element(one.type) is None:
            self.swap_objects(one, other, node)
            return
        own = scalar_type(one.type)
        if own is None:
            raise unsupported(
                "pointer-base",
                node.span,
                "swapping pointers or containers isn't understood",
                "use each buffer by its own name in turn",
            )
        a = self.frozen(self.place(one), "a")
        b = self.frozen(self.place(other), "b")
        kept = self.captured(self.read(a, own))
        self.write(a, self.read(b, own))
        self.write(b, kept)

    def _range(self, node: Node, name: str, arguments: tuple[Node, ...]) -> Any:
        first = self.known_pointer(arguments[0])
        if name.endswith("_n"):
            each = extents_of(pointee_of(arguments[0].type)).count
            count = scale(index(self.value(arguments[1])), each)
        else:
            last = self.known_pointer(arguments[1])
            if last.base != first.base or last.row is not first.row:
                raise unsupported("pointer-base", node.span, "a range of two different arrays")
            count = subtract(last.offset, first.offset)
        count = self._steady(count)
        self.check_width(
            first, extents_of(pointee_of(arguments[0].type)).element, node, arguments[0].type
        )
        if name.startswith("fill"):
            seen = extents_of(pointee_of(arguments[0].type)).element
            value = self.value(arguments[2])
            value = convert(value if seen is None else convert(value, seen), first.element)
            first = self._still(first)
            self.fill(first, count, self._steady(value))
            return first.at(add(first.offset, count))
        to = self._still(self.known_pointer(arguments[2]))
        if to.element.bits != first.element.bits:
            raise unsupported(
                "pointer-cast", node.span, f"a copy of {first.element} to {to.element}"
            )
        # What is seen as another type of the same width is bytes; elements are converted.
        self.check_width(
            to, extents_of(pointee_of(arguments[2].type)).element, node, arguments[2].type
        )
        self.copy(to, self._still(first), count)
        return to.at(add(to.offset, count))

    def _steady(self, value: Expr) -> Expr:
        """`value` in a form that a loop may use in each round."""
        if isinstance(value, (Const, Variable)) or self.is_fixed(value):
            return value
        return self.captured(value)

    def _still(self, pointer: Pointer) -> Pointer:
        row = None if pointer.row is None else self._steady(pointer.row)
        return Pointer(
            pointer.array, pointer.element, self._steady(pointer.offset), pointer.level, row
        )

    # Memory

    def _memory(self, node: Node, name: str, arguments: tuple[Node, ...]) -> Any:
        if name == "free":
            return None
        if name in ("printf", "puts"):
            raise unsupported(
                "input-output", node.span, f"`{name}` does input or output", "take it out"
            )
        if name in ("memcpy", "memmove"):
            to, source = self.known_pointer(arguments[0]), self.known_pointer(arguments[1])
            if not same_bytes(to.element, source.element):
                raise unsupported(
                    "pointer-cast",
                    node.span,
                    f"`{name}` moves bytes between {source.element} and {to.element}",
                    "copy between arrays of one element type",
                )
            count = self._steady(self._element_count(arguments[2], to.element, node))
            to, source = self._still(to), self._still(source)
            if name == "memmove" and to.array == source.array:
                self._move(to, source, count)
            else:
                self.copy(to, source, count)
            return to
        if name == "memset":
            to = self.known_pointer(arguments[0])
            value = self._pattern(self.value(arguments[1]), to.element, node)
            count = self._steady(self._element_count(arguments[2], to.element, node))
            to = self._still(to)
            self.fill(to, count, self._steady(value))
            return to
        if name in _ALLOCATORS:
            raise unsupported(
                "unsupported-expression",
                node.span,
                f"`{name}` isn't the initial value of a typed pointer variable",
                "write `T* name = (T*)malloc(count * sizeof(T));`",
            )
        return NotImplemented

    def _element_count(self, node: Node, element: Type, call: Node) -> Expr:
        bytes = self.value(node)
        count = divide_exactly(bytes, element.bytes)
        if count is None:
            raise unsupported(
                "byte-count",
                call.span,
                f"the byte count isn't a multiple of {element.bytes}, the element's size, by its "
                "form",
                "write it as `count * sizeof(T)`",
            )
        return index(count)

    def _pattern(self, value: Expr, element: Type, node: Node) -> Expr:
        """What an element is when each of its bytes is the lowest one of `value`."""
        if element.bytes == 1:
            return convert(convert(value, U8), element)
        if isinstance(value, Const):
            byte = int(value.value) & 255
            if element.is_integer:
                pattern = int.from_bytes(bytes([byte]) * element.bytes, "little")
                return Const(element, element.wrap(pattern))
            if byte == 0:
                return number(0, element)
        raise unsupported(
            "byte-count", node.span, f"`memset` of {element} elements with a byte other than 0"
        )

    def copy(self, to: Pointer, source: Pointer, count: Expr, downward: bool = False) -> None:
        """Emits `to[0 .. count) = source[0 .. count)`, first to last or last to first."""

        def body(counter: Expr) -> None:
            offset = add(source.offset, counter)
            read = (offset,) if source.row is None else (source.row, offset)
            value = convert(Load(source.array, read, source.element), to.element)
            offset = add(to.offset, counter)
            written = (offset,) if to.row is None else (to.row, offset)
            self.emit(Store(self.span, to.array, written, value))

        self.counted(count, body, downward=downward)

    def _move(self, to: Pointer, source: Pointer, count: Expr) -> None:
        if to.row is not source.row:
            raise unsupported("pointer-base", self.span, "`memmove` between rows of one table")
        test = fold(LE(to.offset, source.offset))
        if isinstance(test, Const):
            self.copy(to, source, count, downward=not test.value)
            return
        with self.block() as forward:
            self.copy(to, source, count)
        with self.block() as backward:
            self.copy(to, source, count, downward=True)
        self.emit(If(self.span, test, tuple(forward), tuple(backward)))

    def allocation(self, node: Node, name: str) -> Pointer | None:
        """The new array that `new`, `malloc` or `calloc` makes; None for anything else."""
        pointee = pointee_of(node.type) if is_pointer(node.type) else None
        inner = node
        while inner.kind != "CALL_EXPR" and inner.kind != "CXX_NEW_EXPR" and inner.children:
            if not (
                (inner.kind in ("UNEXPOSED_EXPR", "PAREN_EXPR") and len(inner.children) == 1)
                or inner.kind.endswith("CAST_EXPR")
            ):
                return None
            inner = inner.children[-1]
        if inner.kind == "CXX_NEW_EXPR":
            return self._new(inner, name)
        if inner.kind != "CALL_EXPR":
            return None
        function = self.program.library_function(inner.declaration)
        called = "" if function is None else function.meaning
        if called not in _ALLOCATORS or self.program.definition(inner.declaration, called):
            return None
        element = scalar_type(pointee) if pointee is not None else None
        if element is None:
            raise unsupported(
                "unsupported-type", node.span, f"`{called}` of elements that aren't numbers"
            )
        if called == "realloc":
            raise unsupported("unsupported-expression", node.span, "`realloc` isn't understood")
        arguments = tuple(Node(c) for c in inner.cursor.get_arguments())
        if called == "calloc":
            a, b = self.operands(arguments, inner)
            pointer = self.allocate(name, element, self._product(a, b, element, inner))
            size = self.arrays[pointer.array].size
            assert size is not None
            self.fill(pointer, size, number(0, element))
            return pointer
        size = self._element_count(arguments[-1], element, inner)
        return self.allocate(name, element, size)

    def _product(self, a: Expr, b: Expr, element: Type, node: Node) -> Expr:
        count = divide_exactly(Mul(a, b), element.bytes)
        if count is None:
            raise unsupported("byte-count", node.span, "this size isn't a number of elements")
        return index(count)

    def _new(self, node: Node, name: str) -> Pointer:
        pointee = pointee_of(node.type)
        extents = extents_of(pointee)
        if extents.element is None:
            raise unsupported("unsupported-type", node.span, "`new` of a class isn't understood")
        parts = [c for c in node.children if c.kind not in ("TYPE_REF", "NAMESPACE_REF")]
        size = next((c for c in parts if _is_size(node, c)), None)
        starts = [c for c in parts if c is not size]
        # A place to make it in looks like a value, and a type in parentheses hides the bracket.
        if len(starts) > 1 or _words_behind_new(node)[0] in ("(", "decltype", "__typeof__"):
            raise unsupported(
                "unsupported-expression",
                node.span,
                "only `new T[count]` and `new T(value)` are understood",
            )
        if size is None:
            return self._new_number(node, name, extents, starts)
        if any(s.children for s in starts):
            raise unsupported(
                "unsupported-expression", node.span, "`new` of a list of values isn't understood"
            )
        count = index(self.value(size))
        pointer = self.allocate(
            name,
            extents.element,
            fold(Mul(count, Const(I64, extents.count))) if extents.count != 1 else count,
        )
        allocated = self.arrays[pointer.array].size
        if starts and allocated is not None:
            self.fill(pointer, allocated, number(0, extents.element))
        return pointer

    def _new_number(
        self, node: Node, name: str, extents: Extents, starts: Sequence[Node]
    ) -> Pointer:
        """`new T`, `new T()`, `new T(value)` or `new T{value}`."""
        element = extents.element
        if element is None or extents.shape:
            raise unsupported(
                "unsupported-expression", node.span, "this size of `new` isn't understood"
            )
        value: Expr | None = None
        if starts and starts[0].kind == "UNEXPOSED_EXPR" and not starts[0].children:
            value = number(0, element)
        elif starts:
            value = self.captured(convert(self.value(starts[0]), element))
        pointer = self.allocate(name, element, Const(I64, 1))
        if value is not None:
            self.emit(Store(self.span, pointer.array, (pointer.offset,), value))
        return pointer

    # std::vector

    def vector_access(self, node: Node) -> bool:
        """Whether a call is an element of a vector that is known."""
        return (
            node.spelling in ("operator[]", "at", "front", "back")
            and bool(node.children)
            and self._receiver(node) is not None
        )

    def _receiver(self, node: Node) -> VectorBinding | None:
        target = node.children[0]
        if target.kind == "MEMBER_REF_EXPR" and target.children and not _is_field(target):
            target = target.children[0]
        return self.vector_binding(strip(target))

    def place_call(self, node: Node) -> Place:
        binding = self._receiver(node) if self.vector_access(node) else None
        if binding is None:
            value = self.call_value_place(node)
            return value
        pointer = binding.pointer
        name = node.spelling
        if name == "front":
            position: Expr = Const(I64, 0)
        elif name == "back":
            position = Sub(binding.size, Const(I64, 1))
        else:
            position = index(self.value(node.children[-1]))
        return ElementPlace(pointer.array, (add(pointer.offset, position),), pointer.element)

    def _vector_member(self, node: Node, name: str, arguments: tuple[Node, ...]) -> Any:
        binding = self._receiver(node) if node.children else None
        if binding is None:
            raise unsupported("unsupported-type", node.span, "this container isn't understood")
        if name in ("operator[]", "at", "front", "back"):
            return self.read(self.place_call(node), self.scalar(node))
        if name == "size":
            return convert(binding.size, self.scalar(node))
        if name == "empty":
            return fold(LE(binding.size, Const(I64, 0)))
        if name in ("data", "begin"):
            return binding.pointer
        if name == "end":
            return binding.pointer.at(add(binding.pointer.offset, binding.size))
        raise unsupported(
            "unsupported-expression",
            node.span,
            f"`std::vector::{name}` isn't understood",
            "make the vector with its final size",
        )


def _is_field(member: Node) -> bool:
    return member.declaration is not None and member.declaration.kind.name == "FIELD_DECL"


def _is_size(node: Node, part: Node) -> bool:
    """Whether a part of `new` is the number of elements, which is of type `size_t`.

    A value is of the type of what is made: where that is `size_t`, too, the text decides. The size
    in a type name (`typedef int Pair[2]; new Pair`) stands where the name stands.
    """
    if part.type.kind.name != "ULONG":
        return False
    if pointee_of(node.type).kind.name != "ULONG":
        return True
    if any(c.kind == "TYPE_REF" and c.span == part.span for c in node.children):
        return True
    opening = (word for word in _words_behind_new(node) if word in ("[", "(", "{", ";"))
    return next(opening, "") == "["


def _words_behind_new(node: Node) -> list[str]:
    """The text behind the word `new`, in a macro that of the macro; "(" where there is none."""
    words = [token.spelling for token in node.cursor.get_tokens()]
    return words[words.index("new") + 1 :] if "new" in words else ["("]


def _fmin(a: Expr, b: Expr) -> Expr:
    smaller: Expr = Select(NE(a, a), b, Min(a, b))
    return smaller


def _fmax(a: Expr, b: Expr) -> Expr:
    larger: Expr = Select(NE(a, a), b, Max(a, b))
    return larger


def _power(a: Expr, b: Expr) -> Expr:
    """`pow`, with the exponents for which compilers write a product, whatever the library does."""
    exponent = b.value if isinstance(b, Const) else None
    if exponent == 0:
        return number(1, a.type)
    if exponent == 1:
        return a
    if exponent == -1:
        return Div(number(1, a.type), a)
    return Mul(a, a) if exponent == 2 else intrinsic("pow", a, b)


_BINARY: dict[str, Callable[[Expr, Expr], Expr]] = {
    "pow": _power,
    "fmin": _fmin,
    "fmax": _fmax,
}
