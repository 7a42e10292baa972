"""Figures of the kernel log: each cause with what followed, and the errors of no known class.

figures_of(chain)  ->  [Figure("nvme timeout", 3.0, …), Figure("then", "ext4 error (3)", …)]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.overview.kernel_log.chain_words import words_of
from signatures.overview.kernel_log.sentences import meaning_of, message_of, quoted
from signatures.overview.model import Figure, place
from signatures.rendering.places import SHOWN_PLACES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.overview.kernel_log.chain import Chain, Placed
    from signatures.overview.model import Place


def errors_of(unclassified: Sequence[Placed]) -> str:
    """Return how many lines of an error's level have no known class, in words."""
    count = len(unclassified)
    return f"{count} error-level line{'' if count == 1 else 's'} of no known class"


def unclassified_figure(unclassified: Sequence[Placed]) -> Figure:
    """Return the figure of these lines with the first of them."""
    shown = unclassified[:SHOWN_PLACES]
    note = " / ".join(one.record.message[:120] for one in shown)
    count = float(len(unclassified))
    return Figure(errors_of(unclassified), count, "count", places_of(shown), is_notable=True, note=note)


def figures_of(chain: Chain) -> list[Figure]:
    """Return the cause with its message, and one line for all that followed."""
    lead = chain.lead
    name = lead.log_class.name.replace("_", " ")
    note = f"{quoted(message_of(lead.first.record)).rstrip('.')}: {meaning_of(lead)}"
    figures = [Figure(name, float(lead.count), "count", places_of(lead.places), is_notable=True, note=note)]
    if chain.followers:
        places = places_of([alarm.first for alarm in chain.followers])
        figures.append(Figure("then", ", ".join(words_of(alarm) for alarm in chain.followers), "", places))
    return figures


def places_of(placed: Sequence[Placed]) -> tuple[Place, ...]:
    """Return the lines that decide the first records."""
    return tuple(
        place(one.item, lines.first, lines.last)
        for one in placed[:SHOWN_PLACES]
        for lines in one.record.deciding
    )
