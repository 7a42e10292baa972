"""Findings of a new build that the base has not, or less severely, in words.

new: mm/memcg-oom; worse: block/io-errors (degraded → failure)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.rendering.finding_rows import citations_of, line_of, rule_of
from signatures.rendering.places import places_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.documents.alarm import AnyFinding


class Change(NamedTuple):
    """A finding of the new build with what the base had of it: its level, "" for nothing."""

    document: AnyFinding
    before: str

    @property
    def kind(self) -> str:
        """`new` or `worse`."""
        return "worse" if self.before else "new"

    @property
    def words(self) -> str:
        """`mm/memcg-oom`, or `mm/memcg-oom (degraded → failure)`."""
        name = rule_of(self.document)
        return f"{name} ({self.before} → {self.document.level})" if self.before else name

    @property
    def line(self) -> str:
        """The finding as one line, with the first line of evidence that shows it."""
        first = places_of([at for _, at in citations_of(self.document)[:1]])
        return " ".join((f"{self.kind.title()}:", line_of(self.document), *first))


class MetGate(NamedTuple):
    """A `--fail-on` expression and the changes that meet it."""

    text: str
    changes: tuple[Change, ...]


def change_words(changes: Sequence[Change]) -> str:
    """Return the changes in words, new ones first; "" for none."""
    parts = ((kind, [one.words for one in changes if one.kind == kind]) for kind in ("new", "worse"))
    return "; ".join(f"{kind}: {', '.join(words)}" for kind, words in parts if words)
