"""Set the version of the next release everywhere: `python -m tools.release.version 0.2.0`.

Writes the version into `pyproject.toml`, the Rust core and `backend/core/version.py`, the same into both lock
files, and dates the section *Unreleased* of the changelog, below a new empty one. `make release-version
VERSION=0.2.0` is the one command before `make release`; look at the difference and commit it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from tools.release.source_tree import ROOT

if TYPE_CHECKING:
    from pathlib import Path

VERSION = re.compile(r"\d+\.\d+\.\d+(?:\.dev\d+|rc\d+)?")
PLACES = {
    "pyproject.toml": r'^(name = "kernel-casebook"\nversion = ")[^"]+(")',
    "ingest/native/Cargo.toml": r'^(name = "[\w-]+"\nversion = ")[^"]+(")',
    "ingest/native/Cargo.lock": r'^(name = "{crate}"\nversion = ")[^"]+(")',
    "backend/core/version.py": r'^(VERSION = ")[^"]+(")',
    "uv.lock": r'^(name = "kernel-casebook"\nversion = ")[^"]+(")',
}
CHANGELOG = "CHANGELOG.md"
UNRELEASED = "## [Unreleased]\n"
CRATE = re.compile(r'^name = "([\w-]+)"', re.MULTILINE)


class VersionError(Exception):
    """The version cannot be set; the message says why."""


def set_version(root: Path, version: str, at: date) -> list[str]:
    """Write `version` into all places below `root`; return their paths.

    Raises:
        VersionError: It is no version, a place has none, or nothing is unreleased.
    """
    if not VERSION.fullmatch(version):
        raise VersionError(f"{version!r} is no version; write 0.2.0")
    texts = {}
    crate = CRATE.search((root / "ingest/native/Cargo.toml").read_text(encoding="utf-8"))
    for place, pattern in PLACES.items():
        expression = pattern.replace("{crate}", crate[1] if crate else "")
        text = (root / place).read_text(encoding="utf-8")
        texts[place], count = re.subn(
            expression, lambda found: f"{found[1]}{version}{found[2]}", text, count=1, flags=re.MULTILINE
        )
        if not count:
            raise VersionError(f"{place} has no version")
    texts[CHANGELOG] = _dated((root / CHANGELOG).read_text(encoding="utf-8"), version, at)
    for place, text in texts.items():
        (root / place).write_text(text, encoding="utf-8")
    return list(texts)


def _dated(changelog: str, version: str, at: date) -> str:
    if f"## [{version}]" in changelog:
        raise VersionError(f"{CHANGELOG} has a section {version} already")
    before, heading, rest = changelog.partition(UNRELEASED)
    if not heading or not rest.partition("\n## ")[0].strip():
        raise VersionError(f"{CHANGELOG} has nothing below Unreleased")
    return f"{before}{UNRELEASED}\n## [{version}] - {at.isoformat()}\n{rest}"


def main(version: str) -> None:
    """Set the version of the checkout, and have uv check the lock file."""
    places = set_version(ROOT, version, datetime.now(UTC).date())
    subprocess.run([ROOT / ".venv/bin/uv", "lock", "--check", "--offline"], cwd=ROOT, check=False)
    sys.stdout.write("".join(f"{place}\n" for place in places))


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except VersionError as error:
        sys.exit(f"Error: {error}")
