"""The functions of a translation unit (and of the model files), found by those who call them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from compiler.ir import Expr

from ..model.diagnostic import Diagnostic, LiftError, Span
from ..model.kernel import Array, PureFunction
from ..model.reserved import WORDS, is_special
from .bindings import Key
from .categories import CASTS, designated, names_place
from .failure import unsupported
from .library_function import LibraryFunction, library_function
from .naming import flat_name, linker_name
from .records import copied_members
from .syntax import Node, children_of, has_cleanup, in_system_header, key_of, kind_of
from .types import is_pointer, is_record, is_reference, pointee_of, scalar_type

CALLABLE = frozenset({"FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "CONVERSION_FUNCTION"})


NO_FUNCTIONS: Mapping[str, str] = MappingProxyType({})
_WEAK = re.compile(r"\b(weak|__weak__)(\)\)|\]\])")
_SCOPES = ("NAMESPACE", "CLASS_DECL", "STRUCT_DECL", "UNION_DECL")


def callee_of(node: Node) -> str:
    """The called function's name, with its namespace where it has one (`std::min`)."""
    cursor = node.declaration
    if cursor is None:
        return node.spelling
    name = str(cursor.spelling)
    parent = cursor.semantic_parent
    while parent is not None and parent.kind.name in _SCOPES:
        if parent.spelling:
            name = f"{parent.spelling}::{name}"
        parent = parent.semantic_parent
    return name


def arguments_of(node: Node) -> tuple[Node, ...]:
    """The argument expressions of a call, default arguments included."""
    return tuple(Node(c) for c in node.cursor.get_arguments())


def has_body(cursor: Any) -> bool:
    return any(kind_of(c) in ("COMPOUND_STMT", "CXX_TRY_STMT") for c in children_of(cursor))


def identity_of(cursor: Any) -> str:
    """What tells a function's definition from all others. Its USR alone doesn't: lambdas of one
    function have the same, and so have instances of a template for each of them."""
    hash, offset = key_of(cursor)
    return f"{cursor.get_usr()} {hash:x} {offset}"


class FunctionDefinition:
    """A function whose body is seen."""

    def __init__(self, cursor: Any, is_model: bool, error: Diagnostic | None = None) -> None:
        self.node = Node(cursor)
        self.is_model = is_model
        self.error = error
        """The syntax error inside of it, if there is one."""
        self.key = identity_of(cursor)
        self.name = str(cursor.spelling)

    def forget(self) -> None:
        """Lets go of the nodes, which take far more memory than clang's own tree.

        Whoever asks for one of them again gets new ones.
        """
        cursor = self.node.cursor
        self.node.cut()
        self.node = Node(cursor)
        for name in ("parameters", "body", "nodes", "names", "conversions_to_pointers"):
            self.__dict__.pop(name, None)

    @cached_property
    def parameters(self) -> tuple[Node, ...]:
        return tuple(Node(c) for c in self.node.cursor.get_arguments())

    @cached_property
    def body(self) -> Node:
        return next(c for c in self.node.children if c.kind in ("COMPOUND_STMT", "CXX_TRY_STMT"))

    @property
    def receiver_type(self) -> Any:
        """The class whose method this is; None for a function and for a static method."""
        cursor = self.node.cursor
        if cursor.kind.name == "FUNCTION_DECL" or cursor.is_static_method():
            return None
        return cursor.semantic_parent.type.get_canonical()

    @property
    def result_type(self) -> Any:
        return self.node.cursor.result_type.get_canonical()

    @property
    def value_type(self) -> Any:
        """The type of the result as a value: that of the number for a constant reference to one."""
        result = self.result_type
        if is_reference(result) and pointee_of(result).is_const_qualified():
            return pointee_of(result)
        return result

    @cached_property
    def mutated(self) -> set[Key]:
        """The variables that the body assigns, steps, or hands out by address or reference."""
        found: set[Key] = set()
        for node in self.nodes_of(*_CHANGING):
            for target in _targets(node):
                found |= {name.key for name in designated(target)}
        return found

    @cached_property
    def handed_out(self) -> set[Key]:
        """The variables whose address or a reference to which others may have."""
        found: set[Key] = set()
        for node in self.nodes_of("UNARY_OPERATOR", "CALL_EXPR", "INIT_LIST_EXPR", "VAR_DECL"):
            if copied_members(node) is not None:
                continue  # who copies all members of an object keeps no reference to it
            if node.kind != "UNARY_OPERATOR" or node.operator == "&":
                for target in _targets(node):
                    found |= {name.key for name in designated(target)}
        for node in self.nodes_of("UNEXPOSED_DECL", *_ASSEMBLY):
            found |= {name.key for target in _targets(node) for name in designated(target)}
        for node in self.nodes_of("LAMBDA_EXPR"):
            names = (n for n in node.walk() if n.kind == "DECL_REF_EXPR")
            found |= {n.key for n in names if n.declaration is not None}
        found |= {n.key for n in self.nodes_of("VAR_DECL") if has_cleanup(n)}
        return found

    is_region = False
    """Whether it is a part of a function, so that its parameters are variables of that."""
    functions: Mapping[str, str] = NO_FUNCTIONS
    """Of a region, by pointer: the function that it is taken to lead to (`function_pointers`)."""
    given: tuple[Expr, ...] = ()
    """Of a region: conditions over its parameters that its calls meet (`kinds_of_calls`)."""

    @cached_property
    def span(self) -> Span:
        return self.node.span

    @property
    def linker_name(self) -> str:
        """What a linker calls the function; empty where no other file can call it."""
        return linker_name(self.node.cursor)

    @cached_property
    def nodes(self) -> dict[str, list[Node]]:
        """The nodes of the body by kind, each kind's in source order."""
        found: dict[str, list[Node]] = {}
        for node in self.body.walk():
            found.setdefault(node.kind, []).append(node)
        return found

    def nodes_of(self, *kinds: str) -> Iterator[Node]:
        """The nodes of the body that are of some kinds, kind by kind."""
        for kind in kinds:
            yield from self.nodes.get(kind, ())

    @cached_property
    def names(self) -> dict[Key, list[Node]]:
        """The expressions that name a variable or a function, by what they name."""
        found: dict[Key, list[Node]] = {}
        for node in self.nodes_of("DECL_REF_EXPR"):
            if node.declaration is not None:
                found.setdefault(node.key, []).append(node)
        return found

    @cached_property
    def conversions_to_pointers(self) -> list[Node]:
        """The casts and implicit conversions to pointers, and the variables that are pointers."""
        kinds = ("VAR_DECL", "UNEXPOSED_EXPR", *CASTS)
        return [n for n in self.nodes_of(*kinds) if is_pointer(n.type)]

    @cached_property
    def declared(self) -> frozenset[Key]:
        """The parameters and the variables that the function declares."""
        own = (n.key for n in self.nodes_of("VAR_DECL"))
        return frozenset((*(p.key for p in self.parameters), *own))

    @cached_property
    def declared_names(self) -> Counter[str]:
        """How often the function declares a name: its parameters, and whatever is in its body."""
        inside = (
            n.spelling for kind, nodes in self.nodes.items() if "_DECL" in kind for n in nodes
        )
        return Counter((*(p.spelling for p in self.parameters), *inside))

    @cached_property
    def reassigned(self) -> set[Key]:
        """Those of them that aren't only moved by steps and by `+=` and `-=`."""
        found: set[Key] = set()
        for node in self.nodes_of(*_CHANGING):
            if node.kind == "COMPOUND_ASSIGNMENT_OPERATOR" or (
                node.kind == "UNARY_OPERATOR" and node.operator != "&"
            ):
                continue
            for target in _targets(node):
                found |= {name.key for name in designated(target)}
        return found

    @property
    def is_scalar(self) -> bool:
        """Whether parameters and result are numbers, by value or by constant reference."""
        cursor = self.node.cursor
        if cursor.kind.name != "FUNCTION_DECL" and not (
            cursor.kind.name == "CXX_METHOD" and cursor.is_static_method()
        ):
            return False
        if scalar_type(self.value_type) is None or self.node.cursor.type.is_function_variadic():
            return False
        return all(self._is_scalar(p) for p in self.parameters)

    @staticmethod
    def _is_scalar(parameter: Node) -> bool:
        type = parameter.type
        if is_reference(type):
            pointee = pointee_of(type)
            return pointee.is_const_qualified() and scalar_type(pointee) is not None
        return scalar_type(type) is not None


_ASSEMBLY = ("ASM_STMT", "MS_ASM_STMT")
_CHANGING = (
    *_ASSEMBLY, "COMPOUND_ASSIGNMENT_OPERATOR", "BINARY_OPERATOR", "UNARY_OPERATOR", "CALL_EXPR",
    "INIT_LIST_EXPR", "VAR_DECL", "UNEXPOSED_DECL",
)  # fmt: skip
"""The kinds of nodes that may change a variable, or let others change it."""


def _targets(node: Node) -> Iterable[Node]:
    kind = node.kind
    if kind in _ASSEMBLY:
        return node.children  # which of its operands it changes isn't told
    if kind == "COMPOUND_ASSIGNMENT_OPERATOR" or (
        kind == "BINARY_OPERATOR" and node.operator == "="
    ):
        return node.children[:1]
    if kind == "UNARY_OPERATOR" and (node.is_step or node.operator == "&"):
        return node.children[:1]
    if kind == "CALL_EXPR" or (kind == "INIT_LIST_EXPR" and _holds_reference(node.type)):
        # What no conversion stands around may be bound to a reference to what can be changed.
        return [c for c in node.children if c.kind != "UNEXPOSED_EXPR" and names_place(c)]
    if kind == "VAR_DECL" and is_reference(node.type):
        return node.children[-1:]
    if kind == "UNEXPOSED_DECL":
        return [c for c in node.children[-1:] if names_place(c)]  # `auto &[a, b] = object;`
    return ()


def _holds_reference(type: Any) -> bool:
    return is_record(type) and any(is_reference(f.type.get_canonical()) for f in type.get_fields())


def _is_weak(cursor: Any) -> bool:
    """Whether the linker may put another function in this one's place."""
    is_marked = any(kind_of(child) == "UNEXPOSED_ATTR" for child in children_of(cursor))
    return is_marked and _WEAK.search(Node(cursor).printed()) is not None


@dataclass(frozen=True, slots=True)
class Addressed:
    """Functions whose addresses are taken, in source order, and the keys of those set together."""

    functions: tuple[FunctionDefinition, ...] = ()
    together: tuple[frozenset[str], ...] = ()


class SourceProgram:
    """Everything that calls may lead to, with the pure functions found so far."""

    def __init__(self, hosted: bool = True) -> None:
        """`hosted`: whether C's names are the C library's, however they are declared."""
        self.hosted = hosted
        self._definitions: dict[str, FunctionDefinition] = {}
        self._elsewhere: dict[str, FunctionDefinition] = {}
        """By name (USR): what is declared in one file and defined in another."""
        self._models: dict[tuple[str, int], FunctionDefinition] = {}
        self.pure: dict[str, PureFunction | LiftError | None] = {}
        """Those of scalars that were asked for, by key: as one expression, or why they are none."""
        self.lane_functions: dict[Any, Any] = {}
        """Those of vectors that were asked for, by key and arguments (`lane_functions`)."""
        self._tables: dict[str, dict[str, Array]] = {}
        self._nested: dict[str, dict[str, PureFunction]] = {}
        self._names = dict.fromkeys(WORDS, "")
        """The names that functions have in a kernel's output, and words that mean more there."""
        self.right_comes_first = True
        """Whether the right side of an assignment is evaluated before the left: since C++17."""
        self.has_references = True
        """Whether a cast may be one to a reference."""
        self.weak: frozenset[str] = frozenset()
        """Functions, by name or symbol, that `#pragma weak` lets the linker replace."""
        self.addressed: Callable[[], Addressed] = Addressed
        """Gives the functions whose addresses the file takes."""
        self.elsewhere: Callable[[Collection[str]], Addressed] = lambda _: Addressed()
        """The same of other files of the program that say one of some words."""
        self.texts: dict[str, str] = {}
        """By key: functions that pointers may lead to, as kernels call them."""
        self.files: dict[str, str] = {}
        """By key: the other files in which such functions stand."""
        self.together: set[frozenset[str]] = set()
        """The keys of those that are set together."""
        self.range_ends: dict[tuple[str, bool], Any] = {}
        """The methods that `range_ends` finds."""

    def add(self, definition: FunctionDefinition, qualified: str) -> None:
        """Makes a function known; a model is found by its name and number of parameters."""
        if definition.is_model:
            self._models[(qualified, len(definition.parameters))] = definition
        else:
            self._definitions[definition.key] = definition
            self._elsewhere[str(definition.node.cursor.get_usr())] = definition

    def definition(
        self, cursor: Any, name: str, is_itself: bool = False
    ) -> FunctionDefinition | None:
        """The definition that a call of `cursor` runs: the model's before the source's. A virtual
        method's is what it runs where it `is_itself`, and no other class's, that is called."""
        if cursor is None or cursor.kind.name not in CALLABLE:
            return None
        if cursor.kind.name == "CXX_METHOD" and cursor.is_virtual_method() and not is_itself:
            return None
        if self._models:
            count = sum(1 for _ in cursor.get_arguments())
            model = self._models.get((name, count))
            if model is not None:
                return model
        body = cursor.get_definition()
        if body is not None and self.is_replaceable(body):
            return None
        if body is None or not has_body(body):
            found = self._elsewhere.get(str(cursor.get_usr()))
            is_lost = found is not None and self.is_replaceable(found.node.cursor)
            return None if is_lost else found
        made = FunctionDefinition(body, False)
        return self._definitions.setdefault(made.key, made)

    def is_replaceable(self, body: Any) -> bool:
        """Whether the linker may put another function, or table, in the place of one."""
        return any(map(_is_weak, (body, body.canonical))) or (
            bool(self.weak) and not self.weak.isdisjoint((body.spelling, body.mangled_name))
        )

    def library_function(self, cursor: Any) -> LibraryFunction | None:
        """The library function that a call of `cursor` runs; None where it runs something else."""
        found = library_function(cursor, self.hosted)
        if found is None or cursor.kind.name != "FUNCTION_DECL":
            return found
        defined = self._elsewhere.get(str(cursor.get_usr()))
        return found if defined is None or in_system_header(defined.node.cursor) else None

    def check_readable(self, definition: FunctionDefinition, call: Node) -> None:
        """Raises when the callee's own text has a syntax error."""
        if definition.error is not None:
            raise unsupported(
                "syntax-error",
                call.span,
                f"`{definition.name}`, called here, has a syntax error",
                None,
                str(definition.error),
            )

    def reserve(self, name: str, key: str) -> None:
        """Keeps a name for the function with this key, which the file's list has by it."""
        self._names.setdefault(name, key)

    def unique_name(self, definition: FunctionDefinition) -> str:
        own = flat_name(definition.node.cursor)
        own = own.strip("_") if is_special(own) else own
        name, count = own, 1
        while self._names.get(name, definition.key) != definition.key:
            count += 1
            name = f"{own}_{count}"
        self._names[name] = definition.key
        return name

    def add_pure(
        self, name: str, tables: dict[str, Array], nested: dict[str, PureFunction]
    ) -> None:
        """Remembers which tables a pure function reads, and which others it calls."""
        self._tables[name] = tables
        self._nested[name] = nested

    def tables_of(self, pure: PureFunction) -> dict[str, Array]:
        """The constant tables that a pure function reads."""
        return self._tables.get(pure.name, {})

    def use(self, pure: PureFunction, functions: dict[str, PureFunction]) -> None:
        """Adds a pure function, and those that it calls, to what a kernel uses."""
        functions[pure.name] = pure
        functions.update(self._nested.get(pure.name, {}))
