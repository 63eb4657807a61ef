"""What the library and Python hand one another, as libcuda.c declares it."""

from __future__ import annotations

import ctypes


class EmulatedLaunch(ctypes.Structure):
    """One launch: `image` is the module's text, `parameters[i]` points to `sizes[i]` bytes."""

    _fields_ = (
        ("image", ctypes.c_char_p),
        ("entry", ctypes.c_char_p),
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("count", ctypes.c_uint),
        ("sizes", ctypes.POINTER(ctypes.c_uint)),
        ("parameters", ctypes.POINTER(ctypes.c_void_p)),
        ("context", ctypes.c_uint64),
    )

    def parameter(self, number: int) -> bytes:
        """The bytes of a parameter."""
        return ctypes.string_at(self.parameters[number], self.sizes[number])


class EmulatedMemory(ctypes.Structure):
    """A memory of a device, and for each byte whether it was written."""

    _fields_ = (
        ("address", ctypes.c_uint64),
        ("size", ctypes.c_uint64),
        ("known", ctypes.c_void_p),
    )


INTERPRETER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(EmulatedLaunch))
KERNEL = ctypes.CFUNCTYPE(
    None,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_uint),
    ctypes.POINTER(ctypes.c_uint),
    ctypes.c_uint,
)
