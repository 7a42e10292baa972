"""Small signs of trouble: values that no other analysis tells of, with which evidence is not called usual.

9 % of CPU time is stolen by the hypervisor

Most are facts: each is normal on some machines for a moment. The values are rows of `sign_rules`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import quantity_words
from signatures.overview import averages, window_rules
from signatures.overview.first_steps import topic_of_fact
from signatures.overview.model import Answer, Figure, Statement, ranked, shortened
from signatures.overview.signs.rules import SIGNS
from signatures.overview.signs.sign import CGROUP, CPU

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence
    from signatures.overview.signs.sign import Sign

SHOWN = 10
_INSIDE = " of {}"
"""How a cgroup follows the words; it may have no name."""


def signs(evidence: ScopeEvidence) -> Answer:
    """Return the highest value of every sign that is large enough."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    for sign in SIGNS:
        found = max(_values(evidence, sign), key=lambda one: one[0], default=None)
        if found is None or not sign.least <= found[0] < sign.below or _is_said(evidence, sign):
            continue
        if window_rules.is_stated(evidence, sign.fact):
            continue
        value, entry = found
        text = _text(evidence, sign, value, entry)
        is_past = sign.is_since_boot or entry.is_since_boot
        kind, level = ranked(is_alarm=sign.is_alarm, fact="since boot" if is_past else "notable")
        topic = topic_of_fact(sign.fact)
        statements.append(
            Statement(
                sign.question,
                text,
                (entry.place,),
                kind,
                level,
                is_notable=True,
                topic=topic,
                is_summary=not sign.of,
            )
        )
        figures.append(Figure(text, value, sign.unit, (entry.place,), sign.is_alarm))
    if not figures:
        return Answer("No small sign of trouble.")
    return Answer(f"{statements[0].text}.", shortened(figures, SHOWN), (), tuple(statements))


def _values(evidence: ScopeEvidence, sign: Sign) -> Iterator[tuple[float, FactEntry]]:
    """Yield each value of a sign, divided by its base."""
    label, wanted = sign.matching
    bases = {_group(entry): entry.number for entry in evidence.facts(sign.base)}
    for entry in evidence.facts(sign.fact):
        is_of_cpu = entry.label("cpu") not in {"", "all"}
        if is_of_cpu != (sign.of == CPU) or (label and entry.label(label) != wanted):
            continue
        if not sign.base:
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


def _is_said(evidence: ScopeEvidence, sign: Sign) -> bool:
    """Return whether another fact makes the sign superfluous."""
    name, above = sign.unless
    other = evidence.highest(name)
    return other is not None and other.number >= above


def _subject(sign: Sign, entry: FactEntry) -> str:
    """Return the CPU, device or cgroup of a value; "" for the whole machine."""
    return entry.label(*sign.of) if sign.of else ""


def _text(evidence: ScopeEvidence, sign: Sign, value: float, entry: FactEntry) -> str:
    name = _subject(sign, entry)
    about = (_INSIDE.format(name) if name else "") if sign.of == CGROUP else name or "a device"
    is_count = sign.unit == "count" and not sign.base
    count = (
        averages.count_of(evidence, entry, sign.least)
        if is_count and not entry.is_since_boot
        else averages.Count("", "")
    )
    is_whole = sign.unit == "count" and value >= 1
    words = f"{value:,.0f}" if is_whole else quantity_words(value, sign.unit)
    words = count.words if count.mean else words
    since = ", on average since boot" if entry.is_since_boot else count.mean
    return sign.words.format(value=words, of=about) + since
