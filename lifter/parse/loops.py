"""Loops (see `jumps` for what leaves them)."""

from __future__ import annotations

from compiler.ir import BOOL, FALSE, I64, LT, TRUE, Add, Const, Expr, Variable, negation

from ..model.kernel import Break, If, Stmt, WhileLoop
from .bindings import joined
from .conditions import condition_of
from .dispatch import STATEMENT, Following, discard, run
from .jumps import LOOPS, JumpTarget, is_once, jumps
from .lane_loops import is_over_lanes, run_over_lanes
from .leaving import propagate_return, raise_flags, unless
from .loop_parts import loop_parts
from .pointers_in_turn import run_pointers_in_turn
from .range_for import RangeHead, bind_element, range_head
from .syntax import Node
from .translation import Translation


@STATEMENT.of(*LOOPS)
def run_loop(t: Translation, node: Node, rest: tuple[Node, ...]) -> Following:
    """Emits a loop, and what follows it where a `return` may have been taken inside."""
    if is_once(node):
        return (node.children[0], *rest)
    t.span = t.span_of(node)
    if is_over_lanes(node):
        run_over_lanes(t, node)
        return rest
    if run_pointers_in_turn(t, node):
        return rest
    flag = _emit_loop(t, node)
    return rest if flag is None else _run_after_return(t, flag, rest)


def _emit_loop(t: Translation, node: Node) -> str | None:
    """Emits the loop; gives the boolean that tells that a `return` inside was taken."""
    span = t.span_of(node)
    head: RangeHead | None = None
    start, test, step, body = None, None, None, node.children[-1]
    if node.kind == "CXX_FOR_RANGE_STMT":
        head = range_head(t, node)
    else:
        start, test, step, body = loop_parts(node)
    if start is not None:
        run(t, (start,))
    t.span = span
    target = JumpTarget("loop")
    if "return" in jumps(node):
        target.returned = t.fresh("returned")
        t.made.add(target.returned)
        t.assign(target.returned, FALSE)
    function = next((o for o in reversed(t.targets) if o.kind == "function"), None)
    returns = [] if function is None else function.returns
    before = len(returns)
    declared = t.declared
    while True:
        t.declared = declared.copy()
        entry = t.environment
        t.targets.append(target)
        with t.block() as out:
            _translate_iteration(t, node, (test, step, body), target, head)
        t.targets.pop()
        met = joined(entry, t.environment)
        again = {key: met[key] for key in entry}
        if again == entry:
            break
        t.environment = again
        target.breaks.clear()
        target.continues.clear()
        del returns[before:]
    t.emit(*out)
    t.environment = entry
    for other in target.breaks:
        t.environment = joined(t.environment, other)
    return target.returned


def _translate_iteration(
    t: Translation,
    node: Node,
    parts: tuple[Node | None, Node | None, Node],
    target: JumpTarget,
    head: RangeHead | None,
) -> None:
    """Emits the loop as what one iteration does, from the environment at hand."""
    test, step, body = parts
    span = t.span_of(node)
    is_do = node.kind == "DO_STMT"
    condition: Expr = TRUE
    before: list[Stmt] = []
    late: list[Stmt] = []
    t.environment = dict(t.environment)
    if test is not None and not is_do:
        with t.block() as before, t.expression_region(test) as region:
            condition = condition_of(t, test)
        late = region.pending
    if head is not None:
        condition = LT(head.counter, head.count)
    with t.block() as inner:
        if head is not None:
            bind_element(t, head)
        reached = run(t, (body,))
    for other in target.continues:
        t.environment = joined(t.environment, other) if reached else other
        reached = True
    t.span = span
    with t.block() as steps:
        if head is not None:
            t.assign(head.counter.name, Add(head.counter, Const(I64, 1)))
        if step is not None:
            t.span = t.span_of(step)
            discard(t, step)
        if test is not None and is_do:
            with t.expression_region(test, delays=False):
                condition = condition_of(t, test)
    t.span = span
    leaves = "break" in jumps(body) or target.returned is not None
    if before or (late and leaves):
        out = If(span, negation(condition), (*late, Break(span)))
        whole = (*before, out, *late, *inner)
        t.emit(WhileLoop(span, TRUE, whole, tuple(steps), True))
    else:
        t.emit(WhileLoop(span, condition, (*late, *inner), tuple(steps), not is_do), *late)


def _run_after_return(t: Translation, flag: str, rest: tuple[Node, ...]) -> bool:
    """What follows a loop that contains a `return`."""
    enclosing = next((o for o in reversed(t.targets) if o.kind != "switch"), None)
    taken = Variable(flag, BOOL)
    if enclosing is not None and enclosing.kind == "loop":
        with t.block() as out:
            propagate_return(t)
        t.emit(If(t.span, taken, tuple(out)))
        return run(t, rest)
    with t.block() as out:
        raise_flags(t, t.targets[-1:])
    if out:
        t.emit(If(t.span, taken, tuple(out)))
    return unless(t, flag, rest)
