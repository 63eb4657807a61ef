"""Loops that are left early, as a search for the first hit and what follows from where it is.

    for (i = 0; i < n; i++) {              first = -1;
        sum += s[i];                       for (i = 0; i < n; i++)
        if (s[i] > limit)                      if (first < 0 && s[i] > limit) first = i;
            return i;                      for (i = 0; i < n; i++)
    }                                          if (first < 0 || i <= first) sum += s[i];
                                           if (first >= 0) { i = first; return i; }

The loop on the right always runs to its end, but looks at nothing once there is a hit: it touches
what the original does. What the iterations before the hit do beside the search runs in a loop of
its own behind it; so nothing that the search reads may be stored there. What a way out does itself
runs last, once. A loop inside may be left for what is behind its outer one, by a flag
(`if (found) break;`) or by `return`; then the search goes over both.

Where a hit is stands in an array of one element, so that it is a value of its own in what follows.
A loop whose ways out aren't understood keeps its `break`s, which are refused later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from compiler.ir import (
    EQ,
    FALSE,
    GE,
    GT,
    I32,
    I64,
    LE,
    LT,
    NE,
    TRUE,
    U8,
    U16,
    U32,
    Add,
    Cast,
    Comparison,
    Const,
    Expr,
    Load,
    Mul,
    Or,
    Sub,
    Type,
    Variable,
    const,
    postorder,
    substitute,
)

from ..model.kernel import (
    Allocate,
    Array,
    Assign,
    Break,
    Declare,
    If,
    Return,
    Stmt,
    Store,
    WhileLoop,
    expressions_of,
    statements,
)
from .effects import last_set, needed_by, reads, writes
from .exits import breaks, conjuncts, is_named, step_of, with_steps_apart, with_tests_inside
from .folding import with_constants
from .unrolled import Fresh, with_ways_out_in_turn

NewArray = Callable[[Array], str]
"""Declares an array, under a name that nothing else has."""


def with_first_hits(body: Sequence[Stmt], fresh: Fresh, new_array: NewArray) -> tuple[Stmt, ...]:
    """`body` with the loops that are left early as searches.

    Before and after: see above. Loops inside of others stay as they are, unless the outer one is
    left with them.
    """
    return tuple(_FirstHits(fresh, new_array).block(body, ()))


_UNSIGNED = {8: U8, 16: U16, 32: U32}


class _NotUnderstood(Exception):
    """A loop is left in a way that stays as it is."""


@dataclass(frozen=True, slots=True)
class _Hit(Stmt):
    """Where a way out was."""

    number: int


@dataclass(frozen=True, slots=True)
class _Exit:
    """A way out: what runs on it, and how many loops it leaves."""

    effects: tuple[Stmt, ...]
    depth: int


@dataclass(frozen=True, slots=True)
class _Flag:
    """How it goes on behind an inner loop with the ways out `exits`: by `out`, which has to leave
    the outer one, too, if and only if one of them was taken."""

    exits: range
    out: If
    before: tuple[Stmt, ...]
    """What stands before the inner loop."""


@dataclass(frozen=True, slots=True)
class _Level:
    """One of the loops that are left at once, with marks for the ways out."""

    loop: WhileLoop
    before: tuple[Stmt, ...]
    """What stands before it in the block around it."""


@dataclass(frozen=True, slots=True)
class _Induction:
    """A scalar that grows by the same in each iteration of a level's loop."""

    level: int
    type: Type
    step: Expr
    place: int | None
    """Which statement of the body changes it; None for one of the loop's step."""
    start: Const | None
    """What it begins as, where that shows."""


class _FirstHits:
    """The searches of one body."""

    def __init__(self, fresh: Fresh, new_array: NewArray) -> None:
        self.fresh = fresh
        self.new_array = new_array

    def block(self, body: Sequence[Stmt], following: Sequence[Stmt]) -> Iterator[Stmt]:
        """The statements, behind which `following` runs."""
        for position, stmt in enumerate(body):
            rest = (*body[position + 1 :], *following)
            if isinstance(stmt, If):
                then, otherwise = (tuple(self.block(p, rest)) for p in (stmt.then, stmt.otherwise))
                yield replace(stmt, then=then, otherwise=otherwise)
            elif isinstance(stmt, WhileLoop):
                yield from self._searched(stmt, tuple(body[:position]), rest)
            else:
                yield stmt

    def _searched(
        self, loop: WhileLoop, before: tuple[Stmt, ...], rest: Sequence[Stmt]
    ) -> Sequence[Stmt]:
        """A loop as a search, if it is one; short ones in it may have to be taken apart."""
        for one in (loop, replace(loop, body=with_ways_out_in_turn(loop.body, self.fresh))):
            try:
                return _Search(one, before, rest, self).result()
            except _NotUnderstood:
                continue
        return with_ways_out_in_turn((*before[-1:], loop), self.fresh)[len(before[-1:]) :]


class _Search:
    """One loop that is left early. Raises `_NotUnderstood` for others."""

    def __init__(
        self, loop: WhileLoop, before: tuple[Stmt, ...], rest: Sequence[Stmt], made: _FirstHits
    ) -> None:
        self.made = made
        self.span = loop.span
        self.needed = {name for _, name in needed_by(rest)}
        self.exits: list[_Exit] = []
        self.flags: list[_Flag] = []
        self.levels: list[_Level] = []
        loop = with_tests_inside(loop)
        if not breaks(loop.body):
            raise _NotUnderstood
        self.loop = self._level(loop, before, 0)
        for flag in self.flags:
            self._take_on(flag, before)
        self.own = writes((self.loop,))
        self.inductions = self._inductions()
        for number, level in enumerate(self.levels):
            self._check_end(level.loop.condition, number)
        self.counters = [self._counter(number) for number in range(len(self.levels))]
        self.starts: dict[str, Expr] = {}
        self.found_at: set[tuple[int, str]] = set()
        """Of which ways out a search says what they give a scalar."""

    # Ways out

    def _level(self, loop: WhileLoop, before: tuple[Stmt, ...], depth: int) -> WhileLoop:
        """A loop with marks for its ways out, which becomes a level."""
        if depth != len(self.levels) or loop.again or not loop.test_first or loop.condition is TRUE:
            raise _NotUnderstood
        loop = with_steps_apart(loop)
        self.levels.append(_Level(loop, before))
        marked = replace(loop, body=self._marked(loop.body, depth))
        self.levels[depth] = _Level(marked, before)
        return marked

    def _marked(self, body: Sequence[Stmt], depth: int) -> tuple[Stmt, ...]:
        made: list[Stmt] = []
        rest = list(body)
        while rest:
            stmt = rest.pop(0)
            if isinstance(stmt, (Break, Return, Allocate)):
                raise _NotUnderstood
            if isinstance(stmt, If):
                then, otherwise = (self._branch(p, depth) for p in (stmt.then, stmt.otherwise))
                stmt = replace(stmt, then=then, otherwise=otherwise)
            elif isinstance(stmt, WhileLoop):
                inner = with_tests_inside(stmt)
                if breaks(inner.body):
                    first, out = len(self.exits), rest.pop(0) if rest else None
                    stmt = self._level(inner, tuple(made), depth + 1)
                    if not isinstance(out, If):
                        raise _NotUnderstood
                    self.flags.append(_Flag(range(first, len(self.exits)), out, tuple(made)))
            made.append(stmt)
        return tuple(made)

    def _branch(self, body: tuple[Stmt, ...], depth: int) -> tuple[Stmt, ...]:
        if not body or not isinstance(body[-1], Break) or breaks(body[:-1]):
            return self._marked(body, depth)
        effects = body[:-1]
        if any(isinstance(s, (WhileLoop, Allocate, Return)) for s in statements(effects)):
            raise _NotUnderstood
        self.exits.append(_Exit(effects, depth + 1))
        return (_Hit(body[-1].span, len(self.exits) - 1),)

    def _take_on(self, flag: _Flag, before: Sequence[Stmt]) -> None:
        """Makes the ways out of an inner loop some of the outer one's."""
        out = flag.out
        if out.otherwise or not out.then or not isinstance(out.then[-1], Break):
            raise _NotUnderstood
        effects = out.then[:-1]
        if breaks(effects) or any(
            isinstance(s, (WhileLoop, Allocate, Return)) for s in statements(effects)
        ):
            raise _NotUnderstood
        asked = reads(out.condition)
        unset = {n: self._unset(n, (*before, *flag.before), len(before)) for n in asked}
        if _decided(out.condition, unset) is not FALSE:
            raise _NotUnderstood
        for number in flag.exits:
            exit = self.exits[number]
            told: dict[str, Expr] = dict(unset)
            for stmt in exit.effects:
                if isinstance(stmt, Assign):
                    told[stmt.name] = stmt.value
                elif writes((stmt,)) & asked:
                    raise _NotUnderstood
            if _decided(out.condition, told) is not TRUE:
                raise _NotUnderstood
            self.exits[number] = replace(exit, effects=(*exit.effects, *effects))

    def _unset(self, name: str, before: Sequence[Stmt], outside: int) -> Const:
        """The constant that a flag is where no way out was taken; the first `outside` statements
        of those before stand around all loops."""
        at = next((i for i in reversed(range(len(before))) if name in writes((before[i],))), None)
        found = None if at is None else before[at]
        if at is None or not isinstance(found, Assign) or not isinstance(found.value, Const):
            raise _NotUnderstood
        if _assignments(name, (self.loop,)) != (1 if at >= outside else 0):
            raise _NotUnderstood
        return found.value

    # Counters

    def _inductions(self) -> dict[str, _Induction]:
        """The scalars that grow steadily, by name."""
        found: dict[str, _Induction] = {}
        for number, level in enumerate(self.levels):
            steps: list[tuple[int | None, Stmt]] = [(None, s) for s in level.loop.step]
            for place, stmt in (*steps, *enumerate(level.loop.body)):
                step = step_of(stmt)
                if not isinstance(stmt, Assign) or step is None or reads(step) & self.own:
                    continue
                begin = last_set(stmt.name, level.before)
                inside = number > 0
                if inside and (begin is None or self._goes_on(stmt.name, begin)):
                    continue  # no row tells by itself where it begins
                if _assignments(stmt.name, (self.loop,)) != 1 + inside:
                    continue
                start = begin.value if begin and isinstance(begin.value, Const) else None
                one = _Induction(number, stmt.value.type, step, place, start)
                if self._is_harmless(stmt.name, one):
                    found[stmt.name] = one
        return found

    def _check_end(self, condition: Expr, number: int) -> None:
        """Raises where it isn't known how often a level's loop runs if nothing is hit: for ever, or
        as something says that nothing looks at behind the hit."""
        asked = reads(condition)
        if asked & (self.own - self.inductions.keys()):
            raise _NotUnderstood
        if not any(one.level == number for name, one in self.inductions.items() if name in asked):
            raise _NotUnderstood
        for load in (n for n in postorder(condition) if isinstance(n, Load)):
            if reads(load) & self.own or load.array in _stored((self.loop,)):
                raise _NotUnderstood

    def _goes_on(self, name: str, begin: Assign) -> bool:
        """Whether what a scalar begins as is made of what it was."""
        made_of = reads(begin.value) & self.own
        while True:
            more = set(made_of)
            for stmt in statements((self.loop,)):
                if isinstance(stmt, Assign) and stmt.name in made_of:
                    more |= reads(stmt.value) & self.own
                elif isinstance(stmt, (If, WhileLoop)) and writes((stmt,)) & made_of:
                    more |= reads(stmt.condition) & self.own
            if name in more or more == made_of:
                return name in more
            made_of = more

    def _is_harmless(self, name: str, one: _Induction) -> bool:
        """Whether a scalar may go on to the loop's end where the original leaves before: signed
        numbers mustn't overflow. Those of 32 bits are compared with what they don't reach."""
        if not (one.type.is_int and one.type.bits == 32):
            return one.type.is_integer and one.type.bits >= 32
        if not isinstance(one.step, Const) or abs(one.step.value) != 1:
            return False
        tests = conjuncts(self.levels[one.level].loop.condition)
        return any(_stops_before(t, name, one.step.value > 0, self.own) for t in tests)

    def _counter(self, number: int) -> Variable:
        """What counts the iterations of a level from 0: a counter of the loop's own, or a new
        one."""
        for name, one in self.inductions.items():
            fits = one.level == number and one.place is None and one.type in (I32, I64)
            if fits and _is(one.step, 1) and _is(one.start, 0):
                made: Variable = Variable(name, one.type)
                return made
        count: Variable = Variable(self.made.fresh("count"), I64)
        return count

    # What it becomes

    def result(self) -> list[Stmt]:
        """The statements for the loop."""
        read_there = self._read_at_hits()
        asked = {n for e in self.exits for _, n in needed_by(e.effects)}
        given = set.intersection(*(_certainly_set(e.effects) for e in self.exits))
        # What the loop leaves at its end counts, too: there a way out gives nothing.
        wanted = (asked | self.needed) & self.own
        at_hits = (asked | (self.needed - given)) & self.own
        others = wanted - self.inductions.keys()
        does_more = bool(others) or _stores((self.loop,))
        if does_more and len(self.levels) > 1:
            raise _NotUnderstood
        moved = {n: self.inductions[n] for n in at_hits if n in self.inductions}
        levels = {one.level for one in moved.values()} | ({0} if does_more else set())
        is_told = len({tuple(map(_meaning, e.effects)) for e in self.exits}) > 1

        result = self._kept_starts()
        left: Expr | None = None
        places: dict[int, Load] = {}
        for number in sorted(levels):
            result += self._restarted(bool(places))
            counter = self.counters[number]
            nowhere = const(-1, counter.type)
            made, places[number] = self._searched("first", nowhere, [counter] * len(self.exits))
            result += made
            left = left if left is not None else GE(places[number], const(0, counter.type))
        code: Load | None = None
        if is_told or left is None:
            result += self._restarted(bool(places))
            codes = [const(n + 1 if is_told else 1, I32) for n in range(len(self.exits))]
            made, code = self._searched("found", const(0, I32), codes)
            result += made
            left = left if left is not None else NE(code, const(0, I32))
        for name, values in read_there.items():
            result += self._restarted(True)
            made, found = self._searched(name, const(-1, I64), values)
            result += made
            self._give(name, found)
        if does_more:
            result += self._restarted(True)
            result += self._done_before(places[0], others)
        behind: list[Stmt] = [
            Assign(self.span, name, self._value_at_hit(name, one, places[one.level]))
            for name, one in sorted(moved.items())
        ]
        behind += self._effects(code if is_told else None)
        if behind:
            result.append(If(self.span, left, tuple(behind)))
        return result

    def _read_at_hits(self) -> dict[str, list[Expr]]:
        """The numbers that ways out are left with and that are made of what is computed or read in
        that iteration: for each scalar what each way out gives it, as a number that isn't negative.
        In the ways out, `_give` puts what was found."""
        loops = (self.loop, *(s for e in self.exits for s in e.effects))
        stored = _stored(loops)
        found: dict[str, list[Expr]] = {}
        for number, exit in enumerate(self.exits):
            known: dict[Expr, Expr] = {}
            for stmt in exit.effects:
                if not isinstance(stmt, Assign):
                    break
                type, value = stmt.value.type, substitute(stmt.value, known)
                known[Variable(stmt.name, type)] = value
                if not self._is_of_the_iteration(stmt.value) or stored & reads(value):
                    continue
                is_set_again = _assignments(stmt.name, exit.effects) > 1
                if not type.is_integer or type.bits > 32 or is_set_again:
                    continue
                plain = value if type.is_uint else Cast(_UNSIGNED[type.bits], value)
                zeros: list[Expr] = [const(0, I64)] * len(self.exits)
                found.setdefault(stmt.name, zeros)[number] = Cast(I64, plain)
                self.found_at.add((number, stmt.name))
        for name in found:
            self._give(name, None)
        return found

    def _is_of_the_iteration(self, value: Expr) -> bool:
        """Whether a value is made of what an iteration computes or reads."""
        if reads(value) & (self.own - self.inductions.keys()):
            return True
        return any(isinstance(n, Load) and reads(*n.indices) & self.own for n in postorder(value))

    def _give(self, name: str, found: Load | None) -> None:
        """Replaces what ways out give a scalar by what a search has found; first by a mark."""
        for number, exit in enumerate(self.exits):
            made: list[Stmt] = []
            for stmt in exit.effects:
                is_found = isinstance(stmt, Assign) and (number, stmt.name) in self.found_at
                if isinstance(stmt, Assign) and is_found and stmt.name == name:
                    type = stmt.value.type
                    mark: Expr = Variable(f"{name}@hit", type)
                    stmt = replace(stmt, value=mark if found is None else Cast(type, found))
                made.append(stmt)
            self.exits[number] = replace(exit, effects=tuple(made))

    def _kept_starts(self) -> list[Stmt]:
        """What the outermost loop's scalars begin as, kept where no constant tells it."""
        kept: list[Stmt] = []
        for name, one in self.inductions.items():
            if one.level:
                continue
            if one.start is not None:
                self.starts[name] = one.start
                continue
            start: Variable = Variable(self.made.fresh(f"{name}.start"), one.type)
            self.starts[name] = start
            value: Variable = Variable(name, one.type)
            kept.append(Assign(self.span, start.name, value))
        return kept

    def _restarted(self, again: bool) -> list[Stmt]:
        """The scalars as they begin, for one more loop."""
        starts = self.starts.items() if again else ()
        made: list[Stmt] = [Assign(self.span, name, start) for name, start in starts]
        if self.counters[0].name not in self.inductions:
            made.append(Assign(self.span, self.counters[0].name, const(0, I64)))
        return made

    def _searched(self, name: str, none: Expr, values: Sequence[Expr]) -> tuple[list[Stmt], Load]:
        """A search over all levels, and what it finds: of the `values` that for the way out that is
        taken first, or `none`."""
        one = const(1, I64)
        array = self.made.new_array(
            Array(name, none.type, origin="local", size=one, span=self.span)
        )
        state: Variable = Variable(self.made.fresh(name), none.type)
        zero = const(0, none.type)
        going = EQ(state, none) if none is zero else LT(state, zero)
        hits: list[Stmt] = [Assign(self.span, state.name, value) for value in values]
        writer = _Writer(self, going, hits)
        found = Load(array, (const(0, I64),), none.type)
        loop = writer.loop(0)
        return [
            *writer.first_values(loop),
            Assign(self.span, state.name, none),
            loop,
            Allocate(self.span, array),
            Store(self.span, array, (const(0, I64),), state),
        ], found

    def _done_before(self, first: Load, others: set[str]) -> list[Stmt]:
        """What the iterations up to the hit do beside the search."""
        level = self.levels[0]
        searched = {n.array for s in statements((self.loop,)) if not isinstance(s, Store)
                    for n in postorder(*expressions_of(s)) if isinstance(n, Load)}  # fmt: skip
        if searched & _stored((self.loop,)):
            raise _NotUnderstood
        none = LT(first, const(0, first.type))
        counter = self.counters[0]
        until, before = Or(none, LE(counter, first)), Or(none, LT(counter, first))
        body: list[Stmt] = []
        for stmt, inner, is_reached in self._before_ways_out(level.loop.body, before, others):
            if isinstance(stmt, Assign) and stmt.name in self.inductions:
                body.append(stmt)
                continue
            self._add_under(until if is_reached else before, inner, body)
        steps: list[Stmt] = []
        for stmt in level.loop.step:
            if not isinstance(stmt, Assign) or stmt.name not in self.inductions:
                steps.append(If(self.span, before, (stmt,)))
                continue
            steps.append(stmt)
            if stmt.name == counter.name:
                before = until  # it counts one more from here on
        return [replace(level.loop, body=tuple(body), step=(*steps, *self.count(0)))]

    def _before_ways_out(
        self, body: Sequence[Stmt], before: Expr, others: set[str], is_left_later: bool = False
    ) -> Iterator[tuple[Stmt, tuple[Stmt, ...], bool]]:
        """Each statement of an iteration, what it does where no way out is taken in front of it,
        and whether that includes the iteration that the loop is left in; `before` holds in those
        that go on. `is_left_later`: whether there are ways out behind the statements, too."""
        is_passed = False
        for place, stmt in enumerate(body):
            plain = _without_hits((stmt,))
            leaves = _has_hit((stmt,))
            more = is_left_later or _has_hit(body[place + 1 :])
            matters = self._matters(plain, others)
            if is_passed and (leaves or more) and matters:
                raise _NotUnderstood  # it depends on which way out is taken
            is_apart = leaves and not is_passed
            if is_apart and isinstance(stmt, If) and (_leads_to_hit(stmt) or (more and matters)):
                then, otherwise = (
                    self._until_hit(p, before, others, more) for p in (stmt.then, stmt.otherwise)
                )
                yield stmt, (replace(stmt, then=then, otherwise=otherwise),), True
            else:
                yield stmt, plain, not (is_passed or leaves)
            is_passed |= leaves

    def _until_hit(
        self, body: Sequence[Stmt], before: Expr, others: set[str], is_left_later: bool
    ) -> tuple[Stmt, ...]:
        """The statements of a branch, of which an iteration that is left does what leads there."""
        made: list[Stmt] = []
        for _, inner, is_reached in self._before_ways_out(body, before, others, is_left_later):
            if is_reached:
                made += inner
            else:
                self._add_under(before, inner, made)
        return tuple(made)

    def _matters(self, body: Sequence[Stmt], others: set[str]) -> bool:
        """Whether statements store, or set scalars that are read behind the loop."""
        return _stores(body) or bool(writes(body) & others)

    def _add_under(self, condition: Expr, inner: tuple[Stmt, ...], made: list[Stmt]) -> None:
        """Lets statements follow under a condition: the last branch's, if that is the same."""
        last = made[-1] if made else None
        if isinstance(last, If) and last.condition is condition:
            made[-1] = replace(last, then=(*last.then, *inner))
        elif inner:
            made.append(If(self.span, condition, inner))

    def count(self, number: int) -> list[Stmt]:
        """The step of a counter that isn't the loop's own."""
        counter = self.counters[number]
        if counter.name in self.inductions:
            return []
        return [Assign(self.span, counter.name, Add(counter, const(1, I64)))]

    def _value_at_hit(self, name: str, one: _Induction, place: Load) -> Expr:
        """What a scalar is where the loop is left, in iteration `place`."""
        if any(e.depth <= one.level for e in self.exits):
            raise _NotUnderstood
        if self.counters[one.level] == Variable(name, one.type):
            return place
        body = self.levels[one.level].loop.body
        ways = [i for i, s in enumerate(body) if _has_hit((s,))]
        later = one.place is not None and one.place < ways[0]
        if one.place is not None and not later and one.place < ways[-1]:
            raise _NotUnderstood
        start = self.starts[name] if one.level == 0 else one.start
        if start is None:
            raise _NotUnderstood
        count = Add(_wide(place), const(1, I64)) if later else _wide(place)
        moved = count if _is(one.step, 1) else Mul(_wide(one.step), count)
        value = moved if _is(start, 0) else Add(_wide(start), moved)
        return value if one.type is I64 else Cast(one.type, value)

    def _effects(self, code: Load | None) -> list[Stmt]:
        """What the ways out do."""
        if code is None:
            return list(self.exits[0].effects)
        made: list[Stmt] = []
        for number, exit in enumerate(self.exits):
            if exit.effects:
                taken = EQ(code, const(number + 1, I32))
                made.append(If(self.span, taken, exit.effects))
        return made


class _Writer:
    """Writes the loops of one search."""

    def __init__(self, search: _Search, going: Expr, hits: Sequence[Stmt]) -> None:
        self.search = search
        self.going = going
        self.hits = hits
        self.told = {n for h in hits for e in expressions_of(h) for n in reads(e)} & search.own
        """What the ways out need beside."""
        self.wanted = self._wanted()
        temporary = self.wanted & search.own - search.inductions.keys()
        self.names: dict[Expr, Expr] = {}
        """Scalars of the search's own for those that it computes with."""
        for stmt in statements((search.loop,)):
            if isinstance(stmt, (Assign, Declare)) and stmt.name in temporary:
                type = stmt.value.type if isinstance(stmt, Assign) else stmt.type
                if Variable(stmt.name, type) not in self.names:
                    own = Variable(search.made.fresh(stmt.name), type)
                    self.names[Variable(stmt.name, type)] = own

    def _wanted(self) -> set[str]:
        """The scalars on which it depends whether a way out is taken."""
        wanted: set[str] = set(self.search.inductions) | self.told
        while True:
            more = wanted | self._needed((self.search.loop,), wanted)
            if more == wanted:
                return wanted
            wanted = more

    def _needed(self, body: Sequence[Stmt], wanted: set[str]) -> set[str]:
        found: set[str] = set()
        for stmt in body:
            if isinstance(stmt, Assign) and stmt.name in wanted:
                found |= reads(stmt.value)
            elif isinstance(stmt, (If, WhileLoop)):
                parts = (
                    (*stmt.then, *stmt.otherwise)
                    if isinstance(stmt, If)
                    else (*stmt.body, *stmt.step, *stmt.again)
                )
                if _has_hit(parts) or writes(parts) & wanted:
                    found |= reads(stmt.condition) | self._needed(parts, wanted)
        return found

    def first_values(self, loop: Stmt) -> list[Stmt]:
        """What the search's own scalars begin as where a first iteration looks at that."""
        asked = {name for _, name in needed_by((loop,))}
        return [
            Assign(loop.span, own.name, old)
            for old, own in self.names.items()
            if isinstance(own, Variable) and own.name in asked
        ]

    def loop(self, number: int) -> WhileLoop:
        level = self.search.levels[number].loop
        whole = (*level.body, *level.step)
        body: list[Stmt] = []
        segment: list[Stmt] = []
        steps: list[Stmt] = []
        moved: dict[Expr, Expr] = {}
        for place, stmt in enumerate(whole):
            if not self._is_steady(stmt, number):
                segment.append(_told_of(stmt, moved) if moved else stmt)
                continue
            assert isinstance(stmt, Assign)
            if any(isinstance(s, (_Hit, WhileLoop)) for s in statements(whole[place:])):
                body += [*self._while_going(segment), stmt]
                segment = []
                continue
            # What follows is asked at once, of what the step will make.
            steps.append(stmt)
            moved[Variable(stmt.name, stmt.value.type)] = substitute(stmt.value, moved)
        body += self._while_going(segment)
        condition = self._told(level.condition)
        steps += self.search.count(number)
        return replace(level, condition=condition, body=tuple(body), step=tuple(steps))

    def _is_steady(self, stmt: Stmt, number: int) -> bool:
        """Whether a statement is the step of a scalar that grows with a level's loop."""
        steady = self.search.inductions.get(stmt.name) if isinstance(stmt, Assign) else None
        return steady is not None and steady.level == number

    def _while_going(self, body: Sequence[Stmt]) -> list[Stmt]:
        made = self._guarded(body)
        return [If(made[0].span, self.going, tuple(made))] if made else []

    def _guarded(self, body: Sequence[Stmt]) -> list[Stmt]:
        """Statements that are reached while nothing is found; what follows a way out only if it
        isn't taken."""
        made: list[Stmt] = []
        for position, stmt in enumerate(body):
            written = self._written(stmt)
            made += written
            if not _has_hit((stmt,)):
                continue
            rest = body[position + 1 :]
            if (
                isinstance(stmt, If)
                and isinstance(next(iter(stmt.then), None), _Hit)
                and not stmt.otherwise
            ):
                (out,) = written
                assert isinstance(out, If)
                made[-1] = replace(out, otherwise=tuple(self._guarded(rest)))
                return made
            return made + self._while_going(rest)
        return made

    def _written(self, stmt: Stmt) -> list[Stmt]:
        match stmt:
            case _Hit():
                hit = self.hits[stmt.number]
                assert isinstance(hit, Assign)
                return [replace(hit, value=self._told(hit.value))]
            case Assign() if stmt.name in self.wanted:
                return [replace(stmt, name=self._named(stmt.name), value=self._told(stmt.value))]
            case Declare() if stmt.name in self.wanted:
                return [replace(stmt, name=self._named(stmt.name))]
            case If():
                then, otherwise = self._guarded(stmt.then), self._guarded(stmt.otherwise)
                if not then and not otherwise:
                    return []
                condition = self._told(stmt.condition)
                return [If(stmt.span, condition, tuple(then), tuple(otherwise))]
            case WhileLoop() if _has_hit((stmt,)):
                number = next(i for i, one in enumerate(self.search.levels) if one.loop is stmt)
                counter = self.search.counters[number]
                loop = self.loop(number)
                if counter.name in self.search.inductions:
                    return [loop]
                return [Assign(stmt.span, counter.name, const(0, I64)), loop]
            case WhileLoop():
                inner = [s for part in stmt.body for s in self._written(part)]
                step = [s for part in stmt.step for s in self._written(part)]
                again = [s for part in stmt.again for s in self._written(part)]
                if not writes((*inner, *step, *again)) & {self._named(n) for n in self.wanted}:
                    return []
                condition = self._told(stmt.condition)
                return [
                    replace(stmt, condition=condition, body=tuple(inner), step=tuple(step),
                            again=tuple(again))
                ]  # fmt: skip
        return []

    def _told(self, expr: Expr) -> Expr:
        made: Expr = substitute(expr, self.names)
        return made

    def _named(self, name: str) -> str:
        own = next((v for k, v in self.names.items() if is_named(k, name)), None)
        return own.name if isinstance(own, Variable) else name


def _told_of(stmt: Stmt, values: Mapping[Expr, Expr]) -> Stmt:
    """A statement, no loop, with expressions for scalars that it doesn't set."""

    def told(expr: Expr) -> Expr:
        made: Expr = substitute(expr, dict(values))
        return made

    match stmt:
        case Assign():
            return replace(stmt, value=told(stmt.value))
        case Store():
            return replace(stmt, indices=tuple(map(told, stmt.indices)), value=told(stmt.value))
        case If():
            then, otherwise = (
                tuple(_told_of(s, values) for s in part) for part in (stmt.then, stmt.otherwise)
            )
            return replace(stmt, condition=told(stmt.condition), then=then, otherwise=otherwise)
    return stmt


def _stops_before(test: Expr, name: str, rises: bool, own: set[str]) -> bool:
    """Whether a loop's test holds only of numbers from which one more step doesn't overflow."""
    if not isinstance(test, Comparison):
        return False
    a, b, kind = test.a, test.b, type(test)
    if is_named(b, name):
        turned: dict[type, type] = {LT: GT, LE: GE, GT: LT, GE: LE, NE: NE}
        a, b, kind = b, a, turned.get(kind, kind)
    match a:
        case Sub(a=scalar, b=Const() as by) if not rises and by.value == 1:
            a = scalar  # it is computed where it is asked
        case Add(a=scalar, b=Const() as by) if rises and by.value == 1:
            a = scalar
    if not is_named(a, name) or a.type is not I32 or reads(b) & own:
        return False
    if kind in ((LT if rises else GT), NE):
        return True
    ends = (I32.max, I32.min)
    return kind is (LE if rises else GE) and isinstance(b, Const) and b.value not in ends


def _is(expr: Expr | None, number: int) -> bool:
    return isinstance(expr, Const) and expr.value == number


def _wide(value: Expr) -> Expr:
    if isinstance(value, Const):
        return const(int(value.value), I64)
    return value if value.type is I64 else Cast(I64, value)


def _decided(condition: Expr, values: Mapping[str, Expr]) -> Expr:
    """A condition with these scalars' values."""
    known: dict[Expr, Expr] = {}
    for node in postorder(condition):
        if isinstance(node, Variable) and isinstance(values.get(node.name), Const):
            known[node] = values[node.name]
    return with_constants(condition, known)


def _assignments(name: str, body: Sequence[Stmt]) -> int:
    return sum(isinstance(s, (Assign, Declare)) and s.name == name for s in statements(tuple(body)))


def _certainly_set(body: Sequence[Stmt]) -> set[str]:
    """The scalars to which statements give a value on every path."""
    return {s.name for s in body if isinstance(s, Assign)}


def _meaning(stmt: Stmt) -> object:
    """What two statements have in common that do the same."""
    match stmt:
        case Assign():
            return stmt.name, stmt.value
        case Store():
            return stmt.array, stmt.indices, stmt.value
        case If():
            return stmt.condition, *(tuple(map(_meaning, p)) for p in (stmt.then, stmt.otherwise))
    return stmt


def _stored(body: Sequence[Stmt]) -> set[str]:
    return {s.array for s in statements(tuple(body)) if isinstance(s, Store)}


def _stores(body: Sequence[Stmt]) -> bool:
    return bool(_stored(body))


def _has_hit(body: Sequence[Stmt]) -> bool:
    return any(isinstance(s, _Hit) for s in statements(tuple(body)))


def _leads_to_hit(stmt: If) -> bool:
    """Whether a branch does something and then leaves the loop."""
    for branch in (stmt.then, stmt.otherwise):
        at = next((i for i, s in enumerate(branch) if _has_hit((s,))), 0)
        last = branch[at] if branch else None
        if at or (isinstance(last, If) and _has_hit((last,)) and _leads_to_hit(last)):
            return True
    return False


def _without_hits(body: Sequence[Stmt]) -> tuple[Stmt, ...]:
    """Statements in an iteration in which no way out is taken."""
    made: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, _Hit):
            return ()
        if isinstance(stmt, If) and _has_hit((stmt,)):
            then, otherwise = _without_hits(stmt.then), _without_hits(stmt.otherwise)
            if then or otherwise:
                made.append(replace(stmt, then=then, otherwise=otherwise))
            continue
        made.append(stmt)
    return tuple(made)
