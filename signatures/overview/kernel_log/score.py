"""Score of a message of no class: how likely it tells of trouble, by the factors of `message_score.yaml`.

score("NVRM: fallen off the bus", level=3, spells=1, machines=0, is_boot=False)  ->  24.0
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ingest.native.linear import Pattern
from ingest.tables import table

if TYPE_CHECKING:
    from collections.abc import Mapping

_TABLE = Path(__file__).parents[1] / "message_score.yaml"


class _Row(NamedTuple):
    factor: float
    pattern: Pattern


class Factors(NamedTuple):
    """The table, with its patterns compiled.

    Attributes:
        levels: Factor of each level; `unknown_level` where none is known.
        words: Rows of words, the strongest first; `no_words` where none matches.
        any_words: What one of these rows matches.
        harmless: Words by which the factor of the words is made smaller.
        programs: What programs write begins with it.
        options: What is left out before words are looked for.
        before_lines: Lines above an error in which its device may say why.
        before_seconds: Seconds before it.
        free_cma: Share of free memory from which its kind is said.
        alarm: Score from which a message is an error of no known class.
        notable: Score from which it may be one.
        failure: Score from which an alarm is of the level `failure`.
        least_bits: Bits of a message of the catalogue, and of one whose driver the line names.
    """

    levels: Mapping[int, float]
    unknown_level: float
    words: tuple[_Row, ...]
    any_words: Pattern
    no_words: float
    harmless: _Row
    options: Pattern
    programs: Pattern
    spell_seconds: float
    rarity_power: float
    boot_seconds: float
    boot_factor: float
    before_lines: int
    before_seconds: float
    free_cma: float
    alarm: float
    notable: float
    failure: float
    least_bits: int
    least_bits_named: int


def score(message: str, *, level: int | None, spells: int, machines: int, is_boot: bool) -> float:
    """Return the score of a message.

    Args:
        message: Without the prefix of its log.
        level: 0 (emergency) to 7 (debug); None when it is not known.
        spells: In how many spells of `spell_seconds` it was printed.
        machines: How many healthy machines printed it.
        is_boot: All of it is of the time in which the machine boots.
    """
    known = factors()
    of_level = known.unknown_level if level is None else known.levels.get(level, known.unknown_level)
    found: float = of_level * words_factor(message) * float(1 + machines) ** -known.rarity_power
    return found * (known.boot_factor if is_boot else 1 + math.log2(max(1, spells)))


def words_factor(message: str) -> float:
    """Return how much the words of a message tell of a loss or a failure."""
    known = factors()
    if not known.any_words.search(message):
        return known.no_words
    text = known.options.sub("", message)
    found = next((row.factor for row in known.words if row.pattern.search(text)), known.no_words)
    return found * known.harmless.factor if known.harmless.pattern.search(text) else found


@cache
def factors() -> Factors:
    """Return the table."""
    rows = table(_TABLE)
    return Factors(
        dict(enumerate(map(float, rows["level"]))),
        rows["unknown_level"],
        tuple(_Row(row["factor"], _pattern(row["pattern"])) for row in rows["words"]),
        _pattern("|".join(row["pattern"] for row in rows["words"])),
        rows["no_words"],
        _Row(rows["harmless"]["factor"], _pattern(rows["harmless"]["pattern"])),
        _pattern(rows["options"]),
        _pattern(rows["programs"]),
        rows["spell_seconds"],
        rows["rarity_power"],
        rows["boot"]["seconds"],
        rows["boot"]["factor"],
        rows["before"]["lines"],
        rows["before"]["seconds"],
        rows["free_cma"],
        rows["alarm"],
        rows["notable"],
        rows["failure"],
        rows["least_bits"]["any"],
        rows["least_bits"]["named"],
    )


def _pattern(text: str) -> Pattern:
    return Pattern("(?i)" + text.replace("\n", "").replace(" |", "|"))
