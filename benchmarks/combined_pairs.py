"""First screens with and without each row of `combined.yaml`, in pairs whose order is shuffled.

    python -m benchmarks.combined_pairs OUT PATH…

PATH is a folder of published cases: each file of it, each folder of a fixture, and each folder of few files
is a case. For each row the first case whose first screen it changes is judged twice, with the whole table and
without the row: two screens as `NN-x.txt` and `NN-y.txt`. `KEY.tsv` says which has the row; who judges them
does not see it before. A row without a case is printed: its sample is composed, and no real evidence.
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
MOST_CASES = 6
"""Of those on which a row fires, so many are tried: often a match leads, and the row changes nothing."""

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


def pair_of(name: str, cases_of_row: Sequence[Path]) -> tuple[Path, str, str] | None:
    """Return the first case whose screen a row changes, with that screen and the one without the row."""
    for case in cases_of_row:
        with_row, without = screen(case), screen(case, name)
        if with_row != without:
            return case, with_row, without
    return None


def main(out: str, folders: Sequence[str]) -> None:
    """Write the pairs and their key; print what each row has."""
    fires: dict[str, list[Path]] = {row["name"]: [] for row in combined.rows()}
    for case in cases(folders):
        for name in fired(case):
            if len(fires[name]) < MOST_CASES:
                fires[name].append(case)
    pairs = {name: found for name, on in fires.items() if (found := pair_of(name, on))}
    target = Path(out)
    target.mkdir(parents=True, exist_ok=True)
    shuffled = random.Random(SEED)  # noqa: S311 - an order that can be drawn again, no secret
    drawn = sorted(pairs)
    shuffled.shuffle(drawn)
    key = ["pair\trow\twith\tcase\n"]
    for number, name in enumerate(drawn, start=1):
        case, *screens = pairs[name]
        sides = ["x", "y"]
        shuffled.shuffle(sides)
        for side, text in zip(sides, screens, strict=True):
            (target / f"{number:02}-{side}.txt").write_text(text)
        key.append(f"{number:02}\t{name}\t{sides[0]}\t{case}\n")
    (target / "KEY.tsv").write_text("".join(key))
    sys.stdout.write(f"{len(pairs)} of {len(fires)} rows change the screen of a case\n")
    for name, on in fires.items():
        told = pairs[name][0] if name in pairs else f"none of {len(on)} cases on which it fires: {on[:3]}"
        sys.stdout.write(f"{name}: {told}\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
