"""A compiler's command line, as far as `lift cc` must understand it."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SUFFIXES = (".c", ".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".CPP")
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

    def linking(self) -> list[str]:
        """The options that decide which linker is right."""
        return [
            word for option in self.options if option[0].startswith(_FOR_LINKER) for word in option
        ]

    def compiling(
        self,
        source: Path,
        output: Path,
        more: Sequence[str] = (),
        noted: Path | None = None,
        first: Sequence[str] = (),
    ) -> list[str]:
        """The same call for another source and output, with options before and behind its own.

        Dependencies are noted as they would be, or in `noted` and nowhere else.
        """
        if noted is None:
            words = self._words_with_notes()
        else:
            words = [word for option in self.options for word in without_notes(option)]
            words += ["-MD", "-MF", str(noted)]
        return [*self.compiler, *first, *words, *more, "-c", str(source), "-o", str(output)]

    def noting(self) -> list[str] | None:
        """The call that only notes dependencies as this one does; None where this one doesn't."""
        words = [word for option in self.options for word in without_notes(option)]
        if words == [word for option in self.options for word in option]:
            return None
        return [*self.compiler, *self._words_with_notes(), "-E", str(self.source), "-o", os.devnull]

    def _words_with_notes(self) -> list[str]:
        """All options; where notes go, and of what, doesn't depend on source and output."""
        given = {option[0][:3] for option in self.options}
        words = [word for option in self.options for word in option]
        if {option[0] for option in self.options} & {"-MD", "-MMD"}:
            if "-MF" not in given:
                words += ["-MF", str(self.output.with_suffix(".d"))]
            if not given & {"-MT", "-MQ"}:
                words += ["-MQ", str(self.output)]
        return words

    @property
    def is_c(self) -> bool:
        """Whether the source is C, not C++."""
        return self.source.suffix == ".c"

    @property
    def is_clang(self) -> bool:
        return "clang" in Path(self.compiler[-1]).name

    @property
    def watches(self) -> str | None:
        """The option that says that this build is there to look at the code as it is written: a
        sanitizer, coverage, or no optimization at all. None for a build that is there to be run.

        Without any `-O` nobody has said which it is.
        """
        optimized: str | None = None
        sanitizers: dict[str, str] = {}
        measured: str | None = None
        for word, *_ in self.options:
            if re.fullmatch(r"-O.*", word):
                optimized = word
            elif found := re.fullmatch(r"-f(no-)?sanitize(-coverage)?=(.*)", word):
                for name in found[3].split(","):
                    if found[1] is None:
                        sanitizers[name] = word
                    elif name == "all":
                        sanitizers.clear()
                    else:
                        sanitizers.pop(name, None)
            elif _MEASURING.fullmatch(word):
                measured = word
        plain = optimized if optimized in ("-O0", "-Og") else None
        return next(iter(sanitizers.values()), None) or measured or plain


_MEASURING = re.compile(
    r"-?-coverage|-fprofile-arcs|-ftest-coverage|-fcoverage-.*|-fcondition-coverage|-fcs-.*"
    r"|-fprofile-(instr-)?generate(=.*)?|-finstrument-functions.*|-fmcdc"
)
"""Options that count what is run of the source."""
_NOTES = re.compile(r"-M(D|MD|P|G)|-M[FTQ].*")
"""Options about dependencies that go with a compilation."""


def _parts(option: str) -> list[str]:
    """What `-Wp,A,B` gives the preprocessor."""
    return option.split(",")[1:] if option.startswith("-Wp,") else []


def without_notes(option: tuple[str, ...]) -> list[str]:
    """The words of an option but for what it says about dependencies."""
    if not option[0].startswith("-Wp,"):
        return [] if _NOTES.fullmatch(option[0]) else list(option)
    kept = preprocessor_options(option[0], _NOTES)
    return [",".join(["-Wp", *kept])] if kept else []


def preprocessor_options(option: str, but: re.Pattern[str] | None = None) -> list[str]:
    """The options in `-Wp,A,B` but for those that match; files of dependencies aren't options."""
    found: list[str] = []
    words = iter(_parts(option))
    for word in words:
        if but is None or not but.fullmatch(word):
            found.append(word)
        if re.fullmatch(r"-M(D|MD|F|T|Q)", word):
            next(words, None)
    return found


def read_call(words: Sequence[str]) -> CompilerCall | None:
    """Understands a command line; None where it isn't the compilation of one C or C++ source to an
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
        elif word in _NO_OBJECT or word in ("-", "--") or word.startswith(("-x", "@")):
            # No object, or of a source in another language.
            return None
        elif word.startswith("-"):
            options.append(option)
        else:
            sources.append(word)
    if not compiles or start == 0 or len(sources) != 1 or not sources[0].endswith(SUFFIXES):
        return None
    source = Path(sources[0])
    if source.suffix == ".c" and Path(words[start - 1]).name.rstrip("-.0123456789").endswith("++"):
        return None  # to such a compiler it is C++
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
