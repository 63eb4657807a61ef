"""A lifted function as its callers see it: what `summary.json` says about its C interface."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compiler.ir import I64, Expr, Type, Variable, transform

from ..model.kernel import ParamKind, PutBack, PutBackArgument, SourceField, SourceParam, word_of
from .c_names import with_c_names
from .expression_json import expression_from_json, type_from_text
from .lifted_json import lifted_from_json

_C_TYPES = {
    "bool": "bool",
    "float32": "float",
    "float64": "double",
    **{f"{code}{bits}": f"{code}{bits}_t" for code in ("int", "uint") for bits in (8, 16, 32, 64)},
}
# Spellings that mean one type everywhere: others (`Byte`, `uchar`) are the source's own names.
_STANDARD = re.compile(
    r"(std::)?(u?int(8|16|32|64)_t|size_t|ptrdiff_t)|bool|float|double"
    r"|((un)?signed )?(char|short( int)?|int|long( int)?|long long( int)?)|unsigned|signed"
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of the original, in its order."""

    name: str
    kind: ParamKind
    type: Type
    spelling: str
    const: bool
    may_be_null: bool = False
    """Whether the lifted code takes null, too: `NAME.given` says whether the pointer isn't."""

    @property
    def memory(self) -> str:
        """The C type of one element as the pipeline sees the memory, which may be narrower."""
        return _C_TYPES[str(self.type)]

    @property
    def element(self) -> str:
        """The C type of the scalar or of one element."""
        return self._base.removeprefix("std::") if self.is_standard else _C_TYPES[str(self.type)]

    @property
    def is_standard(self) -> bool:
        """Whether the source names the type by a word that means one type everywhere."""
        return _STANDARD.fullmatch(self._base) is not None

    @property
    def is_void(self) -> bool:
        """Whether the source has a pointer to nothing in particular."""
        return self._base == "void"

    @property
    def _base(self) -> str:
        base = re.sub(r"\b(const|restrict|__restrict)\b|[*&]|\[\d*\]", "", self.spelling)
        return " ".join(base.split())


@dataclass(frozen=True, slots=True)
class ImageView:
    """An image of the pipeline over one of the arrays; see `lifter.model.summary.Layout`."""

    name: str
    array: str
    type: Type
    strides: tuple[Expr, ...]
    offset: Expr
    rows: bool


@dataclass(frozen=True, slots=True)
class OutputView:
    """What is realized, and over which (lower, upper) of each coordinate, innermost first."""

    view: ImageView
    region: tuple[tuple[Expr, Expr], ...]
    condition: Expr | None
    copy_first: bool
    stores_changed: bool = False
    """Whether only elements that get another value may be stored."""
    is_never_copied: bool = False
    """See `program.Output`."""


@dataclass(frozen=True, slots=True)
class Assumption:
    """A precondition of the proof; `formula` is None for any kind but `formula`."""

    text: str
    kind: str
    arrays: tuple[str, ...]
    formula: Expr | None


Box = tuple[tuple[Expr, Expr], ...]
"""(smallest, largest) of each coordinate, innermost first."""


@dataclass(frozen=True, slots=True)
class ScannedRead:
    """An element of an array, which a scan has a name for."""

    name: str
    array: str
    element: Expr


@dataclass(frozen=True, slots=True)
class ScannedNumber:
    """See `lifter.emit.accesses.Scan`; all that has a name there has that of a scalar."""

    value: Expr
    reads: tuple[ScannedRead, ...]
    coordinates: tuple[str, ...]
    region: Box
    least: str
    greatest: str


@dataclass(frozen=True, slots=True)
class CopiedRead:
    """A read of a table that the original makes at each point of a region where `condition` holds.

    All are index expressions over the parameters and over `coordinates`, of which each has ends
    that may name those before it.
    """

    coordinates: tuple[Variable, ...]
    region: Box
    """(smallest, largest) of each coordinate."""
    row: Expr
    element: Expr
    """Its place in the row."""
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class CopiedTable:
    """A table of rows that the guarded entry copies where they aren't evenly spaced."""

    array: str
    reads: tuple[CopiedRead, ...]


@dataclass(frozen=True, slots=True)
class Interface:
    """Everything that building and calling a lifted function needs."""

    name: str
    qualified_name: str
    file: str
    line: int
    status: str
    params: tuple[Parameter, ...]
    scalars: dict[str, str]
    """The source's name of each scalar that the pipeline takes, by the pipeline's name."""
    images: tuple[ImageView, ...]
    outputs: tuple[OutputView, ...]
    accesses: dict[str, tuple[Box, ...]]
    assumptions: tuple[Assumption, ...]
    returns: str | None
    obligations: int
    source: str
    undefined: tuple[str, ...]
    """Warnings that the original is undefined on some inputs: there the two may differ."""
    source_reads: tuple[ImageView, ...] = ()
    """Arrays that the original reads and the pipeline doesn't: only the guard needs them."""
    models: tuple[str, ...] = ()
    """The files that give meaning to functions whose bodies the source doesn't show."""
    sources: tuple[SourceParam, ...] = ()
    """The parameters as the source has them, objects not taken apart."""
    returned: Expr | None = None
    """What the original returns, over the scalars; `returns` is its type."""
    symbol: str | None = None
    """The linker's name of the original; empty where no other file can call it, None where an older
    `lift` didn't say."""
    is_noexcept: bool = False
    """Whether the original promises to throw nothing, which its declarations must repeat."""
    has_floats: bool = False
    """Whether anything is computed with floats, so that their modes matter."""
    bounds: tuple[Expr, ...] = ()
    """The bounds of all stages' regions, of those of temporaries too."""
    signature: str = ""
    """The original's type, as its own language spells it."""
    scans: tuple[ScannedNumber, ...] = ()
    """What the guarded entry looks at before it compares boxes."""
    compared: dict[str, tuple[Box, ...]] = field(default_factory=dict)
    """Boxes that it compares instead of those in `accesses`: closer ones, over what it scans."""
    limits: tuple[tuple[str, Expr], ...] = ()
    """Greatest numbers that it has found, and what they may be at most."""
    floors: tuple[tuple[str, Expr], ...] = ()
    """Least numbers, and what they may be at least."""
    copied: tuple[CopiedTable, ...] = ()
    """Tables of rows that may lie anywhere."""
    put_back: PutBack | None = None
    """How its code goes back into the source; None for what an older `lift` wrote."""
    put_back_names: tuple[str, ...] = ()
    """The names that `put_back` has for `params`, in their order."""

    @property
    def result(self) -> str:
        """The C type of what the guarded entry returns."""
        return "void" if self.returns is None else _C_TYPES[self.returns]

    @property
    def has_vectors(self) -> bool:
        """Whether its entry with the original's parameters is C++."""
        return any(p.kind == "vector" for p in self.params)

    @property
    def is_c(self) -> bool:
        """Whether the original has C linkage (`extern "C"`)."""
        return bool(self.symbol) and self.symbol == self.qualified_name.rpartition("::")[2]

    @property
    def takes_objects(self) -> bool:
        return any(s.passing != "plain" for s in self.sources)

    def c_record(self, record: str) -> str:
        """The name of a structure in C, which says `struct` where nobody has defined a type."""
        tagged = re.search(rf"\b(struct|union) {re.escape(record)}\b", self.signature)
        return f"{tagged[1]} {record}" if tagged else record

    def view_of(self, array: str) -> ImageView:
        """How the array is laid out. Raises `KeyError` when neither the pipeline nor the original
        touches it."""
        for view in (*(o.view for o in self.outputs), *self.images, *self.source_reads):
            if view.array == array:
                return view
        raise KeyError(array)

    def parameter(self, name: str) -> Parameter:
        return next(p for p in self.params if p.name == name)


def load_interface(folder: Path) -> Interface:
    """Reads `summary.json`; parameters have names that C and C++ code may have.

    Raises `OSError`, or `ValueError` when it isn't one of ours.
    """
    data = json.loads((folder / "summary.json").read_text("utf-8"))
    try:
        return with_c_names(_interface(data))
    except (KeyError, TypeError) as error:
        raise ValueError(f"{folder / 'summary.json'} is no summary: {error}") from error


def _interface(data: dict[str, Any]) -> Interface:
    entry = data["entry"]
    return Interface(
        name=word_of(data["name"]),
        qualified_name=data["qualified_name"],
        file=data.get("unit") or data["file"],
        line=data["line"],
        status=data["status"],
        params=tuple(
            Parameter(
                p["name"],
                p["kind"],
                type_from_text(p["type"]),
                p["spelling"],
                p["const"],
                p.get("may_be_null", False),
            )
            for p in entry["params"]
        ),
        scalars={s["name"]: s["source"] for s in entry["scalars"]},
        images=tuple(map(_view, entry["images"])),
        outputs=tuple(
            OutputView(
                _view(o),
                _box(o["region"]),
                None if o["condition"] is None else expression_from_json(o["condition"]),
                o["copy_first"],
                o.get("stores_changed", False),
                o.get("is_never_copied", False),
            )
            for o in entry["outputs"]
        ),
        accesses={a: tuple(map(_box, boxes)) for a, boxes in entry["accesses"].items()},
        assumptions=tuple(
            Assumption(
                p["text"],
                p["kind"],
                tuple(p["arrays"]),
                None if p["formula"] is None else expression_from_json(p["formula"]),
            )
            for p in entry["preconditions"]
        ),
        returns=entry["returns"],
        obligations=data["proof"]["obligations"] if data["proof"] else 0,
        source=data["source"],
        undefined=tuple(data["undefined"]),
        source_reads=tuple(map(_view, entry.get("source_reads", ()))),
        models=tuple(data.get("models", ())),
        sources=tuple(map(_source, entry.get("source_params", ()))),
        returned=_optional(entry.get("returned")),
        symbol=data.get("symbol"),
        is_noexcept=data["signature"].endswith(" noexcept"),
        has_floats=_has_floats(data),
        bounds=_bounds(data),
        signature=data["signature"],
        scans=tuple(
            ScannedNumber(
                expression_from_json(s["value"]),
                tuple(
                    ScannedRead(r["name"], r["array"], expression_from_json(r["element"]))
                    for r in s["reads"]
                ),
                tuple(s["coordinates"]),
                _box(s["region"]),
                s["least"],
                s["greatest"],
            )
            for s in entry.get("scans", ())
        ),
        limits=tuple((n, expression_from_json(most)) for n, most in entry.get("limits", ())),
        floors=tuple((n, expression_from_json(least)) for n, least in entry.get("floors", ())),
        compared={a: tuple(map(_box, boxes)) for a, boxes in entry.get("compared", {}).items()},
        copied=tuple(
            CopiedTable(array, tuple(map(_copied, reads)))
            for array, reads in entry.get("copied", {}).items()
        ),
        put_back=_put_back(data.get("put_back")),
        put_back_names=tuple(p["name"] for p in data["params"]),
    )


def _put_back(data: dict[str, Any] | None) -> PutBack | None:
    if data is None:
        return None
    told = {key: tuple(map(tuple, data[key])) for key in ("pieces", "kept", "moved")}
    arguments = tuple(PutBackArgument(**a) for a in data["arguments"])
    told |= {key: tuple(data.get(key, ())) for key in ("present", "beside")}
    return PutBack(**{**data, **told, "arguments": arguments})


def _copied(data: dict[str, Any]) -> CopiedRead:
    return CopiedRead(
        tuple(Variable(name, I64) for name in data["coordinates"]),
        _box(data["region"]),
        expression_from_json(data["row"]),
        expression_from_json(data["element"]),
        _optional(data["condition"]),
    )


def _optional(data: Any) -> Expr | None:
    return None if data is None else expression_from_json(data)


def _has_floats(data: dict[str, Any]) -> bool:
    """Whether some value is a float; some parameter, of what an older `lift` wrote."""
    floats = {f"{code}{bits}" for code in ("float", "bfloat") for bits in (16, 32, 64)}
    texts = [p["type"] for p in data["entry"]["params"]]
    texts += (data.get("lifted") or {}).get("nodes", [])
    return any(not floats.isdisjoint(text.split()) for text in texts)


def _bounds(data: dict[str, Any]) -> tuple[Expr, ...]:
    """Nothing for what an older `lift` wrote."""
    lifted = data.get("lifted")
    summaries = lifted_from_json(lifted).summaries if lifted else ()
    bounds = dict.fromkeys(b for s in summaries for d in s.roi for b in (d.lower, d.upper))
    # Summaries have the kernel's names (`image.width`), an interface has its parameters'.
    told = zip(data["params"], data["entry"]["params"], strict=True)
    flat = {kernel["name"]: own["name"] for kernel, own in told}

    def visit(node: Expr) -> Expr:
        if isinstance(node, Variable) and node.name in flat:
            return Variable(flat[node.name], node.type)
        return node

    return tuple(transform(bound, visit) for bound in bounds)


def _source(data: dict[str, Any]) -> SourceParam:
    fields = tuple(SourceField(**f) for f in data["fields"])
    return SourceParam(data["name"], data["spelling"], data["passing"], data["record"], fields)


def _view(data: dict[str, Any]) -> ImageView:
    return ImageView(
        data["name"],
        data["array"],
        type_from_text(data["type"]),
        tuple(map(expression_from_json, data["strides"])),
        expression_from_json(data["offset"]),
        data["rows"],
    )


def _box(data: list[Any]) -> Box:
    return tuple((expression_from_json(a), expression_from_json(b)) for a, b in data)
