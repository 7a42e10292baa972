"""Is the running kernel affected? A verdict of its own, never mixed with what the evidence shows.

A distribution kernel carries backports that its version does not tell, so it is *unknown* unless its vendor's
record is in the table. Only a kernel.org release is judged by range, and inside a stable branch only when the
branch's backports are on record or no fix exists. A signature whose defect has several faces (the number in
`/proc`, the choice of the OOM killer) is judged for each of these aspects.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from signatures.language.kernel_releases import (
    Kernel,
    debian_package,
    kernel_of,
    line_of,
    numbers,
    order_of,
    padded,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.language.model import Affected


_BUILT = re.compile(r"\b(?P<month>[A-Z][a-z]{2}) +(?P<day>\d{1,2}) \d{2}:\d{2}:\d{2} \S+ (?P<year>\d{4})\b")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

AFFECTED, FIXED, NOT_AFFECTED, UNKNOWN = "affected", "fixed", "not_affected", "unknown"


class Running(NamedTuple):
    """What the evidence says about the running kernel.

    Attributes:
        release: `uname -r`, "" when it is not in the evidence.
        build_text: `uname -v`; Debian's names the package.
        os_version: Milestone or version of the distribution (`105` of COS), "" when not known.
        dating: What the names of functions say about the age of the kernel, "" for nothing.
    """

    release: str = ""
    build_text: str = ""
    os_version: str = ""
    dating: str = ""


class AspectVerdict(NamedTuple):
    """What the table says about one aspect; the aspect is "" when the defect has one face only."""

    aspect: str
    verdict: str
    basis: str


class VersionVerdict(NamedTuple):
    """What the table says about one kernel, all aspects together and each."""

    verdict: str
    basis: str
    aspects: tuple[AspectVerdict, ...] = ()


def verdict_of(rows: Sequence[Affected], running: Running | str, about: str = "") -> VersionVerdict:
    """Judge a kernel against the version table of a signature.

    Args:
        rows: The table.
        running: What is known of the kernel, or its release alone.
        about: The aspect the evidence can show; the verdict is its own, the others are told beside it.
    """
    if isinstance(running, str):
        running = Running(running)
    if not running.release:
        dated = f"; {running.dating}" if running.dating else ""
        return VersionVerdict(UNKNOWN, f"no kernel release in this evidence{dated}")
    kernel = kernel_of(running.release)
    if kernel is None:
        return VersionVerdict(UNKNOWN, f"{running.release} is not a Linux release")
    if not rows:
        return VersionVerdict(UNKNOWN, "no version is on record")
    own = [row for row in rows if row.ecosystem == kernel.ecosystem]
    if not own:
        return VersionVerdict(
            UNKNOWN,
            f"{running.release} is a {kernel.ecosystem} kernel: "
            "its backports are not on record and never guessed",
        )
    judge = _kernel_org if kernel.ecosystem == "kernel.org" else _vendor
    found = []
    for aspect in dict.fromkeys(row.aspect for row in own if row.aspect or not row.branch):
        of_aspect = [row for row in own if row.aspect in (aspect, "")]
        verdict, basis = judge(of_aspect, kernel, running)
        found.append(AspectVerdict(aspect, verdict, f"{aspect}: {basis}" if aspect else basis))
    if not found:
        verdict, basis = judge(own, kernel, running)
        found.append(AspectVerdict("", verdict, basis))
    kinds = {each.verdict for each in found if about in ("", each.aspect)}
    verdict = AFFECTED if AFFECTED in kinds else kinds.pop() if len(kinds) == 1 else UNKNOWN
    return VersionVerdict(verdict, "; ".join(each.basis for each in found), tuple(found))


def _kernel_org(rows: Sequence[Affected], kernel: Kernel, running: Running) -> tuple[str, str]:
    """Judge by the range of one aspect, a stable branch by its own row."""
    branch = next((row for row in rows if row.branch and _in_branch(kernel, row.branch)), None)
    if branch is not None:
        return _branch_verdict(branch, kernel, running)
    row = next((row for row in rows if not row.branch), None)
    if row is None:
        return UNKNOWN, "only other branches are on record"
    verdict, basis = _range_verdict(row, kernel)
    return verdict, f"{basis}{_standing(row)}"


def _range_verdict(row: Affected, kernel: Kernel) -> tuple[str, str]:
    """Judge by a range of releases."""
    release = ".".join(map(str, kernel.version))
    if row.introduced and kernel.version < padded(numbers(row.introduced)):
        return NOT_AFFECTED, f"{release} is older than {row.introduced}"
    if row.fixed and kernel.version >= padded(numbers(row.fixed)):
        return FIXED, f"{release} is not older than {row.fixed}"
    since = f"since {row.introduced}" if row.introduced else "in every release looked at"
    if not row.fixed:
        return row.verdict or AFFECTED, f"{since}, no fix on record"
    # Up to 2.6.39 the third number was the release itself, not a stable update of it.
    if kernel.version[2] > 0 and kernel.version[0] > 2:
        return UNKNOWN, f"{since}, fixed in {row.fixed}; backports to its branch are not on record"
    return AFFECTED, f"{since}, fixed in {row.fixed}"


def _standing(row: Affected) -> str:
    """Return how sure the record itself is of a range, and why; "" where it says nothing of that."""
    said = [part for part in (row.basis, row.status) if part]
    return f" ({'; '.join(said)})" if said else ""


def _branch_verdict(row: Affected, kernel: Kernel, running: Running) -> tuple[str, str]:
    """Judge a stable branch by the update that brought the fix, or by what its row says outright.

    What was true on a day (`as_of`) is said of kernels built by then, and of the branch's first release.
    """
    told = f"{row.branch}: {row.basis}{f' ({row.status})' if row.status else ''}"
    built = built_on(running.build_text)
    if row.as_of and kernel.version[2] and not (built and built <= row.as_of):
        when = f"built on {built}" if built else "of an unknown day"
        return UNKNOWN, f"{told}; this kernel is {when}, and later updates are not on record"
    if row.fixed:
        has_fix = kernel.version >= padded(numbers(row.fixed))
        return (FIXED if has_fix else row.verdict or AFFECTED), f"{told}, fixed in {row.fixed}"
    return row.verdict or UNKNOWN, told


def built_on(build_text: str) -> str:
    """Return the day that `uname -v` names (`#1 SMP Tue Nov 12 10:11:12 UTC 2024`) as 2024-11-12, else ""."""
    found = _BUILT.search(build_text)
    if found is None or found["month"] not in _MONTHS:
        return ""
    return f"{found['year']}-{_MONTHS.index(found['month']) + 1:02d}-{int(found['day']):02d}"


def _in_branch(kernel: Kernel, branches: str) -> bool:
    return any(kernel.version[:2] == numbers(branch.strip())[:2] for branch in branches.split(","))


def _vendor(rows: Sequence[Affected], kernel: Kernel, running: Running) -> tuple[str, str]:
    """Judge by what the vendor's record says of this very line and flavour."""
    own = [row for row in rows if _speaks_of(row, kernel, running)]
    if not own:
        return UNKNOWN, f"{kernel.release}: the record of {kernel.ecosystem} speaks of other lines only"
    row = own[0]
    record = f"recorded for {kernel.ecosystem} {row.branch or kernel.line or kernel.flavour}".rstrip()
    record += _standing(row)
    order = debian_package(running.build_text) if kernel.ecosystem == "debian" else kernel.order
    if not order:
        return UNKNOWN, f"{kernel.release} names no package; uname -v would"
    if row.introduced and order < order_of(row.ecosystem, row.introduced):
        return NOT_AFFECTED, f"{kernel.release} is older than {row.introduced}, {record}"
    if row.fixed:
        fixed = order_of(row.ecosystem, row.fixed)
        if order >= fixed:
            return FIXED, f"{kernel.release} is not older than {row.fixed}, {record}"
        if kernel.ecosystem == "rhel" and _is_maintained_apart(order, fixed):
            return (
                UNKNOWN,
                f"{kernel.release} is of an older minor release that may carry the fix of {row.fixed}",
            )
        return row.verdict or AFFECTED, f"{kernel.release} is older than {row.fixed}, {record}"
    return row.verdict or (AFFECTED if row.introduced else UNKNOWN), record


def _is_maintained_apart(order: tuple[int, ...], fixed: tuple[int, ...]) -> bool:
    """Say whether a RHEL build is an update of an older minor release: 957.46.1 against 1062.8.1."""
    return order[:3] == fixed[:3] and order[3] < fixed[3] and len(order) > 4


def _speaks_of(row: Affected, kernel: Kernel, running: Running) -> bool:
    line = row.branch or next((line_of(text) for text in (row.fixed, row.introduced) if line_of(text)), "")
    if kernel.ecosystem == "cos":
        return not line or line == running.os_version
    if line and kernel.line and line != kernel.line:
        return False
    if kernel.ecosystem == "ubuntu":
        base = next((order_of("ubuntu", text)[:3] for text in (row.fixed, row.introduced) if text), None)
        return kernel.flavour == (row.flavour or "generic") and base in (None, kernel.order[:3])
    if kernel.ecosystem == "debian":
        base = next((order_of("debian", text)[:2] for text in (row.fixed, row.introduced) if text), None)
        return base in (None, kernel.version[:2])
    return not row.flavour or row.flavour == kernel.flavour


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
