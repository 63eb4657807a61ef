"""`Measured`: candidates of every method, ranked by a model, the best of them timed.

The search under our own cost model (`search`) and the methods of the papers propose; the model
ranks them all; those at the top are built and timed in this process, and then their neighbours,
until the time budget is spent. Without the machine at hand (cross-compiling) the model alone
decides. The winner is kept on disk, by pipeline, machine and sizes.
"""

from __future__ import annotations

import math
import os
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from ..lang import Function, HalideError
from ..lang.errors import HalideWarning
from .cost_model import CostModel
from .estimates import estimated_graph
from .graph import PipelineGraph
from .groups import Grouping
from .kept import Kept
from .machine import Machine
from .measure import Bench, Compiled, copy_bandwidth
from .schedule import Schedule
from .search import Search, SearchState, resized

BUDGET = 20.0
"""Seconds."""

MOST_NEIGHBOURS = 40
"""So many states beside a fast one are looked at, the best by the model."""

LARGE = 40
"""Of pipelines of more stages the search looks at so little that the papers' methods go first."""

LEADERS = 3
FINALISTS = 5
"""So many of the fastest are timed once more, in turns, before one wins."""

FINAL_ROUNDS = 10


@dataclass(frozen=True)
class MeasuredParameters:
    """How long `Measured` may take, and with what it starts."""

    budget: float = BUDGET
    """Seconds for building and timing; with 0 the model alone decides."""
    candidates: int = 1000
    """So many are timed at most."""
    methods: tuple[str, ...] = ("Mullapudi2016", "Sioutas2018", "Sioutas2019")
    """Whose schedules take part beside those of the search."""
    keep: bool = True
    """Whether the winner is looked for, and kept, on disk (`kept`)."""


@dataclass
class Candidate:
    """A schedule, what the model expects of it, and what it took."""

    method: str
    schedule: Schedule
    grouping: Grouping | None
    predicted: float
    """Seconds."""
    measured: float = math.inf
    """Seconds; infinite where it wasn't run."""
    state: SearchState | None = None
    compiled: Compiled | None = field(default=None, repr=False)


@dataclass(frozen=True)
class MeasuredOutcome:
    """The winner, and all that it was compared with."""

    winner: Candidate
    candidates: tuple[Candidate, ...]


def _nothing_else(graph: PipelineGraph) -> Sequence[Grouping]:
    return ()


def measured(
    outputs: Sequence[Function],
    machine: Machine,
    parameters: MeasuredParameters = MeasuredParameters(),
    is_here: bool = True,
    proposals: Callable[[PipelineGraph], Sequence[Grouping]] = _nothing_else,
    progress: Callable[[str], None] | None = None,
) -> MeasuredOutcome:
    """The schedule for `outputs` that ran fastest; `proposals` gives other methods'
    groupings of their graph, and isn't asked where the winner is known already.

    `is_here` says whether this process runs on the machine that is compiled for. Raises
    `HalideError` for missing estimates.
    """
    if parameters.budget < 0 or math.isnan(parameters.budget):
        raise HalideError(f"The time budget is {parameters.budget} s; it must be 0 or more.")
    end = time.monotonic() + parameters.budget
    graph = estimated_graph(outputs)
    is_timed = is_here and parameters.budget > 0
    keeps = parameters.keep and is_timed
    kept = Kept(outputs, graph, machine, _about(parameters)) if keeps else None
    found = kept.find() if kept is not None else None
    if found is not None:
        schedule, seconds = found
        winner = Candidate("kept", schedule, None, math.nan, seconds)
        return MeasuredOutcome(winner, (winner,))
    if is_timed and "bandwidth" in machine.guesses:
        machine = replace(machine, bandwidth=copy_bandwidth(machine))
    search = Search(graph, machine)
    candidates = [_from_state(search, s, machine) for s in search.states()]
    candidates += [_from_grouping(g, machine) for g in proposals(graph)]
    candidates.sort(key=lambda c: c.predicted)
    if not is_timed:
        return MeasuredOutcome(candidates[0], tuple(candidates))
    race = _Race(Bench(outputs, graph), end, parameters.candidates, progress)
    is_narrow = len(graph.stages) > LARGE
    for candidate in _in_turns(candidates, last="search" if is_narrow else ""):
        if not race.run(candidate):
            break
    while race.has_time():
        tried = len(race.tried)
        for candidate in _promising(search, race.leaders(), machine):
            if not race.run(candidate):
                break
        if len(race.tried) == tried:
            break
    if not race.tried:
        warnings.warn(
            f"No schedule could be timed, so the model alone decides: {race.refusal}",
            HalideWarning,
            stacklevel=2,
        )
        return MeasuredOutcome(candidates[0], tuple(candidates))
    winner = race.winner()
    if kept is not None:
        kept.keep(winner.schedule, winner.measured)
    return MeasuredOutcome(winner, tuple(race.tried))


def _about(parameters: MeasuredParameters) -> str:
    """What a winner depends on beside pipeline, machine and sizes."""
    from ..codegen import Target

    return f"{Target.host()} {os.environ.get('LIFT_NUM_THREADS', '')} {parameters.methods}"


def _from_state(search: Search, state: SearchState, machine: Machine) -> Candidate:
    grouping = search.grouping(state)
    return Candidate("search", grouping.schedule(machine), grouping, state.cost, state=state)


def _from_grouping(grouping: Grouping, machine: Machine) -> Candidate:
    model = CostModel(grouping.graph, machine)
    seconds = sum(model.cost(g).seconds for g in grouping.groups)
    return Candidate(grouping.method, grouping.schedule(machine), grouping, seconds)


def _in_turns(candidates: Sequence[Candidate], last: str) -> list[Candidate]:
    """The best of each method, then the next best of each: what one method proposes is alike, and
    so is what its model is wrong about. The order within a method stays; in each turn `last` is
    the last."""
    places: dict[str, int] = {}
    keyed = []
    for i, candidate in enumerate(candidates):
        place = places[candidate.method] = places.get(candidate.method, -1) + 1
        keyed.append((place, candidate.method == last, i, candidate))
    return [c for *_, c in sorted(keyed, key=lambda k: k[:3])]


def _promising(search: Search, leaders: Sequence[Candidate], machine: Machine) -> list[Candidate]:
    """What differs in one decision from the fastest so far, the best by the model first."""
    made: list[Candidate] = []
    for leader in leaders:
        if leader.state is not None:
            states = search.neighbours(leader.state)
            made += [_from_state(search, s, machine) for s in states[:MOST_NEIGHBOURS]]
        elif leader.grouping is not None:
            made += [_from_grouping(g, machine) for g in resized(leader.grouping)]
    return sorted(made, key=lambda c: c.predicted)


class _Race:
    """Builds and times candidates until time is up."""

    def __init__(
        self, bench: Bench, end: float, most: int, progress: Callable[[str], None] | None
    ) -> None:
        self.bench, self.end, self.most, self.progress = bench, end, most, progress
        self.tried: list[Candidate] = []
        self.seen: set[Schedule] = set()
        self.refusal = ""
        """Why the last one that was refused couldn't be built or run."""
        self.longest = 0.0
        """Seconds that a candidate took so far, with its compilation."""

    def has_time(self) -> bool:
        """Whether another candidate can be timed."""
        return len(self.tried) < self.most and time.monotonic() + self.longest < self.end

    def run(self, candidate: Candidate) -> bool:
        """Times a candidate, unless it was seen before; whether there is time for another."""
        from ..codegen import CompilerRuntimeError

        if candidate.schedule in self.seen:
            return True
        self.seen.add(candidate.schedule)
        if self.tried and not self.has_time():
            return False
        began = time.monotonic()
        best = min((c.measured for c in self.tried), default=math.inf)
        try:
            candidate.compiled = self.bench.compiled(candidate.schedule)
            candidate.measured = candidate.compiled.time(best)
        except (HalideError, CompilerRuntimeError) as error:
            # Lowering refuses it, or it wants more memory or input than there is: no candidate.
            candidate.compiled, self.refusal = None, str(error)
            return self.has_time()
        self.tried.append(candidate)
        for loser in self.tried:
            if loser.measured > 1.3 * best:
                loser.compiled = None
        self.longest = max(self.longest, time.monotonic() - began)
        if self.progress is not None:
            self.progress(
                f"{len(self.tried)} timed, best {min(best, candidate.measured) * 1e3:.2f} ms"
            )
        return self.has_time()

    def leaders(self) -> list[Candidate]:
        """Those whose neighbours are worth a try."""
        return sorted(self.tried, key=lambda c: c.measured)[:LEADERS]

    def winner(self) -> Candidate:
        """The fastest; where several are close, they run once more, in turns."""
        leaders = sorted(self.tried, key=lambda c: c.measured)[:FINALISTS]
        running = [c for c in leaders if c.compiled is not None]
        for _ in range(FINAL_ROUNDS):
            for candidate in running:
                assert candidate.compiled is not None
                candidate.compiled.once()
        for candidate in running:
            assert candidate.compiled is not None
            candidate.measured = min(candidate.measured, candidate.compiled.best)
        return min(leaders, key=lambda c: c.measured)


__all__ = ["Candidate", "MeasuredParameters", "MeasuredOutcome", "measured"]
