"""`F.schedule.py`: the directives under which a function is built, read without being run.

It stands beside `pipeline.py` and is a person's, or was written by `lift build --schedule NAME` and
may be edited then: an edited one is never written over. Anybody may have written it, so its syntax
tree is walked: stages, loops, and directives that give every element the value that it has anyway.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ..model.diagnostic import Diagnostic, LiftError, Span

if TYPE_CHECKING:
    from compiler.ir import Expr
    from compiler.ir.stmts import LoweredFunction
    from compiler.lang import Function
    from compiler.lang.schedule import StageSchedule

MOST_CHARACTERS = 200_000
_MOST_STATEMENTS = 2000
_LARGEST = 1 << 24
_WIDEST = 1024
"""Of vectors and unrolled loops: each step is code of its own."""
_WRITTEN = re.compile(r"# Written by lift build --schedule \S+ \(([0-9a-f]{16})\)[^\n]*\n")
_NAMES = re.compile(r"[A-Za-z_][\w$.]*( [A-Za-z_][\w$.]*)*", re.ASCII)
_DIRECTIVES = frozenset(
    (
        *("split", "fuse", "rename", "reorder", "tile", "vectorize", "unroll", "parallel"),
        *("serial", "atomic", "compute_with", "never_partition_all", "always_partition_all"),
        *("compute_root", "compute_at", "compute_inline", "store_root", "store_at"),
        *("hoist_storage", "hoist_storage_root", "reorder_storage", "align_storage"),
        *("fold_storage", "stream_stores", "stream_loads", "set_estimate", "unscheduled"),
    )
)
"""Those that change when something is computed, and never what."""
_COPIES = frozenset(("vectorize", "unroll"))
_RESERVED = frozenset(("hl", "pipeline"))


def schedule_path(folder: Path, name: str) -> Path:
    """Where the schedule of the function `name` stands, written or not."""
    return folder / f"{name}.schedule.py"


def given_schedule(folder: Path, name: str, method: str | None) -> str | None:
    """The schedule that a build takes from the folder; None where there is none to take.

    With a method's name, what an earlier build wrote is no input, but what a person wrote is; with
    `default` neither is. Raises `LiftError` (`schedule-file`) for a file that can't be read.
    """
    path = schedule_path(folder, name)
    if method == "default" or not path.is_file():
        return None
    try:
        if path.stat().st_size > MOST_CHARACTERS:
            raise OSError(f"it has more than {MOST_CHARACTERS} bytes")
        text = path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except (OSError, ValueError) as error:
        _refuse(path, ast.Pass(lineno=1, col_offset=0), f"it can't be read: {error}")
    return text if method is None or not is_written(text) else None


def is_written(text: str) -> bool:
    """Whether `lift build` wrote this and nobody has edited it."""
    found = _WRITTEN.match(text)
    return found is not None and found[1] == _digest(text[found.end() :])


def written(method: str, text: str) -> str:
    """The file of a schedule that `method` chose."""
    head = f"# Written by lift build --schedule {method} ({_digest(text)}); edited, it is kept.\n"
    return head + text


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def apply_schedule(text: str, pipeline: Any, path: Path) -> None:
    """Gives the directives in `text` to the stages of `pipeline` (an `hl.Pipeline`).

    A stage has the name that it has in `pipeline.py`, or is `pipeline.get_func(N)`; a coordinate
    has its name, and other loops are declared by `hl.Var`, `hl.vars`, `hl.RVar`, or found as
    `stage.rvars(N)[M]`. Raises `LiftError` (`schedule-file`) with the place in `path` of anything
    else, of a directive that makes no sense, and of one that adds floats in another order.
    """
    from compiler.lang.errors import HalideError

    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line, column = getattr(error, "lineno", 1) or 1, getattr(error, "offset", 1) or 1
        where = ast.Pass(lineno=line, col_offset=max(0, column - 1))
        _refuse(path, where, f"this is no Python: {getattr(error, 'msg', error)}")
    if len(tree.body) > _MOST_STATEMENTS:
        _refuse(path, tree.body[_MOST_STATEMENTS], "it is too long")
    reading = _Reading(pipeline, path)
    for stmt in tree.body:
        try:
            reading.execute(stmt)
            for function in reading.order:
                _check_order_of_floats(function)
        except HalideError as error:
            _refuse(path, stmt, str(error))
        except (RecursionError, MemoryError):
            _refuse(path, stmt, "it is nested too deeply")


class _Reading:
    """The statements so far: what has a name by now."""

    def __init__(self, pipeline: Any, path: Path) -> None:
        import compiler
        from compiler.lower.environment import realization_order

        self.hl: Any = compiler
        self.path = path
        self.pipeline = pipeline
        self.order: Sequence[Function] = realization_order(pipeline._outputs())
        self.names: dict[str, Any] = {}
        for function in self.order:
            for coordinate in function.args:
                self.names[coordinate] = self.hl.Var(coordinate)
        for function in self.order:
            self.names[function.name.partition("$")[0]] = self.hl.Func(function)

    def execute(self, stmt: ast.stmt) -> None:
        match stmt:
            case ast.Expr(value=ast.Constant(value=str())):
                pass  # a docstring
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._name(stmt, name, self._made(value))
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value):
                made = self._made(value)
                if not isinstance(made, tuple) or len(made) != len(targets):
                    self._refuse(stmt)
                for target, one in zip(targets, made, strict=True):
                    if not isinstance(target, ast.Name):
                        self._refuse(target)
                    self._name(target, target.id, one)
            case ast.Expr(value=ast.Call() as call):
                self._chain(call)
            case _:
                self._refuse(stmt)

    def _name(self, at: ast.AST, name: str, value: Any) -> None:
        if name in _RESERVED or name.startswith("__"):
            self._refuse(at)
        self.names[name] = value

    def _made(self, node: ast.expr) -> Any:
        """What a declaration declares: a stage or loops."""
        hl = self.hl
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="pipeline"), attr="get_func"),
                args=[number],
                keywords=[],
            ):
                return self.pipeline.get_func(self._number(number))
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="hl"), attr=("Var" | "RVar" | "vars") as kind),
                args=[ast.Constant(value=str() as text)],
                keywords=[],
            ) if _NAMES.fullmatch(text) and (kind == "vars" or " " not in text):
                return getattr(hl, kind)(text)
            case ast.Subscript(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name() as stage, attr="rvars"),
                    args=numbers,
                    keywords=[],
                ),
                slice=place,
            ) if len(numbers) <= 1:
                found = self._stage(stage).rvars(*map(self._number, numbers))
                index = self._number(place)
                if index < len(found):
                    return found[index]
        return self._refuse(node)

    def _chain(self, call: ast.Call) -> Any:
        """`stage.update(0).split(...).parallel(yo)`."""
        match call:
            case ast.Call(func=ast.Attribute(value=inner, attr=name), args=args, keywords=[]):
                on = self._chain(inner) if isinstance(inner, ast.Call) else self._stage(inner)
                if name == "update" and isinstance(inner, ast.Name) and len(args) <= 1:
                    return on.update(*map(self._number, args))
                if name not in _DIRECTIVES:
                    known = f"there are {', '.join(sorted(_DIRECTIVES))}"
                    _refuse(self.path, call, f"{name} is no directive for lifted code", known)
                method: Callable[..., Any] | None = getattr(on, name, None)
                if method is None:
                    _refuse(self.path, call, f"{name} is for whole stages, not for updates")
                given = [self._argument(a) for a in args]
                if name == "atomic" and given:
                    self._refuse(call)
                widths = [g for g in given if isinstance(g, int)]
                if name in _COPIES and any(w > _WIDEST for w in widths):
                    _refuse(self.path, call, f"{name} makes at most {_WIDEST} copies")
                method(*given)
                return on
        return self._refuse(call)

    def _stage(self, node: ast.expr) -> Any:
        found = self.names.get(node.id) if isinstance(node, ast.Name) else None
        if not isinstance(found, self.hl.Func):
            known = ", ".join(n for n, v in self.names.items() if isinstance(v, self.hl.Func))
            _refuse(self.path, node, f"{_shown(node)} is no stage", f"the stages are {known}")
        return found

    def _argument(self, node: ast.expr) -> Any:
        match node:
            case ast.Name(id=name) if name in self.names:
                return self.names[name]
            case ast.Attribute(
                value=ast.Attribute(value=ast.Name(id="hl"), attr="TailStrategy"), attr=name
            ) if name in self.hl.TailStrategy.__members__:
                return self.hl.TailStrategy[name]
            case ast.List(elts=parts):
                return [self._argument(part) for part in parts]
            case ast.Constant() | ast.UnaryOp():
                return self._number(node, may_be_negative=True)
        return self._refuse(node)

    def _number(self, node: ast.expr, may_be_negative: bool = False) -> int:
        match node:
            case ast.Constant(value=bool()):
                pass
            case ast.Constant(value=int() as value) if value <= _LARGEST:
                return value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant() as operand) if may_be_negative:
                return -self._number(operand)
        return self._refuse(node)

    def _refuse(self, node: ast.AST) -> NoReturn:
        _refuse(self.path, node, f"{_shown(node)} is no directive, stage or loop")


def _check_order_of_floats(function: Function) -> None:
    """Raises `HalideError` where a sum of floats would be rounded otherwise: the language takes
    such a sum as the same in any order."""
    from compiler.lang.errors import HalideError

    if not any(type.is_float for type in function.types):
        return
    for index, stage in enumerate(function.schedule.stages):
        definition = function.definitions[index]
        domain = definition.domain
        if domain is None:
            continue
        if stage.atomic or not _in_order(stage, list(domain.names)):
            raise HalideError(
                f"{function.name.partition('$')[0]} adds floats: in another order, or several at "
                "once, the sum would be rounded otherwise than the original's"
            )


def _in_order(stage: StageSchedule, names: list[str]) -> bool:
    """Whether the reduction's loops, first name innermost, are taken in their own order."""
    from compiler.lang.schedule import Fuse, Rename, Split

    wanted = names  # innermost first
    for change in stage.splits:
        match change:
            case Split(old=old) if old in wanted:
                at = wanted.index(old)
                wanted = [*wanted[:at], change.inner, change.outer, *wanted[at + 1 :]]
            case Rename(old=old) if old in wanted:
                wanted = [change.new if n == old else n for n in wanted]
            case Fuse(inner=inner, outer=outer) if inner in wanted or outer in wanted:
                at = wanted.index(inner) if inner in wanted else -1
                if at < 0 or wanted[at + 1 : at + 2] != [outer]:
                    return False
                wanted = [*wanted[:at], change.fused, *wanted[at + 2 :]]
    loops = [d for d in stage.dimensions if d.name in wanted]
    ordered = [d.name for d in loops] == wanted
    return ordered and all(d.kind in ("serial", "unrolled") for d in loops)


def demands(fn: LoweredFunction) -> set[Expr]:
    """What a call must fulfil not to fail, in names that are the same in every process."""
    from compiler.ir import Variable, stmts, substitute, transform
    from compiler.ir.stmt_transform import children_of

    # Tables have no names of their own, but numbers in the order in which they are made.
    unnamed = [a.name for a in fn.args if re.fullmatch(r"b\d+", a.name)]
    unnamed.sort(key=lambda name: int(name[1:]))
    tables = {name: f"table {number}" for number, name in enumerate(unnamed)}

    def plain(node: Expr) -> Expr:
        if not isinstance(node, Variable):
            return node
        head, dot, rest = node.name.partition(".")
        named: Expr = Variable(f"{tables.get(head, _plain(head))}{dot}{_plain(rest)}", node.type)
        return named

    found: set[Expr] = set()

    def visit(stmt: stmts.Stmt, lets: dict[Expr, Expr]) -> None:
        if isinstance(stmt, stmts.AssertStmt):
            found.add(transform(substitute(stmt.condition, lets), plain))
        if isinstance(stmt, stmts.LetStmt):
            value = substitute(stmt.value, lets)
            lets = {**lets, Variable(stmt.name, stmt.value.type): value}
        for child in children_of(stmt):
            visit(child, lets)

    visit(fn.body, {})
    return found


def _plain(name: str) -> str:
    """A name without the numbers that make it unique in its process."""
    return re.sub(r"\$\d+", "", name)


def check_demands(scheduled: LoweredFunction, plain: LoweredFunction, path: Path) -> None:
    """Raises `LiftError` (`schedule-file`) where the scheduled function fails on images on which
    the plain one doesn't, as `vectorize(x, 16)` does that begins before a narrow image's edge; and
    where it reads elements that the plain one doesn't, as a stage may that is computed whole."""
    more = sorted(map(str, demands(scheduled) - demands(plain)))
    further = {_plain(n) for n in plain.read_exactly} - {_plain(n) for n in scheduled.read_exactly}
    if not more and not further:
        return
    said = [f"it needs also `{text}`" for text in more[:3]]
    said += [f"it reads elements of {name} that nothing needs" for name in sorted(further)]
    raise LiftError(
        Diagnostic(
            "schedule-file",
            "error",
            "under this schedule not every call that the proof admits would succeed: "
            + " and ".join(said),
            Span(str(path), 1, 1, 1, 1),
            help="give the loops that are split the tail hl.TailStrategy.GuardWithIf"
            if more
            else "compute the stages that read it where they are needed, or inline",
        )
    )


def _shown(node: ast.AST) -> str:
    try:
        text = " ".join(ast.unparse(node).split())
    except (ValueError, RecursionError):
        text = type(node).__name__
    text = "".join(c if c.isprintable() else "?" for c in text)
    return f"`{text if len(text) <= 60 else text[:57] + '...'}`"


def _refuse(path: Path, node: ast.AST, message: str, help: str | None = None) -> NoReturn:
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
    end = getattr(node, "end_lineno", None) or line
    end_column = (getattr(node, "end_col_offset", None) or column - 1) + 1
    raise LiftError(
        Diagnostic(
            "schedule-file",
            "error",
            message,
            Span(str(path), line, column, end, end_column),
            help=help or "it is read and never run: `lift explain schedule-file` has an example",
        )
    )


__all__ = [
    "apply_schedule",
    "check_demands",
    "given_schedule",
    "is_written",
    "schedule_path",
    "written",
]
