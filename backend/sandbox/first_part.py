"""The first part of an incomplete perf script, plain or compressed, as text up to the end of a sample.

Runs inside the sandbox, before reading; the part is read in place of the received bytes.
"""

from __future__ import annotations

from contextlib import suppress
from typing import IO, TYPE_CHECKING

from ingest.containers import decompression
from ingest.model.errors import IngestError
from ingest.model.limits import DEFAULT

if TYPE_CHECKING:
    from pathlib import Path

BETWEEN_SAMPLES = b"\n\n"


def write_first_part(stream: IO[bytes], target: Path, size_bytes: int) -> None:
    """Write about `size_bytes` of the text of `stream` to `target`; nothing when no sample ends there.

    Received bytes end anywhere: what a compressed stream gives before its end is the text.
    """
    end = at = 0
    with target.open("wb") as part, suppress(IngestError):
        for chunk in decompression.decoded(decompression.Stored(stream, is_named=False), DEFAULT):
            piece = chunk[: size_bytes - at]
            part.write(piece)
            found = piece.rfind(BETWEEN_SAMPLES)
            end = at + found + len(BETWEEN_SAMPLES) if found >= 0 else end
            at += len(piece)
            if at >= size_bytes:
                break
    with target.open("r+b") as part:
        part.truncate(end)
