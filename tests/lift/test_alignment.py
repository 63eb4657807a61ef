"""Code that asks where in memory an array lies, to begin at an aligned place."""

from __future__ import annotations

import pytest

from lifter.batch.one_function import Lifted, lift_one
from tests.parse.parsing import failure
from tests.verify.differential import PRELUDE, parsed

FIRST_STEP = "while (n > 0 && ({test})) {{ *d++ = 255 - *s++; n--; }}"
REST = "while (n > 0) { *d++ = 255 - *s++; n--; }"


def of(body: str, element: str = "u8") -> Lifted:
    return lift_one(parsed(f"void f({element} *d, const {element} *s, int n) {{\n{body}\n}}\n"))


@pytest.mark.parametrize(
    "test",
    [
        "(uintptr_t)d & 15",
        pytest.param("((size_t)d & 0xf) != 0", marks=pytest.mark.slow),
        pytest.param("(unsigned long)d % 32", marks=pytest.mark.slow),
        pytest.param("(int)(intptr_t)d & 7", marks=pytest.mark.slow),
    ],
)
def test_a_first_step_to_an_aligned_place(test: str) -> None:
    found = of(FIRST_STEP.format(test=test) + REST)
    assert found.record.status == "proved", found.record.diagnostic
    assert "d[x] = 255 - s[x]" in found.texts["pipeline.py"]
    assert "address" not in found.texts["pipeline.py"]


def test_the_step_as_a_number() -> None:
    body = """
        int head = (int)(-(intptr_t)d & 15), i = 0;
        if (head > n) head = n;
        for (; i < head; i++) d[i] = s[i] >> 1;
        for (; i < n; i++) d[i] = s[i] >> 1;"""
    assert of(body).record.status == "proved"


@pytest.mark.slow
def test_a_step_of_words() -> None:
    """An address is a whole number of elements."""
    body = (
        "while (n > 0 && ((uintptr_t)d & 15)) { *d++ = ~*s++; n--; } while (n-- > 0) *d++ = ~*s++;"
    )
    assert of(body, "uint32_t").record.status == "proved"


def test_both_ways_of_a_test_may_do_the_same() -> None:
    body = """
        if (((uintptr_t)d | (uintptr_t)s) & 15) for (int i = 0; i < n; i++) d[i] = s[i] / 3;
        else for (int i = 0; i < n; i++) d[i] = s[i] / 3;"""
    found = of(body)
    assert found.record.status == "proved", found.record.diagnostic
    assert "select" not in found.texts["pipeline.py"]


@pytest.mark.parametrize(
    "body",
    [
        # One step too many, and one too few.
        "while (n > 0 && ((uintptr_t)d & 15)) { *d++ = 255 - *s++; n--; } "
        "while (n > 0) { *d++ = 254 - *s++; n--; }",
        "for (int i = 0; i < n - (int)((uintptr_t)s & 15); i++) d[i] = s[i];",
        "if ((uintptr_t)d & 1) for (int i = 0; i < n; i++) d[i] = s[i]; "
        "else for (int i = 0; i < n; i++) d[i] = 1;",
    ],
)
def test_what_depends_on_the_place_is_refused(body: str) -> None:
    found = of(body)
    assert found.record.status != "proved"


def test_a_number_of_the_place_is_refused_by_name() -> None:
    found = of("for (int i = 0; i < n; i++) d[i] = s[i] + ((uintptr_t)s & 15);").record.diagnostic
    assert found is not None and found.code == "pointer-cast" and "`s`" in found.message


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < n; i++) d[i] = (uintptr_t)d > (uintptr_t)s ? 1 : 2;",
        "for (int i = 0; i < n; i++) d[i] = (uintptr_t)s >> 4;",
        "for (int i = 0; i < n; i++) d[i] = (uintptr_t)s / 3 & 15;",
        pytest.param(
            "for (int i = 0; i < n; i++) d[i] = (uintptr_t)s & 0xffff;", id="many of its bits"
        ),
    ],
)
def test_more_of_an_address_is_refused(body: str) -> None:
    text = f"void f(u8 *d, const u8 *s, int n) {{\n{body}\n}}\n"
    assert failure(PRELUDE + text).code == "pointer-cast"
