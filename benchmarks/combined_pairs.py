"""First screens with and without each row of `combined.yaml`, in pairs whose order is shuffled.

    python -m benchmarks.combined_pairs OUT PATH…

PATH is a folder of published cases: each file of it, each folder of a fixture, and each folder of few files
is a case. For each row the first case on which it fires is judged twice, with the whole table and without the
two screens as `NN-x.txt` and `NN-y.txt`; `KEY.tsv` says which has the row: whoever judges them does not see
them does not see it before. A row without a case is printed: its sample is composed, and no real evidence.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

from cli.evidence.analysis import analyse
from cli.evidence.paths import read
from signatures.judging.scope import items_of
from signatures.overview import combined, run
from signatures.overview.statement_order import in_order
from signatures.rendering.lines import bare
from signatures.rendering.terminal import report_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SCREEN_LINES = 14
SEED = 3
EXPECTATION = "expect.yaml"
"""A folder with it is one case."""

NO_EVIDENCE = frozenset({EXPECTATION, "PROVENANCE.md", "key.tsv", "expected.tsv", "README.md"})
MAX_BYTES = 4_000_000
MOST_FILES = 9
"""A folder of more is a collection, not a case."""


def cases(folders: Sequence[str]) -> Iterator[Path]:
    """Yield the cases below the folders, in order: fixtures, folders of few files, then single files."""
    for folder in folders:
        below = sorted(Path(folder).rglob("*"))
        fixtures = {path.parent for path in below if path.name == EXPECTATION}
        yield from sorted(fixtures)
        files = Counter(path.parent for path in below if path.is_file() and path.name not in NO_EVIDENCE)
        yield from (one for one, count in files.items() if 1 < count <= MOST_FILES and one not in fixtures)
        for path in below:
            is_evidence = path.is_file() and path.name not in NO_EVIDENCE
            if is_evidence and fixtures.isdisjoint(path.parents) and path.stat().st_size <= MAX_BYTES:
                yield path


def fired(case: Path) -> list[str]:
    """Return the names of the rows that fire on a case."""
    panels = run(items_of(tuple(read([str(case)]))))
    return combined.fired_rows(list(in_order(panels)))


def screen(case: Path, without: str = "") -> str:
    """Return the first screen of a case as the terminal shows it; `without` names a row that is left out."""
    kept = tuple(row for row in combined.rows() if row["name"] != without)
    combined.rules.cache_clear()
    try:
        with patch.object(combined, "rows", lambda: kept):
            lines = islice(report_lines(analyse([str(case)]).report), SCREEN_LINES)
            return "".join(f"{bare(line.text)}\n" for line in lines)
    finally:
        combined.rules.cache_clear()


def main(out: str, folders: Sequence[str]) -> None:
    """Write the pairs and their key; print what each row has."""
    found: dict[str, Path] = {}
    names = [row["name"] for row in combined.rows()]
    for case in cases(folders):
        for name in fired(case):
            found.setdefault(name, case)
        if len(found) == len(names):
            break
    target = Path(out)
    target.mkdir(parents=True, exist_ok=True)
    shuffled = random.Random(SEED)  # noqa: S311 - an order that can be drawn again, no secret
    drawn = sorted(found)
    shuffled.shuffle(drawn)
    key = ["pair\trow\twith\tcase\n"]
    for number, name in enumerate(drawn, start=1):
        sides = ["x", "y"]
        shuffled.shuffle(sides)
        for side, without in zip(sides, ("", name), strict=True):
            (target / f"{number:02}-{side}.txt").write_text(screen(found[name], without))
        key.append(f"{number:02}\t{name}\t{sides[0]}\t{found[name]}\n")
    (target / "KEY.tsv").write_text("".join(key))
    sys.stdout.write(f"{len(found)} of {len(names)} rows have a case\n")
    for name in names:
        sys.stdout.write(f"{name}: {found.get(name, 'no case')}\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
