"""Statements without control flow of their own, and those that are refused."""

from __future__ import annotations

import re

from .dispatch import EFFECT, STATEMENT, Following, pointer_of
from .failure import unsupported
from .memory import refuse_foreign
from .syntax import Node
from .translation import Translation

_NO_ASSEMBLY = (
    "inline-assembly",
    "inline assembly can't be read",
    "give the function's meaning in plain C++ with --model FILE",
)
_TEXT = r'"(?:[^"\\]|\\.)*"'
_ASSEMBLY = re.compile(rf"{_TEXT}|\b(asm\b(?:{_TEXT}|[^;\"])*)")
_BARRIER = re.compile(rf"asm (?:volatile )?\(\"\"[ :]*(?:{_TEXT}(?:, {_TEXT})*)?\)")
_REFUSED = {
    "GOTO_STMT": ("goto", "`goto` isn't understood", "write the loop or the branch that it makes"),
    "INDIRECT_GOTO_STMT": ("goto", "computed `goto` isn't understood", "use a switch"),
    "LABEL_STMT": ("goto", "a label is the target of `goto`, which isn't understood", None),
    "MS_ASM_STMT": _NO_ASSEMBLY,
    "CXX_TRY_STMT": ("exception", "exceptions aren't understood", "check before, return a status"),
    "CXX_THROW_EXPR": ("exception", "`throw` isn't understood", "check before, return a status"),
}


@STATEMENT.of(*_REFUSED)
def refuse(t: Translation, node: Node, rest: tuple[Node, ...]) -> Following:
    code, message, help = _REFUSED[node.kind]
    raise unsupported(code, node.span, message, help)


@STATEMENT.of("ASM_STMT")
def run_assembly(t: Translation, node: Node, rest: tuple[Node, ...]) -> Following:
    """A barrier for the compiler, without instructions or operands, changes nothing."""
    if not _is_barrier(node):
        raise unsupported(_NO_ASSEMBLY[0], node.span, *_NO_ASSEMBLY[1:])
    return rest


def _is_barrier(node: Node) -> bool:
    # libclang tells nothing of an assembly's text but by printing the whole function.
    all_of_them = [n.cursor for n in node.root.walk() if n.kind == node.kind]
    texts = [text for text in _ASSEMBLY.findall(node.root.printed()) if text]
    if len(texts) != len(all_of_them) or node.children:
        return False
    return _BARRIER.fullmatch(texts[all_of_them.index(node.cursor)]) is not None


@STATEMENT.of("COMPOUND_STMT", "UNEXPOSED_STMT")
def run_block(t: Translation, node: Node, rest: tuple[Node, ...]) -> Following:
    return (*node.children, *rest)


@STATEMENT.of("NULL_STMT")
def run_nothing(t: Translation, node: Node, rest: tuple[Node, ...]) -> Following:
    return rest


@EFFECT.of("CXX_DELETE_EXPR")
def do_delete(t: Translation, node: Node) -> None:
    refuse_foreign(t, pointer_of(t, node.children[0]), node, "`delete`")
