"""Objects of the store that the database names: bytes of evidence and exports, and readings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.core.db.base import among
from backend.models import Blob, Case, Evidence, Handoff, Reading, SignatureDraft

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from sqlalchemy.orm import Session

    from backend.sandbox.documents import SharedContent

BATCH = 5000
MAX_CASES = 20
"""Maximum number of cases that are listed for one object."""


@dataclass(frozen=True, slots=True)
class NamedObjects:
    """What the store must have.

    Attributes:
        blobs: SHA-256 of bytes.
        readings: Digests of reading folders by key; one, unless a reader changed without a new version.
    """

    blobs: set[str]
    readings: dict[str, set[str]]


def named_objects(session: Session) -> NamedObjects:
    """Return the objects that the database names."""
    blobs = set(session.scalars(select(Blob.sha256).execution_options(yield_per=BATCH)))
    blobs.update(session.scalars(select(Handoff.bundle_sha256).where(Handoff.bundle_sha256.is_not(None))))
    blobs.update(
        session.scalars(select(SignatureDraft.zip_sha256).where(SignatureDraft.zip_sha256.is_not(None)))
    )
    for shared in session.scalars(select(Handoff.shared).execution_options(yield_per=100)):
        blobs.update(_digests_of(shared))
    readings: dict[str, set[str]] = {}
    rows = select(Reading.store_key, Reading.digest).distinct().execution_options(yield_per=BATCH)
    for key, digest in session.execute(rows):
        readings.setdefault(key, set()).add(digest)
    return NamedObjects(blobs, readings)


def cases_of(session: Session, names: Collection[str]) -> dict[str, list[int]]:
    """Return the numbers of the cases that use each blob or reading folder, at most 20 of each, ascending."""
    queries = (
        select(Evidence.sha256, Case.number)
        .join(Case, Case.id == Evidence.case_id)
        .where(among(Evidence.sha256, names)),
        select(Reading.store_key, Case.number)
        .join(Case, Case.id == Reading.case_id)
        .where(among(Reading.store_key, names)),
        select(SignatureDraft.zip_sha256, Case.number)
        .join(Case, Case.id == SignatureDraft.case_id)
        .where(among(SignatureDraft.zip_sha256, names)),
    )
    found: dict[str, set[int]] = {name: set() for name in names}
    for query in queries:
        for name, number in session.execute(query):
            found[str(name)].add(number)
    exports = select(Handoff.shared, Handoff.bundle_sha256, Case.number).join(
        Case, Case.id == Handoff.case_id
    )
    for shared, bundle, number in session.execute(exports.execution_options(yield_per=100)):
        for name in {bundle or "", *_digests_of(shared)} & found.keys():
            found[name].add(number)
    return {name: sorted(numbers)[:MAX_CASES] for name, numbers in found.items()}


def _digests_of(shared: SharedContent) -> Iterator[str]:
    """Yield the SHA-256 of the files that recipients of a handoff get."""
    if page := shared.get("page"):
        yield page
    yield from (file["sha256"] for file in shared.get("pieces", ()))
    yield from (picture["sha256"] for picture in shared.get("pictures", ()))
