"""The files of an upload, and the batches of small ones that share a request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

BATCH_FILES = 32
BATCH_BYTES = 2 << 20
"""Maximum size of the files of one request; after a lost connection they are sent again."""


@dataclass(frozen=True, slots=True)
class Found:
    """One file with its upload path."""

    path: Path
    name: str
    size: int
    changed_ns: int

    @property
    def fingerprint(self) -> str:
        """Fingerprint as computed by the browser client: bytes and milliseconds since 1970."""
        return f"{self.size}:{self.changed_ns // 1_000_000}"


def files_below(paths: Sequence[Path]) -> list[Found]:
    """Return every file at or below `paths`, small ones first; symlinks in directories are skipped."""
    found: dict[Path, str] = {}
    for path in paths:
        if path.is_dir():
            below = sorted(one for one in path.rglob("*") if one.is_file() and not one.is_symlink())
            found.update({one.absolute(): one.relative_to(path).as_posix() for one in below})
        else:
            found.setdefault(path.absolute(), path.name)
    metadata = [(path, name, path.stat()) for path, name in found.items()]
    files = [Found(path, name, status.st_size, status.st_mtime_ns) for path, name, status in metadata]
    return sorted(files, key=lambda file: file.size)


def batches(files: Sequence[Found], *, can_share: bool) -> Iterator[list[Found]]:
    """Yield files that are sent in one request each; only small files share one."""
    batch: list[Found] = []
    for file in files:
        whole = sum(one.size for one in batch) + file.size
        if batch and (not can_share or len(batch) == BATCH_FILES or whole > BATCH_BYTES):
            yield batch
            batch = []
        batch.append(file)
    if batch:
        yield batch
