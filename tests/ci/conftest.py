"""Reports are written in a small repository of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lifter.ci import ReportedCase, write_cases
from lifter.command_line import run
from lifter.model.diagnostic import Diagnostic
from tests.ci.hostile import HOSTILE, SOURCE, failing


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository, as the working directory, on a machine that is no CI's."""
    for name in ("GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE", "CI_PROJECT_DIR", "LIFT_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    root = tmp_path / "repository"
    (root / ".git").mkdir(parents=True)
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def hostile_cases(repository: Path) -> list[ReportedCase]:
    """A failing case for each hostile name, whose files are there."""
    for name in HOSTILE:
        (repository / name).write_text(SOURCE, "utf-8")
    return [failing(name) for name in HOSTILE]


@pytest.fixture
def written(repository: Path) -> Callable[..., str]:
    """What `write_cases` gives for a form and cases."""

    def write(
        form: str, cases: list[ReportedCase], *diagnostics: Diagnostic, status: int = 1
    ) -> str:
        return write_cases(form, cases, diagnostics, status=status, seconds=1.5)

    return write


@pytest.fixture
def lift(
    repository: Path, capfd: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Runs `lift ARGUMENTS` in the repository: status, stdout, stderr."""

    def call(*arguments: str) -> tuple[int, str, str]:
        capfd.readouterr()
        status = run(list(arguments))
        said = capfd.readouterr()
        return status, said.out, said.err

    return call
