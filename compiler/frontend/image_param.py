"""`ImageParam`: an input image, as programs declare it."""

from __future__ import annotations

from typing import Any

from ..lang.params import InputImageParam
from ..lang.wrappers import image_in
from .func import Func


class ImageParam(InputImageParam):
    """An input image of `dimensions`; read by indexing it: `image[x, y]`."""

    def in_(self, consumers: Any = None) -> Func:
        """The stage that copies the image for one Func, for a list of them, or for all."""
        given = [consumers] if isinstance(consumers, Func) else consumers
        functions = None if given is None else [f.function for f in given]
        return Func(image_in(self, functions))
