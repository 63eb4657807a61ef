"""Integer arithmetic runs in the narrowest type that holds every value it can take.

C++ promotes bytes to int; vector units do bytes and 16-bit words two to four times as fast.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .. import ir
from ..ir import (
    I8,
    I16,
    I32,
    U8,
    U16,
    U32,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Select,
    Type,
    const,
    intrinsic,
    mirrored,
)  # fmt: skip
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.bounds_of_values import value_range
from ..ir.operators import Range
from ..ir.stmt_transform import children_of, rebuild, walk
from .refinement import refinements

MOST_BRANCHES = 64
"""Branches of an expression's selects whose conditions are made use of: to know all, for operands
that many selects share, would take time exponential in their number."""
LARGE = 200
"""Nodes from which on an expression is rewritten from its operands up, without recursion."""
CANDIDATES = (U8, I8, U16, I16, U32, I32)
_MODULAR = (n.Add, n.Sub, n.Mul, n.BitAnd, n.BitOr, n.BitXor)
_EXACT = (n.Div, n.Mod, n.TruncDiv, n.TruncMod, n.Min, n.Max, n.Shr)


def narrow_arithmetic(stmt: s.Stmt) -> s.Stmt:
    """Every stored value and condition with its integer arithmetic as narrow as is exact.

    Proven by interval arithmetic on the values (a byte from memory is in [0, 255]), and, where a
    cast or a mask keeps the low bits alone, by arithmetic modulo a power of two: sums, products
    and shifts to the left need only the bits that are kept, a shift to the right those and as many
    again as it drops. Indices stay as they are. Leaves expressions with the same value for all
    inputs.

        f[i] = uint8(int32(a[i]) * int32(b[i]) / 255)
        ->  f[i] = uint8(uint16(a[i]) * uint16(b[i]) / 255)

    What is compared with a number that no loop changes is compared with the nearest number of its
    own type, and whether there is a nearer one is settled once for all iterations.

        f[i] = select(level < int32(a[i]), 255, 0)
        ->  f[i] = select(uint8(max(min(level, 255), 0)) < a[i] || level < 0, 255, 0)
    """
    narrowing = Narrowing(changing=_changing(stmt))

    def narrowed(stmt: s.Stmt) -> s.Stmt:
        if isinstance(stmt, s.Store):
            value = narrowing.whole(stmt.value)
            return (
                stmt
                if value is stmt.value
                else s.Store(stmt.buffer, value, stmt.index, stmt.predicate)
            )
        return rebuild(stmt, tuple(map(narrowed, children_of(stmt))), lambda e: e)

    return narrowed(stmt)


def _changing(stmt: s.Stmt) -> frozenset[str]:
    """The variables that loops and lets in a statement have."""
    return frozenset(x.name for x in walk(stmt) if isinstance(x, (s.For, s.LetStmt)))


class Narrowing:
    """Rewrites expressions; keeps ranges and results of shared nodes."""

    def __init__(
        self,
        known: Mapping[Expr, Range] | None = None,
        outer: Narrowing | None = None,
        changing: frozenset[str] | None = None,
    ) -> None:
        """`changing`: the variables that aren't one number for all iterations; all, if None."""
        self.outermost: Narrowing = self if outer is None else outer.outermost
        self.changing: frozenset[str] | None = changing if outer is None else outer.changing
        self.branches_left = MOST_BRANCHES
        self.known: Mapping[Expr, Range] = known or {}
        self.ranges: dict[Expr, Range] = dict(self.known)
        self.done: dict[Expr, Expr] = {}
        self.exactly: dict[tuple[Expr, Type], Expr | None] = {}
        self.branches: dict[tuple[Expr, bool], Narrowing] = {}

    def whole_range(self, e: Expr) -> Range:
        """`range(e)` with as many branches as an expression may have."""
        self.branches_left = MOST_BRANCHES
        return self.range(e)

    def range(self, e: Expr) -> Range:
        """The range of `e` here; the values of a select count only where they are chosen."""
        stack = [e]
        while stack:
            node = stack.pop()
            if node in self.ranges:
                continue
            if isinstance(node, Select) and node.type.is_integer:
                a = self.where(node.condition, True).range(node.a)
                b = self.where(node.condition, False).range(node.b)
                self.ranges[node] = min(a[0], b[0]), max(a[1], b[1])
            else:
                stack.extend(c for c in node.children if c.type.is_integer)
        return value_range(e, self.known, self.ranges)

    def where(self, condition: Expr, holds: bool) -> Narrowing:
        """The narrowing that knows `condition` to be `holds`."""
        key = (condition, holds)
        if key not in self.branches:
            self.outermost.branches_left -= 1
            asks = self.outermost.branches_left >= 0
            more = refinements(condition, holds, self.range) if asks else {}
            self.branches[key] = Narrowing({**self.known, **more}, self) if more else self
        return self.branches[key]

    def _select(self, e: Select, narrow: Callable[[Narrowing, Expr], Expr | None]) -> Expr | None:
        a = narrow(self.where(e.condition, True), e.a)
        b = narrow(self.where(e.condition, False), e.b)
        return None if a is None or b is None else Select(self.expression(e.condition), a, b)

    def whole(self, e: Expr) -> Expr:
        """`expression(e)` for an `e` of any depth."""
        if e not in self.done:
            if self.outermost is self:
                self.branches_left = MOST_BRANCHES
            nodes = list(n.postorder(e))
            if len(nodes) > LARGE:
                for node in nodes:
                    self.expression(node)
        return self.expression(e)

    def expression(self, e: Expr) -> Expr:
        """`e` with the same type and value, narrower inside."""
        found = self.done.get(e)
        if found is None:
            found = self.done[e] = self._rewrite(e)
        return found

    def _rewrite(self, e: Expr) -> Expr:
        if isinstance(e, (Load, n.Ramp, n.Broadcast, n.Let)) or not e.children:
            return e
        if isinstance(e, Cast) and e.type.is_integer and not e.type.is_bool:
            return self._cast(e)
        if isinstance(e, n.Comparison) and e.a.type.is_integer and not e.a.type.is_bool:
            return self._comparison(e)
        if e.type.is_integer and e.type.bits > 8 and not isinstance(e, Cast):
            narrow = self._narrowest(e)
            if narrow is not None:
                return Cast(e.type, narrow)
        if isinstance(e, Select):
            chosen = self._select(e, lambda branch, side: branch.whole(side))
            return e if chosen is None else chosen
        return e.rebuild(tuple(map(self.expression, e.children)))

    def _narrowest(self, e: Expr) -> Expr | None:
        """The value of `e` in the narrowest type below its own that can compute it."""
        for type in CANDIDATES:
            if type.bits >= e.type.bits:
                break
            made = self.exact(e, type)
            if made is not None:
                return made
        return None

    def _cast(self, e: Cast) -> Expr:
        value = e.value
        if not value.type.is_integer or value.type.is_bool:
            return e.rebuild((self.expression(value),))
        saturated = self._saturating(e)
        if saturated is not None:
            return saturated
        if e.type.bits < value.type.bits:
            direct = self.modular(value, e.type)
            if direct is not None:
                return direct
        if isinstance(value, (Load, Const)) or not value.children:
            return e
        made = self._narrowest(value)
        if made is not None:
            return made if made.type is e.type else _converted(made, e.type)
        return e.rebuild((self.expression(value),))

    def _comparison(self, e: n.Comparison) -> Expr:
        for type in CANDIDATES:
            if type.bits > e.a.type.bits or type is e.a.type:
                continue
            a, b = self.exact(e.a, type), self.exact(e.b, type)
            if a is not None and b is not None:
                return type_of(e)(a, b)
        for compare in (e, mirrored(e)):
            if self._is_fixed(compare.b):
                made = self._with_fixed(compare)
                if made is not None:
                    return made
        return e.rebuild((self.expression(e.a), self.expression(e.b)))

    def _is_fixed(self, e: Expr) -> bool:
        """Whether `e` is one number for all iterations, and costs nothing but arithmetic."""
        if self.changing is None or isinstance(e, Const):
            return False
        return all(
            x.name not in self.changing
            if isinstance(x, n.Variable)
            else isinstance(x, (Const, Cast, n.Binary))
            for x in n.postorder(e)
        )

    def _with_fixed(self, e: n.Comparison) -> Expr | None:
        """`e`, whose right side is fixed, in the narrowest type that has every value of its left
        side; None where there is none.

        The number is taken to the nearest one of that type. For a number beyond it, a value at that
        end would be taken for equal: there the answer is the same for all values.
        """
        number = e.b
        for type in CANDIDATES:
            if type.bits >= number.type.bits:
                break
            value = self.exact(e.a, type)
            if value is None or not number.type.contains(type.min):
                continue
            low, high = (const(bound, number.type) for bound in (type.min, type.max))
            near = Cast(type, n.Max(n.Min(number, high), low))
            below, above = n.LT(number, low), n.LT(high, number)
            match e:
                case n.LT():
                    return n.Or(n.LT(value, near), above)
                case n.GT():
                    return n.Or(n.GT(value, near), below)
                case n.LE():
                    return n.And(n.LE(value, near), n.Not(below))
                case n.GE():
                    return n.And(n.GE(value, near), n.Not(above))
                case n.NE():
                    return n.Or(n.NE(value, near), n.Or(below, above))
                case n.EQ():
                    return n.And(n.EQ(value, near), n.Not(n.Or(below, above)))
        return None

    def _saturating(self, e: Cast) -> Expr | None:
        """`u8(min(a + b, 255))` and `u8(max(a - b, 0))` of bytes, and the same of 16-bit words."""
        type = e.type
        if type not in (U8, U16):
            return None
        match e.value:
            case n.Min(a=n.Add(a=a, b=b), b=Const(value=limit)) if limit == type.max:
                name = "saturating_add"
            case n.Max(a=n.Sub(a=a, b=b), b=Const(value=limit)) if limit == 0:
                name = "saturating_sub"
            case _:
                return None
        if e.value.type.bits <= type.bits:
            return None
        sides = [self.exact(x, type) for x in (a, b)]
        if sides[0] is None or sides[1] is None:
            return None
        return intrinsic(name, sides[0], sides[1])

    def exact(self, e: Expr, type: Type) -> Expr | None:
        """An expression of `type` with the very number that `e` is; None where there is none."""
        key = (e, type)
        if key not in self.exactly:
            self.exactly[key] = None
            self.exactly[key] = self._exact(e, type)
        return self.exactly[key]

    def _exact(self, e: Expr, type: Type) -> Expr | None:
        if e.type is type:
            return self.expression(e)
        if not e.type.is_integer or e.type.is_bool:
            return None
        low, high = self.range(e)
        if not (type.contains(low) and type.contains(high)):
            return None
        if isinstance(e, Const):
            return const(int(e.value), type)
        if isinstance(e, Cast):
            return self._exact_cast(e, type)
        if e.type.bits < type.bits:
            # Its own arithmetic wraps where it is: only its result may be widened.
            return Cast(type, self.expression(e))
        if isinstance(e, _MODULAR):
            return self._exact_modular(e, type)
        if isinstance(e, n.Shl):
            return self._shift_left(e, type, exactly=True)
        if isinstance(e, _EXACT):
            a, b = self.exact(e.a, type), self.exact(e.b, type)
            if a is None or b is None:
                return None
            if isinstance(e, n.Shr) and not self._shift_fits(e, type):
                return None
            return type_of(e)(a, b)
        if isinstance(e, Select):
            return self._select(e, lambda branch, side: branch.exact(side, type))
        if isinstance(e, Call) and e.kind == "intrinsic":
            return self._exact_intrinsic(e, type)
        if isinstance(e, Load) and e.type.bits <= type.bits:
            return Cast(type, e)
        return None

    def _exact_cast(self, e: Cast, type: Type) -> Expr | None:
        inner = e.value
        if inner.type.is_bool:
            return Cast(type, self.expression(inner))
        if not inner.type.is_integer:
            return None
        low, high = self.range(inner)
        if not (e.type.contains(low) and e.type.contains(high)):
            # The cast wraps: the wrapped value is what counts.
            own = self.expression(e)
            return _converted(own, type) if own.type.bits <= type.bits else None
        if inner.type.bits <= type.bits and not inner.children:
            return _converted(inner, type)
        made = self.exact(inner, type)
        if made is None and inner.type.bits <= type.bits:
            made = _converted(self.expression(inner), type)
        return made

    def _exact_modular(self, e: n.Binary, type: Type) -> Expr | None:
        """Sums and products are right modulo 2**bits, so it is enough that the result fits."""
        a, b = self.modular(e.a, type), self.modular(e.b, type)
        return None if a is None or b is None else type_of(e)(a, b)

    def _shift_fits(self, e: n.Binary, type: Type) -> bool:
        low, high = self.range(e.b)
        return low >= 0 and high < type.bits

    def _shift_left(self, e: n.Binary, type: Type, exactly: bool) -> Expr | None:
        if not self._shift_fits(e, type):
            return None
        a = self.modular(e.a, type)
        b = self.exact(e.b, type)
        return None if a is None or b is None else n.Shl(a, b)

    def _exact_intrinsic(self, e: Call, type: Type) -> Expr | None:
        if e.name == "abs":
            signed = ir.Int(type.bits)
            inside = self.exact(e.args[0], signed)
            return None if inside is None else _converted(intrinsic("abs", inside), type)
        if e.name == "absd":
            unsigned, signed = ir.UInt(type.bits), ir.Int(type.bits)
            for operands in (unsigned, signed):
                a, b = self.exact(e.args[0], operands), self.exact(e.args[1], operands)
                if a is not None and b is not None:
                    return _converted(intrinsic("absd", a, b), type)
        return None

    def modular(self, e: Expr, type: Type) -> Expr | None:
        """An expression of `type` equal to `e` modulo 2**bits; None where it would be no gain."""
        if e.type is type:
            return self.expression(e)
        exact = self.exact(e, type)
        if exact is not None:
            return exact
        if not e.type.is_integer or e.type.is_bool or e.type.bits < type.bits:
            return None
        if isinstance(e, Const):
            return const(type.wrap(int(e.value)), type)
        if isinstance(e, n.Variable):
            # A number that a vector's lanes share, or a coordinate: narrowing it costs nothing.
            return Cast(type, e)
        if isinstance(e, _MODULAR):
            return self._exact_modular(e, type)
        if isinstance(e, n.Shr):
            return self._shifted_down(e, type)
        if isinstance(e, n.Neg):
            inside = self.modular(e.value, type)
            return None if inside is None else n.Neg(inside)
        if isinstance(e, n.BitNot):
            inside = self.modular(e.value, type)
            return None if inside is None else n.BitNot(inside)
        if isinstance(e, n.Shl):
            return self._shift_left(e, type, exactly=False)
        if isinstance(e, Select):
            return self._select(e, lambda branch, side: branch.modular(side, type))
        if isinstance(e, Cast) and e.value.type.is_integer and not e.value.type.is_bool:
            inner = e.value
            if e.type.bits >= type.bits and inner.type.bits >= type.bits:
                return self.modular(inner, type) or _converted(self.expression(inner), type)
        return self._narrowed(e, type)

    def _narrowed(self, e: Expr, type: Type) -> Expr | None:
        """The exact value in a type between its own and `type`, converted."""
        narrow = self._narrowest(e)
        if narrow is not None and narrow.type.bits < e.type.bits:
            return _converted(narrow, type)
        return None

    def _shifted_down(self, e: n.Shr, type: Type) -> Expr | None:
        """The low bits of `x >> k`: bits k and up of x, so it is enough to know that many of x.

        Holds for arithmetic shifts, too: the copies of the sign come in above the bits asked for.
        """
        if not isinstance(e.b, Const) or not 0 <= int(e.b.value) < e.type.bits:
            return self._narrowed(e, type)
        shift = int(e.b.value)
        for wide in (U8, U16, U32):
            if type.bits + shift <= wide.bits < e.type.bits:
                inside = self.modular(e.a, wide)
                if inside is not None:
                    return _converted(n.Shr(inside, const(shift, wide)), type)
        return self._narrowed(e, type)


def type_of(e: Expr) -> type[n.Binary]:
    """The operator of a binary node."""
    assert isinstance(e, n.Binary)
    return type(e)


def _converted(e: Expr, type: Type) -> Expr:
    return e if e.type is type else Cast(type, e)
