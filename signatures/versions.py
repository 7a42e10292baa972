"""Is the running kernel affected? A verdict of its own, never mixed with what the evidence shows.

Kernels are compared as numbers, never as texts (5.15 is newer than 5.4). A distribution kernel carries
backports that its version does not tell, so it is *unknown* unless its vendor's record is in the table. Only
a kernel.org release is judged by range, and inside a stable branch only when the branch's backports are on
record or no fix exists.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.model import Affected

_RELEASE = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?(.*)")
_VENDORS = (
    (r"\.el(\d+)uek", "oracle-uek", True),
    (r"\.el(\d+)", "rhel", True),
    (r"\.fc\d+", "fedora", False),
    (r"amzn", "amazon-linux", False),
    (r"\.cm\d|\.azl\d", "azure-linux", False),
    (r"-(?:default|azure)$|-\d+\.\d+-default", "suse", True),
    (r"deb\d+|-amd64$|-cloud-(?:amd64|arm64)|-arm64$", "debian", False),
    (r"-\d+-(?:generic|gcp|aws|azure|oracle|gke|kvm|lowlatency|oem|ibm|raspi|nvidia)", "ubuntu", False),
    (r"^\+$", "cos", False),
    (r"microsoft-standard", "wsl", False),
)
_MAINLINE = re.compile(r"(?:-rc\d+)?(?:-flatcar|-talos)?(?:\.x86_64|-x86_64)?")
_PART = re.compile(r"(>=|<=|<|>|=)?\s*(\d+(?:\.\d+)*)(?:-rc\d+)?")

AFFECTED, FIXED, NOT_AFFECTED, UNKNOWN = "affected", "fixed", "not_affected", "unknown"


class Kernel(NamedTuple):
    """A parsed `uname -r`.

    Attributes:
        version: Major, minor, sublevel.
        ecosystem: `kernel.org`, a vendor, or `local` for a tail nobody's record names.
        is_frozen: The vendor keeps the base version and backports thousands of changes.
    """

    release: str
    version: tuple[int, int, int]
    ecosystem: str
    is_frozen: bool


class VersionVerdict(NamedTuple):
    """What the table says about one kernel, or about one aspect of it."""

    verdict: str
    basis: str


def kernel_of(release: str) -> Kernel | None:
    """Parse a release; None when it is none."""
    found = _RELEASE.fullmatch(release.strip())
    if found is None:
        return None
    version = (int(found[1]), int(found[2]), int(found[3] or 0))
    tail = found[4]
    for pattern, name, is_frozen in _VENDORS:
        if re.search(pattern, tail):
            return Kernel(release, version, name, is_frozen)
    return Kernel(release, version, "kernel.org" if _MAINLINE.fullmatch(tail) else "local", False)


def numbers(text: str) -> tuple[int, ...]:
    """Return `6.18.25` as numbers.

    Raises:
        ValueError: Not a version.
    """
    found = re.match(r"\d+(?:\.\d+)*", text)
    if found is None:
        raise ValueError(f"{text!r} is not a kernel version")
    return tuple(int(part) for part in found[0].split("."))


def _padded(version: tuple[int, ...]) -> tuple[int, ...]:
    return (*version, 0, 0, 0)[:3]


def in_range(kernel: Kernel, spec: str) -> bool | None:
    """Say whether the kernel lies in `>=5.14,<6.18`; None when its base version does not tell.

    A vendor may add later features to a base version, never an earlier one: `>=5.13` is certain where the
    base says so, `<5.13` is not on a frozen base.
    """
    verdicts: list[bool | None] = []
    for part in spec.split(","):
        found = _PART.fullmatch(part.strip())
        if found is None:
            raise ValueError(f"{part!r} is not a range")
        goal = _padded(numbers(found[2]))
        op = found[1] or "="
        has = {
            ">=": kernel.version >= goal,
            ">": kernel.version > goal,
            "<": kernel.version < goal,
            "<=": kernel.version <= goal,
            "=": kernel.version == goal,
        }[op]
        is_certain = not kernel.is_frozen or (op in (">=", ">") and has)
        verdicts.append(has if is_certain else None)
    if False in verdicts:
        return False
    return None if None in verdicts else True


def verdict_of(rows: Sequence[Affected], release: str) -> VersionVerdict:
    """Judge a kernel against the version table of a signature."""
    if not release:
        return VersionVerdict(UNKNOWN, "no kernel release in this evidence")
    kernel = kernel_of(release)
    if kernel is None:
        return VersionVerdict(UNKNOWN, f"{release} is not a Linux release")
    own = [row for row in rows if row.ecosystem == kernel.ecosystem]
    if not own:
        if not rows:
            return VersionVerdict(UNKNOWN, "no version is on record")
        return VersionVerdict(
            UNKNOWN,
            f"{release} is a {kernel.ecosystem} kernel: its backports are not on record and never guessed",
        )
    verdicts = [_row_verdict(row, kernel, own) for row in own if not row.branch]
    decisive = next((found for found in verdicts if found.verdict == AFFECTED), None)
    if decisive is None:
        kinds = {found.verdict for found in verdicts}
        decisive = (
            verdicts[0] if len(kinds) == 1 else VersionVerdict(UNKNOWN, "; ".join(f.basis for f in verdicts))
        )
    if len(verdicts) > 1:
        return VersionVerdict(decisive.verdict, "; ".join(found.basis for found in verdicts))
    return decisive


def _row_verdict(row: Affected, kernel: Kernel, rows: Sequence[Affected]) -> VersionVerdict:
    label = f"{row.aspect}: " if row.aspect else ""
    release = ".".join(map(str, kernel.version))
    branch = next((other for other in rows if other.branch and _in_branch(kernel, other.branch)), None)
    if branch is not None:
        return VersionVerdict(branch.verdict or UNKNOWN, f"{label}{branch.branch}: {branch.basis}")
    if row.introduced and kernel.version < _padded(numbers(row.introduced)):
        return VersionVerdict(NOT_AFFECTED, f"{label}{release} is older than {row.introduced}")
    if row.fixed and kernel.version >= _padded(numbers(row.fixed)):
        return VersionVerdict(FIXED, f"{label}{release} is not older than {row.fixed}")
    since = f"since {row.introduced}" if row.introduced else "in every release looked at"
    if not row.fixed:
        return VersionVerdict(row.verdict or AFFECTED, f"{label}{since}, no fix on record")
    if kernel.version[2] > 0:
        return VersionVerdict(
            UNKNOWN,
            f"{label}{since}, fixed in {row.fixed}; backports to its branch are not on record",
        )
    return VersionVerdict(AFFECTED, f"{label}{since}, fixed in {row.fixed}")


def _in_branch(kernel: Kernel, branches: str) -> bool:
    return any(kernel.version[:2] == numbers(branch.strip())[:2] for branch in branches.split(","))


def sentence(*, is_firing: bool, verdict: str) -> str:
    """Say what the evidence and the version mean together."""
    if verdict == UNKNOWN:
        return (
            "The evidence shows it; whether this kernel is on record as affected is not known."
            if is_firing
            else "Whether this kernel is on record as affected is not known."
        )
    if is_firing:
        return (
            "Known issue: the evidence shows it, and this kernel is on record as affected."
            if verdict == AFFECTED
            else "Alarm: the evidence shows it on a kernel on record as free of it: regression or look-alike."
        )
    return (
        "Exposed: this kernel is on record as affected, but the evidence does not show it."
        if verdict == AFFECTED
        else "Nothing: neither the evidence nor the version points here."
    )
