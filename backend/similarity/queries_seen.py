"""Queries of labels of pairs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from backend.core.db.base import among, uuid7
from backend.models.case import Case
from backend.models.case_pair import PairLabel, PairOpinion

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal


def newest(session: Session, case_ids: Collection[UUID], limit: int) -> list[Case]:
    """Return the newest of these cases."""
    query = select(Case).where(among(Case.id, case_ids)).order_by(Case.number.desc()).limit(limit)
    return list(session.scalars(query))


def own_opinions(session: Session, principal: Principal, case_id: UUID) -> dict[UUID, PairOpinion]:
    """Return what a principal said of a case and earlier ones."""
    query = select(PairLabel.earlier_id, PairLabel.opinion)
    return dict(
        session.execute(
            query.where(PairLabel.later_id == case_id, PairLabel.account_id == principal.id)
        ).all()
    )


def write_label(  # noqa: PLR0917 - which pair, who, and what they say
    session: Session,
    later_id: UUID,
    earlier_id: UUID,
    principal: Principal,
    opinion: PairOpinion,
    kinds: Sequence[str],
) -> PairLabel:
    """Store the label of `principal`, replacing their earlier one."""
    place = {"later_id": later_id, "earlier_id": earlier_id, "account_id": principal.id}
    values = {
        "author": principal.name,
        "opinion": opinion,
        "kinds": list(kinds),
        "updated_at": datetime.now(UTC),
    }
    row = insert(PairLabel).values(id=uuid7(), **place, **values)
    row = row.on_conflict_do_update(index_elements=list(place), set_=values)
    label_id = session.scalar(row.returning(PairLabel.id))
    return session.get_one(PairLabel, label_id, populate_existing=True)


def delete_label(session: Session, later_id: UUID, earlier_id: UUID, principal: Principal) -> bool:
    """Delete the label of `principal`; return whether there was one."""
    query = delete(PairLabel).where(
        PairLabel.later_id == later_id,
        PairLabel.earlier_id == earlier_id,
        PairLabel.account_id == principal.id,
    )
    return session.scalar(query.returning(PairLabel.id)) is not None
