"""Drafts of stories: create, save, revert to an earlier revision.

Optimistic locking: saving requires the version that was loaded.
"""

from __future__ import annotations

import difflib
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from backend.core import events
from backend.core.errors import NotAllowedError, NotFoundError, PreconditionError, UnsupportedQueryError
from backend.core.http.request_body import with_marks
from backend.findings import library
from backend.models.account import Role
from backend.models.story import Story, StoryRevision
from backend.models.team import TeamMember
from backend.stories import queries
from backend.stories.schemas import StoryText

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal

FIELDS = tuple(StoryText.model_fields)


def begin(
    session: Session, principal: Principal, content: StoryText, *, team_id: UUID | None = None
) -> Story:
    """Create a story of `principal`, visible to `team_id` if given.

    Raises:
        UnsupportedQueryError: It names an unknown signature or case.
    """
    check(session, principal, content)
    return write(session, principal.id, principal.name, content, team_id=team_id)


def write(
    session: Session,
    author_id: UUID,
    author: str,
    content: StoryText,
    *,
    team_id: UUID | None,
    evidence_id: UUID | None = None,
) -> Story:
    """Create a story from validated content; `evidence_id` is its source evidence."""
    story = Story(author_id=author_id, author=author, team_id=team_id, evidence_id=evidence_id)
    session.add(story)
    session.flush()
    session.refresh(story)
    session.add(_revision(story, content, number=1, editor=author, sitting=""))
    session.flush()
    record_event(session, "story.begun", story, author)
    return story


def save(
    session: Session,
    principal: Principal,
    story: Story,
    content: StoryText,
    *,
    version: int,
    sitting: str = "",
) -> None:
    """Save the draft; saves of one sitting share a revision.

    Raises:
        PreconditionError: It was saved since `version`.
        UnsupportedQueryError: It names an unknown signature or case.
    """
    now = session.scalar(select(Story.version).where(Story.id == story.id).with_for_update())
    session.refresh(story)
    last = queries.revision(session, story, story.revision)
    if now != version:
        raise PreconditionError(
            f"{last.editor} saved this story meanwhile; your text was not saved: read theirs, "
            "then save again or discard yours"
        )
    hidden = set(last.cases) - {case.number for case in queries.seen_cases(session, principal, last.cases)}
    content = content.model_copy(update={"cases": sorted({*content.cases, *hidden})})
    if content == content_of(last):
        return
    check(session, principal, content, known_cases=last.cases)
    goes_on = sitting != "" and last.sitting == sitting and last.editor == principal.name
    if goes_on and last.number != story.published_revision:
        for name in FIELDS:
            setattr(last, name, getattr(content, name))
    else:
        story.revision += 1
        session.add(_revision(story, content, number=story.revision, editor=principal.name, sitting=sitting))
        record_event(session, "story.changed", story, principal.name)
    story.version += 1
    story.updated_at = datetime.now(UTC)
    session.flush()


def bring_back(session: Session, principal: Principal, story: Story, number: int, *, version: int) -> None:
    """Copy an earlier revision as the new latest one; later revisions stay.

    Raises:
        NotFoundError: No such revision.
        PreconditionError: The story was saved since `version`.
    """
    content = content_of(queries.revision(session, story, number))
    save(session, principal, story, content, version=version)


def set_team(session: Session, principal: Principal, story: Story, team_id: UUID | None) -> None:
    """Set the team that sees the draft beside its author; None for no team.

    Raises:
        NotFoundError: `principal` is neither a member of the team nor an admin.
    """
    if team_id is not None and team_id != story.team_id and principal.role is not Role.ADMIN:
        mine = select(TeamMember.team_id).where(
            TeamMember.account_id == principal.id, TeamMember.team_id == team_id
        )
        if session.scalar(mine) is None:
            raise NotFoundError(f"no team {team_id}")
    story.team_id = team_id
    session.flush()
    record_event(session, "story.shared", story, principal.name)


def own_team(session: Session, account_id: UUID, team_id: UUID | None) -> UUID | None:
    """Return the team when the account is in it."""
    mine = select(TeamMember.team_id).where(
        TeamMember.account_id == account_id, TeamMember.team_id == team_id
    )
    return session.scalar(mine) if team_id else None


def offer(session: Session, principal: Principal, story: Story) -> None:
    """Submit the draft to the curators for publication."""
    if story.offered_at is None:
        story.offered_at = func.clock_timestamp()
        session.flush()
        record_event(session, "story.offered", story, principal.name)


def content_of(revision: StoryRevision) -> StoryText:
    """Return the content of a revision."""
    fields = {name: getattr(revision, name) for name in FIELDS}
    return StoryText(**{**fields, "title": with_marks(revision.title)})


def check(
    session: Session, principal: Principal, content: StoryText, *, known_cases: Iterable[int] = ()
) -> None:
    """Check that the signatures exist and the cases are visible to the author or already linked.

    Raises:
        UnsupportedQueryError: One is not.
    """
    check_signatures(content)
    wanted = set(content.cases) - set(known_cases)
    for number in sorted(wanted - {case.number for case in queries.seen_cases(session, principal, wanted)}):
        raise UnsupportedQueryError(f"no visible case {number}")


def check_signatures(content: StoryText) -> None:
    """Check that the signatures exist.

    Raises:
        UnsupportedQueryError: One does not; the message suggests similar names.
    """
    every = [one.id for one in library.catalog().signatures]
    for name in content.signatures:
        if name not in every:
            near = difflib.get_close_matches(name, every, 3, 0.5)
            meant = f"; did you mean {' or '.join(near)}?" if near else ""
            raise UnsupportedQueryError(f"the library has no signature {name}{meant}")


def must_be_own(principal: Principal, story: Story, what: str) -> None:
    """Check that the principal is the author, a curator or an admin.

    Raises:
        NotAllowedError: The principal is none of these.
    """
    if story.author_id != principal.id and principal.role not in {Role.CURATOR, Role.ADMIN}:
        raise NotAllowedError(f"to {what} a story is for its author, a curator or an admin")


def record_event(session: Session, kind: str, story: Story, actor: str) -> None:
    """Record an action on a story in the event log."""
    payload = {"story_id": str(story.id), "number": story.number, "revision": story.revision}
    events.record(session, kind, actor=actor, payload=payload)


def _revision(story: Story, content: StoryText, *, number: int, editor: str, sitting: str) -> StoryRevision:
    fields = {name: getattr(content, name) for name in FIELDS}
    return StoryRevision(story_id=story.id, number=number, editor=editor, sitting=sitting, **fields)
