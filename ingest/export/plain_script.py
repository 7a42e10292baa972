r"""Folded stacks of a file that is one plain perf script, without the modules that other evidence takes.

    folded("perf.txt")  ->  b"arrow-read-23;start_thread;walk_file_pages 3\n…"
    folded("paste.txt")  ->  None: read it as any evidence

Recognising evidence takes all readers, and numbers of profiles take numpy: half a second before the first
byte. A file that begins with a sample, and of which no line is foreign to perf script, needs neither. What is
returned is what `ingest.export.folded` makes of the same file.
"""

from __future__ import annotations

import re
import stat
from array import array
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.export.folded_names import unbroken
from ingest.model.limits import DEFAULT
from ingest.native import _core

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_BYTES = 1 << 30
"""Of a longer file the progress is shown."""

_PIECE_BYTES = 8 << 20
_HEAD_BYTES = 64 << 10
_HEADER = re.compile(rb"(?:# =+\n(?:#[^\n]*\n)*# =+\n(?:#[^\n]*\n)*)?\n*")
_SAMPLE = re.compile(
    rb"[ \t]*[^ \t\n][^\n]{0,60}?[ \t]\d{1,10}(?:/\d{1,10})?(?: {1,9}\[\d{1,5}\])? {1,9}\d{1,10}\.\d{6,9}:"
    rb" {1,20}(?:\d{1,20} {1,20})?[A-Za-z_][\w:/.=,-]{0,99}: ?\n"
    rb"[ \t]{1,20}[0-9a-f]{1,16} [^\n]{1,4096}\)\n"
)
_NOTES = (b"<--", b"<==")
"""What people type behind lines, which a reader takes away."""


def folded(path: str) -> bytes | None:
    """Return the folded stacks, weighed by samples; None for a file that is not one script of one event."""
    parser = _core.PerfScript(1, DEFAULT.line_bytes, 0)
    try:
        status = Path(path).stat()
        if not stat.S_ISREG(status.st_mode) or not 0 < status.st_size <= MOST_BYTES:
            return None
        for number, piece in enumerate(_pieces(path)):
            if (not number and not _is_plain(piece)) or b"\r" in piece or b"\x00" in piece:
                return None
            if _core.foreign_to_perf_script(piece, 1):
                return None
            parser.feed(piece)
        profiles = parser.finish()["profiles"]
    except (_core.LineTooLongError, OSError):
        return None
    return _folded(profiles[0]) if len(profiles) == 1 and profiles[0]["sample_node"] else None


def _is_plain(text: bytes) -> bool:
    """Return whether a text begins with a sample and its stack, and nobody typed into it."""
    head = text[:_HEAD_BYTES]
    found = _HEADER.match(head)
    is_sample = _SAMPLE.match(head, found.end() if found else 0)
    return bool(is_sample) and head.isascii() and not any(note in head for note in _NOTES)


def _pieces(path: str) -> Iterator[bytes]:
    """Yield the text in pieces that end behind a sample, or at least behind a line."""
    with Path(path).open("rb") as text:
        rest = b""
        while piece := text.read(_PIECE_BYTES):
            piece = rest + piece
            blank = piece.rfind(b"\n\n", max(0, len(piece) - _HEAD_BYTES))
            end = (blank if blank >= 0 else piece.rfind(b"\n")) + 1
            rest = piece[end:]
            if end:
                yield piece[:end]
        if rest:
            yield rest


def _folded(raw: _core.RawProfile) -> bytes | None:
    """Return one profile folded; None where names of stacks and of threads may be the same."""
    numbers: dict[str, int] = {}
    of_thread = []
    functions = {name for name, _, _ in raw["frames"]}
    for comm, _, tid in raw["threads"]:
        if tid < 0 and comm in functions:
            return None
        name = unbroken(comm)
        of_thread.append(numbers.setdefault(name, len(numbers)) if name else -1)
    threads = array("i")
    threads.frombytes(raw["sample_thread"])
    return _core.fold(
        raw["node_parent"],
        raw["node_frame"],
        [unbroken(name) for name, _, _ in raw["frames"]],
        list(numbers),
        raw["sample_node"],
        array("i", map(of_thread.__getitem__, threads)).tobytes(),
        array("d", [1.0]).tobytes() * len(threads),
    )
