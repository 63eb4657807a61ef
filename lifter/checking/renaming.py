"""Parameters that have other names by now: a kernel in the names that its summary has for them.

A call passes arguments by their places, so a kernel means the same with other names for its
parameters. All names of the kernel are exchanged at once, one to one, so that none comes to stand
for two things.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from compiler.ir import Expr, Load, Variable, transform

from ..model.kernel import Kernel, PureFunction, Stmt

_NAMING = frozenset(("name", "array"))
"""The fields of statements and of what a kernel declares that hold names."""
_PLAIN = re.compile(r"[A-Za-z_]\w*", re.ASCII)
"""A name that is one in a header, too, whoever wrote it: `n = 5` declares something else there."""


def in_names_of(kernel: Kernel, entry: Any) -> Kernel:
    """The kernel with the parameters' names of a committed `entry`, where only these differ."""
    try:
        told = [(str(p["name"]), p["kind"], p["type"]) for p in entry["params"]]
    except (KeyError, TypeError):
        return kernel
    here = [(p.name, p.kind, str(p.type)) for p in kernel.params]
    if [t[1:] for t in told] != [h[1:] for h in here]:
        return kernel
    wanted = {h[0]: t[0] for h, t in zip(here, told, strict=True) if h[0] != t[0]}
    names = {name for pair in zip(here, told, strict=True) for name in (pair[0][0], pair[1][0])}
    if not wanted or len({t[0] for t in told}) != len(told):
        return kernel
    if not all(map(_PLAIN.fullmatch, names)) or any(
        s.passing != "plain" for s in kernel.source_params
    ):
        return kernel
    return _renamed(kernel, _one_to_one(wanted, names_of(kernel)))


def with_new_names(kernel: Kernel, names: Collection[str]) -> Kernel:
    """The kernel with new names for some of its local arrays."""
    return _renamed(kernel, _fresh(names, names_of(kernel)))


def _fresh(names: Collection[str], used: set[str]) -> dict[str, str]:
    made: dict[str, str] = {}
    for name in sorted(names):
        fresh = f"{name}_now"
        while fresh in used or fresh in made.values():
            fresh += "_"
        made[name] = fresh
    return made


def _one_to_one(wanted: Mapping[str, str], used: set[str]) -> dict[str, str]:
    """`wanted` with new names for whatever has one of the wanted names now."""
    made = dict(wanted)
    for name in wanted.values():
        if name in used and name not in made:
            fresh = f"{name}_before"
            while fresh in used or fresh in made.values():
                fresh += "_"
            made[name] = fresh
    return made


def names_of(kernel: Kernel) -> set[str]:
    """What the names in a kernel begin with: `src.size` and `x.1` belong to `src` and `x`."""
    found: set[str] = set()

    def visit(part: Any) -> None:
        if isinstance(part, Expr) and not isinstance(part, Stmt):
            transform(part, lambda node: _noted(node, found))
        elif isinstance(part, tuple):
            for item in part:
                visit(item)
        elif isinstance(part, dict):
            for item in part.values():
                visit(item)
        elif dataclasses.is_dataclass(part):
            for field in dataclasses.fields(part):
                value = getattr(part, field.name)
                if field.name in _NAMING and isinstance(value, str):
                    found.add(value.partition(".")[0])
                else:
                    visit(value)

    visit((kernel.params, kernel.arrays, kernel.body, kernel.preconditions))
    return found


def _noted(node: Expr, found: set[str]) -> Expr:
    if isinstance(node, Variable | Load):
        name = node.name if isinstance(node, Variable) else node.array
        found.add(name.partition(".")[0])
    return node


def _renamed(kernel: Kernel, names: Mapping[str, str]) -> Kernel:
    def name(old: str) -> str:
        stem, dot, rest = old.partition(".")
        return names.get(stem, stem) + dot + rest

    def everywhere(node: Expr) -> Expr:
        if isinstance(node, Variable):
            variable: Expr = Variable(name(node.name), node.type)
            return variable
        return of_arrays(node)

    def of_arrays(node: Expr) -> Expr:
        if isinstance(node, Load):
            load: Expr = Load(name(node.array), node.indices, node.type, node.predicate)
            return load
        return node

    def visit(part: Any) -> Any:
        if isinstance(part, Expr):
            return transform(part, everywhere)
        if isinstance(part, tuple):
            return tuple(map(visit, part))
        if isinstance(part, dict):
            return {name(key): visit(value) for key, value in part.items()}
        if dataclasses.is_dataclass(part) and not isinstance(part, type):
            made = {}
            for field in dataclasses.fields(part):
                value = getattr(part, field.name)
                is_name = field.name in _NAMING and isinstance(value, str)
                made[field.name] = name(value) if is_name else visit(value)
            return type(part)(**made)
        return part

    def function(own: PureFunction) -> PureFunction:
        # Its parameters are its own; the constant tables that it reads are the kernel's.
        return replace(own, body=transform(own.body, of_arrays))

    return replace(
        kernel,
        params=visit(kernel.params),
        arrays=visit(kernel.arrays),
        body=visit(kernel.body),
        preconditions=visit(kernel.preconditions),
        not_null=visit(kernel.not_null),
        source_params=tuple(replace(s, name=name(s.name)) for s in kernel.source_params),
        functions={key: function(own) for key, own in kernel.functions.items()},
    )
