"""Scrubbing: every object of the store is read and checked, and compared with what the database names."""

from __future__ import annotations

import enum
import hashlib
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sqlalchemy.orm import Session

from backend.core.db import migrate
from backend.core.db.engine import create_engine
from backend.core.errors import NotFoundError
from backend.core.storage import gc_lock
from backend.core.storage.object_store import Store
from backend.operations.stored_objects import NamedObjects, cases_of, named_objects
from ingest.model import reading_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from backend.core.settings import Settings
    from backend.core.storage.object_store import StoredObject

    Report = Callable[[str, int, int], None]

ORPHANED_AFTER = timedelta(days=1)
"""Age of an object that no row names: a younger one may belong to a transaction that is not committed."""

BLOBS, READINGS, AUDIT = "blobs", "readings", "audit"


class Fault(enum.StrEnum):
    """`orphaned` objects lose nothing: no row names them."""

    MISSING = "missing"
    DAMAGED = "damaged"
    ORPHANED = "orphaned"


@dataclass(frozen=True, slots=True)
class FaultyObject:
    """An object that is not as it should be.

    Attributes:
        name: SHA-256 of bytes, or key.
        size_bytes: Size in the store.
        cases: Numbers of the cases that use it, at most 20.
    """

    name: str
    fault: Fault
    size_bytes: int = 0
    cases: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """Result of scrubbing a store.

    Attributes:
        objects: Number of objects read.
        size_bytes: Their size.
        faults: By name.
    """

    objects: int
    size_bytes: int
    faults: list[FaultyObject]

    @property
    def has_losses(self) -> bool:
        """Whether an object is missing or damaged."""
        return any(one.fault is not Fault.ORPHANED for one in self.faults)


def scrub(settings: Settings, report: Report) -> Scrubbed:
    """Read every object of the store; `report` receives the step, how much is done, and how much there is.

    Raises:
        DatabaseTooNewError: A newer version migrated the database.
        UnavailableError: The store does not respond.
    """
    engine = create_engine(settings, pool_size=2)
    store = Store.open(settings)
    try:
        with Session(engine) as lock:
            # Nothing that the rows name is deleted meanwhile.
            gc_lock.put_until_commit(lock)
            with Session(engine) as session:
                migrate.require_known(session.connection())
                named = named_objects(session)
            listed = list(store.listing())
            faults = list(_faults(store, named, listed, report))
        with Session(engine) as session:
            cases = cases_of(session, [one.name for one in faults if one.fault is not Fault.ORPHANED])
    finally:
        engine.dispose()
    return Scrubbed(
        objects=len(listed),
        size_bytes=sum(item.size_bytes for item in listed),
        faults=sorted(
            (replace(one, cases=tuple(cases.get(one.name, ()))) for one in faults), key=lambda one: one.name
        ),
    )


def _faults(
    store: Store, named: NamedObjects, listed: list[StoredObject], report: Report
) -> Iterator[FaultyObject]:
    folders: defaultdict[str, list[StoredObject]] = defaultdict(list)
    blobs: set[str] = set()
    for done, item in enumerate(listed):
        kind, _, rest = item.key.partition("/")
        name = rest.rpartition("/")[2]
        if kind == READINGS and item.key.rpartition("/")[0] in named.readings:
            folders[item.key.rpartition("/")[0]].append(item)
        elif kind == BLOBS and name in named.blobs:
            report("objects", done, len(listed))
            blobs.add(name)
            if _digest(store, item.key) != name:
                yield FaultyObject(name, Fault.DAMAGED, item.size_bytes)
        elif kind != AUDIT and datetime.now(UTC) - item.modified_at > ORPHANED_AFTER:
            yield FaultyObject(item.key, Fault.ORPHANED, item.size_bytes)
    yield from (FaultyObject(name, Fault.MISSING) for name in named.blobs - blobs)
    for done, (key, digests) in enumerate(sorted(named.readings.items())):
        report("readings", done, len(named.readings))
        if key not in folders:
            yield FaultyObject(key, Fault.MISSING)
        elif not _is_whole(store, key, folders[key], digests):
            yield FaultyObject(key, Fault.DAMAGED, sum(item.size_bytes for item in folders[key]))


def _digest(store: Store, key: str) -> str:
    """Return the SHA-256 of an object; "" for one that was there before."""
    digest = hashlib.sha256()
    try:
        for chunk in store.object_chunks(key):
            digest.update(chunk)
    except NotFoundError:
        return ""
    return digest.hexdigest()


def _is_whole(store: Store, key: str, files: Iterable[StoredObject], digests: set[str]) -> bool:
    """Return whether a reading folder has one of `digests`, and all its columns."""
    with TemporaryDirectory(prefix="casebook-scrub-") as directory:
        for file in files:
            with Path(directory, file.key.removeprefix(f"{key}/")).open("wb") as stream:
                stream.writelines(store.object_chunks(file.key))
        try:
            return reading_folder.verify(Path(directory)) in digests
        except reading_folder.BrokenFolderError:
            return False
