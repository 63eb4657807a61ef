"""Kernel IR as readable, C-like text, for people: architecture documents, tests, debugging."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compiler.ir import to_text

from ..model.kernel import (
    Allocate,
    Array,
    Assign,
    Assume,
    Break,
    Declare,
    If,
    Kernel,
    PureFunction,
    Return,
    Stmt,
    Store,
    WhileLoop,
)


def kernel_to_text(kernel: Kernel) -> str:
    """The whole kernel: functions it calls, arrays, preconditions, body."""
    lines = [line for f in kernel.functions.values() for line in _function(f)]
    lines += [_array(a) for a in kernel.arrays.values() if a.origin != "param"]
    params = ", ".join(
        f"{p.type} {p.name}" + {"scalar": "", "array": "[]", "rows": "[][]", "vector": "[]"}.get(
            p.kind, "&")
        for p in kernel.params
    )  # fmt: skip
    lines.append(f"{kernel.return_type or 'void'} {kernel.name}({params})")
    lines += [f"  requires {to_text(p.condition)}" for p in kernel.preconditions]
    return "\n".join([*lines, "{", *body_lines(kernel.body, 1), "}"]) + "\n"


def body_to_text(body: Sequence[Stmt]) -> str:
    """Statements alone, one a line, without the kernel around them."""
    return "\n".join(body_lines(body, 0)) + "\n"


def _function(function: PureFunction) -> Iterator[str]:
    params = ", ".join(f"{p.type} {p.name}" for p in function.params)
    yield f"pure {function.body.type} {function.name}({params}) = {to_text(function.body)}"


def _array(array: Array) -> str:
    shape = "".join(f"[{n}]" for n in array.shape)
    if not shape:
        shape = f"[{to_text(array.size)}]" if array.size is not None else "[]"
    text = f"{array.origin} {array.type} {array.name}{shape}"
    if array.values is None:
        return text
    shown = ", ".join(map(str, array.values[:16])) + (", ..." if len(array.values) > 16 else "")
    return f"{text} = {{{shown}}}"


def body_lines(body: Sequence[Stmt], depth: int) -> Iterator[str]:
    """The lines of a statement list, indented by `depth`."""
    pad = "  " * depth
    for stmt in body:
        if isinstance(stmt, Assign):
            yield f"{pad}{stmt.name} = {to_text(stmt.value)}"
        elif isinstance(stmt, Declare):
            yield f"{pad}{stmt.type} {stmt.name}"
        elif isinstance(stmt, Allocate):
            yield f"{pad}allocate {stmt.array}"
        elif isinstance(stmt, Store):
            indices = "".join(f"[{to_text(i)}]" for i in stmt.indices)
            yield f"{pad}{stmt.array}{indices} = {to_text(stmt.value)}"
        elif isinstance(stmt, If):
            yield f"{pad}if ({to_text(stmt.condition)}) {{"
            yield from body_lines(stmt.then, depth + 1)
            if stmt.otherwise:
                yield f"{pad}}} else {{"
                yield from body_lines(stmt.otherwise, depth + 1)
            yield f"{pad}}}"
        elif isinstance(stmt, WhileLoop):
            yield from _loop(stmt, depth)
        elif isinstance(stmt, Break):
            yield f"{pad}break"
        elif isinstance(stmt, Assume):
            yield f"{pad}assume {to_text(stmt.condition)}"
        elif isinstance(stmt, Return):
            yield f"{pad}return" + (f" {to_text(stmt.value)}" if stmt.value is not None else "")
        else:
            raise AssertionError(f"no text for {type(stmt).__name__}")


def _loop(loop: WhileLoop, depth: int) -> Iterator[str]:
    pad = "  " * depth
    condition = to_text(loop.condition)
    yield f"{pad}while ({condition}) {{" if loop.test_first else f"{pad}do {{"
    yield from body_lines(loop.body, depth + 1)
    if loop.step:
        yield f"{pad}step"
        yield from body_lines(loop.step, depth + 1)
    if loop.again:
        yield f"{pad}again while ({condition})"
        yield from body_lines(loop.again, depth + 1)
        yield f"{pad}}}"
        return
    yield f"{pad}}}" if loop.test_first else f"{pad}}} while ({condition})"
