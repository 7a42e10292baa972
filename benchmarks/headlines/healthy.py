"""Count alarms in logs and recordings of machines that work; every alarm is printed, for a person to check.

    python -m benchmarks.headlines.healthy FOLDER… > table.md

Each file of a folder is a case of its own. An alarm on a healthy machine is false unless the file states the
error that it is about; the table quotes it with its lines.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from cli.evidence.analysis import analyse

if TYPE_CHECKING:
    from collections.abc import Iterator

SHOWN = 160


def files(folders: list[str]) -> Iterator[Path]:
    """Yield the files below the folders, in order."""
    for folder in folders:
        yield from sorted(path for path in Path(folder).rglob("*") if path.is_file())


def main(folders: list[str]) -> None:
    """Print a row per alarm, then the counts."""
    kinds: Counter[str] = Counter()
    alarming = firing = count = 0
    sys.stdout.write("| file | headline | alarm | lines |\n| --- | --- | --- | --- |\n")
    for path in files(folders):
        analysis = analyse([str(path)])
        overview = analysis.overview
        count += 1
        kinds[overview.headline.kind] += 1
        firing += overview.headline.kind in {"match", "suspect"}
        alarms = [one.statement for one in overview.statements if one.statement.kind != "fact"]
        alarming += bool(alarms)
        for one in alarms:
            cells = (path.name, overview.headline.kind, one.text[:SHOWN], str(one.places[0].first_line))
            sys.stdout.write(f"| {' | '.join(cell.replace('|', ' ') for cell in cells)} |\n")
    shares = ", ".join(f"{number} {kind}" for kind, number in kinds.most_common())
    sys.stdout.write(
        f"\n{count} files: {alarming} with an alarm, {firing} with a finding. Headlines: {shares}.\n"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
