"""Bugs in how two functions are compared."""

from __future__ import annotations

from .plants import Plant

_PAIRS = "tests/twins/test_pairs.py::"
_PROOFS = "tests/twins/test_proofs.py::"
_PROGRAMS = "tests/twins/test_programs.py::"
_LINKED = "tests/parse/test_linked_functions.py::"

TWINS = (
    Plant(
        "tables of one name are one table",
        "lifter/twins/matched.py",
        "return constant and (a.type, a.rank, a.values) == (b.type, b.rank, b.values)",
        "return constant",
        test=f"{_PROOFS}test_a_table_of_the_same_name_that_holds_something_else",
    ),
    Plant(
        "helpers of one name do the same",
        "lifter/twins/proof.py",
        "return given_summaries(one.summaries, bodies, kernel, inline=True)",
        "return given_summaries(one.summaries, bodies, kernel)",
        test=f"{_PROOFS}test_a_helper_of_the_same_name_that_does_something_else",
    ),
    Plant(
        "numbers may be as far above as they are",
        "lifter/checking/contents_proof.py",
        "return And(LE(Sub(a, b), most), LE(Sub(b, a), most))",
        "return LE(Sub(a, b), most)",
        test=f"{_PROOFS}test_one_input_of_many_that_is_too_far_apart[5]",
    ),
    Plant(
        "what one of the two states is asked of that one alone",
        "lifter/twins/matched.py",
        "stated = {a.condition: a for k in (renamed, first) for a in k.preconditions}",
        "stated = {a.condition: a for k in (renamed,) for a in k.preconditions}",
        test=f"{_PROOFS}test_preconditions_of_both_are_those_of_the_proof",
    ),
    Plant(
        "results count for nothing",
        "lifter/twins/results.py",
        "return Store(stmt.span, RESULT, (Const(I64, 0),), stmt.value)",
        "return Store(stmt.span, RESULT, (Const(I64, 0),), Const(type, 0))",
        test=f"{_PAIRS}test_what_is_returned_counts",
    ),
    Plant(
        "an input on which one of the two isn't defined shows a difference",
        "lifter/twins/difference.py",
        "return outcome.stopped is None and not is_wild(outcome) and not outcome.undefined",
        "return True",
        test=f"{_PAIRS}test_where_one_of_them_divides_by_zero_nothing_differs",
    ),
    Plant(
        "a function that two files define is the first one's",
        "lifter/parse/elsewhere.py",
        "if others or names & (source.directives.weak | own.directives.weak):",
        "if names & (source.directives.weak | own.directives.weak):",
        test=f"{_LINKED}test_a_call_that_may_run_something_else_isnt_followed[two]",
    ),
    Plant(
        "a function is what any file declares under its name",
        "lifter/parse/elsewhere.py",
        "if all(same_type(cursor.type, other.type) for other in declared[usr]):",
        "if declared[usr]:",
        test=f"{_LINKED}test_a_call_that_may_run_something_else_isnt_followed[another number]",
    ),
    Plant(
        "what was found within a number is known of any",
        "lifter/twins/check.py",
        "tool_digest(), float(options.within)]",
        "tool_digest()]",
        test="tests/twins/test_command.py::test_numbers_that_may_be_apart",
    ),
    Plant(
        "a test's second copy of memory lies behind a part of a page",
        "lifter/twins/test_program.py",
        "return PAGE * (2 + (_start(finding, param) + _used(finding, param)[1]) // PAGE)",
        "return _start(finding, param) + _used(finding, param)[1] + PAGE",
        test=f"{_PROGRAMS}test_both_copies_lie_where_the_input_says[used0-1]",
    ),
    Plant(
        "other files may call static functions",
        "lifter/parse/function_names.py",
        'if cursor.linkage.name == "EXTERNAL"',
        "if cursor.linkage.name",
        test=f"{_PROGRAMS}test_files_are_compiled_that_are_needed_alone",
    ),
)
