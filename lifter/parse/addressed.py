"""The functions of a file whose addresses it takes, and which of them it sets together.

    case RGB:  acc->get = get_rgb;  acc->set = set_rgb;  break;
    static const struct ops table[] = { { get_rgb, set_rgb }, { get_grey, set_grey } };

What stands in one run of statements, or in one list, belongs together: a program that reads pixels
by `get_rgb` writes those of the same image by `set_rgb`. That is how people write it, and nothing
that a proof may use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .program import CALLABLE, Addressed, FunctionDefinition, SourceProgram
from .syntax import children_of, kind_of

_LABELS = frozenset({"CASE_STMT", "DEFAULT_STMT", "LABEL_STMT"})
_ENDS = frozenset({"BREAK_STMT", "RETURN_STMT", "CONTINUE_STMT", "GOTO_STMT"})
_LISTS = frozenset({"COMPOUND_STMT", "INIT_LIST_EXPR"})


def addressed(
    own: Iterable[Any], definitions: Mapping[str, FunctionDefinition], program: SourceProgram
) -> Addressed:
    """Those among `definitions` whose addresses are taken below the cursors `own`."""
    found: dict[str, None] = {}
    groups: list[frozenset[str]] = []

    def group(keys: Iterable[str]) -> None:
        made = frozenset(keys)
        found.update(dict.fromkeys(made))
        if len(made) > 1:
            groups.append(made)

    def named(cursor: Any) -> Iterator[str]:
        """The functions that stand in an expression, but for those in its lists."""
        waiting = [cursor]
        while waiting:
            one = waiting.pop()
            kind = kind_of(one)
            if kind in _LISTS:
                in_list(one)
                continue
            if kind == "DECL_REF_EXPR" and one.referenced is not None:
                meant = program.definition(one.referenced, one.spelling)
                if meant is not None and definitions.get(meant.key) is meant:
                    yield meant.key
            inner = children_of(one)
            called = one.referenced if kind == "CALL_EXPR" else None
            is_named = called is not None and kind_of(called) in CALLABLE
            waiting += inner[1:] if is_named else inner

    def in_list(cursor: Any) -> None:
        """The functions in a list of values, or in runs of a block's statements."""
        run: list[str] = []
        for child in children_of(cursor):
            kind = kind_of(child)
            if kind in _LABELS or kind in _ENDS:
                group(run)
                run = []
            run += named(child)
            if kind in _ENDS:
                group(run)
                run = []
        group(run)

    for cursor in own:
        group(named(cursor))
    functions = tuple(d for key, d in definitions.items() if key in found)
    return Addressed(functions, tuple(dict.fromkeys(groups)))
