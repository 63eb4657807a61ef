"""Images in files: `imread` and `imwrite` of the package `imageio`, with planar images here.

Files hold the channels of a pixel next to each other (y, x, c); pipelines mostly want planes, which
as a `Buffer` have the coordinates x, y, c.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def is_interleaved(im: Any) -> bool:
    """Whether `im` has three axes and its last, of at most 4 elements, is dense in memory."""
    array = np.asarray(im)
    return array.ndim == 3 and array.strides[2] == array.itemsize and array.shape[2] <= 4


def copy_to_interleaved(im: Any) -> Array:
    """An image of planes (c, y, x) as pixels (y, x, c), a copy; any other image as it is."""
    array = np.asarray(im)
    if array.ndim == 3 and not is_interleaved(array):
        return np.ascontiguousarray(np.moveaxis(array, 0, 2))
    return array


def copy_to_planar(im: Any) -> Array:
    """An image of pixels (y, x, c) as planes (c, y, x), a copy; any other image as it is."""
    array = np.asarray(im)
    if is_interleaved(array):
        return np.ascontiguousarray(np.moveaxis(array, 2, 0))
    return array


def imread(uri: Any, format: Any = None, **kwargs: Any) -> Array:
    """The image in a file; one with channels as planes (c, y, x).

    Raises `ImportError` where the package `imageio` isn't installed.
    """
    return copy_to_planar(_files().imread(uri, format, **kwargs))


def imwrite(uri: Any, im: Any, format: Any = None, **kwargs: Any) -> None:
    """Writes an image, or a `Buffer`, to a file; planes (c, y, x) as pixels.

    Raises `ImportError` where the package `imageio` isn't installed.
    """
    _files().imwrite(uri, copy_to_interleaved(im), format, **kwargs)


def _files() -> Any:
    try:
        import imageio.v2 as files
    except ImportError:
        raise ImportError("reading and writing images needs the package imageio") from None
    return files
