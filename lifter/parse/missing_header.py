"""What is said of a file that includes a header which isn't there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..model.diagnostic import Diagnostic, Span
from ..model.kernel import Kernel, ParsedFile, Skipped
from .failure import finding

_CHOICE = re.compile(r"\s*#\s*(?P<word>if|ifdef|ifndef|elif)\b(?P<condition>.*)")
_COMMENT = re.compile(r"/\*.*?(\*/|$)|//.*")
_CONTINUED = re.compile(r"(?:[^\n]*\\\r?\n)+[^\n]*")
_WORD = re.compile(r"[A-Za-z_]\w*")
_OF_COMPILERS = re.compile(
    r"defined|__cplusplus|__STDC(_\w+)?__|_MSC_(FULL_)?VER|__(GNUC|GNUC_MINOR|GNUG|clang|"
    r"clang_major|clang_minor|INTEL_COMPILER|BORLANDC|MINGW32|MINGW64|CYGWIN|CUDACC|"
    r"x86_64|amd64|i386|i686|arm|aarch64|powerpc|powerpc64|mips|riscv|wasm|wasm32|linux|unix|APPLE|"
    r"ANDROID|FreeBSD|ALTIVEC|SSE|SSE2|SSE3|SSSE3|SSE4_1|SSE4_2|AVX|AVX2|AVX512\w+|FMA|F16C|BMI2|"
    r"ARM_\w+|OPTIMIZE|BYTE_ORDER|ORDER_\w+_ENDIAN|LP64|SIZEOF_\w+)(__)?|"
    r"_WIN32|_WIN64|_M_(X64|IX86|ARM|ARM64|AMD64)|_LP64|_OPENMP|__has_(attribute|builtin|feature)"
)
"""What compilers alone define: a header that did would change what all other headers mean."""


@dataclass(frozen=True)
class ReadText:
    """A text that a translation unit reads, the source's own among them.

    `place` says where it is included: the line in the source, that in the header which is included
    there, and so on, so that what is read later compares greater; the source's own is empty.
    """

    path: str
    text: str
    place: tuple[int, ...] = ()


def shown(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """What of one translation unit's findings helps its user.

    Nearly every syntax error after a missing header follows from it: they are counted in a note of
    the last missing header, not shown one by one. Without a missing header all are shown.
    """
    missing = [d for d in diagnostics if d.code == "missing-include"]
    hidden = sum(1 for d in diagnostics if d.code == "syntax-error")
    if not missing or not hidden:
        return tuple(diagnostics)
    errors = "1 error that follows isn't" if hidden == 1 else f"{hidden} errors that follow aren't"
    last = missing[-1]
    counted = replace(last, notes=(*last.notes, f"{errors} shown until the header is found"))
    return tuple(counted if d is last else d for d in diagnostics if d.code != "syntax-error")


def without_what_needs(
    parsed: ParsedFile,
    missing: Sequence[Diagnostic],
    functions: Sequence[Span],
    texts: Sequence[ReadText],
) -> ParsedFile:
    """The file without the functions that need a header which isn't there.

    `functions` are the places of the file's functions, `texts` what is read of the project, the
    file's own text first. A function needs what isn't there where something in it isn't declared,
    which clang says, and where the preprocessor chooses some of its lines afterwards: the header
    may define what decides that. All need it where the preprocessor chooses lines outside of
    functions. Others carry a warning: the header is taken to define no word that they use.
    """

    def failed(of: Kernel | Skipped, why: str) -> Skipped:
        found = replace(
            missing[0],
            span=of.span,
            message=f"`{of.name}` isn't lifted: {missing[0].message}, and {why}",
            notes=(),
        )
        return Skipped(of.name, of.span, of.signature, found)

    names = ", ".join(dict.fromkeys(f"`{_header(d)}`" for d in missing))
    verb = "isn't found: it is" if len(missing) == 1 else "aren't found: they are"
    words = f"{names} {verb} taken to define nothing that this function uses"
    own_text, *headers = texts
    first = min((_place(d, texts) for d in missing), default=())
    inside = {line: _around(line, functions) for line in _choices(own_text, first)}
    all_need = None in inside.values() or any(_choices(header, first) for header in headers)
    kernels: list[Kernel] = []
    lost: list[Skipped] = []
    for kernel in parsed.kernels:
        own = _around(kernel.span.line, functions)
        if all_need or own in inside.values():
            lost.append(failed(kernel, "what it defines may change what the function means"))
            continue
        taken = finding("assumed", "warning", kernel.span, words, missing[0].help)
        kernels.append(replace(kernel, warnings=(*kernel.warnings, taken)))
    before = (
        failed(f, "something that the function uses isn't declared without it")
        if f.diagnostic.code == "syntax-error"
        else f
        for f in parsed.failed
    )
    return replace(parsed, kernels=tuple(kernels), failed=(*before, *lost))


def _header(missing: Diagnostic) -> str:
    return missing.message.split("`")[1]


def _around(line: int, functions: Sequence[Span]) -> Span | None:
    """The function that a line belongs to."""
    return next((s for s in functions if s.line <= line <= s.end_line), None)


def _place(missing: Diagnostic, texts: Iterable[ReadText]) -> tuple[int, ...]:
    """Where a missing header would first be read; the beginning where that isn't known."""
    span = missing.span
    found = [(*t.place, span.line) for t in texts if span is not None and t.path == span.file]
    return min(found, default=())


def _choices(read: ReadText, after: tuple[int, ...]) -> list[int]:
    """The lines of a text, from the place `after` on, on which the preprocessor chooses: guards
    aside, and what compilers alone decide."""
    lines = _CONTINUED.sub(_in_one_line, read.text).split("\n")
    found = []
    for number, line in enumerate(lines, 1):
        choice = _CHOICE.match(line)
        if choice is None or (*read.place, number) < after:
            continue
        words = _WORD.findall(_COMMENT.sub("", choice["condition"]))
        if all(map(_OF_COMPILERS.fullmatch, words)):
            continue
        guard = next((one for one in lines[number:] if one.strip()), "")
        name = choice["condition"].strip()
        if choice["word"] == "ifndef" and re.match(rf"\s*#\s*define\s+{re.escape(name)}\b", guard):
            continue
        found.append(number)
    return found


def _in_one_line(match: re.Match[str]) -> str:
    """Lines that backslashes join, as one, with empty ones in place of the others."""
    return re.sub(r"\\\r?\n", " ", match[0]) + "\n" * match[0].count("\n")
