"""Many kernels at once: lifted from one file, built, and compiled beside their originals.

One translation unit a language, so that clang's, g++'s and the linker's beginnings are paid once.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lifter.build.build import build_function
from lifter.emit.emit import emit
from lifter.emit.interface import Interface, Parameter, load_interface
from lifter.emit.parameter_lists import declared
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.diagnostic import Diagnostic, LiftError
from lifter.model.kernel import Kernel
from lifter.parse import parse_file
from tests.fuzz.calls import compared
from tests.fuzz.styles.kernel import StyledKernel
from tests.fuzz.styles.scope import Language
from tests.fuzz.whole_path import (
    CHECKED,
    ENTRY,
    GUARDED,
    OPTIONS,
    SEARCH_BUDGET,
    TABLE_ROWS,
    Libraries,
    linked,
    linked_for_checks,
    run,
)

PRELUDE: dict[Language, str] = {
    "c": "#include <assert.h>\n#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n"
    "#include <stdlib.h>\n#include <string.h>\n",
    "cpp": "#include <algorithm>\n#include <array>\n#include <cassert>\n#include <cmath>\n"
    "#include <cstddef>\n#include <cstdint>\n#include <cstdlib>\n#include <cstring>\n",
}
_COMPILERS: dict[Language, tuple[str, ...]] = {
    "c": ("gcc", "-std=gnu99"),
    "cpp": ("g++", "-std=c++17", "-fno-access-control"),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """`refused` is a diagnostic's code and message, "" where the kernel was proved and built;
    `calls` how many calls the lifted code took, and `wrong` the first one that differed."""

    kernel: StyledKernel
    refused: str = ""
    calls: int = 0
    wrong: str | None = None


@dataclass
class _Batch:
    folder: Path
    built: list[tuple[StyledKernel, str]] = field(default_factory=list)
    """Kernels and the names that they have as lifted functions."""
    refused: dict[str, str] = field(default_factory=dict)

    def lift(self, language: Language, kernels: Sequence[StyledKernel], timeout: float) -> None:
        source = self.folder / f"originals.{language}"
        source.write_text(PRELUDE[language] + "\n".join(k.source for k in kernels))
        parsed = parse_file(str(source))
        told = [*parsed.diagnostics, *(s.diagnostic for s in parsed.failed)]
        for kernel in kernels:
            own = next((k for k in parsed.kernels if _is(kernel, k)), None)
            if own is None:
                self.refused[kernel.name] = _reason(kernel, source, told)
                continue
            self._build(kernel, own, timeout)

    def _build(self, kernel: StyledKernel, own: Kernel, timeout: float) -> None:
        try:
            result = lift_kernel(own, LiftOptions(timeout=timeout, search_budget=SEARCH_BUDGET))
        except Exception as error:  # `lift` itself says `internal` of it
            self.refused[kernel.name] = f"internal: {type(error).__name__}: {error}"
            return
        if result.status != "proved":
            d = result.diagnostic
            self.refused[kernel.name] = f"{d.code}: {d.message}" if d else "no diagnostic"
            return
        try:
            emit(result, self.folder / own.name)
            build_function(self.folder / own.name)
        except LiftError as error:
            self.refused[kernel.name] = f"{error.diagnostic.code}: {error.diagnostic.message}"
            return
        self.built.append((kernel, own.name))

    def link(self) -> Libraries:
        """Raises `RuntimeError` with the compiler's words."""
        objects: dict[str, list[str]] = {"guarded": [], "checked": []}
        for language, compiler in _COMPILERS.items():
            own = [(k, n) for k, n in self.built if k.language == language]
            if not own:
                continue
            text = f'#include "{self.folder / f"originals.{language}"}"\n'
            headers = [f'#include "{self.folder / n / n}.h"\n' for _, n in own]
            entries = [self._entries(k, n) for k, n in own]
            whole = text + "".join((*headers, *entries))
            alone = text + "".join(_original(k) for k, _ in own)
            for kind, content, options in (
                ("guarded", whole, GUARDED),
                ("checked", alone, CHECKED),
            ):
                path = self.folder / f"{kind}.{language}"
                path.write_text(content)
                made = f"{path}.o"
                run(*compiler, *OPTIONS, "-DLIFT_WITH_ORIGINAL", *options, str(path), "-o", made)
                objects[kind].append(made)
        archives = [str(self.folder / n / f"lib{n}.a") for _, n in self.built]
        guarded = self.folder / "guarded.so"
        linked(guarded, objects["guarded"], archives)
        return Libraries.loaded(guarded, linked_for_checks(self.folder, objects["checked"]))

    def _entries(self, kernel: StyledKernel, name: str) -> str:
        """The original, and the guarded entry, which says whether the lifted code ran."""
        interface = load_interface(self.folder / name)
        flat = ", ".join(_flat(kernel, interface))
        header = (self.folder / name / f"{name}.h").read_text()
        call = _call(kernel)
        if kernel.has_guarded and f"{name}_guarded(" in header:
            run_it = f"{name}_guarded({', '.join(kernel.arguments)});"
        else:
            run_it = f"if (yes) {name}_lifted({flat}); else {call}"
        return (
            _original(kernel)
            + _entry(
                kernel,
                f"guarded_{kernel.name}",
                f"{kernel.setup} int yes = {name}_admits({flat}); {run_it} return yes;",
            )
            + _tables(kernel)
        )


def _is(kernel: StyledKernel, own: Kernel) -> bool:
    return re.search(rf"(^|::){kernel.name}(<|$)", own.qualified_name) is not None


def _reason(kernel: StyledKernel, source: Path, told: Sequence[Diagnostic]) -> str:
    """The first error that lies in the kernel's lines."""
    text = source.read_text()
    begin = text[: text.index(kernel.source)].count("\n") + 1
    end = begin + kernel.source.count("\n")
    for d in told:
        if d.span is not None and begin <= d.span.line <= end and d.severity == "error":
            return f"{d.code}: {d.message}"
    return "not found"


def _call(kernel: StyledKernel) -> str:
    return f"{kernel.callee}({', '.join(kernel.arguments)});"


def _original(kernel: StyledKernel) -> str:
    return _entry(kernel, f"original_{kernel.name}", f"{kernel.setup} {_call(kernel)} return 0;")


def _tables(kernel: StyledKernel) -> str:
    """What fills the kernel's tables of row pointers."""
    fills = "".join(
        f"for (int i = 0; i < {TABLE_ROWS}; i++) ((const void **)tables[{n}])[i] = "
        f"{table}_ + i * {'dstStride_' if table == 'dst' else 'srcStride_'}; "
        for n, table in enumerate(kernel.tables)
    )
    return _entry(kernel, f"tables_{kernel.name}", f"{fills}return 0;") if fills else ""


def _entry(kernel: StyledKernel, name: str, statements: str) -> str:
    """A C function of the arena and of the numbers that `tests.fuzz.calls` gives."""
    d, s, m = kernel.elements
    scaled = f" * {kernel.channels}" if kernel.channels > 1 else ""
    places = [
        f"{type} *{array}_ = ({type} *)(arena + (long)v[{n}]);"
        for n, (array, type) in enumerate(
            (("dst", d), ("src", f"const {s}"), ("msk", f"const {m}"))
        )
    ]
    numbers = [
        f"{type} {scalar}_ = ({type})v[{n + 3}]{scaled if 'Stride' in scalar else ''};"
        for n, (scalar, type) in enumerate(kernel.scalars)
    ]
    opening = 'extern "C" ' if kernel.language == "cpp" else ""
    lines = "\n    ".join((" ".join(places), " ".join(numbers), statements))
    return f"{opening}int {name}({ENTRY})\n{{\n    {lines}\n}}\n"


def _flat(kernel: StyledKernel, interface: Interface) -> list[str]:
    """The lifted function's arguments in terms of the call's objects."""
    if not interface.sources:
        pairs = zip(interface.params, kernel.arguments, strict=True)
        return [_passed(p, a) for p, a in pairs]
    places: dict[str, str] = {}
    arguments = iter(kernel.arguments)
    for source in interface.sources:
        whole = "dst" if source.passing == "this" else next(arguments)
        if source.passing == "plain":
            places[source.name] = whole
        for one in source.fields:
            if one.param:
                arrow = "->" if source.passing == "pointer" else "."
                places[one.param] = f"({whole}){arrow}{one.path}"
    return [_passed(p, places[p.name]) for p in interface.params]


def _passed(parameter: Parameter, place: str) -> str:
    """A reference by its address, pointers to structures as pointers to their numbers."""
    if "&" in parameter.spelling:
        return f"&{place}"
    if parameter.kind not in ("array", "rows"):
        return place
    return f"({declared(parameter, flat=True).removesuffix(parameter.name)})({place})"


def outcomes(
    kernels: Sequence[StyledKernel], *, calls: int = 30, timeout: float = 20.0
) -> Iterator[Outcome]:
    """What becomes of each kernel, in no order."""
    folder = Path(tempfile.mkdtemp(prefix="lift_styles_"))
    batch = _Batch(folder)
    try:
        for language in _COMPILERS:
            own = [k for k in kernels if k.language == language]
            if own:
                batch.lift(language, own, timeout)
        libraries = batch.link() if batch.built else None
        for kernel, _ in batch.built:
            assert libraries is not None
            found = compared(kernel, libraries, 0, calls)
            yield Outcome(kernel, "", found.calls, found.wrong)
        by_name = {k.name: k for k in kernels}
        for name, code in batch.refused.items():
            yield Outcome(by_name[name], code)
    finally:
        shutil.rmtree(folder)
