"""Lines that redaction changed."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


def changed_lines(original: Iterable[bytes], redacted: Path) -> int:
    """Return the number of lines of the redacted text that differ from the original."""
    with redacted.open("rb") as stream:
        return sum(1 for _ in changes(original, stream))


def changes(original: Iterable[bytes], redacted: Iterable[bytes]) -> Iterator[tuple[int, str, str]]:
    """Yield the differing lines: number, before, after."""
    for number, (before, after) in enumerate(
        zip_longest(split(original), split(redacted), fillvalue=b""), start=1
    ):
        if before != after:
            yield number, before.decode("utf-8", "replace"), after.decode("utf-8", "replace")


def split(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of a chunked text without line endings."""
    rest = b""
    for chunk in chunks:
        *whole_lines, rest = (rest + chunk).split(b"\n")
        yield from whole_lines
    if rest:
        yield rest
