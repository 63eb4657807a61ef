"""A header that isn't one of ours is looked for where the machine's compiler would."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lifter.model.kernel import ParsedFile
from lifter.parse import kernel_to_text, parse_file
from lifter.parse.host_headers import host_headers

GOOD = "void good(unsigned char *d, int n) { for (int i = 0; i < n; i++) d[i] = WIDE; }\n"
Read = Callable[..., ParsedFile]


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Read]:
    """Parses a text on a machine with a compiler that says where its headers are."""
    for folder in ("bin", "c", "lib/gcc/12/include"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "c" / "wide.h").write_text("#include <sized.h>\n#define WIDE 3\n")
    (tmp_path / "c" / "sized.h").write_text("#include <stdint.h>\nstruct timespec { int odd; };\n")
    (tmp_path / "lib/gcc/12/include" / "vectors.h").write_text("#error not for clang\n")
    compiler = tmp_path / "bin" / "gcc"
    compiler.write_text(
        "#!/bin/sh\n"
        f'echo "$@" >> {tmp_path}/asked\n'
        "cat >&2 <<END\n"
        '#include "..." search starts here:\n'
        "#include <...> search starts here:\n"
        f" {tmp_path}/lib/gcc/12/include\n {tmp_path}/c\n {tmp_path}/nowhere\n"
        "End of search list.\nEND\n"
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/usr/bin:/bin")
    host_headers.cache_clear()

    def parsed(text: str, *arguments: str, name: str = "a.c") -> ParsedFile:
        path = tmp_path / name
        path.write_text(text + GOOD)
        return parse_file(path, clang_args=arguments)

    yield parsed
    host_headers.cache_clear()


@pytest.mark.parametrize("name", ["a.c", "a.cpp"])
def test_a_header_of_the_machine_is_read(read: Read, name: str) -> None:
    found = read("#include <wide.h>\n", name=name)
    assert [k.name for k in found.kernels] == ["good"] and not found.diagnostics


def test_what_ours_and_the_machines_disagree_on_costs_what_uses_it(read: Read) -> None:
    uses = "int bad(int *d) { struct timespec t; t.odd = 3; d[0] = t.odd; return 0; }\n"
    found = read(f"#include <time.h>\n#include <wide.h>\n{uses}")
    assert [k.name for k in found.kernels] == ["good"]
    assert [(s.name, s.diagnostic.code) for s in found.failed] == [("bad", "syntax-error")]
    assert all(d.span is None or d.span.file.endswith("a.c") for d in found.diagnostics)


def test_the_compiler_is_asked_only_where_a_header_is_missing(read: Read, tmp_path: Path) -> None:
    assert read("#include <stdint.h>\n#define WIDE 4\n").kernels
    assert not (tmp_path / "asked").exists()
    assert read("#include <wide.h>\n", "-DX=1").kernels
    asked = (tmp_path / "asked").read_text()
    assert "-E -v" in asked and "-DX" not in asked and "a.c" not in asked


@pytest.mark.parametrize(
    "arguments",
    [("--sysroot=/opt/board",), ("-isysroot", "/opt/board"), ("-target", "aarch64-linux-gnu")],
)
def test_headers_of_another_machine_are_not_this_one_s(
    read: Read, arguments: tuple[str, ...]
) -> None:
    found = read("#include <wide.h>\n", *arguments)
    assert not found.kernels and found.diagnostics[0].code == "missing-include"


def test_a_condition_asks_what_the_machine_has(read: Read) -> None:
    text = "#if __has_include(<{}.h>)\n#define WIDE 3\n#else\n#define WIDE 5\n#endif\n"
    for header, stored in (("wide", 3), ("narrow", 5)):
        (kernel,) = read(text.format(header)).kernels
        assert f"d[int64(i)] = {stored}\n" in kernel_to_text(kernel)


def test_a_condition_that_asks_for_what_is_the_compilers_own_is_not_answered(read: Read) -> None:
    text = "#define WIDE 3\n#if __has_include(<vectors.h>)\n#undef WIDE\n#define WIDE 5\n#endif\n"
    found = read(text)
    assert [s.diagnostic.code for s in found.failed] == ["missing-include"] and not found.kernels
    (error,) = found.diagnostics
    assert error.span is not None and error.span.line == 2 and "asks for" in error.message
    before = "void f(int *d) { d[0] = 1; }\n"
    after = "#if __has_include(<vectors.h>)\n#include <vectors.h>\n#endif\n"
    assert not read(before + "#define WIDE 3\n" + after).kernels


def test_without_a_compiler_ours_are_all(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    host_headers.cache_clear()
    assert not read("#include <wide.h>\n").kernels
    assert not read("#define WIDE 3\n#if __has_include(<narrow.h>)\n#endif\n").kernels
    assert read("#define WIDE 3\n#if __has_include(<stdint.h>)\n#endif\n").kernels


@pytest.mark.parametrize(
    "script",
    ["exit 1", "echo none >&2", "echo '#include <...> search starts here:' >&2", "kill $$"],
)
def test_a_compiler_that_is_broken_says_nothing(
    read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    (tmp_path / "bin" / "gcc").write_text(f"#!/bin/sh\n{script}\n")
    monkeypatch.setenv("PATH", f"{tmp_path}/bin")
    host_headers.cache_clear()
    assert host_headers() is None
    assert read("#include <wide.h>\n").diagnostics[0].code == "missing-include"
