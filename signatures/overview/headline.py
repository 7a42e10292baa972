"""The headline of a case: a match, else what is observed, else a suspicion.

headline_of_findings(findings, statements)
-> (Headline("statement", "Soft lockup: …"), Headline("suspect", "May be: …", "mm/shrink-lruvec-livelock"))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from signatures.judging.decide import MATCH, SUSPECT
from signatures.overview.headline_details import detail

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from signatures.overview.statement_order import Shown
    from signatures.reporting.levels import HeadlineKind

TELLING = 0.4
"""Strength of a fact that is the headline without alarms, or above a suspicion: it is not called usual."""


class Headline(NamedTuple):
    """The first sentence: a match, else the strongest statement, else a suspicion, else what was assessed.

    Attributes:
        signature: Id of the finding's signature, "" for a statement.
        host: Host it is about, "" when unknown or of all.
    """

    kind: HeadlineKind
    text: str
    signature: str = ""
    host: str = ""


def headline_of_findings(
    findings: Sequence[Mapping[str, Any]], statements: Sequence[Shown]
) -> tuple[Headline | None, Headline | None]:
    """Return the headline that findings give, and the suspicion below it; None where there is none.

    A match leads, with what may explain it below. A suspicion, which is possible at most, leads only where
    nothing is observed.
    """
    shown = [one for one in findings if not one["superseded_by"]]
    match = next((one for one in shown if one["verdict"] == MATCH), None)
    suspects = [one for one in shown if one["verdict"] == SUSPECT and _may_explain(one, match)]
    suspicion = _suspicion(suspects[0]) if suspects else None
    if match:
        text = f"{match['headline']}{detail(match, [one.statement for one in statements])}"
        return Headline("match", text, match["signature"], match["host"]), suspicion
    observed = observed_headline(statements) if suspicion else None
    return (observed, suspicion) if observed else (suspicion, None)


def _may_explain(suspect: Mapping[str, Any], match: Mapping[str, Any] | None) -> bool:
    """Return whether a suspect may explain a match; without a match any may explain what is observed."""
    if match is None:
        return True
    names = (suspect["signature"], suspect["host"], suspect.get("phase"))
    return names == (match.get("suspected_cause"), match["host"], match.get("phase"))


def _suspicion(suspect: Mapping[str, Any]) -> Headline:
    return Headline("suspect", suspect["headline"], suspect["signature"], suspect["host"])


def observed_headline(statements: Sequence[Shown]) -> Headline | None:
    """Return the first statement as a headline, if it is of something that is not usual."""
    if not statements:
        return None
    first, host = statements[0]
    if first.kind != "fact":
        return Headline("statement", first.text, host=host)
    is_telling = first.is_notable or first.strength >= TELLING
    return Headline("fact", first.text, host=host) if is_telling else None
