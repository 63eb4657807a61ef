"""The translation of one function: what is emitted, what names mean, what is still due.

`Translation` is what every function of the room that translates something gets first. What is
tried and may be given up is a value: the environment, `Declared`, and `Known`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from compiler.ir import Const, Expr, Type, Variable

from ..model.diagnostic import Diagnostic, Span
from ..model.kernel import (
    Array,
    Assign,
    NotNull,
    PureFunction,
    RegionChoice,
    RegionDistance,
    RegionOutput,
    SourceParam,
    Stmt,
    Store,
)
from .bindings import Binding, Environment, Key, Object, ObjectBinding, Part, may_be_one
from .failure import unsupported
from .jumps import JumpTarget
from .syntax import Node

if TYPE_CHECKING:
    from .program import FunctionDefinition, SourceProgram

Site = tuple[tuple[str, ...], int, int]
"""A call: the functions that are being inlined around it, and what identifies its node."""


@dataclass(frozen=True)
class Known:
    """What is taken for granted about a function until its translation shows otherwise.

    Each is found out where an array, a field or an argument is used: behind inlined calls, through
    references and pointers whose targets only the translation knows. An analysis before it would
    have to follow all of these, which is the translation itself; most functions need one attempt,
    and an attempt stops at the first surprise.
    """

    held: frozenset[Site] = frozenset()
    """Calls whose arguments are copied, as the callee changes what they stand for. An attempt goes
    on behind such a call, and finds all of them."""
    changed: frozenset[Key] = frozenset()
    """Variables that are changed, though their declaration doesn't show it."""
    written: frozenset[str] = frozenset()
    """Fields of parameters that are written; all others are constant."""
    widths: Mapping[str, int] = field(default_factory=dict)
    """Bits of the elements of parameters that the function sees at another width."""
    lanes: Mapping[Key, Type] = field(default_factory=dict)
    """Vector variables of which scalars hold the numbers, by the numbers' type, as paths bring
    different ones."""
    words: frozenset[str] = frozenset()
    """Pointers to structures whose members have several types that are used as arrays of these:
    their memory counts as words (`types.words_of`)."""
    rows: Mapping[str, Type] = field(default_factory=dict)
    """The elements of byte parameters whose rows the function sees as wider elements."""
    elements: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of arrays that are members of parameters: the elements that are parameters of their own, as
    all that is used of the arrays are places that the whole kernel has in common: `f->data[1]`."""
    whole: frozenset[str] = frozenset()
    """Arrays that are members of parameters, and of whose elements none is."""

    bases: Mapping[str, str] = field(default_factory=dict)
    """By pointer among a region's parameters: the array that it leads into, which another of the
    parameters is, as the two are compared."""

    unread: frozenset[tuple[str, str]] = frozenset()
    """Pointers to functions, by the names of their parameters, with the keys of those functions of
    which a call isn't understood."""
    tested: frozenset[str] = frozenset()
    """Parameters that are tested for null, and not only pointers that are made of them."""
    values: Mapping[str, Const] = field(default_factory=dict)
    """Numbers among a region's parameters that have one value where the region stands."""
    are_values: bool = True
    """Whether these are taken for constants."""
    unsteady: frozenset[str] = frozenset()
    """Local numbers that only looked like copies of parameters."""

    def narrower(self, array: str, bits: int) -> Known:
        """That the elements of `array` have this many bits."""
        rows = {name: type for name, type in self.rows.items() if name != array}
        return replace(self, widths={**self.widths, array: bits}, rows=rows)

    def without_rows(self) -> Known:
        """The same, but that what was seen as rows of wider elements stays bytes."""
        return replace(self, widths={**self.widths, **dict.fromkeys(self.rows, 8)}, rows={})


@dataclass(frozen=True, slots=True)
class FreePointer:
    """A pointer among a region's parameters that is bound to an array of its own."""

    pointee: str
    """The type that it leads to."""
    is_compared_only: bool
    """Whether nothing in the region reads or writes through it, or takes it for another value."""


class StartAgain(Exception):
    """The translation of a function starts again, with more that is `known`."""

    def __init__(self, known: Known) -> None:
        super().__init__(known)
        self.known = known


@dataclass
class FullExpression:
    """A full expression, or an operand that is sequenced by itself (the right side of `&&`).

    `apart` are nodes of the same full expression whose evaluation is over when this one starts, or
    starts when this one is over.
    """

    root: Node
    parent: FullExpression | None = None
    apart: tuple[Node, ...] = ()
    pending: list[Stmt] = field(default_factory=list)
    """Side effects that take place when the region's value has been used."""
    delays: bool = True
    """Whether side effects may wait for the region's end."""


@dataclass
class Lasting:
    """Names that stay when the attempt that made them is given up."""

    names: set[str] = field(default_factory=set)
    arrays: dict[str, Array] = field(default_factory=dict)


@dataclass
class Declared:
    """What there is so far."""

    names: set[str] = field(default_factory=set)
    arrays: dict[str, Array] = field(default_factory=dict)
    functions: dict[str, PureFunction] = field(default_factory=dict)
    warnings: list[Diagnostic] = field(default_factory=list)
    table_places: dict[Span, str] = field(default_factory=dict)
    """The names of constant tables, by the place of their declaration."""
    pointer_names: dict[Any, str] = field(default_factory=dict)
    """The offset scalars of pointer variables, by variable and base."""
    lasting: Lasting = field(default_factory=Lasting)

    def copy(self) -> Declared:
        """A copy to go on with, which leaves this one as it is."""
        return Declared(
            self.names | self.lasting.names,
            {**self.arrays, **self.lasting.arrays},
            dict(self.functions),
            list(self.warnings),
            dict(self.table_places),
            dict(self.pointer_names),
            self.lasting,
        )


class Translation:
    """One function under translation."""

    def __init__(self, program: SourceProgram, known: Known | None = None) -> None:
        self.program = program
        self.known = Known() if known is None else known
        self.out: list[Stmt] = []
        self.environment: Environment = {}
        self.declared = Declared()
        self.not_null: dict[str, NotNull] = {}
        """Parameters whose tests for null were decided."""
        self.freed: dict[Key, Node] = {}
        """Pointers of objects that free what these lead to at their end, by where they are made."""
        self.given: set[str] = set()
        """Parameters that are tested for null where both branches do something."""
        self.chosen: set[str] = set()
        """Arrays whose first element, or null, some pointer is."""
        self.led: set[str] = set()
        """Those that are taken not to be null, as pointers are made of them that may be null."""
        self.asserting = False
        """Whether the condition at hand is one without which the original stops."""
        self.leaving = False
        """Whether the condition at hand only leads to the function's end where it finds null."""
        self.own_statements: tuple[int, ...] = ()
        """The statements of the kernel's own body, by the hashes of their cursors."""
        self.mutated: set[Key] = set()
        self.reassigned: set[Key] = set()
        self.steady_rows: set[str] = set()
        """The scalars with the rows of pointer variables that never leave the row they begin in."""
        self.region: FullExpression | None = None
        self.span: Span = Span("", 0, 0, 0, 0)
        """Where what is emitted stands in the source."""
        self.library_call: Span | None = None
        """Where a function of the library is called, while its body is translated."""
        self.addresses: set[str] = set()
        """The parameters of which the function asks where in memory their arrays lie."""
        self.lane_loads: dict[str, str] = {}
        """The arrays that the scalars were loaded from which are lanes of vectors, by scalar."""
        self.kept_lanes: set[str] = set()
        """The scalars that hold vectors where paths bring different ones: each is set again and
        again."""
        self.lane_arguments: set[str] = set()
        """The lanes of a function's arguments, where it is translated for all of its calls."""
        self.made: set[str] = set()
        """Scalars that the translator made up for itself."""
        self.fixed: set[str] = set()
        """The scalar parameters that the function never changes."""
        self.constant_scalars: dict[str, Key] = {}
        """The scalars that no statement seen so far changes, by name; their variables' keys."""
        self.targets: list[JumpTarget] = []
        self.derived: dict[str, Expr] = {}
        """Constant local numbers, in terms of parameters that the function never changes."""
        self.copied: dict[str, Variable] = {}
        """Local numbers, such as the fields of an object's copy, with the parameters of which they
        seem to be copies: that of their last assignment."""
        self.copies: set[str] = set()
        """Those that are taken to be nothing else, which `functions` checks in the end."""
        self.multiples: dict[Expr, str] = {}
        """That pitches are whole numbers of elements, and that pointers lead to known functions:
        conditions, and how people write them."""
        self.inlined: list[str] = []
        """The functions that are being inlined, innermost last."""
        self.to_hold: set[Site] = set()
        """Calls whose arguments had to be copied, and weren't."""

        # Objects
        self.receivers: list[Object | None] = []
        """What `this` points to, innermost function last."""
        self.field_keys: dict[tuple[Key, Key], Key] = {}
        self.constants: dict[Key, tuple[ObjectBinding, Environment]] = {}
        """Constant objects of file scope that are in use."""
        self.prologue: list[Stmt] = []
        """What makes them."""

        # Parameters
        self.definition: FunctionDefinition | None = None
        """The kernel's; None for a function of scalars."""
        self.sources: list[SourceParam] = []
        self.parameter_objects = 0
        self.outputs: list[RegionOutput] = []
        """Of a region: the variables that have another value after it."""
        self.left = ""
        """Of a region: the parameter that takes by which `return` the function is left."""
        self.left_with = ""
        """And the one that takes what is returned."""
        self.held_fields: dict[str, Variable] = {}
        """Of a region: the numbers of its function's own objects that it changes, by parameter, in
        the scalars that hold them in it."""
        self.held_for_itself: set[str] = set()
        """Those of them that nobody reads behind the region but the region itself, when loops
        around lead to it once more."""
        self.free_pointers: dict[str, FreePointer] = {}
        """Of a region: the pointers among its parameters that may be told by their distance from
        another one."""
        self.distances: dict[str, RegionDistance] = {}
        """Those that are, by name."""
        self.choices: dict[str, RegionChoice] = {}
        """Of a region: its pointers to functions, by parameter."""
        self.parts: dict[str, tuple[Part, bool]] = {}
        """Each field of a parameter, and whether the caller shares it."""
        self.elements: dict[str, Binding] = {}
        """The elements of their arrays that are parameters of their own, by these's names."""
        self.words: set[str] = set()
        """The arrays whose elements are the words of structures with members of several types."""
        self.counts: dict[str, int] = {}
        """How many elements the arrays around a region have that its parameters are, by name."""
        self.arrays_apart: set[Key] = set()
        """The arrays of pointers and of integers around a region, of which elements are parameters
        of their own."""
        self.constant_fields: set[str] = set()
        """Fields of parameters that were never seen to be written: names of scalars and arrays."""
        self.decided: dict[int, Node] = {}
        """By the hash of a choice between two pointers, while it is known: the side it takes."""
        self.doubled = 0
        """In how many branches at once the statements are translated that follow such a one."""
        self.constant_keys: dict[Key, str] = {}
        """The pointers among them, by key."""
        self.read_only: dict[str, str] = {}
        """Arrays inside of objects that are passed by value: what to say when one is written."""

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """The whole of the translation. Raises `StartAgain` at its end where some arguments had to
        be copied: whatever else it has found, faults too, is about other values."""
        try:
            yield
        except Exception:
            self._hold()
            raise
        self._hold()

    def _hold(self) -> None:
        if self.to_hold:
            raise StartAgain(replace(self.known, held=self.known.held | self.to_hold)) from None

    # Emitting

    def emit(self, *stmts: Stmt) -> None:
        """Appends statements. Raises `StartAgain` where one changes what was taken for constant."""
        for stmt in stmts:
            if isinstance(stmt, Assign):
                if stmt.name in self.constant_fields:
                    raise self.field_written(stmt.name)
                if stmt.name in self.constant_scalars:
                    key = self.constant_scalars[stmt.name]
                    raise StartAgain(replace(self.known, changed=self.known.changed | {key}))
                self._note_copy(stmt)
            elif isinstance(stmt, Store) and stmt.array in self.read_only:
                raise unsupported("unsupported-type", self.span, self.read_only[stmt.array])
        self.out.extend(stmts)

    def _note_copy(self, stmt: Assign) -> None:
        self.copied.pop(stmt.name, None)
        if isinstance(stmt.value, Variable):
            own = stmt.value.name in self.fixed
            origin = stmt.value if own else self.copied.get(stmt.value.name)
            if origin is not None:
                self.copied[stmt.name] = origin

    def field_written(self, name: str) -> StartAgain:
        """What to raise where the field `name` of a parameter, taken for constant, is written."""
        # Two parameters of one class may be one object: the field of both is written.
        own, shared = self.parts[name]
        shared_parts = ((n, part) for n, (part, is_shared) in self.parts.items() if is_shared)
        alike = {n for n, part in shared_parts if may_be_one(part, own)} if shared else {name}
        return StartAgain(replace(self.known, written=self.known.written | alike))

    def span_of(self, node: Node) -> Span:
        """Where a statement stands; for one of the library's, where the library is called."""
        return node.span if self.library_call is None else self.library_call

    def is_constant(self, key: Key) -> bool:
        """Whether no statement is known that changes the variable with this key."""
        return key not in self.mutated and key not in self.known.changed

    def assign(self, name: str, value: Expr) -> Variable:
        """Emits `name = value`; gives the variable."""
        self.emit(Assign(self.span, name, value))
        variable: Variable = Variable(name, value.type)
        return variable

    def capture(self, value: Expr, name: str = "t") -> Variable:
        """A fresh scalar that holds `value` from here on."""
        return self.assign(self.fresh(name), value)

    @contextmanager
    def block(self) -> Iterator[list[Stmt]]:
        """Statements emitted inside go to the list that is given."""
        outer, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = outer

    # Names

    def fresh(self, name: str, array: str | None = None) -> str:
        """`name`, or `name.1`, `name.2`, ... when it is taken.

        A scalar has no array's name, but for the offset of a pointer into that `array`.
        """
        names, arrays = self.declared.names, self.declared.arrays
        stem, candidate, count = name, name, 0
        while candidate in names or (candidate in arrays and candidate != array):
            count += 1
            candidate = f"{stem}.{count}"
        names.add(candidate)
        return candidate

    def fresh_array(self, name: str) -> str:
        """Like `fresh`, for a new array."""
        stem, candidate, count = name, name, 0
        while candidate in self.declared.names or candidate in self.declared.arrays:
            count += 1
            candidate = f"{stem}.{count}"
        return candidate

    def declare_array(self, array: Array) -> None:
        self.declared.arrays[array.name] = array

    def new_array(self, array: Array) -> str:
        """Declares an array, under a name that nothing else has."""
        name = self.fresh_array(array.name)
        self.declare_array(replace(array, name=name))
        return name

    def bind(self, node: Node, binding: Binding) -> None:
        """Gives the declaration that `node` is its meaning."""
        self.environment[node.key] = binding

    # Side effects

    @contextmanager
    def expression_region(
        self, root: Node, apart: Sequence[Node] = (), delays: bool = True
    ) -> Iterator[FullExpression]:
        """Evaluation of `root` as an expression that is sequenced by itself."""
        outer = self.region
        inner = FullExpression(
            root, outer, tuple(apart), [], delays and (outer is None or outer.delays)
        )
        self.region = inner
        try:
            yield inner
        finally:
            self.region = outer

    def flush(self, region: FullExpression) -> None:
        """Emits the side effects that were waiting for the end of `region`."""
        self.emit(*region.pending)
        region.pending.clear()
