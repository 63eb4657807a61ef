"""The loops that a schedule asks for, as `print_loop_nest` shows them."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import Const
from ..ir import stmts as s
from ..ir.stmt_transform import children_of
from ..lang import Function
from .bind import bind
from .environment import realization_order
from .inject import schedule_stages
from .inline import inline


def loop_nest_text(outputs: Sequence[Function]) -> str:
    """The nest of the user's own schedule, in the real package's form."""
    order = realization_order(outputs)
    body, *_ = schedule_stages(inline(order, outputs, {f: f.schedule for f in order}))
    return _text(bind(body, {}), 0)


def _text(stmt: s.Stmt, depth: int) -> str:
    pad = "  " * depth
    match stmt:
        case s.ProducerConsumer(func, is_producer, body):
            word = "produce" if is_producer else "consume"
            return f"{pad}{word} {func}:\n{_text(body, depth + 1)}"
        case s.For(extent=Const(value=1), body=body):
            return _text(body, depth)
        case s.For(name, _, extent, kind, body):
            head = "for" if kind == "serial" else kind
            shown = name.split(".s", 1)[1].split(".", 1)[1]
            range_text = ""
            if isinstance(extent, Const):
                range_text = f" in [0, {int(extent.value) - 1}]"
            return f"{pad}{head} {shown}{range_text}:\n{_text(body, depth + 1)}"
        case s.Provide(func):
            return f"{pad}{func}(...) = ...\n"
    return "".join(_text(c, depth) for c in children_of(stmt))
