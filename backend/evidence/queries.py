"""Queries for evidence and its facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.evidence.schemas import FactRead
from backend.models.case import Case
from backend.models.evidence import Evidence
from backend.models.fact import Fact
from backend.models.section import Section
from backend.models.standing import standing

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy import Select
    from sqlalchemy.orm import Session

    from backend.core.http.pagination import Page


def evidence_of_id(evidence_id: UUID, *, with_deleted: bool = False) -> Select[Evidence]:
    """Return the query for one evidence that is not deleted."""
    query = (
        select(Evidence)
        .join(Case, Case.id == Evidence.case_id)
        .where(Evidence.id == evidence_id, Case.deleted_at.is_(None))
    )
    if not with_deleted:
        query = query.where(Evidence.deleted_at.is_(None))
    return query


def absent(evidence_id: UUID) -> str:
    """Return the message for evidence that does not exist or is not visible."""
    return f"there is no evidence {evidence_id}"


def facts_of_case(session: Session, case: Case, page: Page, *, name: str) -> list[FactRead]:
    """Return a page of facts of the case; a `name` ending in a dot is a prefix, an empty one matches all."""
    query = standing(select(Fact, Evidence.id, Section.ordinal), Fact).where(Fact.case_id == case.id)
    if name.endswith("."):
        query = query.where(Fact.name.startswith(name, autoescape=True))
    elif name:
        query = query.where(Fact.name == name)
    return [
        FactRead(
            name=fact.name,
            value=value_of(fact),
            unit=fact.unit,
            labels=fact.labels,
            evidence_id=evidence_id,
            section=section,
            first_line=fact.first_line,
            last_line=fact.last_line,
        )
        for fact, evidence_id, section in page.of(session, query, Fact.name, Fact.id)
    ]


def value_of(fact: Fact) -> float | str | bool | None:
    """Return the value of `fact`; non-finite numbers become text (`inf`) because JSON lacks them."""
    if fact.truth is not None:
        return fact.truth
    if fact.number is not None:
        is_finite = fact.number - fact.number == 0
        return fact.number if is_finite else str(fact.number)
    return fact.text
