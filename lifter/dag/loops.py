"""Loops: run for an arbitrary iteration, with the claims that this relies on.

The scalars that a loop changes get their closed forms (closed_forms.py) or become an accumulation
(accumulations.py); using any other is an error. Every closed form is checked by running the body
again from it: base case, step and trip count become `induction` claims.
"""

from __future__ import annotations

from compiler.ir import (
    EQ,
    FALSE,
    GE,
    LE,
    LT,
    TRUE,
    Add,
    And,
    Const,
    Expr,
    Max,
    Or,
    Sub,
    Variable,
    postorder,
    substitute,
)

from ..model.kernel import WhileLoop as KernelLoop
from ..model.stage import Loop
from .accumulations import accumulation
from .closed_forms import LoopAnalysis, index_of, shift
from .failure import unsupported
from .index import Indexer, Ranges
from .polynomial import ONE, ZERO, negate, normal
from .scalars import is_unknown, unknown
from .symbolic import Executor, Log, join


def run_loop(executor: Executor, stmt: KernelLoop) -> None:
    """Runs a loop for all its iterations; raises `LiftError` where it isn't understood."""
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
    for name in analysis.closed:
        _claim_base(executor, analysis, name)
    executor.loops = (*executor.loops, loop)
    executor.env.update(analysis.head_env())
    executor.recording.logs.append(Log([]))
    executor.run(stmt.body)
    executor.run(stmt.step)
    executor.span = stmt.span
    at_test = executor.env
    if stmt.again:
        _run_again(executor, stmt)
    writes = executor.recording.logs.pop().writes
    for name, form in analysis.closed.items():
        _claim_step(executor, analysis, name, form)
    executor.loops = executor.loops[:-1]
    _claim_extent(executor, analysis)
    executor.env = outer_env
    final = normal(Max(analysis.extent, ZERO)) if stmt.test_first else analysis.extent
    for name, head in analysis.heads.items():
        executor.env[name] = _final_value(executor, analysis, name, head, at_test, final)
    for write in writes:
        executor.add_write(write)


def _run_again(executor: Executor, stmt: KernelLoop) -> None:
    """What follows a test in the middle: it runs in all iterations but the last."""
    condition = executor.value(stmt.condition)
    env, writes = executor.branch(condition, stmt.again)
    executor.env = env
    for write in join(condition, writes, [], executor.loops):
        executor.add_write(write)


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
            return unknown("carried", name, head.type)
        final = normal(Sub(final, ONE))
    if form is not None:
        index = (
            normal(substitute(index_of(form), {analysis.counter: final}))
            if head.type.is_integer
            else form
        )
        if head.type.is_integer and not head.type.is_bool:
            if head.type.is_int and head.type.bits >= 32:
                executor.fitting.add((head.type, index))
            return executor.typed(head.type, index)
        return form
    entry = analysis.entry[name]
    value = after.get(name)
    if entry is None or is_unknown(entry, "undefined") or value is None:
        # Not `undefined`: it has a value after the loop if an iteration ran.
        reads_itself = value is not None and unknown("carried", name, head.type) in postorder(value)
        return unknown("unset" if reads_itself else "carried", name, head.type)
    reduced = accumulation(executor, analysis, name, value, entry)
    return reduced if reduced is not None else unknown("carried", name, head.type)


def _claim_base(executor: Executor, analysis: LoopAnalysis, name: str) -> None:
    entry, form = analysis.entry[name], analysis.closed[name]
    if entry is None or not form.type.is_integer or form.type.is_bool:
        return
    start = normal(substitute(index_of(form), {analysis.counter: ZERO}))
    executor.span = analysis.span
    executor.claim(
        "induction", EQ(start, executor.indexer().index(entry)), f"{name} begins as {start}"
    )


def _claim_step(executor: Executor, analysis: LoopAnalysis, name: str, form: Expr) -> None:
    value = executor.env[name]
    if not form.type.is_integer or form.type.is_bool:
        if value is not form:
            raise unsupported(
                "loop-carried",
                f"the value of {name} isn't a function of the iteration",
                analysis.span,
            )
        return
    expected = shift(index_of(form), analysis.counter, 1)
    actual = executor.indexer().index(value)
    executor.claim(
        "induction",
        EQ(actual, expected),
        f"{name} = {index_of(form)} at the head of each iteration",
    )


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
        ranges = Ranges(executor.parameters, executor.loops, executor.fitting)
        indexer = Indexer(ranges, lambda formula, text: fits.append((formula, text)))
        condition = indexer.formula(executor.value(analysis.stmt.condition))
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
