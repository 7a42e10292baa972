"""The text of an issue about a case, for the tracker that people use."""

from __future__ import annotations

from typing import Annotated, Literal, cast
from uuid import UUID

from fastapi import APIRouter, Query

from backend.access.actions import Action
from backend.access.dependencies import BaseUrlDep, SessionDep, needs
from backend.cases import overview
from backend.cases.access import CaseDep
from backend.core.errors import NotFoundError
from backend.findings import report
from backend.findings.schemas import IssueRead
from signatures.documents.service_case import ServiceCase
from signatures.rendering.issue_text import issue

router = APIRouter(tags=["findings"])

Tracker = Literal["github", "gitlab", "jira"]


@router.get("/cases/{case_id}/issue", dependencies=[needs(Action.CASE_READ)])
def read_issue(
    case: CaseDep,
    session: SessionDep,
    base_url: BaseUrlDep,
    tracker: Annotated[Tracker, Query(alias="for", description="Whose markup it has")] = "github",
    finding: Annotated[UUID | None, Query(description="Finding that it is about; all without one")] = None,
    view: Annotated[
        str | None,
        Query(max_length=4000, pattern=r"^/[^/\\\s]\S*$", description="Path of the page that it links"),
    ] = None,
) -> IssueRead:
    """Return title and body of an issue about the case: headline, findings with conditions, fixes, link.

    The body is Markdown, or the wiki markup of Jira. `labels`: of severity and tags; the body for GitLab ends
    with them as a quick action.
    """
    found = report.of_case(session, case, with_all=finding is not None).items
    if finding is not None:
        found = [one for one in found if one.id == finding]
        if not found:
            raise NotFoundError(f"case {case.number} has no finding {finding}")
    document = cast("ServiceCase", overview.describe_one(session, case.id).model_dump(mode="json"))
    made = issue(
        document,
        found,
        f"{base_url}{view or f'/cases/{case.number}'}",
        tracker,
        is_chosen=finding is not None,
    )
    return IssueRead(**made._asdict())
