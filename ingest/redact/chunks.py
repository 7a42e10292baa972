"""Text in pieces that end where a line ends, so that no name is cut in two."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PIECE_BYTES = 4 << 20
KEY_BYTES = 64 << 10
"""So far back a private key may begin that a piece must not cut."""

_KEY_BEGINS, _KEY_ENDS = b"-----BEGIN ", b"-----END "


def whole_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the same bytes in pieces of about `PIECE_BYTES`, each but the last ending with a line."""
    held: list[bytes] = []
    size = 0
    for chunk in chunks:
        held.append(chunk)
        size += len(chunk)
        if size < PIECE_BYTES:
            continue
        text = b"".join(held)
        cut = _cut(text)
        if cut:
            yield text[:cut]
        held, size = [text[cut:]], len(text) - cut
    rest = b"".join(held)
    if rest:
        yield rest


def _cut(text: bytes) -> int:
    """Return where `text` may be cut: behind a line, and before a private key that has not ended."""
    cut = text.rfind(b"\n") + 1
    begins = text.rfind(_KEY_BEGINS, max(0, cut - KEY_BYTES), cut)
    if begins >= 0 and text.find(_KEY_ENDS, begins, cut) < 0:
        return text.rfind(b"\n", 0, begins) + 1
    return cut
