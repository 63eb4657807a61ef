"""Places as the conditions around their reads write them.

    select(cx + (dir(x) * y >> 16) < w, s((dir(x) * y) / 65536 + cx), 0)
    select(cx + (dir(x) * y >> 16) < w, s(cx + (dir(x) * y >> 16)), 0)

Both are one number. In the second form, whoever looks at the definition alone, as the guard's boxes
do, sees that what is looked up bounds the place. What is made here is a suggestion, to be proved.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.ir import TRUE, Call, Cast, Comparison, Expr, Type, transform

from ..dag import Indexer, Ranges, conjuncts
from .paths import PathRead, is_of_data, reads_of


def as_tested(expression: Expr, parameters: dict[str, Type]) -> Expr:
    """`expression` with the places that are made of what is read, or of floats, in the form that
    they have in the conditions under which they count."""
    indexer = Indexer(Ranges(parameters, ()), lambda *_: None)
    made: dict[Expr, Expr] = {}
    for read in reads_of((expression, TRUE)):
        tested = dict.fromkeys(_tested(read))
        args = tuple(
            next((t for t in tested if _is_same(t, place, indexer)), place)
            if place not in tested and is_of_data(place)
            else place
            for place in read.call.args
        )
        if args != read.call.args:
            made[read.call] = Call(read.call.name, args, read.call.type, "image")
    return transform(expression, lambda node: made.get(node, node)) if made else expression


def _tested(read: PathRead) -> Iterator[Expr]:
    """The numbers that the conditions around a read compare, converted or not, and that data
    make."""
    for part in conjuncts(read.condition):
        if not isinstance(part, Comparison) or not part.a.type.is_integer:
            continue
        for side in filter(is_of_data, part.children):
            yield side
            while isinstance(side, Cast) and side.value.type.is_integer:
                side = side.value
                yield side


def _is_same(a: Expr, b: Expr, indexer: Indexer) -> bool:
    return a.type is b.type and indexer.index(a) is indexer.index(b)
