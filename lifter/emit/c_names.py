"""Names of parameters that C and C++ code may have beside the names of ours."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from compiler.ir import Expr, Variable, transform

from ..model.reserved import CPP_WORDS

if TYPE_CHECKING:
    from .interface import Interface

_WORDS = CPP_WORDS | {
    *("EOF", "NULL", "errno", "linux", "restrict", "stderr", "stdin", "stdout", "typeof", "unix")
}
"""Words of either language, and macros that some systems have."""
_NAMES = frozenset(
    {
        "Parameter.name",
        "ImageView.array",
        "Assumption.arrays",
        "SourceParam.name",
        "SourceField.param",
        "ScannedRead.array",
        "CopiedTable.array",
    }
)
"""Where parameters are named in an interface, beside expressions."""
_DERIVED = re.compile(r"(.+)_(low|high|even|row_stride|size|given|box\d+|row\d+)")
"""Variables that the entries have for a parameter."""


def with_c_names(interface: Interface) -> Interface:
    """The interface with other names for parameters that would be in the way of ours.

    Those of a C source may be words of C++ (`new`), and any may be the function's own name, which
    then isn't that of the function any more. The pipeline's images and scalars keep their names.
    """
    flat = [p.name for p in interface.params]
    objects = [s.name for s in interface.sources if s.name not in flat]
    chosen: dict[str, str] = {}
    for name in (*flat, *objects):
        mine = name
        while mine in chosen.values() or _is_in_the_way(mine, flat, interface):
            mine += "_"
        chosen[name] = mine
    if all(name == mine for name, mine in chosen.items()):
        return interface
    return _renamed(interface, chosen)


def _is_in_the_way(name: str, names: list[str], interface: Interface) -> bool:
    function = interface.name
    derived = _DERIVED.fullmatch(name)
    return (
        name in _WORDS
        or name in (function, interface.qualified_name.rpartition("::")[2], interface.symbol)
        or re.fullmatch(rf"lift_\w*[^_]|{re.escape(function)}_\w*[^_]", name) is not None
        or (derived is not None and derived[1] in names)
    )


def _renamed(interface: Interface, chosen: dict[str, str]) -> Interface:
    def name(old: str) -> str:
        """A scalar may be that of a parameter: `v.size`."""
        root, dot, rest = old.partition(".")
        return chosen[old] if old in chosen else f"{chosen.get(root, root)}{dot}{rest}"

    def variable(node: Expr) -> Expr:
        return Variable(name(node.name), node.type) if isinstance(node, Variable) else node

    def visit(part: Any, field: str = "") -> Any:
        """Whatever it is with all expressions over the new names, and names where one is meant."""
        if isinstance(part, Expr):
            return transform(part, variable)
        if isinstance(part, tuple):
            return tuple(visit(one, field) for one in part)
        if isinstance(part, str):
            return name(part) if field in _NAMES else part
        if is_dataclass(part) and not isinstance(part, type):
            named = [f.name for f in fields(part)]
            own = f"{type(part).__name__}."
            return replace(part, **{f: visit(getattr(part, f), own + f) for f in named})
        return part

    told: Interface = visit(interface)
    return replace(
        told,
        scalars={own: name(source) for own, source in told.scalars.items()},
        accesses={name(array): visit(boxes) for array, boxes in told.accesses.items()},
        compared={name(array): visit(boxes) for array, boxes in told.compared.items()},
    )
