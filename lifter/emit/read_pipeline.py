"""Reads a `pipeline.py` that anybody may have written, without running it.

`lift verify` meets files of strangers (a pull request in CI), and a Python file that is imported
may do anything. So its syntax tree is walked here, and only the shapes that `pipeline_text` prints
have a meaning: assignments of the language's own objects, definitions, and pure functions over
expressions. Anything else is refused with its line, before anything of it has happened.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..model.reserved import is_special
from .load import LoadedPipeline
from .names import program_name
from .same_program import has_docstring

MOST_CHARACTERS = 4_000_000
MOST_STEPS = 300_000
_MOST_DIMENSIONS = 16
_LARGEST = 1 << 64
_LONGEST_NAME = 1000
_ENCODING = re.compile(r"[ \t\f]*#.*coding[:=]")
_UTF_8 = re.compile(r"# (-\*- )?coding: utf-8( -\*-)?")
_NAMES = re.compile(r"[A-Za-z_]\w*( [A-Za-z_]\w*)*", re.ASCII)
_MODULES = {"compiler": "hl", "halide": "hl", "numpy": "np"}
_ARRAY_TYPES = frozenset(
    [*(f"{code}int{bits}" for code in ("", "u") for bits in (8, 16, 32, 64)), "float32", "float64"]
)
_DECLARING = frozenset(("ImageParam", "Param", "Func", "Var", "vars", "RDom"))
_REDUCTIONS = frozenset(("sum", "product", "minimum", "maximum"))
_VALUES = _REDUCTIONS | {
    *(f"{code}{bits}" for code in "iu" for bits in (8, 16, 32, 64)),
    *("f32", "f64", "cast", "reinterpret", "select", "min", "max", "clamp", "logical_not"),
    *("div_round_to_zero", "mod_round_to_zero", "undef"),
}
_METHODS = frozenset(("dim", "set_bounds", "set_stride", "output_buffer"))
_AXES = frozenset("xyzw")
_RESERVED = frozenset(("hl", "np", "float"))
_BINARY: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Mod: operator.mod, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip
_IN_PLACE: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.iadd,
    ast.Sub: operator.isub,
}


class Unreadable(ValueError):
    """A pipeline that isn't of the shapes that `lift` writes; `line` is where."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line


def read_pipeline(text: str, function: str) -> LoadedPipeline:
    """What running `text` and calling what the source's `function` became would give.

    Raises `Unreadable` for anything that `pipeline_text` doesn't print. Errors of the language
    itself (a type that doesn't fit) pass through, as from running it.
    """
    if len(text) > MOST_CHARACTERS:
        raise Unreadable(1, f"the file has {len(text)} characters")
    refuse_other_encodings(text)
    try:
        tree = ast.parse(text)
        return _Module().read(tree, function)
    except SyntaxError as error:
        raise Unreadable(error.lineno or 1, f"no Python: {error.msg}") from error
    except (RecursionError, MemoryError) as error:
        raise Unreadable(1, "it is nested too deeply") from error


def refuse_other_encodings(text: str) -> None:
    """Raises `Unreadable` where Python would decode the file in another way than it was here.

    In some encodings a comment holds statements: `\\u000a` ends its line.
    """
    for number, line in enumerate(text.split("\n")[:2], 1):
        if _ENCODING.match(line) and not _UTF_8.fullmatch(line):
            raise Unreadable(number, "the file names an encoding")


@dataclass(frozen=True, slots=True)
class _Function:
    """A pure function of the module, and what it may name: only what stands above it."""

    params: tuple[str, ...]
    body: list[ast.stmt]
    names: dict[str, Any]


class _Module:
    """One file; `steps` counts what was evaluated, so that no file takes for ever."""

    def __init__(self) -> None:
        import numpy as np

        import compiler
        from compiler.ir import INTRINSICS

        self.hl: Any = compiler
        self.np: Any = np
        self.calls = _VALUES | {name for name in INTRINSICS if hasattr(compiler, name)}
        self.names: dict[str, Any] = {}
        self.steps = 0
        self.declared: dict[str, Any] = {}
        """Inputs, functions and domains by the names that the language knows them by."""

    def read(self, tree: ast.Module, function: str) -> LoadedPipeline:
        body = tree.body[1:] if has_docstring(tree.body) else tree.body
        for stmt in body:
            match stmt:
                case ast.Import(names=[ast.alias(name=name, asname=given)]):
                    if given is None or _MODULES.get(name) != given:
                        raise Unreadable(stmt.lineno, f"{_shown(stmt)} is nothing that lift writes")
                case ast.ImportFrom(
                    module="lifter", names=[ast.alias(name="hl", asname=None)], level=0
                ):
                    pass
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self.names[self._free(stmt, name)] = self._table(value)
                case ast.FunctionDef():
                    self.names[self._free(stmt, stmt.name)] = self._function(stmt)
                case _:
                    raise Unreadable(stmt.lineno, f"{_shown(stmt)} is nothing that lift writes")
        main = self.names.get(program_name(function))
        if not isinstance(main, _Function) or main.params:
            raise Unreadable(1, f"there is no function {function}()")
        returned = self._run(main, {})
        if not (
            isinstance(returned, tuple)
            and len(returned) == 2
            and all(isinstance(part, list) for part in returned)
        ):
            raise Unreadable(main.body[-1].lineno, "it doesn't return lists of inputs and outputs")
        hl = self.hl
        for part, kinds in zip(returned, ((hl.ImageParam, hl.Param), (hl.Func,)), strict=True):
            if not all(isinstance(item, kinds) for item in part):
                raise Unreadable(main.body[-1].lineno, "what it returns is no input or no output")
        inputs = set(map(id, returned[0]))
        for name, made in self.declared.items():
            if isinstance(made, hl.ImageParam | hl.Param) and id(made) not in inputs:
                raise Unreadable(main.body[-1].lineno, f"the input {name} isn't returned")
        return LoadedPipeline(*returned, dict(self.names))

    def _free(self, at: ast.stmt, name: str) -> str:
        if name in self.names or name in _RESERVED or is_special(name):
            raise Unreadable(at.lineno, f"{name} has another meaning already")
        return name

    def _function(self, node: ast.FunctionDef) -> _Function:
        given = node.args
        plain = not (
            given.posonlyargs or given.kwonlyargs or given.defaults or given.kw_defaults
            or given.vararg or given.kwarg or node.decorator_list or node.returns
        )  # fmt: skip
        if not plain or any(a.annotation for a in given.args):
            raise Unreadable(node.lineno, f"the head of {node.name} is nothing that lift writes")
        body = node.body[1:] if has_docstring(node.body) else node.body
        if not body or not isinstance(body[-1], ast.Return):
            raise Unreadable(node.lineno, f"{node.name} returns nothing")
        params = tuple(a.arg for a in given.args)
        if _RESERVED & set(params):
            raise Unreadable(node.lineno, f"the head of {node.name} is nothing that lift writes")
        return _Function(params, body, dict(self.names))

    def _run(self, function: _Function, arguments: Mapping[str, Any]) -> Any:
        own = _Body(self, {**function.names, **arguments})
        for stmt in function.body[:-1]:
            own.execute(stmt)
        last = function.body[-1]
        assert isinstance(last, ast.Return)
        if last.value is None:
            raise Unreadable(last.lineno, "it returns nothing")
        return own.result(last.value)

    def step(self, node: ast.AST) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Unreadable(getattr(node, "lineno", 1), "it takes too long to read")

    def _table(self, node: ast.expr) -> Any:
        """`hl.Buffer(np.array([1, 2], np.uint8).reshape(1, 2))`."""
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="hl"), attr="Buffer"),
                args=[array],
                keywords=[],
            ):
                made = self._array(array)
                return self.hl.Buffer(made)
        raise Unreadable(node.lineno, f"{_shown(node)} is nothing that lift writes")

    def _array(self, node: ast.expr) -> Any:
        match node:
            case ast.Call(
                func=ast.Attribute(value=inner, attr="reshape"), args=sizes, keywords=[]
            ) if sizes:
                shape = [_plain_number(s) for s in sizes]
                return self._array(inner).reshape(*map(int, shape))
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="np"), attr="array"),
                args=[
                    ast.List(elts=values),
                    ast.Attribute(value=ast.Name(id="np"), attr=kind),
                ],
                keywords=[],
            ) if kind in _ARRAY_TYPES:
                return self.np.array([_plain_number(v) for v in values], getattr(self.np, kind))
        raise Unreadable(node.lineno, f"{_shown(node)} is nothing that lift writes")


class _Body:
    """The statements of one function, with what has a name in it by now."""

    def __init__(self, module: _Module, names: dict[str, Any]) -> None:
        self.module = module
        self.hl = module.hl
        self.names = names

    def execute(self, stmt: ast.stmt) -> None:
        self.module.step(stmt)
        match stmt:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._name(stmt, name, self.value(value))
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value) if all(
                isinstance(t, ast.Name) for t in targets
            ):
                made = self.value(value)
                if not isinstance(made, tuple) or len(made) != len(targets):
                    raise self._refusal(stmt)
                for target, part in zip(targets, made, strict=True):
                    assert isinstance(target, ast.Name)
                    self._name(stmt, target.id, part)
            case ast.Assign(targets=[ast.Subscript() as place], value=value):
                func, point = self._defined(place)
                func[point] = self._one_or_several(value)
            case ast.AugAssign(target=ast.Subscript() as place, op=op) if type(op) in _IN_PLACE:
                func, point = self._defined(place)
                func[point] = _IN_PLACE[type(op)](func[point], self._operand(stmt.value))
            case ast.Expr(value=ast.Call() as call):
                self._promise(call)
            case _:
                raise self._refusal(stmt)

    def result(self, node: ast.expr) -> Any:
        """`[inputs], [outputs]` of the pipeline, or the value of a pure function."""
        match node:
            case ast.Tuple(elts=[ast.List(elts=inputs), ast.List(elts=outputs)]):
                return [self._named(i) for i in inputs], [self._named(o) for o in outputs]
        return self._operand(node)

    def _named(self, node: ast.expr) -> Any:
        if not isinstance(node, ast.Name):
            raise self._refusal(node)
        return self.value(node)

    def _name(self, at: ast.AST, name: str, value: Any) -> None:
        if name in self.module.names or name in _RESERVED or name.startswith("__"):
            raise self._refusal(at)
        self.names[name] = value

    def _defined(self, place: ast.Subscript) -> tuple[Any, Any]:
        """The function and the point of a definition."""
        func = self.value(place.value)
        if not isinstance(place.value, ast.Name) or not isinstance(func, self.hl.Func):
            raise self._refusal(place)
        return func, self._point(place.slice)

    def _one_or_several(self, node: ast.expr) -> Any:
        """What a function is defined as: a value, or `hl.Tuple([a, b])`."""
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="hl"), attr="Tuple"),
                args=[ast.List(elts=values)],
                keywords=[],
            ) if len(values) > 1:
                return self.hl.Tuple([self._operand(v) for v in values])
        return self._operand(node)

    def _point(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Tuple):
            return tuple(self._operand(part) for part in node.elts)
        return self._operand(node)

    def _promise(self, call: ast.Call) -> Any:
        """`src.dim(0).set_bounds(0, 4).set_stride(1)` and `dst.output_buffer().dim(1)...`."""
        match call:
            case ast.Call(func=ast.Attribute(value=inner, attr=name), args=args, keywords=[]) if (
                name in _METHODS
            ):
                on = self._promise(inner) if isinstance(inner, ast.Call) else self._named(inner)
                given = [self._stride(a) for a in args]
                if isinstance(on, self.hl.Func) != (name == "output_buffer"):
                    raise self._refusal(call)
                if not isinstance(inner, ast.Call) and not isinstance(
                    on, self.hl.Func | self.hl.ImageParam
                ):
                    raise self._refusal(call)
                return getattr(on, name)(*given)
        raise self._refusal(call)

    def _stride(self, node: ast.expr) -> Any:
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="hl"), attr="Expr"), args=[], keywords=[]
            ):
                return self.hl.Expr()
        return _plain_number(node)

    def _operand(self, node: ast.expr) -> Any:
        """A value of the language or a number."""
        found = self.value(node)
        hl = self.hl
        kinds = hl.Expr | hl.Var | hl.RVar | hl.FuncRef | hl.FuncTupleElementRef | hl.Param
        if isinstance(found, kinds | int | float):
            return found
        raise self._refusal(node)

    def value(self, node: ast.expr) -> Any:
        self.module.step(node)
        match node:
            case ast.Constant() | ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
                return _plain_number(node)
            case ast.Name(id=name):
                found = self.names.get(name)
                if found is None or isinstance(found, _Function):
                    raise self._refusal(node)
                return found
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
                return self._binary(node, op, left, right)
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _BINARY:
                return self._binary(node, op, left, right)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self._operand(operand)
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return ~self._expression(operand)
            case ast.Subscript(value=ast.Name() as base, slice=point):
                read = self.value(base)
                if not isinstance(read, self.hl.Func | self.hl.ImageParam | self.hl.Buffer):
                    raise self._refusal(node)
                return read[self._point(point)]
            case ast.Subscript(
                value=ast.Subscript() as whole, slice=ast.Constant(value=int() as number)
            ) if type(number) is int:
                read = self.value(whole)
                if not isinstance(read, self.hl.FuncRef):
                    raise self._refusal(node)
                return read[number]
            case ast.Attribute(value=ast.Name() as base, attr=axis) if axis in _AXES:
                domain = self.value(base)
                if not isinstance(domain, self.hl.RDom):
                    raise self._refusal(node)
                return getattr(domain, axis)
            case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=text)], keywords=[]):
                if text not in ("inf", "-inf", "nan"):
                    raise self._refusal(node)
                return float(text)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                function = self.names.get(name)
                if not isinstance(function, _Function) or len(args) != len(function.params):
                    raise self._refusal(node)
                given = [self._operand(a) for a in args]
                return self.module._run(function, dict(zip(function.params, given, strict=True)))
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="hl"), attr=name), args=args, keywords=[]
            ):
                return self._call(node, name, args)
        raise self._refusal(node)

    def _expression(self, node: ast.expr) -> Any:
        found = self._operand(node)
        if isinstance(found, int | float):
            raise self._refusal(node)
        return found

    def _binary(self, node: ast.expr, op: ast.AST, left: ast.expr, right: ast.expr) -> Any:
        a, b = self._operand(left), self._operand(right)
        if isinstance(a, int | float) and isinstance(b, int | float):
            raise self._refusal(node)  # Python would compute it, by its own rules
        return _BINARY[type(op)](a, b)

    def _call(self, node: ast.Call, name: str, args: list[ast.expr]) -> Any:
        if name in self.module.calls:
            first, *rest = args or [node]
            if name in ("cast", "reinterpret", "undef"):
                given = [self._type(first), *map(self._operand, rest)]
            elif name in _REDUCTIONS:
                given = [self._domain(first), *map(self._operand, rest)]
            else:
                given = [self._operand(a) for a in args]
            return getattr(self.hl, name)(*given)
        if name in _DECLARING:
            return self._declaration(node, name, args)
        raise self._refusal(node)

    def _domain(self, node: ast.expr) -> Any:
        domain = self._named(node)
        if not isinstance(domain, self.hl.RDom):
            raise self._refusal(node)
        return domain

    def _type(self, node: ast.expr) -> Any:
        match node:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Name(id="hl"),
                    attr=("UInt" | "Int" | "Float" | "BFloat" | "Bool") as name,
                ),
                args=args,
                keywords=[],
            ) if len(args) == (name != "Bool"):
                return getattr(self.hl, name)(*map(self._width, args))
        raise self._refusal(node)

    def _width(self, node: ast.expr) -> int:
        width = _plain_number(node)
        if width not in (8, 16, 32, 64) or not isinstance(width, int):
            raise self._refusal(node)
        return width

    def _declaration(self, node: ast.Call, name: str, args: list[ast.expr]) -> Any:
        hl = self.hl
        match name, args:
            case (("Var" | "vars"), [text]):
                return getattr(hl, name)(self._text(text))
            case "Func", [text]:
                return self._declared(text, hl.Func(self._text(text)))
            case "Param", [type, text]:
                return self._declared(text, hl.Param(self._type(type), self._text(text)))
            case "ImageParam", [type, ast.Constant(value=int() as rank), text] if (
                0 <= rank <= _MOST_DIMENSIONS
            ):
                made = hl.ImageParam(self._type(type), rank, self._text(text))
                return self._declared(text, made)
            case "RDom", [ast.List(elts=pairs), text]:
                made = hl.RDom([self._pair(p) for p in pairs], self._text(text))
                return self._declared(text, made)
        raise self._refusal(node)

    def _declared(self, text: ast.expr, made: Any) -> Any:
        """Two things of one name couldn't be told apart when the pipeline is read back."""
        name = self._text(text)
        if name in self.module.declared:
            raise Unreadable(text.lineno, f"there are two things named {name}")
        self.module.declared[name] = made
        return made

    def _pair(self, node: ast.expr) -> tuple[Any, Any]:
        if not isinstance(node, ast.Tuple) or len(node.elts) != 2:
            raise self._refusal(node)
        low, extent = map(self._operand, node.elts)
        return low, extent

    def _text(self, node: ast.expr) -> str:
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and _NAMES.fullmatch(text) and len(text) < _LONGEST_NAME:
            return text
        raise self._refusal(node)

    def _refusal(self, node: ast.AST) -> Unreadable:
        line = getattr(node, "lineno", 1)
        return Unreadable(line, f"{_shown(node)} is nothing that lift writes")


def _plain_number(node: ast.expr) -> int | float:
    match node:
        case ast.Constant(value=bool()):
            pass
        case ast.Constant(value=int() as value) if value < _LARGEST:
            return value
        case ast.Constant(value=float() as number):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant() as operand):
            return -_plain_number(operand)
    raise Unreadable(node.lineno, f"{_shown(node)} is no plain number")


def _shown(node: ast.AST) -> str:
    """The code of a node, for a message; control characters have no place in it."""
    try:
        text = " ".join(ast.unparse(node).split())
    except (ValueError, RecursionError):
        text = type(node).__name__
    text = "".join(c if c.isprintable() else "?" for c in text)
    return f"`{text if len(text) <= 60 else text[:57] + '...'}`"
