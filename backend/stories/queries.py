"""Finding stories and their revisions."""

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
    """Return a published story and what everybody reads of it.

    Raises:
        NotFoundError: There is none.
    """
    row = session.execute(_stories(Story.published_revision).where(_named(name))).one_or_none()
    if row is None:
        raise NotFoundError(absent(name))
    return row[0], row[1]


def draft(session: Session, principal: Principal, name: str, *, is_deleted: bool = False) -> Story:
    """Return a story whose text in the making `principal` sees.

    Raises:
        NotFoundError: There is none, or they do not see it.
    """
    is_there = Story.deleted_at.is_not(None) if is_deleted else Story.deleted_at.is_(None)
    story = session.scalar(select(Story).where(_named(name), is_there, sees_draft(principal)))
    if story is None:
        raise NotFoundError(absent(name))
    return story


def may_edit(session: Session, principal: Principal, story: Story) -> bool:
    """Say whether `principal` sees and may change the text in the making."""
    if RANK[principal.role] < RANK[Role.RESPONDER]:
        return False
    return session.scalar(select(Story.id).where(Story.id == story.id, sees_draft(principal))) is not None


def revision(session: Session, story: Story, number: int) -> StoryRevision:
    """Return one revision.

    Raises:
        NotFoundError: There is none.
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
    """Return stories that speak of the case: published ones, and drafts that `principal` sees."""
    speaks = StoryRevision.cases.any_() == case.number
    found = list(session.execute(_stories(Story.published_revision).where(speaks)))
    if RANK[principal.role] >= RANK[Role.RESPONDER]:
        is_draft = Story.published_revision.is_(None)
        found += session.execute(_stories(Story.revision).where(speaks, is_draft, sees_draft(principal)))
    return sorted(((story, told) for story, told in found), key=lambda row: row[0].number)


def all_published(session: Session) -> list[tuple[Story, StoryRevision]]:
    """Return what is in the library."""
    return [(story, told) for story, told in session.execute(_stories(Story.published_revision))]


def seen_cases(session: Session, principal: Principal, numbers: Collection[int]) -> list[Case]:
    """Return those of the cases that are there and that `principal` sees."""
    if not numbers:
        return []
    query = select(Case).where(Case.number.in_(numbers), Case.deleted_at.is_(None), visible(principal))
    return list(session.scalars(query.order_by(Case.number)))


def closed_cases(session: Session, numbers: Collection[int]) -> list[int]:
    """Return those of the cases that not everybody sees."""
    if not numbers:
        return []
    is_open = and_(Case.visibility == Visibility.TEAM, Case.team_id.is_(None))
    return list(
        session.scalars(select(Case.number).where(Case.number.in_(numbers), ~is_open).order_by(Case.number))
    )


def absent(name: str) -> str:
    """Return what is told of a story that is not there, or that may not be seen."""
    return f"there is no story {name}"


def _stories(number: InstrumentedAttribute[Any]) -> Select[Story, StoryRevision]:
    """Return the query for stories, not put away, with the revision that a column of theirs names."""
    is_it = and_(StoryRevision.story_id == Story.id, StoryRevision.number == number)
    query = select(Story, StoryRevision).join(StoryRevision, is_it)
    return query.where(Story.deleted_at.is_(None))


def _named(name: str) -> ColumnElement[bool]:
    """Return the condition for a UUID, a number, or an address: `12-ping-spikes`.

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
        raise NotFoundError(f"there is no story {name!r}; a story is named by its number or UUID") from None
