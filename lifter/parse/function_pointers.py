"""Pointers to functions that a region is given: which functions of the file they may lead to.

    for (x = 0; x < w; x++) d[x] = blend(d[x], s[x]);     blend: a variable, a parameter, a member

The functions of the pointer's type whose addresses the file takes are the candidates, and a number
says which of them it is, `blend.which`. It is computed where the region stands, in the source's own
text, by comparing addresses; what is none of them is the original's.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from compiler.ir import EQ, I32, Const, Expr, Variable, postorder

from ..model.diagnostic import LiftError
from ..model.kernel import (
    Assign,
    Declare,
    If,
    Kernel,
    Param,
    RegionChoice,
    Stmt,
    Store,
    statements,
)
from .bindings import (
    ElementObject,
    FunctionAddress,
    FunctionChoice,
    Nothing,
    ObjectBinding,
    Result,
)
from .conditions import branch
from .dispatch import pointer_of, value_of
from .elsewhere import same_type
from .failure import unsupported
from .folding import convert
from .null_tests import assume_known
from .objects import copy_object, new_copy
from .program import FunctionDefinition, SourceProgram
from .syntax import Node, scopes_of, strip
from .tables import initializer_items
from .translation import StartAgain, Translation
from .types import (
    extents_of,
    is_array,
    is_pointer,
    is_record,
    never_changes,
    pointee_of,
    scalar_type,
    vector_element,
)

MOST = 12
"""The functions that a call is made a choice of."""
_FUNCTIONS = frozenset({"FUNCTIONPROTO"})


def points_to_function(type: Any) -> bool:
    if not is_pointer(type) or type.is_volatile_qualified():
        return False
    return pointee_of(type).get_canonical().kind.name in _FUNCTIONS


def choice_of(
    t: Translation, node: Node, name: str, type: Any, pointer: str, declared: Node | None = None
) -> tuple[FunctionChoice, Param] | None:
    """What a pointer to a function is bound to, and the parameter that says which it is; None where
    no function, or too many, are known that it may lead to. `declared` is the member that it is."""
    if t.definition is None or not t.definition.is_region:
        return None
    wanted = pointee_of(type).get_canonical()
    found: list[FunctionAddress] = []
    names: list[str] = []
    left_out: list[str] = []
    only = t.definition.functions.get(name)
    elsewhere: list[str] = []
    for definition in _candidates(t, declared or node, wanted):
        text = t.program.texts[definition.key]
        if only not in (None, text):
            continue
        if definition.key in t.program.files:
            elsewhere.append(text)
        if (name, definition.key) in t.known.unread:
            left_out.append(text)
            continue
        names.append(text)
        found.append(FunctionAddress(definition, definition.key))
    if not 0 < len(found) <= MOST:
        return None
    which = Variable(f"{name}.which", I32)
    t.declared.names.add(which.name)
    t.fixed.add(which.name)
    t.choices[name] = RegionChoice(
        which.name, pointer, tuple(names), tuple(left_out), tuple(elsewhere)
    )
    param = Param(which.name, "scalar", I32, "int", True, node.span)
    return FunctionChoice(which, tuple(found)), param


def _candidates(t: Translation, declared: Node, wanted: Any) -> Iterator[FunctionDefinition]:
    """The functions of a pointer's type that are known, those of the file first."""
    program = t.program
    own = program.addressed()
    program.together |= set(own.together)
    for definition in own.functions:
        cursor = definition.node.cursor
        if cursor.type.get_canonical() == wanted and _is_seen(cursor, t):
            program.texts.setdefault(definition.key, named_in_file(cursor))
            yield definition
    for words in _words(declared):
        others = program.elsewhere(words)
        found = [d for d in others.functions if same_type(d.node.cursor.type, wanted)]
        program.together |= set(others.together)
        for definition in found:
            _name(definition, program)
            yield definition
        if found:
            return


def _words(declared: Node) -> Iterator[list[str]]:
    """What files say that set a pointer: the name of its type, of it as a member, of its class."""
    cursor = declared.cursor
    words = [str(cursor.type.get_declaration().spelling)]
    if declared.kind == "FIELD_DECL":
        words.append(declared.spelling)
    yield [*filter(str.isidentifier, words)]
    if declared.kind == "FIELD_DECL":
        yield [*filter(str.isidentifier, [str(cursor.semantic_parent.spelling)])]


def _name(definition: FunctionDefinition, program: SourceProgram) -> None:
    """Gives a function of another file a name that no other one has."""
    if definition.key not in program.texts:
        file = os.path.basename(program.files[definition.key])
        stem = text = f"{named_in_file(definition.node.cursor)} in {file}"
        number = 1
        while text in program.texts.values():
            number += 1
            text = f"{stem} ({number})"
        program.texts[definition.key] = text


def files_beside(kernel: Kernel, program: SourceProgram) -> tuple[str, ...]:
    """The other files in which functions stand that a region's pointers may lead to."""
    choices = kernel.region.choices if kernel.region is not None else ()
    used = {name for c in choices for name in (*c.functions, *c.left_out)}
    keys = (key for key, text in program.texts.items() if text in used)
    return tuple(sorted({program.files[k] for k in keys if k in program.files}))


def one_by_one(kernel: Kernel, program: SourceProgram) -> Iterator[dict[str, str]]:
    """The functions that a region's pointers may lead to, taken apart: of that pointer on which it
    depends what is stored, one function after the other, each with those of pointers beside it in
    the same object that are set together with it. Nothing where no pointer has several. A function
    that couldn't be read beside others, as one that sees the same memory as wider numbers, may be
    read by itself."""
    assert kernel.region is not None
    several = [c for c in kernel.region.choices if len(c.functions) + len(c.left_out) > 1]
    if not several:
        return
    storing = {name for s in statements(kernel.body) for name in _stores_under(s)}
    first = next((c for c in several if c.param in storing), several[0])
    texts = program.texts
    keys = {text: key for key, text in texts.items()}
    for text in (*first.functions, *first.left_out):
        found = {_pointer_of(first): text}
        groups = [group for group in program.together if keys[text] in group]
        partners = {texts[k] for group in groups for k in group if k in texts}
        for other in several:
            beside = partners.intersection(other.functions)
            if other is not first and _object_of(other) == _object_of(first) and len(beside) == 1:
                found[_pointer_of(other)] = next(iter(beside))
        yield found


def _pointer_of(choice: RegionChoice) -> str:
    return choice.param.removesuffix(".which")


def _object_of(choice: RegionChoice) -> str:
    return _pointer_of(choice).rpartition(".")[0]


def _stores_under(stmt: Stmt) -> Iterator[str]:
    """The scalars in the condition of a statement under which something is stored."""
    if isinstance(stmt, If):
        inner = statements((*stmt.then, *stmt.otherwise))
        if any(isinstance(s, Store) for s in inner):
            yield from (n.name for n in postorder(stmt.condition) if isinstance(n, Variable))


def _is_seen(cursor: Any, t: Translation) -> bool:
    """Whether a function is declared before the region, in its file."""
    first = cursor.canonical.location
    assert t.definition is not None
    place = t.definition.span
    return (
        cursor.kind.name == "FUNCTION_DECL"
        and str(first.file) == place.file
        and (int(first.line), int(first.column)) < (place.line, place.column)
    )


def function_of_table(t: Translation, node: Node) -> FunctionChoice | None:
    """`TABLE[i]` of a constant table of functions; None for what is none."""
    table = strip(node.children[0])
    if not points_to_function(node.type) or table.kind != "DECL_REF_EXPR":
        return None
    cursor = table.declaration
    if cursor is None or cursor.kind.name != "VAR_DECL":
        return None
    declared = Node(cursor.get_definition() or cursor)
    start = declared.initializer
    if (
        start is None
        or t.program.is_replaceable(declared.cursor)
        or not is_array(declared.type)
        or not never_changes(declared.type)
    ):
        return None
    count = extents_of(declared.type).count
    items = initializer_items(start, declared.type)
    if not 0 < count <= MOST or items.keys() != set(range(count)):
        return None
    found = [pointer_of(t, items[i]) for i in range(count)]
    functions = tuple(f for f in found if isinstance(f, FunctionAddress))
    if len(functions) < count:
        return None
    # Beyond the table, nothing is defined.
    which = t.capture(convert(value_of(t, node.children[1]), I32), f"{table.spelling}.which")
    return FunctionChoice(which, functions, is_certain=True)


def named_in_file(cursor: Any) -> str:
    """A function as text of any scope in its file may name it."""
    scopes = [scope for scope in scopes_of(cursor) if scope]
    return "::".join(["", *scopes, cursor.spelling]) if scopes else str(cursor.spelling)


def chosen_call(
    t: Translation,
    node: Node,
    choice: FunctionChoice,
    call: Callable[[FunctionAddress], Result],
) -> Result:
    """A call through a pointer: that of each function, where the pointer leads to it; `call` gives
    what the call of one function gives."""
    if not choice.is_certain:
        assume_known(t, choice)
    number = scalar_type(node.type)
    made: ObjectBinding | None = None
    if is_record(node.type) and vector_element(node.type) is None:
        # Not the key of the object that a function called here gives.
        key = (-2 - len(t.inlined), ~node.cursor.hash)
        made = new_copy(t, key, "chosen", node.type, node)
    elif number is None and node.type.kind.name != "VOID":
        text = f"a function that a pointer leads to gives `{node.type.spelling}`"
        raise unsupported("unsupported-type", node.span, text)
    result = t.fresh("t") if number is not None else ""
    if number is not None:
        t.emit(Declare(t.span, result, number))

    def run(place: int) -> None:
        function = choice.functions[place]
        try:
            with t.expression_region(node) as region:
                found = call(function)
                if made is not None:
                    if not isinstance(found, (ObjectBinding, ElementObject)):
                        raise unsupported("unsupported-expression", node.span, "no object")
                    copy_object(t, made, found, node)
                elif number is not None:
                    if not isinstance(found, Expr):
                        raise unsupported("unsupported-expression", node.span, "no number")
                    t.emit(Assign(t.span, result, convert(found, number)))
                t.flush(region)
        except LiftError:
            if len(choice.functions) == 1 or choice.is_certain:
                raise
            name = choice.which.name.removesuffix(".which")
            unread = t.known.unread | {(name, function.key)}
            raise StartAgain(replace(t.known, unread=unread)) from None

    def from_place(place: int) -> None:
        if place == len(choice.functions) - 1:
            run(place)
            return
        test = EQ(choice.which, Const(I32, place))
        branch(t, test, lambda: run(place), lambda: from_place(place + 1))

    from_place(0)
    if made is not None:
        return made
    return Nothing() if number is None else Variable(result, number)
