"""Functions of other files of a program whose addresses those take: static ones, too.

    bmpacc.cxx:  case RGB:  acc->get = get_rgb;  ...        filter.cxx:  acc->get(line, x)

A file is read, with its own flags, when a pointer is called and the file says a word that has to do
with it; what can't be read, or is compiled by other rules, has none of the candidates. Whatever a
file holds, the call that is put back compares addresses; so it costs formulas to overlook one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from ..model.beside import Beside, Linked
from ..model.diagnostic import LiftError
from .addressed import addressed
from .program import Addressed, FunctionDefinition, SourceProgram, has_body
from .syntax import children_of, is_in, kind_of
from .translation_unit import SourceFile, read_source, right_comes_first
from .types import is_array, is_pointer, is_record, is_reference, pointee_of

_AROUND = frozenset({"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"})


@dataclass(frozen=True)
class OtherFiles:
    """The other files of a program, and how the file at hand is read."""

    files: tuple[Beside, ...]
    std: str | None
    clang_args: tuple[str, ...]
    own: SourceFile
    program: SourceProgram

    def addressed(self, words: Collection[str]) -> Addressed:
        """The functions whose addresses are taken in files that say one of these words."""
        said = re.compile(rb"\b(%s)\b" % b"|".join(re.escape(w.encode()) for w in sorted(words)))
        functions: list[FunctionDefinition] = []
        together: list[frozenset[str]] = []
        for file in self.files if words else ():
            if said.search(_bytes(file.path)):
                found = self._of(file)
                functions += found.functions
                together += found.together
        return Addressed(tuple(functions), tuple(together))

    @cached_property
    def _of(self) -> Any:
        return cache(self._read)

    def _read(self, file: Beside) -> Addressed:
        try:
            source = read_source(
                Path(file.path),
                std=self.std,
                include_dirs=file.includes,
                defines=file.defines,
                clang_args=self.clang_args,
            )
        except LiftError:
            return Addressed()
        if source.errors or not _rounds_alike(source, self.own):
            return Addressed()
        definitions: dict[str, FunctionDefinition] = {}
        for cursor in plain_functions(source):
            found = self.program.definition(cursor, "")
            is_weak = {cursor.spelling, cursor.mangled_name} & source.directives.weak
            if found is not None and not found.is_model and not is_weak:
                definitions[found.key] = found
                self.program.files[found.key] = file.path
        return addressed(source.parsed.own, definitions, self.program)


def linked_functions(
    files: Sequence[Linked], own: SourceFile, right_first: bool
) -> Iterator[tuple[Any, SourceFile]]:
    """The functions of other files that calls by name lead to, as cursors: each defined in one of
    them alone, of the type that all files declare it with, and compiled by rules like `own`."""
    declared: defaultdict[str, list[Any]] = defaultdict(list)
    for cursor in own.parsed.declarations:
        if kind_of(cursor) == "FUNCTION_DECL":
            declared[str(cursor.get_usr())].append(cursor)
    defined: defaultdict[str, list[tuple[Any, SourceFile]]] = defaultdict(list)
    for file in files:
        source = read_source(
            Path(file.path),
            std=file.std,
            include_dirs=file.includes,
            defines=file.defines,
            clang_args=file.clang_arguments,
        )
        for cursor in source.parsed.declarations:
            if kind_of(cursor) == "FUNCTION_DECL":
                declared[str(cursor.get_usr())].append(cursor)
        ordered = right_comes_first(Path(file.path), file.std, file.clang_arguments)
        if ordered != right_first or not _rounds_alike(source, own):
            continue
        for cursor in plain_functions(source):
            if cursor.linkage.name == "EXTERNAL":
                defined[str(cursor.get_usr())].append((cursor, source))
    for usr, found in defined.items():
        (cursor, source), *others = found
        names = {cursor.spelling, cursor.mangled_name}
        if others or names & (source.directives.weak | own.directives.weak):
            continue
        if all(same_type(cursor.type, other.type) for other in declared[usr]):
            yield cursor, source


def _rounds_alike(source: SourceFile, own: SourceFile) -> bool:
    """Whether floats of one file are computed as those of another are."""
    loose = source.floats.loose is not None or source.floats.contracted != own.floats.contracted
    return not loose or source.floats == own.floats


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""


def plain_functions(source: SourceFile) -> Iterator[Any]:
    """The plain functions that a file itself defines."""

    def visit(declarations: Sequence[Any]) -> Iterator[Any]:
        for child in declarations:
            kind = kind_of(child)
            if kind in _AROUND:
                yield from visit([c for c in children_of(child) if is_in(c, source.path)])
            elif kind == "FUNCTION_DECL" and child.is_definition() and has_body(child):
                yield child

    yield from visit(source.parsed.own)


def same_type(one: Any, other: Any) -> bool:
    """Whether a type of one file is that of another: of the same name and laid out alike, all that
    it leads to included. Text that two files read may say different things in them."""
    return _same(one, other, set())


def _same(one: Any, other: Any, seen: set[tuple[str, str]]) -> bool:
    a, b = one.get_canonical(), other.get_canonical()
    pair = a.spelling, b.spelling
    if a.kind != b.kind or pair[0] != pair[1] or a.get_size() != b.get_size():
        return False
    if pair in seen:
        return True
    seen.add(pair)
    if is_pointer(a) or is_reference(a):
        return _same(pointee_of(a), pointee_of(b), seen)
    if is_array(a):
        return _same(a.element_type, b.element_type, seen)
    if a.kind.name == "FUNCTIONPROTO":
        these, those = [[t.get_result(), *t.argument_types()] for t in (a, b)]
        return len(these) == len(those) and all(
            _same(x, y, seen) for x, y in zip(these, those, strict=True)
        )
    if is_record(a):
        return _same_records(a, b, seen)
    if a.kind.name == "ENUM":
        x, y = (t.get_declaration().enum_type for t in (a, b))
        return _same(x, y, seen)
    return True


def _same_records(a: Any, b: Any, seen: set[tuple[str, str]]) -> bool:
    one, other = a.get_declaration(), b.get_declaration()
    if one.get_usr() != other.get_usr() or a.get_align() != b.get_align():
        return False
    parts = [_parts(t) for t in (a, b)]
    if parts[0] != parts[1]:
        return False
    inner = [[*_bases(d), *(f.type for f in t.get_fields())] for t, d in ((a, one), (b, other))]
    return len(inner[0]) == len(inner[1]) and all(
        _same(x, y, seen) for x, y in zip(*inner, strict=True)
    )


def _parts(type: Any) -> list[tuple[str, int, int, str]]:
    """A class's members: name, where, how many bits of a bit-field, and what it is called by
    those who refer to it."""
    return [
        (f.spelling, f.get_field_offsetof(), f.get_bitfield_width(), f.get_usr())
        for f in type.get_fields()
    ]


def _bases(declaration: Any) -> list[Any]:
    body = declaration.get_definition() or declaration
    return [c.type for c in children_of(body) if kind_of(c) == "CXX_BASE_SPECIFIER"]
