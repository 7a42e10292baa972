"""API representations of stories and revisions, by audience."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from backend.access import decisions
from backend.access.actions import Action
from backend.core.errors import NotAllowedError
from backend.findings import library
from backend.stories import drafts, queries
from backend.stories.document import to_markdown
from backend.stories.schemas import (
    ChangedLine,
    DraftRead,
    DraftSummary,
    Linked,
    LinkedCase,
    RevisionDifference,
    RevisionRead,
    RevisionSummary,
    StoryRead,
    StorySummary,
    StoryText,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.http.pagination import Page
    from backend.models.case import Case
    from backend.models.story import Story, StoryRevision

AROUND = 3
"""Context lines on both sides of a change."""


def of_published(session: Session, principal: Principal, name: str) -> StoryRead:
    """Return a published story."""
    story, revision = queries.published(session, name)
    may_edit = queries.may_edit(session, principal, story)
    return _story(session, principal, story, revision, may_edit=may_edit)


def of_draft(session: Session, principal: Principal, story: Story) -> DraftRead:
    """Return the latest revision of a story with its state."""
    revision = queries.revision(session, story, story.revision)
    return DraftRead(
        **vars(_story(session, principal, story, revision, may_edit=True)),
        version=story.version,
        editor=revision.editor,
        team_id=story.team_id,
        created_at=story.created_at,
        updated_at=story.updated_at,
        published_revision=story.published_revision,
        is_offered=story.offered_at is not None,
        is_own=story.author_id == principal.id,
        may_publish=_may_publish(principal),
        closed_cases=queries.closed_cases(session, revision.cases),
    )


def of_drafts(session: Session, principal: Principal, page: Page) -> list[DraftSummary]:
    """Return the drafts visible to `principal`."""
    return [
        DraftSummary(
            number=story.number,
            slug=slug(story, latest),
            title=latest.title,
            author=story.author,
            editor=latest.editor,
            updated_at=story.updated_at,
            revision=story.revision,
            published_revision=story.published_revision,
            is_offered=story.offered_at is not None,
            is_own=story.author_id == principal.id,
        )
        for story, latest in queries.drafts(session, principal, page)
    ]


def of_case(session: Session, principal: Principal, case: Case, page: Page) -> list[StorySummary]:
    """Return the stories linked to a case."""
    return [
        StorySummary(
            number=story.number,
            slug=slug(story, revision),
            title=revision.title,
            author=story.author,
            is_published=story.published_revision is not None,
            evidence_id=story.evidence_id,
        )
        for story, revision in page.cut(
            queries.of_case(session, principal, case), lambda row: (row[0].number,)
        )
    ]


def of_revisions(session: Session, story: Story, page: Page) -> list[RevisionSummary]:
    """Return the revisions of a story, latest first."""
    return [
        RevisionSummary(
            number=one.number,
            editor=one.editor,
            created_at=one.created_at,
            title=one.title,
            size_chars=len(one.text),
            is_published=one.number == story.published_revision,
        )
        for one in queries.revisions(session, story, page)
    ]


def of_revision(session: Session, principal: Principal, story: Story, number: int) -> RevisionRead:
    """Return the content of one revision."""
    revision = queries.revision(session, story, number)
    content = _visible_content(session, principal, revision)
    return RevisionRead(
        number=number, editor=revision.editor, created_at=revision.created_at, content=content
    )


def difference(
    session: Session, principal: Principal, story: Story, base: int, number: int
) -> RevisionDifference:
    """Return the diff between two revisions; `base` 0 is empty."""
    old = _file(session, principal, story, base) if base else []
    new = _file(session, principal, story, number)
    lines = list(_lines(old, new))
    return RevisionDifference(
        base=base,
        number=number,
        added=sum(line.kind == "added" for line in lines),
        removed=sum(line.kind == "removed" for line in lines),
        lines=lines,
    )


def slug(story: Story, revision: StoryRevision) -> str:
    """Return the slug in the URL of a story; only its number is significant."""
    words = re.findall(r"[a-z0-9]+", revision.title.lower())
    return "-".join([str(story.number), *words])[:80].rstrip("-")


def as_file(revision: StoryRevision) -> str:
    """Return the published revision as a file."""
    return to_markdown(drafts.content_of(revision), with_cases=False)


def _story(
    session: Session, principal: Principal, story: Story, revision: StoryRevision, *, may_edit: bool
) -> StoryRead:
    linked = [one for name in revision.signatures if (one := library.catalog().get(name)) is not None]
    visible = queries.seen_cases(session, principal, revision.cases)
    return StoryRead(
        id=story.id,
        number=story.number,
        slug=slug(story, revision),
        title=revision.title,
        area=revision.area,
        symptoms=revision.symptoms,
        signatures=[Linked(id=one.id, title=one.title) for one in linked],
        cases=[LinkedCase(number=case.number, title=case.title) for case in visible],
        fix=revision.fix,
        text=revision.text,
        author=story.author,
        revision=revision.number,
        published_at=story.published_at,
        published_by=story.published_by,
        may_edit=may_edit,
    )


def _may_publish(principal: Principal) -> bool:
    try:
        decisions.check(principal, Action.STORY_PUBLISH)
    except NotAllowedError:
        return False
    return True


def _visible_content(session: Session, principal: Principal, revision: StoryRevision) -> StoryText:
    """Return the content of a revision without cases not visible to `principal`."""
    visible = [case.number for case in queries.seen_cases(session, principal, revision.cases)]
    return drafts.content_of(revision).model_copy(update={"cases": visible})


def _file(session: Session, principal: Principal, story: Story, number: int) -> list[str]:
    content = _visible_content(session, principal, queries.revision(session, story, number))
    return to_markdown(content, with_cases=True).splitlines()


def _lines(old: list[str], new: list[str]) -> Iterator[ChangedLine]:
    """Yield the changed lines with context, as `diff -U3` would."""
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
    for at, group in enumerate(matcher.get_grouped_opcodes(AROUND)):
        if at or group[0][1] > 0:
            yield ChangedLine(kind="gap", text="")
        for kind, first, last, new_first, new_last in group:
            if kind == "equal":
                yield from (ChangedLine(kind="same", text=line) for line in old[first:last])
                continue
            yield from (ChangedLine(kind="removed", text=line) for line in old[first:last])
            yield from (ChangedLine(kind="added", text=line) for line in new[new_first:new_last])
