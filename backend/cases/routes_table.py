"""The list of cases as a table for other programs."""

from __future__ import annotations

import csv
import io
from typing import Annotated

from fastapi import APIRouter, Query, Response

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.cases import overview, queries
from backend.cases.schemas_filter import CaseFilter
from backend.core.http.pagination import Page

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
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings of a cell that a spreadsheet computes."""


@router.get("/cases.csv", response_class=Response, dependencies=[needs(Action.CASES_LIST)])
def read_case_table(
    session: SessionDep, principal: PrincipalDep, by: Annotated[CaseFilter, Query()]
) -> Response:
    """Return the first 5,000 cases that meet every filter as CSV (RFC 4180), in UTF-8."""
    cases, _ = queries.found(session, principal, Page("cases.csv", None, MAX_ROWS), by)
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(COLUMNS)
    for one in overview.describe_listed(session, principal, cases):
        headline = one.headline
        values = (
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
        table.writerow([_cell(str(value)) for value in values])
    disposition = {"Content-Disposition": 'attachment; filename="cases.csv"'}
    return Response(text.getvalue(), media_type="text/csv; charset=utf-8", headers=disposition)


def _cell(value: str) -> str:
    """Return a value that no spreadsheet takes for a formula."""
    return f"'{value}" if value.startswith(FORMULA) else value
