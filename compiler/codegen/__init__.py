"""Loop-nest IR to machine code: in this process, or as files that C programs link."""

from .buffers import BufferArgument
from .errors import CodegenError, CompilerRuntimeError, LinkError, TargetError
from .jit import CompiledFunction, compile_in_process
from .target import Target
