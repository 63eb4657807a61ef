"""The loop between synthesis and verification for one stage: region, terminals, expression.

Each step proposes candidates on a reduced program, and the verifier checks each before the next
step starts (dexter-2019 section 4).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import TypeVar

from compiler.ir import (
    GE,
    GT,
    I32,
    I64,
    LE,
    LT,
    TRUE,
    Add,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Max,
    Min,
    Mul,
    Select,
    Sub,
    Type,
    Variable,
    const,
    postorder,
    substitute,
    to_text,
    transform,
)

from ..dag import Ranges, as_formula, conjunction, conjuncts, disjunction, domain, negate, normal
from ..dag import replace as replaced
from ..model.diagnostic import Diagnostic
from ..model.kernel import Param
from ..model.parameters import elements_of
from ..model.stage import Stage
from ..model.summary import Dimension, Layout, Limit, Summary, SummaryKind, Witness
from ..synth import (
    Imager,
    Mapping,
    NoTerminal,
    ReductionUpdate,
    Region,
    RegionStore,
    Scan,
    as_tested,
    beside_the_store,
    box_of,
    combined,
    coordinate_names,
    derives,
    find_expression,
    find_scan,
    find_update,
    hands_on,
    index_condition,
    infer_layouts,
    mappings,
    regions,
    to_dsl,
    with_what_is_read,
)
from ..synth.paths import PathRead, reads_of
from ..verify import (
    Assumptions,
    Clamps,
    Flattener,
    PureProof,
    ReductionProof,
    ScanProof,
    StageProof,
    as_int32,
    inside_producers,
    kept_inside,
    limits_of_places,
)
from .stage_context import LiftedStage, StageContext, StageFailure

Terms = TypeVar("Terms")

SHOWN = 4000
"""Characters of a candidate that a message shows."""


def lift_stage(stage: Stage, context: StageContext) -> LiftedStage:
    """A proven summary of a stage; raises `StageFailure` with the reason and the best candidate."""
    failure: StageFailure | None = None
    elements = elements_of(context.assumptions.kernel, stage.output)
    update = find_update(stage, context.parameters, elements)
    if update is not None and not update.is_sum:
        return _lift_update(stage, update, context)
    if stage.is_fold and hands_on(stage):
        return _lift_scan(stage, list(_regions(stage, context)), context)
    if stage.is_fold:
        message = f"how often {stage.output} is updated isn't understood"
        raise _unsupported("unsupported-stage", message, stage)
    is_one_element = True
    seen: list[Region] = []
    for region in _regions(stage, context):
        seen.append(region)
        is_one_element = is_one_element and not region.dimensions
        trial = context.fork()
        try:
            lifted = _lift_in_region(stage, region, trial)
        except StageFailure as found:
            failure = found if failure is None or found.candidate is not None else failure
        else:
            context.adopt(trial)
            return lifted
    if failure is None or failure.diagnostic.code == "vacuous":
        _refuse_nothing_written(stage, context)
    if update is not None and is_one_element:
        return _lift_update(stage, update, context)  # one element again and again, or any
    if hands_on(stage):
        with contextlib.suppress(StageFailure):
            return _lift_scan(stage, seen, context)
    if failure is not None:
        raise failure
    raise _unsupported(
        "no-roi",
        f"what is written to {stage.output} isn't seen to be a box of elements",
        stage,
        notes=("the written elements must form a box in some view of the array as an image",),
    )


def _regions(stage: Stage, context: StageContext) -> Iterator[Region]:
    """Candidates for a stage's region, each looked for when those before it are refused. Where a
    loop hands on what each iteration of those around has an element for, these are coordinates."""
    found = regions(stage, context.parameters, context.assumptions.formulas, context.grammar)
    loops = len(stage.writes[0].loops)
    if stage.others and context.assumptions.kernel.arrays[stage.output].origin == "local":
        found = iter(sorted(found, key=lambda region: len(region.dimensions) != loops))
    while True:
        with context.watch.step("roi"):
            region = next(found, None)
        if region is None:
            return
        whole = _whole(stage, region, context)
        if whole is not None:
            yield whole
        among = _among_rows(stage, region, context)
        if among is not None:
            yield among
        yield region


def _whole(stage: Stage, region: Region, context: StageContext) -> Region | None:
    """A region that is a part of what earlier stages have made of an array of the kernel's own, as
    all of it: points that this stage doesn't store to keep what they have."""
    produced = context.produced.get(stage.output) if stage.output in context.whole else None
    made = None if produced is None else produced.summary
    if made is None or made.roi == region.dimensions:
        return None
    region = _placed_as(region, made.layouts[stage.output])
    if made.layouts[stage.output] != region.layout or len(made.roi) != len(region.dimensions):
        return None
    ends = zip(region.dimensions, made.roi, strict=True)
    dimensions = tuple(replace(d, lower=all.lower, upper=all.upper) for d, all in ends)
    return replace(region, dimensions=dimensions, has_gaps=True)


def _among_rows(stage: Stage, region: Region, context: StageContext) -> Region | None:
    """A column or a row of elements as one of the image that other stages see in their array: its
    other coordinate is 0, or how far along a row the column lies."""
    seen = context.seen.get(stage.output)
    if seen is None or not seen.strides or seen.rows or region.layout.rows:
        return None
    along, zero = normal(Sub(region.layout.offset, seen.offset)), const(0, I64)
    if along is not zero and (
        seen.strides[0] is not const(1, I64) or seen.strides[0] in region.layout.strides
    ):
        return None
    other = {seen.strides[0]: along} if seen.strides else {}
    strides, own = seen.strides, region.layout.strides
    if not (len(own) < len(strides) and set(own) <= set(strides)) or len({*strides}) < len(strides):
        return None
    names = coordinate_names(len(strides), context.parameters)
    here = dict(zip(own, region.dimensions, strict=True))
    renamed: dict[Expr, Expr] = {}
    dimensions = []
    for stride, name in zip(strides, names, strict=True):
        place = other.get(stride, zero)
        alone = Dimension(Variable(name, I32), place, normal(Add(place, const(1, I64))))
        d = here.get(stride, alone)
        renamed[Variable(d.variable.name, I64)] = Variable(name, I64)
        dimensions.append(replace(d, variable=Variable(name, I32)))
    witnesses = []
    for w in region.witnesses:
        points = dict(zip(own, w.point, strict=True))
        point = tuple(points.get(stride, other.get(stride, zero)) for stride in strides)
        witnesses.append(Witness(point, tuple(replaced(c, renamed) for c in w.counters)))
    # Rows reach as far as the column that is filled.
    wanted: list[Expr] = [GE(along, zero)]
    for stride, following in pairwise(strides):
        if stride not in here:
            place = other.get(stride, zero)
            wanted.append(GE(following, Mul(stride, Add(place, const(1, I64)))))
    needed = tuple(f for f in map(normal, wanted) if not isinstance(f, Const))
    return Region(tuple(dimensions), seen, tuple(witnesses), region.has_gaps, needed)


def _placed_as(region: Region, layout: Layout) -> Region:
    """A region of neighbouring elements with the coordinates of another layout."""
    if layout.strides != region.layout.strides or layout.strides != (const(1, I64),):
        return region
    distance = normal(Sub(region.layout.offset, layout.offset))
    (name,) = (Variable(d.variable.name, I64) for d in region.dimensions)
    here: dict[Expr, Expr] = {name: normal(Sub(name, distance))}
    witnesses = tuple(
        Witness(
            tuple(normal(Add(place, distance)) for place in w.point),
            tuple(replaced(c, here) for c in w.counters),
        )
        for w in region.witnesses
    )
    (d,) = region.dimensions
    ends = (normal(Add(end, distance)) for end in (d.lower, d.upper))
    dimension = Dimension(d.variable, *ends)
    return Region((dimension,), layout, witnesses, region.has_gaps)


def _refuse_nothing_written(stage: Stage, context: StageContext) -> None:
    """Raises `StageFailure` when the preconditions leave no iteration in which something is
    stored."""
    known = context.assumptions
    iterations = ((*domain(w.loops), index_condition(w, context.parameters)) for w in stage.writes)
    if all(known.prover.satisfiable((*known.formulas, *r)) is False for r in iterations):
        shown = " and ".join(f"`{p.text}`" for p in known.preconditions if p.formula is not None)
        under = f" where {shown}" if shown else ""
        raise _unsupported("vacuous", f"nothing is ever written to {stage.output}{under}", stage)


def _region_proof(stage: Stage, region: Region, context: StageContext) -> PureProof:
    """A proof of any summary over a region, for what is to be proved of the region alone."""
    layouts = {p.name: Layout(p.name, (), const(0, I64)) for p in _references(context)}
    layouts |= {n: p.summary.layouts[n] for n, p in context.produced.items()}
    layouts[stage.output] = region.layout
    anything = const(0, stage.writes[0].value.type)
    placeholder = Summary(
        stage.name, stage.output, "pure", region.dimensions, layouts, (), anything, region.witnesses
    )
    return PureProof(stage, placeholder, context.assumptions, context.produced)


def _is_filled(stage: Stage, region: Region, context: StageContext) -> bool:
    """Whether a region is seen to be what the stage writes, each of its points once."""
    with context.watch.step("roi"):
        return _region_proof(stage, region, context).region()


def _lift_in_region(stage: Stage, region: Region, context: StageContext) -> LiftedStage:
    watch = context.watch
    for formula in region.needed:
        if not context.assumptions.decide(formula, (), (formula,)).proved:
            raise _unsupported("no-roi", f"{stage.output} may have no rows", stage)
    proof = _region_proof(stage, region, context)
    layouts = dict(proof.summary.layouts)
    with watch.step("roi"):
        if not proof.region():
            message = f"which elements are written to {stage.output} isn't proved"
            raise _refused(stage, proof, None, "no-roi", message)
    with watch.step("terminals"):
        target, terminals, layouts = _terminals_as_seen(stage, region, layouts, context)
    with watch.step("expression"):
        facts = context.facts_at(_in_region(region.dimensions))
        identity = Call(
            stage.output, tuple(d.variable for d in region.dimensions), target.type, "image"
        )
        found = find_expression(
            target,
            terminals,
            context.grammar,
            _prove(context),
            facts,
            context.search_budget,
            identity,
        )
        if found.outside is not None:
            raise _unsupported(
                "no-expression",
                f"the grammar has no expression for `{found.outside!r}`",
                stage,
                help="widen the rule Expr with --grammar FILE",
            )
        # Where the search was wrong, or nobody can tell, there is still what the original says.
        candidates = dict.fromkeys(
            as_tested(to_dsl(e, facts), context.parameters)
            for e in (found.expression, target)
            if e.type is target.type
        )
    failure: StageFailure | None = None
    for candidate in candidates:
        if failure is not None and not derives(
            context.grammar, "Expr", candidate, terminals, identity
        ):
            continue
        trial = context.fork()
        expression = inside_producers(
            candidate, stage.output, region.dimensions, layouts, trial.produced, trial.assumptions
        )
        attempts = [(expression, False), (expression, True)]
        # Rows that other stages see are copied for this one, too: where iterations are.
        asked = proof.has_gaps or bool(context.seen)
        written_if = _iterations_exist(stage, context.parameters) if asked else None
        if written_if is not None and _holds(
            written_if, _in_region(region.dimensions), trial.assumptions
        ):
            written_if = None  # a region of some points says it
        if proof.has_gaps:
            written = to_dsl(_typed(proof.written_here(), region, context.parameters), facts)
            attempts.insert(1, (Select(written, expression, identity), False))
        stores_too_much = False
        for stored, stores_changed in attempts:
            if stores_changed and not stores_too_much:
                break
            summary = _pure_summary(stage, region, layouts, stored)
            summary = replace(summary, stores_changed=stores_changed, written_if=written_if)
            with watch.step("verify"):
                complete = PureProof(stage, summary, trial.assumptions, context.produced)
                complete.summary = summary = _with_numbers(summary, complete)
                complete.obligations, complete.has_gaps = [*proof.obligations], proof.has_gaps
                more = limits_of_places(complete)
                if more and not _is_proved(complete.fork()):
                    complete.summary = summary = _with_numbers(summary, complete, more)
                if _is_proved(complete):
                    clamped = complete.fork()
                    clamped.summary = _clamped(summary, clamped, trial)
                    is_copied = clamped.touched.copies()
                    if is_copied:
                        complete.adopt(clamped)
                        complete.summary = clamped.summary
                    # What is copied may be there at each point, and not where it is clamped to.
                    if is_copied or complete.touched.copies():
                        context.adopt(trial)
                        obligations = tuple(complete.obligations)
                        return LiftedStage(stage, complete.summary, obligations)
            stores_too_much |= complete.stores_too_much
            leaves_out = complete.failed is not None and complete.failed.name == "coverage"
            if not (leaves_out or complete.stores_too_much):
                break
        if failure is None:
            failure = _refused(
                stage,
                complete,
                summary,
                "refuted",
                "the formula that was found isn't proved equal to the original",
            )
        if complete.failed is None or complete.failed.name not in ("value", "frame"):
            break
    assert failure is not None
    raise failure


def _references(context: StageContext) -> list[Param]:
    """The parameters that are one number each."""
    return [p for p in context.assumptions.kernel.params if p.kind == "reference"]


def _with_numbers(summary: Summary, proof: PureProof, more: Sequence[Limit] = ()) -> Summary:
    """A summary with what the guarded entry is to know of numbers that are read: how large those
    are that say how many terms there are (and `more`), and which of those that say where is read it
    may look at.
    """
    claims = filter(proof.rests_on_numbers, proof.stage.claims)
    limits = [*(limit for limit in map(proof.limit_of, claims) if limit is not None), *more]
    places = [
        place
        for read in postorder(summary.expression)
        if isinstance(read, Call) and read.kind == "image"
        for place in postorder(*read.args)
        if isinstance(place, Call) and place.kind == "image"
    ]
    trial = proof.fork()
    asked = dict.fromkeys(places)
    if not limits:
        # A number that may be anything is looked at before the call, wherever the choices lead.
        chosen = {r.call for r in reads_of((summary.expression, TRUE)) if r.condition is not TRUE}
        asked = {p: None for p in asked if p in chosen and p.type.is_int and p.type.bits >= 32}
    anyway = filter(trial.touched.is_made_anyway, asked)
    return replace(summary, limits=tuple(dict.fromkeys(limits)), read_anyway=tuple(anyway))


def _is_proved(proof: PureProof) -> bool:
    return proof.frame() and proof.values()


def _clamped(summary: Summary, proof: PureProof, context: StageContext) -> Summary:
    """A proved summary with reads of the caller's memory clamped where conditions limit them."""
    arrays = context.assumptions.kernel.arrays.values()
    own = frozenset(a.name for a in arrays if a.origin != "param" or a.name in context.produced)
    clamps = Clamps(summary.roi, summary.layouts, context.assumptions)
    expression = clamps.clamped(summary.expression, summary.output, own)
    free, proved = clamps.free(expression)
    if expression is summary.expression or free is not proof.expression:
        return summary
    for text, decision in proved:
        proof.record("reads", text, decision)
    reads = (n for n in postorder(expression) if isinstance(n, Call) and n.kind == "image")
    return replace(summary, expression=expression, terminals=tuple(reads))


def _iterations_exist(stage: Stage, parameters: dict[str, Type]) -> Expr | None:
    """That the loops around some store run, where that is a matter of parameters alone."""
    found: list[Expr] = []
    for write in stage.writes:
        ranges = Ranges(parameters, write.loops)
        asked = [as_formula(part, ranges) for part in conjuncts(write.condition)]
        asked += [normal(GT(loop.extent, const(0, I64))) for loop in write.loops]
        counters = {loop.counter for loop in write.loops}
        by_parameters = [f for f in asked if f is not None and not counters & set(postorder(f))]
        found.append(conjunction(by_parameters))
    runs = disjunction(found)
    return None if isinstance(runs, Const) else runs


def _typed(formula: Expr, region: Region, parameters: dict[str, Type]) -> Expr:
    """A formula over coordinates and parameters as the DSL computes it, in int32."""
    own = {d.variable.name: d.variable.type for d in region.dimensions}
    return as_int32(formula, {**parameters, **own})


def _pure_summary(
    stage: Stage, region: Region, layouts: dict[str, Layout], expression: Expr
) -> Summary:
    reads = [n for n in postorder(expression) if isinstance(n, Call) and n.kind == "image"]
    used = {n.name for n in reads}
    kind: SummaryKind = "window" if any(c.name == "window" for c in stage.claims) else "pure"
    return Summary(
        stage.name, stage.output, kind, region.dimensions,
        {n: layout for n, layout in layouts.items() if n in used or n == stage.output},
        tuple(reads), expression, region.witnesses, nest=stage.nest,
    )  # fmt: skip


def _lift_update(stage: Stage, update: ReductionUpdate, context: StageContext) -> LiftedStage:
    """A reduction into an array: the region is its elements, the domain the iterations."""
    if any(isinstance(n, Load) for d in update.domain for n in postorder(d.lower, d.upper)):
        message = f"numbers in memory say how often {stage.output} is updated"
        raise _unsupported("unsupported-stage", message, stage)
    watch = context.watch
    layouts = {n: p.summary.layouts[n] for n, p in context.produced.items()}
    on_the_way = context.within(stage, "reduction")
    place = update.mapping.index(update.write.indices[0])
    line = Layout(stage.output, (const(1, I64),), const(0, I64))
    layouts.setdefault(stage.output, line if update.is_sum else Layout(stage.output, (), place))
    # One element that a stage before has made isn't one of several.
    has_place = bool(layouts[stage.output].strides)
    with watch.step("terminals"):
        added = update.mapping.partial(update.added)
        target, point, layouts = _update_as_seen(update, added, place, layouts, context)
        reads = [n for n in postorder(target, point) if isinstance(n, Call) and n.kind == "image"]
        own = Call(stage.output, (point,) if has_place else (), target.type, "image")
        for terminal in (*reads, own):
            _check_terminal(terminal, stage, context)
    with watch.step("expression"):
        candidates = _expressions(target, reads, on_the_way)
        own = Call(own.name, to_dsl(own, on_the_way.facts).children, own.type, "image")
        if update.is_bounded:
            (place,) = own.args
            inside = kept_inside(place, update.bounds[1], context.parameters)
            own = Call(own.name, (inside,), own.type, "image")
    low, high = update.bounds
    elements = (Dimension(Variable(_element_name(context.parameters), I32), low, high),)
    notes = f"{stage.output} has the elements {low} to {high} - 1"
    iterations = tuple(loop.counter for loop in reversed(update.write.loops))
    failure: StageFailure | None = None
    attempts = [(added, False) for added in candidates]
    for added, stores_changed in attempts:
        used = {n.name for n in postorder(added, own) if isinstance(n, Call) and n.kind == "image"}
        summary = Summary(
            stage.name, stage.output, "reduction",
            elements if has_place else (),
            {n: layout for n, layout in layouts.items() if n in used}, (*reads, own),
            Add(own, added) if update.is_sum else added,
            (Witness(iterations, update.mapping.counters),),
            update.domain, own.args, notes=(notes,) if has_place else (),
            stores_changed=stores_changed, nest=stage.nest, is_fold=stage.is_fold,
        )  # fmt: skip
        trial = context.fork()
        with watch.step("verify"):
            proof = ReductionProof(stage, summary, trial.assumptions, context.produced)
            if proof.run():
                context.adopt(trial)
                return LiftedStage(stage, summary, tuple(proof.obligations))
        if proof.stores_too_much and not stores_changed:
            attempts.append((added, True))
        elif failure is None:
            failure = _refused(
                stage,
                proof,
                summary,
                "refuted",
                "the sum that was found isn't proved equal to the original",
            )
    assert failure is not None
    raise failure


def _lift_scan(stage: Stage, found: Sequence[Region], context: StageContext) -> LiftedStage:
    """An update in the order of the iterations over one of the regions that were found, each of
    which reads what those before have left."""
    failure: StageFailure | None = None
    is_own = context.assumptions.kernel.arrays[stage.output].origin == "local"
    produced = context.produced.get(stage.output) if is_own else None
    layouts = {} if produced is None else produced.summary.layouts
    flat = [
        region if produced is None else _placed_as(region, layouts[stage.output])
        for region in found
        if not region.layout.rows
    ]
    filled = [region for region in flat if _is_filled(stage, region, context.fork())]
    for region in [*filled, *(r for r in flat if r not in filled)]:
        scan = find_scan(stage, region, context.parameters, is_own=is_own)
        if scan is None:
            continue
        trial = context.fork()
        try:
            lifted = _lift_scan_over(stage, region, scan, trial)
        except StageFailure as refused:
            failure = failure or refused
        else:
            context.adopt(trial)
            return lifted
    if failure is None:
        message = f"what iterations hand on in {stage.output} isn't understood"
        failure = _unsupported("loop-carried", message, stage)
    raise failure


def _expressions(target: Expr, reads: Sequence[Expr], context: StageContext) -> dict[Expr, None]:
    """What an update may be: what the search finds, and what the original says, which says where
    nothing is done as it was written."""
    scalars = dict.fromkeys(n for n in postorder(target) if isinstance(n, Variable))
    found = find_expression(
        target,
        (*reads, *scalars),
        context.grammar,
        _prove(context),
        context.facts,
        context.search_budget,
    )
    return dict.fromkeys(to_dsl(e, context.facts) for e in (found.expression, target))


def _lift_scan_over(stage: Stage, region: Region, scan: Scan, context: StageContext) -> LiftedStage:
    if any(isinstance(n, Load) for d in scan.domain for n in postorder(d.lower, d.upper)):
        message = f"numbers in memory say how often {stage.output} is stored to"
        raise _unsupported("unsupported-stage", message, stage)
    watch = context.watch
    layouts = {p.name: Layout(p.name, (), const(0, I64)) for p in _references(context)}
    layouts |= {n: p.summary.layouts[n] for n, p in context.produced.items()}
    layouts[stage.output] = region.layout
    on_the_way = context.within(stage, "scan")
    with watch.step("terminals"):
        target, stored, layouts = _scan_as_seen(scan, layouts, context)
        reads = [n for n in postorder(target) if isinstance(n, Call) and n.kind == "image"]
        for terminal in (*reads, stored):
            _check_terminal(terminal, stage, context)
    with watch.step("expression"):
        candidates = _expressions(target, reads, on_the_way)
        stored = Call(stored.name, to_dsl(stored, on_the_way.facts).children, stored.type, "image")
    failure: StageFailure | None = None
    for expression in _ways(candidates, region, scan, layouts, context):
        roi = _roi_of_scan(region, expression, stored, scan, layouts, context)
        if roi is None:
            continue
        reads = [n for n in postorder(expression) if isinstance(n, Call) and n.kind == "image"]
        used = {n.name for n in reads}
        summary = Summary(
            stage.name, stage.output, "scan", roi,
            {n: layout for n, layout in layouts.items() if n in used or n == stage.output},
            (*dict.fromkeys((*reads, stored)),), expression, (scan.witness,), scan.domain,
            stored.args, written_if=_runs(stage, roi, context), nest=stage.nest,
            is_fold=stage.is_fold,
        )  # fmt: skip
        trial = context.fork()
        with watch.step("verify"):
            proof = ScanProof(stage, summary, trial.assumptions, context.produced)
            if proof.run():
                context.adopt(trial)
                return LiftedStage(stage, summary, tuple(proof.obligations))
        message = "the scan that was found isn't proved equal to the original"
        failure = failure or _refused(stage, proof, summary, "refuted", message)
    if failure is None:
        message = f"the elements of {stage.output} that iterations hand on lie anywhere"
        failure = _unsupported("loop-carried", message, stage)
    raise failure


def _scan_as_seen(
    scan: Scan, layouts: dict[str, Layout], context: StageContext
) -> tuple[Expr, Call, dict[str, Layout]]:
    """What a scan stores and where, as terms of the DSL, and the arrays' layouts: as others see
    them where that is possible."""
    value = scan.mapping.partial(scan.value)
    places = [scan.mapping.index(i) for i in scan.write.indices]
    own = Load(scan.write.array, tuple(places), value.type)

    def terms(known: dict[str, Layout]) -> tuple[Expr, Call, dict[str, Layout]]:
        found = infer_layouts([value, own], known, scan.mapping.names)
        imager = Imager(found, context.parameters, scan.mapping.names)
        try:
            target, stored = imager.value(value), imager.value(own)
        except NoTerminal as error:
            raise StageFailure(error.diagnostic) from error
        assert isinstance(stored, Call)
        beside: dict[Expr, Expr] = {}
        for load, place in beside_the_store(scan, value, found[stored.name]):
            args = tuple(map(imager.coordinate, place))
            beside[imager.value(load)] = Call(stored.name, args, load.type, "image")
        return substitute(target, beside), stored, found

    return _as_others_see(terms, lambda found: postorder(found[0]), layouts, context)


def _runs(stage: Stage, roi: Sequence[Dimension], context: StageContext) -> Expr | None:
    """That the loops run, where the region has points though they don't."""
    runs = _iterations_exist(stage, context.parameters)
    known = runs is None or _holds(runs, _in_region(roi), context.assumptions)
    return None if known else runs


def _scan_with_clamps(
    expression: Expr, scan: Scan, layouts: dict[str, Layout], context: StageContext
) -> Expr:
    """A scan's value with reads clamped where conditions limit them."""
    arrays = context.assumptions.kernel.arrays.values()
    own = {a.name for a in arrays if a.origin != "param" or a.name in context.produced}
    clamps = Clamps(scan.domain, layouts, context.assumptions)
    return clamps.clamped(expression, "", frozenset(own - scan.updated))


def _ways(
    candidates: Iterable[Expr],
    region: Region,
    scan: Scan,
    layouts: dict[str, Layout],
    context: StageContext,
) -> Iterator[Expr]:
    """Each value of a scan with clamps on what it reads, and without."""
    seen: set[Expr] = set()
    clamped = (_scan_with_clamps(c, scan, layouts, context) for c in candidates)
    kept = (_scan_kept_inside(c, region, scan, layouts, context) for c in candidates)
    plain = (each for pair in zip(clamped, candidates, strict=True) for each in pair)
    for expression in chain(plain, kept):
        if expression not in seen:
            seen.add(expression)
            yield expression


def _scan_kept_inside(
    expression: Expr,
    region: Region,
    scan: Scan,
    layouts: dict[str, Layout],
    context: StageContext,
) -> Expr:
    """A scan's value with its reads of elements that nobody stores kept inside of those that
    are stored, unless conditions let the first or last iteration read them:
    `i % k ? max(d[i - 1], s[i]) : s[i]`."""
    clamps = Clamps(scan.domain, layouts, context.assumptions)
    names = [d.variable for d in scan.domain]
    flattener = Flattener(names, scan.mapping.names, layouts, context.parameters, ())
    prover = context.assumptions.prover
    own = [
        read
        for read in reads_of((expression, TRUE))
        if read.call.name == scan.write.array
        if read.condition is not TRUE and not read.reductions
    ]
    for read in own:
        clamps.settle(read)
    known = (*context.assumptions.formulas, *_in_region(scan.domain))
    moving = {Variable(d.variable.name, I64) for d in scan.domain}

    def kept(read: PathRead, place: Expr, d: Dimension, argument: Expr) -> Expr:
        last = normal(Sub(d.upper, const(1, I64)))
        ends = ((GE(place, d.lower), d.lower, Max), (LT(place, d.upper), last, Min))
        for inside, end, kind in ends:
            if prover.integers(inside, known, 2.0).proved:
                continue
            bound = end
            for axis in scan.domain:
                for first in (axis.lower, normal(Sub(axis.upper, const(1, I64)))):
                    there: dict[Expr, Expr] = {Variable(axis.variable.name, I64): first}
                    beyond = negate(replaced(inside, there))
                    if prover.integers(beyond, known, 2.0).proved:
                        asked = conjunction(replaced(c, there) for c in clamps.formulas(read))
                        if not prover.integers(negate(asked), known, 2.0).proved:
                            chosen = normal(Select(asked, replaced(place, there), bound))
                            bound = chosen if moving.isdisjoint(postorder(chosen)) else bound
            argument = kind(argument, as_int32(bound, context.parameters))
        return argument

    made: dict[Expr, Expr] = {}
    for read in own:
        call = read.call
        places = zip(flattener.coordinates(call), region.dimensions, call.args, strict=True)
        args = tuple(kept(read, place, d, argument) for place, d, argument in places)
        made[call] = Call(call.name, args, call.type, "image")
    return transform(expression, lambda node: made.get(node, node)) if made else expression


def _roi_of_scan(
    region: Region,
    expression: Expr,
    stored: Call,
    scan: Scan,
    layouts: dict[str, Layout],
    context: StageContext,
) -> tuple[Dimension, ...] | None:
    """The elements that a scan stores and those of the output that it reads; all that there are of
    an array of the kernel's own."""
    produced = context.produced.get(stored.name)
    if produced is not None and scan.is_own:
        made = produced.summary.roi
        return made if len(made) == len(region.dimensions) else None
    names = [d.variable for d in scan.domain]
    flattener = Flattener(names, scan.mapping.names, layouts, context.parameters, ())
    own = (
        n
        for n in postorder(expression)
        if isinstance(n, Call) and n.kind == "image" and n.name == stored.name
    )
    found = with_what_is_read(
        region.dimensions,
        flattener.coordinates(stored),
        map(flattener.coordinates, own),
        set(scan.mapping.names),
    )
    known = context.assumptions
    return found and tuple(
        replace(d, lower=_plain(d.lower, known), upper=_plain(d.upper, known)) for d in found
    )


def _plain(end: Expr, known: Assumptions) -> Expr:
    """An end of a region without a choice that is known: `n` for `max(n, n - k)` where k >= 0."""
    if not isinstance(end, (Max, Min)):
        return end
    for one, other in ((end.a, end.b), (end.b, end.a)):
        low, high = (other, one) if isinstance(end, Max) else (one, other)
        if _holds(LE(low, high), (), known):
            return one
    return end


def _update_as_seen(
    update: ReductionUpdate,
    added: Expr,
    place: Expr,
    layouts: dict[str, Layout],
    context: StageContext,
) -> tuple[Expr, Expr, dict[str, Layout]]:
    """What an update adds and where, as terms of the DSL, and the arrays' layouts: those of earlier
    stages where that is possible."""
    coordinates = update.mapping.names

    def terms(known: dict[str, Layout]) -> tuple[Expr, Expr, dict[str, Layout]]:
        found = infer_layouts([added, Cast(I64, place)], known, coordinates)
        imager = Imager(found, context.parameters, coordinates)
        try:
            return imager.value(added), imager.coordinate(place), found
        except NoTerminal as error:
            raise StageFailure(error.diagnostic) from error

    return _as_others_see(terms, lambda found: postorder(*found[:2]), layouts, context)


def _element_name(parameters: dict[str, Type]) -> str:
    return "x" if "x" not in parameters else "x_"


def _check_terminal(terminal: Expr, stage: Stage, context: StageContext) -> None:
    if not derives(context.grammar, "Term", terminal):
        calls = [n for n in postorder(terminal) if isinstance(n, Call) and n.kind == "pure"]
        places = "".join(f" | {c.name}({', '.join(['Index'] * len(c.args))})" for c in calls)
        rule = f", as in `Index := ...{places}`" if calls else ""
        raise _unsupported(
            "no-terminal",
            f"the grammar has no terminal for `{terminal!r}`",
            stage,
            help=f"widen the rule Index with --grammar FILE{rule}",
        )


def _unsupported(
    code: str,
    message: str,
    stage: Stage,
    notes: tuple[str, ...] = (),
    help: str | None = None,
) -> StageFailure:
    return StageFailure(
        Diagnostic(code, "error", message, stage.span, notes, help, family="unsupported")
    )


def _refused(
    stage: Stage, proof: StageProof, summary: Summary | None, code: str, message: str
) -> StageFailure:
    obligation = proof.failed
    assert obligation is not None
    undecided = obligation.verdict == "undecided"
    if obligation.name == "vacuity":
        code, message = "vacuous", "a proof would say nothing"
    claim = "this claim couldn't be decided" if undecided else "this claim doesn't hold"
    diagnostic = Diagnostic(
        "undecided" if undecided else code,
        "error",
        f"{message}; {claim}: {obligation.text} ({obligation.name})",
        stage.span,
        notes=() if summary is None else (_candidate(summary),),
        family="undecided" if undecided else "unsupported",
    )
    return StageFailure(diagnostic, summary, obligation, proof.assumptions.preconditions)


def _candidate(summary: Summary) -> str:
    return f"candidate: {summary.output} = {to_text(summary.expression, longest=SHOWN)}"


def _terminals_as_seen(
    stage: Stage, region: Region, layouts: dict[str, Layout], context: StageContext
) -> tuple[Expr, tuple[Expr, ...], dict[str, Layout]]:
    """The same as `_terminals`, with the arrays as earlier stages see them where that is possible:
    colours at half the size are computed from the channels that brightness is computed from."""

    def terms(known: dict[str, Layout]) -> tuple[Expr, tuple[Expr, ...], dict[str, Layout]]:
        return _terminals(stage, region, known, context)

    return _as_others_see(terms, lambda found: found[1], layouts, context)


def _as_others_see(
    terms: Callable[[dict[str, Layout]], Terms],
    reads: Callable[[Terms], Iterable[Expr]],
    layouts: dict[str, Layout],
    context: StageContext,
) -> Terms:
    """`terms` of the layouts that other stages have for arrays, unless no image is seen in their
    `reads`; else of those that the stage has by itself."""
    seen = {n: layout for n, layout in context.seen.items() if n not in layouts}
    if seen:
        with contextlib.suppress(StageFailure):  # as it sees them by itself, then
            found = terms({**layouts, **seen})
            if not any(_has_products(t) for t in reads(found) if isinstance(t, Call)):
                return found
    return terms(layouts)


def _has_products(read: Call) -> bool:
    """Whether a coordinate depends on a stride: as `src(x + y * pitch, 0)` no image is seen."""
    products = (n for n in postorder(*read.args) if isinstance(n, Mul))
    return any(not isinstance(p.a, Const) and not isinstance(p.b, Const) for p in products)


def _terminals(
    stage: Stage, region: Region, layouts: dict[str, Layout], context: StageContext
) -> tuple[Expr, tuple[Expr, ...], dict[str, Layout]]:
    """The target expression of step 3 over the terminals of step 2, and the arrays' layouts."""
    maps = mappings(stage, region)
    is_alone = len(maps) == 1
    conditions = _of_branches(
        maps, [_value_condition(m, region, context, is_alone=is_alone) for m in maps]
    )
    parts = [
        (m.partial(m.write.value), m.partial(c)) for m, c in zip(maps, conditions, strict=True)
    ]
    coordinates = maps[0].names
    layouts = infer_layouts([e for part in parts for e in part], layouts, coordinates)
    imager = Imager(layouts, context.parameters, coordinates)
    try:
        stores = [
            RegionStore(
                imager.value(v), imager.value(c), m.coordinates, box_of(m.write, m.coordinates),
                (_general(imager, m, m.write.value, v), _general(imager, m, t, c)),
            )
            for (v, c), m, t in zip(parts, maps, conditions, strict=True)
        ]  # fmt: skip
    except NoTerminal as error:
        raise StageFailure(error.diagnostic) from error
    identity = Call(
        stage.output, tuple(d.variable for d in region.dimensions), stores[0].value.type, "image"
    )
    target = combined(
        stores, region, identity, lambda c: context.assumptions.prover.equal(c, TRUE).proved,
        imager.coordinate,
    )  # fmt: skip
    if target is None:
        raise _unsupported("no-expression", "stores of different formulas share no region", stage)
    terminals = [n for n in postorder(target) if isinstance(n, Call) and n.kind == "image"]
    for terminal in terminals:
        _check_terminal(terminal, stage, context)
    scalars = (n for n in postorder(target) if isinstance(n, Variable))
    return target, (*terminals, identity, *dict.fromkeys(scalars)), layouts


def _general(imager: Imager, mapping: Mapping, expr: Expr, partial: Expr) -> Expr:
    """What a store to one place depends on, over the coordinates where that is understood."""
    try:
        return imager.value(mapping.general(expr))
    except NoTerminal:
        return imager.value(partial)


def _of_branches(maps: Sequence[Mapping], conditions: Sequence[Expr]) -> Sequence[Expr]:
    """The conditions of several stores, where there are several branches: those of one branch have
    one, though each implies another part of it by its own place."""
    branches: dict[Expr, list[Expr]] = {}
    for mapping, condition in zip(maps, conditions, strict=True):
        branches.setdefault(mapping.write.condition, []).append(condition)
    if len(branches) == 1:
        return conditions
    return [conjunction(branches[mapping.write.condition]) for mapping in maps]


def _value_condition(
    mapping: Mapping, region: Region, context: StageContext, *, is_alone: bool
) -> Expr:
    """The part of a store's condition that isn't implied by its point lying in the region.

    What one store alone asks of its counters has made the region. Several stores may share it by
    such conditions: `if (y == 0) copy the row, else filter it`.
    """
    write = mapping.write
    in_region = [*_in_region(region.dimensions, mapping.coordinates), *domain(write.loops)]
    made_region = conjuncts(index_condition(write, context.parameters)) if is_alone else ()
    kept = []
    for part in conjuncts(write.condition):
        formula = as_formula(part, Ranges(context.parameters, write.loops))
        if formula is None or not (
            set(conjuncts(formula)) <= set(made_region)
            or _holds(formula, in_region, context.assumptions)
        ):
            kept.append(part)
    return conjunction(kept)


def _holds(formula: Expr, given: Sequence[Expr], assumptions: Assumptions) -> bool:
    """Whether a formula is known without assuming anything new."""
    return assumptions.prover.integers(formula, (*assumptions.formulas, *given)).proved


def _in_region(dimensions: Sequence[Dimension], point: Sequence[Expr] | None = None) -> list[Expr]:
    """That the coordinates, or those of `point`, are those of a point of a region."""
    coordinates = point or [Variable(d.variable.name, I64) for d in dimensions]
    return [bound for d, c in zip(dimensions, coordinates, strict=True) for bound in _bounds(d, c)]


def _bounds(dimension: Dimension, coordinate: Expr) -> Sequence[Expr]:
    return LE(dimension.lower, coordinate), LT(coordinate, dimension.upper)


def _prove(context: StageContext) -> Callable[[Expr, Expr], bool]:
    def prove(a: Expr, b: Expr) -> bool:
        return context.assumptions.prover.equal(a, b, timeout=2.0).proved

    return prove
