"""`lift doctor`: versions, CPU features, what is missing and what it is needed for."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from ..settings.options import available_cores
from ..show.visible import visible_line

_VECTOR_FEATURES = (
    "sse2", "ssse3", "sse4_1", "avx", "f16c", "fma", "avx2", "avx512f", "avx512bw", "avx512vl",
    "avx512vnni", "asimd", "asimddp",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report; without a `missing` part nothing works, without an `absent` one
    all but what it is `needed_for`."""

    name: str
    state: Literal["ok", "absent", "missing"]
    text: str
    needed_for: str


def examine() -> Iterator[Check]:
    """Everything that lift works with, in the order in which a run needs it."""
    yield _python()
    yield _package("libclang", "reading C++", _load_libclang, required=True)
    yield _headers()
    yield _host_headers()
    yield _package("networkx", "the graph of stages", None, required=True)
    yield _package("z3-solver", "proofs", _load_z3, required=True)
    yield _package("numpy", "complete enumeration and checks", None, required=True)
    yield _package("llvmlite", "machine code", _load_llvm, required=True)
    yield _package("click", "the command line", None, required=True)
    yield _package("rich", "the progress bar", None, required=True)
    yield _package("jinja2", "the page of lift report", None, required=True)
    yield Check("processor", "ok", _processor(), "machine code for `host`")
    yield Check("threads", "ok", _threads(), "-j and the lifted code's thread pool")
    yield device()
    yield _tool(("ld", "ld.lld", "gcc", "cc"), "linker", "lift build: lib<function>.so")
    yield _tool(("g++", "clang++", "c++"), "C++ compiler", "lift bench: timing the original")
    yield _package("distributed", "lift --cluster", None, required=False)
    yield _package("cvc5", "lift verify --recheck --solver cvc5", None, required=False)
    yield _configuration()
    yield _package("halide", "the tests: a second opinion on emitted programs", None, False)


def _python() -> Check:
    return Check(
        "python",
        "ok" if sys.version_info >= (3, 11) else "missing",
        f"{platform.python_version()} ({sys.executable})",
        "everything; 3.11 or newer",
    )


def _package(name: str, needed_for: str, load: Callable[[], str] | None, required: bool) -> Check:
    bad: Literal["absent", "missing"] = "missing" if required else "absent"
    try:
        text = version(name)
    except PackageNotFoundError:
        return Check(name, bad, f"not installed: python -m pip install {name}", needed_for)
    try:
        detail = load() if load else ""
    except Exception as error:  # a broken library may raise anything
        return Check(name, bad, f"{text}, but it doesn't load: {error}", needed_for)
    return Check(name, "ok", f"{text} {detail}".strip(), needed_for)


def _load_libclang() -> str:
    from clang.cindex import Index

    Index.create()
    return ""


def _load_z3() -> str:
    import z3

    solver = z3.Solver()
    solver.add(z3.Int("x") > 0)
    if str(solver.check()) != "sat":
        raise RuntimeError("it can't satisfy x > 0")
    return ""


def _load_llvm() -> str:
    from llvmlite import binding

    return f"(LLVM {'.'.join(map(str, binding.llvm_version_info))})"


def _headers() -> Check:
    """The parser reads C++ with the headers that it ships: it needs none of the machine's."""
    folder = Path(__file__).parents[1] / "parse" / "include"
    count = len(list(folder.rglob("*"))) if folder.is_dir() else 0
    needed_for = "C++ that includes anything"
    if not count:
        return Check("headers", "missing", f"{folder} is empty: install lift again", needed_for)
    return Check("headers", "ok", f"lift's own minimal ones, {count} files in {folder}", needed_for)


def _host_headers() -> Check:
    """Of what is installed on the machine, beside the standard library."""
    from ..parse.host_headers import host_headers  # which loads nothing itself, but its room does

    found, needed_for = host_headers(), "sources that include other libraries' headers without -I"
    if found is None:
        return Check("host headers", "absent", "no C compiler on PATH says where", needed_for)
    folders = ", ".join(found.folders) or "none"
    return Check(
        "host headers", "ok", f"behind lift's own: {folders} ({found.compiler})", needed_for
    )


def _processor() -> str:
    name, flags = platform.machine(), set[str]()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as info:
            for line in info:
                key, _, value = line.partition(":")
                if key.strip() == "model name":
                    name = f"{platform.machine()}, {value.strip()}"
                elif key.strip() in ("flags", "Features"):
                    flags.update(value.split())
    except OSError:
        return name
    features = [f for f in _VECTOR_FEATURES if f in flags]
    return f"{name}; {' '.join(features)}"


def _threads() -> str:
    setting = os.environ.get("LIFT_NUM_THREADS")
    text = f"{available_cores()} cores"
    return f"{text}, LIFT_NUM_THREADS={setting}" if setting else text


def device() -> Check:
    """Of the GPU, and its driver."""
    from compiler.codegen.errors import CompilerRuntimeError
    from compiler.runtime.device import describe

    needed_for = "running what lift build --target cuda makes, lift bench --target cuda"
    try:
        version, capability, name = describe()
    except CompilerRuntimeError as error:
        return Check("GPU", "absent", str(error), needed_for)
    driver = f"the driver is of CUDA {version // 1000}.{version % 1000 // 10}"
    return Check("GPU", "ok", f"{name}, sm_{capability}; {driver}", needed_for)


def _configuration() -> Check:
    """The project's file, whatever it is like; `lift --show-config` lists what it says."""
    from ..command_line import COMMANDS
    from ..model.diagnostic import LiftError
    from ..settings.configuration import load_configuration

    needed_for = "all commands but this one: correct the file"
    try:
        found = load_configuration(Path.cwd(), COMMANDS)
    except LiftError as error:
        return Check("settings", "missing", str(error), needed_for)
    if found is None:
        return Check("settings", "ok", "no lift.toml and no [tool.lift] in force", needed_for)
    count = sum(map(len, found.settings.values())) + bool(found.clang_arguments)
    text = f"{count} in {os.path.relpath(found.file)} (lift --show-config lists them)"
    return Check("settings", "ok", visible_line(text), needed_for)


def _tool(names: tuple[str, ...], title: str, needed_for: str) -> Check:
    for name in names:
        path = shutil.which(name)
        if path:
            return Check(title, "ok", f"{path}: {_first_line(path)}", needed_for)
    return Check(title, "absent", f"none of {', '.join(names)} is on PATH", needed_for)


def _first_line(path: str) -> str:
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    lines = done.stdout.splitlines()
    return lines[0] if lines else ""
