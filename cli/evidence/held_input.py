"""Standard input that is read twice: by the fast way, and by the other if that one refuses it."""

from __future__ import annotations

from collections import deque
from typing import IO, TYPE_CHECKING, cast

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

STANDARD_INPUT = "-"
MOST_HELD_BYTES = 256 << 20
"""Longer input can be read once."""

CHUNK_BYTES = 1 << 20


class HeldInput:
    """A stream whose beginning is held while it is short."""

    def __init__(self, stream: IO[bytes]) -> None:
        """Read `stream` from its position."""
        self._stream = stream
        self._held: deque[bytes] = deque()
        self._size = 0
        self._start = stream.tell() if stream.seekable() else None

    def chunks(self) -> Iterator[bytes]:
        """Yield what there is, as it comes."""
        read = getattr(self._stream, "read1", self._stream.read)
        while chunk := read(CHUNK_BYTES):
            self._size += len(chunk)
            if self._start is None and self._size <= MOST_HELD_BYTES:
                self._held.append(chunk)
            else:
                self._held.clear()
            yield chunk

    def again(self) -> IO[bytes]:
        """Return the stream from its beginning.

        Raises:
            UsageError: It is no longer there.
        """
        if self._start is not None:
            self._stream.seek(self._start)
        elif self._size > MOST_HELD_BYTES:
            raise click.UsageError(
                f"standard input holds more than one perf script, and at {self._size:,} bytes it is too long "
                "to be read again: write it to a file, and fold that"
            )
        return cast("IO[bytes]", self)

    def read(self, size: int) -> bytes:
        """Return what is held, chunk by chunk, and then up to `size` bytes of the rest."""
        return self._held.popleft() if self._held else self._stream.read(size)
