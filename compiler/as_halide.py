"""Runs an unmodified script with `halide` resolved to this compiler.

    python -m compiler.as_halide script.py [arguments]

`import halide`, `from halide import ...` and `import halide.imageio` give this package's modules;
the script finds its own arguments in `sys.argv`, itself as `__main__`, and its folder on the path.
"""

from __future__ import annotations

import os
import runpy
import sys
import traceback
from collections.abc import Sequence
from types import TracebackType

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def resolve_halide() -> None:
    """Makes every later `import halide` in this process give this package."""
    import compiler
    from compiler import imageio

    sys.modules["halide"] = compiler
    sys.modules["halide.imageio"] = imageio
    sys.modules["halide.halide_"] = compiler


def run_script(path: str, arguments: Sequence[str]) -> None:
    """Runs the file `path` as the main program; `sys.exit` and exceptions pass through."""
    resolve_halide()
    sys.argv = [path, *arguments]
    sys.path[0] = os.path.dirname(os.path.abspath(path))
    runpy.run_path(path, run_name="__main__")


def main(words: Sequence[str]) -> int:
    """Runs the script that the command line names; its exit status, 1 for an exception."""
    if not words or words[0] in ("-h", "--help"):
        print("usage: python -m compiler.as_halide SCRIPT.py [ARGUMENT ...]", file=sys.stderr)
        return 0 if words else 2
    if not os.path.isfile(words[0]):
        print(f"as_halide: there is no file {words[0]}", file=sys.stderr)
        return 2
    try:
        run_script(words[0], words[1:])
    except Exception as error:
        traceback.print_exception(type(error), error, _of_the_script(error, words[0]))
        return 1
    return 0


def _of_the_script(error: Exception, path: str) -> TracebackType | None:
    """The part of a traceback that is of interest: from the script on; for a mistake that this
    package found, to the user's last line."""
    wanted = os.path.abspath(path)
    found = error.__traceback__
    start: TracebackType | None = None
    last: TracebackType | None = None
    while found is not None:
        file = os.path.abspath(found.tb_frame.f_code.co_filename)
        if start is None and file == wanted:
            start = found
        if not file.startswith(_PACKAGE):
            last = found
        found = found.tb_next
    if type(error).__name__ == "HalideError" and start is not None and last is not None:
        last.tb_next = None
    return start or error.__traceback__


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
