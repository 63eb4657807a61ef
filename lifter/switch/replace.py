"""Compiles one source with lifted code in place of its kernels: the steps of `lift cc`.

    lift the source --> objects of the lifted functions and regions, one a variant
    compile the source with a call in each region, and in each function that no other file can call
        (`emit/put_back.py`), and with an entry after it for every other function (`shim.py`)
    make the symbol of each of these stand for its entry (`elf.py`)
    join all into the object that the build asked for

Where any step can't be done, the object is what the compiler alone makes of the source.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import select
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ..batch.workers import Pool, Task
from ..build.build import Scheduling, load_compiler
from ..build.whole_library import LibraryPart, compile_part, object_paths
from ..emit.interface import Interface, load_interface
from ..emit.put_back import PutBackCall, comparing_head, guards_text, put_back
from ..model.diagnostic import LiftError
from ..model.kernel import PutBack
from ..parse import chosen_lines
from ..show.progress import open_progress
from .compiler_call import CompilerCall
from .dependencies import files_read, unfit
from .elf import NotElf, replaceable, switched, symbols, weak
from .included import Included, reads_before
from .outcome import Outcome, Switching
from .reading import NotUnderstood, reading_options
from .same_lines import read_otherwise
from .shim import Replaced, shim_text, switch_text, why_not

if TYPE_CHECKING:
    from compiler.codegen.variants import Variant


_GUARDS_OBJECT = "guards.o"
_INTERRUPTED = 130
"""The exit status of `lift` where it was stopped."""
_GRACE = 20.0
"""Seconds for `lift` to write down what is finished when it is interrupted."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A function or a region that is lifted, and how its code gets into the object."""

    name: str
    """What `lift` calls it."""
    part: LibraryPart
    way: Replaced | PutBackCall
    scheduling: Scheduling


def with_lifted_code(call: CompilerCall, wanted: Switching, work: Path, began: int) -> Outcome:
    """The object with lifted code, made in `work`, or why there is none.

    `began` is when it was, by the clock of the file system. Raises `OSError`, and whatever an error
    of our own may be.
    """
    triple = _triple(call)
    variants = _variants(call, triple)
    if not variants:
        return Outcome(kept={"": "no code for this machine"})
    try:
        options = reading_options(call, triple, work / "compiler.h")
    except NotUnderstood as error:
        return Outcome(kept={"": str(error)})
    variants = _still_chosen(variants, (work / "compiler.h").read_text("utf-8"))
    document = _lift(call, wanted, work, options)
    if document is None:
        return Outcome(kept={"": "it can't be read"})
    of_file = [d for d in document["diagnostics"] if d["file"] and d["severity"] == "error"]
    if not document["functions"] and of_file:
        return Outcome(kept={"": of_file[0]["message"]})
    outcome = Outcome(is_lasting=True)
    candidates = _candidates(call, wanted, document, work, outcome)
    other = _read_otherwise(call, options, work) if candidates else None
    if other is not None:
        return Outcome(kept={"": other}, is_lasting=True)
    built = _built(candidates, work, variants, wanted.jobs, outcome)
    made = _compiled(call, built, work, outcome) if built else None
    if made is None:
        return outcome
    content, done = made
    # Of a guard that nothing calls, the lifted code isn't in the object.
    if len(done) < len(built) and _guarded(call, done, work, outcome) != done:
        return Outcome(kept={"": "its guards can't be compiled"})
    read = files_read((work / "compiled.d").read_text("utf-8"), work)
    reason = unfit([call.source, *read], began)
    if reason is not None:
        return Outcome(kept={"": reason})
    entries = [c.way for c in done if isinstance(c.way, Replaced)]
    try:
        content = switched(content, {r.symbol: (r.entry, r.original) for r in entries})
    except (NotElf, KeyError) as error:
        return Outcome(kept={"": f"its object can't be changed: {error}"})
    own = work / "switched.o"
    own.write_bytes(content)
    objects = [own, *([work / _GUARDS_OBJECT] if len(entries) < len(done) else [])]
    for one in done:
        objects += object_paths(work, one.part, variants, one.scheduling)
    joined = work / "joined.o"
    problem = _joined(call, [*objects, _runtime(work, variants)], joined)
    if problem is not None:
        return Outcome(kept={"": f"its objects can't be joined: {problem}"})
    outcome.switched, outcome.object = [one.name for one in done], joined
    return outcome


def _triple(call: CompilerCall) -> str:
    """What the compiler calls the machine that it compiles for; empty where it doesn't say."""
    asked = [*call.compiler, *call.linking(), "-dumpmachine"]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def _variants(call: CompilerCall, triple: str) -> tuple[Variant, ...]:
    """The variants for that machine; none where there is no code for it."""
    from compiler.codegen.target import Target
    from compiler.codegen.variants import variants_of

    name = {"x86_64": "x86-64", "aarch64": "aarch64"}.get(triple.split("-")[0])
    narrow = any(option[0] in ("-m32", "-mx32") for option in call.options)
    if name is None or "linux" not in triple or narrow:
        return ()
    return variants_of(Target.parse(name))


_IMPLIED = {
    "avx2": ("AVX2", "FMA", "F16C", "BMI", "BMI2", "LZCNT", "MOVBE"),
    "avx512": ("AVX512F", "AVX512BW", "AVX512CD", "AVX512DQ", "AVX512VL"),
}
"""The macros of a compiler whose own code needs what a variant does."""


def _still_chosen(variants: Sequence[Variant], macros: str) -> tuple[Variant, ...]:
    """The variants but for those that no processor takes on which the compiler's own code runs."""
    defined = set(re.findall(r"^#define __(\w+)__ ", macros, re.MULTILINE))
    left = list(variants)
    needed: set[str] = set()
    for variant in variants:
        needed |= set(_IMPLIED.get(variant.name, ()))
        if variant.name in _IMPLIED and needed <= defined:
            left = left[left.index(variant) :]
    # The plainest is for all processors.
    return (replace(left[0], level=variants[0].level), *left[1:])


def _lift(call: CompilerCall, wanted: Switching, work: Path, options: Sequence[str]) -> Any:
    """The report of lifting the source, as data; None where it can't be read at all."""
    arguments = [str(call.source.absolute()), "-o", str(work), "--format", "json"]
    arguments += wanted.lift_options
    for function in wanted.functions:
        arguments += ["--function", function]
    arguments += ["-j", str(wanted.jobs), "--", *options]
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    # A fork of this process has most of what it needs; loading that takes longer than lifting.
    child = os.fork()
    if child == 0:
        os.close(reading)
        _become_lift(wanted.lift, arguments, writing)
    os.close(writing)
    with open(reading, encoding="utf-8") as pipe:
        try:
            written = pipe.read()
        except KeyboardInterrupt:
            # It was stopped, too, and keeps what it has decided.
            with contextlib.suppress(KeyboardInterrupt):
                select.select([pipe], [], [], _GRACE)
            raise
        finally:
            _, ended = os.waitpid(child, 0)
    if os.waitstatus_to_exitcode(ended) == _INTERRUPTED:
        raise KeyboardInterrupt
    try:
        return json.loads(written)
    except ValueError:
        return None


def _become_lift(lift: Callable[[list[str]], int], arguments: list[str], output: int) -> NoReturn:
    """In a child: runs `lift ARGUMENTS` with that standard output, and ends."""
    status = 1
    try:
        os.dup2(output, 1)
        # Progress is for whoever sits at a terminal; a build's log has the lines at its end.
        if not sys.stderr.isatty():
            with open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), 2)
        # A build's settings are those of `lift cc`, not those of the project's own runs.
        os.environ["LIFT_CONFIG"] = ""
        status = lift(arguments)
        sys.stdout.flush()
    finally:
        os._exit(status)


def _read_otherwise(call: CompilerCall, options: Sequence[str], work: Path) -> str | None:
    """Where the compiler takes other lines than `lift`, which has read them with these options."""
    written, made = None, work / "lines.txt"
    if not call.is_clang:
        written = _preprocessed(call, made, work / "lines.d", ["-fdirectives-only"])
    # Clang gives no text with its macros as they are, nor does GCC of all (`#if 0`, `it's`); in
    # this one, their lines have words, too, unless a macro is empty.
    written = written or _preprocessed(call, made, work / "lines.d", ["-dD"])
    if written is None:
        return "the compiler doesn't give what it includes"
    try:
        return read_otherwise(written, chosen_lines(call.source.absolute(), options), work)
    except LiftError as error:
        return error.diagnostic.message


def _preprocessed(
    call: CompilerCall, written: Path, noted: Path, asked: Sequence[str]
) -> bytes | None:
    """What the compiler's preprocessor makes of the source; None where it makes nothing."""
    command = call.compiling(call.source, written, ["-E", "-w", *asked], noted)
    done = subprocess.run(command, capture_output=True, check=False)
    return None if done.returncode else written.read_bytes()


def _built(
    candidates: Sequence[_Candidate],
    work: Path,
    variants: Sequence[Variant],
    jobs: int,
    outcome: Outcome,
) -> list[_Candidate]:
    """Compiles the lifted code; what can't be compiled is noted in `outcome`."""
    pool = Pool(jobs)
    failed: dict[str, str] = {}
    waiting = 0
    for one in candidates:
        paths = object_paths(work, one.part, variants, one.scheduling)
        if not all(path.is_file() for path in paths):
            waiting += 1
            call = partial(compile_part, work, one.part, variants, one.scheduling)
            pool.submit(Task(one.name, call, one.part))
    if waiting:
        load_compiler()
    progress = open_progress("compiling lifted code") if sys.stderr.isatty() else None
    if progress is not None:
        progress.add(waiting)
    try:
        while pool.busy:
            if progress is not None:
                progress.running(tuple(pool.labels))
            for done in pool.wait(0.2):
                # Whatever the compiler can't do with one function is no reason to stop a build.
                if done.kind != "done":
                    first = (done.text.splitlines() or [done.kind])[0]
                    failed[done.task.tag.name] = first
                if progress is not None:
                    progress.advance()
    finally:
        pool.stop()
        if progress is not None:
            progress.close()
    outcome.kept |= {c.name: failed[c.part.name] for c in candidates if c.part.name in failed}
    return [one for one in candidates if one.part.name not in failed]


def _candidates(
    call: CompilerCall, wanted: Switching, document: Any, work: Path, outcome: Outcome
) -> list[_Candidate]:
    """What can be put into the object; of the rest, `outcome` notes why it can't."""
    found: list[_Candidate] = []
    for function in document["functions"]:
        name = function["name"]
        if function["status"] == "skipped" or function.get("regions"):
            continue  # of the latter, each region is told by itself
        if function["status"] != "proved" or not function["folder"]:
            outcome.kept[name] = function["code"] or function["status"]
            continue
        # Beside it, an object of this name that had another source may have left a function's.
        folder = work / function["folder"]
        interface = load_interface(folder)
        one = _candidate(call, wanted, name, folder, interface, function["signature"])
        if isinstance(one, str):
            outcome.kept[name] = one
        else:
            found.append(one)
    return found


def _candidate(
    call: CompilerCall,
    wanted: Switching,
    name: str,
    folder: Path,
    interface: Interface,
    signature: str,
) -> _Candidate | str:
    """How a function's or a region's code gets into the object, or why it can't."""
    put_back = interface.put_back
    is_elsewhere = put_back is not None and put_back.is_inline  # as any file has it
    reason = "inline" if call.is_c or "#" in name or is_elsewhere else why_not(interface)
    if reason is None and not _has_hidden(put_back):
        own = replace(interface, name=f"lift_switched_{interface.symbol}")
        way = Replaced(own, signature, name)
        return _Candidate(name, LibraryPart(folder, own.name, own), way, Scheduling())
    if put_back is None or put_back.refused is not None:
        return str(reason) if put_back is None else str(put_back.refused)
    # Objects of one program may have functions of one name that are static.
    key = f"{call.source.absolute()}\n{call.output.absolute()}"
    mark = hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()[:12]
    own = replace(interface, name=f"lift_{mark}_{interface.name}")
    here = PutBackCall(own, f"{own.name}_here", not call.is_c, comparing=f"lift_{mark}")
    scheduling = Scheduling(threads=wanted.parallel)
    return _Candidate(name, LibraryPart(folder, own.name, own), here, scheduling)


def _has_hidden(put_back: PutBack | None) -> bool:
    """Whether members are private that an entry would name; a call in the text goes around that."""
    if put_back is None or put_back.refused is not None:
        return False
    return any("reinterpret_cast" in argument.text for argument in put_back.arguments)


def _compiled(
    call: CompilerCall, built: Sequence[_Candidate], work: Path, outcome: Outcome
) -> tuple[bytes, list[_Candidate]] | None:
    """The source's object with lifted code for as many candidates as can have it, and those."""
    found = _guarded(call, _not_weak(call, built, work, outcome), work, outcome)
    object = work / "compiled.o"
    included: Included | None = None
    while found:
        entries = [c.way for c in found if isinstance(c.way, Replaced)]
        switch = work / "switch.h"
        places: list[range] = []
        try:
            notes = work / "compiled.d"
            if _is_elsewhere(found):
                included = included or _included(call, work, notes)
                bad = _not_there(found, included, outcome)
                if bad:
                    found = [c for c in found if c not in bad]
                    continue
            has_headers = _is_elsewhere(found)
            source = _with_calls(call, found, work, included if has_headers else None)
            options = (
                ["-iquote", str(call.source.absolute().parent)] if source != call.source else []
            )
            shown = source
            if entries:
                text, places = switch_text(entries, call.is_clang)
                switch.write_text(text, "utf-8")
                shown = work / "shim.cpp"
                shown.write_text(shim_text(source.absolute(), switch), "utf-8")
        except (ValueError, OSError) as error:
            outcome.kept |= {c.name: str(error) for c in found}
            outcome.is_lasting = isinstance(error, ValueError)
            return None
        # An object for link-time optimisation is nobody's but its compiler's. With Clang, calls of
        # functions in the same file can be led elsewhere where it is position-independent.
        more = ["-fno-lto"]
        if entries and call.is_clang:
            more += ["-fPIC", "-fsemantic-interposition"]
        # Of a text that has all headers in it, what it was made of is noted already.
        if has_headers:
            notes = work / "again.d"
        command = call.compiling(shown, object, more, noted=notes, first=options)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            bad, reason = _in_the_way(call, found, done.stderr, places, switch)
        else:
            content = object.read_bytes()
            try:
                unfit_ = [r for r in entries if not replaceable(content, r.symbol)]
                reason = "inline: every file has its own"
                if not unfit_:
                    unfit_ = [r for r in entries if r.entry not in symbols(content)]
                    reason = "its entry gets another type than it has"
            except NotElf:
                return None
            bad = [c for c in found if c.way in unfit_]
            if not bad:
                outcome.warnings = done.stderr.replace(str(shown), str(call.source))
                return content, found
        for one in bad:
            outcome.kept[one.name] = reason
        found = [c for c in found if c not in bad]
    return None


def _is_elsewhere(found: Sequence[_Candidate]) -> bool:
    """Whether calls are put into headers."""
    told = [c.way.interface.put_back for c in found if isinstance(c.way, PutBackCall)]
    return any(one is not None and one.is_included for one in told)


def _not_there(
    found: Sequence[_Candidate], included: Included, outcome: Outcome
) -> list[_Candidate]:
    """Those whose place isn't in the text, noted in `outcome`. Raises `OSError`."""
    bad = []
    for one in found:
        if isinstance(one.way, PutBackCall):
            try:
                _moved(one.way, included)
            except ValueError as error:
                outcome.kept[one.name] = str(error)
                bad.append(one)
    return bad


def _with_calls(
    call: CompilerCall, found: Sequence[_Candidate], work: Path, included: Included | None
) -> Path:
    """The source with the calls that are put into it; with all that it includes, if that is given.
    The source itself where there are no calls.

    Raises `ValueError`, `OSError`.
    """
    calls = [c.way for c in found if isinstance(c.way, PutBackCall)]
    if not calls:
        return call.source
    if any(c in str(call.source) for c in '"\n\\'):
        raise ValueError(f"no #line can name {call.source}")
    if included is not None:
        text = put_back(included.text, [_moved(one, included) for one in calls])
    else:
        text = put_back(call.source.read_bytes(), calls).removeprefix(b"\xef\xbb\xbf")
    folder = work / "source"  # of its own: an #include looks beside the file first
    folder.mkdir(exist_ok=True)
    copy = folder / call.source.name
    head = " ".join(c.prototype() for c in calls)
    if calls[0].comparing:
        head = f"{comparing_head(calls[0].comparing, not call.is_c)} {head}"
    copy.write_bytes(f'{head}\n#line 1 "{call.source}"\n'.encode("utf-8", "surrogateescape") + text)
    return copy


def _included(call: CompilerCall, work: Path, noted: Path) -> Included:
    """The source and what it includes. Raises `ValueError`, `OSError`."""
    if call.is_clang:
        raise ValueError("it stands in a header, which clang doesn't give as it is written")
    if reads_before(call.options):
        raise ValueError("it stands in a header, and an option includes another before")
    written = _preprocessed(call, work / "included.txt", noted, ["-fdirectives-only"])
    if written is None:
        raise ValueError("it stands in a header, and the compiler doesn't give what it includes")
    return Included(written)


def _moved(call: PutBackCall, included: Included) -> PutBackCall:
    """The same call, put into that text. Raises `ValueError`, `OSError`."""
    told = call.interface.put_back
    assert told is not None
    places = included.places(Path(told.file), told.pieces)
    moved = replace(call.interface, put_back=replace(told, pieces=places))
    return replace(call, interface=moved)


def _in_the_way(
    call: CompilerCall,
    found: Sequence[_Candidate],
    said: str,
    places: Sequence[range],
    switch: Path,
) -> tuple[list[_Candidate], str]:
    """The candidates without which a source may compile that didn't, and why they are left out."""
    entries = [c for c in found if isinstance(c.way, Replaced)]
    here = [c for c in found if isinstance(c.way, PutBackCall)]
    lines = _lines(said, switch)
    bad = [c for c, place in zip(entries, places, strict=True) if lines & set(place)]
    reason = "its entry can't be compiled"
    if bad:
        return bad, reason
    lines = _lines(said, call.source)
    bad = []
    for one in here:
        told = one.way.interface.put_back
        assert told is not None
        named = _lines(said, Path(told.file)) if told.is_included else lines
        if any(first <= line <= last for first, _, last, _ in told.pieces for line in named):
            bad.append(one)
    if bad:
        return bad, "the compiler doesn't take the call where it stands"
    # A function that can't be called from elsewhere, such as one with several targets.
    bad = [c for c in entries if c.part.interface.line in lines]
    if bad:
        return bad, reason
    # Else what the source leaves behind, macros for one, is in the way of all.
    return (here, "the compiler doesn't take the calls") if here else (list(found), reason)


def _guarded(
    call: CompilerCall, built: Sequence[_Candidate], work: Path, outcome: Outcome
) -> list[_Candidate]:
    """Compiles the guards of what is put into functions; what has none is left out."""
    source = work / ("guards.c" if call.is_c else "guards.cpp")
    object = work / _GUARDS_OBJECT
    own = ["-O2", "-w", "-fPIC", "-fno-lto"]
    found = list(built)
    while here := [c for c in found if isinstance(c.way, PutBackCall)]:
        text, places = guards_text([c.way for c in here if isinstance(c.way, PutBackCall)])
        source.write_text(text, "utf-8")
        command = [*call.compiler, *call.linking(), *own, "-c", str(source), "-o", str(object)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            break
        lines = _lines(done.stderr, source)
        bad = [c for c, place in zip(here, places, strict=True) if lines & set(place)] or here
        outcome.kept |= {c.name: "its guard can't be compiled" for c in bad}
        found = [c for c in found if c not in bad]
    return found


_NAMED = re.compile(r"^(?:In file included from |\s+from )?(.+?):(\d+)\b", re.MULTILINE)


def _lines(said: str, file: Path) -> set[int]:
    """The lines of a file that a compiler names, under whatever path."""
    wanted = os.path.realpath(file)
    return {int(line) for name, line in _NAMED.findall(said) if os.path.realpath(name) == wanted}


def _not_weak(
    call: CompilerCall, built: Sequence[_Candidate], work: Path, outcome: Outcome
) -> list[_Candidate]:
    """The candidates but for functions with an entry that the source calls weak, noted in
    `outcome`.

    Which these are is asked of the source alone: in GCC's object with entries all are weak.
    """
    entries = [c for c in built if isinstance(c.way, Replaced)]
    if not entries:
        return list(built)
    names = _weak(call, work)
    # What is wrong with a source that can't be compiled, its own compilation says.
    bad = [c for c in entries if names is None or c.way.symbol in names]  # type: ignore[union-attr]
    if names is not None:
        outcome.kept |= {c.name: "weak: another file may have its own" for c in bad}
    return [c for c in built if c not in bad]


def _weak(call: CompilerCall, work: Path) -> frozenset[str] | None:
    """The source's weak functions; None where it can't be compiled."""
    plain = work / "plain.o"
    for quickly in (["-O0", "-w"], []):  # some sources only compile as their build says
        command = call.compiling(call.source, plain, [*quickly, "-fno-lto"], work / "plain.d")
        if subprocess.run(command, capture_output=True, check=False).returncode:
            continue
        try:
            return weak(plain.read_bytes())
        except (OSError, NotElf):
            return None
        finally:
            plain.unlink(missing_ok=True)
    return None


def _runtime(work: Path, variants: Sequence[Variant]) -> Path:
    from compiler.codegen.variants import runtime_member

    path = work / "runtime.o"
    path.write_bytes(runtime_member(variants).content)
    return path


def _joined(call: CompilerCall, objects: Sequence[Path], made: Path) -> str | None:
    """Joins objects to one; what the linker says where it can't."""
    names = list(map(str, objects))
    command = [*call.compiler, *call.linking(), "-r", "-nostdlib", "-o", str(made), *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = done.stderr.strip().split("\n")[0]
        return said or f"{call.compiler[-1]} -r ends with {done.returncode}"
    return None
