"""The state of translating one function: what is emitted, what names mean, what is still due."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import permutations
from typing import TYPE_CHECKING, Any, TypeVar

from compiler.ir import Expr, Load, Type, Variable, postorder

from ..model.diagnostic import Diagnostic, Span
from ..model.kernel import (
    Array,
    Assign,
    Declare,
    NotNull,
    PureFunction,
    Stmt,
    Store,
    expressions_of,
    statements,
)
from .bindings import (
    Address,
    Binding,
    ChosenPlace,
    Environment,
    Key,
    LambdaBinding,
    Place,
    PointerBinding,
    ScalarBinding,
    ScalarPlace,
)
from .failure import unsupported
from .jumps import Target
from .syntax import Node, strip

if TYPE_CHECKING:
    from .program import Program

Value = TypeVar("Value")


class Again(Exception):
    """The translation of a function starts again, knowing more."""


class Held(Again):
    """What an argument of a call stands for is changed by the callee: it needs a copy."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.site = site


class Changed(Again):
    """A variable that was taken for constant, by its key, is changed."""

    def __init__(self, key: Key) -> None:
        super().__init__(key)
        self.key = key


Site = tuple[tuple[str, ...], int, int]
"""A call: the functions that are being inlined around it, and what identifies its node."""


@dataclass
class Learnt:
    """What earlier attempts to translate a function have found out."""

    held: set[Site] = field(default_factory=set)
    changed: set[Key] = field(default_factory=set)

    def add(self, found: Again) -> bool:
        """Remembers what stopped an attempt; False for what isn't remembered here."""
        if isinstance(found, Held):
            self.held.add(found.site)
        elif isinstance(found, Changed):
            self.changed.add(found.key)
        else:
            return False
        return True


def reads(*exprs: Expr) -> set[str]:
    """The scalars and arrays whose contents the expressions depend on."""
    found: set[str] = set()
    for node in postorder(*exprs):
        if isinstance(node, Variable):
            found.add(node.name)
        elif isinstance(node, Load):
            found.add(node.array)
    return found


def reads_of(body: Iterable[Stmt]) -> set[str]:
    """The scalars and arrays that the statements, inner ones included, depend on."""
    return reads(*(e for stmt in statements(tuple(body)) for e in expressions_of(stmt)))


def writes(body: Iterable[Stmt]) -> set[str]:
    """The scalars and arrays that the statements change."""
    found: set[str] = set()
    for stmt in statements(tuple(body)):
        if isinstance(stmt, (Assign, Declare)):
            found.add(stmt.name)
        elif isinstance(stmt, Store):
            found.add(stmt.array)
    return found


@dataclass
class Region:
    """A full expression, or an operand that is sequenced by itself (the right side of `&&`).

    `apart` are nodes of the same full expression whose evaluation is over when this one starts, or
    starts when this one is over.
    """

    root: Node
    parent: Region | None = None
    apart: tuple[Node, ...] = ()
    pending: list[Stmt] = field(default_factory=list)
    """Side effects that take place when the region's value has been used."""
    delays: bool = True
    """Whether side effects may wait for the region's end."""


class State:
    """Names, arrays and emitted statements of one function under translation."""

    def __init__(self, program: Program, learnt: Learnt | None = None) -> None:
        self.program = program
        self.learnt = learnt or Learnt()
        self.out: list[Stmt] = []
        self.environment: Environment = {}
        self.names: set[str] = set()
        self.arrays: dict[str, Array] = {}
        self.functions: dict[str, PureFunction] = {}
        self.warnings: list[Diagnostic] = []
        self.not_null: dict[str, NotNull] = {}
        """Parameters whose tests for null were decided."""
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
        self.table_places: dict[Span, str] = {}
        """The names of constant tables, by the place of their declaration."""
        self.pointer_names: dict[Any, str] = {}
        """The offset scalars of pointer variables, by variable and base."""
        self.region: Region | None = None
        self.span: Span = Span("", 0, 0, 0, 0)
        self.made: set[str] = set()
        """Scalars that the translator made up for itself."""
        self.fixed: set[str] = set()
        """The scalar parameters that the function never changes."""
        self.constant_scalars: dict[str, Key] = {}
        """The scalars that no statement seen so far changes, by name; their variables' keys."""
        self.targets: list[Target] = []
        self.widths: dict[str, int] = {}
        """Bits of the elements of parameters that the function sees at another width."""
        self.rows: dict[str, Type] = {}
        """The elements of byte parameters whose rows the function sees as wider elements."""
        self.derived: dict[str, Expr] = {}
        """Constant local numbers, in terms of parameters that the function never changes."""
        self.multiples: dict[Expr, str] = {}
        """That pitches are whole numbers of elements: conditions, and how people write them."""
        self.inlined: list[str] = []
        """The functions that are being inlined, innermost last."""

    # Emitting

    def emit(self, *stmts: Stmt) -> None:
        for stmt in stmts:
            if isinstance(stmt, Assign) and stmt.name in self.constant_scalars:
                raise Changed(self.constant_scalars[stmt.name])
        self.out.extend(stmts)

    def is_constant(self, key: Key) -> bool:
        """Whether no statement is known that changes the variable with this key."""
        return key not in self.mutated and key not in self.learnt.changed

    def assign(self, name: str, value: Expr) -> Variable:
        """Emits `name = value`; gives the variable."""
        self.emit(Assign(self.span, name, value))
        variable: Variable = Variable(name, value.type)
        return variable

    def captured(self, value: Expr, name: str = "t") -> Variable:
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

    def saved(self) -> tuple[Any, ...]:
        """What `restore` needs to undo everything since, but for `out`."""
        return (
            self.environment, set(self.names), dict(self.arrays), dict(self.functions),
            list(self.warnings), dict(self.table_places), dict(self.pointer_names),
        )  # fmt: skip

    def restore(self, saved: tuple[Any, ...]) -> None:
        (
            self.environment, names, arrays, functions, warnings, tables, pointers,
        ) = saved  # fmt: skip
        self.names, self.arrays, self.functions = set(names), dict(arrays), dict(functions)
        self.warnings, self.table_places, self.pointer_names = (
            list(warnings),
            dict(tables),
            dict(pointers),
        )

    # Names

    def fresh(self, name: str, array: str | None = None) -> str:
        """`name`, or `name.1`, `name.2`, ... when it is taken.

        A scalar has no array's name, but for the offset of a pointer into that `array`.
        """
        stem, candidate, count = name, name, 0
        while candidate in self.names or (candidate in self.arrays and candidate != array):
            count += 1
            candidate = f"{stem}.{count}"
        self.names.add(candidate)
        return candidate

    def fresh_array(self, name: str) -> str:
        """Like `fresh`, for a new array."""
        stem, candidate, count = name, name, 0
        while candidate in self.names or candidate in self.arrays:
            count += 1
            candidate = f"{stem}.{count}"
        return candidate

    def key(self, node: Node) -> Key:
        """What identifies the declaration that `node` names (or is)."""
        return node.key

    def bind(self, node: Node, binding: Binding) -> None:
        self.environment[self.key(node)] = binding

    # Side effects and their order

    @contextmanager
    def expression_region(
        self, root: Node, apart: Sequence[Node] = (), delays: bool = True
    ) -> Iterator[Region]:
        """Evaluation of `root` as an expression that is sequenced by itself."""
        outer = self.region
        inner = Region(root, outer, tuple(apart), [], delays and (outer is None or outer.delays))
        self.region = inner
        try:
            yield inner
        finally:
            self.region = outer

    def flush(self, region: Region) -> None:
        """Emits the side effects that were waiting for the end of `region`."""
        self.emit(*region.pending)
        region.pending.clear()

    def may_delay(self, step: Node, key: Key, name: str) -> bool:
        """Whether the change that `step` makes to a variable may wait for the region's end: that of
        the scalar `name`, which the source calls by the name with the key `key`.

        Raises `unsequenced` where the same expression uses the variable elsewhere, so that the
        order matters and C++ leaves it open (or only C++17 fixes it).
        """
        region = self.region
        assert region is not None
        uses = self._uses(region.root, key, name)
        scope: Region | None = region
        total = uses
        while scope is not None and scope.parent is not None:
            total += sum(self._uses(node, key, name) for node in scope.apart)
            scope = scope.parent
        outer = scope is not None and scope is not region
        if scope is not None and outer and self._uses(scope.root, key, name) != total:
            raise self.unsequenced(step)
        if uses == 1:
            return region.delays
        root = region.root
        if root.kind == "BINARY_OPERATOR" and root.operator == "=":
            target = root.children[0]
            inside = any(n.cursor == step.cursor for n in target.walk())
            if inside and self._uses(target, key, name) == 1:
                return region.delays
        raise self.unsequenced(step)

    def unsequenced(self, node: Node) -> Exception:
        return unsupported(
            "unsequenced",
            node.span,
            "a side effect and another use of the same variable stand in one expression",
            "split the expression into statements in the order that you mean",
        )

    def _uses(self, root: Node, key: Key, name: str) -> int:
        """How often an expression uses a variable, by this name or by another."""
        # Of an object whose field is named, no other field is used.
        owners = {id(o) for node in root.walk() if (o := _owner_of(node)) is not None}
        found = 0
        for node in root.walk():
            if node.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR") and node.declaration is not None:
                reached = id(node) not in owners and self.reaches(
                    self.environment.get(self.key(node)), name
                )
                found += node.key == key or reached
        return found

    def reaches(self, binding: Binding | None, name: str) -> bool:
        """Whether what is bound may read or change the scalar `name` of the kernel."""
        if isinstance(binding, ScalarBinding):
            return _is_in(binding.place, name)
        if isinstance(binding, PointerBinding) and isinstance(binding.value, Address):
            return _is_in(binding.value.place, name)
        if isinstance(binding, LambdaBinding):
            used = (self.environment.get(key) for key in binding.used)
            return any(b is not binding and self.reaches(b, name) for b in used)
        return False

    def in_any_order(
        self,
        works: Sequence[Callable[[], Value]],
        read: Callable[[Value], Iterable[Expr]],
        whole: Node,
    ) -> list[Value]:
        """What the `works` give, done in turn where C++ leaves the order open.

        `read` gives the expressions of a result. Raises `unsequenced` where one of them, or what it
        emitted, uses what another changes.
        """
        results: list[Value] = []
        emitted: list[list[Stmt]] = []
        for work in works:
            since = len(self.out)
            results.append(work())
            emitted.append(self.out[since:])
        changes = [writes(stmts) for stmts in emitted]
        if any(changes):
            uses = [
                reads(*read(result)) | reads_of(stmts)
                for result, stmts in zip(results, emitted, strict=True)
            ]
            for one, other in permutations(range(len(works)), 2):
                if changes[one] & (uses[other] | changes[other]):
                    raise self.unsequenced(whole)
        return results

    def ordered(self, earlier: Sequence[Expr], since: int, node: Node) -> None:
        """Checks that statements hoisted since `since` don't change what `earlier` values read."""
        if len(self.out) > since and reads(*earlier) & writes(self.out[since:]):
            raise self.unsequenced(node)

    # What is declared

    def declare_array(self, array: Array) -> None:
        self.arrays[array.name] = array

    def pointer_binding(self, node: Node) -> PointerBinding | None:
        found = self.environment.get(self.key(node))
        return found if isinstance(found, PointerBinding) else None

    def element_type(self, array: str) -> Type:
        return self.arrays[array].type


def _owner_of(node: Node) -> Node | None:
    """The name of the object, or of the pointer to it, whose field is named."""
    named = node.kind == "MEMBER_REF_EXPR" and node.declaration is not None
    if not named or node.declaration.kind.name != "FIELD_DECL" or not node.children:
        return None
    return strip(node.children[-1])


def _is_in(place: Place, name: str) -> bool:
    if isinstance(place, ChosenPlace):
        return _is_in(place.a, name) or _is_in(place.b, name)
    return isinstance(place, ScalarPlace) and place.name == name
