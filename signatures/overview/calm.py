"""Calm is stated only of what was read whole: the one place that makes such a sentence, and that refuses it.

    statement(evidence, Covers("io", places), "No device is above its threshold", seen="sda is busy 9 %")
    ->  "No device is above its threshold"
    ->  "sda is busy 9 %; not decided beyond that: a filter left lines out"

Whether a question has no alarm is decided by the same guard (`decided`). It looks at the reading alone, never
at the tool: lines that were skipped, a selection by the command line, text beside it about the same question
that nobody read, a peak above the threshold, a value that cannot be.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from ingest.tables import table
from signatures.overview import impossible, window_rules
from signatures.overview.model import Statement
from signatures.rendering.places import SHOWN_PLACES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.judging.scope import Item
    from signatures.overview.model import Answer, Covers, Place, QuestionName
    from signatures.overview.scope_evidence import ScopeEvidence

_LEFT_OUT = Path(__file__).parent / "left_out.yaml"

SELECTIONS = {
    "filtered": "a filter left lines out",
    "excerpt": "only some of its lines are shown",
    "cut_off": "the text is cut off",
}
"""Remarks on a reading that is a selection."""

UNREAD = "text.unread_values"
"""A fact of text that no reader knows: it states values about a question."""


class Reason(NamedTuple):
    """Why calm is refused.

    Attributes:
        name: `skipped`, `selected`, `unread`, `peak` or `impossible`.
        words: What was not looked at, or what contradicts calm.
        is_stated: Another analysis has a sentence about it.
    """

    name: str
    words: str
    is_stated: bool = False

    @property
    def clause(self) -> str:
        """What follows the sentence about what was seen."""
        return f"; {self.words}" if self.name == "peak" else f"; not decided beyond that: {self.words}"


def statement(
    evidence: ScopeEvidence,
    covers: Covers,
    words: str,
    seen: str,
    *,
    places: tuple[Place, ...] = (),
    capture: str = "",
    asks: str = "",
    is_summary: bool = False,
    ratio: float | None = None,
    subject: str = "",
) -> Statement:
    """Return a calm statement where the guard allows it, else what was seen and why that is not all.

    Args:
        evidence: All evidence of the scope.
        covers: The question, and all lines that the sentence speaks of.
        words: The calm sentence.
        seen: What may be said of the same lines in any case.
        places: The lines to cite; () for all that it covers.
        capture: The command that would show more.
        asks: What its output shows.
        is_summary: As in `Statement`.
        ratio: As in `Statement`.
        subject: As in `Statement`.
    """
    against = first_reason(evidence, covers)
    return Statement(
        covers.question,
        seen if against else words,
        places or covers.places[:SHOWN_PLACES],
        "fact",
        "context",
        capture,
        asks=asks,
        is_summary=is_summary,
        ratio=ratio,
        subject=subject,
        qualifiers=(against.clause,) if against else (),
        covers=() if against else covers.places,
    )


def words(evidence: ScopeEvidence, covers: Covers, calm: str, seen: str) -> str:
    """Return the calm words where the guard allows them, else what was seen and why that is not all."""
    against = first_reason(evidence, covers)
    return f"{seen}{against.clause}" if against else calm


def decided(evidence: ScopeEvidence, answer: Answer) -> tuple[tuple[QuestionName, ...], Answer]:
    """Return the questions that an answer answers, and the answer as it may be given.

    A question that the guard refuses is answered in part, with the reason; where the answer says nothing of
    it, its summary is what was seen.
    """
    answered: list[QuestionName] = []
    for covers in answer.assesses:
        against = first_reason(evidence, covers)
        if against is None:
            answered.append(covers.question)
            continue
        statements = answer.statements
        is_said = against.is_stated or any(covers.question in one.questions for one in statements)
        if answer.figures and not is_said:
            seen = answer.summary.removesuffix(".")
            where = covers.places[:SHOWN_PLACES]
            clause = () if against.clause in seen else (against.clause,)
            refused = Statement(
                covers.question,
                seen,
                where,
                "fact",
                "context",
                is_summary=True,
                subject=f"what was read about {covers.question}",
                qualifiers=clause,
            )
            statements = (*statements, refused)
        partial = (*answer.partial, (covers.question, against.words))
        answer = answer._replace(statements=statements, partial=partial, is_undecided=True)
    return tuple(answered), answer


def first_reason(evidence: ScopeEvidence, covers: Covers) -> Reason | None:
    """Return the strongest reason against calm, None where there is none."""
    return next(reasons(evidence, covers), None)


def reasons(evidence: ScopeEvidence, covers: Covers) -> Iterator[Reason]:
    """Yield the reasons against calm: what contradicts it first, then what was not looked at."""
    yield from _impossible(evidence, covers.question)
    yield from _peaks(evidence, covers.question)
    if covers.unlisted:
        yield Reason("selected", f"{covers.unlisted:,} more are not listed")
    for item in _covered(evidence, covers):
        yield from _selected(item)
        yield from _skipped(item)
    yield from _unread(evidence, covers)


def _covered(evidence: ScopeEvidence, covers: Covers) -> list[Item]:
    """Return the sections that a statement rests on."""
    if _covered not in evidence.memo:
        evidence.memo[_covered] = {(item.evidence, item.section): item for item in evidence.items}
    sections = cast("dict[tuple[str, int], Item]", evidence.memo[_covered])
    wanted = dict.fromkeys((where.evidence, where.section) for where in covers.places)
    return [sections[one] for one in wanted if one in sections]


def _impossible(evidence: ScopeEvidence, question: QuestionName) -> Iterator[Reason]:
    for found in impossible.found(evidence):
        if found.question == question:
            yield Reason("impossible", "another value cannot be right", is_stated=True)


def _peaks(evidence: ScopeEvidence, question: QuestionName) -> Iterator[Reason]:
    """Yield each quantity that was above its threshold, however short."""
    is_on = evidence.engines.series == "on"
    for rule in window_rules.all_rules(evidence.cpus) if is_on else ():
        if rule.question != question:
            continue
        if peak := window_rules.peak_of(evidence, rule):
            is_stated = window_rules.worst_of(evidence, rule) is not None
            yield Reason("peak", window_rules.sentence(rule.words, peak), is_stated)


def _selected(item: Item) -> Iterator[Reason]:
    names = item.reading.quality_names
    yield from (Reason("selected", words) for name, words in SELECTIONS.items() if name in names)


def _skipped(item: Item) -> Iterator[Reason]:
    count = sum(one.count for one in item.reading.skipped if not one.reason.startswith(_left_out()))
    if count:
        lines = "1 of its lines was" if count == 1 else f"{count:,} of its lines were"
        yield Reason("skipped", f"{lines} not read")


def _unread(evidence: ScopeEvidence, covers: Covers) -> Iterator[Reason]:
    """Yield text about the question in the same file, or that is loose: the files of an archive are many."""
    files = {where.evidence for where in covers.places}
    for entry in evidence.facts(UNREAD):
        is_beside = not entry.item.captured_path or entry.item.evidence in files
        if is_beside and entry.label("question") == covers.question:
            lines = "a line" if entry.number == 1 else f"{entry.number:,.0f} lines"
            yield Reason("unread", f"{lines} about it in text of no known format")


@cache
def _left_out() -> tuple[str, ...]:
    return tuple(table(_LEFT_OUT))
