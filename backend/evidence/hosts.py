"""Host of an evidence, from its own statements when they are unambiguous."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from backend.models.host import Host
from ingest.model import reading_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.sandbox.report import ReadEvidence
    from ingest.model.reading import Reading

NAMES = ("host.name", "host.machine_id", "host.boot_id")


class StatedHost(NamedTuple):
    """A host as evidence names it; "" where nothing or contradictory values are stated."""

    name: str
    machine_id: str
    boot_id: str


def stated(
    read: ReadEvidence, output: Path, load: Callable[[Path], Reading] = reading_folder.load
) -> StatedHost:
    """Return the host stated by `read` and its members; an archive is of one host."""
    seen: dict[str, set[str]] = {name: set() for name in NAMES}
    for name, value in _statements(read, output, load):
        seen[name].add(value)
    agreed = {name: values.pop() if len(values) == 1 else "" for name, values in seen.items()}
    return StatedHost(read.host or agreed["host.name"], agreed["host.machine_id"], agreed["host.boot_id"])


def _statements(
    read: ReadEvidence, output: Path, load: Callable[[Path], Reading]
) -> Iterator[tuple[str, str]]:
    for section in read.sections:
        for fact in load(output / section.folder).facts:
            if fact.name in NAMES:
                yield fact.name, str(fact.value)
    for member in read.members:
        yield from _statements(member, output, load)


def host_id_of(session: Session, case_id: UUID, host: StatedHost) -> UUID | None:
    """Return the id of the row of `host` in the case, inserted if new; None when nothing is stated."""
    if not any(host):
        return None
    place = {"case_id": case_id, **host._asdict()}
    new = insert(Host).values(**place).on_conflict_do_nothing().returning(Host.id)
    found: UUID | None = session.scalar(new)
    return found or session.scalars(select(Host.id).filter_by(**place)).one()
