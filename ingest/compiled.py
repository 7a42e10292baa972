"""Compiled documents: JSON that `make build` makes of source files, and that loads in milliseconds.

A compiled file states the digest of its sources. When one of them changed, appeared or went, the file counts
as missing, so a stale file is never wrong.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


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
            is_current = stored["sources"] == digest_of_sources(package, self.sources)
            return stored["document"] if is_current else None
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None

    def write(self, package: Path, document: Any) -> None:
        """Write the document, made of the sources in the folder of a package."""
        stored = {"sources": digest_of_sources(package, self.sources), "document": document}
        text = json.dumps(stored, ensure_ascii=False, separators=(",", ":"))
        (package / self.name).write_text(text, encoding="utf-8")


def digest_of_sources(package: Path, patterns: Iterable[str]) -> str:
    """Return the digest of names and contents of the files that glob patterns name below a folder."""
    digest = hashlib.sha256()
    for path in sorted({path for pattern in patterns for path in package.glob(pattern)}):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(package)}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()
