"""The second look at what a redactor wrote, and the leak scan: with the words that are no names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.redact.leak_scan import Detector
from ingest.redact.protected_words import known_words, technical_words, usual_values
from ingest.redact.second_look import SecondLook

if TYPE_CHECKING:
    from ingest.redact import Redactor


def second_look_of(redactor: Redactor) -> SecondLook:
    """Return a second look that also lists protected words which stand in places of names, or as values."""
    return SecondLook(
        redactor.protected,
        english=known_words(),
        usual=usual_values(),
        doubtful=redactor.doubtful_tokens,
        technical=technical_words(),
    )


def detector_of(redactor: Redactor) -> Detector:
    """Return a leak scan for all names that the redactor found; words are leaks as values only."""
    originals = {name for names in redactor.originals.values() for name in names}
    return Detector(originals, words=redactor.protected | known_words(), usual=usual_values())
