"""Endpoints of drafts: edit, history, publish, unpublish, delete."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.access.idempotency import ClaimedDep
from backend.core.errors import UnsupportedQueryError
from backend.core.http.envelope import Listed
from backend.core.http.locations import locate
from backend.core.http.pagination import PageDep
from backend.stories import drafts, publishing, report
from backend.stories.access import DeletedDraftDep, DraftDep, VersionDep
from backend.stories.document import from_markdown
from backend.stories.schemas import (
    DraftRead,
    DraftSave,
    DraftSummary,
    DraftTeam,
    Publish,
    RevisionDifference,
    RevisionRead,
    RevisionSummary,
    StoryText,
)

router = APIRouter(tags=["stories"])

WRITES = [needs(Action.STORY_WRITE)]
MARKDOWN: dict[str, Any] = {
    "requestBody": {"required": True, "content": {"text/markdown": {"schema": {"type": "string"}}}}
}


@router.get("/stories/drafts", dependencies=WRITES)
def list_drafts(session: SessionDep, principal: PrincipalDep, page: PageDep) -> Listed[DraftSummary]:
    """List the visible drafts, last changed first."""
    return page.envelope(report.of_drafts(session, principal, page))


@router.post("/stories", status_code=201, dependencies=WRITES)
def create_story(
    body: StoryText, response: Response, session: SessionDep, principal: PrincipalDep, _once: ClaimedDep
) -> DraftRead:
    """Create a story draft of your own."""
    draft = drafts.begin(session, principal, body)
    locate(response, "stories", draft.id, "draft")
    return report.of_draft(session, principal, draft)


@router.post("/stories/import", status_code=201, openapi_extra=MARKDOWN, dependencies=WRITES)
async def import_story(
    request: Request,
    response: Response,
    session: SessionDep,
    principal: PrincipalDep,
    filename: Annotated[str, Query(max_length=300, description="Default title")] = "",
) -> DraftRead:
    """Import a Markdown file as a draft; front matter errors are reported by line."""
    body = await request.body()
    try:
        written = body.decode("utf-8")
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        raise UnsupportedQueryError(f"line {line}: the file is not UTF-8 text") from error

    def begin() -> DraftRead:
        content = from_markdown(written, filename=filename)
        draft = drafts.begin(session, principal, content)
        locate(response, "stories", draft.id, "draft")
        return report.of_draft(session, principal, draft)

    return await run_in_threadpool(begin)


@router.get("/stories/{story_id}/draft", dependencies=WRITES)
def read_draft(
    story: DraftDep, session: SessionDep, principal: PrincipalDep, response: Response
) -> DraftRead:
    """Return the latest revision of the story; its `ETag` is needed for saving."""
    return _draft(session, principal, story, response)


@router.put("/stories/{story_id}/draft", dependencies=WRITES)
def save_draft(
    body: DraftSave,
    story: DraftDep,
    version: VersionDep,
    session: SessionDep,
    principal: PrincipalDep,
    response: Response,
) -> DraftRead:
    """Save the draft; 412 if it was saved since the `ETag` in `If-Match`."""
    content = StoryText(**body.model_dump(exclude={"sitting"}))
    drafts.save(session, principal, story, content, version=version, sitting=body.sitting)
    return _draft(session, principal, story, response)


@router.put("/stories/{story_id}/team", dependencies=WRITES)
def set_draft_team(
    body: DraftTeam, story: DraftDep, session: SessionDep, principal: PrincipalDep
) -> DraftRead:
    """Set the team that sees the draft beside its author."""
    drafts.set_team(session, principal, story, body.team_id)
    return report.of_draft(session, principal, story)


@router.get("/stories/{story_id}/revisions", dependencies=WRITES)
def list_revisions(story: DraftDep, session: SessionDep, page: PageDep) -> Listed[RevisionSummary]:
    """List the revisions of the story, latest first."""
    return page.envelope(report.of_revisions(session, story, page))


@router.get("/stories/{story_id}/revisions/{number}", dependencies=WRITES)
def read_revision(number: int, story: DraftDep, session: SessionDep, principal: PrincipalDep) -> RevisionRead:
    """Return the content of one revision."""
    return report.of_revision(session, principal, story, number)


@router.get("/stories/{story_id}/revisions/{number}/difference", dependencies=WRITES)
def read_difference(
    number: int,
    story: DraftDep,
    session: SessionDep,
    principal: PrincipalDep,
    base: Annotated[int, Query(ge=0, description="The earlier revision; 0 is empty")] = 0,
) -> RevisionDifference:
    """Return the line diff from revision `base` to this one."""
    return report.difference(session, principal, story, base, number)


@router.post("/stories/{story_id}/revisions/{number}/restore", dependencies=WRITES)
def restore_revision(
    number: int,
    story: DraftDep,
    version: VersionDep,
    session: SessionDep,
    principal: PrincipalDep,
    response: Response,
) -> DraftRead:
    """Restore an earlier revision as the latest; 412 if saved since `If-Match`."""
    drafts.bring_back(session, principal, story, number, version=version)
    return _draft(session, principal, story, response)


@router.post("/stories/{story_id}/offer", dependencies=WRITES)
def submit_story(story: DraftDep, session: SessionDep, principal: PrincipalDep) -> DraftRead:
    """Submit the draft to the curators."""
    drafts.offer(session, principal, story)
    return report.of_draft(session, principal, story)


@router.post("/stories/{story_id}/publish", dependencies=[needs(Action.STORY_PUBLISH)])
def publish_story(body: Publish, story: DraftDep, session: SessionDep, principal: PrincipalDep) -> DraftRead:
    """Publish the latest revision in the library."""
    publishing.publish(session, principal, story, body.revision)
    return report.of_draft(session, principal, story)


@router.post("/stories/{story_id}/unpublish", dependencies=WRITES)
def unpublish_story(story: DraftDep, session: SessionDep, principal: PrincipalDep) -> DraftRead:
    """Unpublish the story; it becomes a draft again."""
    publishing.unpublish(session, principal, story)
    return report.of_draft(session, principal, story)


@router.delete("/stories/{story_id}", status_code=204, dependencies=WRITES)
def delete_story(story: DraftDep, session: SessionDep, principal: PrincipalDep) -> None:
    """Delete the story, and its library entry; `restore` undoes it."""
    publishing.delete(session, principal, story)


@router.post("/stories/{story_id}/restore", dependencies=WRITES)
def restore_story(story: DeletedDraftDep, session: SessionDep, principal: PrincipalDep) -> DraftRead:
    """Restore a deleted story, and its library entry if it was published."""
    publishing.restore(session, principal, story)
    return report.of_draft(session, principal, story)


def _draft(session: SessionDep, principal: PrincipalDep, story: DraftDep, response: Response) -> DraftRead:
    response.headers["ETag"] = f'"{story.version}"'
    return report.of_draft(session, principal, story)
