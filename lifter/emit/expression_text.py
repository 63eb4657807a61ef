"""Expressions as DSL text with no cast that changes nothing.

Every piece of text has, under the DSL's own promotion rules (promotion.py), exactly the type of the
expression that it stands for; a cast is left out only where an operator performs it anyway.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from compiler.ir import (
    BOOL,
    I32,
    Arithmetic,
    Binary,
    BitAnd,
    BitNot,
    BitOr,
    BitXor,
    Call,
    Cast,
    Comparison,
    Const,
    Expr,
    Logical,
    Max,
    Min,
    Not,
    Select,
    Shl,
    Shr,
    Sub,
    TruncDiv,
    TruncMod,
    UInt,
    Variable,
)  # fmt: skip
from compiler.lang.expr import may_be_negative

from .dialect import Dialect
from .inline_reduction import InlineReduction
from .program import UNDEFINED, read_by
from .promotion import arithmetic, bitwise

ATOM = 100
_BITS = (Shl, Shr, BitAnd, BitOr, BitXor)
_REDUCERS = {"add": "sum", "mul": "product", "min": "minimum", "max": "maximum"}


class ExpressionText:
    """Prints tidy expressions in one dialect. `bound` names expressions that have a name by now."""

    def __init__(self, dialect: Dialect, bound: Mapping[Expr, str] | None = None) -> None:
        self.dialect = dialect
        self.bound: dict[Expr, str] = dict(bound or {})

    def value(self, expr: Expr) -> str:
        """`expr` where nothing around it gives it a type: a definition, a named value."""
        return self._typed(expr, 0) if isinstance(expr, Const) else self.text(expr)

    def values(self, exprs: Sequence[Expr]) -> str:
        """What a definition has, or what an update stores: a value, or a tuple."""
        if len(exprs) == 1:
            return self.value(exprs[0])
        return self.dialect.several([*map(self.value, exprs)])

    def index(self, expr: Expr) -> str:
        """An int32 coordinate; narrower integers convert by themselves."""
        if isinstance(expr, Const):
            return str(expr.value)
        if isinstance(expr, Cast) and expr not in self.bound:
            small = expr.value.type
            if small.is_integer and not small.is_bool and small.bits <= 16:
                return self.text(expr.value)
        return self.text(expr)

    def access(self, name: str, point: tuple[Expr, ...]) -> str:
        """`name[x, y]`."""
        opening, closing = self.dialect.brackets
        inner = ", ".join(map(self.index, point))
        if not point and opening == "[":
            inner = "()"
        return f"{name}{opening}{inner}{closing}"

    def text(self, expr: Expr, strength: int = 0) -> str:
        """`expr`, in parentheses when an operator of `strength` around it binds tighter."""
        name = self.bound.get(expr)
        if name is not None:
            return name
        if isinstance(expr, Const):
            return self._literal(expr)
        if isinstance(expr, Variable):
            return expr.name
        if isinstance(expr, Cast):
            return self.dialect.cast(expr.type, self.text(expr.value))
        if isinstance(expr, (Min, Max)):
            return self._extremum(expr)
        if isinstance(expr, (Shl, Shr)):
            return self._shift(expr, strength)
        if isinstance(expr, (TruncDiv, TruncMod)):
            name = "div" if isinstance(expr, TruncDiv) else "mod"
            operands = f"{self.value(expr.a)}, {self.argument(expr.b)}"
            return f"{self.dialect.prefix}{name}_round_to_zero({operands})"
        if isinstance(expr, (Arithmetic, Comparison, BitAnd, BitOr, BitXor, Logical)):
            return self._infix(expr, strength)
        if isinstance(expr, BitNot):
            return self._prefix("~", expr.value, strength)
        if isinstance(expr, Not):
            return self.dialect.negation(self.text(expr.value, self.dialect.unary))
        if isinstance(expr, Select):
            return self._select(expr)
        if isinstance(expr, Call):
            return self._call(expr)
        if isinstance(expr, InlineReduction):
            body = self.value(expr.body)
            return f"{self.dialect.prefix}{_REDUCERS[expr.operator]}({expr.domain}, {body})"
        raise AssertionError(f"{type(expr).__name__} has no form in the DSL")

    def _typed(self, value: Const, strength: int = 0) -> str:
        """A constant that carries its own type."""
        return self.dialect.constant(value)

    def _literal(self, value: Const) -> str:
        """A constant beside an operand of its type."""
        plain, exact = self.dialect.number(value)
        return plain if exact and value.type is not BOOL else self._typed(value)

    def argument(self, expr: Expr) -> str:
        """An argument of a function that converts plain numbers to int32 or float32."""
        if isinstance(expr, Const) and not (
            expr.type is I32 or (expr.type.is_float and expr.type.bits == 32)
        ):
            return self._typed(expr)
        return self.text(expr)

    def _bare(self, expr: Expr) -> Expr | None:
        """What stands under a cast that an operator might perform by itself."""
        if isinstance(expr, Cast) and expr not in self.bound and not expr.value.type.is_bool:
            return expr.value
        return None

    def _operands(self, node: Binary) -> tuple[Expr, Expr]:
        """The operands with as few casts as give them the same common type."""
        a, b = node.a, node.b
        if isinstance(a, Const) or isinstance(b, Const):
            return a, b
        bare_a, bare_b = self._bare(a), self._bare(b)
        for left, right in ((bare_a, bare_b), (a, bare_b), (bare_a, b)):
            if left is not None and right is not None:
                rule = bitwise if isinstance(node, (BitAnd, BitOr, BitXor)) else arithmetic
                if rule(left.type, right.type) is a.type:
                    return left, right
        return a, b

    def _infix(self, node: Binary, strength: int) -> str:
        symbol, own = self.dialect.infix[type(node)]
        a, b = self._operands(node)
        if isinstance(node, Sub) and isinstance(a, Const) and a.value == 0 and a.type.is_integer:
            return self._prefix("-", b, strength)
        if isinstance(a, Const) and (isinstance(b, Const) or isinstance(node, Comparison)):
            left = self._typed(a)
        else:
            left = self._operand(node, a, own + 1 if isinstance(node, Comparison) else own)
        text = f"{left} {symbol} {self._operand(node, b, own + 1)}"
        return f"({text})" if own < strength else text

    def _operand(self, node: Binary, operand: Expr, strength: int) -> str:
        """An operand in parentheses where it needs them, or where readers would look it up: they
        know `*` before `+`, not `+` before `>>`."""
        unusual = isinstance(node, _BITS) or isinstance(operand, _BITS)
        if unusual and type(node) is not type(operand):
            strength = max(strength, self.dialect.unary)
        return self.text(operand, strength)

    def _prefix(self, symbol: str, operand: Expr, strength: int) -> str:
        inner = self.value(operand) if isinstance(operand, Const) else None
        text = symbol + (inner or self.text(operand, self.dialect.unary))
        return f"({text})" if self.dialect.unary < strength else text

    def _shift(self, node: Shl | Shr, strength: int) -> str:
        symbol, own = self.dialect.infix[type(node)]
        bare = self._bare(node.b)
        amount = node.b
        if bare is not None and bare.type.is_integer and bare.type.bits <= node.type.bits:
            amount = bare
        left = (
            self._typed(node.a) if isinstance(node.a, Const) else self._operand(node, node.a, own)
        )
        by = self._operand(node, amount, own + 1)
        if self.dialect.shifts_back and not isinstance(amount, Const) and may_be_negative(amount):
            # In C++ a negative amount is undefined; the DSL would have code for it.
            by = self.dialect.cast(UInt(amount.type.bits), self.text(amount))
        text = f"{left} {symbol} {by}"
        return f"({text})" if own < strength else text

    def _extremum(self, node: Min | Max) -> str:
        prefix = self.dialect.prefix
        inner = node.a
        if isinstance(node, Max) and isinstance(inner, Min) and inner not in self.bound:
            low, high = node.b, inner.b
            if isinstance(low, Const) and isinstance(high, Const):
                value = self.value(inner.a)
                return f"{prefix}clamp({value}, {self._literal(low)}, {self._literal(high)})"
        name = f"{prefix}{type(node).__name__.lower()}"
        chain: list[Expr] = [node.a]
        rest = node.b
        while isinstance(rest, type(node)) and rest not in self.bound:
            chain.append(rest.a)
            rest = rest.b
        if len(chain) > 1:
            return f"{name}({', '.join(map(self.argument, [*chain, rest]))})"
        a, b = self._operands(node)
        both = isinstance(a, Const) and isinstance(b, Const)
        left = self.value(a) if both else self.argument(a)
        return f"{name}({left}, {self.argument(b)})"

    def _select(self, node: Select) -> str:
        parts: list[str] = []
        while True:
            parts.append(self.text(node.condition))
            rest = node.b
            if isinstance(rest, Select) and rest not in self.bound:
                parts.append(self._arm(node.a))
                node = rest
                continue
            # A plain number takes the type of the other value: one of the last two must have one.
            typed = isinstance(node.a, Const) and isinstance(rest, Const)
            needs_type = typed and node.type is not I32
            parts.append(self._typed(node.a) if needs_type else self._arm(node.a))  # type: ignore[arg-type]
            # A signed one takes it even where it has a type of its own, so then both are typed.
            parts.append(self._typed(rest) if needs_type and node.type.is_int else self._arm(rest))  # type: ignore[arg-type]
            return f"{self.dialect.prefix}select({', '.join(parts)})"

    def _arm(self, expr: Expr) -> str:
        """A value of a select beside one of its type: float64 constants aren't converted."""
        if isinstance(expr, Const) and expr.type.is_float and expr.type.bits != 32:
            return self._typed(expr)
        return self.text(expr)

    def _call(self, node: Call) -> str:
        if node.kind == "image":
            return self.access(node.name, node.args)
        if node.kind == "func":
            name, number = read_by(node.name)
            return self.access(name, node.args) + (f"[{number}]" if number else "")
        if node.kind == "pure":
            name = self.dialect.function(node.name)
            return f"{name}({', '.join(map(self.value, node.args))})"
        if node.name == UNDEFINED:
            return self.dialect.undefined(node.type)
        if node.name == "reinterpret":
            return self.dialect.same_bits(node.type, self.text(node.args[0]))
        arguments = [self.argument(a) for a in node.args]
        if all(isinstance(a, Const) for a in node.args):
            arguments[0] = self.value(node.args[0])
        return f"{self.dialect.prefix}{node.name}({', '.join(arguments)})"


def operations(expr: Expr) -> int:
    """How many operators a reader sees in `expr`, those in coordinates aside."""
    seen: dict[Expr, int] = {}

    def count(node: Expr) -> int:
        if node not in seen:
            if isinstance(node, Call) and node.kind in ("image", "func"):
                seen[node] = 0
            else:
                plain = isinstance(node, (Const, Variable, Cast))
                seen[node] = (0 if plain else 1) + sum(map(count, node.children))
        return seen[node]

    return count(expr)
