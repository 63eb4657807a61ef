"""Bugs in how vectors become lanes, and loops over lanes loops over elements."""

from __future__ import annotations

from .plants import Plant

_KERNELS = "tests/parse/test_vectors_in_kernels.py::"
_PLACE = "tests/lift/test_alignment.py::"

VECTORS = (
    Plant(
        "lanes may be stored when others of their array have been",
        "lifter/parse/lane_stores.py",
        "if rest != lane.place[1] or (constant - start) // period != pixel:",
        "if rest != lane.place[1]:",
        test=f"{_KERNELS}test_what_another_lane_overwrites_was_read_before",
    ),
    Plant(
        "a scalar that holds a vector has one value",
        "lifter/parse/functions.py",
        "with_lanes_in_loops(body, t.made - t.kept_lanes, t.fresh, elements, plain)",
        "with_lanes_in_loops(body, t.made, t.fresh, elements, plain)",
        test=f"{_KERNELS}test_scalars_that_hold_a_vector_are_read_before_they_are_set",
    ),
    Plant(
        "stores in turn are stored in any order",
        "lifter/parse/lane_stores.py",
        "if not self._reads_before_it_stores():",
        "if not self.stores:",
        test=f"{_KERNELS}test_scalar_stores_in_turn_stay_in_their_order",
    ),
    Plant(
        "the last piece of a row may be left early",
        "lifter/parse/pieces.py",
        "if any(isinstance(s, (Break, Return)) for s in statements(tuple(before))):",
        "if not before:",
        test=f"{_KERNELS}test_pieces_that_are_not_whole_stay[left early]",
    ),
    Plant(
        "nobody else has the names of elements",
        "lifter/parse/small_arrays.py",
        'fresh(f"{name}.{place}")',
        'f"{name}.{place}"',
        test="tests/parse/test_random_tails.py::test_random_tails_are_what_gcc_makes_of_them[0]",
    ),
    Plant(
        "what is left may be two turns",
        "lifter/parse/shorter_turns.py",
        "before.least == own.least + step",
        "before.least >= own.least + step",
        test="tests/parse/test_shorter_turns.py::test_turns_that_are_none[two may be left]",
    ),
    Plant(
        "any count is one of whole pixels",
        "lifter/parse/lane_stores.py",
        "and node.a.value <= place.value",
        "and node.a.value <= place.value + 3",
        test=f"{_KERNELS}test_a_count_that_is_no_multiple_leaves_parts_of_pixels",
    ),
    Plant(
        "channels are stored before others are made of them",
        "lifter/parse/lane_stores.py",
        "if reads_others:",
        "if not stores:",
        test=f"{_KERNELS}test_channels_that_are_made_of_others_of_their_pixel_are_made_before",
    ),
    Plant(
        "a conversion to fewer bits doesn't wrap",
        "lifter/parse/plain_numbers.py",
        "if value.type.bits >= bits or self._is_within(inner, value.type):",
        "if value.type.bits:",
        test="tests/parse/test_plain_numbers.py::test_words_that_may_wrap_stay_words",
    ),
    Plant(
        "sums in int don't overflow",
        "lifter/parse/plain_numbers.py",
        "if never_wraps(made, *map(self._range, made.children)):",
        "if made.children:",
        test="tests/parse/test_plain_numbers.py::test_what_may_overflow_is_not_computed_in_int",
    ),
    Plant(
        "both counters may stand alone",
        "lifter/dag/strip_mined.py",
        "return all(self.outer.counter not in postorder(e) for e in made)",
        "return all(True for e in made)",
        test="tests/dag/test_strip_mined.py::test_two_stores_that_need_two_loops",
    ),
    Plant(
        "what is stored may depend on addresses",
        "lifter/lift/lift_function.py",
        "if any(p is not None and names_any(p, addresses) for p in parts):",
        "if not parts:",
        test=f"{_PLACE}test_a_number_of_the_place_is_refused_by_name",
    ),
    Plant(
        "all of an address is as good as its lowest bits",
        "lifter/parse/machine_addresses.py",
        "if 0 <= most < PAGE and _keeps_low_bits(e.a):",
        "if _keeps_low_bits(e.a):",
        test=f"{_PLACE}test_more_of_an_address_is_refused[many of its bits]",
    ),
)
