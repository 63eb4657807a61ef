"""`Callable`: a compiled pipeline that is called with its arguments."""

from __future__ import annotations

from collections.abc import Callable as AnyCallable
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ir.stmts import LoweredFunction
from ..lang.buffer import Buffer
from ..lang.device_arrays import is_on_device
from ..lang.errors import fail
from .bounds_query import answer, asks_for_bounds

_PASSED = (Buffer, np.ndarray, int, float)


class Callable:
    """Machine code in this process: `run(inputs..., outputs...)`, by position or by name.

    Scalars are Python numbers; buffers are `Buffer`s, numpy arrays, objects with the buffer
    protocol or arrays of other packages on a device, without copies. Raises `HalideError` for
    arguments that do not fit and for checks of the pipeline that fail. Where a Buffer is a bounds
    query nothing is computed: each such Buffer gets the region that the call would touch.
    """

    def __init__(
        self,
        run: AnyCallable[..., Any],
        fn: LoweredFunction,
        names: Sequence[str],
        constants: Sequence[Any],
    ) -> None:
        """`run`, the code of `fn`, takes a value for each name, after the `constants`."""
        self._run, self._fn = run, fn
        self._names, self._constants = tuple(names), tuple(constants)

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        if len(args) != len(self._names) or kwargs:
            args = self._by_name(args, kwargs)
        made: list[Buffer] = []
        values = [a if isinstance(a, _PASSED) else _buffer(a, made) for a in args]
        if asks_for_bounds(values):
            answer(self._fn, [*self._constants, *values])
            return
        try:
            self._run(*self._constants, *values)
            for buffer in made:
                buffer.copy_to_host()
        except (RuntimeError, TypeError, ValueError) as error:
            fail(str(error))

    def _by_name(self, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        if len(args) > len(self._names):
            fail(f"Expected at most {len(self._names)} positional arguments, but saw {len(args)}.")
        given = dict(zip(self._names, args, strict=False))
        for name, value in kwargs.items():
            if name not in self._names:
                fail(f"Unknown argument '{name}' specified via keyword.")
            if name in given:
                fail(f"Argument {name} specified multiple times.")
            given[name] = value
        for name in self._names:
            if name not in given:
                fail(f"Argument {name} was not specified by either positional or keyword argument.")
        return tuple(given[name] for name in self._names)


def _buffer(value: Any, made: list[Buffer]) -> Any:
    """`value` as something that code takes: a numpy number, or an object with the protocol.

    Buffers that nobody else knows, whose results have to come to the host, go to `made`.
    """
    if isinstance(value, np.generic):
        return value.item()
    if is_on_device(value):
        return Buffer(value)
    try:
        memoryview(value)
    except TypeError:
        fail(f"Object of type '{type(value).__name__}' is not an instance of 'buffer'")
    made.append(Buffer(value))
    return made[-1]
