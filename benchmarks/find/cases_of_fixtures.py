"""Fixtures as cases of a service: `python -m benchmarks.find.cases_of_fixtures URL TOKEN [MANY]`."""

from __future__ import annotations

import sys
from pathlib import Path

from backend.client import Client

LIBRARY = Path("signatures/library")
MANY = 200
MAX_FILES = 40


def folders(many: int = MANY) -> list[Path]:
    """Return fixture folders, of every signature as evenly as possible, the first positive first."""
    by_signature: dict[Path, list[Path]] = {}
    for folder in sorted(LIBRARY.glob("*/*/evidence/*")):
        if folder.is_dir():
            by_signature.setdefault(folder.parent, []).append(folder)
    ranked = [sorted(some, key=lambda one: not one.name.startswith("pos-")) for some in by_signature.values()]
    found = [some[at] for at in range(max(map(len, ranked))) for some in ranked if at < len(some)]
    return found[:many]


def main() -> None:
    """Send the fixtures, a case each."""
    url, token, *rest = sys.argv[1:]
    with Client(url, token=token) as client:
        for folder in folders(int(rest[0]) if rest else MANY):
            files = [
                (str(path.relative_to(folder)), path)
                for path in sorted(folder.rglob("*"))
                if path.is_file() and path.name not in {"expect.yaml", "PROVENANCE.md"}
            ]
            if not files:
                continue
            received = client.post_files(files[:MAX_FILES])
            sys.stdout.write(f"{received.case.number} {folder}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
