"""Reductions over equal domains that read the same memory run in the same loops.

    least[()] = min(least[()], s[r.x, r.y]); greatest[()] = max(greatest[()], s[q.x, q.y])
    ->  greatest.update().rename(q.x, r.x).rename(q.y, r.y).compute_with(least.update(), r.x)

What they read comes from memory once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .. import ir
from ..ir import Call, Expr, Select, Variable
from ..lang import ComputeWith, Function, FunctionSchedule, Rename


def share_loops(
    order: Sequence[Function],
    outputs: Sequence[Function],
    made: Mapping[Function, FunctionSchedule],
) -> None:
    """Changes the schedules `made` so that numbers are reduced in common loops where they can be.

    `order` has producers first. Numbers of one type have all loops in common: code generation
    makes vectors of both. Those of several types have all but the innermost one, for each may be
    reduced by instructions of its own.
    """
    needs = _needed(order)
    groups: list[list[Function]] = []
    for function in order:
        # An output, and what waits for one, may have to be where the order of outputs has put it.
        waits = function in outputs or not needs[function].isdisjoint(outputs)
        if waits or not _reduces_to_a_number(function, made[function]):
            continue
        for group in groups:
            leader = group[0]
            common = _common_loops(leader, function)
            if common and all(_are_apart(function, other, needs, groups) for other in group):
                _join(made[leader], made[function], leader, common)
                group.append(function)
                break
        else:
            groups.append([function])


def _needed(order: Sequence[Function]) -> dict[Function, set[Function]]:
    """For each stage all those that it is computed from."""
    by_name = {f.name: f for f in order}
    found: dict[Function, set[Function]] = {}
    for function in order:
        direct = {by_name[name] for name in _read(function, "func") if name in by_name}
        direct -= {function}
        found[function] = direct.union(*(found[f] for f in direct))
    return found


def _are_apart(
    one: Function,
    other: Function,
    needs: Mapping[Function, set[Function]],
    groups: Sequence[Sequence[Function]],
) -> bool:
    """Whether neither stage has to wait for the other, nor for what is computed with others."""
    shared = {f for group in groups if len(group) > 1 for f in group} - {one, other}
    return (
        one not in needs[other]
        and other not in needs[one]
        and not (shared & needs[one] or shared & needs[other])
    )


def _reduces_to_a_number(function: Function, schedule: FunctionSchedule) -> bool:
    """Whether a stage is one number at the root, which one reduction makes in plain loops."""
    if function.args or len(function.types) != 1 or len(function.definitions) != 2:
        return False
    domain, stage = function.definitions[1].domain, schedule.stages[1]
    return (
        schedule.level.place == "root"
        and domain is not None
        and not domain.predicates
        and not stage.splits
        and len(stage.dimensions) == len(domain.names)
        and all(d.kind == "serial" for d in stage.dimensions)
        and not _stops(function)
    )


def _stops(function: Function) -> bool:
    """Whether a condition on the number alone decides if it changes: `lower/searches.py` skips the
    iterations behind the one that settles it, where nothing else is in them."""
    own = Call(function.name, (), function.types[0], "func")

    def is_settled(condition: Expr) -> bool:
        leaves = {x for x in ir.postorder(condition) if isinstance(x, (Call, Variable))}
        return leaves == {own}

    return any(
        isinstance(node, Select) and any(map(is_settled, ir.postorder(node.condition)))
        for value in function.definitions[1].values
        for node in ir.postorder(value)
    )


def _common_loops(leader: Function, function: Function) -> int:
    """How many of a reduction's outer loops may be those of `leader`'s; none where nothing that
    both read is saved."""
    domains = [f.definitions[1].domain for f in (leader, function)]
    assert domains[0] is not None and domains[1] is not None
    if domains[0].bounds != domains[1].bounds or not _loaded(leader) & _loaded(function):
        return 0
    loops = len(domains[0].names)
    return loops if leader.types == function.types else loops - 1


def _loaded(function: Function) -> set[str]:
    """What a stage's reduction reads, of images and of other stages."""
    return _read(function, "image") | (_read(function, "func") - {function.name})


def _read(function: Function, kind: str) -> set[str]:
    """The names of what a stage reads; a value of several is read by its stage's name."""
    return {
        node.name.partition(".")[0] if kind == "func" else node.name
        for definition in function.definitions
        for node in ir.postorder(*definition.args, *definition.values, *definition.predicates)
        if isinstance(node, Call) and node.kind == kind
    }


def _join(
    leading: FunctionSchedule, joining: FunctionSchedule, leader: Function, common: int
) -> None:
    """The directives of the example above, for the `common` outer loops."""
    stage, names = joining.stages[1], [d.name for d in leading.stages[1].dimensions]
    outer = range(len(names) - common, len(names))
    for place in outer:
        stage.splits.append(Rename(stage.dimensions[place].name, names[place]))
        stage.dimensions[place].name = names[place]
    stage.fused = ComputeWith(leader.name, 1, names[outer[0]], ())


__all__ = ["share_loops"]
