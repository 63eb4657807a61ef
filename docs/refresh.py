"""Runs the commands in the pages of docs/ again and puts their output into the pages.

python docs/refresh.py            writes the pages
python docs/refresh.py --check    exits with 1 when a page is out of date
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_BLOCK = re.compile(r"```console\n\$ (?P<command>[^\n]+)\n(?P<output>.*?)```", re.DOTALL)


def refreshed(text: str) -> str:
    """`text` with the output of each console block as the command prints it now."""
    return _BLOCK.sub(lambda m: f"```console\n$ {m['command']}\n{_run(m['command'])}```", text)


def _run(command: str) -> str:
    interpreter = f'"{sys.executable}" '
    line = re.sub(r"^python ", lambda _: interpreter, command)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"}
    done = subprocess.run(
        line, shell=True, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return "".join(f"{row.rstrip()}\n" for row in done.stdout.rstrip().splitlines())


def main() -> int:
    stale = []
    for page in sorted((ROOT / "docs").glob("*.md")):
        old = page.read_text("utf-8")
        new = refreshed(old)
        if new != old:
            stale.append(page.name)
            if "--check" not in sys.argv:
                page.write_text(new, "utf-8")
    if stale:
        print(f"{'out of date' if '--check' in sys.argv else 'refreshed'}: {', '.join(stale)}")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
