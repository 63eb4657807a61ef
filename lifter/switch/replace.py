"""Compiles one source with lifted code in place of its kernels: the steps of `lift cc`.

    lift the source --> objects of the lifted functions, one a variant
    compile the source with an entry a function after it (`shim.py`)
    make each function's symbol stand for its entry (`elf.py`)
    join all into the object that the build asked for

Where any step can't be done, the object is what the compiler alone makes of the source.
"""

from __future__ import annotations

import contextlib
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
from ..emit.interface import load_interface
from ..show.progress import open_progress
from .compiler_call import CompilerCall
from .dependencies import files_read, unfit
from .elf import NotElf, replaceable, switched, symbols, weak
from .reading import NotUnderstood, reading_options
from .shim import Replaced, shim_text, switch_text, why_not

if TYPE_CHECKING:
    from compiler.codegen.variants import Variant


_GRACE = 20.0
"""Seconds for `lift` to write down what is finished when it is interrupted."""


@dataclass(frozen=True, slots=True)
class Switching:
    """What the user wants of `lift cc`."""

    lift: Callable[[list[str]], int]
    """Runs `lift` with arguments, in this process, and gives its exit status."""
    functions: tuple[str, ...] = ()
    """Only these; all when empty."""
    several: bool = False
    """Whether the names may be those of functions in other sources."""
    required: bool = False
    """Whether a function that isn't switched is an error."""
    lift_options: tuple[str, ...] = ()
    """Passed on to `lift`."""
    jobs: int = 1
    """Processes."""


@dataclass(slots=True)
class _Outcome:
    """What became of each function that could be meant."""

    switched: list[str]
    kept: dict[str, str]
    """Why a function keeps its C++, by its name."""


def compile_switched(call: CompilerCall, wanted: Switching) -> int:
    """Makes `call.output`; gives the exit status, the compiler's own where it fails."""
    work = call.output.with_name(f"{call.output.name}.lifted")
    try:
        work.mkdir(parents=True, exist_ok=True)
        (work / "began").write_text("lift cc", "utf-8")
    except OSError as error:
        return _plainly(call, wanted, _Outcome([], {"": f"{work}: {error.strerror}"}))
    work = work.resolve()
    began = (work / "began").stat().st_ctime_ns
    triple = _triple(call)
    variants = _variants(call, triple)
    if not variants:
        return _plainly(call, wanted, _Outcome([], {"": "no code for this machine"}))
    try:
        options = reading_options(call, triple, work / "compiler.h")
    except NotUnderstood as error:
        return _plainly(call, wanted, _Outcome([], {"": str(error)}))
    document = _lift(call, wanted, work, options)
    if document is None:
        return _plainly(call, wanted, _Outcome([], {"": "it can't be read"}))
    outcome = _Outcome([], {})
    parts = _parts(document, work, outcome)
    objects: list[Path] = []
    built = _built(parts, work, variants, wanted.jobs, outcome)
    made = _compiled(call, [r for _, r in built], work, outcome) if built else None
    if made is None:
        return _plainly(call, wanted, outcome)
    content, done = made
    noting = call.noting()
    if noting is not None and subprocess.run(noting, capture_output=True, check=False).returncode:
        return _plainly(call, wanted, _Outcome([], {"": "what it includes can't be told"}))
    reason = unfit(files_read((work / "compiled.d").read_text("utf-8"), work), began)
    if reason is not None:
        return _plainly(call, wanted, _Outcome([], {"": reason}))
    for part, replaced in built:
        if replaced in done:
            objects += object_paths(work, part, variants, Scheduling())
    try:
        content = switched(content, {r.symbol: (r.entry, r.original) for r in done})
    except (NotElf, KeyError) as error:
        return _plainly(call, wanted, _Outcome([], {"": f"its object can't be changed: {error}"}))
    own = work / "switched.o"
    own.write_bytes(content)
    problem = _joined(call, [own, *objects, _runtime(work, variants)])
    if problem is not None:
        return _plainly(call, wanted, _Outcome([], {"": f"its objects can't be joined: {problem}"}))
    outcome.switched = [_plain(replaced) for replaced in done]
    return _say(call, wanted, outcome)


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
            os.waitpid(child, 0)
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


def _built(
    parts: Sequence[tuple[LibraryPart, Replaced]],
    work: Path,
    variants: Sequence[Variant],
    jobs: int,
    outcome: _Outcome,
) -> list[tuple[LibraryPart, Replaced]]:
    """Compiles the lifted functions; those that can't be compiled are noted in `outcome`."""
    pool = Pool(jobs)
    failed: dict[str, str] = {}
    waiting = 0
    for part, replaced in parts:
        if not all(path.is_file() for path in object_paths(work, part, variants, Scheduling())):
            waiting += 1
            call = partial(compile_part, work, part, variants, Scheduling())
            pool.submit(Task(_plain(replaced), call, part))
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
    outcome.kept |= {_plain(r): failed[p.name] for p, r in parts if p.name in failed}
    return [(part, replaced) for part, replaced in parts if part.name not in failed]


def _parts(document: Any, work: Path, outcome: _Outcome) -> list[tuple[LibraryPart, Replaced]]:
    """The functions that can be switched, those that can't noted in `outcome`."""
    parts = []
    for function in document["functions"]:
        name = function["name"]
        if function["status"] == "skipped":
            continue
        if function["status"] != "proved" or not function["folder"]:
            outcome.kept[name] = function["code"] or function["status"]
            continue
        # Beside it, an object of this name that had another source may have left a function's.
        folder = work / function["folder"]
        interface = load_interface(folder)
        reason = why_not(interface)
        if reason is not None:
            outcome.kept[name] = reason
            continue
        own = replace(interface, name=f"lift_switched_{interface.symbol}")
        replaced = Replaced(own, function["signature"], name)
        parts.append((LibraryPart(folder, own.name, own), replaced))
    return parts


def _compiled(
    call: CompilerCall, wanted: Sequence[Replaced], work: Path, outcome: _Outcome
) -> tuple[bytes, list[Replaced]] | None:
    """The source's object with entries for as many functions as can have one, and those."""
    replaced = _not_weak(call, wanted, work, outcome)
    shim, switch, object = work / "shim.cpp", work / "switch.h", work / "compiled.o"
    # An object for link-time optimisation is nobody's but its compiler's. With Clang, calls of
    # functions in the same file can be led elsewhere where it is position-independent.
    more = ["-fno-lto", *(["-fPIC", "-fsemantic-interposition"] if call.is_clang else [])]
    while replaced:
        text, places = switch_text(replaced, call.is_clang)
        switch.write_text(text, "utf-8")
        try:
            shim.write_text(shim_text(call.source.absolute(), switch), "utf-8")
        except ValueError as error:
            outcome.kept |= {_plain(r): str(error) for r in replaced}
            return None
        command = call.compiling(shim, object, more, noted=work / "compiled.d")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            lines = _lines(done.stderr, switch)
            bad = [r for r, place in zip(replaced, places, strict=True) if lines & set(place)]
            if not bad:
                # A function that can't be called from elsewhere, such as one with several targets.
                lines = _lines(done.stderr, call.source.absolute())
                bad = [r for r in replaced if r.interface.line in lines]
            # Else what the source leaves behind, macros for one, is in the way of all.
            bad = bad or replaced
            reason = "its entry can't be compiled"
        else:
            content = object.read_bytes()
            try:
                bad = [r for r in replaced if not replaceable(content, r.symbol)]
                reason = "inline: every file has its own"
                if not bad:
                    bad = [r for r in replaced if r.entry not in symbols(content)]
                    reason = "its entry gets another type than it has"
            except NotElf:
                return None
            if not bad:
                sys.stderr.write(done.stderr.replace(str(shim), str(call.source)))
                return content, replaced
        for one in bad:
            outcome.kept[_plain(one)] = reason
        replaced = [r for r in replaced if r not in bad]
    return None


def _lines(said: str, file: Path) -> set[int]:
    """The lines of a file that a compiler names."""
    return {int(number) for number in re.findall(rf"{re.escape(str(file))}:(\d+)", said)}


def _not_weak(
    call: CompilerCall, wanted: Sequence[Replaced], work: Path, outcome: _Outcome
) -> list[Replaced]:
    """The functions but for those that the source calls weak, noted in `outcome`.

    Which these are is asked of the source alone: in GCC's object with entries all are weak.
    """
    names = _weak(call, work)
    if names is None:
        return []  # what is wrong with the source, its own compilation says
    for one in wanted:
        if one.symbol in names:
            outcome.kept[_plain(one)] = "weak: another file may have its own"
    return [r for r in wanted if r.symbol not in names]


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


def _joined(call: CompilerCall, objects: Sequence[Path]) -> str | None:
    """Joins objects to `call.output`; what the linker says where it can't."""
    partial = call.output.with_name(f"{call.output.name}.partial")
    names = list(map(str, objects))
    command = [*call.compiler, *call.linking(), "-r", "-nostdlib", "-o", str(partial), *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        partial.unlink(missing_ok=True)
        return done.stderr.strip().split("\n")[0]
    partial.replace(call.output)
    return None


def _plainly(call: CompilerCall, wanted: Switching, outcome: _Outcome) -> int:
    """The object that the compiler alone makes."""
    status = subprocess.run(call.compiling(call.source, call.output), check=False).returncode
    return status or _say(call, wanted, outcome)


def _say(call: CompilerCall, wanted: Switching, outcome: _Outcome) -> int:
    """A line about what was switched and one about what wasn't; the exit status."""
    name = call.source.name
    problems = [f"{one} ({why})" if one else why for one, why in sorted(outcome.kept.items())]
    known = {*outcome.switched, *outcome.kept}
    if not wanted.several:
        problems += [f"{f} (no such function)" for f in wanted.functions if f not in known]
    if outcome.switched:
        print(f"lift: {name}: lifted code for {', '.join(outcome.switched)}", file=sys.stderr)
    if problems:
        print(f"lift: {name}: C++ as before for {', '.join(problems)}", file=sys.stderr)
    elsewhere = wanted.several and wanted.functions
    if wanted.required and (problems or not (outcome.switched or elsewhere)):
        call.output.unlink(missing_ok=True)
        print(
            f"lift: error: {name}: not every function is lifted, and --require asks for that "
            f"(lift explain {call.source}:FUNCTION)",
            file=sys.stderr,
        )
        return 1
    return 0


def _plain(replaced: Replaced) -> str:
    return replaced.name
