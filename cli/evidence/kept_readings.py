"""Cases of a folder, read once: later hunts judge what was read, and open no evidence.

    incidents/
        2026-10-03 gateway/     a case of several files
        dmesg.txt               a case of one

The readings of a case are kept in a folder named by the paths, sizes and times of its files and by the
version of the readers: what changed is read again, and so is what was kept incompletely.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any

from cli.evidence.paths import read
from ingest.format_versions import version_of_format
from ingest.model import reading_folder
from ingest.readers.logs import text
from signatures.judging.scope import Item, items_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from ingest.evidence import Evidence

PLACES = "places.json"
PLACED = tuple(one.name for one in fields(Item) if one.name not in {"reading", "digest"})


@dataclass(frozen=True, slots=True)
class KeptCase:
    """The readings of a case.

    Attributes:
        unread: Names of files that could not be read.
        was_kept: No evidence was opened for it.
    """

    items: list[Item]
    unread: list[str]
    was_kept: bool


def cases_below(folder: Path) -> list[Path]:
    """Return the cases of a folder, by name: each file, archive or folder in it, but hidden ones."""
    found = (one for one in folder.iterdir() if not one.name.startswith("."))
    return sorted(one for one in found if one.is_dir() or one.is_file())


def case_of(path: Path, kept: Path) -> KeptCase:
    """Return a case as it is kept, else read now and keep it.

    Raises:
        OSError: The case cannot be opened, or its readings cannot be kept.
    """
    place = kept / _key(path)
    try:
        return _loaded(place)
    except (OSError, ValueError, KeyError, TypeError):
        # None is kept, or not whole.
        shutil.rmtree(place, ignore_errors=True)
    evidences = list(read([str(path)]))
    items, unread = items_of(evidences), list(_unread(evidences))
    place.mkdir(parents=True)
    for number, item in enumerate(items):
        reading_folder.save(item.reading, place / str(number))
    # Written last: a folder without it is not whole.
    rows = [{name: getattr(item, name) for name in PLACED} for item in items]
    document = json.dumps({"places": rows, "unread": unread})
    (place / PLACES).write_text(document, encoding="utf-8", errors="surrogatepass")
    return KeptCase(items, unread, was_kept=False)


def _loaded(place: Path) -> KeptCase:
    document: dict[str, Any] = json.loads((place / PLACES).read_text("utf-8", "surrogatepass"))
    items = [
        Item(reading=reading_folder.load(place / str(number)), **row)
        for number, row in enumerate(document["places"])
    ]
    return KeptCase(items, list(document["unread"]), was_kept=True)


def _unread(evidences: Iterable[Evidence]) -> Iterator[str]:
    for one in evidences:
        if one.state == "rejected":
            yield f"{one.captured_path or one.name}: {one.reason}"
        yield from _unread(one.members)


def _key(case: Path) -> str:
    whole = hashlib.sha256(_version().encode())
    files = sorted(one for one in case.rglob("*") if one.is_file()) if case.is_dir() else [case]
    for one in files:
        found = one.stat()
        name = one.relative_to(case.parent).as_posix()
        whole.update(repr((name, found.st_size, found.st_mtime_ns)).encode("utf-8", "surrogatepass"))
    return whole.hexdigest()


@cache
def _version() -> str:
    # That of a text covers every reader.
    return version_of_format(text.NAME)
