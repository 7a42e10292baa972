"""Queries for stories and revisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import and_, select

from backend.access.actions import RANK
from backend.access.decisions import sees_draft, visible
from backend.core.errors import NotFoundError
from backend.models.account import Role
from backend.models.case import Case, Visibility
from backend.models.story import Story, StoryRevision

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.orm import InstrumentedAttribute, Session

    from backend.access.principals import Principal
    from backend.core.http.pagination import Page

MAX_NUMBER = 2**31 - 1


def published(session: Session, name: str) -> tuple[Story, StoryRevision]:
    """Return a published story with its published revision.

    Raises:
        NotFoundError: It does not exist.
    """
    row = session.execute(_stories(Story.published_revision).where(_named(name))).one_or_none()
    if row is None:
        raise NotFoundError(absent(name))
    return row[0], row[1]


def draft(session: Session, principal: Principal, name: str, *, is_deleted: bool = False) -> Story:
    """Return a story whose draft is visible to `principal`.

    Raises:
        NotFoundError: It does not exist or is not visible.
    """
    is_there = Story.deleted_at.is_not(None) if is_deleted else Story.deleted_at.is_(None)
    story = session.scalar(select(Story).where(_named(name), is_there, sees_draft(principal)))
    if story is None:
        raise NotFoundError(absent(name))
    return story


def may_edit(session: Session, principal: Principal, story: Story) -> bool:
    """Return whether `principal` may see and edit the draft."""
    if RANK[principal.role] < RANK[Role.RESPONDER]:
        return False
    return session.scalar(select(Story.id).where(Story.id == story.id, sees_draft(principal))) is not None


def revision(session: Session, story: Story, number: int) -> StoryRevision:
    """Return one revision.

    Raises:
        NotFoundError: It does not exist.
    """
    query = select(StoryRevision).where(StoryRevision.story_id == story.id, StoryRevision.number == number)
    found = session.scalar(query)
    if found is None:
        raise NotFoundError(f"story {story.number} has no revision {number}")
    return found


def revisions(session: Session, story: Story, page: Page) -> list[StoryRevision]:
    """Return a page of all revisions, latest first."""
    query = select(StoryRevision).where(StoryRevision.story_id == story.id)
    return [one for (one,) in page.of(session, query, StoryRevision.number, is_descending=True)]


def drafts(session: Session, principal: Principal, page: Page) -> list[tuple[Story, StoryRevision]]:
    """Return a page of visible stories with unpublished changes, latest first."""
    query = _stories(Story.revision).where(
        sees_draft(principal), Story.published_revision.is_distinct_from(Story.revision)
    )
    return page.of(session, query, Story.updated_at, Story.id, is_descending=True)


def of_case(session: Session, principal: Principal, case: Case) -> list[tuple[Story, StoryRevision]]:
    """Return the stories linked to the case: published ones and visible drafts."""
    speaks = StoryRevision.cases.any_() == case.number
    found = list(session.execute(_stories(Story.published_revision).where(speaks)))
    if RANK[principal.role] >= RANK[Role.RESPONDER]:
        is_draft = Story.published_revision.is_(None)
        found += session.execute(_stories(Story.revision).where(speaks, is_draft, sees_draft(principal)))
    return sorted(((story, revision) for story, revision in found), key=lambda row: row[0].number)


def all_published(session: Session) -> list[tuple[Story, StoryRevision]]:
    """Return all published stories."""
    return [(story, revision) for story, revision in session.execute(_stories(Story.published_revision))]


def seen_cases(session: Session, principal: Principal, numbers: Collection[int]) -> list[Case]:
    """Return the existing cases of `numbers` visible to `principal`."""
    if not numbers:
        return []
    query = select(Case).where(Case.number.in_(numbers), Case.deleted_at.is_(None), visible(principal))
    return list(session.scalars(query.order_by(Case.number)))


def closed_cases(session: Session, numbers: Collection[int]) -> list[int]:
    """Return the cases that are not visible to everyone."""
    if not numbers:
        return []
    is_open = and_(Case.visibility == Visibility.TEAM, Case.team_id.is_(None))
    return list(
        session.scalars(select(Case.number).where(Case.number.in_(numbers), ~is_open).order_by(Case.number))
    )


def absent(name: str) -> str:
    """Return the message for a story that does not exist or is not visible."""
    return f"there is no story {name}"


def _stories(number: InstrumentedAttribute[Any]) -> Select[Story, StoryRevision]:
    """Return the query for undeleted stories with the revision in `column`."""
    is_it = and_(StoryRevision.story_id == Story.id, StoryRevision.number == number)
    query = select(Story, StoryRevision).join(StoryRevision, is_it)
    return query.where(Story.deleted_at.is_(None))


def _named(name: str) -> ColumnElement[bool]:
    """Return the condition for a UUID, a number, or a slug: `12-ping-spikes`.

    Raises:
        NotFoundError: It is none of these.
    """
    number = name.partition("-")[0]
    if number.isascii() and number.isdecimal() and len(number) < 12 and int(number) <= MAX_NUMBER:
        try:
            return Story.id == UUID(name)
        except ValueError:
            return Story.number == int(number)
    try:
        return Story.id == UUID(name)
    except ValueError:
        raise NotFoundError(f"no story {name!r}; use its number or UUID") from None
