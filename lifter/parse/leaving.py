"""Jumps: `break`, `continue` and `return` (see `jumps` for the rewriting)."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.ir import BOOL, I32, TRUE, Const, Expr, Not, Variable, negation

from ..model.kernel import Break, If, Stmt
from .addresses import address_of
from .bindings import PointerBinding
from .dispatch import STATEMENT, Following, discard, lanes_of, pointer_of, run, value_of
from .failure import unsupported
from .folding import convert
from .jumps import JumpTarget
from .objects import copy_object
from .pointer_variables import set_pointer
from .syntax import Node
from .temporaries import source_object
from .translation import Translation
from .vector_values import set_lanes


def raise_flags(t: Translation, targets: Sequence[JumpTarget]) -> None:
    """Sets the booleans that guard what the jump passes over."""
    for target in targets:
        for flag in target.flags:
            t.assign(flag, TRUE)


def propagate_return(t: Translation) -> None:
    """Leaves every target up to the function's end."""
    crossed: list[JumpTarget] = []
    for target in reversed(t.targets):
        crossed.append(target)
        if target.kind == "function":
            break
    raise_flags(t, crossed)
    loops = [target for target in crossed if target.kind == "loop"]
    for loop in loops:
        assert loop.returned is not None
        t.assign(loop.returned, TRUE)
    if loops:
        t.emit(Break(t.span))


@STATEMENT.of("BREAK_STMT", "CONTINUE_STMT")
def leave(t: Translation, node: Node, rest: tuple[Node, ...]) -> Following:
    """`break` and `continue`."""
    breaks = node.kind == "BREAK_STMT"
    t.span = t.span_of(node)
    crossed: list[JumpTarget] = []
    for target in reversed(t.targets):
        crossed.append(target)
        if target.kind == "loop" or (breaks and target.kind == "switch"):
            break
    target = crossed[-1]
    if breaks:
        target.breaks.append(t.environment)
        if target.kind == "loop":
            t.emit(Break(t.span))
            return False
    else:
        target.continues.append(t.environment)
    raise_flags(t, crossed)
    return False


@STATEMENT.of("RETURN_STMT")
def leave_function(t: Translation, node: Node, rest: tuple[Node, ...]) -> Following:
    """`return`."""
    t.span = t.span_of(node)
    target = next(target for target in reversed(t.targets) if target.kind == "function")
    if target.left is not None:
        # What is returned is for those to compute who leave the function.
        ways = enumerate(target.ways_out, 1)
        number = next((i for i, way in ways if way.cursor == node.cursor), None)
        if number is None:
            text = "`return` leaves these loops from within an expression"
            raise unsupported("early-exit", node.span, text)
        if target.left_with is not None and number in target.known_inside:
            with t.expression_region(node.children[0]) as region:
                given = convert(value_of(t, node.children[0]), target.left_with.type)
                t.assign(target.left_with.name, given)
                t.flush(region)
        t.assign(target.left, Const(I32, number))
    elif node.children:
        value = node.children[0]
        if target.result_key is not None:
            with t.expression_region(value) as region:
                by_place = target.by_reference
                found = address_of(t, value) if by_place else pointer_of(t, value)
                if target.single:
                    t.environment[target.result_key] = PointerBinding("result", found)
                else:
                    set_pointer(t, target.result_key, "result", found)
                t.flush(region)
        elif target.lanes_key is not None:
            with t.expression_region(value) as region:
                set_lanes(t, target.lanes_key, lanes_of(t, value))
                t.flush(region)
        elif target.result_object is not None:
            with t.expression_region(value) as region:
                copy_object(t, target.result_object, source_object(t, value), value)
                t.flush(region)
        elif target.result_type is not None:
            with t.expression_region(value) as region:
                result = convert(value_of(t, value), target.result_type)
                if target.result is None:
                    target.result = t.fresh("result")
                t.assign(target.result, result)
                t.flush(region)
        else:
            discard(t, value)
    target.returns.append(t.environment)
    propagate_return(t)
    return False


def emit_if(
    t: Translation, test: Expr, then: tuple[Stmt, ...], otherwise: tuple[Stmt, ...]
) -> None:
    """Emits an `if`, if anything stands in it."""
    if not then and otherwise:
        t.emit(If(t.span, negation(test), otherwise))
    elif then or otherwise:
        t.emit(If(t.span, test, then, otherwise))


def unless(t: Translation, flag: str, rest: tuple[Node, ...]) -> bool:
    """The statements `rest`, guarded by a boolean that a jump has set."""
    with t.block() as out:
        reached = run(t, rest)
    emit_if(t, Not(Variable(flag, BOOL)), tuple(out), ())
    return reached
