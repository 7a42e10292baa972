"""The second look at what a redactor wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.redact.protected_words import known_words
from ingest.redact.second_look import SecondLook

if TYPE_CHECKING:
    from ingest.redact import Redactor


def second_look_of(redactor: Redactor) -> SecondLook:
    """Return a second look that also lists protected words which stand in places of names."""
    return SecondLook(redactor.protected - redactor.doubtful_words, known_words())
