"""Loops that only look whether the function is to be left.

    for (i = 0; i < 9; i++)
        if (m[i] > 255)
            return -EINVAL;

Such a loop computes nothing: there is nothing in it to lift, and it is no region.
"""

from __future__ import annotations

from collections.abc import Iterator

from .region import RegionDefinition
from .syntax import Node, strip
from .types import is_reference

_LEAVES = frozenset({"RETURN_STMT", "CXX_THROW_EXPR"})
_MAY_DO_MORE = frozenset(
    {
        "CALL_EXPR", "LAMBDA_EXPR", "CXX_NEW_EXPR", "CXX_DELETE_EXPR", "ASM_STMT", "MS_ASM_STMT",
        "GOTO_STMT", "INDIRECT_GOTO_STMT", "LABEL_STMT",
    }
)  # fmt: skip


def only_checks(region: RegionDefinition) -> bool:
    """Whether statements do nothing but leave the function for some values of what they read: what
    they set is read neither behind them nor by what they leave the function with."""
    ways_out = [n for s in region.run.statements for n in _outside(s) if n.kind in _LEAVES]
    staying = [n for s in region.run.statements for n in _outside(s) if n.kind not in _LEAVES]
    if not ways_out or any(n.kind in _MAY_DO_MORE for n in staying):
        return False
    targets = [strip(n.children[0]) for n in staying if _sets(n)]
    if not all(map(_is_variable, targets)):
        return False
    known = region.captured
    if any(t.key in known and region.outlives(known[t.key]) for t in targets):
        return False
    own = {t.key for t in targets} | {n.key for n in staying if n.kind == "VAR_DECL"}
    named = (n for way in ways_out for n in way.walk() if n.kind == "DECL_REF_EXPR")
    return not any(n.key in own for n in named)


def _sets(node: Node) -> bool:
    if node.kind == "BINARY_OPERATOR":
        return node.operator == "="
    is_step = node.kind == "UNARY_OPERATOR" and node.is_step
    return is_step or node.kind == "COMPOUND_ASSIGNMENT_OPERATOR"


def _is_variable(target: Node) -> bool:
    declared = target.declaration if target.kind == "DECL_REF_EXPR" else None
    return declared is not None and not is_reference(declared.type.get_canonical())


def _outside(node: Node) -> Iterator[Node]:
    """The nodes of a statement without what is inside of a way out."""
    yield node
    if node.kind not in _LEAVES:
        for child in node.children:
            yield from _outside(child)
