"""What a function sets and nobody behind makes use of isn't part of what it does."""

from __future__ import annotations

import pytest

from lifter.dag.graph import build_stage_graph
from tests.parse.parsing import kernel

LOOP = """
    void f(const unsigned char *s, unsigned char *d, unsigned *left, int n) {
        unsigned most = 0, twice = 0, last = 0;
        for (int i = 0; i < n; ++i) {
            most = (most * 31 + 1) ^ s[i];
            d[i] = s[i] / 2;
        }
        %s
    }"""


def outputs(behind: str) -> list[str]:
    return [stage.output for stage in build_stage_graph(kernel(LOOP % behind)).order]


@pytest.mark.parametrize(
    "behind", ["twice = most * 2;", "twice = most * 2; last = twice + most;", "last = most;", ""]
)
def test_what_is_set_last_makes_no_stage(behind: str) -> None:
    assert outputs(behind) == ["d"]


@pytest.mark.parametrize(
    "behind",
    [
        "twice = most * 2; left[0] = twice;",
        "twice = most * 2; last = twice; left[0] = last + most;",
        "last = most + 1; if (last > 9) left[1] = 1;",
    ],
)
def test_what_is_made_use_of_makes_one(behind: str) -> None:
    assert "most" in outputs(behind)
