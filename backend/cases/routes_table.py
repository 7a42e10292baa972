"""The list of cases as a table for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Query, Response

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.cases import overview, queries
from backend.cases.schemas_filter import CaseFilter
from backend.core.http.pagination import Page
from backend.core.http.tables import table_response

if TYPE_CHECKING:
    from backend.cases.schemas import CaseListed

router = APIRouter(tags=["cases"])

MAX_ROWS = 5000
COLUMNS = (
    "number",
    "name",
    "status",
    "severity",
    "assignee",
    "team",
    "hosts",
    "headline",
    "signature",
    "seen_before",
    "created_at",
    "updated_at",
)


@router.get("/cases.csv", response_class=Response, dependencies=[needs(Action.CASES_LIST)])
def read_case_table(
    session: SessionDep, principal: PrincipalDep, by: Annotated[CaseFilter, Query()]
) -> Response:
    """Return the first 5,000 cases that meet every filter as CSV (RFC 4180), in UTF-8."""
    cases, _ = queries.found(session, principal, Page("cases.csv", None, MAX_ROWS), by)
    return table_response(
        "cases.csv", COLUMNS, (_row(one) for one in overview.describe_listed(session, principal, cases))
    )


def _row(one: CaseListed) -> tuple[object, ...]:
    headline = one.headline
    return (
        one.number,
        one.name,
        one.status.value,
        one.severity or "",
        one.assignee.name if one.assignee else "",
        one.team.name if one.team else "",
        " ".join(one.hosts),
        headline.text if headline else "",
        headline.signature if headline else "",
        one.seen_before,
        one.created_at.isoformat(),
        one.updated_at.isoformat(),
    )
