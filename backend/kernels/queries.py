"""Queries of kernels: hosts of visible cases and of visible inventories."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import ColumnElement, Text, and_, cast, false, func, literal, null, or_, select, union_all
from sqlalchemy import Integer as SqlInteger

from backend.access.decisions import finds
from backend.core.db.base import among
from backend.models.account import Role
from backend.models.case_search import CaseSearch
from backend.models.finding import Finding
from backend.models.kernel_fleet import CaseKernel, Inventory, InventoryHost
from backend.models.team import TeamMember

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy import CTE, Select
    from sqlalchemy.orm import InstrumentedAttribute, Session

    from backend.access.principals import Principal
    from backend.core.http.pagination import Page
    from backend.kernels.schemas_filter import FleetFilter

COUNTED = 5000
"""Newest visible cases whose kernels are read."""
MAX_GROUPS = 5000
MAX_CLUSTERS = 200


class Group(NamedTuple):
    """Hosts with one release and build."""

    release: str
    build: str
    os_id: str
    hosts: int


class FoundOn(NamedTuple):
    """A signature that matches on hosts with one release."""

    release: str
    signature: str
    hosts: int


def sees_inventory(principal: Principal) -> ColumnElement[bool]:
    """Return the condition on `Inventory` for those of everybody and of the teams of `principal`."""
    if principal.case_id is not None:
        return false()
    if principal.role is Role.ADMIN:
        return Inventory.id.is_not(None)
    joined = select(TeamMember.team_id).where(TeamMember.account_id == principal.id)
    return or_(Inventory.team_id.is_(None), Inventory.team_id.in_(joined))


def count_cases(session: Session, principal: Principal) -> int:
    """Return how many cases `principal` sees, up to one more than are counted."""
    some = select(CaseSearch.case_id).where(finds(principal)).limit(COUNTED + 1)
    return session.scalar(select(func.count()).select_from(some.subquery())) or 0


def groups_of_cases(session: Session, principal: Principal, by: FleetFilter) -> list[Group]:
    """Return the kernels of the newest visible cases, with their numbers of distinct hosts."""
    if by.source or by.cluster:
        return []
    newest = _newest(principal)
    # A host without a name counts once for each case.
    host = func.coalesce(func.nullif(CaseKernel.host, ""), cast(CaseKernel.case_id, Text))
    query = (
        select(CaseKernel.release, CaseKernel.build, CaseKernel.os_id, func.count(host.distinct()))
        .join(newest, newest.c.case_id == CaseKernel.case_id)
        .where(*_named(by, CaseKernel.host, CaseKernel.release))
        .group_by(CaseKernel.release, CaseKernel.build, CaseKernel.os_id)
        .limit(MAX_GROUPS)
    )
    return [Group(*row) for row in session.execute(query)]


def groups_of_inventories(session: Session, principal: Principal, by: FleetFilter) -> list[Group]:
    """Return the kernels of the visible inventories, with their numbers of distinct hosts."""
    own = InventoryHost
    sources = list(session.scalars(_visible(principal, by)))
    # A host is once in each inventory: to look for those that are in several takes most of the time.
    hosts = func.count(own.host.distinct()) if len(sources) > 1 else func.count()
    query = (
        select(own.release, own.build, literal(""), hosts)
        .where(among(own.inventory_id, sources), *_named(by, own.host, own.release))
        .group_by(own.release, own.build)
        .limit(MAX_GROUPS)
    )
    if by.cluster:
        query = query.where(own.cluster == by.cluster)
    return [Group(*row) for row in session.execute(query)]


def found_on(session: Session, principal: Principal, by: FleetFilter) -> list[FoundOn]:
    """Return which signatures match on how many hosts of the newest visible cases, by release."""
    if by.source or by.cluster:
        return []
    newest = _newest(principal)
    host = func.coalesce(func.nullif(CaseKernel.host, ""), cast(CaseKernel.case_id, Text))
    query = (
        select(CaseKernel.release, Finding.signature, func.count(host.distinct()))
        .join(newest, newest.c.case_id == CaseKernel.case_id)
        .join(Finding, and_(Finding.case_id == CaseKernel.case_id, Finding.host == CaseKernel.host))
        .where(Finding.verdict == "match", *_named(by, CaseKernel.host, CaseKernel.release))
        .group_by(CaseKernel.release, Finding.signature)
        .limit(MAX_GROUPS)
    )
    return [FoundOn(*row) for row in session.execute(query)]


def clusters(session: Session, principal: Principal) -> list[str]:
    """Return the clusters that visible inventories name."""
    query = select(InventoryHost.cluster).where(
        InventoryHost.inventory_id.in_(_visible(principal)), InventoryHost.cluster != ""
    )
    return sorted(session.scalars(query.distinct().limit(MAX_CLUSTERS)))


def hosts(
    session: Session, principal: Principal, page: Page, by: FleetFilter, release: str
) -> list[tuple[str, str, str, str, str, str | None, int | None]]:
    """Return a page of hosts, by name, with what `FleetHostRead` says of them, in this order."""
    of_inventories = (
        select(
            InventoryHost.host,
            InventoryHost.release,
            InventoryHost.distro,
            InventoryHost.instance_type,
            InventoryHost.cluster,
            Inventory.source.label("source"),
            cast(null(), SqlInteger).label("number"),
            cast(Inventory.id, Text).label("place"),
        )
        .join(Inventory, Inventory.id == InventoryHost.inventory_id)
        .where(
            Inventory.id.in_(_visible(principal, by)), *_named(by, InventoryHost.host, InventoryHost.release)
        )
    )
    if by.cluster:
        of_inventories = of_inventories.where(InventoryHost.cluster == by.cluster)
    if release:
        of_inventories = of_inventories.where(InventoryHost.release == release)
    parts = [of_inventories]
    if not by.source and not by.cluster:
        newest = _newest(principal)
        of_cases = (
            select(
                CaseKernel.host,
                CaseKernel.release,
                CaseKernel.distro,
                literal("").label("instance_type"),
                literal("").label("cluster"),
                cast(null(), Text).label("source"),
                newest.c.number,
                cast(CaseKernel.case_id, Text).label("place"),
            )
            .join(newest, newest.c.case_id == CaseKernel.case_id)
            .where(*_named(by, CaseKernel.host, CaseKernel.release))
        )
        parts.append(of_cases.where(CaseKernel.release == release) if release else of_cases)
    every = union_all(*parts).subquery()
    query: Select[*tuple[object, ...]] = select(*(one for one in every.c if one.key != "place"))
    rows = page.of(session, query, every.c.host, every.c.release, every.c.place)
    return [tuple(row[:7]) for row in rows]  # type: ignore[misc]


def _newest(principal: Principal) -> CTE:
    query = select(CaseSearch.case_id, CaseSearch.number).where(finds(principal))
    query = query.order_by(CaseSearch.created_at.desc(), CaseSearch.case_id.desc()).limit(COUNTED)
    return query.cte("newest")


def _visible(principal: Principal, by: FleetFilter | None = None) -> Select[UUID]:
    query = select(Inventory.id).where(sees_inventory(principal))
    return query.where(Inventory.source == by.source) if by is not None and by.source else query


def _named(
    by: FleetFilter, host: InstrumentedAttribute[str], release: InstrumentedAttribute[str]
) -> Sequence[ColumnElement[bool]]:
    """Return the conditions that host or release has the text of the filter, in any case."""
    return (
        [or_(host.icontains(by.q, autoescape=True), release.icontains(by.q, autoescape=True))] if by.q else []
    )
