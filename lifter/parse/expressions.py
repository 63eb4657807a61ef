"""Scalar expressions, with C++'s conversions made explicit and its side effects hoisted."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial

from compiler.ir import (
    BOOL,
    EQ,
    FALSE,
    GE,
    GT,
    I32,
    LE,
    LT,
    NE,
    TRUE,
    Add,
    And,
    BitAnd,
    BitNot,
    BitOr,
    BitXor,
    Const,
    Div,
    Expr,
    Mul,
    Neg,
    Or,
    Shl,
    Shr,
    Sub,
    TruncDiv,
    TruncMod,
    Type,
    Variable,
)

from ..model.kernel import Assign, Declare, If, Stmt
from .bindings import (
    ChosenPlace,
    ConstantBinding,
    ElementPlace,
    Object,
    Place,
    ScalarPlace,
    VectorBinding,
)
from .categories import CASTS, names_place, operand_of_cast
from .failure import unsupported
from .folding import choose, convert, fold, negate, number
from .library_types import check_size
from .pointers import NAMES, Pointers
from .state import reads, reads_of, writes
from .syntax import Node, strip
from .types import is_array, is_pointer, scalar_type

_ARITHMETIC: dict[str, type[Expr]] = {
    "+": Add, "-": Sub, "*": Mul, "/": TruncDiv, "%": TruncMod, "&": BitAnd, "|": BitOr,
    "^": BitXor, "<<": Shl, ">>": Shr,
}  # fmt: skip
_COMPARISONS: dict[str, type[Expr]] = {"<": LT, "<=": LE, ">": GT, ">=": GE, "==": EQ, "!=": NE}
_LITERALS = frozenset(
    {
        "INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL", "CXX_BOOL_LITERAL_EXPR",
        "CXX_UNARY_EXPR",
    }
)  # fmt: skip


def operation(operator: str, a: Expr, b: Expr) -> Expr:
    """`a operator b` of two operands of one type (a shift's amount may have another)."""
    if operator in ("<<", ">>"):
        b = convert(b, a.type)
    kind = _ARITHMETIC[operator]
    if kind is TruncDiv and a.type.is_float:
        kind = Div
    return fold(kind(a, b))


class Expressions(Pointers):
    """Translation of scalar expressions to side-effect-free `Expr`s and hoisted statements."""

    @abstractmethod
    def call(self, node: Node, used: bool) -> Expr | None: ...

    @abstractmethod
    def member_value(self, node: Node) -> Expr: ...

    @abstractmethod
    def object(self, node: Node) -> Object: ...

    def value(self, node: Node) -> Expr:
        """The value of a scalar expression, in the IR type of its C++ type."""
        kind = node.kind
        if kind in ("PAREN_EXPR", "UNEXPOSED_EXPR") or kind in CASTS:
            return self._converted(node)
        if kind == "DECL_REF_EXPR":
            return self._named(node)
        if kind == "CXX_UNARY_EXPR":
            check_size(node)
        if kind in _LITERALS:
            return self.constant(node)
        if kind == "BINARY_OPERATOR":
            return self._binary(node)
        if kind == "UNARY_OPERATOR":
            return self._unary(node)
        if kind == "ARRAY_SUBSCRIPT_EXPR":
            return self.read(self.place(node), self.scalar(node))
        if kind == "CONDITIONAL_OPERATOR":
            return self._conditional(node)
        if kind == "COMPOUND_ASSIGNMENT_OPERATOR":
            return self.compound_assignment(node, used=True)[1]
        if kind == "CALL_EXPR":
            result = self.call(node, used=True)
            if result is None:
                raise unsupported("unsupported-expression", node.span, "this call has no value")
            return result
        if kind == "INIT_LIST_EXPR" and len(node.children) <= 1:
            if node.children:
                return convert(self.value(node.children[0]), self.scalar(node))
            return number(0, self.scalar(node))
        if kind == "LAMBDA_EXPR":
            raise unsupported("lambda", node.span, "lambdas aren't understood yet")
        if kind == "CXX_THROW_EXPR":
            raise unsupported("exception", node.span, "`throw` isn't understood")
        if kind == "MEMBER_REF_EXPR":
            return self.member_value(node)
        constant = node.evaluate()
        if constant is not None:
            return number(constant, self.scalar(node))
        raise unsupported("unsupported-expression", node.span, "this expression isn't understood")

    def scalar(self, node: Node) -> Type:
        """The IR type of a scalar expression."""
        found = scalar_type(node.type)
        if found is None:
            raise unsupported(
                "unsupported-type",
                node.span,
                f"values of type `{node.written_type}` aren't understood",
            )
        return found

    def constant(self, node: Node) -> Expr:
        found = node.evaluate()
        if found is None:
            raise unsupported("unsupported-expression", node.span, "this constant isn't understood")
        return number(found, self.scalar(node))

    def _converted(self, node: Node) -> Expr:
        if not node.children:
            return self.constant(node)
        if node.kind == "UNEXPOSED_EXPR" and len(node.children) > 1:
            raise unsupported(
                "unsupported-expression", node.span, "this expression isn't understood"
            )
        inner = operand_of_cast(node)
        if node.kind in CASTS and names_place(inner) and scalar_type(inner.type) is not None:
            # A cast to a reference: the same bytes, seen as another type.
            return self.read(self.place(node), self.scalar(node))
        if is_pointer(inner.type) or is_array(inner.type):
            if scalar_type(node.type) is BOOL:
                return self.pointer_truth(inner)
            raise unsupported("pointer-cast", node.span, "a pointer is converted to a number")
        if inner.type.kind.name == "NULLPTR":
            return FALSE
        if scalar_type(inner.type) is None:
            if inner.type.kind.name == "VOID":
                raise unsupported("unsupported-expression", node.span, "this has no value")
            self.scalar(inner)
        return convert(self.value(inner), self.scalar(node))

    def _named(self, node: Node) -> Expr:
        if node.declaration is None:
            # The argument of a template, put in the place of its parameter.
            return convert(self.value(node.children[-1]), self.scalar(node))
        binding = self.environment.get(self.key(node))
        if isinstance(binding, ConstantBinding):
            return convert(binding.value, self.scalar(node))
        if binding is None:
            declaration = node.declaration
            constant = None
            if declaration is not None:
                kind = declaration.kind.name
                if kind == "ENUM_CONSTANT_DECL" or declaration.type.is_const_qualified():
                    constant = node.evaluate()
                    if constant is None and kind == "ENUM_CONSTANT_DECL":
                        constant = declaration.enum_value
            if constant is not None:
                return number(constant, self.scalar(node))
        return self.read(self.place(node), self.scalar(node))

    # Operators

    def _binary(self, node: Node) -> Expr:
        operator = node.operator
        left, right = node.children
        if operator in ("&&", "||"):
            return self._logical(node)
        if operator == "=":
            return self.assignment(node, used=True)[1]
        if operator == ",":
            self.discard(left)
            return self.value(right)
        if is_pointer(left.type) or is_array(left.type) or is_pointer(right.type):
            if operator in _COMPARISONS:
                return convert(self.compare_pointers(node), self.scalar(node))
            if operator == "-":
                return self.pointer_difference(node)
        a, b = self.operands((left, right), node)
        if operator in _COMPARISONS:
            compared: Expr = _COMPARISONS[operator](a, b)
            return convert(fold(compared), self.scalar(node))
        if operator not in _ARITHMETIC:
            raise unsupported("unsupported-expression", node.span, f"`{operator}` isn't understood")
        return operation(operator, a, b)

    def operands(self, nodes: Sequence[Node], whole: Node) -> list[Expr]:
        """The values of operands whose order C++ leaves open; refuses where it matters."""
        works = [partial(self.value, node) for node in nodes]
        return self.in_any_order(works, lambda value: (value,), whole)

    def _unary(self, node: Node) -> Expr:
        operator = node.operator
        child = node.children[0]
        if operator == "!":
            return convert(negate(self.condition(child)), self.scalar(node))
        if operator in ("p++", "p--", "++p", "--p"):
            return self._step(node)
        if operator == "*":
            return self.read(self.place(node), self.scalar(node))
        value = self.value(child)
        if operator == "+":
            return value
        if operator == "-":
            return fold(Neg(value))
        if operator == "~":
            return fold(BitNot(value))
        if operator == "__extension__":
            return value
        raise unsupported("unsupported-expression", node.span, f"`{operator}` isn't understood")

    def condition(self, node: Node) -> Expr:
        """A scalar or pointer expression as a boolean."""
        if is_pointer(node.type) or is_array(node.type):
            return self.pointer_truth(node)
        return convert(self.value(node), BOOL)

    def _logical(self, node: Node) -> Expr:
        left, right = node.children
        kind: type[Expr] = And if node.operator == "&&" else Or
        first = self.sequenced_condition(left, (right,))
        if isinstance(first, Const):
            if bool(first.value) == (kind is Or):
                return convert(first, self.scalar(node))
            return convert(self.sequenced_condition(right), self.scalar(node))
        with self.block() as out, self.expression_region(right, (left,)) as region:
            second = self.condition(right)
        if out or region.pending:
            name = self.fresh("t")
            test = self.assign(name, first)
            body = (*out, Assign(self.span, name, second), *region.pending)
            self.emit(If(self.span, test if kind is And else negate(test), body))
            return convert(test, self.scalar(node))
        if isinstance(second, Const):
            if bool(second.value) == (kind is And):
                return convert(first, self.scalar(node))
            return convert(second, self.scalar(node))
        return convert(kind(first, second), self.scalar(node))

    def sequenced_condition(self, node: Node, after: Sequence[Node] = ()) -> Expr:
        """A condition whose side effects, if any, are over when it has its value, and before those
        of `after` begin."""
        with self.expression_region(node, after) as region:
            found = self.condition(node)
            if region.pending:
                found = self.captured(found)
                self.flush(region)
        return found

    def _conditional(self, node: Node) -> Expr:
        test, one, other = node.children
        condition = self.sequenced_condition(test, (one, other))
        if isinstance(condition, Const):
            return self.value(one if condition.value else other)
        arms: list[tuple[list[Stmt], Expr, list[Stmt]]] = []
        for arm, not_taken in ((one, other), (other, one)):
            with self.block() as out, self.expression_region(arm, (test, not_taken)) as region:
                value = self.value(arm)
            arms.append((out, value, region.pending))
        (out_a, a, late_a), (out_b, b, late_b) = arms
        if not (out_a or out_b or late_a or late_b):
            return choose(condition, a, b)
        name = self.fresh("t")
        self.emit(
            Declare(self.span, name, a.type),
            If(
                self.span,
                condition,
                (*out_a, Assign(self.span, name, a), *late_a),
                (*out_b, Assign(self.span, name, b), *late_b),
            ),
        )
        chosen: Expr = Variable(name, a.type)
        return chosen

    # Assignments

    def assignment(self, node: Node, used: bool = False) -> tuple[Place, Expr]:
        """`a = b`: emits it; gives the place, and the value that it then has.

        Where that is `used` it is read back, not computed again.
        """
        left, right = node.children
        begin = len(self.out)
        value = self.value(right)
        since = len(self.out)
        place = self.place(left)
        self.ordered((value,), since, node)
        self._ordered_after(begin, since, _indices(place), node)
        return place, self._stored(place, value, self.scalar(node), used)

    def compound_assignment(self, node: Node, used: bool = False) -> tuple[Place, Expr]:
        """`a op= b`: computed in the promoted type, narrowed back; gives what `assignment` does."""
        left, right = node.children
        operator = node.operator[:-1]
        begin = len(self.out)
        amount = self.value(right)
        since = len(self.out)
        place = self.place(left)
        self.ordered((amount,), since, node)
        own = self.scalar(left)
        old = self.read(place, own)
        self._ordered_after(begin, since, (*_indices(place), old), node)
        wide = promoted(own) if operator in ("<<", ">>") else amount.type
        value = convert(operation(operator, convert(old, wide), amount), own)
        return place, self._stored(place, value, own, used)

    def _ordered_after(self, begin: int, since: int, left: Sequence[Expr], node: Node) -> None:
        """Checks that what the right side emitted, from `begin` to `since`, doesn't change what the
        left one reads, where the language leaves open which of an assignment's sides comes first.
        """
        if self.program.right_comes_first:
            return
        if writes(self.out[begin:since]) & (reads(*left) | reads_of(self.out[since:])):
            raise self.unsequenced(node)

    def _stored(self, place: Place, value: Expr, own: Type, used: bool) -> Expr:
        """Emits the store of `value`; gives it as the type `own` that the expression has."""
        if isinstance(place, ScalarPlace):
            self.write(place, value)
            return self.read(place, own)
        if used and not isinstance(value, (Const, Variable)):
            value = self.captured(value)
        self.write(place, value)
        return convert(value, own)

    def changed_place(self, node: Node) -> Place:
        """The place that an assignment or a step is, with its effect done."""
        kind = node.kind
        if kind == "BINARY_OPERATOR" and node.operator == "=":
            return self.assignment(node)[0]
        if kind == "COMPOUND_ASSIGNMENT_OPERATOR":
            return self.compound_assignment(node)[0]
        if kind == "UNARY_OPERATOR" and node.operator in ("++p", "--p"):
            place, _, new = self.stepped(node)
            self.write(place, new)
            return place
        raise unsupported("unsupported-expression", node.span, "this lvalue isn't understood")

    def stepped(self, node: Node) -> tuple[Place, Expr, Expr]:
        """The place that `++x` changes, its old value and its new one."""
        place = self.place(node.children[0])
        own = self.scalar(node)
        old = self.read(place, own)
        if own.is_bool:
            return place, old, TRUE
        wide = own if own.is_float else promoted(own)
        one = number(1, wide)
        kind: type[Expr] = Add if "++" in node.operator else Sub
        return place, old, convert(kind(convert(old, wide), one), own)

    def _step(self, node: Node) -> Expr:
        if is_pointer(node.type):
            raise unsupported("unsupported-expression", node.span, "a pointer is used as a number")
        place, old, new = self.stepped(node)
        post = node.operator.startswith("p")
        if isinstance(place, ScalarPlace):
            assert self.region is not None
            target = strip(node.children[0])
            named = target.kind in NAMES
            if named and self.may_delay(node, target.key, place.name):
                self.region.pending.append(Assign(self.span, place.name, convert(new, place.type)))
                return old if post else new
            if not post:
                self.write(place, new)
                return self.read(place, self.scalar(node))
        kept = self.captured(old if post else new)
        self.write(place, kept if not post else new)
        return kept

    def step_statement(self, node: Node) -> None:
        """`++x` or `x++` whose value nobody uses."""
        if is_pointer(node.type):
            self.step_pointer(node, used=False)
            return
        place, _, new = self.stepped(node)
        self.write(place, new)

    def vector_binding(self, node: Node) -> VectorBinding | None:
        """The vector that an expression names, if it names one."""
        target = strip(node)
        if target.kind not in NAMES:
            return None
        binding = self.environment.get(self.key(target))
        return binding if isinstance(binding, VectorBinding) else None


def _indices(place: Place) -> tuple[Expr, ...]:
    """What a place is found by."""
    if isinstance(place, ChosenPlace):
        return (place.condition, *_indices(place.a), *_indices(place.b))
    return place.indices if isinstance(place, ElementPlace) else ()


def promoted(type: Type) -> Type:
    """The type after C++'s integer promotion."""
    return I32 if type.is_integer and type.bits < 32 else type
