"""Loops that compute nothing themselves: there is nothing in them to lift, and they are no regions.

    for (i = 0; i < 9; i++)             for (i = 0; i < h; i++) {
        if (m[i] > 255)                     filter_row(ring[i % 3], src + i * pitch, w);
            return -EINVAL;                 t = a; a = b; b = t;
                                        }

The first only looks whether the function is to be left. What the second calls has loops of its own,
which lift where they are written.
"""

from __future__ import annotations

from collections.abc import Iterator

from .jumps import LOOPS
from .naming import template_of
from .region import RegionDefinition
from .syntax import Node, in_system_header, kind_of, sets, strip, walk_cursors
from .types import is_pointer, is_reference

_LEAVES = frozenset({"RETURN_STMT", "CXX_THROW_EXPR"})
_ELEMENTS = frozenset({"ARRAY_SUBSCRIPT_EXPR", "UNARY_OPERATOR"})
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
    targets = [strip(n.children[0]) for n in staying if sets(n)]
    if not all(map(_is_variable, targets)):
        return False
    known = region.captured
    if any(t.key in known and region.outlives(known[t.key]) for t in targets):
        return False
    own = {t.key for t in targets} | {n.key for n in staying if n.kind == "VAR_DECL"}
    named = (n for way in ways_out for n in way.walk() if n.kind == "DECL_REF_EXPR")
    return not any(n.key in own for n in named)


def only_calls(region: RegionDefinition) -> bool:
    """Whether all that statements do with numbers in memory is done by functions of the source with
    loops of their own."""
    nodes = [n for s in region.run.statements for n in s.walk()]
    calls = [n for n in nodes if n.kind == "CALL_EXPR"]
    others = (_MAY_DO_MORE - {"CALL_EXPR"}).intersection(n.kind for n in nodes)
    given = [c for c in calls if any(is_pointer(strip(a).type) for a in c.children[1:])]
    return (
        bool(given)
        and not others
        and all(map(_loops_itself, given))
        and not any(n.kind in _ELEMENTS and _is_element(n) for n in nodes)
        and all(
            is_pointer(strip(n.children[0]).type) or _is_variable(strip(n.children[0]))
            for n in nodes
            if sets(n)
        )
    )


def _loops_itself(call: Node) -> bool:
    """Whether a call is one of a function of the source, no template's, that loops."""
    declared = call.declaration
    if declared is None or in_system_header(declared) or template_of(declared) is not None:
        return False
    body = declared.get_definition()
    return body is not None and any(kind_of(c) in LOOPS for c in walk_cursors(body))


def _is_element(node: Node) -> bool:
    """Whether an expression is a number, or an object, that a pointer leads to."""
    leads = node.kind == "ARRAY_SUBSCRIPT_EXPR" or node.operator == "*"
    return leads and not is_pointer(node.type)


def _is_variable(target: Node) -> bool:
    declared = target.declaration if target.kind == "DECL_REF_EXPR" else None
    return declared is not None and not is_reference(declared.type.get_canonical())


def _outside(node: Node) -> Iterator[Node]:
    """The nodes of a statement without what is inside of a way out."""
    yield node
    if node.kind not in _LEAVES:
        for child in node.children:
            yield from _outside(child)
