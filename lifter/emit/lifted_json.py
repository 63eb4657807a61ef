"""`lifted` of `summary.json`: what was proved, as data from which the proof can be made again.

    "lifted": {
      "nodes": ["Variable int32 x", "Const int64 0", "Variable int64 n", "Call image uint8 src 0"],
      "summaries": [{"stage": "dst", "output": "dst", "kind": "pure", "roi": [[0, 1, 2]],
                     "layouts": {...}, "terminals": [3], "expression": 3, ...}],
      "functions": [{"name": "Mul8", "params": [4, 5], "body": 9}],
      "preconditions": [{"text": "n <= 9", "kind": "formula", "origin": "inferred", ...}],
      "returned": null}

Expressions share parts, so they are one table of nodes: a node's operands are the numbers of
earlier ones. Names are quoted as in a URL, so that none holds a blank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args
from urllib.parse import quote, unquote

from compiler.ir import Call, Cast, Const, Expr, Load, Type, Variable, postorder

from ..dag import Reduce
from ..model.lifted import FunctionResult
from ..model.proof import PreconditionKind
from ..model.summary import Dimension, Layout, Limit, Summary, Witness
from .expression_json import NODES, type_from_text

if TYPE_CHECKING:
    from ..model.proof import Precondition

MOST_NODES = 1_000_000
_CALLS = ("image", "pure", "intrinsic")
_SUMMARY_KINDS = ("pure", "reduction", "scan", "window")


@dataclass(frozen=True, slots=True)
class FunctionBody:
    """A pure function of the source, with its body in the DSL's terms."""

    name: str
    params: tuple[Variable, ...]
    body: Expr


@dataclass(frozen=True, slots=True)
class Assumed:
    """A precondition; the fields are those of `lifter.verify.Precondition`."""

    text: str
    kind: PreconditionKind
    origin: Literal["assert", "comment", "option", "inferred"]
    arrays: tuple[str, ...]
    formula: Expr | None
    tested: Expr | None


@dataclass(frozen=True, slots=True)
class LiftedData:
    """What `lifted` says."""

    summaries: tuple[Summary, ...]
    functions: tuple[FunctionBody, ...]
    preconditions: tuple[Assumed, ...]
    returned: Expr | None


def lifted_to_json(result: FunctionResult) -> dict[str, Any]:
    """The value of the key `lifted` for a function whose every stage has a summary."""
    assert result.kernel is not None
    table = _Table()
    summaries = [_summary(s, table) for s in result.summaries]
    functions = []
    for name in _called(result):
        function = result.kernel.functions[name]
        functions.append(
            {"name": name, "params": table.all(function.params), "body": table.add(function.body)}
        )
    preconditions = [
        _precondition(p, table) for p in (result.proof.preconditions if result.proof else ())
    ]
    returned = None if result.graph is None else table.optional(result.graph.returned)
    return {
        "nodes": table.nodes,
        "summaries": summaries,
        "functions": functions,
        "preconditions": preconditions,
        "returned": returned,
    }


def _called(result: FunctionResult) -> list[str]:
    """The names of the functions that the summaries call, directly or not."""
    assert result.kernel is not None
    found: dict[str, None] = {}
    pending = [e for s in result.summaries for e in (s.expression, *s.update_point)]
    while pending:
        for node in postorder(pending.pop()):
            if isinstance(node, Call) and node.kind == "pure" and node.name not in found:
                found[node.name] = None
                pending.append(result.kernel.functions[node.name].body)
    return sorted(found)


class _Table:
    """Nodes by number, each once."""

    def __init__(self) -> None:
        self.nodes: list[str] = []
        self._numbers: dict[Expr, int] = {}

    def add(self, expr: Expr) -> int:
        for node in postorder(expr):
            self._number(node)
        return self._number(expr)

    def _number(self, node: Expr) -> int:
        number = self._numbers.get(node)
        if number is None:
            # A counter that a body doesn't mention is none of its operands' parts.
            counter = [self.add(node.counter)] if isinstance(node, Reduce) else []
            text = _node_text(node, [*counter, *(self._numbers[c] for c in node.children)])
            number = self._numbers[node] = len(self.nodes)
            self.nodes.append(text)
        return number

    def all(self, exprs: Sequence[Expr]) -> list[int]:
        return [self.add(e) for e in exprs]

    def optional(self, expr: Expr | None) -> int | None:
        return None if expr is None else self.add(expr)


def _node_text(node: Expr, operands: Sequence[int]) -> str:
    """Raises `ValueError` for a node that no summary has."""
    match node:
        case Const():
            value = float(node.value).hex() if node.type.is_float else str(int(node.value))
            words = ["Const", str(node.type), value]
        case Variable():
            words = ["Variable", str(node.type), _quoted(node.name)]
        case Cast():
            words = ["Cast", str(node.type)]
        case Call() if node.kind in _CALLS:
            words = ["Call", node.kind, str(node.type), _quoted(node.name)]
        case Load() if node.predicate is None:
            words = ["Load", str(node.type), _quoted(node.array)]
        case Reduce():
            words = ["Reduce", node.operator]
        case _ if type(node).__name__ in NODES:
            words = [type(node).__name__]
        case _:
            raise ValueError(f"{node} is no part of a summary")
    return " ".join([*words, *map(str, operands)])


def _quoted(name: str) -> str:
    return quote(name, safe="")


def _summary(summary: Summary, table: _Table) -> dict[str, Any]:
    return {
        "stage": summary.stage,
        "output": summary.output,
        "kind": summary.kind,
        "roi": [_dimension(d, table) for d in summary.roi],
        "layouts": {
            name: {
                "strides": table.all(layout.strides),
                "offset": table.add(layout.offset),
                "rows": layout.rows,
            }
            for name, layout in summary.layouts.items()
        },
        "terminals": table.all(summary.terminals),
        "expression": table.add(summary.expression),
        "witnesses": [[table.all(w.point), table.all(w.counters)] for w in summary.witnesses],
        "domain": [_dimension(d, table) for d in summary.domain],
        "update_point": table.all(summary.update_point),
        "condition": table.optional(summary.condition),
        "notes": list(summary.notes),
        "nest": summary.nest,
        "is_fold": summary.is_fold,
        "stores_changed": summary.stores_changed,
        "written_if": table.optional(summary.written_if),
        "read_anyway": table.all(summary.read_anyway),
        "limits": [
            table.all((limit.value, limit.most, *([] if limit.least is None else [limit.least])))
            for limit in summary.limits
        ],
    }


def _dimension(dimension: Dimension, table: _Table) -> list[int]:
    return table.all((dimension.variable, dimension.lower, dimension.upper))


def _precondition(precondition: Precondition, table: _Table) -> dict[str, Any]:
    return {
        "text": precondition.text,
        "kind": precondition.kind,
        "origin": precondition.origin,
        "arrays": list(precondition.arrays),
        "formula": table.optional(precondition.formula),
        "tested": table.optional(precondition.tested),
    }


def lifted_from_json(data: Any) -> LiftedData:
    """What `lifted_to_json` wrote; raises `ValueError` for anything else, however it is broken.

    Every expression is well typed. Nothing says that it is true.
    """
    try:
        return _Reader(data["nodes"]).everything(data)
    except (KeyError, TypeError, AttributeError, IndexError, OverflowError) as error:
        raise ValueError(f"what was lifted can't be read: {error}") from error


class _Reader:
    def __init__(self, nodes: Any) -> None:
        if not isinstance(nodes, list) or len(nodes) > MOST_NODES:
            raise ValueError("what was lifted has no table of nodes")
        self.nodes: list[Expr] = []
        for text in nodes:
            self.nodes.append(self._node(text.split(" ")))

    def everything(self, data: dict[str, Any]) -> LiftedData:
        return LiftedData(
            tuple(map(self._summary, data["summaries"])),
            tuple(
                FunctionBody(
                    _text(f["name"]),
                    tuple(map(self._variable, f["params"])),
                    self._expr(f["body"]),
                )
                for f in data["functions"]
            ),
            tuple(map(self._precondition, data["preconditions"])),
            self._optional(data["returned"]),
        )

    def _node(self, words: list[str]) -> Expr:
        made: Expr
        match words:
            case ["Const", type, value]:
                kind = type_from_text(type)
                made = Const(kind, float.fromhex(value) if kind.is_float else int(value))
            case ["Variable", type, name]:
                made = Variable(unquote(name), type_from_text(type))
            case ["Cast", type, value]:
                made = Cast(type_from_text(type), self._operand(value))
            case ["Call", ("image" | "pure" | "intrinsic") as call, type, name, *args]:
                operands = tuple(map(self._operand, args))
                made = _call(unquote(name), operands, type_from_text(type), call)
            case ["Load", type, name, *places]:
                places_ = tuple(map(self._operand, places))
                made = Load(unquote(name), places_, type_from_text(type))
            case ["Reduce", ("add" | "mul" | "min" | "max") as how, counter, extent, body]:
                made = Reduce(how, *map(self._operand, (counter, extent, body)))
            case [name, *operands] if name in NODES:
                made = NODES[name](*map(self._operand, operands))
            case _:
                raise ValueError(f"{' '.join(words)!r} is no node")
        return made

    def _operand(self, word: str) -> Expr:
        if not word.isdecimal():
            raise ValueError(f"{word!r} is no number of a node")
        return self.nodes[int(word)]

    def _expr(self, number: Any) -> Expr:
        if type(number) is not int or number < 0:
            raise ValueError(f"{number!r} is no number of a node")
        return self.nodes[number]

    def _exprs(self, numbers: Any) -> tuple[Expr, ...]:
        return tuple(map(self._expr, numbers))

    def _optional(self, number: Any) -> Expr | None:
        return None if number is None else self._expr(number)

    def _variable(self, number: Any) -> Variable:
        found = self._expr(number)
        if not isinstance(found, Variable):
            raise ValueError(f"{found} is no variable")
        return found

    def _read(self, number: Any) -> Call:
        found = self._expr(number)
        if not isinstance(found, Call) or found.kind != "image":
            raise ValueError(f"{found} is no read")
        return found

    def _dimension(self, numbers: Any) -> Dimension:
        variable, lower, upper = numbers
        return Dimension(self._variable(variable), self._expr(lower), self._expr(upper))

    def _summary(self, data: dict[str, Any]) -> Summary:
        if data["kind"] not in _SUMMARY_KINDS or type(data["nest"]) is not int:
            raise ValueError(f"a summary of kind {data['kind']!r} in nest {data['nest']!r}")
        return Summary(
            _text(data["stage"]),
            _text(data["output"]),
            data["kind"],
            tuple(map(self._dimension, data["roi"])),
            {
                _text(name): Layout(
                    name,
                    self._exprs(layout["strides"]),
                    self._expr(layout["offset"]),
                    layout["rows"] is True,
                )
                for name, layout in data["layouts"].items()
            },
            self._exprs(data["terminals"]),
            self._expr(data["expression"]),
            tuple(Witness(self._exprs(p), self._exprs(c)) for p, c in data["witnesses"]),
            tuple(map(self._dimension, data["domain"])),
            self._exprs(data["update_point"]),
            self._optional(data["condition"]),
            tuple(map(_text, data["notes"])),
            data.get("stores_changed") is True,
            self._optional(data.get("written_if")),
            tuple(map(self._read, data.get("read_anyway", ()))),
            tuple(Limit(*self._exprs(limit)) for limit in data.get("limits", ())),
            data["nest"],
            data.get("is_fold") is True,
        )

    def _precondition(self, data: dict[str, Any]) -> Assumed:
        if data["kind"] not in get_args(PreconditionKind):
            raise ValueError(f"a precondition of kind {data['kind']!r}")
        if data["origin"] not in ("assert", "comment", "option", "inferred"):
            raise ValueError(f"a precondition from {data['origin']!r}")
        return Assumed(
            _text(data["text"]),
            data["kind"],
            data["origin"],
            tuple(map(_text, data["arrays"])),
            self._optional(data["formula"]),
            self._optional(data["tested"]),
        )


def _call(name: str, args: tuple[Expr, ...], type: Type, kind: Any) -> Expr:
    if kind != "intrinsic":
        read: Expr = Call(name, args, type, kind)
        return read
    from compiler.ir import INTRINSICS, intrinsic
    from compiler.ir.formula import reinterpreted

    if name == "reinterpret" and len(args) == 1:
        return reinterpreted(type, *args)
    if name not in INTRINSICS:
        raise ValueError(f"{name!r} is no function of the language")
    made = intrinsic(name, *args)
    if made.type is not type:
        raise ValueError(f"{name} gives {made.type}, not {type}")
    return made


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    return value
