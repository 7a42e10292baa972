"""List every match and suspect on the files of folders, for a person to check against what the files are.

    python -m benchmarks.headlines.firing FOLDER… > table.md

Each file is a case of its own. Of machines that work, a match is false unless the file states the error.
"""

from __future__ import annotations

import sys
from collections import Counter

from benchmarks.headlines.explained import explanations
from benchmarks.headlines.healthy import files


def main(folders: list[str]) -> None:
    """Print a row per file on which a signature fires, then the counts."""
    count = 0
    verdicts: Counter[str] = Counter()
    sys.stdout.write("| file | signatures |\n| --- | --- |\n")
    for path in files(folders):
        count += 1
        found = explanations(path)
        if found:
            verdicts[found[0].partition(" ")[0]] += 1
            sys.stdout.write(f"| {path.parent.name}/{path.name} | {', '.join(found)} |\n")
    sys.stdout.write(
        f"\n{count} files: {verdicts['match']} with a match, {verdicts['suspect']} with suspects alone\n"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
