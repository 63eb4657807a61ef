"""What `lift cc` has made is taken again where nothing has changed that it was made of, and only
there. In place of lifting, these tests count."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from lifter.switch import CompilerCall, Switching, compile_switched, read_call, replace
from lifter.switch.outcome import Outcome
from tests.build.programs import need

SOURCE = '#include "k.h"\nint f(void) { return K; }\n'


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., bool]:
    """Calls `lift cc gcc ARGUMENTS`; whether something was lifted for it."""
    need("gcc")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.c").write_text(SOURCE)
    (tmp_path / "k.h").write_text("#define K 1\n")
    calls: list[CompilerCall] = []

    def lifted(call: CompilerCall, wanted: Switching, work: Path, began: int) -> Outcome:
        calls.append(call)
        subprocess.run(call.compiling(call.source, work / "joined.o", noted=work / "d"), check=True)
        return Outcome(["f"], {"g": "loop-carried"}, work / "joined.o", "a warning\n", True)

    monkeypatch.setattr(replace, "with_lifted_code", lifted)

    def run(*words: str, **wanted: object) -> bool:
        before = len(calls)
        call = read_call(["gcc", "-O1", *words, "-c", "k.c", "-o", "k.o"])
        assert call is not None
        (tmp_path / "k.o").unlink(missing_ok=True)
        assert compile_switched(call, Switching(lambda _: 0, **wanted)) == 0  # type: ignore[arg-type]
        alone = tmp_path / "alone.o"
        subprocess.run(call.compiling(call.source, alone, noted=tmp_path / "noted"), check=True)
        assert _code(tmp_path / "k.o") == _code(alone)
        return len(calls) > before

    return run


def _code(object: Path) -> bytes:
    command = ["objcopy", "-O", "binary", "-j", ".text", str(object), "/dev/stdout"]
    return subprocess.run(command, capture_output=True, check=True).stdout


def test_the_second_call_lifts_nothing_and_says_the_same(
    made: Callable[..., bool], capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert made("-MD")
    first, noted = capfd.readouterr().err, (tmp_path / "k.d").read_text()
    assert first == (
        "a warning\nlift: k.c: lifted code for f\nlift: k.c: C as before for g (loop-carried)\n"
    )
    (tmp_path / "k.d").unlink()
    assert not made("-MD")
    assert capfd.readouterr().err == first and (tmp_path / "k.d").read_text() == noted
    assert "k.h" in noted


def test_what_is_written_again_as_it_was_is_no_change(
    made: Callable[..., bool], tmp_path: Path
) -> None:
    assert made()
    for name in ("k.c", "k.h"):
        (tmp_path / name).write_text((tmp_path / name).read_text())
    assert not made()


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize(
    "change",
    ["header", "source", "option", "macro", "line", "environment", "wanted", "schedule", "object",
     "outcome", "compiler"],
)  # fmt: skip
def test_whatever_changes_is_lifted_again(
    made: Callable[..., bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    assert made() and not made()
    words, wanted = [], {}
    work = tmp_path / "k.o.lifted"
    match change:
        case "header":
            (tmp_path / "k.h").write_text("#define K 2\n")
        case "source":
            (tmp_path / "k.c").write_text(SOURCE.replace("K;", "K + 1;"))
        case "option":
            words = ["-O2"]
        case "macro":  # debuggers may know macros that nothing uses
            (tmp_path / "k.h").write_text("#define K 1\n#define UNUSED 2\n")
        case "line":
            (tmp_path / "k.c").write_text(f"\n{SOURCE}")
        case "environment":
            monkeypatch.setenv("LIFT_SOMETHING", "1")
        case "wanted":
            wanted = {"functions": ("f",)}
        case "schedule":
            (work / "f.schedule.py").write_text("")
        case "object":
            (work / "joined.o").write_bytes(b"no object")
        case "outcome":
            (work / "outcome.json").write_text("{")
        case "compiler":
            own = tmp_path / "bin" / "gcc"
            own.parent.mkdir()
            own.symlink_to(subprocess.check_output(["which", "gcc"], text=True).strip())
            monkeypatch.setenv("PATH", f"{own.parent}:/usr/bin:/bin")
    assert made(*words, **wanted) and not made(*words, **wanted)


@pytest.mark.parametrize("text", ['__asm__(".incbin \\"k.h\\"");', "const char *t = __TIME__;"])
def test_what_is_made_of_more_than_its_text_is_always_lifted(
    made: Callable[..., bool], tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "k.c").write_text(f"{SOURCE}{text}\n")
    assert made()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86399")  # another time, without waiting for it
    assert made()


def test_what_may_lift_the_next_time_is_tried_then(
    made: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = replace.with_lifted_code

    def lifted(*arguments: object) -> Outcome:
        outcome = own(*arguments)  # type: ignore[arg-type]
        return Outcome(outcome.switched, {"g": "timeout"}, outcome.object, "", True)

    monkeypatch.setattr(replace, "with_lifted_code", lifted)
    assert made() and made()
