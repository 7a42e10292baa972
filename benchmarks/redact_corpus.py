"""Redaction of the corpus: plants left and other words replaced in each half, with `sos clean` beside it.

python -m benchmarks.redact_corpus

Every sample of `tests/data/redaction/corpus` is redacted as a case of its own. `sos clean` gets all samples
of a half as the files of one sosreport.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from benchmarks.redact import Planted, sos_clean, version_of_sos
from ingest.redact import Redactor
from signatures.document.vocabulary import library_words
from tests.ingest.redact import corpus

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = "sosreport-corpus-2026-11-21-abcdefg"


def redacted(text: str) -> str:
    """Return one text redacted as a case."""
    redactor = Redactor(b"benchmark".ljust(32, b"."), words=library_words())
    redactor.learn([text.encode()])
    redactor.settle()
    return b"".join(redactor.redact([text.encode()])).decode()


def left_by_sos(samples: list[corpus.Sample]) -> str:
    """Return the number of plants that `sos clean` leaves, or why there is none."""
    texts = [
        (f"{ROOT}/sos_commands/corpus/{number}", one.text.encode()) for number, one in enumerate(samples)
    ]
    planted = [
        Planted(plant.kind, text, line.text)
        for one in samples
        for line in one.lines
        for plant, text in corpus.plants_of(line)
    ]
    result = sos_clean(texts, planted, b"")
    return "not run" if result is None else str(result[1].total())


def page() -> Iterator[str]:
    """Yield the lines of the table."""
    titles = ("half", "samples", "plants", "kinds", "left", "other words", "replaced")
    yield f"| {' | '.join(titles)} | left by `sos clean` {version_of_sos()} |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for half in corpus.HALVES:
        samples = corpus.load(half)
        results = [corpus.measure(one, redacted) for one in samples]
        kinds = {plant.kind for one in samples for line in one.lines for plant in line.plants}
        cells = (
            half,
            len(samples),
            sum(one.plants for one in results),
            len(kinds),
            sum(len(one.left) for one in results),
            sum(one.words for one in results),
            sum(len(one.replaced) for one in results),
            left_by_sos(samples),
        )
        yield f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    sys.stdout.write("\n".join(page()) + "\n")
