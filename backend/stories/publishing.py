"""Publication of stories in the library."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.core.errors import ConflictError, UnsupportedQueryError
from backend.core.sessions import create_sessions
from backend.findings import library
from backend.library import documents, index
from backend.models.library_entry import LibraryEntry
from backend.stories import drafts, queries
from ingest.frames.kernel_entries import is_kernel_entry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.settings import Settings
    from backend.models.story import Story, StoryRevision

KIND = "story"
_FENCE = re.compile(r"`{3,}+|~{3,}+")
_GRAVITY = ("critical", "high", "medium", "low")


def publish(session: Session, principal: Principal, story: Story, number: int) -> None:
    """Publish revision `number`, which must be the latest.

    Raises:
        ConflictError: It is not the latest.
        UnsupportedQueryError: It has no title or no text.
    """
    if number != story.revision:
        raise ConflictError(f"revision {story.revision} is the latest, not {number}: review it, then publish")
    revision = queries.revision(session, story, number)
    missing = [name for name in ("title", "text") if not getattr(revision, name).strip()]
    if missing:
        raise UnsupportedQueryError(f"a published story needs a {' and a '.join(missing)}")
    story.published_revision = number
    story.published_at = datetime.now(UTC)
    story.published_by = principal.name
    story.offered_at = None
    session.flush()
    _put(session, story, revision)
    drafts.record_event(session, "story.published", story, principal.name)


def unpublish(session: Session, principal: Principal, story: Story) -> None:
    """Unpublish the story; it becomes a draft again.

    Raises:
        NotAllowedError: The principal is neither the author nor a curator.
    """
    drafts.must_be_own(principal, story, "take back")
    if story.published_revision is None:
        return
    story.published_revision = story.published_at = None
    story.published_by = ""
    session.flush()
    index.remove(session, KIND, str(story.number))
    drafts.record_event(session, "story.taken-back", story, principal.name)


def delete(session: Session, principal: Principal, story: Story) -> None:
    """Delete the story, and its library entry.

    Raises:
        NotAllowedError: The principal is neither the author nor a curator.
    """
    drafts.must_be_own(principal, story, "delete")
    story.deleted_at = datetime.now(UTC)
    session.flush()
    index.remove(session, KIND, str(story.number))
    drafts.record_event(session, "story.deleted", story, principal.name)


def restore(session: Session, principal: Principal, story: Story) -> None:
    """Restore the story, and its library entry if it was published.

    Raises:
        NotAllowedError: The principal is neither the author nor a curator.
    """
    drafts.must_be_own(principal, story, "bring back")
    story.deleted_at = None
    session.flush()
    if story.published_revision is not None:
        _put(session, story, queries.revision(session, story, story.published_revision))
    drafts.record_event(session, "story.restored", story, principal.name)


def fill(settings: Settings) -> None:
    """Synchronise the published stories of the database of `settings` with its library."""
    sessions = create_sessions(settings, pool_size=1)
    with sessions.begin() as session:
        fill_session(session)
    sessions.kw["bind"].dispose()


def fill_session(session: Session) -> int:
    """Rewrite outdated entries of published stories; return their number."""
    query = select(LibraryEntry.key, LibraryEntry.digest).where(LibraryEntry.kind == KIND)
    stored = dict(session.execute(query).all())
    made = {
        str(story.number): document_of(story, revision) for story, revision in queries.all_published(session)
    }
    changed = [document for key, document in made.items() if stored.get(key) != document.digest]
    for document in changed:
        index.put(session, document)
    for key in stored.keys() - made.keys():
        index.remove(session, KIND, key)
    index.group(session)
    return len(changed)


def document_of(story: Story, revision: StoryRevision) -> documents.Document:
    """Return the search document of a story, with the columns of a signature's."""
    stored = [one for name in revision.signatures if (one := library.catalog().get(name)) is not None]
    severities = [one.severity for one in stored]
    headings = documents.headings_of(revision.text)
    frames = tuple(functions_of(revision.text))
    named = [revision.title, *revision.symptoms]
    return documents.Document(
        kind=KIND,
        key=str(story.number),
        title=revision.title,
        headline=headings[0] if headings else "",
        area=revision.area or (stored[0].id.partition("/")[0] if stored else ""),
        severity=min(severities, key=_GRAVITY.index) if severities else "",
        status="published",
        has_fix=bool(revision.fix.strip()),
        symptoms=tuple(revision.symptoms),
        frames=frames,
        signatures=tuple(one.id for one in stored),
        names="\n".join(named),
        headings="\n".join(headings),
        conditions="\n".join([revision.fix, *frames]),
        body=documents.plain(revision.text),
        vocabulary=documents.vocabulary_of([*named, *headings], frames),
    )


def functions_of(text: str) -> Iterator[str]:
    """Yield the functions named in the text, and of quoted stacks those used by a signature.

    Other frames, such as `vfs_read`, occur in every stack and would match all queries.
    """
    named = set(documents.functions_in(_unquoted(text)))
    for name in documents.functions_in(text):
        if not is_kernel_entry(name) and (name in named or name in asked_functions()):
            yield name


@lru_cache(maxsize=1)
def asked_functions() -> frozenset[str]:
    """Return the functions used by any signature."""
    return frozenset(name for one in library.catalog().signatures for name in documents.frames_of(one))


def _put(session: Session, story: Story, revision: StoryRevision) -> None:
    index.put(session, document_of(story, revision))
    index.group(session)


def _unquoted(text: str) -> str:
    """Return `text` without fenced code blocks; an unclosed fence is text.

    The first later fence as long as the opening one closes it; when there is none, the first of the longest.
    """
    lines = text.split("\n")
    fences = [found[0] if (found := _FENCE.match(line)) else "" for line in lines]
    longest = _longest_behind(fences)
    unquoted: list[str] = []
    at = 0
    while at < len(lines):
        closing = fences[at][: longest[at]]
        if closing:
            at = next(end for end in range(at + 1, len(lines)) if fences[end].startswith(closing))
            unquoted.append(lines[at][len(closing) :])
        else:
            unquoted.append(lines[at])
        at += 1
    return "\n".join(unquoted)


def _longest_behind(fences: Sequence[str]) -> list[int]:
    """Return for every fence the length of the longest later fence of its kind."""
    longest: dict[str, int] = {}
    lengths = [0] * len(fences)
    for at in range(len(fences) - 1, -1, -1):
        if fence := fences[at]:
            lengths[at] = longest.get(fence[0], 0)
            longest[fence[0]] = max(lengths[at], len(fence))
    return lengths
