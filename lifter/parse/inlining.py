"""Functions whose body is seen, in the place of their calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from compiler.ir import Expr, Variable

from ..model.diagnostic import LiftError
from ..model.kernel import Assign, Declare
from .arguments import bind_arguments
from .bindings import (
    Binding,
    Key,
    Nothing,
    Object,
    ObjectAddress,
    PointerBinding,
    Result,
    joined,
)
from .bound import bound_pointer, parts_of
from .dispatch import run
from .effects import writes
from .failure import unsupported
from .jumps import JumpTarget, jumps
from .objects import new_copy
from .program import FunctionDefinition
from .records import is_lambda
from .syntax import Node, in_system_header
from .translation import Site, Translation
from .types import is_pointer, is_record, is_reference, is_simd, scalar_type, vector_element
from .vector_values import begin_lanes, lanes_behind, undefined


def inline(
    t: Translation,
    node: Node,
    definition: FunctionDefinition,
    arguments: Sequence[Node],
    receiver: Object | None = None,
    captured: Sequence[tuple[Key, Binding]] = (),
) -> Result:
    """What a call of a function gives whose body is seen: the body stands in its place."""
    if definition.key in t.inlined:
        raise unsupported("recursion", node.span, f"`{definition.name}` calls itself")
    t.program.check_readable(definition, node)
    span = t.span
    since = len(t.out)
    site = enter(t, node, definition)
    held = bind_arguments(t, node, definition, arguments, site)
    t.environment.update(captured)
    target = _target_of(t, node, definition)
    begin = len(t.out)
    run_inlined(t, definition, target, receiver, node)
    check_held(t, held, begin, site)
    t.span = span
    if target.result_key is not None:
        binding = t.environment[target.result_key]
        assert isinstance(binding, PointerBinding)
        value = bound_pointer(binding, node)
        if isinstance(value, ObjectAddress) and target.by_reference:
            return value.target
        return value
    if target.result_object is not None:
        return target.result_object
    if target.lanes_key is not None:
        return lanes_behind(t, target.lanes_key)
    if target.result is None or target.result_type is None:
        return Nothing()
    last = t.out[-1] if t.out else None
    if (
        isinstance(last, Assign)
        and last.name == target.result
        and target.result not in writes(t.out[since:-1])
    ):
        t.out.pop()
        t.declared.names.discard(target.result)
        return last.value
    # Each call has a result of its own: none is left of the call in the iteration before.
    t.out.insert(begin, Declare(span, target.result, target.result_type))
    result_variable: Expr = Variable(target.result, target.result_type)
    return result_variable


def enter(t: Translation, node: Node, definition: FunctionDefinition) -> Site:
    """Begins the inlining of a function; gives what identifies this call of it."""
    t.mutated |= definition.mutated
    t.reassigned |= definition.reassigned
    # A pointer variable of an earlier call may still be part of a value: this is another.
    own = parts_of(t, definition.declared) | {_result_key(t, definition)}
    t.declared.pointer_names = {
        k: n for k, n in t.declared.pointer_names.items() if k[0] not in own
    }
    return (tuple(t.inlined), node.cursor.hash, node.cursor.extent.start.offset)


def check_held(t: Translation, held: frozenset[str], begin: int, site: Site) -> None:
    """Notes a call that has changed what the callee's parameters stand for by name."""
    if held & writes(t.out[begin:]):
        assert site not in t.known.held, "copies don't change"
        t.to_hold.add(site)


def _result_key(t: Translation, definition: FunctionDefinition) -> Key:
    return (-1 - len(t.inlined), definition.node.cursor.hash)


def _target_of(t: Translation, node: Node, definition: FunctionDefinition) -> JumpTarget:
    """Where the result of an inlined function goes."""
    result = definition.result_type
    target = JumpTarget("function")
    if is_pointer(result) or is_reference(result):
        target.by_reference = is_reference(result)
        target.single = _returns_last(definition.body)
        target.result_key = _result_key(t, definition)
        t.environment[target.result_key] = PointerBinding("result", None)
    elif is_simd(result):
        target.lanes_key = _result_key(t, definition)
        begin_lanes(t, target.lanes_key, "result", undefined(result))
    elif is_record(result) and vector_element(result) is None and not is_lambda(result):
        key = (-2 - len(t.inlined), node.cursor.hash)
        target.result_object = new_copy(t, key, definition.name, result, node)
    else:
        target.result_type = scalar_type(result)
        if target.result_type is None and result.kind.name != "VOID":
            raise unsupported(
                "unsupported-type", node.span, f"a result of type `{result.spelling}`"
            )
    return target


@contextmanager
def inside(
    t: Translation, definition: FunctionDefinition, receiver: Object | None, call: Node
) -> Iterator[None]:
    """The translation of an inlined function: `this` leads to `receiver`, and what a function of
    the library does, or lacks, stands where it is called."""
    region, t.region = t.region, None
    library_call, in_library = t.library_call, in_system_header(definition.node.cursor)
    t.library_call = (library_call or t.span) if in_library else None
    t.inlined.append(definition.key)
    t.receivers.append(receiver)
    try:
        yield
    except LiftError as error:
        place = error.diagnostic.span
        if in_library and place is not None and place.file == definition.node.span.file:
            raise LiftError(replace(error.diagnostic, span=call.span)) from error
        raise
    finally:
        t.receivers.pop()
        t.inlined.pop()
        t.region, t.library_call = region, library_call


def run_inlined(
    t: Translation,
    definition: FunctionDefinition,
    target: JumpTarget,
    receiver: Object | None,
    call: Node,
) -> None:
    """Translates the body of an inlined function; `target` says where its result goes."""
    outer, t.targets = t.targets, [target]
    with inside(t, definition, receiver, call):
        reached = run(t, definition.body.children)
    ends = [*target.returns, *([t.environment] if reached else [])]
    for end in ends:
        t.environment = end if end is ends[0] else joined(t.environment, end)
    t.targets = outer


def _returns_last(body: Node) -> bool:
    """Whether the only `return` of a function is its last statement."""
    statements = body.children
    return (
        bool(statements)
        and statements[-1].kind == "RETURN_STMT"
        and not any("return" in jumps(s) for s in statements[:-1])
    )
