"""Endpoints of the kernels of the fleet."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.core.http.envelope import Listed
from backend.core.http.pagination import Page, paged
from backend.core.http.tables import table_response
from backend.kernels import fleet, queries
from backend.kernels.schemas import FleetHostRead, KernelDetailRead, KernelRead, KernelsRead
from backend.kernels.schemas_filter import FleetFilter

router = APIRouter(tags=["kernels"])

MAX_ROWS = 5000
COLUMNS = (
    "release",
    "package",
    "family",
    "listed_hosts",
    "case_hosts",
    "affected",
    "affected_unless_backported",
    "unknown",
    "fixed",
    "found",
    "best_release",
    "best_clears",
)


@router.get("/kernels", dependencies=[needs(Action.CASES_LIST)])
def list_kernels(
    session: SessionDep,
    principal: PrincipalDep,
    page: Annotated[Page, paged(50, 200)],
    by: Annotated[FleetFilter, Query()],
) -> KernelsRead:
    """List the kernels of visible cases and inventories, the problems of each, and what clears most."""
    return fleet.listed(session, principal, by, page)


@router.get("/kernels.csv", response_class=Response, dependencies=[needs(Action.CASES_LIST)])
def read_kernel_table(
    session: SessionDep, principal: PrincipalDep, by: Annotated[FleetFilter, Query()]
) -> Response:
    """Return the first 5,000 kernels that meet every filter as CSV (RFC 4180), in UTF-8."""
    found = fleet.listed(session, principal, by, Page("kernels.csv", None, MAX_ROWS))
    return table_response("kernels.csv", COLUMNS, (_row(one) for one in found.items))


@router.get("/kernels/hosts", dependencies=[needs(Action.CASES_LIST)])
def list_kernel_hosts(
    session: SessionDep,
    principal: PrincipalDep,
    page: Annotated[Page, paged()],
    by: Annotated[FleetFilter, Query()],
    release: Annotated[str, Query(max_length=200, description="Release that they run")] = "",
) -> Listed[FleetHostRead]:
    """List the hosts of visible cases and inventories with their kernels, by name.

    `problem`, `family` and `sort` do not apply to hosts.
    """
    fields = list(FleetHostRead.model_fields)
    rows = queries.hosts(session, principal, page, by, release)
    return page.envelope([FleetHostRead(**dict(zip(fields, row, strict=True))) for row in rows])  # type: ignore[arg-type]


@router.get("/kernels/{release}", dependencies=[needs(Action.CASES_LIST)])
def read_kernel(
    session: SessionDep,
    principal: PrincipalDep,
    release: Annotated[str, Path(max_length=200, description="`uname -r`")],
    package: Annotated[str, Query(max_length=200, description="Package of the build, by `package`")] = "",
) -> KernelDetailRead:
    """Return a kernel: why each problem affects it or not, and what other releases clear."""
    return fleet.read(session, principal, release, package)


def _row(one: KernelRead) -> tuple[object, ...]:
    def having(*statuses: str) -> str:
        return " ".join(each.key for each in one.problems if each.status in statuses)

    return (
        one.release,
        one.package,
        one.family,
        one.listed_hosts,
        one.case_hosts,
        having("affected", "probably_affected"),
        having("affected_unless_backported"),
        having("unknown"),
        having("fixed"),
        " ".join(each.key for each in one.problems if each.found_on),
        one.best.release if one.best else "",
        " ".join(one.best.cleared) if one.best else "",
    )
