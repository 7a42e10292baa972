"""The list of cases as a table for other programs, with the columns they choose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

from fastapi import APIRouter, Query, Response

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.cases import overview, queries
from backend.cases.schemas_filter import CaseFilter
from backend.core.http.pagination import Page
from backend.core.http.tables import table_response
from backend.search.schemas import ColumnList
from signatures.rendering.case_columns import FOR_PROGRAMS, cell_text, cells, named_in

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from signatures.documents.service_case import ServiceCase

router = APIRouter(tags=["cases"])

MAX_ROWS = 5000
DEFAULT = ",".join(FOR_PROGRAMS)


@router.get("/cases.csv", response_class=Response, dependencies=[needs(Action.CASES_LIST)])
def read_case_table(
    session: SessionDep,
    principal: PrincipalDep,
    by: Annotated[CaseFilter, Query()],
    columns: ColumnList = DEFAULT,
) -> Response:
    """Return the first 5,000 cases that meet every filter as CSV (RFC 4180), in UTF-8."""
    shown = named_in(columns)
    cases = _documents(session, principal, by)
    rows = ([cell_text(column, one) for column in shown] for one in cases)
    return table_response("cases.csv", [column.name for column in shown], rows)


@router.get("/cases.json", dependencies=[needs(Action.CASES_LIST)])
def read_case_objects(
    session: SessionDep,
    principal: PrincipalDep,
    by: Annotated[CaseFilter, Query()],
    columns: ColumnList = DEFAULT,
) -> list[dict[str, str | int | list[str]]]:
    """Return the first 5,000 cases that meet every filter as objects with a value for each column."""
    shown = named_in(columns)
    return [cells(shown, one) for one in _documents(session, principal, by)]


def _documents(session: Session, principal: Principal, by: CaseFilter) -> list[ServiceCase]:
    case_ids, _ = queries.found(session, principal, Page("cases", None, MAX_ROWS), by)
    listed = overview.describe_listed(session, principal, case_ids)
    return [cast("ServiceCase", one.model_dump(mode="json")) for one in listed]
