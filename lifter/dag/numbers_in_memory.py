"""Numbers in memory that a loop changes as it goes, as scalars of the loop.

    for (i = 0; i < n; i++)                    int low = box.low;
        if (s[i] < box.low)                    for (i = 0; i < n; i++)
            box.low = s[i];            ->          if (s[i] < low) low = s[i];
                                               if (low != box.low) box.low = low;

What a loop makes of scalars is understood; stores to one element again and again aren't, but for
sums and updates that happen in all iterations, which stay as they are. The two do the same: arrays
of a kernel are apart from each other. Where nothing but the loop stores to the element, the code on
the right stores only what changes it, so only where the one on the left stores, too. It reads the
element though there may be no iteration: that of a reference or of a field of an object is there
in any case, and any other has to be one that the function uses before the loop, whatever happens.

Of floats no comparison tells whether they have changed (zeros of both signs are equal, and no NaN
is equal to itself): those that a loop stores to in all of its iterations, as the delays of a filter
(`f->z1 = b * x + f->z2`), are stored behind it where it has any, others aren't taken for scalars.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from compiler.ir import (
    BOOL,
    NE,
    TRUE,
    Add,
    Const,
    Expr,
    Load,
    Sub,
    Type,
    Variable,
    postorder,
    substitute,
)

from ..model.kernel import (
    Assign,
    Assume,
    Break,
    Declare,
    If,
    Kernel,
    Return,
    Stmt,
    Store,
    WhileLoop,
    expressions_of,
    statements,
)

Element = tuple[str, tuple[Expr, ...]]
"""An array and constant indices."""


def with_numbers_as_scalars(kernel: Kernel) -> Kernel:
    """The same kernel, whose loops change scalars instead of single elements."""
    names = {s.name for s in statements(kernel.body) if isinstance(s, (Assign, Declare))}
    known = {p.name for p in kernel.params} | kernel.arrays.keys() | names
    there = {
        p.name for p in kernel.params if p.kind == "reference" and _is_there(p.name, p.spelling)
    }
    pass_ = _Pass(there, {p.name for p in kernel.params}, known)
    body = tuple(pass_.visited(kernel.body, frozenset(), frozenset()))
    return kernel if body == kernel.body else replace(kernel, body=body)


def _is_there(name: str, spelling: str) -> bool:
    """Whether a parameter is a reference or a field of an object."""
    return "." in name or spelling.rstrip().endswith("&")


@dataclass(frozen=True)
class _Pass:
    there: set[str]
    """Arrays of one element that may be read in any case."""
    callers: set[str]
    known: set[str]
    """Names that are taken."""

    def visited(
        self, body: Iterable[Stmt], used: frozenset[Element], stored: frozenset[Element]
    ) -> Iterator[Stmt]:
        """The statements of a block, in front of which these elements are used, and stored to, in
        any case."""
        for stmt in body:
            if isinstance(stmt, If):
                then = tuple(self.visited(stmt.then, used, stored))
                otherwise = tuple(self.visited(stmt.otherwise, used, stored))
                same = then == stmt.then and otherwise == stmt.otherwise
                yield stmt if same else replace(stmt, then=then, otherwise=otherwise)
            elif isinstance(stmt, WhileLoop):
                yield from self._loop(stmt, used, stored)
            else:
                yield stmt
            if isinstance(stmt, Store):
                element = _element(stmt)
                if element is not None:
                    used, stored = used | {element}, stored | {element}
            if not isinstance(stmt, (If, WhileLoop)):
                # An operand of `?:`, `&&` and `||` isn't evaluated in any case.
                used |= {(n.array, n.indices) for n in expressions_of(stmt) if isinstance(n, Load)}

    def _loop(
        self, loop: WhileLoop, used: frozenset[Element], stored: frozenset[Element]
    ) -> Iterator[Stmt]:
        chosen = [
            (array, indices)
            for array, indices in _changed_on_the_way(loop)
            if array in self.callers
            and (array in self.there or (array, indices) in used)
            and (
                self._is_told_apart(loop, (array, indices), stored)
                or _in_all_iterations(loop, (array, indices))
            )
        ]
        if not chosen:
            yield loop
            return
        scalars: dict[Element, Variable] = {}
        for element in chosen:
            scalars[element] = self._scalar(element, _type(loop, element))
        loads = {s: Load(array, at, s.type) for (array, at), s in scalars.items()}
        for scalar, load in loads.items():
            yield Assign(loop.span, scalar.name, load)
        has_run: Expr = TRUE
        if loop.test_first and not all(self._is_told_apart(loop, e, stored) for e in chosen):
            has_run = Variable(self._free(f"{chosen[0][0]} is set"), BOOL)
            yield Assign(loop.span, has_run.name, loop.condition)
        yield from renamed((loop,), {load: scalar for scalar, load in loads.items()})
        for element, scalar in scalars.items():
            store = Store(loop.span, *element, scalar)
            if self._is_told_apart(loop, element, stored):
                is_changed: Expr = NE(scalar, loads[scalar])
            else:
                is_changed = has_run
            is_always = element in stored or is_changed is TRUE
            yield store if is_always else If(loop.span, is_changed, (store,))

    @staticmethod
    def _is_told_apart(loop: WhileLoop, element: Element, stored: frozenset[Element]) -> bool:
        """Whether a comparison tells if an element is changed: zeros of both signs are equal."""
        return element in stored or _type(loop, element).is_integer

    def _scalar(self, element: Element, type: Type) -> Variable:
        array, indices = element
        name = self._free(array if array in self.there else f"{array}[{indices[0]}]")
        made: Variable = Variable(name, type)
        return made

    def _free(self, name: str) -> str:
        while name in self.known:
            name += "_"
        self.known.add(name)
        return name


def _in_all_iterations(loop: WhileLoop, element: Element) -> bool:
    """Whether every iteration stores to an element, whatever it decides on its way."""
    ways_out = (s for s in statements(loop.body) if isinstance(s, (Break, Return)))
    return next(ways_out, None) is None and _stores_to(loop.body, element)


def _stores_to(body: Iterable[Stmt], element: Element) -> bool:
    """Whether a block stores to an element in any case."""
    return any(
        (isinstance(s, Store) and (s.array, s.indices) == element)
        or (isinstance(s, If) and _stores_to(s.then, element) and _stores_to(s.otherwise, element))
        for s in body
    )


def _element(stmt: Store) -> Element | None:
    is_constant = all(isinstance(i, Const) for i in stmt.indices)
    return (stmt.array, stmt.indices) if is_constant else None


def _type(loop: WhileLoop, element: Element) -> Type:
    return next(
        s.value.type
        for s in statements((loop,))
        if isinstance(s, Store) and (s.array, s.indices) == element
    )


def _changed_on_the_way(loop: WhileLoop) -> Iterator[Element]:
    """The elements that a loop stores to, of arrays of which it touches no others that it can't
    name, but for those that are understood where they are."""
    every = list(statements((loop,)))
    if any(isinstance(s, Return) for s in every):
        return  # what is behind the loop isn't reached
    stores = [s for s in every if isinstance(s, Store)]
    in_place = _changes_what_it_reads(stores, every)
    for array in dict.fromkeys(s.array for s in stores):
        own = [s for s in stores if s.array == array]
        loads = [
            n
            for s in every
            for n in postorder(*expressions_of(s))
            if isinstance(n, Load) and n.array == array
        ]
        places = [*(s.indices for s in own), *(n.indices for n in loads)]
        if not all(isinstance(i, Const) for indices in places for i in indices):
            continue
        if len(own) == 1 and _is_update(own[0], loads, loop) and not in_place:
            continue
        yield from dict.fromkeys((array, s.indices) for s in own)


def _changes_what_it_reads(stores: Sequence[Store], every: Sequence[Stmt]) -> bool:
    """Whether a loop reads, at places that it moves, of an array that it stores to: what an update
    in such a loop is made of may be overwritten by then, and iterations may hand it on."""
    moving = {s.array for s in stores if not all(isinstance(i, Const) for i in s.indices)}
    nodes = (n for s in every for n in postorder(*expressions_of(s)))
    return any(isinstance(n, Load) and n.array in moving for n in nodes)


def _is_update(store: Store, loads: Sequence[Load], loop: WhileLoop) -> bool:
    """Whether the only store to an array adds to an element, or happens in all iterations, and
    nothing else reads the array."""
    value, own = store.value, Load(store.array, store.indices, store.value.type)
    within = [n for n in postorder(value) if isinstance(n, Load) and n.array == store.array]
    if any(load is not own for load in loads) or len(loads) != len(within):
        return False
    adds = isinstance(value, (Add, Sub)) and own in (value.a, value.b)
    branches = (s for s in statements((loop,)) if isinstance(s, If))
    return adds or not any(store in statements((b,)) for b in branches)


def renamed(body: Iterable[Stmt], scalars: Mapping[Expr, Variable]) -> tuple[Stmt, ...]:
    """Statements that use scalars for what they load and store."""

    def of(expr: Expr) -> Expr:
        made: Expr = substitute(expr, dict(scalars))
        return made

    made: list[Stmt] = []
    for stmt in body:
        match stmt:
            case Assign(value=value):
                stmt = replace(stmt, value=of(value))
            case Store(span=span, array=array, indices=indices, value=value):
                scalar = scalars.get(Load(array, indices, value.type))
                if scalar is not None:
                    stmt = Assign(span, scalar.name, of(value))
                else:
                    stmt = replace(stmt, indices=tuple(map(of, indices)), value=of(value))
            case If(condition=condition, then=then, otherwise=otherwise):
                branches = renamed(then, scalars), renamed(otherwise, scalars)
                stmt = replace(
                    stmt, condition=of(condition), then=branches[0], otherwise=branches[1]
                )
            case WhileLoop():
                stmt = replace(
                    stmt,
                    condition=of(stmt.condition),
                    body=renamed(stmt.body, scalars),
                    step=renamed(stmt.step, scalars),
                    again=renamed(stmt.again, scalars),
                )
            case Assume(condition=condition):
                stmt = replace(stmt, condition=of(condition))
        made.append(stmt)
    return tuple(made)
