"""Small signs of trouble: values that no other analysis tells of, with which evidence is not called usual.

9 % of CPU time is stolen by the hypervisor

Most are facts: each is normal on some machines for a moment. The values are rows of the files beside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import quantity_words
from signatures.overview import averages, window_rules
from signatures.overview.first_steps import topic_of_fact
from signatures.overview.model import Answer, Figure, Statement, ranked, shortened
from signatures.overview.rules.rule import rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.overview.rules.rule import Rule
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

CPU, CGROUP = ("cpu",), ("cgroup",)
SHOWN = 10
_INSIDE = " of {}"
"""How a cgroup follows the words; it may have no name."""


def signs(evidence: ScopeEvidence) -> Answer:
    """Return the highest value of every rule that is large enough."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    for rule in rules():
        found = max(_values(evidence, rule), key=lambda one: one[0], default=None)
        if found is None or not rule.above <= found[0] < rule.below or _is_said(evidence, rule):
            continue
        if window_rules.is_stated(evidence, rule.fact):
            continue
        value, entry = found
        text = _text(evidence, rule, value, entry)
        is_past = rule.is_since_boot or entry.is_since_boot
        kind, level = ranked(is_alarm=rule.is_alarm, fact="since boot" if is_past else "notable")
        topic = topic_of_fact(rule.fact)
        statements.append(
            Statement(
                rule.question,
                text,
                (entry.place,),
                kind,
                level,
                is_notable=True,
                topic=topic,
                is_summary=not rule.subject,
                subject=f"{rule.words} {_subject(rule, entry)}",
            )
        )
        figures.append(Figure(text, value, rule.unit, (entry.place,), rule.is_alarm))
    if not figures:
        return Answer("No small sign of trouble.")
    return Answer(f"{statements[0].text}.", shortened(figures, SHOWN), (), tuple(statements))


def _values(evidence: ScopeEvidence, rule: Rule) -> Iterator[tuple[float, FactEntry]]:
    """Yield each value of a rule, divided by its base."""
    bases = {_group(entry): entry.number for entry in evidence.facts(rule.base)}
    for entry in evidence.facts(rule.fact):
        is_of_cpu = entry.label("cpu") not in {"", "all"}
        if is_of_cpu != (rule.subject == CPU) or any(entry.label(name) != text for name, text in rule.labels):
            continue
        if not rule.base:
            yield entry.number, entry
        elif base := bases.get(_group(entry)):
            yield entry.number / base, entry


def _group(entry: FactEntry) -> tuple[str, str, int]:
    """Return what a value and its base have in common: the folder of the file, the labels, the snapshot."""
    return (
        entry.item.evidence.rsplit("/", 1)[0],
        str(sorted(entry.fact.labels.items())),
        entry.fact.snapshot,
    )


def _is_said(evidence: ScopeEvidence, rule: Rule) -> bool:
    """Return whether another fact makes the rule superfluous."""
    name, above = rule.unless
    other = evidence.highest(name)
    return other is not None and other.number >= above


def _subject(rule: Rule, entry: FactEntry) -> str:
    """Return the CPU, device or cgroup of a value; "" for the whole machine."""
    return entry.label(*rule.subject) if rule.subject else ""


def _text(evidence: ScopeEvidence, rule: Rule, value: float, entry: FactEntry) -> str:
    name = _subject(rule, entry)
    about = (_INSIDE.format(name) if name else "") if rule.subject == CGROUP else name or "a device"
    is_count = rule.unit == "count" and not rule.base
    count = (
        averages.count_of(evidence, entry, rule.above)
        if is_count and not entry.is_since_boot
        else averages.Count("", "")
    )
    is_whole = rule.unit == "count" and value >= 1
    words = f"{value:,.0f}" if is_whole else quantity_words(value, rule.unit)
    words = count.words if count.mean else words
    since = ", on average since boot" if entry.is_since_boot else count.mean
    return rule.words.format(value=words, of=about) + since
