"""What a compilation has read, and whether `lift` has read the same."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

_POSITION = re.compile(rb"\b__(INCLUDE_LEVEL|BASE_FILE)__\b")


def files_read(noted: str, made: Path) -> list[Path]:
    """The files that a compiler has noted for `make` (`-MD`), without those in `made`."""
    text = noted.replace("\\\n", " ").partition(": ")[2]
    words = re.findall(r"(?:\\[ #\\]|\S)+", text)
    files = [Path(re.sub(r"\\([ #])", r"\1", word).replace("$$", "$")) for word in words]
    return [file for file in files if made not in file.parents]


def unfit(files: Iterable[Path], began: int) -> str | None:
    """Why an object made of these files is none of what was lifted; None where it is.

    `began`, in nanoseconds, is when the lifting did, by the clock of the file system: a file that
    was written or put there since may have been another one then. And where the source is
    included, what asks whether it is tells something else.
    """
    for file in files:
        try:
            changed = file.stat().st_ctime_ns >= began
            asks = _POSITION.search(file.read_bytes())
        except OSError:
            return f"{file} is gone meanwhile"
        if changed:
            return f"{file} changed meanwhile"
        if asks is not None:
            return f"{file} has {asks[0].decode()}, which would be another one"
    return None
