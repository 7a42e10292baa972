"""What a general analysis tells: a panel of figures, each with the lines that say so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from signatures.language.number_format import quantity_words

if TYPE_CHECKING:
    from signatures.judging.scope import Item

PanelState: TypeAlias = Literal["calm", "notable", "unknown"]


class Place(NamedTuple):
    """Where a figure was read: lines of one section of one evidence."""

    evidence: str
    section: int
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class Figure:
    """One number or word.

    Attributes:
        label: What it is about.
        value: A number in `unit`, or a word.
        unit: `share` (0..1), `seconds`, `bytes`, `count`, `per_second`… or "" for words.
        places: Where it was read; never empty.
        is_notable: It is out of the ordinary.
        note: What follows from it, "" when it speaks for itself.
    """

    label: str
    value: float | str
    unit: str
    places: tuple[Place, ...]
    is_notable: bool = False
    note: str = ""

    @property
    def words(self) -> str:
        """The value as a person reads it, with its unit."""
        return quantity_words(self.value, self.unit)


@dataclass(frozen=True, slots=True)
class Panel:
    """The answer of one analysis for one host and phase.

    Attributes:
        name: Stable name: `cpu-time`, `use-table`.
        title: What the analysis asks.
        host: Host name, "" when unknown.
        phase: `before`, `during` or `after`.
        state: `notable` when a figure is out of the ordinary, `unknown` without figures, else `calm`.
        summary: One sentence.
        figures: Figures, the most telling first.
        lacks: What would tell more: commands or files.
    """

    name: str
    title: str
    host: str
    phase: str
    state: PanelState
    summary: str
    figures: tuple[Figure, ...] = ()
    lacks: tuple[str, ...] = ()


class Answer(NamedTuple):
    """What an analysis returns: a sentence, figures, and what would tell more."""

    summary: str
    figures: tuple[Figure, ...] = ()
    lacks: tuple[str, ...] = ()


def place(item: Item, first_line: int, last_line: int | None = None) -> Place:
    """Return a place in the section of `item`."""
    return Place(item.evidence, item.section, first_line, last_line or first_line)


def shortened(figures: list[Figure], at_most: int) -> tuple[Figure, ...]:
    """Return notable figures first, then by size, at most so many."""
    ranked = sorted(
        figures, key=lambda one: (not one.is_notable, -one.value if isinstance(one.value, float) else 0.0)
    )
    return tuple(ranked[:at_most])
