"""Version table rows: the verdict of the rows of one aspect for one kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.kernels.release_dates import built_on
from signatures.language.kernel_releases import (
    debian_package,
    line_of,
    numbers,
    order_of,
    padded,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.kernels.running_kernel import Running
    from signatures.language.kernel_families import Kernel
    from signatures.language.model import Affected

AFFECTED, FIXED, NOT_AFFECTED, UNKNOWN = "affected", "fixed", "not_affected", "unknown"


def kernel_org_verdict(rows: Sequence[Affected], kernel: Kernel, running: Running) -> tuple[str, str]:
    """Judge by the range of one aspect, a stable branch by its own row."""
    branch = next((row for row in rows if row.branch and in_branch(kernel, row.branch)), None)
    if branch is not None:
        return _branch_verdict(branch, kernel, running)
    row = next((row for row in rows if not row.branch), None)
    if row is None:
        return UNKNOWN, "only other branches are listed"
    verdict, basis = _range_verdict(row, kernel)
    return verdict, f"{basis}{_basis(row)}"


def _range_verdict(row: Affected, kernel: Kernel) -> tuple[str, str]:
    """Judge by a range of releases."""
    release = ".".join(map(str, kernel.base or kernel.version))
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
    if row.as_of and kernel.version[2] and not (built and built.isoformat() <= row.as_of):
        when = f"built on {built}" if built else "of unknown build date"
        return UNKNOWN, f"{record}; this kernel is {when}, and later updates are not listed"
    if row.fixed and len(kernel.base) == 2:
        return (
            UNKNOWN,
            f"{record}, fixed in {row.fixed}; the stable update of this build is not in its release",
        )
    if row.fixed:
        has_fix = kernel.version >= padded(numbers(row.fixed))
        return (FIXED if has_fix else row.verdict or AFFECTED), f"{record}, fixed in {row.fixed}"
    return row.verdict or UNKNOWN, record


def in_branch(kernel: Kernel, branches: str) -> bool:
    """Return whether the kernel belongs to one of `5.15, 6.6`."""
    return any(kernel.version[:2] == numbers(branch.strip())[:2] for branch in branches.split(","))


def vendor_verdict(rows: Sequence[Affected], kernel: Kernel, running: Running) -> tuple[str, str]:
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
