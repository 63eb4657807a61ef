"""What a child process does with one source file: read it, and compare it with what was sealed."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..batch.meaning import meaning, tool_digest
from ..emit.interface import load_interface
from ..emit.put_back import PutBackCall, is_in_place
from ..model.diagnostic import Diagnostic, LiftError
from ..model.kernel import LIFTED_HERE, region_above, regions_above, word_of
from ..settings.flags import Flags, parse_source
from .committed import Committed
from .finding import Finding, Reason

if TYPE_CHECKING:
    from ..model.kernel import Kernel, ParsedFile, Skipped


@dataclass(frozen=True)
class Pending:
    """A function that must be proved again: the kernel as it is now, and why."""

    number: int
    """Of the summary in the group."""
    kernel: Kernel
    reason: Reason
    source_changed: bool


@dataclass(frozen=True)
class Checked:
    """One file's results: findings by the number of the summary, and the rest."""

    findings: dict[int, Finding]
    pending: tuple[Pending, ...]
    new: tuple[Finding, ...]
    diagnostics: tuple[Diagnostic, ...]


def check_source(
    path: str, flags: Flags, group: Sequence[Committed], again: bool, has_more: bool = False
) -> Checked:
    """Compares the summaries of one file with it; with `again` all of them shall be proved again.

    `has_more` says that the file is read in other ways too, so that nothing is *new* here.
    """
    if not os.path.isfile(path):
        message = f"{path} isn't there any more"
        return Checked({i: of(c, "gone", message) for i, c in enumerate(group)}, (), (), ())
    try:
        parsed = _parsed(path, flags, group)
    except LiftError as error:
        message = error.diagnostic.message
        found = {i: of(c, "unreadable", message) for i, c in enumerate(group)}
        return Checked(found, (), (), (error.diagnostic,))
    findings: dict[int, Finding] = {}
    pending: list[Pending] = []
    known: set[str] = set()
    regions = _regions(parsed.kernels, group)
    for number, committed in enumerate(group):
        if "#" in committed.name:
            kernel = regions.get(number)
        else:
            kernel = find_kernel(parsed.kernels, committed)
        if kernel is None:
            findings[number] = _not_there(committed, parsed)
            known.add(committed.name)
            continue
        known.add(kernel.name)
        problem = _misplaced(committed, kernel, group)
        if problem is not None:
            findings[number] = of(committed, "not-equal", problem, kernel)
            continue
        result = _compared(number, committed, kernel, again)
        if isinstance(result, Pending):
            pending.append(result)
        else:
            findings[number] = result
    new = () if has_more else tuple(_new(k) for k in parsed.kernels if k.name not in known)
    errors = tuple(d for d in parsed.diagnostics if d.severity == "error")
    return Checked(findings, tuple(pending), new, errors)


def _parsed(path: str, flags: Flags, group: Sequence[Committed]) -> ParsedFile:
    """The file, with a kernel for each helper that a summary is about, as it was lifted alone, and
    for each region of a function."""
    split = regions_above(committed.name for committed in group)
    parsed = parse_source(path, flags, split=split)
    held = [s for s in parsed.skipped if s.callers]
    alone = {s.name for committed in group if (s := _aside(held, committed)) is not None}
    return parse_source(path, flags, alone=alone, split=split) if alone else parsed


def _regions(kernels: Sequence[Kernel], group: Sequence[Committed]) -> dict[int, Kernel]:
    """The loops that summaries of regions are about, by the summaries' numbers in the group.

    A loop keeps its meaning where others are written before it, which changes its number: so those
    that mean the same come first, and only what is left goes by its number.
    """
    summaries = {i: c for i, c in enumerate(group) if "#" in c.name}
    left = [k for k in kernels if k.region is not None]
    found: dict[int, Kernel] = {}
    for same in (_means_the_same, _has_its_number):
        for number, committed in summaries.items():
            if number not in found:
                known = next((k for k in left if same(k, committed)), None)
                if known is not None:
                    found[number] = known
                    left.remove(known)
    return found


def _means_the_same(kernel: Kernel, committed: Committed) -> bool:
    if not _is_of_its_function(kernel, committed):
        return False
    return meaning(_as_committed(kernel, committed)) == committed.seal.get("meaning")


def _has_its_number(kernel: Kernel, committed: Committed) -> bool:
    same = kernel.qualified_name == committed.data["qualified_name"]
    return same and _is_of_its_function(kernel, committed)


def _is_of_its_function(kernel: Kernel, committed: Committed) -> bool:
    data = committed.data
    function = data["qualified_name"].partition("#")[0]
    same = kernel.qualified_name.partition("#")[0] == function
    return bool(same and kernel.signature == data["signature"])


def _as_committed(kernel: Kernel, committed: Committed) -> Kernel:
    """The kernel under the name that it was committed with."""
    if kernel.name == committed.name:
        return kernel
    if kernel.region is None:
        return replace(kernel, name=committed.name)
    function, _, number = committed.name.partition("#")
    region = replace(kernel.region, function=function, number=number)
    qualified = committed.data["qualified_name"]
    return replace(kernel, name=committed.name, qualified_name=qualified, region=region)


def find_kernel(kernels: Sequence[Kernel], committed: Committed) -> Kernel | None:
    """The function that a summary is about: of its qualified name, and of its type if there are
    several; a name that the file only gives it to tell overloads apart doesn't count."""
    data = committed.data
    named = [k for k in kernels if k.qualified_name == data["qualified_name"]]
    typed = [k for k in named if k.signature == data["signature"]]
    for some in (typed, named):
        if len(some) > 1:
            some = [k for k in some if k.name == committed.name]
        if len(some) == 1:
            return some[0]
    return None


def _compared(number: int, committed: Committed, kernel: Kernel, again: bool) -> Finding | Pending:
    here = _as_committed(kernel, committed)
    seal = committed.seal
    same = seal.get("meaning") == meaning(here)
    if not committed.is_as_lifted:
        return Pending(number, here, "edited", not same)
    if not same:
        return Pending(number, here, "source", True)
    if seal.get("tool") != tool_digest():
        return Pending(number, here, "tool", False)
    if again:
        return Pending(number, here, "asked", False)
    return of(committed, "equal", kernel=kernel)


def _misplaced(committed: Committed, kernel: Kernel, group: Sequence[Committed]) -> str | None:
    """What is wrong with the call of lifted code that a source has around these loops by now; None
    where nothing is, or where it has none."""
    here = kernel.put_back
    own = f"{word_of(committed.name)}{LIFTED_HERE}"
    try:
        text = b"" if here is None else Path(here.file).read_bytes()
        if here is None or own.encode() not in text:
            return None
        interface = load_interface(committed.folder)
    except (OSError, ValueError) as error:
        return f"its call can't be checked: {error}"
    # In a library with several functions of a name, folders stand before it.
    others = {f"{word_of(c.name)}{LIFTED_HERE}" for c in group if c is not committed}
    words = {w.decode() for w in re.findall(rb"[\w$]*%s\b" % own.encode(), text)}
    named = {w for w in words if w == own or (w.endswith(f"_{own}") and w not in others)}
    for name in sorted(named):
        call = PutBackCall(interface, name, not here.file.endswith(".c"), by_hand=True)
        if interface.put_back is None or interface.put_back.refused is not None:
            return f"its source calls {name}, which isn't of it"
        if len(named) > 1 or not is_in_place(text, call, here, _beside(committed, group, name)):
            return call.misplaced()
    return None


def _beside(committed: Committed, group: Sequence[Committed], name: str) -> list[PutBackCall]:
    """The calls of other formulas of the same loops; `name` is that of the call at hand."""
    above = region_above(committed.name)
    found = []
    for other in group if "#" in above else ():
        if other is not committed and region_above(other.name) == above:
            own = name.removesuffix(f"{word_of(committed.name)}{LIFTED_HERE}")
            interface = load_interface(other.folder)
            if interface.put_back is not None and interface.put_back.refused is None:
                called = f"{own}{word_of(other.name)}{LIFTED_HERE}"
                is_cpp = not interface.put_back.file.endswith(".c")
                found.append(PutBackCall(interface, called, is_cpp, by_hand=True))
    return found


def of(
    committed: Committed, verdict: str, message: str = "", kernel: Kernel | None = None
) -> Finding:
    """A finding about a summary, at the function's place as far as that is known."""
    line = committed.line if kernel is None else kernel.span.line
    if verdict == "gone":
        line = 1  # its line is another function's by now
    end = None if kernel is None else kernel.span.end_line
    return Finding(
        committed.name, committed.place, line, verdict, message, end=end,  # type: ignore[arg-type]
        folder=committed.folder,
    )  # fmt: skip


def _not_there(committed: Committed, parsed: ParsedFile) -> Finding:
    """Gone, or still there and not understood any more."""
    aside = _aside(parsed.failed, committed) or _aside(parsed.skipped, committed)
    if aside is None:
        name = committed.data["qualified_name"]
        return of(committed, "gone", f"{committed.file} has no function {name} any more")
    why = aside.diagnostic
    message = f"it can't be lifted as it is now: {why.message} [{why.code}]"
    return replace(of(committed, "undecided", message), line=aside.span.line)


def _aside(some: Sequence[Skipped], committed: Committed) -> Skipped | None:
    """The function that a summary is about, or whose loops it is about."""
    function = committed.name.partition("#")[0]
    last = committed.data["qualified_name"].split("::")[-1].partition("#")[0]
    return next((s for s in some if s.name in (committed.name, function, last)), None)


def _new(kernel: Kernel) -> Finding:
    return Finding(
        kernel.name, kernel.span.file, kernel.span.line, "new", "it has no summary",
        end=kernel.span.end_line,
    )  # fmt: skip
