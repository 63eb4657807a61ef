"""Machines: read from the system at hand, from text, by name; nonsense is refused by name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from compiler import HalideError
from compiler.autosched.machine import Cache, Machine, MachineError
from compiler.autosched.machine_host import described

A76 = """
cores = 4
vector_bits = 128
clock = "2.4 GHz"
bandwidth = "10 GB/s"

[l1]
size = "64 KiB"
ways = 4

[l2]
size = "512K"
"""


def test_text_says_what_a_machine_is():
    machine = Machine.parse(A76, "a76.toml")
    assert (machine.name, machine.cores, machine.threads, machine.vector_bits) == ("a76", 4, 4, 128)
    assert (machine.clock, machine.bandwidth) == (2.4e9, 10e9)
    assert machine.caches == (Cache(65536, ways=4), Cache(524288))
    assert machine.level_costs == (4, 14, 200)


def test_text_may_begin_with_another_machine():
    machine = Machine.parse('like = "cortex-a76"\ncores = 2\n[l3]\nsize = "1M"')
    shipped = Machine.named("cortex-a76")
    assert machine.cores == 2 and shipped.cores == 4
    assert machine.caches[:2] == shipped.caches[:2]
    assert machine.caches[2] == Cache(1 << 20, ways=16, shared_by=2)


@pytest.mark.parametrize("name", Machine.names())
def test_what_is_printed_is_read_again(name):
    machine = Machine.named(name)
    assert Machine.parse(machine.text(), "again") == machine
    assert Machine.read(name) == machine


def test_two_architectures_are_shipped_with_several_machines_each():
    bits = [Machine.named(name).vector_bits for name in Machine.names() if name != "host"]
    assert bits.count(128) >= 2 and bits.count(256) >= 1 and bits.count(512) >= 1


def test_a_user_names_a_machine_or_a_file_and_what_differs(tmp_path):
    machine = Machine.read("neoverse-n1,cores=2,l2.size=512K,bandwidth=9 GB/s")
    assert (machine.cores, machine.caches[1].size, machine.bandwidth) == (2, 512 << 10, 9e9)
    path = tmp_path / "board.toml"
    path.write_text(A76)
    assert Machine.read(str(path)).name == "board"
    assert Machine.read(f"{path},name=mine").name == "mine"
    assert Machine.read("host,cores=1").threads == Machine.host().threads_per_core


@pytest.mark.parametrize(
    "change, key, allowed",
    [
        ("cores=0", "cores = '0'", "1 to 4096"),
        ("cores=two", "cores = 'two'", "whole number"),
        ("bandwidth=-1", "bandwidth = '-1'", "from 1e6"),
        ("bandwidth=24", "bandwidth = '24'", "24 GB/s"),
        ("bandwidth=nan", "bandwidth = 'nan'", "from 1e6"),
        ("l1.size=4M", "l1.size = 4194304 is larger than l2.size", "each level"),
        ("l2.cycles=2", "l1.cycles = 4 is slower than l2.cycles = 2", "each level"),
        ("l2.ways=100000", "l2.ways", "1 to 1024"),
        ("l1.ways=1024,l1.line=128", "l1.ways = 1024", "more than l1.size"),
        ("l3.shared_by=99", "l3.shared_by = 99", "4 threads"),
        ("memory_cycles=1", "memory_cycles = 1", "l3.cycles"),
        ("vector_bits=100", "vector_bits", "power of two"),
        ("next_line_prefetch=maybe", "next_line_prefetch", "true or false"),
        ("coers=2", "coers is no key", "did you mean cores?"),
        ("l9.size=2", "l9.size is no key", "l1.* to l4.*"),
        ("cores", "'cores'", "KEY=VALUE"),
    ],
)
def test_nonsense_is_refused_by_its_key_and_what_is_allowed_is_said(change, key, allowed):
    text = f"cortex-a76,{change}"
    with pytest.raises(MachineError) as caught:
        Machine.read(text)
    assert text in str(caught.value)
    assert key in str(caught.value) and allowed in str(caught.value)
    assert isinstance(caught.value, HalideError)


def test_all_mistakes_of_a_file_are_told_at_once():
    with pytest.raises(MachineError) as caught:
        Machine.parse("cores = 0\nvector_bits = true\n[l2]\nsize = 7", "bad.toml")
    assert [problem.split()[0] for problem in caught.value.problems] == [
        "cores", "vector_bits", "l2.size", "bandwidth", "l1.size",
    ]  # fmt: skip
    assert all(sentence.startswith("bad.toml: ") for sentence in caught.value.sentences)


def test_what_is_no_toml_and_what_is_no_file_are_said():
    with pytest.raises(MachineError, match=r"bad\.toml: this is no TOML: .*line 1"):
        Machine.parse("cores = = 2", "bad.toml")
    with pytest.raises(MachineError, match=r"'nothing': there is neither.*cortex-a76"):
        Machine.read("nothing")
    with pytest.raises(MachineError, match=r"like = 'nothing': known are host,"):
        Machine.parse("like = 'nothing'")


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "binary.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(MachineError, match=r"binary\.toml: it can't be read"):
        Machine.read(str(path))


def system(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    return root


CPU = "sys/devices/system/cpu"


def processor(number, core, siblings):
    cache = f"{CPU}/cpu{number}/cache"
    made = {
        f"{CPU}/cpu{number}/topology/core_id": str(core),
        f"{CPU}/cpu{number}/topology/physical_package_id": "0",
        f"{CPU}/cpu{number}/cpufreq/cpuinfo_max_freq": "3400000",
    }
    levels = [
        ("0", "1", "Data", "32K", "8", siblings),
        ("1", "1", "Instruction", "64K", "8", "0"),
        ("2", "2", "Unified", "256K", "4", siblings),
        ("3", "3", "Unified", "8192K", "0", "0-3"),
    ]
    for index, level, kind, size, ways, sharing in levels:
        made |= {
            f"{cache}/index{index}/level": level,
            f"{cache}/index{index}/type": kind,
            f"{cache}/index{index}/size": size,
            f"{cache}/index{index}/ways_of_associativity": ways,
            f"{cache}/index{index}/coherency_line_size": "64",
            f"{cache}/index{index}/shared_cpu_list": sharing,
        }
    return made


def test_linux_tells_of_cores_caches_and_clock(tmp_path):
    files = {"proc/cpuinfo": "processor : 0\nmodel name : Some Chip\ncpu MHz : 1200.0"}
    for number in range(4):
        files |= processor(number, number // 2, "0-1" if number < 2 else "2-3")
    root = system(tmp_path, files)
    machine = Machine(**described(root, [0, 1, 2, 3], 256))
    assert (machine.name, machine.cores, machine.threads_per_core) == ("Some Chip", 2, 2)
    assert machine.clock == 3.4e9
    assert machine.caches == (
        Cache(32 << 10, ways=8, shared_by=2),
        Cache(256 << 10, ways=4, shared_by=2),
        Cache(8 << 20, ways=8, shared_by=4),
    )
    assert "bandwidth" in machine.guesses and "l1.size" not in machine.guesses
    alone = Machine(**described(root, [2], 256))
    assert (alone.cores, alone.threads) == (1, 1)
    assert [cache.shared_by for cache in alone.caches] == [1, 1, 1]


def test_a_system_that_tells_nothing_gives_guesses_and_says_so(tmp_path):
    machine = Machine(**described(tmp_path, [0, 1], 128))
    assert machine.cores == 2 and len(machine.caches) == 3
    assert {"l1.size", "clock", "bandwidth"} <= set(machine.guesses)
    assert Machine.parse(machine.text(), "again") == machine


def test_this_machine_is_described_with_the_cores_that_may_be_used():
    machine = Machine.host()
    assert machine.threads >= len(os.sched_getaffinity(0)) >= machine.cores
    assert "bandwidth" in machine.guesses
    measured = Machine.host(measure=True)
    assert "bandwidth" not in measured.guesses and measured.bandwidth > 1e8
