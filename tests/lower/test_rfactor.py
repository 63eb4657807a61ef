"""`rfactor`: the same values from a reduction in two stages, for operations that permit it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import halide
import numpy as np
import pytest

import compiler
from compiler.ir import I32, Add, Call, Const, Expr, Mul, Sub, const, evaluate
from compiler.lang.associativity import associative_operation

from .both_packages import Program, assert_same, assert_same_refusal


def a_histogram_by_rows(hl: Any, i: SimpleNamespace) -> Any:
    f, r = hl.Func("f"), hl.RDom([(0, 8), (0, 8)])
    f[i.x] = 0
    f[hl.i32(i.a[r.x, r.y]) % 4] += 1
    g = f.update().rfactor(r.y, i.u)
    g.compute_root().update().parallel(i.u)
    return f.realize([4])


def lanes_of_a_split_sum(hl: Any, i: SimpleNamespace) -> Any:
    f, r = hl.Func("f"), hl.RDom([(0, 60)])
    f[()] = 0
    f[()] += hl.i32(i.a[r % 8, r / 8])
    outer, inner = hl.RVar("outer"), hl.RVar("inner")
    f.update().split(r.x, outer, inner, 8)
    g = f.update().rfactor(inner, i.u)
    g.compute_root().vectorize(i.u).update().vectorize(i.u)
    return f.realize()


def where_the_largest_is(hl: Any, i: SimpleNamespace) -> Any:
    f, r = hl.Func("f"), hl.RDom([(0, 8), (0, 8)])
    value = hl.i32(i.a[r.x, r.y])
    f[i.x] = hl.Tuple([0, 0])
    chosen = hl.select(f[i.x][0] > value, f[i.x][1], r.y * 8 + r.x)
    f[i.x] = hl.Tuple([hl.max(f[i.x][0], value), chosen])
    f.update().rfactor([(r.y, i.u)]).compute_root()
    return f.realize([2])


def a_complex_product(hl: Any, i: SimpleNamespace) -> Any:
    f, r = hl.Func("f"), hl.RDom([(0, 8), (0, 4)])
    a, b = hl.i32(i.a[r.x, r.y]), hl.i32(i.a[r.y, r.x])
    f[i.x] = hl.Tuple([1, 0])
    p, q = f[i.x][0], f[i.x][1]
    f[i.x] = hl.Tuple([p * a - q * b, p * b + q * a])
    f.update().rfactor([(r.x, i.u), (r.y, i.v)]).compute_root()
    return f.realize([2])


def under_a_predicate_with_split_coordinates(hl: Any, i: SimpleNamespace) -> Any:
    f, r = hl.Func("f"), hl.RDom([(0, 8), (0, 8)])
    r.where(r.x < r.y)
    f[i.x, i.y] = 0
    f[i.x, i.y] += r.x * 3 + r.y + i.x
    f.update().split(i.x, i.u, i.v, 4).reorder(r.x, r.y, i.u, i.v)
    f.update().rfactor([(r.x, hl.Var("p"))]).compute_root()
    return f.realize([4, 2])


def a_fused_and_split_maximum(hl: Any, i: SimpleNamespace) -> Any:
    f, r = hl.Func("f"), hl.RDom([(0, 8), (0, 8)])
    fused, outer, inner = hl.RVar("fused"), hl.RVar("outer"), hl.RVar("inner")
    f[i.x] = hl.u8(0)
    f[i.x] = hl.max(f[i.x], i.a[r.x, r.y] + hl.u8(i.x))
    f.update().fuse(r.x, r.y, fused).split(fused, outer, inner, 5)
    f.update().rfactor([(outer, i.u)]).compute_root().update().parallel(i.u)
    return f.realize([4])


def a_split_loop_that_keeps_its_name(hl: Any, i: SimpleNamespace) -> Any:
    f, r = hl.Func("f"), hl.RDom([(0, 8), (0, 7)])
    outer = hl.RVar("outer")
    f[i.x] = 0
    f[i.x] += hl.i32(i.a[r.x, r.y]) * (r.y + i.x)
    f.update().split(r.y, outer, r.y, 3).rfactor(outer, i.u).compute_root()
    return f.realize([4])


def chosen(new: str, both: bool = False) -> Program:
    """A maximum, or a sum, that a `select` makes; factored by ours, or by both packages: the real
    one takes some forms of such choices and refuses others."""

    def program(hl: Any, i: SimpleNamespace) -> Any:
        f, r = hl.Func("f"), hl.RDom([(0, 8), (0, 8)])
        f[i.x] = 7
        old, value = f[i.x], hl.i32(i.a[r.x, r.y]) - i.x
        f[i.x] = eval(new, {"hl": hl, "a": old, "v": value})
        if hl is compiler or both:
            f.update().rfactor(r.y, i.u).compute_root()
        return f.realize([3])

    return program


CHOSEN = [
    "hl.select(v > a, v, a)",
    "hl.select(a <= v, v, a)",
    "hl.select(a > v, a, v)",
    "hl.select(v < a, v, a)",
    "hl.select(v > 90, a + v, a)",
    "hl.select(v > 90, a, v + a)",
    "hl.select(v > 90, a * v, a)",
]


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("new", CHOSEN)
def test_a_choice_that_is_an_associative_operation_is_taken_for_it(new: str) -> None:
    assert_same(chosen(new))


@pytest.mark.parametrize(
    "new", ["hl.select(a > 90, a + v, a)", "hl.select(v > 90, a - v, a)", "hl.select(v > 9, v, a)"]
)
def test_a_choice_that_is_no_associative_operation_is_refused(new: str) -> None:
    assert_same_refusal(chosen(new, both=True), "can't prove associativity of the operator")


def index_of_largest(hl: Any, keep: str, kept: str | None, predicate: bool = False) -> Any:
    """The largest of 16 bytes and its place; `keep` compares the old value `a` to the new `v`."""
    image = hl.Buffer(np.array([0, 5, 0, 5, 1, 5, 0, 0, 5, 0, 5, 0, 0, 5, 0, 0], np.uint8))
    f, r = hl.Func("f"), hl.RDom([(0, 16)], "r")
    if predicate:
        r.where(r.x < 3)
    loops = {"ro": hl.RVar("ro"), "ri": hl.RVar("ri")}
    f[()] = (hl.u8(0), hl.i32(-1))
    old, new = f[()], image[r.x]
    keeps = eval(keep, {"a": old[0], "v": new})
    f[()] = (hl.max(old[0], new), hl.select(keeps, old[1], r.x))
    f.update().split(r.x, loops["ro"], loops["ri"], 4)
    if kept is not None:
        f.update().rfactor(loops[kept], hl.Var("u"))
    return [np.array(part).item() for part in f.realize()]


@pytest.mark.parametrize("kept", ["ro", "ri"])
def test_the_place_of_the_largest_is_halides(kept: str) -> None:
    theirs, ours = (index_of_largest(hl, "a > v", kept) for hl in (halide, compiler))
    assert ours == theirs


def test_the_first_of_equal_ones_is_found_in_groups_that_stay_in_order() -> None:
    assert index_of_largest(compiler, "a >= v", "ro") == index_of_largest(halide, "a >= v", None)
    with pytest.raises(compiler.HalideError, match="the operator isn't commutative"):
        index_of_largest(compiler, "a >= v", "ri")


def test_no_place_is_taken_from_a_group_without_steps() -> None:
    with pytest.raises(compiler.HalideError, match="a group of steps may be empty"):
        index_of_largest(compiler, "a > v", "ro", predicate=True)
    assert index_of_largest(compiler, "a >= v", "ro", predicate=True) == [5, 1]


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(
    "program",
    [
        a_histogram_by_rows,
        lanes_of_a_split_sum,
        where_the_largest_is,
        a_complex_product,
        under_a_predicate_with_split_coordinates,
        a_fused_and_split_maximum,
        a_split_loop_that_keeps_its_name,
    ],
)
def test_values_are_halides(program: Program) -> None:
    assert_same(program)


def reduction(hl: Any, i: SimpleNamespace, update: Any) -> Any:
    f, r = hl.Func("f"), hl.RDom([(0, 8)])
    f[i.x] = 0
    f[i.x] = update(f[i.x], r)
    return f, r


@pytest.mark.parametrize("update", [lambda f, r: f * 2 + r, lambda f, r: f - r, lambda f, r: r - f])
def test_what_is_not_associative_is_refused(update: Any) -> None:
    def program(hl: Any, i: SimpleNamespace) -> Any:
        f, r = reduction(hl, i, update)
        return f.update().rfactor(r.x, i.u)

    assert_same_refusal(program, "can't prove associativity of the operator")


def test_loops_that_do_not_exist_are_refused() -> None:
    def program(hl: Any, i: SimpleNamespace) -> Any:
        f, _ = reduction(hl, i, lambda f, r: f + r)
        return f.update().rfactor(hl.RVar("none"), i.u)

    assert_same_refusal(program, "since either it is not in the reduction domain")


def test_names_that_are_taken_are_refused() -> None:
    def program(hl: Any, i: SimpleNamespace) -> Any:
        f, r = reduction(hl, i, lambda f, r: f + r)
        return f.update().rfactor(r.x, i.x)

    assert_same_refusal(program, "already used elsewhere in the Func's schedule")


def own(index: int) -> Expr:
    return Call(f"f.{index}", (), I32, "func")


def new(name: str) -> Expr:
    return Call(name, (), I32, "image")


def number(e: Expr) -> int:
    return int(evaluate(e))


def test_an_operation_is_associative_and_its_identity_changes_nothing() -> None:
    p, q, a, b = own(0), own(1), new("a"), new("b")
    updates = [
        ((p,), (Add(p, a),)),
        ((p,), (Mul(a, p),)),
        ((p, q), (Sub(Mul(p, a), Mul(q, b)), Add(Mul(p, b), Mul(q, a)))),
    ]
    for stage, values in updates:
        found = associative_operation(stage, values)
        assert found is not None
        for seed in range(20):
            x, y, z = (
                tuple(const((seed * 7 + k * 13 + j * 5) % 23 - 11) for j in range(len(stage)))
                for k in range(3)
            )
            left = found.combine(found.combine(x, y), z)
            right = found.combine(x, found.combine(y, z))
            assert list(map(number, left)) == list(map(number, right))
            same = found.combine(found.identities, x)
            assert [number(e) for e in same] == [e.value for e in x if isinstance(e, Const)]


def test_an_update_by_what_is_there_is_not_associative() -> None:
    p, a = own(0), new("a")
    for value in (Sub(p, a), Add(p, Mul(p, a)), Mul(Add(p, a), a), Add(p, p)):
        assert associative_operation((p,), (value,)) is None


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("kind", ["Int(32)", "Float(32)"])
@pytest.mark.parametrize("extreme", ["max", "min"])
def test_an_extreme_of_what_is_there_and_a_sum_is_a_sum_of_extremes(
    kind: str, extreme: str
) -> None:
    def program(hl: Any, i: SimpleNamespace) -> Any:
        type = eval(f"hl.{kind}")
        f, u = hl.Func("f"), hl.Var("u")
        r = hl.RDom([(0, 40)], "r")
        ro, ri = hl.RVar("ro"), hl.RVar("ri")
        f[i.x] = hl.cast(type, 0)
        step = hl.cast(type, i.b[r.x, i.x])
        f[i.x] = getattr(hl, extreme)(step + f[i.x], f[i.x])
        f.update(0).split(r.x, ro, ri, 8).rfactor(ro, u)
        return f.realize([5])

    assert_same(program)


def test_sums_that_wrap_are_no_sums_of_extremes() -> None:
    hl = compiler
    f, u, x = hl.Func("f"), hl.Var("u"), hl.Var("x")
    r = hl.RDom([(0, 40)], "r")
    f[x] = hl.u8(0)
    f[x] = hl.max(hl.u8(r.x) + f[x], f[x])
    with pytest.raises(hl.HalideError, match="associativity"):
        f.update(0).rfactor(r.x, u)
