"""What holds where a run of statements begins: the conditions that lead there, and those that were
tested before it and would have led away.

    assert(w < 4096);
    if (dst->pf != PF_8 || w <= 0) return -1;
    for (...) ...                                 here dst->pf == PF_8, w > 0 and w < 4096

They become preconditions of the region, which its guard tests like all others: a fact that
something in between has made untrue costs the region's calls, and is nothing that a proof trusts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from compiler.ir import (
    EQ,
    Cast,
    Const,
    Expr,
    Load,
    Variable,
    negation,
    postorder,
    substitute,
    to_text,
)

from ..model.diagnostic import LiftError, Span
from ..model.kernel import Assume
from .bindings import Key
from .conditions import condition_of
from .jumps import branches_of, condition_index, falls, is_once
from .liveness import Run
from .program import arguments_of, callee_of
from .syntax import Node, in_system_header, strip
from .translation import Translation
from .types import is_array, is_pointer

_LEAVES = frozenset({"GOTO_STMT", "CXX_THROW_EXPR"})
_READ = frozenset(
    {
        "INTEGER_LITERAL", "CHARACTER_LITERAL", "CXX_BOOL_LITERAL_EXPR", "PAREN_EXPR",
        "UNEXPOSED_EXPR", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "BINARY_OPERATOR",
        "UNARY_OPERATOR", "DECL_REF_EXPR", "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR",
        "CXX_UNARY_EXPR", "CXX_THIS_EXPR", "TYPE_REF", "NAMESPACE_REF",
    }
)  # fmt: skip
"""What a condition may be made of that says the same when it is asked once more."""
_CASTS = frozenset({"CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR"})
"""To `bool`, which the header writes around the condition of an `assert`."""
_VARIABLES = frozenset({"VAR_DECL", "PARM_DECL"})


def facts_at(t: Translation, run: Run, changing: Collection[Key]) -> list[Assume]:
    """The conditions over parameters of the kernel that hold where `run` begins; `changing` are
    the variables that something in the function changes."""
    found: dict[Expr, Assume] = {}
    for condition, holds in _conditions(run):
        for atom, truth in _atoms(condition, holds):
            if _is_plain(t, atom, changing):
                fact = _translated(t, atom, truth)
                if fact is not None:
                    found.setdefault(fact, Assume(atom.span, fact, _shown(fact)))
    return list(found.values())


def _shown(fact: Expr) -> str:
    """The fact without the conversions that C++ makes by itself."""
    return re.sub(r"\bu?int(?:32|64)\(([\w.]+)\)", r"\1", to_text(fact))


def values_at(t: Translation, span: Span) -> list[Assume]:
    """The facts that make a constant of a parameter."""
    found = ((EQ(Variable(name, c.type), c), name, c) for name, c in t.known.values.items())
    return [Assume(span, fact, f"{name} == {c.value}") for fact, name, c in found]


def value_of_fact(fact: Expr) -> tuple[str, Const] | None:
    """The parameter and its value, of a fact that says no less."""
    if not isinstance(fact, EQ):
        return None
    tested, constant = (fact.a, fact.b) if isinstance(fact.b, Const) else (fact.b, fact.a)
    if not isinstance(constant, Const):
        return None
    if isinstance(tested, Cast) and tested.type.bits >= tested.value.type.bits:
        tested = tested.value
    if not isinstance(tested, Variable) or not tested.type.is_integer or tested.type.is_bool:
        return None
    value = int(constant.value)
    return (tested.name, Const(tested.type, value)) if tested.type.contains(value) else None


def _conditions(run: Run) -> Iterator[tuple[Node, bool]]:
    """Conditions on the way to a run, each with what it was found to be."""
    for block, inner in zip(run.path, (*run.path[1:], run.statements[0]), strict=True):
        if block.kind == "IF_STMT":
            condition = block.children[condition_index(block)]
            branches = branches_of(block)
            if inner in branches:
                yield condition, inner is branches[0]
        elif block.kind == "COMPOUND_STMT":
            yield from _left_by(block.children[: block.children.index(inner)])


def _left_by(statements: tuple[Node, ...]) -> Iterator[tuple[Node, bool]]:
    """The conditions with which control would have left for somewhere else."""
    for statement in statements:
        if is_once(statement):
            yield from _left_by(statement.children[0].children)
        elif statement.kind == "IF_STMT":
            branches = branches_of(statement)
            if len(branches) == 1 and _leads_away(branches[0]):
                yield statement.children[condition_index(statement)], False
        elif (asserted := _asserted(statement)) is not None:
            yield asserted, True


def _asserted(statement: Node) -> Node | None:
    """The condition of an `assert`, as our header has it."""
    call = strip(statement)
    if call.kind != "CALL_EXPR" or callee_of(call) != "lift_assert":
        return None
    if call.declaration is None or not in_system_header(call.declaration):
        return None
    condition = strip(arguments_of(call)[0])
    return strip(condition.children[-1]) if condition.kind in _CASTS else condition


def _leads_away(branch: Node) -> bool:
    last = branch
    while last.kind == "COMPOUND_STMT" and last.children:
        last = last.children[-1]
    return not falls((branch,)) or strip(last).kind in _LEAVES


def _atoms(condition: Node, holds: bool) -> Iterator[tuple[Node, bool]]:
    """The parts of a condition that hold, or don't, each for itself."""
    node = strip(condition)
    if node.kind == "UNARY_OPERATOR" and node.operator == "!":
        yield from _atoms(node.children[0], not holds)
    elif node.kind == "BINARY_OPERATOR" and node.operator == ("&&" if holds else "||"):
        for part in node.children:
            yield from _atoms(part, holds)
    else:
        yield node, holds


def _is_plain(t: Translation, atom: Node, changing: Collection[Key]) -> bool:
    """Whether a condition only compares numbers of the kernel's parameters."""
    if is_pointer(atom.type) or is_array(atom.type):
        return False
    for node in atom.walk():
        if node.kind not in _READ:
            return False
        if node.kind == "UNARY_OPERATOR" and node.operator not in ("-", "+", "~", "!"):
            return False
        if node.kind == "BINARY_OPERATOR":
            is_set = node.operator.endswith("=") and node.operator not in ("==", "!=", "<=", ">=")
            if is_set or any(is_pointer(strip(c).type) for c in node.children):
                return False
        if node.kind == "DECL_REF_EXPR" and node.declaration is not None:
            is_variable = node.declaration.kind.name in _VARIABLES
            if is_variable and (node.key in changing or node.key not in t.environment):
                return False
    return True


def _translated(t: Translation, atom: Node, truth: bool) -> Expr | None:
    """A condition over parameters that nothing changes; None for what isn't one."""
    try:
        with t.block() as out, t.expression_region(atom) as region:
            test = condition_of(t, atom)
    except LiftError:
        return None
    if out or region.pending:
        return None
    known: dict[Expr, Expr] = {
        n: t.derived[n.name]
        for n in postorder(test)
        if isinstance(n, Variable) and n.name in t.derived
    }
    fact = substitute(test if truth else negation(test), known)
    names = {n.name for n in postorder(fact) if isinstance(n, Variable)}
    if isinstance(fact, Const) or not names <= t.fixed:
        return None
    return None if any(isinstance(n, Load) for n in postorder(fact)) else fact
