"""The next cases of a hunt: those that hold evidence which the signatures need, or have a verdict of them.

The tables of facts, log classes, row sets, histograms and functions are the index; no reading is opened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import and_, false, func, or_, select, true

from backend.core.db.base import among
from backend.models import Case, Fact, Finding, Frame, Histogram, LogRecord, Profile, ProfileFrame, RowSet
from ingest.export.heaviest import NAMES_PER_PROFILE

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session

    from backend.hunts.plans import Plan
    from signatures.authoring.evidence_needs import Need

CASES_AT_A_TIME = 500
JUDGED_AT_A_TIME = 150
"""Others wait for a batch at most, and a worker that dies loses one: some seconds."""


class Batch(NamedTuple):
    """Cases of one step.

    Attributes:
        case_ids: Cases to judge, from new to old.
        passed: Cases that are done with them, in the same order.
    """

    case_ids: list[UUID]
    passed: list[UUID]

    def until(self, last: UUID) -> Batch:
        """Return the batch up to one of its cases."""
        judged, passed = self.case_ids.index(last) + 1, self.passed.index(last) + 1
        return Batch(self.case_ids[:judged], self.passed[:passed])


def next_batch(session: Session, plan: Plan, position: UUID | None) -> Batch | None:
    """Return the next cases before `position`; None when there are none."""
    is_before = true() if position is None else Case.id < position
    some = select(Case.id).where(is_there(), is_before).order_by(Case.id.desc()).limit(CASES_AT_A_TIME)
    ids = list(session.scalars(some))
    if not ids:
        return None
    chosen = select(Case.id).where(among(Case.id, ids), _may_change(plan)).order_by(Case.id.desc())
    found = list(session.scalars(chosen.limit(JUDGED_AT_A_TIME + 1)))
    if len(found) <= JUDGED_AT_A_TIME:
        return Batch(found, ids)
    return Batch(found, ids).until(found[JUDGED_AT_A_TIME - 1])


def is_there() -> ColumnElement[bool]:
    """Return the condition on a case that hunts are for: not deleted, and judged."""
    return and_(Case.deleted_at.is_(None), Case.judged_rev > 0)


def _may_change(plan: Plan) -> ColumnElement[bool]:
    has_verdict = (
        select(Finding.id)
        .where(Finding.case_id == Case.id, among(Finding.signature, plan.signatures))
        .exists()
    )
    if plan.needs is None:
        return true()
    return (
        or_(has_verdict, *(_holds(need) for need in sorted(plan.needs, key=str)))
        if plan.needs
        else has_verdict
    )


def _holds(need: Need) -> ColumnElement[bool]:
    if need.part == "profiles":
        is_named = _has_function(need.names) if need.names else true()
        return select(Profile.id).where(Profile.case_id == Case.id, is_named).exists()
    if need.part == "log_records":
        of_class = among(LogRecord.kind, need.names) if need.names else true()
        return select(LogRecord.id).where(LogRecord.case_id == Case.id, of_class).exists()
    tables: dict[str, type[Fact | RowSet | Histogram]] = {
        "facts": Fact,
        "row_sets": RowSet,
        "histograms": Histogram,
    }
    table = tables[need.part]
    is_called = among(table.name, need.names) if need.names else true()
    return select(table.id).where(table.case_id == Case.id, is_called).exists()


def _has_function(patterns: tuple[str, ...]) -> ColumnElement[bool]:
    """Return the condition that a profile has a function, or that its index does not hold all of them."""
    count = (
        select(func.count()).where(ProfileFrame.profile_id == Profile.id).correlate(Profile).scalar_subquery()
    )
    exact = [one for one in patterns if "*" not in one]
    is_alike = or_(false(), *(Frame.name.like(_like(one), escape="\\") for one in patterns if "*" in one))
    named = (
        select(ProfileFrame.frame_id)
        .join(Frame, Frame.id == ProfileFrame.frame_id)
        .where(ProfileFrame.profile_id == Profile.id, or_(among(Frame.name, exact), is_alike))
        .correlate(Profile)
        .exists()
    )
    return or_(~Profile.has_frames, named, count == 0, count >= NAMES_PER_PROFILE)


def _like(pattern: str) -> str:
    for special in ("\\", "%", "_"):
        pattern = pattern.replace(special, f"\\{special}")
    return pattern.replace("*", "%")
