"""Statements: straight-line code, branches, loops and jumps (see `jumps` for the rewriting)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from compiler.ir import EQ, FALSE, Cast, Const, Expr, Or, Variable

from ..model.kernel import If, Stmt
from .bindings import Environment, joined
from .categories import operand_of_cast
from .duff import Duff
from .failure import unsupported
from .folding import convert, negate
from .jumps import LOOPS, CaseGroup, Target, branches_of, case_groups, condition_index, falls, jumps
from .loop_parts import refuse_first_statement
from .null_tests import leaves_for_null, works_without_null
from .pointers import NAMES
from .syntax import Node, strip_parentheses
from .types import is_pointer, is_record

_REFUSED = {
    "GOTO_STMT": ("goto", "`goto` isn't understood", "write the loop or the branch that it makes"),
    "INDIRECT_GOTO_STMT": ("goto", "computed `goto` isn't understood", "use a switch"),
    "LABEL_STMT": ("goto", "a label is the target of `goto`, which isn't understood", None),
    "ASM_STMT": (
        "inline-assembly",
        "inline assembly can't be read",
        "give the function's meaning in plain C++ with --model FILE",
    ),
    "MS_ASM_STMT": (
        "inline-assembly",
        "inline assembly can't be read",
        "give the function's meaning in plain C++ with --model FILE",
    ),
    "CXX_TRY_STMT": ("exception", "exceptions aren't understood", "check before, return a status"),
    "CXX_THROW_EXPR": ("exception", "`throw` isn't understood", "check before, return a status"),
}


class Statements(Duff):
    """Translation of function bodies."""

    def run(self, work: Sequence[Node]) -> bool:
        """Translates statements in order; tells whether control may reach their end."""
        queue = list(work)
        while queue:
            node = queue.pop(0)
            kind = node.kind
            if kind in ("COMPOUND_STMT", "UNEXPOSED_STMT"):
                queue[:0] = node.children
            elif kind in ("IF_STMT", "SWITCH_STMT"):
                branch = self._if if kind == "IF_STMT" else self._switch
                following = branch(node, tuple(queue))
                if isinstance(following, bool):
                    return following
                queue = list(following)
            elif kind == "RETURN_STMT":
                self.leave_function(node)
                return False
            elif kind in ("BREAK_STMT", "CONTINUE_STMT"):
                self.leave("break" if kind == "BREAK_STMT" else "continue", node)
                return False
            elif kind == "DO_STMT" and self.is_once(node):
                queue.insert(0, node.children[0])
            elif kind in LOOPS:
                self.span = node.span
                flag = self.loop(node)
                if flag is not None:
                    return self.after_return(flag, tuple(queue))
            else:
                self.statement(node)
        return True

    def statement(self, node: Node) -> None:
        """A statement without control flow of its own."""
        refused = _REFUSED.get(node.kind)
        if refused is not None:
            code, message, help = refused
            raise unsupported(code, node.span, message, help)
        if node.kind == "NULL_STMT":
            return
        self.span = node.span
        if node.kind == "DECL_STMT":
            for child in node.children:
                self.span = child.span
                self.declaration(child)
            return
        if node.kind.endswith("_STMT") and not node.kind.startswith("UNEXPOSED"):
            raise unsupported("unsupported-statement", node.span, "this statement isn't understood")
        self.discard(node)

    def discard(self, node: Node) -> None:
        """An expression whose value nobody uses, with its side effects completed."""
        with self.expression_region(node) as region:
            self._discarded(node)
            self.flush(region)

    def _discarded(self, node: Node) -> None:
        kind = node.kind
        inner = strip_parentheses(node)
        if inner is not node:
            self._discarded(inner)
        elif is_record(node.type) and kind != "CALL_EXPR" and kind not in NAMES:
            self.object(node, lasting=False)
        elif kind == "BINARY_OPERATOR" and node.operator == ",":
            for child in node.children:
                self.discard(child)
        elif kind == "BINARY_OPERATOR" and node.operator == "=":
            if is_pointer(node.type):
                self.assign_pointer(node)
            else:
                self.assignment(node)
        elif kind == "BINARY_OPERATOR" and node.operator in ("&&", "||"):
            test = self.sequenced_condition(node.children[0])
            if node.operator == "||":
                test = negate(test)
            self._branch(test, lambda: self.discard(node.children[1]))
        elif kind == "COMPOUND_ASSIGNMENT_OPERATOR":
            if is_pointer(node.type):
                self.compound_pointer(node)
            else:
                self.compound_assignment(node)
        elif kind == "UNARY_OPERATOR" and node.operator in ("p++", "p--", "++p", "--p"):
            self.step_statement(node)
        elif kind == "CONDITIONAL_OPERATOR":
            test = self.sequenced_condition(node.children[0])
            self._branch(
                test,
                lambda: self.discard(node.children[1]),
                lambda: self.discard(node.children[2]),
            )
        elif kind == "CALL_EXPR":
            self.call(node, used=False)
        elif kind == "CXX_DELETE_EXPR":
            self.pointer(node.children[0])
        elif kind == "CXX_THROW_EXPR":
            raise unsupported("exception", node.span, "`throw` isn't understood")
        elif kind in ("UNEXPOSED_EXPR", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR"):
            # With several operands it is no conversion: an atomic operation, for one.
            if not node.children or (kind == "UNEXPOSED_EXPR" and len(node.children) > 1):
                raise unsupported(
                    "unsupported-expression", node.span, "this expression isn't understood"
                )
            self._discarded(operand_of_cast(node))
        elif is_pointer(node.type):
            self.pointer(node)
        elif node.kind != "DECL_REF_EXPR":
            self.value(node)

    # Branches

    def _branch(
        self, test: Expr, then: Callable[[], None], otherwise: Callable[[], None] | None = None
    ) -> None:
        if isinstance(test, Const):
            chosen = then if test.value else otherwise
            if chosen is not None:
                chosen()
            return
        bodies: list[tuple[Stmt, ...]] = []
        start, ends = self.environment, []
        for action in (then, otherwise):
            self.environment = dict(start)
            with self.block() as out:
                if action is not None:
                    action()
            bodies.append(tuple(out))
            ends.append(self.environment)
        self.environment = joined(ends[0], ends[1])
        self.emit(If(self.span, test, bodies[0], bodies[1]))

    def _if(self, node: Node, rest: tuple[Node, ...]) -> bool | tuple[Node, ...]:
        """Emits an `if`; gives what is still to do, or whether control reaches the end of it."""
        span = node.span
        self.span = span
        at = condition_index(node)
        for declared in node.children[:at]:
            if declared.kind == "DECL_STMT":
                self.statement(declared)
            else:
                self.declaration(declared)
        self.span = span
        branches = branches_of(node)
        own, condition = self.own_statements, node.children[at]
        self.leaving = (node.cursor.hash in own and leaves_for_null(condition, branches)) or (
            own[-1:] == (node.cursor.hash,) and works_without_null(condition, branches)
        )
        test = self.sequenced_condition(node.children[at])
        self.leaving = False
        then: tuple[Node, ...] = (branches[0],)
        otherwise: tuple[Node, ...] = branches[1:]
        if isinstance(test, Const):
            return (*(then if test.value else otherwise), *rest)
        leaving = self._restructured(jumps(node))
        reach = (falls(then), falls(otherwise))
        if not leaving:
            reached = self._parallel(test, (then, otherwise))
            return rest if any(reached) else False
        if reach == (True, True):
            with self._flagged() as flag:
                self._parallel(test, (then, otherwise))
            return self.unless(flag, rest)
        works = tuple(
            (*w, *rest) if r else w for w, r in zip((then, otherwise), reach, strict=True)
        )
        return any(self._parallel(test, works))

    def _restructured(self, leaving: frozenset[str]) -> frozenset[str]:
        """The jumps that need the statements after a branch to move; a loop's `break` doesn't."""
        innermost = next(t.kind for t in reversed(self.targets))
        return leaving - {"break"} if innermost == "loop" else leaving

    def _parallel(self, test: Expr, works: Sequence[Sequence[Node]]) -> list[bool]:
        """Emits the two branches; tells which of them reach their end."""
        span = self.span
        start = self.environment
        bodies: list[tuple[Stmt, ...]] = []
        ends: list[Environment] = []
        reached: list[bool] = []
        for work in works:
            self.environment = dict(start)
            with self.block() as out:
                reached.append(self.run(work))
            bodies.append(tuple(out))
            if reached[-1]:
                ends.append(self.environment)
        self.environment = start
        if ends:
            self.environment = ends[0] if len(ends) == 1 else joined(ends[0], ends[1])
        self.span = span
        self.emit_if(test, bodies[0], bodies[1])
        return reached

    def _flagged(self) -> _Flagged:
        return _Flagged(self)

    def _switch(self, node: Node, rest: tuple[Node, ...]) -> bool | tuple[Node, ...]:
        """Emits a `switch` as a chain of `if`s; the result is as for `_if`."""
        span = node.span
        self.span = span
        refuse_first_statement(node)
        at = condition_index(node)
        for declared in node.children[:at]:
            self.declaration(declared)
        with self.expression_region(node.children[at]) as region:
            value = self.value(node.children[at])
            if region.pending or not _is_plain(value):
                value = self.captured(value, "case")
            self.flush(region)
        groups = list(case_groups(node))
        if self.duff(node, value):
            return rest
        if any(_stray_label(statement) for group in groups for statement in group.body):
            raise unsupported("unsupported-statement", span, "a case label in a nested block")
        arms = self._arms(groups, value)
        leaving = frozenset().union(*(jumps(b) for g in groups for b in g.body)) - {"break"}
        if not leaving:
            return rest if self._chain(arms, ()) else False
        reaching = [i for i, (_, work) in enumerate(arms) if _reaches(work)]
        mixed = any(
            frozenset().union(*(jumps(n) for n in arms[i][1])) - {"break"} for i in reaching
        )
        if len(reaching) > 1 or mixed:
            with self._flagged() as flag:
                self._chain(arms, ())
            return self.unless(flag, rest)
        return self._chain(arms, rest)

    def _arms(
        self, groups: Sequence[CaseGroup], value: Expr
    ) -> list[tuple[Expr | None, tuple[Node, ...]]]:
        """(condition, statements) of each case with fallthrough followed; the default is last."""
        arms: list[tuple[Expr | None, tuple[Node, ...]]] = []
        default: tuple[Node, ...] = ()
        for position, group in enumerate(groups):
            work: list[Node] = []
            for following in groups[position:]:
                work.extend(following.body)
                if not falls(following.body):
                    break
            if group.is_default:
                default = tuple(work)
                continue
            test: Expr | None = None
            for label in group.labels:
                same = EQ(value, convert(self.value(label), value.type))
                test = same if test is None else Or(test, same)
            if test is not None:
                arms.append((test, tuple(work)))
        return [*arms, (None, default)]

    def _chain(
        self, arms: Sequence[tuple[Expr | None, tuple[Node, ...]]], rest: tuple[Node, ...]
    ) -> bool:
        """`if`/`else if` over the arms; `rest` follows in the arm that reaches the end."""
        test, work = arms[0]
        if isinstance(test, Const):
            if not test.value:
                return self._chain(arms[1:], rest)
            test = None
        span = self.span
        start = self.environment
        with self.block() as out:
            self.environment = dict(start)
            target = Target("switch")
            self.targets.append(target)
            reached = self.run(work)
            self.targets.pop()
            ends = [*target.breaks, *([self.environment] if reached else [])]
            first_reaches = bool(ends)
            if ends:
                self.environment = ends[0]
                for end in ends[1:]:
                    self.environment = joined(self.environment, end)
            if rest and first_reaches:
                first_reaches = self.run(rest)
        after = self.environment
        if test is None:
            self.emit(*out)
            return first_reaches
        self.environment = dict(start)
        self.span = span
        with self.block() as others:
            others_reach = self._chain(arms[1:], rest)
        if first_reaches:
            self.environment = joined(after, self.environment) if others_reach else after
        self.span = span
        self.emit_if(test, tuple(out), tuple(others))
        return first_reaches or others_reach


class _Flagged:
    """Makes a boolean that jumps set while the branches before a guarded part are translated."""

    def __init__(self, translator: Statements) -> None:
        self.translator = translator
        self.flag = translator.fresh("skip")
        self.flags = translator.targets[-1].flags
        translator.made.add(self.flag)

    def __enter__(self) -> str:
        self.translator.assign(self.flag, FALSE)
        self.flags.append(self.flag)
        return self.flag

    def __exit__(self, *_: object) -> None:
        self.flags.remove(self.flag)


def _is_plain(value: Expr) -> bool:
    """Whether the case tests may repeat the value: all of them stand before any case's body."""
    while isinstance(value, Cast):
        value = value.value
    return isinstance(value, (Const, Variable))


def _reaches(work: Sequence[Node]) -> bool:
    return falls(work) or any("break" in jumps(n) for n in work)


def _stray_label(node: Node) -> bool:
    """Whether a label of the switch around stands inside a nested statement."""
    if node.kind in ("CASE_STMT", "DEFAULT_STMT"):
        return True
    return node.kind != "SWITCH_STMT" and any(map(_stray_label, node.children))
