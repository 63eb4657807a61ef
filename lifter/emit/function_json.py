"""`summary.json`: one function in the schema of `--format json`, and what building it needs."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ..model.lifted import FunctionResult
from ..model.summary import Layout
from .accesses import Box, accesses, nodes_of, scanned_accesses, within_32_bits
from .copied_rows import copied_rows
from .expression_json import expression_to_json
from .function_record import record_of, warnings_of
from .lifted_json import lifted_to_json
from .names import Names
from .program import Output, Program
from .source_reads import source_reads

if TYPE_CHECKING:
    from ..model.proof import Precondition


def summary_to_json(result: FunctionResult, program: Program) -> dict[str, Any]:
    """`summary.json` without its seal: the record's entry, its source, `entry` for those who build,
    and `lifted` for those who prove it again."""
    assert result.kernel is not None
    return {
        "schema": 1,
        "tool": "lift",
        **record_of(result).entry(),
        "qualified_name": result.kernel.qualified_name,
        "symbol": result.kernel.symbol,
        "source": result.kernel.source,
        "models": sorted({f.span.file for f in result.kernel.functions.values() if f.is_model}),
        "source_sha256": hashlib.sha256(result.kernel.source.encode()).hexdigest(),
        "undefined": _undefined(result),
        "obligations": [
            {"name": o.name, "stage": o.stage, "text": o.text, "verdict": o.verdict, "by": o.by}
            for o in (result.proof.obligations if result.proof else ())
        ],
        "entry": _in_c(_entry(result, program), _c_names(result)),
        "lifted": lifted_to_json(result),
    }


UNDEFINED = frozenset({"out-of-bounds", "uninitialised", "signed-overflow"})
"""Warnings that the original has no defined result on some inputs; the lifted code may differ."""


def _undefined(result: FunctionResult) -> list[str]:
    """Where the original is undefined on inputs that satisfy the preconditions."""
    return [str(w) for w in warnings_of(result) if w.code in UNDEFINED]


def _entry(result: FunctionResult, program: Program) -> dict[str, Any]:
    """How the C parameters become the pipeline's images and scalars."""
    kernel = result.kernel
    assert kernel is not None
    layouts: dict[str, Layout] = {}
    for summary in result.summaries:
        layouts |= summary.layouts
    others = source_reads(kernel, result.graph, layouts) if result.graph is not None else {}
    types = {p.name: str(p.type) for p in kernel.params}
    return {
        "params": [
            {
                "name": p.name, "kind": p.kind, "type": str(p.type), "spelling": p.spelling,
                "const": p.is_const, **({"may_be_null": True} if p.may_be_null else {}),
            }
            for p in kernel.params
        ],
        "scalars": [
            {"name": s.name, "source": s.source, "type": str(s.type)} for s in program.scalars
        ],
        "images": [
            {"name": i.name, "array": i.array, "type": str(i.type), **_layout(layouts[i.array])}
            for i in program.images
        ],
        "outputs": [_output(o, layouts[o.array]) for o in program.outputs],
        "source_reads": [
            {"name": name, "array": name, "type": types[name], **_layout(layout)}
            for name, (layout, _) in others.items()
        ],
        "accesses": _accesses(result)
        | {name: [_box(b) for b in dict.fromkeys(boxes)] for name, (_, boxes) in others.items()},
        "preconditions": [
            {
                "text": p.text, "kind": p.kind, "origin": p.origin, "arrays": list(p.arrays),
                "formula": _tested(p),
            }
            for p in (result.proof.preconditions if result.proof else ())
        ],
        "returns": None if kernel.return_type is None else str(kernel.return_type),
        "returned": None if result.graph is None or result.graph.returned is None
        else expression_to_json(result.graph.returned),
        "source_params": [asdict(s) for s in kernel.source_params],
    } | _scans(result) | _copied(result)  # fmt: skip


def _copied(result: FunctionResult) -> dict[str, Any]:
    """The tables of rows that the guarded entry copies; nothing for most."""
    assert result.kernel is not None
    if result.graph is None:
        return {}
    found = {
        table: [
            {
                "coordinates": [c.name for c in read.coordinates], "region": _box(read.region),
                "row": expression_to_json(read.row), "element": expression_to_json(read.element),
                "condition": None
                if read.condition is None
                else expression_to_json(read.condition),
            }
            for read in reads
        ]
        for table, reads in copied_rows(result.kernel, result.summaries, result.graph).items()
    }  # fmt: skip
    return {"copied": found} if found else {}


def _scans(result: FunctionResult) -> dict[str, Any]:
    """What the guarded entry scans, and the boxes that it compares instead; nothing for most."""
    assert result.kernel is not None
    scanned = scanned_accesses(result.kernel, result.summaries)
    callers = {p.name for p in result.kernel.params}
    found = {
        array: [_box(b) for b in boxes_]
        for array, boxes_ in scanned.boxes.items()
        if array in callers
        if any(
            n in (s.least, s.greatest) for b in boxes_ for n in nodes_of(b) for s in scanned.scans
        )
    }
    if scanned.untested:
        raise ValueError(f"{result.kernel.name}: no guard tests {scanned.untested[0].value}")
    if not scanned.scans:
        return {}
    told = [
        {
            "value": expression_to_json(s.value),
            "reads": [
                {"name": name.name, "array": array, "element": expression_to_json(element)}
                for name, array, element in s.reads
            ],
            "coordinates": [c.name for c in s.coordinates], "region": _box(s.region),
            "least": s.least.name, "greatest": s.greatest.name,
        }
        for s in scanned.scans
    ]  # fmt: skip
    limits = [[greatest.name, expression_to_json(most)] for greatest, most in scanned.limits]
    floors = [[least.name, expression_to_json(end)] for least, end in scanned.floors]
    return {"scans": told, "compared": found, "limits": limits, "floors": floors}


def _tested(precondition: Precondition) -> Any:
    """What the guarded entry tests of a precondition."""
    test = precondition.formula if precondition.tested is None else precondition.tested
    return None if test is None else expression_to_json(test)


def _c_names(result: FunctionResult) -> dict[str, str]:
    """C's names of parameters that are fields: `img.width` is `img_width`, or one close to it."""
    assert result.kernel is not None
    plain = [p.name for p in result.kernel.params if "." not in p.name]
    names = Names(set(plain))
    return {p.name: names.take(p.name) for p in result.kernel.params if "." in p.name}


def _in_c(data: Any, names: dict[str, str]) -> Any:
    """The entry with C's names: those of arrays, of scalars, and of what belongs to an array."""
    if not names:
        return data
    if isinstance(data, str):
        stem, _, last = data.rpartition(".")
        if data not in names and last in ("size", "row_stride", "given") and stem in names:
            return f"{names[stem]}.{last}"
        return names.get(data, data)
    if isinstance(data, (list, tuple)):
        return [_in_c(item, names) for item in data]
    if isinstance(data, dict):
        return {
            _in_c(key, names): value if key == "text" else _in_c(value, names)
            for key, value in data.items()
        }
    return data


def _layout(layout: Layout) -> dict[str, Any]:
    return {
        "strides": list(map(expression_to_json, layout.strides)),
        "offset": expression_to_json(layout.offset),
        "rows": layout.rows,
    }


def _output(output: Output, layout: Layout) -> dict[str, Any]:
    condition = output.region.condition
    return {
        "name": output.func,
        "array": output.array,
        "type": str(output.type),
        **_layout(layout),
        "region": [
            [expression_to_json(low), expression_to_json(high)]
            for low, high in output.region.bounds
        ],
        "condition": None if condition is None else expression_to_json(condition),
        "copy_first": output.copy_first,
        "stores_changed": output.stores_changed,
        "is_never_copied": output.is_never_copied,
    }


def _accesses(result: FunctionResult) -> dict[str, Any]:
    """For each array of the caller's, boxes of coordinates that hold all accesses."""
    kernel = result.kernel
    assert kernel is not None
    callers = {p.name for p in kernel.params}
    found: dict[str, list[Any]] = {}
    for summary in result.summaries:
        for array, boxes in accesses(summary, kernel.functions, kernel.arrays).items():
            if array in callers:
                entries = found.setdefault(array, [])
                for box in boxes:
                    entry = _box(within_32_bits(box))
                    if entry not in entries:
                        entries.append(entry)
    return found


def _box(box: Box) -> list[list[Any]]:
    return [[expression_to_json(a), expression_to_json(b)] for a, b in box]
