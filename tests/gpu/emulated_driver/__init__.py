"""A CUDA driver without a GPU, for tests of what calls one: `with emulated_driver() as driver:`."""

from .driver import Allocation, Call, Driver, Ran, Runs, emulated_driver
from .library import FOLDER, built, compile_library

__all__ = [
    "FOLDER",
    "Allocation",
    "Call",
    "Driver",
    "Ran",
    "Runs",
    "built",
    "compile_library",
    "emulated_driver",
]
