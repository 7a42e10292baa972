"""Checking a backup: every part of it against the manifest, without an instance."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from backend.operations.backup import compressed_files, manifest, objects, tables
from backend.operations.backup.manifest import BackupError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


def problems_of(directory: Path, report: Callable[[str, int, int], None]) -> Iterator[str]:
    """Yield a sentence for every part of a backup that is missing or damaged.

    Raises:
        BackupError: There is no complete backup.
    """
    found = manifest.read(directory)
    for done, table in enumerate(found.tables):
        report("tables", done, len(found.tables))
        path = directory / found.database / f"{table.name}{tables.SUFFIX}"
        try:
            with compressed_files.open_to_read(path) as stream:
                is_whole = hashlib.file_digest(stream, "sha256").hexdigest() == table.sha256
        except compressed_files.UNREADABLE as error:
            yield f"the table {table.name} cannot be read: {error}"
        else:
            if not is_whole:
                yield f"the table {table.name} is damaged"
    try:
        parts = list(objects.read_list(found.objects, directory))
    except BackupError as error:
        yield str(error)
        return
    for done, part in enumerate(parts):
        report("objects", done, len(parts))
        problem = objects.problem_of(part, directory)
        if problem:
            yield f"the object {part.name} is {problem}"
    for part in found.uploads:
        try:
            with (directory / manifest.UPLOADS / part.name).open("rb") as stream:
                is_whole = hashlib.file_digest(stream, "sha256").hexdigest() == part.sha256
        except OSError:
            is_whole = False
        if not is_whole:
            yield f"the upload {part.name} is missing or damaged"
