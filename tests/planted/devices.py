"""Bugs in what makes kernels of programs, and PTX of kernels: which text becomes what.

Each names a test of the quick run. Where code moves, its text here follows.
"""

from __future__ import annotations

from .plants import Plant

_KERNELS = "tests/gpu/test_kernels.py::"
_BLUR = f"{_KERNELS}test_a_blur_has_the_same_values_under_all_schedules"
_PRODUCT = f"{_KERNELS}test_a_product_of_matrices_brings_tiles_of_both_into_shared_memory"
_ATOMIC = f"{_KERNELS}test_atomic_updates_wait_for_what_is_none_alone"
_NEEDED = "tests/gpu/test_barriers_removed.py::test_each_barrier_of_a_program_is_needed"
_OWN = (
    "tests/gpu/test_own_elements.py::test_elements_that_are_taken_for_own_ones_are_no_other_threads"
)
_REGISTERS = "tests/gpu/test_thread_registers.py::"
_RINGS = "tests/gpu/test_rings.py::"
_LAUNCHES = "tests/gpu/test_parallel_launches.py::"
_BAD = "tests/gpu/test_bad_input.py::"
_TURNS = "tests/gpu/test_any_number_of_threads.py::test_a_stage_may_reach_down_to_the_first_row"
_NUMBERS = "tests/gpu/test_numbers_of_host.py::"
_PTX = "tests/ptx/test_kernels.py::"
_GUARDED = "tests/build/test_guarded_on_device.py::"

DEVICES: tuple[Plant, ...] = (
    # compiler/lower: where threads wait
    Plant(
        "nobody waits for what others have written",
        "compiler/lower/barriers.py",
        "both = (self.writes & other.reads) | (self.reads & other.writes)",
        "both = self.reads & other.writes",
        test=f"{_BLUR}[in shared memory]",
    ),
    Plant(
        "what others still read is overwritten",
        "compiler/lower/barriers.py",
        "both = (self.writes & other.reads) | (self.reads & other.writes)",
        "both = self.writes & other.reads",
        test=f"{_PRODUCT}",
    ),
    Plant(
        "an update waits for no store of the pure definition",
        "compiler/lower/barriers.py",
        "both |= self.writes & other.writes & (self.changed | other.changed)",
        "pass",
        test=f"{_KERNELS}test_an_update_waits_for_what_it_overwrites",
    ),
    Plant(
        "all stores are of pure definitions",
        "compiler/lower/barriers.py",
        "if not own or not any(own[-1].startswith",
        "if not own and not any(own[-1].startswith",
        test=f"{_KERNELS}test_an_update_waits_for_what_it_overwrites",
    ),
    Plant(
        "stores of one pure definition wait for one another",
        "compiler/lower/barriers.py",
        "& other.writes & (self.changed | other.changed)",
        "& other.writes",
        test=f"{_KERNELS}test_a_barrier_less_is_a_race[slides-0-0]",
    ),
    Plant(
        "what is read beside atomic updates is there",
        "compiler/lower/barriers.py",
        "for x in both & together.plain",
        "for x in both & self.plain & other.plain",
        test=f"{_ATOMIC}[True]",
    ),
    Plant(
        "atomic updates wait for one another",
        "compiler/lower/barriers.py",
        "for x in both & together.plain",
        "for x in both",
        test=f"{_ATOMIC}[True]",
    ),
    Plant(
        "an iteration needs nothing of the one before",
        "compiler/lower/barriers.py",
        "        carried, after = self.walk(body, before | own | end)\n"
        "        again, last = self.walk(body, before | own | after)\n",
        "        carried, after = self.walk(body, before | own)\n"
        "        again, last = carried, after\n",
        test=f"{_KERNELS}test_an_iteration_waits_for_the_one_before",
    ),
    Plant(
        "all memories are accessed by as many threads",
        "compiler/lower/barriers.py",
        "dict.fromkeys(found_places, stmt.extents)",
        "dict.fromkeys(found_places, (const(1),) * 3)",
        test=f"{_BLUR}[in shared memory]",
    ),
    # compiler/lower: elements that each thread has for itself
    Plant(
        "the last element of a thread is the first one of the next",
        "compiler/lower/own_elements.py",
        "if factor <= span:", "if factor < span:", test=_OWN,
    ),
    Plant(
        "what else a place depends on says nothing of it",
        "compiler/lower/own_elements.py",
        "gcd(modulus, place.first - first.first, *place.others)",
        "gcd(modulus, place.first - first.first)",
        test=_OWN,
    ),
    Plant(
        "two accesses at a distance are one",
        "compiler/lower/own_elements.py",
        "gcd(modulus, place.first - first.first, *place.others)",
        "gcd(modulus, *place.others)",
        test=_OWN,
    ),
    # compiler/lower: elements of a block that lie in the registers of its threads
    Plant(
        "an element in registers may be two threads'",
        "compiler/lower/thread_registers.py",
        "twice = np.flatnonzero(places[1:] == places[:-1])",
        "twice = np.flatnonzero(places[1:] < places[:-1])",
        test=f"{_REGISTERS}test_what_other_threads_read_is_refused[other threads]",
    ),
    Plant(
        "all threads have their elements where the first one has them",
        "compiler/lower/thread_registers.py",
        "if not (offsets == offsets[0]).all():", "if not offsets.size:",
        test=f"{_REGISTERS}test_what_other_threads_read_is_refused"
        "[in an order that threads decide]",
    ),
    Plant(
        "all elements of a lane's vector are its first one",
        "compiler/lower/lane_registers.py",
        "value_in_lane(index, const(number))", "value_in_lane(index, const(0))",
        test="tests/gpu/test_lanes.py::test_lanes_have_and_fetch_vectors[the other end's-type0]",
    ),
    Plant(
        "elements of a vector that others have are the lane's own",
        "compiler/lower/lane_registers.py",
        "if len(sums) < len(slots) or steps[0].terms", "if steps[0].terms",
        test="tests/gpu/test_lanes.py::test_lanes_have_and_fetch_vectors"
        "[the own and the next one's-type0]",
    ),
    # compiler/lower: rings of asynchronous copies
    Plant(
        "one group too many goes on while its copies are used",
        "compiler/lower/rings.py",
        "s.AwaitCopies(early.steps - 1)", "s.AwaitCopies(early.steps)",
        test=f"{_RINGS}test_tiles_of_both_factors_are_copied_early[12]",
    ),
    Plant(
        "a ring has place for a step that it hasn't",
        "compiler/lower/storage_folding.py",
        "if longest is None or longest > factor.value:",
        "if longest is None or longest > factor.value + 1:",
        test=f"{_RINGS}test_random_rings",
    ),
    Plant(
        "what earlier steps have copied is copied again while they use it",
        "compiler/lower/storage_folding.py",
        "if rises and overlap is not None and overlap < 0:", "if rises and overlap is not None:",
        test=f"{_RINGS}test_what_has_no_place_is_copied_when_it_is_needed"
        "[what earlier steps have]",
    ),
    Plant(
        "a ring begins while others still read the one before",
        "compiler/lower/barriers.py",
        "elif isinstance(stmt, s.Ahead) and stmt.iterations:", "elif isinstance(stmt, s.Ahead):",
        test=f"{_RINGS}test_a_ring_begins_when_nobody_reads_the_one_before",
    ),
    # launches from threads of the processor's loops
    Plant(
        "threads that take part launch in a stream of their own",
        "compiler/codegen/launches.py",
        "statements.repeat(loop, scope.with_buffer(_ORIGIN, origin), _at_origin)",
        "statements.repeat(loop, scope)",
        test=f"{_LAUNCHES}test_they_work_in_the_callers_stream[on_both_sides]",
    ),
    Plant(
        "threads that launch copy what they share",
        "compiler/lower/device_copies.py",
        "inside = _Copies(self.kernels, self.shared & own, self.device, self.defined)",
        "inside = self",
        test=f"{_LAUNCHES}test_each_side_has_what_it_needs[in_strips]",
    ),
    Plant(
        "what threads of a loop have launched has changed nothing",
        "compiler/lower/device_copies.py",
        '*_actions("device_changed", on_device & changed),', "",
        test=f"{_LAUNCHES}test_each_side_has_what_it_needs[in_strips]",
    ),
    # compiler/lower: kernels
    Plant(
        "all threads of a block do what some of them do",
        "compiler/lower/kernels.py",
        "return stmt.body if condition is TRUE else s.IfThenElse(condition, stmt.body)",
        "return stmt.body",
        test=f"{_BLUR}[in shared memory]",
    ),
    Plant(
        "a block has as many threads as its last loops need",
        "compiler/lower/kernels.py",
        "longest = simplify(n.Max(longest, self._outside(extent)))",
        "longest = self._outside(extent)",
        test=f"{_BLUR}[in shared memory]",
    ),
    Plant(
        "extremes with an operand in common differ by less than nothing",
        "compiler/lower/constant_size.py",
        "parts = self.most(rest.plus(apart, factor)), self.most(rest)",
        "parts = (self.most(rest.plus(apart, factor)),)",
        test="tests/lower/test_constant_size.py::test_what_is_there_twice_cancels_out"
        "[min(max(n, 1), x + 1) - min(max(n, 1), x + 32)-0]",
    ),
    Plant(
        "what an iteration computes is the same in all of a launch",
        "compiler/lower/numbers_of_host.py",
        "within = inside | {name}\n            case s.LetStmt",
        "within = inside\n            case s.LetStmt",
        test=f"{_NUMBERS}test_a_name_is_what_it_is_where_it_stands",
    ),
    Plant(
        "numbers of a launch aren't known to be multiples",
        "compiler/lower/numbers_of_host.py",
        "scale = 1 << min(_twos(e), MOST_TWOS)",
        "scale = 1",
        test=f"{_NUMBERS}test_what_a_number_is_a_multiple_of_stays_known",
    ),
    Plant(
        "sums are multiples of what one of their parts is",
        "compiler/lower/numbers_of_host.py",
        "return min(_twos(a), _twos(b))",
        "return max(_twos(a), _twos(b))",
        test=f"{_NUMBERS}test_numbers_are_what_threads_would_compute",
    ),
    Plant(
        "a loop of any length takes as many turns as threads fill",
        "compiler/lower/kernels.py",
        "turns = n.Div(Add(loop.extent, n.Sub(count, const(1))), count)",
        "turns = n.Div(loop.extent, count)",
        test=f"{_TURNS}[size0-rows and columns]",
    ),
    Plant(
        "the last turn has all threads",
        "compiler/lower/kernels.py",
        "s.IfThenElse(LT(step, loop.extent), body))",
        "body)",
        test=f"{_TURNS}[size0-rows and columns]",
    ),
    Plant(
        "the outermost loop's variable is the first dimension",
        "compiler/lower/kernels.py",
        "zip(reversed(self.loops), names, strict=False)",
        "zip(self.loops, names, strict=False)",
        test=f"{_KERNELS}test_sizes_that_no_block_divides[size3]",
    ),
    Plant(
        "what a kernel stores is for reading alone",
        "compiler/lower/kernels.py",
        "            written.add(stmt.buffer)\n        elif",
        "            pass\n        elif",
        test=f"{_BLUR}[inlined]",
    ),
    Plant(
        "blocks have any number of threads",
        "compiler/lower/kernels.py",
        "prod(counts) > MOST_THREADS", "prod(counts) > 2**31",
        test=f"{_BAD}test_what_no_block_can_be_is_refused_by_name[threads]",
    ),
    Plant(
        "a fourth loop over blocks is one of the grid's",
        "compiler/lower/gpu_loops.py",
        "if len(nested) == MOST_NESTED:", "if len(nested) > MOST_NESTED:",
        test=f"{_BAD}test_a_grid_has_three_dimensions[4]",
    ),
    # compiler/lower: loops of the processor in the place of kernels
    Plant(
        "a thread runs to its end before the next one begins",
        "compiler/lower/emulation.py",
        "        if _meets(stmt):\n            return rebuild",
        "        if False:\n            return rebuild",
        test="tests/gpu/test_emulated.py::test_a_blur_runs_in_this_process[in shared memory]",
    ),
    Plant(
        "one thread fewer runs on the processor",
        "compiler/lower/emulation.py",
        "last = simplify(Sub(extent, const(1)))", "last = simplify(Sub(extent, const(2)))",
        test="tests/gpu/test_emulated.py::test_threads_may_run_in_either_order[True]",
    ),
    # compiler/codegen/ptx
    Plant(
        "a barrier is nothing",
        "compiler/codegen/ptx/statements.py",
        'f.call("void", f.module.declare(_MEET, "void", "i32"), [i32(0)])',
        'f.module.declare(_MEET, "void", "i32")',
        test=f"{_PTX}test_transposition[75]",
    ),
    Plant(
        "a block may be as large as one thread",
        "compiler/codegen/ptx/kernel.py",
        "shape = counts if len(counts) == len(kernel.threads) else [MOST_THREADS, 1, 1]",
        "shape = [1, 1, 1]",
        test=f"{_PTX}test_transposition[75]",
    ),
    Plant(
        "large shared memory isn't asked for",
        "compiler/codegen/ptx/kernel.py",
        "return total if total > STATIC_SHARED else 0", "return 0",
        test=f"{_PTX}test_dynamic_shared_memory",
    ),
    Plant(
        "products and sums are rounded once",
        "compiler/codegen/ptx/capabilities.py",
        "contracts_floats=contracts_floats)", "contracts_floats=True)",
        test=f"{_PTX}test_streaming_add[300]",
    ),
    Plant(
        "shared memory has no end",
        "compiler/codegen/ptx/checks.py",
        "if packing.size > most:", "if packing.size > 2 * most + 2**18:",
        test=f"{_BAD}test_what_no_block_can_be_is_refused_by_name[shared]",
    ),
    Plant(
        "all memory of the device may be read by the path for constants",
        "compiler/codegen/ptx/kernel.py",
        "if parameter.name not in overlapping and not parameter.is_written:",
        "if parameter.name not in overlapping:",
        test="tests/codegen/test_ptx.py::test_what_was_read_before_a_barrier_is_read_again_after_it",
    ),
    Plant(
        "all addresses are multiples of 256",
        "compiler/codegen/ptx/kernel.py",
        "max(parameter.multiple_of, parameter.type.bytes)", "256",
        test=f"{_KERNELS}test_vectors_go_at_once_where_their_addresses_are_known_to_be_multiples",
    ),
    # lifter/bench: what the GPU makes
    Plant(
        "what the GPU has stored is compared with nothing",
        "lifter/bench/measure.py",
        "compared + count, difference or found", "compared + count, difference",
        test="tests/bench/test_bench_on_device.py::test_a_wrong_kernel_is_found",
    ),
    # compiler/codegen, lifter/emit: pointers to a device
    Plant(
        "the processor's code takes images on the device",
        "compiler/codegen/entry_code.py",
        "if entry.refuses_device:", "if False:",
        test=f"{_GUARDED}test_without_kernels_the_lifted_entry_says_so",
    ),
    Plant(
        "tables on the device lie where their first coordinate is",
        "compiler/codegen/device_call.py",
        "kept = buffers.DEVICE_DIRTY | buffers.HAS_PLACE", "kept = buffers.DEVICE_DIRTY",
        test=f"{_GUARDED}test_a_table_of_indices_on_the_device_is_looked_at_in_a_copy",
    ),
)  # fmt: skip
