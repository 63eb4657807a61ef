"""The scalars that formulas over a kernel's parameters may name, and what they mean.

Beside its own scalars a kernel has the sizes of its vectors, the row strides of its tables of
rows, of pointers that may be null whether they are given, and of some arrays where they lie. What
those may be relied on for is said here, never read from a name: a structure's field may be called
`size` as well, and be negative.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from compiler.ir import BOOL, I64, Const, Expr, Type, Variable, postorder

from .kernel import Kernel


def size_of(array: str) -> Variable:
    """The number of elements of a vector."""
    return Variable(f"{array}.size", I64)


def count_of(vector: str) -> Variable:
    """The number of structures in a vector of them."""
    return Variable(f"{vector}.count", I64)


def row_stride_of(array: str) -> Variable:
    """The elements from one row of a table of rows to the next."""
    return Variable(f"{array}.row_stride", I64)


def given_of(pointer: str) -> Variable:
    """Whether a pointer isn't null."""
    return Variable(f"{pointer}.given", BOOL)


PAGE = 4096


def address_of(array: str) -> Variable:
    """Where in memory an array begins, in elements, from a multiple of `PAGE` on: kernels use no
    more of it than remainders by powers of two, of which that is one."""
    return Variable(f"{array}.address", I64)


class Parameters(dict[str, Type]):
    """Scalars by name with their types; `sizes` and `row_strides` are names among them.

    A size is never negative. A row stride is the caller's arithmetic on addresses and fits 32 bits,
    which every guard tests. Copies into plain dictionaries know of neither: they claim less.
    """

    def __init__(
        self,
        scalars: Mapping[str, Type] | None = None,
        vectors: Iterable[str] = (),
        tables: Iterable[str] = (),
        nullable: Iterable[str] = (),
        placed: Iterable[str] = (),
    ) -> None:
        sizes = [size_of(v) for v in vectors]
        strides = [row_stride_of(t) for t in tables]
        given = [given_of(p) for p in nullable]
        addresses = [address_of(a) for a in placed]
        made = {v.name: v.type for v in (*sizes, *strides, *given, *addresses)}
        super().__init__({**(scalars or {}), **made})
        self.sizes = frozenset(v.name for v in sizes)
        self.row_strides = frozenset(v.name for v in strides)
        self.addresses = frozenset(v.name for v in addresses)


def parameters(kernel: Kernel) -> Parameters:
    """All that index expressions of a kernel may name."""
    return Parameters(
        {p.name: p.type for p in kernel.params if p.kind == "scalar"},
        (p.name for p in kernel.params if p.kind == "vector"),
        (p.name for p in kernel.params if p.kind == "rows"),
        (p.name for p in kernel.params if p.may_be_null),
        (p.name for p in kernel.params if p.has_address),
    )


def sizes_among(known: Mapping[str, Type]) -> frozenset[str]:
    """The sizes of vectors among scalars; of a plain dictionary none are known."""
    return known.sizes if isinstance(known, Parameters) else frozenset()


def addresses_among(known: Mapping[str, Type]) -> frozenset[str]:
    """The addresses of arrays among scalars; of a plain dictionary none are known."""
    return known.addresses if isinstance(known, Parameters) else frozenset()


def elements_of(kernel: Kernel, array: str) -> Expr | None:
    """How many elements an array has, where the source says it: to look at another one is
    undefined. None for what a pointer leads to."""
    if any(p.name == array and p.kind == "vector" for p in kernel.params):
        return size_of(array)
    found = kernel.arrays[array]
    if found.origin != "local" or found.rank != 1 or not isinstance(found.size, Const):
        return None
    return Const(I64, found.size.value)


def names_any(formula: Expr, names: Iterable[str]) -> bool:
    """Whether a formula is over one of these scalars."""
    wanted = frozenset(names)
    return any(isinstance(n, Variable) and n.name in wanted for n in postorder(formula))
