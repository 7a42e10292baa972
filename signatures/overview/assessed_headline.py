"""The headline of evidence that no signature explains: what is observed, else what was assessed.

of_evidence(questions, statements, {"vmstat"}, None, is_suspected=False)
-> Lead(Headline("nothing unusual", "Nothing unusual found in what was assessed: CPU, memory, IO"))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.overview.headline import Headline, Lead, observed_headline
from signatures.overview.statement_order import Shown

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from signatures.overview.questions import Assessment
    from signatures.overview.undecided import Sign

ENOUGH_ASSESSED = 3
"""Questions from which their calm is worth a headline: one table of a machine in trouble is often calm."""

UNASSESSED = "Nothing could be assessed with this evidence"
NO_EVIDENCE = "No kernel evidence here: no output of a tool that Casebook reads, and no kernel log"

NOT_EVIDENCE = frozenset({"text"})
"""Formats of what is no output of a kernel or of a tool that measures one."""


def of_evidence(
    questions: Sequence[Assessment],
    statements: Sequence[Shown],
    formats: Collection[str],
    seen: Sign | Shown | None,
    *,
    is_suspected: bool,
) -> Lead:
    """Return the headline of evidence that no signature explains; a suspicion may follow below it.

    Evidence that is of nothing but the suspicion has it as its headline: the caller puts it there.
    `seen` is a sign of a signature, else the largest value that was read; it leads where there is no more.
    """
    first = statements[0] if statements else None
    assessed = [one.question.title for one in questions if one.state == "no alarm"]
    observed = observed_headline(statements)
    used_up = {one.question.name for one in questions if one.state == "notable"}
    is_known = bool(assessed) or (first is not None and not used_up.isdisjoint(first.statement.questions))
    if first and first.statement.explains_calm:
        return Lead(Headline("not assessed", first.statement.text, host=first.host), first, "whole")
    if observed and first and (is_known or first.statement.kind != "fact"):
        return observed
    if assessed:
        if len(assessed) < ENOUGH_ASSESSED:
            return _only(questions, statements)
        words = f"Nothing unusual found in what was assessed: {', '.join(assessed)}"
        return Lead(Headline("nothing unusual", words))
    if first and not (is_suspected and (first.statement.is_summary or first.statement.is_usual)):
        words = "Nothing could be assessed; the evidence shows: " if first.statement.is_usual else ""
        headline = Headline("not assessed", f"{words}{first.statement.text}", host=first.host)
        return Lead(headline, first, "end" if words else "whole")
    if is_suspected:
        return Lead(Headline("suspect", ""))
    if isinstance(seen, Shown):
        return Lead(Headline("not assessed", seen.statement.text, host=seen.host), seen, "whole")
    if NOT_EVIDENCE.issuperset(formats):
        return Lead(Headline("no evidence", NO_EVIDENCE))
    return Lead(Headline("not assessed", _sign_words(seen) if seen else UNASSESSED))


def _sign_words(sign: Sign) -> str:
    return (
        f"Nothing could be assessed; the evidence shows a sign of {sign.signature}, which alone decides "
        f"nothing: {sign.title}"
    )


def _only(questions: Sequence[Assessment], statements: Sequence[Shown]) -> Lead:
    """Return which few questions were assessed, and the first thing that is known about them."""
    few = [one.question for one in questions if one.state == "no alarm"]
    names = {one.name for one in few}
    words = f"No alarm about {' and '.join(one.title for one in few)}, which alone could be assessed"
    stated = next((one for one in statements if one.statement.question in names), None)
    if stated is None:
        return Lead(Headline("not assessed", words))
    return Lead(Headline("not assessed", f"{words}: {stated.statement.text}"), stated, "end")
