"""Small local arrays as scalars: `int acc[4]` of a pixel is four values, not memory.

A local array of a few elements that one loop nest uses for itself holds values of the iteration at
hand; one that is filled before all loops, and read in them at places that the text says, holds what
parameters make (`int at[4] = { -pitch, -1, 1, pitch }`). The elements are scalars named `acc[0]`,
`acc[1]`, ... to the executor, so that they are carried through branches and loops as scalars are.
Where the position isn't known, a load chooses between all elements, and a store gives each element
its old value or the new one; a position outside of the array is undefined in the original.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from compiler.ir import (
    EQ,
    I64,
    Add,
    BitAnd,
    Cast,
    Const,
    Expr,
    Load,
    Mul,
    Select,
    Sub,
    TruncDiv,
    TruncMod,
    Type,
    Variable,
    const,
    number_behind,
    postorder,
)

from ..model.kernel import (
    Allocate,
    Array,
    Assign,
    If,
    Kernel,
    Stmt,
    Store,
    WhileLoop,
    expressions_of,
    statements,
)
from .scalars import fold

if TYPE_CHECKING:
    from .symbolic import Executor

LIMIT = 16
"""Elements of the largest array that is taken apart."""


def register_arrays(kernel: Kernel) -> dict[str, int]:
    """The arrays of a kernel that are taken apart, and their element counts.

    Those allocated inside a loop, those that a single loop nest writes and nobody else uses, and
    those that are filled before all loops and whose elements are read by their numbers.
    """
    inside = {s.array for s in _in_loops(kernel.body) if isinstance(s, Allocate)}
    found: dict[str, int] = {}
    for name, array in kernel.arrays.items():
        size = _size(array)
        if size is not None and (
            name in inside
            or _belongs_to_one_nest(kernel.body, name)
            or _is_read_by_numbers(kernel.body, name)
        ):
            found[name] = size
    return found


def _size(array: Array) -> int | None:
    if array.origin != "local" or array.rank != 1 or not isinstance(array.size, Const):
        return None
    return int(array.size.value) if array.size.value <= LIMIT else None


def _in_loops(body: Iterable[Stmt]) -> Iterable[Stmt]:
    for stmt in statements(tuple(body)):
        if isinstance(stmt, WhileLoop):
            yield from statements((*stmt.body, *stmt.step, *stmt.again))


def _belongs_to_one_nest(body: Sequence[Stmt], name: str) -> bool:
    """Whether one loop nest stores to the array, and all before it only gives it first values."""
    users = [s for s in body if not isinstance(s, Allocate) and _uses((s,), name)]
    while len(users) == 1 and isinstance(users[0], If):
        branch = users[0]
        users = [s for s in (*branch.then, *branch.otherwise) if _uses((s,), name)]
    if not users or not isinstance(users[-1], WhileLoop):
        return False
    own = [s for s in statements((users[-1],)) if isinstance(s, Store) and s.array == name]
    before = [s for s in statements(tuple(users[:-1])) if isinstance(s, (Store, If))]
    return bool(own) and all(isinstance(s, Store) and s.array == name for s in before)


def _is_read_by_numbers(body: Sequence[Stmt], name: str) -> bool:
    """Whether an array is stored to outside of loops alone, and loads in short loops say which
    element they mean once those are unrolled: by what counts from one constant to another."""
    stores = [s for s in statements(tuple(body)) if isinstance(s, Store) and s.array == name]
    if not stores or any(isinstance(s, Store) and s.array == name for s in _in_loops(body)):
        return False
    counted = _counted_by_text(body)
    loads = (
        node
        for stmt in statements(tuple(body))
        for node in postorder(*expressions_of(stmt))
        if isinstance(node, Load) and node.array == name
    )
    places = list(postorder(*(index for load in loads for index in load.indices)))
    names = {n.name for n in places if isinstance(n, Variable)}
    return bool(names) and names <= counted and all(isinstance(n, _COUNTED) for n in places)


_COUNTED = (Add, BitAnd, Cast, Const, Mul, Sub, TruncDiv, TruncMod, Variable)
"""What a place is made of that is known where its counters are."""


def _counted_by_text(body: Sequence[Stmt]) -> set[str]:
    """The scalars whose values in each iteration stand in the text: they are made of constants and
    of themselves, and so are the conditions of the loops that change them."""
    assigned: dict[str, set[str]] = {}
    for stmt in statements(tuple(body)):
        if isinstance(stmt, Assign):
            assigned.setdefault(stmt.name, set()).update(_names(stmt.value))
        elif isinstance(stmt, WhileLoop):
            changed = {s.name for s in statements((stmt,)) if isinstance(s, Assign)}
            asked = _names(stmt.condition)
            for name in changed & asked:
                assigned.setdefault(name, set()).update(asked)
    return {name for name, made_of in assigned.items() if made_of <= {name}}


def _names(expr: Expr) -> set[str]:
    """The scalars and arrays that an expression is made of."""
    return {
        node.name if isinstance(node, Variable) else node.array
        for node in postorder(expr)
        if isinstance(node, (Variable, Load))
    }


def _uses(body: Sequence[Stmt], name: str) -> bool:
    return any(
        (isinstance(s, Store) and s.array == name)
        or any(isinstance(n, Load) and n.array == name for n in postorder(*expressions_of(s)))
        for s in statements(tuple(body))
    )


def data_of(body: Sequence[Stmt], arrays: Iterable[str]) -> frozenset[str]:
    """The scalars that are set to elements of arrays, or stored to them."""
    names, found = set(arrays), set[str]()
    for stmt in statements(tuple(body)):
        if isinstance(stmt, Assign) and _is_element(stmt.value, names):
            found.add(stmt.name)
        elif isinstance(stmt, Store) and stmt.array in names:
            value = number_behind(stmt.value)
            if isinstance(value, Variable):
                found.add(value.name)
    return frozenset(found)


def _is_element(value: Expr, arrays: set[str]) -> bool:
    value = number_behind(value)
    return isinstance(value, Load) and value.array in arrays


def places_in(body: Sequence[Stmt], arrays: Iterable[str]) -> frozenset[str]:
    """The scalars that say which elements of arrays are read or stored to."""
    names = set(arrays)
    found = set[str]()
    every = list(statements(tuple(body)))
    for stmt in every:
        if isinstance(stmt, Store) and stmt.array in names:
            found |= _scalars(*stmt.indices)
        loads = (n for n in postorder(*expressions_of(stmt)) if isinstance(n, Load))
        found |= _scalars(*(i for load in loads if load.array in names for i in load.indices))
    while True:
        more = {
            n for s in every if isinstance(s, Assign) and s.name in found for n in _scalars(s.value)
        }
        if more <= found:
            return frozenset(found)
        found |= more


def _scalars(*exprs: Expr) -> set[str]:
    return {n.name for n in postorder(*exprs) if isinstance(n, Variable)}


def uses_registers(stmt: Stmt, executor: Executor) -> bool:
    """Whether a statement reads or writes an array that is taken apart."""
    return any(_uses((stmt,), name) for name in executor.registers)


def element(array: str, position: int) -> str:
    """The scalar that stands for an element."""
    return f"{array}[{position}]"


def elements(executor: Executor, array: str) -> dict[str, Type]:
    """The scalars of an array with their types."""
    type = executor.arrays[array].type
    return {element(array, i): type for i in range(executor.registers[array])}


def is_element(executor: Executor, scalar: str) -> bool:
    """Whether a scalar stands for an element."""
    array, mark, _ = scalar.partition("[")
    return bool(mark) and array in executor.registers


def forget(executor: Executor, array: str) -> None:
    """The array comes to life: none of its elements has a value."""
    for name, type in elements(executor, array).items():
        executor.env[name] = executor.undefined(name, type)


def load(executor: Executor, expr: Load) -> Expr:
    """The value of an element."""
    names = list(elements(executor, expr.array))
    values = [executor.env.get(n, executor.undefined(n, expr.type)) for n in names]
    place = executor.index(expr.indices[0])
    if isinstance(place, Const):
        at = int(place.value)
        return values[at] if 0 <= at < len(values) else executor.undefined(names[0], expr.type)
    position = executor.value(expr.indices[0])
    result = values[-1]
    for i in range(len(values) - 2, -1, -1):
        result = fold(Select(EQ(position, const(i, I64)), values[i], result))
    return result


def store(executor: Executor, stmt: Store) -> None:
    """Gives an element a value."""
    value = executor.value(stmt.value)
    names = list(elements(executor, stmt.array))
    place = executor.index(stmt.indices[0])
    if isinstance(place, Const):
        if 0 <= int(place.value) < len(names):
            executor.env[names[int(place.value)]] = value
        return
    position = executor.value(stmt.indices[0])
    for i, name in enumerate(names):
        old = executor.env.get(name, executor.undefined(name, value.type))
        # Where nothing was stored yet, C++ reads nothing either.
        executor.env[name] = fold(Select(EQ(position, const(i, I64)), value, old))
