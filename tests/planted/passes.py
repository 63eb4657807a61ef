"""Bugs in the passes behind the front end: which text becomes what, and the test that fails.

Each names a test of the quick run. Where code moves, its text here follows.
"""

from __future__ import annotations

from .plants import Plant

_ACCUMULATIONS = "tests/end_to_end/test_accumulations_proved.py::"

_ROWS = "tests/lift/test_rows_handed_on.py::"
_RINGS = "tests/lift/test_rings.py::"
_ORDERED = "tests/lift/test_put_in_order.py::"
_SORTS = "tests/lift/test_sorts.py::"
_SPREAD = "tests/lift/test_last_stores.py::"
_FIRST_SPREAD = "one row, left of below and below"
_HULLS = "tests/emit/test_hulls.py::"
_RUN = "tests/lift/test_emitted_difference.py::"
_PARTS = "tests/lift/test_loops_in_parts.py::"
_FOLLOWERS = "tests/lift/test_followers.py::"
_WINDOWS = "tests/lift/test_windows.py::"
_PIXELS = "tests/lift/test_folds_of_each_pixel.py::"
_SCANS = "tests/lift/test_scans.py::"
_IN_PLACE = "tests/lower/test_in_place.py::"
_OVERWRITTEN = (
    "tests/lift/test_numbers_in_memory.py::test_what_is_overwritten_by_then_is_not_stored["
)
_REPEATED = "tests/emit/test_repeated_updates.py::test_an_update_names_its_domain["
_OTHERS = "tests/lift/test_numbers_in_memory.py::test_others_stay_as_they_are["
_NAMES = "tests/end_to_end/test_names_of_parameters.py::test_"
_DEVICE = "tests/gpu/test_kernels.py::"
_MET = "tests/gpu/test_uniform_barriers.py::"
_PIECES = "tests/gpu/test_device_memory.py::"
_NESTED = "tests/gpu/test_nested_threads.py::"
_TOLD = "tests/gpu/test_kernel_checks.py::"
_LANES = "tests/gpu/test_lanes.py::test_"
_COPIES = "tests/gpu/test_async_copies.py::test_"
_RUNNING = "tests/autosched/test_running_sums.py::test_"

PASSES: tuple[Plant, ...] = (
    # lifter/synth
    Plant(
        "of two strides the first by its name is the lesser one",
        "lifter/synth/linear.py",
        "return len(key), key not in lesser, *_nested(map(place, moving[key])), key_order(key)",
        "return key_order(key)",
        test=f"{_NAMES}pixels_lie_apart_whichever_distance_is_the_greater_one",
    ),
    Plant(
        "what a loop over channels goes to may be the distance of rows",
        "lifter/synth/linear.py",
        "if len(key) == 1 and key[0] in ends), left[0])",
        "if not ends), left[0])",
        test=f"{_NAMES}what_a_loop_over_channels_goes_to_is_the_size_of_a_pixel",
    ),
    # compiler/ir
    Plant(
        "an absolute value is least at its ends",
        "compiler/ir/bounds_of_values.py",
        "smallest = 0 if low <= 0 <= high else min(abs(low), abs(high))",
        "smallest = min(abs(low), abs(high))",
        test=(
            "tests/lower/test_narrow_arithmetic.py::test_random_expressions_keep_their_values_and"
            "_ranges"
        ),
    ),
    Plant(
        "a blend of pixels is as large as one of them",
        "compiler/ir/bounds_of_values.py",
        "return c * low, c * high",
        "return low, high",
        test=(
            "tests/lower/test_narrow_arithmetic.py::test_random_expressions_keep_their_values_and"
            "_ranges"
        ),
    ),
    Plant(
        "halves of quarters are quarters",
        "compiler/ir/simplify_coordinate.py",
        "return outside.plus(_quotient(whole, divisor * size, type))",
        "return outside.plus(_quotient(whole, size, type))",
        test="tests/ir/test_simplify_coordinate.py::test_random_coordinates_keep_their_values[2]",
    ),
    Plant(
        "a coordinate's last remainder is left out",
        "compiler/ir/simplify_coordinate.py",
        "    if low >= 0 and high < divisor:\n"
        "        return outside\n",
        "    if high < divisor:\n"
        "        return outside\n",
        test="tests/ir/test_simplify_coordinate.py::test_random_coordinates_keep_their_values[0]",
    ),
    Plant(
        "a difference from itself is one",
        "compiler/ir/simplify_rules.py",
        'Rule("sub-self", "iu", lambda w: (w.x - w.x, 0))',
        'Rule("sub-self", "iu", lambda w: (w.x - w.x, 1))',
        test="tests/ir/test_simplify.py::test_both_sides_are_equal_for_all_values[sub-self-int8]",
    ),
    Plant(
        "a quotient of quotients overflows",
        "compiler/ir/simplify_rules.py",
        'lambda f: f["c"] > 0 and f["d"] > 0 and f.type.contains(int(f["c"] * f["d"]))',
        'lambda f: f["c"] > 0 and f["d"] > 0',
        test="tests/ir/test_simplify.py::test_both_sides_are_equal_for_all_values[div-div-int8]",
    ),
    # compiler/lower
    Plant(
        "a stage is computed in front of all outputs",
        "compiler/lower/schedule_stages.py",
        "count = next((i for i, needs in enumerate(needed) if needs), 0)",
        "count = 0",
        test=(
            "tests/lower/test_outputs_read.py::test_what_reads_an_output_is_computed_behind_it"
            "[a sum of an output]"
        ),
    ),
    Plant(
        "nobody checks where a buffer ends",
        "compiler/lower/add_checks.py",
        "(simplify_coordinate(LE(high, last)), beyond, (high, last)),",
        "(simplify_coordinate(LE(low, last)), beyond, (high, last)),",
        test=(
            "tests/lang/test_mistakes.py::test_a_bad_image_is_refused_as_by_halide[out_of_bounds]"
        ),
    ),
    Plant(
        "no update of threads that meet is atomic",
        "compiler/lower/atomic.py",
        "if not any(name.startswith(prefixes) for name in around if prefixes):",
        "if True:",
        test="tests/lower/test_atomic.py::test_threads_over_a_reduction_are_atomic",
    ),
    Plant(
        "stages that need one another are computed together",
        "compiler/lower/compute_with.py",
        "                    if root(read) == root(plan.name):",
        "                    if False:",
        test=(
            "tests/lower/test_compute_with.py::test_common_loops_change_no_value[f.compute_root()"
            "; g.compute_root(); k.compute_root(); g.compute_with(f, y); f.compute_with(k, y)]"
        ),
    ),
    Plant(
        "an input is overwritten before what waits for an output has read it",
        "compiler/lower/in_place.py",
        "        and not _waits_for_outputs(reader, plans)\n",
        "",
        test=(
            "tests/lower/test_in_place.py::"
            "test_what_is_computed_with_a_stage_that_waits_for_an_output_waits_too"
        ),
    ),
    Plant(
        "a number beyond a type is taken for the type's last one",
        "compiler/lower/narrow_arithmetic.py",
        "return n.Or(n.LT(value, near), above)",
        "return n.LT(value, near)",
        test=(
            "tests/lower/test_narrow_arithmetic.py::"
            "test_values_are_compared_with_a_fixed_number_in_their_own_type[lt]"
        ),
    ),
    Plant(
        "what reads a stage comes before loops that the stage shares",
        "compiler/lower/schedule_stages.py",
        "needed = (not self.together.isdisjoint(self.regions.names_read(x)) for x in stmts)",
        "needed = (self._reads(x) for x in stmts)",
        test="tests/lower/test_compute_with.py::test_what_reads_one_of_them_comes_behind_both",
    ),
    Plant(
        "reductions over other domains share loops",
        "compiler/autosched/common_loops.py",
        "domains[0].bounds != domains[1].bounds or",
        "",
        test="tests/autosched/test_common_loops.py::test_other_domains_and_other_memory_stay_apart",
    ),
    Plant(
        "an offset in a stage's memory ignores where it begins",
        "compiler/lower/flatten.py",
        "offset = Sub(widened(simplify_coordinate(arg)), widened(low))",
        "offset = widened(simplify_coordinate(arg))",
        test="tests/lower/test_schedules.py::test_a_schedule_changes_no_value[pass]",
    ),
    Plant(
        "values of a tuple are stored before all are computed",
        "compiler/lower/flatten.py",
        "        if len(values) > 1:\n"
        "            # All",
        "        if len(values) > 9:\n"
        "            # All",
        test=(
            "tests/frontend/test_pipelines.py::test_a_program_gives_what_halide_gives[h = "
            "hl.Func('h')\\nh[x] = (x, 2)\\nh[x] = (h[x][1], h[x][0])\\nh.realize([3])[0], "
            "h.realize([3])[1]]"
        ),
    ),
    Plant(
        "a load on one side of a choice is always done",
        "compiler/lower/guard_loads.py",
        "found = below[0] | (below[1] & below[2])",
        "found = below[0] | below[1] | below[2]",
        test="tests/lower/test_guard_loads.py::test_random_conditions[2]",
    ),
    Plant(
        "a load behind `||` is guarded as behind `&&`",
        "compiler/lower/guard_loads.py",
        "if_it_holds = isinstance(node, And) or (isinstance(node, Select) and number == 1)",
        "if_it_holds = isinstance(node, And | Or) or (isinstance(node, Select) and number == 1)",
        test=(
            "tests/lower/test_guard_loads.py::test_a_load_whose_condition_holds_the_load[one "
            "load]"
        ),
    ),
    Plant(
        "an input that an update reads counts as read in time",
        "compiler/lower/in_place.py",
        "    if _reads(plan.definitions[1:], image):\n        return False\n",
        "",
        test=(
            f"{_IN_PLACE}test_a_stage_that_may_read_what_is_overwritten_is_refused[in an update]"
        ),
    ),
    Plant(
        "a split that is rounded up counts as exact",
        "compiler/lower/in_place.py",
        "if resolved_tail(change) not in _EXACT and not is_multiple(extent, factor):",
        "if False:",
        test=(
            "tests/lower/test_in_place.py::test_what_may_be_overwritten_too_early_is_refused[a_la"
            "st_vector_that_computes_points_again]"
        ),
    ),
    Plant(
        "arguments of an inlined stage are turned around",
        "compiler/lower/inline.py",
        "dict(zip(variables, call.args, strict=True))",
        "dict(zip(variables, reversed(call.args), strict=True))",
        test="tests/lower/test_schedules.py::test_a_schedule_changes_no_value[pass]",
    ),
    Plant(
        "what only stays is copied",
        "compiler/lower/pipeline.py",
        "in_place=in_place | unread,",
        "in_place=in_place,",
        test=(
            "tests/lower/test_kept_elements.py::"
            "test_what_only_stays_is_not_read_and_needs_no_copy"
        ),
    ),
    Plant(
        "what a choice of places leaves alone may be copied",
        "compiler/lower/kept_elements.py",
        "if condition is not TRUE and read_anyway(condition).isdisjoint(olds):",
        "if False:",
        test=(
            "tests/lower/test_kept_elements.py::"
            "test_a_copy_that_may_read_what_nobody_touches_is_told[read and kept by place]"
        ),
    ),
    Plant(
        "-0.0 counts as 0.0",
        "compiler/lower/kept_elements.py",
        "    if a.type.is_float:\n"
        "        bits = UInt",
        "    if False:\n"
        "        bits = UInt",
        test="tests/lower/test_kept_elements.py::test_floats_differ_by_their_bits[0.0--0.0-True]",
    ),
    Plant(
        "an element that is kept on one side is kept on the other",
        "compiler/lower/kept_elements.py",
        "        return both(Not(condition), when_b), b\n",
        "        return both(condition, when_b), b\n",
        test=(
            "tests/lower/test_kept_elements.py::test_a_value_is_stored_where_it_is_one[value3-con"
            "dition3-stored3]"
        ),
    ),
    Plant(
        "lanes that meet in one place leave the first one's value",
        "compiler/lower/lane_values.py",
        "full = {loop: lanes.get(loop, wide.sizes[loop] - 1) for loop in wide.loops}",
        "full = {loop: lanes.get(loop, 0) for loop in wide.loops}",
        test="tests/lower/test_vectorize.py::test_what_lanes_store_to_one_place_is_the_last_ones",
    ),
    Plant(
        "an absolute difference is computed in a type that is too narrow",
        "compiler/lower/narrow_arithmetic.py",
        "if not (type.contains(low) and type.contains(high)):\n"
        "            return None",
        "if not type.contains(low):\n"
        "            return None",
        test=(
            "tests/lower/test_narrow_arithmetic.py::test_a_blend_runs_in_words_and_keeps_its_valu"
            "es[uint8(int32(a[0]) * int32(b[0]) / 255)]"
        ),
    ),
    Plant(
        "a shift down keeps as few bits as a sum",
        "compiler/lower/narrow_arithmetic.py",
        "if type.bits + shift <= wide.bits < e.type.bits:",
        "if type.bits <= wide.bits < e.type.bits:",
        test=(
            "tests/lower/test_narrow_arithmetic.py::test_a_blend_runs_in_words_and_keeps_its_valu"
            "es[uint8(int32(a[0]) * int32(b[0]) + 128 + (int32(a[0]) * int32(b[0]) + 128 >> 8) "
            ">> 8)]"
        ),
    ),
    Plant(
        "a sum that stops at 254 counts as saturated",
        "compiler/lower/narrow_arithmetic.py",
        "b=Const(value=limit)) if limit == type.max:",
        "b=Const(value=limit)) if limit <= type.max:",
        test=(
            "tests/lower/test_narrow_arithmetic.py::test_a_blend_runs_in_words_and_keeps_its_valu"
            "es[uint8(min(int32(a[0]) + int32(b[0]), 254))]"
        ),
    ),
    Plant(
        "a prefetch is not clamped to the image",
        "compiler/lower/prefetch.py",
        "ends[d] = (Max(Min(low, last), first), Max(Min(high, last), first))",
        "ends[d] = (low, high)",
        test=(
            "tests/lower/test_prefetch.py::test_only_what_an_image_has_is_asked_for_where_that_is"
            "_wished[Clamp-True]"
        ),
    ),
    Plant(
        "a prefetch asks for this step's rows",
        "compiler/lower/prefetch.py",
        "{step: Add(step, self.directive.offset)}",
        "{step: step}",
        test=(
            "tests/lower/test_prefetch.py::test_what_is_asked_for_is_as_far_ahead_as_the_directiv"
            "e_says"
        ),
    ),
    Plant(
        "a region is that of its first reader alone",
        "compiler/lower/region.py",
        "return low, (None if ah is None or bh is None else larger(ah, bh))",
        "return low, ah",
        test=(
            "tests/lower/test_regions.py::test_what_is_read_is_bounded_as_by_halide[h[x] = g[x / "
            "p] + g[x * p] + g[x % p]]"
        ),
    ),
    Plant(
        "a loop's last step is one too early",
        "compiler/lower/region.py",
        "    return low, simplify_coordinate(Sub(Add(low, extent), const(1)))",
        "    return low, simplify_coordinate(Sub(Add(low, extent), const(2)))",
        test=(
            "tests/lower/test_regions.py::test_what_is_read_is_bounded_as_by_halide[h[x] = g[x / "
            "p] + g[x * p] + g[x % p]]"
        ),
    ),
    Plant(
        "a window slides one point too far",
        "compiler/lower/sliding_window.py",
        "start = simplify(Add(substitute(high, before), const(1)))",
        "start = simplify(Add(substitute(high, before), const(2)))",
        test=(
            "tests/lower/test_sliding_window.py::test_a_sliding_window_changes_no_value[g.compute"
            "_root(); f.store_root().compute_at(g, y)]"
        ),
    ),
    Plant(
        "a window's first step computes no more than the others",
        "compiler/lower/sliding_window.py",
        "return Select(at_first, low, start), Select(at_first, whole, extent_of(start, high))",
        "return start, extent_of(start, high)",
        test=(
            "tests/lower/test_sliding_window.py::test_a_sliding_window_changes_no_value[g.compute"
            "_root(); f.store_root().compute_at(g, y)]"
        ),
    ),
    Plant(
        "the first of two conditions that hold is not taken first",
        "compiler/lower/specialize.py",
        "reversed(list(cases))",
        "list(cases)",
        test="tests/lower/test_specialize.py::test_failing_specializations_let_others_pass",
    ),
    Plant(
        "what a condition says is believed where it fails",
        "compiler/lower/specialize.py",
        "otherwise = _known(stmt.otherwise, facts.with_condition(condition, False))",
        "otherwise = _known(stmt.otherwise, facts.with_condition(condition, True))",
        test="tests/lower/test_specialize.py::test_the_first_condition_that_holds_counts",
    ),
    Plant(
        "a guarded split takes one step beyond the end",
        "compiler/lower/splits.py",
        "self.guards.append(n.LT(Add(base, inner), old.extent))\n"
        "            self.clamps",
        "self.guards.append(n.LE(Add(base, inner), old.extent))\n"
        "            self.clamps",
        test=(
            "tests/lower/test_tail_strategies.py::test_an_update_is_applied_once_to_each_point[Gu"
            "ardWithIf]"
        ),
    ),
    Plant(
        "a split forgets the last, shorter part",
        "compiler/lower/splits.py",
        "n.Div(Sub(Add(old.extent, factor), const(1)), factor)",
        "n.Div(old.extent, factor)",
        test=(
            "tests/lower/test_tail_strategies.py::test_each_strategy_gives_the_values_and_asks_fo"
            "r_the_regions_that_halides_does[g.compute_root()-Auto]"
        ),
    ),
    Plant(
        "a blend stores what an earlier step computed",
        "compiler/lower/splits.py",
        "self.blends.append(n.LE(base, Add(shifted, inner)))",
        "self.blends.append(n.LE(const(0), Add(shifted, inner)))",
        test=(
            "tests/lower/test_tail_strategies.py::test_an_update_is_applied_once_to_each_point[Sh"
            "iftInwardsAndBlend]"
        ),
    ),
    Plant(
        "a blend that is rounded up stores beyond the end",
        "compiler/lower/splits.py",
        "            if tail is TailStrategy.RoundUpAndBlend:\n"
        "                self.blends.append(n.LT(Add(base, inner), old.extent))",
        "            if tail is TailStrategy.RoundUpAndBlend:\n"
        "                self.blends.append(n.LE(Add(base, inner), old.extent))",
        test=(
            "tests/lower/test_tail_strategies.py::test_no_point_is_updated_twice_by_splits_of_spl"
            "its[u.split(x, xo, xi, 7, T.RoundUpAndBlend).split(xi, xi, z, 3, T.RoundUpAndBlend)]"
        ),
    ),
    Plant(
        "a ring has one row too few",
        "compiler/lower/storage_folding.py",
        "factor = 1 << max(longest - 1, 0).bit_length()",
        "factor = max(longest - 1, 1)",
        test=(
            "tests/lower/test_storage_folding.py::test_folding_by_hand_changes_no_value[g.compute"
            "_root(); f.store_root().compute_at(g, y).fold_storage(x, 4)]"
        ),
    ),
    Plant(
        "sums that overlap are kept in registers",
        "compiler/lower/sums_in_registers.py",
        "least = -(-(sums.lanes + abs(constant)) // abs(factor))",
        "least = 1",
        test=(
            "tests/lower/test_sums_in_registers.py::test_rows_that_share_elements_are_summed_in_o"
            "rder"
        ),
    ),
    Plant(
        "sums in registers are not written back",
        "compiler/lower/sums_in_registers.py",
        "block(*before, inner, *after)",
        "block(*before, inner)",
        test=(
            "tests/lower/test_sums_in_registers.py::test_sums_are_those_of_the_loops_as_written[s"
            "ize0]"
        ),
    ),
    Plant(
        "tiles go over padding",
        "compiler/lang/tile_scan.py",
        "n.Div(n.Max(self.extent, ir.const(0)), ir.const(tile))",
        "n.Div(n.Add(self.extent, ir.const(tile)), ir.const(tile))",
        test="tests/lang/test_tile_scan.py::test_a_state_of_order_two_goes_from_tile_to_tile",
    ),
    Plant(
        "between tiles a cross term is missing",
        "compiler/lang/tile_scan.py",
        "for element in range(self.scan.order if growth is not None else 0):",
        "for element in range(1 if growth is not None else 0):",
        test="tests/lang/test_tile_scan.py::test_a_state_of_order_two_goes_from_tile_to_tile",
    ),
    Plant(
        "between tiles the matrix is transposed",
        "compiler/lang/tile_scan.py",
        "growth.name, (ir.const(element), step)",
        "growth.name, (m.node, ir.const(self.tile - 1 - element))",
        test="tests/lang/test_tile_scan.py::test_a_state_of_order_two_goes_from_tile_to_tile",
    ),
    Plant(
        "the last values of a tile stand in the wrong order",
        "compiler/lang/tile_scan.py",
        "last = n.Sub(ir.const(self.tile - 1), args[0].node)",
        "last = n.Add(ir.const(self.tile - self.scan.order), args[0].node)",
        test="tests/lang/test_tile_scan.py::test_a_state_of_order_two_goes_from_tile_to_tile",
    ),
    Plant(
        "a scan in vectors forgets all but the last vector",
        "compiler/lower/scans_in_registers.py",
        "s.Store(carry, found.operation(carried, last), every),",
        "s.Store(carry, last, every),",
        test="tests/lower/test_scans_in_registers.py::test_a_sum_goes_on_from_vector_to_vector",
    ),
    Plant(
        "a scan in vectors reads what it has not written yet",
        "compiler/lower/scans_in_registers.py",
        "if not own or _distance(node.indices[0], store.index) != 0:",
        "if not own:",
        test="tests/lower/test_scans_in_registers.py::test_what_is_not_replaced_yet_is_no_term",
    ),
    Plant(
        "a place that is counted from the end is taken for one from the beginning",
        "compiler/codegen/affine.py",
        "stack.append((node.value, -factor))",
        "stack.append((node.value, factor))",
        test=(
            "tests/codegen/test_transposed.py::"
            "test_places_that_are_counted_from_the_end_lie_a_constant_apart"
        ),
    ),
    Plant(
        "transposed columns are those of the iteration before",
        "compiler/codegen/transposed.py",
        "made.offsets[load] = offset + step",
        "made.offsets[load] = offset",
        test="tests/codegen/test_transposed.py::test_what_lies_around_the_image_is_not_touched",
    ),
    Plant(
        "parts of a block of columns stay where they are",
        "compiler/codegen/transposed.py",
        "source = place + step * (int(upper) - int(is_on))",
        "source = place",
        test="tests/codegen/test_transposed.py::test_what_lies_around_the_image_is_not_touched",
    ),
    Plant(
        "an unrolled loop has one copy too few",
        "compiler/lower/unroll.py",
        "for i in range(int(made.extent.value))))",
        "for i in range(int(made.extent.value) - 1)))",
        test=(
            "tests/lower/test_schedules.py::test_a_schedule_changes_no_value[h.tile(x, y, xi, "
            "yi, 8, 8).unroll(yi)]"
        ),
    ),
    Plant(
        "a copy of an unrolled loop is the first one",
        "compiler/lower/unroll.py",
        "here = simplify(n.Add(loop.min, const(step)))",
        "here = simplify(n.Add(loop.min, const(min(step, 1))))",
        test=(
            "tests/lower/test_schedules.py::test_a_schedule_changes_no_value[h.tile(x, y, xi, "
            "yi, 8, 8).unroll(yi)]"
        ),
    ),
    Plant(
        "the branches of a condition on parameters change sides",
        "compiler/lower/unswitch.py",
        "then, used = _versions(_assuming(nest, condition, True), most - 1)",
        "then, used = _versions(_assuming(nest, condition, False), most - 1)",
        test="tests/lower/test_unswitch.py::test_a_switch_over_a_mode_is_one_nest_a_case",
    ),
    Plant(
        "`!(a || b)` says nothing of b, `a || b` all of it",
        "compiler/lower/unswitch.py",
        "if isinstance(condition, n.Or) and not value:\n"
        "        known[condition.a] = known[condition.b] = n.FALSE",
        "if isinstance(condition, n.Or) and value:\n"
        "        known[condition.a] = known[condition.b] = n.TRUE",
        test=(
            "tests/lower/test_unswitch.py::test_what_either_of_two_conditions_says_of_each_is_rig"
            "ht"
        ),
    ),
    Plant(
        "an inner loop runs as long as the shortest lane's",
        "compiler/lower/vectorize.py",
        'most = simplify(combined("max", steps, ()))',
        'most = simplify(combined("min", steps, ()))',
        test=(
            "tests/lower/test_vectorize.py::test_values_are_halides[memory_and_steps_of_each_lane"
            "]"
        ),
    ),
    Plant(
        "lanes share their scratch memory",
        "compiler/lower/vectorize.py",
        "inside = replace(at, own={**at.own, stmt.buffer: loops}, done={})",
        "inside = replace(at, done={})",
        test=(
            "tests/lower/test_vectorize.py::test_values_are_halides[memory_and_steps_of_each_lane"
            "]"
        ),
    ),
    Plant(
        "lanes that meet are taken for lanes apart",
        "compiler/lower/vectorize.py",
        "        if step <= reach:\n"
        "            return False\n",
        "",
        test=(
            "tests/lower/test_vectorize.py::test_lanes_of_two_loops_that_meet_update_one_after_th"
            "e_other"
        ),
    ),
    Plant(
        "a mask forgets the one around it",
        "compiler/lower/vectorize.py",
        "both = And(spread(at.mask, loops), spread(condition, loops))",
        "both = spread(condition, loops)",
        test="tests/lower/test_vectorize.py::test_a_lane_is_on_where_both_of_two_conditions_hold",
    ),
    # compiler/lower, kernels
    Plant(
        "the threads that a nest needs are alone at the barrier in front of it",
        "compiler/lower/barriers.py",
        "return (block(self._barrier(wait), stmt) if wait else stmt), after",
        "return (Together(block(self._barrier(wait), stmt.body), stmt.extents)\n"
        "                        if wait else stmt), after",
        test=f"{_DEVICE}test_a_blur_has_the_same_values_under_all_schedules[in shared memory]",
    ),
    Plant(
        "a barrier may stand under what threads are writing",
        "compiler/lower/uniform_barriers.py",
        "x.array not in self.common or x.array in self.written",
        "x.array not in self.common",
        test=f"{_MET}test_barriers_that_some_threads_do_not_come_to[under what is being written]",
    ),
    Plant(
        "what an iteration leaves isn't there in the next one",
        "compiler/lower/uniform_barriers.py",
        "for _ in range(2):",
        "for _ in range(1):",
        test=(
            f"{_MET}test_barriers_that_some_threads_do_not_come_to"
            "[under what the iteration before writes]"
        ),
    ),
    Plant(
        "a let hides no variable of its name",
        "compiler/lower/uniform_barriers.py",
        "else uniform - {name})",
        "else uniform)",
        test=(
            f"{_MET}test_barriers_that_some_threads_do_not_come_to[under a let that hides a scalar]"
        ),
    ),
    Plant(
        "the pieces of all blocks are one",
        "compiler/lower/device_memory.py",
        "first = simplify(Mul(block, pieces.size))",
        "first = simplify(Mul(block, const(0, I64)))",
        test=f"{_PIECES}test_a_blur_has_the_same_values_wherever_rows_are_stored[of a block]",
    ),
    Plant(
        "elements of a thread lie where its neighbour's do",
        "compiler/lower/device_memory.py",
        "return moved(index, threads, simplify(Add(Mul(first, threads), thread)))",
        "return moved(index, const(1, I64), simplify(Add(Mul(first, threads), thread)))",
        test=f"{_PIECES}test_a_blur_has_the_same_values_wherever_rows_are_stored[of a thread]",
    ),
    Plant(
        "barriers are about shared memory alone",
        "compiler/lower/barriers.py",
        "s.Barrier(device=not memories <= self.shared)",
        "s.Barrier(device=False)",
        test=f"{_PIECES}test_a_blur_has_the_same_values_wherever_rows_are_stored[of a block]",
    ),
    Plant(
        "threads that have others inside have one memory",
        "compiler/lower/kernels.py",
        "pieces, first = Mul(pieces, steps), Add(Mul(first, steps), step)",
        "pieces, first = Mul(pieces, steps), first",
        test=f"{_NESTED}test_a_blur_has_the_same_values[rows by one thread of each row]",
    ),
    Plant(
        "all threads of a loop have as much to do",
        "compiler/lower/kernels.py",
        "if most is not extent:",
        "if most is extent:",
        test=f"{_NESTED}test_loops_over_threads_that_are_as_long_as_a_thread_says",
    ),
    Plant(
        "what stands behind a check of a kernel is run where it is broken, too",
        "compiler/lower/kernel_checks.py",
        "made.append(s.IfThenElse(stmt.condition, behind, self._fail(stmt)))",
        "made += [s.IfThenElse(Not(stmt.condition), self._fail(stmt)), behind]",
        test=f"{_TOLD}test_values_of_all_types_arrive[0]",
    ),
    Plant(
        "lanes of which the loop has no iteration do what the others do",
        "compiler/lower/lane_registers.py",
        "return together.run(body, TRUE if loop.extent.value == s.WARP else runs)",
        "return together.run(body, TRUE if runs else runs)",
        test=f"{_LANES}a_stencil_over_more_elements_than_lanes[20]",
    ),
    Plant(
        "a lane offers the element of the first round alone",
        "compiler/lower/lane_registers.py",
        "is_it = EQ(simplify(Div(left, const(period))), const(turn))",
        "is_it = EQ(const(first), const(turn))",
        test=f"{_LANES}a_stencil_over_more_elements_than_lanes[32]",
    ),
    Plant(
        "all lanes have elements of their own where some have",
        "compiler/lower/lane_registers.py",
        "if self.stride * lanes > period:",
        "if lanes < 0:",
        test=f"{_LANES}more_lanes_read_than_have_elements",
    ),
    Plant(
        "a shuffle stays under the condition that the lane has something to do",
        "compiler/lower/lane_registers.py",
        "if not self._differs(holds):",
        "if holds is not condition:",
        test=f"{_LANES}lanes_behind_the_end_of_a_row_take_part",
    ),
    Plant(
        "all threads of a row are lanes of one warp",
        "compiler/lower/uniform_barriers.py",
        "not isinstance(row, Const) or row.value != s.WARP",
        "not isinstance(row, Const)",
        test=f"{_LANES}a_shuffle_that_some_lanes_miss_is_found",
    ),
    Plant(
        "an element of which the place is a lane's is its own",
        "compiler/lower/lane_registers.py",
        "if inside >= self.stride or (before and not self.period):",
        "if before and not self.period:",
        test=f"{_LANES}a_stencil_over_more_elements_than_lanes[32]",
    ),
    Plant(
        "copies are there without anybody waiting for them",
        "compiler/lower/async_copies.py",
        "return (block(s.AwaitCopies(), stmt) if outstanding else stmt), False",
        "return stmt, outstanding",
        test=f"{_COPIES}tiles_are_copied[int32]",
    ),
    Plant(
        "what a thread has copied itself is there at once",
        "compiler/lower/barriers.py",
        "name: (None,) if name in copied else tuple(all_of)",
        "name: tuple(all_of)",
        test=f"{_COPIES}a_thread_waits_for_what_it_has_copied_itself",
    ),
    Plant(
        "copies of sixteen bytes begin anywhere",
        "compiler/lower/async_copies.py",
        "if in_a_row and size in BYTES and aligned % size == 0:",
        "if in_a_row and size in BYTES:",
        test=f"{_COPIES}elements_at_unknown_places_are_copied_one_by_one",
    ),
    Plant(
        "what the kernel writes is copied while it goes on",
        "compiler/lower/async_copies.py",
        "if value.array not in written:",
        "if value.array:",
        test=f"{_COPIES}what_the_kernel_itself_makes_is_not_copied_so",
    ),
    # compiler/codegen/ptx
    Plant(
        "what an output may lie in is copied while the thread goes on",
        "compiler/codegen/ptx/async_copies.py",
        "if not _copies(at) or store.value.array in overlapping:",
        "if not _copies(at):",
        test=f"{_COPIES}what_an_output_may_lie_in_is_copied_before_the_thread_goes_on",
    ),
    Plant(
        "the high half of a number of 64 bits stays where it is",
        "compiler/codegen/ptx/shuffles.py",
        "for s in (0, 32)]",
        "for s in (0, 0)]",
        test=f"{_LANES}values_of_all_sizes_are_fetched[float64]",
    ),
    Plant(
        "all threads that find a check broken say so",
        "compiler/codegen/ptx/statements.py",
        'f.when(f.emit("i1", f"extractvalue {tried}, 1"))',
        'f.when(Value("i1", "true" if tried else ""))',
        test=f"{_TOLD}test_one_thread_of_all_tells_of_itself",
    ),
    Plant(
        "what another thread may have written between is read once",
        "compiler/codegen/ptx/kernel.py",
        "parameter.name not in overlapping and not parameter.is_written:\n"
        '            words += ["noalias", "readonly"]',
        "parameter.name not in overlapping:\n"
        '            words += ["noalias"] if parameter.is_written else ["noalias", "readonly"]',
        test=(
            "tests/codegen/test_ptx.py::"
            "test_what_was_read_before_a_barrier_is_read_again_after_it"
        ),
    ),
    Plant(
        "what is written in place of an input is read by the path for constants",
        "compiler/codegen/ptx/kernel.py",
        "parameter.name not in overlapping and not parameter.is_written",
        "not parameter.is_written",
        test=(
            "tests/codegen/test_ptx.py::"
            "test_what_may_lie_in_the_place_of_an_output_is_not_read_as_a_constant"
        ),
    ),
    Plant(
        "memories of more than 2**31 elements have indices of 32 bits",
        "compiler/codegen/ptx/index_width.py",
        "MOST_ELEMENTS = (1 << 31) - MARGIN",
        "MOST_ELEMENTS = 1 << 32",
        test="tests/ptx/test_index_width.py"
        "::test_rows_far_apart_are_told_apart_by_64_bits",
    ),
    Plant(
        "extremes look at the low bits of large numbers",
        "compiler/codegen/narrow_indices.py",
        "if not all(fits(index_range(at, x)) for x in expr.children):",
        "if False:",
        test="tests/ptx/test_index_width.py::test_extremes_look_at_whole_numbers[16-32]",
    ),
    Plant(
        "loops count in 32 bits whatever they run over",
        "compiler/codegen/ptx/statements.py",
        "return span if narrow_indices.fits(span) and narrow_indices.fits(steps) else None",
        "return span",
        test="tests/ptx/test_index_width.py::test_loops_begin_where_whole_numbers_say[32]",
    ),
    Plant(
        "extremes of signed numbers forget the sign",
        "compiler/codegen/ptx/word_extremes.py",
        '"zext" if sign == "u" else "sext"',
        '"zext"',
        test="tests/ptx/test_kernels.py::test_extremes_of_narrow_numbers[int8-4]",
    ),
    Plant(
        "signed bytes are added as unsigned ones",
        "compiler/codegen/ptx/byte_products.py",
        '(U8, I8): "u.s"',
        '(U8, I8): "u.u"',
        test="tests/ptx/test_byte_products.py::test_weights_and_what_is_added[1-uint8]",
    ),
    Plant(
        "bytes of two rows go together in whatever order they lie",
        "compiler/codegen/ptx/byte_products.py",
        "beside = b.place - a.place if a.row and b.row else 0",
        "beside = 0",
        test="tests/ptx/test_byte_products.py::test_other_sums_stay[the other way round]",
    ),
    Plant(
        "memories of a block overlap",
        "compiler/codegen/ptx/shared_memory.py",
        "return last < others_first or others_last < first",
        "return True",
        test="tests/ptx/test_shared_memory.py::test_random_kernels_keep_what_they_hold[0]",
    ),
    Plant(
        "a block's memories of two pieces of a loop never meet",
        "compiler/codegen/ptx/shared_memory.py",
        "if b in self.meeting.get(a, ()):",
        "if b is None:",
        test="tests/ptx/test_shared_memory.py::test_pieces_of_a_loop_share_their_places"
        "[3-False-sizes2-4]",
    ),
    Plant(
        "the next iteration of a loop never overtakes the end of this one",
        "compiler/codegen/ptx/shared_memory.py",
        "return again | self._meet(stmt.body, again)",
        "return again",
        test="tests/ptx/test_kernels.py::test_memories_of_an_iteration[3-True-False-3]",
    ),
    Plant(
        "an intrinsic of any type passes",
        "compiler/codegen/ptx/selectable.py",
        "types is None or (types is not _WITHOUT and type not in types)",
        "types is None",
        test="tests/codegen/test_ptx_selectable.py::test_nothing_else_passes[llvm.smax.i128]",
    ),
    Plant(
        "vectors of a GPU are divided as floats",
        "compiler/codegen/division.py",
        "return type.lanes > 1 and not f.module.target.is_gpu",
        "return type.lanes > 1",
        test="tests/codegen/test_ptx.py::test_division_by_a_constant_is_a_product",
    ),
    # compiler/codegen
    Plant(
        "a pointer that is tested is always given",
        "compiler/codegen/entry_code.py",
        'self.f.emit("i1", f"icmp ne {pointer}, null")',
        'Value("i1", "true")',
        test=(
            "tests/end_to_end/test_null_pointers.py::"
            "test_lifted_code_runs_with_null_and_without[read]"
        ),
    ),
    Plant(
        "a buffer of another type is taken",
        "compiler/codegen/buffer_checks.py",
        "        for argument in in_order:\n"
        "            self._check_type(argument)\n",
        "",
        test=(
            "tests/codegen/test_ahead_of_time.py::test_a_c_program_hears_what_the_real_halide_tel"
            "ls_it"
        ),
    ),
    Plant(
        "a buffer may reach beyond the largest coordinate",
        "compiler/codegen/buffer_checks.py",
        'f"icmp sle {beyond}, {2**31 - 1}"',
        'f"icmp sle {beyond}, {2**33}"',
        test=(
            "tests/codegen/test_large_buffers.py::test_coordinates_that_no_int32_holds_are_refuse"
            "d"
        ),
    ),
    Plant(
        "a question's strides are all one",
        "compiler/codegen/buffer_checks.py",
        'return f.emit("i64", f"mul {stride}, {extent.text}")',
        "return stride",
        test=(
            "tests/codegen/test_ahead_of_time.py::test_a_c_program_hears_what_the_real_halide_tel"
            "ls_it"
        ),
    ),
    Plant(
        "a remainder by a negative constant is taken by a power of two",
        "compiler/codegen/division.py",
        "return value.bit_length() - 1 if value > 0 and value & (value - 1) == 0 else None",
        "return value.bit_length() - 1 if value > 0 else None",
        test=(
            "tests/codegen/test_operators.py::test_division_by_constants_equals_the_evaluator[uin"
            "t8-1]"
        ),
    ),
    Plant(
        "a quotient of a negative number is rounded to zero",
        "compiler/codegen/division.py",
        'sign = _binary(f, "ashr", a, number(type, type.bits - 1))',
        "sign = number(type, 0)",
        test=(
            "tests/codegen/test_operators.py::test_division_by_constants_equals_the_evaluator[int"
            "8-64]"
        ),
    ),
    Plant(
        "the factor of a division is one too small",
        "compiler/codegen/division.py",
        "factor = -(-(1 << (bits - 1 + k)) // divisor)",
        "factor = (1 << (bits - 1 + k)) // divisor",
        test=(
            "tests/codegen/test_operators.py::test_division_by_constants_equals_the_evaluator[int"
            "16-64]"
        ),
    ),
    Plant(
        "a percent sign of a message is read as a directive",
        "compiler/codegen/failures.py",
        'text = pieces[0].replace("%", "%%")',
        "text = pieces[0]",
        test=(
            "tests/lang/test_braces.py::test_braces_in_a_requirement_are_shown[a{}b {{}} {x} "
            "100%d]"
        ),
    ),
    Plant(
        "the pool keeps more than its limit",
        "compiler/codegen/runtime_library/memory_pool.ll",
        "%within = icmp ule i64 %total, %limit",
        "%within = icmp ule i64 %limit, -1",
        test="tests/runtime/test_allocation.py::test_the_pool_keeps_no_more_than_its_limit",
    ),
    Plant(
        "a step's failure is forgotten by the threads",
        "compiler/codegen/runtime_library/thread_pool.ll",
        "  br i1 %fine, label %on, label %failed\n"
        "on:",
        "  br label %on\n"
        "on:",
        test=(
            "tests/runtime/test_threads.py::test_a_failure_in_one_thread_stops_the_others_and_fre"
            "es_everything"
        ),
    ),
    Plant(
        "stages read what nobody needs of them",
        "compiler/lower/pipeline.py",
        "        plans = with_conditions(plans)\n",
        "",
        test=(
            "tests/end_to_end/test_untouched_memory.py::test_sums_at_times_read_nothing_else"
            "[where data say]"
        ),
    ),
    # compiler/autosched
    Plant(
        "caches have twice the sets that they have",
        "compiler/autosched/cache_emulation.py",
        "        sets = max(1, sets // 2)",
        "        sets = max(1, sets)",
        test=(
            "tests/autosched/test_cache_emulation.py::test_half_of_a_second_level_is_left_to_what"
            "_is_prefetched[32-4]"
        ),
    ),
    Plant(
        "a machine's sizes are thousands of bytes",
        "compiler/autosched/machine_text.py",
        '_BINARY = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30}',
        '_BINARY = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}',
        test="tests/autosched/test_machine.py::test_text_says_what_a_machine_is",
    ),
    Plant(
        "a cache may be smaller than the one before it",
        "compiler/autosched/machine_text.py",
        "                if a > b:\n"
        "                    found.append",
        "                if False:\n"
        "                    found.append",
        test=(
            "tests/autosched/test_machine.py::test_nonsense_is_refused_by_its_key_and_what_is_all"
            "owed_is_said[l1.size=4M-l1.size = 4194304 is larger than l2.size-each level]"
        ),
    ),
    Plant(
        "what leaves a running sum is what its new window begins with",
        "compiler/autosched/running_sums.py",
        "term(place - 1 + low)",
        "term(place + low)",
        test=_RUNNING + "clamped_windows_of_all_types_have_the_direct_sums[8-0]",
    ),
    Plant(
        "windows may depend on where they are seen from",
        "compiler/autosched/running_sums.py",
        "if total in parts and here not in parts and counter not in parts:",
        "if total in parts and counter not in parts:",
        test=_RUNNING + "other_sums_stay[cut_at_its_own_place]",
    ),
    Plant(
        "running sums begin where the first output does",
        "compiler/autosched/running_sums.py",
        "low = minimum(low, other.min())",
        "low = low",
        test=_RUNNING + "two_outputs_need_what_either_does",
    ),
    # lifter/dag
    Plant(
        "what is left of a strip has one iteration less",
        "lifter/parse/strips.py",
        "for place in range(length - 1):",
        "for place in range(length - 2):",
        test=(
            "tests/lift/test_strips.py::"
            "test_a_strip_has_its_iterations_in_their_order_and_one_store"
        ),
    ),
    Plant(
        "strips begin at 0 whatever the counter begins at",
        "lifter/parse/strips.py",
        "if not isinstance(start, Const) or start.value != 0 or not isinstance(step, Assign):",
        "if not isinstance(start, Const) or not isinstance(step, Assign):",
        test="tests/lift/test_strips.py::test_other_loops_stay_as_they_are[0]",
    ),
    Plant(
        "any size is less than a negative number that is taken for unsigned",
        "lifter/dag/index.py",
        "if not self._is_within(self.index(inner), 0, most - 1):",
        "if not self._is_within(self.index(inner), 0, 2 * most - 1):",
        test=(
            "tests/lift/test_turned_images.py::"
            "test_a_size_that_may_be_larger_than_negative_numbers_keeps_the_claim"
        ),
    ),
    Plant(
        "a remainder is Euclid's, whatever is divided by",
        "lifter/dag/wrapped_places.py",
        "if found is not None and is_positive(found.b) else None",
        "if found is not None else None",
        test="tests/dag/test_wrapped_places.py::test_remainders_of_positive_sizes[chosen]",
    ),
    Plant(
        "a remainder is made positive where what is divided is negative",
        "lifter/dag/wrapped_places.py",
        "condition.a is not left:",
        "condition.a not in (left, left.a):",
        test="tests/dag/test_wrapped_places.py::test_what_is_none[of what is divided]",
    ),
    Plant(
        "an iteration says one more of its extent",
        "lifter/dag/index.py",
        "else -((left - 1) // step)",
        "else -((left - 2) // step)",
        test=(
            "tests/dag/test_wrapped_places.py::"
            "test_an_iteration_says_what_its_extent_is_at_least[extent0-1]"
        ),
    ),
    Plant(
        "what is claimed of one side of a choice is claimed everywhere",
        "lifter/dag/index.py",
        "found = self._done.get((expr, self._where))",
        "found = next((v for (e, _), v in self._done.items() if e is expr), None)",
        test="tests/dag/test_learning.py::test_what_counts_everywhere_is_claimed_everywhere",
    ),
    Plant(
        "what one side of a choice tells holds on both",
        "lifter/dag/index.py",
        "self._where = (*where, condition)",
        "self._where = where",
        test="tests/dag/test_learning.py::test_one_side_of_a_choice_fits_where_it_is_taken",
    ),
    Plant(
        "a `do` loop runs as often as its test says",
        "lifter/dag/closed_forms.py",
        "count = normal(Max(normal(Add(iterations, ONE)), ONE))",
        "count = normal(Max(iterations, ONE))",
        test=(
            "tests/end_to_end/test_exits_proved.py::test_the_place_of_the_test_does_not_matter[in"
            "t i = 0; while (1) { d[i] = s[i] / 2; if (++i >= n) break; }-max(1, n)]"
        ),
    ),
    Plant(
        "a falling counter is bounded as a rising one",
        "lifter/dag/index.py",
        "end = ZERO if rising == (sign < 0) else normal(Sub(loop.extent, ONE))",
        "end = ZERO if sign < 0 else normal(Sub(loop.extent, ONE))",
        test="tests/dag/test_ranges.py::test_the_ends_of_simple_expressions_are_met[7 - i]",
    ),
    Plant(
        "a remainder may be as large as its divisor says and not more",
        "compiler/ir/operators.py",
        "elif a[0] >= 0 and a[1] < min(abs(b[0]), abs(b[1])):",
        "elif a[1] < min(abs(b[0]), abs(b[1])):",
        test="tests/ir/test_operators.py::test_a_row_is_consistent[intervals_hold_all-Mod]",
    ),
    Plant(
        "what is multiplied by a reciprocal isn't kept away from whole numbers",
        "compiler/codegen/division.py",
        'within = f.emit(float_type, f"fadd {x}, {half.text}")',
        "within = x",
        test=(
            "tests/codegen/test_operators.py::"
            "test_division_of_all_lanes_by_one_number_equals_the_evaluator[int32]"
        ),
    ),
    Plant(
        "a remainder within another is left out, whatever they are of",
        "lifter/dag/polynomial.py",
        "isinstance(atom, Mod) and atom.b is divisor",
        "isinstance(atom, Mod)",
        test=(
            "tests/dag/test_remainders_of_remainders.py::test_the_normal_form_is_the_same_number["
            "(a % m + b) % n]"
        ),
    ),
    Plant(
        "an error term is brought back where there is no iteration",
        "lifter/dag/loops.py",
        "index = normal(Select(GT(analysis.extent, ZERO), index, start))",
        "index = normal(index)",
        test=(
            "tests/lift/test_error_terms.py::test_what_is_brought_back_is_a_quotient[left, or as "
            "it was]"
        ),
    ),
    Plant(
        "a loop in steps of two is not rounded up",
        "lifter/dag/trip_count.py",
        "rest = Div(Sub(Add(rest, by), ONE), by)",
        "rest = Div(rest, by)",
        test=(
            "tests/verify/test_soundness.py::test_is_proved_and_equal_on_concrete_inputs[a bound "
            "that the loop moves]"
        ),
    ),
    Plant(
        "a loop until `!=` needs no multiple of its step",
        "lifter/dag/trip_count.py",
        "conjunction((GE(start, ZERO), EQ(Mod(start, fall), ZERO)))",
        "GE(start, ZERO)",
        test=(
            "tests/verify/test_soundness.py::test_is_proved_under_a_stated_precondition[a step "
            "that must meet its bound]"
        ),
    ),
    Plant(
        "a loop to `<=` runs once less",
        "lifter/dag/trip_count.py",
        "return normal(Add(Sub(b, a), ONE))",
        "return normal(Sub(b, a))",
        test=(
            "tests/dag/test_trip_count.py::test_a_loop_runs_as_often_as_its_condition_holds[i <= "
            "n]"
        ),
    ),
    Plant(
        "a guard says that what it keeps below a number is above it",
        "lifter/dag/symbolic.py",
        "more, less = (part.a, part.b) if isinstance(part, (GT, GE)) else (part.b, part.a)",
        "more, less = part.a, part.b",
        test=(
            "tests/lift/test_behind_guards.py::test_quotients_of_what_may_be_negative_round_to_zero"
            "[a guard from above]"
        ),
    ),
    Plant(
        "the greater of two elements is the lesser one",
        "lifter/dag/symbolic.py",
        "return Min(a, b) if first_is_less == (one is a) else Max(a, b)",
        "return Min(a, b) if first_is_less else Max(a, b)",
        test="tests/lift/test_windows_in_order.py::test_exchanges_are_lesser_and_greater_numbers",
    ),
    Plant(
        "a store goes where the other side of what is stated says",
        "lifter/dag/symbolic.py",
        "return choice.a if told.value else choice.b",
        "return choice.b if told.value else choice.a",
        test=(
            "tests/lift/test_stated_values.py::test_what_is_stated_says_where_stores_go[other "
            "values]"
        ),
    ),
    # lifter/synth
    Plant(
        "a choice between two is always the least",
        "lifter/synth/rewrite_selects.py",
        "            return context.simplify(n.Max(expr.a, expr.b))",
        "            return context.simplify(n.Min(expr.a, expr.b))",
        test=(
            "tests/synth/test_expression_rules.py::test_the_rule_fires_and_is_proved[split-condit"
            "ion: select(a(x, y) < b(x, y) && a(x, y) > 100, b(x, y), a(x, y))]"
        ),
    ),
    Plant(
        "a choice of equals is the other one",
        "lifter/synth/rewrite_selects.py",
        "return expr.b if kind is n.EQ else expr.a",
        "return expr.a if kind is n.EQ else expr.b",
        test=(
            "tests/synth/test_expression_rules.py::test_the_rule_fires_and_is_proved[select-equal"
            ": select(a(x, y) == b(x, y), a(x, y), b(x, y))]"
        ),
    ),
    Plant(
        "a clamp needs no order of its ends",
        "lifter/synth/rewrite_selects.py",
        "if same_value(value, x) and context.ranges(low)[1] <= context.ranges(high)[0]:",
        "if same_value(value, x):",
        test=(
            "tests/synth/test_expression_rules.py::test_the_rule_leaves_its_near_miss_alone[selec"
            "t-clamp-expr17]"
        ),
    ),
    Plant(
        "a coordinate forgets where its loop begins",
        "lifter/synth/terminals.py",
        "return Mul(const(scale, I64), Sub(self.names[d], self._offsets[d]))",
        "return Mul(const(scale, I64), self.names[d])",
        test="tests/synth/test_terminals.py::test_a_reversed_loop_reads_the_same_pixel",
    ),
    # lifter/verify
    Plant(
        "a remainder by a word is left out of any positive number",
        "lifter/verify/decide.py",
        "within = And(GE(node.a, const(0, I64)), LT(node.a, node.b))",
        "within = GE(node.a, const(0, I64))",
        test=(
            "tests/lift/test_turned_images.py::"
            "test_a_remainder_of_what_lies_within_a_word_is_left_out"
        ),
    ),
    Plant(
        "a divisor of -1 is taken for one that is never negative",
        "lifter/verify/canonical.py",
        "any_sign = context.ranges(d)[0] < 0",
        "any_sign = context.ranges(d)[0] < -1",
        test=(
            "tests/verify/test_canonical.py::test_a_divisor_that_is_never_negative_may_be_a"
            "_variable[0]"
        ),
    ),
    Plant(
        "quotients of 64 bits are those of 32 whatever they are",
        "lifter/verify/canonical.py",
        "if node.type is I64 and not _is_within(I32, context.ranges(node)):",
        "if node.type is I64 and not _is_within(I64, context.ranges(node)):",
        test=(
            "tests/verify/test_canonical.py::test_quotients_of_64_bits_become_those_of_32_where"
            "_they_fit[TruncDiv]"
        ),
    ),
    Plant(
        "a number below a size is its own remainder",
        "lifter/verify/encode.py",
        "z3.Implies(z3.And(a >= 0, a < b), made == a)",
        "z3.Implies(a < b, made == a)",
        test=(
            "tests/verify/test_encode.py::"
            "test_what_is_said_of_free_remainders_holds_of_remainders"
        ),
    ),
    Plant(
        "a maximum of bits is their minimum",
        "lifter/dag/zeros_and_ones.py",
        "a & b if isinstance(node, Min) else a | b",
        "a & b",
        test="tests/verify/test_extremes.py::test_a_comparator_too_few_is_no_median",
    ),
    Plant(
        "two networks of extremes are always equal",
        "lifter/verify/extremes.py",
        "return known.are_few and known.cases(a) == known.cases(b)",
        "return True",
        test="tests/verify/test_extremes.py::test_a_comparator_too_few_is_no_median",
    ),
    Plant(
        "a reduction may read its output elsewhere",
        "lifter/verify/reduction.py",
        "own = read.indices == own_load.indices and read.loops == loops",
        "own = True",
        test=(
            "tests/verify/test_reduction.py::test_a_nest_that_reads_other_elements_of_the_output_"
            "is_refused"
        ),
    ),
    Plant(
        "a reduction may leave out iterations",
        "lifter/verify/reduction.py",
        '            if not self.integers("coverage", text, same, ()):\n'
        "                return False\n",
        "",
        test="tests/verify/test_reduction.py::test_a_round_less_or_more_is_refused[0]",
    ),
    Plant(
        "nobody proves that each point is written once",
        "lifter/verify/region_proof.py",
        "            and self.unique()\n",
        "",
        test="tests/verify/test_pure.py::test_what_synthesis_finds_is_proved_in_every_respect",
    ),
    Plant(
        "nobody proves that a nest's stores stay in the region",
        "lifter/verify/region_proof.py",
        "inside = And(LE(dimension.lower, coordinate), LT(coordinate, dimension.upper))",
        "inside = LE(dimension.lower, coordinate)",
        test="tests/verify/test_pure.py::test_wrong_bounds_are_refused[0-0-w - 1]",
    ),
    Plant(
        "two stores of a nest may meet",
        "lifter/verify/region_proof.py",
        "return all(self._apart(a, b) for a, b in pairs)",
        "return True",
        test="tests/verify/test_parts_of_a_region.py::test_ends_that_may_meet_need_a_precondition",
    ),
    Plant(
        "what an element was counts as what it is by then",
        "lifter/dag/loops.py",
        "executor.recording.handed_on |= {n.array for n in loads} & analysis.stored",
        "executor.recording.handed_on |= set()",
        test=f"{_SCANS}test_what_was_there_is_not_taken_for_what_is_there_by_then[old and new]",
    ),
    Plant(
        "points of a scan's region may be one element",
        "lifter/verify/scan.py",
        "return self._are_different() and super()._update() and self._touches_all()",
        "return super()._update() and self._touches_all()",
        test=f"{_SCANS}test_points_of_a_region_are_different_elements[beside the row]",
    ),
    Plant(
        "a scan's region may have elements that nobody touches",
        "lifter/verify/scan.py",
        "return self._are_different() and super()._update() and self._touches_all()",
        "return self._are_different() and super()._update()",
        test=f"{_SCANS}test_the_corner_that_nobody_touches_is_no_part_of_a_region",
    ),
    Plant(
        "rows that are handed on may lie anywhere",
        "lifter/dag/row_states.py",
        "plain = not counters & set(postorder(rest, rows.extent, columns.extent))",
        "plain = True",
        test=f"{_ROWS}test_what_is_found_is_what_was_left[by row and column]",
    ),
    Plant(
        "what a nest overwrites is dead for all of its stages",
        "lifter/lift/lift_function.py",
        "for nest in nests_of(later, lambda item: item.summary.nest):",
        "for nest in ([item] for item in later):",
        test="tests/lift/test_stages_at_once.py::test_what_one_overwrites_is_there_for_another[two]",
    ),
    Plant(
        "a ring begins anywhere",
        "lifter/dag/rings.py",
        "if turned is None or not isinstance(begun, Const) or begun.value:",
        "if turned is None:",
        test=f"{_RINGS}test_what_is_found_is_what_was_left[from another place]",
    ),
    Plant(
        "elements are in order before one is inserted",
        "lifter/dag/put_in_order.py",
        "    elif order.is_at_most(b, a):\n        yield False, order\n    else:\n",
        "    elif not order.is_at_most(a, b):\n        yield False, order\n    else:\n",
        test=f"{_ORDERED}test_what_is_no_order_is_not_taken_for_one[where nothing is in order]",
    ),
    Plant(
        "what is moved is the same whatever compares",
        "lifter/dag/put_in_order.py",
        "if len(tokens) < len(names) or together not in (None, sorted(tokens)):",
        "if len(tokens) < len(names):",
        test=f"{_ORDERED}test_what_is_no_order_is_not_taken_for_one[half of an exchange]",
    ),
    Plant(
        "a pixel that elements are compared with is one, wherever it is read",
        "lifter/dag/put_in_order.py",
        "isinstance(n, Load) and not _names(n) & changed",
        "isinstance(n, Load)",
        test=f"{_ORDERED}test_what_is_no_order_is_not_taken_for_one[read where it went]",
    ),
    Plant(
        "a number that is cut off is still in its place",
        "lifter/dag/put_in_order.py",
        "if not conversion.type.contains_all(number.type):",
        "if False:",
        test=f"{_ORDERED}test_what_is_no_order_is_not_taken_for_one[cut off]",
    ),
    Plant(
        "elements before the one that is asked for are in order",
        "lifter/parse/sorts.py",
        "lambda place, count, middle: place == middle",
        "lambda place, count, middle: place <= middle",
        test=f"{_SORTS}test_what_the_library_leaves_open_is_not_used[beside the one]",
    ),
    Plant(
        "a comparison of lower bits is one of numbers",
        "lifter/parse/sorts.py",
        "if own is None or not own.contains_all(element):",
        "if own is None:",
        test=f"{_SORTS}test_what_compares_in_another_way_is_left_to_the_library[the lower bits]",
    ),
    Plant(
        "what one step keeps is found before it is there",
        "lifter/dag/last_stores.py",
        "is_together = expr in self.together and not any(at.back)",
        "is_together = False",
        test=f"{_SPREAD}test_what_is_found_is_what_was_left[a sum]",
    ),
    Plant(
        "an element's first store is taken for its last",
        "lifter/dag/last_stores.py",
        "return sorted(stores, key=lambda one: one.back)",
        "return sorted(stores, key=lambda one: one.back, reverse=True)",
        test=f"{_SPREAD}test_errors_go_to_pixels_that_come_later[{_FIRST_SPREAD}]",
    ),
    Plant(
        "columns that leave their row are overlooked",
        "lifter/dag/last_stores.py",
        "            if span.least + place < 0 or room is FALSE:\n"
        "                raise _NotUnderstood\n"
        "            if room is not TRUE:",
        "            if False:",
        test=f"{_SPREAD}test_what_is_found_is_what_was_left[from a row to the next]",
    ),
    Plant(
        "an image is stored to beyond what its last stores reach",
        "lifter/dag/last_stores.py",
        'if not (span.decided("from", -by) and span.decided("to", by)):',
        "if False:",
        test=f"{_SPREAD}test_what_is_found_is_what_was_left[beyond the last row]",
    ),
    Plant(
        "parts of a loop may meet",
        "lifter/dag/distribution.py",
        "different = disjunction(NE(a, with_counters(b, renamed)) for a, b in places)",
        "different = TRUE",
        test=f"{_PARTS}test_parts_that_meet_stay_together[the row above, after it was changed]",
    ),
    Plant(
        "parts of a loop are kept apart in iterations that come later",
        "lifter/dag/distribution.py",
        "LT(theirs[level], ours[level])",
        "LT(ours[level], theirs[level])",
        test=f"{_PARTS}test_parts_that_meet_stay_together[the row above, after it was changed]",
    ),
    Plant(
        "a part computes again what the part before has overwritten",
        "lifter/dag/distribution.py",
        "self.is_legal &= not any(",
        "self.is_legal |= any(",
        test=f"{_PARTS}test_what_hands_on_within_has_no_parts[a scalar of what was read]",
    ),
    Plant(
        "the bytes behind the last whole vector are not added",
        "compiler/lower/byte_sums.py",
        "return block(s.IfThenElse(n.LT(const(0), count), vectors), rest)",
        "return s.IfThenElse(n.LT(const(0), count), vectors, rest)",
        test="tests/lower/test_byte_sums.py::test_sums_wrap_as_the_numbers_do[kind0]",
    ),
    Plant(
        "boxes are one though the first may have less than nothing",
        "lifter/emit/hulls.py",
        "if normal(Sub(middle, begin)) is not _ZERO or not _is_at_least(middle, low, facts):",
        "if normal(Sub(middle, begin)) is not _ZERO:",
        test=f"{_HULLS}test_boxes_side_by_side_are_one_where_the_first_has_no_negative_size",
    ),
    Plant(
        "what is read before it is stored is taken for what was stored first",
        "lifter/emit/hulls.py",
        "unset |= {array} if _are_read_behind(own, facts) else set()",
        "unset |= {array}",
        test=f"{_HULLS}test_what_is_read_before_it_is_stored_is_there",
    ),
    Plant(
        "an update of one point has no domain, and is taken for all of an array",
        "lifter/emit/hulls.py",
        " or stage.roi[:1],",
        ",",
        test=f"{_HULLS}test_an_element_that_is_stored_by_itself_is_the_only_one",
    ),
    Plant(
        "updates may go beyond what is realized of an array",
        "lifter/emit/from_summaries.py",
        "return bool(stage.domain) and is_realized and not",
        'return stage.kind == "scan" and is_realized and not',
        test=f"{_HULLS}test_updates_beyond_what_is_stored_before_are_refused[zeros]",
    ),
    Plant(
        "what lies behind what was stored is taken for that",
        "lifter/emit/hulls.py",
        "read = list(_moved(box, steps))",
        "read = list(box)",
        test=f"{_HULLS}test_what_lies_behind_what_was_stored_before_is_there",
    ),
    Plant(
        "a window may begin as anything",
        "lifter/dag/windows.py",
        "            Claim(\"window\", begins, outside, span, text, assumed, state.loops),\n",
        "",
        test=f"{_WINDOWS}test_what_is_no_window_is_not_taken_for_one[another start]",
    ),
    Plant(
        "a window between followers may begin as anything",
        "lifter/dag/windows.py",
        "value: Expr = Select(LE(counter, ZERO), entry, substituted(left, before))",
        "value: Expr = substituted(left, before)",
        test=f"{_FOLLOWERS}test_what_is_proved_of_others_is_so[another start]",
    ),
    Plant(
        "what follows a bound begins where that does",
        "lifter/dag/followers.py",
        "at_head = normal(Select(LE(counter, ZERO), start, before))",
        "at_head = before",
        test=f"{_FOLLOWERS}test_what_follows_a_bound_is_the_bound[of the window]",
    ),
    Plant(
        "what overwrites a window's elements is overlooked",
        "lifter/dag/windows.py",
        "if any(n.array in stored for n in postorder(after, entry) if isinstance(n, Load)):",
        "if any(n.array in () for n in postorder(after, entry) if isinstance(n, Load)):",
        test=f"{_WINDOWS}test_what_leaves_may_be_overwritten_by_then[clamped]",
    ),
    Plant(
        "an index that bounds keep is at them once",
        "lifter/verify/window.py",
        "            return Select(LE(bound, limit), within, _ZERO)",
        "            return within",
        test=f"{_WINDOWS}test_what_is_proved_of_another_sum_is_so[clamped]",
    ),
    Plant(
        "a state begins as zero",
        "lifter/dag/states.py",
        "begins = {lag: state.entry[m] for m, (_, lag) in delays.items()}",
        "begins = {lag: const(0, m.type) for m, (_, lag) in delays.items()}",
        test=f"{_SCANS}test_what_iterations_hand_on_is_an_array[sums]",
    ),
    Plant(
        "a state two iterations ago is that of one",
        "lifter/dag/states.py",
        "place = Add(self.own.counter, const(self.lags[root] - lag + behind, I64))",
        "place = Add(self.own.counter, const(self.lags[root] + behind, I64))",
        test=f"{_SCANS}test_what_iterations_hand_on_is_an_array[of order two]",
    ),
    Plant(
        "a scan's free coordinate goes over its own bounds, whatever else is asked for",
        "lifter/emit/from_summaries.py",
        "regions = [s.roi for s in summaries if s.output in outputs]",
        "regions = [stage.roi]",
        test=f"{_SCANS}test_a_coordinate_is_free_where_all_stages_of_the_array_have_its_bounds",
    ),
    Plant(
        "scalars that are made of each other are computed in turn",
        "lifter/dag/graph.py",
        "is_fold=len(step.writes) > 1,",
        "is_fold=False,",
        test=f"{_SCANS}test_states_that_are_made_of_each_other_are_a_tuple[a value and another]",
    ),
    Plant(
        "the array of a state has no element where the loop doesn't run",
        "lifter/dag/states.py",
        "extent = Max(self.own.extent, ZERO) if self.is_read_behind else self.own.extent",
        "extent = self.own.extent",
        test=f"{_SCANS}test_what_is_left_without_iterations_is_what_was_there",
    ),
    Plant(
        "a store of one branch is where the other branch's is, whatever comes between",
        "lifter/dag/symbolic.py",
        "return not any(a.array == write.array and a.position > write.position for a in accesses)",
        "return True",
        test=(
            f"{_SCANS}test_stores_of_two_branches_are_one_where_nothing_comes_between"
            "[read behind and before]"
        ),
    ),
    Plant(
        "a row begins with what the row before has left, whatever comes between",
        "lifter/dag/states.py",
        "if not isinstance(left, Variable) or left_in_rows.get(left) is not found[m]:",
        "if False:",
        test=f"{_SCANS}test_rows_that_begin_with_anything_else[halved between]",
    ),
    Plant(
        "rows that are computed with other rows hold none themselves",
        "compiler/autosched/scans.py",
        "elif loops.is_in_strip and not loops.holds_rows:",
        "elif loops.is_in_strip:",
        test=(
            "tests/autosched/test_scans.py::"
            "test_scans_of_any_dimensions_read_each_other[xXx-size0-1]"
        ),
    ),
    Plant(
        "a scan's loop along rows goes past other serial loops",
        "compiler/autosched/scans.py",
        "if along and along[0] != serial[0]:",
        "if False:",
        test="tests/autosched/test_scans.py::test_other_serial_loops_stay_where_they_are[True]",
    ),
    Plant(
        "empty tiles ask for something",
        "compiler/lower/region.py",
        "        return extent.a\n",
        "        return extent\n",
        test=(
            "tests/lower/test_bounds_of_tails.py::"
            "test_tiles_in_tiles_ask_only_for_what_lies_within_the_whole[17-4-y]"
        ),
    ),
    Plant(
        "what is asked of rows is decided with what is asked of columns",
        "compiler/lower/steady_state.py",
        "elif part not in self.found.decided and self.require(part, True):",
        "elif part not in self.found.decided:",
        test=(
            "tests/lower/test_partition.py::"
            "test_what_is_asked_of_rows_and_columns_is_decided_one_by_one"
        ),
    ),
    Plant(
        "terms of a sum inside are under their own conditions alone",
        "lifter/dag/accumulations.py",
        "condition, term = conjunction((condition, term.condition)), term.a",
        "condition, term = term.condition, term.a",
        test=f"{_PIXELS}test_integers_of_rows_that_are_left_out_are_one_sum",
    ),
    Plant(
        "rows that are left out count where loops are one inside of the other",
        "lifter/dag/folds.py",
        "return _marker(executor, result.fold.only_where(asked), result.place)",
        "return _marker(executor, result.fold, result.place)",
        test=f"{_PIXELS}test_one_accumulator_goes_through_all_loops[inside of the image]",
    ),
    Plant(
        "elements that an update reads know nothing of each other",
        "lifter/verify/realize.py",
        "and all(n.args == summary.update_point for n in own)",
        "",
        test=f"{_SCANS}test_what_iterations_have_stored_is_read_in_their_order[sums]",
    ),
    Plant(
        "a scalar that rows leave is made of what another one is at their end",
        "lifter/dag/states.py",
        "self.groups = [roots] if at_the_end else made_of_each_other(made_of)",
        "self.groups = made_of_each_other(made_of)",
        test=f"{_SCANS}test_what_a_loop_leaves_in_each_row_is_an_element[one made of the other]",
    ),
    Plant(
        "a scalar that the end alone asks for is made of what another one is there",
        "lifter/dag/states.py",
        "and inside.isdisjoint(others)",
        "",
        test=f"{_SCANS}test_what_is_left_is_what_one_more_iteration_would_be_handed[in turn]",
    ),
    Plant(
        "what a loop's condition claims is forgotten",
        "lifter/dag/loops.py",
        "    executor.keep_claims(claims)\n",
        "",
        test=(
            "tests/lift/test_resizers.py::"
            "test_a_place_in_a_loops_condition_is_claimed_to_fit[(uint8_t)x]"
        ),
    ),
    Plant(
        "what the place of a copied element claims is forgotten",
        "lifter/dag/copies_on.py",
        "    executor.keep_claims(claims)\n",
        "",
        test=(
            "tests/lift/test_elements_copied_on.py::"
            "test_the_place_of_the_element_before_is_claimed_to_fit"
        ),
    ),
    Plant(
        "stages behind an output have read what it overwrites",
        "compiler/lower/in_place.py",
        "p.name in before and _is_done_before(p, plan, plans, image)",
        "_is_done_before(p, plan, plans, image)",
        test=f"{_IN_PLACE}test_outputs_that_need_what_is_overwritten_come_before",
    ),
    Plant(
        "what is left alone may be read by who computes all of it",
        "compiler/lower/in_place.py",
        "        and not keeps_by_memory(reader.definitions[0], [image])\n",
        "",
        test=(
            f"{_IN_PLACE}test_a_stage_that_holds_what_memory_says_is_left_alone_reads_only_what_it"
            "_is_asked_for"
        ),
    ),
    Plant(
        "a stage of tiles is computed before all of them",
        "compiler/lower/in_place.py",
        'reader.schedule.level.place == "root"',
        'reader.schedule.level.place != "inline"',
        test=(
            f"{_IN_PLACE}test_a_stage_that_may_read_what_is_overwritten_is_refused[in the loops]"
        ),
    ),
    Plant(
        "what floats say is read is copied where all of it is",
        "lifter/build/build.py",
        "view.name in fn.read_by_pixels or view.array in never",
        "view.name in fn.read_by_pixels",
        test=(
            "tests/end_to_end/test_untouched_memory.py::test_what_data_say_is_read_is_never_copied"
        ),
    ),
    Plant(
        "what an earlier stage has left alone is its own",
        "lifter/verify/touched.py",
        "(produced is None or not produced.is_whole)",
        "produced is None",
        test=(
            "tests/end_to_end/test_untouched_memory.py::"
            "test_what_an_earlier_loop_leaves_alone_is_the_callers"
        ),
    ),
    Plant(
        "what is copied for a read needn't be there",
        "lifter/verify/touched.py",
        'return self._is_touched(anywhere, "is copied", in_gaps=True)',
        "return True",
        test=f"{_SCANS}test_an_old_element_is_copied_only_where_the_original_reads_it",
    ),
    Plant(
        "what a state begins as is read where nothing runs",
        "lifter/emit/from_summaries.py",
        "expression = (without_old if not is_updated else with_zero)(expression, arm)",
        "expression = without_old(expression, arm)",
        test=f"{_SCANS}test_what_a_state_begins_as_is_read_where_the_loop_runs",
    ),
    Plant(
        "rows of a scan don't depend on each other",
        "lifter/emit/from_summaries.py",
        "if len(places) != 1 or any(args[places[0]] is not d.variable for args in own):",
        "if len(places) != 1:",
        test=f"{_SCANS}test_a_coordinate_along_which_elements_depend_is_no_free_one",
    ),
    Plant(
        "what an earlier iteration overwrote counts as old",
        "lifter/verify/frame.py",
        "earlier.append(conjunction([*before, LT(renamed[counter], counter)]))",
        "earlier.append(FALSE)",
        test=(
            "tests/verify/test_soundness.py::test_is_not_proved["
            "the second half reads what the first half wrote]"
        ),
    ),
    Plant(
        "what an earlier store of the same iteration overwrote counts as old",
        "lifter/verify/frame.py",
        "elif write.position < read.position and not self._exclude(read, write, common):",
        "elif False:",
        test=(
            "tests/verify/test_soundness.py::test_is_not_proved["
            "the last element is read behind the store to it]"
        ),
    ),
    Plant(
        "branches always exclude one another",
        "lifter/verify/frame.py",
        "return both is FALSE or self.prover.equal(both, FALSE, timeout=2.0).proved",
        "return True",
        test=(
            "tests/verify/test_soundness.py::test_is_not_proved["
            "the last element is read behind the store to it]"
        ),
    ),
    Plant(
        "nobody proves that each point of a region is written",
        "lifter/verify/region_proof.py",
        "            self.has_gaps = True\n            return True\n",
        "            return True\n",
        test="tests/verify/test_pure.py::test_wrong_bounds_are_refused[0-0-w + 1]",
    ),
    Plant(
        "a stage that never runs is proved",
        "lifter/verify/stage_proof.py",
        'verdict: Verdict = "proved" if found else "undecided" if found is None else "refuted"',
        'verdict: Verdict = "proved"',
        test="tests/verify/test_pure.py::test_a_region_that_is_always_empty_proves_nothing",
    ),
    Plant(
        "what a stage claims needs no proof",
        "lifter/verify/stage_proof.py",
        "    def claims(self) -> bool:\n",
        "    def claims(self) -> bool:\n"
        "        return True\n",
        test="tests/verify/test_pure.py::test_what_synthesis_finds_is_proved_in_every_respect",
    ),
    Plant(
        "a read beyond what a stage produced is proved",
        "lifter/verify/stage_proof.py",
        "                inside = And(LE(d.lower, place), LT(place, d.upper))",
        "                inside = LE(d.lower, place)",
        test="tests/verify/test_pure.py::test_reading_outside_of_what_was_produced_is_refused[1]",
    ),
    Plant(
        "what is stored later leaves what a scalar is made of",
        "lifter/dag/graph.py",
        "if left.is_there and self._is_overwritten(left.value, left.reads, every):",
        "if not left.is_there and self._is_overwritten(left.value, left.reads, every):",
        test=f"{_OVERWRITTEN}by a later store]",
    ),
    Plant(
        "places of an array that look different are",
        "lifter/dag/graph.py",
        "isinstance(i, Const) and isinstance(j, Const) and i.value != j.value",
        "i is not j",
        test=f"{_OVERWRITTEN}at a place that isn't known]",
    ),
    # lifter/emit
    Plant(
        "what names no point of its domain is stored once",
        "lifter/emit/from_summaries.py",
        "if axes and axes.isdisjoint(postorder(*point, *values)):",
        "if not axes:",
        test=f"{_REPEATED}a tuple]",
    ),
    Plant(
        "an element that gets another one's value stays as it is",
        "lifter/emit/from_summaries.py",
        'if value is not Call(before.name, point, value.type, "func"):',
        'if not isinstance(value, Call) or value.name != before.name:',
        test=f"{_REPEATED}what stands before]",
    ),
    Plant(
        "each place where a sum stands has a domain of its own",
        "lifter/emit/reductions.py",
        "        if node not in seen:",
        "        if node not in seen or isinstance(node, Reduce):",
        test="tests/emit/test_reductions.py::test_a_sum_that_stands_in_several_places_is_written_once",
    ),
    Plant(
        "a table's box is one element short",
        "lifter/emit/accesses.py",
        "    return dimension.lower, _minus(dimension.upper, Const(I64, 1))",
        "    return dimension.lower, _minus(dimension.upper, Const(I64, 2))",
        test="tests/emit/test_accesses.py::test_bits_of_a_place_lie_in_the_box[not negative]",
    ),
    Plant(
        "a guard computes products that 64 bits don't hold",
        "lifter/emit/accesses.py",
        "if not all(I64.contains(low) and I64.contains(high) for low, high in numbers):",
        "if False:",
        test=(
            "tests/lift/test_fixed_point_places.py::"
            "test_a_guard_does_not_compute_what_64_bits_may_not_hold"
        ),
    ),
    Plant(
        "coordinates of 64 bits never wrap",
        "lifter/dag/index.py",
        "if type is I64 and not self._fits_64_bits(value):",
        "if False:",
        test=(
            "tests/lift/test_fixed_point_places.py::"
            "test_coordinates_of_64_bits_claim_to_fit_them_where_they_are_divided"
        ),
    ),
    Plant(
        "the least 64-bit number is written as no compiler reads it",
        "lifter/emit/c_expression.py",
        "        if value == -(2**63):\n"
        '            return "INT64_MIN"\n',
        "",
        test="tests/emit/test_c_expression.py::test_an_expression_reads_as_c[INT64_MIN]",
    ),
    Plant(
        "a float of a guard is not rounded",
        "lifter/emit/c_expression.py",
        'return f"(double)(float){text}" if expr.type is F32 else f"(double){text}"',
        'return f"(double){text}"',
        test=(
            "tests/emit/test_c_expression.py::test_an_expression_reads_as_c[((double)(float)((dou"
            "ble)x + (double)y)) <= (double)x]"
        ),
    ),
    Plant(
        "parentheses are left out in guards",
        "lifter/emit/c_expression.py",
        'return f"({text})" if compound or text.startswith("-") else text',
        "return text",
        test=(
            "tests/emit/test_c_expression.py::test_an_expression_reads_as_c[(int64_t)a - "
            "((int64_t)b - 1)]"
        ),
    ),
    Plant(
        "an unsigned number above 2**63 passes the guard",
        "lifter/emit/admits.py",
        'self.lines += [f"if ((int64_t){scalar_name(parameter.name)} < 0)", "    return 0;"]',
        "pass",
        test="tests/emit/test_unsigned_guard.py::test_the_largest_numbers_are_not_negative_ones",
    ),
    Plant(
        "a guard doesn't compare the arrays",
        "lifter/emit/admits.py",
        "        for arrays in apart:\n"
        "            if arrays not in late:\n"
        "                self._disjoint(arrays)\n",
        "",
        test=(
            "tests/emit/test_header.py::test_the_guard_calls_the_original_where_a_precondition_fa"
            "ils"
        ),
    ),
    Plant(
        "a header has no guard against a second inclusion",
        "lifter/emit/header.py",
        '        f"#ifndef {macro}",\n'
        '        f"#define {macro}",',
        '        f"#ifndef {macro}",\n'
        '        f"#define {macro}_",',
        test="tests/emit/test_header.py::test_headers_compile_without_warnings[multiply]",
    ),
    Plant(
        "a signed and an unsigned number make an unsigned one",
        "lifter/emit/promotion.py",
        "return UInt(bits) if a.is_uint and b.is_uint else Int(bits)",
        "return UInt(bits) if a.is_uint or b.is_uint else Int(bits)",
        test="tests/emit/test_tidy.py::test_operators_promote_as_in_the_real_language",
    ),
    Plant(
        "a conversion to a byte on the way is dropped",
        "lifter/emit/tidy.py",
        "wraps = through.bits >= type.bits and not inner.type.is_bool",
        "wraps = not inner.type.is_bool",
        test="tests/emit/test_tidy.py::test_tidying_changes_no_value[uint32(uint8(int32(s)))]",
    ),
    Plant(
        "a comparison is made in a type without the constant",
        "lifter/emit/tidy.py",
        "if isinstance(b, Const) and inner.type.contains(int(b.value)):",
        "if isinstance(b, Const):",
        test="tests/emit/test_tidy.py::test_tidying_changes_no_value[int32(a) >= 256]",
    ),
    # lifter/build
    Plant(
        "an input in the place of its output need not be laid out alike",
        "lifter/build/same_memory.py",
        "            if _is_laid_out_alike(image, output.view) and _are_different_elements(",
        "            if _are_different_elements(",
        test="tests/build/test_same_memory.py::test_another_layout_is_another_matter",
    ),
    # lifter/batch
    Plant(
        "the seal leaves out what was proved",
        "lifter/batch/sealing.py",
        'content = {k: v for k, v in data.items() if k != "seconds"}',
        'content = {k: v for k, v in data.items() if k not in ("seconds", "stages", '
        '"preconditions")}',
        test=(
            "tests/checking/test_edited_by_hand.py::test_an_edited_summary_is_rejected[the "
            "preconditions that people read-as edited]"
        ),
    ),
    Plant(
        "results are taken for sources",
        "lifter/batch/sources.py",
        "            if name not in _SKIPPED_FOLDERS\n"
        "            and not os.path.isdir",
        "            if not os.path.isdir",
        test=(
            "tests/batch/test_sources.py::test_a_folder_is_searched_but_for_what_is_no_source_of_"
            "the_users"
        ),
    ),
    Plant(
        "files of one name share a folder",
        "lifter/batch/sources.py",
        "            d + 1 if name in shared and d < len(p) - 1 else d",
        "            d",
        test="tests/batch/test_sources.py::test_equal_names_get_folders_that_tell_them_apart",
    ),
    Plant(
        "a result of another tool is found again",
        "lifter/batch/store.py",
        "return digest((meaning, [g.text for g in grammars], tool_digest()))",
        "return digest((meaning, [g.text for g in grammars]))",
        test="tests/batch/test_store.py::test_another_lift_has_other_results",
    ),
    Plant(
        "a result of another grammar is found again",
        "lifter/batch/store.py",
        "return digest((meaning, [g.text for g in grammars], tool_digest()))",
        "return digest((meaning, tool_digest()))",
        test="tests/batch/test_store.py::test_the_grammar_is_part_of_the_key_and_its_path_is_not",
    ),
    # lifter/checking
    Plant(
        "a precondition that the proof needs may be missing",
        "lifter/checking/given_preconditions.py",
        "            if not follows:\n"
        "                found.append(needed)\n",
        "",
        test=(
            "tests/checking/test_edited_by_hand.py::test_an_edited_summary_is_rejected[all "
            "mentions of a precondition-as edited]"
        ),
    ),
    Plant(
        "a changed source that is proved is called equal",
        "lifter/checking/run.py",
        '    if verdict == "equal" and pending.source_changed:\n'
        '        verdict = "changed"\n',
        "",
        test=(
            "tests/checking/test_changed_sources.py::test_a_refactored_body_is_changed_but_still_"
            "equal[a loop from the other end]"
        ),
    ),
    Plant(
        "an edited folder may claim more than is true",
        "lifter/checking/run.py",
        "    if again.claims_more and not pending.source_changed:",
        "    if False:",
        test=(
            "tests/checking/test_edited_by_hand.py::test_an_edited_summary_is_rejected[all "
            "mentions of a precondition-as edited]"
        ),
    ),
    Plant(
        "a changed source counts as the same",
        "lifter/checking/source_check.py",
        'same = seal.get("meaning") == meaning(here)',
        "same = True",
        test=(
            "tests/checking/test_changed_sources.py::test_a_refactored_body_is_changed_but_still_"
            "equal[a loop from the other end]"
        ),
    ),
    Plant(
        "an edited folder is believed",
        "lifter/checking/source_check.py",
        "    if not committed.is_as_lifted:\n"
        '        return Pending(number, here, "edited", not same)\n',
        "",
        test=(
            "tests/checking/test_edited_by_hand.py::test_an_edited_summary_is_rejected[the "
            "expression-as edited]"
        ),
    ),
    # lifter/report
    Plant(
        "a name on the page isn't escaped",
        "lifter/report/plain_text.py",
        "    return escape(visible(text))",
        "    return Markup(visible(text))",
        test=(
            "tests/report/test_hostile.py::test_a_hostile_text_makes_no_element_and_no_attribute["
            "</script><script>alert(1)</sc]"
        ),
    ),
    Plant(
        "what nobody sees is shown as it is",
        "lifter/report/plain_text.py",
        'return _UNSEEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)',
        "return text",
        test=(
            "tests/report/test_hostile.py::test_what_cannot_be_seen_is_spelled_out[a\\\\u2028b"
            "\\\\u2029c']"
        ),
    ),
    Plant(
        "two names have one anchor",
        "lifter/report/plain_text.py",
        'return ":".join(quote(part, safe="/._-~+", errors="surrogatepass") for part in parts)',
        'return ":".join(quote(part, safe="/._-~+:", errors="surrogatepass") for part in parts)',
        test="tests/report/test_hostile.py::test_different_names_have_different_ids",
    ),
    Plant(
        "a schedule's name on the page is a link of its own",
        "lifter/report/plain_text.py",
        'return "./" + quote(data, safe="/._-~+").lstrip("/")',
        'return quote(data, safe="/._-~+:")',
        test=(
            "tests/report/test_hostile.py::test_links_lead_into_the_page_or_below_it[</script><sc"
            "ript>alert(1)</sc]"
        ),
    ),
    Plant(
        "code on the page isn't escaped",
        "lifter/report/tokens.py",
        "shown = str(escaped(piece))",
        "shown = piece",
        test=(
            "tests/report/test_hostile.py::test_a_hostile_text_makes_no_element_and_no_attribute["
            "</script><script>alert(1)</sc]"
        ),
    ),
    # lifter/ci
    Plant(
        "a message ends a command of GitHub's",
        "lifter/ci/github.py",
        'return text.replace("%", "%25").replace("\\r", "%0D").replace("\\n", "%0A")',
        'return text.replace("%", "%25")',
        test="tests/ci/test_github.py::test_every_hostile_name_gives_one_annotation_of_its_file",
    ),
    Plant(
        "a comma in a name begins a property",
        "lifter/ci/github.py",
        'return _data(text).replace(":", "%3A").replace(",", "%2C")',
        "return _data(text)",
        test="tests/ci/test_github.py::test_every_hostile_name_gives_one_annotation_of_its_file",
    ),
    Plant(
        "a name runs a command of the runner's",
        "lifter/ci/github.py",
        'lines = visible(unstyle(text)).replace("##[", "## [").split("\\n")',
        'lines = visible(unstyle(text)).split("\\n")',
        test="tests/ci/test_github.py::test_no_line_of_the_log_acts_as_a_command[x ##[error]y]",
    ),
    Plant(
        "a name on the summary page is markup",
        "lifter/ci/github.py",
        'return _SPECIAL.sub(lambda m: f"&#{ord(m.group())};", visible_line(text))',
        "return visible_line(text)",
        test="tests/ci/test_github.py::test_the_summary_of_the_job_shows_every_name_as_it_is",
    ),
    Plant(
        "a name makes XML that nobody reads",
        "lifter/ci/junit.py",
        'return _NO_XML.sub("\\ufffd", visible(text))',
        "return text",
        test="tests/ci/test_junit.py::test_every_hostile_name_has_a_suite_of_its_own",
    ),
    Plant(
        "errors about a file are no tests",
        "lifter/ci/junit.py",
        '        if finding.level == "error":\n'
        "            shown",
        '        if finding.level == "none":\n'
        "            shown",
        test=(
            "tests/ci/test_junit.py::test_an_error_about_a_file_or_the_run_is_a_test_that_has_an_"
            "error"
        ),
    ),
    Plant(
        "columns count bytes",
        "lifter/ci/places.py",
        'return len(line[: max(0, column - 1)].decode("utf-8", "replace")) + 1',
        "return max(1, column)",
        test="tests/ci/test_sarif.py::test_columns_count_characters_though_libclangs_count_bytes",
    ),
    Plant(
        "a message makes a link on a code-scanning page",
        "lifter/ci/sarif.py",
        'return visible(text).replace("](", "] (")',
        "return visible(text)",
        test="tests/ci/test_sarif.py::test_no_text_of_a_strangers_becomes_a_link",
    ),
    Plant(
        "an alarm that moved down is a new one",
        "lifter/ci/sarif.py",
        'parts = (finding.code, finding.function, "".join(place.text.split()))',
        "parts = (finding.code, str(place.line), place.text)",
        test=(
            "tests/ci/test_sarif.py::test_a_finding_is_the_same_when_its_line_or_its_file_moves_a"
            "nd_another_when_it_changes"
        ),
    ),
    Plant(
        "a failed run counts as done",
        "lifter/ci/sarif.py",
        '"executionSuccessful": status in (0, 1, 3),',
        '"executionSuccessful": True,',
        test="tests/ci/test_sarif.py::test_the_invocation_says_how_the_run_ended[2-False]",
    ),
    # lifter/show
    Plant(
        "a name may steer the terminal",
        "lifter/show/visible.py",
        "    return _HARMFUL.sub(_written, text)",
        "    return text",
        test="tests/ci/test_hostile_names.py::test_text_of_a_source_steers_no_terminal",
    ),
    Plant(
        "any clamp keeps a place inside",
        "lifter/verify/reduction.py",
        "    if kept_inside(plain, elements, parameters) is not place:\n        return summary\n",
        "",
        test=(
            "tests/lift/test_bins_of_a_vector.py::test_another_element_or_one_that_is_not_inside_is"
            "_refused"
        ),
    ),
    Plant(
        "ends that may be one may have different values",
        "lifter/verify/region_proof.py",
        "len(values) == 1\n",
        "len(values) > 0\n",
        test="tests/lift/test_ends_filled.py::test_of_different_values_the_last_counts[two values]",
    ),
    # lifter/dag: what loops leave in scalars
    Plant(
        "an element may be copied on from any other one",
        "lifter/dag/copies_on.py",
        "if tuple(later(place, counter, -1) for place in to) != source:",
        "if len(to) != len(source):",
        test=(
            "tests/lift/test_elements_copied_on.py::test_others_are_what_the_original_leaves_or_not"
            "_proved[two before]"
        ),
    ),
    Plant(
        "bits that change places stay as they are",
        "lifter/dag/bit_moves.py",
        "return _other(bits[bit.of]) if bit.is_other else bits[bit.of]",
        "return bits[bit.of]",
        test=(
            "tests/dag/test_bit_moves.py::test_so_often_until_it_is_the_number_again[flipped bytes]"
        ),
    ),
    Plant(
        "a closer bound isn't looked for",
        "lifter/verify/clamped_reads.py",
        "    return isinstance(less, Const) and less.value > 0\n",
        "    return not isinstance(less, Const)\n",
        test=(
            "tests/lift/test_values_handed_on.py::test_what_is_read_two_iterations_later_is_bounded"
            "_closely"
        ),
    ),
    Plant(
        "what a scalar began as is dropped",
        "lifter/dag/accumulations.py",
        "return COMBINED_BY[operator](entry, reduced)",
        "return reduced",
        test=f"{_ACCUMULATIONS}test_an_accumulation_is_proved[sums and counts under conditions]",
    ),
    Plant(
        "of equal extremes the first is always meant",
        "lifter/dag/accumulations.py",
        "there = self._value_where(at_extreme, value, is_first=record.is_strict)",
        "there = self._value_where(at_extreme, value, is_first=True)",
        test=f"{_ACCUMULATIONS}test_an_accumulation_is_proved[the last least]",
    ),
    Plant(
        "an update begins with what is there",
        "lifter/dag/graph.py",
        "if entry is not load",
        "if False",
        test=f"{_ACCUMULATIONS}test_any_function_of_a_scalar_itself_is_an_update[a checksum]",
    ),
    Plant(
        "values of a tuple see each other's new ones",
        "lifter/verify/realize.py",
        "        first = min(changes)\n"
        "        if first < len(there):\n"
        "            for stage, several in zip(stages, values, strict=True):\n"
        "                stage.store((), several[first])\n",
        "        first, there = 0, there[:1]\n"
        "        for stage in stages:\n"
        "            stage.store((), stage.values_at(there)[0])\n",
        test="tests/lift/test_joint_folds.py::test_what_is_chosen_together_is_proved[taking turns]",
    ),
    Plant(
        "what iterations hand on says nothing of where they read",
        "lifter/dag/graph.py",
        "indices=tuple(fold.step_with(index, own) for index in r.indices),",
        "indices=r.indices,",
        test=f"{_ACCUMULATIONS}test_a_table_is_looked_up_where_what_is_handed_on_says",
    ),
    Plant(
        "a number in memory is stored though nothing changes it",
        "lifter/dag/numbers_in_memory.py",
        "yield store if is_always else If(loop.span, is_changed, (store,))",
        "yield store",
        test="tests/lift/test_numbers_in_memory.py::test_what_is_not_changed_is_not_stored",
    ),
    Plant(
        "a float is stored in all iterations if it is in some",
        "lifter/dag/numbers_in_memory.py",
        "_stores_to(s.then, element) and _stores_to(s.otherwise, element))",
        "_stores_to(s.then, element))",
        test=f"{_OTHERS}a float that one branch stores]",
    ),
    Plant(
        "a way out of the loop doesn't matter to what it stores",
        "lifter/dag/numbers_in_memory.py",
        "return next(ways_out, None) is None and _stores_to(loop.body, element)",
        "return _stores_to(loop.body, element)",
        test=(
            "tests/lift/test_numbers_in_memory.py::"
            "test_a_float_behind_a_way_out_stays_in_memory"
        ),
    ),
    Plant(
        "a mark is where anything has been read",
        "lifter/dag/followed_places.py",
        "if own in postorder(stmt.value) or new not in seen:",
        "if own in postorder(stmt.value):",
        test="tests/lift/test_followed_places.py::test_nothing_new_is_read_at_a_mark",
    ),
    Plant(
        "any pointer leads somewhere",
        "lifter/dag/numbers_in_memory.py",
        "            and (array in self.there or (array, indices) in used)\n",
        "",
        test="tests/lift/test_numbers_in_memory.py::test_others_stay_as_they_are[a pointer to it]",
    ),
    Plant(
        "members of one class are one, of whatever objects",
        "lifter/parse/bindings.py",
        "    return a[-count:] == b[-count:]",
        "    return a[-1:] == b[-1:]",
        test=(
            "tests/parse/test_fields_alike.py::"
            "test_parts_of_other_members_are_other_numbers[another class]"
        ),
    ),
    Plant(
        "a part of an object is no object of its class",
        "lifter/parse/bindings.py",
        "    return a[-count:] == b[-count:]",
        "    return a == b",
        test=(
            "tests/parse/test_fields_alike.py::"
            "test_what_may_be_one_number_stays_in_memory[a part]"
        ),
    ),
    Plant(
        "a value of a tuple may be stored in other iterations",
        "lifter/verify/reduction.py",
        "            w.loops == write.loops\n            and w.condition is TRUE",
        "            w.condition is TRUE",
        test=(
            "tests/verify/test_tuples.py::"
            "test_values_are_stored_in_the_same_iterations[a loop less]"
        ),
    ),
    Plant(
        "what a tuple began as is known in all iterations",
        "lifter/lift/stage_context.py",
        "updated = {stage.output, *(w.array for w in stage.together)}",
        "updated = {stage.output}",
        test=(
            "tests/lift/test_joint_folds.py::"
            "test_functions_of_running_values_keep_their_meaning"
        ),
    ),
    Plant(
        "stores of numbers side by side find each other's",
        "lifter/dag/graph.py",
        "        own[self.finished] = len(found)\n",
        "",
        test=(
            "tests/lift/test_numbers_side_by_side.py::"
            "test_numbers_are_stored_at_once[two that change places]"
        ),
    ),
    Plant(
        "what some calls alone do is done in all",
        "lifter/parse/functions.py",
        "if a.condition not in known",
        "if False",
        test=(
            "tests/switch/test_kinds_of_calls.py::"
            "test_what_is_chosen_is_a_precondition[k == 3-asked0]"
        ),
    ),
    Plant(
        "a shift register is read anew in each iteration",
        "lifter/dag/refills.py",
        "shift[0].times(replace(read, {counter: begin}), count)",
        "shift[0].times(read, count)",
        test=(
            "tests/lift/test_shift_registers.py::"
            "test_a_register_is_a_shift_of_what_was_read[read at a pointer, shifted behind]"
        ),
    ),
    Plant(
        "a mask that has gone round begins one iteration late",
        "lifter/dag/remainders.py",
        "        if after is entry:\n            return found if",
        "        if after is entry:\n            found.append(after)\n            return found if",
        test=(
            "tests/lift/test_scalars_coming_back.py::"
            "test_what_comes_back_is_a_function_of_the_iteration[a mask moves down]"
        ),
    ),
    Plant(
        "a remainder for which a test holds is another one",
        "lifter/dag/remainders.py",
        "        return EQ(remainder, const(where[0], I64))",
        "        return EQ(remainder, const(0, I64))",
        test=(
            "tests/lift/test_scalars_coming_back.py::"
            "test_the_iteration_at_which_it_comes_back_is_the_right_one"
        ),
    ),
    Plant(
        "the last value of a parameter isn't looked at",
        "lifter/verify/value_by_value.py",
        "return leaf, range(low, high + 1)",
        "return leaf, range(low, high)",
        test=(
            "tests/verify/test_congruence.py::"
            "test_a_parameter_of_few_values_is_taken_value_by_value[3-3-False]"
        ),
    ),
    Plant(
        "what agrees on samples is taken for equal",
        "lifter/verify/congruence.py",
        "proved = next((t for t in twins if self._cut(t, part)), None)",
        "proved = next(iter(twins), None)",
        test=(
            "tests/verify/test_congruence.py::"
            "test_parts_that_agree_on_samples_alone_are_not_exchanged"
        ),
    ),
    Plant(
        "what a run leaves in an object the next run never reads",
        "lifter/parse/region.py",
        'if ("scalar", v.name) not in again}',
        "}",
        test=(
            "tests/parse/test_objects_set_anew.py::"
            "test_what_others_may_read_is_left[by the next run]"
        ),
    ),
    Plant(
        "nobody has the address of an object that loops set",
        "lifter/parse/region.py",
        "    is_alone = _is_of_numbers(type, node) and region.is_first_with(node)\n",
        "    is_alone = _is_of_numbers(type, node)\n",
        test=(
            "tests/parse/test_objects_set_anew.py::"
            "test_what_others_may_read_is_left[by who has a reference]"
        ),
    ),
    Plant(
        "what is turned over may have other bits",
        "lifter/dag/index.py",
        "if number & (number + 1) or not self._has_no_bits_above(a, number):",
        "if number & (number + 1):",
        test="tests/dag/test_bits.py::test_bits_are_turned_over_where_there_are_no_others[4-1]",
    ),
    Plant(
        "a bit is the highest whatever is above",
        "lifter/dag/index.py",
        "if number & (number - 1) or not self._has_no_bits_above(a, number):",
        "if number & (number - 1):",
        test="tests/dag/test_bits.py::test_the_highest_bit_says_which_half[16-EQ]",
    ),
    Plant(
        "a block begins where its number stands",
        "compiler/lower/interval.py",
        "return n.BitAnd(fixed, kept), n.BitOr(fixed, Const(fixed.type, bits))",
        "return fixed, n.BitOr(fixed, Const(fixed.type, bits))",
        test=(
            "tests/lower/test_interval_of_bits.py::"
            "test_bits_turned_over_by_a_parameter_stay_in_its_block[3]"
        ),
    ),
    Plant(
        "a loop between stores may read what the second overwrites",
        "lifter/dag/graph.py",
        "if write.array in since | seen_since or own_reads & since",
        "if write.array in since or own_reads & since",
        test=(
            "tests/lift/test_numbers_side_by_side.py::"
            "test_what_happens_between_is_not_passed_over[a loop between reads the second]"
        ),
    ),
    Plant(
        "what one branch sets first is set first in both",
        "lifter/dag/liveness.py",
        "            behind = self._before(stmt.then, behind, left) | self._before(\n",
        "            behind = self._before(stmt.then, behind, left) & self._before(\n",
        test=(
            "tests/dag/test_liveness.py::"
            "test_a_scalar_is_read_behind_a_loop[it is set in one branch]"
        ),
    ),
    Plant(
        "what any loop hands on is the same",
        "lifter/dag/closed_forms.py",
        """f"{name}@{self.number}", self.heads[name].type)

    def left(self, name: str) -> Variable:
        \"\"\"What the loop leaves of a scalar, where that isn't known.\"\"\"
        return unknown("carried", f"{name}@{self.number} left", self.heads[name].type)
""",
        """name, self.heads[name].type)

    def left(self, name: str) -> Variable:
        return self.carried(name)
""",
        test=(
            f"{_ACCUMULATIONS}"
            "test_what_is_no_accumulation_isnt_taken_for_one[rows of rows that do anything]"
        ),
    ),
    # lifter/settings
    Plant(
        "a folder of headers is left out of recorded flags",
        "lifter/settings/flags.py",
        "            tuple(map(change, self.includes)),",
        "            self.includes,",
        test=(
            "tests/batch/test_compile_commands.py::test_what_is_told_does_not_name_the_folder_tha"
            "t_a_project_is_in"
        ),
    ),
    Plant(
        "a bound of smaller numbers is rounded up",
        "lifter/verify/assumptions.py",
        "in terms.items()}, -rest // divisor\n",
        "in terms.items()}, -(rest // divisor)\n",
        test="tests/lift/test_products_of_sizes.py::test_the_same_is_said_of_smaller_numbers[-9-2]",
    ),
    Plant(
        "the first iteration from a bound on is counted one too early",
        "lifter/dag/counted.py",
        "else (normal(Sub(ONE, rest)), False)",
        "else (normal(Sub(ZERO, rest)), False)",
        test="tests/dag/test_counted.py::test_iterations_up_to_a_bound_are_counted[1-LE]",
    ),
    Plant(
        "a choice is taken to make no difference in cases that aren't looked at",
        "lifter/dag/cases.py",
        "            if len(found) > 1:\n                return index\n",
        "",
        test="tests/dag/test_cases.py::test_one_that_does_stays",
    ),
    Plant(
        "what a header chooses behind a missing one is no choice",
        "lifter/parse/missing_header.py",
        "if choice is None or (*read.place, number) < after:",
        "if choice is None or read.place or (*read.place, number) < after:",
        test=(
            "tests/errors/test_front_end.py::"
            "test_a_missing_header_may_choose_whatever_comes_after_it[header-after]"
        ),
    ),
    Plant(
        "a filter in place may read into the next row",
        "lifter/verify/frame.py",
        "longer = const(abs(int(distance.value)) + 1, I64)",
        "longer = const(0, I64)",
        test=(
            "tests/lift/test_columns_in_place.py::"
            "test_an_edge_is_filtered_where_rows_are_long_enough[an edge]"
        ),
    ),
    Plant(
        "a pixel's store may change other bits of its byte",
        "lifter/parse/packed_pixels.py",
        "!= bits or _reach(pixel) == 2:",
        "== () or _reach(pixel) == 2:",
        test=(
            "tests/parse/test_packed_pixels.py::"
            "test_loops_that_do_anything_else_stay[two bits are stored]"
        ),
    ),
    Plant(
        "what other pixels of a byte decide counts as known",
        "lifter/parse/packed_pixels.py",
        "        if _reach(bits) == 2:\n            raise _NotPackedError\n",
        "",
        test=(
            "tests/parse/test_packed_pixels.py::"
            "test_loops_that_do_anything_else_stay[a neighbour decides]"
        ),
    ),
    Plant(
        "a side of one has two pixels",
        "lifter/synth/terminals.py",
        "return Min(here, Sub(length, const(1, I64)))",
        "return Min(here, length)",
        test="tests/lift/test_sides_of_one.py::test_rows_are_halved_in_place[longer than one]",
    ),
    Plant(
        "a reference to a pointer is a variable of its own",
        "lifter/parse/order.py",
        "found += named_key(t, node) == key or reached",
        "found += node.key == key or reached",
        test=(
            "tests/parse/test_references.py::test_an_order_that_is_open_is_refused"
            "[int *&r = d; *r = *d++;]"
        ),
    ),
    Plant(
        "of two pointers the other one is taken",
        "lifter/parse/branches.py",
        "for side in sides]\n        t.doubled",
        "for side in sides[::-1]]\n        t.doubled",
        test=(
            "tests/parse/test_references.py::test_interpreting_the_kernel_leaves_what_the_original"
            "_leaves[one_of_two_arrays]"
        ),
    ),
    Plant(
        "a counter that is counted down is left as one that is counted up",
        "lifter/synth/terminals.py",
        "(Max if factor > 0 else Min)(end, begin)",
        "Max(end, begin)",
        test=(
            "tests/lift/test_counters_left.py::test_what_a_loop_leaves_of_its_counter"
            "[k > n-i > n; i---min(n, k)]"
        ),
    ),
    Plant(
        "an array ends one element earlier",
        "lifter/parse/array_ends.py",
        "return LT(index, Const(index.type, count - begin))",
        "return LT(index, Const(index.type, count - begin - 1))",
        test="tests/parse/test_array_ends.py::test_the_end_of_an_array_bounds_a_search[0]",
    ),
    Plant(
        "what may not be read bounds a search",
        "lifter/parse/array_ends.py",
        "if not any(isinstance(n, (And, Or, Select)) for n in postorder(expr)):",
        "if True:",
        test="tests/parse/test_array_ends.py::test_other_loops_stay_without_a_bound[4]",
    ),
    Plant(
        "an array that a walk reads behind its step ends one element later",
        "lifter/parse/array_ends.py",
        "place = _place(substitute(load.indices[0], known))",
        "place = _place(load.indices[0])",
        test="tests/parse/test_array_ends.py::test_the_end_of_an_array_bounds_a_search[6]",
    ),
    Plant(
        "memory behind a structure's last array ends a walk",
        "lifter/parse/parameters.py",
        "return not fields or fields[-1] == node.cursor",
        "return False",
        test="tests/parse/test_array_ends.py"
        "::test_arrays_in_structures_have_ends_but_for_a_last_one",
    ),
    Plant(
        "a walk that may begin where its place wraps ends with the array",
        "lifter/parse/array_ends.py",
        "return isinstance(value, Const) and value.value <= I32.max",
        "return True",
        test="tests/parse/test_array_ends.py::test_other_loops_stay_without_a_bound[12]",
    ),
    Plant(
        "any distance is one within a side of an image",
        "lifter/synth/terminals.py",
        "if here is const(1, I64) or moving & set(postorder(here)):",
        "if True:",
        test=(
            "tests/lift/test_sides_of_one.py::test_a_coordinate_is_no_length_of_a_side"
            "[x + (n > 1 ? 2 : 0)]"
        ),
    ),
    Plant(
        "a coordinate is the length of a side",
        "lifter/synth/terminals.py",
        "length is None or length in moving or elsewhere",
        "length is None or elsewhere",
        test=(
            "tests/lift/test_sides_of_one.py::test_a_coordinate_is_no_length_of_a_side"
            "[x >= 2 ? x - 2 : 0]"
        ),
    ),
    Plant(
        "a running sum has one term less",
        "lifter/dag/running.py",
        "term = Select(LT(self.before, loop.counter), earlier, nothing)",
        "term = Select(LT(loop.counter, self.before), earlier, nothing)",
        test=(
            "tests/lift/test_running_sums.py::"
            "test_each_element_has_a_sum_of_those_before[with its own term]"
        ),
    ),
    Plant(
        "what is turned around may lose bits",
        "lifter/dag/bit_moves.py",
        "return by if same else None",
        "return by",
        test=(
            "tests/lift/test_rotated_numbers.py::"
            "test_other_numbers_are_not_taken_for_such[d[i] = k; k = k >> 9 | k << 23 | 2;]"
        ),
    ),
    Plant(
        "whatever least and greatest numbers begin as, they are told apart",
        "lifter/dag/extremes_apart.py",
        "    return one is other\n",
        "    return True\n",
        test=(
            "tests/lift/test_extremes_apart.py::test_others_are_not_taken_for_these["
            "{type} lo = a + 9, hi = a;-"
            "if (s[x] < lo) lo = s[x]; else if (s[x] > hi) hi = s[x];]"
        ),
    ),
    Plant(
        "a program stores one element to all of its array, and is run",
        "lifter/emit/hulls.py",
        " or stage.roi[:1],",
        ",",
        test=f"{_RUN}test_an_element_that_is_stored_by_itself_is_run",
    ),
    Plant(
        "a program reads what is nobody's, and is run",
        "lifter/emit/hulls.py",
        "read = list(_moved(box, steps))",
        "read = list(box)",
        test=f"{_RUN}test_what_is_read_before_it_is_stored_is_run",
    ),
    Plant(
        "a program realizes less than it updates, and is run",
        "lifter/emit/from_summaries.py",
        "return bool(stage.domain) and is_realized and not",
        'return stage.kind == "scan" and is_realized and not',
        test=f"{_RUN}test_updates_of_more_than_is_realized_are_run",
    ),
    Plant(
        "programs are written that nobody has run",
        "lifter/batch/one_function.py",
        'refuse_another_program(result, program, texts["pipeline.py"])',
        "pass",
        test=f"{_RUN}test_what_differs_is_no_result_and_says_where",
    ),
)  # fmt: skip
