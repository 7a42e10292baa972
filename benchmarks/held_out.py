"""What the general engines say of a sample when the reader of its format is taken away.

    python -m benchmarks.held_out            all formats, as Markdown
    python -m benchmarks.held_out docker-stats ip-link

Each sample of `tests/data/FORMAT` is read twice, with its reader and without. Compared are the statements of
the first screen: of each sample whose lead is above context with the reader, whether the lead without it has
the same question and level, and any statement the same subject and quantity. It is a net that shows what a
reader is for; no figure is a goal.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest import opening
from ingest.evidence import read_bytes
from ingest.readers import BY_CONTENT, DOCUMENTS, FILES, FORMATS
from ingest.sections import captured_files, recognise
from signatures.judging.scope import items_of
from signatures.overview import run
from signatures.overview.first_screen import overview_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.overview.model import Statement

DATA = Path(__file__).parents[1] / "tests" / "data"
MOST_SAMPLES = 4
MOST_BYTES = 200_000
CALM = frozenset({"context", "since boot"})
"""Levels that state nothing that goes on now."""

CLOSE = 0.02
"""Part by which two quantities may differ: means are rounded differently."""


class Compared(NamedTuple):
    """What was said with and without a reader.

    Attributes:
        samples: How many were read.
        stated: With the reader, samples of which a statement above context leads.
        question: Of these, without it, samples whose lead has the same question.
        level: The same level, too.
        subject: A statement names the same subject.
        quantity: A statement has the same quantity.
        silent: Samples of which nothing above context is said without it.
        calm: Samples of which nothing above *since boot* leads with the reader.
        false: Of these, samples of which something above *since boot* leads without it.
    """

    samples: int = 0
    stated: int = 0
    question: int = 0
    level: int = 0
    subject: int = 0
    quantity: int = 0
    silent: int = 0
    calm: int = 0
    false: int = 0


@contextmanager
def without(*names: str) -> Iterator[None]:
    """Take the readers of formats away."""
    holders: tuple[tuple[Any, str, tuple[Any, ...]], ...] = (
        (recognise, "RECOGNISED", (*FORMATS, *BY_CONTENT)),
        (captured_files, "FILES", FILES),
        (opening, "DOCUMENTS", DOCUMENTS),
    )
    for module, attribute, readers in holders:
        setattr(module, attribute, tuple(one for one in readers if one.NAME not in names))
    _forget()
    try:
        yield
    finally:
        for module, attribute, readers in holders:
            setattr(module, attribute, readers)
        _forget()


def _forget() -> None:
    for cached in (
        recognise._starts,  # noqa: SLF001 - what was compiled of all readers
        recognise._finders,  # noqa: SLF001 - same
        recognise._runs,  # noqa: SLF001 - same
        captured_files._every_path,  # noqa: SLF001 - same
        captured_files.reader_of_path,
        captured_files.reader_of_command,
    ):
        cached.cache_clear()


def statements(sample: Path) -> list[Statement]:
    """Return the statements of the first screen about a sample, the one that leads first."""
    items = items_of([read_bytes(sample.read_bytes(), name=sample.name)])
    found = overview_of(run(items), (), (), {item.format for item in items})
    return [one.statement for one in found.statements]


def compare(name: str, samples: Sequence[Path]) -> Compared:
    """Compare what is said of the samples of a format with and without its reader."""
    exact = [statements(one) for one in samples]
    with without(name):
        general = [statements(one) for one in samples]
    total = Compared(samples=len(samples))
    for own, other in zip(exact, general, strict=True):
        total = Compared(*(a + b for a, b in zip(total, _compared(own, other), strict=True)))
    return total


def _compared(own: Sequence[Statement], other: Sequence[Statement]) -> Compared:
    lead = next((one for one in own if one.level != "context"), None)
    said = [one for one in other if one.level != "context"]
    is_false = any(one.level not in CALM for one in other)
    if lead is None:
        return Compared(calm=1, false=int(is_false))
    is_calm = lead.level in CALM
    first = said[0] if said else None
    is_question = first is not None and first.question == lead.question
    return Compared(
        stated=1,
        question=int(is_question),
        level=int(is_question and first is not None and first.level == lead.level),
        subject=int(any(_shares_subject(lead, one) for one in said)),
        quantity=int(any(_has_quantity(lead, one) for one in said)),
        silent=int(first is None),
        calm=int(is_calm),
        false=int(is_calm and is_false),
    )


def _shares_subject(lead: Statement, one: Statement) -> bool:
    words = {word.strip("(),:") for word in lead.subject.split() if len(word) > 2}
    return bool(words) and any(word in one.text for word in words)


def _has_quantity(lead: Statement, one: Statement) -> bool:
    if lead.quantity is None or one.quantity is None:
        return False
    first, second = lead.quantity.value, one.quantity.value
    return abs(first - second) <= CLOSE * max(abs(first), abs(second))


def rows(names: Sequence[str] = ()) -> Iterator[tuple[str, Compared]]:
    """Yield name and comparison of each format with samples of its own."""
    readers: tuple[Any, ...] = (*FORMATS, *FILES, *DOCUMENTS)
    every: set[str] = {one.NAME for one in readers}
    for name in sorted(every.intersection(names) if names else every):
        samples = sorted(path for path in (DATA / name).rglob("*") if is_sample(path))[:MOST_SAMPLES]
        if samples:
            yield name, compare(name, samples)


def is_sample(path: Path) -> bool:
    """Return whether a file of the test data is a sample that is read here."""
    return path.is_file() and path.name != "PROVENANCE.md" and path.stat().st_size <= MOST_BYTES


def main(names: Sequence[str]) -> None:
    """Print the table."""
    write: Any = sys.stdout.write
    write(
        "# Readers taken away\n\nGenerated by `make bench-held-out`. Samples of each format, read with and "
        "without its reader; of those whose lead is above context with it, how many have without it a lead "
        "of the same question and level, and any statement with the same subject or quantity. *Calm* are "
        "samples of which nothing above *since boot* leads with the reader, *false* of these those of which "
        "something does without it.\n\n"
        "| reader | samples | stated | question | level | subject | quantity | silent | calm | false |\n"
        "| --- |" + " ---: |" * 9 + "\n"
    )
    total = Compared()
    for name, one in rows(names):
        total = Compared(*(a + b for a, b in zip(total, one, strict=True)))
        write(f"| {name} | {' | '.join(map(str, one))} |\n")
    write(f"| all | {' | '.join(map(str, total))} |\n")


if __name__ == "__main__":
    main(sys.argv[1:])
