"""Statements without control flow of their own, and those that are refused."""

from __future__ import annotations

from .dispatch import EFFECT, STATEMENT, Following, declare, pointer_of
from .failure import unsupported
from .syntax import Node
from .translation import Translation

_NO_ASSEMBLY = (
    "inline-assembly",
    "inline assembly can't be read",
    "give the function's meaning in plain C++ with --model FILE",
)
_REFUSED = {
    "GOTO_STMT": ("goto", "`goto` isn't understood", "write the loop or the branch that it makes"),
    "INDIRECT_GOTO_STMT": ("goto", "computed `goto` isn't understood", "use a switch"),
    "LABEL_STMT": ("goto", "a label is the target of `goto`, which isn't understood", None),
    "ASM_STMT": _NO_ASSEMBLY,
    "MS_ASM_STMT": _NO_ASSEMBLY,
    "CXX_TRY_STMT": ("exception", "exceptions aren't understood", "check before, return a status"),
    "CXX_THROW_EXPR": ("exception", "`throw` isn't understood", "check before, return a status"),
}


@STATEMENT.of(*_REFUSED)
def refuse(t: Translation, node: Node, rest: tuple[Node, ...]) -> Following:
    code, message, help = _REFUSED[node.kind]
    raise unsupported(code, node.span, message, help)


@STATEMENT.of("COMPOUND_STMT", "UNEXPOSED_STMT")
def run_block(t: Translation, node: Node, rest: tuple[Node, ...]) -> Following:
    return (*node.children, *rest)


@STATEMENT.of("NULL_STMT")
def run_nothing(t: Translation, node: Node, rest: tuple[Node, ...]) -> Following:
    return rest


@STATEMENT.of("DECL_STMT")
def run_declarations(t: Translation, node: Node, rest: tuple[Node, ...]) -> Following:
    t.span = t.span_of(node)
    for child in node.children:
        t.span = t.span_of(child)
        declare(t, child)
    return rest


@EFFECT.of("CXX_DELETE_EXPR")
def do_delete(t: Translation, node: Node) -> None:
    pointer_of(t, node.children[0])
