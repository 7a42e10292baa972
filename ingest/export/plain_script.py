r"""Folded stacks of input that is one plain perf script, without the modules that other evidence takes.

    counted_file("perf.txt")  ->  FoldedScript(events=["cpu-clock"])
    counted_file("paste.txt")  ->  None: read it as any evidence

Recognising evidence takes all readers, and numbers of profiles take numpy. Text that begins with a sample,
and of which no line is foreign to perf script, needs neither. What is written is what `ingest.export.folded`
makes of the same text.
"""

from __future__ import annotations

import re
import stat
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.model.errors import IngestError
from ingest.model.limits import DEFAULT
from ingest.native import _core

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_HEAD_BYTES = 64 << 10
_HEADER = r"(?:# =+\n(?:#(?! =+\n)[^\n]*\n)*+# =+\n(?:#[^\n]*\n)*+)?+\n*"
_THREAD = r"[ \t]*[^ \t\n][^\n]{0,60}?[ \t]\d{1,10}(?:/\d{1,10})?"
_TIME = r" {1,9}\d{1,10}\.\d{6,9}:"
_EVENT = r" {1,20}(?:\d{1,20} {1,20})?\w[\w:/.=,-]{0,99}: ?\n"
_CPU = r" {1,9}\[\d{1,5}\]"
_PLAIN = re.compile(
    rf"{_HEADER}(?:{_THREAD}{_CPU}{_TIME}{_EVENT}\n){{0,200}}"
    rf"{_THREAD}(?:{_CPU})?{_TIME}{_EVENT}"
    r"[ \t]{1,20}[0-9a-f]{1,16} [^\n]{1,4096}\)\n".encode(),
    re.ASCII,
)
_NOTES = (b"<--", b"<==")
"""What people type behind lines, which a reader takes away."""

_MAGICS = (b"\x1f\x8b", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"BZh", b"\x04\x22\x4d\x18")


def counted_file(
    path: str, on_progress: Callable[[int], None] | None = None, *, read_bytes: int | None = None
) -> _core.FoldedScript | None:
    """Count the stacks of a file, maybe compressed; None for a file that is not one script.

    Args:
        path: The file.
        on_progress: Hears how many stored bytes were read.
        read_bytes: How much is read at once.
    """
    try:
        status = Path(path).stat()
        if not stat.S_ISREG(status.st_mode) or not status.st_size:
            return None
        with Path(path).open("rb") as stream:
            head = stream.read(_HEAD_BYTES)
            if head.startswith(_MAGICS):
                from ingest.containers import decompression  # noqa: PLC0415 - only compressed files need it

                stream.seek(0)
                stored = decompression.Stored(stream, on_progress, is_named=False)
                return counted(decompression.decoded(stored, DEFAULT))
        return (
            _core.fold_script(path, 0, DEFAULT.line_bytes, read_bytes, on_progress)
            if _is_plain(head)
            else None
        )
    except (IngestError, OSError):
        return None


def counted(chunks: Iterable[bytes], *, read_bytes: int | None = None) -> _core.FoldedScript | None:
    """Count the stacks of a text in chunks; None, before all are taken, for a text that is not one script."""
    chunks = iter(chunks)
    first = _taken(chunks, _HEAD_BYTES)
    if not _is_plain(b"".join(first)[:_HEAD_BYTES]):
        return None
    counter = _core.ScriptCounter(0, DEFAULT.line_bytes, read_bytes)
    if all(counter.feed(chunk) for chunk in chain(first, chunks)):
        return counter.finish()
    counter.finish()
    return None


def _taken(chunks: Iterator[bytes], size: int) -> list[bytes]:
    taken: list[bytes] = []
    while sum(map(len, taken)) < size and (chunk := next(chunks, b"")):
        taken.append(chunk)
    return taken


def _is_plain(text: bytes) -> bool:
    """Return whether a text begins with a sample and its stack, and nobody typed into it."""
    head = text.replace(b"\r\n", b"\n")
    return bool(_PLAIN.match(head)) and head.isascii() and not any(note in head for note in _NOTES)
