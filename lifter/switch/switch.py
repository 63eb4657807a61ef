"""`lift cc`: makes one object, with lifted code in it where that can be."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from .compiler_call import CompilerCall
from .outcome import Outcome, Switching, plainly, say
from .unchanged import Unchanged


def compile_switched(call: CompilerCall, wanted: Switching) -> int:
    """Makes `call.output`; gives the exit status, the compiler's own where it fails."""
    if call.output.exists() and not call.output.is_file():
        # What a build writes to /dev/null it only tries.
        return plainly(call, wanted, Outcome())
    work = call.output.with_name(f"{call.output.name}.lifted")
    try:
        with _alone(work):
            return _made(call, wanted, work.resolve())
    except OSError as error:
        reason = f"{error.filename or work}: {error.strerror}"
    except Exception as error:  # whatever it is: a build doesn't end for it
        reason = f"lift itself fails, please report it: {type(error).__name__}: {error}"
    return plainly(call, wanted, Outcome(kept={"": reason.partition("\n")[0]}))


@contextlib.contextmanager
def _alone(work: Path) -> Iterator[None]:
    """Makes the folder, and keeps other builds of the same object out of it. Raises `OSError`."""
    work.mkdir(parents=True, exist_ok=True)
    with open(work / "lock", "a") as lock:
        # Not `flock`, which processes of ours that are still there would hold on to.
        with contextlib.suppress(OSError):  # some file systems have none
            fcntl.lockf(lock, fcntl.LOCK_EX)
        yield


def _made(call: CompilerCall, wanted: Switching, work: Path) -> int:
    """The same, with results in `work`. Raises `OSError`."""
    (work / "began").write_text("lift cc", "utf-8")
    began = (work / "began").stat().st_ctime_ns
    unchanged = Unchanged(call, wanted, work)
    outcome = unchanged.outcome()
    if outcome is None:
        # What that loads takes longer than all else, where nothing has changed.
        from .replace import with_lifted_code

        outcome = with_lifted_code(call, wanted, work, began)
        if outcome.object is not None and not unchanged.has_noted and not _has_noted(call):
            outcome = Outcome(kept={"": "what it includes can't be told"})
        unchanged.keep(outcome)
    if outcome.object is None:
        return plainly(call, wanted, outcome)
    output = Path(os.path.realpath(call.output))  # a link stays one
    partial = output.with_name(f"{output.name}.partial")
    shutil.copyfile(outcome.object, partial)
    partial.replace(output)
    sys.stderr.write(outcome.warnings)
    return say(call, wanted, outcome)


def _has_noted(call: CompilerCall) -> bool:
    """Notes dependencies as the call does; whether that could be done."""
    noting = call.noting()
    done = None if noting is None else subprocess.run(noting, capture_output=True, check=False)
    return done is None or done.returncode == 0
