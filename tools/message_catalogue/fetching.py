"""Archives of source packages, from the mirrors to the cache folder, verified by SHA-256."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import httpx

if TYPE_CHECKING:
    from pathlib import Path

    from tools.message_catalogue.extraction import Source

_CHUNK = 1 << 20


class ArchiveError(Exception):
    """An archive cannot be had, or is not the one that is pinned."""


def archive_of(source: Source, cache: Path) -> Path:
    """Return the archive of a source package, downloaded unless the cache has it.

    Raises:
        ArchiveError: The mirror does not have it, or its digest is another.
    """
    path = cache / source.url.rsplit("/", 1)[-1]
    if not path.exists():
        part = path.with_name(f"{path.name}.part")
        try:
            with (
                httpx.stream("GET", source.url, follow_redirects=True, timeout=60) as answer,
                part.open("wb") as file,
            ):
                answer.raise_for_status()
                for chunk in answer.iter_bytes(_CHUNK):
                    file.write(chunk)
        except httpx.HTTPError as error:
            raise ArchiveError(f"{source.name}: {error}") from error
        part.rename(path)
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != source.sha256:
        raise ArchiveError(f"{path}: its SHA-256 is {digest}, not {source.sha256}")
    return path
