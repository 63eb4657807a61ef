"""Pixels of a few bits apart from their bytes: which loops are taken apart, and what g++ does."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lifter.model.kernel import Kernel
from lifter.parse import parse_file
from lifter.verify.cases import cases, run_case
from tests.end_to_end.original import compile_original, may_be_called

from .parsing import body, kernel, lines

HEAD = "typedef unsigned char u8; void f(u8 *d, const u8 *s, int n, int k) "
LOOP = "{ for (int x = 0; x < n; x++) "
SET = "if (s[x] > k) d[x >> 3] |= 128 >> (x & 7); else d[x >> 3] &= ~(128 >> (x & 7));"


def is_apart(found: Kernel) -> bool:
    """Whether a loop has become two."""
    return "pixels" in found.arrays


def test_pixels_are_computed_and_then_packed() -> None:
    text = "{ for (int x = k; x < n; x++) if (x & 1) d[x >> 1] = (d[x >> 1] & 240) | (s[x] & 15);"
    text += " else d[x >> 1] = (d[x >> 1] & 15) | s[x] << 4; }"
    assert body(HEAD + text) == lines("""
        x = k
        low = int64(k)
        high = int64(k) + (int64(n) - int64(k))
        allocate pixels
        while (x < n) {
          at = int64(x) - low
          pixels[at] = s[int64(x)] & 15
        step
          x = x + 1
        }
        byte = low >> 1
        end = min((high - 1 >> 1) + 1, (low >> 1) + (high - low))
        while (byte < end) {
          d[byte] = select(low <= byte * 2 && byte * 2 < high, pixels[byte * 2 - low] << 4, \
d[byte] & 240) | select(low <= byte * 2 + 1 && byte * 2 + 1 < high, pixels[byte * 2 + 1 - low], \
d[byte] & 15)
        step
          byte = byte + 1
        }
    """)


OTHER_BYTE = SET.replace("x >>", "y >>").replace("x &", "y &")
WAYS = {
    "a table of masks": "{ static const u8 m[] = {128, 64, 32, 16, 8, 4, 2, 1};"
    " for (int x = 0; x < n; x++) if (s[x]) d[x / 8] |= m[x % 8]; else d[x / 8] &= ~m[x % 8]; }",
    "lowest bit first": LOOP
    + "{ d[x >> 3] &= ~(1 << (x & 7)); d[x >> 3] |= (s[x] & 1) << (x & 7); } }",
    "a byte in a variable": LOOP
    + "{ u8 b = d[x >> 3]; if (s[x] > k) b |= 128 >> (x & 7); else b &= ~(128 >> (x & 7));"
    " d[x >> 3] = b; } }",
    "some are left out": LOOP
    + "if (d[x >> 3] & (128 >> (x & 7)) && s[x] > k) d[x >> 3] ^= 128 >> (x & 7); }",
    "read behind a store in some": LOOP + "{ if (s[x]) d[x >> 3] |= 128 >> (x & 7);"
    " k += d[x >> 3] & (128 >> (x & 7)) ? 1 : 0; } }",
    "turned over": LOOP + "d[x >> 3] ^= 128 >> (x & 7); }",
    "from the right": "{ for (int x = n - 1; x >= 0; x--) " + SET + " }",
    "behind others": LOOP + "{ int y = x + k; " + OTHER_BYTE + " } }",
    "two bits": LOOP
    + "d[x >> 2] = (d[x >> 2] & ~(3 << (2 * (~x & 3)))) | (s[x] >> 6) << (6 - 2 * (x & 3)); }",
    "in place": LOOP
    + "{ int v = d[x >> 3] & (128 >> (x & 7)) ? 1 : 0; if (v == (s[x] & 1)) d[x >> 3] |= 128 >> "
    "(x & 7); else d[x >> 3] &= ~(128 >> (x & 7)); } }",
}


@pytest.mark.parametrize("way", WAYS)
def test_ways_to_store_pixels(way: str) -> None:
    assert is_apart(kernel(HEAD + WAYS[way]))


BY_TWO_MASKS = "if (C) d[x >> 3] |= M; else d[x >> 3] &= ~(M);"
ANYTHING_ELSE = {
    "another pixel is read": "d[x >> 3] = (d[x >> 3] & ~(128 >> (x & 7))) | (d[(x + 1) >> 3] & 1);",
    "others decide": BY_TWO_MASKS.replace("C", "d[x >> 3] > k").replace("M", "128 >> (x & 7)"),
    "a neighbour decides": BY_TWO_MASKS.replace("C", "d[x >> 3] & (64 >> (x & 7))").replace(
        "M", "128 >> (x & 7)"
    ),
    "two bits are stored": BY_TWO_MASKS.replace("C", "s[x]").replace("M", "192 >> (x & 7)"),
    "a bit of another pixel": BY_TWO_MASKS.replace("C", "s[x]").replace("M", "128 >> (x & 6)"),
    "some bytes aren't touched": "if (s[x]) d[x >> 3] |= 128 >> (x & 7);",
    "steps of two": "{ " + SET + " x++; }",
    "it is left": "{ if (s[x] == 9) break; " + SET + " }",
    "the rest is lost": "d[x >> 3] = (s[x] & 1) << (7 - (x & 7));",
    "stored twice": "{ " + SET + " d[0] = 1; }",
    "the byte is kept": "{ k = d[x >> 3]; " + SET + " }",
    "in two orders": "{ if (k) { " + SET + " } else { " + SET.replace("128 >>", "1 <<") + " } }",
}


@pytest.mark.parametrize("way", ANYTHING_ELSE)
def test_loops_that_do_anything_else_stay(way: str) -> None:
    assert not is_apart(kernel(HEAD + LOOP + ANYTHING_ELSE[way] + " }"))


class Writer:
    """Writes functions that store pixels of a few bits, from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def pick(self, *ways: str) -> str:
        return self.random.choice(ways)

    def place(self, bits: int, x: str) -> str:
        """By how many bits the pixel is shifted."""
        most = 8 // bits - 1
        number = self.pick(f"({x} & {most})", f"({most} - ({x} & {most}))")
        return f"{bits} * {number}" if bits > 1 else number

    def stored(self, bits: int, x: str, value: str) -> str:
        shift, mask = {1: 3, 2: 2, 4: 1}[bits], (1 << bits) - 1
        byte, place = f"d[{x} >> {shift}]", self.place(bits, x)
        wrong = self.random.random() < 0.1
        kept = f"{byte} & ~({mask} << ({place}))"
        if wrong:
            kept = self.pick(byte, f"{byte} & ~({mask} << ({self.place(bits, x)}))", "0")
        put = f"(({value}) & {mask}) << ({place})"
        own = f"({byte} >> ({place}) & {mask})"
        put = put.replace("OWN", own)
        ways = [
            f"{byte} = ({kept}) | {put};",
            f"{{ u8 b = {kept}; {byte} = b | {put}; }}",
            f"{{ u8 v = {put}; {byte} &= ~({mask} << ({place})); {byte} |= v; }}",
            f"if (s[{self.pick('i', 'i / 2')}] > k) {byte} = ({kept}) | {put}; "
            f"else {byte} ^= {mask} << ({place});",
            f"if (s[i] > k) {byte} = ({kept}) | {put};",
            f"if (s[i] > k && {own} != 1) {byte} ^= {mask} << ({place});",
            f"{{ int q = {own}; {byte} = ({kept}) | (((q + s[i]) & {mask}) << ({place})); }}",
        ]
        return self.pick(*ways)

    def function(self, name: str) -> str:
        bits = self.random.choice((1, 1, 2, 4))
        start, end = self.pick("0", "j", "3"), self.pick("n", "n - j", "n + 1")
        head = self.pick(
            f"for (i = {start}; i < {end}; i++)", f"for (i = {start}; i <= {end}; ++i)",
            f"for (i = {end} - 1; i >= {start}; i--)", f"for (i = {end}; i > {start}; i--)",
            f"for (i = {start}; i < {end}; i++, p++)",
        )  # fmt: skip
        x = self.pick("i", "i", "(i + j)", "x", "(n - i)")
        value = self.pick("s[i]", "s[i] > k", "1", "i + k", "s[i] ^ OWN", "OWN + 1", "u")
        more = self.pick("", "", "u += s[i]; ", "t[i] = s[i] + u; ", "x++; ", "t[i] = d[0]; ")
        behind = self.pick("", "", "x++;", "u = i;")
        inner = f"{more}{self.stored(bits, x, value)} {behind}"
        return (
            f"int {name}(u8 *d, const u8 *s, u8 *t, int n, int k, int j) {{\n"
            f"if (j < 0 || j > 9) return 0;\n"
            f"int i = 1, x = 2, u = 0; const u8 *p = s;\n{head} {{ {inner} }}\n"
            "t[0] = u + x; t[1] = i; return i;\n}\n"
        )


FUNCTIONS, CASES = 20, 8


@pytest.mark.sampled(every=12)
@pytest.mark.parametrize("seed", range(12))
def test_random_pixels_are_what_gcc_makes_of_them(seed: int, tmp_path: Path) -> None:
    writer = Writer(seed)
    path = tmp_path / "random.cpp"
    path.write_text(
        "typedef unsigned char u8;\n" + "".join(writer.function(f"f{i}") for i in range(FUNCTIONS))
    )
    found = parse_file(path)
    assert not found.failed and len(found.kernels) == FUNCTIONS
    original = compile_original(path, found.kernels)
    called = apart = 0
    for one in found.kernels:
        apart += is_apart(one)
        for case in cases(one, seed, CASES):
            outcome = run_case(one, case)
            if may_be_called(outcome):
                differences = original.differences(one, case, outcome)
                assert not differences, f"{one.source}\n{case}\n{differences[0]}"
                called += is_apart(one)
    assert called >= FUNCTIONS and apart >= FUNCTIONS // 4, (called, apart)
