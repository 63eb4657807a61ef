"""Updates that several threads make to one place: none gets lost.

An update of a number by itself (`f[i] = f[i] + e`, also min, max, and, or, xor, subtraction) is one
atomic instruction; any other function of what is there is tried again until nobody came between.
Lanes of a vector go one after the other, so that two of them may meet in one place. What is left (a
tuple whose values depend on each other, conditions on what is there) holds the buffer's lock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from .. import ir
from ..ir import Broadcast, Const, Expr, Load, Ramp, Type, Variable, stmts
from .addresses import element_address
from .builder import FunctionBuilder, Value, i64, pointer
from .errors import CodegenError
from .llvm_types import memory_type, register_type
from .names import expressions
from .scope import BoundVariable, Scope

if TYPE_CHECKING:
    from .statements import Statements

LOCK, UNLOCK = "lift_lock", "lift_unlock"
_OLD = "atomic.old"
UNROLLED_LANES = 4
_FLOAT_INSTRUCTIONS: dict[type[Expr], str] = {ir.Add: "fadd", ir.Sub: "fsub"}
_INSTRUCTIONS: dict[type[Expr], str] = {
    ir.Add: "add",
    ir.Sub: "sub",
    ir.BitAnd: "and",
    ir.BitOr: "or",
    ir.BitXor: "xor",
    ir.Min: "min",
    ir.Max: "max",
}


def atomic(at: Statements, node: stmts.Atomic, scope: Scope) -> None:
    """Runs the body so that its updates of the stage `node.buffer` are whole."""
    names = _updated(node)
    if not needs_lock(node):
        _Updates(at, names).run(node.body, scope, {})
        return
    f = at.function
    key = scope.buffers[min(n for n in names if n in scope.buffers)]
    f.call("void", f.module.declare(LOCK, "void", "ptr", "nounwind"), [key])
    with at.scratch.holding(UNLOCK, key):
        at.run(node.body, scope)
    f.call("void", f.module.declare(UNLOCK, "void", "ptr", "nounwind"), [key])


def needs_lock(node: stmts.Atomic) -> bool:
    """Whether the body does more than to update single places by what is there."""
    return not _is_simple(node.body, _updated(node))


def _updated(node: stmts.Atomic) -> set[str]:
    stored = _stored(node.body)
    return {node.buffer, *(n for n in stored if n.startswith(f"{node.buffer}."))}


def _stored(stmt: stmts.Stmt) -> set[str]:
    return {store.buffer for store in _all_stores(stmt)}


def _all_stores(stmt: stmts.Stmt | None) -> Iterator[stmts.Store]:
    match stmt:
        case stmts.Store():
            yield stmt
        case stmts.Block():
            for part in stmt.stmts:
                yield from _all_stores(part)
        case stmts.IfThenElse():
            yield from _all_stores(stmt.then)
            yield from _all_stores(stmt.otherwise)
        case (
            stmts.For()
            | stmts.LetStmt()
            | stmts.Allocate()
            | stmts.ProducerConsumer()
            | stmts.Atomic()
        ):
            yield from _all_stores(stmt.body)


def _reads(expr: Expr | None, names: set[str]) -> list[Load]:
    if expr is None:
        return []
    return [n for n in ir.postorder(expr) if isinstance(n, Load) and n.array in names]


def _is_simple(stmt: stmts.Stmt, names: set[str]) -> bool:
    """Whether each store to `names` depends on nothing in them but the place that it updates."""
    return _simple(stmt, names, {})


def _simple(stmt: stmts.Stmt | None, names: set[str], lets: Mapping[str, Expr]) -> bool:
    match stmt:
        case None:
            return True
        case stmts.Store():
            index, value = _inlined(stmt.index, lets), _inlined(stmt.value, lets)
            predicate = None if stmt.predicate is None else _inlined(stmt.predicate, lets)
            if _reads(index, names) or _reads(predicate, names):
                return False
            reads = _reads(value, names)
            own = all(n.array == stmt.buffer and n.indices == (index,) for n in reads)
            lanes = stmt.value.type.lanes
            return own and (not reads or stmt.buffer in names) and _splits(value, lanes)
        case stmts.Block():
            return all(_simple(part, names, lets) for part in stmt.stmts)
        case stmts.LetStmt():
            return _simple(stmt.body, names, _with_let(stmt, names, lets))
        case stmts.IfThenElse():
            if _reads(_inlined(stmt.condition, lets), names):
                return False
            return _simple(stmt.then, names, lets) and _simple(stmt.otherwise, names, lets)
        case stmts.For():
            bounds = [_inlined(e, lets) for e in (stmt.min, stmt.extent)]
            return not any(_reads(e, names) for e in bounds) and _simple(stmt.body, names, lets)
        case stmts.ProducerConsumer():
            return _simple(stmt.body, names, lets)
    return not any(_reads(e, names) for e in expressions(stmt)) and not lets


def _with_let(let: stmts.LetStmt, names: set[str], lets: Mapping[str, Expr]) -> Mapping[str, Expr]:
    """`lets` with `let`, if its value depends on `names`: then it is put in where it is used."""
    value = _inlined(let.value, lets)
    return {**lets, let.name: value} if _reads(value, names) else lets


def _inlined(expr: Expr, lets: Mapping[str, Expr]) -> Expr:
    if not lets:
        return expr
    found = [n for n in ir.postorder(expr) if isinstance(n, Variable) and n.name in lets]
    mapping: dict[Expr, Expr] = {n: lets[n.name] for n in found}
    return ir.substitute(expr, mapping) if mapping else expr


def _splits(expr: Expr, lanes: int) -> bool:
    """Whether each lane of the value is a function of the same lane of its operands."""
    return all(n.type.lanes in (1, lanes) for n in ir.postorder(expr))


class _Updates:
    """Translates a body whose stores to `names` are updates of single places."""

    def __init__(self, at: Statements, names: set[str]) -> None:
        self.at, self.names = at, names

    def run(self, stmt: stmts.Stmt, scope: Scope, lets: Mapping[str, Expr]) -> None:
        match stmt:
            case stmts.Block():
                for part in stmt.stmts:
                    self.run(part, scope, lets)
            case stmts.ProducerConsumer():
                self.run(stmt.body, scope, lets)
            case stmts.LetStmt():
                more = _with_let(stmt, self.names, lets)
                if more is lets:
                    inlined = stmts.LetStmt(stmt.name, _inlined(stmt.value, lets), stmt.body)
                    scope = scope.with_variable(stmt.name, self.at.bind(inlined, scope))
                self.run(stmt.body, scope, more)
            case stmts.IfThenElse():
                otherwise = stmt.otherwise
                self.at.choose(
                    _inlined(stmt.condition, lets),
                    scope,
                    lambda: self.run(stmt.then, scope, lets),
                    None if otherwise is None else lambda: self.run(otherwise, scope, lets),
                )
            case stmts.For(kind="serial"):
                f = self.at.function
                first = self.at.index_in(scope, _inlined(stmt.min, lets))
                extent = self.at.index_in(scope, _inlined(stmt.extent, lets))
                with f.counting(extent) as counter:
                    wide = f.emit("i64", f"add {first}, {counter.text}")
                    narrow = f.emit("i32", f"trunc {wide} to i32")
                    inner = scope.with_variable(stmt.name, BoundVariable(ir.I32, narrow, wide))
                    self.run(stmt.body, inner, lets)
            case stmts.Store() if stmt.buffer in self.names:
                predicate = None if stmt.predicate is None else _inlined(stmt.predicate, lets)
                value, index = _inlined(stmt.value, lets), _inlined(stmt.index, lets)
                self._store(stmts.Store(stmt.buffer, value, index, predicate), scope)
            case _:
                self.at.run(stmt, scope)

    def _store(self, node: stmts.Store, scope: Scope) -> None:
        f, lanes = self.at.function, node.value.type.lanes
        if lanes == 1:
            if node.predicate is None:
                self._update(node, scope)
            else:
                with f.when(self.at.at(scope).value(node.predicate)):
                    self._update(node, scope)
            return
        # Every vector that doesn't depend on what is there is computed once, before the lanes.
        parts = _Lanes(self.at, scope, self.names)
        index, value = parts.lane(node.index), parts.lane(node.value)
        predicate = None if node.predicate is None else parts.lane(node.predicate)
        one = stmts.Store(node.buffer, value, index, predicate)
        if lanes <= UNROLLED_LANES:
            for lane in range(lanes):
                self._store(one, parts.scope(i64(lane)))
            return
        with f.counting(i64(lanes)) as counter:
            self._store(one, parts.scope(counter))

    def _update(self, node: stmts.Store, scope: Scope) -> None:
        f, type = self.at.function, node.value.type
        by = f.module.atomics_by
        at = self.at.at(scope)
        place = element_address(at, node.buffer, type, at.place(node.index))
        old = Load(node.buffer, (node.index,), type)
        operation = _instruction(node.value, old, self.names)
        memory = memory_type(type)
        if operation is not None and not _loses_small_floats(f, place, type):
            name, operand = operation
            value = at.value(operand)
            f.emit(memory, f"atomicrmw {name} {place}, {value} {by}monotonic, align {type.bytes}")
            return
        if not _reads(node.value, self.names):
            value = _stored_form(f, at.value(node.value), type)
            number = _as_number(f, value, type)
            f.do(f"store atomic {number}, {place} {by}monotonic, align {type.bytes}")
            return
        self._exchange(node, scope, place, old)

    def _exchange(self, node: stmts.Store, scope: Scope, place: Value, old: Load) -> None:
        """Tries the update until nobody has changed the place in between."""
        f, type = self.at.function, node.value.type
        number, by = f"i{max(type.bits, 8)}", f.module.atomics_by
        seen = f.alloca(number)
        now = f.emit(number, f"load atomic {number}, {place} {by}monotonic, align {type.bytes}")
        f.do(f"store {now}, {seen}")
        again, done = f.label("again"), f.label("done")
        f.start(again)
        bits = f.emit(number, f"load {number}, {seen}")
        known = _from_number(f, bits, type)
        inner = scope.with_variable(_OLD, BoundVariable(type, known))
        value = ir.substitute(node.value, {old: Variable(_OLD, type)})
        made = _as_number(f, _stored_form(f, self.at.at(inner).value(value), type), type)
        result = f"{{ {number}, i1 }}"
        tried = f.emit(result, f"cmpxchg weak {place}, {bits}, {made} {by}monotonic monotonic")
        f.do(f"store {f.emit(number, f'extractvalue {tried}, 0')}, {seen}")
        f.branch(f.emit("i1", f"extractvalue {tried}, 1"), done, again)
        f.start(done)


def _instruction(value: Expr, old: Load, names: set[str]) -> tuple[str, Expr] | None:
    """The atomic instruction that does the update, and its operand."""
    held = value.type
    if not isinstance(value, ir.Binary) or held.is_bool or held.code == "bfloat":
        return None
    if value.a is old:
        other = value.b
    elif value.b is old and not isinstance(value, ir.Sub):
        other = value.a
    else:
        return None
    if _reads(other, names):
        return None
    if held.is_float:
        # A float's min and max are comparisons here, which no instruction does.
        found = _FLOAT_INSTRUCTIONS.get(type(value)) if held.bits >= 32 else None
    else:
        found = _INSTRUCTIONS.get(type(value))
        if found in ("min", "max") and held.is_uint:
            found = "u" + found
    return (found, other) if found is not None else None


def _loses_small_floats(f: FunctionBuilder, place: Value, type: Type) -> bool:
    """Whether the atomic sum takes subnormal numbers for zero: of float32 in a GPU's own memory."""
    target, is_single = f.module.target, type.is_float and type.bits == 32
    return target.is_gpu and is_single and place.type == pointer(1) and not f.contracts_floats


def _stored_form(f: FunctionBuilder, value: Value, type: Type) -> Value:
    return f.emit("i8", f"zext {value} to i8") if type.is_bool else value


def _as_number(f: FunctionBuilder, value: Value, type: Type) -> Value:
    """The bits of a value in memory's form."""
    if type.is_float and type.code != "bfloat":
        return f.emit(f"i{type.bits}", f"bitcast {value} to i{type.bits}")
    return value


def _from_number(f: FunctionBuilder, bits: Value, type: Type) -> Value:
    if type.is_bool:
        return f.emit("i1", f"trunc {bits} to i1")
    if type.is_float and type.code != "bfloat":
        return f.emit(register_type(type), f"bitcast {bits} to {register_type(type)}")
    return bits


class _Lanes:
    """One lane of vector expressions: scalar expressions over that lane of vectors in registers."""

    def __init__(self, at: Statements, scope: Scope, names: set[str]) -> None:
        self.at, self.outer, self.names = at, scope, names
        self.translator = at.at(scope)
        self.vectors: dict[str, tuple[Type, Value]] = {}
        self.done: dict[Expr, Expr] = {}

    def lane(self, expr: Expr) -> Expr:
        """`expr` in the lane of `scope`."""
        found = self.done.get(expr)
        if found is None:
            found = self.done[expr] = self._lane(expr)
        return found

    def _lane(self, expr: Expr) -> Expr:
        if expr.type.lanes == 1:
            return expr
        if isinstance(expr, Broadcast):
            return expr.value
        if not _reads(expr, self.names):
            name = f"atomic.lane.{len(self.vectors)}"
            self.vectors[name] = (expr.type.element, self.translator.value(expr))
            made: Expr = Variable(name, expr.type.element)
            return made
        if isinstance(expr, Load):
            return Load(expr.array, tuple(map(self.lane, expr.indices)), expr.type.element)
        if isinstance(expr, ir.Cast):
            return ir.Cast(expr.type.element, self.lane(expr.value))
        if isinstance(expr, ir.Call):
            args = tuple(map(self.lane, expr.args))
            return ir.Call(expr.name, args, expr.type.element, expr.kind)
        if isinstance(expr, Ramp | Const | ir.Let):
            raise CodegenError(f"{type(expr).__name__} over what is updated atomically")
        return expr.rebuild(tuple(map(self.lane, expr.children)))

    def scope(self, lane: Value) -> Scope:
        """The scope in which the lane's expressions are to be translated."""
        f, scope = self.at.function, self.outer
        for name, (type, vector) in self.vectors.items():
            value = f.emit(register_type(type), f"extractelement {vector}, {lane}")
            scope = scope.with_variable(name, BoundVariable(type, value))
        return scope
