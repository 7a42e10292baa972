"""Object store: content-addressed blobs (SHA-256) and reading folders, in a directory or in S3.

blobs/9f/9f86d081…                                     bytes of evidence, stored once
readings/<blob>/<path hash>/<section>/<format>@<version>/manifest.json …
"""

from __future__ import annotations

import hashlib
import logging
import shutil
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError
from obstore.exceptions import NotFoundError as NoSuchObjectError
from obstore.store import LocalStore, S3Store

from backend.core.errors import MissingBytesError, NotFoundError, StoredBytesError, UnavailableError
from backend.core.layout import make_private_dir
from backend.core.storage.durable_files import link, sync, sync_file_system
from backend.core.storage.verified_bytes import check_file, verified

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from backend.core.settings import Settings

logger = logging.getLogger(__name__)

CHUNK_BYTES = 4 << 20


@dataclass(frozen=True, slots=True)
class StoredObject:
    """An object as the store lists it."""

    key: str
    size_bytes: int
    modified_at: datetime


class Store:
    """The object store; stored objects are never changed, only deleted."""

    def __init__(self, objects: LocalStore | S3Store, *, root: Path | None, cache_dir: Path) -> None:
        """Store in `objects`, which is the directory `root` or, when None, remote."""
        self._objects = objects
        self._root = root
        self._cache_dir = cache_dir

    @classmethod
    def open(cls, settings: Settings) -> Store:
        """Return the store of `settings`; its directory is created if missing."""
        url = settings.effective_store_url
        if urlsplit(url).scheme == "s3":
            return cls(S3Store.from_url(url), root=None, cache_dir=settings.data_dir / "cache")
        root = make_private_dir(Path(unquote(urlsplit(url).path)))
        return cls(LocalStore(prefix=root), root=root, cache_dir=settings.data_dir / "cache")

    def put_file(self, path: Path, *, sha256: str, is_synced: bool = True) -> None:
        """Store the file at `path`, whose digest is `sha256`; the same bytes are one blob.

        An object that is missing or damaged is replaced. In a directory store the file is hard-linked, not
        copied: it must not be modified afterwards, and one that is not synced survives a crash after `sync`.
        """
        key = blob_key(sha256)
        # To store a large file again is as cheap as to read what is there.
        if path.stat().st_size <= CHUNK_BYTES and self._is_intact(sha256):
            return
        if self._root is not None:
            link(path, self._root / key, is_synced=is_synced)
            return
        with path.open("rb") as stream, _translated_errors(key):
            obstore.put(self._objects, key, stream)

    def put_bytes(self, content: bytes) -> str:
        """Store `content` and return its SHA-256."""
        sha256 = hashlib.sha256(content).hexdigest()
        if not self._is_intact(sha256):
            self._put(blob_key(sha256), content)
        return sha256

    def has(self, sha256: str) -> bool:
        """Return whether the blob exists."""
        return self._has(blob_key(sha256))

    def chunks(self, sha256: str) -> Iterator[bytes]:
        """Return the bytes of a blob, chunk by chunk, verified at their end.

        Raises:
            MissingBytesError: It does not exist; raised here, before the first chunk.
            DamagedBytesError: It is damaged; raised in place of the last chunk.
        """
        return self.sized_chunks(sha256)[1]

    def sized_chunks(self, sha256: str) -> tuple[int, Iterator[bytes]]:
        """Return the size in bytes that is stored for a blob, and its chunks, as `chunks` does."""
        try:
            with _translated_errors(key := blob_key(sha256)):
                answer = obstore.get(self._objects, key)
        except NotFoundError:
            raise _logged(MissingBytesError(sha256)) from None
        stored = (bytes(chunk) for chunk in answer.stream(min_chunk_size=CHUNK_BYTES))
        return answer.meta["size"], verified(stored, sha256)

    def fetch(self, sha256: str, path: Path) -> None:
        """Write a blob to `path`; in a directory store this is a link.

        Raises:
            MissingBytesError: It does not exist.
            DamagedBytesError: It is damaged.
        """
        key = blob_key(sha256)
        if self._root is not None and self._has(key):
            check_file(self._root / key, sha256)
            link(self._root / key, path)
            return
        with path.open("wb") as stream:
            for chunk in self.chunks(sha256):
                stream.write(chunk)

    def delete(self, sha256: str) -> None:
        """Delete a blob, if it exists."""
        self._delete(blob_key(sha256))

    def put_folder(self, directory: Path, key: str, *, is_synced: bool = True) -> None:
        """Store every file below `directory` under `key`, the manifest last, as `put_file` does."""
        files = sorted(path for path in directory.rglob("*") if path.is_file())
        for path in sorted(files, key=lambda file: file.name == "manifest.json"):
            object_key = f"{key}/{path.relative_to(directory).as_posix()}"
            if self._root is not None and not is_synced:
                link(path, self._root / object_key, is_synced=False)
            else:
                self._put(object_key, path.read_bytes())

    def folder(self, key: str) -> Path:
        """Return a local, read-only directory with the files stored under `key`.

        Raises:
            MissingBytesError: Nothing is stored under `key`.
        """
        if self._root is not None:
            directory = self._root / key
            if not directory.is_dir():
                raise _logged(MissingBytesError(key))
            return directory
        cached = self._cache_dir / key
        if not cached.is_dir():
            self._fetch_folder(key, cached)
        return cached

    def delete_folder(self, key: str) -> None:
        """Delete everything stored under `key`."""
        for object_key in self._keys(key):
            self._delete(object_key)
        shutil.rmtree(self._cache_dir / key, ignore_errors=True)
        if self._root is not None:
            shutil.rmtree(self._root / key, ignore_errors=True)

    def put_record(self, key: str, content: bytes) -> None:
        """Store a small object under `key`, in place of an earlier one."""
        self._put(key, content)

    def records(self, prefix: str) -> list[tuple[str, bytes]]:
        """Return key and content of every object below `prefix`."""
        found = []
        for key in self._keys(prefix):
            with _translated_errors(key):
                found.append((key, bytes(obstore.get(self._objects, key).bytes())))
        return found

    def listing(self, prefix: str = "") -> Iterator[StoredObject]:
        """Yield every object below `prefix`, in no order.

        Raises:
            UnavailableError: The store does not respond.
        """
        with _translated_errors(prefix):
            for page in obstore.list(self._objects, prefix=f"{prefix}/" if prefix else None):
                for item in page:
                    yield StoredObject(item["path"], item["size"], item["last_modified"])

    def object_chunks(self, key: str) -> Iterator[bytes]:
        """Yield the bytes of any object as they are, unverified.

        Raises:
            NotFoundError: There is none.
        """
        with _translated_errors(key):
            for chunk in obstore.get(self._objects, key).stream(min_chunk_size=CHUNK_BYTES):
                yield bytes(chunk)

    def put_object(self, key: str, path: Path) -> None:
        """Store a copy of the file at `path` under `key`, in place of an earlier object."""
        with path.open("rb") as stream, _translated_errors(key):
            obstore.put(self._objects, key, stream)

    def sync(self) -> None:
        """Have all objects survive a crash; those of `put_object`, and what is not synced, may not before."""
        if self._root is not None:
            sync_file_system(self._root)

    def delete_object(self, key: str) -> None:
        """Delete any object, if it exists."""
        self._delete(key)

    def check(self) -> None:
        """Check that the store responds.

        Raises:
            UnavailableError: It does not respond.
        """
        self._has("casebook-is-here")

    def _keys(self, prefix: str) -> list[str]:
        return [item.key for item in self.listing(prefix)]

    def _fetch_folder(self, key: str, directory: Path) -> None:
        keys = self._keys(key)
        if not keys:
            raise _logged(MissingBytesError(key))
        partial = directory.with_name(f".{directory.name}.{uuid.uuid4().hex}")
        for object_key in keys:
            path = partial / object_key.removeprefix(f"{key}/")
            path.parent.mkdir(parents=True, exist_ok=True)
            with _translated_errors(object_key):
                path.write_bytes(bytes(obstore.get(self._objects, object_key).bytes()))
        try:
            partial.rename(directory)
        except OSError:
            shutil.rmtree(partial)
            if not directory.is_dir():
                raise

    def _is_intact(self, sha256: str) -> bool:
        """Return whether the blob exists and is not damaged."""
        if not self.has(sha256):
            return False
        try:
            for _ in self.chunks(sha256):
                pass
        except StoredBytesError:
            return False
        return True

    def _put(self, key: str, content: bytes) -> None:
        with _translated_errors(key):
            obstore.put(self._objects, key, content)
        if self._root is not None:
            sync(self._root / key)

    def _has(self, key: str) -> bool:
        try:
            with _translated_errors(key):
                obstore.head(self._objects, key)
        except NotFoundError:
            return False
        return True

    def _delete(self, key: str) -> None:
        try:
            with _translated_errors(key):
                obstore.delete(self._objects, key)
        except NotFoundError:
            return


class _translated_errors:  # noqa: N801 - reads as a statement
    """Translates errors of the store: not found, and unavailable."""

    def __init__(self, key: str) -> None:
        self._key = key

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Translate `error`."""
        if isinstance(error, (NoSuchObjectError, FileNotFoundError)):
            raise NotFoundError(f"the store has no {self._key}") from error
        if isinstance(error, BaseError) and not isinstance(error, AlreadyExistsError):
            raise UnavailableError(f"the object store failed: {error}") from error


def _logged(error: StoredBytesError) -> StoredBytesError:
    """Log what the store has lost, and return it."""
    logger.error("%s", error)
    return error


def blob_key(sha256: str) -> str:
    """Return the key of the blob `sha256`."""
    return f"blobs/{sha256[:2]}/{sha256}"
