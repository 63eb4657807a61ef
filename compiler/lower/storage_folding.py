"""Storage folding: a stage of which a moving window is alive lies in a ring (halide-2012, 5.2).

Let the steps of a loop touch windows [low, high] of a dimension, `low` never falling, each at most
`factor` long. A point p that is read in some step is at or above that step's `low`, so no window
since p was written held p + factor or p - factor: p and they may share one place.

Copies that go on while threads do something else (`GPUSharedAsync`) may be asked for several steps
early, as far as the windows of all these steps fit the ring together (`Ahead`).
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import ir
from ..ir import I32, LE, Add, Call, Const, Expr, Mod, Select, Sub, Variable, const
from ..ir import stmts as s
from ..ir.simplify_coordinate import simplify_coordinate
from ..ir.stmt_transform import block, children_of, map_expressions, rebuild, walk
from ..lang import HalideError, StorageDimension
from .interval import constant_limit
from .monotonic import direction
from .plan import StagePlan
from .region import Expansion, KnownBox, Regions, known, part_of

MOST_EARLY = 7
"""So many steps early nothing is copied."""
MOST_FOLDED = 1024
"""A window longer than this is not folded by itself: little would be saved."""


def storage_folding(
    plan: StagePlan, body: s.Stmt, touched: KnownBox, regions: Regions
) -> tuple[s.Stmt, KnownBox]:
    """`body`, inside of which the stage is stored, and `touched`, each with folded dimensions.

    Needs `body` to compute the stage inside of loops. Folded are the dimensions that the user
    folds, and those whose windows are short and proven to move one way.

        for y: f(x, y + 2) = ...; g(x, y) = f(x, y) + f(x, y + 2)      (4 rows suffice for 3)
        ->  for y: f(x, (y + 2) % 4) = ...; g(x, y) = f(x, y % 4) + f(x, (y + 2) % 4)
    """
    names = {plan.name, *plan.value_names()}
    loop = _loop_around(body, names, regions)
    if loop is None or loop.kind not in ("serial", "unrolled"):
        return body, touched
    inside, expansion = _below_lets(loop.body)
    box = regions.box(inside, names, expansion)
    assert box is not None
    windows = known(plan.name, box)
    checks: list[s.Stmt] = []
    factors: dict[int, Expr] = {}
    new = _dimensions_of_new_points(plan, loop, windows, regions)
    for d, window in enumerate(windows):
        wished = _user_factor(plan, d)
        factor = _fold(plan, d, window, touched[d], loop, wished, checks, d in new)
        if factor is not None:
            factors[d] = factor
    early = max((_steps_early(windows[d], loop, factors.get(d)) for d in new), default=0)
    if early:
        body = _early(body, plan, loop, early)
    if not factors:
        return body, touched
    folded = _folded(body, plan, factors)
    if checks:
        folded = _with_checks(folded, loop.name, checks)
    made = list(touched)
    for d, factor in factors.items():
        made[d] = const(0), simplify_coordinate(Sub(factor, const(1)))
    return folded, made


def _loop_around(body: s.Stmt, names: set[str], regions: Regions) -> s.For | None:
    """The one loop that all that is written and read of the stage lies in; None without one."""
    while True:
        if isinstance(body, s.For):
            return body
        below = [c for c in children_of(body) if _touches(c, names, regions)]
        if len(below) != 1 or isinstance(body, s.Provide):
            return None
        (body,) = below


def _touches(stmt: s.Stmt, names: set[str], regions: Regions) -> bool:
    return bool(names & regions.names_read(stmt)) or any(
        isinstance(x, s.Provide) and x.func in names for x in walk(stmt)
    )


def _user_factor(plan: StagePlan, dimension: int) -> StorageDimension | None:
    for stored in plan.schedule.storage:
        if stored.var == plan.args[dimension] and stored.fold_factor is not None:
            return stored
    return None


def _fold(
    plan: StagePlan,
    dimension: int,
    window: tuple[Expr, Expr],
    touched: tuple[Expr, Expr],
    loop: s.For,
    wished: StorageDimension | None,
    checks: list[s.Stmt],
    is_early: bool,
) -> Expr | None:
    """The factor to fold `dimension` by; None to leave it. A factor that cannot be seen to hold
    all windows is checked at run time by what is added to `checks`. What may be made early gets
    place for the windows of two steps."""
    low, high = window
    variable: Expr = Variable(loop.name, I32)
    rising = direction(low, variable) == "rising"
    falling = direction(high, variable) == "falling"
    moves = variable in set(ir.postorder(low, high))
    size = simplify_coordinate(Add(Sub(high, low), const(1)))
    longest = constant_limit(size)
    if wished is None:
        if is_early:
            longest = _length(window, loop, 1)
        if not moves or not (rising or falling) or longest is None or longest > MOST_FOLDED:
            return None
        factor = 1 << max(longest - 1, 0).bit_length()
        whole = constant_limit(simplify_coordinate(Add(Sub(touched[1], touched[0]), const(1))))
        return None if whole is not None and whole <= factor else const(factor)
    if not moves:
        return None
    if not (rising if wished.fold_forward else falling):
        raise HalideError(
            f"Dimension {plan.args[dimension]} of {plan.name} cannot be folded: what loop "
            f"{loop.name} accesses of it was not found to move "
            f"{'forward' if wished.fold_forward else 'backward'}.",
            plan.definitions[0].source.location,
        )
    assert wished.fold_factor is not None
    factor_ = wished.fold_factor
    message = (
        f"The fold factor ({{}}) of dimension {plan.args[dimension]} of {plan.name} is too small "
        f"to store the required region accessed by loop {loop.name} ({{}})."
    )
    if not (isinstance(factor_, Const) and longest is not None and longest <= factor_.value):
        fits = simplify_coordinate(LE(size, factor_))
        if fits is not ir.TRUE:
            checks.append(s.AssertStmt(fits, message, (factor_, size)))
    return factor_


def _below_lets(stmt: s.Stmt) -> tuple[s.Stmt, Expansion]:
    expansion = Expansion()
    while isinstance(stmt, s.LetStmt):
        expansion, stmt = expansion.with_coordinate(stmt), stmt.body
    return stmt, expansion


def _dimensions_of_new_points(
    plan: StagePlan, loop: s.For, windows: KnownBox, regions: Regions
) -> set[int]:
    """The dimensions in which all that a step of `loop` makes lies behind what the steps before it
    have touched: of a stage that is copied while threads do something else."""
    if plan.schedule.memory != "async" or loop.kind != "serial":
        return set()
    variable: Expr = Variable(loop.name, I32)
    first = LE(variable, loop.min)

    def in_later_steps(e: Expr) -> Expr:
        """`e` in all steps but the first one."""

        def chosen(node: Expr) -> Expr:
            return node.b if isinstance(node, Select) and node.condition is first else node

        return ir.transform(part_of(e), chosen)

    inside, expansion = _below_lets(map_expressions(loop.body, in_later_steps))
    written = regions.written(inside, frozenset(plan.value_names()), expansion)
    found = set()
    for d, (_, high) in enumerate(windows if written is not None else ()):
        assert written is not None
        begin = written[d][0]
        if begin is None or variable not in set(ir.postorder(begin)):
            continue
        rises = all(direction(e, variable) == "rising" for e in (begin, windows[d][0]))
        overlap = constant_limit(simplify_coordinate(Sub(high, _later(begin, loop, 1))))
        if rises and overlap is not None and overlap < 0:
            found.add(d)
    return found


def _later(e: Expr, loop: s.For, steps: int) -> Expr:
    variable: Expr = Variable(loop.name, I32)
    return ir.substitute(e, {variable: Add(variable, const(steps))})


def _length(window: tuple[Expr, Expr], loop: s.For, steps: int) -> int | None:
    """The most that the windows of a step and of so many after it have together."""
    low, high = window
    return constant_limit(simplify_coordinate(Add(Sub(_later(high, loop, steps), low), const(1))))


def _steps_early(window: tuple[Expr, Expr], loop: s.For, factor: Expr | None) -> int:
    """How many steps early one's points may be made, in a ring of `factor` or in all the memory."""
    if factor is None:
        return 1
    if not isinstance(factor, Const):
        return 0
    steps = 0
    while steps < MOST_EARLY:
        longest = _length(window, loop, steps + 1)
        if longest is None or longest > factor.value:
            break
        steps += 1
    return steps


def _early(body: s.Stmt, plan: StagePlan, loop: s.For, steps: int) -> s.Stmt:
    def visit(stmt: s.Stmt) -> s.Stmt:
        if isinstance(stmt, s.ProducerConsumer) and stmt.is_producer and stmt.func == plan.name:
            return s.ProducerConsumer(stmt.func, True, s.Ahead(loop.name, steps, stmt.body))
        return rebuild(stmt, tuple(map(visit, children_of(stmt))), lambda e: e)

    return visit(body)


def _with_checks(body: s.Stmt, loop: str, checks: Sequence[s.Stmt]) -> s.Stmt:
    """`body` with the checks where each step of `loop` begins, below the lets that they use."""

    def below_lets(stmt: s.Stmt) -> s.Stmt:
        if isinstance(stmt, s.LetStmt):
            return s.LetStmt(stmt.name, stmt.value, below_lets(stmt.body))
        return block(*checks, stmt)

    def visit(stmt: s.Stmt) -> s.Stmt:
        if isinstance(stmt, s.For) and stmt.name == loop:
            return s.For(stmt.name, stmt.min, stmt.extent, stmt.kind, below_lets(stmt.body))
        return rebuild(stmt, tuple(map(visit, children_of(stmt))), lambda e: e)

    return visit(body)


def _folded(body: s.Stmt, plan: StagePlan, factors: dict[int, Expr]) -> s.Stmt:
    """`body` with the coordinates of the stage taken modulo the factors."""
    names = set(plan.value_names())

    def wrapped(args: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return tuple(
            simplify_coordinate(Mod(a, factors[d])) if d in factors else a
            for d, a in enumerate(args)
        )

    def read(node: Expr) -> Expr:
        if isinstance(node, Call) and node.kind == "func" and node.name in names:
            return Call(node.name, wrapped(node.args), node.type, node.kind)
        return node

    def written(stmt: s.Stmt) -> s.Stmt:
        made = rebuild(stmt, tuple(map(written, children_of(stmt))), lambda e: e)
        if isinstance(made, s.Provide) and made.func == plan.name:
            return s.Provide(made.func, made.values, wrapped(made.args))
        return made

    return written(map_expressions(body, lambda e: ir.transform(e, read)))


__all__ = ["storage_folding"]
