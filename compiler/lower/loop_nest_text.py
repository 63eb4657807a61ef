"""The loops that a schedule asks for, as `print_loop_nest` shows them."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import Const
from ..ir import stmts as s
from ..ir.stmt_transform import children_of
from ..lang import Function
from .bind import bind
from .compute_with import FUSED
from .environment import realization_order
from .inline import inline
from .schedule_stages import schedule_stages


def loop_nest_text(outputs: Sequence[Function]) -> str:
    """The nest of the user's own schedule, in the real package's form."""
    order = realization_order(outputs)
    body, *_ = schedule_stages(inline(order, outputs, {f: f.schedule for f in order}))
    return _text(bind(body, {}), 0)


def _text(stmt: s.Stmt, depth: int) -> str:
    pad = "  " * depth
    match stmt:
        case s.Realize(body=s.Block(stmts=(s.ProducerConsumer() as first, s.ProducerConsumer()))):
            if first.func == stmt.func:
                return _computed(stmt, depth)
        case s.ProducerConsumer(func, is_producer, body):
            word = "produce" if is_producer else "consume"
            return f"{pad}{word} {_plain(func)}:\n{_text(body, depth + 1)}"
        case s.For(extent=Const(value=1), body=body) if not stmt.kind.startswith("gpu"):
            return _text(body, depth)
        case s.For(name, low, extent, kind, body):
            head = "for" if kind == "serial" else kind
            range_text = ""
            if isinstance(low, Const) and isinstance(extent, Const):
                last = int(low.value) + int(extent.value) - 1
                range_text = f" in [{low.value}, {last}]"
            device = "<Default_GPU>" if kind.startswith("gpu") else ""
            return f"{pad}{head} {_shown(name)}{range_text}{device}:\n{_text(body, depth + 1)}"
        case s.Provide(func):
            return f"{pad}{_plain(func)}(...) = ...\n"
    inside = "".join(_text(c, depth + isinstance(stmt, s.Realize)) for c in children_of(stmt))
    # Storage that stands apart from the computation.
    return f"{pad}store {_plain(stmt.func)}:\n{inside}" if isinstance(stmt, s.Realize) else inside


def _computed(stmt: s.Realize, depth: int) -> str:
    """A stage that is computed where it is stored, and those that share its loops, one in another:
    all are produced, then all are consumed."""
    names = [stmt.func]
    body = stmt.body
    while True:
        produced, consumed = children_of(body)
        (inside,) = children_of(consumed)
        (made,) = children_of(produced)
        is_empty = isinstance(made, s.Block) and not made.stmts
        if not (is_empty and isinstance(inside, s.Realize)):
            break
        names.append(inside.func)
        body = inside.body
    text = ""
    for word, part in (("produce", made), ("consume", inside)):
        for i, name in enumerate(names):
            text += f"{'  ' * (depth + i)}{word} {_plain(name)}:\n"
        text += _text(part, depth + len(names))
    return text


def _shown(name: str) -> str:
    """The loop variable `f.s0.x.xo` as `x.xo`; what two stages share as `fused.xo`."""
    path = name.split(".s", 1)[1].split(".", 1)[1]
    if path.endswith(FUSED):
        return f"fused.{path.replace(FUSED, '').split('.')[-1]}"
    return ".".join(map(_plain, path.split(".")))


def _plain(name: str) -> str:
    """A name as the user gave it, without what makes it unique."""
    return name.split("$")[0]
