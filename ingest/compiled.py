"""Compiled documents: JSON that `make build` makes of source files, and that loads in milliseconds.

A compiled file states the digest of its sources. When one of them changed, appeared or went, the file counts
as missing, so a stale file is never wrong. It states their sizes and times too: while these are the same, the
sources need not be read. Those of an installed distribution do not change.
"""

from __future__ import annotations

import hashlib
import json
import os
from glob import iglob
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

INSTALLED_BELOW = frozenset({"site-packages", "dist-packages"})


class Compiled(NamedTuple):
    """A compiled file of a package.

    Attributes:
        name: Of the file, below the folder of the package.
        sources: Glob patterns below that folder.
    """

    name: str
    sources: tuple[str, ...]

    def load(self, package: Path) -> Any:
        """Return the document in the folder of a package; None when there is none of these sources."""
        try:
            stored = json.loads((package / self.name).read_bytes())
            return stored["document"] if is_current(stored, {package: self.sources}) else None
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None

    def write(self, package: Path, document: Any) -> None:
        """Write the document, made of the sources in the folder of a package."""
        stored = {**state_of({package: self.sources}), "document": document}
        text = json.dumps(stored, ensure_ascii=False, separators=(",", ":"))
        (package / self.name).write_text(text, encoding="utf-8")


def state_of(sources: Mapping[Path, Iterable[str]]) -> dict[str, str]:
    """Return what a compiled file states of the files that glob patterns name below folders."""
    return {"sources": digest_of(sources), "stamp": _stamp_of(sources)}


def is_current(stored: Mapping[str, str], sources: Mapping[Path, Iterable[str]]) -> bool:
    """Return whether sources are those of the state that a compiled file has.

    Raises:
        KeyError: It has none.
    """
    if all(INSTALLED_BELOW.intersection(folder.parts) for folder in sources):
        return True
    return stored.get("stamp") == _stamp_of(sources) or stored["sources"] == digest_of(sources)


def digest_of(sources: Mapping[Path, Iterable[str]]) -> str:
    """Return the digest of names and contents of the files that glob patterns name below folders."""
    digest = hashlib.sha256()
    for folder, name in _files(sources):
        content = Path(folder, name).read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _stamp_of(sources: Mapping[Path, Iterable[str]]) -> str:
    """Return the digest of names, sizes and times of the files."""
    digest = hashlib.sha256()
    for folder, name in _files(sources):
        found = os.stat(f"{folder}/{name}")  # noqa: PTH116 - a path for each file takes longer
        digest.update(f"{name}\0{found.st_size}\0{found.st_mtime_ns}\0{found.st_ino}\0".encode())
    return digest.hexdigest()


def _files(sources: Mapping[Path, Iterable[str]]) -> list[tuple[str, str]]:
    """Return folder and name of each file, in order."""
    return sorted(
        (str(folder), name)
        for folder, patterns in sources.items()
        for name in {
            name
            for pattern in patterns
            for name in iglob(pattern, root_dir=folder, recursive=True)  # noqa: PTH207 - thrice as fast
        }
    )
