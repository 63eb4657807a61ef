"""What PTX's instructions compute, on arrays of bits: from their types' words and operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from compiler.ir import INTRINSICS

from .text import PtxError

Operand = Callable[[int], np.ndarray]
"""The bits of an operand, given how many bytes of it are wanted."""
Words = tuple[str, ...]
Operation = Callable[[Words, Sequence[Operand]], np.ndarray]

_FLOATS = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


def width_of(type: str) -> int:
    """The bytes of a type; 0 of a predicate."""
    if type == "pred":
        return 0
    if type[0] not in "bsuf" or not type[1:].isdigit():
        raise PtxError(f"no type {type}")
    return int(type[1:]) // 8


def numbers(bits: np.ndarray, type: str) -> np.ndarray:
    """Bits as numbers of a type."""
    size = width_of(type)
    if size == 0:
        return bits
    raw = bits.astype(f"u{size}")
    return raw.view(_FLOATS[type] if type[0] == "f" else f"{'i' if type[0] == 's' else 'u'}{size}")


def bits(value: np.ndarray) -> np.ndarray:
    """Numbers as bits."""
    if value.dtype == bool:
        return value
    return value.view(f"u{value.dtype.itemsize}").astype(np.uint64)


def _known(words: Words, *allowed: str) -> None:
    for word in words:
        if word not in allowed:
            raise KeyError(word)


def _get(operand: Operand, type: str) -> np.ndarray:
    return numbers(operand(width_of(type)), type)


def _arithmetic(function: Callable[..., np.ndarray], *flags: str) -> Operation:
    """`function` of numbers of the last word's type; floats must say how they are rounded."""

    def run(words: Words, operands: Sequence[Operand]) -> np.ndarray:
        *rest, type = words
        _known(tuple(rest), *(flags if type[0] != "f" else ("rn",)))
        if type[0] == "f" and "rn" not in rest and function in _ROUNDED:
            raise PtxError(f"{type} without a rounding: {words}")
        with np.errstate(all="ignore"):
            made = function(*(_get(o, type) for o in operands))
        return bits(np.asarray(made).astype(numbers(np.zeros(1, np.uint64), type).dtype))

    return run


def _mul(words: Words, operands: Sequence[Operand]) -> np.ndarray:
    *rest, type = words
    if type[0] == "f":
        return _arithmetic(np.multiply)(words, operands)
    _known(tuple(rest), "lo", "hi", "wide")
    size = width_of(type)
    if not rest or rest == ["lo"]:
        x, y = (o(size) for o in operands)
        return (x * y) & _mask(8 * size)
    if size <= 4:
        x, y = (_get(o, type).astype(np.int64) for o in operands)
        narrow = (x * y).view(np.uint64)
        wanted = narrow if rest == ["wide"] else narrow >> np.uint64(8 * size)
        return wanted & _mask(16 * size if rest == ["wide"] else 8 * size)
    a, b = (_get(o, type).astype(object) for o in operands)
    product = a * b
    if rest == ["hi"]:
        product = product >> 8 * size
    mask = (1 << 8 * size * (2 if rest == ["wide"] else 1)) - 1
    return np.array([int(p) & mask for p in product], np.uint64)


def _mad(words: Words, operands: Sequence[Operand]) -> np.ndarray:
    *rest, type = words
    size = width_of(type) * (2 if rest == ["wide"] else 1)
    product = _mul(words, operands[:2])
    return (product + operands[2](size)) & np.uint64((1 << 8 * size) - 1)


def _fma(words: Words, operands: Sequence[Operand]) -> np.ndarray:
    _known(words[:-1], "rn")
    type = words[-1]
    a, b, c = (_get(o, type) for o in operands)
    return bits(INTRINSICS["fma"].evaluate(a, b, c))


def _quotient(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if a.dtype.kind == "f":
        return np.asarray(a / b)
    if a.dtype.itemsize < 8:
        x, y = a.astype(np.int64), np.where(b == 0, 1, b).astype(np.int64)
        narrow = (np.abs(x) // np.abs(y) * np.where((x < 0) == (y < 0), 1, -1)).astype(a.dtype)
        return np.where(b == 0, np.array(-1).astype(a.dtype), narrow)
    safe = np.where(b == 0, 1, b).astype(object)
    x = a.astype(object)
    whole = np.array([abs(int(p)) // abs(int(q)) * (1 if (p < 0) == (q < 0) else -1)
                      for p, q in zip(x, safe, strict=True)], object)  # fmt: skip
    mask = (1 << 8 * a.dtype.itemsize) - 1
    raw = np.array([int(v) & mask for v in whole], np.uint64).astype(f"u{a.dtype.itemsize}")
    return np.asarray(np.where(b == 0, raw.dtype.type(mask), raw).view(a.dtype))


def _remainder(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray(a - _quotient(a, b) * b)


def _minimum(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if a.dtype.kind != "f":
        return np.minimum(a, b)
    made = np.fmin(a, b)
    return np.where((a == 0) & (b == 0), np.where(np.signbit(a), a, b), made)


def _maximum(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if a.dtype.kind != "f":
        return np.maximum(a, b)
    made = np.fmax(a, b)
    return np.where((a == 0) & (b == 0), np.where(np.signbit(a), b, a), made)


_ROUNDED = (np.add, np.subtract, np.multiply, _quotient, np.reciprocal, np.sqrt)


def _bitwise(function: Callable[..., np.ndarray]) -> Operation:
    def run(words: Words, operands: Sequence[Operand]) -> np.ndarray:
        (type,) = words
        made = function(*(o(width_of(type)) for o in operands))
        return made if type == "pred" else made & _mask(8 * width_of(type))

    return run


def _mask(count: int) -> np.uint64:
    return np.uint64((1 << count) - 1)


def _shift(words: Words, operands: Sequence[Operand], left: bool) -> np.ndarray:
    (type,) = words
    width = 8 * width_of(type)
    value = _get(operands[0], type)
    amount = np.minimum(operands[1](4), np.uint64(width)).astype(np.int64)
    is_signed = value.dtype.kind == "i"
    wide = value.astype(np.int64 if is_signed else np.uint64)
    within = np.minimum(amount, width - 1).astype(wide.dtype)
    made = (wide << within if left else wide >> within).view(np.uint64)
    beyond = (amount == width) & (left or not is_signed)
    return np.where(beyond, np.uint64(0), made) & _mask(width)


def _funnel(words: Words, operands: Sequence[Operand]) -> np.ndarray:
    _known(words, "l", "r", "wrap", "clamp", "b32")
    if "wrap" not in words:
        raise PtxError(f"shf.{'.'.join(words)}")
    low, high, amount = (o(4) for o in operands)
    amount &= np.uint64(31)
    both = (high << np.uint64(32)) | low
    if "l" in words:
        return (both << amount) >> np.uint64(32) & _mask(32)
    return (both >> amount) & _mask(32)


_COMPARISONS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "eq": np.equal, "ne": lambda a, b: (a != b) & (a == a) & (b == b), "lt": np.less,
    "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
}  # fmt: skip


def _compared(word: str, type: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if type[0] != "f":
        return _COMPARISONS[word](a, b)
    either = (a != a) | (b != b)
    if word == "num":
        return ~either
    if word == "nan":
        return either
    if word.endswith("u"):
        return _COMPARISONS[word[:-1]](a, b) | either
    return _COMPARISONS[word](a, b)


def _setp(words: Words, operands: Sequence[Operand]) -> np.ndarray:
    word, *joined, type = words
    made = _compared(word, type, *(_get(o, type) for o in operands[:2]))
    for join in joined:
        other = operands[2](0)
        made = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}[join](
            made, other
        )
    return made


def _selp(words: Words, operands: Sequence[Operand]) -> np.ndarray:
    (type,) = words
    a, b, condition = (*(o(width_of(type)) for o in operands[:2]), operands[2](0))
    return np.where(condition, a, b)


_ROUNDINGS = {"rni": np.rint, "rmi": np.floor, "rpi": np.ceil, "rzi": np.trunc}


def _cvt(words: Words, operands: Sequence[Operand]) -> np.ndarray:
    *rest, target, source = words
    _known(tuple(rest), "rn", "sat", "ftz", *_ROUNDINGS)
    value = _get(operands[0], source)
    if "ftz" in rest and (source, target) != ("f32", "f32"):
        raise PtxError(f"cvt.{'.'.join(words)}")
    if source[0] == "f" and target[0] == "f":
        if "ftz" in rest:  # A whole number is none of those that are flushed.
            tiny = np.abs(value) < np.finfo(np.float32).tiny
            value = np.where(tiny, np.copysign(np.float32(0), value), value)
        rounding = next((r for r in rest if r in _ROUNDINGS), None)
        made = _ROUNDINGS[rounding](value) if rounding else value
        if width_of(target) < width_of(source) and "rn" not in rest:
            raise PtxError(f"cvt.{'.'.join(words)}")
        with np.errstate(all="ignore"):
            return bits(made.astype(_FLOATS[target]))
    if target[0] == "f":
        if "rn" not in rest:
            raise PtxError(f"cvt.{'.'.join(words)}")
        with np.errstate(all="ignore"):
            return bits(value.astype(_FLOATS[target]))
    size = width_of(target)
    low, high = (-(1 << 8 * size - 1), (1 << 8 * size - 1) - 1) if target[0] == "s" else (
        0, (1 << 8 * size) - 1)  # fmt: skip
    if source[0] == "f":
        rounding = next(r for r in rest if r in _ROUNDINGS)
        whole = [0 if v != v else v for v in _ROUNDINGS[rounding](value).astype(np.float64)]
        clamped = [high if v > high else low if v < low else int(v) for v in whole]
    elif "sat" in rest:
        clamped = [min(max(int(v), low), high) for v in value]
    else:
        narrow = value.astype(f"{'i' if target[0] == 's' else 'u'}{size}")
        return narrow.astype(np.int64 if target[0] == "s" else np.uint64).view(np.uint64)
    return np.array([v & ((1 << 64) - 1) for v in clamped], np.uint64)


def _prmt(words: Words, operands: Sequence[Operand]) -> np.ndarray:
    _known(words, "b32")
    a, b, selector = (o(4) for o in operands)
    both = a | (b << np.uint64(32))
    made = np.zeros(len(a), np.uint64)
    for place in range(4):
        chosen = (selector >> np.uint64(4 * place)) & np.uint64(15)
        byte = (both >> (np.uint64(8) * (chosen & np.uint64(7)))) & np.uint64(255)
        sign = np.where(byte >> np.uint64(7), np.uint64(255), np.uint64(0))
        byte = np.where(chosen & np.uint64(8), sign, byte)
        made |= byte << np.uint64(8 * place)
    return made


def _bfe(words: Words, operands: Sequence[Operand]) -> np.ndarray:
    (type,) = words
    value, begin, length = _get(operands[0], type), operands[1](1), operands[2](1)
    made = []
    for v, p, n in zip(value, begin, length, strict=True):
        width, place, count = 8 * width_of(type), int(p), int(n)
        raw = (int(v) >> min(place, width)) & ((1 << count) - 1)
        if type[0] == "s" and count:
            sign = (int(v) >> min(place + count - 1, width - 1)) & 1
            raw = (int(v) >> min(place, width)) & ((1 << count) - 1)
            raw -= sign << count
        made.append(raw & ((1 << width) - 1))
    return np.array(made, np.uint64)


def _bfi(words: Words, operands: Sequence[Operand]) -> np.ndarray:
    (type,) = words
    size = width_of(type)
    a, b, begin, length = operands[0](size), operands[1](size), operands[2](1), operands[3](1)
    made = []
    for inner, outer, p, n in zip(a, b, begin, length, strict=True):
        mask = ((1 << int(n)) - 1) << int(p) & ((1 << 8 * size) - 1)
        made.append((int(outer) & ~mask) | ((int(inner) << int(p)) & mask))
    return np.array(made, np.uint64)


def _counted(function: Callable[[int, int], int]) -> Operation:
    def run(words: Words, operands: Sequence[Operand]) -> np.ndarray:
        (type,) = words
        size = width_of(type)
        return np.array([function(int(v), 8 * size) for v in operands[0](size)], np.uint64)

    return run


def _dp4a(words: Words, operands: Sequence[Operand]) -> np.ndarray:
    a, b, total = (o(4) for o in operands)
    sides = []
    for word, value in zip(words, (a, b), strict=True):
        number = np.int8 if word == "s32" else np.uint8
        sides.append(value.astype("<u4").view(number).reshape(-1, 4).astype(np.int64))
    products = (sides[0] * sides[1]).sum(1)
    return (total.astype(np.int64) + products).astype(np.uint64) & _mask(32)


def _testp(words: Words, operands: Sequence[Operand]) -> np.ndarray:
    word, type = words
    value = _get(operands[0], type)
    return {"finite": np.isfinite, "infinite": np.isinf, "notanumber": np.isnan}[word](value)


def _copysign(words: Words, operands: Sequence[Operand]) -> np.ndarray:
    (type,) = words
    return bits(np.copysign(_get(operands[1], type), _get(operands[0], type)))


def _halves(operation: Operation) -> Operation:
    """`operation`, also on two numbers of 16 bits in one register (`f16x2`, `s16x2`)."""

    def run(words: Words, operands: Sequence[Operand]) -> np.ndarray:
        if not words or not words[-1].endswith("x2"):
            return operation(words, operands)
        single = (*words[:-1], words[-1].removesuffix("x2"))
        made = np.uint64(0)
        for begin in (np.uint64(0), np.uint64(16)):
            parts = [lambda size, o=o, b=begin: o(4) >> b & _mask(8 * size) for o in operands]
            made = made | (operation(single, parts) << begin)
        return np.asarray(made)

    return run


OPERATIONS: dict[str, Operation] = {
    "add": _halves(_arithmetic(np.add)),
    "sub": _halves(_arithmetic(np.subtract)),
    "mul": _halves(_mul),
    "mad": _mad,
    "fma": _halves(_fma),
    "div": _arithmetic(_quotient),
    "rem": _arithmetic(_remainder),
    "rcp": _arithmetic(np.reciprocal),
    "sqrt": _arithmetic(np.sqrt),
    "min": _halves(_arithmetic(_minimum)),
    "max": _halves(_arithmetic(_maximum)),
    "neg": _halves(_arithmetic(np.negative)),
    "abs": _halves(_arithmetic(np.abs)),
    "and": _bitwise(np.bitwise_and),
    "or": _bitwise(np.bitwise_or),
    "xor": _bitwise(np.bitwise_xor),
    "not": _bitwise(np.invert),
    "shl": lambda words, operands: _shift(words, operands, True),
    "shr": lambda words, operands: _shift(words, operands, False),
    "shf": _funnel,
    "setp": _setp,
    "selp": _selp,
    "cvt": _cvt,
    "prmt": _prmt,
    "dp4a": _dp4a,
    "bfe": _bfe,
    "bfi": _bfi,
    "popc": _counted(lambda v, _: v.bit_count()),
    "clz": _counted(lambda v, width: width - v.bit_length()),
    "brev": _counted(lambda v, width: int(f"{v:0{width}b}"[::-1], 2)),
    "testp": _testp,
    "copysign": _copysign,
}
"""By the first word of the instruction's name."""
