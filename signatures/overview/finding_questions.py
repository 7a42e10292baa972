"""The questions that a shown finding is about: what it answers is never listed as not assessed.

answered_by("mm/mmap-lock-held-in-reclaim")  ->  {"memory", "locks"}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.judging.decide import MATCH, SUSPECT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from signatures.documents.finding import FindingDocument
    from signatures.overview.model import QuestionName
    from signatures.overview.questions import Assessment

AREAS: Mapping[str, QuestionName] = {
    "block": "io",
    "cgroup": "cgroup-limits",
    "fs": "io",
    "locking": "locks",
    "mm": "memory",
    "net": "network",
    "sched": "scheduling",
    "vfs": "locks",
    "virt": "scheduling",
    "writeback": "io",
}
WORDS: Mapping[str, QuestionName] = {"lock": "locks", "lockref": "locks", "memcg": "cgroup-limits"}

BESIDE: Mapping[str, tuple[QuestionName, ...]] = {
    "crash/memory-error": ("memory",),
    "hw/memory-errors": ("memory",),
    "mm/memcg-stat-show-stall": ("cpu", "network"),
    "mm/tlb-shootdown-storm": ("cpu",),
    "net/softirq-budget-squeeze": ("cpu",),
}
"""Further questions, which neither area nor name says."""

IN_PART: Mapping[str, tuple[QuestionName, ...]] = {
    "fs/nfs-server-not-responding": ("network",),
}
"""Questions that a match raises and does not answer: the server is silent, or the way to it is."""


def answered_by(signature: str) -> set[QuestionName]:
    """Return the questions that a signature is about, by its area and the words of its name."""
    area, _, name = signature.partition("/")
    found = {WORDS[word] for word in name.split("-") if word in WORDS}
    return found.union(BESIDE.get(signature, ()), {AREAS[area]} if area in AREAS else ())


def with_findings(
    questions: Sequence[Assessment], findings: Sequence[FindingDocument]
) -> tuple[Assessment, ...]:
    """Return the questions with what findings say: a match is an alarm, a suspect answers in part."""
    by_verdict = {
        verdict: {
            name
            for one in findings
            if one.verdict == verdict and not one.superseded_by
            for name in answered_by(one.signature)
        }
        for verdict in (MATCH, SUSPECT)
    }
    for one in findings:
        if one.verdict == MATCH and not one.superseded_by:
            by_verdict[SUSPECT].update(IN_PART.get(one.signature, ()))
    return tuple(_with(one, by_verdict) for one in questions)


def _with(one: Assessment, by_verdict: Mapping[str, set[QuestionName]]) -> Assessment:
    name = one.question.name
    if name in by_verdict[MATCH] and one.state != "alarm":
        return one._replace(state="alarm", alarms=1, capture="", is_partial=False)
    if name in by_verdict[SUSPECT] and one.state in ("not assessed", "no alarm"):
        return one._replace(state="not assessed", is_partial=True)
    return one
