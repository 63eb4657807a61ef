"""Error terms: numbers that iterations move on by a step and bring back by a divisor, as those of
Bresenham's lines do.

    for (x = 0; x < dw; x++) {              for (x = 0; x < dw; x++)
        d[x] = *s;                              d[x] = s[x * sw / dw];
        err += sw;
        while (err >= dw) {
            err -= dw;
            s++;
        }
    }

Iterations add `sw` each, and `err` is brought back to less than `dw`: it is the remainder of all
that was added, and how often it was brought back is the quotient. What is found here are
suggestions; loops.py claims what they rely on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from compiler.ir import (
    GE,
    GT,
    I64,
    LE,
    LT,
    Add,
    Const,
    Div,
    Expr,
    Max,
    Mod,
    Mul,
    Neg,
    Select,
    Sub,
    TruncDiv,
    TruncMod,
    Type,
    Variable,
    const,
    postorder,
)

from .polynomial import ONE, ZERO, from_polynomial, negate, normal, polynomial
from .trip_count import distance_to_end, divided

Invariance = Callable[[Expr], bool]


@dataclass(frozen=True, slots=True)
class ErrorTerm:
    """A number of which an iteration makes `number + step - divisor * count`.

    `count` is the quotient of `number + offset` by the divisor, or its negative where the divisor
    is added. So the divisor is taken away until what is left is among as many numbers as it has.
    """

    start: Expr
    step: Expr
    divisor: Expr
    offset: Expr
    count: Expr
    """How often the divisor is taken away or added: over the number, an atom of what iterations
    make of it and of others."""
    is_added: bool
    is_once: bool
    """Whether that is once at most (`if`)."""

    @property
    def moved_first(self) -> Expr:
        """How far the number stands above the least one that an iteration leaves."""
        return normal(Sub(Add(self.start, self.offset), self.step))

    @property
    def begins_within(self) -> bool:
        """Whether it seems to begin as iterations leave it, rather than without the step that these
        end with."""
        if isinstance(self.moved_first, Const):
            return self.moved_first.value >= 0
        of_step = {atom for monomial in polynomial(self.step) for atom in monomial}
        return of_step.isdisjoint(postorder(self.moved_first)) or self.is_remainder

    @property
    def is_remainder(self) -> bool:
        """Whether it is what `%` leaves."""
        return isinstance(self.count, (Div, TruncDiv))

    def moved(self, counter: Variable) -> Expr:
        """How far the number would stand above the least one at the head of an iteration if the
        divisor were never taken away."""
        return normal(Add(self.moved_first, Mul(counter, self.step)))

    def times(self, counter: Variable) -> Expr:
        """How often the divisor was taken away or added before an iteration."""
        times: Expr = Div(self.moved(counter), self.divisor)
        if self.is_added:
            times = Neg(times)
        return normal(times if self.begins_within else Max(times, ZERO))

    def value(self, counter: Variable) -> Expr:
        """The number at the head of an iteration."""
        if self.begins_within:
            left = Mod(self.moved(counter), self.divisor)
            return normal(Add(Sub(self.step, self.offset), left))
        taken = Mul(self.divisor, self.times(counter))
        return normal(
            Add(Add(self.start, Mul(counter, self.step)), taken if self.is_added else Neg(taken))
        )

    @property
    def at_least(self) -> int:
        """How often a loop takes the divisor away at least."""
        return _at_least(self.count)[0] or 0

    def claims(self, type: Type) -> Iterator[tuple[Expr, str]]:
        """What makes `count` the quotient: the step moves the number to where it is brought back,
        and no farther than that brings it back, or than its type goes."""
        if isinstance(self.count, Div):
            return
        step = normal(Neg(self.step)) if self.is_added else self.step
        yield normal(GE(step, ZERO)), f"the step is {step} >= 0"
        if type.bits < 32:
            least = Sub(self.step, self.offset)
            most = least if self.is_added else Sub(Add(least, self.divisor), ONE)
            end = normal(Add(most, self.step))
            kind, bound = (GE, type.min) if self.is_added else (LE, type.max)
            yield normal(kind(end, const(bound, I64))), f"{end} fits {type}"
        if self.at_least:
            yield normal(GE(step, self.divisor)), f"the step is {step} >= {self.divisor}"
        if self.is_once:
            yield normal(LE(step, self.divisor)), f"the step is {step} <= {self.divisor}"
        if not self.begins_within:
            first = normal(Add(self.start, self.offset))
            if self.is_added:
                yield normal(GE(self.moved_first, ZERO)), f"{self.moved_first} >= 0"
                yield normal(LT(first, self.divisor)), f"{first} < {self.divisor}"
            else:
                yield (
                    normal(LT(self.moved_first, self.divisor)),
                    f"{self.moved_first} < {self.divisor}",
                )
                yield normal(GE(first, ZERO)), f"{first} >= 0"


def steps_with(count: Expr, moved: Expr, head: Expr) -> tuple[Expr, Expr] | None:
    """By how much each iteration moves a scalar, and by how much more each time that is counted:
    `head + 1 + count * pitch`."""
    if isinstance(count, Select):
        found = _by_choice(count, moved)
        if found is None:
            return None
        brought, left = (normal(Sub(side, head)) for side in found)
        return left, normal(Sub(brought, left))
    factor = {}
    for monomial, coefficient in polynomial(moved).items():
        if count in monomial:
            rest = list(monomial)
            rest.remove(count)
            factor[tuple(rest)] = coefficient
    by = from_polynomial(factor)
    return normal(Sub(moved, Add(head, Mul(by, count)))), by


def error_term(moved: Expr, head: Expr, start: Expr, is_invariant: Invariance) -> ErrorTerm | None:
    """The error term `head` that begins as `start` and of which an iteration makes `moved`; None
    for anything else."""
    choice = _choice(moved)
    if choice is not None:
        found = _of_choice(choice, head, start)
    else:
        found = _of_loop(moved, head, start) or _of_remainder(moved, head, start)
    if found is None or not all(map(is_invariant, (found.step, found.divisor, found.offset))):
        return None
    return None if isinstance(found.divisor, Const) and found.divisor.value <= 0 else found


def _of_choice(moved: Select, head: Expr, start: Expr) -> ErrorTerm | None:
    """Of `err < n ? err + step : err + step - n`, and of what is added."""
    test = moved.condition
    if not isinstance(test, (LT, LE, GE, GT)) or test.a.type is not I64:
        return None
    distance = distance_to_end(test)
    assert distance is not None
    above, below = normal(Sub(distance, head)), normal(Add(distance, head))
    if not _has(above, head):
        bound, high, low = normal(Sub(ONE, above)), moved.a, moved.b
    elif not _has(below, head):
        bound, high, low = below, moved.b, moved.a
    else:
        return None
    by_low, by_high = (normal(Sub(side, head)) for side in (low, high))
    if by_low is ZERO or by_high is ZERO:
        return None  # it goes as far as a bound, and stays there
    divisor = normal(Sub(by_low, by_high))
    is_added = len(polynomial(by_high)) < len(polynomial(by_low))
    step = by_high if is_added else by_low
    offset = normal(Sub(ZERO if is_added else divisor, bound))
    is_first = (low if is_added else high) is moved.a
    count = Select(test, *((ONE, ZERO) if is_first else (ZERO, ONE)))
    return ErrorTerm(start, step, divisor, offset, count, is_added, is_once=True)


def _choice(moved: Expr) -> Select | None:
    """The sum of a choice and other terms, as a choice of two sums."""
    chosen = [
        m[0]
        for m, c in polynomial(moved).items()
        if len(m) == 1 and c == 1 and isinstance(m[0], Select)
    ]
    if len(chosen) != 1:
        return None
    (choice,) = chosen
    rest = Sub(moved, choice)
    return Select(choice.condition, normal(Add(choice.a, rest)), normal(Add(choice.b, rest)))


def _by_choice(count: Select, moved: Expr) -> tuple[Expr, Expr] | None:
    """What an iteration makes of a scalar where an error term is brought back, and elsewhere."""
    choice = _choice(moved)
    if choice is None:
        return None
    if choice.condition is count.condition:
        sides = choice.a, choice.b
    elif choice.condition is negate(count.condition):
        sides = choice.b, choice.a
    else:
        return None
    return sides if count.a is ONE else sides[::-1]


def _of_loop(moved: Expr, head: Expr, start: Expr) -> ErrorTerm | None:
    """Of `err + step - n * max((err + offset) / n, 0)`, which a loop leaves that takes `n` away, or
    of `err + step + n * max(-((err + offset) / n), 0)`, of one that adds it."""
    for count in dict.fromkeys(atom for monomial in polynomial(moved) for atom in monomial):
        least, quotient = _at_least(count)
        found = None if least is None else _quotient_of(quotient, head)
        if found is None:
            continue
        offset, divisor, is_added = found
        taken = Mul(divisor if is_added else Neg(divisor), count)
        step = normal(Sub(moved, Add(head, taken)))
        if not _has(step, head):
            return ErrorTerm(start, step, divisor, offset, count, is_added, is_once=False)
    return None


def _at_least(count: Expr) -> tuple[int | None, Expr]:
    """Which of 0 and 1 a maximum is at least, and the other side."""
    for least, side in ((0, ZERO), (1, ONE)):
        if isinstance(count, Max) and side in count.children:
            return least, count.b if count.a is side else count.a
    return None, count


def _of_remainder(moved: Expr, head: Expr, start: Expr) -> ErrorTerm | None:
    """Of `(err + step) % n`."""
    for monomial in polynomial(moved):
        left = monomial[0] if len(monomial) == 1 else None
        if not isinstance(left, (Mod, TruncMod)):
            continue
        offset, rest = normal(Sub(left.a, head)), normal(Sub(moved, left))
        if not _has(offset, head) and not _has(rest, head):
            kind = Div if isinstance(left, Mod) else TruncDiv
            step, count = normal(Add(rest, offset)), normal(kind(left.a, left.b))
            if isinstance(count, kind):
                return ErrorTerm(start, step, left.b, offset, count, False, is_once=False)
    return None


def _quotient_of(count: Expr, head: Expr) -> tuple[Expr, Expr, bool] | None:
    """What is added to `head` before it is divided, the divisor, and whether the quotient is taken
    negatively."""
    terms = polynomial(count)
    quotients = [m[0] for m in terms if len(m) == 1 and isinstance(m[0], Div)]
    if len(quotients) != 1 or abs(terms[(quotients[0],)]) != 1:
        return None
    (quotient,) = quotients
    is_added = terms[(quotient,)] < 0
    more = Sub(Neg(count) if is_added else count, quotient)
    offset = normal(Add(Sub(quotient.a, head), Mul(more, quotient.b)))
    return None if _has(offset, head) else (offset, quotient.b, is_added)


def _has(expr: Expr, head: Expr) -> bool:
    return head in postorder(expr)


def apart(count: Expr, divisor: Expr) -> Expr:
    """A quotient with the multiples of the divisor taken out, which is positive."""
    terms = polynomial(count)
    for monomial, sign in terms.items():
        quotient = monomial[0] if len(monomial) == 1 else None
        if isinstance(quotient, Div) and quotient.b is divisor:
            whole, rest = divided(quotient.a, divisor)
            by_itself = Sub(Add(whole, Div(rest, divisor)), quotient)
            return normal(Add(count, by_itself) if sign > 0 else Sub(count, by_itself))
    return count


def with_remainder(index: Expr, iterations: Expr, positive: Collection[Expr]) -> Expr:
    """What a loop leaves that has run `a / n` iterations, with `a - n * (a / n)` as the remainder
    that it is where `n` is among what is `positive`."""
    for monomial in polynomial(iterations):
        quotient = monomial[0] if len(monomial) == 1 else None
        if not isinstance(quotient, Div):
            continue
        divisor = quotient.b
        if divisor.value <= 0 if isinstance(divisor, Const) else divisor not in positive:
            continue
        taken = normal(Sub(quotient.a, Mul(divisor, quotient)))
        rest = polynomial(Sub(index, taken))
        if len(rest) < len(polynomial(index)):
            return normal(Add(from_polynomial(rest), Mod(quotient.a, divisor)))
    return index
