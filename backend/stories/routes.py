"""Endpoints of published stories, and of the stories of a case."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, StoreDep, needs
from backend.access.idempotency import ClaimedDep
from backend.cases.access import CaseDep
from backend.core.http.envelope import Listed
from backend.core.http.locations import locate
from backend.core.http.pagination import PageDep
from backend.stories import drafts, from_case, queries, report
from backend.stories.access import StoryName
from backend.stories.schemas import DraftRead, StoryRead, StorySummary

router = APIRouter(tags=["stories"])


@router.get("/stories/{story_id}", dependencies=[needs(Action.STORIES_READ)])
def read_story(story_id: StoryName, session: SessionDep, principal: PrincipalDep) -> StoryRead:
    """Return a published story with its visible cases."""
    return report.of_published(session, principal, story_id)


@router.get(
    "/stories/{story_id}/file",
    response_class=Response,
    responses={200: {"content": {"text/markdown": {"schema": {"type": "string"}}}}},
    dependencies=[needs(Action.STORIES_READ)],
)
def read_story_file(story_id: StoryName, session: SessionDep) -> Response:
    """Return a published story as a Markdown file for `POST /stories/import`."""
    story, revision = queries.published(session, story_id)
    name = report.slug(story, revision)
    return Response(
        report.as_file(revision),
        media_type="text/markdown; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.md"'},
    )


@router.get("/cases/{case_id}/stories", dependencies=[needs(Action.CASE_READ)])
def list_case_stories(
    case: CaseDep, session: SessionDep, principal: PrincipalDep, page: PageDep
) -> Listed[StorySummary]:
    """List the stories linked to a case: published ones and visible drafts."""
    return page.envelope(report.of_case(session, principal, case, page))


@router.post("/cases/{case_id}/story", status_code=201, dependencies=[needs(Action.CASE_STORY)])
def create_case_story(
    case: CaseDep,
    response: Response,
    session: SessionDep,
    store: StoreDep,
    principal: PrincipalDep,
    _once: ClaimedDep,
) -> DraftRead:
    """Create a story draft from the case: findings with lines, kernels, fixes, timeline, notes.

    The team of the case sees the draft if the author is a member.
    """
    team_id = drafts.own_team(session, principal.id, case.team_id)
    content = from_case.draft(session, store, case)
    draft = drafts.begin(session, principal, content, team_id=team_id)
    locate(response, "stories", draft.id, "draft")
    return report.of_draft(session, principal, draft)
