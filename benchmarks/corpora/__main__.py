"""Survey a file collection and check the results: `make corpora CORPORA=DIR`.

    python -m benchmarks.corpora DIR [DIR…]

writes benchmarks/COVERAGE.md and prints failed checks; any complaint is exit status 1. The collections
are public captures of other projects, and recordings; none of them is part of this repository.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.corpora import claims
from benchmarks.corpora.survey import Folder, formats_of, table
from ingest.evidence import read_file

RESULTS = Path(__file__).parents[1] / "COVERAGE.md"
HEAD = [
    "# What becomes of every file",
    "",
    "Written by `make corpora`. A file ends *read* with its formats, kept as *text*, or *rejected* with a",
    "sentence; nothing else happens to it. Prose between outputs is a section `text`.",
    "",
]


def survey(root: Path) -> tuple[dict[str, Folder], list[str]]:
    """Read every file below `root`; return the counts by folder, and failed checks."""
    folders: dict[str, Folder] = {}
    complaints: list[str] = []
    labels = claims.labels(root)
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        inside = path.relative_to(root)
        name, below = (inside.parts[0] if len(inside.parts) > 1 else "(top)"), inside.as_posix()
        evidence = read_file(path)
        folders.setdefault(name, Folder()).add(below, evidence)
        label = labels.get(below, "")
        complaints += claims.of_one(below, label, evidence, formats_of(evidence))
        complaints += claims.of_tables(below, evidence)
        if evidence.state == "read" and not evidence.members:
            complaints += claims.of_text(path)
        if label == "perf-script":
            complaints += claims.of_perf_script(path)
    return folders, complaints


def main(roots: list[Path]) -> int:
    """Survey the roots, write the page, print failed checks; return the exit status."""
    if not roots or not all(root.is_dir() for root in roots):
        sys.stderr.write('name folders with captures: make corpora CORPORA="DIR DIR"\n')
        return 2
    lines = list(HEAD)
    problems: list[str] = []
    for root in roots:
        folders, complaints = survey(root)
        lines += table(root.name, folders)
        problems += complaints
    RESULTS.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
    sys.stdout.write("".join(f"{complaint}\n" for complaint in problems))
    sys.stdout.write(f"{RESULTS.name} is written; {len(problems)} complaints\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main([Path(name) for name in sys.argv[1:]]))
