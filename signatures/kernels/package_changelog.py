"""Changelog of the kernel's package: which fixes the running build names.

Examples:
    * Tue Mar 05 2024 A Maintainer <a@vendor.example> [5.14.0-427.13.1.el9_4]
    - writeback: Avoid softlockup when switching many inodes (Jan Kara) [RHEL-12345]

    linux (6.1.106-3) bookworm; urgency=medium
        - writeback: Avoid softlockup when switching many inodes

Entries are newest first, so those from the heading of the running build on are in it. Without such a heading
the changelog counts only when its command names the running release.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.kernels.fix_records import FixRecord
    from signatures.language.kernel_families import Kernel

ROWS = "kernel_changelog"
MIN_HASH = 10


class ChangelogLine(NamedTuple):
    """One entry.

    Attributes:
        version: Version of the heading above it, "" without one.
        text: The entry.
        line: 1-based line in its evidence.
    """

    version: str
    text: str
    line: int


class PackageChangelog(NamedTuple):
    """One changelog.

    Attributes:
        name: Its evidence.
        release: Release that the command names, "" when none.
    """

    name: str
    release: str
    lines: Sequence[ChangelogLine]


def lines_of(changelog: PackageChangelog, kernel: Kernel) -> Sequence[ChangelogLine]:
    """Return the entries of the running build, () when the changelog is of another one."""
    for at, line in enumerate(changelog.lines):
        if line.version and _is_running(line.version, kernel):
            return changelog.lines[at:]
    return changelog.lines if changelog.release and changelog.release == kernel.release else ()


def _is_running(version: str, kernel: Kernel) -> bool:
    """Return whether the version of a heading is the running build's."""
    if kernel.package and kernel.package.startswith(version):
        rest = kernel.package[len(version) :]
        return not rest or (kernel.ecosystem == "ubuntu" and rest.startswith("-"))
    if kernel.ecosystem == "ubuntu":
        abi = kernel.release.removesuffix(f"-{kernel.flavour}")
        return version.startswith(f"{abi}.")
    return re.sub(r"\.(?:x86_64|aarch64|ppc64le|s390x|i686)$", "", kernel.release) == version


def line_naming(fix: FixRecord, lines: Sequence[ChangelogLine]) -> ChangelogLine | None:
    """Return the entry that names the subject or the commit of a fix."""
    subject = " ".join(fix.subject.split())
    short = fix.commit[:MIN_HASH]
    return next((line for line in lines if subject in line.text or short in line.text), None)


def is_whole(lines: Sequence[ChangelogLine], kernel: Kernel) -> bool:
    """Return whether the entries reach back beyond the branch of the running build."""
    versions = [line.version for line in lines if line.version]
    found = re.match(r"(\d+)\.(\d+)", versions[-1]) if versions else None
    return found is not None and len(kernel.base) > 1 and (int(found[1]), int(found[2])) < kernel.base[:2]
