"""Memories of bytes that know what was written, by whom, and since which barrier."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from .text import IllegalAddress, PtxError

NOBODY = -1


@dataclass(frozen=True)
class Access:
    """One instruction's access by several lanes."""

    places: np.ndarray
    """The first byte of each, in the piece of memory that its block has, or in all of it."""
    size: int
    lanes: np.ndarray
    blocks: np.ndarray
    epochs: np.ndarray
    """How many barriers the lane's block has passed."""
    is_atomic: bool
    line: str

    def of(self, rows: np.ndarray) -> Access:
        """What the lanes of these rows do."""
        parts = (self.places, self.lanes, self.blocks, self.epochs)
        places, lanes, blocks, epochs = (part[rows] for part in parts)
        return Access(places, self.size, lanes, blocks, epochs, self.is_atomic, self.line)

    def part(self, bytes: slice) -> Access:
        """What each lane does to some of its bytes."""
        size = bytes.stop - bytes.start
        return replace(self, places=self.places + bytes.start, size=size)


@dataclass(frozen=True)
class Sparse:
    """A memory so large that it is there in pieces alone: each has its first element's number."""

    pieces: tuple[tuple[int, np.ndarray], ...]

    @property
    def elements(self) -> int:
        """From element 0, or the first piece if it lies before it, to the last one."""
        first, piece = self.pieces[-1]
        return first + len(piece) - min(0, self.pieces[0][0])


class Memory:
    """Bytes in which two lanes meet only across a barrier, within one block."""

    def __init__(
        self,
        name: str,
        content: np.ndarray | None,
        size: int,
        piece: int | None = None,
        of_lane: bool = False,
        known: np.ndarray | None = None,
    ) -> None:
        """What has no content is uninitialised, and where `known`, which is kept and changed, says
        so. Each block, or each lane, has a `piece` of its own, if any."""
        self.name = name
        self.piece = piece
        self.of_lane = of_lane
        self.bytes = np.full(size, 0xA5, np.uint8) if content is None else content
        self.known = np.full(size, content is not None) if known is None else known
        self.written = np.zeros(size, bool)

    @cached_property
    def _writer(self) -> _Trace:
        return _Trace(len(self.bytes))

    @cached_property
    def _reader(self) -> _Trace:
        return _Trace(len(self.bytes))

    def read(self, access: Access) -> np.ndarray:
        """The bytes of each lane, a row a lane; each must have been written."""
        return self.read_any(access, strict=True)[0]

    def read_any(self, access: Access, strict: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """The bytes of each lane, and which of them somebody has written."""
        index = self._index(access)
        if strict and not self.known[index].all():
            self._fail("reads what nobody wrote", access, ~self.known[index].all(1))
        self._meet(self._writer, index, access)
        self._reader.note(index, access)
        return self.bytes[index], self.known[index]

    def write(self, access: Access, values: np.ndarray, known: np.ndarray | None = None) -> None:
        """Writes a row of bytes for each lane; those that aren't `known` hold something."""
        index = self._index(access)
        self._meet(self._writer, index, access, values)
        self._meet(self._reader, index, access)
        self.bytes[index] = values
        same = self.bytes[index] == values
        if not same.all():
            self._fail("has a race: written by several lanes at once", access, ~same.all(1))
        self.known[index] = True if known is None else known
        self.written[index] = True
        self._writer.note(index, access)

    def leave(self, access: Access, values: np.ndarray) -> None:
        """The values come to these bytes at some later time: until then nobody knows them. Others
        may bring the same ones."""
        index = self._index(access)
        self._meet(self._reader, index, access)
        clash = self._writer.clashes(index, access) & (self.bytes[index] != values)
        if clash.any():
            self._fail("has a race: written by another lane, too", access, clash.any(1))
        self.bytes[index], self.known[index] = values, False
        self._writer.note(index, access)

    def arrive(self, access: Access, values: np.ndarray) -> None:
        """What was to come is there."""
        index = self._index(access)
        self.bytes[index], self.known[index] = values, True

    def _index(self, access: Access) -> np.ndarray:
        most = len(self.bytes) if self.piece is None else self.piece
        outside = (access.places < 0) | (access.places + access.size > most)
        if outside.any():
            self._fail("is left", access, outside, IllegalAddress)
        begins = access.places
        if self.piece is not None:
            begins = begins + (access.lanes if self.of_lane else access.blocks) * most
        return np.asarray(begins[:, None] + np.arange(access.size))

    def _meet(
        self, trace: _Trace, index: np.ndarray, access: Access, values: np.ndarray | None = None
    ) -> None:
        clash = trace.clashes(index, access)
        if values is not None:
            clash &= ~(self.known[index] & (self.bytes[index] == values))
        if clash.any():
            what = "written" if trace is self._writer else "read"
            self._fail(
                f"has a race: {what} by another lane without a barrier", access, clash.any(1)
            )

    def _fail(
        self, what: str, access: Access, rows: np.ndarray, kind: type[PtxError] = PtxError
    ) -> None:
        row = int(np.flatnonzero(rows)[0])
        place, lane = int(access.places[row]), int(access.lanes[row])
        raise kind(f"{self.name} {what}: byte {place}, lane {lane}, in {access.line}")


class _Trace:
    """Who was last at each byte; `several` where others were there since the same barrier."""

    def __init__(self, size: int) -> None:
        self.lane = np.full(size, NOBODY)
        self.block = np.full(size, NOBODY)
        self.epoch = np.full(size, NOBODY)
        self.several = np.zeros(size, bool)
        self.blocks = np.zeros(size, bool)
        """Where several blocks were there, ever."""
        self.is_atomic = np.zeros(size, bool)

    def clashes(self, index: np.ndarray, access: Access) -> np.ndarray:
        lane, block, epoch = (a[:, None] for a in (access.lanes, access.blocks, access.epochs))
        there = self.lane[index] != NOBODY
        elsewhere = (self.block[index] != block) | self.blocks[index]
        since = self.epoch[index] == epoch
        others = (self.lane[index] != lane) | self.several[index]
        clash: np.ndarray = there & (elsewhere | (since & others))
        return clash & ~(self.is_atomic[index] & access.is_atomic)

    def note(self, index: np.ndarray, access: Access) -> None:
        shape = index.shape
        lane, block, epoch = (
            np.broadcast_to(a[:, None], shape) for a in (access.lanes, access.blocks, access.epochs)
        )
        there = self.lane[index] != NOBODY
        again = there & (self.block[index] == block) & (self.epoch[index] == epoch)
        several = again & (self.several[index] | (self.lane[index] != lane))
        blocks = there & (self.blocks[index] | (self.block[index] != block))
        self.several[index], self.blocks[index] = several, blocks
        self.lane[index], self.block[index], self.epoch[index] = lane, block, epoch
        self.is_atomic[index] = access.is_atomic
        # Lanes of this very access.
        self.several[index] |= self.lane[index] != lane
        self.blocks[index] |= self.block[index] != block
