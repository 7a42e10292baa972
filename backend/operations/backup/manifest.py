"""The manifest of a backup, `manifest.json`: what it holds, with the digest of every part.

manifest.json                 written last: without it, there is no backup
database-<time>/<table>.copy.zst  PostgreSQL's COPY text, ordered by primary key
objects.<time>.jsonl.zst      key, size and SHA-256 of every object
store/blobs/9f/9f86d081…      the objects under their keys
uploads/018f…                 received bytes of uploads that are not evidence yet
seal.key                      only with `--with-key`
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from backend.core.storage.durable_files import replace_file

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = "casebook-backup/1"
MANIFEST = "manifest.json"
STORE = "store"
UPLOADS = "uploads"
SEAL_KEY = "seal.key"


class BackupError(Exception):
    """The backup cannot be written, read or restored; one sentence."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table.

    Attributes:
        columns: Names of the stored columns, in the order of the text.
        sha256: Digest of the text.
        bytes: Size of the text.
    """

    name: str
    columns: list[str]
    rows: int
    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Part:
    """A file of the backup with the digest of its content."""

    name: str
    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class AuditState:
    """Where the audit log ends: number and hash of the last entry, and the name of the key of the chain."""

    entries: int
    head: str
    key_id: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """One backup.

    Attributes:
        made_at: ISO 8601, in UTC: the moment of the snapshot.
        casebook: Version of Casebook.
        migration: Migration of the database.
        postgresql: Version of the server.
        database: Directory of the tables.
        tables: In an order in which foreign keys hold.
        sequences: Last values by name.
        objects: The list of objects.
        object_count: Number of objects.
        object_bytes: Their size.
        uploads: Incomplete uploads, named by id.
        missing: Objects that the database names and the store had lost, by digest or key.
        damaged: Objects that did not match their digest.
        cases: Number of cases.
        audit: End of the audit log.
        has_key: Whether `seal.key` is included.
    """

    made_at: str
    casebook: str
    migration: str
    postgresql: str
    database: str
    tables: list[Table]
    sequences: dict[str, int]
    objects: Part
    object_count: int
    object_bytes: int
    uploads: list[Part]
    cases: int
    audit: AuditState
    has_key: bool
    missing: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        """Whether every object that the database names is included."""
        return not self.missing and not self.damaged

    def summary(self) -> dict[str, Any]:
        """Return what a command prints: without tables and columns."""
        document = asdict(self)
        rows = sum(table.rows for table in self.tables)
        for name in ("tables", "sequences", "objects", "uploads", "database"):
            del document[name]
        return {**document, "rows": rows, "uploads": len(self.uploads)}


def write(manifest: Manifest, directory: Path) -> None:
    """Write the manifest atomically: with it, the backup exists."""
    document = {"format": FORMAT, **asdict(manifest)}
    replace_file(directory / MANIFEST, json.dumps(document, indent=1).encode() + b"\n")


def read(directory: Path) -> Manifest:
    """Return the manifest of the backup in `directory`.

    Raises:
        BackupError: There is no complete backup, or one of another format.
    """
    try:
        document = json.loads((directory / MANIFEST).read_bytes())
    except FileNotFoundError:
        raise BackupError(f"{directory} holds no complete backup: there is no {MANIFEST}") from None
    except (OSError, ValueError) as error:
        raise BackupError(f"{directory / MANIFEST} cannot be read: {error}") from None
    if not isinstance(document, dict) or document.pop("format", "") != FORMAT:
        raise BackupError(f"{directory / MANIFEST} is not of the format {FORMAT}")
    try:
        document["tables"] = [Table(**table) for table in document["tables"]]
        document["objects"] = Part(**document["objects"])
        document["uploads"] = [Part(**part) for part in document["uploads"]]
        document["audit"] = AuditState(**document["audit"])
        return Manifest(**document)
    except (KeyError, TypeError) as error:
        raise BackupError(f"{directory / MANIFEST} is damaged: {error}") from None
