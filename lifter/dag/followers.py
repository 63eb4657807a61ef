"""Followers: numbers that iterations move up to a bound which itself only goes up.

    for (x = 0; x < w; x++) {                    for (x = 0; x < w; x++) {
        while (hi < w && hi <= x + r)                hi = min(w, x + r + 1)
            hi++;
        if (x - r > lo)                              lo = max(0, x - r)
            lo++;
    }                                            }

What is brought up to a bound in each iteration is, behind that, the bound of this iteration, or
what it began as where that is more: no earlier bound is greater. A number that goes up once at most
keeps up with a bound that does, too; until it has come so far it goes up in each iteration. What is
found here are suggestions; loops.py claims what they rely on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from compiler.ir import (
    GE,
    GT,
    I64,
    LE,
    LT,
    NE,
    Add,
    Const,
    Div,
    Expr,
    Max,
    Min,
    Neg,
    Select,
    Sub,
    Variable,
    const,
    postorder,
    substitute,
)

from .index import Interval, Ranges
from .polynomial import ONE, ZERO, conjuncts, negate, normal, polynomial, with_extremes
from .trip_count import distance_to_end


@dataclass(frozen=True, slots=True)
class Course:
    """A number over the counter of a loop's iterations."""

    head: Expr
    """At the head of an iteration."""
    left: Expr
    """As the iteration leaves it."""

    @property
    def step(self) -> Expr:
        """How far an iteration moves it."""
        return normal(Sub(self.left, self.head))


@dataclass(frozen=True, slots=True)
class Follower:
    """A number that an iteration brings up to a bound, if it isn't there."""

    made: Expr
    """What an iteration makes of it, over what it begins with."""
    count: Expr
    """By how much it moves it: an atom of what it makes of the number and of those that move with
    it."""
    is_once: bool
    """Whether that is by one at most (`if`)."""
    start: Expr
    course: Course
    falls: bool
    """Whether it is the opposite of such a number: so are `start` and `course`."""

    def moved(self, end: Expr) -> Expr:
        """How far it has moved to one of the ends of its course in an iteration."""
        return Sub(end, self.start)

    def number(self, end: Expr) -> Expr:
        """What it is at an end of its course."""
        return opposite(end) if self.falls else end


@dataclass(frozen=True, slots=True)
class _Found:
    bound: Expr
    count: Expr


def follower(
    moved: Expr,
    head: Expr,
    start: Expr,
    counter: Variable,
    at_heads: Callable[[Expr], Expr | None],
    ranges: Callable[[], Ranges],
) -> Follower | None:
    """The follower `head` that begins as `start` and of which an iteration makes `moved`; None for
    anything else.

    `at_heads` gives an expression over what iterations begin with as one over the counter, if that
    is known; `ranges` what is known in an iteration.
    """
    found = _rising(moved, head, start, counter, at_heads, ranges)
    if found is not None:
        return found
    # Of what goes down to a bound that only goes down the opposite goes up.
    mirrored: dict[Expr, Expr] = {head: Neg(head)}
    found = _rising(
        _negative(substitute(moved, mirrored)), head, normal(Neg(start)), counter, at_heads, ranges
    )
    if found is None:
        return None
    count = normal(substitute(found.count, mirrored))
    return replace(found, made=moved, count=count, falls=True)


def opposite(number: Expr) -> Expr:
    """The negative, of each of the numbers of which it is the least, the greatest or chosen."""
    return _negative(number, pushed)


def _negative(number: Expr, simplified: Callable[[Expr], Expr] = normal) -> Expr:
    if isinstance(number, Select):
        sides = (_negative(side, simplified) for side in (number.a, number.b))
        return normal(Select(number.condition, *sides))
    return simplified(Neg(number))


def _rising(
    moved: Expr,
    head: Expr,
    start: Expr,
    counter: Variable,
    at_heads: Callable[[Expr], Expr | None],
    ranges: Callable[[], Ranges],
) -> Follower | None:
    """One that goes up."""
    choice = _of_choice(moved, head)
    found, is_once = (choice or _of_loop(moved, head)), choice is not None
    if found is None:
        return None
    bound = at_heads(found.bound)
    if bound is None:
        return None
    known = Known(ranges(), counter)
    bound, begun = known.simpler(bound), known.simpler(start)
    least, most = known.rise(bound)
    if least < 0 or (is_once and most > 1):
        return None
    before, first = _at(bound, counter, Sub(counter, ONE)), _at(bound, counter, const(-1, I64))
    at_head, left = before, bound
    if is_once and not known.is_less(first, begun):
        # It hasn't come so far as the bound in the first iteration.
        at_head = Min(at_head, Add(begun, counter))
        left = Min(left, Add(Add(begun, counter), ONE))
    if not known.is_less(begun, bound):
        left = Max(left, begun)
    if not known.is_less(begun, first):
        at_head = Max(at_head, begun)
    left = known.simpler(left)
    if is_once or known.is_less(first, begun):
        at_head = known.simpler(at_head)
    else:
        before = _at(left, counter, Sub(counter, ONE))
        at_head = normal(Select(LE(counter, ZERO), start, before))
    return Follower(moved, found.count, is_once, start, Course(at_head, left), False)


def _at(expr: Expr, counter: Variable, value: Expr) -> Expr:
    return pushed(substitute(expr, {counter: value}))


def _of_loop(moved: Expr, head: Expr) -> _Found | None:
    """Of `number + max(bound - number, 0)`."""
    if isinstance(moved, Max) and head in moved.children:
        bound = moved.b if moved.a is head else moved.a
        return None if head in postorder(bound) else _Found(bound, normal(Sub(moved, head)))
    count = normal(Sub(moved, head))
    if not isinstance(count, Max) or ZERO not in count.children:
        return None
    found = _from(count.b if count.a is ZERO else count.a, head)
    return None if found is None else _Found(found, count)


def _from(distance: Expr, head: Expr) -> Expr | None:
    """What is so far from `head`, and doesn't depend on it; None where it does."""
    for bound in (normal(Add(distance, head)), pushed(Add(distance, head))):
        if head not in postorder(bound):
            return bound
    return None


def _of_choice(moved: Expr, head: Expr) -> _Found | None:
    """Of `number < bound ? number + 1 : number`."""
    if not isinstance(moved, Select):
        return None
    ways = [normal(Sub(side, head)) for side in (moved.a, moved.b)]
    if ways == [ONE, ZERO]:
        asked = moved.condition
    elif ways == [ZERO, ONE]:
        asked = negate(moved.condition)
    else:
        return None
    bound: Expr | None = None
    for test in conjuncts(asked):
        own = _bound_of(test, head)
        if own is None:
            return None
        bound = own if bound is None else Min(bound, own)
    return None if bound is None else _Found(bound, Select(moved.condition, *ways))


def _bound_of(test: Expr, head: Expr) -> Expr | None:
    """The number that `head` is less than where a test holds; of `!=` it is told where this goes
    up to it."""
    if not isinstance(test, (LT, LE, GT, GE, NE)) or test.a.type is not I64:
        return None
    distance = distance_to_end(test)
    assert distance is not None
    ways = [distance, normal(Sub(ZERO, distance))] if isinstance(test, NE) else [distance]
    return next((bound for way in ways if (bound := _from(way, head)) is not None), None)


def pushed(expr: Expr) -> Expr:
    """An index expression in normal form, with what is added to the least or the greatest of some
    numbers added to each of them."""
    return _pushed(with_extremes(normal(expr)))


def _pushed(expr: Expr) -> Expr:
    terms = polynomial(expr)
    for monomial, factor in terms.items():
        atom = monomial[0] if len(monomial) == 1 else None
        if not isinstance(atom, (Min, Max)) or abs(factor) != 1:
            continue
        rest = normal(Sub(expr, atom) if factor > 0 else Add(expr, atom))
        sides = (Add(rest, s) if factor > 0 else Sub(rest, s) for s in atom.children)
        kind = type(atom) if factor > 0 else {Min: Max, Max: Min}[type(atom)]
        return normal(kind(*(_pushed(normal(side)) for side in sides)))
    return expr


def leaves(expr: Expr, kind: type[Min | Max]) -> Iterator[Expr]:
    """What an expression is the least, or the greatest, of."""
    if isinstance(expr, kind):
        for child in expr.children:
            yield from leaves(child, kind)
    else:
        yield expr


def ends(expr: Expr) -> Iterator[Expr]:
    """The numbers of which an expression is the least, the greatest or one that a test chooses."""
    if isinstance(expr, (Min, Max)):
        parts = expr.children
    elif isinstance(expr, Select):
        parts = (expr.a, expr.b)
    else:
        yield expr
        return
    for part in parts:
        yield from ends(part)


class Known:
    """What is known of index expressions in an iteration."""

    def __init__(self, ranges: Ranges, counter: Variable) -> None:
        self.ranges, self.counter = ranges, counter

    def is_less(self, a: Expr, b: Expr) -> bool:
        """Whether `a` is seen to be no more than `b`."""
        if isinstance(b, Min):
            return all(self.is_less(a, side) for side in b.children)
        if isinstance(a, Max):
            return all(self.is_less(side, b) for side in a.children)
        if isinstance(b, Max):
            return any(self.is_less(a, side) for side in b.children)
        if isinstance(a, Min):
            return any(self.is_less(side, b) for side in a.children)
        return self.ranges.interval(normal(Sub(b, a)))[0] >= 0

    def simpler(self, number: Expr) -> Expr:
        """A number without what is never the least, or the greatest, of some."""
        number = pushed(number)
        if not isinstance(number, (Min, Max)):
            return number
        kind = type(number)
        kept: list[Expr] = []
        for part in map(self.simpler, leaves(number, kind)):
            if any(self._is_nearer(kind, k, part) for k in kept):
                continue
            kept = [k for k in kept if not self._is_nearer(kind, part, k)] + [part]
        found, *others = kept
        for other in others:
            found = kind(found, other)
        return normal(found)

    def _is_nearer(self, kind: type[Min | Max], a: Expr, b: Expr) -> bool:
        """Whether of two numbers the first is the least, or the greatest."""
        return self.is_less(a, b) if kind is Min else self.is_less(b, a)

    def rise(self, bound: Expr) -> Interval:
        """By how much a bound goes up from one iteration to the next, at least and at most."""
        if isinstance(bound, (Min, Max)):
            a, b = map(self.rise, bound.children)
            return min(a[0], b[0]), max(a[1], b[1])
        if isinstance(bound, Div) and isinstance(bound.b, Const) and bound.b.value > 0:
            least, most = self.rise(bound.a)
            by = int(bound.b.value)
            return least // by, -(-most // by)
        later = normal(substitute(bound, {self.counter: Add(self.counter, ONE)}))
        return self.ranges.interval(normal(Sub(later, bound)))
