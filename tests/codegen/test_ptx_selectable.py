"""The table of what LLVM's code generator for GPUs knows: all of it, and nothing else passes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from compiler.codegen.builder import ModuleBuilder
from compiler.codegen.ptx.capabilities import gpu_target
from compiler.codegen.ptx.selectable import SELECTABLE, check_selectable, split_name
from compiler.codegen.target import llvm_binding
from compiler.ir.errors import HalideError

TYPES = {
    "i8": "i8", "i16": "i16", "i32": "i32", "i64": "i64", "f16": "half", "f32": "float",
    "f64": "double",
}  # fmt: skip
OPERANDS = {
    **dict.fromkeys(("fshl", "fshr", "fma"), 3),
    **dict.fromkeys(("smin", "smax", "umin", "umax", "copysign", "minnum", "maxnum"), 2),
    **dict.fromkeys(("sadd.sat", "uadd.sat", "ssub.sat", "usub.sat", "scmp", "ucmp"), 2),
}
POINTER = "ptr addrspace(1)"


def of_function(number: int, name: str, type: str, lanes: int) -> tuple[str, str]:
    """Declaration and kernel that calls the intrinsic on values from memory."""
    suffix = type if lanes == 1 else f"v{lanes}{type}"
    vector = TYPES[type] if lanes == 1 else f"<{lanes} x {TYPES[type]}>"
    result, full = vector, f"llvm.{name}.{suffix}"
    count = OPERANDS.get(name, 1)
    types = [vector] * count
    values = [f"{vector} %v{n}" for n in range(count)]
    if name in ("abs", "ctlz", "cttz"):
        types, values = [*types, "i1"], [*values, "i1 false"]
    elif name == "is.fpclass":
        types, values = [*types, "i32"], [*values, "i32 3"]
        result = "i1" if lanes == 1 else f"<{lanes} x i1>"
    elif name in ("scmp", "ucmp"):
        full = f"{full}.{suffix}"
    loads = [f"  %v{n} = load {vector}, {POINTER} %p{n}" for n in range(count)]
    body = [
        f"  %r = call {result} @{full}({', '.join(values)})",
        f"  store {result} %r, {POINTER} %out",
    ]
    return f"declare {result} @{full}({', '.join(types)})", kernel(number, [*loads, *body])


INSTRUCTIONS = ("add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "and", "or", "xor", "shl",
                "lshr", "ashr", "icmp slt", "icmp ult", "icmp eq")  # fmt: skip
FLOAT_INSTRUCTIONS = (
    "fadd",
    "fsub",
    "fmul",
    "fdiv",
    "fcmp olt",
    "fcmp oeq",
    "fcmp une",
    "fcmp uno",
)


def of_instruction(number: int, name: str, type: str, lanes: int) -> str:
    """A kernel of one instruction, and of a choice by what comparisons say."""
    vector = TYPES[type] if lanes == 1 else f"<{lanes} x {TYPES[type]}>"
    lines = [f"  %v{n} = load {vector}, {POINTER} %p{n}" for n in range(2)]
    lines.append(f"  %r = {name} {vector} %v0, %v1")
    if "cmp" in name:
        truth = "i1" if lanes == 1 else f"<{lanes} x i1>"
        lines.append(f"  %s = select {truth} %r, {vector} %v0, {vector} %v1")
        return kernel(number, [*lines, f"  store {vector} %s, {POINTER} %out"])
    return kernel(number, [*lines, f"  store {vector} %r, {POINTER} %out"])


def of_conversion(number: int, source: str, target: str, lanes: int) -> str:
    """A kernel of the conversions from one type to another, signed and unsigned."""
    before, after = (
        TYPES[type] if lanes == 1 else f"<{lanes} x {TYPES[type]}>" for type in (source, target)
    )
    bits = int(source[1:]), int(target[1:])
    if source[0] == target[0] == "i":
        names = ["trunc"] if bits[0] > bits[1] else ["sext", "zext"]
    elif source[0] == target[0]:
        names = ["fptrunc" if bits[0] > bits[1] else "fpext"]
    else:
        names = ["fptosi", "fptoui"] if source[0] == "f" else ["sitofp", "uitofp"]
    lines = [f"  %v = load {before}, {POINTER} %p0"]
    for name in names:
        lines.append(f"  %{name} = {name} {before} %v to {after}")
        lines.append(f"  store volatile {after} %{name}, {POINTER} %out")
    return kernel(number, lines)


def of_memory(number: int, name: str, type: str, lanes: int) -> tuple[str, str]:
    """The same for accesses under a mask."""
    vector, mask = f"<{lanes} x {TYPES[type]}>", f"<{lanes} x i1>"
    many = name in ("masked.gather", "masked.scatter")
    places = f"<{lanes} x {POINTER}>" if many else POINTER
    full = f"llvm.{name}.v{lanes}{type}." + (f"v{lanes}p1" if many else "p1")
    lines = [
        f"  %b = load <{lanes} x i8>, {POINTER} %p1",
        f"  %m = trunc <{lanes} x i8> %b to {mask}",
        f"  %i = load <{lanes} x i64>, {POINTER} %p2",
        f"  %q = getelementptr {TYPES[type]}, {POINTER} %p0, <{lanes} x i64> %i",
    ]
    place = f"{places} align 1 {'%q' if many else '%p0'}"
    if name in ("masked.load", "masked.gather"):
        call = f"  %r = call {vector} @{full}({place}, {mask} %m, {vector} zeroinitializer)"
        lines += [call, f"  store {vector} %r, {POINTER} %out"]
        return f"declare {vector} @{full}({places}, {mask}, {vector})", kernel(number, lines)
    lines += [
        f"  %v = load {vector}, {POINTER} %p1",
        f"  call void @{full}({vector} %v, {place}, {mask} %m)",
    ]
    return f"declare void @{full}({vector}, {places}, {mask})", kernel(number, lines)


def kernel(number: int, lines: list[str]) -> str:
    parameters = ", ".join(f"{POINTER} %{name}" for name in ("p0", "p1", "p2", "out"))
    body = "\n".join([*lines, "  ret void"])
    return f"define ptx_kernel void @k{number}({parameters}) {{\n{body}\n}}"


def module() -> str:
    """A kernel for each entry of the table, each instruction and conversion, scalar and vector."""
    declarations, functions = [], []
    for name, types in SELECTABLE.items():
        make = of_memory if name.startswith("masked.") else of_function
        for type in filter(None, types):
            for lanes in (1, 2, 4, 16)[make is of_memory :]:
                declaration, function = make(len(functions), name, type, lanes)
                declarations.append(declaration)
                functions.append(function)
    for type in TYPES:
        for name in FLOAT_INSTRUCTIONS if type[0] == "f" else INSTRUCTIONS:
            for lanes in (1, 2, 4, 16):
                functions.append(of_instruction(len(functions), name, type, lanes))
        for target in TYPES:
            for lanes in (1, 2, 4, 16) if target != type else ():
                functions.append(of_conversion(len(functions), type, target, lanes))
    return "\n".join([*declarations, *functions])


def translate(capability: int) -> None:
    """Prints how many entries have a translation; ends the process where one hasn't."""
    text, machine = module(), gpu_target(capability).machine()
    made = llvm_binding().parse_assembly(text)
    made.triple, made.data_layout = machine.triple, str(machine.target_data)
    made.verify()
    print(machine.emit_assembly(made).count(".entry"))


@pytest.mark.slow
@pytest.mark.parametrize("capability", [50, 75, 86, 90])
def test_all_of_the_table_has_instructions(capability: int) -> None:
    code = f"from tests.codegen.test_ptx_selectable import translate; translate({capability})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-500:]
    assert int(done.stdout) == module().count("define ptx_kernel") > 1000


@pytest.mark.slow
def test_what_is_not_in_the_table_ends_the_process() -> None:
    """The reason for the table; should this fail one day, the table may grow."""
    text = (
        "declare double @llvm.log2.f64(double)\n"
        f"define ptx_kernel void @k({POINTER} %p) {{\n  %v = load double, {POINTER} %p\n"
        f"  %r = call double @llvm.log2.f64(double %v)\n  store double %r, {POINTER} %p\n"
        "  ret void\n}\n"
    )
    code = (
        "from compiler.codegen.ptx.capabilities import gpu_target\n"
        "from compiler.codegen.target import llvm_binding\n"
        "machine = gpu_target(75).machine()\n"
        f"made = llvm_binding().parse_assembly({text!r})\n"
        "made.triple, made.data_layout = machine.triple, str(machine.target_data)\n"
        "machine.emit_assembly(made)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, text=True
    )
    assert done.returncode != 0
    assert "no libcall available" in done.stderr or "Cannot select" in done.stderr


def test_names_are_taken_apart() -> None:
    assert split_name("llvm.smax.v4i8") == ("smax", "i8")
    assert split_name("llvm.uadd.sat.i64") == ("uadd.sat", "i64")
    assert split_name("llvm.masked.gather.v4f32.v4p1") == ("masked.gather", "f32")
    assert split_name("llvm.nvvm.read.ptx.sreg.tid.x") == ("nvvm.read.ptx.sreg.tid.x", "")
    assert split_name("llvm.memcpy.p1.p1.i64") == ("memcpy", "i64")
    assert split_name("sinf") == ("sinf", "")


@pytest.mark.parametrize(
    "name",
    ["llvm.sin.f32", "llvm.exp2.f64", "llvm.pow.f32", "llvm.smax.i128", "llvm.fma.bf16", "sinf",
     "llvm.x86.avx512.vpermi2var.qi.512", "lift_allocate"],
)  # fmt: skip
def test_nothing_else_passes(name: str) -> None:
    with pytest.raises(HalideError, match=name):
        check_selectable([name])


def test_a_module_says_what_it_declares() -> None:
    made = ModuleBuilder("m", gpu_target(75))
    made.declare("llvm.smax.i32", "i32", "i32, i32")
    made.declare("sinf", "float", "float", "nounwind")
    made.add_global("@x = global i32 0")
    assert made.declared == ["llvm.smax.i32", "sinf"]
