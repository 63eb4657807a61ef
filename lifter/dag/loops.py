"""Loops: run for an arbitrary iteration, with the claims that this relies on.

The scalars that a loop changes get their closed forms (closed_forms.py) or become an accumulation
(accumulations.py); using any other is an error. Every closed form is checked by running the body
again from it: base case, step and trip count become `induction` claims.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from compiler.ir import (
    EQ,
    FALSE,
    GE,
    GT,
    I32,
    I64,
    LE,
    LT,
    TRUE,
    Add,
    And,
    Const,
    Div,
    Expr,
    Load,
    Max,
    Mod,
    Or,
    Select,
    Sub,
    Variable,
    const,
    postorder,
    substitute,
)

from ..model.diagnostic import LiftError
from ..model.kernel import Store, statements
from ..model.kernel import WhileLoop as KernelLoop
from ..model.stage import Fact, Loop, Read, Write
from .accumulations import accumulation
from .closed_forms import (
    LoopAnalysis,
    does_again,
    index_of,
    later,
    places_turned,
    shift,
    wraps_to,
)
from .copies_on import with_first_element
from .error_terms import apart, with_remainder
from .failure import unsupported
from .folds import fold_over, note_left
from .followers import ends, pushed
from .index import Indexer, replace
from .polynomial import ONE, ZERO, choices, conjunction, decided, negate, normal
from .put_in_order import run_in_turn
from .remainders import comes_back
from .running import find_running, note_terms
from .scalars import is_unknown, unknown
from .states import State
from .symbolic import UNROLL_LIMIT, Executor, Log, join

_CHOICES = 2
"""That a step of an induction is proved for one by one."""


def _loads_of(value: Expr) -> list[Load]:
    return [n for n in postorder(value) if isinstance(n, Load)]


def loads_under(
    value: Expr, conditions: tuple[Expr, ...] = ()
) -> Iterator[tuple[Load, tuple[Expr, ...]]]:
    """The loads in a value, each with the choices that it is under."""
    if not any(isinstance(n, Select) for n in postorder(value)):
        yield from ((load, conditions) for load in _loads_of(value))
    elif isinstance(value, Select):
        yield from loads_under(value.condition, conditions)
        yield from loads_under(value.a, (*conditions, value.condition))
        yield from loads_under(value.b, (*conditions, negate(value.condition)))
    else:
        for child in value.children:
            yield from loads_under(child, conditions)


def run_loop(executor: Executor, stmt: KernelLoop) -> None:
    """Runs a loop for all its iterations; raises `LiftError` where it isn't understood."""
    if run_in_turn(executor, stmt, UNROLL_LIMIT):
        return
    analysis = LoopAnalysis(executor, stmt)
    extent = analysis.extent
    if analysis.must_unroll():
        assert isinstance(extent, Const)
        _unroll(executor, stmt, int(extent.value))
        return
    if isinstance(extent, Const) and extent.value <= 0:
        _check_condition(executor, stmt, False)
        return
    _run_symbolically(executor, stmt, analysis)


def _unroll(executor: Executor, stmt: KernelLoop, iterations: int) -> None:
    """Every iteration by itself; the condition must be known before each and after the last."""
    for i in range(iterations):
        if stmt.test_first or i:
            _check_condition(executor, stmt, True)
        if i:
            executor.run(stmt.again)
        executor.run(stmt.body)
        executor.run(stmt.step)
    _check_condition(executor, stmt, False)


def _check_condition(executor: Executor, stmt: KernelLoop, expected: bool) -> None:
    executor.span = stmt.span
    condition = executor.indexer().formula(executor.value(stmt.condition))
    if condition is not (TRUE if expected else FALSE):
        raise unsupported(
            "loop-bound", f"the loop's condition isn't known to be {str(expected).lower()} here",
            stmt.span,
        )  # fmt: skip


def _run_symbolically(executor: Executor, stmt: KernelLoop, analysis: LoopAnalysis) -> None:
    loop = Loop(analysis.counter, analysis.extent, stmt.span)
    executor.counters += 1
    outer_env = dict(executor.env)
    running = find_running(executor, analysis)
    claimed = _claim_error_terms(executor, analysis)
    for name in (n for n in analysis.closed if n not in running):
        _claim_base(executor, analysis, name)
    executor.loops = (*executor.loops, loop)
    executor.env.update(analysis.head_env())
    executor.recording.logs.append(Log([]))
    _note_read_before(executor, analysis, outer_env)
    position = executor.position
    around, executor.refills = executor.refills, {**executor.refills, **analysis.refills}
    earlier, executor.claimed = executor.claimed, (*executor.claimed, *claimed)
    counts, executor.counts = executor.counts, executor.counts | _claim_counts(executor, analysis)
    moved, executor.moved_up = executor.moved_up, {**executor.moved_up, **analysis.moved_up}
    executor.run(with_first_element(executor, stmt, analysis))
    executor.run(stmt.step)
    executor.refills, executor.counts, executor.moved_up = around, counts, moved
    executor.span = stmt.span
    at_test = executor.env
    if stmt.again:
        _run_again(executor, stmt)
    writes = executor.recording.logs.pop().writes
    _claim_fitting(executor, analysis, writes)
    _note_state(executor, analysis)
    for name, form in analysis.closed.items():
        if name not in running:
            _claim_step(executor, analysis, name, form)
        elif not running[name].is_step(executor.env[name], form):
            raise _no_function(name, analysis)
    note_terms(executor, analysis, running)
    known = _note_handed_on(executor, analysis, position)
    executor.claimed = earlier
    executor.loops = executor.loops[:-1]
    _claim_extent(executor, analysis)
    executor.env = outer_env
    final = _iterations(executor, analysis)
    for form in known:
        for load, conditions in loads_under(replace(form, {analysis.counter: final})):
            with executor.under(conditions):
                read = executor.note_read(load)
            executor.lasting_reads[load.array, load.indices, read.loops, read.condition] = read
    for name, head in analysis.heads.items():
        entry = analysis.entry[name]
        if name in running and entry is not None:
            executor.env[name] = running[name].left(entry, loop)
        else:
            executor.env[name] = _final_value(executor, analysis, name, head, at_test, final)
        left = executor.env[name]
        if executor.loops and isinstance(left, Variable) and is_unknown(left, "carried"):
            executor.left_in_rows[left] = analysis.carried(name)
    note_left(executor, analysis)
    for write in writes:
        executor.add_write(write)


def _iterations(executor: Executor, analysis: LoopAnalysis) -> Expr:
    """How many iterations a loop has run."""
    extent = analysis.extent
    if not analysis.stmt.test_first:
        return extent
    if isinstance(extent, Div) and executor.ranges().interval(extent)[0] >= 0:
        return extent
    count = normal(Max(extent, ZERO))
    return executor.counts.get(count, count)


def _claim_error_terms(executor: Executor, analysis: LoopAnalysis) -> list[Expr]:
    """Claims what makes error terms remainders, where there is an iteration."""
    claimed = []
    for name, term in analysis.error_terms.items():
        for formula, text in term.claims(analysis.heads[name].type):
            given = (GT(analysis.extent, ZERO),) if analysis.stmt.test_first else ()
            executor.claim("induction", formula, text, given)
            claimed.append(formula)
    return claimed


def _claim_counts(executor: Executor, analysis: LoopAnalysis) -> dict[Expr, Expr]:
    """How often loops bring error terms back in an iteration: it is claimed to be no less than they
    run at least. See `Executor.counts`."""
    found = dict[Expr, Expr]()
    for term in analysis.error_terms.values():
        counts = analysis.at_closed_heads(term.count)
        for count in counts.children if isinstance(counts, Max) else ():
            if not isinstance(count, Const):
                known = executor.indexer().index(apart(count, term.divisor))
                least = const(term.at_least, I64)
                formula = normal(GE(known, least))
                executor.claim("induction", formula, f"{formula} in each iteration")
                found[normal(Max(known, least))] = known
    return found | _claim_followers(executor, analysis)


def _claim_followers(executor: Executor, analysis: LoopAnalysis) -> dict[Expr, Expr]:
    """How far loops move followers up in an iteration: that they never go down is claimed. That the
    loops run so often is claimed where they are run."""
    executor.courses[analysis.counter] = tuple(analysis.courses())
    for leader in analysis.followers.values():
        if not leader.is_once:
            step = leader.course.step
            executor.claim("induction", normal(GE(step, ZERO)), f"{step} >= 0 in each iteration")
    return analysis.counts()


def _claim_fitting(executor: Executor, analysis: LoopAnalysis, writes: Sequence[Write]) -> None:
    """Claims that what error terms divide, and what followers are bounded by, fits an int where it
    tells what is stored: programs compute it, as the original does not."""
    nodes = {n for w in writes for n in _computed(w.value)}
    divided = {n.a for n in nodes if isinstance(n, (Div, Mod))}
    for term in analysis.error_terms.values():
        written = term.moved(analysis.counter)
        moved = executor.indexer().index(written)
        if not divided.isdisjoint((moved, written)):
            _claim_int(executor, moved)
    for leader in analysis.followers.values():
        for end in (leader.course.head, leader.course.left):
            known = leader.number(end)
            for part in ends(pushed(known)) if known in nodes else ():
                _claim_int(executor, part)


def _claim_int(executor: Executor, number: Expr) -> None:
    if isinstance(number, (Const, Variable)):
        return
    for fits in (GE(number, const(I32.min, I64)), LE(number, const(I32.max, I64))):
        formula = normal(fits)
        executor.claim("range", formula, f"{number} fits {I32}")
        executor.recording.facts[Fact(formula, executor.loops, tuple(executor.path))] = None


def _computed(value: Expr) -> Iterator[Expr]:
    """The parts of a value but for the places of what it reads."""
    waiting, seen = [value], set[Expr]()
    while waiting:
        node = waiting.pop()
        if node not in seen and not isinstance(node, Load):
            seen.add(node)
            waiting += node.children
            yield node


def _note_state(executor: Executor, analysis: LoopAnalysis) -> None:
    """Notes what an iteration makes of the scalars without closed forms that it is handed."""
    if executor.dry or analysis.again:
        return
    entry, after = dict[Variable, Expr](), dict[Variable, Expr]()
    read_behind = set[Variable]()
    for name in (n for n in analysis.heads if n not in analysis.closed):
        begun, left, marker = analysis.entry[name], executor.env.get(name), analysis.carried(name)
        if begun is not None and left is not None:
            entry[marker], after[marker] = begun, left
            if executor.liveness.is_read_behind(analysis.stmt, name):
                read_behind.add(marker)
    state = State(executor.loops, entry, after, frozenset(read_behind))
    executor.states |= dict.fromkeys(entry, state)


def _note_read_before(
    executor: Executor, analysis: LoopAnalysis, entering: Mapping[str, Expr]
) -> None:
    """Notes of which arrays that a loop stores to its iterations know what was read before them: in
    the scalars that enter it, the branches around it, and what iterations hand on."""
    if analysis.stored:
        known = (*entering.values(), *executor.path, *analysis.closed.values())
        loads = (n for n in postorder(*known, *analysis.refills.values()) if isinstance(n, Load))
        executor.recording.handed_on |= {n.array for n in loads} & analysis.stored


def _run_again(executor: Executor, stmt: KernelLoop) -> None:
    """What follows a test in the middle: it runs in all iterations but the last."""
    condition = executor.value(stmt.condition)
    env, writes = executor.branch(condition, stmt.again)
    executor.env = env
    for write in join(condition, writes, [], executor.loops):
        executor.add_write(write)


def _note_handed_on(executor: Executor, analysis: LoopAnalysis, position: int) -> list[Expr]:
    """Notes that values which an iteration is handed on were read from memory by then: by the
    iteration before, or before the loop. Gives those of which that is so.

    Arrays that the function writes are left out: what was read of them may not be there any more.
    """
    reads = executor.recording.reads
    written = {s.array for s in statements(executor.kernel.body) if isinstance(s, Store)}

    def keys(value: Expr, loops: tuple[Loop, ...]) -> list[tuple[Load, tuple[Any, ...]]]:
        return [
            (load, (load.array, load.indices, loops, conjunction((*executor.path, *conditions))))
            for load, conditions in loads_under(value)
        ]

    def are_read(value: Expr, loops: tuple[Loop, ...]) -> bool:
        return all(
            key[0] not in written and (key in reads or key in executor.read_before)
            for _, key in keys(value, loops)
        )

    found = []
    for name, form in analysis.handed_on.items():
        earlier = analysis.delayed.get(name, form)
        entry = replace(form, {analysis.counter: ZERO})
        first = analysis.entry[name] if name in analysis.delayed else entry
        assert first is not None
        own = later(earlier, analysis.counter, 1)
        if not are_read(own, executor.loops):
            continue
        if not are_read(first, executor.loops[:-1]):
            if name not in analysis.delayed:
                continue
            # What it enters with is another matter: `*last`, which the loop overwrites.
            form = Select(LE(analysis.counter, ZERO), Const(first.type, 0), earlier)
        found.append(form)
        for load, key in keys(form, executor.loops):
            condition = key[-1]
            read = Read(load.array, load.indices, load.type, executor.loops, condition, position,
                        executor.span)  # fmt: skip
            reads.setdefault(key, read)
    return found


def _final_value(
    executor: Executor,
    analysis: LoopAnalysis,
    name: str,
    head: Variable,
    after: dict[str, Expr],
    final: Expr,
) -> Expr:
    form = analysis.closed.get(name)
    if name in analysis.again:
        # The last iteration leaves before this changes it once more.
        if form is None or name in analysis.unsteady:
            return analysis.left(name)
        final = normal(Sub(final, ONE))
    if form is not None and (name in analysis.handed_on or name in analysis.turned):
        return replace(form, {analysis.counter: final})
    if form is not None:
        index = (
            normal(substitute(index_of(form), {analysis.counter: final}))
            if head.type.is_integer
            else form
        )
        if name in analysis.brought_back and analysis.stmt.test_first:
            entry = analysis.entry[name]
            assert entry is not None
            start = executor.indexer().index(entry)
            if normal(substitute(index_of(form), {analysis.counter: ZERO})) is not start:
                if not executor.liveness.is_read_behind(analysis.stmt, name):
                    return analysis.left(name)
                index = normal(Select(GT(analysis.extent, ZERO), index, start))
        if head.type.is_integer:
            index = with_remainder(index, final, analysis.falls)
        if head.type.is_integer and not head.type.is_bool:
            if head.type.is_int and head.type.bits >= 32:
                executor.fitting.add((head.type, index))
            return executor.typed(head.type, index)
        return form
    entry = analysis.entry[name]
    value = after.get(name)
    if entry is None or value is None:
        return analysis.left(name)
    is_read = executor.liveness.is_read_behind(analysis.stmt, name)
    if is_unknown(entry, "undefined"):
        if analysis.carried(name) not in postorder(value):
            return analysis.left(name)
        begun = fold_over(executor, analysis, name, after) if is_read else None
        # Not `undefined`: it has a value after the loop if an iteration ran.
        return begun if begun is not None else unknown("unset", name, head.type)
    if not is_read:
        return analysis.left(name)
    reduced = accumulation(executor, analysis, name, after)
    if reduced is not None:
        return reduced
    if _is_read_for_each_element(executor, analysis.extent):
        return unknown("counted", name, head.type)
    folded = fold_over(executor, analysis, name, after)
    return folded if folded is not None else analysis.left(name)


def _is_read_for_each_element(executor: Executor, extent: Expr) -> bool:
    """Whether a number of iterations is read from a place that outer loops choose: no program's
    domain of reduction has such a bound."""
    counters = {loop.counter for loop in executor.loops}
    return any(not counters.isdisjoint(postorder(load)) for load in _loads_of(extent))


def _claim_base(executor: Executor, analysis: LoopAnalysis, name: str) -> None:
    entry, form = analysis.entry[name], analysis.closed[name]
    if name in analysis.rotated:
        start = normal(substitute(analysis.rotated[name], {analysis.counter: ZERO}))
        executor.claim("induction", EQ(start, ZERO), f"{name} begins as it is")
        return
    if name in analysis.handed_on or name in analysis.turned:
        return  # it is made of `entry`
    if entry is None or not form.type.is_integer or form.type.is_bool:
        return
    start = normal(substitute(index_of(form), {analysis.counter: ZERO}))
    executor.span = analysis.span
    if entry.type.is_uint and wraps_to(executor, entry, start):
        return
    executor.claim(
        "induction",
        EQ(start, executor.indexer().index(entry)),
        f"{name} begins as {start}",
        given=_some_iteration(analysis, name),
    )


def _some_iteration(analysis: LoopAnalysis, name: str) -> tuple[Expr, ...]:
    """What is given of where a scalar begins: that there is an iteration, if no more is needed of
    it. Of a divisor nothing may be known where there is none."""
    if name not in analysis.brought_back or not analysis.stmt.test_first:
        return ()
    return (GT(analysis.extent, ZERO),)


def _claim_step(executor: Executor, analysis: LoopAnalysis, name: str, form: Expr) -> None:
    value = executor.env[name]
    if name in analysis.rotated:
        places = analysis.rotated[name]
        actual = places_turned(executor, value, form, places)
        if actual is None:
            raise _no_function(name, analysis)
        expected = shift(places, analysis.counter, 1)
        text = f"{name} is turned by {places} at the head of each iteration"
        _claim_equal(executor, actual, expected, text)
        return
    if name in analysis.coming_back:
        if not comes_back(value, analysis.coming_back[name], analysis.counter):
            raise _no_function(name, analysis)
        return
    if name in analysis.handed_on or name in analysis.turned:
        is_turned = name in analysis.turned and does_again(
            value, analysis.after[name], analysis.heads[name], form
        )
        form = analysis.delayed.get(name, form)
        if not is_turned and replace(value, {}) is not later(form, analysis.counter, 1):
            raise _no_function(name, analysis)
        return
    if not form.type.is_integer or form.type.is_bool:
        if value is not form:
            raise _no_function(name, analysis)
        return
    expected = shift(index_of(form), analysis.counter, 1)
    if name in analysis.brought_back:
        expected = decided(expected, (normal(GT(Add(analysis.counter, ONE), ZERO)),))
    if form.type.is_uint and wraps_to(executor, value, expected):
        return
    indexer = executor.indexer()
    actual = indexer.index(value)
    if name in analysis.brought_back:
        expected = indexer.index(expected)
    text = f"{name} = {index_of(form)} at the head of each iteration"
    _claim_equal(executor, actual, expected, text)


def _claim_equal(executor: Executor, actual: Expr, expected: Expr, text: str) -> None:
    """What is made of choices is the same whichever is taken."""
    steps = choices(expected)[:_CHOICES]
    for taken in product(*((c, negate(c)) for c in steps)):
        equal = EQ(decided(actual, taken), decided(expected, taken))
        executor.claim("induction", equal, text, taken)


def _no_function(name: str, analysis: LoopAnalysis) -> LiftError:
    text = f"the value of {name} isn't a function of the iteration"
    return unsupported("loop-carried", text, analysis.span)


def _claim_extent(executor: Executor, analysis: LoopAnalysis) -> None:
    """The loop's condition holds in iteration i exactly when i < extent, for 0 <= i <= extent."""
    counter, extent = analysis.counter, analysis.extent
    fits: list[tuple[Expr, str]] = []
    with executor.dry_run():
        # One more iteration than the loop has: the condition is also tested after the last.
        executor.loops = (
            *executor.loops,
            Loop(counter, normal(Add(Max(extent, ZERO), ONE)), analysis.span),
        )
        executor.env.update(analysis.head_env())
        if not analysis.stmt.test_first:
            executor.run(analysis.stmt.body)
            executor.run(analysis.stmt.step)
        indexer = Indexer(
            executor.ranges(), lambda formula, text: fits.append((formula, text)), is_of_loop=True
        )
        with executor.noting_claims() as claims:
            condition = indexer.formula(executor.value(analysis.stmt.condition))
    executor.keep_claims(claims)
    if condition is None:
        raise unsupported("loop-bound", "the loop's condition isn't about integers", analysis.span)
    inside = (
        LT(counter, extent) if analysis.stmt.test_first else LT(normal(Add(counter, ONE)), extent)
    )
    same = Or(And(condition, inside), And(negate(condition), negate(inside)))
    last = Max(extent, ZERO) if analysis.stmt.test_first else normal(Sub(extent, ONE))
    iterations = (GE(counter, ZERO), LT(counter, normal(Add(last, ONE))))
    for formula, text in fits:
        executor.claim("range", formula, text, given=iterations)
    executor.claim(
        "induction", same, f"the loop runs max({extent}, 0) iterations",
        given=(GE(counter, ZERO), LE(counter, last)),
    )  # fmt: skip
