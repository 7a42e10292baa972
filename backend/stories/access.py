"""FastAPI dependencies: the story of a URL after its access check, and the version in If-Match."""

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
    """Return the draft named in the URL.

    Raises:
        NotFoundError: It does not exist, was deleted, or is not visible to the principal.
    """
    return queries.draft(session, principal, story_id)


def get_deleted_draft(session: SessionDep, principal: PrincipalDep, story_id: StoryName) -> Story:
    """Return the deleted story named in the URL.

    Raises:
        NotFoundError: It does not exist, or is not visible to the principal.
    """
    return queries.draft(session, principal, story_id, is_deleted=True)


def get_version(
    if_match: Annotated[str, Header(description='The `ETag` of the loaded draft, `"7"`', max_length=40)],
) -> int:
    """Return the version in If-Match.

    Raises:
        InvalidRequestError: The header has no version.
    """
    matched = re.fullmatch(r'(?:W/)?"([0-9]{1,9})"', if_match.strip())
    if matched is None:
        raise InvalidRequestError('If-Match must be the ETag that came with the draft, such as "7"')
    return int(matched[1])


DraftDep = Annotated[Story, Depends(get_draft)]
DeletedDraftDep = Annotated[Story, Depends(get_deleted_draft)]
VersionDep = Annotated[int, Depends(get_version)]
