"""Write headlines beside the sentences of experts, for a person to judge by `RUBRIC.md`.

    python -m benchmarks.headlines FOLDER HALF > table.md

FOLDER holds a case per folder, named by the first twelve digits of the SHA-256 of its URL, with the files of
its evidence. The texts belong to who published them and are not kept here; `cases.tsv` says where each is.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cli.evidence.analysis import analyse

if TYPE_CHECKING:
    from collections.abc import Iterator

CASES = Path(__file__).with_name("cases.tsv")
NAME_LENGTH = 12
SHOWN = 140


class Case(NamedTuple):
    """A published case: which half, SHA-256 of its URL, kind of source, URL, and what the expert says."""

    half: str
    sha256: str
    source: str
    url: str
    expert: str


def cases(half: str) -> Iterator[Case]:
    """Yield the cases of one half."""
    with CASES.open(newline="") as table:
        rows = csv.reader(table, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows)
        yield from (case for row in rows if (case := Case(*row)).half == half)


def half_of(sha256: str) -> str:
    """Return the half that the first digit of a hash decides."""
    return "tuned" if int(sha256[0], 16) % 2 == 0 else "unseen"


def row_of(case: Case, folder: Path) -> str:
    """Return one row of the table: the expert's sentence, the headline, and the statements below it."""
    overview = analyse([str(folder)]).report.overview
    said = " / ".join(f"{one.kind}: {one.text[:SHOWN]}" for one in overview.strongest)
    cells = (
        case.sha256[:NAME_LENGTH],
        case.source,
        case.expert,
        overview.headline.kind,
        overview.headline.text,
        said,
    )
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def main(folder: str, half: str) -> None:
    """Print the table of one half; say on standard error which cases are not in the folder."""
    sys.stdout.write(
        "| case | source | expert | kind | headline | below it |\n| --- | --- | --- | --- | --- | --- |\n"
    )
    for case in cases(half):
        evidence = Path(folder) / case.sha256[:NAME_LENGTH]
        if evidence.is_dir():
            sys.stdout.write(row_of(case, evidence) + "\n")
        else:
            sys.stderr.write(f"not in {folder}: {case.url}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
