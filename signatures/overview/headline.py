"""The headline of a case: a match, else what is observed, with the suspicion below it.

headline_of_findings(findings, statements)
-> (Headline("statement", "Soft lockup: …"), Headline("suspect", "May be: … Decides: …", "mm/…"))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.judging.decide import MATCH, SUSPECT
from signatures.language.number_format import value_words
from signatures.overview.headline_details import detail, is_cited

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.documents.finding import FindingDocument
    from signatures.documents.levels import HeadlineKind
    from signatures.overview.headline_details import Part
    from signatures.overview.model import Statement
    from signatures.overview.statement_order import Shown

UNITLESS = frozenset({"", "count", "times"})
"""Units of values that say nothing without the name of what is counted or compared."""

PER_SECOND = "count/s"


class Headline(NamedTuple):
    """The first sentence: a match, else the strongest statement, else what was assessed.

    The sentence below it, a suspicion, has the same fields.

    Attributes:
        signature: Id of the finding's signature, "" for a statement.
        host: Host it is about, "" when unknown or of all.
    """

    kind: HeadlineKind
    text: str
    signature: str = ""
    host: str = ""


class Lead(NamedTuple):
    """A headline with the statement that it is of.

    Attributes:
        part: How much of the headline the statement is.
    """

    headline: Headline
    of: Shown | None = None
    part: Part = ""

    @property
    def whole(self) -> Statement | None:
        """The statement that is the headline, and nothing else is; None without one."""
        return self.of.statement if self.of and self.part == "whole" else None


def headline_of_findings(
    findings: Sequence[FindingDocument], statements: Sequence[Shown]
) -> tuple[Lead | None, Headline | None]:
    """Return the headline that findings give, and the suspicion below it; None where there is none.

    A match leads, with what may explain it below; where it rests on consequences only, their cause leads.
    A suspicion, which is possible at most, never leads: above
    it stands a statement that is not usual, else the condition on which the suspicion rests. Without either
    there is no headline of findings: the caller says what was assessed.
    """
    shown = [one for one in findings if not one.superseded_by]
    matches = [one for one in shown if one.verdict == MATCH]
    match = next((one for one in matches if not _reason(one, statements)), None)
    suspects = [one for one in shown if one.verdict == SUSPECT and _may_explain(one, match)]
    suspicion = _suspicion(suspects[0]) if suspects else None
    if match:
        found = detail(match, statements)
        text = f"{match.headline}{found.words}"
        return Lead(Headline("match", text, match.signature, match.host), found.of, found.part), suspicion
    if matches and (reason := _reason(matches[0], statements)):
        return _whole("statement", reason), suspicion
    if suspicion is None:
        return None, None
    observed = (
        observed_headline(statements)
        or _observed_condition(suspects[0])
        or _cited_statement(suspects[0], statements)
    )
    return observed, suspicion


def _reason(match: FindingDocument, statements: Sequence[Shown]) -> Shown | None:
    """Return the alarm that explains all lines that a match rests on; None where one is not explained.

    A crash of firmware is true, and no headline where the device left the bus three seconds before.
    """
    required = (one for one in match.conditions if one.role == "core" and one.state == "TRUE")
    cited = [place for one in required for place in one.citations]
    for shown in statements if cited else ():
        explained = shown.statement.explained
        if explained and all(any(is_cited(where, place) for where in explained) for place in cited):
            return shown
    return None


def _may_explain(suspect: FindingDocument, match: FindingDocument | None) -> bool:
    """Return whether a suspect may explain a match; without a match any may explain what is observed."""
    if match is None:
        return True
    names = (suspect.signature, suspect.host, suspect.phase)
    return names == (match.suspected_cause, match.host, match.phase)


def _observed_condition(suspect: FindingDocument) -> Lead | None:
    """Return the heaviest required condition that is measured and met, with its value.

    None where stacks were only seen. Nor for a suspicion with the title of a weak reading: that says already
    what is seen.
    """
    met = [
        one for one in suspect.conditions if one.role == "core" and one.state == "TRUE" and not one.is_seen
    ]
    if not met or suspect.is_narrowed:
        return None
    first = max(met, key=lambda one: one.weight * one.strength)
    measured = isinstance(first.observed, float) and first.unit not in UNITLESS
    value = f": {value_words(first.observed, first.unit)}" if measured else ""
    value += " a second" if first.unit == PER_SECOND else ""
    return Lead(Headline("fact", f"{first.title}{value}", host=suspect.host))


def _cited_statement(suspect: FindingDocument, statements: Sequence[Shown]) -> Lead | None:
    """Return the first statement of lines that a suspicion rests on, if it says more than usual."""
    cited = [place for one in suspect.conditions if one.state == "TRUE" for place in one.citations]
    for one in statements:
        is_about = any(is_cited(where, place) for where in one.statement.places for place in cited)
        if is_about and not one.statement.is_usual:
            return _whole("fact", one)
    return None


def _whole(kind: HeadlineKind, one: Shown) -> Lead:
    return Lead(Headline(kind, one.statement.text, host=one.host), one, "whole")


def _suspicion(suspect: FindingDocument) -> Headline:
    return Headline("suspect", suspect.headline, suspect.signature, suspect.host)


def observed_headline(statements: Sequence[Shown]) -> Lead | None:
    """Return the first statement as a headline, if it is of something that is not usual."""
    if not statements:
        return None
    first = statements[0].statement
    if first.kind != "fact":
        return _whole("statement", statements[0])
    is_telling = first.is_notable or first.level != "context"
    return _whole("fact", statements[0]) if is_telling else None
