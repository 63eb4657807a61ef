"""Expressions to LLVM values: every node of `compiler/ir/nodes.py`, scalar and vector.

Operands are evaluated once and before their user; both sides of a `Select` are evaluated, which is
sound because no operation traps and lowering asserts that every element a side reads exists.
"""

from __future__ import annotations

from .. import ir
from ..ir import (
    F32,
    I32,
    I64,
    LANE_OPERATIONS,
    Broadcast,
    Call,
    Cast,
    Const,
    Expr,
    Let,
    Load,
    Ramp,
    Select,
    Type,
    Variable,
)
from . import memory, narrow_indices, strided
from .builder import FunctionBuilder, Value, splatted
from .conversions import convert, same_bits
from .effects import effect
from .errors import CodegenError
from .intrinsics import TRANSLATIONS, mask_type
from .lanes import operation_on_lanes
from .llvm_types import constant, element_type, register_type, splat
from .operators import BINARY, UNARY, fenced
from .scope import BoundVariable, Scope
from .selection import INSTRUCTIONS, instruction


class Expressions:
    """Translates expressions at one place of a function, each shared node once.

    Make a new one after every statement: what was loaded before a store may have changed.
    """

    def __init__(self, function: FunctionBuilder, scope: Scope, mask: Value | None = None) -> None:
        """`mask` says which lanes of vector loads of its width may be read."""
        self.function = function
        self.scope = scope
        self._mask = mask
        self.families: dict[Load, strided.Family] = {}
        self.neighbours: dict[Load, strided.Family] = {}
        """Families of loads that the statements around this one read, too."""
        self.dense: dict[int, list[tuple[int, Value]]] = {}
        self.ahead: list[tuple[str, Expr]] = []
        """Where streamed loads were asked for ahead of time."""
        self._done: dict[Expr, Value] = {}
        self._wide: dict[Expr, Value] = {}
        self._low: dict[Expr, Value] = {}
        self.ranges: dict[Expr, narrow_indices.Range] = {}
        """What indices may be, where they have 32 bits."""

    def fresh(self, mask: Value | None = None) -> Expressions:
        """A translator at the same place that has translated nothing yet."""
        made = Expressions(self.function, self.scope, mask)
        made.neighbours = self.neighbours
        return made

    def sharing(self, *exprs: Expr) -> Expressions:
        """This translator, with the strided loads of `exprs` reading memory together."""
        self.families = {**strided.families(exprs), **self.neighbours}
        return self

    @property
    def permutes_bytes(self) -> bool:
        """Whether the machine picks bytes out of whole registers by bytes (AVX-512 VBMI)."""
        return self.function.module.target.permutes_bytes

    def load_mask(self, lanes: int) -> Value | None:
        """Which lanes of a load of `lanes` lanes may be read; None is all of them."""
        fits = self._mask is not None and self._mask.type == mask_type(lanes)
        return self._mask if fits else None

    def value(self, expr: Expr) -> Value:
        """The value of `expr`, in a register of `register_type(expr.type)`."""
        expr = self.function.module.selected(expr)
        stack = [expr]
        while stack:
            node = stack[-1]
            if node in self._done:
                stack.pop()
                continue
            waiting = [c for c in _operands(node) if c not in self._done]
            if waiting:
                stack += reversed(waiting)
            else:
                self._done[node] = self._translate(node)
                stack.pop()
        return self._done[expr]

    def index(self, expr: Expr) -> Value:
        """The scalar integer `expr` as an i64.

        Sums and products of `int32` are computed in 64 bits, so that an index is right wherever
        the 32-bit one does not overflow and addresses need no sign extension in a loop.
        """
        found = self._wide.get(expr)
        if found is None:
            found = self._wide[expr] = self._index(expr)
        return found

    def place(self, expr: Expr) -> Value:
        """The index `expr` of an element that is there, as an i64: in as few bits as it needs."""
        if self.function.narrow_indices:
            return narrow_indices.place(self, expr)
        return self.index(expr)

    def low(self, expr: Expr) -> Value:
        """The low 32 bits of the index `expr`."""
        found = self._low.get(expr)
        if found is None:
            found = self._low[expr] = narrow_indices.low_bits(self, expr)
        return found

    def _index(self, expr: Expr) -> Value:
        if self.function.narrow_indices and narrow_indices.fits(
            narrow_indices.index_range(self, expr)
        ):
            return self.function.emit("i64", f"sext {self.low(expr)} to i64")
        return self.wide_index(expr)

    def wide_index(self, expr: Expr) -> Value:
        """The index `expr`, its last operation in 64 bits."""
        f = self.function
        if isinstance(expr, Const):
            return Value("i64", str(int(expr.value)))
        if isinstance(expr, Variable):
            bound = self.bound(expr)
            if bound.wide is not None:
                return bound.wide
        elif isinstance(expr, Cast) and expr.type is I64 and expr.value.type is I32:
            return self.index(expr.value)
        elif expr.type in (I32, I64):
            if isinstance(expr, ir.Add | ir.Sub | ir.Mul):
                op = type(expr).__name__.lower() + (" nsw" if expr.type is I32 else "")
                return f.emit("i64", f"{op} {self.index(expr.a)}, {self.index(expr.b).text}")
            if isinstance(expr, ir.Neg):
                return f.emit("i64", f"sub i64 0, {self.index(expr.value).text}")
            if isinstance(expr, ir.Min | ir.Max):
                name = f"llvm.s{type(expr).__name__.lower()}.i64"
                callee = f.module.declare(name, "i64", "i64, i64")
                return f.call("i64", callee, [self.index(expr.a), self.index(expr.b)])
            if isinstance(expr, Select):
                condition = self.value(expr.condition)
                a, b = self.index(expr.a), self.index(expr.b)
                return f.emit("i64", f"select {condition}, {a}, {b}")
        return convert(f, self.value(expr), expr.type, I64)

    def bound(self, variable: Variable) -> BoundVariable:
        """What the variable stands for here."""
        bound = self.scope.variables.get(variable.name)
        if bound is None:
            raise CodegenError(f"variable {variable.name} has no value here")
        if bound.type is not variable.type:
            raise CodegenError(f"variable {variable.name} is {bound.type}, read as {variable.type}")
        return bound

    def _translate(self, node: Expr) -> Value:
        f, type_ = self.function, node.type
        if isinstance(node, Const):
            return Value(register_type(type_), constant(node))
        if isinstance(node, Variable):
            return self.bound(node).value
        if isinstance(node, ir.Binary):
            return self._binary(node)
        if isinstance(node, Cast):
            return convert(f, self._done[node.value], node.value.type, type_)
        if isinstance(node, ir.Unary):
            return self._unary(node)
        if isinstance(node, Select):
            return self._select(node)
        if isinstance(node, Load):
            return memory.load(self, node)
        if isinstance(node, Call):
            return self._call(node)
        if isinstance(node, Broadcast):
            return self.broadcast(node.value, self._done[node.value], node.lanes)
        if isinstance(node, Ramp):
            return self._ramp(node)
        if isinstance(node, Let):
            return self._let(node)
        raise CodegenError(f"no machine code for {type(node).__name__}")

    def _single(self, value: Value, type: Type) -> tuple[Value, Type]:
        """bfloat16 computes in float32 and is rounded after each operation."""
        if type.code != "bfloat":
            return value, type
        single = F32.with_lanes(type.lanes)
        return convert(self.function, value, type, single), single

    def _rounded(self, value: Value, computed: Type, type: Type) -> Value:
        return convert(self.function, value, computed, type) if type.code == "bfloat" else value

    def _binary(self, node: ir.Binary) -> Value:
        a, computed = self._single(self._done[node.a], node.a.type)
        b, _ = self._single(self._done[node.b], node.b.type)
        result = BINARY[type(node)](self.function, computed, a, b, node.b)
        return self._rounded(result, computed, node.type)

    def _unary(self, node: ir.Unary) -> Value:
        value, computed = self._single(self._done[node.value], node.value.type)
        result = UNARY[type(node)](self.function, computed, value)
        return self._rounded(result, computed, node.type)

    def _call(self, node: Call) -> Value:
        if node.name in LANE_OPERATIONS:
            return operation_on_lanes(self, node)
        if node.name == "strict_float":
            return self._strict(node.args[0])
        own = self.function.module.own_calls.get(node.name)
        if own is not None:
            return own(self.function, node, [self._done[arg] for arg in node.args])
        if node.name in INSTRUCTIONS:
            return instruction(self.function, node, [self._done[arg] for arg in node.args])
        if node.kind == "effect":
            return effect(self, node)
        if node.kind != "intrinsic":
            raise CodegenError(f"{node.kind} call of {node.name} left in a lowered function")
        if node.name == "reinterpret":
            return same_bits(self.function, self._done[node.args[0]], node.type)
        translation = TRANSLATIONS.get(node.name)
        entry = ir.INTRINSICS[node.name]
        formula = entry.formula(*node.args)
        if formula is not None:
            return self.value(formula)
        if translation is None:
            raise CodegenError(f"no machine code for {node.name} of {node.args[0].type}")
        operands = [self._single(self._done[arg], arg.type) for arg in node.args]
        result = translation(self.function, operands[0][1], [value for value, _ in operands])
        return self._rounded(result, operands[0][1], node.type)

    def _select(self, node: Select) -> Value:
        condition, a, b = (self._done[child] for child in node.children)
        chosen = self.function.emit(a.type, f"select {condition}, {a}, {b}")
        compared, type = node.condition, node.type
        # bfloat16 lies in integer registers, and its comparisons are of other values.
        is_float = type.is_float and type.code != "bfloat"
        if is_float and isinstance(compared, ir.Comparison) and compared.a.type is type:
            return fenced(self.function, type, chosen)
        return chosen

    def broadcast(self, expr: Expr, value: Value, lanes: int) -> Value:
        """`value`, of the scalar type of `expr`, in every lane."""
        type = expr.type.with_lanes(lanes)
        if isinstance(expr, Const):
            return Value(register_type(type), splat(element_type(expr.type), value.text, lanes))
        return splatted(self.function, value, lanes)

    def _ramp(self, node: Ramp) -> Value:
        f, type = self.function, node.type
        base = self.broadcast(node.base, self._done[node.base], node.lanes)
        stride = self.broadcast(node.stride, self._done[node.stride], node.lanes)
        element = element_type(type)
        if type.is_float:
            steps = ", ".join(f"{element} {float(lane)}" for lane in range(node.lanes))
            product = f.emit(base.type, f"fmul {stride}, <{steps}>")
            return f.emit(base.type, f"fadd {base}, {product.text}")
        steps = ", ".join(f"{element} {type.wrap(lane)}" for lane in range(node.lanes))
        product = f.emit(base.type, f"mul {stride}, <{steps}>")
        return f.emit(base.type, f"add {base}, {product.text}")

    def _let(self, node: Let) -> Value:
        bound = BoundVariable(node.value.type, self._done[node.value])
        inner = Expressions(self.function, self.scope.with_variable(node.name, bound), self._mask)
        return inner.value(node.body)

    def _strict(self, expr: Expr) -> Value:
        """`expr` with every float operation in it rounded, whatever the target permits."""
        # What was translated for others may have lost a rounding.
        inner, permitted = self.fresh(self._mask), self.function.contracts_floats
        self.function.contracts_floats = False
        value = inner.value(expr)
        self.function.contracts_floats = permitted
        return value

    def mask(self, predicate: Expr, lanes: int) -> Value:
        """The predicate as a mask of `lanes` lanes."""
        value = self.value(predicate)
        return value if predicate.type.lanes == lanes else splatted(self.function, value, lanes)


def _operands(node: Expr) -> tuple[Expr, ...]:
    """The operands that are evaluated before the node; an address is computed on its own."""
    if isinstance(node, Load) or (isinstance(node, Call) and node.name == "strict_float"):
        return ()
    if isinstance(node, Let):
        return (node.value,)
    return node.children
