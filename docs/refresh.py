"""Runs the commands in the pages of docs/ again and puts their output into the pages.

python docs/refresh.py            writes the pages
python docs/refresh.py --check    exits with 1 when a page is out of date
python docs/refresh.py [--check] PAGE ...    the same of these alone
"""

from __future__ import annotations

import functools
import importlib
import os
import re
import runpy
import shlex
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
_BLOCK = re.compile(r"```console\n\$ (?P<command>[^\n]+)\n(?P<output>.*?)```", re.DOTALL)


def refreshed(text: str) -> str:
    """`text` with the output of each console block as the command prints it now."""
    return _BLOCK.sub(lambda m: f"```console\n$ {m['command']}\n{_run(m['command'])}```", text)


def _run(command: str) -> str:
    words = shlex.split(command)
    text = _module(words[2], words[3:]) if words[:2] == ["python", "-m"] else _shell(command)
    return "".join(f"{row.rstrip()}\n" for row in text.rstrip().splitlines())


def _shell(command: str) -> str:
    interpreter = f'"{sys.executable}" '
    line = re.sub(r"^python ", lambda _: interpreter, command)
    done = subprocess.run(
        line, shell=True, cwd=ROOT, env=_environment(), capture_output=True, text=True, check=True
    )
    return done.stdout


def _module(module: str, arguments: list[str]) -> str:
    """What `python -m module arguments` prints: by a child of this process, which has imported
    already what takes most of the time. Raises `CalledProcessError`."""
    _preloaded()
    with tempfile.TemporaryFile() as out:
        child = os.fork()
        if child == 0:
            status = 1
            try:
                os.dup2(out.fileno(), 1)
                os.chdir(ROOT)
                os.environ.update(_environment())
                sys.argv = [module, *arguments]
                runpy.run_module(module, run_name="__main__", alter_sys=True)
                status = 0
            except SystemExit as end:
                status = 1 if end.code else 0
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status:
            raise subprocess.CalledProcessError(status, [module, *arguments])
        out.seek(0)
        return out.read().decode()


@functools.cache
def _preloaded() -> None:
    for module in ("compiler", "compiler.lower", "compiler.codegen", "lifter.lift.lift_function"):
        importlib.import_module(module)


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"}


def main() -> int:
    stale = []
    named = [Path(name).resolve() for name in sys.argv[1:] if not name.startswith("-")]
    for page in named or sorted((ROOT / "docs").glob("*.md")):
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
