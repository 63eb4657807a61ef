"""Bits shifted into a byte that is stored every eighth iteration: bitmaps of thresholds, planes and
dithers, of one, two and four bits a pixel, with and without a last byte that is filled in part."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from compiler.ir import (
    EQ,
    I32,
    LT,
    U8,
    U32,
    Add,
    BitAnd,
    BitOr,
    Cast,
    Expr,
    Load,
    Shl,
    Shr,
    TruncMod,
    Variable,
    const,
)
from lifter.model.diagnostic import Span
from lifter.model.kernel import Assign, Declare, If, Stmt, Store, WhileLoop, statements
from lifter.parse.strips import with_strips
from tests.verify.differential import difference, lifted

HEAD = "void f(u8 *d, const u8 *s, int n, int k)"
WHOLE = {
    "bits": "unsigned acc = 0; for (int x = 0; x < n; x++) { acc = acc << 1 | s[x] >> 7;"
    " if ((x & 7) == 7) { *d++ = (u8)acc; acc = 0; } }",
    "by the place": "u8 acc = 0; for (int x = 0; x < n; x++) { acc <<= 1; if (s[x] < k) acc |= 1;"
    " if (x % 8 == 7) { d[x >> 3] = acc; acc = 0; } }",
    "inverted": "unsigned acc = 0; for (int x = 0; x < n; x++) { acc = acc << 1 | !s[x];"
    " if (((x + 1) & 7) == 0) { d[x / 8] = (u8)acc; acc = 0; } }",
    "pairs": "u8 acc = 0; for (int x = 0; x < n; x++) { acc = acc << 2 | s[x] >> 6;"
    " if ((x & 3) == 3) { *d++ = acc; acc = 0; } }",
    "nibbles, one left": "u8 acc = 0; for (int x = 0; x < n; x++) { acc = acc << 4 | (s[x] & 15);"
    " if (x & 1) { *d++ = acc; acc = 0; } } if (n & 1) *d = acc << 4;",
}
LEFT = {
    "some bits left": "unsigned acc = 0; for (int x = 0; x < n; x++) { acc = acc << 1 | s[x] >> 7;"
    " if ((x & 7) == 7) { *d++ = (u8)acc; acc = 0; } } if (n & 7) *d = acc << (8 - (n & 7));",
    "least bit first": "u8 acc = 0; for (int x = 0; x < n; x++) { acc |= (s[x] > 99) << (x & 7);"
    " if ((x & 7) == 7) { d[x >> 3] = acc; acc = 0; } } if (n & 7) d[n >> 3] = acc;",
    "the counter is read": "unsigned acc = 0; int x; for (x = 0; x < n; x++) {"
    " acc = acc << 1 | s[x] >> 7; if ((x & 7) == 7) { *d++ = (u8)acc; acc = 0; } } *d = acc + x;",
    "what is left isn't 0": "unsigned acc = 1; for (int x = 0; x < n; x++) {"
    " acc = acc << 1 | s[x] >> 7; if ((x & 7) == 7) { *d++ = (u8)acc; acc >>= 4; } }",
}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("body", WHOLE.values(), ids=WHOLE)
def test_bits_that_are_shifted_into_bytes_are_proved(body: str) -> None:
    result = lifted(f"{HEAD} {{ {body} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.slow
@pytest.mark.parametrize("body", LEFT.values(), ids=LEFT)
def test_what_is_left_of_the_last_strip_is_proved(body: str) -> None:
    result = lifted(f"{HEAD} {{ {body} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result, 64) is None


@pytest.mark.slow
@pytest.mark.parametrize("old, new", [
    ("int x = 0", "int x = 1"), ("x++", "x += 3"), ("(x & 7) == 7", "(x & 7) == k"),
    ("x < n", "x <= n"), ("(x & 7)", "((x + k) & 7)"), ("(u8)acc", "(u8)(acc + x)"),
])  # fmt: skip
def test_what_is_close_to_it_is_proved_to_be_what_it_is_or_not_at_all(old: str, new: str) -> None:
    result = lifted(f"{HEAD} {{ {WHOLE['bits'].replace(old, new)} }}")
    assert result.status != "proved" or difference(result, 64) is None


HERE = Span("loop.cpp", 1, 1, 1, 9)
X, N, ACC, AT = Variable("x", I32), Variable("n", I32), Variable("acc", U32), Variable("at", I32)


def number(value: int) -> Expr:
    return const(value, I32)


@dataclass(frozen=True)
class Loop:
    """A loop that packs `shifted` bits a pixel, and stores where `test` holds."""

    test: Expr
    start: int = 0
    step: int = 1
    end: Expr = N
    inside: tuple[Stmt, ...] = ()

    def made(self) -> tuple[Stmt, ...]:
        bit = Cast(U32, Shr(Cast(I32, Load("s", (X,), U8)), number(7)))
        flush = (
            Store(HERE, "d", (AT,), Cast(U8, ACC)),
            Assign(HERE, "at", Add(AT, number(1))),
            Assign(HERE, "acc", const(0, U32)),
        )
        body = (
            Assign(HERE, "acc", BitOr(Shl(ACC, const(1, U32)), bit)),
            If(HERE, self.test, flush),
            *self.inside,
        )
        step = (Assign(HERE, "x", Add(X, number(self.step))),)
        begin = Assign(HERE, "x", number(self.start))
        return begin, WhileLoop(HERE, LT(X, self.end), body, step)


SEVENTH = EQ(BitAnd(X, number(7)), number(7))


def test_a_strip_has_its_iterations_in_their_order_and_one_store() -> None:
    _, declared, at_zero, strips, *left = with_strips(Loop(SEVENTH).made(), lambda _: "i")
    assert isinstance(declared, Declare) and isinstance(at_zero, Assign)
    assert isinstance(strips, WhileLoop)
    loads = [
        n
        for s in strips.body
        if isinstance(s, Assign)
        for n in (s.value.children[1:] if s.name == "acc" else ())
    ]
    assert sum(isinstance(s, Store) for s in strips.body) == 1
    assert len(loads) == 8 and len(set(loads)) == 8
    *turns, last = left
    assert len(turns) == 7 and all(isinstance(t, If) and len(t.then) == 1 for t in turns)
    assert not any(isinstance(s, Store) for s in statements(tuple(left)))
    assert isinstance(last, Assign) and last.name == "x"


@pytest.mark.parametrize(
    "loop",
    [
        Loop(SEVENTH, start=1),
        Loop(SEVENTH, step=2),
        Loop(SEVENTH, end=Cast(I32, Load("d", (N,), U8))),
        Loop(SEVENTH, end=AT),
        Loop(SEVENTH, inside=(Assign(HERE, "x", Add(X, number(1))),)),
        Loop(EQ(TruncMod(X, number(7)), number(6))),
        Loop(EQ(BitAnd(N, number(7)), number(7))),
        Loop(EQ(BitAnd(Add(X, N), number(7)), number(7))),
    ],
    ids=range(8),
)
def test_other_loops_stay_as_they_are(loop: Loop) -> None:
    assert with_strips(loop.made(), lambda name: name) == loop.made()
