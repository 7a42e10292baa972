"""Count the published cases that a signature explains: a match or a suspect, beside what an expert says.

python -m benchmarks.headlines.explained FOLDER HALF > table.md
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.headlines.__main__ import NAME_LENGTH, cases
from cli.evidence.analysis import analyse

LISTED = ("match", "suspect")


def explanations(folder: Path) -> list[str]:
    """Return verdict and id of each signature that fires on the evidence of a case, the strongest first."""
    return [
        f"{finding.verdict} {finding.signature.id}"
        for finding in analyse([str(folder)]).findings
        if finding.verdict in LISTED and not finding.superseded_by
    ]


def main(folder: str, half: str) -> None:
    """Print one row per case of a half that is in the folder, then how many are explained."""
    explained = total = 0
    sys.stdout.write("| case | expert | signatures |\n| --- | --- | --- |\n")
    for case in cases(half):
        evidence = Path(folder) / case.sha256[:NAME_LENGTH]
        if not evidence.is_dir():
            continue
        found = explanations(evidence)
        total, explained = total + 1, explained + bool(found)
        expert = case.expert.replace("|", "\\|")
        sys.stdout.write(f"| {case.sha256[:NAME_LENGTH]} | {expert} | {', '.join(found)} |\n")
    sys.stdout.write(f"\n{explained} of {total} cases explained\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
