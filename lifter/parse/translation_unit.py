"""Reading a source file with libclang: flags, headers, and what clang itself complains about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import clang.cindex as ci

from ..model.diagnostic import Diagnostic, Span
from .directives import Directives, directives, texts
from .failure import finding, user_error
from .float_rules import FloatRules, float_rules
from .host_headers import HostHeaders, host_headers, is_for_host
from .instances import ANCHOR_ARGUMENTS, with_anchors, with_table_anchors
from .older_headers import HEADERS, headers_for, language_of
from .range_ends import with_range_anchors
from .syntax import children_of, is_in
from .target import AARCH64, TRIPLE, foreign_model, says_machine
from .unknown_intrinsics import in_users_words

_KEEP_GOING = 0x200
_NOT_FOUND = re.compile(r"'(?P<header>[^']+)' file not found")
_ASKED = re.compile(r"__has_include\w*\s*\(\s*<([^>\n]+)>")


_STANDARD = re.compile(r"--?std=(c|gnu)(?P<language>\+\+)?\d")
_SINCE_17 = re.compile(r"-?-?std=(c|gnu)\+\+(17|1z|2\w|[3-9]\w)$")


def right_comes_first(path: Path, std: str | None, clang_args: Sequence[str]) -> bool:
    """Whether the source's language evaluates the right side of an assignment before the left one:
    C++ does since C++17, the others leave it open."""
    if path.suffix == ".c":
        return False
    stated = [f"-std={std}"] if std else []
    stated += [a for a in clang_args if a.lstrip("-").startswith("std=")]
    stated = [a for a in stated if not _of_another_language(a, False)]
    return not stated or _SINCE_17.match(stated[-1]) is not None


def has_references(paths: Iterable[str], clang_args: Sequence[str]) -> bool:
    """Whether one of some sources is C++: in C assignments are no places, nor are casts."""
    return not all(_reads_c(Path(path), clang_args) for path in paths)


class ParsedText:
    """One text of a file, as clang parses it when something of it is asked for."""

    def __init__(self, path: str, text: str, arguments: Sequence[str]) -> None:
        self.path = path
        self.text = text
        self.arguments = tuple(arguments)

    @cached_property
    def unit(self) -> Any:
        return _index().parse(
            self.path,
            args=list(self.arguments),
            unsaved_files=[(self.path, self.text), *headers_for(self.arguments)],
            options=_KEEP_GOING,
        )

    @cached_property
    def bytes(self) -> bytes:
        """The text as clang counts its offsets."""
        return self.text.encode()

    @cached_property
    def errors(self) -> int:
        return sum(1 for d in self.unit.diagnostics if d.severity >= 3)

    @cached_property
    def declarations(self) -> list[Any]:
        """At the top level, headers' included, in order."""
        return children_of(self.unit.cursor)

    @cached_property
    def own(self) -> list[Any]:
        """Those of the file itself."""
        return [c for c in self.declarations if is_in(c, self.path)]


@dataclass(frozen=True)
class SourceFile:
    """A parsed translation unit with its text and clang's findings."""

    path: str
    text: str
    parsed: ParsedText
    """What clang has parsed: `text` with anchors at the ends of lines (`instances`)."""
    diagnostics: tuple[Diagnostic, ...]
    floats: FloatRules
    """What the build lets compilers do with floats."""
    directives: Directives
    host: HostHeaders | None = None
    """The machine's own headers, where the unit needs some."""

    @property
    def unit(self) -> Any:
        return self.parsed.unit

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.diagnostics if d.severity == "error")

    @property
    def own_diagnostics(self) -> tuple[Diagnostic, ...]:
        """Those that the user can do something about: not what the machine's headers make of ours
        beside them, which costs the functions that use it."""
        folders = () if self.host is None else self.host.folders
        return tuple(
            d
            for d in self.diagnostics
            if d.code != "syntax-error" or d.span is None or not d.span.file.startswith(folders)
        )


@cache
def _index() -> Any:
    return ci.Index.create()


def read_source(
    path: Path,
    *,
    std: str | None = None,
    include_dirs: Sequence[str] = (),
    defines: Sequence[str] = (),
    clang_args: Sequence[str] = (),
) -> SourceFile:
    """Parses `path`. Raises `LiftError` when there is nothing of it to read."""
    text, name = _text(path), _name(path)
    arguments = clang_arguments(path, std, include_dirs, defines, clang_args)
    clang_args = [a for a in clang_args if not _of_another_language(a, _reads_c(path, clang_args))]
    is_c = path.suffix == ".c"
    if not is_c:
        arguments += ANCHOR_ARGUMENTS
    host = None
    try:
        parsed = _with_anchors(name, text, is_c, arguments)
        if _is_for_aarch64(parsed) and not says_machine(clang_args):
            return read_source(
                path, std=std, include_dirs=include_dirs, defines=defines,
                clang_args=(AARCH64, *clang_args),
            )  # fmt: skip
        written = tuple(texts(parsed.unit, HEADERS))
        asked = _asked_for(written)
        if is_for_host(clang_args) and (_misses(parsed) or _not_there(asked, parsed)):
            host = host_headers("c" if is_c else "c++")
        if host is not None:
            arguments += [word for folder in host.folders for word in ("-idirafter", folder)]
            parsed = _with_anchors(name, text, is_c, arguments)
            written = tuple(texts(parsed.unit, HEADERS))
        unknown = _not_there(asked, parsed)
        unit = parsed.unit
    except ci.TranslationUnitLoadError as error:
        raise user_error(
            "clang-arguments",
            Span(str(path), 1, 1, 1, 1),
            f"libclang can't parse `{path}` with these arguments: {' '.join(arguments)}",
            "check --std and the arguments after `--`",
        ) from error
    foreign = foreign_model(unit, arguments)
    if foreign is not None:
        raise user_error(
            "clang-arguments",
            None,
            f"`{path}` isn't read with these arguments: {foreign}",
            "leave the flag out if the source means the same without it: what is proved holds for "
            "64-bit Linux and defined arithmetic",
        )
    lines = text.split("\n")
    diagnostics = in_users_words(
        [
            found
            for d in unit.diagnostics
            if d.severity >= 3
            and not _in_anchor(d, name, lines)
            and not _without_body(d)
            and (found := _translated(d))
        ]
    )
    if host is not None:
        unknown = [header for header in unknown if host.has_of_its_own(header)]
    diagnostics += tuple(_unanswered(unknown, written))
    floats = float_rules(clang_args, written)
    return SourceFile(name, text, parsed, diagnostics, floats, directives(written), host)


def _with_anchors(name: str, text: str, is_c: bool, arguments: Sequence[str]) -> ParsedText:
    """The parsed text, with those anchors that clang takes."""
    parsed = ParsedText(name, text if is_c else with_anchors(text), arguments)
    parsed = _better(ParsedText(name, text, arguments), parsed)
    if not is_c:
        more = with_table_anchors(parsed.text, parsed.own)
        parsed = _better(parsed, ParsedText(name, more, arguments))
        more = with_range_anchors(parsed.text, parsed.own)
        parsed = _better(parsed, ParsedText(name, more, arguments))
    return parsed


def _is_for_aarch64(parsed: ParsedText) -> bool:
    """Whether a source includes a header of that machine's alone, and is read for another one."""
    header = str(HEADERS / "arm_neon.h")
    errors = (d.location.file for d in parsed.unit.diagnostics if d.severity >= 3)
    return any(file is not None and file.name == header for file in errors)


def _misses(parsed: ParsedText) -> bool:
    """Whether a header isn't there that the source or what it includes needs."""
    return any(_NOT_FOUND.search(d.spelling) for d in parsed.unit.diagnostics if d.severity >= 3)


def _asked_for(written: Iterable[tuple[str, str]]) -> list[str]:
    """The headers whose being there conditions ask for."""
    asking = (text for _, text in written if "__has_include" in text)
    return list(dict.fromkeys(name for text in asking for name in _ASKED.findall(text)))


def _not_there(headers: Sequence[str], parsed: ParsedText) -> list[str]:
    """Those of the headers that aren't there for a unit with its arguments."""
    if not headers:
        return []
    asking = (
        f"#if __has_include(<{header}>)\nint has{number};\n#endif\n"
        for number, header in enumerate(headers)
    )
    found = ParsedText(parsed.path, "".join(asking), parsed.arguments)
    there = {str(cursor.spelling) for cursor in found.own}
    return [header for number, header in enumerate(headers) if f"has{number}" not in there]


def _unanswered(headers: Iterable[str], written: Sequence[tuple[str, str]]) -> Iterator[Diagnostic]:
    """What is said of conditions that ask for headers which a compiler may have."""
    for header in headers:
        asks = re.compile(rf"__has_include\w*\s*\(\s*<{re.escape(header)}>")
        file = next(name for name, text in written if asks.search(text))
        text = Path(file).read_bytes().decode("utf-8", "replace")
        found = asks.search(text)
        line = text.count("\n", 0, found.start()) + 1 if found is not None else 1
        yield finding(
            "missing-include",
            "error",
            Span(file, line, 1, line, 2),
            f"header `{header}`, which `{file}` asks for, isn't found",
            f"pass the folder that holds `{header}`: -I DIR",
        )


def clang_arguments(
    path: Path,
    std: str | None = None,
    include_dirs: Sequence[str] = (),
    defines: Sequence[str] = (),
    clang_args: Sequence[str] = (),
) -> list[str]:
    """What libclang is told of a source: as the user has it, with our headers and no others."""
    reads_c = _reads_c(path, clang_args)
    clang_args = [a for a in clang_args if not _of_another_language(a, reads_c)]
    if std is not None and _of_another_language(f"-std={std}", reads_c):
        std = None
    return [
        "-x",
        "c" if path.suffix == ".c" else "c++",
        f"-std={std or ('c11' if reads_c else 'c++17')}",
        TRIPLE,
        "-nostdinc",
        "-nostdinc++",
        "-fno-spell-checking",
        "-ferror-limit=0",
        *(f"-I{directory}" for directory in include_dirs),
        *(f"-D{define}" for define in defines),
        "-isystem",
        str(HEADERS),
        *clang_args,
    ]


def _reads_c(path: Path, clang_args: Sequence[str]) -> bool:
    stated = language_of(clang_args)
    return path.suffix == ".c" if stated is None else stated == "c"


def _of_another_language(argument: str, is_c: bool) -> bool:
    """Whether an argument is a standard of C++ and the source is C, or the other way around.

    A command for a project names the one that most of its files need; like compilers' drivers, the
    others don't mind it.
    """
    found = _STANDARD.match(argument)
    return found is not None and (found["language"] == "++") == is_c


def _name(path: Path) -> str:
    """What libclang calls the file; it hands the name to clang's driver, among the flags.

    A stranger's file may be called `-fplugin=./x.cpp`: as a flag that would load its code.
    """
    return f"./{path}" if str(path).startswith("-") else str(path)


def _better(plain: ParsedText, anchored: ParsedText) -> ParsedText:
    """The text with anchors; the plain one where anchors make errors of their own."""
    if anchored.text == plain.text:
        return plain
    return anchored if anchored.errors <= (plain.errors if anchored.errors else 0) else plain


def _in_anchor(diagnostic: Any, path: str, lines: Sequence[str]) -> bool:
    """Whether clang complains about what we have added to a line."""
    place = diagnostic.location
    if place.file is None or place.file.name != path or place.line > len(lines):
        return False
    return bool(place.column > len(lines[place.line - 1].encode()) + 1)


def _without_body(diagnostic: Any) -> bool:
    """Whether clang misses the body of a template of our headers, given a lambda.

    Only its own file could hold that body; our headers declare what has no meaning here, and a
    kernel that calls it fails as `unmodelled-call`.
    """
    file = diagnostic.location.file
    return (
        file is not None
        and Path(file.name).is_relative_to(HEADERS)
        and "is used but not defined in this translation unit" in diagnostic.spelling
    )


def _text(path: Path) -> str:
    place = Span(str(path), 1, 1, 1, 1)
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise user_error(
            "file-missing", None, f"there is no file `{path}`", "check the path"
        ) from None
    except OSError as error:
        raise user_error(
            "file-missing", None, f"`{path}` can't be read: {error.strerror}", "check the path"
        ) from None
    if not content.strip():
        raise user_error("file-empty", place, f"`{path}` is empty", "give a file with C++ code")
    if b"\0" in content:
        raise user_error(
            "not-cpp", place, f"`{path}` is binary data, not C++", "give C++ source files"
        )
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        plain = _without_foreign_comments(content)
        if plain is not None:
            return plain
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - (content.rfind(b"\n", 0, error.start) + 1) + 1
        raise user_error(
            "file-encoding",
            Span(str(path), line, column, line, column + 1),
            f"`{path}` isn't UTF-8: byte 0x{content[error.start]:02x}",
            "convert the file, e.g. `iconv -f latin1 -t utf-8`",
        ) from None


_COMMENT_OR_TEXT = re.compile(
    rb"//(?:[^\\\n]|\\(?:\r?\n|.))*|/\*.*?\*/"
    rb"|\"(?:[^\"\\\n]|\\(?:\r?\n|.))*\"|'(?:[^'\\\n]|\\(?:\r?\n|.))*'",
    re.DOTALL,
)
_RAW_TEXT = re.compile(rb"\bR\"|\b(?:u8|[uUL])R\"")


def _without_foreign_comments(content: bytes) -> str | None:
    """The text of a file whose comments are in an encoding of old, each such byte as a `?`.

    None where such a byte stands in the code itself: there it may mean something.
    """
    if _RAW_TEXT.search(content):
        return None

    def plain(match: re.Match[bytes]) -> bytes:
        found = match[0]
        if not found.startswith((b"//", b"/*")):
            return found
        return bytes(b if b < 0x80 else 0x3F for b in found)

    try:
        return _COMMENT_OR_TEXT.sub(plain, content).decode("ascii")
    except UnicodeDecodeError:
        return None


def _translated(diagnostic: Any) -> Diagnostic | None:
    location = diagnostic.location
    file = location.file.name if location.file else "<command line>"
    span = Span(file, location.line, location.column, location.line, location.column + 1)
    missing = _NOT_FOUND.search(diagnostic.spelling)
    if missing:
        header = missing.group("header")
        return finding(
            "missing-include",
            "error",
            span,
            f"header `{header}`, which `{file}` includes, isn't found",
            f"pass the folder that holds `{header}`: -I DIR",
        )
    if not location.file:
        return finding(
            "clang-arguments",
            "error",
            None,
            f"clang says about its arguments: {diagnostic.spelling}",
            "check --std and the arguments after `--`",
        )
    return finding("syntax-error", "error", span, diagnostic.spelling)
