"""Counts of the prior of healthy boots: `make healthy-boots BOOTS="DIR…"`.

Each folder has logs and a BOOTS.tsv that states file, machine and half of each. Only the half `train` is
counted; the other measures (`benchmarks.healthy_boots`). Written are counts by the identity of a message, and
the digests of the logs; no line of a log is kept (docs/adr/0036).
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ingest.evidence import read_bytes
from ingest.native import messages
from signatures.overview.kernel_log.healthy_boots import DATA, identity_of, packed

if TYPE_CHECKING:
    from collections.abc import Iterator

LIST = "BOOTS.tsv"
TRAINING, MEASURING = "train", "heldout"


class Boot(NamedTuple):
    """A row of a list of boots: the log, and whose it is."""

    path: Path
    machine: str
    vendor: str
    kind: str
    release: str
    half: str

    @property
    def digest(self) -> str:
        """SHA-256 of the log."""
        return hashlib.sha256(self.path.read_bytes()).hexdigest()


def boots_of(folder: Path, half: str) -> list[Boot]:
    """Return the boots of one half in the list of a folder."""
    with (folder / LIST).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    boots = (
        Boot(
            folder / row["file"],
            row["machine id"],
            row["vendor"],
            row["kind"],
            row["kernel release"],
            row["half"],
        )
        for row in rows
    )
    return [boot for boot in boots if boot.half == half]


def identities_in(path: Path) -> Iterator[int]:
    """Yield the identity of each message of a log, as the reader of kernel logs separates them."""
    evidence = read_bytes(path.read_bytes(), name=path.name)
    texts = list(
        dict.fromkeys(
            record.message for section in evidence.sections for record in section.reading.log_records
        )
    )
    for text, found in zip(texts, messages.find_all(texts), strict=True):
        yield identity_of(text, found)


def counted(boots: list[Boot]) -> tuple[int, dict[int, int]]:
    """Return the number of machines, and on how many of them each message was printed."""
    machines: dict[int, set[str]] = defaultdict(set)
    for boot in boots:
        for identity in identities_in(boot.path):
            machines[identity].add(boot.machine)
    return len({boot.machine for boot in boots}), {one: len(names) for one, names in machines.items()}


def main() -> None:
    """Write the counts, and print how many there are."""
    parser = argparse.ArgumentParser(prog="python -m tools.healthy_boots")
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--output", type=Path, default=DATA)
    given = parser.parse_args()
    boots = [boot for folder in given.folders for boot in boots_of(folder, TRAINING)]
    machines, counts = counted(boots)
    data = packed(machines, [boot.digest for boot in boots], counts)
    given.output.write_bytes(data)
    sys.stdout.write(
        f"{len(boots)} boots of {machines} machines, {len(counts)} messages, {len(data):,} bytes\n"
    )


if __name__ == "__main__":
    main()
