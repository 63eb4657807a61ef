"""What happens to one pixel: statements over the markers `$d`, `$s` and `$m`.

`$d` is the destination's element, `$s` the source's, `$m` the mask's; `$d[2]` is the third channel
of a pixel. A loop replaces the markers by how it reaches its elements.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tests.fuzz.styles.scope import Scope
from tests.fuzz.styles.values import Value, Values

_RANGES = {
    "uint8_t": (0, 255), "uint16_t": (0, 65535), "int16_t": (-32768, 32767), "int8_t": (-128, 127),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pixel:
    """`elements` are the types that `$d`, `$s` and `$m` have, `channels` how many of them a pixel
    of `$d` and of `$s` has; a mask has one. `memory` is what the arena has of each array."""

    statements: str
    elements: tuple[str, str, str]
    memory: tuple[str, str, str]
    channels: int = 1
    kind: int = 0
    """Which of `KINDS` it is."""

    @property
    def read(self) -> frozenset[str]:
        """The images besides the destination."""
        return frozenset(re.findall(r"\$[sm]", self.statements))

    @property
    def is_one_number(self) -> bool:
        """Whether a pixel is read as a whole: then all that read it read the same elements."""
        return KINDS[self.kind] not in ("interleaved", "structure", "word_bytes")


KINDS = (
    "plane", "plane", "wide_plane", "interleaved", "structure", "argb", "rgb565", "word_bytes",
    "floating", "plane",
)  # fmt: skip


def pixel(scope: Scope, *, can_continue: bool) -> Pixel:
    return _Pixels(scope, can_continue).made(scope.choices.below(len(KINDS)))


def alike(scope: Scope, first: Pixel, *, can_continue: bool) -> Pixel | None:
    """Another one of the same kind over the same types that reads the same, if one is found."""
    for _ in range(8):
        begun, blend = (len(scope.definitions), len(scope.opening)), scope.blend
        other = _Pixels(scope, can_continue).made(first.kind)
        if (other.elements, other.channels, other.read) == (
            first.elements,
            first.channels,
            first.read,
        ):
            return other
        del scope.definitions[begun[0] :], scope.opening[begun[1] :]
        scope.blend = blend
    return None


class _Pixels:
    def __init__(self, scope: Scope, can_continue: bool) -> None:
        self.scope = scope
        self.choices = scope.choices
        self.can_continue = can_continue

    def made(self, kind: int) -> Pixel:
        made: Pixel = getattr(self, KINDS[kind])()
        return replace(made, kind=kind)

    # One number a pixel

    def plane(self) -> Pixel:
        return self._plane(
            "uint8_t", self.choices.pick("uint8_t", "uint8_t", "uint16_t", "int16_t")
        )

    def wide_plane(self) -> Pixel:
        return self._plane(
            self.choices.pick("uint16_t", "int16_t", "uint16_t"),
            self.choices.pick("uint16_t", "int16_t", "uint8_t", "int8_t"),
        )

    def _plane(self, d: str, s: str) -> Pixel:
        types = (d, s, "uint8_t")
        text = self.body("$d", "$s", "$m", types)
        return Pixel(text, types, types)

    def leaves(self, d: str, s: str, m: str, types: tuple[str, str, str]) -> list[Value]:
        made = [Value(s, *_RANGES[types[1]]), Value(d, *_RANGES[types[0]])]
        return [*made, Value(m, *_RANGES[types[2]])] if self.choices.chance(50) else made

    def body(self, d: str, s: str, m: str, types: tuple[str, str, str]) -> str:
        """One of the shapes that a pixel's statements have."""
        values = Values(self.scope, self.leaves(d, s, m, types))
        depth = self.choices.pick(1, 2, 2, 3)
        shape = self.choices.below(8)
        to = types[0]
        if shape == 0:
            return f"{d} = {self.stored(values, values.value(depth), to)};"
        if shape == 1:
            return self._named(values, d, depth, to)
        if shape == 2:
            return self._early_out(values, (d, s, m), types, depth)
        if shape == 3:
            test, then = values.condition(), self.stored(values, values.value(depth), to)
            other = f" else {d} = {self.stored(values, values.value(1), to)};"
            return f"if ({test}) {d} = {then};{other if self.choices.chance(50) else ''}"
        if shape == 4:
            return self._switch(values, d, to)
        if shape == 5:
            return self._out_parameter(values, d, s, to)
        if shape == 6:
            amount = values.byte(1)
            sign = self.choices.pick("+=", "^=", "|=", "&=", "-=")
            return f"{d} {sign} {amount.text};"
        return self._local_array(values, d, depth, to)

    def stored(self, values: Values, v: Value, to: str) -> str:
        """The value as it is stored in a `to`."""
        low, high = _RANGES[to]
        if low <= v.low and v.high <= high:
            return f"({to})({v.text})" if self.choices.chance(50) else v.text
        return values.clamp(v, low, high).text if self.choices.chance(60) else f"({to})({v.text})"

    def _named(self, values: Values, d: str, depth: int, to: str) -> str:
        """Through a variable, which is pinned by ifs, or computed on."""
        kind = self.choices.pick("int", "int", "long", "short")
        v = values.value(depth)
        if kind == "short" and v.magnitude > 32767:
            kind = "int"
        low, high = _RANGES[to]
        after = self.choices.pick(
            f"if (v < {low}) v = {low}; if (v > {high}) v = {high};",
            f"if (v < {low}) v = {low}; else if (v > {high}) v = {high};",
            "if (v & ~0xff) v = v < 0 ? 0 : 255;",
            f"v -= v >> 2; if ({values.condition()}) v = {values.byte(1).text};",
        )
        return f"{{ {kind} v = {v.text}; {after} {d} = ({to})v; }}"

    def _early_out(
        self, values: Values, places: tuple[str, str, str], types: tuple[str, str, str], depth: int
    ) -> str:
        """`if (alpha == 0) continue; if (alpha == 255) {...}`, or the same as an else."""
        (d, s, m), to = places, types[0]
        alpha = Value("a", 0, 255)
        of = m if types[2] == "uint8_t" and self.choices.chance(70) else f"({s} & 0xff)"
        inner = Values(self.scope, [*values.leaves, alpha])
        full = self.stored(values, values.leaf(), to)
        mixed = self.stored(inner, inner.mix(depth), to)
        if self.can_continue:
            second = self.choices.pick(f"if (a == 255) {{ {d} = {full}; continue; }} ", "")
            return f"{{ int a = {of}; if (a == 0) continue; {second}{d} = {mixed}; }}"
        return (
            f"{{ int a = {of}; if (a == 255) {d} = {full}; else if (a != 0) {{ {d} = {mixed}; }} }}"
        )

    def _switch(self, values: Values, d: str, to: str) -> str:
        last = 1 + self.choices.below(3)
        cases = [
            f"case {n}: {d} = {self.stored(values, values.value(1), to)};"
            f"{'' if n < last and self.choices.chance(15) else ' break;'}"
            for n in range(last)
        ]
        rest = self.choices.pick("break;", f"{d} = {self.stored(values, values.value(1), to)};")
        return f"switch ({self.scope.scalars['mode']}) {{ {' '.join(cases)} default: {rest} }}"

    def _out_parameter(self, values: Values, d: str, s: str, to: str) -> str:
        """A helper gives its result through a pointer, or a reference."""
        own = self.scope.own(f"put{len(self.scope.definitions)}")
        inner = Values(self.scope, [Value("a", 0, 255), Value("b", 0, 255)])
        result = inner.to_byte(inner.product(1)).text
        reference = self.scope.cpp and self.choices.chance(50)
        out = "int &out" if reference else "int *out"
        target = "out" if reference else "*out"
        self.scope.definitions.append(
            f"static void {own}(int a, int b, int k, {out})\n{{\n    {target} = {result};\n"
            f"    if ({target} > k) {target} = b;\n}}\n"
        )
        a, b = values.byte(1).text, values.byte().text
        passed = "t" if reference else "&t"
        k = self.scope.scalars["k"]
        return f"{{ int t; {own}({a}, {b}, {k}, {passed}); {d} = ({to})t; }}"

    def _local_array(self, values: Values, d: str, depth: int, to: str) -> str:
        """A small array, filled and summed in the round."""
        parts = [values.small(depth - 1).text for _ in range(3)]
        if self.choices.chance(50):
            filled = f"int t[3] = {{ {', '.join(parts)} }};"
        else:
            filled = "int t[3]; " + " ".join(f"t[{n}] = {p};" for n, p in enumerate(parts))
        combined = self.choices.pick(
            "int u = 0; for (int j = 0; j < 3; j++) u += t[j];",
            "int u = t[0]; for (int j = 1; j < 3; j++) if (t[j] > u) u = t[j];",
            "int u = t[1]; if (t[0] < t[2]) u = t[2];",
        )
        low, high = _RANGES[to]
        return (
            f"{{ {filled} {combined} {d} = ({to})(u < {low} ? {low} : u > {high} ? {high} : u); }}"
        )

    # Several numbers a pixel

    def interleaved(self) -> Pixel:
        """Channels side by side, each by itself or in a loop; alpha is the last one."""
        channels = self.choices.pick(4, 3, 2)
        type = self.choices.pick("uint8_t", "uint8_t", "uint16_t")
        last = channels - 1
        types = (type, type, "uint8_t")
        self_continue, self.can_continue = self.can_continue, False
        kind = self.choices.below(3)
        if kind == 0:
            body = self.body("$d[c]", "$s[c]", "$m", types)
            count = self.choices.pick(channels, last)
            text = f"for (int c = 0; c < {count}; c++) {{ {body} }}"
        elif kind == 1:
            parts = (self.body(f"$d[{c}]", f"$s[{c}]", f"$s[{last}]", (type, type, type))
                     for c in range(min(channels, 3)))  # fmt: skip
            text = " ".join(parts)
        else:
            values = Values(self.scope, [Value("$s[c]", *_RANGES[type]), Value("a", 0, 255)])
            mixed = self.stored(values, values.mix(1), type)
            alpha = f"$s[{last}]" if type == "uint8_t" else f"($s[{last}] >> 8)"
            skip = "if (a == 0) continue; " if self_continue else ""
            text = (
                f"{{ int a = {alpha}; {skip}for (int c = 0; c < {last}; c++) $d[c] = {mixed};"
                f" $d[{last}] = {self.choices.pick('255', f'$s[{last}]')}; }}"
            )
        self.can_continue = self_continue
        return Pixel(text, types, types, channels)

    def structure(self) -> Pixel:
        """A pixel is a structure of four bytes."""
        own = self.scope.own("Rgba")
        methods = " int gray() const { return (r + 2 * g + b) >> 2; }" if self.scope.cpp else ""
        if not self.scope.has(f"struct {own} {{"):
            self.scope.definitions.append(f"struct {own} {{ uint8_t r, g, b, a;{methods} }};\n")
        spelled = own if self.scope.cpp else f"struct {own}"
        types = (spelled, spelled, "uint8_t")
        values = Values(
            self.scope,
            [Value(f"$s.{c}", 0, 255) for c in "rgba"] + [Value(f"$d.{c}", 0, 255) for c in "rg"],
        )
        if self.scope.cpp and self.choices.chance(30):
            values.leaves.append(Value("$s.gray()", 0, 255))
        kept = self.choices.pick("rgb", "rgba", "g", "ra")
        parts = [f"$d.{c} = {self.stored(values, values.value(1), 'uint8_t')};" for c in kept]
        kind = self.choices.below(3)
        if kind == 0:
            text = " ".join(parts)
        elif kind == 1:
            joined = " ".join(parts).replace("$d", "p").replace("$s", "q")
            text = f"{{ {spelled} p = $d; const {spelled} q = $s; {joined} $d = p; }}"
        elif self.can_continue:
            outs = "if ($s.a == 0) continue; if ($s.a == 255) { $d = $s; continue; }"
            text = f"{outs} {' '.join(parts)}"
        else:
            text = f"if ($s.a == 255) $d = $s; else {{ {' '.join(parts)} }}"
        return Pixel(text, types, ("uint8_t", "uint8_t", "uint8_t"))

    def argb(self) -> Pixel:
        """0xAARRGGBB in a word, by shifts and masks."""
        types = ("uint32_t", "uint32_t", "uint8_t")
        kind = self.choices.below(4)
        if kind == 0:
            text = self.choices.pick(
                "$d = (($d & 0xfefefefeu) >> 1) + (($s & 0xfefefefeu) >> 1);",
                "$d = ($d & $s) + ((($d ^ $s) & 0xfefefefeu) >> 1);",
                "$d = ($s & 0xff00ff00u) | (($s & 0xff) << 16) | (($s >> 16) & 0xff);",
                "$d |= 0xff000000u;",
                "$d = $s ^ 0x00ffffffu;",
                "$d = ($d & 0xff000000u) | (($s >> 1) & 0x007f7f7fu);",
                "if (($s & 0xffffffu) != 0x00ff00ffu) $d = $s;",
            )
            return Pixel(text, types, types)
        if kind == 1:
            weight = self.choices.pick("($s >> 24)", "$m")
            text = (
                f"{{ uint32_t q = $s, p = $d; unsigned w = {weight}; unsigned v = 256 - w; "
                "uint32_t rb = ((q & 0xff00ffu) * w + (p & 0xff00ffu) * v) >> 8; "
                "uint32_t ag = ((q >> 8) & 0xff00ffu) * w + ((p >> 8) & 0xff00ffu) * v; "
                "$d = (rb & 0xff00ffu) | (ag & 0xff00ff00u); }"
            )
            if self.can_continue and self.choices.chance(60):
                full = f"if ({weight} == 255) {{ $d = $s; continue; }}"
                text = f"if ({weight} == 0) continue; {full} {text}"
            return Pixel(text, types, types)
        names = {"r": 16, "g": 8, "b": 0}
        taken = "".join(f"int {c}s = ($s >> {n}) & 0xff; " for c, n in names.items())
        taken += "".join(f"int {c}d = ($d >> {n}) & 0xff; " for c, n in names.items())
        values = Values(self.scope, [Value(f"{c}{x}", 0, 255) for c in names for x in "sd"])
        made = [f"int {c} = {values.byte(1).text}; " for c in names]
        alpha = self.choices.pick("($s & 0xff000000u)", "0xff000000u", "($d & 0xff000000u)")
        text = (
            f"{{ {taken}{''.join(made)}"
            f"$d = {alpha} | ((uint32_t)r << 16) | ((uint32_t)g << 8) | (uint32_t)b; }}"
        )
        return Pixel(text, types, types)

    def rgb565(self) -> Pixel:
        """16 bits a pixel, from and to themselves or words."""
        kind = self.choices.below(3)
        if kind == 0:
            text = self.choices.pick(
                "$d = (uint16_t)((($d & 0xf7de) >> 1) + (($s & 0xf7de) >> 1));",
                "$d = (uint16_t)(($s >> 11) | ($s & 0x07e0) | (($s & 31) << 11));",
                "{ uint32_t p = ($d | ((uint32_t)$d << 16)) & 0x07e0f81f; "
                "uint32_t q = ($s | ((uint32_t)$s << 16)) & 0x07e0f81f; "
                "p += ((q - p) * ($m >> 3)) >> 5; p &= 0x07e0f81f; "
                "$d = (uint16_t)(p | (p >> 16)); }",
            )
            types = ("uint16_t", "uint16_t", "uint8_t")
            return Pixel(text, types, types)
        if kind == 1:
            types = ("uint16_t", "uint32_t", "uint8_t")
            text = (
                "$d = (uint16_t)((($s >> 8) & 0xf800) | (($s >> 5) & 0x07e0) "
                "| (($s >> 3) & 0x001f));"
            )
            return Pixel(text, types, types)
        types = ("uint32_t", "uint16_t", "uint8_t")
        text = (
            "{ unsigned c = $s; unsigned r = (c >> 11) & 31, g = (c >> 5) & 63, b = c & 31; "
            "$d = 0xff000000u | (((r << 3) | (r >> 2)) << 16) | (((g << 2) | (g >> 4)) << 8) "
            "| ((b << 3) | (b >> 2)); }"
        )
        return Pixel(text, types, types)

    def word_bytes(self) -> Pixel:
        """Words seen as bytes."""
        types = ("uint32_t", "uint32_t", "uint8_t")
        values = Values(self.scope, [Value(f"q[{n}]", 0, 255) for n in range(4)]
                        + [Value("p[0]", 0, 255), Value("p[2]", 0, 255)])  # fmt: skip
        if self.choices.chance(30):
            return Pixel("((uint8_t *)&$d)[3] = $m;", types, types)
        kept = self.choices.pick((0, 1, 2), (0, 2), (0, 1, 2, 3))
        stores = " ".join(f"p[{n}] = (uint8_t)({values.byte(1).text});" for n in kept)
        text = (
            "{ uint8_t *p = (uint8_t *)&$d; const uint8_t *q = (const uint8_t *)&$s; "
            + stores
            + " }"
        )
        return Pixel(text, types, types)

    # Floats

    def floating(self) -> Pixel:
        d = self.choices.pick("float", "uint8_t", "float", "uint16_t")
        s = self.choices.pick("float", "uint8_t", "float")
        types = (d, s, "uint8_t")
        top = {"float": 1, "uint8_t": 255, "uint16_t": 65535}
        scaled = self.choices.pick("$s / 255.0f", "$s * (1.0f / 255.0f)")
        leaves = ["$s" if s == "float" else scaled]
        leaves.append("$d" if d == "float" else f"$d / {top[d]}.0f")
        if self.choices.chance(40):
            leaves.append("$m / 255.0f")
        v = self._float(leaves, self.choices.pick(1, 2, 2))
        if d == "float":
            text = self.choices.pick(
                f"$d = {v};",
                f"{{ float t = {v}; if (t < 0) t = 0; $d = t; }}",
                f"if ($s > 0.25f) $d = {v};",
            )
            return Pixel(text, types, types)
        scaled = f"t = t * {top[d]}.0f + 0.5f"
        pinned = f"if (!(t > 0)) t = 0; if (t > {top[d]}) t = {top[d]};"
        return Pixel(f"{{ float t = {v}; {scaled}; {pinned} $d = ({d})t; }}", types, types)

    def _float(self, leaves: list[str], depth: int) -> str:
        if depth == 0:
            leaf = self.choices.pick(*leaves, *leaves, self.scope.scalars["gain"], "0.5f")
            return leaf if leaf[0] in "$0g" and " " not in leaf else f"({leaf})"
        a, b = self._float(leaves, depth - 1), self._float(leaves, depth - 1)
        gain = self.scope.scalars["gain"]
        forms = [
            f"({a} * {b})", f"({a} + {b})", f"({a} - {b})", f"({a} + ({b} - {a}) * {gain})",
            f"({a} < {b} ? {a} : {b})", f"(1.0f - (1.0f - {a}) * (1.0f - {b}))",
            f"({a} < 0 ? 0 : {a} > 1 ? 1 : {a})", f"({b} > 0.01f ? {a} / {b} : 1.0f)",
            f"sqrtf({a} < 0 ? 0 : {a})", f"fabsf({a} - {b})",
        ]  # fmt: skip
        if self.scope.cpp:
            forms += [f"std::min<float>({a}, {b})", f"std::max({a} * 1.0f, 0.0f)"]
        return self.choices.pick(*forms)
