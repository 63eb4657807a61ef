"""The runtime for NVIDIA's GPUs as LLVM text: `python -m tests.codegen.cuda_text` writes it anew.

It takes the Clang that wrote what is there, since others write other text.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from shutil import which

import compiler

FOLDER = Path(compiler.__file__).parent / "codegen" / "runtime_library"
CLANG = "clang-19"
_OPTIONS = (
    "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Oz", "-fPIC", "-fno-builtin",
    "-fno-strict-aliasing", "-fno-stack-protector", "-fno-asynchronous-unwind-tables",
    "--target=x86_64-unknown-linux-gnu", "-S", "-emit-llvm", "-o", "-",
)  # fmt: skip
_OF_ONE_MACHINE = (
    r"^(;|target |source_filename|attributes |![a-z0-9.]+ =).*\n",
    r"( #\d+)(?=[ ,]|$)|, !(range|llvm\.loop|noundef) ![\d]+",
)
_HEAD = "; Made of cuda.c by `python -m tests.codegen.cuda_text`: change that one.\n"


def is_clang_there() -> bool:
    return which(CLANG) is not None


def made_text() -> str:
    """What belongs into cuda.ll, for any processor: nothing in it is about one."""
    run = [CLANG, *_OPTIONS, str(FOLDER / "cuda.c")]
    text = subprocess.run(run, check=True, capture_output=True, text=True).stdout
    for unwanted in _OF_ONE_MACHINE:
        text = re.sub(unwanted, "", text, flags=re.M)
    return _HEAD + re.sub(r"\n{3,}", "\n\n", text.strip()) + "\n"


if __name__ == "__main__":
    (FOLDER / "cuda.ll").write_text(made_text(), encoding="utf-8")
