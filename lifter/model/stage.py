"""Stages and their graph: the loop nests of a kernel, symbolically (dexter-2019 section 5.2).

Two notations for integers live side by side:

* *typed* expressions are the program's own (int32, uint8, ...): values that are stored;
* *index* expressions have type int64 and stand for unbounded mathematical integers: array indices,
  loop extents, bounds. A scalar parameter `cols` appears in them as `Variable("cols", I64)`, a loop
  counter as `Variable("i0", I64)`, an element of an array as `Cast(I64, Load(...))`. They are kept
  in the normal form of `polynomial.normal`, so equal polynomials are the same object.

A counter inside a typed expression is `Cast(T, counter)`. `Load`s inside typed expressions have
index expressions as indices and mean the array's contents *when the stage begins*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeVar

from compiler.ir import Expr, Type, Variable

from .diagnostic import Diagnostic, Span
from .kernel import Kernel

if TYPE_CHECKING:
    import networkx as nx

_OfNest = TypeVar("_OfNest")


@dataclass(frozen=True, slots=True)
class Loop:
    """A counted loop: the int64 `counter` has 0 <= counter < extent; none when extent <= 0."""

    counter: Variable
    extent: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Write:
    """One store statement of the nest, for all iterations of the loops around it.

    `value` is typed with the array's element type; `condition` is a typed boolean: the store
    happens in those iterations where it holds (TRUE: in all).
    """

    array: str
    indices: tuple[Expr, ...]
    value: Expr
    loops: tuple[Loop, ...]
    """Outermost first."""
    condition: Expr
    position: int
    """Place in the program's order among the reads and writes of the stage."""
    span: Span


ReadKey = tuple[str, tuple[Expr, ...], tuple["Loop", ...], Expr]


@dataclass(frozen=True, slots=True)
class Read:
    """One load of the nest, for all iterations of the loops around it where `condition` holds."""

    array: str
    indices: tuple[Expr, ...]
    type: Type
    loops: tuple[Loop, ...]
    condition: Expr
    position: int
    """Of the last such load of an iteration."""
    span: Span
    is_kept: bool = False
    """Whether something may have been stored to another element between two such loads, or between
    a store and a load of what it stored: who takes both for one value has to know these apart."""

    @property
    def key(self) -> ReadKey:
        """What all such loads have in common, by which one record of them is kept."""
        return self.array, self.indices, self.loops, self.condition


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that the normalization of loops and pointers relies on; the verifier must prove it.

    `formula` is a boolean over index expressions that must hold whenever all of `given` do, for all
    values of the parameters and counters. `remedies` are weaker assumptions over parameters alone,
    any one of which would make it true.
    """

    name: Literal["induction", "range", "termination", "bounds", "window", "order"]
    formula: Expr
    given: tuple[Expr, ...]
    span: Span
    text: str
    remedies: tuple[Expr, ...] = ()
    loops: tuple[Loop, ...] = ()
    """Of a `window`, whose formula says that two typed integers with reductions in them are equal:
    the loops around it. `text` is that of the window, which has several claims."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Holds in every iteration of `loops` where `path` does, or else the original is undefined."""

    formula: Expr
    loops: tuple[Loop, ...]
    path: tuple[Expr, ...]
    """Typed booleans: the branches around the operation."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One loop nest (or several that fill one region together), ready for synthesis."""

    name: str
    """The output array's name, made unique in the kernel (`tmp`, `dst`, `dst.2`)."""
    output: str
    """The array that is written."""
    writes: tuple[Write, ...]
    reads: tuple[Read, ...]
    claims: tuple[Claim, ...]
    span: Span
    siblings: tuple[Write, ...] = ()
    """The nest's stores to other arrays, which are stages of their own."""
    facts: tuple[Fact, ...] = ()
    """Index arithmetic of the original doesn't overflow: what it computes fits its type."""
    nest: int = -1
    """Stages of one loop nest have the same number; they happen at once. -1: a nest of its own."""
    beside: tuple[Write, ...] = ()
    """The nest's other updates of the output, which are stages of their own."""
    is_joined: bool = False
    """Whether these are several nests, one after the other: execution has handed the later ones
    nothing of what the earlier ones stored."""
    handed_on: frozenset[str] = frozenset()
    """Arrays that the nest stores to and of which iterations use what was read before they began:
    by earlier iterations, or in front of the loops. Their loads are of what was there then."""
    is_fold: bool = False
    """Whether this and the nest's stores to other arrays are one update of one element each: every
    iteration reads what the iterations before have left of all of them."""
    others: tuple[Write, ...] = ()
    """Those of `siblings` that the same loops do, but a later nest."""
    is_update: bool = False
    """Whether it changes what a nest before it has filled: the two are no halves of one."""

    @property
    def together(self) -> tuple[Write, ...]:
        """The stores that are one update with that of this stage."""
        return tuple(w for w in self.siblings if w not in self.others) if self.is_fold else ()


@dataclass(frozen=True, slots=True)
class StageGraph:
    """A kernel as a DAG of stages. `order` lists them in program order."""

    kernel: Kernel
    flows: dict[tuple[str, str], tuple[str, ...]] = field(repr=False)
    """The arrays that flow from one stage to another, by the names of both."""
    order: tuple[Stage, ...]
    allocations: dict[str, Expr]
    """Element counts (index expressions) of the local arrays."""
    warnings: tuple[Diagnostic, ...] = ()
    returned: Expr | None = None
    """What the function returns, over its parameters; None for nothing."""
    has_error_terms: bool = False
    """Whether scalars are taken for remainders and quotients that iterations could hand on, too."""

    def as_networkx(self) -> nx.DiGraph:
        """Nodes are stages' names, with the attribute `stage`; an edge has `arrays`."""
        import networkx as nx  # loading it takes as long as all of ours, and lifting needs none

        graph: nx.DiGraph = nx.DiGraph()
        for stage in self.order:
            graph.add_node(stage.name, stage=stage)
        for (source, target), arrays in self.flows.items():
            graph.add_edge(source, target, arrays=arrays)
        return graph


def nests_of(items: Iterable[_OfNest], nest: Callable[[_OfNest], int]) -> Iterator[list[_OfNest]]:
    """Stages in their order, or what stands for each, in runs that happen at once: those of one
    nest, by its number (`Stage.nest`)."""
    together: list[_OfNest] = []
    for item in items:
        if together and (nest(item) < 0 or nest(item) != nest(together[0])):
            yield together
            together = []
        together.append(item)
    if together:
        yield together
