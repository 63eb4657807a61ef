"""What all threads of a launch have in common is computed once, and is the same number."""

from __future__ import annotations

import random

import numpy as np
import pytest

import compiler as hl
from compiler.ir import (
    I32,
    Add,
    Div,
    Expr,
    Load,
    Max,
    Min,
    Mod,
    Mul,
    Select,
    Sub,
    Variable,
    const,
    evaluate,
    postorder,
)
from compiler.ir import nodes as n
from compiler.ir import stmts as s
from compiler.lower.numbers_of_host import with_numbers_of_host

from .programs import by_ptx, lowered, on_device

THREAD = Variable("thread.x", I32)
W, H, K = (Variable(name, I32) for name in "whk")
COMMON = Sub(Max(W, H), Min(W, const(16)))


def stored(*places: Expr) -> s.Stmt:
    return s.Block(tuple(s.Store("out", const(1), place) for place in places))


def places(stmt: s.Stmt) -> list[Expr]:
    match stmt:
        case s.Store():
            return [stmt.index]
        case s.Block(stmts):
            return [place for part in stmts for place in places(part)]
        case s.For(body=body) | s.LetStmt(body=body):
            return places(body)
    raise TypeError(stmt)


def numbers(stmt: s.Stmt) -> tuple[list[Expr], dict[str, Expr]]:
    made, found = with_numbers_of_host(stmt, "k")
    return places(made), found


def test_the_largest_part_is_one_number() -> None:
    (place,), found = numbers(stored(Add(THREAD, Mul(THREAD, COMMON))))
    assert found == {"k.number0": COMMON}
    assert place is Add(THREAD, Mul(THREAD, Variable("k.number0", I32)))


def test_one_number_serves_twice_and_constants_stay() -> None:
    both, found = numbers(stored(Add(COMMON, const(7)), Mul(THREAD, Add(COMMON, const(-1)))))
    assert list(found.values()) == [COMMON]
    assert both[0] is Add(Variable("k.number0", I32), const(7))


def test_what_a_number_is_a_multiple_of_stays_known() -> None:
    rows = Mul(Add(Div(W, const(4)), H), const(4))
    (place,), found = numbers(stored(Add(rows, THREAD)))
    assert place is Add(Mul(Variable("k.number0", I32), const(4)), THREAD)
    (value,) = found.values()
    assert evaluate(value, {"w": 21, "h": 3}) == 21 // 4 + 3


@pytest.mark.parametrize(
    "place",
    (W, Add(W, H), Mul(W, const(4)), Mul(Add(W, H), const(4)), Add(THREAD, Add(W, const(2))),
     Mul(Add(THREAD, W), H), Add(Mul(W, Load("a", (W,), I32)), Load("a", (const(0),), I32))),
)  # fmt: skip
def test_what_is_short_or_differs_is_left(place: Expr) -> None:
    assert numbers(stored(place)) == ([place], {})


def test_a_name_is_what_it_is_where_it_stands() -> None:
    """`k` is the same in all threads in the first let, and another one in each iteration."""
    use = Add(Mul(K, K), Max(K, W))
    let = s.LetStmt("k", COMMON, stored(use))
    loop = s.For("k", const(0), H, "serial", stored(use))
    of_thread = s.LetStmt("k", Add(THREAD, W), stored(use))
    (first, second, third), found = numbers(s.Block((let, loop, of_thread)))
    assert second is third is use
    assert isinstance(first, Variable)
    assert found[first.name] is Add(Mul(COMMON, COMMON), Max(COMMON, W))


def expression(pick: random.Random, depth: int) -> Expr:
    if depth == 0 or pick.random() < 0.1:
        leaf: Expr = pick.choice((THREAD, W, H, K, const(pick.randint(-9, 9)), const(4), const(8)))
        return leaf
    kind = pick.choice((Add, Sub, Mul, Min, Max, Div, Mod, Add, Sub, Select))
    a, b = (expression(pick, depth - 1) for _ in range(2))
    if kind is Select:
        return Select(n.LT(a, b), a, expression(pick, depth - 1))
    made: Expr = kind(a, b)  # type: ignore[operator]
    return made


def test_numbers_are_what_threads_would_compute() -> None:
    pick, count = random.Random(3), 0
    for _ in range(400):
        place = expression(pick, 5)
        (made,), found = numbers(stored(place))
        count += len(found)
        for thread in (0, 5):
            values = {name: pick.randint(-40, 40) for name in "whk"} | {"thread.x": thread}
            given = {name: evaluate(value, values) for name, value in found.items()}
            assert evaluate(made, {**values, **given}) == evaluate(place, values)
            assert all(x is not THREAD for v in found.values() for x in postorder(v))
    assert count > 300


def test_kernels_between_stages_have_their_sizes_as_numbers() -> None:
    """Rows of a stage in front of another one are as long as many numbers say together."""
    x, y, xi, yi = hl.vars("x y xi yi")
    a = hl.ImageParam(hl.UInt(8), 2, "a")
    f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x, y] = hl.u16(a[hl.clamp(x, 0, a.width() - 1), hl.clamp(y, 0, a.height() - 1)])
    g[x, y] = f[x / 2, y / 2] + f[x / 2 + 3, y]
    h[x, y] = g[x, y] + f[x, y + 1]
    for stage in (f, g, h):
        stage.compute_root().gpu_tile(x, y, xi, yi, 8, 4, hl.TailStrategy.GuardWithIf)
    fn = lowered(h)
    assert any(".number" in p.name for kernel in fn.kernels for p in kernel.parameters)
    data = np.random.default_rng(0).integers(0, 256, (7, 9), np.uint8)

    def there(x: np.ndarray, y: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
        return data[np.clip(y, 0, 6), np.clip(x, 0, 8)].astype(np.uint16)

    py, px = np.mgrid[0:6, 0:11]
    expected = there(px // 2, py // 2) + there(px // 2 + 3, py) + there(px, py + 1)
    output = fn.args[-1].name
    for launcher in (None, by_ptx(fn)):
        made, _ = on_device(fn, {"a": data}, {output: (11, 6)}, launcher)
        np.testing.assert_array_equal(made[output], expected)


def test_rows_of_a_block_are_as_long_as_a_constant_says() -> None:
    """Where a stage ends at the image's border its rows differ in length, and not in distance."""
    x, y, xi, yi = hl.vars("x y xi yi")
    f, g = hl.Func("f"), hl.Func("g")
    f[x, y] = x + 3 * y
    g[x, y] = f[hl.max(x - 1, 0), y] + f[hl.min(x + 1, 12), hl.max(y - 1, 0)]
    g.gpu_tile(x, y, xi, yi, 8, 4, hl.TailStrategy.GuardWithIf)
    f.compute_at(g, x).gpu_threads(x, y)
    fn = lowered(g)
    py, px = np.mgrid[0:6, 0:13]
    expected = np.maximum(px - 1, 0) + 3 * py + np.minimum(px + 1, 12) + 3 * np.maximum(py - 1, 0)
    output = fn.args[-1].name
    for launcher in (None, by_ptx(fn)):
        made, _ = on_device(fn, {}, {output: (13, 6)}, launcher)
        np.testing.assert_array_equal(made[output], expected)
