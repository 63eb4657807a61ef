"""What becomes of kernels whose source was changed: do they differ, is the old summary accepted.

The two answers are found independently. *Differs* compiles the changed file and the original by g++
and calls both. *Accepted* asks the verifier to prove the summaries of the original of the changed
kernel, with exactly the preconditions of the accepted proof. *Lifted* lifts the changed kernel as
if it were new, builds it, and calls it and g++'s code of it.
"""

from __future__ import annotations

import ctypes
import os
import re
import select
import signal
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from compiler.ir import Call, Expr, postorder, substitute, transform
from lifter.build.build import build_function
from lifter.dag import build_stage_graph
from lifter.emit import emit
from lifter.lift.lift_function import Lifting, LiftOptions
from lifter.lift.nests import groups, joined
from lifter.lift.stage_context import LiftedStage, StageContext
from lifter.model.diagnostic import LiftError
from lifter.model.kernel import Kernel
from lifter.model.parameters import parameters
from lifter.model.stage import Stage
from lifter.model.summary import Summary
from lifter.parse import parse_file
from lifter.parse.kernel_text import kernel_to_text
from lifter.synth import load_grammar
from lifter.verify import PureProof
from lifter.verify.decide import Prover
from lifter.verify.reduction import ReductionProof
from tests.end_to_end.corpus_list import CORPUS, listed
from tests.end_to_end.exact_memory import recorded, wrong_with_exact_memory
from tests.end_to_end.images import Arguments, NoArguments, Pattern, arguments, differences
from tests.end_to_end.lifted_corpus import Lifted, lifted, models, original, parsed
from tests.end_to_end.original import LENIENT, Original, compile_original, stated_flags
from tests.end_to_end.recorder import RECORDED
from tests.verify.mutant_trials import Fixed
from tests.verify.source_mutants import Change, applied, generations, line_of

SIZES: tuple[tuple[int, int, Pattern], ...] = (
    (5, 4, "random"), (33, 3, "random"), (1, 1, "extremes"), (16, 2, "extremes"),
    (7, 1, "random"), (35, 5, "extremes"), (6, 5, "random"), (19, 3, "extremes"),
)  # fmt: skip
LIMIT = 3.0
"""Seconds for the calls of a changed kernel, which may not end."""
CRASHES, ENDLESS = "it crashes", "it doesn't end"


@dataclass(frozen=True)
class TriedSource:
    """One kernel that was changed, and what became of it."""

    file: str
    kernel: str
    changes: str
    difference: str | None
    accepted: bool
    lifted: str
    """`proved`, the code of its failure, or `wrong: ...` where the lifted code isn't the source's;
    empty where it wasn't tried."""

    def __str__(self) -> str:
        return f"{self.file}:{self.kernel} ({self.changes})"


UNDEFINED = ("blur",)
"""The original itself reads outside of an array."""
UNWARNED = ("cross_fade4",)
"""Has a `std::array`, and nobody warns of a mutant that reads outside of it, which is undefined."""


def tried_sources(
    file: str, count: int, lift_every: int, seconds: float, names: Collection[str] = ()
) -> Iterator[TriedSource]:
    """`count` changed kernels of a file, of those with these names, by default of all that are
    listed; each `lift_every`-th is lifted itself (0: none)."""
    text = (CORPUS / file).read_text("utf-8")
    names = set(names) or {n for f, n in listed() if f == file and n not in UNDEFINED}
    others = [k for k in parsed(file).kernels if k.name not in names]
    done = 0
    for generation in generations(text, file):
        made = [c for c in generation if not any(_concerns(k, text, c) for k in others)]
        own = [c for c in made if any(_concerns(k, text, c) for k in parsed(file).kernels)]
        # Functions and macros that kernels use change many kernels at once.
        for some in (own, [c for c in made if c not in own]):
            for tried in _generation(file, text, some, names, lift_every, seconds):
                yield tried
                done += 1
                if done == count:
                    return


def _generation(
    file: str, text: str, made: list[Change], names: set[str], lift_every: int, seconds: float
) -> Iterator[TriedSource]:
    with tempfile.TemporaryDirectory(prefix="lift_mutant_") as folder:
        path = Path(folder) / Path(file).name
        found = _compiled(file, text, made, path)
        if found is None:
            return
        made, kernels, library = found
        changed = [k for k in kernels if k.name in names and _is_changed(file, k)]
        for number, kernel in enumerate(changed):
            subject = lifted(file, kernel.name)
            a, b = (c._library[f"lift_test_{kernel.name}"] for c in (original(file), library))
            wrong = _difference(subject.kernel, subject.formulas(), a, b)
            accepted = is_accepted(subject, kernel, seconds)
            became = ""
            if lift_every and number % lift_every == 0 and kernel.name not in UNWARNED:
                compiled = partial(compile_original, path, kernels, models(file))
                became = lifted_itself(kernel, compiled, Path(folder))
            what = "; ".join(_said(text, c) for c in made if _concerns(kernel, text, c))
            yield TriedSource(file, kernel.name, what or "helpers", wrong, accepted, became)


def _is_changed(file: str, kernel: Kernel) -> bool:
    """Whether it computes something else, or the same in other words, from the same parameters."""
    old = lifted(file, kernel.name).kernel
    same_parameters = [(p.name, p.type) for p in kernel.params] == [
        (p.name, p.type) for p in old.params
    ]
    return same_parameters and kernel_to_text(kernel) != kernel_to_text(old)


def _said(text: str, change: Change) -> str:
    old = text[change.start : change.end].strip()
    return f"line {line_of(text, change)}, {change.kind}: {old} -> {change.new.strip()}"


def _concerns(kernel: Kernel, text: str, change: Change) -> bool:
    return kernel.span.line <= line_of(text, change) <= kernel.span.end_line


def _compiled(
    file: str, text: str, made: list[Change], path: Path
) -> tuple[list[Change], tuple[Kernel, ...], Original] | None:
    """The changes that compile, the kernels as parsed and as machine code; None if too few do."""
    for _ in range(5):
        if not made:
            return None
        path.write_text(applied(text, made))
        flags = stated_flags(CORPUS / file)
        found = parse_file(path, models=models(file), clang_args=flags)
        try:
            return made, found.kernels, compile_original(path, found.kernels, models(file))
        except RuntimeError as error:
            lines = {int(n) for n in re.findall(rf"{path.name}:(\d+):", str(error))}
            kept = [c for c in made if line_of(text, c) not in lines]
            made = kept if len(kept) < len(made) else made[::2]
    return None


def _difference(kernel: Kernel, formulas: list[Expr], a: Any, b: Any) -> str | None:
    """An input within the preconditions on which two functions leave different bits."""

    def work() -> str | None:
        for made in _calls(kernel, formulas):
            wrong = list(differences(made.call(a), made.call(b)))
            if wrong:
                return f"{made.text}: {wrong[0]}"
        return None

    return in_child(work, LIMIT)


def _calls(kernel: Kernel, formulas: list[Expr]) -> Iterator[Arguments]:
    for width, height, pattern in SIZES:
        try:
            yield arguments(kernel, width, height, pattern, formulas)
        except NoArguments:
            continue


def in_child(work: Callable[[], str | None], limit: float) -> str | None:
    """What `work` gives back in a child, which may crash or never end."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGSEGV, signal.SIG_DFL)
        try:
            text = work()
            os.write(writing, b"=" if text is None else b"!" + text.encode()[:2000])
        except BaseException as error:
            os.write(writing, f"!the child raised {error!r}".encode()[:2000])
        finally:
            os._exit(0)
    os.close(writing)
    ready, _, _ = select.select([reading], [], [], limit)
    answer = os.read(reading, 4096) if ready else b"?"
    os.close(reading)
    if not ready:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    if answer == b"=":
        return None
    return {b"": CRASHES, b"?": ENDLESS}.get(answer, answer[1:].decode(errors="replace"))


# Does the verifier accept the old summaries?


def is_accepted(subject: Lifted, kernel: Kernel, seconds: float) -> bool:
    """Whether the original's summaries are proved of the changed kernel; `seconds` for a query."""
    try:
        return _Claimed(subject, kernel, seconds).holds()
    except LiftError:
        return False


class _Claimed(Lifting):
    """Proves given summaries of a kernel, in the order of its stages, with fixed preconditions."""

    def __init__(self, subject: Lifted, kernel: Kernel, seconds: float) -> None:
        super().__init__(kernel, LiftOptions())
        self.claimed = [_with_bodies(s.summary, subject.kernel, kernel) for s in subject.steps]
        prover = Prover(parameters(kernel), self._body, seconds)
        self.fixed = Fixed(kernel, prover, list(subject.proved_assumptions.preconditions))
        self.assumptions = self.fixed
        self.context = StageContext(load_grammar(()), self.fixed, self.watch)

    def holds(self) -> bool:
        for group in groups(build_stage_graph(self.kernel).order):
            self._finish_nest(self.context, group[0][0].nest)
            if len(group) > 1 and all(self._takes(stage) for stage in joined(group)):
                continue
            for nest in group:
                self._finish_nest(self.context, nest[0].nest)
                if not all(self._takes(stage) for stage in nest):
                    return False
        self._finish_nest(self.context)
        return not self.claimed

    def _takes(self, stage: Stage) -> bool:
        if not self.claimed or self.claimed[0].output != stage.output:
            return False
        summary = self.claimed[0]
        if [len(w.loops) for w in stage.writes] != [len(w.counters) for w in summary.witnesses]:
            return False  # other loops or stores: nothing says which iteration writes a point
        proof = PureProof if summary.kind == "pure" else ReductionProof
        if not proof(stage, summary, self.fixed, self.context.produced).run():
            return False
        self._finish(LiftedStage(stage, self.claimed.pop(0), ()), self.context)
        return True


def _with_bodies(summary: Summary, old: Kernel, new: Kernel) -> Summary:
    """The summary, in which functions that mean something else by now are what they were."""
    changed: set[str] = set()
    while True:  # what calls a changed function is changed
        found = {
            name
            for name, f in old.functions.items()
            if name not in new.functions
            or (f.params, f.body) != (new.functions[name].params, new.functions[name].body)
            or changed & {n.name for n in postorder(f.body) if isinstance(n, Call)}
        }
        if found == changed:
            break
        changed = found

    def visit(node: Expr) -> Expr:
        if not (isinstance(node, Call) and node.kind != "image" and node.name in changed):
            return node
        function = old.functions[node.name]
        body = substitute(function.body, dict(zip(function.params, node.args, strict=True)))
        return transform(body, visit)

    return replace(summary, expression=transform(summary.expression, visit))


# Is what becomes of the changed kernel right?


def lifted_itself(
    kernel: Kernel, compiled: Callable[[tuple[str, ...]], Original], folder: Path
) -> str:
    """`proved`, another verdict's code, or `wrong: ` and an input; `compiled` gives the source as
    g++ makes it with some options. Lifted code gets exactly the memory that g++'s code touches.

    What is undefined for some inputs, as its warnings say, isn't called: `defined in part`.
    """
    lifting = Lifting(kernel, LiftOptions(timeout=20.0))
    result = lifting.result()
    if result.status != "proved":
        return result.diagnostic.code if result.diagnostic else result.status
    assert result.proof is not None
    if {w.code for w in result.warnings} & {"out-of-bounds", "uninitialised"}:
        return "defined in part"
    formulas = lifting._formulas(result.proof.preconditions)
    try:
        emit(result, folder / kernel.name)
        built = build_function(folder / kernel.name)
    except LiftError as error:
        return error.diagnostic.code
    assert built.shared is not None
    flat = "_flat" if any(p.kind == "vector" for p in kernel.params) else ""
    ours = ctypes.CDLL(str(built.shared))[f"{kernel.name}_lifted{flat}"]
    name = f"lift_test_{kernel.name}"
    recorders = [compiled(options)._library for options in RECORDED]
    wrong = in_child(lambda: _wrong_touch(kernel, formulas, recorders, ours), LIMIT)
    if wrong in (CRASHES, ENDLESS):
        theirs = compiled(LENIENT)._library[name]
        if _difference(kernel, formulas, theirs, theirs) is not None:
            return "not to be called"  # g++'s code ends no better
    return "proved" if wrong is None else f"wrong: {wrong}"


def _wrong_touch(
    kernel: Kernel, formulas: list[Expr], recorders: Sequence[ctypes.CDLL], ours: Any
) -> str | None:
    """What `ours` leaves otherwise; it crashes where it touches anything else."""
    for made in _calls(kernel, formulas):
        touched = recorded(made, recorders, f"lift_test_{kernel.name}")
        for at_end in (False, True):
            for wrong in wrong_with_exact_memory(touched, ours, at_end=at_end):
                return f"{made.text}: {wrong}"
    return None
