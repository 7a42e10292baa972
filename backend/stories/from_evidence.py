"""A story file uploaded as evidence becomes a draft of its sender.

The evidence stays, and its code blocks are read like any evidence. With invalid front matter the whole file
becomes the text of the draft, and the timeline gives the reason.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.core import events
from backend.core.errors import CasebookError, UnsupportedQueryError
from backend.core.http.request_body import with_marks
from backend.evidence.lines import decoded
from backend.models.account import Account, Role
from backend.models.case import Case
from backend.models.event import Event
from backend.models.evidence import Evidence
from backend.models.story import Story
from backend.stories import drafts
from backend.stories.document import from_markdown
from backend.stories.schemas import MAX_TEXT_CHARS, MAX_TITLE_CHARS, StoryText

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.storage.object_store import Store

MAX_BYTES = 4 * MAX_TEXT_CHARS
"""UTF-8 has at most four bytes a character."""


def begin(session: Session, store: Store, evidence_id: UUID) -> None:
    """Create the draft once per evidence, if there is a person to own it.

    Deleted cases and evidence get none.
    """
    evidence = session.scalar(select(Evidence).where(Evidence.id == evidence_id).with_for_update())
    case = session.get(Case, evidence.case_id) if evidence is not None else None
    if evidence is None or case is None or evidence.deleted_at is not None or case.deleted_at is not None:
        return
    if session.scalar(select(Story.id).where(Story.evidence_id == evidence_id)) is not None:
        return
    author = _author(session, case, evidence)
    if author is None:
        return
    name = evidence.captured_path or evidence.filename
    try:
        written = _text(store, evidence)
    except CasebookError as error:
        _record_event(session, evidence, author, f"{name} is a story but not a draft: {error}")
        return
    content, remark = _content(written, name, case.number)
    drafts.write(
        session,
        author.id,
        author.name,
        content,
        team_id=drafts.own_team(session, author.id, case.team_id),
        evidence_id=evidence.id,
    )
    _record_event(session, evidence, author, f"{name} is a story; {author.name} has a draft of it{remark}")


def _content(written: str, name: str, case_number: int) -> tuple[StoryText, str]:
    """Return the content of the draft, and the problem with the front matter."""
    stem = PurePosixPath(name).stem
    try:
        content = from_markdown(written, filename=name)
        _check(content, case_number)
    except UnsupportedQueryError as error:
        whole = StoryText(title=with_marks(stem)[:MAX_TITLE_CHARS], cases=[case_number], text=written)
        return whole, f", with its front as text: {error}"
    return content.model_copy(update={"cases": [case_number]}), ""


def _check(content: StoryText, case_number: int) -> None:
    """Check that the story can be imported as it is.

    Raises:
        UnsupportedQueryError: It names an unknown signature, or cases of another instance.
    """
    drafts.check_signatures(content)
    if set(content.cases) - {case_number}:
        raise UnsupportedQueryError("it names cases by number")


def _text(store: Store, evidence: Evidence) -> str:
    """Return the evidence as text.

    Raises:
        UnsupportedQueryError: It exceeds the size limit of a story.
    """
    content = b""
    for chunk in decoded(store, evidence.sha256):
        content += chunk
        if len(content) > MAX_BYTES:
            break
    text = content.decode("utf-8", "replace")
    if len(text) > MAX_TEXT_CHARS:
        raise UnsupportedQueryError(f"a story has at most {MAX_TEXT_CHARS:,} characters")
    return text


def _author(session: Session, case: Case, evidence: Evidence) -> Account | None:
    """Return the sender; for uploads by a program, the owner of the case."""
    sent = (
        select(Event.actor)
        .where(
            Event.case_id == case.id,
            Event.kind == "evidence.received",
            Event.payload["evidence_id"].astext == str(evidence.id),
        )
        .order_by(Event.id.desc())
        .limit(1)
    )
    writes = (~Account.is_service, Account.disabled_at.is_(None), Account.role != Role.VIEWER)
    sender = session.scalar(select(Account).where(Account.name == sent.scalar_subquery(), *writes))
    return sender or session.scalar(select(Account).where(Account.id == case.owner_id, *writes))


def _record_event(session: Session, evidence: Evidence, author: Account, says: str) -> None:
    payload = {"evidence_id": str(evidence.id), "says": says}
    events.record(
        session,
        "story.drafted",
        case_id=evidence.case_id,
        actor=author.name,
        is_system=True,
        payload=payload,
    )
