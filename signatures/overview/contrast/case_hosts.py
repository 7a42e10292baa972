"""What is different between the hosts of one case: the facts in which the one with trouble stands out.

db1 differs from db2 most in memcg.usage_share (/db): 1 against 0.41
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from signatures.language.number_format import quantity_words
from signatures.overview.contrast.hosts import contrast
from signatures.overview.model import Figure, Panel, Statement
from signatures.overview.scope_evidence import FactEntry

if TYPE_CHECKING:
    from collections.abc import Sequence, Sized

    from ingest.model.facts import FactValue
    from signatures.judging.scope import Scope
    from signatures.overview.contrast.hosts import Difference
    from signatures.overview.model import Place

NAME = "hosts-compared"
TITLE = "Hosts compared"
SHOWN = 8
NAMED = 3
LEAST_BITS = 2.0
"""Surprise from which on a difference is worth a sentence."""


def hosts_compared(scopes: Sequence[Scope], panels: Sequence[Panel]) -> list[Panel]:
    """Return a panel that compares the host with most alarms to the others; none for a single host."""
    named = [scope for scope in scopes if scope.host and scope.phase == "during"]
    if len(named) < 2:
        return []
    alarms: Counter[str] = Counter()
    for panel in panels:
        alarms[panel.host] += sum(one.kind == "alarm" for one in panel.statements)
    bad = max(named, key=lambda scope: alarms[scope.host])
    entries = [FactEntry(fact, item) for item in bad.items for fact in item.reading.facts]
    good = {
        scope.host: [fact for item in scope.items for fact in item.reading.facts]
        for scope in named
        if scope is not bad
    }
    found = contrast([entry.fact for entry in entries], good).differences
    shown = [one for one in found if one.bits >= LEAST_BITS][:SHOWN]
    others = ", ".join(good)
    if not shown:
        lacks = ("the same captures on a host that works and on one that does not",)
        summary = f"No fact that {bad.host} shares with {others} differs much."
        return [Panel(NAME, TITLE, "", "during", "unknown", summary, lacks=lacks)]
    figures = tuple(_figure(one, entries[one.bad_at].place, good) for one in shown)
    words = "; ".join(_words(one) for one in shown[:NAMED])
    text = f"{bad.host} differs from {others} most in {words}"
    places = tuple(entries[one.bad_at].place for one in shown[:NAMED])
    statement = Statement("scheduling", text, places, "fact", "notable")
    return [Panel(NAME, TITLE, "", "during", "calm", f"{text}.", figures, (), (statement,))]


def _figure(one: Difference, place: Place, good: Sized) -> Figure:
    value = one.bad if isinstance(one.bad, str) else float(one.bad)
    note = f"{', '.join(_value(each, one.unit) for each in one.good[: len(good)])} elsewhere: {one.because}"
    return Figure(_label(one), value, one.unit, (place,), note=note)


def _label(one: Difference) -> str:
    labels = ", ".join(value for _, value in one.labels)
    return f"{one.name} ({labels})" if labels else one.name


def _words(one: Difference) -> str:
    against = ", ".join(dict.fromkeys(_value(each, one.unit) for each in one.good))
    return f"{_label(one)}: {_value(one.bad, one.unit)} against {against}"


def _value(value: FactValue, unit: str) -> str:
    return quantity_words(value if isinstance(value, str) else float(value), unit)
