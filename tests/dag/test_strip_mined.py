"""Two loops are one where their counters stand in one sum alone."""

from __future__ import annotations

import pytest

from lifter.dag import build_stage_graph
from lifter.dag.polynomial import normal
from tests.verify.differential import parsed


def loops(body: str) -> list[list[str]]:
    """The extents of the loops around each store."""
    text = f"void f(u8 *d, const u8 *s, const int *t, int n, int m) {{ {body} }}"
    graph = build_stage_graph(parsed(text))
    return [[str(normal(x.extent)) for x in w.loops] for s in graph.order for w in s.writes]


PIECES = "for (int i = 0; i + 16 <= n; i += 16) for (int j = 0; j < 16; j++) {}"


@pytest.mark.parametrize(
    "store",
    [
        "d[i + j] = s[i + j] + 1;",
        "d[i + j + 3] = s[2 * (i + j)];",
        "d[n - i - j] = s[i + j + m];",
        "if (s[i + j] > 7) d[i + j] = 7;",
    ],
)
def test_pieces_of_a_loop_are_a_loop(store: str) -> None:
    (found,) = loops(PIECES.format(store))
    assert found == ["n / 16 * 16"], found


@pytest.mark.parametrize(
    "store",
    [
        "d[i + 2 * j] = 1;",
        "d[i * 16 + j] = 1;",
        "d[i + j] = j;",
        "d[i + j] = i;",
        "d[i + j] = s[j];",
        "if (j > 2) d[i + j] = s[i + j];",
        "d[i + j] = t[i / 16];",
    ],
)
def test_loops_that_are_none(store: str) -> None:
    (found,) = loops(PIECES.format(store))
    assert len(found) == 2, found


def test_pieces_whose_size_a_parameter_says_stay() -> None:
    body = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) d[i * m + j] = 1;"
    assert loops(body) == [["n", "m"]]


def test_loops_around_stay() -> None:
    body = (
        "for (int y = 0; y < m; y++) for (int i = 0; i < n; i++) for (int j = 0; j < 8; j++)"
        " d[y * 4096 + 8 * i + j] = s[8 * i + j];"
    )
    assert loops(body) == [["m", "n * 8"]]


def test_channels_stay_a_loop() -> None:
    body = "for (int i = 0; i < n; i++) for (int c = 0; c < 3; c++) d[3 * i + c] = s[3 * i + c];"
    assert loops(body) == [["n", "3"]]


def test_two_stores_that_need_two_loops() -> None:
    body = (
        "for (int i = 0; i < n; i++) for (int j = 0; j < 8; j++)"
        " { d[8 * i + j] = s[8 * i + j]; d[8 * n + 8 * i + j] = j; }"
    )
    assert [len(x) for x in loops(body)] == [2, 2]
