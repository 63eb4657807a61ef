"""With which options `lift` reads a source as the compiler of a call does.

What the compiler has defined before the first line is asked of itself, with all options of the
call, so `#if` goes the same way for both. Each option is one that decides nothing, one that is
passed on, or one that isn't understood; then nothing is lifted.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from .compiler_call import CompilerCall, preprocessor_options, without_notes

_PASSED_ON = re.compile(
    r"-trigraphs|-f(no-)?((un)?signed-char|char8_t|short-enums|exceptions|rtti|openmp|ms-extensions"
    r"|(fast|unsafe|associative|reciprocal|finite)-math.*|signed-zeros|honor-.*|approx-func)"
    r"|-Ofast|-ffp-(contract|model)=.*|-mrecip.*|-fno-(hosted|builtin.*)|-ffreestanding"
)
_FUSES = ("__FMA__", "__FMA4__", "__ARM_FEATURE_FMA")
_WITH_PATH = ("-isystem", "-iquote", "-idirafter", "-I")
_WITH_FILE = ("-include", "-imacros")
_OVERFLOWS = re.compile(r"-f(wrapv(-pointer)?|trapv|no-strict-overflow)")
_DECIDES_NOTHING = re.compile(
    r"-(W(?!p,|[al],).*|W[al],.*|w|g.*|O.*|p|pg|pipe|pedantic.*|v|Q.*|H|s|P|C|CC|d[A-Z].*|D.*|U.*|undef|"
    r"M[A-Z]*|M[FTQ].+|ansi|-?std=.*|-define-macro=.*|-undefine-macro=.*|pthread|[LlTuzB].*|"
    r"static.*|shared.*|rdynamic|no-pie|pie|nostdinc(\+\+)?|nostdlib(\+\+)?|nostartfiles|"
    r"nodefaultlibs|stdlib=.*|save-temps.*|dumpbase.*|dumpdir|aux-info|-?coverage|-param.*|"
    r"Xlinker|Xassembler|-?target.*|-?sysroot.*|isysroot|"
    r"f(?!(no-)?(un)?signed-bitfields|pack-struct|single-precision|rounding-math|short-|plugin|sso-|"
    r"(no-)?(pcc|reg)-struct-return|exec-charset|wide-exec|input-charset|preprocessed|directives-only|"
    r"fixed-|call-used-|call-saved-|ms-|gnu-tm|include-|cuda|hip|sycl|modules).*|"
    r"m(64|(arch|tune|cpu|prefer-vector-width|branch-protection|indirect-branch|function-return|"
    r"tls-dialect|harden-sls)=.*|cmodel=(small|medium)|fpmath=sse|sse.*|ssse3|mmx|omit-leaf.*|"
    r"no-omit-leaf.*|(no-)?(avx.*|sse[34].*|fma4?|f16c|bmi2?|lzcnt|popcnt|abm|aes|sha|pclmul|movbe|"
    r"rdrnd|rdseed|adx|cx16|fsgsbase|xsave.*|prfchw|gfni|vaes|vpclmulqdq|sahf|vzeroupper|shstk|"
    r"outline-atomics|stackrealign)))"
)
"""Options that have no say in what a source means and how its functions are called, beside the
macros that they define."""
_PREPROCESSOR = re.compile(r"-([DU].*|M[A-Z]*)")
_STANDARDS = {
    "199711": "98", "201103": "11", "201402": "14", "201703": "17", "201709": "20",
    "202002": "20", "202100": "2b", "202101": "2b", "202302": "2b",
}  # fmt: skip
"""By the value of `__cplusplus`."""
_STANDARDS_OF_C = {
    "": "89", "199409": "89", "199901": "99", "201112": "11", "201710": "17",
    "202000": "2x", "202311": "2x",
}  # fmt: skip
"""By the value of `__STDC_VERSION__`."""


class NotUnderstood(ValueError):
    """An option, or the compiler itself, that `lift` can't follow; says which."""


def reading_options(call: CompilerCall, triple: str, macros: Path) -> list[str]:
    """The options for Clang; the compiler's own macros are written to the file `macros`.

    Raises `NotUnderstood`, and `OSError` where that file can't be written.
    """
    passed = list(_passed_on(call))
    told = _macros(call)
    defined = dict(re.findall(r"^#define (\w+)(?:\([^)]*\))? ?(.*)$", told, re.MULTILINE))
    version, standards, language = "__cplusplus", _STANDARDS, "C++"
    if call.is_c:
        version, standards, language = "__STDC_VERSION__", _STANDARDS_OF_C, "C"
    standard = standards.get(defined.get(version, "").rstrip("L"))
    if standard is None:
        raise NotUnderstood(f"{call.compiler[-1]} doesn't say which {language} it reads")
    kind = ("" if "__STRICT_ANSI__" in defined else "gnu") + ("" if call.is_c else "++")
    kind = {"": "c", "++": "c++"}.get(kind, kind)
    macros.write_text(told, "utf-8")
    own = [f"--target={triple}", f"-std={kind}{standard}", "-undef", "-imacros", str(macros)]
    if any(name in defined for name in _FUSES) and not _keeps_apart(call, "gnu" not in kind):
        passed.append("-ffp-contract=fast")
    return [*own, *passed]


def _keeps_apart(call: CompilerCall, strict: bool) -> bool:
    """Whether the compiler rounds each product and each sum, on a machine that has both in one."""
    asked = [o[0] for o in call.options if o[0].startswith("-ffp-contract=")]
    by_itself = strict and "clang" not in os.path.basename(call.compiler[-1])
    return asked[-1] == "-ffp-contract=off" if asked else by_itself


def _passed_on(call: CompilerCall) -> Iterator[str]:
    """The options that Clang needs, too."""
    options = iter(call.options)
    for option in options:
        first = option[0]
        if first == "-Xclang":
            yield from _to_clang_itself(option, options)
        elif first.startswith("-Wp,"):
            if not all(map(_PREPROCESSOR.fullmatch, preprocessor_options(first))):
                raise NotUnderstood(f"{first} isn't understood")
        elif _OVERFLOWS.fullmatch(first):
            raise NotUnderstood(f"{first} gives overflows a result, which lift takes as undefined")
        elif _PASSED_ON.fullmatch(first):
            yield first
        elif name := next((n for n in (*_WITH_FILE, *_WITH_PATH) if first.startswith(n)), None):
            value = option[1] if len(option) > 1 else first[len(name) :]
            if value.startswith(("=", "-")) or (name in _WITH_FILE and first != name):
                raise NotUnderstood(f"{' '.join(option)} isn't understood")
            yield from (name, value)
        elif not _DECIDES_NOTHING.fullmatch(first):
            raise NotUnderstood(f"{first} isn't understood")


def _to_clang_itself(option: tuple[str, ...], options: Iterator[tuple[str, ...]]) -> Iterator[str]:
    """`-Xclang WORD -Xclang WORD`: what CMake says of precompiled headers, and nothing else."""
    word = option[1] if len(option) > 1 else ""
    if word in ("-include", "-include-pch"):
        following = next(options, ())
        if len(following) == 2 and following[0] == "-Xclang":
            yield from (word, following[1]) if word == "-include" else ()
            return
    raise NotUnderstood(f"-Xclang {word} isn't understood")


def _macros(call: CompilerCall) -> str:
    """The definitions that the compiler begins with, as preprocessor lines."""
    words = [
        word
        for option in call.options
        if not option[0].startswith(("-Xclang", *_WITH_FILE))
        for word in without_notes(option)
    ]
    language = "c" if call.is_c else "c++"
    asked = [*call.compiler, *words, "-w", "-dM", "-E", "-x", language, os.devnull]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
    except OSError as error:
        raise NotUnderstood(f"{call.compiler[0]} can't be asked: {error.strerror}") from None
    if done.returncode or ("#define __cplusplus" in done.stdout) == call.is_c:
        raise NotUnderstood(f"{call.compiler[-1]} doesn't say what it has defined")
    # Whether a header is there is Clang's to answer.
    lines = [n for n in done.stdout.splitlines() if re.match(r"#define (?!__has_)", n)]
    return "\n".join([*lines, ""])
