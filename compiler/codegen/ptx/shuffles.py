"""What a lane of a warp fetches from another one's registers: PTX's `shfl.sync`.

All lanes take part, so a shuffle stands where all of them come to. The instruction moves 32 bits;
others are widened, or moved in two parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...ir import I32, Add, BitXor, Call, Const, Expr, Sub, Variable
from ...ir.stmts import THREADS, WARP
from ..builder import FunctionBuilder, Value, i32
from ..llvm_types import register_type

ALL = i32(-1)
"""All lanes of the warp."""
_LAST = WARP - 1
_OWN = Variable(THREADS[0], I32)


def _shuffle(f: FunctionBuilder, node: Call, operands: Sequence[Value]) -> Value:
    """The value of the call `shuffle(value, lane)`."""
    value, lane = operands
    way, by, last = _way(node.args[1], lane)
    type = node.type
    bits = value
    if type.is_float and type.code != "bfloat":
        bits = f.emit(f"i{type.bits}", f"bitcast {value} to i{type.bits}")
    if bits.type == "i64":
        parts = [f.emit("i32", f"trunc {f.emit('i64', f'lshr {bits}, {s}')} to i32")
                 for s in (0, 32)]  # fmt: skip
        low, high = (
            f.emit("i64", f"zext {_fetched(f, way, part, by, last)} to i64") for part in parts
        )
        made = f.emit("i64", f"or {f.emit('i64', f'shl {high}, 32')}, {low.text}")
    elif bits.type == "i32":
        made = _fetched(f, way, bits, by, last)
    else:
        wide = _fetched(f, way, f.emit("i32", f"zext {bits} to i32"), by, last)
        made = f.emit(bits.type, f"trunc {wide} to {bits.type}")
    if bits is value:
        return made
    to = register_type(type)
    return f.emit(to, f"bitcast {made} to {to}")


def _fetched(f: FunctionBuilder, way: str, bits: Value, by: Value, last: int) -> Value:
    callee = f.module.declare(f"llvm.nvvm.shfl.sync.{way}.i32", "i32", "i32, i32, i32, i32")
    return f.call("i32", callee, [ALL, bits, by, i32(last)])


def _way(lane: Expr, number: Value) -> tuple[str, Value, int]:
    """Which shuffle leads to a lane: by its number, or by how far it is from the own one."""
    match lane:
        case Add(a=a, b=Const(value=by)) if a is _OWN and 0 < by < WARP:
            return "down", i32(int(by)), _LAST
        case Sub(a=a, b=Const(value=by)) if a is _OWN and 0 < by < WARP:
            return "up", i32(int(by)), 0
        case BitXor(a=a, b=Const(value=by)) if a is _OWN and 0 < by < WARP:
            return "bfly", i32(int(by)), _LAST
    return "idx", number, _LAST


INSTRUCTIONS: Mapping[str, Callable[[FunctionBuilder, Call, Sequence[Value]], Value]] = {
    "shuffle": _shuffle
}
