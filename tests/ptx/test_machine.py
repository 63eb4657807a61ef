"""The machine for PTX finds what would have no meaning on a GPU, and computes as the ISA says."""

from __future__ import annotations

import numpy as np
import pytest

from .arithmetic import OPERATIONS
from .machine import run, run_at
from .memory import Memory
from .text import Entry, IllegalAddress, Misaligned, PtxError, entries

HEAD = """
.version 6.3
.target sm_75
.address_size 64
.visible .entry k(
	.param .u64 .ptr .global .align 4 k_param_0,
	.param .u64 .ptr .global .align 4 k_param_1
)
.maxntid 64, 1, 1
{
	.reg .pred 	%p<9>;
	.reg .b32 	%r<9>;
	.reg .b64 	%rd<9>;
	.shared .align 16 .b8 tile[256];
	ld.param.b64 	%rd1, [k_param_0];
	ld.param.b64 	%rd2, [k_param_1];
	mov.u32 	%r1, %tid.x;
	mov.b64 	%rd5, tile;
	mul.wide.u32 	%rd3, %r1, 4;
	add.s64 	%rd4, %rd1, %rd3;
	add.s64 	%rd6, %rd2, %rd3;
	add.s64 	%rd7, %rd5, %rd3;
	xor.b32 	%r2, %r1, 63;
	mul.wide.u32 	%rd3, %r2, 4;
	add.s64 	%rd8, %rd5, %rd3;
"""


def start(body: str, blocks: int = 1, threads: int = 64, elements: int = 64) -> np.ndarray:
    """Runs `body` behind registers that hold places: %rd4 and %rd6 are this thread's elements of
    the two arguments, %rd7 that of shared memory, %rd8 that of the thread at the other end."""
    a, out = np.arange(elements, dtype=np.uint32), np.zeros(elements, np.uint32)
    run(entry(body), (blocks, 1, 1), (threads, 1, 1), [a, out], unwritten=[1])
    return out


def entry(body: str) -> Entry:
    text = HEAD + "\n".join(f"\t{line}" for line in body.strip().splitlines()) + "\n\tret;\n}\n"
    return entries(text)["k"]


def fails(body: str, message: str, blocks: int = 1, threads: int = 64, elements: int = 64) -> None:
    with pytest.raises(PtxError, match=message):
        start(body, blocks, threads, elements)


COPY = "ld.global.nc.b32 %r3, [%rd4];\nst.global.b32 [%rd6], %r3;"
FILL = "ld.global.nc.b32 %r3, [%rd4];\nst.shared.b32 [%rd7], %r3;"
TURN = "ld.shared.b32 %r4, [%rd8];\nst.global.b32 [%rd6], %r4;"


def test_what_is_right_runs() -> None:
    assert np.array_equal(start(COPY), np.arange(64))
    assert np.array_equal(start(f"{FILL}\nbar.sync 0;\n{TURN}"), np.arange(64)[::-1])


def test_reading_what_another_thread_writes() -> None:
    fails(f"{FILL}\n{TURN}", "shared memory has a race: written by another lane")


def test_reading_beside_what_another_thread_writes() -> None:
    """LLVM fills vectors up with elements that it doesn't use."""
    pair = f"{FILL}\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 ld.shared.v2.b32 {{%r3, %r4}}, [%rd7];"
    start(f"{pair}\n@%p1 st.global.b32 [%rd6], %r3;")
    fails(f"{pair}\n@%p1 st.global.b32 [%rd6], %r4;", "has a race: written by another lane")


def test_writing_what_another_thread_reads() -> None:
    again = "st.shared.b32 [%rd7], %r1;"
    fails(f"{FILL}\nbar.sync 0;\n{TURN}\n{again}", "race: read by another lane")
    start(f"{FILL}\nbar.sync 0;\n{TURN}\nbar.sync 0;\n{again}")


def test_two_threads_that_write_one_place() -> None:
    fails("st.global.b32 [%rd2], %r1;", "race: written by several lanes at once")
    fails("setp.lt.u32 %p1, %r1, 32;\n@%p1 st.global.b32 [%rd2], %r1;", "several lanes at once")
    assert start("st.global.b32 [%rd2], 7;")[0] == 7


def test_two_threads_that_write_one_place_one_after_the_other() -> None:
    later = "setp.eq.u32 %p1, %r1, 0;\n@%p1 st.global.b32 [%rd2+4], 9;"
    fails(f"st.global.b32 [%rd6], %r1;\n{later}", "race: written by another lane")


def test_two_blocks_that_meet_in_the_devices_memory() -> None:
    fails("st.global.b32 [%rd6], %ctaid.x;", "race: written", blocks=2)
    fails("mov.u32 %r3, %ctaid.x;\nst.global.b32 [%rd6], %r3;\nbar.sync 0;", "race", blocks=2)


def test_reading_what_nobody_wrote() -> None:
    fails("ld.global.b32 %r3, [%rd6];", "argument 1 reads what nobody wrote")
    fails("ld.shared.b32 %r3, [%rd7];\nadd.s32 %r4, %r3, 1;", "%r3 is read before it is written")
    fails("ld.shared.b32 %r3, [%rd7];\nst.global.b32 [%rd6], %r3;", "%r3 is read before")
    fails("add.s32 %r3, %r4, 1;", "%r4 is read before it is written")
    fails(
        "setp.lt.u32 %p1, %r1, 9;\n@%p1 mov.b32 %r3, 1;\nadd.s32 %r3, %r3, 1;", "%r3 is read before"
    )


def test_copies_of_what_nobody_wrote_are_what_nobody_wrote() -> None:
    copied = "mov.b32 %r3, %r4;"
    start(copied)
    fails(f"{copied}\nadd.s32 %r5, %r3, 1;", "%r3 is read before it is written")
    half = "mov.b64 %rd3, {%r1, %r4};\ncvt.u32.u64 %r5, %rd3;\nst.global.b32 [%rd6], %r5;"
    assert np.array_equal(start(half), np.arange(64))


def test_what_nobody_wrote_is_not_chosen() -> None:
    body = "ld.shared.b32 %r3, [%rd7];\nsetp.{}.u32 %p1, %r1, 64;\nselp.b32 %r4, %r1, %r3, %p1;"
    store = "\nst.global.b32 [%rd6], %r4;"
    assert np.array_equal(start(body.format("lt") + store), np.arange(64))
    fails(body.format("ge") + store, "%r4 is read before it is written")


def test_what_nobody_wrote_may_spread_to_what_nobody_needs() -> None:
    lines = ["ld.global.b32 %r3, [%rd6];", "add.s32 %r4, %r3, 1;", "st.global.b32 [%rd6], %r4;",
             "ld.global.b32 %r3, [%rd4];", "st.global.b32 [%rd4], %r3;"]  # fmt: skip
    a, out = np.arange(64, dtype=np.uint32), np.zeros(64, np.uint32)

    def runs(body: str) -> None:
        run(entry(body), (1, 1, 1), (64, 1, 1), [a, out], unwritten=[1], spreads=True)

    runs("\n".join(lines))
    assert np.array_equal(a, np.arange(64))
    used = ("@%p1 bra $L;\n$L:", "cvt.u64.u32 %rd3, %r4;\nst.global.b32 [%rd3], %r1;")
    for each in used:
        body = "\n".join([*lines[:2], "setp.lt.u32 %p1, %r4, 3;", each])
        with pytest.raises(PtxError, match="is read before it is written"):
            runs(body)


def test_lanes_that_run_ahead_ask_for_memory_with_the_others() -> None:
    """Half of a warp goes round a loop before the others here, and with them on a GPU."""
    loop = """
        mov.u32 %r5, 0;
        bra $load;
        $next:
        add.s32 %r5, %r5, 1;
        setp.eq.u32 %p2, %r5, 3;
        @%p2 bra $end;
        $load:
        ld.global.nc.b32 %r3, [%rd4];
        setp.lt.u32 %p1, %r1, 16;
        @!%p1 bra $next;
        mov.u32 %r6, %r1;
        bra $next;
        $end:
    """
    a, out = np.arange(64, dtype=np.uint32), np.zeros(64, np.uint32)
    lines = "\n".join(line.strip() for line in loop.strip().splitlines())
    counts = run(entry(lines), (1, 1, 1), (64, 1, 1), [a, out], unwritten=[1])
    assert (counts.requests, counts.sectors_read, counts.least_sectors) == (6, 24, 24)


def test_a_trap_stops() -> None:
    fails("trap;", "a lane comes to a trap")


def test_leaving_a_memory() -> None:
    fails(COPY, "argument 0 is left: byte 252, lane 63", elements=63)
    fails("ld.global.nc.b32 %r3, [%rd4+4];", "argument 0 is left: byte 256, lane 63")
    fails("add.s64 %rd3, %rd4, -4;\nld.global.nc.b32 %r3, [%rd3];", "argument 0 is left: byte -4")
    fails("st.shared.b32 [%rd7+4], %r1;", "shared memory is left: byte 256")
    fails("mov.b64 %rd3, 16;\nld.global.b32 %r3, [%rd3];", "outside of all memories")


def test_an_address_that_is_no_multiple() -> None:
    fails("ld.global.nc.b32 %r3, [%rd4+2];", "no multiple of 4")
    fails("ld.global.nc.v2.b32 {%r3, %r4}, [%rd4];", "no multiple of 8")


def test_a_barrier_that_not_all_threads_come_to() -> None:
    half = "setp.lt.u32 %p1, %r1, 32;\n@%p1 bra $L__BB0_1;\nbar.sync 0;\n$L__BB0_1:"
    fails(half, "block 0 is torn apart at bar.sync 0;")
    other = f"{half}\nbar.sync 0;"
    fails(other, "torn apart")
    fails("setp.lt.u32 %p1, %r1, 32;\n@%p1 bar.sync 0;", "no such barrier")


def test_unknown_text() -> None:
    fails("frob.b32 %r3, %r1;", "unknown 'frob'")
    fails("add.sat.s32 %r3, %r1, 1;", "unknown 'sat'")
    fails("ld.const.b32 %r3, [%rd4];", "no memory const")
    fails("ld.global.cg.b32 %r3, [%rd4];", "unknown 'cg'")
    fails("bar.arrive 0, 64;", "no such barrier")
    fails('.pragma "nounroll";', "unknown line")
    fails("mul.f32 %r3, %r1, %r1;", "f32 without a rounding")


def test_more_threads_than_the_text_says() -> None:
    fails(COPY, "of at most", threads=128)


def test_atomic_sums_are_whole() -> None:
    body = "st.global.b32 [%rd6], 0;\nbar.sync 0;\natom.global.add.u32 %r3, [%rd2], %r1;"
    assert start(body)[0] == sum(range(64))


def test_a_plain_write_meets_an_atomic_one() -> None:
    body = "st.global.b32 [%rd6], 0;\natom.global.add.u32 %r3, [%rd2], 1;"
    fails(body, "race")


def value(opcode: str, *operands: int) -> int:
    first, *words = opcode.split(".")
    given = [
        lambda size, n=n: (
            np.array([n & ((1 << (8 * size or 1)) - 1)], np.uint64) if size else np.array([bool(n)])
        )
        for n in operands
    ]
    return int(OPERATIONS[first](tuple(words), given)[0])


@pytest.mark.parametrize(
    ("opcode", "operands", "expected"),
    [
        ("mul.hi.s32", (0x80000000, 2), 0xFFFFFFFF),
        ("mul.wide.s32", (0xFFFFFFFF, 3), 2**64 - 3),
        ("mul.wide.u32", (0xFFFFFFFF, 3), 3 * 0xFFFFFFFF),
        ("mad.lo.s32", (7, 5, 0xFFFFFFFF), 34),
        ("div.s32", (0xFFFFFFF9, 2), 0xFFFFFFFD),
        ("rem.s32", (0xFFFFFFF9, 2), 0xFFFFFFFF),
        ("shl.b32", (1, 32), 0),
        ("shl.b32", (1, 31), 0x80000000),
        ("shr.s32", (0x80000000, 40), 0xFFFFFFFF),
        ("shr.u32", (0x80000000, 40), 0),
        ("shf.l.wrap.b32", (0x80000000, 1, 1), 3),
        ("shf.r.wrap.b32", (0x80000000, 1, 1), 0xC0000000),
        ("prmt.b32", (0x44332211, 0x88776655, 0x5410), 0x66552211),
        ("prmt.b32", (0x44332211, 0x88776655, 0x7773), 0x88888844),
        ("prmt.b32", (0x80, 0, 0x8888), 0xFFFFFFFF),
        ("bfe.u32", (0xABCD, 4, 8), 0xBC),
        ("bfe.s32", (0xABCD, 4, 8), 0xFFFFFFBC),
        ("bfi.b32", (0xFF, 0, 8, 4), 0xF00),
        ("cvt.s32.s8", (0x80,), 0xFFFFFF80),
        ("cvt.u32.u8", (0x180,), 0x80),
        ("cvt.u16.u32", (0x12345,), 0x2345),
        ("cvt.sat.u8.s32", (0xFFFFFFFF,), 0),
        ("cvt.rzi.s32.f32", (0xC0200000,), 0xFFFFFFFE),  # -2.5
        ("cvt.rni.s32.f32", (0x40200000,), 2),
        ("cvt.rzi.s32.f32", (0x4F800000,), 0x7FFFFFFF),  # 2**32
        ("cvt.rzi.u32.f32", (0xBF800000,), 0),
        ("cvt.rzi.s32.f32", (0x7FC00000,), 0),
        ("cvt.rn.f32.s32", (0xFFFFFFFF,), 0xBF800000),
        ("min.f32", (0x7FC00000, 0x3F800000), 0x3F800000),
        ("max.f32", (0x80000000, 0), 0),
        ("min.f32", (0, 0x80000000), 0x80000000),
        ("add.rn.f32", (0x3F800000, 0x33800000), 0x3F800000),  # half a unit in the last place
        ("fma.rn.f32", (0x3F800001, 0x3F800001, 0xBF800002), 0x28800000),
        ("setp.ne.f32", (0x7FC00000, 0), 0),
        ("setp.neu.f32", (0x7FC00000, 0), 1),
        ("setp.lt.and.s32", (0xFFFFFFFF, 0, 0), 0),
        ("setp.lt.or.s32", (0xFFFFFFFF, 0, 0), 1),
        ("selp.b32", (1, 2, 0), 2),
        ("popc.b32", (0xF0F0,), 8),
        ("clz.b32", (1,), 31),
        ("clz.b64", (0,), 64),
        ("brev.b32", (1,), 0x80000000),
        ("add.rn.f16x2", (0x3C004000, 0x3C003C00), 0x40004200),
        ("copysign.f32", (0x80000000, 0x3F800000), 0xBF800000),
    ],
    ids=str,
)
def test_instructions_mean_what_the_isa_says(
    opcode: str, operands: tuple[int, ...], expected: int
) -> None:
    bits = 64 if opcode.split(".")[1] == "wide" else 32
    assert value(opcode, *operands) & ((1 << bits) - 1) == expected


def at_addresses(a: int, out: int) -> np.ndarray:
    """Copies 64 elements from one address to another, of memories at 0x7000 and 0x7200."""
    text = HEAD + COPY + "\n\tret;\n}\n"
    content = np.arange(64, dtype=np.uint32)
    known = np.zeros(256, bool)
    memories = {
        0x7200: Memory("the later", np.zeros(256, np.uint8), 256, known=known),
        0x7000: Memory("the earlier", content.view(np.uint8), 256),
    }
    run_at(entries(text)["k"], (1, 1, 1), (64, 1, 1), [a, out], memories)
    assert known.all()
    return memories[0x7200].bytes.view(np.uint32)


def test_memories_lie_where_they_are_said_to() -> None:
    assert np.array_equal(at_addresses(0x7000, 0x7200), np.arange(64))


@pytest.mark.parametrize(
    ("a", "out", "message"),
    [
        (0x7000, 0x7204, "the later is left: byte 256, lane 63"),
        (0x7000, 0x71FC, "the later is left: byte -4, lane 0"),
        (0x7004, 0x7200, "the earlier is left: byte 256, lane 63"),
        (0x6FFC, 0x7200, "the earlier is left: byte -4, lane 0"),
        (1 << 50, 0x7200, "outside of all memories"),
        (0x7200, 0x7000, "the later reads what nobody wrote"),
    ],
)
def test_what_lies_beside_a_memory_is_no_memory(a: int, out: int, message: str) -> None:
    with pytest.raises(PtxError, match=message) as caught:
        at_addresses(a, out)
    assert isinstance(caught.value, IllegalAddress) == ("nobody" not in message)


def test_addresses_are_multiples_of_what_is_accessed() -> None:
    with pytest.raises(Misaligned, match="no multiple of 4"):
        at_addresses(0x7002, 0x7200)
