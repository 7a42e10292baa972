"""A war story that came as evidence is a draft of whoever sent it, with the case it came to.

The evidence stays what it is, and what stands in its code blocks is read like any other. Where the front of
the file cannot be kept as it is, the whole file is the text of the draft, and the timeline says why.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.core import events
from backend.core.errors import CasebookError, UnsupportedQueryError
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
    """Begin the draft; not a second time, and not where nobody is there to write on.

    What is put away, of the case or of the evidence, stays without one.
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
        _tell(session, evidence, author, f"{name} is a story but not a draft: {error}")
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
    _tell(session, evidence, author, f"{name} is a story; {author.name} has a draft of it{remark}")


def _content(written: str, name: str, case_number: int) -> tuple[StoryText, str]:
    """Return what the draft says, and what is to be said of the front of the file."""
    stem = PurePosixPath(name).stem
    try:
        content = from_markdown(written, filename=name)
        _check(content, case_number)
    except UnsupportedQueryError as error:
        whole = StoryText(title=stem[:MAX_TITLE_CHARS], cases=[case_number], text=written)
        return whole, f", with its front as text: {error}"
    return content.model_copy(update={"cases": [case_number]}), ""


def _check(content: StoryText, case_number: int) -> None:
    """Let a story keep what it speaks of.

    Raises:
        UnsupportedQueryError: There is no such signature, or cases have numbers that mean others here.
    """
    drafts.check_signatures(content)
    if set(content.cases) - {case_number}:
        raise UnsupportedQueryError("it speaks of other cases by their numbers")


def _text(store: Store, evidence: Evidence) -> str:
    """Return the evidence as text.

    Raises:
        UnsupportedQueryError: It is longer than a story may be.
    """
    held = b""
    for chunk in decoded(store, evidence.sha256):
        held += chunk
        if len(held) > MAX_BYTES:
            break
    text = held.decode("utf-8", "replace")
    if len(text) > MAX_TEXT_CHARS:
        raise UnsupportedQueryError(f"a story has at most {MAX_TEXT_CHARS:,} characters")
    return text


def _author(session: Session, case: Case, evidence: Evidence) -> Account | None:
    """Return the person who sent it; where a program did, the owner of the case."""
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


def _tell(session: Session, evidence: Evidence, author: Account, says: str) -> None:
    payload = {"evidence_id": str(evidence.id), "says": says}
    events.record(
        session,
        "story.drafted",
        case_id=evidence.case_id,
        actor=author.name,
        is_system=True,
        payload=payload,
    )
