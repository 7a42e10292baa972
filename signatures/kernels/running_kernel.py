"""The running kernel according to the evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.kernels.dated_status import status_by_dates
from signatures.kernels.fix_status import (
    AFFECTED,
    FIXED,
    PROBABLY,
    UNKNOWN,
    UNLESS_BACKPORTED,
    FixStatus,
    fix_status,
)
from signatures.kernels.package_changelog import PackageChangelog, is_whole, line_naming, lines_of
from signatures.kernels.release_dates import build_day
from signatures.language.kernel_families import Kernel, kernel_of

if TYPE_CHECKING:
    from signatures.kernels.fix_records import FixRecord

LIVE_PATCHES = "cat /sys/kernel/livepatch/*/enabled; kpatch list; canonical-livepatch status --verbose"


class Running(NamedTuple):
    """The running kernel.

    Attributes:
        release: `uname -r`, "" when it is not in the evidence.
        build_text: `uname -v`, /proc/version and /proc/version_signature.
        os_version: Milestone or version of the distribution (`105` of COS), "" when unknown.
        code_age: Age of the code inferred from function names, "" when there is no bound.
        os_id: ID of os-release, "" when unknown.
        functions: Functions that the kernel has; others may be inlined.
        live_patches: Names of loaded live patches.
        is_live_patched: By the taint flag K (bit 15 of /proc/sys/kernel/tainted), else by an empty list of
            live patches; None when it is unknown.
        host: Name of the host, "" when unknown.
        command_line: /proc/cmdline, "" when unknown.
        changelogs: Changelogs of kernel packages.
        stated: Kernel of an image or a distribution, where no release is known; None elsewhere.
    """

    release: str = ""
    build_text: str = ""
    os_version: str = ""
    code_age: str = ""
    os_id: str = ""
    functions: frozenset[str] = frozenset()
    live_patches: tuple[str, ...] = ()
    changelogs: tuple[PackageChangelog, ...] = ()
    stated: Kernel | None = None
    is_live_patched: bool | None = None
    host: str = ""
    command_line: str = ""

    @property
    def kernel(self) -> Kernel | None:
        """The parsed release, None when it is not a Linux release."""
        if self.stated is not None:
            return self.stated
        return kernel_of(self.release, self.build_text, self.os_id, self.host, self.command_line)


def status_on(fix: FixRecord, running: Running, kernel: Kernel) -> FixStatus:
    """Return the status of a fix: by changelog and function where they decide, else by release."""
    for function in fix.probe:
        if function in running.functions:
            return FixStatus(FIXED, f"the evidence shows {function}, which came with {fix.commit[:12]}")
    by_release = fix_status(fix, kernel)
    if by_release.status == FIXED:
        return by_release
    for changelog in running.changelogs:
        lines = lines_of(changelog, kernel)
        named = line_naming(fix, lines)
        if named is not None:
            where = f"line {named.line} of {changelog.name}"
            return FixStatus(
                FIXED, f"the package changelog of this build names it: {named.text.strip()!r} ({where})"
            )
        if (
            by_release.status in (UNLESS_BACKPORTED, UNKNOWN)
            and is_whole(lines, kernel)
            and _can_lack(fix, kernel)
        ):
            what = (
                f"the package changelog of this build ({changelog.name}) was read whole and does not name it"
            )
            return FixStatus(AFFECTED, what)
    by_date = status_by_dates(fix, kernel, by_release, build_day(running.build_text, kernel))
    if by_date.status in (AFFECTED, PROBABLY) and (running.live_patches or running.is_live_patched):
        names = ", ".join(running.live_patches) or "taint flag K"
        return FixStatus(
            UNLESS_BACKPORTED, f"{by_date.basis}; live patches are loaded ({names})", LIVE_PATCHES
        )
    if by_date.status == PROBABLY and running.is_live_patched is None:
        return FixStatus(UNLESS_BACKPORTED, f"{by_date.basis}; a live patch may have it", LIVE_PATCHES)
    return by_date


def _can_lack(fix: FixRecord, kernel: Kernel) -> bool:
    """Return whether the fault is in the branch of the build, so that a missing fix means affected."""
    return not fix.introduced or kernel.base[:2] >= fix.introduced[:2]
