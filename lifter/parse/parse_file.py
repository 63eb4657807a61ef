"""The front end's entry: one source file in, its kernels and everything else about it out."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property
from itertools import takewhile
from pathlib import Path
from typing import Any, Literal

from ..model.beside import Beside, Linked
from ..model.diagnostic import Diagnostic, LiftError, Span
from ..model.kernel import (
    Assume,
    Kernel,
    ParsedFile,
    Skipped,
    Store,
    WhileLoop,
    regions_above,
    statements,
)
from .addressed import addressed
from .assumption import parse_assumption
from .deep_recursion import with_deep_stack
from .elsewhere import OtherFiles, linked_functions
from .failure import finding, internal_fault, unsupported, user_error
from .function_pointers import files_beside
from .functions import make_kernel
from .instances import CLASS_TEMPLATES, instances, is_generic, users_of_templates
from .jumps import LOOPS
from .library_types import is_of_the_application
from .liveness import Run
from .missing_header import ReadText, shown, without_what_needs
from .naming import flat_name, qualified_name, template_of
from .null_tests import not_null, where_given
from .older_headers import HEADERS
from .program import FunctionDefinition, SourceProgram, has_body, identity_of
from .pure_function import pure_function
from .put_back import with_put_back
from .range_ends import range_ends
from .regions import Regions
from .rows_apart import with_rows_apart
from .syntax import (
    Node,
    children_of,
    in_system_header,
    is_in,
    kind_of,
    library,
    span_of,
    walk_cursors,
)
from .translation_unit import SourceFile, has_references, read_source, right_comes_first
from .types import is_record
from .unknown_intrinsics import models_for

_CONTAINERS = frozenset({"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"})
_CLASSES = frozenset({"CLASS_DECL", "STRUCT_DECL", "UNION_DECL"})
_METHODS = frozenset({"CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION"})
_ASSUME = re.compile(r"//\s*lift:\s*assume\((.*)\)\s*$")
_OF_ARRAYS = re.compile(
    r"the rows of (?P<rows>[\w.>-]+) are evenly spaced|(?P<pointer>[\w.>-]+) isn't null"
)
"""What may be assumed of arrays, in the words in which preconditions are shown."""
_HELPER = "helper, inlined into its callers"
_FREESTANDING = re.compile(r"-(ffreestanding$|fno-hosted$|fno-builtin\b)")
_OPENMP = re.compile(r"^\s*#\s*pragma\s+omp\b")


def parse_file(
    path: str | Path,
    *,
    std: str | None = None,
    include_dirs: Sequence[str] = (),
    defines: Sequence[str] = (),
    clang_args: Sequence[str] = (),
    models: Sequence[str | Path] = (),
    assumptions: Sequence[str] = (),
    functions: Sequence[str] | None = None,
    alone: Collection[str] = (),
    split: Collection[str] = (),
    beside: Sequence[Beside] = (),
    linked: Sequence[Linked] = (),
) -> ParsedFile:
    """Parses the C++ (or, by its suffix `.c`, C) file `path` into kernels.

    `models` are files that give meaning to functions by plain C++ definitions; `assumptions` are
    conditions over parameters, as `--assume` takes them; `functions` restricts to these names;
    helpers named in `alone` are kernels of their own, too, and not only inside of their callers.
    Functions and regions named in `split` are given as the regions that they fall into; so are
    those above a region that `functions` names (`f` and `f#2` for `f#2.1`).
    `beside` are other files of the program, in which functions may be that pointers lead to,
    `linked` those in which functions may be that are called by name.
    Raises `LiftError` only when nothing of the file can be read; everything else is in the result.
    """
    return with_deep_stack(
        _parsed, path, std, include_dirs, defines, clang_args, models, assumptions, functions,
        alone, split, beside, linked,
    )  # fmt: skip


def _parsed(
    path: str | Path,
    std: str | None,
    include_dirs: Sequence[str],
    defines: Sequence[str],
    clang_args: Sequence[str],
    models: Sequence[str | Path],
    assumptions: Sequence[str],
    functions: Sequence[str] | None,
    alone: Collection[str],
    split: Collection[str],
    beside: Sequence[Beside],
    linked: Sequence[Linked],
) -> ParsedFile:
    flags: dict[str, Any] = {
        "std": std,
        "include_dirs": include_dirs,
        "defines": defines,
        "clang_args": clang_args,
    }
    source = read_source(Path(path), **flags)
    in_front = models_for(source.diagnostics, models)
    if in_front:
        words = [word for model in in_front for word in ("-include", str(Path(model).resolve()))]
        source = read_source(Path(path), **{**flags, "clang_args": (*clang_args, *words)})
    program = SourceProgram(hosted=not any(map(_FREESTANDING.match, clang_args)))
    program.right_comes_first = right_comes_first(Path(path), std, clang_args)
    program.has_references = has_references(
        (str(path), *map(str, models), *(b.path for b in beside), *(f.path for f in linked)),
        clang_args,
    )
    program.range_ends.update(range_ends(source.parsed.own))
    program.weak = source.directives.weak
    others = OtherFiles(tuple(beside), std, tuple(clang_args), source, program)
    program.elsewhere = others.addressed
    for cursor, unit in linked_functions(linked, source, program.right_comes_first):
        program.add(FunctionDefinition(cursor, False, _error_inside(cursor, unit)), "")
    diagnostics = list(shown(source.own_diagnostics))
    units = [source]
    for model in models:
        unit = read_source(Path(model), **flags)
        units.append(unit)
        diagnostics.extend(shown(unit.own_diagnostics))
        for cursor, qualified in _functions(unit):
            if cursor.kind.name == "FUNCTION_DECL" and not _is_helper(cursor):
                program.add(
                    FunctionDefinition(cursor, True, _error_inside(cursor, unit)), qualified
                )
    found = list(_functions(source))
    if not found and source.errors and _starts_wrong(source):
        raise user_error(
            "not-cpp",
            source.errors[0].span,
            f"`{path}` doesn't read as C++: {source.errors[0].message}",
            "give C++ source files",
        )
    divided = frozenset((*split, *regions_above((*(functions or ()), *alone))))
    file = _File(source, program, found, tuple(assumptions), functions, frozenset(alone), divided)
    parsed = file.result(diagnostics)
    missing = [d for d in diagnostics if d.code == "missing-include"]
    if not missing:
        return parsed
    places = [span_of(cursor) for cursor, _ in found]
    return without_what_needs(parsed, missing, places, list(_texts_read(source)))


class _File:
    """The functions of one file on their way to kernels."""

    def __init__(
        self,
        source: SourceFile,
        program: SourceProgram,
        found: Sequence[tuple[Any, str]],
        assumptions: tuple[str, ...],
        wanted: Sequence[str] | None,
        alone: frozenset[str],
        split: frozenset[str],
    ) -> None:
        self.source = source
        self.alone = alone
        self.split = split
        self.program = program
        self.found = found
        self.assumptions = assumptions
        self.wanted = wanted
        self.texts = {source.path: source.parsed.bytes}
        """What the files of the unit say, as far as it was asked for."""
        self.kernels: list[Kernel] = []
        self.skipped: list[Skipped] = []
        self.failed: list[Skipped] = []
        self.names: dict[str, int] = {}
        self.calls: dict[str, set[str]] = {}
        """The functions that regions which could be read call, by the regions' names."""

    def result(self, diagnostics: list[Diagnostic]) -> ParsedFile:
        definitions: dict[str, FunctionDefinition] = {}

        def define(cursor: Any, qualified: str) -> FunctionDefinition:
            made = FunctionDefinition(cursor, False, _error_inside(cursor, self.source))
            definitions[made.key] = made
            self.program.add(made, qualified)
            return made

        for cursor, qualified in self.found:
            if cursor.kind.name in ("FUNCTION_DECL", *_METHODS) and not is_generic(cursor):
                define(cursor, qualified)
        found = list(self.found)
        of_headers: list[tuple[Any, str]] = []
        generic: set[str] = set()
        path, parsed = self.source.path, self.source.parsed
        for cursor in instances(users_of_templates(parsed.declarations, parsed.own, path)):
            generic.add(str(template_of(cursor).get_usr()))
            is_function = cursor.kind.name in ("FUNCTION_DECL", "CXX_METHOD")
            if not is_function or identity_of(cursor) in definitions:
                continue
            qualified = qualified_name(cursor)
            if is_in(cursor, path):
                define(cursor, qualified)
                found.append((cursor, qualified))
            elif _loops(cursor):
                of_headers.append((cursor, qualified))
        found = [(c, q) for c, q in found if str(c.get_usr()) not in generic]
        found.sort(key=lambda entry: int(entry[0].extent.start.offset))
        of_headers += _parts(self.source, [cursor for cursor, _ in found])
        for cursor, qualified in of_headers:
            define(cursor, qualified)
        found += of_headers
        self.program.addressed = cache(
            lambda: addressed(self.source.parsed.own, definitions, self.program)
        )
        called = self._called(definitions)
        aside: list[tuple[int, Any, str, str]] = []
        named = [(c, q, self._unique(flat_name(c))) for c, q in found]
        for cursor, qualified, name in named:
            meant = self.program.definition(cursor, qualified)
            self.program.reserve(name, identity_of(cursor) if meant is None else meant.key)
        for cursor, qualified, name in named:
            if not self._is_wanted(qualified, name, cursor, regions=True):
                continue
            outcome = self._one(cursor, qualified, name, definitions, called)
            own = definitions.get(identity_of(cursor))
            if own is not None and own.key not in called:
                own.forget()
            if outcome == "helper":
                aside.append((len(self.skipped) - 1, cursor, qualified, name))
        self._lift_idle_helpers(aside, definitions, called)
        diagnostics += self._elsewhere(found)
        return ParsedFile(
            self.source.path,
            tuple(self.kernels),
            tuple(self.skipped),
            tuple(self.failed),
            tuple(diagnostics),
        )

    def _lift_idle_helpers(
        self,
        aside: Sequence[tuple[int, Any, str, str]],
        definitions: dict[str, FunctionDefinition],
        callers: dict[str, set[str]],
    ) -> None:
        """Helpers that were left to callers of which none has become a kernel are tried by
        themselves: what is in them is lifted nowhere else."""
        kernels = {str(k.span): k.name for k in self.kernels}
        spans = {k: str(d.node.span) for k, d in definitions.items()}
        lifted = {k: kernels[span] for k, span in spans.items() if span in kernels}
        gone: list[int] = []
        for position, cursor, qualified, name in aside:
            pending, seen = [identity_of(cursor)], set()
            while pending:
                key = pending.pop()
                if key not in seen:
                    seen.add(key)
                    pending += callers.get(key, ())
            above = sorted(name for key, name in lifted.items() if key in seen)
            if template_of(cursor) is not None:
                # Loops of its call's: what other functions do is put back in them.
                above += (name for name, calls in self.calls.items() if not seen.isdisjoint(calls))
            if above:
                self.skipped[position] = replace(self.skipped[position], callers=tuple(above))
            else:
                gone.append(position)
                self._one(cursor, qualified, name, definitions, {})
        for position in reversed(gone):
            del self.skipped[position]
        if gone:
            self.kernels.sort(key=lambda k: (k.span.line, k.span.column))
            self.failed.sort(key=lambda s: (s.span.line, s.span.column))

    def _elsewhere(self, found: Sequence[tuple[Any, str]]) -> Iterator[Diagnostic]:
        """Says of a file that drives another where that one's functions are."""
        if any(c.spelling != "main" for c, _ in found):
            return
        for include in self.source.unit.get_includes():
            path = str(include.include.name)
            if include.depth != 1 or HEADERS in Path(path).parents:
                continue
            count = sum(
                1
                for c in self.source.parsed.declarations
                if _is_function(kind_of(c)) and is_in(c, path) and has_body(c)
            )
            if count:
                line, column = include.location.line, include.location.column
                several = "1 function is" if count == 1 else f"{count} functions are"
                yield finding(
                    "functions-elsewhere",
                    "warning",
                    Span(self.source.path, line, column, line, column + 1),
                    f"this file has no function to lift; {several} in `{path}`, included here",
                    f"lift that file, with the macros that are defined above its #include: "
                    f"lift {path} -D NAME",
                )

    def _called(self, definitions: dict[str, FunctionDefinition]) -> dict[str, set[str]]:
        """By helper: the functions of the file that call it."""
        local = {k for k, d in definitions.items() if _is_helper(d.node.cursor)}
        found: dict[str, set[str]] = {}
        if not local:
            return found
        for key, definition in definitions.items():
            for cursor in walk_cursors(definition.body.cursor):
                if kind_of(cursor) == "CALL_EXPR" and cursor.referenced is not None:
                    callee = identity_of(cursor.referenced)
                    if callee != key and callee in local:
                        found.setdefault(callee, set()).add(key)
        return found

    def _unique(self, name: str) -> str:
        count = self.names.get(name, 0) + 1
        self.names[name] = count
        return name if count == 1 else f"{name}_{count}"

    def _one(
        self,
        cursor: Any,
        qualified: str,
        name: str,
        definitions: dict[str, FunctionDefinition],
        called: dict[str, set[str]],
    ) -> Literal["helper"] | None:
        """Files one function under what it is; says of a helper that it is left to its callers."""
        span = span_of(cursor)

        def note(into: list[Skipped], diagnostic: Diagnostic) -> None:
            into.append(Skipped(name, span, str(cursor.type.spelling), diagnostic))

        definition = definitions.get(identity_of(cursor))
        try:
            reason = self._no_kernel(cursor, qualified, name, definition, called)
            if reason is not None:
                note(self.skipped, reason)
                return "helper" if reason.message == _HELPER else None
            assert definition is not None
            reason = self._only_around(cursor, qualified, definition)
            if reason is not None:
                regions, _ = self._regions(definition, qualified, name, self.split - {name})
                if regions:
                    signature = str(cursor.type.spelling)
                    self.failed.append(Skipped(name, span, signature, reason, regions=regions))
                else:
                    note(self.skipped, reason)
                return None
            kernel = self._kernel(definition, qualified, name)
            if name in self.split:
                self._regions(definition, qualified, name, self.split)
                return None
        except LiftError as error:
            # Its regions are what it falls into already.
            regions, why = self._regions(definition, qualified, name, self.split - {name})
            if not regions or self._is_wanted(qualified, name, cursor):
                # What stands around the loops would be no obstacle.
                own = error.diagnostic
                found = own if why is None or _inside(own.span, why.span) else why.diagnostic
                signature = str(cursor.type.spelling)
                self.failed.append(Skipped(name, span, signature, found, regions=regions))
            return None
        except RecursionError:
            deep = "is nested too deeply to be read to its end"
            help = "split it into functions"
            too_deep = unsupported("unsupported-statement", span, f"`{name}` {deep}", help)
            note(self.failed, too_deep.diagnostic)
            return None
        except Exception as error:
            # A fault of ours in one function must not take the others down.
            note(self.failed, internal_fault(span, error, name))
            return None
        if kernel.return_type is None and not _writes_arrays(kernel):
            note(self.skipped, _not_a_kernel(span, f"`{name}` writes no array and returns nothing"))
        elif not any(p.kind != "scalar" for p in kernel.params):
            note(self.skipped, _not_a_kernel(span, f"`{name}` touches no array"))
        elif _sets_members(kernel):
            note(self.skipped, _not_a_kernel(span, "accessor, sets or gets parts of an object"))
        else:
            self.kernels.append(kernel)
        return None

    def _is_wanted(self, qualified: str, name: str, cursor: Any, regions: bool = False) -> bool:
        """Whether a function was asked for; with `regions`, or one of its regions."""
        if self.wanted is None:
            return True
        wanted = {w.partition("#")[0] for w in self.wanted} if regions else set(self.wanted)
        return not {name, qualified, str(cursor.spelling)}.isdisjoint(wanted)

    def _regions(
        self,
        definition: FunctionDefinition | None,
        qualified: str,
        name: str,
        split: Collection[str],
    ) -> tuple[tuple[str, ...], Skipped | None]:
        """Files the loops of a function that isn't lifted as a whole; gives their names, or why
        the first of them can't be read where none can."""
        if definition is None or definition.error is not None:
            return (), None
        regions = Regions(definition, self.program, name, qualified)
        kernels: list[Kernel] = []
        failed: list[Skipped] = []
        signature = str(definition.node.cursor.type.spelling)
        for region in regions.found(split):
            number = region.name.rpartition("#")[2]
            known = {name, qualified, region.name, f"{qualified}#{number}"}
            if self.wanted is not None and known.isdisjoint(self.wanted):
                continue
            why = region.why
            try:
                if region.kernel is not None:
                    kernel = self._stated(region.kernel, region.kernel.span)
                    assert region.definition is not None
                    kernels.append(self._with_put_back(kernel, region.definition))
                    self.calls[kernel.name] = set(_called_in(region.run))
            except LiftError as error:
                why = error
            if why is not None:
                failed.append(Skipped(region.name, region.run.span, signature, why.diagnostic))
        if kernels:
            self.kernels += kernels
            self.failed += failed
            return (*(k.name for k in kernels), *(s.name for s in failed)), None
        return (), failed[0] if failed else None

    def _no_kernel(
        self,
        cursor: Any,
        qualified: str,
        name: str,
        definition: FunctionDefinition | None,
        called: dict[str, set[str]],
    ) -> Diagnostic | None:
        """Why a function isn't even tried; raises for what can't be one yet."""
        kind, span = cursor.kind.name, span_of(cursor)
        if is_generic(cursor):
            return unsupported(
                "template",
                span,
                f"`{qualified}` is a template that nothing in this file uses",
                f"instantiate it: `template ... {cursor.spelling}<...>(...);`",
            ).diagnostic
        if cursor.spelling == "main":
            return _not_a_kernel(span, "`main` is the program, not a kernel")
        assert definition is not None
        if definition.error is not None:
            raise LiftError(definition.error)
        count = len(definition.parameters)
        if self.program.definition(cursor, qualified) not in (None, definition):
            return _not_a_kernel(span, f"`{qualified}` has a model, used where it is called")
        if pure_function(self.program, definition) is not None:
            return _not_a_kernel(span, "pure scalar function, kept by name in its callers")
        if definition.key in called and _is_helper(cursor) and name not in self.alone:
            return _not_a_kernel(span, _HELPER)
        if kind == "CXX_METHOD" and _is_helper(cursor) and not _has_loop(definition):
            return _not_a_kernel(span, "accessor, inlined where it is called")
        if is_record(definition.result_type) and _is_helper(cursor) and _is_constexpr(cursor):
            return _not_a_kernel(span, f"`{qualified}` makes an object where it is called")
        if count == 0 and definition.receiver_type is None and _gives_nothing(definition):
            return _not_a_kernel(span, f"`{qualified}` has no parameters and no result")
        return None

    def _only_around(
        self, cursor: Any, qualified: str, definition: FunctionDefinition
    ) -> Diagnostic | None:
        """Why a function, whose loops may be kernels, isn't even tried as a whole."""
        span = span_of(cursor)
        if cursor.kind.name in ("CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION"):
            return _not_a_kernel(span, f"`{qualified}` makes, ends or converts an object")
        if is_record(definition.result_type) and _is_helper(cursor):
            return _not_a_kernel(span, f"`{qualified}` makes an object where it is called")
        for parameter in definition.parameters:
            if is_of_the_application(parameter.type):
                return _not_a_kernel(span, f"`{qualified}` takes a `{parameter.written_type}`")
        return None

    def _kernel(self, definition: FunctionDefinition, qualified: str, name: str) -> Kernel:
        span = definition.node.span
        extent = definition.node.cursor.extent
        text = self._bytes(span.file)[extent.start.offset : extent.end.offset]
        kernel = make_kernel(
            definition, self.program, name, qualified, (), text.decode(errors="replace")
        )
        return self._with_put_back(self._stated(kernel, span), definition)

    def _with_put_back(self, kernel: Kernel, definition: FunctionDefinition) -> Kernel:
        file, path = str(definition.node.cursor.location.file), self.source.path
        # What a header says each time, the compiler's own text of it shows.
        is_read_again = file == path and self._included[file] > 0
        macros = self.source.directives.macros
        made = with_put_back(kernel, definition, path, self._bytes(file), is_read_again, macros)
        beside = files_beside(kernel, self.program)
        if beside and made.put_back is not None:
            made = replace(made, put_back=replace(made.put_back, beside=beside))
        return with_rows_apart(made)

    @cached_property
    def _included(self) -> Counter[str]:
        """How often each file is included; several times, those are that stand for templates."""
        return Counter(str(i.include) for i in self.source.unit.get_includes())

    def _bytes(self, file: str) -> bytes:
        """The text of one of the unit's files, as clang counts its offsets."""
        if file not in self.texts:
            try:
                self.texts[file] = Path(file).read_bytes()
            except OSError:
                self.texts[file] = b""
        return self.texts[file]

    def _lines(self, file: str) -> list[str]:
        return self._bytes(file).decode(errors="replace").split("\n")

    def _stated(self, kernel: Kernel, span: Span) -> Kernel:
        """The kernel with what comments and options state of it, and its warnings."""
        kernel = self._stated_texts(kernel, span)
        extra = self._assumptions(kernel, span)
        warnings = (*kernel.warnings, *self.source.floats.check(kernel), *self._pragmas(span))
        if not extra and not warnings:
            return kernel
        return replace(
            kernel, preconditions=(*kernel.preconditions, *extra), warnings=tuple(warnings)
        )

    def _assumptions(self, kernel: Kernel, span: Span) -> tuple[Assume, ...]:
        """From comments in and right above the function, and from the command line."""
        found: list[Assume] = []
        for text, place in self._assumed(span):
            if _OF_ARRAYS.fullmatch(text):
                continue
            condition = parse_assumption(text, kernel.params, place)
            assert condition is not None
            found.append(Assume(place, condition, text, "comment"))
        for text in self.assumptions:
            if _OF_ARRAYS.fullmatch(text.strip()):
                continue
            condition = parse_assumption(text, kernel.params, None)
            if condition is not None:
                found.append(Assume(span, condition, text, "option"))
        return tuple(found)

    def _assumed(self, span: Span) -> Iterator[tuple[str, Span]]:
        """The texts of `// lift: assume(...)` in and right above a function, with their places."""
        first, lines = span.line, self._lines(span.file)
        while first > 1 and lines[first - 2].lstrip().startswith("//"):
            first -= 1
        for line in range(first, min(span.end_line, len(lines)) + 1):
            match = _ASSUME.search(lines[line - 1])
            if match:
                place = Span(span.file, line, match.start(1) + 1, line, match.end(1) + 1)
                yield match.group(1).strip(), place

    def _stated_texts(self, kernel: Kernel, span: Span) -> Kernel:
        """The kernel with what comments and options say of arrays, rather than of numbers."""
        arrays = {p.name for p in kernel.params if p.kind != "scalar"}
        arrays |= {n.name for n in kernel.not_null}
        texts: list[str] = []
        for text, place in (*self._assumed(span), *((t.strip(), None) for t in self.assumptions)):
            found = _OF_ARRAYS.fullmatch(text)
            if found is None:
                continue
            name = found["rows"] or found["pointer"]
            if name in arrays:
                texts.append(text)
            elif place is not None:
                raise user_error(
                    "bad-assumption",
                    place,
                    f"`{name}` in `{text}` isn't an array of this function",
                    f"arrays: {', '.join(sorted(arrays)) or 'none'}",
                )
        if not texts:
            return kernel
        kernel = where_given(kernel, [p.name for p in kernel.params if not_null(p.name) in texts])
        stated = tuple(
            replace(n, origin="comment") if not_null(n.name) in texts else n
            for n in kernel.not_null
        )
        return replace(kernel, not_null=stated, stated_texts=tuple(dict.fromkeys(texts)))

    def _pragmas(self, span: Span) -> Iterator[Diagnostic]:
        lines = self._lines(span.file)
        for line in range(span.line, min(span.end_line, len(lines)) + 1):
            if _OPENMP.match(lines[line - 1]):
                yield finding(
                    "openmp",
                    "warning",
                    Span(span.file, line, 1, line, len(lines[line - 1]) + 1),
                    "the OpenMP pragma is taken to change nothing: the loop is read as sequential",
                )


def _not_a_kernel(span: Span, message: str) -> Diagnostic:
    return finding("not-a-kernel", "note", span, message)


def _sets_members(kernel: Kernel) -> bool:
    """Whether a function only sets or gets one part of one object: no loop, no second store."""
    arrays = {p.name for p in kernel.params if p.kind != "scalar"}
    body = tuple(statements(kernel.body))
    return (
        any(arrays <= {f.param for f in s.fields} for s in kernel.source_params)
        and not any(isinstance(s, WhileLoop) for s in body)
        and sum(isinstance(s, Store) for s in body) <= 1
    )


def _writes_arrays(kernel: Kernel) -> bool:
    params = {n for n, a in kernel.arrays.items() if a.origin == "param"}
    return any(isinstance(s, Store) and s.array in params for s in statements(kernel.body))


def _called_in(run: Run) -> Iterator[str]:
    """The functions that a run of statements calls."""
    for node in (n for statement in run.statements for n in statement.walk()):
        if node.kind == "CALL_EXPR" and node.cursor.referenced is not None:
            yield identity_of(node.cursor.referenced)


def _is_helper(cursor: Any) -> bool:
    """Whether a function is made for its file: `static`, `inline`, in an unnamed namespace."""
    if cursor.storage_class.name == "STATIC" or cursor.is_default_method():
        return True
    if library().clang_Cursor_isFunctionInlined(cursor):
        return True
    if "(lambda at " in cursor.type.spelling:
        return True
    if template_of(cursor) is not None and any(map(_takes_function, cursor.get_arguments())):
        return True
    parent = cursor.semantic_parent
    return bool(parent.kind.name == "NAMESPACE" and not parent.spelling)


def _is_constexpr(cursor: Any) -> bool:
    """Whether compilers run a function, so that its loops cost no program anything."""
    before = takewhile(lambda token: token.spelling != "(", cursor.get_tokens())
    return any(token.spelling in ("constexpr", "consteval") for token in before)


def _gives_nothing(definition: FunctionDefinition) -> bool:
    return bool(definition.result_type.kind.name == "VOID")


def _takes_function(parameter: Any) -> bool:
    type = parameter.type.get_canonical()
    if type.kind.name != "POINTER":
        return False
    return bool(type.get_pointee().get_canonical().kind.name == "FUNCTIONPROTO")


def _has_loop(definition: FunctionDefinition) -> bool:
    return any(node.kind in LOOPS for node in definition.body.walk())


def _loops(cursor: Any) -> bool:
    return any(kind_of(inner) in LOOPS for inner in walk_cursors(cursor))


def _is_function(kind: str) -> bool:
    return kind in ("FUNCTION_DECL", "FUNCTION_TEMPLATE") or kind in _METHODS


def _parts(source: SourceFile, own: Sequence[Any]) -> Iterator[tuple[Any, str]]:
    """The functions of included files that are compiled as a part of this unit, in the order in
    which it has them: those that only one unit may define, what stands beside them, and of other
    files the `static` ones that the unit's functions, which are its `own` and these, call.

    What is `inline`, or a template, belongs to everyone who uses it; what a system's header has is
    the system's.
    """
    definitions = list(_included(source))
    files = {c.location.file.name for c, _ in definitions if c.storage_class.name != "STATIC"}
    called: set[str] = set()
    waiting = [*own, *(c for c, _ in definitions if c.location.file.name in files)]
    aside = {identity_of(c): c for c, _ in definitions if c.location.file.name not in files}
    while waiting and aside:
        for cursor in walk_cursors(waiting.pop()):
            if kind_of(cursor) == "CALL_EXPR" and cursor.referenced is not None:
                callee = aside.pop(identity_of(cursor.referenced), None)
                if callee is not None:
                    called.add(identity_of(callee))
                    waiting.append(callee)
    for cursor, qualified in definitions:
        if cursor.location.file.name in files or identity_of(cursor) in called:
            yield cursor, qualified


def _included(source: SourceFile) -> Iterator[tuple[Any, str]]:
    """The definitions of plain functions in files that the unit includes, in order."""

    def visit(declarations: Iterable[Any]) -> Iterator[tuple[Any, str]]:
        for child in declarations:
            kind = kind_of(child)
            if kind not in _CONTAINERS and kind not in ("FUNCTION_DECL", "CXX_METHOD"):
                continue
            file = child.location.file
            if file is None or file.name == source.path or in_system_header(child):
                continue
            if kind in _CONTAINERS:
                yield from visit(children_of(child))
            elif (
                child.is_definition()
                and has_body(child)
                and template_of(child) is None
                and not is_generic(child)
                and not library().clang_Cursor_isFunctionInlined(child)
            ):
                yield child, qualified_name(child)

    yield from visit(source.parsed.declarations)


def _functions(source: SourceFile) -> Iterator[tuple[Any, str]]:
    """Function definitions of the file itself with their qualified names, in source order."""

    def visit(declarations: Iterable[Any]) -> Iterator[tuple[Any, str]]:
        for child in declarations:
            kind = kind_of(child)
            if kind in _CONTAINERS or kind in _CLASSES:
                yield from visit(c for c in children_of(child) if is_in(c, source.path))
            elif kind in CLASS_TEMPLATES:
                inside = visit(c for c in children_of(child) if is_in(c, source.path))
                yield from (one for one in inside if _loops(one[0]))
            elif _is_function(kind) and child.is_definition() and has_body(child):
                yield child, qualified_name(child)

    yield from visit(source.parsed.own)


def _error_inside(cursor: Any, source: SourceFile) -> Diagnostic | None:
    """The first syntax error inside a function, or in a declaration that it uses."""
    errors = source.errors
    if not errors:
        return None
    own = span_of(cursor)
    for error in errors:
        if error.code == "syntax-error" and _inside(error.span, own):
            return error
    places = [e for e in errors if e.code == "syntax-error" and e.span is not None]
    if not places:
        return None
    for node in Node(cursor).walk():
        if (
            node.kind in ("TYPE_REF", "DECL_REF_EXPR", "TEMPLATE_REF")
            and node.declaration is not None
        ):
            declared = node.declaration
            body = declared.get_definition() or declared
            if body.kind.name == "FUNCTION_DECL":
                continue
            span = _to_semicolon(body, source)
            for error in places:
                if _inside(error.span, span):
                    return error
    return None


def _to_semicolon(cursor: Any, source: SourceFile) -> Span:
    """The place of a declaration; clang ends one with an error in its initializer too early."""
    span = span_of(cursor)
    if span.file != source.path:
        return span
    text = source.parsed.bytes
    end = text.find(b";", cursor.extent.end.offset)
    if end < 0:
        return span
    line = text.count(b"\n", 0, end) + 1
    column = end - text.rfind(b"\n", 0, end)
    return replace(span, end_line=line, end_column=column)


def _inside(place: Span | None, span: Span) -> bool:
    if place is None or place.file != span.file:
        return False
    start = (span.line, span.column)
    return start <= (place.line, place.column) <= (span.end_line, span.end_column)


def _texts_read(source: SourceFile) -> Iterator[ReadText]:
    """The source's text and those of the project's headers, each as often as it is included."""
    yield ReadText(source.path, source.text)
    lines: list[int] = []
    for include in source.unit.get_includes():
        path = Path(str(include.include.name))
        lines[include.depth - 1 :] = [int(include.location.line)]
        if HEADERS not in path.parents:
            with contextlib.suppress(OSError):
                text = path.read_bytes().decode("utf-8", "replace")
                yield ReadText(str(path), text, tuple(lines))


def _starts_wrong(source: SourceFile) -> bool:
    """Whether the very first declaration of the file isn't one."""
    first = next((e for e in source.errors if e.code == "syntax-error"), None)
    if first is None or first.span is None:
        return False
    return all(child.location.line >= first.span.line for child in source.parsed.own)
