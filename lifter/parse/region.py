"""A run of a function's statements, seen as a function of the variables that it uses.

What stands around the run may be anything. Variables from outside are its parameters: numbers by
value, or by reference where the run changes them and they are read afterwards; pointers, arrays
and objects as a function has them. A variable that nothing in the whole function changes, and whose
declaration only computes with such variables, is declared again inside of the run, so that what is
known of it isn't lost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property, partial
from itertools import pairwise, takewhile
from operator import is_not
from typing import Any

from compiler.ir import (
    COMPARISON_OF,
    EQ,
    I32,
    I64,
    Const,
    Expr,
    Load,
    TruncDiv,
    TruncMod,
    Type,
    Variable,
)

from ..model.diagnostic import LiftError, Span
from ..model.kernel import (
    Array,
    Assign,
    Declare,
    Param,
    ParamKind,
    Region,
    RegionDistance,
    RegionOutput,
    SourceParam,
    Stmt,
    Store,
)
from ..model.parameters import size_of
from .bindings import (
    ZERO,
    ArrayBinding,
    Key,
    Pointer,
    PointerBinding,
    ScalarBinding,
    ScalarPlace,
    UnknownBinding,
    VectorBinding,
)
from .bound import bound_pointer, element_name
from .dispatch import declare
from .dispatch import run as run_statements
from .effects import needed_by
from .facts import facts_at, values_at
from .failure import unsupported
from .file_scope import outlives_call
from .folding import convert, subtract
from .folding import number as literal
from .function_pointers import choice_of, points_to_function
from .jumps import LOOPS, JumpTarget, condition_index, jumps, ways_out
from .kinds_of_calls import stated
from .lambdas import kept_by_value
from .liveness import Run, first_use, is_read_after
from .loop_parts import loop_parts
from .objects import new_object
from .parameters import (
    bind_parameter,
    bind_receiver,
    element_spelling,
    row_table,
    spelled,
    structures,
)
from .pointer_variables import set_pointer
from .program import NO_FUNCTIONS, FunctionDefinition, arguments_of
from .records import check_record, fields_of, is_implicit, is_lambda, refuse_destructor
from .syntax import Node, has_cleanup, kind_of, sets, strip
from .translation import FreePointer, Translation
from .types import (
    extents_of,
    is_array,
    is_const,
    is_pointer,
    is_record,
    is_reference,
    is_simd,
    library_class,
    never_changes,
    pointee_of,
    scalar_type,
    vector_element,
    vector_record,
    vector_row,
)

_REDONE = frozenset(
    {
        "INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL", "CXX_BOOL_LITERAL_EXPR",
        "PAREN_EXPR", "UNEXPOSED_EXPR", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR",
        "CXX_FUNCTIONAL_CAST_EXPR", "BINARY_OPERATOR", "UNARY_OPERATOR", "DECL_REF_EXPR",
        "CONDITIONAL_OPERATOR", "INIT_LIST_EXPR", "TYPE_REF", "NAMESPACE_REF",
        "CXX_UNARY_EXPR", "SIZE_OF_PACK_EXPR", "VAR_DECL",
    }
)  # fmt: skip
"""What an initializer may be made of that gives the same when it is computed once more."""
_RETURNED = (_REDONE - {"VAR_DECL"}) | {
    "RETURN_STMT", "MEMBER_REF_EXPR", "MEMBER_REF", "CXX_THIS_EXPR", "ARRAY_SUBSCRIPT_EXPR",
    "CXX_NULL_PTR_LITERAL_EXPR", "GNU_NULL_EXPR", "INIT_LIST_EXPR",
}  # fmt: skip
"""What a `return` may be made of that is done behind the loops that it stands in."""
_VARIABLES = frozenset({"VAR_DECL", "PARM_DECL"})
_NAMING = frozenset({"VAR_DECL", "DECL_REF_EXPR"})
_TARGETS = frozenset({"LABEL_STMT", "CASE_STMT", "DEFAULT_STMT"})
_SCOPES = frozenset({"COMPOUND_STMT", "CXX_TRY_STMT", "IF_STMT", "SWITCH_STMT", *LOOPS})
"""Statements whose declarations nobody sees behind them."""


class Block(Node):
    """Statements side by side, as one node."""

    def __init__(self, statements: tuple[Node, ...], around: Node) -> None:
        super().__init__(around.cursor, around.root)
        self.kind = "COMPOUND_STMT"
        self.children = statements


class RegionDefinition(FunctionDefinition):
    """Consecutive statements of `host`, with the interface of a function's definition."""

    is_region = True

    def __init__(
        self,
        host: FunctionDefinition,
        run: Run,
        number: str,
        functions: Mapping[str, str] = NO_FUNCTIONS,
        given: tuple[Expr, ...] = (),
    ) -> None:
        super().__init__(host.node.cursor, False, host.error)
        self.host = host
        self.run = run
        self.number = number
        self.functions = functions
        self.given = given

    @cached_property
    def body(self) -> Node:
        return Block(self.run.statements, self.run.block)

    @cached_property
    def span(self) -> Span:
        return self.run.span

    @property
    def linker_name(self) -> str:
        return ""

    @cached_property
    def names_members(self) -> bool:
        """Whether a member is named without its object: `width` for `this->width`."""
        return any(map(_names_a_member, self.body.children))

    @cached_property
    def ways_out(self) -> tuple[Node, ...]:
        """The `return`s among the statements."""
        return tuple(way for statement in self.run.statements for way in ways_out(statement))

    @cached_property
    def returned(self) -> set[Key]:
        """The variables that those name whose values can be computed behind the statements."""
        plain = (w for i, w in enumerate(self.ways_out, 1) if i not in self.known_inside)
        return {key for way in plain for key in _named(way)}

    @cached_property
    def known_inside(self) -> frozenset[int]:
        """Those, counted from 1, of which the statements alone know the value: it is made of what
        they declare, or by a call."""
        inside = {n.key for n in self.nodes_of("VAR_DECL", "PARM_DECL")}
        return frozenset(
            number
            for number, way in enumerate(self.ways_out, 1)
            if _named(way) & inside or not _is_plain(way)
        )

    @cached_property
    def captured(self) -> dict[Key, Node]:
        """The declarations of the variables that the run uses and doesn't declare, by key."""
        inside = {n.key for n in self.nodes_of("VAR_DECL", "PARM_DECL")}
        known = {n.key: n for n in (*self.host.nodes_of("VAR_DECL"), *self.host.parameters)}
        found: dict[Key, Node] = {}
        for key, names in self.names.items():
            if key in inside or key in found:
                continue
            declared = names[0].declaration
            if declared.kind.name in _VARIABLES:
                found[key] = known.get(key) or Node(declared.get_definition() or declared)
        return found

    @cached_property
    def redone(self) -> tuple[Node, ...]:
        """The declarations that are made again inside, in source order."""
        found: dict[Key, Node] = {}
        for key in list(self.captured):
            self._redo(key, found)
        own = {n.key for n in self._unseen()}
        nodes = [n for n in self.host.nodes_of("VAR_DECL") if n.key in found or n.key in own]
        return tuple(nodes)

    def _unseen(self) -> Iterator[Node]:
        """Local variables without a first value that nothing outside of the run names, and none of
        its `return`s."""
        if self.host.nodes.get("LABEL_STMT"):
            return  # a jump back would find what the run left in them
        for key, node in self.captured.items():
            if node.kind != "VAR_DECL" or node.initializer is not None or not self.is_local(node):
                continue
            if is_record(node.type) or is_reference(node.type) or outlives_call(node):
                continue
            if has_cleanup(node) or key in self.returned:
                continue
            everywhere = len(self.host.names.get(key, ()))
            if everywhere == len(self.names.get(key, ())) and self._runs_once_for(node):
                yield node

    def _runs_once_for(self, node: Node) -> bool:
        """Whether the variable begins anew each time that the run does: no loop stands between its
        declaration and the run, through which a value might come back."""
        block = next(
            (b for b in self.run.path if any(n.key == node.key for n in _declared_in(b))), None
        )
        if block is None:
            return False
        return not any(b.kind in LOOPS for b in self.run.path[self.run.path.index(block) + 1 :])

    def _redo(self, key: Key, found: dict[Key, Node]) -> bool:
        """Whether the variable is as good as its declaration, which then joins `found`."""
        if key in found:
            return True
        node = next((n for n in self.host.nodes_of("VAR_DECL") if n.key == key), None)
        if node is not None and is_lambda(node.type):
            return self._redo_lambda(node, found)
        if (
            node is None
            or key in self.host.mutated
            or is_reference(node.type)
            or outlives_call(node)
        ):
            return False
        start = node.initializer
        if start is None or is_record(node.type) or node.type.is_volatile_qualified():
            return False
        if has_cleanup(node):
            return False
        if is_array(node.type) and not never_changes(node.type):
            return False
        if not all(
            _is_redone(n) or (is_simd(node.type) and _is_lane_call(n)) for n in start.walk()
        ):
            return False
        if is_pointer(node.type) and not _moves_alone(start, node):
            return False
        needed = [n for n in start.walk() if n.kind == "DECL_REF_EXPR"]
        made = dict(found)
        for name in needed:
            declared = name.declaration
            if declared is None or declared.kind.name not in _VARIABLES:
                is_called = is_simd(node.type) and kind_of(declared) == "FUNCTION_DECL"
                if declared is None or not (is_called or kind_of(declared) == "ENUM_CONSTANT_DECL"):
                    return False
                continue
            if name.key in self.host.mutated or is_reference(declared.type.get_canonical()):
                return False
            if name.key not in self.names and self._is_hidden(name):
                return False
            own = declared.kind.name == "PARM_DECL" or self._redo(name.key, made)
            if not own and not self.is_local(Node(declared)):
                return False
            if not own:
                # It is a parameter of the run.
                continue
        found.update(made)
        found[key] = node
        return True

    def _redo_lambda(self, node: Node, found: dict[Key, Node]) -> bool:
        """Whether a lambda is the same where the run stands: nothing changes what its body names,
        nor so what it has kept by value."""
        start = node.initializer
        if start is None or outlives_call(node):
            return False
        lambdas = [n for n in start.walk() if n.kind == "LAMBDA_EXPR"]
        names_this = any(n.kind in ("CXX_THIS_EXPR", "MEMBER_REF") for n in start.walk())
        if len(lambdas) != 1 or names_this or _names_a_member(start):
            return False
        try:
            kept = {name.key for name in kept_by_value(lambdas[0])}
        except LiftError:
            return False
        used_whole = {name.key for name in _used_whole(start)}
        made = dict(found)
        for name in _variables_named_in(start):
            declared = self._declaration(name.key, name.declaration)
            if self._is_constant_of_file(declared):
                continue
            if name.key not in self.names and self._is_hidden(name):
                return False
            if not self.is_local(declared) or outlives_call(declared):
                return False
            if is_lambda(declared.type):
                if not self._redo(name.key, made):
                    return False
                continue
            is_memory = vector_element(declared.type) is not None and name.key not in used_whole
            if name.key in self.host.mutated and not is_memory:
                return False
            if name.key in kept and not _is_copied_whole(declared.type):
                return False
        found.update(made)
        found[node.key] = node
        return True

    def _is_hidden(self, name: Node) -> bool:
        """Whether a name means something else where the run stands than where it was used."""
        return self._visible(name.spelling) != name.key

    def _visible(self, name: str) -> Key | None:
        """The declaration in the function that a name leads to behind the run's declarations."""
        found = next((p.key for p in self.host.parameters if p.spelling == name), None)
        path = (*self.run.path, self.run.statements[0])
        before = [
            child
            for block, inner in pairwise(path)
            for child in takewhile(partial(is_not, inner), block.children)
        ]
        for statement in (*before, *self.run.statements):
            for node in () if statement.kind in _SCOPES else statement.walk():
                if "_DECL" in node.kind and node.spelling == name:
                    found = node.key
        return found

    @cached_property
    def parameters(self) -> tuple[Node, ...]:
        redone = {n.key for n in self.redone}
        wanted = {k: n for k, n in self.captured.items() if k not in redone}
        for node in self.redone:
            start = node.initializer
            for name in _variables_named_in(start) if start is not None else ():
                if name.key not in redone:
                    known = self._declaration(name.key, name.declaration)
                    wanted.setdefault(name.key, known)
        # Constants of file scope are known as they are.
        nodes = [n for n in wanted.values() if not self._is_constant_of_file(n)]
        return tuple(sorted(nodes, key=lambda n: int(n.cursor.extent.start.offset)))

    def _declaration(self, key: Key, declared: Any) -> Node:
        own = (*self.host.nodes_of("VAR_DECL"), *self.host.parameters)
        return next((n for n in own if n.key == key), None) or Node(declared)

    def _is_constant_of_file(self, node: Node) -> bool:
        if node.kind != "VAR_DECL" or (self.is_local(node) and not outlives_call(node)):
            return False
        return never_changes(node.type) and node.initializer is not None

    def outlives(self, node: Node) -> bool:
        """Whether a value that the run leaves in a variable may be read after it."""
        if node.kind == "VAR_DECL" and (not self.is_local(node) or outlives_call(node)):
            return True
        if node.key in self.host.handed_out or node.key in self.returned:
            return True
        return is_read_after(self.run, node.key)

    def outlives_for_itself(self, node: Node) -> bool:
        """Whether a value that the run leaves is read at most where loops around lead to the run
        once more."""
        if node.key in self.host.handed_out or node.key in self.returned or not self.is_local(node):
            return False
        return not is_read_after(self.run, node.key, by_others=True)

    def is_known_elsewhere(self, node: Node) -> bool:
        """Whether others may have the address of a variable, so that what is stored through a
        pointer may change it."""
        return node.key in self.host.handed_out or not self.is_local(node) or outlives_call(node)

    def is_local(self, node: Node) -> bool:
        """Whether a variable is a parameter of the function around, or declared in it."""
        return node.key in self.host.declared

    def is_redone(self, key: Key) -> bool:
        """Whether a variable is as good as its declaration, wherever that is made again."""
        return self._redo(key, {})

    def is_alone_with(self, node: Node) -> bool:
        """Whether nothing else names a variable, so that nobody has its address, or a member's;
        what made it hasn't told either."""
        everywhere, here = self.host.names.get(node.key, ()), self.names.get(node.key, ())
        made = node.initializer if node.kind == "VAR_DECL" else None
        if node.kind != "VAR_DECL" or len(everywhere) != len(here):
            return False
        return made is None or (made.kind == "CALL_EXPR" and _tells_nobody(made))

    def is_first_with(self, node: Node) -> bool:
        """Whether nothing names a variable between its declaration and the run, on the way that
        leads there, and what made it has told nobody: so nobody has its address by then."""
        made = node.initializer if node.kind == "VAR_DECL" else None
        if made is None or made.kind != "CALL_EXPR" or not _tells_nobody(made):
            return False
        if any(self.host.nodes_of("GOTO_STMT", "INDIRECT_GOTO_STMT", "CXX_TRY_STMT")):
            return False
        inner = self.run.statements[0]
        for block in reversed(self.run.path):
            if block.kind == "IF_STMT":
                before = block.children[: condition_index(block) + 1]
            elif block.kind == "COMPOUND_STMT":
                position = next(i for i, c in enumerate(block.children) if c is inner)
                before = block.children[:position]
            else:
                before = tuple(c for c in block.children if c is not inner)
            for statement in reversed(before):
                declared = statement.children if statement.kind == "DECL_STMT" else ()
                if [c.key for c in declared] == [node.key]:
                    return not any(n.key == node.key for n in made.walk() if n.kind in _NAMING)
                if any(n.key == node.key for n in statement.walk() if n.kind in _NAMING):
                    return False
            inner = block
        return False

    def is_used_after(self, node: Node) -> bool:
        """Whether a variable that is declared among the statements is named after them, too."""
        everywhere, here = self.host.names.get(node.key, ()), self.names.get(node.key, ())
        return len(everywhere) > len(here)

    def is_compared_only(self, node: Node) -> bool:
        """Whether all that is asked of a pointer is how it compares with others."""
        operands = (
            strip(operand)
            for test in self.nodes_of("BINARY_OPERATOR")
            if test.operator in COMPARISON_OF
            or (test.operator == "-" and not is_pointer(test.type))
            for operand in test.children
        )
        compared = sum(o.kind == "DECL_REF_EXPR" and o.key == node.key for o in operands)
        return compared == len(self.names.get(node.key, ()))

    def lost(self) -> Node | None:
        """A variable that is declared among the statements, used after them, and not as good as its
        declaration: nothing would give its value out."""
        for statement in self.run.statements:
            for node in statement.children if statement.kind == "DECL_STMT" else ():
                is_used = node.kind == "VAR_DECL" and self.is_used_after(node)
                if is_used and not self.is_redone(node.key):
                    return node
        return None

    def counts_by(self, node: Node) -> bool:
        """Whether a loop's test asks for a variable that nobody else has the address of."""
        if self.is_known_elsewhere(node):
            return False
        tests = (loop_parts(loop)[1] for loop in self.nodes_of("FOR_STMT", "WHILE_STMT", "DO_STMT"))
        return any(_is_named_in(test, node.key) for test in tests if test is not None)

    def is_handed_on(self, node: Node) -> bool:
        """Whether what one variable from outside holds may come to be what another one does, as in
        `left = mid;`, this is one of the two, and nobody else has its address."""
        return node.key in self._handed_on and not self.is_known_elsewhere(node)

    @cached_property
    def _handed_on(self) -> set[Key]:
        numbers = {
            key
            for key, node in self.captured.items()
            if key in self.mutated and scalar_type(node.type) is not None
        }
        found: set[Key] = set()
        for key in numbers:
            reached, left = {key}, [key]
            while left:
                more = self._told.get(left.pop(), set()) - reached
                reached |= more
                left += more
            others = (reached - {key}) & numbers
            found |= {key, *others} if others else set()
        return found

    @cached_property
    def _told(self) -> dict[Key, set[Key]]:
        """The variables that are set to what is computed of each."""
        found: dict[Key, set[Key]] = {}
        for node in self.nodes_of("VAR_DECL", "BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR"):
            if node.kind == "VAR_DECL":
                target, value = node, node.initializer
            elif sets(node):
                target, value = strip(node.children[0]), node.children[1]
            else:
                continue
            if value is None or target.kind not in _NAMING or scalar_type(target.type) is None:
                continue
            for name in value.walk():
                if name.kind == "DECL_REF_EXPR" and name.declaration is not None:
                    found.setdefault(name.key, set()).add(target.key)
        return found

    def first_value(self, node: Node) -> int | float | None:
        """The constant that a variable certainly holds when the run begins, if that shows in the
        statements right before it."""
        if node.kind != "VAR_DECL" or self.is_known_elsewhere(node):
            return None
        inner = self.run.statements[0]
        for block in reversed(self.run.path):
            if block.kind != "COMPOUND_STMT":
                return None
            position = next(i for i, c in enumerate(block.children) if c is inner)
            for before in reversed(block.children[:position]):
                if not any(n.key == node.key for n in before.walk() if n.kind in _NAMING):
                    if any(n.kind in _TARGETS for n in before.walk()):
                        return None
                    continue
                return _set_to(before, node.key)
            inner = block
        return None

    def reads_before(self, node: Node) -> bool:
        """Whether what a variable held before the run may be read in it, or be left in it for
        those who read it afterwards."""
        if node.key in self.host.handed_out:
            return True
        use = first_use(self.run.statements, node.key)
        return use == "reads" or (use == "nothing" and self.outlives(node))


def _set_to(statement: Node, key: Key) -> int | float | None:
    """The constant that a statement gives a variable, and does nothing else to it."""
    if statement.kind == "DECL_STMT":
        own = [c for c in statement.children if c.kind == "VAR_DECL" and c.key == key]
        if not own or own[0].initializer is None or _is_named_in(statement, key):
            return None
        return own[0].initializer.evaluate()
    if statement.kind == "BINARY_OPERATOR" and statement.operator == "=":
        target, value = statement.children
        if target.kind == "DECL_REF_EXPR" and target.key == key:
            return value.evaluate()
    return None


def _variables_named_in(start: Node) -> Iterator[Node]:
    """The names of variables in what one begins with, but for those that a lambda declares."""
    own = {n.key for n in start.walk() if n.kind in _VARIABLES}
    for name in start.walk():
        if name.kind == "DECL_REF_EXPR" and name.key not in own:
            declared = name.declaration
            if declared is not None and declared.kind.name in _VARIABLES:
                yield name


def _used_whole(start: Node) -> Iterator[Node]:
    """The names in a lambda's body but for those of which an element is taken, or the size."""
    if start.kind == "CALL_EXPR" and start.spelling in ("operator[]", "size", "empty"):
        called = start.children[0]
        called = strip(called.children[0] if called.kind == "MEMBER_REF_EXPR" else called)
        if called.kind == "DECL_REF_EXPR":
            for argument in start.children[1:]:
                yield from _used_whole(argument)
            return
    if start.kind == "DECL_REF_EXPR":
        yield start
    for child in start.children:
        yield from _used_whole(child)


def _is_copied_whole(type: Any) -> bool:
    """Whether a copy of a variable that nothing changes stays what the variable is: that of an
    array, an object or what a reference leads to has elements of its own."""
    return not is_reference(type) and (scalar_type(type) is not None or is_pointer(type))


def _names_a_member(part: Node) -> bool:
    """Whether a member is named without its object."""
    return any(
        n.kind == "MEMBER_REF_EXPR" and all(c.kind.endswith("_REF") for c in n.children)
        for n in part.walk()
    )


def _is_named_in(statement: Node, key: Key) -> bool:
    """Whether a declaration of several variables names one of them, too: `int t = 5, u = t++;`."""
    return any(n.kind == "DECL_REF_EXPR" and n.key == key for n in statement.walk())


def check_entry_and_exit(run: Run) -> None:
    """Raises `LiftError` where control may leave or enter a run other than at its ends."""
    for statement in run.statements:
        left = jumps(statement)
        if left == {"return"} and all(_is_in_loop(way, statement) for way in ways_out(statement)):
            left = frozenset()
        if left:
            kind = sorted(left)[0]
            raise unsupported(
                "early-exit",
                statement.span,
                f"`{kind}` leaves these loops for what is behind them",
            )
        if any(_labels_outside(statement)):
            text = "a `case` leads into these loops"
            raise unsupported("unsupported-statement", statement.span, text)
        for node in statement.walk():
            if node.kind in ("LABEL_STMT", "GOTO_STMT", "INDIRECT_GOTO_STMT"):
                raise unsupported("goto", node.span, "`goto` isn't understood")


def _is_first_value(stmt: Stmt, held: Mapping[str, Variable]) -> bool:
    """Whether a statement takes over what one of these numbers is when the run begins."""
    if not isinstance(stmt, Assign) or not isinstance(stmt.value, Load):
        return False
    scalar = held.get(stmt.value.array)
    return scalar is not None and scalar.name == stmt.name


def _is_in_loop(way: Node, statement: Node) -> bool:
    """Whether a loop stands around what leaves a statement."""
    if statement.kind in LOOPS:
        return True
    inner = (c for c in statement.children if any(n.cursor == way.cursor for n in ways_out(c)))
    return any(_is_in_loop(way, c) for c in inner)


def _labels_outside(node: Node) -> Iterator[Node]:
    """The cases in a statement of a switch that stands around it."""
    if node.kind in ("CASE_STMT", "DEFAULT_STMT"):
        yield node
    if node.kind != "SWITCH_STMT" and not node.kind.endswith("_EXPR"):
        for child in node.children:
            yield from _labels_outside(child)


def region_of(region: RegionDefinition, t: Translation, kept: Collection[str]) -> Region:
    """What a region's kernel, with the parameters `kept`, says of where it stands; the function's
    name is filled in later."""
    outputs, distances = tuple(t.outputs), tuple(t.distances.values())
    choices = tuple(c for c in t.choices.values() if c.param in kept)
    return Region(region.host.name, region.number, outputs, distances, choices, t.left,
                  t.left_with)  # fmt: skip


def translate_region(
    t: Translation, region: RegionDefinition
) -> tuple[tuple[Param, ...], JumpTarget]:
    """Translates the statements of a region; gives its parameters."""
    check_entry_and_exit(region.run)
    target = JumpTarget("function", ways_out=region.ways_out)
    t.targets = [target]
    outs: list[tuple[Node, Param]] = []
    params = _bound(t, region, outs)
    t.span = region.span
    params = (*params, *_ways_out(t, region, target))
    for node in region.redone:
        declare(t, node)
    known = [*stated(region.span, region.given), *values_at(t, region.span)]
    known += facts_at(t, region.run, region.host.mutated)
    t.out[:0] = {a.condition: a for a in reversed(known)}.values()
    run_statements(t, region.run.statements)
    t.span = region.span
    for node, param in outs:
        if any(e.get(node.key) != t.environment[node.key] for e in target.returns):
            raise unsupported(
                "pointer-base", node.span, f"`{node.spelling}` points somewhere else at a `return`"
            )
        _give_out(t, node, param)
    if target.left is not None:
        t.emit(Store(t.span, t.left, (ZERO,), Variable(target.left, I32)))
    if target.left_with is not None:
        t.emit(Store(t.span, t.left_with, (ZERO,), target.left_with))
    again = needed_by(s for s in t.out if not _is_first_value(s, t.held_fields))
    anew = {n: v for n, v in t.held_fields.items() if ("scalar", v.name) not in again}
    anew = {n: v for n, v in anew.items() if n in t.held_for_itself}
    t.out[:] = [s for s in t.out if not _is_first_value(s, anew)]
    for field, value in t.held_fields.items():
        if field in anew:
            continue  # the run sets it before it reads it, whenever it runs
        t.emit(Store(t.span, field, (ZERO,), value))
    _check_changes(t, region, [node.key for node, _ in outs])
    return params, target


def _named(way: Node) -> set[Key]:
    """The variables that a `return` names."""
    found = (n for n in way.walk() if n.kind == "DECL_REF_EXPR")
    return {n.key for n in found if n.declaration is not None}


def _is_plain(way: Node) -> bool:
    """Whether a `return` gives the same when it is done behind the loops that it stands in: it
    calls nothing, and changes nothing."""
    nodes = list(way.walk())
    return all(n.kind in _RETURNED for n in nodes) and not any(
        n.is_step if n.kind == "UNARY_OPERATOR" else n.operator == "="
        for n in nodes
        if n.kind in ("UNARY_OPERATOR", "BINARY_OPERATOR")
    )


def _ways_out(t: Translation, region: RegionDefinition, target: JumpTarget) -> list[Param]:
    """The parameters that take by which `return` the function is left, and with what."""
    if not region.ways_out:
        return []
    t.left = t.fresh_array("left")
    target.left = t.fresh("left")
    params = [_taken(t, t.left, I32, "int &")]
    t.assign(target.left, Const(I32, 0))
    if not region.known_inside:
        return params
    type = scalar_type(region.result_type)
    if type is None or region.result_type.kind.name == "ENUM":
        way = region.ways_out[min(region.known_inside) - 1]
        text = "`return` leaves these loops with what they alone know, and that is no number"
        raise unsupported("early-exit", way.span, text)
    t.left_with = t.fresh_array("left.with")
    target.left_with = Variable(t.fresh("left.with"), type)
    target.known_inside = region.known_inside
    t.assign(target.left_with.name, Const(type, 0))
    return [*params, _taken(t, t.left_with, type, f"{region.result_type.spelling} &")]


def _taken(t: Translation, name: str, type: Type, spelling: str) -> Param:
    t.declare_array(Array(name, type, span=t.span))
    t.sources.append(SourceParam(name, spelling, "plain", "", ()))
    return Param(name, "reference", type, spelling, False, t.span)


def _bound(
    t: Translation, region: RegionDefinition, outs: list[tuple[Node, Param]]
) -> tuple[Param, ...]:
    """The parameters, bound; in `outs` the variables whose values are to be given out, too."""
    uses_this = any(True for _ in region.nodes_of("CXX_THIS_EXPR")) or region.names_members
    params = bind_receiver(t, region) if uses_this else []
    t.definition = region
    taken: set[str] = set()
    for node in region.parameters:
        name = node.spelling
        if not name or name in taken:
            raise unsupported(
                "unsupported-type", region.span, f"two variables `{name}` are used here"
            )
        taken.add(name)
        if not region.is_local(node) and region.host.declared_names[name]:
            raise unsupported(
                "unsupported-type",
                region.span,
                f"`{name}` is a local name, too, in `{region.name}`",
            )
        if node.type.is_volatile_qualified():
            raise unsupported("unsupported-type", node.span, "`volatile` isn't understood")
        if name not in t.known.bases:
            params += _bound_one(t, region, node, name, outs)
    for node in region.parameters:
        if node.spelling in t.known.bases:
            params += _distance(t, region, node, params, outs)
    return tuple(params)


def _bound_one(
    t: Translation,
    region: RegionDefinition,
    node: Node,
    name: str,
    outs: list[tuple[Node, Param]],
) -> list[Param]:
    type = node.type
    changed = node.key in region.mutated or node.key in t.known.changed
    number = scalar_type(type)
    if number is not None and changed:
        lives, starts = region.outlives(node), region.reads_before(node)
        if not lives and not starts:
            own = t.fresh(name)
            t.emit(Declare(t.span, own, number))
            t.bind(node, ScalarBinding(ScalarPlace(own, number)))
            return []
        held = region.first_value(node) if starts else None
        if held is not None and not lives:
            own = t.fresh(name)
            t.bind(node, ScalarBinding(ScalarPlace(own, number)))
            t.assign(own, literal(held, number))
            return []
        counts = number.is_integer and not number.is_bool and region.counts_by(node)
        if lives and starts and held is None and (counts or region.is_handed_on(node)):
            return _by_value(t, node, name, number, outs)
        if lives:
            t.declare_array(Array(name, number, span=node.span))
            own = t.fresh(name)
            t.bind(node, ScalarBinding(ScalarPlace(own, number)))
            if starts:
                first = Load(name, (ZERO,), number) if held is None else literal(held, number)
                t.assign(own, first)
            else:
                t.emit(Declare(t.span, own, number))
            spelling = f"{type.spelling} &"
            param = Param(name, "reference", number, spelling, False, node.span)
            outs.append((node, param))
            t.sources.append(SourceParam(name, spelling, "plain", "", ()))
            t.outputs.append(RegionOutput(name, name))
            return [param]
    is_own_object = changed and _is_of_numbers(type, node) and region.is_alone_with(node)
    if is_own_object and not (region.outlives(node) or region.reads_before(node)):
        t.bind(node, new_object(t, node.key, name, type, node))
        return []
    if is_array(type) and node.kind == "VAR_DECL":
        if is_pointer(type.element_type.get_canonical()) and not changed:
            return _pointers(t, node, name)
        return _array(t, node, name)
    element = vector_element(type)
    if element is not None and not is_reference(type):
        t.declare_array(Array(name, element, span=node.span))
        size = size_of(name)
        t.declared.names.add(size.name)
        t.fixed.add(size.name)
        t.bind(node, VectorBinding(Pointer(name, element), size))
        t.sources.append(SourceParam(name, type.spelling, "plain", "", ()))
        return [Param(name, "vector", element, f"{type.spelling} &", is_const(type), node.span)]
    row = vector_row(type)
    table = None if row is None else row_table(t, node, name, row)
    if table is not None:
        t.bind(node, table[0])
        t.sources.append(SourceParam(name, type.spelling, "plain", "", ()))
        return [table[1]]
    record = vector_record(type)
    if record is not None:
        constant = is_const(pointee_of(type) if is_reference(type) else type)
        bound, params = structures(t, node, name, record, constant)
        t.bind(node, bound)
        t.sources += [SourceParam(p.name, p.spelling, "plain", "", ()) for p in params]
        return params
    if points_to_function(type) and not changed:
        chosen = choice_of(t, node, name, type, name)
        if chosen is not None:
            t.bind(node, PointerBinding(name, chosen[0]))
            t.sources.append(SourceParam(chosen[1].name, "int", "plain", "", ()))
            return [chosen[1]]
    if is_pointer(type) and _leads_to_tables(type) and not changed:
        return _pointers(t, node, name)
    is_own = not region.is_known_elsewhere(node)
    is_alone = _is_of_numbers(type, node) and region.is_first_with(node)
    shared = not is_alone or region.outlives(node)
    of_others = set(t.held_fields)
    params = bind_parameter(t, node, name, region, shared=shared, is_own=is_own)
    if is_alone and region.outlives_for_itself(node):
        t.held_for_itself |= t.held_fields.keys() - of_others
    if not is_pointer(type):
        return params
    if len(params) == 1 and params[0].name == name and params[0].kind == "array":
        t.free_pointers[name] = FreePointer(_unqualified(type), region.is_compared_only(node))
    if changed and region.outlives(node):
        (param,) = params
        params.append(_moved(t, node, param.type.bytes, outs))
    return params


def _tells_nobody(call: Node) -> bool:
    """Whether what makes an object leaves its address nowhere: it calls nothing, and speaks of the
    object's members alone."""
    maker = call.declaration
    if maker is None or maker.kind.name != "CONSTRUCTOR":
        return False
    if is_implicit(maker):
        return True
    definition = maker.get_definition()
    inside = () if definition is None else [*Node(definition).walk(), *call.walk()][1:]
    return bool(inside) and not any(
        n.kind in ("CXX_THIS_EXPR", "LAMBDA_EXPR") or (n.kind == "CALL_EXPR" and n is not call)
        for n in inside
    )


def _is_of_numbers(type: Any, node: Node) -> bool:
    """Whether it is a class all of whose members are numbers, and whose objects nobody sees end."""
    if not is_record(type) or library_class(type):
        return False
    try:
        check_record(type, node)
        refuse_destructor(type, node)
        fields = fields_of(type)
    except LiftError:
        return False
    return all(scalar_type(f.type) and not f.node.cursor.is_bitfield() for f in fields)


def _by_value(
    t: Translation, node: Node, name: str, number: Type, outs: list[tuple[Node, Param]]
) -> list[Param]:
    """The parameters of a number that has another value behind the loops: what it is before is
    passed by value, and `n.left` takes what it is then. So is a number that says how often a loop
    runs, since sizes are, and one that hands its value on to another: where the one is stored, the
    other may still be what this was."""
    t.declared.names.add(name)
    t.fixed.add(name)
    own = t.fresh(name)
    t.bind(node, ScalarBinding(ScalarPlace(own, number)))
    t.assign(own, Variable(name, number))
    spelling = node.type.spelling
    left = Param(f"{name}.left", "reference", number, f"{spelling} &", False, node.span)
    t.declare_array(Array(left.name, number, span=node.span))
    outs.append((node, left))
    t.sources.append(SourceParam(name, spelling, "plain", "", ()))
    t.sources.append(SourceParam(left.name, left.spelling, "plain", "", ()))
    t.outputs.append(RegionOutput(left.name, name))
    return [Param(name, "scalar", number, spelling, False, node.span), left]


def _moved(t: Translation, node: Node, step: int, outs: list[tuple[Node, Param]]) -> Param:
    """The parameter that takes by how many elements of `step` bytes a pointer moves."""
    moved = Param(f"{node.spelling}.moved", "reference", I64, "int64_t &", False, node.span)
    t.declare_array(Array(moved.name, I64, span=node.span))
    outs.append((node, moved))
    t.sources.append(SourceParam(moved.name, moved.spelling, "plain", "", ()))
    t.outputs.append(RegionOutput(moved.name, node.spelling, step))
    return moved


def _distance(
    t: Translation,
    region: RegionDefinition,
    node: Node,
    others: list[Param],
    outs: list[tuple[Node, Param]],
) -> list[Param]:
    """A pointer that is compared with another one, as a place in the memory that this leads to.

    Compared for order they point into one array, or nothing is defined. Whatever they are, the
    number says where the pointer stands, if it is a whole number of elements; that is asked for.
    """
    name, base = node.spelling, t.known.bases[node.spelling]
    (array,) = (p for p in others if p.name == base)
    ahead = Param(f"{name}.ahead", "scalar", I64, "ptrdiff_t", False, node.span)
    t.declared.names.add(ahead.name)
    t.fixed.add(ahead.name)
    t.sources.append(SourceParam(ahead.name, ahead.spelling, "plain", "", ()))
    t.distances[name] = RegionDistance(ahead.name, name, base)
    start = _start(t, name, array.type.bytes)
    if t.is_constant(node.key):
        t.bind(node, PointerBinding(name, Pointer(base, array.type, start)))
        return [ahead]
    t.environment[node.key] = PointerBinding(name, None)
    set_pointer(t, node.key, name, Pointer(base, array.type, start))
    moves = node.key in region.mutated or node.key in t.known.changed
    if not (moves and region.outlives(node)):
        return [ahead]
    return [ahead, _moved(t, node, array.type.bytes, outs)]


def _start(t: Translation, name: str, size: int) -> Expr:
    """Where a pointer begins that is told by its distance, in elements of `size` bytes."""
    bytes = Variable(t.distances[name].param, I64)
    if size == 1:
        return bytes
    count = Const(I64, size)
    t.multiples[EQ(TruncMod(bytes, count), ZERO)] = f"{bytes.name} % {size} == 0"
    return TruncDiv(bytes, count)


def _leads_to_tables(type: Any) -> bool:
    """Whether a pointer leads to tables of rows: to one for each plane."""
    return is_pointer(pointee_of(type)) and is_pointer(pointee_of(pointee_of(type)))


def _pointers(t: Translation, node: Node, name: str) -> list[Param]:
    """The elements that are used of an array of pointers of the function around, or of tables of
    rows that a pointer leads to."""
    t.arrays_apart.add(node.key)
    is_table = is_pointer(node.type)
    pointer = pointee_of(node.type) if is_table else node.type.element_type.get_canonical()
    pointee = pointee_of(pointer)
    row = pointee_of(pointee) if is_table else pointee
    element = None if row.kind.name == "VOID" else extents_of(row).element
    params: list[Param] = []
    for index in t.known.elements.get(name, ()):
        if element is None or row.is_volatile_qualified() or not (is_table or index.isdigit()):
            break
        own = element_name(name, index)
        constant = is_const(row)
        spelling = f"{'const ' if constant else ''}{element_spelling(row)} *"
        spelling += "*" if is_table else ""
        level = 2 if is_table else 1
        t.declare_array(Array(own, element, level, span=node.span))
        t.elements[own] = PointerBinding(own, Pointer(own, element, ZERO, level))
        t.sources.append(SourceParam(own, spelling, "plain", "", ()))
        kind: ParamKind = "rows" if is_table else "array"
        params.append(Param(own, kind, element, spelling, constant, node.span))
    why = f"`{name}` has type `{node.written_type}`, which isn't understood"
    t.bind(node, UnknownBinding(unsupported("unsupported-type", node.span, why).diagnostic))
    return params


def _array(t: Translation, node: Node, name: str) -> list[Param]:
    """An array variable of the function around, or the elements of one of integers that are used
    one by one: `n[0]` may be how often a loop runs."""
    extents = extents_of(node.type)
    element = extents.element
    if node.type.kind.name == "VARIABLEARRAY":
        element = scalar_type(pointee_of(node.type))
    if element is None:
        raise unsupported(
            "unsupported-type",
            node.span,
            f"`{name}` has type `{node.written_type}`, which isn't understood",
        )
    t.declare_array(Array(name, element, span=node.span))
    t.bind(node, ArrayBinding(Pointer(name, element)))
    if node.type.kind.name == "CONSTANTARRAY" and t.declared.arrays[name].type is element:
        t.counts[name] = extents.count
    if element.is_integer and not element.is_bool and len(extents.shape) == 1:
        t.arrays_apart.add(node.key)
    elements = [index for index in t.known.elements.get(name, ()) if index.isdigit()]
    if elements:
        return [_number(t, node, element_name(name, index), element) for index in elements]
    constant = is_const(node.type)
    spelling = f"{'const ' if constant else ''}{element_spelling(node.type)} *"
    t.sources.append(SourceParam(name, spelling, "plain", "", ()))
    return [Param(name, "array", element, spelling, constant, node.span)]


def _number(t: Translation, node: Node, name: str, type: Type) -> Param:
    """An element of an array of integers, which nothing in the region changes."""
    t.declared.names.add(name)
    t.fixed.add(name)
    t.elements[name] = ScalarBinding(ScalarPlace(name, type))
    t.sources.append(SourceParam(name, spelled(type), "plain", "", ()))
    return Param(name, "scalar", type, spelled(type), True, node.span)


def _give_out(t: Translation, node: Node, param: Param) -> None:
    """Stores what a variable holds at the region's end."""
    binding = t.environment[node.key]
    if isinstance(binding, ScalarBinding) and isinstance(binding.place, ScalarPlace):
        value: Expr = Variable(binding.place.name, binding.place.type)
    elif isinstance(binding, PointerBinding):
        found = bound_pointer(binding, node)
        array = t.known.bases.get(node.spelling, node.spelling)
        if (
            not isinstance(found, Pointer)
            or found.array != array
            or found.row is not None
            or found.given is not None
        ):
            raise unsupported(
                "pointer-base",
                node.span,
                f"`{node.spelling}` points somewhere else after the loops",
            )
        value = convert(found.offset, I64)
        if node.spelling in t.distances:
            value = subtract(value, _start(t, node.spelling, found.element.bytes))
    else:
        raise unsupported("unsupported-type", node.span, f"`{node.spelling}` isn't understood here")
    t.emit(Store(t.span, param.name, (ZERO,), value))


def _check_changes(t: Translation, region: RegionDefinition, given: list[Key]) -> None:
    """Raises where a function that is called changes a variable that was taken for constant."""
    for node in region.parameters:
        by_value = scalar_type(node.type) is not None or is_pointer(node.type)
        if not by_value or node.key in given or node.key in region.mutated:
            continue
        if node.key in t.mutated or node.key in t.known.changed:
            raise unsupported(
                "global-state",
                region.span,
                f"`{node.spelling}` is changed by a function that is called here",
            )


def _declared_in(block: Node) -> Iterator[Node]:
    for child in block.children:
        if child.kind == "DECL_STMT":
            yield from (c for c in child.children if c.kind == "VAR_DECL")


def _is_redone(node: Node) -> bool:
    if node.kind == "UNARY_OPERATOR":
        return node.operator in ("-", "+", "~", "!")
    if node.kind == "BINARY_OPERATOR":
        is_set = node.operator.endswith("=") and node.operator not in ("==", "!=", "<=", ">=")
        return not (is_set or divides_by_a_variable(node) or _is_of_high_bits(node))
    return node.kind in _REDONE


def _is_lane_call(node: Node) -> bool:
    """Whether a call has to do with numbers and vectors of them alone."""
    if node.kind != "CALL_EXPR":
        return False
    types = [node.type, *(argument.type for argument in arguments_of(node))]
    return all(is_simd(type) or scalar_type(type) is not None for type in types)


def divides_by_a_variable(node: Node) -> bool:
    """Whether an operator gives an integer's quotient or remainder by what is no constant: proofs
    know more of any number, computed once before the loops, than of the quotient of two."""
    own = scalar_type(node.type)
    if own is None or not own.is_integer or node.operator not in ("/", "%", "/=", "%="):
        return False
    return node.children[1].evaluate() is None


def _is_of_high_bits(node: Node) -> bool:
    """Whether an operator shifts a number of 64 bits to the right, a place in fixed point: places
    and sizes have 32, and so has what is made of it, of which proofs know more by itself."""
    own = scalar_type(node.type)
    return own is not None and own.is_integer and own.bits > 32 and node.operator == ">>"


def _moves_alone(start: Node, node: Node) -> bool:
    """Whether a pointer begins in an array of its own type, as a place in it."""
    named = [n for n in start.walk() if n.kind == "DECL_REF_EXPR" and is_pointer(n.type)]
    return len(named) == 1 and all(_unqualified(n.type) == _unqualified(node.type) for n in named)


def _unqualified(type: Any) -> str:
    return str(pointee_of(type).spelling).removeprefix("const ")
