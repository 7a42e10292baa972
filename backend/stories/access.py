"""The story a URL names, once it is decided that it may be seen; and the version somebody began from."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import Depends, Header, Path

from backend.access.dependencies import PrincipalDep, SessionDep
from backend.core.errors import InvalidRequestError
from backend.models.story import Story
from backend.stories import queries

StoryName = Annotated[str, Path(description="Number, address or UUID of the story", max_length=100)]


def get_draft(session: SessionDep, principal: PrincipalDep, story_id: StoryName) -> Story:
    """Return the story in the making that the URL names.

    Raises:
        NotFoundError: There is none, it was deleted, or whoever asks does not see it.
    """
    return queries.draft(session, principal, story_id)


def get_deleted_draft(session: SessionDep, principal: PrincipalDep, story_id: StoryName) -> Story:
    """Return the deleted story that the URL names.

    Raises:
        NotFoundError: There is none, or whoever asks does not see it.
    """
    return queries.draft(session, principal, story_id, is_deleted=True)


def get_version(
    if_match: Annotated[str, Header(description='The `ETag` that was read, `"7"`', max_length=40)],
) -> int:
    """Return the version that whoever saves began from.

    Raises:
        InvalidRequestError: The header names none.
    """
    told = re.fullmatch(r'(?:W/)?"([0-9]{1,9})"', if_match.strip())
    if told is None:
        raise InvalidRequestError('If-Match must be the ETag that came with the draft, such as "7"')
    return int(told[1])


DraftDep = Annotated[Story, Depends(get_draft)]
DeletedDraftDep = Annotated[Story, Depends(get_deleted_draft)]
VersionDep = Annotated[int, Depends(get_version)]
