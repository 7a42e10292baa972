"""Redaction of the corpus: plants left and other words replaced in each part, with `sos clean` beside it.

python -m benchmarks.redact_corpus      # writes the table of benchmarks/REDACT.md

Every sample of `tests/data/redaction/corpus` is redacted as a case of its own. `sos clean` gets all samples
of a half as the files of one sosreport.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.redact import Planted, sos_clean, version_of_sos
from ingest.redact import Redactor
from ingest.redact.open_tokens import second_look_of
from signatures.document.vocabulary import library_words
from tests.ingest.redact import corpus

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).with_name("REDACT.md")
BEGIN, END = "<!-- corpus -->", "<!-- end of corpus -->"
ROOT = "sosreport-corpus-2026-11-21-abcdefg"


def of_case(text: str) -> tuple[Redactor, str]:
    """Return one text redacted as a case, and its redactor."""
    redactor = Redactor(b"benchmark".ljust(32, b"."), words=library_words())
    redactor.learn([text.encode()])
    redactor.settle()
    return redactor, b"".join(redactor.redact([text.encode()])).decode()


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


class Measured(NamedTuple):
    """One sample and what redaction and the second look did to it.

    Attributes:
        unlisted: The left plants that the second look does not list.
        listed: Number of tokens that the second look lists.
    """

    sample: corpus.Sample
    result: corpus.Result
    unlisted: int
    listed: int


def measured(sample: corpus.Sample) -> Measured:
    """Redact a sample as a case of its own and read the result a second time."""
    redactor, text = of_case(sample.text)
    result = corpus.measure(sample, lambda _: text)
    second_look = second_look_of(redactor)
    for _ in second_look.read([text.encode()], sample.title):
        pass
    listed = [token.text.lower() for one in second_look.classes() for token in one.tokens]
    unlisted = [name for _, name in result.left if not any(_names(token, name.lower()) for token in listed)]
    return Measured(sample, result, len(unlisted), len(listed))


def _names(token: str, name: str) -> bool:
    """Return whether a listed token has a name in it, or is half of it; `*` stands for digits."""
    shape = "[0-9]+".join(map(re.escape, token.split("*")))
    return name in token or any(2 * len(found) >= len(name) for found in re.findall(shape, name))


def table() -> Iterator[str]:
    """Yield the lines of the table."""
    titles = (
        *("part", "samples", "plants", "kinds", "left", "left and not listed", "other words", "replaced"),
        *("open tokens", f"left by `sos clean` {version_of_sos()}"),
    )
    yield f"| {' | '.join(titles)} |"
    yield f"| --- |{' ---: |' * (len(titles) - 1)}"
    for part in (*corpus.HALVES, *corpus.HELD_OUT):
        all_of = [measured(sample) for sample in corpus.load(part)]
        repeated = corpus.REPEATED.get(part, frozenset())
        yield row(part.replace("_", " "), all_of)
        if repeated:
            yield row("of it new tools", [one for one in all_of if one.sample.title not in repeated])
            yield row("of it repeated tools", [one for one in all_of if one.sample.title in repeated])


def row(name: str, all_of: list[Measured]) -> str:
    """Return the row of a part."""
    samples, results = [one.sample for one in all_of], [one.result for one in all_of]
    kinds = {plant.kind for one in samples for line in one.lines for plant in line.plants}
    plants, left = sum(one.plants for one in results), sum(len(one.left) for one in results)
    words, replaced = sum(one.words for one in results), sum(len(one.replaced) for one in results)
    unlisted = sum(one.unlisted for one in all_of)
    cells = (
        name,
        len(samples),
        f"{plants:,}",
        len(kinds),
        f"{left} ({left / plants:.1%})",
        f"{unlisted} ({unlisted / plants:.1%})",
        f"{words:,}",
        f"{replaced} ({replaced / words:.2%})",
        f"{sum(one.listed for one in all_of):,}",
        left_by_sos(samples),
    )
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Write the table into the section of the page."""
    page = PAGE.read_text(encoding="utf-8")
    before, begin, rest = page.partition(BEGIN)
    _, end, behind = rest.partition(END)
    lines = "\n".join(table())
    PAGE.write_text(f"{before}{begin}\n{lines}\n{end}{behind}", encoding="utf-8")
    sys.stdout.write(f"{lines}\n")


if __name__ == "__main__":
    main()
