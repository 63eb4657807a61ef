"""Recursive filters in few words: `from compiler.recfilter import RecFilter, RecFilterDim`.

See compiler/frontend/recfilter.py, and docs/recursive-filters.md for the way there.
"""

from .frontend.recfilter import (
    Direction,
    RecFilter,
    RecFilterDim,
    bspline_weights,
    gaussian_weights,
    integral_image_coeff,
)

__all__ = [
    "Direction",
    "RecFilter",
    "RecFilterDim",
    "bspline_weights",
    "gaussian_weights",
    "integral_image_coeff",
]
