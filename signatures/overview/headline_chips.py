"""The chips of a headline: its numbers with their lines.

chips_of_statement(statement)  ->  [Chip("564 s", "mmap_lock is held for 564 s", Place(…))]
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.catalogue.log_classes import classes_by_name
from signatures.language.number_format import value_words
from signatures.overview.headline import PER_SECOND, UNITLESS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.documents.finding import ConditionDocument, FindingDocument
    from signatures.overview.model import Place, Statement

_NUMBER = r"-?\d[\d,]*(?:\.\d+)?"
_UNIT = r"(?:%|s|ms|µs|ns|min|h|days?|[KMGT]iB(?:/s)?|bytes|times|lines)"
_MEASURE = re.compile(rf"(?<![\w./:#-])(?:{_NUMBER}(?: [KMGT]iB)? of {_NUMBER} ?|{_NUMBER} ){_UNIT}(?![\w/])")


class Chip(NamedTuple):
    """A number of a headline with the line that it is from; `title` is the sentence that holds it."""

    text: str
    title: str
    place: Place


def _measures(statement: Statement) -> list[str]:
    """Return the numbers with a unit of what a statement says, without those of a quoted message or class."""
    text = statement.gist or statement.text
    for name in statement.log_classes:
        meaning = classes_by_name()[name].meaning.partition(";")[0]
        at = text.lower().find(meaning.lower())
        text = text[:at] + text[at + len(meaning) :] if at >= 0 else text
    return [found[0].strip() for found in _MEASURE.finditer(text)]


def chips_of_statement(statement: Statement, texts: Sequence[str] | None = None) -> list[Chip]:
    """Return chips of texts, without them of all numbers with a unit, with the first lines of a statement."""
    said = _measures(statement) if texts is None else texts
    return [Chip(one, statement.text, statement.places[0]) for one in said]


def chips_of_finding(finding: FindingDocument) -> list[Chip]:
    """Return the measured values of the required conditions that are met, the heaviest first."""
    met = [
        one for one in finding.conditions if one.role == "core" and one.state == "TRUE" and not one.is_seen
    ]
    return [chip for one in sorted(met, key=_weight) for chip in _chip_of(one)]


def _weight(condition: ConditionDocument) -> float:
    return -condition.weight * condition.strength


def _chip_of(condition: ConditionDocument) -> Iterator[Chip]:
    if isinstance(condition.observed, float) and condition.unit not in UNITLESS and condition.citations:
        suffix = " a second" if condition.unit == PER_SECOND else ""
        value = f"{value_words(condition.observed, condition.unit)}{suffix}"
        yield Chip(value, condition.name, condition.citations[0])


def without_repeats(chips: Sequence[Chip], text: str) -> Iterator[Chip]:
    """Yield the chips that say a number with its unit that neither the text nor a chip before has."""
    said = [text]
    for one in chips:
        if not any(one.text in other for other in said) and re.search(r"[^\d.,-]", one.text):
            said.append(one.text)
            yield one
