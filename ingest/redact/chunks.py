"""Split a stream at line ends, so that no name is cut in two."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PIECE_BYTES = 4 << 20
KEY_BYTES = 64 << 10
"""Maximum distance back to the start of a private key that a piece must not cut."""

_KEY_BEGINS, _KEY_ENDS = b"-----BEGIN ", b"-----END "


def whole_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the same bytes in pieces of about `PIECE_BYTES`, each but the last ending with a line."""
    pieces: list[bytes] = []
    size = 0
    for chunk in chunks:
        pieces.append(chunk)
        size += len(chunk)
        if size < PIECE_BYTES or b"\n" not in chunk:
            continue
        text = b"".join(pieces)
        cut = _cut(text)
        if cut:
            yield text[:cut]
        pieces, size = [text[cut:]], len(text) - cut
    rest = b"".join(pieces)
    if rest:
        yield rest


def _cut(text: bytes) -> int:
    """Return the cut position: after a line, and before an unfinished private key."""
    cut = text.rfind(b"\n") + 1
    begins = text.rfind(_KEY_BEGINS, max(0, cut - KEY_BYTES), cut)
    if begins >= 0 and text.find(_KEY_ENDS, begins, cut) < 0:
        return text.rfind(b"\n", 0, begins) + 1
    return cut
