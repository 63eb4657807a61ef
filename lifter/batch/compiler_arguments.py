"""One compiler's command line as the flags that decide what a source means.

What only concerns the compiler's output, its warnings or its speed is left out, and so is whatever
would load code into libclang (plug-ins). Nothing here runs anything or asks a shell.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_WRAPPERS = frozenset(
    (
        "ccache", "sccache", "distcc", "icecc", "buildcache", "gomacc", "cachecc1", "libtool",
        "env", "time", "nice", "ionice", "cmake", "python", "python3",
    )
)  # fmt: skip
_COMPILER = re.compile(
    r"(?:.*-)?(?:cc|c\+\+|gcc|g\+\+|clang|clang\+\+|clang-cl|cl|icc|icpc|icx|icpx|dpcpp|nvcc|hipcc|"
    r"armclang|emcc|em\+\+|xlc|xlc\+\+|nvc|nvc\+\+|tcc)(?:-\d+(?:\.\d+)*)?(?:\.exe)?",
    re.IGNORECASE,
)
_CL = re.compile(r"(?:.*-)?(?:cl|clang-cl)(?:-\d+)?(?:\.exe)?", re.IGNORECASE)

_PATHS = ("-isystem", "-iquote", "-idirafter", "-isysroot", "-imsvc", "-cxx-isystem", "-iframework")
_SYSROOT = "--sysroot"
_FILES = ("-include", "-imacros")
_WITH_VALUE = frozenset(
    (
        "-o", "-MF", "-MT", "-MQ", "-MJ", "-Xlinker", "-Xassembler", "--param",
        "-aux-info", "-T", "-u", "-z", "-L", "-l", "-e", "-A", "-B", "-specs", "--config", "-G",
        "-include-pch", "-ivfsoverlay", "-wrapper", "-dumpbase", "-dumpdir", "-dumpbase-ext",
        "-index-store-path", "-serialize-diagnostics", "--serialize-diagnostics",
        "-working-directory",
        "-install_name", "-current_version", "-compatibility_version", "-framework", "-mllvm",
        "-Xarch_host", "-Xarch_device", "-Xcuda-ptxas", "-Xcuda-fatbinary", "-ccbin", "-gencode",
    )
)  # fmt: skip
"""Flags without a meaning for us that take the next argument with them."""
_WITHOUT_MEANING = re.compile(
    r"-(?:[cSEvsgwp]$|g\d$|g[a-z]+[-=\d]?.*|M[A-Z]*$|M[FTQJ].+|W(?!p,).*|pipe$|pedantic.*|ansi$|"
    r"[lLoBzTu].+|static.*|shared.*|pthread$|rdynamic$|save-temps.*|specs=.*|no-canonical-prefixes$|"
    r"nostd.*|nodefaultlibs$|stdlib=.*|Q.*|H$|P$|C$|CC$|d[A-Z].*|fplugin.*|fpass-plugin.*|"
    r"f(?:no-)?(?:pic|PIC|pie|PIE|lto.*|stack-.*|sanitize.*|profile.*|coverage.*|test-coverage|"
    r"visibility.*|diagnostics.*|color-diagnostics|caret-diagnostics|debug.*|file-prefix-map.*|"
    r"macro-prefix-map.*|modules.*|module-.*|deps.*|openmp.*|openacc.*|cf-protection.*|plt|"
    r"semantic-interposition|function-sections|data-sections|unroll-.*|tree-.*|inline.*|omit-.*|"
    r"unwind-tables|asynchronous-unwind-tables|rtti|exceptions|spell-checking|message-length.*|"
    r"error-limit.*|template-backtrace-limit.*|integrated-.*|use-cxa-atexit|common|crash-.*|"
    r"save-.*|time-.*|slp-.*|vectorize|ident|verbose-asm|working-directory.*|reorder-.*|align-.*))$"
)


_LOOSE = "-funsafe-math-optimizations"
_LOOSE_FLOATS = re.compile(
    r"-(?:mfpmath=.*(?:387|both).*|mdaz-ftz|mlow-precision-.*|ffp-model=aggressive"
    r"|use_fast_math|Mfprelaxed.*|fast)"
)
"""Flags that let floats be computed otherwise, and that libclang doesn't know."""
_INTEL = re.compile(r"(?:.*-)?(?:icc|icpc|icx|icpx|dpcpp)(?:-\d+(?:\.\d+)*)?(?:\.exe)?")
"""Compilers whose floats are loose unless they are told otherwise."""


@dataclass(slots=True)
class Arguments:
    """What is left of a command: `rest` goes to libclang as it is, in its order."""

    std: str | None = None
    includes: list[str] = field(default_factory=list)
    macros: dict[str, str | None] = field(default_factory=dict)
    """By name `-D`'s text, or None where `-U` undefines it; the last one counts."""
    rest: list[str] = field(default_factory=list)
    is_cl: bool = False

    @property
    def defines(self) -> tuple[str, ...]:
        return tuple(text for text in self.macros.values() if text is not None)

    @property
    def arguments(self) -> tuple[str, ...]:
        """What libclang gets beside standard, folders and macros."""
        gone = [f"-U{name}" for name, text in self.macros.items() if text is None]
        return (*gone, *self.rest)

    def macro(self, text: str) -> None:
        """`-D`: NAME, NAME=VALUE or NAME(x)=VALUE."""
        name = re.split(r"[=(]", text, maxsplit=1)[0]
        self.macros.pop(name, None)
        self.macros[name] = text

    def undefine(self, name: str) -> None:
        """`-U`."""
        self.macros.pop(name, None)
        self.macros[name] = None


def read_arguments(command: Sequence[str], directory: str, file: str) -> Arguments:
    """The meaning of a command whose first words name a compiler, maybe behind wrappers.

    `directory` is where it runs, an absolute path; `file` the source, absolute too.
    """
    compiler, own = _without_compiler(command)
    found = Arguments(is_cl=bool(_CL.fullmatch(_name(compiler))) or "--driver-mode=cl" in own)
    if found.is_cl:
        own = list(_from_cl(own))
    if _INTEL.fullmatch(_name(compiler)):
        found.rest.append(_float_model("fast"))
    _Reading(found, directory, file).read(own)
    return found


class _Reading:
    def __init__(self, found: Arguments, directory: str, file: str) -> None:
        self.found = found
        self.directory = directory
        self.file = os.path.normpath(file)
        self.sysroot = ""

    def read(self, arguments: Sequence[str]) -> None:
        pending = iter(arguments)
        for argument in pending:
            if argument == "--":
                break
            if argument.startswith("-") and argument != "-":
                self._flag(argument, pending)
            # Else the source, or another file of the compiler's.

    def _flag(self, flag: str, pending: Iterator[str]) -> None:
        found = self.found
        if flag == "-Xclang":
            self._to_the_compiler_proper(pending)
        elif flag == "-Xpreprocessor":
            self.read(_of_preprocessor([next(pending, "")]))
        elif flag in ("-x", "--language"):
            self._language(next(pending, ""))
        elif flag.startswith("-x") and len(flag) > 2:
            self._language(flag[2:])
        elif flag in ("-target", "--target", "-arch"):
            found.rest.append(f"--target={next(pending, '')}")
        elif (value := _joined(flag, pending, ("-I", "--include-directory="))) is not None:
            found.includes.append(self._path(value))
        elif (value := _joined(flag, pending, ("-D", "--define-macro="))) is not None:
            found.macro(value)
        elif (value := _joined(flag, pending, ("-U", "--undefine-macro="))) is not None:
            found.undefine(value)
        elif (value := _joined(flag, pending, ("-std=", "--std=", "--std"))) is not None:
            found.std = value or None
        elif (value := _joined(flag, pending, ("--sysroot=", "--sysroot"))) is not None:
            self.sysroot = self._path(value)
            found.rest.append(f"{_SYSROOT}={self.sysroot}")
        elif name := next((p for p in _FILES if flag == p or flag == f"-{p}"), None):
            found.rest += [name, self._file(next(pending, ""))]
        elif flag.startswith("--include="):
            found.rest += ["-include", self._file(flag.removeprefix("--include="))]
        elif name := next((p for p in _PATHS if flag.startswith(p)), None):
            value = flag[len(name) :] or next(pending, "")
            name = "-isystem" if name in ("-imsvc", "-cxx-isystem") else name
            found.rest += [name, self._path(value)]
        elif flag.startswith("-Wp,"):
            self.read(_of_preprocessor(flag[4:].split(",")))
        elif flag.startswith("-O"):
            self._level(flag)
        elif flag.startswith("-fp-model="):
            found.rest.append(_float_model(flag.removeprefix("-fp-model=")))
        elif _LOOSE_FLOATS.fullmatch(flag):
            found.rest.append(_LOOSE)
        elif flag == "-fp-model":
            found.rest.append(_float_model(next(pending, "")))
        elif flag in _WITH_VALUE:
            next(pending, "")
        elif not _WITHOUT_MEANING.match(flag):
            found.rest.append(flag)

    def _level(self, flag: str) -> None:
        """Of the optimization levels the last one counts, and of it only what floats become."""
        rest = self.found.rest
        rest[:] = [f for f in rest if f != "-Ofast"]
        if flag == "-Ofast":
            rest.append(flag)

    def _to_the_compiler_proper(self, pending: Iterator[str]) -> None:
        """`-Xclang FLAG`: CMake's `-include` alone; the others load plug-ins, dump, or tune."""
        if next(pending, "") == "-include" and next(pending, "") == "-Xclang":
            self.found.rest += ["-include", self._file(next(pending, ""))]

    def _language(self, name: str) -> None:
        language = {"c": "c", "c++": "c++", "c-header": "c", "c++-header": "c++"}.get(name)
        if language is not None:
            self.found.rest += ["-x", language]

    def _path(self, path: str) -> str:
        if path.startswith("="):
            return os.path.normpath(f"{self.sysroot}/{path[1:]}")
        return os.path.normpath(os.path.join(self.directory, path))

    def _file(self, path: str) -> str:
        """A file of `-include`: below the folder, or else one that the include folders have."""
        here = self._path(path)
        return here if os.path.exists(here) else path


def _float_model(name: str) -> str:
    """Intel's `-fp-model NAME`, as libclang has it."""
    return f"-ffp-model={'fast' if name.startswith('fast') else 'precise'}"


def _without_compiler(command: Sequence[str]) -> tuple[str, list[str]]:
    """The compiler's name and its own arguments: wrappers go, with what is theirs."""
    words = list(command)
    if words and _name(words[0]) in _WRAPPERS:
        for number, word in enumerate(words[1:], 1):
            if _COMPILER.fullmatch(_name(word)):
                return word, words[number + 1 :]
    return (words[0], words[1:]) if words else ("", [])


def _name(path: str) -> str:
    return re.split(r"[/\\]", path)[-1]


def _joined(flag: str, pending: Iterator[str], names: Sequence[str]) -> str | None:
    """The value of `-Ivalue`, `-I value` or `--long=value`; None for another flag."""
    for name in names:
        if flag == name and not name.endswith("="):
            return next(pending, "")
        if flag.startswith(name) and (name.endswith("=") or not name.startswith("--")):
            return flag[len(name) :]
    return None


def _of_preprocessor(parts: Sequence[str]) -> list[str]:
    """What `-Wp,A,B` gives the preprocessor; a dependency file's name goes with its flag."""
    found: list[str] = []
    skip = False
    for part in parts:
        if skip:
            skip = False
        elif part in ("-MD", "-MMD", "-MF", "-MT", "-MQ"):
            skip = True
        else:
            found.append(part)
    return found


def _from_cl(arguments: Sequence[str]) -> Iterator[str]:
    """The arguments of Microsoft's compiler in the other compilers' spelling."""
    pending = iter(arguments)
    for argument in pending:
        flag = f"-{argument[1:]}" if argument[:1] in "/-" and len(argument) > 1 else argument
        if flag.startswith(("-clang:",)):
            yield flag.removeprefix("-clang:")
        elif flag[:2] in ("-I", "-D", "-U"):
            yield flag[:2] + (flag[2:] or next(pending, ""))
        elif flag.startswith("-std:"):
            yield f"-std={flag[5:].replace('latest', '2b')}"
        elif flag.startswith("-FI"):
            yield from ("-include", flag[3:] or next(pending, ""))
        elif flag.startswith(("-imsvc", "-external:I")):
            name = "-imsvc" if flag.startswith("-imsvc") else "-external:I"
            yield from ("-isystem", flag[len(name) :].lstrip(" ") or next(pending, ""))
        elif flag.startswith("-fp:"):
            yield _float_model(flag.removeprefix("-fp:"))
        elif flag in ("-TC", "-TP"):
            yield from ("-x", "c" if flag == "-TC" else "c++")
        elif flag == "-J":
            yield "-funsigned-char"
        elif flag.startswith(("-f", "-m", "--target=")) and argument.startswith("-"):
            yield flag
