"""Status of a fix by days: what was written after a build or a release is in neither.

A build of kernel.org from before the fix lacks it, and one from before the fault has not got that: proof. A
vendor may have a change before mainline has it, so that for its builds two months and more make it very
unlikely; where vendors are known to have been first, or a vulnerability was embargoed, days say nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.kernels.fix_status import (
    AFFECTED,
    NOT_AFFECTED,
    PROBABLY,
    PROBABLY_NOT,
    UNKNOWN,
    UNLESS_BACKPORTED,
    FixStatus,
)
from signatures.kernels.release_dates import months, out_by
from signatures.language.kernel_families import FROZEN

if TYPE_CHECKING:
    import datetime as dt

    from signatures.kernels.fix_records import FixRecord
    from signatures.language.kernel_families import Kernel

MIN_MONTHS = 2
"""Months from a vendor's build to a commit, from which on the build very probably lacks it."""


def status_by_dates(
    fix: FixRecord, kernel: Kernel, by_release: FixStatus, built: dt.date | None
) -> FixStatus:
    """Return `by_release`, or a more certain status by the day of the build or of its release.

    The day of the build is None when it is unknown or implausible.
    """
    if by_release.status not in (UNKNOWN, UNLESS_BACKPORTED) or not kernel.base:
        return by_release
    if fix.introduced_on is not None and built is not None and built < fix.introduced_on:
        without = f"built on {built}, the fault was written on {fix.introduced_on}"
        if kernel.is_exact:
            return FixStatus(NOT_AFFECTED, without)
        if _is_later(built, fix.introduced_on, fix):
            return FixStatus(PROBABLY_NOT, without)
    if not _has_fault(fix, kernel):
        return by_release
    lacking = _lacking(fix, kernel, built)
    if kernel.is_exact:
        return FixStatus(AFFECTED, lacking) if lacking else by_release
    if built is not None and _is_later(built, fix.authored, fix):
        late = months(fix.authored - built)
        return FixStatus(PROBABLY, f"the fix was written {late} months after this build ({built})")
    if lacking and by_release.status == UNKNOWN:
        return FixStatus(UNLESS_BACKPORTED, lacking, kernel.family.fix)
    return by_release


def _is_later(built: dt.date, written: dt.date, fix: FixRecord) -> bool:
    """Return whether a commit is so much younger than a vendor's build that it is hardly in it."""
    return not (fix.is_vendor_first or fix.cve) and months(written - built) >= MIN_MONTHS


def _has_fault(fix: FixRecord, kernel: Kernel) -> bool:
    """Return whether the release has the fault, so that a missing fix means affected."""
    of_branch = fix.branches.get((kernel.base[0], kernel.base[1]))
    if of_branch is not None and of_branch.introduced:
        return len(kernel.base) == 3 and kernel.base >= of_branch.introduced
    return not fix.introduced or (kernel.base[:2] >= fix.introduced[:2] and kernel.family.base != FROZEN)


def _lacking(fix: FixRecord, kernel: Kernel, built: dt.date | None) -> str:
    """Return why the linux-stable release cannot have the fix, "" when it may."""
    release = ".".join(map(str, kernel.base))
    out = out_by(kernel.base)
    if out is not None and out < fix.authored:
        return f"{release} was out by {out}, the fix was written on {fix.authored}"
    if kernel.is_exact and built is not None and built < fix.authored:
        return f"{release} was built on {built}, the fix was written on {fix.authored}"
    return ""
