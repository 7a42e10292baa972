"""Host and phase of evidence: as a person set them, as the evidence states, or as its folder suggests.

Each host and phase is judged separately. `refresh` places the evidence of a case again after every change of
it, since the folders of one file are read beside those of the others.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import or_, select, update

from backend.core.derived_rows import mark
from backend.evidence.hosts import StatedHost, host_id_of
from backend.models.evidence import Evidence
from backend.models.host import Host
from ingest.folders.placing import File, Guess, place

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

SET = "set"
DURING = "during"


class Place(NamedTuple):
    """Columns of evidence that hold its placement."""

    host_id: UUID | None
    host_basis: str
    phase: str
    phase_basis: str


def set_host(session: Session, evidence: Evidence, host: str) -> None:
    """Set the host of evidence; "" leaves it to what the evidence and its folders suggest."""
    if host:
        named = StatedHost(host, "", "")
        evidence.host_id, evidence.host_basis = host_id_of(session, evidence.case_id, named), SET
    elif evidence.host_basis == SET:
        evidence.host_id, evidence.host_basis = None, ""


def set_phase(evidence: Evidence, phase: str) -> None:
    """Set the phase of evidence; "" leaves it to what the evidence and its folders suggest."""
    if phase:
        evidence.phase, evidence.phase_basis = phase, SET
    elif evidence.phase_basis == SET:
        evidence.phase, evidence.phase_basis = DURING, ""


def refresh(session: Session, case_id: UUID) -> None:
    """Place the evidence of a case again, except for what people set; the caller holds the case lock."""
    query = (
        select(
            Evidence.id,
            Evidence.captured_path,
            Evidence.filename,
            Evidence.stated,
            Evidence.host_id,
            Evidence.host_basis,
            Evidence.phase,
            Evidence.phase_basis,
        )
        .where(Evidence.case_id == case_id, Evidence.parent_id.is_(None), Evidence.deleted_at.is_(None))
        .order_by(Evidence.id)
    )
    rows = session.execute(query).all()
    files = [
        File(path or name, stated.get("name", ""), stated.get("machine_id", ""))
        for _, path, name, stated, *_ in rows
    ]
    known = _Hosts(session, case_id)
    moves: dict[Place, list[UUID]] = defaultdict(list)
    for row, guess in zip(rows, place(files), strict=True):
        evidence_id, _, _, stated, *columns = row
        before = Place._make(columns)
        after = _placed(known, before, stated, guess)
        if after != before:
            moves[after].append(evidence_id)
    for to, evidence_ids in moves.items():
        move(session, case_id, evidence_ids, to)
    if moves:
        mark(session, case_id)


class _Hosts:
    """Rows of the hosts of one case; new ones are inserted."""

    def __init__(self, session: Session, case_id: UUID) -> None:
        self._session, self._case_id = session, case_id
        self._ids: dict[StatedHost, UUID | None] | None = None

    def id_of(self, host: StatedHost) -> UUID | None:
        """Return the id of a host; None when nothing of it is known."""
        if not any(host):
            return None
        if self._ids is None:
            self._ids = self._stored()
        if host not in self._ids:
            self._ids[host] = host_id_of(self._session, self._case_id, host)
        return self._ids[host]

    def _stored(self) -> dict[StatedHost, UUID | None]:
        query = select(Host.name, Host.machine_id, Host.boot_id, Host.id).where(Host.case_id == self._case_id)
        return {StatedHost(*host): host_id for *host, host_id in self._session.execute(query)}


def _placed(known: _Hosts, before: Place, stated: dict[str, str], guess: Guess) -> Place:
    """Return the placement of one evidence, that of a person where there is one."""
    host_id, host_basis, phase, phase_basis = before
    if host_basis != SET:
        is_stated = guess.host_basis == "stated" or not guess.host
        machine, boot = (stated.get(key, "") if is_stated else "" for key in ("machine_id", "boot_id"))
        host_id = known.id_of(StatedHost(guess.host, machine, boot))
        host_basis = guess.host_basis or ("stated" if host_id else "")
    if phase_basis != SET:
        phase, phase_basis = guess.phase or DURING, guess.phase_basis
    return Place(host_id, host_basis, phase, phase_basis)


def move(session: Session, case_id: UUID, evidence_ids: list[UUID], to: Place) -> None:
    """Place evidence and its members; a member keeps what its manifest states unless a person set another."""
    host = {"host_id": to.host_id, "host_basis": to.host_basis}
    phase = {"phase": to.phase, "phase_basis": to.phase_basis}
    session.execute(update(Evidence).where(Evidence.id.in_(evidence_ids)).values(**host, **phase))
    level = evidence_ids
    has_manifest = Evidence.stated.has_key("phase")
    while level := list(session.scalars(select(Evidence.id).where(Evidence.parent_id.in_(level)))):
        here = Evidence.id.in_(level)
        was_set = or_(Evidence.host_basis == SET, Evidence.phase_basis == SET)
        for member in session.scalars(select(Evidence).where(here, has_manifest, was_set)):
            stated = {key: member.stated.get(key, "") for key in StatedHost._fields}
            member.host_id, member.host_basis = host_id_of(session, case_id, StatedHost(**stated)), "stated"
            member.phase, member.phase_basis = member.stated["phase"], "stated"
        session.flush()
        for columns, basis in ((host, to.host_basis), (phase, to.phase_basis)):
            moved = here if basis == SET else here & ~has_manifest
            session.execute(update(Evidence).where(moved).values(**columns))
