"""Closed forms: what one loop does to the scalars, in terms of the counter of its iterations.

Every scalar that the loop changes is given a symbol for its value at the head of an arbitrary
iteration. Running the body once shows how each changes: by a fixed amount (an induction variable,
whose closed form is entry + i*step), by a function of others (its closed form is that function one
iteration earlier), from one value to another and back, or in another way (none). They are
suggestions: loops.py claims what they rely on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Literal

from compiler.ir import (
    EQ,
    FALSE,
    GT,
    I64,
    LE,
    LT,
    TRUE,
    Add,
    And,
    BitXor,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Max,
    Mod,
    Mul,
    Or,
    Select,
    Shl,
    Shr,
    Sub,
    TruncDiv,
    Type,
    Variable,
    const,
    postorder,
    substitute,
)

from ..model.diagnostic import LiftError
from ..model.kernel import Allocate, Assign, Declare, Stmt, Store, statements
from ..model.kernel import WhileLoop as KernelLoop
from ..model.stage import Loop
from .bit_moves import Bits, moved, rotation, rounds, turned_by
from .cases import in_all_cases
from .counted import iterations_where
from .error_terms import ErrorTerm, error_term, steps_with
from .failure import unsupported
from .followers import Course, Follower, Known, follower
from .index import Indexer, Ranges, replace, typed
from .polynomial import ONE, ZERO, decided, negate, normal, polynomial
from .refills import refill
from .registers import elements, uses_registers
from .remainders import by_turns, coming_back, told_by_remainder
from .scalars import fold, is_unknown, unknown
from .symbolic import UNROLL_LIMIT, Executor
from .trip_count import TripCount

_CHOICES = 8
"""Most choices in a value that is handed on."""
_MOST_TURNS = 4
"""Of a number whose bits each iteration moves on: a byte of four comes back."""


class LoopAnalysis:
    """What one loop does to the scalars, in terms of the counter of its iterations."""

    def __init__(self, executor: Executor, stmt: KernelLoop) -> None:
        self.executor = executor
        self.stmt = stmt
        self.span = stmt.span
        self.counter = executor.counter()
        until_test = _assigned((*stmt.body, *stmt.step), executor)
        self.again = _assigned(stmt.again, executor)
        """The scalars that change between a test in the middle and the next iteration."""
        self.modified = until_test | self.again
        self.unsteady = until_test.keys() & self.again.keys()
        """Those that change on both sides of such a test."""
        self.stored = {s.array for s in statements((stmt,)) if isinstance(s, Store)}
        self.entry = {n: self._entry(n) for n in self.modified}
        executor.heads += 1
        self.number = executor.heads
        self.heads = {n: Variable(f"{n}@{executor.heads}", t) for n, t in self.modified.items()}
        self.after, condition = self._one_iteration(dict(self.heads))
        self.closed: dict[str, Expr] = {}
        self.handed_on: dict[str, Expr] = {}
        """Closed forms that are values rather than numbers that count: what the iteration before
        has read or computed. Each begins as the same expression that the scalar enters with."""
        self.delayed: dict[str, Expr] = {}
        """Those of them that begin as something else: for iterations from the second on."""
        self.turned: dict[str, Expr] = {}
        """Closed forms of scalars that each iteration turns over (`b ^= 1`) or shifts on
        (`bits >>= 1`)."""
        self.rotated: dict[str, Expr] = {}
        """By how many places those are turned around that iterations rotate."""
        self.coming_back: dict[str, list[Const]] = {}
        """The values of those that come back to what they began as (remainders.py)."""
        self.error_terms: dict[str, ErrorTerm] = {}
        """Those that iterations bring back by a divisor."""
        self.followers: dict[str, Follower] = {}
        """Those that iterations move up to a bound."""
        self.counted: set[str] = set()
        """Those that some iterations move, as a test of the iteration's number says."""
        self.moved_with: dict[str, Expr] = {}
        """What an iteration leaves of scalars that move when followers do."""
        self.brought_back: set[str] = set()
        """The names of both, and of those that move when they are moved."""
        self.falls: set[Expr] = set()
        """By what the loop nears its end in an iteration: claimed to be positive."""
        self.condition = condition
        """Of the loop, over the heads."""
        self._find_closed_forms()
        self.refills = dict(self._refills())
        """Shift registers (refills.py): what an iteration chooses, and what that is."""
        self.extent = self._extent(condition)
        self.moved_up = dict(self._moved_up())
        """What an iteration makes of followers that go up once, and what that is."""

    def _entry(self, name: str) -> Expr | None:
        declared = self.executor.parameters.get(name)
        return self.executor.env.get(name, None if declared is None else Variable(name, declared))

    def _one_iteration(
        self, head: dict[str, Expr], most: int = 1 << 62
    ) -> tuple[dict[str, Expr], Expr]:
        """Scalars after one iteration that begins with `head`, of `most` that there are, and the
        loop's condition."""
        executor = self.executor
        with executor.dry_run():
            executor.env.update(head)
            executor.counters += 1
            executor.loops = (*executor.loops, Loop(self.counter, const(most, I64), self.span))
            condition = executor.value(self.stmt.condition) if self.stmt.test_first else TRUE
            if self.stmt.test_first:
                executor.path.append(condition)
            executor.run(self.stmt.body)
            executor.run(self.stmt.step)
            if not self.stmt.test_first:
                condition = executor.value(self.stmt.condition)
                executor.path.append(condition)
                executor.run(self.stmt.again)
            after = dict(executor.env)
        return after, condition

    def _find_closed_forms(self) -> None:
        for name, head in self.heads.items():
            entry = self.entry[name]
            if self.after.get(name) is head and entry is not None:
                self.closed[name] = entry
        progress = True
        while progress:
            progress = False
            for name, head in self.heads.items():
                if name in self.closed or not head.type.is_integer or head.type.is_bool:
                    continue
                found = self._closed_form(name)
                if found is not None:
                    self.closed[name] = found
                    progress = True
            for name in [n for n in self.heads if n not in self.closed]:
                value = self._handed_on(name)
                turned = None
                if value is not None:
                    self.closed[name] = self.handed_on[name] = value
                else:
                    turned = self._turned(name) or self._shifted(name) or self._rotated(name)
                if turned is not None:
                    self.closed[name] = self.turned[name] = turned
                progress = progress or name in self.closed
            progress = progress or self._find_follower() or self._find_delayed()

    def _find_follower(self) -> bool:
        """Whether there is one more scalar that iterations move up to a bound."""
        for name, head in self.heads.items():
            entry = self.entry[name]
            if name in self.closed or not head.type.is_integer or head.type.is_bool:
                continue
            if entry is None or is_unknown(entry) or not self.executor.knows_error_terms:
                continue
            start, moved = self._start_and_moved(entry, name)
            found = follower(
                moved, Variable(head.name, I64), start, self.counter, self._behind_followers,
                self._ranges,
            )  # fmt: skip
            if found is not None:
                self.executor.has_error_terms = True
                self.followers[name] = found
                self.brought_back.add(name)
                self.closed[name] = self._induction(head, found.number(found.course.head))
                return True
        return False

    def _start_and_moved(self, entry: Expr, name: str) -> tuple[Expr, Expr]:
        """What a scalar begins as, and what an iteration makes of it, as numbers."""
        executor = self.executor
        with executor.dry_run():
            executor.loops = (*executor.loops, Loop(self.counter, const(1 << 31, I64), self.span))
            return self._number(entry), in_all_cases(self._number(self.after[name]))

    def _find_delayed(self) -> bool:
        """Whether there is one more scalar that an iteration is handed on from the one before,
        whatever it begins as: `select(i == 0, entry, what iteration i - 1 leaves)`."""
        for name in self.heads:
            earlier = None if name in self.closed else self._delayed(name)
            if earlier is not None:
                entry = self.entry[name]
                assert entry is not None
                self.delayed[name] = earlier
                self.handed_on[name] = Select(LE(self.counter, ZERO), entry, earlier)
                self.closed[name] = self.handed_on[name]
                return True
        return False

    def _delayed(self, name: str) -> Expr | None:
        entry, after = self.entry[name], self.after.get(name)
        if entry is None or is_unknown(entry) or after is None or self.stmt.again:
            return None
        if not self.executor.liveness.is_handed_on(self.stmt, name):
            return None
        value = self.at_closed_heads(after)
        if value is None or not _chooses_by_places(value):
            return None
        return later(value, self.counter, -1)

    def _closed_form(self, name: str) -> Expr | None:
        entry, after, head = self.entry[name], self.after[name], self.heads[name]
        if entry is None or is_unknown(entry):
            return None
        if sum(isinstance(n, Select) for n in postorder(after)) > _CHOICES:
            return None  # no counter: an element of a window that is put in order, say
        executor = self.executor
        start, moved = self._start_and_moved(entry, name)
        step = self._step(moved, Variable(head.name, I64))
        if self._is_invariant(step):
            value = normal(Add(start, Mul(self.counter, step)))
            return self._induction(head, value)
        total = self._sum_of_steps(moved, Variable(head.name, I64))
        if total is not None:
            self.counted.add(name)
            return self._induction(head, normal(Add(start, total)))
        term = None
        if executor.knows_error_terms:
            term = error_term(moved, Variable(head.name, I64), start, self._is_invariant)
        if term is not None:
            executor.has_error_terms = True
            self.error_terms[name] = term
            self.brought_back.add(name)
            return self._induction(head, term.value(self.counter))
        total = self._sum_of_counts(moved, Variable(head.name, I64))
        if total is not None:
            self.brought_back.add(name)
            return self._induction(head, normal(Add(start, total)))
        with_follower = self._moved_with(moved, Variable(head.name, I64), start)
        if with_follower is not None:
            at_head, self.moved_with[name] = with_follower
            self.brought_back.add(name)
            return self._induction(head, at_head)
        previous = self.at_closed_heads(moved)
        if previous is not None:
            earlier = shift(previous, self.counter, -1)
            if normal(substitute(earlier, {self.counter: ZERO})) is start:
                return self._induction(head, normal(earlier))
        return None

    def _number(self, value: Expr) -> Expr:
        """The mathematical value of an integer; of an unsigned one a number that it is congruent
        to, which is all that its closed form has to be (`wraps_to`)."""
        indexer = self.executor.indexer()
        if not value.type.is_uint:
            return indexer.index(value)
        return normal(indexer.congruent(value, value.type.bits))

    def _step(self, moved: Expr, head: Expr) -> Expr:
        """By how much an iteration moves a scalar; a choice that no iteration makes anew, as in
        `if (mask) mask += stride`, chooses between steps."""
        if isinstance(moved, Select) and self._is_invariant(moved.condition):
            arms = (
                self._step(decided(arm, (condition,)), head)
                for arm, condition in (
                    (moved.a, moved.condition),
                    (moved.b, negate(moved.condition)),
                )
            )
            return normal(Select(moved.condition, *arms))
        return normal(Sub(moved, head))

    def _sum_of_steps(self, moved: Expr, head: Expr) -> Expr | None:
        """How far a scalar is moved until an iteration, where a test of the iteration's number
        chooses between two steps: `if (y < h - 1) below += stride`, `if (x & 1) u++`."""
        if not isinstance(moved, Select):
            return None
        steps = [self._step(arm, head) for arm in (moved.a, moved.b)]
        condition = self.at_closed_heads(moved.condition)
        if condition is None or not all(map(self._is_invariant, steps)):
            return None
        condition = told_by_remainder(condition) or condition
        count = iterations_where(condition, self.counter, self._is_invariant)
        if count is None:
            return None
        one, other = steps
        return Add(Mul(count, normal(Sub(one, other))), Mul(self.counter, other))

    def courses(self) -> list[Course]:
        """The scalars that some iterations move, and others don't: followers, and those of which a
        test of the iteration's number says whether it moves them."""
        found = [leader.course for leader in self.followers.values()]
        loop = Loop(self.counter, self.extent, self.span)
        known = Known(self.executor.ranges(loop), self.counter)
        for name in self.counted:
            at_head = index_of(self.closed[name])
            found.append(Course(at_head, known.simpler(shift(at_head, self.counter, 1))))
        return found

    def _sum_of_counts(self, moved: Expr, head: Expr) -> Expr | None:
        """How far a scalar is moved until an iteration that moves where an error term is brought
        back."""
        for term in self.error_terms.values():
            found = steps_with(term.count, moved, head)
            if found is not None and all(map(self._is_invariant, found)):
                by, more = found
                return Add(Mul(by, self.counter), Mul(more, term.times(self.counter)))
        return None

    def _moved_with(self, moved: Expr, head: Expr, start: Expr) -> tuple[Expr, Expr] | None:
        """What a scalar that moves when followers do is at the head of an iteration, and behind
        it."""
        by, times = moved, list[tuple[Expr, Follower]]()
        for leader in (*self.followers.values(), *self.followers.values()):
            found = steps_with(leader.count, by, head)
            if found is not None and found[1] is not ZERO:
                by = normal(Add(head, found[0]))
                times.append((found[1], leader))
        by = normal(Sub(by, head))
        if not times or not all(map(self._is_invariant, (by, *(more for more, _ in times)))):
            return None
        at_head = Add(start, Mul(by, self.counter))
        left = Add(start, Mul(by, Add(self.counter, ONE)))
        for more, leader in times:
            course = leader.course
            at_head = Add(at_head, Mul(more, leader.moved(course.head)))
            left = Add(left, Mul(more, leader.moved(course.left)))
        return normal(at_head), normal(left)

    def _behind_followers(self, expr: Expr) -> Expr | None:
        """`expr` over the counter, where it may be of what an iteration makes of followers."""
        found = self._in_iteration(expr)
        if found is None:
            return None
        once = {}
        for leader in self.followers.values():
            made = self._in_iteration(leader.made) if leader.is_once else None
            if made is not None:
                once[made] = leader.number(leader.course.left)
        return replace(found, self.counts() | once)

    def _in_iteration(self, expr: Expr) -> Expr | None:
        """`expr` over the counter, with the quotients that it has in iterations."""
        found = self.at_closed_heads(expr)
        if found is None or not any(isinstance(n, TruncDiv) for n in postorder(found)):
            return found
        return Indexer(self._ranges(), lambda doubt, text: None).index(found)

    def counts(self) -> dict[Expr, Expr]:
        """How far loops within an iteration move followers, by how that is written."""
        known: dict[Expr, Expr] = {}
        for leader in self.followers.values():
            written = None if leader.is_once else self._in_iteration(leader.count)
            if written is not None:
                step = leader.course.step
                known[replace(written, known)] = known[normal(Max(step, ZERO))] = step
        return known

    def _moved_up(self) -> Iterator[tuple[Expr, Expr]]:
        if not any(f.is_once for f in self.followers.values()):
            return
        executor = self.executor
        counts, executor.counts = executor.counts, executor.counts | self.counts()
        after = dict[str, Expr]()
        # Of a short loop each iteration may be understood by itself.
        with suppress(LiftError):
            after, _ = self._one_iteration(self.head_env(), 1 << 31)
        executor.counts = counts
        for name in (*self.followers, *self.moved_with):
            value, found = after.get(name), self.followers.get(name)
            if not isinstance(value, Select):
                continue
            left = self.moved_with.get(name)
            if found is not None:
                left = found.number(found.course.left)
            assert left is not None
            yield value, executor.typed(value.type, left)

    def _ranges(self) -> Ranges:
        """What is known in an iteration, of which there are as many as is seen so far."""
        extent, falls = const(1 << 31, I64), set(self.falls)
        # What the condition is made of may not be known yet.
        with self.executor.dry_run(), suppress(LiftError):
            extent = self._extent(self.condition)
        self.falls = falls
        return self.executor.ranges(Loop(self.counter, extent, self.span))

    def _handed_on(self, name: str) -> Expr | None:
        """What the iteration before leaves, if the scalar enters the loop as iteration -1 would
        leave it."""
        entry, after = self.entry[name], self.after.get(name)
        if entry is None or is_unknown(entry) or after is None:
            return None
        value = self.at_closed_heads(after)
        if value is None or any(isinstance(n, (Select, And, Or)) for n in postorder(value)):
            return None
        if not any(isinstance(n, Load) for n in postorder(value)):
            return None
        earlier = later(value, self.counter, -1)
        return earlier if replace(earlier, {self.counter: ZERO}) is replace(entry, {}) else None

    def _turned(self, name: str) -> Expr | None:
        """The value that a scalar enters with in iterations 0, 2, 4..., and the other one; the
        values by turns of one whose bits each iteration only moves."""
        entry, head = self.entry[name], self.heads[name]
        if entry is None or is_unknown(entry):
            return None
        if not isinstance(entry, Const):
            return self._in_rounds(entry, rounds(self.after[name], head, _MOST_TURNS))
        if not turns(self.after[name], head):
            return self._coming_back(name, entry)
        other = fold(substitute(self.after[name], {head: entry}))
        even = EQ(Mod(self.counter, const(2, I64)), ZERO)
        return Select(even, entry, other) if isinstance(other, Const) else None

    def _coming_back(self, name: str, entry: Const) -> Expr | None:
        """The values by turns of a scalar that comes back to the constant that it enters with."""
        values = coming_back(self.after[name], self.heads[name], entry)
        form = by_turns(values, self.counter) if values else None
        if form is not None:
            self.coming_back[name] = values
        return form

    def _in_rounds(self, entry: Expr, found: Sequence[Bits]) -> Expr | None:
        """The value that each of several iterations in turn enters with, made of a parameter."""
        if not found or any(isinstance(n, Load) for n in postorder(entry)):
            return None
        *others, form = [moved(entry, bits) for bits in found]
        turn = Mod(self.counter, const(len(found), I64))
        for place, other in reversed(list(enumerate(others))):
            form = Select(EQ(turn, const(place, I64)), other, form)
        return form

    def _shifted(self, name: str) -> Expr | None:
        """What is left of an unsigned number that each iteration shifts by a constant."""
        entry, head, after = self.entry[name], self.heads[name], self.after.get(name)
        if entry is None or is_unknown(entry) or not head.type.is_uint or head.type.bits < 32:
            return None
        if not isinstance(after, (Shl, Shr)) or after.a is not head:
            return None
        if not isinstance(after.b, Const) or not 0 < after.b.value < head.type.bits:
            return None
        by = int(after.b.value)
        amount = typed(after.b.type, normal(Mul(self.counter, const(by, I64))))
        some = LT(self.counter, const(-(-head.type.bits // by), I64))
        return Select(some, after.rebuild((entry, amount)), const(0, head.type))

    def _refills(self) -> Iterator[tuple[Expr, Expr]]:
        wanted = [n for n, h in self.heads.items() if n not in self.closed and h.type.is_uint]
        if not wanted or self.again:
            return
        try:
            after, _ = self._one_iteration(self.head_env(), 1 << 31)
        except LiftError:
            return  # of a short loop each iteration may be understood by itself
        loop = Loop(self.counter, const(1 << 31, I64), self.span)
        executor = self.executor
        ranges = executor.ranges(loop)
        for name in wanted:
            value = after.get(name)
            if value is None:
                continue
            found = refill(value, self.carried(name), self.counter, ranges, frozenset(self.stored))
            if found is not None:
                yield found

    def _rotated(self, name: str) -> Expr | None:
        """What is left of an unsigned number that iterations turn around by a constant, all or
        those that places and parameters choose."""
        entry, head, after = self.entry[name], self.heads[name], self.after.get(name)
        if entry is None or is_unknown(entry) or not head.type.is_uint or after is None:
            return None
        if any(isinstance(n, Load) for n in postorder(entry)):
            return None
        symbol = Variable(head.name, I64)
        with self.executor.dry_run():
            loop = Loop(self.counter, const(1 << 31, I64), self.span)
            self.executor.loops = (*self.executor.loops, loop)
            places = places_turned(self.executor, after, head, symbol)
        total = None if places is None else self._total(places, symbol)
        if total is None:
            return None
        self.rotated[name] = total
        return turned_by(entry, total)

    def _total(self, moved: Expr, head: Expr) -> Expr | None:
        """How far a scalar is moved until an iteration, in normal form."""
        step = self._step(moved, head)
        if self._is_invariant(step):
            return normal(Mul(self.counter, step))
        if isinstance(moved, Select) and self._is_invariant(moved.condition):
            sides = [self._total(side, head) for side in (moved.a, moved.b)]
            known = [side for side in sides if side is not None]
            return normal(Select(moved.condition, *known)) if len(known) == len(sides) else None
        total = self._sum_of_steps(moved, head)
        return None if total is None else normal(total)

    def _induction(self, head: Variable, value: Expr) -> Expr:
        if head.type.is_int and head.type.bits >= 32:
            self.executor.fitting.add((head.type, value))
        return self.executor.typed(head.type, value)

    def _is_invariant(self, expr: Expr) -> bool:
        heads = set(self.heads.values()) | {Variable(h.name, I64) for h in self.heads.values()}
        return not any(
            node in heads or node is self.counter or is_unknown(node) or self._reads_written(node)
            for node in postorder(expr)
        )

    def _reads_written(self, node: Expr) -> bool:
        return isinstance(node, Load) and node.array in self.stored

    def at_closed_heads(self, expr: Expr) -> Expr | None:
        """`expr` with each head symbol replaced by its closed form; None when one has none."""
        mapping: dict[Expr, Expr] = {}
        for name, head in self.heads.items():
            form = self.closed.get(name)
            if form is not None:
                mapping[head] = form
                if head.type.is_integer:
                    mapping[Variable(head.name, I64)] = index_of(form)
        result = (
            normal(substitute(expr, mapping)) if expr.type is I64 else substitute(expr, mapping)
        )
        left = set(self.heads.values()) | {Variable(h.name, I64) for h in self.heads.values()}
        return None if any(n in left or is_unknown(n) for n in postorder(result)) else result

    def head_env(self) -> dict[str, Expr]:
        return {n: self.closed.get(n, self.carried(n)) for n in self.heads}

    def carried(self, name: str) -> Variable:
        """What a scalar without a closed form is at the head of an iteration of this very loop."""
        return unknown("carried", f"{name}@{self.number}", self.heads[name].type)

    def left(self, name: str) -> Variable:
        """What the loop leaves of a scalar, where that isn't known."""
        return unknown("carried", f"{name}@{self.number} left", self.heads[name].type)

    def _extent(self, condition: Expr) -> Expr:
        """The number of iterations, as an index expression that may be negative for none."""
        executor = self.executor
        with executor.dry_run():
            executor.loops = (*executor.loops, Loop(self.counter, const(1 << 31, I64), self.span))
            formula = executor.indexer(is_of_loop=True).formula(condition)
        at_head = None if formula is None else self.at_closed_heads(normal(formula))
        if at_head is None:
            raise unsupported(
                "loop-bound", "the number of iterations of this loop isn't known at its beginning",
                self.span,
                "a loop must count up or down by a fixed amount to a bound that it doesn't change",
            )  # fmt: skip
        self._note_reads(at_head)
        iterations = TripCount(self.counter, self.span, self._claim_end).of(normal(at_head))
        if self.stmt.test_first:
            return executor.counts.get(normal(Max(iterations, ZERO)), iterations)
        count = normal(Max(normal(Add(iterations, ONE)), ONE))
        return executor.counts.get(count, count)

    def _claim_end(self, name: Literal["termination"], formula: Expr, text: str) -> None:
        self.executor.claim(name, formula, text)
        if isinstance(formula, GT) and formula.b is ZERO:
            self.falls.add(formula.a)

    def _note_reads(self, condition: Expr) -> None:
        """The bound is read again before each iteration: the loop must leave alone what it
        reads."""
        executor = self.executor
        for load in (n for n in postorder(condition) if isinstance(n, Load)):
            if load.array in self.stored:
                raise unsupported(
                    "loop-bound", f"the loop writes to {load.array}, which its bound is read from",
                    self.span, "copy the bound to a variable before the loop",
                )  # fmt: skip
            executor.note_read(load)

    def must_unroll(self) -> bool:
        """Whether a short loop carries values that have no closed form."""
        if not isinstance(self.extent, Const) or self.extent.value > UNROLL_LIMIT:
            return False
        if uses_registers(self.stmt, self.executor):
            return True
        by_itself = self.delayed.keys() | self.coming_back.keys()
        carried = [n for n in self.heads if n not in self.closed or n in by_itself]
        used = {node for name in self.modified for node in postorder(self.after.get(name, FALSE))}
        return any(self.heads[n] in used for n in carried) or _uses_local_array(
            self.stmt, self.executor
        )


def _uses_local_array(stmt: KernelLoop, executor: Executor) -> bool:
    """Small arrays of a kernel's own inside a short loop are worked out element by element."""
    names = {s.array for s in statements((stmt,)) if hasattr(s, "array")}
    return any(executor.arrays[n].origin == "local" and executor.loops for n in names)


def _chooses_by_places(value: Expr) -> bool:
    """Whether the few choices in a value are by counters and parameters alone."""
    found = [n for n in postorder(value) if isinstance(n, Select)]
    return len(found) <= _CHOICES and not any(
        isinstance(n, (Load, Call)) for n in postorder(*(s.condition for s in found))
    )


def index_of(form: Expr) -> Expr:
    """The index expression inside a closed form."""
    if form.type is I64:
        return form
    if isinstance(form, Cast) and form.value.type is I64:
        return form.value
    if isinstance(form, Const):
        return const(form.value, I64)
    if isinstance(form, Variable):
        return Variable(form.name, I64)
    return Cast(I64, form)


def shift(expr: Expr, counter: Variable, by: int) -> Expr:
    return normal(substitute(expr, {counter: Add(counter, const(by, I64))}))


def wraps_to(executor: Executor, value: Expr, index: Expr) -> bool:
    """Whether an unsigned value is `index` modulo 2**bits as both are written: then it is `index`
    converted to its type, whether this fits or not. What that takes is claimed."""
    claims: list[tuple[Expr, str]] = []
    indexer = Indexer(executor.ranges(), lambda formula, text: claims.append((formula, text)))
    bits = value.type.bits
    difference = polynomial(Sub(indexer.congruent(value, bits), index))
    if any(coefficient % (1 << bits) for coefficient in difference.values()):
        return False
    for formula, text in claims:
        executor.claim("range", formula, text)
    return True


def later(value: Expr, counter: Variable, by: int) -> Expr:
    """A value of an iteration as it is `by` iterations later."""
    return replace(value, {counter: Add(counter, const(by, I64))})


def does_again(value: Expr, after: Expr, head: Expr, form: Expr) -> bool:
    """Whether an iteration that begins with `form` leaves what one that begins with the symbol
    `head` leaves: `after`, which is made of it."""
    return value is substitute(after, {head: form})


def places_turned(executor: Executor, value: Expr, head: Expr, symbol: Expr) -> Expr | None:
    """The places by which a value is turned around that is `head` turned around, over those of the
    head, `symbol`; None where it is anything else, or what is read chooses."""
    if isinstance(value, Select):
        condition = executor.indexer().formula(value.condition)
        sides = [places_turned(executor, side, head, symbol) for side in (value.a, value.b)]
        known = [side for side in sides if side is not None]
        if condition is None or len(known) < len(sides):
            return None
        return normal(Select(condition, *known))
    by = rotation(value, head)
    return None if by is None else normal(Add(symbol, const(by, I64)))


def turns(value: Expr, head: Expr) -> bool:
    """Whether a scalar's next value is one of two by turns: applied twice, it is the identity."""
    if isinstance(value, BitXor):
        return value.a is head and isinstance(value.b, Const)
    return isinstance(value, Sub) and isinstance(value.a, Const) and value.b is head


def _assigned(body: Iterable[Stmt], executor: Executor) -> dict[str, Type]:
    """Scalars that the statements assign, with their types, in order of appearance."""
    types: dict[str, Type] = {}
    for inner in _inner_statements(body):
        if isinstance(inner, Assign):
            types.setdefault(inner.name, inner.value.type)
        elif isinstance(inner, Declare):
            types.setdefault(inner.name, inner.type)
        elif isinstance(inner, (Allocate, Store)) and inner.array in executor.registers:
            types.update(elements(executor, inner.array))
    return types


def _inner_statements(body: Iterable[Stmt]) -> Iterable[Stmt]:
    return statements(tuple(body))
