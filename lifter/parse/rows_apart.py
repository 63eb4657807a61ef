"""A region's tables of row pointers, of which it uses rows that stay the same: each is an array.

    for (x = 0; x < w; x++) d[y][x] = (s[y - 1][x] + s[y + 1][x]) / 2;

What the loops need of `s` is two rows, wherever these lie: `s.y_less_1` and `s.y_plus_1` are
parameters, and `s` is none. Where the call is put back, the rows are looked up in the table, if
anything is touched at all; so a row is told apart only where each run of the loops that use it
looks it up in the original, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from compiler.ir import (
    Add,
    And,
    Cast,
    Const,
    Expr,
    Load,
    Mul,
    Neg,
    Or,
    Select,
    Sub,
    Type,
    Variable,
    postorder,
    substitute,
    to_text,
    transform,
)

from ..model.kernel import (
    Assign,
    Break,
    If,
    Kernel,
    Param,
    PutBack,
    PutBackArgument,
    Return,
    SourceParam,
    Stmt,
    Store,
    WhileLoop,
    statements,
)
from .cleanup import rewritten
from .effects import reads
from .parameters import spelled

_POINTER_BYTES = 8
_MOST_ROWS = 16
"""Of one table: a parameter for each."""
_SYMBOLS: dict[type[Expr], str] = {Add: "+", Sub: "-", Mul: "*"}
_LONGEST = 24
"""Letters of a row that are part of its name."""
Rows = dict[str, dict[Expr, str]]
"""The names of rows, by table and by which row it is."""


def with_rows_apart(kernel: Kernel) -> Kernel:
    """The kernel of a region with its rows for its tables, where it only uses rows that are the
    same ones all the time."""
    found = rows_apart(kernel)
    if not found:
        return kernel
    values = _single_values(kernel)

    def row(array: str, indices: tuple[Expr, ...]) -> str:
        return found[array][substitute(indices[0], values)]

    def visit(node: Expr) -> Expr:
        if isinstance(node, Load) and node.array in found:
            return Load(row(node.array, node.indices), node.indices[1:], node.type)
        return node

    def rewrite(stmt: Stmt) -> Sequence[Stmt]:
        match stmt:
            case Assign():
                return (replace(stmt, value=transform(stmt.value, visit)),)
            case Store():
                value = transform(stmt.value, visit)
                indices = tuple(transform(i, visit) for i in stmt.indices)
                if stmt.array not in found:
                    return (replace(stmt, indices=indices, value=value),)
                name = row(stmt.array, stmt.indices)
                return (replace(stmt, array=name, indices=indices[1:], value=value),)
            case If() | WhileLoop():
                return (replace(stmt, condition=transform(stmt.condition, visit)),)
        return (stmt,)

    params = [p for p in kernel.params if p.name not in found]
    arrays = {n: a for n, a in kernel.arrays.items() if n not in found}
    sources = [
        replace(s, fields=tuple(f for f in s.fields if f.param not in found))
        for s in kernel.source_params
        if s.name not in found
    ]
    for table in (p for p in kernel.params if p.name in found):
        spelling = f"{'const ' if table.is_const else ''}{spelled(table.type)} *"
        for name in found[table.name].values():
            own = Param(name, "array", table.type, spelling, table.is_const, table.span)
            params.append(own)
            arrays[name] = replace(kernel.arrays[table.name], name=name, rank=1)
            sources.append(SourceParam(name, spelling, "plain", "", ()))
    return replace(
        kernel,
        params=tuple(params),
        arrays=arrays,
        source_params=tuple(sources),
        body=rewritten(kernel.body, rewrite),
        put_back=None if kernel.put_back is None else _put_back(kernel.put_back, params, found),
    )


def rows_apart(kernel: Kernel | None) -> Rows:
    """The rows that `with_rows_apart` makes parameters of a region's kernel."""
    if kernel is None or kernel.region is None:
        return {}
    tested = {n.name for n in kernel.not_null} | {p.name for p in kernel.params if p.may_be_null}
    tables = [p.name for p in kernel.params if p.kind == "rows" and p.name not in tested]
    if not tables:
        return {}
    values = _single_values(kernel)
    assigned = {s.name for s in statements(kernel.body) if isinstance(s, Assign)}
    fixed = {p.name for p in kernel.params if p.kind == "scalar"} - assigned
    taken = {p.name for p in kernel.params} | set(kernel.arrays)
    found: Rows = {}
    for table in tables:
        uses = _Uses(table, values)
        uses.block(kernel.body, (), False)
        rows = uses.certain.keys() | uses.doubtful.keys()
        if not rows or len(rows) > _MOST_ROWS or not all(_is_plain(r, fixed) for r in rows):
            continue
        if all(uses.is_looked_up(row) for row in rows):
            found[table] = _named(table, uses.order, taken)
    return found


@dataclass
class _Uses:
    """Which rows of a table are used, in which loops, and whether each iteration uses them."""

    table: str
    values: dict[Expr, Expr]
    order: dict[Expr, None] = field(default_factory=dict)
    certain: dict[Expr, set[tuple[int, ...]]] = field(default_factory=dict)
    """By row: the loops in whose iterations it is certainly used, outermost first, by number."""
    doubtful: dict[Expr, set[tuple[int, ...]]] = field(default_factory=dict)
    count: int = 0

    def is_looked_up(self, row: Expr) -> bool:
        """Whether each iteration that may use the row certainly does, or one around it."""
        certain = self.certain.get(row, set())
        return all(
            any(loops[:depth] in certain for depth in range(len(loops) + 1))
            for loops in self.doubtful.get(row, ())
        )

    def block(self, body: Sequence[Stmt], loops: tuple[int, ...], doubt: bool) -> None:
        for stmt in body:
            match stmt:
                case Assign():
                    self.expression(stmt.value, loops, doubt)
                case Store():
                    if stmt.array == self.table:
                        self.note(stmt.indices[0], loops, doubt)
                    for part in (*stmt.indices, stmt.value):
                        self.expression(part, loops, doubt)
                case If():
                    self.expression(stmt.condition, loops, doubt)
                    self.block(stmt.then, loops, True)
                    self.block(stmt.otherwise, loops, True)
                case WhileLoop():
                    self.count += 1
                    inner = (*loops, self.count)
                    inside = tuple(statements(stmt.body))
                    left = doubt or any(isinstance(s, (Break, Return)) for s in inside)
                    self.expression(stmt.condition, inner, True)
                    self.block(stmt.body, inner, left)
                    self.block((*stmt.step, *stmt.again), inner, True)
                case Return(value=Expr() as value):
                    self.expression(value, loops, doubt)

    def expression(self, expr: Expr, loops: tuple[int, ...], doubt: bool) -> None:
        if isinstance(expr, Load) and expr.array == self.table:
            self.note(expr.indices[0], loops, doubt)
        first, *others = expr.children or (None,)
        if first is not None:
            self.expression(first, loops, doubt)
        for other in others:
            self.expression(other, loops, doubt or isinstance(expr, (Select, And, Or)))

    def note(self, row: Expr, loops: tuple[int, ...], doubt: bool) -> None:
        row = substitute(row, self.values)
        self.order[row] = None
        (self.doubtful if doubt else self.certain).setdefault(row, set()).add(loops)


def _single_values(kernel: Kernel) -> dict[Expr, Expr]:
    """The value of each scalar that one assignment sets, and that to the same all the time. (Before
    it, reading the scalar is undefined.)"""
    params = {p.name for p in kernel.params}
    fixed = {p.name for p in kernel.params if p.kind == "scalar"}
    counts: dict[str, int] = {}
    for stmt in statements(kernel.body):
        if isinstance(stmt, Assign):
            counts[stmt.name] = counts.get(stmt.name, 0) + 1
    fixed -= counts.keys()
    values: dict[Expr, Expr] = {}
    for stmt in statements(kernel.body):
        if isinstance(stmt, Assign) and counts[stmt.name] == 1 and stmt.name not in params:
            value = substitute(stmt.value, values)
            if _is_plain(value, fixed):
                values[Variable(stmt.name, value.type)] = value
    return values


def _is_plain(row: Expr, fixed: set[str]) -> bool:
    """Whether a row can be written down where the region stands: sums and products of numbers
    that nothing in it changes."""
    kinds = (Variable, Const, Cast, Neg, *_SYMBOLS)
    return reads(row) <= fixed and all(
        isinstance(n, kinds) and n.type.is_integer and not n.type.is_bool for n in postorder(row)
    )


def _named(table: str, rows: dict[Expr, None], taken: set[str]) -> dict[Expr, str]:
    """`s.y_less_1` for the row `y - 1` of `s`."""
    found: dict[Expr, str] = {}
    for number, row in enumerate(rows):
        text = re.sub(r"\bu?int\d+\b|[()\s]", "", to_text(row))
        for symbol, word in (("+", "_plus_"), ("-", "_less_"), ("*", "_times_")):
            text = text.replace(symbol, word)
        text = re.sub(r"\W", "_", text).strip("_")
        if len(text) > _LONGEST:
            text = f"row{number}"
        while f"{table}.{text}" in taken:
            text += "_"
        taken.add(f"{table}.{text}")
        found[row] = f"{table}.{text}"
    return found


def _put_back(put_back: PutBack, params: Sequence[Param], found: Rows) -> PutBack:
    """The call with the addresses of the table's elements for the table. Others may have those, and
    the table's own, so that both must lie apart from what the loops write."""
    told = {a.param: a for a in put_back.arguments}
    kept = list(put_back.kept)
    for table, rows in found.items():
        if table not in told:
            continue
        if told[table].by_address:
            kept.append((told[table].text, _POINTER_BYTES))
        for row, name in rows.items():
            if not reads(row) <= told.keys():
                return replace(put_back, refused=f"a row of `{table}` can't be named here")
            text = f"{told[table].text}[{_c_text(row, told)}]"
            told[name] = PutBackArgument(name, text, by_address=True, is_row=True)
    known = tuple(told[p.name] for p in params if p.name in told)
    return replace(put_back, arguments=known, kept=tuple(kept))


def _c_text(row: Expr, told: dict[str, PutBackArgument]) -> str:
    match row:
        case Variable():
            return f"({told[row.name].text})"
        case Const():
            return str(row.value)
        case Cast():
            return f"({_builtin(row.type)}){_c_text(row.value, told)}"
        case Neg():
            return f"(-{_c_text(row.value, told)})"
    (left, right) = (_c_text(part, told) for part in row.children)
    return f"({left} {_SYMBOLS[type(row)]} {right})"


def _builtin(type: Type) -> str:
    """An integer's type of the source's machines, which are LP64, without a header."""
    word = {8: "char", 16: "short", 32: "int", 64: "long"}[type.bits]
    return f"{'unsigned' if type.code == 'uint' else 'signed'} {word}"
