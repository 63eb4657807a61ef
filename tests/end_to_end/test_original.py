"""The g++ harness finds what an outcome gets wrong, and nothing where it is right."""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from compiler.ir import F32, I32, I64, LT, U8, Add, Cast, Expr, Load, Mul, Type, Variable, const
from lifter.model.diagnostic import Span
from lifter.model.kernel import (
    Array,
    Assign,
    Kernel,
    Param,
    ParamKind,
    Return,
    Stmt,
    Store,
    WhileLoop,
)
from lifter.verify.cases import cases, run_case
from tests.end_to_end.original import Difference, Original, compile_original
from tests.fenced import in_child

HERE = Span("kernel.cpp", 1, 1, 1, 2)
SOURCE = """
#include <cstdint>
#include <vector>
void increase(uint8_t *dst, int cols, int amount) {
    for (int c = 0; c < cols; c++) dst[c - 1] += amount;
}
void overrun(uint8_t *dst, int cols, int amount) {
    for (int c = 0; c <= cols; c++) dst[c - 1] += amount;
}
void transpose_first(uint8_t **rows, int height) {
    for (int y = 0; y < height; y++) rows[y][1] = rows[0][y];
}
float scale(std::vector<float> &values, float factor) {
    for (size_t i = 0; i < values.size(); i++) values[i] *= factor;
    return factor + 1.0f;
}
void last(int &out, const uint8_t *src, int cols) {
    for (int c = 0; c < cols; c++) out = src[c];
}
"""


def param(name: str, type: Type, kind: ParamKind, spelling: str) -> Param:
    return Param(name, kind, type, spelling, False, HERE)


def kernel(
    name: str, params: tuple[Param, ...], body: tuple[Stmt, ...], returns: Type | None = None
) -> Kernel:
    arrays = {
        p.name: Array(p.name, p.type, 2 if p.kind == "rows" else 1)
        for p in params
        if p.kind != "scalar"
    }
    return Kernel(name, name, HERE, "", params, returns, arrays, {}, (), body)


def loop(counter: str, end: Expr, *body: Stmt) -> tuple[Stmt, ...]:
    i = Variable(counter, end.type)
    start = Assign(HERE, counter, const(0, end.type))
    step = (Assign(HERE, counter, Add(i, const(1, end.type))),)
    return start, WhileLoop(HERE, LT(i, end), body, step)


C, COLS, AMOUNT = Variable("c", I32), Variable("cols", I32), Variable("amount", I32)
IMAGE = (
    param("dst", U8, "array", "uint8_t *"),
    param("cols", I32, "scalar", "int"),
    param("amount", I32, "scalar", "int"),
)


def increase(name: str = "increase", step: Expr = AMOUNT) -> Kernel:
    at = (Add(C, const(-1)),)
    sum = Add(Cast(I32, Load("dst", at, U8)), step)
    return kernel(name, IMAGE, loop("c", COLS, Store(HERE, "dst", at, Cast(U8, sum))))


def transpose_first() -> Kernel:
    y = Variable("y", I32)
    store = Store(HERE, "rows", (y, const(1)), Load("rows", (const(0), y), U8))
    params = (
        param("rows", U8, "rows", "uint8_t **"),
        param("height", I32, "scalar", "int"),
    )
    return kernel("transpose_first", params, loop("y", Variable("height", I32), store))


def scale() -> Kernel:
    i, factor = Variable("i", I64), Variable("factor", F32)
    store = Store(HERE, "values", (i,), Mul(Load("values", (i,), F32), factor))
    params = (
        param("values", F32, "vector", "std::vector<float> &"),
        param("factor", F32, "scalar", "float"),
    )
    body = (
        *loop("i", Variable("values.size", I64), store),
        Return(HERE, Add(factor, const(1.0, F32))),
    )
    return kernel("scale", params, body, F32)


def last() -> Kernel:
    store = Store(HERE, "out", (const(0),), Cast(I32, Load("src", (C,), U8)))
    params = (
        param("out", I32, "reference", "int &"),
        param("src", U8, "array", "const uint8_t *"),
        param("cols", I32, "scalar", "int"),
    )
    return kernel("last", params, loop("c", COLS, store))


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Original:
    path = tmp_path_factory.mktemp("original") / "kernel.cpp"
    path.write_text(SOURCE)
    kernels = (increase(), increase("overrun"), transpose_first(), scale(), last())
    return compile_original(path, kernels)


def differences(original: Original, subject: Kernel, count: int = 30) -> list[Difference]:
    found: list[Difference] = []
    for case in cases(subject, 11, count):
        found.extend(original.differences(subject, case, run_case(subject, case)))
    return found


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("make", [increase, transpose_first, scale, last])
def test_a_right_kernel_agrees_in_every_kind_of_parameter(
    original: Original, make: Callable[[], Kernel]
) -> None:
    assert differences(original, make()) == []


def test_a_wrong_value_is_found(original: Original) -> None:
    assert differences(original, increase(step=Add(AMOUNT, const(1))))


def test_a_write_behind_the_end_is_found_in_the_guard(original: Original) -> None:
    found = differences(original, increase("overrun"))
    assert found and "dst[" in str(found[0])


@pytest.mark.parametrize(
    ("name", "at_end"), [("increase", False), ("increase", True), ("overrun", True)]
)
def test_between_fences_nothing_else_may_be_touched(
    original: Original, name: str, at_end: bool
) -> None:
    subject = increase(name)

    def work() -> None:
        for case in cases(subject, 11, 30):
            found = original.differences(subject, case, run_case(subject, case), fenced=at_end)
            assert not found, found

    assert in_child(work) == (signal.SIGSEGV if name == "overrun" else 0)


def test_a_wrong_result_is_found(original: Original) -> None:
    wrong = scale()
    body = (*wrong.body[:-1], Return(HERE, Variable("factor", F32)))
    found = differences(original, replace(wrong, body=body))
    assert found and all(d.array is None for d in found)


def test_a_file_that_does_not_compile_says_what_gcc_said(tmp_path: Path) -> None:
    path = tmp_path / "broken.cpp"
    path.write_text("void f( {")
    with pytest.raises(RuntimeError, match="expected"):
        compile_original(path, ())
