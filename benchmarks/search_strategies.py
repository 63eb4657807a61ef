"""Three-step search against one monolithic search (dexter-2019 section 6.3, first experiment).

    python benchmarks/search_strategies.py [--limit SECONDS]

Both use the same bottom-up enumeration (lifter/synth/enumerate.py), the same grammar's operators
and the same constants. The monolithic search is asked for everything at once: what element p of the
output is, for any p, over p itself, the parameters, constants and reads at computed places. Region
of interest, terminals and expression are parts of one candidate,

    select(<is p in the region?>, <expression over a[<place>]>, out[p])

and a candidate counts when it gives every sampled element of the kernel's concrete runs. It is
given no proof to do, so its times are lower bounds. The three steps are `lift`'s own, with proof.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from compiler.ir import BOOL, I32, Call, Const, Expr, Type, Variable, postorder
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.kernel import Kernel
from lifter.parse import parse_file
from lifter.synth import load_grammar
from lifter.synth.enumerate import Enumeration, _Level, _Operator, operators
from lifter.synth.samples import SEED
from lifter.verify.cases import cases, run_case

ROOT = Path(__file__).resolve().parents[1] / "corpus"
KERNELS = (
    ("filter/basic.cpp", "CopyRows"),
    ("filter/basic.cpp", "InvertSpan"),
    ("filter/basic.cpp", "ThresholdKeep"),
    ("blend/basic.cpp", "darken_plane"),
    ("blend/basic.cpp", "difference_u16"),
)
CASES, POINTS, MARGIN = 24, 40, 3
LARGEST_COST = 60


class Monolithic(Enumeration):
    """An enumeration that also reads images: the element at a place that it has computed."""

    def __init__(self, images: dict[str, Any], *args: Any) -> None:
        """`images`: by name the elements around 0 of each sample, [sample, MARGIN + place]."""
        super().__init__(*args)
        self.images = images

    def _combine(
        self, operator: _Operator, levels: tuple[_Level, ...]
    ) -> Iterator[tuple[tuple[Any, ...], Any, Any]]:
        node = operator.node
        if not isinstance(node, Call) or node.kind != "image":
            yield from super()._combine(operator, levels)
            return
        image, places = self.images[node.name], levels[0].values
        sample = np.arange(self.size)
        for start in range(0, len(places), 8192):
            at = places[start : start + 8192].astype(np.int64) + MARGIN
            # A place outside of what the run touched is no reason to give up: the read may stand
            # in a branch that is not taken there.
            values = image[sample, np.clip(at, 0, image.shape[1] - 1)]
            rows = np.arange(start, start + len(at))
            yield (rows,), values, np.zeros(len(rows), bool)


def monolithic(kernel: Kernel, limit: float) -> tuple[str, float, int]:
    """(outcome, seconds, candidates tried) of the search for the whole summary at once."""
    began = time.perf_counter()
    output, element, points, inputs, images, goal = _samples(kernel)
    summary = lift_kernel(kernel, LiftOptions()).summaries[0].expression
    computed = {type(x) for x in postorder(summary)}
    types: list[Type] = sorted({BOOL, I32, element}, key=lambda t: (t.bits, t.code))
    searching = operators(load_grammar().expression_vocabulary, types, computed)
    place = Variable("place", I32)
    for name in images:
        searching.append(_Operator(Call(name, (place,), element, "image"), (I32,), 1))
    leaves: list[tuple[Expr, int]] = [(Variable(name, I32), 1) for name in inputs]
    values = {0, 1} | {int(x.value) for x in postorder(summary) if isinstance(x, Const)}
    leaves += [(Const(t, v), 1) for t in types if not t.is_bool for v in values if t.contains(v)]
    search = Monolithic(
        images, leaves, Variable("goal", element), goal, inputs, searching, np.zeros(points, bool)
    )
    found = next(search.candidates(LARGEST_COST, began + limit), None)
    seconds = time.perf_counter() - began
    return (f"found {output} = {found}" if found is not None else "time-out"), seconds, search.tried


def _samples(
    kernel: Kernel,
) -> tuple[str, Type, int, dict[str, Any], dict[str, Any], Any]:
    """Elements of the output before and after concrete runs, inside and outside of the region."""
    random = np.random.default_rng(SEED)
    scalars = [p for p in kernel.params if p.kind == "scalar"]
    arrays = [p for p in kernel.params if p.kind == "array"]
    output = next(p for p in arrays if not p.is_const)
    rows: list[tuple[dict[str, int], dict[str, list[Any]], Any]] = []
    for case in cases(kernel, SEED, CASES):
        before, after = case.memories(), run_case(kernel, case).arrays[output.name]
        size = 1 + max((i for (i,) in after.written), default=0)
        some = random.integers(-MARGIN, size + MARGIN, POINTS)
        taken = {p.name: [_element(before[p.name], i) for i in _places(size)] for p in arrays}
        for p in some.tolist():
            named = {"p": p, **{s.name: int(case.scalars[s.name]) for s in scalars}}
            rows.append((named, taken, _element(after, p)))
    kind = np.dtype(f"{output.type.code}{output.type.bits}")
    widest = max(len(x) for _, taken, _ in rows for x in taken.values())
    images = {p.name: np.zeros((len(rows), widest), kind) for p in arrays}
    for sample, (_, taken, _) in enumerate(rows):
        for name, elements in taken.items():
            images[name][sample, : len(elements)] = elements
    inputs = {name: np.array([r[0][name] for r in rows], np.int32) for name in rows[0][0]}
    goal = np.array([r[2] for r in rows], kind)
    return output.name, output.type, len(rows), inputs, images, goal


def _places(size: int) -> range:
    return range(-MARGIN, size + MARGIN)


def _element(memory: Any, place: int) -> Any:
    return memory.peek((place,))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--limit", type=float, default=900.0, help="seconds a kernel  [900]")
    limit = parser.parse_args().limit
    print("| kernel | three steps, with proof | monolithic, without | candidates tried |")
    print("|---|--:|--:|--:|")
    for file, name in KERNELS:
        kernel = next(k for k in parse_file(ROOT / file).kernels if k.name == name)
        began = time.perf_counter()
        status = lift_kernel(kernel, LiftOptions()).status
        three = time.perf_counter() - began
        outcome, seconds, tried = monolithic(kernel, limit)
        print(
            f"| `{name}` | {status} in {three:.2f} s | {outcome}, {seconds:.0f} s | {tried:,} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
