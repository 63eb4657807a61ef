"""Kernel IR: what a C++ function is after parsing (docs/design.md, "Kernel IR").

A kernel is a typed imperative program over named scalars and arrays. Every implicit conversion is
an explicit `Cast`; every expression is free of side effects (the parser hoists `*p++ = x`,
`while (n--)` and the like into statements); calls are inlined, but for pure scalar functions.

Pointers are gone: the parser resolves each pointer variable to a base array and an integer
element offset. A pointer variable `p` into array `src` becomes the int64 scalar `p`
(`Variable("p", I64)`), counted in elements of the array; a pointer *parameter* `src` that the
function moves (`src += rowBytes`) becomes an int64 scalar of the same name `src` that starts at 0.
So `p[c - 1]` is `Load("src", (Add(p, Cast(I64, c - 1)),), U8)`. Two row-pointer levels (`T** rows`)
make an array of rank 2: `rows[y][x]` is `Load("rows", (y, x), T)`, and a row pointer taken from it
(`T* s = rows[y]`) becomes two int64 scalars, `s.row` and `s`.

    stmt ::= Assign(name, expr)            scalars are declared by their first Assign or Declare
           | Declare(name, type)           a scalar without a value: reading it is undefined
           | Allocate(array)               a local array comes to life, uninitialised
           | Store(array, indices, expr)
           | If(condition, then, otherwise)
           | Loop(condition, body, step, test_first, again)
           | Assume(condition)             the original is only defined where it holds (`assert`)
           | Return(expr | None)           only as the last statement of a kernel

`continue`, early `return`, `switch` and `break` out of a switch are rewritten into `If`s by the
parser; `break` out of a loop stays as `Break`. Names are unique in a kernel: shadowed and inlined
locals are renamed (`x`, `x.1`, ...).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from compiler.ir import (
    Call,
    Const,
    Div,
    Expr,
    Load,
    Mod,
    TruncDiv,
    TruncMod,
    Type,
    Variable,
    negation,
    postorder,
)

from .diagnostic import Diagnostic, Span


@dataclass(frozen=True, slots=True)
class Stmt:
    """Base of Kernel IR statements; every statement carries its place."""

    span: Span


@dataclass(frozen=True, slots=True)
class Assign(Stmt):
    """The scalar `name` takes a value; its type is the value's, the same at every assignment."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Declare(Stmt):
    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Allocate(Stmt):
    """The local array `array` (see `Kernel.arrays`) begins here; its elements are undefined."""

    array: str


@dataclass(frozen=True, slots=True)
class Store(Stmt):
    array: str
    indices: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class If(Stmt):
    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...] = ()


@dataclass(frozen=True, slots=True)
class WhileLoop(Stmt):
    """`while (condition) { body; step }`, or `do { body; step } while (condition)`.

    `step` is what a `for` does after each iteration; `continue` in the body still runs it. A `do`
    whose test stands in the middle has `again`, what runs between a test that holds and the next
    iteration: `while (true) { body; step; if (!condition) break; again }`.
    """

    condition: Expr
    body: tuple[Stmt, ...]
    step: tuple[Stmt, ...] = ()
    test_first: bool = True
    again: tuple[Stmt, ...] = ()


@dataclass(frozen=True, slots=True)
class Break(Stmt):
    """Leaves the innermost loop."""


@dataclass(frozen=True, slots=True)
class Assume(Stmt):
    condition: Expr
    text: str
    """The condition as the user wrote it."""
    origin: Literal["assert", "comment", "option", "inferred"] = "assert"


@dataclass(frozen=True, slots=True)
class Return(Stmt):
    value: Expr | None


ParamKind = Literal["scalar", "array", "rows", "vector", "reference"]


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter, in the original's order; one for each used field of a parameter object.

    `type` is the scalar's type, or the element's for `array` (`T*`), `rows` (`T**`) and `vector`
    (`std::vector<T>&`). A `reference` (`T&` or a pointer used as one out-value) is an array of one
    element. `vector` parameters have an int64 scalar `NAME.size`, and those that `may_be_null` a
    boolean `NAME.given`.
    """

    name: str
    kind: ParamKind
    type: Type
    spelling: str
    """The C++ type as clang spells it, e.g. `const uint8_t *`."""
    is_const: bool
    """Whether the type promises that the elements aren't written."""
    span: Span
    may_be_null: bool = False
    """Whether the kernel is also the function where the pointer is null."""
    has_address: bool = False
    """Whether the function asks where in memory the array lies."""


ROW_VECTOR = -2
"""`SourceField.count` of a vector of pointers to rows."""


@dataclass(frozen=True, slots=True)
class SourceField:
    """A field of a parameter that was taken apart."""

    param: str
    """The parameter in `Kernel.params` that stands for it; empty for a pointer to an object."""
    path: str
    """How C++ names it, after the parameter: `width`, `roi.left`, `source->data`; empty where the
    parameter is a `std::array`."""
    count: int
    """The elements of an array that lies inside of the object; -1 for a vector, `ROW_VECTOR` for
    one of pointers to rows, else 0."""
    record: str = ""
    """For a pointer to an object: that object's class; `std::array` for the elements of one."""
    given: str = ""
    """For a pointer to an object that may be null: the boolean in `Kernel.params` that says whether
    it isn't."""

    @property
    def is_row_vector(self) -> bool:
        """Whether it is a vector of pointers to rows, whose `data()` is the table of them."""
        return self.count == ROW_VECTOR


@dataclass(frozen=True, slots=True)
class SourceParam:
    """A parameter as the source has it.

    A `plain` one is in `Kernel.params` under its own name. Of an `object` (passed by value or by
    reference), of one behind a `pointer`, and of `this`, the fields that the function uses are
    there instead, named `img.width`.
    """

    name: str
    spelling: str
    passing: Literal["plain", "object", "pointer", "this"]
    record: str
    """The class, as the file's own text may name it."""
    fields: tuple[SourceField, ...]
    given: str = ""
    """For a pointer to an object that may be null: as in `SourceField`."""


@dataclass(frozen=True, slots=True)
class NotNull:
    """A pointer whose test for null was decided: the kernel is the function where it isn't null."""

    name: str
    """The parameter in `Kernel.params`, or a pointer to an object as its fields begin: `img`."""
    span: Span
    """Where it is tested."""
    origin: Literal["assert", "comment", "inferred"] = "inferred"
    """`assert`: the original stops where it is null."""
    leaves: bool = False
    """Whether the original does nothing but to return where it is null."""


@dataclass(frozen=True, slots=True)
class Array:
    """A memory region. `size` is its element count where the source says it (local arrays)."""

    name: str
    type: Type
    rank: int = 1
    origin: Literal["param", "local", "table"] = "param"
    size: Expr | None = None
    values: tuple[int | float, ...] | None = None
    """The elements of a constant table (`static const`, `constexpr`), flattened."""
    shape: tuple[int, ...] = ()
    """The declared extents of a local array or table, outermost first (indices are flattened)."""
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class PureFunction:
    """A pure scalar function of the source that stays a named function in the output."""

    name: str
    params: tuple[Variable, ...]
    body: Expr
    span: Span
    is_model: bool = False
    """Whether the meaning came from a `--model` file."""


LEFT_WITH = "lift_left_with"
"""The variable that takes what is returned from among a region's statements."""
UNORDERED = "unordered"
"""The intrinsic of a number that the library leaves where it likes: one of several."""
LIFTED_HERE = "_lifted_here"
"""How the names of functions end that try lifted code, and say whether they have run it."""


def word_of(name: str) -> str:
    """A kernel's name as one word of a program: that of a region is `blend_loops2` for `blend#2`,
    `blend_loops2_1` for `blend#2.1`."""
    return name.replace("#", "_loops").replace(".", "_")


def region_above(name: str) -> str:
    """Of what a region is a part: `f#2` of `f#2.1`, `f` of `f#2`; "" for a function."""
    function, mark, number = name.partition("#")
    if "." in number:
        return f"{function}#{number.rpartition('.')[0]}"
    return function if mark else ""


def regions_above(names: Iterable[str]) -> list[str]:
    """The functions and regions that regions of these names are parts of: `f` and `f#2` for
    `f#2.1`."""
    found: dict[str, None] = {}
    for name in names:
        above = region_above(name)
        while above:
            found[above] = None
            above = region_above(above)
    return list(found)


def place_among_regions(name: str) -> tuple[int, ...]:
    """Orders a function's regions as they stand: `f#2.10` behind `f#2.9`."""
    return tuple(map(int, name.partition("#")[2].split(".")))


def has_parts(kernel: Kernel) -> bool:
    """Whether some of the kernel may be lifted by itself: it has more than one loop, or one whose
    result it returns, or that uses rows of a table, or that does what its parameters choose."""
    has_tables = kernel.region is None and any(p.kind == "rows" for p in kernel.params)
    if kernel.return_type is not None or has_tables:
        return any(isinstance(s, WhileLoop) for s in statements(kernel.body))
    choices = kernel.region.choices if kernel.region is not None else ()
    if any(len(choice.functions) + len(choice.left_out) > 1 for choice in choices):
        return True
    if steady_choice(kernel) is not None:
        return True
    return sum(isinstance(s, WhileLoop) for s in statements(kernel.body)) > 1


def steady_choice(kernel: Kernel) -> Expr | None:
    """The first condition in a loop that scalar parameters alone decide, once for all iterations,
    and that chooses what is stored: `if (format == BYTES) *p = v; else ...`. None where there is
    none, or where what is stated decides it."""
    assigned = {s.name for s in statements(kernel.body) if isinstance(s, (Assign, Declare))}
    steady = {p.name for p in kernel.params if p.kind == "scalar"} - assigned
    stated = {a.condition for a in kernel.preconditions}
    for loop in statements(kernel.body):
        for stmt in statements((*loop.body, *loop.step)) if isinstance(loop, WhileLoop) else ():
            if not isinstance(stmt, If) or isinstance(stmt.condition, Const):
                continue
            nodes = list(postorder(stmt.condition))
            if any(isinstance(n, (Load, Call)) for n in nodes):
                continue
            names = {n.name for n in nodes if isinstance(n, Variable)}
            if (
                names <= steady
                and _has_stores(stmt)
                and not stated & {stmt.condition, negation(stmt.condition)}
            ):
                return stmt.condition
    return None


def _has_stores(stmt: Stmt) -> bool:
    return any(isinstance(s, Store) for s in statements((stmt,)))


def has_a_loop_beside_stores(kernel: Kernel) -> bool:
    """Whether a function stores something beside its loops."""
    has_loops = any(isinstance(s, WhileLoop) for s in statements(kernel.body))
    return has_loops and kernel.region is None and _stores_outside(kernel.body)


def divides_beside_loops(kernel: Kernel) -> bool:
    """Whether a function divides by what is no constant beside its loops: to the loops by
    themselves the quotient is any number."""
    has_loops = any(isinstance(s, WhileLoop) for s in statements(kernel.body))
    return has_loops and kernel.region is None and _divides_outside(kernel.body)


def _divides_outside(body: Sequence[Stmt]) -> bool:
    return any(
        (
            isinstance(s, Assign)
            and any(
                isinstance(n, (Div, Mod, TruncDiv, TruncMod)) and not isinstance(n.b, Const)
                for n in postorder(s.value)
                if n.type.is_integer
            )
        )
        or (isinstance(s, If) and (_divides_outside(s.then) or _divides_outside(s.otherwise)))
        for s in body
    )


def _stores_outside(body: Sequence[Stmt]) -> bool:
    """Whether statements store something outside of all loops."""
    return any(
        isinstance(s, Store)
        or (isinstance(s, If) and (_stores_outside(s.then) or _stores_outside(s.otherwise)))
        for s in body
    )


@dataclass(frozen=True, slots=True)
class RegionOutput:
    """A variable of the function around a region that has another value after it."""

    param: str
    """The parameter in `Kernel.params`, a `reference`, that takes the value."""
    variable: str
    """The variable's name in the source."""
    step: int = 0
    """For a pointer: the bytes of an element; the parameter takes by how many elements it moves. 0
    for a number, whose parameter takes the value itself."""


@dataclass(frozen=True, slots=True)
class RegionDistance:
    """A pointer of the function around a region that is told by how far it stands from another one
    into the same memory: the `end` that `p` is compared with."""

    param: str
    """The parameter in `Kernel.params`, a number: `pointer` less `base`, in bytes."""
    pointer: str
    """The pointer's name in the source."""
    base: str
    """The array in `Kernel.params` that both lead into."""


@dataclass(frozen=True, slots=True)
class RegionChoice:
    """A pointer to a function that a region calls: which of the functions that the file knows."""

    param: str
    """The parameter in `Kernel.params`, a number: the function's place in `functions`."""
    pointer: str
    """The pointer's name in the source; empty for a field, which is known by the parameter."""
    functions: tuple[str, ...]
    """The functions, as text of any scope in the file may name them."""
    left_out: tuple[str, ...] = ()
    """Those of which a call isn't understood."""
    elsewhere: tuple[str, ...] = ()
    """Those that stand in other files of the program."""


@dataclass(frozen=True, slots=True)
class Region:
    """Where the statements stand that a kernel is made of, if they aren't a whole function."""

    function: str
    """The name of the function around them, as `Kernel.name` would have it."""
    number: str
    """`2` of `f#2`, in the order of the source; `2.1` of what is left of the second where that
    didn't lift."""
    outputs: tuple[RegionOutput, ...] = ()
    distances: tuple[RegionDistance, ...] = ()
    choices: tuple[RegionChoice, ...] = ()
    left: str = ""
    """The parameter in `Kernel.params`, a `reference`, that takes by which of its `return`s the
    function is left from among the statements, counted from 1; 0 where it isn't."""
    left_with: str = ""
    """The one that takes what is returned, where the statements alone know that."""


@dataclass(frozen=True, slots=True)
class PutBackArgument:
    """What a put-back call passes for one parameter of the lifted code."""

    param: str
    """The parameter in `Kernel.params`."""
    text: str
    """An expression where the call stands: the number, the pointer, the vector, or, of a
    `reference`, the variable itself."""
    by_address: bool = False
    """Whether other pointers may lead to the variable, so that it has to lie apart from what the
    lifted code writes: its address is passed."""
    is_row: bool = False
    """Whether it is an element of a table of rows: the guard looks it up only where the lifted code
    touches the row."""
    when: str = ""
    """A condition without which it isn't looked up, as an expression where the call stands: that
    there is a table, among others."""


@dataclass(frozen=True, slots=True)
class PutBack:
    """How the text of a kernel's source is led to its lifted code, where it stands.

    No part of what the kernel means.
    """

    file: str
    pieces: tuple[tuple[int, int, int, int], ...] = ()
    """The statements, from line and column of their first byte to behind the last one, counted from
    1; of a whole function what is between the braces of its body."""
    arguments: tuple[PutBackArgument, ...] = ()
    """In the order of `Kernel.params`, but for outputs by which pointers move."""
    present: tuple[str, ...] = ()
    """Pointers to objects that must not be null before the arguments are formed."""
    kept: tuple[tuple[str, int], ...] = ()
    """Other variables that must lie apart from what the lifted code writes, with their bytes."""
    moved: tuple[tuple[str, str, int, int], ...] = ()
    """Pointers that move: parameter, variable, the bytes of what the lifted code counts as an
    element, and of what the pointer leads to."""
    exits: tuple[str, ...] = ()
    """The `return`s by which the function is left from among the statements."""
    is_alone: bool = False
    """Whether the statement is all that a branch or a loop has, without braces."""
    is_constexpr: bool = False
    is_inline: bool = False
    """Whether any file of a program may have a function of its own of that name and text."""
    is_included: bool = False
    """Whether it is a file that the source includes."""
    is_instance: bool = False
    """Whether the text is a template's, and this is for one of its instances."""
    refused: str | None = None
    """Why the text can't be replaced."""
    beside: tuple[str, ...] = ()
    """The other files in which functions stand that pointers may lead to."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """One C++ function, parsed. Scalar parameters are free `Variable`s of their own name."""

    name: str
    """The unqualified name, made unique in the file (`blend`, `blend_2` for an overload)."""
    qualified_name: str
    span: Span
    signature: str
    """As clang spells the type, e.g. `void (uint8_t *, int)`."""
    params: tuple[Param, ...]
    return_type: Type | None
    arrays: dict[str, Array]
    """Every array: parameters, locals, tables."""
    functions: dict[str, PureFunction]
    preconditions: tuple[Assume, ...]
    """From `assert`s that hold at entry, `// lift: assume(...)` comments and `--assume`."""
    body: tuple[Stmt, ...]
    warnings: tuple[Diagnostic, ...] = ()
    source_params: tuple[SourceParam, ...] = ()
    """What the source declares, in its order; a method's object comes first, as `this`."""
    source: str = field(default="", repr=False)
    """The function's own text."""
    not_null: tuple[NotNull, ...] = ()
    stated_texts: tuple[str, ...] = ()
    """Preconditions that are no formulas and that the source or an option states, as they are
    shown: `the rows of p are evenly spaced`."""
    """The pointers that the function tests for null; it may do anything else where one is."""
    symbol: str = ""
    """The linker's name of the function; empty where no other file can call it."""
    region: Region | None = None
    """Of a kernel that is a part of a function."""
    put_back: PutBack | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A function that is no kernel, or could not be parsed: `diagnostic` says why."""

    name: str
    span: Span
    signature: str
    diagnostic: Diagnostic
    callers: tuple[str, ...] = ()
    """Of a helper that its callers hold: the names of the kernels among these. Where none of them
    is proved, `parse_file(..., alone=...)` makes the helper a kernel of its own."""
    regions: tuple[str, ...] = ()
    """Of a function that is no kernel: the names of its regions, which may be."""


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """All that one source file gave, in source order."""

    path: str
    kernels: tuple[Kernel, ...]
    skipped: tuple[Skipped, ...]
    failed: tuple[Skipped, ...]
    """Kernels with a construct that isn't understood."""
    diagnostics: tuple[Diagnostic, ...]
    """About the file as a whole: missing includes, syntax errors, warnings."""


def statements(body: tuple[Stmt, ...], steps: bool = True) -> Iterator[Stmt]:
    """Every statement of `body`, nested ones included, in source order.

    Without `steps`, what ends an iteration of a loop (its step, its condition's effects) is left
    out.
    """
    for stmt in body:
        yield stmt
        if isinstance(stmt, If):
            yield from statements(stmt.then, steps)
            yield from statements(stmt.otherwise, steps)
        elif isinstance(stmt, WhileLoop):
            yield from statements(stmt.body, steps)
            if steps:
                yield from statements(stmt.step)
                yield from statements(stmt.again)


def expressions_of(stmt: Stmt) -> tuple[Expr, ...]:
    """The expressions of a statement itself, without those of statements inside of it."""
    if isinstance(stmt, Assign):
        return (stmt.value,)
    if isinstance(stmt, Store):
        return (*stmt.indices, stmt.value)
    if isinstance(stmt, (If, WhileLoop, Assume)):
        return (stmt.condition,)
    if isinstance(stmt, Return) and stmt.value is not None:
        return (stmt.value,)
    return ()
