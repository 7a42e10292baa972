"""Cases that nothing was tuned on: `python -m tools.unseen` lists the parts, with a name it opens one.

    make unseen                 the parts of benchmarks/pool/sealed: cases, and when each was opened
    make unseen PART=series     open a part into var/unseen/series, once, and record date and commit

A figure of generality is measured on a part when it is opened, on the commit that is recorded. From then on
the part is regression: whoever changes the analyser may have seen it.
"""

from __future__ import annotations

import csv
import hashlib
import subprocess
import sys
import tarfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SEALED = Path("benchmarks/pool/sealed")
PARTS = SEALED / "parts.tsv"
OPENED = Path("var/unseen")


class SealError(Exception):
    """A part cannot be opened; one sentence that says why."""


def parts(root: Path = ROOT) -> list[dict[str, str]]:
    """Return the rows of `parts.tsv`: part, cases, sha256, opened, commit."""
    with (root / PARTS).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def open_part(name: str, root: Path = ROOT) -> Path:
    """Unpack a part that was never opened and record it; return its folder.

    Args:
        name: Name of the part.
        root: The checkout.

    Raises:
        SealError: There is no such part, it was opened before or altered, or the checkout has changes that no
            commit names.
    """
    rows = parts(root)
    row = next((one for one in rows if one["part"] == name), None)
    if row is None:
        raise SealError(f"no part {name!r}; there are {', '.join(one['part'] for one in rows)}")
    if row["opened"]:
        raise SealError(f"{name} was opened on {row['opened']} at {row['commit']}: it is regression now")
    if changes := _git(root, "status", "--porcelain", "--untracked-files=no"):
        count = len(changes.splitlines())
        raise SealError(f"{count} changes are in no commit; a figure is of a commit")
    packed = root / SEALED / f"{name}.tar.xz"
    if hashlib.sha256(packed.read_bytes()).hexdigest() != row["sha256"]:
        raise SealError(f"{packed.name} is not the file that was sealed")
    folder = root / OPENED / name
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(packed) as archive:
        archive.extractall(folder, filter="data")
    row |= {
        "opened": f"{datetime.now(UTC):%Y-%m-%d}",
        "commit": _git(root, "rev-parse", "--short=12", "HEAD"),
    }
    _write(root / PARTS, rows)
    return folder


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=root, check=True, capture_output=True, text=True
    ).stdout.strip()


def main(names: list[str]) -> int:
    """List the parts, or open one; return the exit status."""
    if not names:
        for row in parts():
            state = f"opened {row['opened']} at {row['commit']}" if row["opened"] else "sealed"
            sys.stdout.write(f"{row['part']:<16} {row['cases']:>3} cases  {state}\n")
        return 0
    try:
        sys.stdout.write(f"{open_part(names[0])}\n")
    except SealError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
