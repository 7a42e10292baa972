"""Hold the first screen of cases against the mechanism and subject of their key.

    python -m benchmarks.named_cases FOLDER [KIND…]

FOLDER holds the evidence, a file or folder for each row of `named_cases.tsv`: kind, path, and the expressions
that name mechanism and subject. Texts of others are not kept here. A case is *named* if sentences above level
*context* state both, *near* with one of them, *silent* with neither; a sentence of level context that states
both is *listed*. The key was written beside the evidence: it is regression, and no figure of generality.
"""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cli.evidence.analysis import analyse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

KEY = Path(__file__).with_suffix(".tsv")
QUIET = "context"


class Case(NamedTuple):
    """A row of the key: what kind of evidence, where, and the expressions of mechanism and subject."""

    kind: str
    path: str
    mechanism: str
    subject: str


class Judged(NamedTuple):
    """A case, its outcome and what the first screen says first."""

    case: Case
    outcome: str
    headline: str


def cases(kinds: Sequence[str] = ()) -> Iterator[Case]:
    """Yield the rows of the key, of these kinds or all."""
    with KEY.open(newline="") as table:
        rows = csv.reader(table, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows)
        yield from (case for row in rows if (case := Case(*row)) and (not kinds or case.kind in kinds))


def outcome_of(case: Case, above: str, beside: str) -> str:
    """Return the outcome of a case from the sentences above level context, and those of it."""
    if re.search(case.mechanism, above, re.IGNORECASE) and re.search(case.subject, above, re.IGNORECASE):
        return "named"
    whole = f"{above}\n{beside}"
    has = [re.search(one, whole, re.IGNORECASE) is not None for one in (case.mechanism, case.subject)]
    return "listed" if all(has) else "near" if any(has) else "silent"


def judged(case: Case, folder: Path) -> Judged:
    """Analyse the evidence of a case and judge its first screen."""
    overview = analyse([str(folder / case.path)]).report.overview
    said = [one for one in (overview.lead, *overview.strongest) if one is not None]
    headline = overview.headline
    lead = f"{headline.text}\n{headline.detail}" if headline.signature else ""
    above = "\n".join([lead, *(one.text for one in said if one.level != QUIET)])
    beside = "\n".join(one.text for one in said if one.level == QUIET)
    return Judged(case, outcome_of(case, above, beside), overview.headline.text)


def main(folder: str, *kinds: str) -> None:
    """Print each case with its outcome, and the counts."""
    counts: Counter[str] = Counter()
    for case in cases(kinds):
        if not (Path(folder) / case.path).exists():
            sys.stderr.write(f"not in {folder}: {case.path}\n")
            continue
        found = judged(case, Path(folder))
        counts[found.outcome] += 1
        sys.stdout.write(f"{found.outcome:7} {case.path}: {found.headline}\n")
    sys.stdout.write(f"{', '.join(f'{count} {name}' for name, count in counts.most_common())}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
