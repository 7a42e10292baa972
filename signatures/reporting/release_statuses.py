"""Kernels side by side: which problems a release has, and which other release of its family clears most.

A problem is a signature with a table of versions. *Affecting* are the statuses affected, very probably
affected, and affected unless backported; only *fixed* clears. Candidates are the releases of a fleet, and the
first releases of the same branch or line that the records of fixes name. Nothing is inferred between them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from signatures.document.catalog import load_catalog
from signatures.judging.applicability import kernel_verdict
from signatures.kernels.fix_records import fix_records
from signatures.kernels.fix_status import AFFECTED, FIXED, PROBABLY, UNKNOWN, UNLESS_BACKPORTED
from signatures.kernels.package_lines import release_words
from signatures.kernels.running_kernel import Running
from signatures.language.kernel_families import FROZEN, MAX_BUILD, MAX_RELEASE, NONE
from signatures.language.model import BY_DESIGN, CONDITION

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from signatures.judging.applicability import VersionVerdict
    from signatures.kernels.fix_records import Version
    from signatures.language.kernel_families import Kernel
    from signatures.language.model import Signature

_NUMBER = re.compile(r"[0-9]{1,9}")
AFFECTING = frozenset({AFFECTED, PROBABLY, UNLESS_BACKPORTED})


class Clearing(NamedTuple):
    """What another release does for the problems of one.

    Attributes:
        release: Release, or `linux-stable 6.12.94` for any build that contains it.
        is_in_fleet: Some host runs it.
        cleared: Problems that affect the one and whose fix is in the other.
        left: Problems that affect both.
        undecided: Problems that affect the one, of which the other's release does not tell.
        added: Problems that affect the other only.
    """

    release: str
    is_in_fleet: bool
    cleared: tuple[str, ...]
    left: tuple[str, ...]
    undecided: tuple[str, ...]
    added: tuple[str, ...]


class Known(NamedTuple):
    """A kernel and the problems that affect it, whose fix it has, and of which its release does not tell."""

    running: Running
    kernel: Kernel
    affecting: frozenset[str]
    fixed: frozenset[str]
    unknown: frozenset[str]


@lru_cache(maxsize=1)
def problems() -> tuple[Signature, ...]:
    """Return the signatures whose status depends on the kernel, by id."""
    found = [
        one
        for one in load_catalog().signatures
        if one.kind != CONDITION and any(row.verdict != BY_DESIGN for row in one.affected)
    ]
    return tuple(sorted(found, key=lambda one: one.id))


def running_of(release: str, build: str = "", os_id: str = "") -> Running:
    """Return a kernel by its release, and what else is known of it."""
    return Running(release[:MAX_RELEASE], build[:MAX_BUILD], os_id=os_id)


def verdicts_on(running: Running) -> dict[str, VersionVerdict]:
    """Return the status of every problem on a kernel, with its basis and the command that decides."""
    return {one.id: kernel_verdict(one, running) for one in problems()}


@lru_cache(maxsize=4096)
def statuses_on(running: Running) -> Mapping[str, str]:
    """Return the status of every problem on a kernel."""
    return {problem: found.verdict for problem, found in verdicts_on(running).items()}


def affecting(statuses: Mapping[str, str]) -> list[str]:
    """Return the problems that affect a kernel."""
    return [problem for problem, status in statuses.items() if status in AFFECTING]


@lru_cache(maxsize=4096)
def known(running: Running) -> Known | None:
    """Return a kernel with what its release says of all problems; None for what is no Linux release."""
    kernel = running.kernel
    if kernel is None:
        return None
    statuses = statuses_on(running)
    return Known(
        running,
        kernel,
        frozenset(affecting(statuses)),
        frozenset(one for one, status in statuses.items() if status == FIXED),
        frozenset(one for one, status in statuses.items() if status == UNKNOWN),
    )


def clearings(running: Running, fleet: Iterable[Running]) -> list[Clearing]:
    """Return what other releases of the family clear, the one with most first, without those that clear none.

    Of two that clear equally many, the one that leaves less open, adds less and runs already comes first.
    """
    own = known(running)
    if own is None or own.kernel.family.base == NONE or not own.affecting:
        return []
    others = [(one.running.release, True, one) for one in map(known, fleet) if one and _is_choice(own, one)]
    on_record = [(title, known(one)) for title, one in _on_record(own.kernel)]
    others += [(title, False, one) for title, one in on_record if one is not None]
    found = [
        _compared(own, title, one, is_in_fleet=is_in_fleet)
        for title, is_in_fleet, one in others
        if own.affecting & one.fixed
    ]
    kept = {(one.release, one.cleared): one for one in reversed(found)}
    return sorted(kept.values(), key=_rank)


def _rank(one: Clearing) -> tuple[int, int, int, bool, tuple[int, ...], str]:
    open_still = len(one.left) + len(one.undecided)
    return (
        -len(one.cleared),
        len(one.added),
        open_still,
        not one.is_in_fleet,
        tuple(int(part) for part in _NUMBER.findall(one.release)[:8]),
        one.release,
    )


def _is_choice(own: Known, other: Known) -> bool:
    """Return whether another release is a choice: of the family, its line and its flavour."""
    return (
        other.running != own.running
        and other.kernel.family.name == own.kernel.family.name
        and (other.kernel.line, other.kernel.flavour) == (own.kernel.line, own.kernel.flavour)
    )


def _compared(own: Known, title: str, other: Known, *, is_in_fleet: bool) -> Clearing:
    sets = (
        own.affecting & other.fixed,
        own.affecting & other.affecting,
        own.affecting & other.unknown,
        other.affecting - own.affecting,
    )
    cleared, left, undecided, added = (tuple(sorted(one)) for one in sets)
    return Clearing(title, is_in_fleet, cleared, left, undecided, added)


def _on_record(kernel: Kernel) -> list[tuple[str, Running]]:
    """Return the first releases of the branch, or of the line of a frozen kernel, that have a fix."""
    if kernel.family.base == FROZEN:
        builds = {
            record.lines[kernel.line].fixed
            for record in fix_records().values()
            if kernel.line in record.lines and record.lines[kernel.line].fixed > kernel.order
        }
        texts = [f"{release_words(order)}.{kernel.line}" for order in sorted(builds)]
        return [(text, Running(text)) for text in texts]
    if not kernel.base:
        return []
    branch = (kernel.base[0], kernel.base[1])
    ranges = [one.branches[branch] for one in fix_records().values() if branch in one.branches]
    fixed = sorted({one.fixed for one in ranges if one.fixed > kernel.base})
    return [(_title(kernel, version), Running(stated=_at(kernel, version))) for version in fixed]


def _title(kernel: Kernel, version: Version) -> str:
    text = ".".join(map(str, version))
    return text if kernel.is_exact else f"linux-stable {text}"


def _at(kernel: Kernel, version: Version) -> Kernel:
    """Return a build of the family that contains a release of linux-stable, whatever its own number."""
    major, minor, sublevel = (*version, 0)[:3]
    return kernel._replace(
        release="", version=(major, minor, sublevel), order=(), base=version, package="", is_candidate=False
    )
