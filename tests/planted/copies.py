"""Bugs in what is newest where: copies between the host and a device, and launches."""

from __future__ import annotations

from .plants import Plant

_C = "compiler/codegen/runtime_library/cuda.c"
_INTERFACE = "tests/gpu/test_cuda_interface.py::"
_FAILURES = "tests/gpu/test_cuda_failures.py::"
_REALIZED = "tests/gpu/test_realized.py::"
_BETWEEN = (
    f"{_REALIZED}test_a_program_gives_the_same_on_both_sides"
    "[host read late-a stage of the host between]"
)
_UPDATES = (
    f"{_REALIZED}test_a_program_gives_the_same_on_both_sides[host read late-updates on both sides]"
)
_DIRTY = "tests/gpu/test_dirty_bits.py::test_every_way_to_read_and_write"
_THREADS = "tests/gpu/test_cuda_threads.py::"

COPIES = (
    Plant(
        "a copy to the device that failed is taken for one",
        _C,
        "buffer->flags |= HOST_DIRTY;",
        "",
        test=f"{_INTERFACE}test_a_copy_that_failed_isnt_taken_for_one",
    ),
    Plant(
        "a part of a buffer isn't as old as the buffer on the device",
        _C,
        "(from->flags & (HOST_DIRTY | DEVICE_DIRTY))",
        "(from->flags & DEVICE_DIRTY)",
        test=f"{_INTERFACE}test_a_crop_is_a_part_of_the_memory[1]",
    ),
    Plant(
        "rows are copied as though nothing lay between them",
        _C,
        "rows.to_pitch = (size_t)copy->steps[0].to;",
        "rows.to_pitch = (size_t)copy->run;",
        test=f"{_INTERFACE}test_copies_between_buffers[both-True]",
    ),
    Plant(
        "steps that don't lie together are copied as one",
        _C,
        "if (!kept && step.from == copy->run && step.to == copy->run)",
        "if (!kept && step.from == copy->run)",
        test=f"{_INTERFACE}test_copies_between_buffers[host-False]",
    ),
    Plant(
        "memory of another context is used",
        _C,
        "    if (!code && own == context) return 0;\n",
        "    return 0;\n",
        test=f"{_FAILURES}test_a_buffer_may_live_in_another_context",
    ),
    Plant(
        "memory may begin anywhere",
        _C,
        "if (address % kernel->aligned[i])",
        "if (0 && address % kernel->aligned[i])",
        test=f"{_FAILURES}test_wrapped_memory_may_not_be_aligned",
    ),
    Plant(
        "a module of which a kernel can't be used stays",
        _C,
        "            cuda.cuModuleUnload(module);\n",
        "",
        test=f"{_THREADS}test_a_module_whose_kernel_is_missing_is_unloaded",
    ),
    Plant(
        "what the host reads isn't copied to it",
        "compiler/lower/device_copies.py",
        'before = _actions("copy_to_host", self.shared & uses.all)',
        'before = _actions("copy_to_host", self.shared & uses.written)',
        test=_BETWEEN,
    ),
    Plant(
        "what the host writes isn't copied to the device",
        "compiler/lower/device_copies.py",
        'after = _actions("host_changed", self.shared & uses.written)',
        "after = _actions(\"host_changed\", ())",
        test=_BETWEEN,
    ),
    Plant(
        "nobody says that a kernel has changed something",
        "compiler/lower/device_copies.py",
        '{p.name for p in both if p.is_written})',
        '{p.name for p in both if not p.is_written})',
        test=_BETWEEN,
    ),
    Plant(
        "the part that was asked for is looked at before it is computed",
        "compiler/frontend/output_regions.py",
        "asked.append(large.cropped(own))",
        "asked.append(large.cropped(own).copy())",
        test=_UPDATES,
    ),
    Plant(
        "a kernel with indices of 32 bits gets memories of any size",
        "compiler/codegen/launches.py",
        "select {is_narrow}, {narrow}, {wide}",
        "select {is_narrow}, {narrow}, {narrow}",
        test=f"{_REALIZED}test_large_memories_have_indices_of_64_bits[host read late]",
    ),
    Plant(
        "memory that goes backwards is small",
        "compiler/codegen/launches.py",
        "far = f.emit(\"i64\", f\"mul {steps}, {size.text}\")",
        "far = f.emit(\"i64\", f\"mul {steps}, {stride.text}\")",
        test=f"{_REALIZED}test_large_memories_have_indices_of_64_bits[host read late]",
    ),
    Plant(
        "what Python writes stays old on the device",
        "compiler/lang/sides.py",
        '            device.set_dirty("host", True)\n',
        "            pass\n",
        test=f"{_DIRTY}[both the same]",
    ),
    Plant(
        "a Buffer that is moved moves all that share its memory",
        "compiler/runtime/device.py",
        "if self._lent and mins != self._mins:",
        "if False:",
        test=f"{_REALIZED}test_one_buffer_may_be_passed_twice_at_other_coordinates"
        "[host read late]",
    ),
    Plant(
        "others' memory is freed",
        "compiler/runtime/device.py",
        "        if self.owner is not None:\n            self.let_go()\n        else:",
        "        if False:\n            self.let_go()\n        else:",
        test="tests/gpu/test_shared_arrays.py::test_a_pipeline_works_on_others_arrays_in_place",
    ),
    Plant(
        "nobody waits for another package's stream",
        "compiler/lang/device_arrays.py",
        "if other != memory.stream:",
        "if False:",
        test="tests/gpu/test_shared_arrays.py::test_what_a_producer_still_does_comes_first",
    ),
    Plant(
        "streams don't wait for one another",
        "compiler/runtime/device.py",
        "- {None, stream}\n        if last:",
        "- {None, stream}\n        if False:",
        test=f"{_THREADS}test_what_another_stream_wrote_is_waited_for",
    ),
)  # fmt: skip
