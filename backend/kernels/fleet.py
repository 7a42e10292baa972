"""The fleet: kernels with their hosts, the status of every problem, and what would clear most.

Statuses follow from the release (`signatures.reporting.release_statuses`); what was found on hosts comes from
the findings of cases. Hosts of inventories and of cases are counted apart, since a name may be in both.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from backend.core.errors import NotFoundError
from backend.kernels import queries
from backend.kernels.schemas import (
    ClearingRead,
    FleetProblem,
    KernelDetailRead,
    KernelProblemRead,
    KernelRead,
    KernelsRead,
    ProblemTitle,
)
from backend.kernels.schemas_filter import FleetFilter
from signatures.document.catalog import load_catalog
from signatures.kernels.kernel_text import words_of_kernel
from signatures.reporting import release_statuses

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.http.pagination import Page
    from backend.kernels.queries import Group
    from signatures.kernels.running_kernel import Running
    from signatures.reporting.release_statuses import Clearing

EVERYTHING = FleetFilter()


@dataclass(slots=True)
class FleetKernel:
    """A kernel with the hosts that run it.

    Attributes:
        found_on: Hosts of cases by the signatures that match there.
    """

    running: Running
    package: str
    listed_hosts: int = 0
    case_hosts: int = 0
    found_on: dict[str, int] = field(default_factory=dict)

    @property
    def family(self) -> str:
        """Whose build it is."""
        kernel = self.running.kernel
        return kernel.family.title if kernel else ""

    @property
    def affecting(self) -> list[str]:
        """The problems that affect it."""
        return release_statuses.affecting(release_statuses.statuses_on(self.running))


def listed(session: Session, principal: Principal, by: FleetFilter, page: Page) -> KernelsRead:
    """Return a page of the visible kernels."""
    kernels = _kernels(session, principal, by)
    kept = [one for one in kernels if _is_kept(one, by)]
    ranked = sorted(kept, key=lambda one: _place(one, by))
    here = page.cut(ranked, lambda one: _place(one, by))
    # What clears most may be a release that the filter hides.
    fleet = kernels if by == EVERYTHING else _kernels(session, principal, EVERYTHING)
    runs = [one.running for one in fleet]
    items = [_read(one, runs) for one in here]
    counted = queries.count_cases(session, principal)
    keys = sorted({one.key for item in items for one in item.problems if _is_shown(one)})
    return KernelsRead(
        items=items,
        next_cursor=page.next_cursor,
        titles=[ProblemTitle(key=key, title=title_of(key)) for key in keys],
        families=sorted({one.family for one in fleet}),
        clusters=queries.clusters(session, principal),
        counted_cases=min(counted, queries.COUNTED),
        has_more_cases=counted > queries.COUNTED,
        total=len(kept),
    )


def read(session: Session, principal: Principal, release: str, package: str) -> KernelDetailRead:
    """Return a visible kernel with the basis of its statuses and every release that clears something.

    Raises:
        NotFoundError: No visible host runs it.
    """
    fleet = _kernels(session, principal, EVERYTHING)
    of_release = [one for one in fleet if one.running.release == release]
    found = next((one for one in of_release if one.package == package), None)
    if found is None:
        raise NotFoundError(f"no host runs the kernel {release}{f' of package {package}' if package else ''}")
    runs = [one.running for one in fleet]
    verdicts = release_statuses.verdicts_on(found.running)
    statuses = [
        KernelProblemRead(
            key=key,
            title=title_of(key),
            status=one.verdict,  # type: ignore[arg-type]
            basis=one.basis,
            capture=one.capture,
            found_on=found.found_on.get(key, 0),
        )
        for key, one in verdicts.items()
    ]
    clearings = [_clearing(one) for one in release_statuses.clearings(found.running, runs)]
    return KernelDetailRead(**_read(found, runs).model_dump(), statuses=statuses, clearings=clearings)


def title_of(key: str) -> str:
    """Return the title of a signature, its id when the library no longer has it."""
    return next((one.title for one in load_catalog().signatures if one.id == key), key)


def _kernels(session: Session, principal: Principal, by: FleetFilter) -> list[FleetKernel]:
    """Return the kernels of hosts whose names or releases fit the filter."""
    found: dict[tuple[str, str], FleetKernel] = {}
    for kernel, hosts in _grouped(queries.groups_of_inventories(session, principal, by)):
        found.setdefault((kernel.running.release, kernel.package), kernel).listed_hosts += hosts
    for kernel, hosts in _grouped(queries.groups_of_cases(session, principal, by)):
        found.setdefault((kernel.running.release, kernel.package), kernel).case_hosts += hosts
    by_release: dict[str, dict[str, int]] = {}
    for one in queries.found_on(session, principal, by):
        by_release.setdefault(one.release, {})[one.signature] = one.hosts
    for kernel in found.values():
        kernel.found_on = by_release.get(kernel.running.release, {})
    return list(found.values())


def _grouped(groups: Iterable[Group]) -> Iterable[tuple[FleetKernel, int]]:
    """Yield kernels with their hosts; builds of one package are one kernel."""
    for group in sorted(groups):
        running = release_statuses.running_of(group.release, group.build, group.os_id)
        kernel = running.kernel
        if kernel is not None:
            yield FleetKernel(running, kernel.package), group.hosts


def _is_kept(one: FleetKernel, by: FleetFilter) -> bool:
    is_family = not by.family or one.family == by.family
    return is_family and (not by.problem or by.problem in one.found_on or by.problem in one.affecting)


def _place(one: FleetKernel, by: FleetFilter) -> tuple[int, int, str, str]:
    hosts = -(one.listed_hosts + one.case_hosts)
    named = (one.running.release, one.package)
    if by.sort == "release":
        return (0, 0, *named)
    return (hosts, 0, *named) if by.sort == "-hosts" else (-len(one.affecting), hosts, *named)


def _read(one: FleetKernel, fleet: Sequence[Running]) -> KernelRead:
    kernel = one.running.kernel
    statuses = release_statuses.statuses_on(one.running)
    clearings = release_statuses.clearings(one.running, fleet)
    found = {**dict.fromkeys(statuses, 0), **one.found_on}
    return KernelRead(
        release=one.running.release,
        package=one.package,
        family=one.family,
        says=words_of_kernel(kernel, one.running.release),
        listed_hosts=one.listed_hosts,
        case_hosts=one.case_hosts,
        affecting=len(one.affecting),
        problems=[
            FleetProblem(key=key, status=statuses.get(key, "version_independent"), found_on=hosts)  # type: ignore[arg-type]
            for key, hosts in sorted(found.items())
        ],
        best=_clearing(clearings[0]) if clearings else None,
    )


def _is_shown(one: FleetProblem) -> bool:
    """Return whether a problem is a column: it affects a kernel, or was found on a host."""
    return one.found_on > 0 or one.status in release_statuses.AFFECTING


def _clearing(one: Clearing) -> ClearingRead:
    return ClearingRead(
        release=one.release,
        is_in_fleet=one.is_in_fleet,
        cleared=list(one.cleared),
        left=list(one.left),
        undecided=list(one.undecided),
        added=list(one.added),
    )
