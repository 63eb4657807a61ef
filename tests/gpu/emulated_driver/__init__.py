"""A CUDA driver without a GPU, for tests of what calls one: `with emulated_driver() as driver:`."""

from .driver import Allocation, Call, Driver, Runs, emulated_driver
from .library import built, compile_library

__all__ = ["Allocation", "Call", "Driver", "Runs", "built", "compile_library", "emulated_driver"]
