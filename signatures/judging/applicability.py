"""Version verdict: is the running kernel affected? Independent of what the evidence shows.

A row of the version table names ranges of releases, or records of fixes (`signatures/kernels/fixes`). A row
of the vendor decides first. Else the linux-stable release that a build contains is compared: what that
release has, the build has; what it lacks, a vendor may have backported, so only a build of kernel.org is
*affected*.
A signature whose defect has several aspects (the number in `/proc`, the choice of the OOM killer) gets a
verdict for each. A condition, and an aspect that is by design, has none: no release causes or ends it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.judging import version_rows
from signatures.kernels.fix_records import fix_records
from signatures.kernels.fix_status import (
    AFFECTED,
    FIXED,
    NOT_AFFECTED,
    OS_RELEASE,
    PROBABLY,
    PROBABLY_NOT,
    STATUSES,
    UNKNOWN,
    UNLESS_BACKPORTED,
    FixStatus,
    worst,
)
from signatures.kernels.running_kernel import Running, status_on
from signatures.language.kernel_families import FROZEN
from signatures.language.kernel_releases import numbers, padded
from signatures.language.model import BY_DESIGN, CONDITION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.language.kernel_families import Kernel
    from signatures.language.model import Affected, Signature

__all__ = [
    "INDEPENDENT",
    "VERDICTS",
    "Running",
    "VersionVerdict",
    "exposure",
    "kernel_verdict",
    "sentence",
    "too_old",
    "verdict_of",
]

INDEPENDENT = "version_independent"
"""What a condition has in place of a version verdict."""

_ANY_UPDATE = 999_999
"""Sublevel of a build whose stable update is unknown: newer than any release of its branch."""


class AspectVerdict(NamedTuple):
    """Verdict for one aspect; the aspect is "" when the defect has only one."""

    aspect: str
    verdict: str
    basis: str


class VersionVerdict(NamedTuple):
    """Verdict for one kernel: all aspects together, and each.

    Attributes:
        capture: Command that decides, "" when it is decided.
    """

    verdict: str
    basis: str
    aspects: tuple[AspectVerdict, ...] = ()
    capture: str = ""


def kernel_verdict(signature: Signature, running: Running | str) -> VersionVerdict:
    """Judge a kernel by the version table of a signature; a condition does not depend on the version."""
    if signature.kind == CONDITION:
        return VersionVerdict(INDEPENDENT, signature.reason)
    return verdict_of(signature.affected, running, signature.decide.match_aspect)


def verdict_of(rows: Sequence[Affected], running: Running | str, about: str = "") -> VersionVerdict:
    """Judge a kernel against a version table.

    Args:
        rows: The table.
        running: The kernel, or its release alone.
        about: The aspect that the evidence can show: it alone decides the verdict; the others are listed.
    """
    if isinstance(running, str):
        running = Running(running)
    if not running.release and running.stated is None:
        age = f"; {running.code_age}" if running.code_age else ""
        return VersionVerdict(UNKNOWN, f"no kernel release in the evidence{age}", capture=OS_RELEASE)
    kernel = running.kernel
    if kernel is None:
        return VersionVerdict(UNKNOWN, f"{running.release} is not a Linux release")
    if not rows:
        return VersionVerdict(UNKNOWN, "no affected versions listed")
    own = [row for row in rows if row.ecosystem in (kernel.ecosystem, "kernel.org")]
    if not own:
        return VersionVerdict(UNKNOWN, f"{running.release} is a {kernel.family.title} kernel: no row applies")
    aspects = list(dict.fromkeys(row.aspect for row in own if row.aspect or not row.branch)) or [""]
    found = []
    for aspect in aspects:
        status = _aspect([row for row in own if row.aspect in (aspect, "")], kernel, running)
        found.append((aspect, status))
    statuses = [status for aspect, status in found if about in ("", aspect)]
    verdict = _together({status.status for status in statuses})
    capture = next((one.capture for one in statuses if one.status == verdict and one.capture), "")
    named = [
        AspectVerdict(aspect, status.status, f"{aspect}: {status.basis}" if aspect else status.basis)
        for aspect, status in found
    ]
    assumed = [f"{kernel.family.title} {kernel.family.assumed}"] if kernel.family.assumed else []
    return VersionVerdict(
        verdict, "; ".join([*(each.basis for each in named), *assumed]), tuple(named), capture
    )


def _together(kinds: set[str]) -> str:
    """Return the verdict of all aspects; one by design decides where no fix of another one is missing."""
    if kinds <= {INDEPENDENT, FIXED, NOT_AFFECTED, PROBABLY_NOT} and INDEPENDENT in kinds:
        return INDEPENDENT
    of_releases = kinds - {INDEPENDENT}
    for sure in (AFFECTED, PROBABLY):
        if sure in of_releases:
            return sure
    if len(of_releases) == 1:
        return next(iter(of_releases))
    return UNLESS_BACKPORTED if UNLESS_BACKPORTED in of_releases else UNKNOWN


def _aspect(rows: Sequence[Affected], kernel: Kernel, running: Running) -> FixStatus:
    """Judge one aspect: by the vendor's rows, by records of fixes, else by ranges of linux-stable."""
    if by_design := next((row for row in rows if row.verdict == BY_DESIGN), None):
        return FixStatus(INDEPENDENT, by_design.basis)
    vendor = [row for row in rows if row.ecosystem == kernel.ecosystem != "kernel.org"]
    said = version_rows.vendor_verdict(vendor, kernel, running) if vendor else (UNKNOWN, "")
    if said[0] != UNKNOWN:
        return FixStatus(*said)
    upstream = [row for row in rows if row.ecosystem == "kernel.org"]
    names = [name for row in upstream for name in row.fixes]
    if names:
        return worst([status_on(fix_records()[name], running, kernel) for name in names])
    if not upstream:
        return FixStatus(UNKNOWN, said[1], kernel.family.fix)
    return _by_ranges(upstream, kernel, running)


def _by_ranges(rows: Sequence[Affected], kernel: Kernel, running: Running) -> FixStatus:
    """Judge the linux-stable release by ranges; a vendor's build may have more.

    A row without a range is a property of every release, which no fix removes.
    """
    if not kernel.base:
        note = kernel.family.note or "the release says nothing about the code"
        return FixStatus(UNKNOWN, f"{kernel.family.title}: {note}", OS_RELEASE)
    major, minor, sublevel = (*kernel.base, _ANY_UPDATE)[:3]
    at_base = kernel._replace(version=(major, minor, sublevel))
    verdict, basis = version_rows.kernel_org_verdict(rows, at_base, running)
    if kernel.is_exact or verdict == UNKNOWN:
        return FixStatus(verdict, basis, "" if verdict != UNKNOWN else kernel.family.fix)
    basis = f"contains {'.'.join(map(str, kernel.base))} of linux-stable; {basis}"
    if verdict == AFFECTED and not any(row.introduced or row.fixed or row.branch for row in rows):
        return FixStatus(AFFECTED, basis)
    if verdict == AFFECTED:
        has_fix = any(row.fixed for row in rows)
        return FixStatus(UNLESS_BACKPORTED, basis, kernel.family.fix if has_fix else "")
    if verdict == NOT_AFFECTED and kernel.family.base == FROZEN:
        return FixStatus(UNKNOWN, f"{basis}, which the vendor may have backported", kernel.family.fix)
    return FixStatus(PROBABLY_NOT if verdict == NOT_AFFECTED else verdict, basis)


def too_old(rows: Sequence[Affected], running: Running) -> str:
    """Return the release in which a defect begins when the kernel is too old to have it, else "".

    A vendor that freezes its base version backports features, so its kernels are never too old; nor is a
    branch with a row of its own, to which the faulty change may have been backported.
    """
    kernel = running.kernel if running.release or running.stated else None
    own = [row for row in rows if row.ecosystem == "kernel.org"]
    if kernel is None or kernel.family.base == FROZEN or not kernel.base or not own:
        return ""
    begins: list[str] = []
    for row in own:
        if row.branch:
            if version_rows.in_branch(kernel, row.branch):
                return ""
            continue
        starts = [row.introduced] if row.introduced else [_begin(name, kernel) for name in row.fixes]
        if not starts or not all(starts):
            return ""
        begins += starts
    first = min(begins, key=numbers, default="")
    return first if first and (*kernel.base, _ANY_UPDATE)[:3] < padded(numbers(first)) else ""


def _begin(name: str, kernel: Kernel) -> str:
    """Return the release in which the fault of a fix begins, "" when unknown or backported."""
    fix = fix_records()[name]
    has_own = any(branch == kernel.base[:2] for branch in fix.branches)
    return "" if has_own else ".".join(map(str, fix.introduced))


def sentence(version: VersionVerdict, *, is_firing: bool) -> str:
    """Return the sentence that combines evidence and version verdict."""
    verdict, capture = version.verdict, version.capture
    decides = f" This decides: `{capture}`." if capture else ""
    seen = "Seen in the evidence" if is_firing else "Not seen in the evidence"
    if verdict == INDEPENDENT:
        return f"{seen}; not a matter of the kernel's version."
    if verdict == UNKNOWN:
        known = "Seen in the evidence; kernel status unknown." if is_firing else "Kernel status unknown."
        return known + decides
    if verdict == UNLESS_BACKPORTED:
        return f"{seen}; this kernel is affected unless the vendor backported the fix.{decides}"
    if is_firing:
        return {
            AFFECTED: "Known issue: seen in the evidence, and this kernel is affected.",
            PROBABLY: "Seen in the evidence, and this kernel is very probably affected.",
            PROBABLY_NOT: "Seen in the evidence on a kernel that is probably too old for the fault: "
            "look-alike, or the vendor backported the fault.",
            NOT_AFFECTED: "Seen in the evidence on a kernel that is not affected: look-alike.",
            FIXED: "Seen in the evidence on a kernel that has the fix: regression or look-alike.",
        }[verdict]
    return {
        AFFECTED: "Exposed: this kernel is affected; not seen in the evidence.",
        PROBABLY: "Exposed: this kernel is very probably affected; not seen in the evidence.",
        PROBABLY_NOT: "Not seen in the evidence; this kernel is probably not affected.",
        NOT_AFFECTED: "Not seen in the evidence; this kernel is not affected.",
        FIXED: "Not seen in the evidence; this kernel has the fix.",
    }[verdict]


def exposure(verdict: str, capture: str) -> str:
    """Return the sentence about a kernel of which nothing is seen: *Affected unless …; this decides: …*."""
    decides = f"; this decides: `{capture}`" if capture else ""
    return {
        AFFECTED: "Affected.",
        UNLESS_BACKPORTED: f"Affected unless the vendor backported the fix{decides}.",
        UNKNOWN: f"Unknown{decides}.",
        PROBABLY: "Very probably affected.",
        PROBABLY_NOT: "Probably not affected.",
        NOT_AFFECTED: "Not affected.",
        FIXED: "Fixed.",
        INDEPENDENT: "Not a matter of the kernel's version.",
    }[verdict]


VERDICTS = STATUSES
"""Every version verdict, the worst first; a condition has none of them."""
