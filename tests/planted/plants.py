"""The bugs: which text of which file becomes what, and what finds it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Plant:
    """A bug. `cases` are the kernels of the matrix that show it, by a pattern of their names; a
    bug that isn't seen there has a `test` instead, which fails."""

    name: str
    file: str
    text: str
    planted: str
    cases: str = ""
    test: str = ""


def _parse(name: str, file: str, text: str, planted: str, cases: str = "", test: str = "") -> Plant:
    return Plant(name, f"lifter/parse/{file}.py", text, planted, cases, test)


_REFERENCES = "tests/parse/test_references.py"
_C99 = "tests/parse/test_c99_and_gnu.py"

PLANTS = (
    # Control flow
    Plant(
        "what stands behind a way out in a branch runs all the same",
        "lifter/parse/unrolled.py",
        "unless = (If(stmt.span, negation(left), rest),) if rest else ()",
        "unless = rest",
        test=(
            "tests/lift/test_ways_out_of_branches.py::"
            "test_iterations_in_turn_are_what_gcc_makes_of_the_loop"
        ),
    ),
    Plant(
        "what is asked behind a step is asked of what was there before it",
        "lifter/parse/exits.py",
        "tested = before_steps(out.condition, before)",
        "tested = before_steps(out.condition, before[:1])",
        test="tests/parse/test_first_hits.py"
        "::test_a_search_from_the_end_begins_at_the_last_element",
    ),
    Plant(
        "what a way out skips is done before a later one of its iteration",
        "lifter/parse/first_hits.py",
        "more = is_left_later or _has_hit(body[place + 1 :])",
        "more = _has_hit(body[place + 1 :])",
        test="tests/parse/test_first_hits.py::test_others_stay[what depends on the way out]",
    ),
    Plant(
        "what goes on from row to row is set anew in each",
        "lifter/parse/first_hits.py",
        "if inside and (begin is None or self._goes_on(stmt.name, begin)):",
        "if inside and begin is None:",
        test="tests/parse/test_first_hits.py"
        "::test_what_goes_on_from_row_to_row_begins_again_with_each_search",
    ),
    Plant(
        "steps behind a counter's own are done in as many iterations as it counts by then",
        "lifter/parse/first_hits.py",
        "                before = until  # it counts one more from here on\n",
        "                pass\n",
        test="tests/parse/test_first_hits.py"
        "::test_what_an_iteration_ends_with_is_done_in_those_before_the_hit",
    ),
    Plant(
        "a loop that never ends but by a hit is a search",
        "lifter/parse/first_hits.py",
        "if not any(one.level == number for name, one in",
        "if False and not any(one.level == number for name, one in",
        test="tests/parse/test_first_hits.py::test_others_stay[what never ends but by a hit]",
    ),
    Plant(
        "what says how often a loop runs is looked at behind the hit",
        "lifter/parse/first_hits.py",
        "if reads(load) & self.own or load.array in _stored((self.loop,)):",
        "if False:",
        test="tests/parse/test_first_hits.py::test_others_stay[an end that is read as it goes]",
    ),
    # Effects
    _parse(
        "freeing the caller's memory is nothing", "library",
        '    refuse_foreign(t, pointer_of(t, freed), call.node, "`free`")\n', "",
        test="tests/parse/test_freed_memory.py::test_what_is_freed_is_told",
    ),
    _parse(
        "what an expression makes frees nothing at its end", "objects",
        "    made = new_object(t, key, name, type, node)\n    hold(t, made, node)\n",
        "    made = new_object(t, key, name, type, node)\n",
        test="tests/parse/test_freed_memory.py"
        "::test_what_ends_within_an_expression_frees_too[receiver]",
    ),
    _parse(
        "the fields of a template's instance have the template's keys", "records",
        "for f in fields_of(type) if f.name == field.spelling) or None",
        "for f in fields_of(type) if f.key == field.key)",
        test="tests/parse/test_freed_memory.py"
        "::test_what_ends_within_an_expression_frees_too[template]",
    ),
    _parse(
        "what an object frees at its end is its own", "objects",
        "            t.freed[key] = node\n            if isinstance(bound, PointerBinding) and",
        "            if False and isinstance(bound, PointerBinding) and",
        test="tests/parse/test_freed_memory.py::test_what_is_freed_is_told",
    ),
    # Values
    _parse(
        "operands of a difference are swapped", "arithmetic",
        "    return fold(kind(a, b))\n",
        '    return fold(kind(b, a) if operator == "-" else kind(a, b))\n',
        r"^value/difference/",
    ),
    _parse(
        "less is taken for less or equal", "operators",
        "COMPARISON_OF[node.operator](a, b)",
        'COMPARISON_OF["<=" if node.operator == "<" else node.operator](a, b)',
        r"^value/less/",
    ),
    _parse(
        "division rounds as the DSL's does", "arithmetic",
        "kind not in (Div, Mod)", 'kind.__name__ not in ("TruncDiv", "Mod")',
        r"^value/(quotient|halved)/",
    ),
    _parse(
        "a cast to a narrower integer is dropped", "casts",
        "    return convert(value_of(t, inner), number_type(node))\n",
        "    from compiler.ir import BitAnd\n"
        "    from .folding import fold, number\n"
        "    to, found = number_type(node), value_of(t, inner)\n"
        "    narrows = to.is_integer and found.type.is_integer and to.bits < found.type.bits\n"
        "    return convert(found, to) if not narrows or to.is_bool else convert(\n"
        "            fold(BitAnd(found, number(2**to.bits - 2, found.type))), to)\n",
        r"^value/cast-to-u?int8_t/",
    ),
    _parse(
        "a number becomes true by its lowest bit", "folding",
        "        nonzero: Expr = NE(value, Const(value.type, 0))\n        return nonzero\n",
        "        nonzero: Expr = NE(fold(Sub(value, Const(value.type, 1))), Const(value.type, 0))\n"
        "        return nonzero\n",
        r"^value/not/",
    ),
    Plant(
        "a row that is mirrored without its edge is as long as with it",
        "lifter/parse/border_loops.py",
        "const(2 - edge, I64))",
        "const(1, I64))",
        test="tests/parse/test_border_loops.py::test_what_a_loop_leaves[mirrored without it]",
    ),
    Plant(
        "a place is taken back by anything",
        "lifter/parse/border_loops.py",
        "if size is None or _bound(condition, place) is not size:",
        "if size is None or _bound(condition, place) is None:",
        test=(
            "tests/parse/test_border_loops.py::"
            "test_other_loops_are_none[a size that isn't the bound]"
        ),
    ),
    Plant(
        "the opposite of less is greater", "compiler/ir/operators.py",
        "opposite=n.GE, mirror=n.GT", "opposite=n.GT, mirror=n.GT", r"^value/not-less/",
    ),
    _parse(
        "`char` has no sign", "types", '"CHAR_S": I8', '"CHAR_S": U8', r"^value/cast-to-char/",
    ),
    _parse(
        "an index loses its conversion to a byte", "folding",
        "        and value.type.bits == 64\n", "", r"/index-byte/",
    ),
    _parse(
        "a conditional takes the other arm", "conditionals",
        "        return choose(condition, a, b)\n",
        "        return choose(condition, b, a)\n",
        r"^value/conditional/",
    ),
    _parse(
        "or is taken for and", "conditions",
        'kind: type[Expr] = And if node.operator == "&&" else Or',
        'kind: type[Expr] = And',
        r"^value/or/",
    ),
    _parse(
        "what stands before a comma is lost", "operators",
        "    discard(t, node.children[0])\n    return value_of(t, node.children[1])\n",
        "    return value_of(t, node.children[1])\n",
        r"/sequenced-store-and-read/",
    ),
    # Stores
    _parse(
        "an assignment whose value is used stores nothing", "assignments",
        "        value = t.capture(value)\n    write(t, place, value)\n",
        "        return convert(value, own)\n    write(t, place, value)\n",
        r"^array-element/(assigned-value-used|compound-value-used)/",
    ),
    _parse(
        "a compound assignment computes in the place's own type", "assignments",
        "value = convert(operation(operator, convert(old, wide), amount), own)",
        "value = operation(operator, old, convert(amount, own))",
        r"/compound-with-double/",
    ),
    _parse(
        "a step gives the new value", "assignments",
        "            return old if post else new\n        if",
        "            return new\n        if",
        r"/step-after-used/|^value/stepped/",
    ),
    _parse(
        "a step down goes up", "assignments",
        'kind: type[Expr] = Add if "++" in node.operator else Sub',
        "kind: type[Expr] = Add",
        r"/step-down/",
    ),
    _parse(
        "an arm of a conditional loses its step", "conditionals",
        "(*out_b, Assign(t.span, name, b), *late_b),",
        "(*out_b, Assign(t.span, name, b)),",
        r"^statement/sequence-in-conditional-step/",
    ),
    _parse(
        "a loop loses the step of its last test", "loops",
        "tuple(steps), not is_do), *late)", "tuple(steps), not is_do))",
        r"^statement/while-stepping-left/",
    ),
    # References
    _parse(
        "a reference to anything but a name is a copy", "references",
        "place is not None and not _is_lasting_value(t, place) and not _is_bit_field(place):\n",
        'place is not None and strip(place).kind == "DECL_REF_EXPR":\n',
        r"/reference/",
    ),
    _parse(
        "a value is taken for its place", "categories",
        "    return same and bool(node.type.is_const_qualified())\n", "    return same\n",
        r"^copied-temporary/|/temporary-reference/",
    ),
    _parse(
        "a reference follows the index", "steady",
        "return index if isinstance(index, Const) else t.capture(index, name)",
        "return index",
        r"^(element|row|field-element)-reference/",
    ),
    _parse(
        "a store to one of two places goes to the first", "views",
        "    for one in (place.a, place.b):\n", "    for one in (place.a, place.a):\n",
        r"^conditional/assigned",
    ),
    _parse(
        "a parameter by reference is a copy", "arguments",
        "        place: Place = referred(t, argument, own, name)\n",
        "        place: Place = ScalarPlace(t.fresh(name), own)\n"
        "        t.assign(place.name, convert(value_of(t, argument), own))\n",
        r"/by-reference/",
    ),
    _parse(
        "an argument follows what the callee changes", "inlining",
        "    if held & writes(t.out[begin:]):\n", "    if False:\n",
        r"^name/by-value-beside-own-pointer/",
    ),
    _parse(
        "a pointer to one of two places follows the condition", "pointer_variables",
        "        place = freeze(t, value.place, name)\n",
        "        place = value.place\n",
        r"^minimum/pointer",
    ),
    _parse(
        "a range `for` by reference makes copies", "range_for",
        "        if by_reference:\n            t.bind(node, ScalarBinding(ElementPlace",
        "        if False:\n            t.bind(node, ScalarBinding(ElementPlace",
        r"^statement/range-for-(reference|forwarding)/",
    ),
    _parse(
        "names of parts of a reference are copies", "structured_bindings",
        "        if is_reference(node.type):\n", "        if False:\n",
        r"^structured-binding-reference/",
    ),
    _parse(
        "a lambda's copies follow the variables", "lambdas",
        "    return tuple(found.items())\n\n\ndef kept_by_value",
        "    return ()\n\n\ndef kept_by_value",
        r"^statement/lambda-that-keeps",
    ),
    _parse(
        "an alias isn't seen in an expression with a step", "order",
        "            found += named_key(t, node) == key or reached\n",
        "            found += named_key(t, node) == key\n",
        test=_REFERENCES,
    ),
    _parse(
        "the order of calls is the text's", "order",
        "            if changes[one] & (uses[other] | changes[other]):\n",
        "            if False:\n",
        test=_REFERENCES,
    ),
    # Pointers
    _parse(
        "a pointer variable stays where it was", "pointer_variables",
        "        emitted.append(Assign(t.span, scalar, start))\n",
        "        emitted.append(Assign(t.span, scalar, offset if old else start))\n",
        r"^statement/pointer-moved/|^array-by-moved-pointer/",
    ),
    _parse(
        "a difference of pointers is turned around", "pointers",
        "    return subtract(a.offset, b.offset)\n",
        "    return subtract(b.offset, a.offset)\n",
        r"^statement/pointer-difference/",
    ),
    _parse(
        "a pointer that is set before an early return is forgotten", "leaving",
        "    target.returns.append(t.environment)\n", "",
        test=_REFERENCES,
    ),
    # Objects
    _parse(
        "an object by value is the caller's", "arguments",
        "    construct(t, copy, parameter.type, argument)\n    return copy\n",
        "    construct(t, copy, parameter.type, argument)\n"
        "    from .temporaries import source_object\n"
        "    found = source_object(t, argument)\n"
        "    return found if copy else copy\n",
        r"^statement/object-passed/",
    ),
    _parse(
        "the last field isn't copied", "objects",
        "    fields = min(fields_of(source.type), fields_of(to.type), key=len)\n",
        "    fields = min(fields_of(source.type), fields_of(to.type), key=len)[:-1]\n",
        r"^statement/assigned-object",
    ),
    _parse(
        "a field is written before all are read", "objects",
        "            values = [t.capture(v) for v in values]\n",
        "            values = list(values)\n",
        r"^statement/object-from-element/",
    ),
    # Statements
    _parse(
        "a case never falls through", "branches",
        "            if not falls(following.body):\n                break\n",
        "            break\n",
        r"^statement/switch-falling/",
    ),
    _parse(
        "the default of a switch is lost", "branches",
        "            default = tuple(work)\n", "            default = ()\n",
        r"^statement/switch-default/",
    ),
    _parse(
        "a `do` tests first", "loops",
        "tuple(steps), not is_do), *late)", "tuple(steps), True), *late)",
        r"^statement/do-first/",
    ),
    _parse(
        "a range of cases ends before its last", "branches",
        "And(GE(value, ends[0]), LE(value, ends[1]))",
        "And(GE(value, ends[0]), LT(value, ends[1]))",
        test=f"{_C99}::test_a_form_does_what_gcc_makes_of_it[cases]",
    ),
    _parse(
        "a list in braces is as long as what stands in it", "tables",
        "        _collect(inner, part, start + position, items)\n",
        "        _collect(inner, part, start + position, items)\n"
        "        return len(inner.children)\n",
        test=f"{_C99}::test_a_table_has_the_values_that_its_list_gives[fewer in a structure]",
    ),
    _parse(
        "a member lies where the members before it end", "bound",
        "int(field.node.cursor.get_field_offsetof())",
        "int(field.node.cursor.get_field_offsetof()) & ~31",
        test="tests/parse/test_structures_as_words.py"
        "::test_members_lie_where_gcc_has_them[packed]",
    ),
    Plant(
        "an element is held while others of its array are read", "lifter/dag/sums_held.py",
        "if _uses(loop, stmt.array) == {stmt.indices} and _is_steady(",
        "if stmt.indices in _uses(loop, stmt.array) and _is_steady(",
        test="tests/lift/test_sums_held.py"
        "::test_what_may_touch_other_elements_or_none_stays_in_memory"
        "[const int *a, int *c|for (int k = 0; k < m; k++) c[i] += c[k];]",
    ),
    _parse(
        "what a list gives anew is what it was", "tables",
        "        items.pop(place, None)", "        pass",
        test=f"{_C99}::test_a_table_has_the_values_that_its_list_gives[anew]",
    ),
    _parse(
        "a table that another file may define is known", "file_scope",
        "t.program.is_replaceable(declaration.cursor)", "False",
        test=f"{_C99}::test_what_is_not_known_is_refused[numbers that may be others]",
    ),
    _parse(
        "what follows a `continue` is done", "leaving",
        "t.environment)\n    raise_flags(t, crossed)\n", "t.environment)\n",
        r"^statement/while-continue-nested/",
    ),
)  # fmt: skip
