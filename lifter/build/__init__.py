"""Lifted programs to objects, headers and libraries, with the memory accesses of the original."""
