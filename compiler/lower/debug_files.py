"""`debug_to_file`: a stage's values in a file, each time that they were computed.

produce f:              produce f:
  f(x) = e                f(x) = e
                   ->     assert file_begin:tmp:NAME(width, code) == 0
                          for x: file_put:NAME(f(x))
                          file_end:NAME()
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import EQ, I32, Call, Expr, Variable, const
from ..ir import stmts as s
from ..ir.stmt_transform import block, children_of, rebuild
from ..lang import HalideError
from ..lang.names import buffer_field
from .plan import StagePlan

_CODES = {
    "float32": 0, "float64": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "uint32": 6,
    "int32": 7, "uint64": 8, "int64": 9,
}  # fmt: skip
_MAX_DIMENSIONS = 4

_Bounds = tuple[tuple[Expr, Expr], ...]


def debug_files(stmt: s.Stmt, plans: Sequence[StagePlan]) -> s.Stmt:
    """Needs the loops of all stages, before memory is laid out; leaves effects in them.

    Raises `HalideError` for a format or a stage that cannot be written.
    """
    written = {p.name: p for p in plans if p.schedule.debug_file is not None}
    if not written:
        return stmt

    def walk(stmt: s.Stmt, regions: dict[str, _Bounds]) -> s.Stmt:
        if isinstance(stmt, s.Realize):
            regions = {**regions, stmt.func: stmt.bounds}
        made = rebuild(stmt, tuple(walk(c, regions) for c in children_of(stmt)), lambda e: e)
        plan = written.get(getattr(made, "func", ""))
        if plan is None or not (isinstance(made, s.ProducerConsumer) and made.is_producer):
            return made
        bounds = regions.get(plan.name) or tuple(
            (buffer_field(plan.name, "min", d), buffer_field(plan.name, "extent", d))
            for d in range(len(plan.args))
        )
        return s.ProducerConsumer(made.func, True, block(made.body, _dump(plan, bounds)))

    return walk(stmt, {})


def _dump(plan: StagePlan, bounds: _Bounds) -> s.Stmt:
    path = plan.schedule.debug_file or ""
    suffix = path.rpartition(".")[2]
    type = plan.types[0]
    if suffix in ("mat", "tif", "tiff"):
        raise HalideError(f"debug_to_file: files of kind .{suffix} are not supported ({path}).")
    if len(plan.types) > 1 or str(type) not in _CODES or len(bounds) > _MAX_DIMENSIONS:
        raise HalideError(
            f"debug_to_file: {plan.name} can't be written to {path}: it must have one value of "
            f"8 bits or more and at most {_MAX_DIMENSIONS} dimensions."
        )
    kind = "npy" if suffix == "npy" else "tmp"
    sizes = tuple(extent for _, extent in bounds)
    names = [f"{plan.name}.file.{a}" for a in plan.args]
    at = tuple(Variable(n, I32) for n in names)
    value = Call(plan.value_names()[0], at, type, "func")
    body: s.Stmt = s.Evaluate(Call(f"file_put:{path}", (value,), I32, "effect"))
    for name, (low, extent) in zip(names, bounds, strict=True):
        body = s.For(name, low, extent, "serial", body)
    code = const(_CODES[str(type)])
    begin = Call(f"file_begin:{kind}:{path}", (code, *sizes), I32, "effect")
    end = Call(f"file_end:{path}", (), I32, "effect")
    opened = s.AssertStmt(
        EQ(begin, const(0)), f"Failed to dump function {plan.name} to file {path}"
    )
    return block(opened, body, s.Evaluate(end))
