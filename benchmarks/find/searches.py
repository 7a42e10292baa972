"""Twenty searches over cases of fixtures: `python -m benchmarks.find.searches URL TOKEN CASES`.

`CASES` is the output of `benchmarks.find.cases_of_fixtures`: number and folder of each case.
"""

from __future__ import annotations

import sys
from pathlib import Path

import yaml

from backend.client import Client

SEARCHES = Path(__file__).parent / "searches.yaml"


def main() -> None:
    """Print a table of the searches, and how many are right first."""
    url, token, made = sys.argv[1:]
    lines = (line.split(" ", 1) for line in Path(made).read_text().splitlines())
    signatures = {int(number): "/".join(Path(folder).parts[2:4]) for number, folder in lines}
    right = 0
    rows = yaml.safe_load(SEARCHES.read_text())
    with Client(url, token=token) as client:
        for row in rows:
            first = next(client.cases(q=row["query"]), None)
            found = signatures.get(first.number, "sample") if first else "nothing"
            is_right = found in row["right"]
            right += is_right
            sys.stdout.write(f"| `{row['query']}` | {found} | {'yes' if is_right else 'no'} |\n")
    sys.stdout.write(f"\n{right} of {len(rows)} right first\n")


if __name__ == "__main__":
    main()
