"""Obligations about what iterations read: nothing that an earlier one has overwritten (`frame`)."""

from __future__ import annotations

from compiler.ir import (
    EQ,
    FALSE,
    I64,
    LE,
    LT,
    TRUE,
    Call,
    Const,
    Expr,
    Load,
    Sub,
    Variable,
    const,
    postorder,
)

from ..dag import conjunction, disjunction, domain, negate, normal, replace
from ..model.stage import Read, Write
from ..model.summary import Witness
from .decide import Decision
from .stage_proof import Piece, StageProof


def another_iteration(write: Write) -> dict[Expr, Expr]:
    """The counters of a second, independent iteration of a store."""
    return {loop.counter: Variable(loop.counter.name + "'", I64) for loop in write.loops}


class FrameProof(StageProof):
    """The obligations of a stage that reads what its nest overwrites."""

    def reads_before_siblings(self) -> bool:
        """No iteration reads an element of another array that the nest has overwritten by then. Of
        a tuple, it reads what is there by then."""
        return all(
            self._not_overwritten(r, self._sibling(w))
            for r in self._crossing()
            for w in self.stage.siblings
            if w.array == r.array and w not in self.stage.together
        )

    def _crossing(self) -> list[Read]:
        """The nest's reads of other arrays that it writes too, where the summary reads those.

        Of joined nests all such reads: what is known of elements is of those before all of them.
        """
        nodes = postorder(self.summary.expression, *self.summary.update_point)
        others = {w.array for w in self.stage.siblings}
        if self.stage.is_joined:
            return [r for r in self.stage.reads if r.array in others]
        used = {n.name for n in nodes if isinstance(n, Call) and n.kind == "image"}
        return [r for r in self.stage.reads if r.array in used & others]

    def _sibling(self, write: Write) -> Piece:
        """A store of the nest to another array, whose own stage proves that it repeats none."""
        nowhere = Witness((), ())
        return Piece(write, nowhere, (*domain(write.loops), *self._index_conditions(write)), TRUE)

    def _index_conditions(self, write: Write) -> list[Expr]:
        counters = {loop.counter for loop in write.loops}
        found = self._index_part(write.condition, write.loops)
        return [f for f in found if counters & set(postorder(f))]

    def _not_overwritten(self, read: Read, piece: Piece) -> bool:
        write = piece.write
        text = (
            f"{read.array}[{', '.join(map(repr, read.indices))}] (line {read.span.line}) "
            f"isn't overwritten before it is read (line {write.span.line})"
        )
        iterations = {*domain(read.loops), *self._index_part(read.condition, read.loops)}
        same_place = read.indices == write.indices and read.loops == write.loops
        # Of joined nests, those without loops aren't of one iteration.
        one_iteration = (
            not self.stage.is_joined or bool(read.loops) or read.position < write.position
        )
        if same_place and one_iteration and iterations.issuperset(piece.given):
            # Another iteration that writes this element would write it twice, against `unique`; and
            # execution hands an iteration its own store's value, so such a load is of the old
            # content.
            return self.record("frame", text, Decision("proved", "structural", 0.0))
        renamed = another_iteration(write)
        common = 0
        for ours, theirs in zip(read.loops, write.loops, strict=False):
            if ours is not theirs and ours != theirs:
                break
            common += 1
        earlier: list[Expr] = []
        for depth in range(common + 1):
            before = [EQ(renamed[loop.counter], loop.counter) for loop in read.loops[:depth]]
            if depth < common:
                counter = read.loops[depth].counter
                earlier.append(conjunction([*before, LT(renamed[counter], counter)]))
            elif write.position < read.position and not self._exclude(read, write, common):
                earlier.append(conjunction(before))
        same = [
            EQ(a, replace(b, renamed)) for a, b in zip(read.indices, write.indices, strict=True)
        ]
        given = [
            *domain(read.loops), *self._index_part(read.condition, read.loops),
            *(replace(g, renamed) for g in piece.given),
            *(replace(g, renamed) for g in self._index_part(write.condition, write.loops)),
            disjunction(earlier),
        ]  # fmt: skip
        decision = self.assumptions.decide(FALSE, [*given, *same])
        remedies = self._rows_beyond(normal(Sub(read.indices[-1], write.indices[-1])))
        if remedies and not decision.proved:
            apart = negate(conjunction(same))
            decision = self.assumptions.decide(apart, given, remedies)
        return self.record("frame", text, decision)

    def _rows_beyond(self, distance: Expr) -> list[Expr]:
        """That rows are longer than how far from what it writes an iteration reads."""
        if not isinstance(distance, Const):
            return []
        longer = const(abs(int(distance.value)) + 1, I64)
        rows = [s for s in self.layout.strides[1:] if isinstance(s, Variable)]
        return [
            remedy
            for row in rows
            for remedy in (LE(longer, row), normal(LE(longer, Sub(const(0, I64), row))))
        ]

    def _exclude(self, read: Read, write: Write, common: int) -> bool:
        """Whether no iteration of their `common` loops both stores and then reads.

        `if (a <= 0) p[0] = 0; else q = p[i];` are never done for one pixel. The law: of the first
        read of the nest that meets something overwritten, all that was read before is the old
        content; so are then the conditions of that read and of the store before it, and if they
        are over the old content and contradict each other, the two don't both happen.
        """
        if not self._is_of_old_content(read) or not self._is_of_old_content(write):
            return False
        renamed = another_iteration(write)
        inner: dict[Expr, Expr] = {w.counter: renamed[w.counter] for w in write.loops[common:]}
        both = conjunction((read.condition, replace(write.condition, inner)))
        return both is FALSE or self.prover.equal(both, FALSE, timeout=2.0).proved

    def _is_of_old_content(self, access: Read | Write) -> bool:
        """Whether a condition is over parameters, counters, and elements whose reads are checked.

        What is read of arrays that siblings write may be new.
        """
        known = {*self.parameters, *(loop.counter.name for loop in access.loops)}
        overwritten = {w.array for w in self.stage.siblings}
        nodes = list(postorder(access.condition))
        return all(n.name in known for n in nodes if isinstance(n, Variable)) and not any(
            n.array in overwritten for n in nodes if isinstance(n, Load)
        )
