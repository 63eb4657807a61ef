"""A compiler's command line, as far as `lift cc` must understand it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SUFFIXES = (".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".CPP")
_WITH_VALUE = frozenset(
    (
        "-o", "-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-D", "-U", "-x",
        "-MF", "-MT", "-MQ", "-Xclang", "-arch", "-target", "-Xpreprocessor", "-Xassembler",
        "-Xlinker", "--param", "-isysroot", "-L", "-l", "-T", "-u", "-z", "-B", "-aux-info",
        "-dumpbase", "-wrapper", "-specs", "-iprefix", "-iwithprefix", "-imultilib", "-G",
    )
)  # fmt: skip
"""Options whose value may be the next word."""
_NO_OBJECT = ("-E", "-S", "-M", "-MM", "-fsyntax-only", "--help", "--version")
_MEANINGFUL = (
    "-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-D", "-U", "-std=",
    "-isysroot", "--sysroot", "-m", "-O", "-fsigned-char", "-funsigned-char", "-fopenmp",
    "-fshort-enums", "-fno-exceptions", "-fno-rtti", "-fchar8_t", "-pthread", "-target", "--target",
)  # fmt: skip
"""Options that decide what a source says, for any compiler: those that `lift` parses with."""
_FOR_LINKER = ("-m32", "-m64", "-mx32", "--target", "-target", "--sysroot", "-B", "-fuse-ld")


@dataclass(frozen=True, slots=True)
class CompilerCall:
    """`COMPILER... -c SOURCE -o OBJECT` and its options."""

    compiler: tuple[str, ...]
    """The compiler, after a launcher such as ccache."""
    options: tuple[tuple[str, ...], ...]
    """All else but source and output: an option with its value, if that is a word of its own."""
    source: Path
    output: Path

    def parsing(self) -> list[str]:
        """The options that decide what the source says."""
        return [
            word for option in self.options if option[0].startswith(_MEANINGFUL) for word in option
        ]

    def linking(self) -> list[str]:
        """The options that decide which linker is right."""
        return [
            word for option in self.options if option[0].startswith(_FOR_LINKER) for word in option
        ]

    def compiling(self, source: Path, output: Path, more: Sequence[str] = ()) -> list[str]:
        """The same call for another source and output. Dependencies are noted as they would be."""
        given = {option[0] for option in self.options}
        words = [word for option in self.options for word in option]
        if given & {"-MD", "-MMD"}:
            if "-MF" not in given:
                words += ["-MF", str(self.output.with_suffix(".d"))]
            if not given & {"-MT", "-MQ"}:
                words += ["-MT", str(self.output)]
        return [*self.compiler, *words, *more, "-c", str(source), "-o", str(output)]

    @property
    def is_clang(self) -> bool:
        return "clang" in Path(self.compiler[-1]).name


def read_call(words: Sequence[str]) -> CompilerCall | None:
    """Understands a command line; None where it isn't the compilation of one C++ source to an
    object, so that there is nothing to switch."""
    words = _expanded(words)
    start = 0
    while start < len(words) and not words[start].startswith(("-", "@")):
        if start and words[start].endswith(SUFFIXES):
            break
        start += 1
    options: list[tuple[str, ...]] = []
    sources: list[str] = []
    output: str | None = None
    compiles = False
    position = start
    while position < len(words):
        word = words[position]
        has_value = word in _WITH_VALUE and position + 1 < len(words)
        option = tuple(words[position : position + 1 + has_value])
        position += len(option)
        if word == "-c":
            compiles = True
        elif word == "-o" and has_value:
            output = option[1]
        elif word.startswith("-o") and len(word) > 2:
            output = word[2:]
        elif word in _NO_OBJECT or word == "-" or word.startswith(("-x", "@")):
            # No object, or of a source in another language.
            return None
        elif word.startswith("-"):
            options.append(option)
        else:
            sources.append(word)
    if not compiles or start == 0 or len(sources) != 1 or not sources[0].endswith(SUFFIXES):
        return None
    source = Path(sources[0])
    object = Path(output) if output is not None else Path(f"{source.stem}.o")
    return CompilerCall(tuple(words[:start]), tuple(options), source, object)


def _expanded(words: Sequence[str]) -> list[str]:
    """The words with those of response files in place of `@FILE`."""
    found: list[str] = []
    for word in words:
        if word.startswith("@") and Path(word[1:]).is_file():
            found += _expanded(shlex.split(Path(word[1:]).read_text("utf-8")))
        else:
            found.append(word)
    return found
