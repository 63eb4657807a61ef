"""Text of statements and of whole lowered functions, for people; not parsed back."""

from __future__ import annotations

from . import stmts as s
from .printer import to_text
from .stmts import LoweredFunction, Stmt


def function_to_text(fn: LoweredFunction) -> str:
    """The function's arguments and its body."""
    args = []
    for a in fn.args:
        if a.is_buffer:
            args.append(f"{'out ' if a.is_output else ''}buffer<{a.type}, {a.dimensions}> {a.name}")
        else:
            args.append(f"{a.type} {a.name}")
    body = f"{fn.name}({', '.join(args)}) {{\n{stmt_to_text(fn.body, 1)}}}\n"
    return "\n".join([body, *map(kernel_to_text, fn.kernels)])


def kernel_to_text(kernel: s.Kernel) -> str:
    """What each thread runs."""
    parameters = []
    for p in kernel.parameters:
        word = "out " if p.is_written else "in " if p.is_memory else ""
        parameters.append(f"{word}{p.type}{'[]' if p.is_memory else ''} {p.name}")
    threads = ", ".join(map(to_text, kernel.threads))
    head = f"kernel {kernel.name}({', '.join(parameters)}) of [{threads}] threads {{\n"
    return f"{head}{stmt_to_text(kernel.body, 1)}}}\n"


def stmt_to_text(stmt: Stmt, depth: int = 0) -> str:
    """`stmt`, one line each, indented by two spaces a level."""
    pad = "  " * depth
    match stmt:
        case s.Block(stmts):
            return "".join(stmt_to_text(x, depth) for x in stmts)
        case s.For(name, low, extent, kind, body):
            head = "for" if kind == "serial" else kind
            line = f"{pad}{head} {name} in [{to_text(low)}, +{to_text(extent)}):\n"
            return line + stmt_to_text(body, depth + 1)
        case s.Provide(func, values, args):
            value = ", ".join(map(to_text, values))
            return f"{pad}{func}({', '.join(map(to_text, args))}) = {value}\n"
        case s.Realize(func, _, bounds, body):
            shown = ", ".join(f"[{to_text(a)}, +{to_text(b)})" for a, b in bounds)
            return f"{pad}realize {func}({shown}):\n{stmt_to_text(body, depth + 1)}"
        case s.ProducerConsumer(func, is_producer, body):
            word = "produce" if is_producer else "consume"
            return f"{pad}{word} {func}:\n{stmt_to_text(body, depth + 1)}"
        case s.Store(buffer, value, index, predicate):
            mask = "" if predicate is None else f" if {to_text(predicate)}"
            return f"{pad}{buffer}[{to_text(index)}] = {to_text(value)}{mask}\n"
        case s.Allocate(buffer, element, size, body, memory):
            word = f"{memory} " if memory in ("shared", "device") else ""
            line = f"{pad}allocate {word}{buffer}[{element} * {to_text(size)}]:\n"
            return line + stmt_to_text(body, depth + 1)
        case s.Atomic(buffer, body):
            return f"{pad}atomic {buffer}:\n{stmt_to_text(body, depth + 1)}"
        case s.AtOnce(buffer, body):
            return f"{pad}at once {buffer}:\n{stmt_to_text(body, depth + 1)}"
        case s.Ahead(loop, iterations, body):
            line = f"{pad}up to {iterations} iterations of {loop} ahead:\n"
            return line + stmt_to_text(body, depth + 1)
        case s.Prefetch(buffer, _, index, count):
            return f"{pad}prefetch {buffer}[{to_text(index)}, +{to_text(count)})\n"
        case s.IfThenElse(condition, then, otherwise):
            text = f"{pad}if {to_text(condition)}:\n{stmt_to_text(then, depth + 1)}"
            if otherwise is not None:
                text += f"{pad}else:\n{stmt_to_text(otherwise, depth + 1)}"
            return text
        case s.LetStmt(name, value, body):
            return f"{pad}let {name} = {to_text(value)}\n{stmt_to_text(body, depth)}"
        case s.AssertStmt(condition, message, args):
            shown = "".join(f", {to_text(a)}" for a in args)
            return f"{pad}assert {to_text(condition)}, {message!r}{shown}\n"
        case s.Evaluate(value):
            return f"{pad}{to_text(value)}\n"
        case s.Barrier(device):
            return f"{pad}barrier{' (device)' if device else ''}\n"
        case s.AsyncCopy(store):
            return f"{pad}async:\n{stmt_to_text(store, depth + 1)}"
        case s.CommitCopies():
            return f"{pad}commit copies\n"
        case s.AwaitCopies(pending):
            return f"{pad}await copies{f' but those of {pending} groups' if pending else ''}\n"
        case s.Fail(number, values):
            return f"{pad}fail {number} ({', '.join(map(to_text, values))})\n"
        case s.Launch(kernel, blocks, threads, values):
            grids = (", ".join(map(to_text, grid)) for grid in (blocks, threads))
            shown = ", ".join(map(to_text, values))
            return f"{pad}launch {kernel}<{'; '.join(grids)}>({shown})\n"
        case s.DeviceState(action, buffer):
            return f"{pad}{action} {buffer}\n"
    raise AssertionError(f"no text for {type(stmt).__name__}")
