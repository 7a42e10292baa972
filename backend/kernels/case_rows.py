"""The kernels of a case: one row for each release of a host that its evidence states."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Uuid, bindparam, delete, func, insert, select

from backend.models.evidence import Evidence
from backend.models.fact import Fact
from backend.models.host import Host
from backend.models.kernel_fleet import CaseKernel
from backend.models.standing import standing
from signatures.language.kernel_families import MAX_BUILD, MAX_RELEASE, kernel_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from sqlalchemy import Select
    from sqlalchemy.orm import Session

RELEASE = "kernel.release"
BUILDS = ("kernel.build_text", "kernel.builder_text", "kernel.version_signature")
OS_ID, DISTRO = "os.id", "os.pretty_name"
COLUMNS = ("case_id", "host", "release", "build", "os_id", "distro")
MAX_ROWS = 1000
MAX_VALUES = 20_000
MAX_NAME = 200


class _Stated(NamedTuple):
    """Texts of facts about the kernel of one host: by reading, and together."""

    by_reading: dict[UUID, dict[str, set[str]]]
    together: dict[str, set[str]]


def refresh(session: Session, case_id: UUID) -> None:
    """Replace the kernels of a case by those that its evidence states now."""
    rows = [
        {"case_id": case_id, "host": host, **row}
        for host, stated in sorted(_stated(session, case_id).items())
        for row in _rows(stated)
    ][:MAX_ROWS]
    stored = session.scalars(select(CaseKernel).where(CaseKernel.case_id == case_id))
    before = [{name: getattr(one, name) for name in COLUMNS} for one in stored]
    if sorted(map(repr, before)) == sorted(map(repr, rows)):
        return
    session.execute(delete(CaseKernel).where(CaseKernel.case_id == case_id))
    if rows:
        session.execute(insert(CaseKernel), rows)


def _rows(stated: _Stated) -> Iterator[dict[str, str]]:
    """Yield the kernels of a host.

    A build is that of the release that the same reading states; one that stands alone belongs to the only
    release of the host.
    """
    releases = sorted(one for one in stated.together[RELEASE] if kernel_of(one) is not None)
    for release in releases:
        near = [found for found in stated.by_reading.values() if found[RELEASE] == {release}]
        builds = [
            _only(set().union(*(found[name] for found in near)))
            or (_only(stated.together[name]) if len(releases) == 1 else "")
            for name in BUILDS
        ]
        yield {
            "release": release,
            "build": " ".join(one for one in builds if one)[:MAX_BUILD],
            "os_id": _only(stated.together[OS_ID])[:MAX_NAME],
            "distro": _only(stated.together[DISTRO])[:MAX_NAME],
        }


def _stated(session: Session, case_id: UUID) -> dict[str, _Stated]:
    """Return the texts of facts about the kernel by host."""
    found: dict[str, _Stated] = defaultdict(
        lambda: _Stated(defaultdict(lambda: defaultdict(set)), defaultdict(set))
    )
    for name, reading_id, fact, value in session.execute(_texts(), {"case_id": case_id}):
        if fact != RELEASE or len(value) <= MAX_RELEASE:
            stated = found[name[:MAX_NAME]]
            stated.by_reading[reading_id][fact].add(value)
            stated.together[fact].add(value)
    return found


@cache
def _texts() -> Select[str, UUID, str, str]:
    """Return the query for the texts of these facts, with the parameter `case_id`."""
    host = func.coalesce(Host.name, "")
    text = func.left(Fact.text, MAX_BUILD)
    query = standing(select(host, Fact.reading_id, Fact.name, text), Fact)
    query = query.outerjoin(Host, Host.id == Evidence.host_id)
    names = (RELEASE, *BUILDS, OS_ID, DISTRO)
    is_of_case = Fact.case_id == bindparam("case_id", type_=Uuid())
    query = query.where(is_of_case, Fact.name.in_(names), Fact.text.is_not(None))
    # In order, so that what is cut is the same each time.
    return query.distinct().order_by(host, Fact.name, text, Fact.reading_id).limit(MAX_VALUES)


def _only(values: set[str]) -> str:
    return next(iter(values)) if len(values) == 1 else ""
