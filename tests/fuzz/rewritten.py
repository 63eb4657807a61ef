"""What the front end writes anew, run as it was and as it is.

Between the statements that a function is read as and those that are executed on symbols stand
passes from statements to statements: searches, strips, packed pixels, numbers in memory and others
(`PASSES`, `BEHIND`). No proof looks at them: what is proved is proved of what they leave. So each
of them that changes a body is caught at it, and both bodies are interpreted on small inputs. They
have to store and return the same, and the later one touches nothing that the earlier one doesn't;
where the earlier one goes on for ever, so does the later one. That it may do so elsewhere, too, is
no matter: nothing is proved of a loop but where it is shown to end.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from compiler.ir import I64, Type
from lifter.dag import graph
from lifter.model.diagnostic import LiftError
from lifter.model.kernel import (
    Array,
    Assume,
    Kernel,
    Param,
    PureFunction,
    Stmt,
    regions_above,
)
from lifter.model.parameters import given_of, size_of
from lifter.parse import body_to_text, functions, parse_file
from lifter.verify.cases import Case, cases
from lifter.verify.interpret import RunOutcome, run
from lifter.verify.memory import POISON, Fill, Index, Memory

PASSES = (
    "where", "with_flags_apart", "without_unused", "with_joint_tests", "with_plain_exits",
    "with_first_tests", "with_places_in_turn", "with_rows_of_odometers", "with_array_ends",
    "with_first_hits", "with_strips", "with_packed_pixels", "with_tables",
)  # fmt: skip
"""Of `parse/functions.py`, from a body to a body."""
BEHIND = (
    "with_tests_around", "with_numbers_as_scalars", "with_places_followed",
    "with_extremes_apart", "with_sums_held",
)  # fmt: skip
"""Of `dag/graph.py`, from a kernel to a kernel, in the order in which they are done."""
_WITH_MORE = ("with_rows_of_odometers", "with_tables")
ITERATIONS = 300
"""After which a body is taken for one that doesn't end, if it takes 40 times as many, too."""


@dataclass(frozen=True)
class Rewriting:
    """What one pass makes of a body."""

    step: str
    before: tuple[Stmt, ...]
    after: tuple[Stmt, ...]

    def __str__(self) -> str:
        sides = (body_to_text(self.before), body_to_text(self.after))
        return f"{self.step}\n--- before\n{sides[0]}\n--- after\n{sides[1]}"


@dataclass
class Rewritten:
    """All that passes make of one function, and what it takes to run that."""

    name: str
    params: tuple[Param, ...]
    arrays: Mapping[str, Array]
    functions: Mapping[str, PureFunction]
    result: str | None
    """The scalar that becomes what is returned."""
    may_be_null: frozenset[str] = frozenset()
    counts: Mapping[str, int] = field(default_factory=dict)
    """How many elements arrays have, where the source says so."""
    steps: list[Rewriting] = field(default_factory=list)
    given: tuple[Assume, ...] = ()
    kernel: Kernel | None = None
    """Where it became one."""

    def inputs(self, seed: int, count: int) -> Iterator[_Input]:
        """Up to `count` inputs that satisfy what is given: of a few small numbers, and of all."""
        rng = random.Random(f"{self.name}/{seed}")
        drawn: Iterator[Case] = iter(())
        if self.kernel is not None:
            kernel = replace(self.kernel, params=self._params(), preconditions=self.given)
            drawn = cases(kernel, seed, count // 3)
        for number in range(count):
            case = next(drawn, None) if number % 3 == 2 else None
            if case is not None:
                sizes = {**self.counts, **case.sizes}
                yield _Input(dict(case.scalars), case.types, case.fill, sizes)
                continue
            for _ in range(20):
                one = self._drawn(rng)
                if not self.given or self._run(self.given, one, ITERATIONS).stopped is None:
                    yield one
                    break

    def _params(self) -> tuple[Param, ...]:
        return tuple(replace(p, may_be_null=p.name in self.may_be_null) for p in self.params)

    def _drawn(self, rng: random.Random) -> _Input:
        scalars: dict[str, int | float] = {}
        types: dict[str, Type] = {}
        sizes = dict(self.counts)
        for param in self.params:
            if param.kind == "scalar":
                scalars[param.name] = _number(param.type, rng)
                continue
            types[param.name] = param.type
            if param.kind == "reference":
                sizes[param.name] = 1
            elif param.kind == "vector":
                sizes[param.name] = rng.choice((0, 1, 2, 3, 5, 8))
                scalars[size_of(param.name).name] = I64.wrap(sizes[param.name])
            if param.name in self.may_be_null:
                scalars[given_of(param.name).name] = rng.choice((0, 1, 1))
        return _Input(scalars, types, _fill(types, rng), sizes)

    def _run(self, body: tuple[Stmt, ...], given: _Input, limit: int) -> RunOutcome:
        memories = {n: Memory(t, given.of(n), given.sizes.get(n)) for n, t in given.types.items()}
        return run(body, given.scalars, memories, self.arrays, self.functions, limit)

    def differences(self, seed: int, count: int) -> Iterator[str]:
        """What is wrong with the steps, one after the other."""
        inputs = list(self.inputs(seed, count)) if self.steps else []
        for step in self.steps:
            for given in inputs:
                wrong = self._difference(step, given)
                if wrong is not None:
                    yield f"{self.name}: {wrong}\n{given}\n{step}"
                    break

    def _difference(self, step: Rewriting, given: _Input) -> str | None:
        before = self._run(step.before, given, ITERATIONS)
        if before.undefined or before.stopped not in (None, "step limit"):
            return None
        after = self._run(step.after, given, 8 * ITERATIONS)
        if before.stopped is not None:
            if after.stopped is not None:
                return None
            before = self._run(step.before, given, 40 * ITERATIONS)
            if before.stopped is not None:
                return "it ends, and didn't"
            if before.undefined:
                return None
        if after.stopped == "step limit":
            return None  # of a loop that may have no end nothing is proved
        if after.stopped is not None:
            return f"it stops ({after.stopped}), and didn't"
        if after.undefined:
            return f"it is undefined ({after.undefined[0].kind}: {after.undefined[0].detail})"
        if not _same(self._result(before), self._result(after)):
            return f"it gives {self._result(after)}, and gave {self._result(before)}"
        for name in given.types:
            anyway = (
                {(0,)} if step.step == "with_numbers_as_scalars" and self._is_there(name) else set()
            )
            wrong = _other_memory(before.arrays[name], after.arrays[name], anyway)
            if wrong is not None:
                return f"{name}{wrong}"
        return None

    def _is_there(self, array: str) -> bool:
        """Whether it is a field of an object, or a reference: one that may be read in any case."""
        return "." in array or any(p.name == array and p.kind == "reference" for p in self.params)

    def _result(self, outcome: RunOutcome) -> Any:
        if outcome.result is not None or self.result is None:
            return outcome.result
        return outcome.scalars.get(self.result)


@dataclass(frozen=True)
class _Input:
    scalars: dict[str, int | float]
    types: Mapping[str, Type]
    contents: Callable[[str], Fill]
    sizes: Mapping[str, int]

    def of(self, name: str) -> Fill:
        return self.contents(name)

    def __str__(self) -> str:
        shown = {n: [self.of(n)((i,)) for i in range(8)] for n in self.types}
        return ", ".join(f"{k} = {v}" for k, v in {**self.scalars, **shown}.items())


def _number(type: Type, rng: random.Random) -> int | float:
    if type.is_float:
        return rng.choice((0.0, 1.0, 0.5, -1.0, 3.0))
    value = rng.choice((0, 1, 2, 3, 4, 5, rng.randint(-3, 9), rng.randint(0, 20)))
    return min(max(value, type.min), type.max)


def _fill(types: Mapping[str, Type], rng: random.Random) -> Callable[[str], Fill]:
    """Contents of a few small numbers, so that searches hit, and elements are equal."""
    seeds = {name: rng.getrandbits(32) for name in types}
    most = {name: rng.choice((1, 2, 4, 4, 9, 255)) for name in types}

    def of(name: str) -> Fill:
        def element(index: tuple[int, ...]) -> int | float:
            mixed = seeds[name]
            for part in index:
                mixed = (mixed ^ (part * 0x9E3779B1)) * 0x85EBCA6B & 0xFFFFFFFF
                mixed ^= mixed >> 15
            number, type = mixed % most[name], types[name]
            if type.is_float:
                return float(number) / 2
            return min(number, type.max)

        return element

    return of


def _same(a: Any, b: Any) -> bool:
    if a is POISON or a is None:
        return True  # nothing is asked of it
    if b is POISON or b is None:
        return False
    return bool(a == b or (a != a and b != b))


def _other_memory(before: Memory, after: Memory, anyway: set[Index]) -> str | None:
    for index in sorted(before.written | after.written):
        if index not in before.written:
            return f"{list(index)} is stored, and wasn't"
        if not _same(before.peek(index), after.peek(index)):
            return f"{list(index)} is {after.peek(index)}, and was {before.peek(index)}"
    for index in sorted(after.read_set - before.read_set - before.written - anyway):
        return f"{list(index)} is read, and wasn't"
    return None


def rewritten(path: Path, *, parts: bool = False, **options: Any) -> list[Rewritten]:
    """All functions of a file and their loops by themselves, with what passes make of them; with
    `parts`, also what these fall into. `options` are those of `parse_file`."""
    found: list[Rewritten] = []
    with _watched(found):
        parsed = parse_file(path, **options)
        if parts:
            names = [k.name for k in parsed.kernels] + [s.name for s in parsed.failed]
            parse_file(path, **options, split=[*names, *regions_above(names)])
    for one in found:
        _watch_behind(one)
    return found


@contextlib.contextmanager
def _watched(found: list[Rewritten]) -> Iterator[None]:
    plain_translated, plain_kernel = functions._translated, functions.Kernel

    def translated(definition: Any, program: Any) -> Any:
        t, params, target = plain_translated(definition, program)
        declared = t.declared
        found.append(
            Rewritten(
                definition.name, params, declared.arrays, declared.functions, target.result,
                frozenset(t.given), functions._counts(t),
            )
        )  # fmt: skip
        return t, params, target

    def kernel(**fields: Any) -> Kernel:
        found[-1].kernel = plain_kernel(**fields)
        found[-1].given = found[-1].kernel.preconditions
        return found[-1].kernel

    def watching(step: str) -> Callable[..., Any]:
        plain = getattr(functions, step)

        def watched(body: tuple[Stmt, ...], *others: Any) -> Any:
            made = plain(body, *others)
            after = made[0] if step in _WITH_MORE else made
            if after != body:
                found[-1].steps.append(Rewriting(step, tuple(body), tuple(after)))
            return made

        return watched

    with contextlib.ExitStack() as stack:
        stack.enter_context(patch.object(functions, "_translated", translated))
        stack.enter_context(patch.object(functions, "Kernel", kernel))
        for step in PASSES:
            stack.enter_context(patch.object(functions, step, watching(step)))
        yield


def _watch_behind(one: Rewritten) -> None:
    """Adds what the passes make of a kernel that come behind the front end."""
    kernel = one.kernel
    if kernel is None:
        return
    for step in BEHIND:
        try:
            made = getattr(graph, step)(kernel)
        except LiftError:
            return
        if made.body != kernel.body:
            one.steps.append(Rewriting(step, kernel.body, made.body))
        kernel = made
    one.arrays = {**one.arrays, **kernel.arrays}


def program(seed: int) -> str:
    """The text of one random function whose loops are left early, count by steps of their own, go
    on from row to row, or don't go on at all."""
    return _Writer(random.Random(seed)).function(f"f{seed}")


class _Writer:
    """Writes one function over `s` (read), `d` (stored) and what is left of its numbers, `r`."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.flags = 0

    def function(self, name: str) -> str:
        rng = self.rng
        element = rng.choice(("unsigned char", "int", "short", "float"))
        body = " ".join(self._loop(0) for _ in range(rng.choice((1, 1, 1, 2))))
        left = [v for v in ("i", "j", "c", "v", "(int)(p - s)") if rng.random() < 0.6] or ["c"]
        stores = " ".join(f"r[{k}] = {v};" for k, v in enumerate(left))
        begin = (
            f"int i = {self._of('0', '0', 'n - 1', '1')}, j = {self._of('0', 'n', '-1')},"
            f" c = {self._of('0', '0', '1', 'k')}, v = {self._of('0', '0', '-1')};"
            f" const {element} *p = s;"
        )
        return (
            f"int {name}(const {element} *s, {element} *d, int *r, int n, int w, int k) {{"
            f" {begin} {body} {stores} return {self._of('c', 'i', 'v', '0', 'i == n')}; }}"
        )

    def _of(self, *ways: str) -> str:
        return self.rng.choice(ways)

    def _loop(self, depth: int) -> str:
        rng = self.rng
        counter = "ij"[depth] if depth < 2 else "v"
        end = "nw"[depth] if depth < 2 else "3"
        up = rng.random() < 0.75
        test = self._of(
            f"{counter} < {end}" if up else f"{counter} >= 0",
            f"{counter} < {end}" if up else f"{counter} > 0",
            f"{counter} {'<' if depth else '!='} {end}" if up else f"{counter} > -1",
            f"{counter} < {end} && {self._seen(depth)}" if up else f"{counter}-- > 0",
        )
        # A loop inside that has no end is undefined, and may be left out if nobody asks for more.
        if depth == 0 and rng.random() < 0.15:
            test = self._of(f"{counter} <= k", self._seen(depth), "true", f"{end} > 0", "c < 3")
        step = self._of(f"{counter}++", f"{counter}++", f"{counter}++, p++", f"{counter}++, c += 3")
        if not up:
            step = self._of(f"{counter}--", f"--{counter}, p++") if "--" not in test else "p++"
        if depth == 0 and rng.random() < 0.15:
            step = self._of(f"{counter} += 2", "p++", "", f"{counter} += k", "--k")
        begin = f"{counter} = 0" if up else f"{counter} = {end} - {self._of('1', '1', '0')}"
        begin = "" if rng.random() < 0.1 else begin
        body = " ".join(self._statement(depth) for _ in range(rng.choice((1, 1, 2, 2, 3))))
        form = rng.random()
        if form < 0.55:
            return f"for ({begin}; {test}; {step}) {{ {body} }}"
        begin = f"{begin};" if begin else ""
        step = f"{step};" if step else ""
        if form < 0.9:
            inside = (f"{body} {step}", f"{step} {body}")[rng.random() < 0.3]
            return f"{begin} while ({test}) {{ {inside} }}"
        return f"{begin} do {{ {body} {step} }} while ({test});"

    def _seen(self, depth: int) -> str:
        place = self._of("i", "i", "j", "c", "i + 1", "i * w + j") if depth else "i"
        one = self._of(f"s[{place}]", f"s[{place}]", "*p", f"p[{place}]", f"d[{place}]")
        return f"{one} {self._of('==', '!=', '>', '<')} {self._of('k', '1', '0', 'v')}"

    def _test(self, depth: int) -> str:
        seen = self._seen(depth)
        return self._of(
            seen, seen, seen, "c > 2", "v > k", "c == i", f"{seen} && c < 4",
            f"{seen} || v > 9", "i == k", f"!({seen})",
        )  # fmt: skip

    def _statement(self, depth: int) -> str:
        rng = self.rng
        kind = rng.random()
        if kind < 0.4:
            return f"if ({self._test(depth)}) {self._way_out()}"
        if kind < 0.48:
            return f"if ({self._test(depth)}) continue;"
        if kind < 0.6 and depth < 1:
            return self._inner(depth)
        if kind < 0.7:
            return f"if ({self._test(depth)}) {{ {self._effect(depth)} }}"
        return self._effect(depth)

    def _way_out(self) -> str:
        effect = self._of("", "", "c = 7;", "v = i;", "c++;", "r[9] = i;", "v += c;")
        return f"{{ {effect} {self._of('break;', 'break;', 'break;', 'return c + 1;')} }}"

    def _inner(self, depth: int) -> str:
        loop = self._loop(depth + 1)
        after = self._of("", "", "if (j < w) break;", "if (c > 2) break;", "p += w;", "c = 0;")
        return f"{self._of('', 'j = 0;', 'c = 0;')} {loop} {after}"

    def _effect(self, depth: int) -> str:
        place = self._of("i", "i", "j", "i + 1") if depth else "i"
        return self._of(
            "c++;", "c++;", "c += 3;", f"v += s[{place}];", "v = c;", f"d[{place}] = c;",
            f"d[{place}] = s[{place}];", "p++;", "p += w;", "v = i;", "c = i;", "v += *p;",
        )  # fmt: skip
