"""Bugs planted in the front end, each of which the matrix or a concrete run finds."""
