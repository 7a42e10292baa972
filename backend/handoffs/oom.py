"""Answers whether an incident is only an OOM, the first question on a memory case.

no       no process was killed, by a kernel log or a counter
not just processes were killed, and a finding explains more
yes      processes were killed, and nothing else was found
unknown  the evidence has neither a kernel log nor a counter
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.judging.finding import Finding
    from signatures.judging.scope import Item

COUNTERS = ("vmstat.oom_kill", "memcg.events.oom_kill", "memcg.oom_control.oom_kill")
KERNEL_LOG = "kernel-log"
OF_OOM = "oom"
MAX_PLACES = 5
LEADING = ("match", "suspect")


def answer(items: Sequence[Item], findings: Sequence[Finding]) -> dict[str, Any]:
    """Return `answer`, `sentence` and the cited lines for a case."""
    kills = [
        (item, record) for item in items for record in item.reading.log_records if record.kind == "oom_kill"
    ]
    counters = [(item, fact) for item in items for fact in item.reading.facts if fact.name in COUNTERS]
    counted = [
        (item, fact) for item, fact in counters if isinstance(fact.value, (int, float)) and fact.value > 0
    ]
    logs = sorted({item.evidence for item in items if item.format == KERNEL_LOG})
    others = [one for one in findings if one.verdict in LEADING and OF_OOM not in one.signature.id]
    titles = "; ".join(dict.fromkeys(one.title for one in others))
    places = [_place(item, record.lines.first, record.message) for item, record in kills]
    places += [_place(item, fact.lines.first, f"{fact.name} = {fact.value:g}") for item, fact in counted]
    if kills or counted:
        count = len(kills) or int(max(float(fact.value) for _, fact in counted))
        seen = (
            f"The kernel killed for want of memory {count} time{'s' if count != 1 else ''} in this evidence"
        )
        if others:
            sentence = f"{seen}, and killing does not explain all of it: {titles}."
            return _assessment("not just", sentence, places)
        return _assessment("yes", f"{seen}, and no signature explains more than that.", places)
    if not logs and not counters:
        sentence = (
            "Unknown: the evidence has neither a kernel log nor a kill counter. "
            "`dmesg -T` and `grep oom_kill /proc/vmstat` tell."
        )
        return _assessment("unknown", sentence, [])
    because = []
    if logs:
        because.append(f"{len(logs)} kernel log{'s' if len(logs) > 1 else ''} without a kill")
    if counters:
        because.append("counters of kills that stand at 0")
    sentence = f"No: nothing was killed for want of memory ({' and '.join(because)})."
    if others:
        sentence += f" What it shows instead: {titles}."
    zeros = [_place(item, fact.lines.first, f"{fact.name} = 0") for item, fact in counters]
    return _assessment("no", sentence, zeros)


def _place(item: Item, line: int, text: str) -> dict[str, Any]:
    return {"evidence": item.evidence, "line": line, "text": text}


def _assessment(word: str, sentence: str, places: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "answer": word,
        "sentence": sentence,
        "places": places[:MAX_PLACES],
        "more": max(0, len(places) - MAX_PLACES),
    }
