"""The regions of a function that isn't lifted as a whole: its loops, where they stand.

A region is a run of loop nests with the straight-line code between them, as long as it can be
read. Where a statement around loops can't be, its own statements are looked at; so what is left is
the largest that is understood.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from compiler.ir import Expr

from ..model.diagnostic import LiftError
from ..model.kernel import Kernel, Store, WhileLoop, statements
from .categories import NAMES
from .checks import only_calls, only_checks
from .failure import internal_fault, unsupported
from .function_pointers import one_by_one, points_to_function
from .functions import make_kernel
from .jumps import LOOPS, branches_of, is_once
from .kinds_of_calls import kinds_of_calls
from .liveness import Run
from .naming import template_of
from .program import NO_FUNCTIONS, FunctionDefinition, SourceProgram
from .region import RegionDefinition, divides_by_a_variable
from .rows_apart import rows_apart
from .syntax import Node, in_system_header, kind_of, sets, strip, walk_cursors
from .types import is_pointer, is_record

_BLOCKS = frozenset(
    {
        "COMPOUND_STMT", "CASE_STMT", "DEFAULT_STMT", "LABEL_STMT", "UNEXPOSED_STMT",
        "CXX_TRY_STMT", "CXX_CATCH_STMT",
    }
)  # fmt: skip
_AROUND = _BLOCKS | LOOPS | {"IF_STMT", "SWITCH_STMT"}
"""The statements whose own statements are looked at. Loops in an expression (GNU's `({ ... })`, a
lambda) aren't: what reads a variable after them no path of statements tells."""
_BRANCHES = _BLOCKS | {"IF_STMT", "SWITCH_STMT"}
_MOST_CHOICES = 3
"""Of parameters that are made one by one: as many formulas as two to the power of that."""


@dataclass(frozen=True, slots=True)
class FoundRegion:
    """A region as it was read, or the loops that couldn't be, with why."""

    run: Run
    kernel: Kernel | None
    why: LiftError | None = None
    name: str = ""
    definition: RegionDefinition | None = None


class Regions:
    """The regions of one function, which is called `name`."""

    def __init__(
        self,
        host: FunctionDefinition,
        program: SourceProgram,
        name: str,
        qualified: str,
        functions: Mapping[str, str] = NO_FUNCTIONS,
        given: tuple[Expr, ...] = (),
    ) -> None:
        """`functions`: those that pointers to functions are taken to lead to; `given`: conditions
        over parameters of which it is taken that calls meet them."""
        self.host = host
        self.program = program
        self.name = name
        self.qualified = qualified
        self.functions = functions
        self.given = given

    def found(self, split: Collection[str]) -> list[FoundRegion]:
        """All regions, numbered in the order of the source: `f#1`, `f#2`.

        `split` are names of regions, and perhaps of the function, that are known not to be proved
        as they are: of such a region its parts are given, `f#2.1` and so on; of the function those
        of its only region.
        """
        found = self._in_block(self.host.body, ())
        # Whether a function is left before its loops is no work for lifted code.
        found = [f for f in found if not _is_check(f)] or found
        if self.name in split and len(found) == 1 and self._is_the_function(found[0]):
            found = self._parts(found[0])
        return self._numbered(found, f"{self.name}#", split)

    def _is_the_function(self, found: FoundRegion) -> bool:
        """Whether a function's only region looks at memory as the function does, and its kernel is
        no other one: not where the rows of tables are parameters of it, where the function returns
        one of several values, leaves in variables what it goes on with, or stores something,
        divides or calls what loops outside of it: a quotient is any number to the region."""
        if found.kernel is None or found.definition is None or self._returns_more(found):
            return False
        return not rows_apart(found.kernel) and all(
            count(found.definition) == count(self.host)
            for count in (_lookups, _stores, _quotients, _calls)
        )

    def _returns_more(self, found: FoundRegion) -> bool:
        """Whether a function's result is more than one constant, or the region leaves numbers for
        what is behind it."""
        if self.host.result_type.kind.name == "VOID":
            return False
        if found.kernel is not None and found.kernel.region and found.kernel.region.outputs:
            return True
        values = {s.children[0].evaluate() for s in self.host.nodes_of("RETURN_STMT") if s.children}
        return len(values) != 1 or None in values

    def _parts(self, found: FoundRegion) -> list[FoundRegion]:
        """What a region falls into: one for each function that it may call through a pointer, its
        loop nests, or what is in its only one; or else what it does where its parameters choose."""
        definition = found.definition
        functions = NO_FUNCTIONS if definition is None else definition.functions
        given = () if definition is None else definition.given
        if functions is not self.functions or given != self.given:
            return self._where(functions, given)._parts(found)
        if found.kernel is not None and not functions:
            each = list(self._by_functions(found.kernel, found.run))
            if each:
                return each
        loops = [s for s in found.run.statements if _has_loop(s) or _calls_algorithms(s)]
        if len(loops) > 1:
            return [self._read(Run((s,), found.run.path)) for s in loops]
        if not loops or _is_algorithm(loops[0]):
            return []  # a call has no parts here
        inside = list(self._inside(loops[0], found.run.path))
        inside = inside or list(self._library_calls(loops[0], found.run.path))
        return inside or list(self._by_choice(found))

    def _where(self, functions: Mapping[str, str], given: tuple[Expr, ...]) -> Regions:
        """The same, where pointers lead to these functions and parameters meet conditions."""
        return Regions(self.host, self.program, self.name, self.qualified, functions, given)

    def _by_choice(self, found: FoundRegion) -> Iterator[FoundRegion]:
        """A loop nest that does one of two things, whichever its parameters choose: each of them,
        if both can be read, but for one that does nothing."""
        if found.kernel is None or len(self.given) >= _MOST_CHOICES:
            return
        kinds = kinds_of_calls(found.kernel)
        each = [self._where(self.functions, (*self.given, k))._read(found.run) for k in kinds]
        kernels = [one.kernel for one in each if one.kernel is not None]
        if len(kernels) == len(each):
            does = [any(isinstance(s, Store) for s in statements(k.body)) for k in kernels]
            yield from (one for one, stores in zip(each, does, strict=True) if stores)

    def _by_functions(self, kernel: Kernel, run: Run) -> Iterator[FoundRegion]:
        """A run where one of its pointers leads to each of its functions: some store where others
        don't, and there is one formula for each."""
        for functions in one_by_one(kernel, self.program):
            found = self._where(functions, self.given)._read(run)
            if found.kernel is not None:
                yield found

    def _numbered(
        self, found: list[FoundRegion], before: str, split: Collection[str]
    ) -> list[FoundRegion]:
        numbered: list[FoundRegion] = []
        regions = (f for f in found if f.kernel is not None or not self._is_nothing(f.run))
        for count, one in enumerate(regions, 1):
            name = f"{before}{count}"
            if name in split:
                numbered += self._numbered(self._parts(one), f"{name}.", split)
                continue
            kernel = one.kernel
            if kernel is not None and kernel.region is not None:
                number = name.rpartition("#")[2]
                region = replace(kernel.region, function=self.name, number=number)
                qualified = f"{kernel.qualified_name}#{number}"
                kernel = replace(kernel, name=name, qualified_name=qualified, region=region)
            numbered.append(replace(one, kernel=kernel, name=name))
        return numbered

    def _is_nothing(self, run: Run) -> bool:
        """Whether there is nothing to lift in a run that isn't understood."""
        region = RegionDefinition(self.host, run, "")
        return only_checks(region) or only_calls(region)

    def _in_block(self, block: Node, path: tuple[Node, ...]) -> list[FoundRegion]:
        """The regions among a block's statements and in those that can't be read as they are."""
        path = (*path, block)
        found: list[FoundRegion] = []
        last: tuple[int, FoundRegion] | None = None
        """The run that might go on, and where it begins."""
        for position, statement in enumerate(block.children):
            is_call = not _has_loop(statement) and _calls_algorithms(statement)
            if not is_call and not _has_loop(statement):
                continue
            first, alone = position, self._read(Run((statement,), path))
            if alone.kernel is None:
                first, alone = self._with_objects(position, path) or (position, alone)
            if alone.kernel is None:
                if not is_call and _sets_pointers_only(statement):
                    last = None
                    continue
                inner = list(self._inside(statement, path))
                inner = inner or list(self._library_calls(statement, path))
                if is_call and not inner:
                    continue
                last = None
                found += inner or [alone]
                continue
            if _is_left(alone):
                # What follows would run only where it isn't left.
                found.append(alone)
                last = None
                continue
            if last is not None:
                longer = self._read(Run(block.children[last[0] : position + 1], path))
                if longer.kernel is not None:
                    found[-1] = longer
                    last = last[0], longer
                    continue
            found.append(alone)
            last = first, alone
        return found

    def _with_objects(
        self, position: int, path: tuple[Node, ...]
    ) -> tuple[int, FoundRegion] | None:
        """The statement at a position of the block that `path` ends with, read together with the
        declarations right before it of objects that it uses, such as iterators; and where these
        begin."""
        statements = path[-1].children
        used = {
            n.key
            for n in statements[position].walk()
            if n.kind == "DECL_REF_EXPR" and n.declaration is not None
        }
        first = position
        for at in range(position - 1, -1, -1):
            if statements[at].kind != "DECL_STMT":
                break
            if any(_is_object(c) and c.key in used for c in statements[at].children):
                first = at
        if first == position:
            return None
        found = self._read(Run(statements[first : position + 1], path))
        return None if found.kernel is None else (first, found)

    def _inside(self, statement: Node, path: tuple[Node, ...]) -> Iterator[FoundRegion]:
        """The regions inside of a statement."""
        if statement.kind in _BLOCKS:
            yield from self._in_block(statement, path)
            return
        if statement.kind not in _AROUND and not statement.kind.endswith("_DIRECTIVE"):
            return
        path = (*path, statement)
        for child in _statements_in(statement):
            is_statement = child.kind in _AROUND or child.kind.endswith("_DIRECTIVE")
            is_call = not _has_loop(child) and _calls_algorithms(child)
            if not is_call and not (is_statement and _has_loop(child)):
                continue
            if child.kind in _BLOCKS:
                yield from self._in_block(child, path)
                continue
            # The only statement of a loop or of a branch.
            found = self._read(Run((child,), path))
            inner = [] if found.kernel is not None else list(self._inside(child, path))
            yield from inner or ([] if is_call and found.kernel is None else [found])

    def _library_calls(self, statement: Node, path: tuple[Node, ...]) -> Iterator[FoundRegion]:
        """The calls in a loop without loops inside that are the loop over a row:
        `memset(rows[y], 0, w)`, `convert(rows[y], w)` through a pointer. What else the library does
        there is none, and other functions lift by themselves."""
        path = (*path, statement)
        for child in _statements_in(statement):
            called = strip(child)
            if called.kind == "CALL_EXPR" and _may_loop(called):
                found = self._read(Run((child,), path))
                if found.kernel is not None:
                    yield found
            elif child.kind in _AROUND or child.kind.endswith("_DIRECTIVE"):
                yield from self._library_calls(child, path)

    def _read(self, run: Run) -> FoundRegion:
        definition = RegionDefinition(self.host, run, "", self.functions, self.given)
        try:
            lost = definition.lost()
            if lost is not None:
                text = f"`{lost.spelling}` is declared among these loops and used after them"
                raise unsupported("unsupported-statement", lost.span, text)
            kernel = make_kernel(definition, self.program, self.name, self.qualified, (), "")
            if not any(isinstance(s, WhileLoop) for s in statements(kernel.body)):
                raise unsupported("not-a-kernel", definition.span, "no loop is left of it")
        except LiftError as error:
            return FoundRegion(run, None, error)
        except RecursionError:
            deep = unsupported("unsupported-statement", definition.span, "nested too deeply")
            return FoundRegion(run, None, deep)
        except Exception as error:
            # A fault of ours in one region must not take the others down.
            return FoundRegion(run, None, LiftError(internal_fault(definition.span, error)))
        return FoundRegion(run, kernel, definition=definition)


def _is_left(found: FoundRegion) -> bool:
    """Whether the function may be left from among a region's statements."""
    return found.definition is not None and bool(found.definition.ways_out)


def _is_check(found: FoundRegion) -> bool:
    return found.definition is not None and only_checks(found.definition)


def _is_object(declared: Node) -> bool:
    return declared.kind == "VAR_DECL" and is_record(declared.type)


def _body_of(loop: Node) -> Node:
    return loop.children[0 if loop.kind == "DO_STMT" else -1]


def _statements_in(statement: Node) -> tuple[Node, ...]:
    """What may be statements among the parts of one: no condition of an `if`, no head of a loop."""
    if statement.kind in LOOPS:
        return (_body_of(statement),)
    return branches_of(statement) if statement.kind == "IF_STMT" else statement.children


def _may_loop(call: Node) -> bool:
    """Whether a call is of the library, or through a pointer to a function."""
    if call.declaration is not None and in_system_header(call.declaration):
        return True
    named = [n for n in call.children[0].walk() if n.kind in NAMES] if call.children else []
    return any(points_to_function(n.type) for n in named)


def _lookups(definition: FunctionDefinition) -> int:
    """How often a body takes a pointer from a table of pointers."""
    nodes = definition.nodes_of("ARRAY_SUBSCRIPT_EXPR", "UNARY_OPERATOR")
    return sum(n.operator == "*" if n.kind == "UNARY_OPERATOR" else True
               for n in nodes if is_pointer(n.type))  # fmt: skip


def _stores(definition: FunctionDefinition) -> int:
    """How often a body sets what is no variable."""
    targets = (
        strip(n.children[0])
        for n in definition.nodes_of(
            "BINARY_OPERATOR", "UNARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR"
        )
        if sets(n)
    )
    return sum(target.kind != "DECL_REF_EXPR" for target in targets)


def _quotients(definition: FunctionDefinition) -> int:
    """How often a body divides an integer by what is no constant."""
    nodes = definition.nodes_of("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR")
    return sum(map(divides_by_a_variable, nodes))


def _calls(definition: FunctionDefinition) -> int:
    """How often a body calls what loops."""
    called = (n.declaration for n in definition.nodes_of("CALL_EXPR"))
    return sum(c is not None and _loops(c) for c in called)


def _is_algorithm(statement: Node) -> bool:
    """Whether a statement is a call of a template's or the library's that loops. (Other functions
    lift by themselves, and code that is put back stands in their text.)"""
    call = strip(statement)
    if call.kind != "CALL_EXPR" or call.declaration is None:
        return False
    if template_of(call.declaration) is None and not in_system_header(call.declaration):
        return False
    return _loops(call.declaration)


def _calls_algorithms(statement: Node) -> bool:
    """Whether a statement is such a call, or has one in a branch: `if (c) copy(s, s + n, d);`."""
    if statement.kind in _BRANCHES:
        return any(map(_calls_algorithms, _statements_in(statement)))
    return _is_algorithm(statement)


def _loops(function: Any) -> bool:
    """Whether there is a loop in a function whose body is seen."""
    body = function.get_definition()
    return body is not None and any(kind_of(c) in LOOPS for c in walk_cursors(body))


def _sets_pointers_only(loop: Node) -> bool:
    """Whether all that a loop leaves in memory is where other memory is: a table of rows."""
    sets = False
    for node in loop.walk():
        if node.kind == "CALL_EXPR" and any(is_pointer(strip(c).type) for c in node.children[1:]):
            return False
        is_step = node.kind == "UNARY_OPERATOR" and node.operator.strip("p") in ("++", "--")
        is_set = node.kind == "BINARY_OPERATOR" and node.operator == "="
        if not (is_step or is_set or node.kind == "COMPOUND_ASSIGNMENT_OPERATOR"):
            continue
        target = strip(node.children[0])
        if target.kind != "DECL_REF_EXPR":
            if not is_pointer(target.type):
                return False
            sets = True
    return sets


def _has_loop(node: Node) -> bool:
    return any(n.kind in LOOPS and not is_once(n) for n in _outside_lambdas(node))


def _outside_lambdas(node: Node) -> Iterator[Node]:
    yield node
    if node.kind != "LAMBDA_EXPR":
        for child in node.children:
            yield from _outside_lambdas(child)
