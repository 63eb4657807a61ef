"""A worker's whole share of one function: lift it, tell its places, and pack what the store keeps.

All that could be done when the result has arrived is done here instead: there are many workers and
one driver.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..model.record import Record
from .localize import localized
from .one_function import Lifted, lift_one

if TYPE_CHECKING:
    from ..synth import GrammarText
    from .one_file import Prepared

_LEVEL = 3


@dataclass(frozen=True, slots=True)
class Told:
    """One function's result as its source has it, and packed as every source of its meaning can."""

    here: Lifted
    packed: bytes


def lift_prepared(
    prepared: Prepared, grammars: tuple[GrammarText, ...], timeout: float, parse_seconds: float
) -> Told:
    """Lifts a kernel in its canonical form; arguments as `lift_one` has them."""
    return told(lift_one(prepared.kernel, grammars, timeout, parse_seconds), prepared)


def told(lifted: Lifted, prepared: Prepared) -> Told:
    """A canonical result for the source that it was asked for."""
    return Told(localized(lifted, prepared.places, prepared.facts), packed(lifted))


def packed(lifted: Lifted) -> bytes:
    """A form that `unpacked` gives back, on any machine."""
    found = {"record": lifted.record.to_json(), "texts": lifted.texts}
    return zlib.compress(json.dumps(found).encode(), _LEVEL)


def unpacked(content: bytes) -> Lifted | None:
    """What was packed; None when that can't be read."""
    try:
        found = json.loads(zlib.decompress(content))
        return Lifted(Record.from_json(found["record"]), dict(found["texts"]))
    except (zlib.error, ValueError, KeyError, TypeError):
        return None
