"""Integer values: expressions of C's `int` with known ranges, so that nothing overflows.

The forms are those of legacy imaging code: fixed point in several formats, divisions by 255 in
their many spellings, clamps, mixes by a weight, conditions, tables, helper functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.fuzz.styles.helpers import CLIP, DIV255, curve, function, macro
from tests.fuzz.styles.scope import Scope

INT = 2**31 - 1
K_LOW, K_HIGH = -100, 1000
"""The values of the parameter `k` that the calls give it."""


@dataclass(frozen=True, slots=True)
class Value:
    """An expression of type int (after promotion) in parentheses where they are needed."""

    text: str
    low: int
    high: int

    @property
    def is_byte(self) -> bool:
        return self.low >= 0 and self.high <= 255

    @property
    def magnitude(self) -> int:
        return max(abs(self.low), abs(self.high))


def number(value: int) -> Value:
    return Value(str(value) if value >= 0 else f"({value})", value, value)


class Values:
    """Expressions over leaves, in one kernel's scope."""

    def __init__(self, scope: Scope, leaves: Sequence[Value]) -> None:
        self.scope = scope
        self.choices = scope.choices
        self.leaves = list(leaves)

    # The grammar

    def value(self, depth: int) -> Value:
        if depth <= 0:
            return self.leaf()
        return self.choices.pick(
            self.arithmetic, self.clamped, self.product, self.mix, self.chosen, self.bits,
            self.fixed, self.cast, self.called, self.looked_up, self.quotient, self.extreme,
        )(depth)  # fmt: skip

    def leaf(self) -> Value:
        at = self.choices.below(len(self.leaves) * 3 + 2)
        if at < len(self.leaves) * 3:
            return self.leaves[at % len(self.leaves)]
        if at == len(self.leaves) * 3:
            return Value(self.scope.scalars["k"], K_LOW, K_HIGH)
        return number(self.choices.pick(128, 255, 1, 3, 16, 100))

    def byte(self, depth: int = 0) -> Value:
        """A value from 0 to 255."""
        own = [v for v in self.leaves if v.is_byte]
        if depth <= 0 and own:
            return self.choices.pick(*own)
        return self.to_byte(self.value(depth))

    def to_byte(self, v: Value) -> Value:
        if v.is_byte:
            return v
        if v.low >= 0 and v.high <= 65535 and self.choices.chance(40):
            return Value(f"({v.text} >> 8)", 0, 255)
        kind = self.choices.below(3)
        if kind == 0:
            return self.clamp(v, 0, 255)
        return Value(f"(uint8_t)({v.text})" if kind == 1 else f"({v.text} & 0xff)", 0, 255)

    def small(self, depth: int, limit: int = 65535) -> Value:
        """A value that may be multiplied and shifted without leaving int."""
        v = self.value(depth)
        return v if v.magnitude <= limit else self.to_byte(v)

    def arithmetic(self, depth: int) -> Value:
        a, b = self.small(depth - 1, 2**20), self.small(depth - 1, 2**20)
        kind = self.choices.below(5)
        if kind == 0:
            return Value(f"({a.text} + {b.text})", a.low + b.low, a.high + b.high)
        if kind == 1:
            return Value(f"({a.text} - {b.text})", a.low - b.high, a.high - b.low)
        if kind == 2:
            return Value(
                f"(({a.text} + {b.text} + 1) >> 1)",
                (a.low + b.low + 1) >> 1,
                (a.high + b.high + 1) >> 1,
            )
        if kind == 3:
            n = self.choices.pick(1, 2, 3, 4)
            return Value(f"({a.text} >> {n})", a.low >> n, a.high >> n)
        top = max(abs(a.high - b.low), abs(b.high - a.low))
        return Value(f"({a.text} > {b.text} ? {a.text} - {b.text} : {b.text} - {a.text})", 0, top)

    def clamp(self, v: Value, low: int, high: int) -> Value:
        t = v.text
        forms = [
            f"({t} < {low} ? {low} : {t} > {high} ? {high} : {t})",
            f"{macro(self.scope, 'CLIP', '(v, a, b) ((v) < (a) ? (a) : (v) > (b) ? (b) : (v))')}"
            f"({t}, {low}, {high})",
            f"{function(self.scope, 'clip', CLIP)}({t}, {low}, {high})",
        ]
        if self.scope.cpp:
            forms += [
                f"std::min({high}, std::max<int>({low}, {t}))",
                f"std::clamp<int>({t}, {low}, {high})",
            ]
        return Value(self.choices.pick(*forms), low, high)

    def clamped(self, depth: int) -> Value:
        return self.clamp(self.value(depth - 1), 0, self.choices.pick(255, 100, 32767))

    def product(self, depth: int) -> Value:
        """a * b / 255 of two bytes, in one of the spellings."""
        a, b = self.byte(depth - 1), self.byte()
        return self.div255(Value(f"{a.text} * {b.text}", 0, 65025))

    def div255(self, x: Value) -> Value:
        """Of a value from 0 to 65025."""
        t = x.text
        idioms = [
            f"({t} / 255)",
            f"(({t} + 127) / 255)",
            f"(int)(((uint32_t)({t}) * 0x8081u) >> 23)",
            f"((({t}) + 1 + (({t}) >> 8)) >> 8)",
            f"((({t}) * 257) >> 16)",
            f"(int)(((uint32_t)({t}) * 65793u + (1u << 23)) >> 24)",
            f"((({t}) + 128 + ((({t}) + 128) >> 8)) >> 8)",
            f"{function(self.scope, 'div255', DIV255)}({t})",
            f"(({t}) >> 8)",
        ]
        return Value(self.choices.pick(*idioms), 0, 255)

    def mix(self, depth: int) -> Value:
        """Two bytes by a third."""
        a, b, m = self.byte(depth - 1), self.byte(), self.byte()
        texts = (a.text, b.text, m.text)
        forms = [
            "(({0} * (255 - {2}) + {1} * {2}) / 255)",
            "(({0} * (256 - {2}) + {1} * {2}) >> 8)",
            "({0} + ((({1} - {0}) * {2}) >> 8))",
            "({0} + ({1} - {0}) * {2} / 255)",
            "(({0} * (255 - {2}) + {1} * {2} + 127) / 255)",
        ]
        return Value(self.choices.pick(*forms).format(*texts), 0, 255)

    def condition(self) -> str:
        a, b = self.leaf(), self.leaf()
        if a.text == b.text:
            b = number(self.choices.pick(128, 0, 255))
        test = f"{a.text} {self.choices.pick('<', '>', '<=', '>=', '==', '!=')} {b.text}"
        if self.choices.chance(15):
            c = self.leaf()
            test = (
                f"{test} {self.choices.pick('&&', '||')} {c.text} {self.choices.pick('<', '!=')} 77"
            )
        return f"!({test})" if self.choices.chance(8) else test

    def chosen(self, depth: int) -> Value:
        a, b = self.value(depth - 1), self.value(depth - 1)
        return Value(
            f"({self.condition()} ? {a.text} : {b.text})", min(a.low, b.low), max(a.high, b.high)
        )

    def bits(self, depth: int) -> Value:
        a, b = self.byte(depth - 1), self.byte()
        kind = self.choices.below(5)
        if kind == 4:
            return Value(f"({a.text} << {self.choices.pick(1, 3, 8)})", 0, 255 << 8)
        forms = ("({0} ^ {1})", "({0} & {1})", "({0} | {1})", "({0} ^ 0xff)")
        return Value(forms[kind].format(a.text, b.text), 0, 255)

    def fixed(self, depth: int) -> Value:
        """Fixed point: 8.8, 1.15 and 16.16, rounded or not."""
        a = self.small(depth - 1)
        kind = self.choices.below(4)
        if kind == 0 and a.magnitude <= 65535:
            top = (a.magnitude * K_HIGH + 128) >> 8
            return Value(f"(({a.text} * {self.scope.scalars['k']} + 0x80) >> 8)", -top - 1, top)
        if kind == 1:
            top = (a.magnitude * 0x6000 + 0x4000) >> 15
            return Value(f"(({a.text} * 0x6000 + 0x4000) >> 15)", -top - 1, top)
        if kind == 2:
            gain = self.choices.pick(0x18000, 0x9999, 0x1147)
            top = (a.magnitude * gain + 0x8000) >> 16
            return Value(f"(int)(((int64_t){a.text} * {gain} + 0x8000) >> 16)", -top - 1, top)
        r, g, b = (self.byte() for _ in range(3))
        return Value(f"((77 * {r.text} + 150 * {g.text} + 29 * {b.text} + 128) >> 8)", 0, 255)

    def cast(self, depth: int) -> Value:
        a = self.value(depth - 1)
        type, low, high = self.choices.pick(
            ("uint8_t", 0, 255), ("int16_t", -32768, 32767), ("uint16_t", 0, 65535),
            ("int8_t", -128, 127),
        )  # fmt: skip
        if low <= a.low and a.high <= high:
            low, high = a.low, a.high
        return Value(f"({type})({a.text})", low, high)

    def quotient(self, depth: int) -> Value:
        a, b = self.byte(depth - 1), self.byte()
        kind = self.choices.below(4)
        if kind == 0:
            n = self.choices.pick(3, 5, 7, 9)
            return Value(f"({a.text} / {n})", 0, 255 // n)
        if kind == 1:
            return Value(f"({b.text} > 0 ? {a.text} * 255 / {b.text} : 255)", 0, 65025)
        if kind == 2:
            return Value(f"({b.text} == 0 ? 0 : {a.text} / {b.text})", 0, 255)
        return Value(f"({a.text} % {self.choices.pick(3, 16, 10)})", 0, 15)

    def extreme(self, depth: int) -> Value:
        a, b = self.value(depth - 1), self.value(depth - 1)
        word = self.choices.pick("min", "max")
        sign = "<" if word == "min" else ">"
        forms = [
            f"({a.text} {sign} {b.text} ? {a.text} : {b.text})",
            f"{macro(self.scope, word.upper() + '2', f'(a, b) ((a) {sign} (b) ? (a) : (b))')}"
            f"({a.text}, {b.text})",
        ]
        if self.scope.cpp:
            forms.append(f"std::{word}<int>({a.text}, {b.text})")
        choose = min if word == "min" else max
        return Value(self.choices.pick(*forms), choose(a.low, b.low), choose(a.high, b.high))

    def called(self, depth: int) -> Value:
        """A pure function of two bytes, in one of C++'s forms; one of them a kernel."""
        a, b = self.byte(depth - 1), self.byte()
        if not self.scope.blend:
            self.scope.blend, text = _blend_function(self.scope)
            self.scope.definitions.append(text)
        return Value(self.scope.blend.format(a=a.text, b=b.text), 0, 255)

    def looked_up(self, depth: int) -> Value:
        return Value(f"{curve(self.scope)}[{self.byte(depth - 1).text}]", 0, 255)


class _PureValues(Values):
    """Values of a helper function: of its own parameters alone."""

    def leaf(self) -> Value:
        return self.choices.pick(*self.leaves)

    def called(self, depth: int) -> Value:
        return self.arithmetic(depth)

    def looked_up(self, depth: int) -> Value:
        return self.product(depth)

    def fixed(self, depth: int) -> Value:
        return self.mix(depth)


def _blend_function(scope: Scope) -> tuple[str, str]:
    """The call, with {a} and {b} for the arguments, and the definition."""
    own = scope.own("blend").lower()
    inner = _PureValues(scope, [Value("a", 0, 255), Value("b", 0, 255)])
    result, other = (inner.to_byte(inner.value(1)).text for _ in range(2))
    body = "\n{\n" + scope.choices.pick(
        f"    return {result};\n}}\n",
        f"    if (a == 0) return b;\n    if (a > b) return {result};\n    return {other};\n}}\n",
        f"    int t = {result};\n    if (t < 10) t = {other};\n    return t;\n}}\n",
        f"    int t = a - b;\n    if (t < 0) {{ t = {result}; }} else t >>= 1;\n"
        "    return t;\n}\n",
    )
    forms = [
        (f"{own}({{a}}, {{b}})", f"static inline int {own}(int a, int b){body}"),
        (f"{own}({{a}}, {{b}})", f"static uint8_t {own}(uint8_t a, uint8_t b){body}"),
    ]
    if scope.cpp:
        other_one = "{ static int of(int a, int b) { return (a + b) >> N; } };\n"
        forms += [
            (
                f"{own}::apply<int>({{a}}, {{b}})",
                f"struct {own} {{\n    template <class T> static T apply(T a, T b){body}}};\n",
            ),
            (
                f"{own}_space::{own}({{a}}, {{b}})",
                f"namespace {own}_space {{\nconstexpr int {own}(int a, int b){body}}}\n",
            ),
            (  # the overload for int is taken, not the one for float
                f"{own}({{a}}, {{b}})",
                f"static inline float {own}(float a, float b) {{ return a * b; }}\n"
                f"static inline int {own}(int a, int b){body}",
            ),
            (
                f"{own}<1>::of({{a}}, {{b}})",
                f"template <int N> struct {own} {other_one}"
                f"template <> struct {own}<1> {{\n    static int of(int a, int b){body}}};\n",
            ),
            (f"{own}<3>::of({{a}}, {{b}})", f"template <int N> struct {own} {other_one}"),
        ]
    return scope.choices.pick(*forms)
