"""Whether a kernel has a fix, by its release.

A release is compared with the releases of its own branch of linux-stable. A vendor's build contains what its
linux-stable release contains, and maybe more: the absence of a fix from that release decides only a build of
kernel.org. A line of the package changelog, a function that came with the fix, or a live patch decide
independent of the number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.kernels.fix_records import ended_branches
from signatures.kernels.package_lines import line_status
from signatures.language.kernel_families import FROZEN, PACKAGE, SIGNATURE

if TYPE_CHECKING:
    from signatures.kernels.fix_records import FixRecord, Version
    from signatures.language.kernel_families import Kernel

FIXED, AFFECTED, PROBABLY, UNLESS_BACKPORTED, PROBABLY_NOT, NOT_AFFECTED, UNKNOWN = (
    "fixed",
    "affected",
    "probably_affected",
    "affected_unless_backported",
    "probably_not_affected",
    "not_affected",
    "unknown",
)
STATUSES = (AFFECTED, PROBABLY, UNLESS_BACKPORTED, UNKNOWN, PROBABLY_NOT, NOT_AFFECTED, FIXED)
"""All statuses, the worst first."""

VERSION_SIGNATURE = "cat /proc/version_signature"
BUILD = "uname -a"
OS_RELEASE = "uname -a; cat /etc/os-release"


class FixStatus(NamedTuple):
    """Status of one fix on one kernel.

    Attributes:
        basis: Why, in one clause.
        capture: Command that decides, "" when it is decided.
    """

    status: str
    basis: str
    capture: str = ""


def fix_status(fix: FixRecord, kernel: Kernel) -> FixStatus:
    """Return the status by release alone."""
    if not kernel.base:
        note = kernel.family.note or "the release says nothing about the code"
        return FixStatus(UNKNOWN, f"{kernel.family.title}: {note}", OS_RELEASE)
    branch = (kernel.base[0], kernel.base[1])
    has = f"contains {_words(kernel.base)}"
    if branch >= fix.mainline[:2]:
        if kernel.is_candidate and branch == fix.mainline[:2]:
            return FixStatus(UNKNOWN, f"a release candidate of {_words(fix.mainline)}", "cat /proc/kallsyms")
        return FixStatus(FIXED, f"{has}, and the fix is in {_words(fix.mainline)}")
    of_branch = fix.branches.get(branch)
    if of_branch is not None and of_branch.fixed:
        if len(kernel.base) == 2:
            return FixStatus(
                UNKNOWN,
                f"{_words(of_branch.fixed)} has the fix; {_level_words(kernel)}",
                _level_capture(kernel),
            )
        if kernel.base >= of_branch.fixed:
            return FixStatus(FIXED, f"{has}, and the fix is in {_words(of_branch.fixed)}")
    by_sources = _by_sources(fix, kernel)
    if by_sources is not None:
        return by_sources
    if _is_before(fix, kernel, branch):
        since = _words(of_branch.introduced if of_branch and of_branch.introduced else fix.introduced)
        return _before(kernel, f"{has}; the fault begins in {since}")
    missing = _missing(fix, kernel, branch)
    if not missing:
        what = f"whether a release of {_words(branch)} has the fix is not on record"
        return FixStatus(UNKNOWN, what, kernel.family.fix)
    if kernel.is_exact:
        return FixStatus(AFFECTED, f"{has}; {missing}")
    return FixStatus(UNLESS_BACKPORTED, f"{has}; {missing}", kernel.family.fix)


def _by_sources(fix: FixRecord, kernel: Kernel) -> FixStatus | None:
    """Return what the sources of the packages of a frozen line say, None where they say nothing."""
    line = fix.lines.get(kernel.line)
    found = line_status(line, kernel) if line is not None and kernel.family.base == FROZEN else None
    if found is None:
        return None
    if found.status == FIXED:
        return FixStatus(FIXED, found.basis)
    if found.status == "newer":
        return FixStatus(UNLESS_BACKPORTED, f"{found.basis}; this build is newer", kernel.family.fix)
    if found.is_own:
        return FixStatus(found.status, found.basis)
    basis = f"{found.basis}; {kernel.family.title} adds patches"
    if found.status == AFFECTED:
        return FixStatus(UNLESS_BACKPORTED, basis, kernel.family.fix)
    return FixStatus(PROBABLY_NOT, basis)


def _is_before(fix: FixRecord, kernel: Kernel, branch: tuple[int, int]) -> bool:
    """Return whether the release is older than the fault."""
    of_branch = fix.branches.get(branch)
    if of_branch is not None and of_branch.introduced:
        return len(kernel.base) == 3 and kernel.base < of_branch.introduced
    if of_branch is not None and of_branch.fixed and branch < fix.introduced[:2]:
        return False
    if len(fix.introduced) == 3 and branch == fix.introduced[:2]:
        return kernel.base < fix.introduced
    return bool(fix.introduced) and branch < fix.introduced[:2]


def _before(kernel: Kernel, basis: str) -> FixStatus:
    if kernel.is_exact:
        return FixStatus(NOT_AFFECTED, basis)
    if kernel.family.base == FROZEN:
        return FixStatus(
            UNKNOWN, f"{basis}, which {kernel.family.title} may have backported", kernel.family.fix
        )
    return FixStatus(PROBABLY_NOT, basis)


def _missing(fix: FixRecord, kernel: Kernel, branch: tuple[int, int]) -> str:
    """Return why the linux-stable release lacks the fix, "" when that is not known."""
    of_branch = fix.branches.get(branch)
    level = kernel.base[2] if len(kernel.base) == 3 else None
    if of_branch is not None and of_branch.fixed:
        return f"the fix is in {_words(of_branch.fixed)}"
    ended = ended_branches().get(branch)
    if ended is not None and ended.day < fix.authored:
        return f"{_words(branch)} ended with {_words(ended.last)} before the fix of {_words(fix.mainline)}"
    if of_branch is not None and of_branch.absent and level is not None and kernel.base <= of_branch.absent:
        return f"no release up to {_words(of_branch.absent)} has the fix of {_words(fix.mainline)}"
    if level == 0:
        return f"the fix is in {_words(fix.mainline)}"
    return ""


def _level_words(kernel: Kernel) -> str:
    return f"which update of {_words(kernel.base)} this build contains is not in its release"


def _level_capture(kernel: Kernel) -> str:
    return {SIGNATURE: VERSION_SIGNATURE, PACKAGE: BUILD}.get(kernel.family.base, OS_RELEASE)


def _words(version: Version) -> str:
    return ".".join(str(part) for part in version)


def worst(found: list[FixStatus]) -> FixStatus:
    """Return the status of a defect that needs all these fixes."""
    return min(found, key=lambda one: STATUSES.index(one.status))
