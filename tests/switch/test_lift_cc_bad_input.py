"""What isn't as it should be when `lift cc` is called: it never fails where the compiler alone
wouldn't."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from lifter.switch import Switching, compile_switched, read_call, replace
from tests.build.programs import environment, lift, need, run

TEXT = """int told(void);
void f(unsigned char *d, int n) { told(); for (int i = 0; i < n; i++) d[i] = d[i] / 3; }
"""

MAIN = """int told(void) { return 0; }
void f(unsigned char *, int);
int main(void) { unsigned char c = 9; f(&c, 1); return c; }
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    need("gcc")
    (tmp_path / "k.c").write_text(TEXT)
    return tmp_path


def compiler(folder: Path, text: str) -> str:
    path = folder / "odd-gcc"
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    "error", [KeyError("x"), MemoryError(), RecursionError(), OSError(28, "full")]
)
def test_where_lift_itself_fails_the_compiler_alone_makes_the_object(
    source: Path, monkeypatch: pytest.MonkeyPatch, capfd, error: Exception
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.chdir(source)
    monkeypatch.setattr(replace, "_lift", fail)
    call = read_call(["gcc", "-O2", "-c", "k.c", "-o", "k.o"])
    assert call is not None
    assert compile_switched(call, Switching(lambda _: 0)) == 0
    said = capfd.readouterr().err
    assert "C as before for" in said and (source / "k.o").is_file()
    assert (type(error).__name__ if not isinstance(error, OSError) else "full") in said
    monkeypatch.chdir(source)
    (source / "k.o").unlink()
    assert compile_switched(call, Switching(lambda _: 0, required=True)) == 1
    assert not (source / "k.o").exists()


def test_settings_that_cant_be_read_leave_the_build_to_the_compiler(source: Path) -> None:
    (source / "lift.toml").write_text("[lift\n")
    words = ["gcc", "-O2", "-c", "k.c", "-o", "k.o"]
    command = [sys.executable, "-m", "lifter", "cc"]
    env = {"TMPDIR": str(source)}
    done = run([*command, *words], source, env)
    assert done.status == 0 and (source / "k.o").is_file()
    assert "lift.toml:1:6: error: " in done.err and "C++ as before" in done.err
    (source / "k.o").unlink()
    required = run([*command, "--require", *words], source, env)
    assert required.status == 2 and not (source / "k.o").exists()


@pytest.mark.slow
def test_response_files_that_are_none_are_the_compilers_to_tell(source: Path) -> None:
    (source / "itself").write_text("@itself")
    (source / "quoted").write_text("-DX='")
    (source / "old").write_bytes(b"-DX=\xe9 -O2")
    for name in ("itself", "quoted", "old"):
        words = ["gcc", f"@{name}", "-c", "k.c", "-o", "k.o"]
        plain = run(words, source)
        done = run([sys.executable, "-m", "lifter", "cc", *words], source)
        assert (done.status, done.err) == (plain.status, plain.err)


def test_what_is_no_file_is_written_to_and_a_link_stays_one(source: Path) -> None:
    """Where a build only tries a compiler, its object goes to /dev/null."""
    made = lift("cc", "gcc", "-O2", "-c", "k.c", "-o", "/dev/null", cwd=source)
    assert made.status == 0 and made.err == ""
    assert Path("/dev/null").is_char_device() and not Path("/dev/null.lifted").exists()
    (source / "k.o").symlink_to("real.o")
    made = lift("cc", "gcc", "-O2", "-c", "k.c", "-o", "k.o", cwd=source)
    assert "lifted code for f#1" in made.err
    assert (source / "k.o").is_symlink() and (source / "real.o").is_file()


def test_a_compiler_that_cant_be_started_is_named(source: Path) -> None:
    done = lift("cc", "no-such-clang", "-c", "k.c", cwd=source)
    assert done.status == 2 and "no-such-clang: no such compiler on PATH" in done.err
    garbage = compiler(source, "garbage")
    done = lift("cc", garbage, "-c", "k.c", "-o", "k.o", cwd=source)
    assert done.status == 126 and done.err == f"lift: error: {garbage}: Exec format error\n"
    killed = compiler(source, "#!/bin/sh\nkill -SEGV $$\n")
    assert lift("cc", killed, "-c", "k.c", "-o", "k.o", cwd=source).status == 139


@pytest.mark.slow
@pytest.mark.parametrize(
    "text, said",
    [
        ("for w; do case $w in -dumpmachine|-dM|-r|-iquote) exit 1;; esac; done", "no code for"),
        ("case $* in *-dumpmachine*) echo aarch64-linux-gnu; exit;; esac", "can't be joined"),
        ("case $* in *-dM*) echo '#define __STDC_VERSION__ 7'; exit;; esac", "doesn't say which C"),
        ("case $* in *-dM*) exit 1;; esac", "doesn't say what it has defined"),
        ("case $* in *'-r -nostdlib'*) exit 9;; esac", "-r ends with 9"),
        ("case $* in *-fno-lto*) exit 1;; esac", "guard can't be compiled"),
    ],
)  # fmt: skip
def test_a_compiler_that_is_old_broken_or_lies(source: Path, text: str, said: str) -> None:
    odd = compiler(source, f'#!/bin/sh\n{text}\nexec gcc "$@"\n')
    done = lift("cc", odd, "-O2", "-c", "k.c", "-o", "k.o", cwd=source)
    assert done.status == 0 and "lifted code" not in done.err and said in done.err
    (source / "m.c").write_text(MAIN)
    assert run(["gcc", "m.c", "k.o", "-o", "m"], source).status == 0
    assert run([source / "m"]).status == 3


@pytest.mark.slow
def test_two_builds_of_one_object_at_once(source: Path) -> None:
    """Under two sets of flags: the object is that of one of them, and whole."""
    loop = "for (int i = 0; i < n; i++) d[i] = d[i] / K + {0};"
    body = f"void f{{0}}(unsigned char *d, int n) {{{{ told(); {loop} }}}}\n"
    (source / "k.c").write_text("int told(void);\n" + "".join(body.format(i) for i in range(5)))
    words = ["cc", "gcc", "-O2", "-c", "k.c", "-o", "k.o"]
    own = [
        subprocess.Popen(
            [sys.executable, "-m", "lifter", *words, f"-DK={k}"],
            cwd=source, env=environment(), stderr=subprocess.PIPE, text=True,
        )
        for k in (3, 4, 3)
    ]  # fmt: skip
    said = [process.communicate(timeout=600)[1] for process in own]
    assert [process.returncode for process in own] == [0, 0, 0]
    assert all("lifted code for f0#1, f1#1, f2#1, f3#1, f4#1" in text for text in said)
    (source / "m.c").write_text(
        "int told(void) { return 0; } void f1(unsigned char *, int);\n"
        "int main(void) { unsigned char c = 12; f1(&c, 1); return c; }\n"
    )
    assert run(["gcc", "m.c", "k.o", "-o", "m", "-lm", "-lpthread"], source).status == 0
    assert run([source / "m"]).status in (4, 5)


@pytest.mark.slow
def test_one_file_under_two_flag_sets_has_two_objects(source: Path) -> None:
    (source / "k.c").write_text(TEXT.replace("/ 3", "/ K"))
    for k in (3, 5):
        words = ["gcc", "-O2", f"-DK={k}", "-c", "k.c", "-o", f"k{k}.o"]
        assert "lifted code for f#1" in lift("cc", *words, cwd=source).err
    for k in (3, 5):
        (source / "m.c").write_text(MAIN.replace("9", "45"))
        assert run(["gcc", "m.c", f"k{k}.o", "-o", "m", "-lm", "-lpthread"], source).status == 0
        assert run([source / "m"]).status == 45 // k


@pytest.mark.slow
def test_two_builds_of_one_folder_of_results_at_once(source: Path) -> None:
    assert lift("k.c", "-o", "lifted", cwd=source).status == 0
    command = [sys.executable, "-m", "lifter", "build", "lifted"]
    own = [
        subprocess.Popen(command, cwd=source, env=environment(), stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    said = [process.communicate(timeout=600)[0] for process in own]
    assert [process.returncode for process in own] == [0, 0, 0], said
