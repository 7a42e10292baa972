"""Reading folders of an evidence in the object store, under names made of content, position and reader.

They are stored before the transaction that writes their rows, with the bytes of members of an archive.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from backend.sandbox.runner import SandboxCrashError
from ingest.format_versions import version_of_format

if TYPE_CHECKING:
    from pathlib import Path

    from backend.core.storage.object_store import Store
    from backend.sandbox.report import ReadEvidence, ReadSection

FEW_MEMBERS = 8
"""Members up to which each file is synced by itself: the whole file system has more to write."""


def store_key(read: ReadEvidence, section: ReadSection) -> str:
    """Return the object-store key of the reading folder of `section`, by content, position and reader."""
    place = hashlib.sha256(f"{read.captured_path}\0{read.name}".encode("utf-8", "surrogatepass"))
    version = version_of_format(section.format)
    reader = f"{section.format}@{section.format_version}-{version}"
    return f"readings/{read.sha256}/{place.hexdigest()[:16]}/{section.ordinal}/{reader}"


def put_folders(store: Store, output: Path, read: ReadEvidence) -> None:
    """Store the reading folders of `read` and its members, and the bytes of the members."""
    # A report has tens of thousands of files: the disk is waited for once, not for each of them.
    has_few = len(read.members) <= FEW_MEMBERS
    _put(store, output, read, is_synced=has_few)
    if not has_few:
        store.sync()


def _put(store: Store, output: Path, read: ReadEvidence, *, is_synced: bool) -> None:
    for section in read.sections:
        store.put_folder(output / section.folder, store_key(read, section), is_synced=is_synced)
    for member in read.members:
        if member.content:
            _put_content(store, output / member.content, member, is_synced=is_synced)
        _put(store, output, member, is_synced=is_synced)


def _put_content(store: Store, path: Path, member: ReadEvidence, *, is_synced: bool) -> None:
    """Store the bytes of a member under their verified digest."""
    with path.open("rb") as content:
        sha256 = hashlib.file_digest(content, "sha256").hexdigest()
    if sha256 != member.sha256:
        raise SandboxCrashError(f"the bytes of {member.captured_path} do not match the digest in the report")
    store.put_file(path, sha256=sha256, is_synced=is_synced)
