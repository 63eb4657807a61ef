"""2,000 functions: how large the page is, and what opening it costs a browser."""

from __future__ import annotations

from dataclasses import replace

import pytest

from .made import collection, proved

SOURCE = "\n".join(
    ["void blend(uint8_t *dst, const uint8_t *src, int cols, int rows, int pitch) {"]
    + [
        f"    dst[{n}] = (uint8_t)((dst[{n}] * src[{n}] + {n}) / 255); // line {n}"
        for n in range(14)
    ]
    + ["}"]
)


def function(number: int):
    """One with the size that the functions of the corpus have on average: 25 obligations."""
    made = proved(f"blend_{number}", f"src/file_{number // 20}.cpp", 10 + 20 * (number % 20))
    return replace(made, source=SOURCE, obligations=made.obligations * 8)


@pytest.mark.slow
def test_two_thousand_functions_stay_small_and_open_fast(browser, written):
    path = written(collection(*map(function, range(2000))))
    assert 8e6 < path.stat().st_size < 20e6
    page = browser.page()
    page.send("Performance.enable")
    page.open(path)
    metrics = {m["name"]: m["value"] for m in page.send("Performance.getMetrics")["metrics"]}
    page.close()
    # Seconds of the page's own thread until it is loaded and drawn; a busy machine adds none.
    assert metrics["ThreadTime"] < 2
    assert metrics["Nodes"] < 100_000
