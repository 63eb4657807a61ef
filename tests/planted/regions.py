"""Bugs in what a region is: its variables, and what is given out of it."""

from __future__ import annotations

from .plants import Plant

_TESTS = "tests/parse/test_regions.py::"
_STAYS = f"{_TESTS}test_every_way_back_to_a_value_is_seen"
_CHANGED = f"{_TESTS}test_what_follows_from_a_variable_that_changes_isnt_computed_again"
_FIRST = f"{_TESTS}test_what_a_sum_begins_with_is_known_where_it_shows"

_LAMBDA = f"{_TESTS}test_a_lambda_that_may_be_another_one_by_then_is_not"

REGIONS = (
    Plant(
        "nothing that a lambda names changes",
        "lifter/parse/region.py",
        "if name.key in self.host.mutated and not is_memory:",
        "if name.key in self.host.mutated and is_memory:",
        test=f"{_LAMBDA}[that has kept what has changed]",
    ),
    Plant(
        "what a lambda has a copy of is the copy",
        "lifter/parse/region.py",
        "if name.key in kept and not _is_copied_whole(declared.type):",
        "if name.key in kept and not declared.type:",
        test=f"{_LAMBDA}[that has kept what a reference led to]",
    ),
    Plant(
        "a plane is looked up for loops without iterations",
        "lifter/parse/rows_apart.py",
        "starts = starts | {test} if _is_plain(test, self.fixed, True) else None",
        "starts = starts | {test} if _is_plain(test, self.fixed, True) else starts",
        test=(
            "tests/parse/test_rows_apart.py::test_a_plane_of_loops_that_may_not_run_isnt_looked_up"
            "_at_the_call[a triangle]"
        ),
    ),
    Plant(
        "no value is read after another iteration",
        "lifter/parse/liveness.py",
        "if again.reads:",
        "if again.reads and again.ways:",
        test=f"{_STAYS}[another iteration around]",
    ),
    Plant(
        "labels lead nowhere",
        "lifter/parse/liveness.py",
        '    if node.kind == "LABEL_STMT":\n        yield node, path\n',
        "",
        test=f"{_STAYS}[a label]",
    ),
    Plant(
        "what one branch sets is set",
        "lifter/parse/liveness.py",
        "return _one_of([*flows, *([_NOTHING] if len(branches) < 2 else [])])",
        "return _SETS if _SETS in flows else _one_of(flows)",
        test=f"{_STAYS}[one of two branches]",
    ),
    Plant(
        "what a loop sets is set",
        "lifter/parse/liveness.py",
        "inside.reads or (on and stepped.reads) else _NOTHING",
        "inside.reads or (on and stepped.reads) else inside",
        test=f"{_STAYS}[a loop that may not run]",
    ),
    Plant(
        "nobody comes back by a `break`",
        "lifter/parse/liveness.py",
        "return _Flow(False, frozenset({_JUMPS[kind]}))",
        "return _SETS",
        test=f"{_STAYS}[a break]",
    ),
    Plant(
        "handlers read nothing",
        "lifter/parse/liveness.py",
        '    if any(n.kind == "CXX_TRY_STMT" for n in body.walk()):\n        return True\n',
        "",
        test=f"{_STAYS}[a handler]",
    ),
    Plant(
        "nobody has a variable's address",
        "lifter/parse/region.py",
        "        if node.key in self.host.handed_out or node.key in self.returned:\n",
        "        if node.key in self.returned:\n",
        test=f"{_STAYS}[a lambda]",
    ),
    Plant(
        "assembly changes nothing",
        "lifter/parse/program.py",
        "        return node.children  # which of its operands it changes isn't told\n",
        "        return ()\n",
        test=f"{_CHANGED}[assembly]",
    ),
    Plant(
        "variables that change are as good as their first values",
        "lifter/parse/region.py",
        "            if name.key in self.host.mutated or is_reference(",
        "            if is_reference(",
        test=f"{_CHANGED}[an assignment]",
    ),
    Plant(
        "a variable that no iteration sets has no value",
        "lifter/parse/region.py",
        '        return use == "reads" or (use == "nothing" and self.outlives(node))\n',
        '        return use == "reads"\n',
        test=f"{_TESTS}test_what_a_variable_held_stays_in_it_where_no_iteration_runs",
    ),
    Plant(
        "a jump back finds new variables",
        "lifter/parse/region.py",
        '        if self.host.nodes.get("LABEL_STMT"):\n            return  #',
        "        if False:\n            return  #",
        test=f"{_TESTS}test_a_jump_back_finds_what_the_loops_left",
    ),
    Plant(
        "a label changes nothing before it",
        "lifter/parse/region.py",
        "                    if any(n.kind in _TARGETS for n in before.walk()):\n"
        "                        return None\n",
        "",
        test=f"{_FIRST}[behind a label]",
    ),
    Plant(
        "others see no first value",
        "lifter/parse/region.py",
        '        if node.kind != "VAR_DECL" or self.is_known_elsewhere(node):\n'
        "            return None\n",
        "",
        test=f"{_FIRST}[handed out before]",
    ),
    Plant(
        "loops that are left for elsewhere end as others do",
        "lifter/parse/region.py",
        "    check_entry_and_exit(region.run)\n",
        "",
        test=f"{_TESTS}test_what_may_be_left_between_two_loops_are_two_regions[break]",
    ),
    Plant(
        "what is declared among loops is used by them alone",
        "lifter/parse/region.py",
        "        return len(everywhere) > len(here)\n",
        "        return False\n",
        test=(
            f"{_TESTS}test_a_value_that_is_declared_between_loops_and_read_after_them_is_given_out"
        ),
    ),
    Plant(
        "loops are found again by their numbers alone",
        "lifter/checking/source_check.py",
        "    for same in (_means_the_same, _has_its_number):\n",
        "    for same in (_has_its_number,):\n",
        test="tests/checking/test_regions.py::test_loops_that_change_places_are_found_again",
    ),
    Plant(
        "a missing header chooses no lines",
        "lifter/parse/missing_header.py",
        "        if all_need or own in inside.values():\n",
        "        if all_need:\n",
        test=(
            "tests/errors/test_front_end.py::"
            "test_a_missing_header_may_choose_lines_of_a_function[inside]"
        ),
    ),
    Plant(
        "code in an encoding of old is taken for a comment",
        "lifter/parse/translation_unit.py",
        '        if not found.startswith((b"//", b"/*")):\n            return found\n',
        "",
        test=("tests/errors/test_front_end.py::test_code_in_an_encoding_of_old_is_refused[text]"),
    ),
    Plant(
        "a row is looked up whatever the condition",
        "lifter/parse/rows_apart.py",
        "                when += f\" && ({' || '.join(either)})\"\n",
        "                pass\n",
        test=("tests/parse/test_rows_apart.py::test_a_row_under_a_condition_is_looked_up_under_it"),
    ),
    Plant(
        "a pointer to any other function is admitted",
        "lifter/parse/bindings.py",
        "return And(GE(self.which, Const(self.which.type, 0)), LT(self.which, count))",
        "return And(GE(self.which, Const(self.which.type, -1)), LT(self.which, count))",
        test=(
            "tests/switch/test_function_pointers.py::"
            "test_calls_through_pointers_are_choices_of_the_functions_that_are_known[.c]"
        ),
    ),
    Plant(
        "lines that the compiler alone leaves out are the same",
        "lifter/switch/same_lines.py",
        "if segment.times != max(",
        "if segment.times < max(",
        test="tests/switch/test_same_lines.py::test_other_lines_are_told[less--fdirectives-only]",
    ),
    Plant(
        "a macro that is put together isn't used",
        "lifter/switch/same_lines.py",
        "if name not in self._used and not self._pastes:",
        "if name not in self._used:",
        test="tests/switch/test_same_lines.py::test_other_lines_are_told[pasted--fdirectives-only]",
    ),
    Plant(
        "a compiler has no header that the machine's library hasn't",
        "lifter/parse/translation_unit.py",
        "unknown = [header for header in unknown if host.has_of_its_own(header)]",
        "unknown = []",
        test=(
            "tests/parse/test_host_headers.py::"
            "test_a_condition_that_asks_for_what_is_the_compilers_own_is_not_answered"
        ),
    ),
    Plant(
        "an object that somebody knows a member of is a region's own",
        "lifter/parse/region.py",
        'if node.kind != "VAR_DECL" or len(everywhere) != len(here):',
        'if node.kind != "VAR_DECL":',
        test=(
            "tests/parse/test_regions.py::"
            "test_an_object_that_others_may_see_isnt[somebody knows a member]"
        ),
    ),
    Plant(
        "pointers to constants are constants",
        "lifter/parse/region.py",
        "if is_array(node.type) and not never_changes(node.type):",
        "if is_array(node.type) and not is_const(node.type):",
        test="tests/switch/test_local_pointers.py::test_changed_pointers_are_passed",
    ),
)
