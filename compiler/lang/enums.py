"""Enumerations of the real package that programs pass around; the numbers are its own."""

from __future__ import annotations

import enum
from typing import Any


class NamedNumber(enum.Enum):
    """A name with a number, which `int()` gives."""

    def __int__(self) -> int:
        return int(self.value)


def enumeration(name: str, members: dict[str, int]) -> Any:
    """An enumeration whose members are no Python names, or come from a table."""
    return NamedNumber(name, members)  # type: ignore[call-arg]


class MemoryType(NamedNumber):
    """Which memory holds a stage."""

    Auto = 0
    Heap = 1
    Stack = 2
    Register = 3
    GPUShared = 4
    GPUTexture = 5
    LockedCache = 6
    VTCM = 7
    GPUSharedAsync = 8


DeviceAPI = enumeration(
    "DeviceAPI",
    {
        "None": 0, "Host": 1, "Default_GPU": 2, "CUDA": 3, "OpenCL": 4, "Metal": 5, "Hexagon": 6,
        "Vulkan": 9,
    },
)  # fmt: skip


class NameMangling(NamedNumber):
    """How a function's name appears in an object file."""

    Default = 0
    C = 1
    CPlusPlus = 2


class StmtOutputFormat(NamedNumber):
    """What `compile_to_lowered_stmt` writes."""

    Text = 0
    HTML = 1


class LinkageType(NamedNumber):
    """Who may call a function of a module."""

    External = 0
    ExternalPlusMetadata = 1
    ExternalPlusArgv = 2
    Internal = 3


class OutputFileType(NamedNumber):
    """The files that a module is compiled to."""

    assembly = 0
    bitcode = 1
    c_header = 2
    c_source = 3
    compiler_log = 4
    cpp_stub = 5
    featurization = 6
    function_info_header = 7
    hlpipe = 8
    llvm_assembly = 9
    object = 10
    python_extension = 11
    pytorch_wrapper = 12
    registration = 13
    schedule = 14
    static_library = 15
    stmt = 16
    conceptual_stmt = 17
    stmt_html = 18
    conceptual_stmt_html = 19
    device_code = 20


class ArgumentKind(NamedNumber):
    """What an `Argument` is."""

    InputScalar = 0
    InputBuffer = 1
    OutputBuffer = 2


class ArgInfoKind(NamedNumber):
    """What an input or output of a `Generator` is."""

    Scalar = 0
    Function = 1
    Buffer = 2


class ArgInfoDirection(NamedNumber):
    """Whether a `Generator` reads or writes it."""

    Input = 0
    Output = 1
