"""The tests in C that `lift twin` writes, compiled as they say and run."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from lifter.twins import test_program as programs
from lifter.twins.finding import Finding
from lifter.twins.pair import Pair, kernel_of


def agrees(finding: Finding, pair: Pair, folder: Path) -> bool:
    """Whether the processor gives the same on a finding's input."""
    kernels = [kernel_of(side, pair) for side in (pair.first, pair.second)]
    text = programs.test_program(finding, pair, kernels[0], kernels[1])
    file = folder / "program.c"
    text = text.replace(programs.PROGRAM, str(file.with_suffix("")))
    file.write_text(text)
    command = re.search(r"^    (cc .*) && (.*)$", text, re.MULTILINE)
    assert command is not None
    subprocess.run(command[1], shell=True, check=True)
    ran = subprocess.run(command[2], shell=True, capture_output=True, check=False)
    assert ran.returncode in (0, 1)
    return ran.returncode == 0
