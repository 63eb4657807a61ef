"""Kernel -> StageGraph: a forward walk over the function's statements (dexter-2019 section 5.2).

Scalar statements run symbolically; each loop nest on the way becomes a stage. A conditional around
loops forks: each branch is walked on its own, and branches that write the same array merge into one
stage, whose writes carry the branches' conditions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from compiler.ir import (
    I64,
    TRUE,
    Call,
    Const,
    Expr,
    Load,
    Type,
    Variable,
    const,
    postorder,
    substitute,
)

from ..model.diagnostic import LiftError, Span
from ..model.kernel import (
    Array,
    Assign,
    If,
    Kernel,
    Return,
    Stmt,
    Store,
    WhileLoop,
    expressions_of,
    statements,
)
from ..model.stage import Claim, Fact, Read, ReadKey, Stage, StageGraph, Write
from .distribution import Distributed, Part, apart, with_loops_distributed
from .extremes_apart import with_extremes_apart
from .failure import unsupported
from .folds import Fold, fold_where, loads_of_folds
from .followed_places import with_places_followed
from .last_stores import with_last_stores
from .library_calls import check_library_calls
from .loops import loads_under, run_loop
from .numbers_in_memory import with_numbers_as_scalars
from .polynomial import ZERO, conjunction, negate
from .put_in_order import put_in_order
from .reduce import Reduce
from .rings import Ring, without_ring
from .row_states import RowStates, with_rows
from .scalars import unknown
from .states import Expanded, expanded
from .status import returned
from .steady_tests import with_tests_around
from .strip_mined import with_loops_joined
from .sums_held import with_sums_held
from .symbolic import Executor, Log, Recording, markers
from .updates import updates_apart
from .windows import Refused, WindowFinder, Windows


@dataclass(frozen=True)
class NestAccesses:
    """All that one loop nest writes, reads and claims, before it is split by output array."""

    writes: tuple[Write, ...]
    reads: tuple[Read, ...]
    claims: tuple[Claim, ...]
    span: Span
    facts: tuple[Fact, ...] = ()
    beside: tuple[Write, ...] = ()
    """Other updates of the array that is written."""
    others: tuple[Write, ...] = ()
    """Stores of the loops to other arrays, which are in a nest of their own."""
    handed_on: frozenset[str] = frozenset()
    """See `Stage.handed_on`."""
    is_fold: bool = False
    """See `Stage.is_fold`."""
    is_update: bool = False
    """See `Stage.is_update`."""

    @property
    def outputs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(w.array for w in self.writes))

    def under(self, condition: Expr) -> NestAccesses:
        writes = (replace(w, condition=conjunction((condition, w.condition))) for w in self.writes)
        return replace(self, writes=tuple(writes))

    def with_loops_joined(self) -> NestAccesses:
        """One loop in the place of two that are one in pieces (strip_mined.py)."""
        if self.beside or self.others or self.handed_on or self.is_fold or self.is_update:
            return self
        writes, reads, facts = with_loops_joined(self.writes, self.reads, self.facts)
        return replace(self, writes=writes, reads=reads, facts=facts)

    def updates_apart(self) -> list[NestAccesses]:
        """The nest, or one for each of several updates of one array."""
        found = updates_apart(self.writes, self.reads)
        parts = [replace(self, writes=(write,), reads=reads) for write, reads in found]
        every = [write for part in parts for write in part.writes]
        return [
            replace(part, beside=tuple(w for w in every if w not in part.writes)) for part in parts
        ] or [self]


@dataclass(frozen=True)
class Reading:
    """Which of several ways to take a kernel's loops."""

    error_terms: bool = True
    """Whether remainders and quotients that iterations could hand on are known as such."""
    in_parts: bool = False
    """Whether loops are loops one after the other for what an iteration does one after the
    other (distribution.py)."""


def build_stage_graph(
    kernel: Kernel, refused: Refused = (), reading: Reading | None = None
) -> StageGraph:
    """The stages of a kernel and what flows between them; without the windows that were
    `refused`.

    Raises `LiftError` with `loop-bound`, `loop-carried` or `unsupported-stage` where a nest isn't
    understood.
    """
    plain = with_places_followed(with_numbers_as_scalars(with_tests_around(kernel)))
    plain = with_sums_held(with_extremes_apart(plain))
    reading = reading or Reading()
    whole = with_loops_distributed(plain) if reading.in_parts else Distributed(plain, {})
    walk = _Walk(whole, refused)
    walk.executor.knows_error_terms = reading.error_terms
    body = walk.executor.kernel.body
    nests = [
        part.with_loops_joined()
        for nest in walk.nests(_observed(body))
        for part in nest.updates_apart()
    ]
    flows: dict[tuple[str, str], tuple[str, ...]] = {}
    order: list[Stage] = []
    writers: dict[str, str] = {}
    names: dict[str, int] = {}
    for number, nest in enumerate(nests):
        made = []
        for output in nest.outputs:
            names[output] = names.get(output, 0) + 1
            name = output if names[output] == 1 else f"{output}.{names[output]}"
            made.append(_stage(name, output, nest, number))
        for stage in made:
            arrays = dict.fromkeys([*(r.array for r in stage.reads), stage.output])
            for array in arrays:
                if array in writers and writers[array] != stage.name:
                    edge = writers[array], stage.name
                    flows[edge] = (*flows.get(edge, ()), array)
        for stage in made:
            writers[stage.output] = stage.name
        order.extend(made)
    kernel = replace(kernel, arrays={**kernel.arrays, **walk.cells})
    return StageGraph(
        kernel, flows, tuple(order), walk.executor.allocations, (), walk.returned,
        walk.executor.has_error_terms,
    )  # fmt: skip


def _stage(name: str, output: str, nest: NestAccesses, number: int) -> Stage:
    """The part of a nest that makes `output`; its reads are all reads of the nest."""
    writes = tuple(w for w in nest.writes if w.array == output)
    siblings = tuple(w for w in (*nest.writes, *nest.others) if w.array != output)
    return Stage(
        name, output, writes, nest.reads, nest.claims, nest.span, siblings, nest.facts, number,
        nest.beside, handed_on=nest.handed_on, is_fold=nest.is_fold, others=nest.others,
        is_update=nest.is_update,
    )  # fmt: skip


@dataclass(frozen=True)
class _LeftByNest:
    """A scalar behind a nest, made of arrays as they were before it, which it has stored to."""

    nest: int
    value: Expr
    reads: dict[ReadKey, Read]
    """What it is made of."""
    is_there: bool
    """Whether no nest so far has stored to an element that it's made of: two numbers of one array
    are two places."""


class _Walk:
    def __init__(self, distributed: Distributed, refused: Refused) -> None:
        kernel = distributed.kernel
        self.parts = distributed.parts
        self.done: dict[int, list[Read | Write]] = {}
        """What the parts of a loop so far have touched."""
        self.executor = Executor(kernel, run_loop, fold_where, put_in_order)
        self.refused = refused
        self.functions = kernel.functions
        self.returned: Expr | None = None
        self.finished = 0
        """How many nests there were so far."""
        self.left: dict[Variable, _LeftByNest] = {}
        """The scalars of which nothing but a marker is left behind a nest."""
        self.behind: list[tuple[Stmt, ...]] = []
        """What stands behind the statement at hand, in its body and in those around."""
        self.cells: dict[str, Array] = {}
        """Arrays of one element each, for what folds leave."""

    def nests(self, body: Iterable[Stmt]) -> list[NestAccesses]:
        found: list[NestAccesses] = []
        own: dict[int, int] = {}
        """Where in `found` the nests are that stand in this body itself, by their numbers."""
        body = tuple(body)
        self.behind.append(())
        for place, stmt in enumerate(body):
            self.behind[-1] = body[place + 1 :]
            if isinstance(stmt, If) and _has_work(stmt):
                found.extend(self._fork(stmt))
            elif isinstance(stmt, Store):
                self._store(stmt, found, own)
            elif _has_work(stmt):
                number, made = self.finished, self._nest(stmt)
                if made:
                    own[number] = len(found)
                found.extend(made)
                found.extend(self._kept(body[place + 1 :], stmt.span))
            elif isinstance(stmt, Return):
                self.returned = returned(self.executor, stmt)
            else:
                self.executor.run((stmt,))
        self.behind.pop()
        return found

    def _store(self, stmt: Store, found: list[NestAccesses], own: dict[int, int]) -> None:
        """A store behind the nests `found`. One of a scalar that a nest has left, as of a count of
        what it has changed, belongs to that nest: it is made of what was there before it. So do
        stores side by side of scalars that were chosen by what the first of them overwrites."""
        executor = self.executor
        executor.run((stmt,))
        log = executor.recording.logs[0]
        for write in log.writes:
            at = self._nest_of(write, found, own)
            if at is None:
                continue
            log.writes[:] = [self._made_at_once(w) for w in log.writes]
            own[self.finished] = at
            (made,) = self._recorded(stmt.span)
            nest = found[at]
            # What it leaves in arrays of states is read behind it, by later stores.
            states = self.cells.keys() & {w.array for later in found[at:] for w in later.writes}
            reads = tuple(r for r in made.reads if r.array not in states)
            found[at] = _merged(nest, replace(made, reads=reads), nest.span)
            return
        self._put_back(log)
        if len(log.writes) == 1 and log.writes[0].value in executor.folds:
            (write,) = log.writes
            found.extend(self._folded(executor.folds[write.value].fold, (write,)))
            return
        own[self.finished] = len(found)
        found.extend(self._recorded(stmt.span))

    def _nest_of(
        self, write: Write, found: Sequence[NestAccesses], own: Mapping[int, int]
    ) -> int | None:
        """Which of the nests a store belongs to, if it may be done at once with that."""
        left = [m for m in markers(write.value) if m in self.left]
        numbers = {self.left[m].nest for m in left}
        if len(numbers) != 1 or not numbers <= own.keys():
            return None
        at = own[numbers.pop()]
        since = {w.array for nest in found[at:] for w in nest.writes}
        seen_since = {r.array for nest in found[at + 1 :] for r in nest.reads}
        own_reads = {n.array for n in postorder(write.value) if isinstance(n, Load)}
        if write.array in since | seen_since or own_reads & since or write.condition is not TRUE:
            return None
        resolved = self._made_at_once(write)
        return None if any(True for _ in markers(resolved.value)) else at

    def _put_back(self, log: Log) -> None:
        """Puts the scalars that nests have left into stores, where what they are made of is still
        there."""
        used = {m: self.left[m] for w in log.writes for m in markers(w.value) if m in self.left}
        there = {m: left for m, left in used.items() if left.is_there}
        values: dict[Expr, Expr] = {m: left.value for m, left in there.items()}
        log.writes[:] = [replace(w, value=substitute(w.value, values)) for w in log.writes]
        for left in there.values():
            self.executor.recording.reads.update(left.reads)

    def _kept(self, rest: Sequence[Stmt], span: Span) -> list[NestAccesses]:
        """What a loop has left by folds, in front of `rest`, in arrays of one element each: scalars
        that depend on each other, and those of which more is made than what is stored."""
        executor, found = self.executor, list[NestAccesses]()
        left = {n: executor.folds[v].fold for n, v in executor.env.items() if v in executor.folds}
        for fold in dict.fromkeys(left.values()):
            if len(fold.names) == 1 and not _is_made_use_of(fold.names[0], rest):
                continue
            cells = [self._cell(n, c.type) for n, c in zip(fold.names, fold.carried, strict=True)]
            executor.position += 1
            found += self._folded(
                fold,
                [
                    Write(cell, (ZERO,), c, (), TRUE, executor.position, span)
                    for cell, c in zip(cells, fold.carried, strict=True)
                ],
            )
            loads = [Load(x, (ZERO,), c.type) for x, c in zip(cells, fold.carried, strict=True)]
            known: dict[Expr, Expr] = {
                marker: loads[result.place]
                for marker, result in executor.folds.items()
                if result.fold == fold
            }
            executor.env = {n: substitute(v, known) for n, v in executor.env.items()}
            for load in loads:
                executor.note_read(load)
        return found

    def _cell(self, scalar: str, type: Type) -> str:
        """A new array of one element, named after a scalar."""
        return self._local(scalar, type, const(1, I64))

    def _local(self, scalar: str, type: Type, size: Expr) -> str:
        """A new array of so many elements, named after a scalar."""
        executor = self.executor
        name, mark, number = scalar.rpartition(".")
        name = name if mark and number.isdigit() else scalar
        while name in executor.arrays or name in executor.parameters:
            name += "_"
        array = Array(name, type, origin="local", size=size)
        self.cells[name] = executor.arrays[name] = array
        executor.allocations[name] = size
        return name

    def _folded(self, fold: Fold, targets: Sequence[Write]) -> list[NestAccesses]:
        """The stores of what a fold leaves of each of its scalars: of what they began as, where
        that isn't what is there, and then an update of all of them for each iteration."""
        executor = self.executor
        log, span = executor.recording.logs[0], targets[0].span
        own = [Load(t.array, t.indices, t.value.type) for t in targets]
        found: list[NestAccesses] = []
        first = [
            replace(target, value=entry)
            for target, entry, load in zip(targets, fold.entries, own, strict=True)
            if entry is not load
        ]
        if len(first) < len(targets):
            # What one begins as is what the first update finds.
            there = {load.array for load in own}
            reads = executor.recording.reads
            for key in [k for k, r in reads.items() if r.array in there and not r.loops]:
                del reads[key]
        if first:
            log.writes[:] = first
            kept = executor.recording
            found += self._recorded(span)
            executor.recording = Recording(kept.reads, kept.claims, [Log([])], kept.facts)
        executor.position += 1
        there_by_then = [
            Read(x.array, x.indices, x.type, fold.loops, TRUE, executor.position, span) for x in own
        ]
        reads_within = (
            replace(
                r,
                indices=tuple(fold.step_with(index, own) for index in r.indices),
                condition=fold.condition_with(r.condition, own),
            )
            if r.loops[: len(fold.loops)] == fold.loops
            else r
            for r in executor.recording.reads.values()
        )
        executor.recording.reads = {r.key: r for r in (*reads_within, *there_by_then)}
        executor.position += 1
        executor.recording.logs[0].writes[:] = [
            replace(
                target,
                value=fold.step_with(step, own),
                loops=fold.loops,
                position=executor.position,
            )
            for target, step in zip(targets, fold.steps, strict=True)
        ]
        return found + [replace(nest, is_fold=len(targets) > 1) for nest in self._recorded(span)]

    def _made_at_once(self, write: Write) -> Write:
        values: dict[Expr, Expr] = {m: left.value for m, left in self.left.items()}
        return replace(write, value=substitute(write.value, values))

    def _nest(self, stmt: Stmt) -> list[NestAccesses]:
        self.executor.run((stmt,))
        part = self.parts.get(id(stmt))
        claims = () if part is None else self._claims_apart(part)
        nests = self._recorded(stmt.span)
        return [replace(nest, claims=(*nest.claims, *claims)) for nest in nests]

    def _claims_apart(self, part: Part) -> tuple[Claim, ...]:
        """Of a loop that is one part of another: that it may run behind the parts before it."""
        recording = self.executor.recording
        own: list[Read | Write] = [*recording.reads.values(), *recording.logs[0].writes]
        earlier = self.done.setdefault(part.whole, [])
        claims = tuple(apart(earlier, own, part))
        earlier += own
        return claims

    def _recorded(self, span: Span) -> list[NestAccesses]:
        """What was executed since the nest before, as a nest; none where nothing was stored."""
        executor = self.executor
        recording = executor.recording
        writes = stored = tuple(recording.logs[0].writes)
        if not writes:
            return []  # what it reads and claims counts for the nest that uses its scalars
        # What holds before any loop, whatever the arrays hold, holds in the nests behind it, and so
        # does what holds in the iterations that scalars behind this nest are sums over.
        summed = self._counters_of_sums()
        kept = dict.fromkeys(f for f in recording.facts if _lasts(f, summed))
        executor.read_before |= recording.reads.keys()
        rows = with_rows(
            writes, recording.reads.values(), self._own_arrays(), self._is_loaded_behind,
            self._rows_of, executor.position,
        )  # fmt: skip
        if rows is not None:
            executor.position += 4
            writes = rows.writes
        ring = self._ring(writes, recording) if rows is None else None
        if ring is not None:
            executor.position += 4
            writes = ring.writes
            executor.states = ring.states(executor.states)
            recording = ring.within(recording, executor.facts())
        dropped: tuple[Write, ...] = () if ring is None else (ring.update,)
        spread = None
        if rows is None and ring is None:
            spread = with_last_stores(
                writes, recording, executor.states, self._own_arrays(), self._is_loaded_behind,
                self._local, executor.position + 1,
            )  # fmt: skip
        if spread is not None:
            recording, dropped = spread.recording, spread.dropped
        windows = None if spread is not None else self._windows(writes, recording)
        if windows is not None:
            executor.position += 2
            writes = windows.writes
            recording = windows.within(recording)
        handed_on = spread.expanded if spread is not None else self._expanded(writes, recording)
        if handed_on is not None:
            writes = handed_on.writes
        for write in writes:
            _refuse_unknown(write)
            for value in (write.value, write.condition):
                check_library_calls(value, self.functions, write.span, write.array)
        self._forget((*writes, *dropped), stored, recording)
        reads = {**executor.lasting_reads, **self._still_used(recording, writes)}
        executor.recording = Recording(reads, {}, [Log([])], kept)
        nest = NestAccesses(
            writes,
            tuple(recording.reads.values()),
            tuple(recording.claims.values()),
            span,
            tuple(recording.facts),
            handed_on=frozenset(recording.handed_on),
        )
        nests = [nest] if handed_on is None else self._with_states(handed_on, recording, span)
        if rows is not None:
            nests = self._with_rows(rows, nest, nests)
        before = [] if ring is None else self._of_ring(ring, nest)
        if ring is not None:
            nests = [replace(n, reads=(*n.reads, ring.read)) for n in nests]
        if windows is None:
            return [*before, *nests]
        others = nests[-1].writes
        sums = [
            replace(
                nest, writes=(write,), reads=(*nest.reads, *reads), claims=(*nest.claims, *claims),
                others=others,
            )
            for write, reads, claims in windows.sums
        ]  # fmt: skip
        return [*before, *sums, *(replace(n, reads=(*n.reads, *windows.reads)) for n in nests)]

    def _ring(self, writes: tuple[Write, ...], recording: Recording) -> Ring | None:
        """The stores of a nest over what its iterations find in a ring, if there is one."""
        executor = self.executor
        return without_ring(
            writes, recording.reads.values(), executor.states, self._own_arrays(),
            self._is_loaded_behind, executor.indexer().index, self._rows_of, executor.position,
        )  # fmt: skip

    @staticmethod
    def _of_ring(ring: Ring, nest: NestAccesses) -> list[NestAccesses]:
        """The nests of what iterations find in a ring: what was there, and what they store."""
        step = replace(nest, writes=(ring.step,), reads=(*nest.reads, ring.read))
        return [
            replace(nest, writes=(ring.beginning,), reads=(ring.before,)),
            replace(_with_own_reads(step), others=ring.writes, is_update=True),
        ]

    def _own_arrays(self) -> set[str]:
        """The arrays that nobody else sees."""
        arrays = self.executor.arrays.items()
        own = {n for n, a in arrays if a.origin == "local" and a.values is None and a.rank == 1}
        return own - self.executor.recording.handed_on

    def _is_loaded_behind(self, array: str) -> bool:
        """Whether anything behind the statement at hand may read an array."""
        rest = statements(tuple(stmt for body in self.behind for stmt in body))
        nodes = postorder(*(e for stmt in rest for e in expressions_of(stmt)))
        return any(isinstance(n, Load) and n.array == array for n in nodes)

    def _rows_of(self, array: str, size: Expr) -> str:
        return self._local(array, self.executor.arrays[array].type, size)

    def _with_rows(
        self, rows: RowStates, nest: NestAccesses, nests: Sequence[NestAccesses]
    ) -> list[NestAccesses]:
        """The nests of a row that iterations hand on, and those of the stores made of it.

        What nothing behind reads isn't left in the array: that these stores were is known, still.
        """
        step = replace(nest, writes=(rows.step,), reads=(*nest.reads, rows.read))
        made = [replace(n, reads=(*n.reads, rows.read)) for n in nests]
        if not self._is_loaded_behind(rows.array):
            made = [_without(n, rows.array) for n in made]
        return [
            replace(nest, writes=(rows.beginning,)),
            replace(_with_own_reads(step), others=rows.writes, is_update=True),
            *(n for n in made if n.writes),
        ]

    def _windows(self, writes: tuple[Write, ...], recording: Recording) -> Windows | None:
        """The stores of a nest with sums for the scalars that are windows, if there are any."""
        executor = self.executor
        if not any(m in executor.states for w in writes for m in markers(w.value, w.condition)):
            return None
        finder = WindowFinder(
            executor.parameters, executor.new_counters(), self._array_of, self.refused,
            executor.path, executor.facts(), executor.courses,
        )  # fmt: skip
        excluded = _placing(recording)
        states = {m: s for m, s in executor.states.items() if m not in excluded}
        return finder.put_in(states, writes, executor.position + 1)

    def _expanded(self, writes: tuple[Write, ...], recording: Recording) -> Expanded | None:
        """The stores of a nest with arrays for what its iterations hand on, if they need any and no
        place and no claim depends on what is handed on."""
        executor = self.executor
        handed = executor.states.keys() | executor.left_in_rows.keys() | executor.folds.keys()
        if not any(m in handed for w in writes for m in markers(w.value, w.condition)):
            return None
        if _placing(recording):
            return None
        return expanded(
            executor.states,
            executor.left_in_rows,
            executor.folds,
            writes,
            recording.handed_on,
            executor.path,
            self._array_of,
            executor.position + 1,
            lambda marker: self._is_unknown_behind(_scalar_of(marker), writes),
        )

    def _is_unknown_behind(self, name: str, writes: tuple[Write, ...]) -> bool:
        """Whether what a nest leaves of a scalar isn't known, or made of what it overwrites."""
        value = self.executor.env.get(name)
        return value is not None and (
            any(m not in self.executor.folds for m in markers(value))
            or _reads_any(value, writes)
            or self._folds_any(value, writes)
        )

    def _array_of(self, marker: Variable, size: Expr) -> str:
        return self._local(_scalar_of(marker), marker.type, size)

    def _with_states(
        self, handed_on: Expanded, recording: Recording, span: Span
    ) -> list[NestAccesses]:
        """The nests of what iterations hand on, and the one of the stores that are made of it."""
        self.executor.position += 4
        reads = _with_conditions(recording.reads.values(), handed_on, {})
        later = _with_conditions(recording.reads.values(), handed_on, handed_on.made)
        facts = tuple(f for f in recording.facts if not any(markers(f.formula, *f.path)))
        claims = tuple(recording.claims.values())
        kept = NestAccesses(
            handed_on.writes, reads, claims, span, facts, handed_on=frozenset(recording.handed_on)
        )
        for marker, left in handed_on.left.items():
            name = _scalar_of(marker)
            if name in self.executor.env:
                self.executor.env[name] = left
                self._note_reads(left)
        if not handed_on.steps:
            return [replace(kept, reads=(*reads, *handed_on.reads))]
        steps = [
            replace(
                kept,
                writes=step.writes,
                reads=(
                    *_with_conditions(recording.reads.values(), handed_on, step.made), *step.reads,
                ),
                others=handed_on.writes,
                is_fold=len(step.writes) > 1,
            )
            for step in handed_on.steps
        ]  # fmt: skip
        return [
            replace(kept, writes=handed_on.beginnings, others=handed_on.writes),
            *steps,
            replace(kept, reads=(*later, *handed_on.reads)),
        ]

    def _note_reads(self, value: Expr) -> None:
        """Notes what a scalar's value reads of what a nest has left."""
        for load, conditions in loads_under(value):
            with self.executor.under(conditions):
                self.executor.note_read(load)

    def _forget(
        self, writes: tuple[Write, ...], stored: tuple[Write, ...], recording: Recording
    ) -> None:
        """Scalars that were read from arrays that a nest has stored to have no value any more;
        `stored` is what the source says that it stores."""
        env = self.executor.env
        every = (*writes, *stored)
        for marker, left in self.left.items():
            if left.is_there and self._is_overwritten(left.value, left.reads, every):
                self.left[marker] = replace(left, is_there=False)
        for name, value in env.items():
            if _reads_any(value, writes) or self._folds_any(value, writes):
                env[name] = marker = unknown("stale", f"{name}@{self.finished}", value.type)
                reads = self._reads_of((value,), recording)
                is_there = not self._is_overwritten(value, reads, every)
                self.left[marker] = _LeftByNest(self.finished, value, reads, is_there)
        self.finished += 1

    def _is_overwritten(
        self, value: Expr, reads: dict[ReadKey, Read], writes: tuple[Write, ...]
    ) -> bool:
        """Whether an element may be one of those that are stored, that a value is made of, or where
        and if it is read."""
        around = [e for r in reads.values() for e in (*r.indices, r.condition)]
        nodes = (*postorder(value, *around), *loads_of_folds(self.executor, value))
        loads = [n for n in nodes if isinstance(n, Load)]
        return any(_may_be_one(load, w) for load in loads for w in writes if w.array == load.array)

    def _folds_any(self, value: Expr, writes: tuple[Write, ...]) -> bool:
        return any(_reads_any(load, writes) for load in loads_of_folds(self.executor, value))

    def _counters_of_sums(self) -> set[Variable]:
        """The counters of the reductions that scalars are made of."""
        nodes = postorder(*self.executor.env.values())
        return {n.counter for n in nodes if isinstance(n, Reduce)}

    def _still_used(self, recording: Recording, writes: tuple[Write, ...]) -> dict[ReadKey, Read]:
        """The reads that scalars behind a nest are made of, as of a sum that it leaves: they count
        for the nest that uses these, too."""
        return {
            key: read
            for key, read in self._reads_of(self.executor.env.values(), recording).items()
            if not any(_reads_any(e, writes) for e in (*read.indices, read.condition))
        }

    def _reads_of(self, values: Iterable[Expr], recording: Recording) -> dict[ReadKey, Read]:
        """The reads of a nest that values are made of."""
        used = {
            (n.array, n.indices)
            for value in values
            for n in (*postorder(value), *loads_of_folds(self.executor, value))
            if isinstance(n, Load)
        }
        return {k: r for k, r in recording.reads.items() if (r.array, r.indices) in used}

    def _fork(self, stmt: If) -> list[NestAccesses]:
        executor = self.executor
        executor.span = stmt.span
        condition = executor.value(stmt.condition)
        if isinstance(condition, Const):
            return self.nests(stmt.then if condition.value else stmt.otherwise)
        executor.learn_from(condition)
        before = dict(executor.env)
        then, then_env = self._branch(condition, stmt.then)
        executor.env = dict(before)
        otherwise, else_env = self._branch(negate(condition), stmt.otherwise)
        executor.env = before
        executor.merge_env(condition, then_env, else_env)
        if not then or not otherwise:
            return then or otherwise
        pairs = list(zip(then, otherwise, strict=False))
        if any(set(a.outputs) != set(b.outputs) for a, b in pairs):
            raise unsupported(
                "unsupported-stage", "the branches of this conditional hold different pipelines",
                stmt.span,
                "split the function in two, one for each branch",
            )  # fmt: skip
        # Only one of the branches runs, so any order that keeps each of them is the original's.
        longer = then if len(then) > len(otherwise) else otherwise
        nests = [_merged(a, b, stmt.span) for a, b in pairs] + longer[len(pairs) :]
        self._refuse_changed(condition, nests)
        return nests

    def _branch(
        self, condition: Expr, body: tuple[Stmt, ...]
    ) -> tuple[list[NestAccesses], dict[str, Expr]]:
        executor = self.executor
        executor.path.append(condition)
        nests = [n.under(condition) for n in self.nests(body)]
        executor.path.pop()
        for write in (w for n in nests for w in n.writes):
            _refuse_unknown(write)
            for value in (write.value, write.condition):
                check_library_calls(value, self.functions, write.span, write.array)
        self._refuse_changed(condition, nests)
        return nests, dict(executor.env)

    def _refuse_changed(self, condition: Expr, nests: list[NestAccesses]) -> None:
        """Raises where nests change what the condition around those after them was read from."""
        if any(_reads_any(condition, n.writes) for n in nests[:-1]):
            raise unsupported(
                "unsupported-stage",
                f"the loops under `{condition}` overwrite what it was read from",
                self.executor.span,
            )


def _with_conditions(
    reads: Iterable[Read], handed_on: Expanded, made: Mapping[Expr, Expr]
) -> tuple[Read, ...]:
    """Reads over the arrays of what iterations hand on; where their conditions are over what has
    been `made` by then, over that, too."""
    known, stored = dict(handed_on.known), dict(made)
    found: dict[Read, None] = {}
    for read in reads:
        for condition in (read.condition, substitute(read.condition, stored)):
            found[replace(read, condition=substitute(condition, known))] = None
    return tuple(found)


def _placing(recording: Recording) -> set[Variable]:
    """The markers that say where a nest reads something, or what it claims."""
    placed = (e for r in recording.reads.values() for e in r.indices)
    claimed = (c.formula for c in recording.claims.values())
    return set(markers(*placed, *claimed))


def _scalar_of(marker: Variable) -> str:
    """The scalar that a marker stands for."""
    return marker.name.partition(":")[2].partition("@")[0]


def _lasts(fact: Fact, summed: set[Variable]) -> bool:
    """Whether a fact counts behind its nest, where scalars are sums over the counters `summed`.

    A scalar of which an iteration knows nothing has another value elsewhere.
    """
    if fact.loops and any(True for _ in markers(fact.formula, *fact.path)):
        return False
    return {loop.counter for loop in fact.loops} <= summed and not _is_of_data(fact)


def _is_of_data(fact: Fact) -> bool:
    return any(isinstance(n, (Load, Call)) for n in postorder(fact.formula, *fact.path))


def _reads_any(value: Expr, writes: tuple[Write, ...]) -> bool:
    written = {w.array for w in writes}
    return any(isinstance(n, Load) and n.array in written for n in postorder(value))


def _may_be_one(load: Load, write: Write) -> bool:
    """Whether an element of an array may be one that is stored."""
    return not any(
        isinstance(i, Const) and isinstance(j, Const) and i.value != j.value
        for i, j in zip(load.indices, write.indices, strict=True)
    )


def _refuse_unknown(write: Write) -> None:
    """A value that depends on another iteration or on nothing at all can't be summarized."""
    for marker in markers(write.value, write.condition, *write.indices):
        kind, name = marker.name.split("@", 1)[0].split(":", 1)
        if kind in ("undefined", "unset"):
            raise unsupported(
                "uninitialised", f"{name} is used before it has a value", write.span,
                "give the variable a value on every path to this store",
            )  # fmt: skip
        if kind == "stale":
            raise unsupported(
                "unsupported-stage",
                f"{name} was read from an array that a loop before this store writes to",
                write.span,
            )
        if kind == "unordered":
            raise unsupported(
                "unsupported-stage",
                f"{name} is one of several, and which one depends on how they compare",
                write.span,
                "use elements of which it is certain where they are",
            )
        if kind == "counted":
            raise _counted(f"{name} is made of is read from memory anew for each element", write)
        raise unsupported(
            "loop-carried", f"{name} carries a value from one iteration of the loop to the next",
            write.span,
            "only counters, pointers, sums, products, extremes, and what the iteration before has "
            "read, may live across iterations",
        )  # fmt: skip
    for node in postorder(write.value, write.condition, *write.indices):
        if isinstance(node, Reduce) and any(isinstance(n, Load) for n in postorder(node.extent)):
            raise _counted(f"a sum has is read from memory: `{node.extent}`", write)


def _counted(what: str, write: Write) -> LiftError:
    return unsupported(
        "loop-bound",
        f"how many terms {what}",
        write.span,
        "sums have as many terms as parameters say, or constants",
    )


def _without(nest: NestAccesses, array: str) -> NestAccesses:
    """A nest that leaves nothing in an array."""
    dropped = tuple(w for w in nest.writes if w.array == array)
    kept = tuple(w for w in nest.writes if w.array != array)
    return replace(nest, writes=kept, others=(*nest.others, *dropped))


def _with_own_reads(nest: NestAccesses) -> NestAccesses:
    """A nest with the reads that its own stores are made of, where all of these are known."""
    nodes = postorder(*(e for w in nest.writes for e in (w.value, w.condition, *w.indices)))
    used = {(n.array, n.indices) for n in nodes if isinstance(n, Load)}
    reads = tuple(r for r in nest.reads if (r.array, r.indices) in used)
    return replace(nest, reads=reads) if used == {(r.array, r.indices) for r in reads} else nest


def _merged(a: NestAccesses, b: NestAccesses, span: Span) -> NestAccesses:
    return NestAccesses(
        a.writes + b.writes, a.reads + b.reads, a.claims + b.claims, span, a.facts + b.facts,
        handed_on=a.handed_on | b.handed_on,
    )  # fmt: skip


def _observed(body: Sequence[Stmt]) -> tuple[Stmt, ...]:
    """A function's body without what sets scalars that nothing behind makes use of.

    Before: `for (...) { ...; ++out.p; } result.p = out.p` whose `result` the caller leaves alone,
    after: the loop, whose `out.p` is nothing that it leaves.
    """
    named: set[str] = set()
    kept: list[Stmt] = []
    for stmt in reversed(body):
        if isinstance(stmt, Assign) and stmt.name not in named:
            continue
        kept.append(stmt)
        nodes = postorder(*(e for inner in statements((stmt,)) for e in expressions_of(inner)))
        named |= {n.name for n in nodes if isinstance(n, Variable)}
    return tuple(reversed(kept))


def _is_made_use_of(name: str, rest: Iterable[Stmt]) -> bool:
    """Whether statements make anything of a scalar, before it is set again, but to store it."""
    for stmt in rest:
        for inner in statements((stmt,)):
            is_stored = isinstance(inner, Store) and inner.value == Variable(name, inner.value.type)
            named = {n.name for n in postorder(*expressions_of(inner)) if isinstance(n, Variable)}
            if name in named and not is_stored:
                return True
        if isinstance(stmt, Assign) and stmt.name == name:
            return False
    return False


def _has_work(stmt: Stmt) -> bool:
    """Whether a statement holds a loop or a store."""
    return any(isinstance(s, (WhileLoop, Store)) for s in statements((stmt,)))
