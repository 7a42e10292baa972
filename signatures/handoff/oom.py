"""Answers whether an incident is only an OOM, the first question on a memory case.

no       no process was killed, by a kernel log or a counter
not just processes were killed, and a finding explains more
yes      processes were killed, and nothing else was found
unknown  the evidence has neither a kernel log nor a counter that decides

A counter at 0 decides where what it counts for is old enough (`signatures.judging.cumulative_zero`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.documents.handoff import OomDocument, OomPlaceDocument
from signatures.judging.cumulative_zero import AGE, is_old_enough
from signatures.judging.fact_index import facts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.documents.handoff import OomAnswer
    from signatures.judging.fact_index import ScopeFact
    from signatures.judging.finding import Finding
    from signatures.judging.scope import Item

KERNEL_LOG = "kernel-log"
OF_OOM = "oom"
MAX_PLACES = 5
LEADING = ("match", "suspect")


def answer(items: Sequence[Item], findings: Sequence[Finding]) -> OomDocument:
    """Return `answer`, `sentence` and the cited lines for a case."""
    kills = [
        (item, record) for item in items for record in item.reading.log_records if record.kind == "oom_kill"
    ]
    facts = facts_of(items)
    counters = [fact for name in AGE for fact in facts.texts(name) if isinstance(fact.value, int | float)]
    counted = [fact for fact in counters if fact.value != 0]
    zeros = [fact for fact in counters if is_old_enough(fact.name, facts, fact.key)]
    logs = sorted({item.evidence for item in items if item.format == KERNEL_LOG})
    others = [one for one in findings if one.verdict in LEADING and OF_OOM not in one.signature.id]
    titles = "; ".join(dict.fromkeys(one.title for one in others))
    places = [_place(item, record.lines.first, record.message) for item, record in kills]
    places += [_counter(fact) for fact in counted]
    if kills or counted:
        count = len(kills) or int(max(float(fact.value) for fact in counted))
        seen = (
            f"The kernel killed for want of memory {count} time{'s' if count != 1 else ''} in this evidence"
        )
        if others:
            sentence = f"{seen}, and killing does not explain all of it: {titles}."
            return _assessment("not just", sentence, places)
        return _assessment("yes", f"{seen}, and no signature explains more than that.", places)
    if not logs and not zeros:
        has = (
            "neither a kernel log nor a kill counter"
            if not counters
            else "no kernel log, and kill counters of groups that may be new: after a restart they begin at 0"
        )
        sentence = f"Unknown: the evidence has {has}. `dmesg -T` and `grep oom_kill /proc/vmstat` tell."
        return _assessment("unknown", sentence, [_counter(fact) for fact in counters])
    because = []
    if logs:
        because.append(f"{len(logs)} kernel log{'s' if len(logs) > 1 else ''} without a kill")
    if zeros:
        because.append("counters of kills that stand at 0")
    sentence = f"No: nothing was killed for want of memory ({' and '.join(because)})."
    if others:
        sentence += f" What it shows instead: {titles}."
    return _assessment("no", sentence, [_counter(fact) for fact in zeros])


def _counter(fact: ScopeFact) -> OomPlaceDocument:
    return _place(fact.item, fact.cited.first_line, f"{fact.name} = {fact.value:g}")


def _place(item: Item, line: int, text: str) -> OomPlaceDocument:
    return OomPlaceDocument(evidence=item.evidence, line=line, text=text)


def _assessment(answer: OomAnswer, sentence: str, places: list[OomPlaceDocument]) -> OomDocument:
    return OomDocument(
        answer=answer,
        sentence=sentence,
        places=tuple(places[:MAX_PLACES]),
        more=max(0, len(places) - MAX_PLACES),
    )
