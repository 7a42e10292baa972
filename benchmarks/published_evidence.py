"""Verdicts of published evidence beside a person's: `make bench-evidence` writes PUBLISHED_EVIDENCE.md.

    python -m benchmarks.published_evidence FOLDER > benchmarks/PUBLISHED_EVIDENCE.md

FOLDER holds a folder per story; the one of the tests holds the same files. Each file is analysed alone as
`casebook analyze` does it, and each folder as one case. `published_evidence.yaml` says what each deserves.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from cli.evidence.analysis import analyse
from signatures.judging.decide import MATCH, SUSPECT
from signatures.overview.next_capture import EVERYTHING
from signatures.reporting.report import finding_document

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PUBLISHED = Path(__file__).parents[1] / "tests" / "data" / "published"
DESERVED = Path(__file__).with_suffix(".yaml")
SHOWN = 90
HEAD = """\
# Verdicts of the published evidence

{agreeing} of {rows} rows agree; {firing} of {rows} agree about the signatures that fire. Written by
`make bench-evidence`: each file is analysed alone, each folder as one case, as `casebook analyze` does it.
*Deserves* is what a person finds the file to support, and no more; these verdicts were written before the
analyser. The answer is the headline of the first screen and the suspicion below it; beside it stands every
signature that matches or is suspected, with its certainty. No other signature is named. A row agrees when
just the signatures fire that should, with these verdicts; when the answer holds what a general answer needs,
in the words of the product; and when the first command to run next is one that the person asks for.

| evidence | deserves | answer | signatures | next command | agrees |
| --- | --- | --- | --- | --- | --- |
"""


class Row(NamedTuple):
    """One piece of evidence: what it deserves, the answer, and what is different.

    Attributes:
        fires: Verdict by signature that matches or is suspected.
        certainties: The same with certainty, for people.
        differs: What does not agree: `signatures`, `headline`, `next command`.
        because: The reason of a known difference.
    """

    name: str
    right: str
    headline: str
    fires: Mapping[str, str]
    certainties: str
    command: str
    differs: tuple[str, ...]
    because: str


def deserved() -> dict[str, dict[str, Any]]:
    """Return what each file and folder deserves."""
    rows: dict[str, dict[str, Any]] = yaml.safe_load(DESERVED.read_text())
    return rows


def rows(folder: Path) -> Iterator[Row]:
    """Yield the answer for every row of the table."""
    for name, right in deserved().items():
        path = folder / name
        analysis = analyse([str(path)])
        overview = analysis.overview
        firing = [one for one in analysis.findings if one.verdict in (MATCH, SUSPECT)]
        firing = [one for one in firing if not one.superseded_by]
        fires = {one.signature.id: one.verdict for one in firing}
        certainties = "; ".join(
            f"`{one.signature.id}` {_verdict(one.verdict)}. {finding_document(one).certainty}"
            for one in firing
        )
        leading = [one.text for one in (overview.headline, overview.suspicion) if one]
        headline, command = ". ".join(leading), overview.next_capture.command
        is_asked = right["asks"] in command if right["asks"] else command in ("", EVERYTHING)
        agreement = {
            "signatures": fires == right["fires"],
            "headline": right.get("says", "") in headline,
            "next command": is_asked,
        }
        differs = tuple(what for what, agrees in agreement.items() if not agrees)
        yield Row(
            name, right["right"], headline, fires, certainties, command, differs, right.get("because", "")
        )


def table(found: list[Row]) -> str:
    """Return the page."""
    head = HEAD.format(
        rows=len(found),
        agreeing=sum(not one.differs for one in found),
        firing=sum("signatures" not in one.differs for one in found),
    )
    return head + "".join(_line(one) for one in found)


def _line(row: Row) -> str:
    verdict = f"not the {' and the '.join(row.differs)}: {row.because}" if row.differs else "yes"
    cells = (
        f"`{row.name}`",
        row.right,
        row.headline,
        row.certainties or "none",
        f"`{_short(row.command)}`" if row.command else "none",
        verdict,
    )
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |\n"


def _short(command: str) -> str:
    return command if len(command) <= SHOWN else f"{command[:SHOWN].rstrip()} …"


def _verdict(verdict: str) -> str:
    return "matches" if verdict == MATCH else "suspected"


def main() -> None:
    """Print the table of the folder that the command line names, else of the one of the tests."""
    folder = Path(sys.argv[1]) if sys.argv[1:] else PUBLISHED
    sys.stdout.write(table(list(rows(folder))))


if __name__ == "__main__":
    main()
