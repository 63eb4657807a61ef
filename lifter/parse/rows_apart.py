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
    COMPARISON_OF,
    COMPARISONS,
    Add,
    And,
    Cast,
    Const,
    Expr,
    Load,
    Mul,
    Neg,
    Not,
    Or,
    Select,
    Sub,
    Type,
    Variable,
    negation,
    postorder,
    substitute,
    to_text,
    transform,
)

from ..model.kernel import (
    Assign,
    Break,
    Declare,
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
from .folding import fold
from .parameters import spelled
from .unrolled import with_rows_in_turn

_POINTER_BYTES = 8
_MOST_ROWS = 16
"""Of one table: a parameter for each."""
_SYMBOLS: dict[type[Expr], str] = {Add: "+", Sub: "-", Mul: "*"}
_TESTS: dict[type[Expr], str] = {
    **{kind: symbol for symbol, kind in COMPARISON_OF.items()},
    And: "&&",
    Or: "||",
}
_LONGEST = 24
"""Letters of a row that are part of its name."""


@dataclass(frozen=True, slots=True)
class _NamedRow:
    """A row as a parameter."""

    name: str
    conditions: tuple[frozenset[Expr], ...]
    """Under one of which, all of it, the row is looked up in the original; always where empty."""


Rows = dict[str, dict[Expr, _NamedRow]]
"""By table and by which row it is."""


def with_rows_apart(kernel: Kernel) -> Kernel:
    """The kernel of a region with its rows for its tables, where it only uses rows that are the
    same ones all the time."""
    kernel, found = _planned(kernel)
    if not found:
        return kernel
    values = _single_values(kernel)

    def row(array: str, indices: tuple[Expr, ...]) -> str:
        return found[array][_row(indices[0], values)].name

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
        for name in (row.name for row in found[table.name].values()):
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


def rows_apart(kernel: Kernel | None) -> bool:
    """Whether `with_rows_apart` makes parameters of rows."""
    return kernel is not None and bool(_planned(kernel)[1])


def _planned(kernel: Kernel) -> tuple[Kernel, Rows]:
    """The rows that are parameters of a region's kernel, and the kernel whose statements name
    each: where short loops go over rows, that is the one with these loops unrolled."""
    if kernel.region is None:
        return kernel, {}
    tested = {n.name for n in kernel.not_null} | {p.name for p in kernel.params if p.may_be_null}
    tables = [p.name for p in kernel.params if p.kind == "rows" and p.name not in tested]
    if not tables:
        return kernel, {}
    found = _rows(kernel, tables)
    left = [table for table in tables if table not in found]
    if left:
        unrolled = replace(kernel, body=with_rows_in_turn(kernel.body, left))
        more = _rows(unrolled, tables)
        if len(more) > len(found):
            return unrolled, more
    return kernel, found


def _rows(kernel: Kernel, tables: Sequence[str]) -> Rows:
    """The rows of these tables, of each that has no others."""
    values = _single_values(kernel)
    assigned = {s.name for s in statements(kernel.body) if isinstance(s, Assign)}
    fixed = {p.name for p in kernel.params if p.kind == "scalar"} - assigned
    taken = {p.name for p in kernel.params} | set(kernel.arrays)
    found: Rows = {}
    arguments = () if kernel.put_back is None else kernel.put_back.arguments
    inner = {a.param for a in arguments if a.is_row}
    for table in tables:
        uses = _Uses(table, values, fixed, table in inner)
        uses.block(kernel.body, _Use((), frozenset(), True))
        rows = list(uses.found)
        if not rows or len(rows) > _MOST_ROWS or not all(_is_plain(r, fixed) for r in rows):
            continue
        conditions = {row: uses.conditions_of(row) for row in rows}
        if all(c is not None for c in conditions.values()):
            names = _named(table, rows, taken)
            found[table] = {
                row: _NamedRow(names[row], tuple(c or ())) for row, c in conditions.items()
            }
    return found


def _row(row: Expr, values: dict[Expr, Expr]) -> Expr:
    """A row by what is known of scalars, with one constant behind all else: `y + j - 1` is `y` for
    a `j` of 1. Sums with a sign don't wrap."""

    def visit(node: Expr) -> Expr:
        if not isinstance(node, (Add, Sub)) or node.type.code != "int":
            return fold(node)
        rest, offset = _split(node.a)
        other, more = _split(node.b)
        if other is None:
            offset += more if isinstance(node, Add) else -more
        elif rest is None and isinstance(node, Add):
            rest, offset = other, offset + more
        else:
            return fold(node)
        if rest is None or not node.type.contains(abs(offset)):
            return fold(node)
        if offset == 0:
            return rest
        kind = Add if offset > 0 else Sub
        return kind(rest, Const(node.type, abs(offset)))

    return transform(substitute(row, values), visit)


def _split(expr: Expr) -> tuple[Expr | None, int]:
    """A sum as what isn't constant of it, and the constant."""
    if isinstance(expr, Const):
        return None, int(expr.value)
    if isinstance(expr, (Add, Sub)) and isinstance(expr.b, Const):
        return expr.a, int(expr.b.value) if isinstance(expr, Add) else -int(expr.b.value)
    return expr, 0


@dataclass(frozen=True, slots=True)
class _Use:
    """Where a row is used."""

    loops: tuple[int, ...]
    """In whose iterations, outermost first, by number."""
    conditions: frozenset[Expr]
    """That nothing in the region changes, and without which it isn't."""
    is_certain: bool
    """Whether each of these iterations uses it, where the conditions hold."""
    starts: frozenset[Expr] | None = frozenset()
    """Tests under which these loops have a first iteration; None where that isn't known."""

    def implies(self, other: _Use) -> bool:
        """Whether whoever comes here certainly comes to the other one, too."""
        around = self.loops[: len(other.loops)] == other.loops
        return other.is_certain and around and other.conditions <= self.conditions


@dataclass
class _Uses:
    """Which rows of a table are used, in which loops, and whether each iteration uses them."""

    table: str
    values: dict[Expr, Expr]
    fixed: set[str]
    """The scalars that nothing in the region changes."""
    is_inner: bool = False
    """Whether the table is itself an element of one, which isn't looked at for loops without
    iterations."""
    found: dict[Expr, list[_Use]] = field(default_factory=dict)
    """By row, in the order of the text."""
    count: int = 0

    def conditions_of(self, row: Expr) -> list[frozenset[Expr]] | None:
        """Under which of these conditions the row is looked up by each run that may use it; None
        where that isn't said by conditions."""
        uses = self.found[row]
        certain = [use for use in uses if use.is_certain]
        if self.is_inner:
            certain = [
                replace(use, conditions=use.conditions | use.starts)
                for use in certain
                if use.starts is not None
            ]
            if len(certain) < sum(use.is_certain for use in uses):
                return None
            uses = [replace(use, conditions=use.conditions | (use.starts or set())) for use in uses]
        if not all(any(use.implies(other) for other in certain) for use in uses):
            return None
        conditions = list(dict.fromkeys(use.conditions for use in certain))
        if frozenset() in conditions:
            return []
        # Else one of the conditions might hold for loops without iterations.
        return conditions if len({use.loops for use in certain}) == 1 else None

    def block(self, body: Sequence[Stmt], at: _Use, known: dict[Expr, Expr] | None = None) -> None:
        """`known`: what scalars hold before it, by numbers that nothing in the region changes."""
        values = dict(known or {})
        for stmt in body:
            match stmt:
                case Assign():
                    self.expression(stmt.value, at)
                    variable = Variable(stmt.name, stmt.value.type)
                    values[variable] = substitute(stmt.value, values)
                case Store():
                    if stmt.array == self.table:
                        self.note(stmt.indices[0], at)
                    for part in (*stmt.indices, stmt.value):
                        self.expression(part, at)
                case If():
                    self.expression(stmt.condition, at)
                    test = substitute(stmt.condition, self.values)
                    self.block(stmt.then, self.under(test, at), values)
                    self.block(stmt.otherwise, self.under(negation(test), at), values)
                    values = _unless_set(values, stmt)
                case WhileLoop():
                    self.count += 1
                    starts = at.starts
                    if stmt.test_first and starts is not None:
                        test = substitute(stmt.condition, values | self.values)
                        starts = starts | {test} if _is_plain(test, self.fixed, True) else None
                    inside = replace(at, loops=(*at.loops, self.count), starts=starts)
                    doubt = replace(inside, is_certain=False)
                    parts = statements(stmt.body)
                    is_left = any(isinstance(s, (Break, Return)) for s in parts)
                    values = _unless_set(values, stmt)
                    self.expression(stmt.condition, doubt)
                    self.block(stmt.body, doubt if is_left else inside, values)
                    self.block((*stmt.step, *stmt.again), doubt)
                case Return(value=Expr() as value):
                    self.expression(value, at)

    def under(self, test: Expr, at: _Use) -> _Use:
        if _is_plain(test, self.fixed, is_test=True):
            return replace(at, conditions=at.conditions | {test})
        return replace(at, is_certain=False)

    def expression(self, expr: Expr, at: _Use) -> None:
        if isinstance(expr, Load) and expr.array == self.table:
            self.note(expr.indices[0], at)
        if not expr.children:
            return
        first, *others = expr.children
        self.expression(first, at)
        test = substitute(first, self.values) if isinstance(expr, (Select, And, Or)) else None
        for number, other in enumerate(others):
            if test is None:
                self.expression(other, at)
            else:
                is_otherwise = isinstance(expr, Or) or (isinstance(expr, Select) and number == 1)
                self.expression(other, self.under(negation(test) if is_otherwise else test, at))

    def note(self, row: Expr, at: _Use) -> None:
        self.found.setdefault(_row(row, self.values), []).append(at)


def _unless_set(values: dict[Expr, Expr], stmt: Stmt) -> dict[Expr, Expr]:
    """What scalars hold behind a statement that may have run any part of itself."""
    names = {s.name for s in statements((stmt,)) if isinstance(s, (Assign, Declare))}
    return {v: x for v, x in values.items() if not (isinstance(v, Variable) and v.name in names)}


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


def _is_plain(row: Expr, fixed: set[str], is_test: bool = False) -> bool:
    """Whether a row, or a test, can be written down where the region stands: sums and products of
    numbers that nothing in it changes, and how these compare."""
    kinds = (Variable, Const, Cast, Neg, *_SYMBOLS)
    for node in postorder(row):
        if node.type.is_bool:
            if not is_test or not isinstance(node, (*COMPARISONS, And, Or, Not)):
                return False
        elif not isinstance(node, kinds) or not node.type.is_integer:
            return False
    return row.type.is_bool == is_test and reads(row) <= fixed


def _named(table: str, rows: Sequence[Expr], taken: set[str]) -> dict[Expr, str]:
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
        if told[table].is_row and not all(named.conditions for named in rows.values()):
            return replace(put_back, refused=f"when `{table}` is looked up isn't known")
        if told[table].by_address:
            kept.append((told[table].text, _POINTER_BYTES))
        for row, named in rows.items():
            conditions = [test for all_of in named.conditions for test in all_of]
            if not reads(row, *conditions) <= told.keys():
                return replace(put_back, refused=f"a row of `{table}` can't be named here")
            text = f"{told[table].text}[{_c_text(row, told)}]"
            either = [
                " && ".join(_c_text(test, told) for test in sorted(all_of, key=repr))
                for all_of in named.conditions
            ]
            when = told[table].text
            if either and told[table].is_row:
                # The table is itself looked up, which it isn't for loops without iterations.
                when = f"({' || '.join(either)}) && {when}"
            elif either:
                when += f" && ({' || '.join(either)})"
            told[named.name] = PutBackArgument(named.name, text, True, is_row=True, when=when)
    known = tuple(told[p.name] for p in params if p.name in told)
    return replace(put_back, arguments=known, kept=tuple(kept))


def _c_text(expr: Expr, told: dict[str, PutBackArgument]) -> str:
    match expr:
        case Variable():
            return f"({told[expr.name].text})"
        case Const():
            return str(expr.value)
        case Cast():
            return f"({_builtin(expr.type)}){_c_text(expr.value, told)}"
        case Neg() | Not():
            return f"({'-' if isinstance(expr, Neg) else '!'}{_c_text(expr.value, told)})"
    (left, right) = (_c_text(part, told) for part in expr.children)
    symbol = {**_SYMBOLS, **_TESTS}[type(expr)]
    return f"({left} {symbol} {right})"


def _builtin(type: Type) -> str:
    """An integer's type of the source's machines, which are LP64, without a header."""
    word = {8: "char", 16: "short", 32: "int", 64: "long"}[type.bits]
    return f"{'unsigned' if type.code == 'uint' else 'signed'} {word}"
