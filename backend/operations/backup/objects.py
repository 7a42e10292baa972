"""Objects of a backup: copied from the store, verified, and back into a store.

A second backup into the same directory copies only what is new. What is there already counts when the last
manifest lists it, or when its digest is right: a copy that was interrupted goes on.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from backend.core.errors import NotFoundError
from backend.core.storage.object_store import blob_key
from backend.operations.backup import compressed_files
from backend.operations.backup.manifest import STORE, BackupError, Part
from ingest.model import reading_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from backend.core.storage.object_store import Store
    from backend.operations.stored_objects import NamedObjects

    Report = Callable[[int, int], None]

READINGS = "readings"
BLOBS = "blobs"
AUDIT = "audit"
PARTIAL = ".partial"
OBJECT_KEY = re.compile(r"(?:blobs|readings|audit)(?:/(?!\.)[^/\0]+)+")


@dataclass(slots=True)
class CopiedObjects:
    """The objects of a backup.

    Attributes:
        parts: What was copied, or was there, by key.
        missing: Blobs and readings that the store has lost.
        damaged: Those that did not match their digest.
    """

    parts: dict[str, Part] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)

    def add(self, part: Part) -> None:
        """Add a part."""
        self.parts[part.name] = part


class Copier:
    """Copies objects of a store into the directory of a backup."""

    def __init__(self, store: Store, directory: Path, known: dict[str, Part]) -> None:
        """Copy into `directory`; `known` are the objects of the last backup there."""
        self._store = store
        self._root = directory / STORE
        self._known = known

    def copy(self, named: NamedObjects, report: Report) -> CopiedObjects:
        """Copy what `named` lists; `report` receives the number of objects done, and their total."""
        found = CopiedObjects()
        total = len(named.blobs) + len(named.readings)
        done = 0
        for sha256 in sorted(named.blobs):
            self._copy_blob(sha256, found)
            report(done := done + 1, total)
        files = _files_of_folders(self._store)
        for key, digests in sorted(named.readings.items()):
            self._copy_folder(key, files.get(key, []), digests, found)
            report(done := done + 1, total)
        return found

    def copy_records(self, prefix: str) -> list[Part]:
        """Copy small objects that may be replaced later, as they are now."""
        return [self._copied(item.key) for item in self._store.listing(prefix)]

    def _copy_blob(self, sha256: str, found: CopiedObjects) -> None:
        key = blob_key(sha256)
        kept = self._kept(key, sha256)
        if kept is not None:
            found.add(kept)
            return
        try:
            part = self._copied(key)
        except NotFoundError:
            found.missing.append(sha256)
            return
        if part.sha256 == sha256:
            found.add(part)
        else:
            found.damaged.append(sha256)
            (self._root / key).unlink()

    def _kept(self, key: str, sha256: str) -> Part | None:
        """Return an object that is in the directory already; None when it is not, or not whole."""
        path, known = self._root / key, self._known.get(key)
        try:
            size = path.stat().st_size
            if known is not None and (known.sha256, known.bytes) == (sha256, size):
                return known
            with path.open("rb") as stream:
                is_whole = hashlib.file_digest(stream, "sha256").hexdigest() == sha256
        except FileNotFoundError:
            return None
        return Part(key, sha256, size) if is_whole else None

    def _copy_folder(self, key: str, files: list[str], digests: set[str], found: CopiedObjects) -> None:
        """Copy a reading folder, unless the directory has it with a digest of `digests`."""
        folder = self._root / key
        files = files or [name for name in self._known if name.startswith(f"{key}/")]
        known = [self._known[name] for name in files if name in self._known]
        if len(known) != len(files) or not _has_digest(folder, digests, thorough=False):
            try:
                known = [self._copied(name) for name in files]
            except NotFoundError:
                known = []
        if not known:
            found.missing.append(key)
        elif not _has_digest(folder, digests, thorough=True):
            found.damaged.append(key)
        else:
            for part in known:
                found.add(part)

    def _copied(self, key: str) -> Part:
        """Copy one object as it is; the file has its name once it is whole."""
        target = self._root / key
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(target.name + PARTIAL)
        digest, size = hashlib.sha256(), 0
        with partial.open("wb") as stream:
            for chunk in self._store.object_chunks(key):
                stream.write(chunk)
                digest.update(chunk)
                size += len(chunk)
        partial.replace(target)
        return Part(key, digest.hexdigest(), size)


def _has_digest(folder: Path, digests: set[str], *, thorough: bool) -> bool:
    try:
        found = reading_folder.verify(folder) if thorough else reading_folder.digest(folder)
    except reading_folder.BrokenFolderError:
        return False
    return found in digests


def _files_of_folders(store: Store) -> dict[str, list[str]]:
    """Return the keys of the files of every reading folder."""
    files: defaultdict[str, list[str]] = defaultdict(list)
    for item in store.listing(READINGS):
        files[item.key.rpartition("/")[0]].append(item.key)
    return files


def write_list(parts: Iterable[Part], directory: Path, name: str) -> Part:
    """Write the list of objects to the file `name`."""
    digest, size = hashlib.sha256(), 0
    with compressed_files.open_to_write(directory / name) as stream:
        for part in sorted(parts, key=lambda one: one.name):
            line = json.dumps([part.name, part.bytes, part.sha256]).encode() + b"\n"
            stream.write(line)
            digest.update(line)
            size += len(line)
    return Part(name, digest.hexdigest(), size)


def read_list(part: Part, directory: Path) -> Iterator[Part]:
    """Yield the objects of a list.

    Raises:
        BackupError: The list is missing or damaged.
    """
    digest = hashlib.sha256()
    path = directory / part.name
    try:
        with compressed_files.open_to_read(path) as stream:
            for line in stream:
                digest.update(line)
                name, size, sha256 = json.loads(line)
                if not OBJECT_KEY.fullmatch(name):
                    raise BackupError(f"{path} lists {name!r}, which is no object of a store")
                yield Part(name, sha256, size)
    except (*compressed_files.UNREADABLE, ValueError) as error:
        raise BackupError(f"{path} cannot be read: {error}") from None
    if digest.hexdigest() != part.sha256:
        raise BackupError(f"{path} is damaged: its SHA-256 is not that of the manifest")


def problem_of(part: Part, directory: Path) -> str:
    """Return what is wrong with an object of a backup; "" when its bytes are right."""
    try:
        with (directory / STORE / part.name).open("rb") as stream:
            is_whole = hashlib.file_digest(stream, "sha256").hexdigest() == part.sha256
    except FileNotFoundError:
        return "missing"
    return "" if is_whole else "damaged"


def prune(directory: Path, parts: dict[str, Part]) -> int:
    """Delete files of the store of a backup that are not in `parts`; return their number."""
    root = directory / STORE
    deleted = 0
    for folder, _, names in os.walk(root, topdown=False):
        for name in names:
            path = root.__class__(folder, name)
            if path.relative_to(root).as_posix() not in parts:
                path.unlink()
                deleted += 1
        if folder != str(root) and not os.listdir(folder):  # noqa: PTH208 - one call for each of many folders
            os.rmdir(folder)  # noqa: PTH106 - same
    return deleted
