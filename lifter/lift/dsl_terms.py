"""Gives a kernel's pure functions bodies of the DSL's operators, and proves them right."""

from __future__ import annotations

from dataclasses import replace

from compiler.ir import LE, TRUE, Call, Expr, Load, Variable, const, postorder, substitute

from ..model.diagnostic import Diagnostic
from ..model.kernel import Kernel, PureFunction
from ..model.proof import Obligation
from ..synth import dsl_functions, occurring_arguments
from ..verify import Prover, definedness
from .stage_context import LiftedStage, StageContext, StageFailure


def in_dsl_terms(
    kernel: Kernel, stages: list[tuple[LiftedStage, StageContext]]
) -> tuple[dict[str, PureFunction], list[LiftedStage]]:
    """The functions that the emitted program defines, and the stages with what was proved of them.

    Raises `StageFailure` when a summary can't be proved to mean the same with them.
    """
    callers = [(s.summary.expression, c.facts) for s, c in stages]
    for restricted in (True, False):
        functions = dsl_functions(kernel.functions, callers if restricted else None)
        proofs = [_same_with(kernel, functions, s, c, restricted) for s, c in stages]
        refused = next((o for p in proofs for o in p if o.verdict != "proved"), None)
        if refused is None:
            return functions, [
                replace(s, obligations=(*s.obligations, *p))
                for (s, _), p in zip(stages, proofs, strict=True)
            ]
    assert refused is not None
    raise StageFailure(
        Diagnostic("undecided", "error", refused.text, kernel.span, family="undecided"),
        obligation=refused,
    )


def _same_with(
    kernel: Kernel,
    functions: dict[str, PureFunction],
    lifted: LiftedStage,
    context: StageContext,
    restricted: bool,
) -> list[Obligation]:
    """That a summary means the same with other function bodies, one function after the other.

    Where all are equal by themselves, for any arguments or (`restricted`) for those of the
    intervals that occur, so is what calls them.
    """
    found: list[Obligation] = []
    callers = [(lifted.summary.expression, context.facts)]
    called = occurring_arguments(kernel.functions, callers)
    for name, intervals in called.items():
        theirs = kernel.functions[name]
        if functions[name].body is theirs.body:
            continue
        # Names that no parameter of the kernel has.
        own: dict[Expr, Expr] = {p: Variable(f"{name}({p.name})", p.type) for p in theirs.params}
        given = [
            bound
            for p, interval in zip(theirs.params, intervals, strict=True)
            if restricted and interval is not None and not p.type.is_bool
            for low, high in (interval,)
            for bound in (LE(const(low, p.type), own[p]), LE(own[p], const(high, p.type)))
        ]
        a, b = (substitute(body, own) for body in (functions[name].body, theirs.body))
        prover = context.assumptions.prover
        decision = prover.equal(a, b, given)
        if not decision.proved and _is_defined(lifted, prover):
            # Then no call that counts divides by zero, and C++ says nothing of the others.
            decision = prover.equal(a, b, [*given, *definedness(b)])
        text = f"`{name}`, which {lifted.stage.output} calls, keeps its meaning in the DSL"
        found.append(
            Obligation(
                "value", lifted.stage.name, text, decision.verdict, decision.by,
                decision.seconds, decision.smt2,
            )
        )  # fmt: skip
    return found


def _is_defined(lifted: LiftedStage, prover: Prover) -> bool:
    """Whether no value of a stage, the bodies of its calls included, depends on x / 0.

    What a divisor of parameters is asked alone may be taken from the original, too: where each of
    its stores divides by it, in every iteration, it is 0 only if there is no iteration, and then no
    point, or where the original is undefined.
    """
    stores = [
        definedness(prover.inlined(write.value)) if write.condition is TRUE else []
        for write in lifted.stage.writes
    ]

    def is_known(test: Expr) -> bool:
        if prover.equal(test, TRUE, timeout=2.0).proved:
            return True
        names = (n for n in postorder(test) if isinstance(n, Variable | Load | Call))
        return all(isinstance(n, Variable) and n.name in prover.parameters for n in names) and all(
            prover.equal(test, TRUE, given, timeout=2.0).proved for given in stores
        )

    return all(map(is_known, definedness(prover.inlined(lifted.summary.expression))))
