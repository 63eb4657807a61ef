"""Loops, and the jumps that leave them (see `jumps` for the rewriting)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from compiler.ir import BOOL, FALSE, I64, LT, TRUE, Add, Const, Expr, Not, Variable

from ..model.kernel import Break, If, Loop, Stmt
from .bindings import (
    PointerBinding,
    joined,
)
from .folding import convert, negate
from .jumps import Target, jumps
from .loop_parts import loop_parts
from .range_for import RangeFor, RangeHead
from .syntax import Node


class Loops(RangeFor):
    """Translation of loops and jumps."""

    @abstractmethod
    def statement(self, node: Node) -> None: ...

    def emit_if(self, test: Expr, then: tuple[Stmt, ...], otherwise: tuple[Stmt, ...]) -> None:
        if not then and otherwise:
            self.emit(If(self.span, negate(test), otherwise))
        elif then or otherwise:
            self.emit(If(self.span, test, then, otherwise))

    def unless(self, flag: str, rest: tuple[Node, ...]) -> bool:
        """The statements `rest`, guarded by a boolean that a jump has set."""
        with self.block() as out:
            reached = self.run(rest)
        self.emit_if(Not(Variable(flag, BOOL)), tuple(out), ())
        return reached

    # Loops

    def is_once(self, node: Node) -> bool:
        """`do { ... } while (0)`, as macros write it."""
        body, test = node.children
        if node.children[0].kind != "COMPOUND_STMT" or test.evaluate() != 0:
            return False
        return not jumps(body) & {"break", "continue"}

    def loop(self, node: Node) -> str | None:
        """Emits the loop; gives the boolean that tells that a `return` inside was taken."""
        span = node.span
        head: RangeHead | None = None
        start, test, step, body = None, None, None, node.children[-1]
        if node.kind == "CXX_FOR_RANGE_STMT":
            head = self.range_head(node)
        else:
            start, test, step, body = loop_parts(node)
        if start is not None:
            self.span = start.span
            self.statement(start)
        self.span = span
        target = Target("loop")
        if "return" in jumps(node):
            target.returned = self.fresh("returned")
            self.made.add(target.returned)
            self.assign(target.returned, FALSE)
        function = next((t for t in reversed(self.targets) if t.kind == "function"), None)
        returns = [] if function is None else function.returns
        before = len(returns)
        while True:
            saved = self.saved()
            entry = self.environment
            self.targets.append(target)
            with self.block() as out:
                self._loop_round(node, (test, step, body), target, head)
            self.targets.pop()
            met = joined(entry, self.environment)
            again = {key: met[key] for key in entry}
            if again == entry:
                break
            self.restore(saved)
            self.environment = again
            target.breaks.clear()
            target.continues.clear()
            del returns[before:]
        self.emit(*out)
        self.environment = entry
        for other in target.breaks:
            self.environment = joined(self.environment, other)
        return target.returned

    def _loop_round(
        self,
        node: Node,
        parts: tuple[Node | None, Node | None, Node],
        target: Target,
        head: RangeHead | None,
    ) -> None:
        test, step, body = parts
        span = node.span
        is_do = node.kind == "DO_STMT"
        condition: Expr = TRUE
        before: list[Stmt] = []
        late: list[Stmt] = []
        self.environment = dict(self.environment)
        if test is not None and not is_do:
            with self.block() as before, self.expression_region(test) as region:
                condition = self.condition(test)
            late = region.pending
        if head is not None:
            condition = LT(head.counter, head.count)
        with self.block() as inner:
            if head is not None:
                self.bind_element(head)
            reached = self.run((body,))
        for other in target.continues:
            self.environment = joined(self.environment, other) if reached else other
            reached = True
        self.span = span
        with self.block() as steps:
            if head is not None:
                self.assign(head.counter.name, Add(head.counter, Const(I64, 1)))
            if step is not None:
                self.span = step.span
                self.discard(step)
            if test is not None and is_do:
                with self.expression_region(test, delays=False):
                    condition = self.condition(test)
        self.span = span
        leaves = "break" in jumps(body) or target.returned is not None
        if before or (late and leaves):
            out = If(span, negate(condition), (*late, Break(span)))
            whole = (*before, out, *late, *inner)
            self.emit(Loop(span, TRUE, whole, tuple(steps), True))
        else:
            self.emit(Loop(span, condition, (*late, *inner), tuple(steps), not is_do), *late)

    def after_return(self, flag: str, rest: tuple[Node, ...]) -> bool:
        """What follows a loop that contains a `return`."""
        enclosing = next((t for t in reversed(self.targets) if t.kind != "switch"), None)
        taken = Variable(flag, BOOL)
        if enclosing is not None and enclosing.kind == "loop":
            with self.block() as out:
                self._propagate_return()
            self.emit(If(self.span, taken, tuple(out)))
            return self.run(rest)
        with self.block() as out:
            self._raise_flags(self.targets[-1:])
        if out:
            self.emit(If(self.span, taken, tuple(out)))
        return self.unless(flag, rest)

    # Jumps

    def _raise_flags(self, targets: Sequence[Target]) -> None:
        for target in targets:
            for flag in target.flags:
                self.assign(flag, TRUE)

    def _propagate_return(self) -> None:
        """Leaves every target up to the function's end."""
        crossed: list[Target] = []
        for target in reversed(self.targets):
            crossed.append(target)
            if target.kind == "function":
                break
        self._raise_flags(crossed)
        loops = [t for t in crossed if t.kind == "loop"]
        for loop in loops:
            assert loop.returned is not None
            self.assign(loop.returned, TRUE)
        if loops:
            self.emit(Break(self.span))

    def leave(self, kind: str, node: Node) -> None:
        self.span = node.span
        crossed: list[Target] = []
        for target in reversed(self.targets):
            crossed.append(target)
            if target.kind == "loop" or (kind == "break" and target.kind == "switch"):
                break
        target = crossed[-1]
        if kind == "break":
            target.breaks.append(self.environment)
            if target.kind == "loop":
                self.emit(Break(self.span))
                return
        else:
            target.continues.append(self.environment)
        self._raise_flags(crossed)

    def leave_function(self, node: Node) -> None:
        self.span = node.span
        target = next(t for t in reversed(self.targets) if t.kind == "function")
        if node.children:
            value = node.children[0]
            if target.result_key is not None:
                with self.expression_region(value) as region:
                    by_place = target.by_reference
                    found = self.address_of(value) if by_place else self.pointer(value)
                    if target.single:
                        self.environment[target.result_key] = PointerBinding("result", found)
                    else:
                        self.set_pointer(target.result_key, "result", found)
                    self.flush(region)
            elif target.result_object is not None:
                with self.expression_region(value) as region:
                    self.copy_object(target.result_object, self.source_object(value), value)
                    self.flush(region)
            elif target.result_type is not None:
                with self.expression_region(value) as region:
                    result = convert(self.value(value), target.result_type)
                    if target.result is None:
                        target.result = self.fresh("result")
                    self.assign(target.result, result)
                    self.flush(region)
            else:
                self.discard(value)
        target.returns.append(self.environment)
        self._propagate_return()
