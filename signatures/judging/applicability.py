"""Version verdict: is the running kernel affected? Independent of what the evidence shows.

A distribution kernel carries backports that its version does not show, so it is *unknown* unless the table
has a row of its vendor. Only kernel.org releases are judged by range, and inside a stable branch only when
the branch has a row or no fix exists. A signature whose defect has several aspects (the number in `/proc`,
the choice of the OOM killer) gets a verdict for each.
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
    """The running kernel according to the evidence.

    Attributes:
        release: `uname -r`, "" when it is not in the evidence.
        build_text: `uname -v`; Debian's names the package.
        os_version: Milestone or version of the distribution (`105` of COS), "" when unknown.
        code_age: Age of the code inferred from function names, "" when there is no bound.
    """

    release: str = ""
    build_text: str = ""
    os_version: str = ""
    code_age: str = ""


class AspectVerdict(NamedTuple):
    """Verdict for one aspect; the aspect is "" when the defect has only one."""

    aspect: str
    verdict: str
    basis: str


class VersionVerdict(NamedTuple):
    """Verdict for one kernel: all aspects together, and each."""

    verdict: str
    basis: str
    aspects: tuple[AspectVerdict, ...] = ()


def verdict_of(rows: Sequence[Affected], running: Running | str, about: str = "") -> VersionVerdict:
    """Judge a kernel against the version table of a signature.

    Args:
        rows: The table.
        running: The kernel, or its release alone.
        about: The aspect that the evidence can show: it alone decides the verdict; the others are listed.
    """
    if isinstance(running, str):
        running = Running(running)
    if not running.release:
        age = f"; {running.code_age}" if running.code_age else ""
        return VersionVerdict(UNKNOWN, f"no kernel release in the evidence{age}")
    kernel = kernel_of(running.release)
    if kernel is None:
        return VersionVerdict(UNKNOWN, f"{running.release} is not a Linux release")
    if not rows:
        return VersionVerdict(UNKNOWN, "no affected versions listed")
    own = [row for row in rows if row.ecosystem == kernel.ecosystem]
    if not own:
        return VersionVerdict(
            UNKNOWN,
            f"{running.release} is a {kernel.ecosystem} kernel: vendor backports unknown",
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
        return UNKNOWN, "only other branches are listed"
    verdict, basis = _range_verdict(row, kernel)
    return verdict, f"{basis}{_basis(row)}"


def _range_verdict(row: Affected, kernel: Kernel) -> tuple[str, str]:
    """Judge by a range of releases."""
    release = ".".join(map(str, kernel.version))
    if row.introduced and kernel.version < padded(numbers(row.introduced)):
        return NOT_AFFECTED, f"{release} is older than {row.introduced}"
    if row.fixed and kernel.version >= padded(numbers(row.fixed)):
        return FIXED, f"{release} is not older than {row.fixed}"
    since = f"since {row.introduced}" if row.introduced else "in every checked release"
    if not row.fixed:
        return row.verdict or AFFECTED, f"{since}, no known fix"
    # Up to 2.6.39 the third number was the release itself, not a stable update of it.
    if kernel.version[2] > 0 and kernel.version[0] > 2:
        return UNKNOWN, f"{since}, fixed in {row.fixed}; backports to its branch unknown"
    return AFFECTED, f"{since}, fixed in {row.fixed}"


def _basis(row: Affected) -> str:
    """Return basis and status of a table row in parentheses, "" without either."""
    parts = [part for part in (row.basis, row.status) if part]
    return f" ({'; '.join(parts)})" if parts else ""


def _branch_verdict(row: Affected, kernel: Kernel, running: Running) -> tuple[str, str]:
    """Judge a stable branch by the update that brought the fix, or by the verdict of its row.

    A row with `as_of` applies to kernels built by that day, and to the first release of the branch.
    """
    record = f"{row.branch}: {row.basis}{f' ({row.status})' if row.status else ''}"
    built = built_on(running.build_text)
    if row.as_of and kernel.version[2] and not (built and built <= row.as_of):
        when = f"built on {built}" if built else "of unknown build date"
        return UNKNOWN, f"{record}; this kernel is {when}, and later updates are not listed"
    if row.fixed:
        has_fix = kernel.version >= padded(numbers(row.fixed))
        return (FIXED if has_fix else row.verdict or AFFECTED), f"{record}, fixed in {row.fixed}"
    return row.verdict or UNKNOWN, record


def built_on(build_text: str) -> str:
    """Return the day that `uname -v` names (`#1 SMP Tue Nov 12 10:11:12 UTC 2024`) as 2024-11-12, else ""."""
    found = _BUILT.search(build_text)
    if found is None or found["month"] not in _MONTHS:
        return ""
    return f"{found['year']}-{_MONTHS.index(found['month']) + 1:02d}-{int(found['day']):02d}"


def _in_branch(kernel: Kernel, branches: str) -> bool:
    return any(kernel.version[:2] == numbers(branch.strip())[:2] for branch in branches.split(","))


def _vendor(rows: Sequence[Affected], kernel: Kernel, running: Running) -> tuple[str, str]:
    """Judge by the vendor row for this line and flavour."""
    own = [row for row in rows if _covers(row, kernel, running)]
    if not own:
        return UNKNOWN, f"{kernel.release}: the {kernel.ecosystem} rows cover other lines only"
    row = own[0]
    record = f"listed for {kernel.ecosystem} {row.branch or kernel.line or kernel.flavour}".rstrip()
    record += _basis(row)
    order = debian_package(running.build_text) if kernel.ecosystem == "debian" else kernel.order
    if not order:
        return UNKNOWN, f"{kernel.release} names no package version; add uname -v"
    if row.introduced and order < order_of(row.ecosystem, row.introduced):
        return NOT_AFFECTED, f"{kernel.release} is older than {row.introduced}, {record}"
    if row.fixed:
        fixed = order_of(row.ecosystem, row.fixed)
        if order >= fixed:
            return FIXED, f"{kernel.release} is not older than {row.fixed}, {record}"
        if kernel.ecosystem == "rhel" and _is_older_minor_update(order, fixed):
            return (
                UNKNOWN,
                f"{kernel.release} belongs to an older minor release that may include the fix of {row.fixed}",
            )
        return row.verdict or AFFECTED, f"{kernel.release} is older than {row.fixed}, {record}"
    return row.verdict or (AFFECTED if row.introduced else UNKNOWN), record


def _is_older_minor_update(order: tuple[int, ...], fixed: tuple[int, ...]) -> bool:
    """Return whether a RHEL build is an update of an older minor release: 957.46.1 against 1062.8.1."""
    return order[:3] == fixed[:3] and order[3] < fixed[3] and len(order) > 4


def _covers(row: Affected, kernel: Kernel, running: Running) -> bool:
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


def too_old(rows: Sequence[Affected], running: Running) -> str:
    """Return the release in which a defect begins when the kernel is too old to have it, else "".

    A vendor that freezes its base version backports features, so its kernels are never too old; nor is a
    branch with a row of its own, to which the faulty change may have been backported.
    """
    kernel = kernel_of(running.release) if running.release else None
    own = [row for row in rows if row.ecosystem == "kernel.org"]
    if kernel is None or kernel.is_frozen or not own or kernel.ecosystem in ("windows", "application"):
        return ""
    if any(not row.introduced and not row.branch for row in own):
        return ""
    if any(row.branch and _in_branch(kernel, row.branch) for row in own):
        return ""
    begins = min((row.introduced for row in own if row.introduced), key=numbers, default="")
    return begins if begins and kernel.version < padded(numbers(begins)) else ""


def sentence(*, is_firing: bool, verdict: str) -> str:
    """Return the sentence that combines evidence and version verdict."""
    if verdict == UNKNOWN:
        return "Seen in the evidence; kernel status unknown." if is_firing else "Kernel status unknown."
    if is_firing:
        return (
            "Known issue: seen in the evidence, and this kernel is listed as affected."
            if verdict == AFFECTED
            else "Seen in the evidence on a kernel listed as not affected: regression or look-alike."
        )
    return (
        "Exposed: this kernel is listed as affected; not seen in the evidence."
        if verdict == AFFECTED
        else "Not seen in the evidence; this kernel is not listed as affected."
    )
