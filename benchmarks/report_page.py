"""How large the page of N functions is, how long `lift report` makes it and Chromium opens it.

python benchmarks/report_page.py [N ...]    (default: 200 2000 8000)

Functions have the size of the corpus's: 15 lines, 24 obligations. Opening ends when everything is
loaded and drawn; the processor's time is that of the page's own thread.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from lifter.report import page  # noqa: E402
from tests.report.browser import Browser  # noqa: E402
from tests.report.made import collection  # noqa: E402
from tests.report.test_large import function  # noqa: E402

ROUNDS = 5


def opening(browser: Browser, path: Path, scripts: bool) -> tuple[float, float, float]:
    """Medians: seconds on the clock, seconds of the page's thread, nodes."""
    found = []
    for _ in range(ROUNDS):
        tab = browser.page(scripts=scripts)
        tab.send("Performance.enable")
        clock = tab.open(path)
        told = {m["name"]: m["value"] for m in tab.send("Performance.getMetrics")["metrics"]}
        found.append((clock, told["ThreadTime"], told["Nodes"]))
        tab.close()
    clocks, threads, nodes = zip(*found, strict=True)
    return statistics.median(clocks), statistics.median(threads), statistics.median(nodes)


def main(counts: list[int]) -> None:
    print("| functions | MB | made in s | scripts | open s | processor s | nodes |")
    print("|--:|--:|--:|---|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        for count in counts:
            path = Path(folder) / f"{count}.html"
            made = collection(*map(function, range(count)))
            began = time.process_time()
            path.write_text(page(made, Path(folder), path), "utf-8")
            spent = time.process_time() - began
            for scripts in (True, False):
                clock, thread, nodes = opening(browser, path, scripts)
                print(
                    f"| {count} | {path.stat().st_size / 1e6:.1f} | {spent:.1f} "
                    f"| {'on' if scripts else 'off'} | {clock:.2f} | {thread:.2f} | {nodes:.0f} |"
                )


if __name__ == "__main__":
    main([int(count) for count in sys.argv[1:]] or [200, 2000, 8000])
