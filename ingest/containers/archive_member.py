"""Members of archives: what a reader of one archive format yields, and when a member is not read."""

from __future__ import annotations

import tarfile
import zipfile
import zlib
from typing import IO, TYPE_CHECKING, NamedTuple

from ingest.model.errors import LimitExceededError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ingest.model.limits import Limits

OUTSIDE = "path leaves the archive"
SPARSE = "sparse"
SHOWN_NAME = 200
BROKEN = (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError)
"""What reading a member of a broken archive raises."""


class Member(NamedTuple):
    """One file of an archive.

    Attributes:
        refusal: Why it must not be read, "" when it may.
        detail: The figures behind the refusal, "" when there are none.
        is_packed: Whether the archive compresses it: reading it expands what was sent.
    """

    path: str
    size_bytes: int
    refusal: str
    open: Callable[[], IO[bytes]]
    detail: str = ""
    is_packed: bool = False


def file_member(file: Path, path: str) -> Member:
    """Return a file on disk as the member it was before it was unpacked."""
    size = file.stat().st_size
    return Member(path, size, "" if size else "empty", lambda: file.open("rb"))


def label(number: int, path: str) -> str:
    """Return how a message names the member: by its place in the archive and its path."""
    return f"member {number} ({path[:SHOWN_NAME]})"


def check_count(count: int, limits: Limits) -> None:
    """Refuse more members than one archive may have.

    Raises:
        LimitExceededError: There are more.
    """
    if count > limits.members:
        raise LimitExceededError(f"more than {limits.members:,} members in one archive")


def refusal_of(path: str, size: int, limits: Limits) -> str:
    """Return why a member of that name and size is not read, "" when it is."""
    parts = path.replace("\\", "/").split("/")
    if path.startswith(("/", "\\")) or ".." in parts or path[1:2] == ":":
        return OUTSIDE
    if len(path.encode("utf-8", "surrogateescape")) > limits.path_bytes:
        return f"path longer than {limits.path_bytes} bytes"
    if size > limits.member_bytes:
        return f"larger than {limits.member_bytes:,} bytes"
    return "empty" if size == 0 else ""
