"""Which facts only the reader of a format gives: its numbers that the general engine does not read.

    python -m benchmarks.reader_facts            all formats, as Markdown
    python -m benchmarks.reader_facts docker-stats

Each sample of `tests/data/FORMAT` is read with its reader and without. A number of the reader counts as given
where the engine has the same number of the same unit, or the same printed number. A reader all of whose facts
are given, that no signature or rule needs, and without which the first screen leads with the same question,
subject, quantity and level, can be deleted.
"""

from __future__ import annotations

import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.held_out import DATA, MOST_SAMPLES, is_sample, statements, without
from ingest.evidence import read_bytes
from ingest.fact_catalogue import entries
from ingest.readers import DOCUMENTS, FILES, FORMATS
from signatures.judging.scope import items_of
from signatures.overview.measures import measures
from signatures.overview.reading_values import values_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SHOWN = 4
ROUNDED = 2e-3
"""Part by which two numbers may differ: a reader multiplies what was printed with a unit."""

FACTORS = (1.0, 100.0, 0.01, 1000.0, 1e-3, 1024.0, 1 / 1024.0, 1e-6)
SIGNATURES = Path(__file__).parents[1] / "signatures"


def numbers_of(sample: Path) -> list[tuple[str, float]]:
    """Return name and number of what a sample's readings have, those of the general engine too."""
    found: list[tuple[str, float]] = []
    for item in items_of([read_bytes(sample.read_bytes(), name=sample.name)]):
        own = measures(item)
        found += [(one.label, float(value)) for one in own for value in one.values]
        if not own:
            found += [(one.name, one.number) for one in values_of(item)]
    return found


def compare(name: str, samples: Sequence[Path]) -> tuple[int, int, Counter[str]]:
    """Return how many numbers a reader gives, how many of them the engine has, and names of the others."""
    total = given = 0
    only: Counter[str] = Counter()
    for sample in samples:
        exact = [one for one in numbers_of(sample) if one[1]]
        with without(name):
            general = [value for _, value in numbers_of(sample)]
        for label, value in exact:
            total += 1
            at = _place(general, value)
            if at is not None:
                given += 1
                del general[at]
            else:
                only[label.split(".<")[0]] += 1
    return total, given, only


def _place(values: Sequence[float], wanted: float) -> int | None:
    """Return where a number is; units of facts and of print differ by powers of 10 or 1,024."""
    for factor in FACTORS:
        for at, value in enumerate(values):
            if abs(value - wanted * factor) <= ROUNDED * abs(value):
                return at
    return None


@cache
def _needed() -> str:
    """Return the text of all signatures, rules and analyses."""
    files = (path for path in SIGNATURES.rglob("*") if path.suffix in {".py", ".yaml"})
    return "\n".join(path.read_text() for path in sorted(files))


def named_facts(name: str) -> list[str]:
    """Return the facts of a format that a signature, rule or analysis names; they need its reader."""
    own = (entry.name for entry in entries() if name in entry.formats)
    return [one for one in own if one.replace("<key>", "") in _needed()]


def rows(names: Sequence[str] = ()) -> Iterator[tuple[str, int, int, Counter[str]]]:
    """Yield name, numbers, given numbers and names of the others of each format with samples of its own."""
    readers: tuple[Any, ...] = (*FORMATS, *FILES, *DOCUMENTS)
    every: set[str] = {one.NAME for one in readers}
    for name in sorted(every.intersection(names) if names else every):
        if samples := samples_of(name):
            total, given, only = compare(name, samples)
            if total:
                yield name, total, given, only


def leads(samples: Sequence[Path]) -> list[object]:
    """Return question, subject, quantity and level of what leads the first screen of each sample."""
    first = (next(iter(statements(sample)), None) for sample in samples)
    return [one and (one.question, one.subject, one.quantity, one.level) for one in first]


def is_replaced(name: str) -> bool:
    """Return whether the first screen leads with the same without the reader of a format, for all samples."""
    samples = samples_of(name)
    own = leads(samples)
    with without(name):
        return own == leads(samples)


def samples_of(name: str) -> list[Path]:
    """Return the samples of a format that are read here."""
    return sorted(path for path in (DATA / name).rglob("*") if is_sample(path))[:MOST_SAMPLES]


def main(names: Sequence[str]) -> None:
    """Print the table."""
    write: Any = sys.stdout.write
    write(
        "# Facts that only a reader gives\n\nGenerated by `make bench-held-out`. Numbers that the reader of "
        "a format gives of its samples, how many of them the general engine has without it, and the facts of "
        "the others, the most frequent first. *Named* are its facts that a signature, a rule or an analysis "
        "names: while there are any, the reader is needed.\n\n"
        "| reader | numbers | given | only the reader | named |\n| --- | ---: | ---: | --- | --- |\n"
    )
    whole: list[str] = []
    for name, total, given, only in rows(names):
        shown = ", ".join(f"`{label}`" for label, _ in only.most_common(SHOWN))
        more = f" and {len(only) - SHOWN:,} more" if len(only) > SHOWN else ""
        named = named_facts(name)
        listed = ", ".join(f"`{fact}`" for fact in named[:SHOWN])
        rest = f" and {len(named) - SHOWN:,} more" if len(named) > SHOWN else ""
        write(f"| {name} | {total:,} | {given:,} | {shown}{more} | {listed}{rest} |\n")
        whole += [name] * (not only and not named)
    replaced = [name for name in whole if is_replaced(name)]
    write(
        f"\nAll numbers given and none named: {', '.join(whole) or 'none'}. Of these, with the same "
        f"question, subject, quantity and level leading the first screen without the reader, to be deleted: "
        f"{', '.join(replaced) or 'none'}.\n"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
