"""File names and captured paths sent by clients: sanitised for display and storage, never opened.

Example:
    ./host7/proc//vmstat  ->  name vmstat, captured path host7/proc/vmstat
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from backend.core.errors import InvalidNameError
from backend.core.http.request_body import with_marks

MAX_PATH_BYTES = 4096
MAX_NAME_BYTES = 255
COMPRESSED = (".bz2", ".gz", ".lz4", ".tgz", ".txz", ".xz", ".zip", ".zst")
EXPANSION = 8
"""Assumed compression ratio of tool output."""
_MORE = re.compile(r" and \d+ more files?\Z")
_FILES = re.compile(r" \(\d+ files\)\Z")


class SentName(NamedTuple):
    """File name, and captured path ("" when only a name was sent)."""

    filename: str
    captured_path: str


def split(sent: str) -> SentName:
    """Return the file name and captured path in `sent`.

    Raises:
        InvalidNameError: It leaves its folder, is too long or holds control characters.
    """
    path = captured(sent)
    if not path:
        return SentName("unnamed", "")
    name = path.rpartition("/")[2]
    return SentName(name, path if "/" in path else "")


def captured(sent: str) -> str:
    """Return `sent` as a relative path with single slashes; "" for an empty one."""
    text = unicodedata.normalize("NFC", sent.replace("\\", "/"))
    if any(unicodedata.category(character) in {"Cc", "Cs"} for character in text):
        raise InvalidNameError("a file name must not contain control characters")
    parts = [part for part in text.split("/") if part not in {"", "."}]
    if ".." in parts:
        raise InvalidNameError(f"a path must not lead out of its folder: {text}")
    if len(text.encode()) > MAX_PATH_BYTES or any(len(part.encode()) > MAX_NAME_BYTES for part in parts):
        raise InvalidNameError(f"path too long (limit: {MAX_PATH_BYTES:,} bytes, {MAX_NAME_BYTES} per name)")
    return "/".join(parts)


def title_for(names: list[str]) -> str:
    """Return a case title for files with these names: `perf.script and 4 more files`."""
    folders = {name.split("/", 1)[0] for name in names if "/" in name}
    is_one_folder = len(folders) == 1 and all("/" in name for name in names)
    return title_of(names[0], len(names), folder=folders.pop() if is_one_folder else "")


def is_made_title(title: str, names: list[str]) -> bool:
    """Return whether `title` was made of files that include these names, or of their folder or hosts.

    >>> is_made_title("perf.script and 2 more files", ["dmesg.txt", "perf.script"])
    True
    """
    return title in map(with_marks, names) or is_of_one_file(title, names) or _FILES.search(title) is not None


def is_of_one_file(title: str, names: list[str] | None = None) -> bool:
    """Return whether `title` names a file, one of `names` when given, and counts the others."""
    named, count = _MORE.subn("", title)
    return count > 0 and (names is None or named in {with_marks(name.rpartition("/")[2]) for name in names})


def title_of(first: str, count: int, *, folder: str) -> str:
    """Return a case title for `count` files, all below `folder` unless that is "".

    Names of files may hold what hides or reorders text, titles never do.

    >>> title_of("perf.script", 3, folder="")
    'perf.script and 2 more files'
    """
    if count == 1:
        return with_marks(first)
    if folder:
        return with_marks(f"{folder} ({count} files)")
    rest = count - 1
    return with_marks(f"{first.rpartition('/')[2]} and {rest} more file{'s' if rest > 1 else ''}")


def expansion_of(filename: str) -> int:
    """Return how many bytes of text one byte of a file of this name probably is."""
    return EXPANSION if filename.lower().endswith(COMPRESSED) else 1
