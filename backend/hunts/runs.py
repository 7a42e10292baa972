"""Hunts: begun, moved on by one batch of cases at a time, cancelled, ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert

from backend.core.domain_events import publish
from backend.core.errors import ConflictError
from backend.hunts import candidates, plans
from backend.hunts.domain_events import HuntStepDue
from backend.models import Case, Change, Hunt, HuntedCase, LibraryVersion, RunState
from backend.models.base import uuid7
from backend.reprocessing.run_lifecycle import RunLifecycle

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.hunts.candidates import Batch

LIFECYCLE = RunLifecycle(Hunt, kind="hunt", id_name="hunt_id", key="hunt", noun="hunt")


@dataclass(frozen=True, slots=True)
class Changed:
    """What a hunt changes in one case.

    Attributes:
        verdicts: As `backend.models.hunt.HuntedCase` has them.
        reason: Why the case failed; "" otherwise.
    """

    case_id: UUID
    change: Change
    verdicts: list[dict[str, Any]]
    reason: str = ""

    @property
    def gains(self) -> bool:
        """Whether a verdict rises."""
        return any(_rank(one["after"]) > _rank(one["before"]) for one in self.verdicts)

    @property
    def loses(self) -> bool:
        """Whether a verdict falls."""
        return any(_rank(one["after"]) < _rank(one["before"]) for one in self.verdicts)


def begin(session: Session, version: LibraryVersion, *, applies: bool, author: str) -> Hunt:
    """Begin a hunt and queue its first step.

    Raises:
        ConflictError: The version was not read, or another hunt is running.
    """
    if not version.signatures:
        raise ConflictError(f"this version is {version.state.value}; only one that was read can be hunted")
    known = _previewed(session, version.id) if applies else None
    plan = plans.plan_of(session, version, applies=applies, signatures=known)
    total = session.scalar(select(func.count()).select_from(Case).where(candidates.is_there())) or 0
    values = {"author": author, "applies": applies, "signatures": plan.signatures, "total": total}
    counts = dict.fromkeys(("done", "judged", "gained", "lost", "failed"), 0)
    row = insert(Hunt).values(
        id=uuid7(), version_id=version.id, state=RunState.RUNNING, reason="", **values, **counts
    )
    added = session.scalar(row.on_conflict_do_nothing().returning(Hunt.id))
    if added is None:
        raise ConflictError("a hunt is in progress; cancel it, or wait for its end")
    LIFECYCLE.record_event(session, added, "begun", author)
    publish(session, HuntStepDue(added))
    return session.get_one(Hunt, added)


def advance(session: Session, hunt_id: UUID, batch: Batch, changed: Sequence[Changed]) -> bool:
    """Store what became of a batch, and queue the next step in the same transaction.

    Returns:
        False when the hunt was cancelled meanwhile: nothing is stored.
    """
    hunt = LIFECYCLE.locked(session, hunt_id)
    if hunt is None:
        return False
    rows = [
        {
            "hunt_id": hunt_id,
            "case_id": one.case_id,
            "change": one.change,
            "verdicts": one.verdicts,
            "reason": one.reason,
        }
        for one in changed
    ]
    if rows:
        session.execute(insert(HuntedCase).on_conflict_do_nothing(), rows)
    hunt.done += len(batch.passed)
    hunt.judged += len(batch.case_ids)
    hunt.gained += sum(one.gains for one in changed)
    hunt.lost += sum(one.loses for one in changed)
    hunt.failed += sum(bool(one.reason) for one in changed)
    hunt.position = batch.passed[-1]
    publish(session, HuntStepDue(hunt_id))
    return True


def resume(session: Session, hunt: Hunt, *, by: str) -> Hunt:
    """Go on with a hunt that was cancelled or failed, after the last case that was done.

    Raises:
        ConflictError: It is done, or another one is running.
    """
    found = session.get(Hunt, hunt.id, with_for_update=True, populate_existing=True)
    if found is None or found.state not in {RunState.CANCELLED, RunState.FAILED}:
        raise ConflictError(f"this hunt is {hunt.state.value}")
    if session.scalar(select(Hunt.id).where(Hunt.state == RunState.RUNNING)) is not None:
        raise ConflictError("a hunt is in progress; cancel it, or wait for its end")
    found.state, found.finished_at, found.reason = RunState.RUNNING, None, ""
    session.flush()
    LIFECYCLE.record_event(session, found.id, "begun", by)
    publish(session, HuntStepDue(found.id))
    return found


def has_preview(session: Session, version_id: UUID) -> bool:
    """Return whether a preview of the version is done."""
    return _previewed(session, version_id) is not None


def _previewed(session: Session, version_id: UUID) -> list[str] | None:
    """Return the signatures of the newest finished preview of a version, None without one."""
    query = select(Hunt.signatures).where(
        Hunt.version_id == version_id, ~Hunt.applies, Hunt.state == RunState.DONE
    )
    return session.scalar(query.order_by(Hunt.id.desc()).limit(1))


def _rank(verdict: str | None) -> int:
    return {"match": 2, "suspect": 1}.get(verdict or "", 0)
