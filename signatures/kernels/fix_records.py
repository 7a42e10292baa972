"""Records of fixes: one file per fix, with the releases of every branch that have it.

Example:
    commit: e1b849cfa6b61f1c866a908c9e8dd9b5aaab820b
    subject: "writeback: Avoid contention on wb->list_lock when switching inodes"
    authored: 2025-09-19
    introduced: {release: "5.14", commit: c22d70a162d3, authored: 2021-06-03}
    fixed: {mainline: "6.18", "6.12": 6.12.94}
    absent: {"6.1": 6.1.170}
    verified: {day: 2026-11-23, by: push log of linux.git}

`absent` names the release up to which the changelog of a branch was read and has no such line. Links are made
from commit, CVE and Message-ID, and are never written by hand.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest.tables import table
from signatures.kernels.package_lines import PackageLine, package_line

if TYPE_CHECKING:
    import datetime as dt

FIXES = Path(__file__).parent / "fixes"
ENDED = Path(__file__).parent / "ended_branches.yaml"
_KEYS = frozenset(
    ("commit", "subject", "status", "authored", "introduced", "fixed", "absent", "vendors", "probe", "cve")
) | {"mail", "sources", "note", "followed_by", "lines", "verified", "vendor_first"}
_COMMIT = re.compile(r"[0-9a-f]{12,40}")
_BRANCH = re.compile(r"\d+\.\d+")

Version = tuple[int, ...]


class Range(NamedTuple):
    """The fix in one branch of linux-stable.

    Attributes:
        introduced: First release of the branch with the fault, () for the branch's first.
        fixed: First release with the fix, () when none is known.
        absent: Release up to which the fix is known to be missing, () when unknown.
    """

    introduced: Version = ()
    fixed: Version = ()
    absent: Version = ()


class Verified(NamedTuple):
    """When hash and subject were compared with a stored text, and which."""

    day: dt.date
    by: str


class FixRecord(NamedTuple):
    """One fix.

    Attributes:
        name: File name without suffix.
        commit: Hash in mainline, 12 digits or more.
        authored: Day on which it was posted or committed; branches that ended before cannot have it.
        introduced: Mainline release with the fault, () for every release.
        introduced_on: Day on which the fault was posted or committed, None when not on record.
        is_vendor_first: Vendors had fix or fault before mainline, so that no day says what a build lacks.
        mainline: First mainline release with the fix.
        branches: Branch such as (6, 12) to its range.
        vendors: Vendor package to the first version with the fix, with its source.
        probe: Functions that exist only with the fix.
        followed_by: Commits that repair the fix itself.
        lines: Release line of frozen kernels (`el8`) to what the sources of its packages have.
        verified: When and by what hash and subject were verified.
    """

    name: str
    commit: str
    subject: str
    status: str
    authored: dt.date
    introduced: Version
    introduced_by: str
    introduced_on: dt.date | None
    is_vendor_first: bool
    mainline: Version
    branches: dict[tuple[int, int], Range]
    vendors: tuple[tuple[str, str, str], ...]
    probe: tuple[str, ...]
    cve: str
    mail: str
    sources: tuple[str, ...]
    followed_by: tuple[str, ...]
    note: str
    lines: dict[str, PackageLine]
    verified: Verified

    @property
    def links(self) -> tuple[tuple[str, str], ...]:
        """(title, URL) of commit, CVE and review mail."""
        found = [(self.commit[:12], commit_url(self.commit))]
        if self.cve:
            found.append((self.cve, cve_url(self.cve)))
        if self.mail:
            found.append(("review mail", f"https://lore.kernel.org/r/{self.mail}"))
        return tuple(found)


def commit_url(commit: str) -> str:
    """Return the canonical URL of a mainline commit."""
    return f"https://git.kernel.org/pub/scm/linux/kernel/git/torvalds/linux.git/commit/?id={commit}"


def cve_url(cve: str) -> str:
    """Return the canonical URL of a CVE."""
    return f"https://www.cve.org/CVERecord?id={cve}"


class EndedBranch(NamedTuple):
    """A branch of linux-stable without further releases."""

    last: Version
    day: dt.date
    source: str


@lru_cache(maxsize=1)
def ended_branches() -> dict[tuple[int, int], EndedBranch]:
    """Return the branches that ended."""
    rows = table(ENDED)
    return {
        _branch(name): EndedBranch(version_of(row["last"]), row["day"], row["source"])
        for name, row in rows.items()
    }


@lru_cache(maxsize=1)
def fix_records() -> dict[str, FixRecord]:
    """Return every record by name, in the order of names.

    Raises:
        ValueError: A record is not valid; file and key are named.
    """
    return {path.stem: record_of(path.stem, table(path)) for path in sorted(FIXES.glob("*.yaml"))}


def version_of(text: str) -> Version:
    """Return `6.12.94` as numbers; () for an empty text."""
    return tuple(int(part) for part in str(text).split(".")) if text else ()


def _branch(name: str) -> tuple[int, int]:
    major, minor = name.split(".")
    return int(major), int(minor)


def record_of(name: str, row: dict[str, Any]) -> FixRecord:
    """Return the record that a document states.

    Raises:
        ValueError: Not valid; name and key are named.
    """
    unknown = sorted(set(row) - _KEYS)
    if unknown:
        raise ValueError(f"fix {name}: unknown key {unknown[0]}")
    for key in ("commit", "subject", "status", "authored", "fixed", "sources", "verified"):
        if not row.get(key):
            raise ValueError(f"fix {name}: {key} is missing")
    if not _COMMIT.fullmatch(str(row["commit"])):
        raise ValueError(f"fix {name}: commit is not a hash of 12 digits or more")
    introduced = row.get("introduced") or {}
    return FixRecord(
        name=name,
        commit=row["commit"],
        subject=row["subject"],
        status=row["status"],
        authored=row["authored"],
        introduced=version_of(introduced.get("release", "")),
        introduced_by=introduced.get("commit", ""),
        introduced_on=introduced.get("authored"),
        is_vendor_first=bool(row.get("vendor_first", False)),
        mainline=version_of(row["fixed"]["mainline"]),
        branches=_branches(name, row),
        vendors=tuple((one["package"], one["fixed"], one["source"]) for one in row.get("vendors") or ()),
        probe=tuple(row.get("probe") or ()),
        cve=row.get("cve", ""),
        mail=row.get("mail", ""),
        sources=tuple(row["sources"]),
        followed_by=tuple(row.get("followed_by") or ()),
        note=row.get("note", ""),
        lines=_lines(name, row),
        verified=Verified(row["verified"]["day"], row["verified"]["by"]),
    )


def _lines(name: str, row: dict[str, Any]) -> dict[str, PackageLine]:
    try:
        return {line: package_line(builds) for line, builds in (row.get("lines") or {}).items()}
    except ValueError as problem:
        raise ValueError(f"fix {name}: {problem}") from problem


def _branches(name: str, row: dict[str, Any]) -> dict[tuple[int, int], Range]:
    introduced = {
        key: value for key, value in (row.get("introduced") or {}).items() if _BRANCH.fullmatch(key)
    }
    fixed = {key: value for key, value in row["fixed"].items() if key != "mainline"}
    absent = row.get("absent") or {}
    found: dict[tuple[int, int], Range] = {}
    for key in {**introduced, **fixed, **absent}:
        if not _BRANCH.fullmatch(key):
            raise ValueError(f"fix {name}: {key} is not a branch")
        branch = _branch(key)
        found[branch] = Range(
            version_of(introduced.get(key, "")),
            version_of(fixed.get(key, "")),
            version_of(absent.get(key, "")),
        )
        for version in found[branch]:
            if version and version[:2] != branch:
                raise ValueError(f"fix {name}: {'.'.join(map(str, version))} is no release of {key}")
    return dict(sorted(found.items()))
