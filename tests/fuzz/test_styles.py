"""Random kernels in the styles of legacy code: lifted, or refused with a code, and never wrong.

`python -m tests.fuzz.styles --seed N --count M` replays and goes on.
"""

from __future__ import annotations

from functools import cache
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from compiler.ir import Add, Expr
from compiler.lower.narrow_arithmetic import Narrowing
from lifter.emit import header
from tests.fuzz.styles import batch
from tests.fuzz.styles.batch import Outcome, outcomes
from tests.fuzz.styles.choices import LENGTH
from tests.fuzz.styles.kernel import StyledKernel, kernel, kernel_of_seed
from tests.fuzz.styles.written import NOT_DUFF, WRONG_ONCE, line, rows
from tests.sample import covering

BATCH = 20
SEEDS, SAMPLE = 300, 15
"""Kernels of a quick run, and the seeds that they are chosen from."""


def report(found: list[Outcome]) -> str:
    return "\n".join(f"{o.kernel.parts}\n{o.kernel.source}\n{o.wrong or o.refused}" for o in found)


def check(found: list[Outcome], lifted: float) -> None:
    """No wrong pixel; at least the part `lifted` of the kernels is proved, built and called."""
    wrong = [o for o in found if o.wrong]
    assert not wrong, report(wrong)
    refused = [o for o in found if o.refused]
    assert len(refused) <= (1 - lifted) * len(found), report(refused)
    # Neither is refusing everything a success, nor leaving every call to the original.
    assert sum(o.calls for o in found) > 5 * (len(found) - len(refused))


def drawn(first: int, batches: int) -> list[Outcome]:
    """What became of kernels that hypothesis draws from the seed `first`."""
    found: list[Outcome] = []

    @seed(first)
    @settings(
        max_examples=batches, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(st.lists(st.binary(min_size=LENGTH, max_size=LENGTH), min_size=BATCH, max_size=BATCH))
    def one_batch(choices: list[bytes]) -> None:
        number = len(found)
        found.extend(outcomes([kernel(f"fuzz{number + n}", d) for n, d in enumerate(choices)]))

    one_batch()
    return found


def features(one: StyledKernel) -> list[str]:
    """Its frame, its loops, and the types of its elements."""
    language, frame, loops = one.parts.split()
    elements = (element.replace(f"{one.name}_", "") for element in one.elements)
    return [f"{language} {frame}", *loops.split("/"), *elements, f"{one.channels} channels"]


@cache
def sample() -> list[StyledKernel]:
    return covering([kernel_of_seed(number) for number in range(SEEDS)], features, SAMPLE)


def test_random_kernels_leave_what_the_original_leaves() -> None:
    check(list(outcomes(sample()[::8])), 0.5)


@pytest.mark.slow
def test_kernels_with_each_form_leave_what_the_original_leaves() -> None:
    # The rarest forms are in it, of which more are refused than of all.
    check(list(outcomes(sample())), 0.75)


def test_a_sample_has_all_that_any_kernel_has() -> None:
    every = {f for number in range(SEEDS) for f in features(kernel_of_seed(number))}
    assert every == {f for one in sample() for f in features(one)}


@pytest.mark.slow
@pytest.mark.parametrize("half", (1, 2))
def test_a_hundred_drawn_kernels_leave_what_the_original_leaves(half: int) -> None:
    check(drawn(half, 5), 0.95)


@pytest.mark.slow
@pytest.mark.parametrize("begin", range(0, 3000, 100))
def test_more_random_kernels_leave_what_the_original_leaves(begin: int) -> None:
    seeds = range(begin, begin + 100)
    found = [
        o
        for first in seeds[::BATCH]
        for o in outcomes([kernel_of_seed(n) for n in range(first, first + BATCH)])
    ]
    check(found, 0.9)


@pytest.mark.slow
def test_kernels_that_once_were_wrong_are_right() -> None:
    found = list(outcomes(WRONG_ONCE, calls=200))
    check(found, 1.0)


def test_a_device_whose_parts_differ_is_refused() -> None:
    (found,) = outcomes([NOT_DUFF])
    assert found.refused.startswith("unsupported-statement") and not found.calls


def finds_a_difference() -> bool:
    return any(o.wrong for o in outcomes(WRONG_ONCE, calls=200))


@pytest.mark.slow
def test_a_guard_that_admits_rows_in_one_another_is_found() -> None:
    with patch.object(header._Admits, "_rows_apart", lambda *_: None):
        assert finds_a_difference()


@pytest.mark.slow
def test_sums_that_are_narrowed_too_far_are_found() -> None:
    exact = Narrowing.range

    def wrong(narrowing: Narrowing, e: Expr) -> tuple[int, int]:
        low, high = exact(narrowing, e)
        return (low, min(high, 255)) if isinstance(e, Add) else (low, high)

    average = line("average", "    for (int i = 0; i < n; i++) d[i] = (d[i] + s[i] + 1) >> 1;")
    with patch.object(Narrowing, "range", wrong):
        assert any(o.wrong for o in outcomes([average], calls=100))
    assert not any(o.wrong or o.refused for o in outcomes([average], calls=100))


COPY = rows("copied_rows", "uint8_t", "d[x] = (uint8_t)(s[x] + 1);")
PLANTED = {
    "behind the last row": "int i = (height_ - 1) * srcStride_ + width_; if (srcStride_ > 0)"
    " (void)*(volatile const uint8_t *)(src_ + i);",
    "a store to what is only read": "*(volatile uint8_t *)src_ = *src_;",
    "the pointer to the row behind the last": "(void)*(const uint8_t *volatile *)(src + height_);",
    "the pointer to the row before the first": "(void)*(uint8_t *volatile *)(dst - 1);",
    "a store into the table": "*(uint8_t *volatile *)dst = *dst;",
}


@pytest.mark.sampled(every=5)
@pytest.mark.parametrize("planted", PLANTED.values(), ids=PLANTED)
def test_what_only_lifted_code_touches_is_found(planted: str) -> None:
    entry = batch._entry

    def with_planted(kernel: StyledKernel, name: str, statements: str) -> str:
        if name.startswith("guarded_"):
            call = f"if (width_ > 0 && height_ > 0) {{ {planted} }} int yes"
            statements = statements.replace("int yes", call)
        return entry(kernel, name, statements)

    with patch.object(batch, "_entry", with_planted):
        (found,) = outcomes([COPY])
    assert found.wrong is not None and "touches what the original doesn't" in found.wrong


@pytest.mark.slow
def test_what_touches_the_same_is_not_found() -> None:
    (found,) = outcomes([COPY])
    assert not found.refused and not found.wrong and found.calls


@pytest.mark.slow
def test_the_plainest_kernel_is_lifted() -> None:
    (found,) = outcomes([kernel("plain", b"")])
    assert not found.refused and not found.wrong and found.calls
