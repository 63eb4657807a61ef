"""Loop-nest IR to machine code: in this process, or as files that C programs link."""

from .buffers import BufferArgument
from .entry import BufferBinding, Entry, EntryParam, row_stride
from .errors import CodegenError, CompilerRuntimeError, LinkError, TargetError
from .header import header_text, pipeline_header_text
from .library import BuiltLibrary, EmitKind, build_library, emit
from .target import Target

__all__ = [
    "BufferArgument",
    "BufferBinding",
    "BuiltLibrary",
    "CodegenError",
    "CompilerRuntimeError",
    "EmitKind",
    "Entry",
    "EntryParam",
    "LinkError",
    "Target",
    "TargetError",
    "build_library",
    "emit",
    "header_text",
    "pipeline_header_text",
    "row_stride",
]
