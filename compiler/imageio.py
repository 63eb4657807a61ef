"""Images in files as arrays of planes: `imread`, `imwrite`, and the two layouts of colours.

A `Buffer` of an array has its axes reversed: planes (c, y, x) become the dimensions x, y, c.
Reading and writing is the `imageio` package's, which is imported when it is first needed.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def _view(im: Any) -> Any:
    return im if isinstance(im, np.ndarray) else np.asarray(im)


def is_interleaved(im: Any) -> bool:
    """Whether an array looks like rows of pixels: three axes, the last of at most 4 colours that
    lie next to each other in memory."""
    view = memoryview(im)
    if view.ndim != 3 or view.strides is None or view.shape is None:
        return False
    return view.strides[2] == view.itemsize and view.shape[2] in (1, 2, 3, 4)


def copy_to_interleaved(im: Any) -> Any:
    """Planes (c, y, x) as rows of pixels (y, x, c); anything else as it is."""
    array = _view(im)
    if array.ndim != 3 or is_interleaved(im):
        return im
    return np.ascontiguousarray(np.moveaxis(array, 0, 2))


def copy_to_planar(im: Any) -> Any:
    """Rows of pixels (y, x, c) as planes (c, y, x); anything else as it is."""
    if not is_interleaved(im):
        return im
    return np.ascontiguousarray(np.moveaxis(_view(im), 2, 0))


def imread(uri: Any, format: Any = None, **options: Any) -> Any:
    """The image in a file; colours as planes."""
    return copy_to_planar(np.asarray(_imageio().imread(uri, format, **options)))


def imwrite(uri: Any, im: Any, format: Any = None, **options: Any) -> None:
    """Writes an image to a file; planes as rows of pixels."""
    _imageio().imwrite(uri, np.asarray(copy_to_interleaved(im)), format, **options)


def _imageio() -> Any:
    try:
        import imageio.v2 as package
    except ImportError:
        raise ImportError(
            "Reading and writing images needs the package imageio: pip install imageio"
        ) from None
    return package
