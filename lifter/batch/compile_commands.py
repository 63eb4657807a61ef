"""`compile_commands.json`: the sources of a project, each with the flags that it is built with.

The format is Clang's JSON compilation database. An entry that can't be used is an error with its
place; the other entries go on. Nothing that an entry names is run.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from ..model.diagnostic import Diagnostic, LiftError, Span
from ..settings.flags import Flags
from .compiler_arguments import Arguments, read_arguments
from .response_files import ResponseFileError, expanded, words

FILE = "compile_commands.json"
_SPACE = " \t\r\n"
_C_FAMILY = frozenset(
    (".c", ".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".inl", ".ipp", ".i", ".ii", ".CPP")
)


@dataclass(frozen=True, slots=True)
class CompileCommand:
    """One source as the database has it, with its flags; paths are absolute."""

    path: str
    flags: Flags


@dataclass(frozen=True, slots=True)
class Database:
    """What of a database can be used, each configuration of a file once."""

    entries: tuple[CompileCommand, ...]
    problems: tuple[Diagnostic, ...]


class _Refused(Exception):
    """An entry that can't be used: the message, and the way out."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.help = help


def database_file(path: str) -> str:
    """The database that `-p PATH` means: the file itself, or the one in the folder.

    Raises `LiftError` when there is none.
    """
    file = os.path.join(path, FILE) if os.path.isdir(path) else path
    if os.path.isfile(file):
        return file
    raise LiftError(
        Diagnostic(
            "file-missing",
            "error",
            f"{file}: no such file",
            help=f"-p names the folder of a {FILE} or the file; CMake writes it with "
            "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON, other builds with `bear -- make`",
        )
    )


def read_database(file: str, given: Flags) -> Database:
    """The entries of a database; `given` are the command line's flags, which come last.

    Raises `LiftError` when nothing of the file can be read.
    """
    text = _text(file)
    entries: dict[tuple[str, Flags], CompileCommand] = {}
    problems: list[Diagnostic] = []
    dropped: Counter[str] = Counter()
    others = 0
    from_cl = False
    for number, (place, value) in enumerate(_elements(file, text, problems), 1):
        try:
            arguments, path = _read_entry(value)
            if not _is_c(path, arguments):
                others += 1
                continue
            rest = tuple(a for a in arguments.arguments if not _is_unknown(a, dropped))
        except _Refused as refused:
            message = f"entry {number} of {FILE}: {refused}"
            problems.append(
                Diagnostic("compile-database", "error", message, place, help=refused.help)
            )
            continue
        from_cl |= arguments.is_cl
        flags = _combined(replace_rest(arguments, rest), given)
        entries.setdefault((os.path.realpath(path), flags), CompileCommand(path, flags))
    problems += _notes(dropped, others, from_cl, file)
    if not entries and not any(p.severity == "error" for p in problems):
        problems.append(
            Diagnostic(
                "no-sources",
                "error",
                f"{file}: no entry is for a C or C++ source",
                help="configure the project so that it builds some, and write the file again",
            )
        )
    return Database(tuple(entries.values()), tuple(problems))


def replace_rest(arguments: Arguments, rest: Sequence[str]) -> Flags:
    """The flags of a command, with what libclang gets beside folders, macros and the standard."""
    return Flags(arguments.std, tuple(arguments.includes), arguments.defines, tuple(rest))


def _combined(own: Flags, given: Flags) -> Flags:
    return replace(
        given,
        std=given.std or own.std,
        includes=(*own.includes, *given.includes),
        defines=(*own.defines, *given.defines),
        clang_arguments=(*own.clang_arguments, *given.clang_arguments),
    )


def _text(file: str) -> str:
    try:
        return Path(file).read_bytes().decode("utf-8-sig")
    except OSError as error:
        why = error.strerror or str(error)
    except UnicodeDecodeError:
        why = "it isn't UTF-8"
    raise LiftError(
        Diagnostic(
            "compile-database", "error", f"{file}: can't be read: {why}", help="write it again"
        )
    )


def _elements(file: str, text: str, problems: list[Diagnostic]) -> Iterator[tuple[Span, Any]]:
    """Each element of the document's list with its place, up to where it stops being JSON."""
    decoder = json.JSONDecoder()

    def place(at: int) -> Span:
        line = text.count("\n", 0, at) + 1
        column = at - (text.rfind("\n", 0, at) + 1) + 1
        return Span(file, line, column, line, column + 1)

    def wrong(at: int, message: str) -> None:
        problems.append(
            Diagnostic(
                "compile-database",
                "error",
                message,
                place(min(at, max(0, len(text) - 1))),
                help="write the file again with the build tool; entries before this place are used",
            )
        )

    at = _after_space(text, 0)
    if text[at : at + 1] != "[":
        wrong(at, f"a {FILE} is a list of entries, this begins otherwise")
        return
    at = _after_space(text, at + 1)
    while text[at : at + 1] != "]":
        try:
            value, end = decoder.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError) as error:
            where = error.pos if isinstance(error, json.JSONDecodeError) else at
            wrong(where, f"this isn't JSON: {getattr(error, 'msg', 'it is nested too deeply')}")
            return
        yield place(at), value
        at = _after_space(text, end)
        if text[at : at + 1] == ",":
            at = _after_space(text, at + 1)
        elif text[at : at + 1] != "]":
            wrong(at, "this isn't JSON: expected `,` or `]` after an entry")
            return
    if (at := _after_space(text, at + 1)) < len(text):
        wrong(at, "this isn't JSON: there is more after the list's end")


def _after_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _read_entry(value: Any) -> tuple[Arguments, str]:
    """An entry's command and the absolute path of its source. Raises `_Refused`."""
    again = "write the file again with the build tool"
    if not isinstance(value, dict):
        raise _Refused("it isn't an object with `directory`, `file` and `command`", again)
    for name in ("directory", "file"):
        if not isinstance(value.get(name), str) or not value[name] or "\0" in value[name]:
            raise _Refused(f"`{name}` must be a text", again)
    directory = value["directory"]
    if not os.path.isabs(directory):
        raise _Refused(f"`directory` must be an absolute path, not `{directory}`", again)
    path = os.path.normpath(os.path.join(directory, value["file"]))
    try:
        command = expanded(_command(value), directory)
    except ResponseFileError as error:
        raise _Refused(str(error), "build the project once, so that its files are there") from error
    if not os.path.isfile(path):
        raise _Refused(
            f"{path}: no such file",
            "build the project once if the file is generated, or write the database again",
        )
    return read_arguments(command, directory, path), path


def _command(value: dict[str, Any]) -> list[str]:
    again = "write the file again with the build tool"
    if "arguments" in value:
        arguments = value["arguments"]
        if not isinstance(arguments, list) or not all(isinstance(a, str) for a in arguments):
            raise _Refused("`arguments` must be a list of texts", again)
        found = arguments
    elif isinstance(value.get("command"), str):
        try:
            found = words(value["command"])
        except ValueError as error:
            raise _Refused(f"`command` can't be split into words: {error}", again) from error
    else:
        raise _Refused("it has neither `arguments` nor `command`", again)
    if not found:
        raise _Refused("its command is empty", again)
    if any("\0" in argument for argument in found):
        raise _Refused("its command has a zero byte", again)
    return found


def _is_c(path: str, arguments: Arguments) -> bool:
    return os.path.splitext(path)[1] in _C_FAMILY or "-x" in arguments.rest


def _is_unknown(argument: str, dropped: Counter[str]) -> bool:
    """Whether libclang wouldn't know a flag; counts it."""
    if not argument.startswith("-") or _is_known(argument):
        return False
    dropped[argument] += 1
    return True


_SELF_KNOWN = ("-isystem", "-iquote", "-idirafter", "-isysroot", "-iframework", "-include")
_OTHER_KNOWN = ("-imacros", "-x", "-U", "--sysroot")


@cache
def _is_known(flag: str) -> bool:
    """What libclang itself says of a flag, over an empty file."""
    if flag.startswith((*_SELF_KNOWN, *_OTHER_KNOWN)):
        return True
    from ..parse import knows_flag

    return knows_flag(flag)


def _notes(dropped: Counter[str], others: int, from_cl: bool, file: str) -> Iterator[Diagnostic]:
    for flag, count in dropped.items():
        entries = "1 entry" if count == 1 else f"{count} entries"
        yield Diagnostic(
            "unknown-flag",
            "note",
            f"{file}: libclang doesn't know `{flag}`, which {entries} have; it is left out",
            help="nothing has to be done, unless the flag changes what the source means: then pass "
            "what libclang knows instead, after `--`",
        )
    if others:
        yield Diagnostic(
            "not-a-kernel", "note", f"{file}: {others} entries are for files other than C and C++"
        )
    if from_cl:
        yield Diagnostic(
            "unknown-flag",
            "warning",
            f"{file}: commands of Microsoft's compiler; the sources are read as on Linux, where "
            "`long` has 64 bits and `wchar_t` 32",
            help="what was proved holds where the source uses neither, or types of fixed width",
        )
