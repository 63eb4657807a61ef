"""A machine for PTX in numpy, and its tests."""
