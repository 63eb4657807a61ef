"""`lift cc`: compiles a source as its compiler would, with lifted code in place of its kernels."""

from .compiler_call import CompilerCall, read_call
from .outcome import Switching
from .switch import compile_switched

__all__ = ["CompilerCall", "Switching", "compile_switched", "read_call"]
