"""Cited lines as text: `perf.script:12-40`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.documents.citation import Place

SHOWN_PLACES = 3


def place_words(place: Place) -> str:
    """Return `file:first-last`."""
    last = f"-{place.last_line}" if place.last_line != place.first_line else ""
    return f"{bare(place.evidence)}:{place.first_line}{last}"


def places_of(citations: Sequence[Place]) -> list[str]:
    """Return the first citations; a last entry counts the rest."""
    shown = [place_words(one) for one in citations[:SHOWN_PLACES]]
    more = len(citations) - len(shown)
    return [*shown, f"and {more} more"] if more > 0 else shown
