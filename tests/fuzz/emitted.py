"""What an emitted program computes, compared with the function that it was lifted from.

The proof is of summaries; that the program which is written of them says the same is tested here:
its text is executed, and interpreted on small images, with a number of ours wherever the program
says that any will do.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from compiler.interp import interpret
from compiler.ir import I64, Expr, Variable, evaluate, lane_dtype, postorder
from compiler.lang.buffer import Buffer
from compiler.lang.params import InputImageParam
from lifter.emit.from_summaries import build_program
from lifter.emit.load import run_pipeline
from lifter.emit.pipeline_text import pipeline_text
from lifter.emit.program import Output, Program
from lifter.lift.lift_function import parameters
from lifter.model.lifted import FunctionResult
from lifter.model.summary import Layout
from lifter.verify.assumptions import typed_formula
from lifter.verify.cases import Case, cases, run_case

SEED = 1
FIRST = {1: -60, 2: -12, 3: -8}
COUNTS = {1: (480,), 2: (60, 60), 3: (32, 32, 32)}
"""By dimensions: the first of the coordinates that images have in each, and how many they are."""
MOST = {1: 300, 2: 40, 3: 16}
"""The largest numbers that tell sizes."""
STEPS = 20_000


@dataclass(frozen=True)
class Different:
    """An element that the program leaves otherwise."""

    case: Case
    array: str
    index: int
    is_there: Any
    should_be: Any


def emitted_difference(result: FunctionResult, count: int = 24) -> Different | None:
    """An input on which the program of a proved result leaves something else; of arrays that are
    no tables of rows. Raises `LiftError` where there is no program."""
    kernel, proof = result.kernel, result.proof
    assert kernel is not None and proof is not None
    program = build_program(result)
    # Of what begins with any value another one is as good.
    text = re.sub(r"hl\.undef\((hl\.\w+\(\d+\))\)", r"hl.cast(\1, 77)", _text(program))
    names = parameters(kernel)
    given = [typed_formula(p.formula, names) for p in proof.preconditions if p.formula is not None]
    layouts: dict[str, Layout] = {}
    for summary in result.summaries:
        layouts |= summary.layouts
    if any(layout.rows for layout in layouts.values()):
        return None
    rank = max(len(layout.strides) for layout in layouts.values())
    for case in cases(kernel, SEED, count, tuple(given)):
        if rank not in MOST or any(abs(n) > MOST[rank] for n in case.scalars.values()):
            continue
        outcome = run_case(kernel, case, STEPS)
        if outcome.stopped is not None or outcome.undefined:
            continue
        stored = dict[str, dict[int, Any]]()
        for output in program.outputs:
            stored[output.array] = _realized(program, text, result.name, output, case, layouts)
        for output in program.outputs:
            memory = outcome.arrays[output.array]
            before = case.memories()[output.array]
            for index in {i[0] for i in memory.written} | stored[output.array].keys():
                expected = memory.peek((index,))
                found = stored[output.array].get(index, before.peek((index,)))
                if _bits(output, expected) != _bits(output, found):
                    return Different(case, output.array, index, found, expected)
    return None


def _text(program: Program) -> str:
    return pipeline_text(program, ["a program"])


def _bits(output: Output, value: Any) -> bytes:
    made = np.asarray(value, lane_dtype(output.type))
    return b"nan" if output.type.is_float and np.isnan(made) else made.tobytes()


def _realized(
    program: Program, text: str, name: str, output: Output, case: Case, layouts: dict[str, Layout]
) -> dict[int, Any]:
    """What the program stores to an array, by the place in memory."""
    loaded = run_pipeline(text, name)
    sources = {image.name: image.array for image in program.images}
    scalars = {scalar.name: scalar.source for scalar in program.scalars}
    for own, given in zip(program.inputs, loaded.inputs, strict=True):
        if isinstance(given, InputImageParam):
            given.set(_image(case, layouts[sources[own]]))
        else:
            given.set(case.scalars[scalars[own]])
    func = loaded.outputs[program.outputs.index(output)]
    ends = [tuple(_number(e, case) for e in pair) for pair in output.region.bounds]
    if output.region.condition is not None and not _number(output.region.condition, case):
        return {}
    region = [(low, max(high - low, 0)) for low, high in ends]
    extents = tuple(extent for _, extent in region)
    if 0 in extents:
        return {}
    (made,) = interpret(func, region)
    layout, found = layouts[output.array], dict[int, Any]()
    for at in itertools.product(*map(range, extents)):
        place = _number(layout.offset, case)
        for (low, _), step, coordinate in zip(region, layout.strides, at, strict=True):
            place += (low + coordinate) * _number(step, case)
        found[place] = made[at]
    return found


def _image(case: Case, layout: Layout) -> Buffer:
    memory = case.memories()[layout.array]
    rank = len(layout.strides)
    first, shape = (FIRST[rank], COUNTS[rank]) if rank else (0, ())
    values = np.zeros(shape, lane_dtype(memory.type))
    offset = _number(layout.offset, case)
    steps = [_number(step, case) for step in layout.strides]
    for at in itertools.product(*map(range, shape)):
        place = offset + sum((first + c) * s for c, s in zip(at, steps, strict=True))
        values[at] = memory.peek((place,))
    buffer = Buffer(values, reverse_axes=False)
    buffer.set_min([first] * len(shape))
    return buffer


def _number(expr: Expr, case: Case) -> int:
    values = {
        v.name: I64.wrap(int(case.scalars[v.name]))
        for v in postorder(expr)
        if isinstance(v, Variable)
    }
    return int(evaluate(expr, values).item())


__all__ = ["Different", "emitted_difference"]
