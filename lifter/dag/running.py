"""Running sums: scalars whose value in each iteration of a short loop is wanted.

    for (i = 0; i < 256; i++) {                     map(x) = sum over k < x of h(k), and h(x)
        sum += h[i];
        map[i] = sum * 255 / total;
    }

At the head of iteration `i`, `sum` is what it enters the loop with and the terms of the iterations
before: those of all iterations, of which the ones from `i` on count for nothing. The terms are the
same whenever they are read, since the loop doesn't store to what they are made of. A program adds
them up anew for each element, so that loops are short, as those over tables are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from compiler.ir import LT, Const, Expr, Load, Select, Variable, const, postorder

from ..model.kernel import Assign, expressions_of, statements
from ..model.stage import Loop
from .accumulations import nothing_of, reads_written_any, step_of
from .closed_forms import LoopAnalysis
from .index import replace as substituted
from .polynomial import conjunction
from .reduce import COMBINED_BY, Reduce, ReduceOperator
from .scalars import is_unknown
from .symbolic import Executor, markers

MOST_TERMS = 256


@dataclass(frozen=True)
class Running:
    """What each iteration combines a scalar with, and the counter of those before it."""

    operator: ReduceOperator
    body: Expr
    before: Variable

    def at_head(self, entry: Expr, loop: Loop) -> Expr:
        """The scalar's value at the head of an iteration of `loop`."""
        earlier = substituted(self.body, {loop.counter: self.before})
        nothing = nothing_of(self.operator, earlier.type)
        term = Select(LT(self.before, loop.counter), earlier, nothing)
        return self._combined(entry, Reduce(self.operator, self.before, loop.extent, term))

    def left(self, entry: Expr, loop: Loop) -> Expr:
        """What the loop leaves."""
        return self._combined(entry, Reduce(self.operator, loop.counter, loop.extent, self.body))

    def is_step(self, value: Expr, form: Expr) -> bool:
        """Whether an iteration that begins with `form` leaves `value`."""
        step = step_of(value, form)
        return step is not None and (step.operator, step.body) == (self.operator, self.body)

    def _combined(self, entry: Expr, reduced: Expr) -> Expr:
        if self.operator == "add" and entry is const(0, entry.type):
            return reduced
        return COMBINED_BY[self.operator](entry, reduced)


def find_running(executor: Executor, analysis: LoopAnalysis) -> dict[str, Running]:
    """The running sums of a loop that has just been entered; they get closed forms."""
    extent = analysis.extent
    found: dict[str, Running] = {}
    if not isinstance(extent, Const) or extent.value > MOST_TERMS or not analysis.stored:
        return found
    loop = Loop(analysis.counter, extent, analysis.span)
    for name in [n for n in analysis.heads if n not in analysis.closed]:
        running = _running(executor, analysis, name)
        entry = analysis.entry[name]
        if running is not None and entry is not None:
            found[name] = running
            analysis.closed[name] = running.at_head(entry, loop)
    return found


def _running(executor: Executor, analysis: LoopAnalysis, name: str) -> Running | None:
    entry, head, after = analysis.entry[name], analysis.heads[name], analysis.after.get(name)
    if entry is None or after is None or is_unknown(entry) or analysis.stmt.again:
        return None
    if not _is_wanted(analysis, name) or not head.type.is_integer or head.type.is_bool:
        return None
    step = step_of(after, head)
    if step is None or step.operator is None or step.body is None:
        return None
    body = analysis.at_closed_heads(step.body)
    if body is None or any(True for _ in markers(body)) or reads_written_any(body, executor):
        return None
    if any(isinstance(n, Reduce) for n in postorder(body)):
        return None  # sums of sums would take too long
    if any(isinstance(n, Load) and n.array in analysis.stored for n in postorder(body)):
        return None
    before = executor.counter()
    executor.counters += 1
    return Running(step.operator, body, before)


def _is_wanted(analysis: LoopAnalysis, name: str) -> bool:
    """Whether anything but the scalar's own next value is made of it."""
    return any(
        isinstance(node, Variable) and node.name == name
        for inner in statements((*analysis.stmt.body, *analysis.stmt.step))
        if not (isinstance(inner, Assign) and inner.name == name)
        for node in postorder(*expressions_of(inner))
    )


def note_terms(executor: Executor, analysis: LoopAnalysis, found: dict[str, Running]) -> None:
    """Notes that what iterations before have read, they have read by then."""
    for running in found.values():
        loads = {n for n in postorder(running.body) if isinstance(n, Load)}
        back: dict[Expr, Expr] = {analysis.counter: running.before}
        loop = Loop(running.before, analysis.extent, analysis.span)
        is_before = LT(running.before, analysis.counter)
        for read in list(executor.recording.reads.values()):
            if (
                read.loops != executor.loops
                or Load(read.array, read.indices, read.type) not in loads
            ):
                continue
            asked = [n for n in postorder(read.condition) if isinstance(n, Load)]
            if any(True for _ in markers(read.condition)) or any(
                n.array in analysis.stored for n in asked
            ):
                continue
            again = replace(
                read,
                indices=tuple(substituted(i, back) for i in read.indices),
                loops=(*read.loops, loop),
                condition=conjunction((substituted(read.condition, back), is_before)),
            )
            executor.recording.reads.setdefault(again.key, again)
