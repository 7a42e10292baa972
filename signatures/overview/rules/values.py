"""The values that a rule measures: of one fact, or of one against another, with what its sentence needs.

measured(evidence, rule)  ->  Measured(0.98, entry, {"number": 9.8e8, "base": 1e9, "cgroup": "/a"}, places)
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from signatures.overview.rules.templates import filled
from signatures.rendering.places import SHOWN_PLACES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from signatures.overview.model import Place
    from signatures.overview.rules.rule import Rule, Source
    from signatures.overview.rules.templates import Fields
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence


class Measured(NamedTuple):
    """One value of a rule.

    Attributes:
        value: The number, or its share of the base.
        entry: The fact that it is of; of several the first that is cited.
        fields: Labels, `number`, `base`, `text`, and what the rule takes from beside.
    """

    value: float
    entry: FactEntry
    fields: Fields
    places: tuple[Place, ...]


class _Part(NamedTuple):
    """A number with its entries, what is cited first."""

    number: float
    entries: Sequence[FactEntry]

    @property
    def entry(self) -> FactEntry:
        return self.entries[0]


class _Other(NamedTuple):
    """What a source has beside an entry: a number or a list of texts, and its entries."""

    value: float | str
    entries: Sequence[FactEntry]


def measured(evidence: ScopeEvidence, rule: Rule) -> Iterator[Measured]:
    """Yield the values of a rule; of those with a base the highest share, where the highest is asked for."""
    found = _measured(evidence, rule)
    if rule.take not in {"highest", "top"} or rule.per:
        yield from found
    elif most := max(found, key=lambda one: one.value, default=None):
        yield most


def _measured(evidence: ScopeEvidence, rule: Rule) -> Iterator[Measured]:
    others = {name: _Beside(evidence, source) for name, source in rule.beside}
    base_of = _Beside(evidence, rule.base) if rule.base else None
    for part in _parts(evidence, rule):
        base = base_of.of(part.entry) if base_of else None
        fields: Fields = {
            **part.entry.fact.labels,
            "number": part.number,
            "value": part.number,
            "first": part.entry.number,
            "entries": float(len(part.entries)),
            "counter": part.entry.fact.name.rpartition(".")[2],
        }
        if isinstance(part.entry.fact.value, str):
            fields["text"] = part.entry.fact.value
        if len(part.entries) > 1:
            fields["times"] = float(len(part.entries))
        cited: list[FactEntry] = list(part.entries[:SHOWN_PLACES])
        if rule.is_unbased:
            if base is not None:
                continue
        elif rule.base:
            if base is None or isinstance(base.value, str):
                continue
            whole = base.value + (part.number if rule.is_added else 0.0)
            if not 0 < whole < float("inf") or (rule.is_remainder and not part.number > 0):
                continue
            rest = max(0.0, part.number - whole) if rule.is_remainder else whole - part.number
            fields |= {"base": whole, "rest": rest, "parts": float(len(base.entries))}
            fields["value"] = rest / part.number if rule.is_remainder else part.number / whole
            cited = {"both": [*cited, base.entries[0]], "base": [base.entries[0]]}.get(rule.cites, cited)
        for name, other in others.items():
            if (found := other.of(part.entry)) is not None:
                fields[name] = found.value
                cited += found.entries[:1] if other.source.is_cited else ()
        for name, (above, below) in rule.quotients:
            if bound := number_of(fields, below):
                fields[name] = number_of(fields, above) / bound
        places = tuple(dict.fromkeys(one.place for one in cited))
        yield Measured(number_of(fields, "value"), part.entry, fields, places)


def number_of(fields: Mapping[str, float | str], name: str) -> float:
    """Return a field that is a number; 0 for what is not there."""
    found = fields.get(name, 0.0)
    return 0.0 if isinstance(found, str) else found


def _parts(evidence: ScopeEvidence, rule: Rule) -> Iterator[_Part]:
    """Yield the values of the fact itself."""
    found = [
        (entry, number)
        for entry in _entries(evidence, rule)
        if (number := number_at(entry, rule.word)) is not None
    ]
    if rule.take == "each" or (rule.take in {"highest", "top"} and not rule.per):
        ranked = sorted(found, key=lambda one: -one[1])[: rule.shown] if rule.shown else found
        yield from (_Part(number, [entry]) for entry, number in ranked)
    elif rule.per:
        highest: dict[tuple[str, ...], _Part] = {}
        for entry, number in found:
            key = tuple(entry.label(name) for name in rule.per)
            # A parent counts what its children count, which are printed before it.
            if key not in highest or number >= highest[key].number:
                highest[key] = _Part(number, [entry])
        yield from highest.values()
    elif found and rule.take == "sum":
        own = [one for one in found if one[0].item is found[0][0].item]
        yield _Part(sum(number for _, number in own), [max(own, key=lambda one: one[1])[0]])
    elif found and rule.take == "all":
        ranked = sorted(found, key=lambda one: -one[1])
        total = sum(number for _, number in found)
        yield _Part(total, [entry for entry, _ in ranked])
    elif found:
        entry, number = found[-1] if rule.take == "last" else min(found, key=lambda one: one[1])
        yield _Part(number, [entry])


def _entries(evidence: ScopeEvidence, rule: Rule) -> Iterator[FactEntry]:
    names = [next((name for name in (rule.fact, *rule.instead) if evidence.facts(name)), "")]
    if rule.matching:
        matching = re.compile(rule.matching)
        names = [name for name in evidence.names("") if matching.fullmatch(name)]
    for name in names:
        for entry in evidence.facts(name):
            is_other_look = rule.is_first_look and entry.fact.snapshot
            text = str(entry.fact.value)
            if is_other_look or text in rule.excludes or (rule.values and text not in rule.values):
                continue
            # The highest of one CPU is stated of that CPU alone.
            is_of_cpu = entry.label("cpu") not in {"", "all"}
            if rule.take == "highest" and is_of_cpu != ("{cpu}" in rule.of):
                continue
            if _has_labels(entry, rule.labels):
                yield entry


def _has_labels(entry: FactEntry, labels: Iterable[tuple[str, str | tuple[str, ...]]]) -> bool:
    return all(entry.label(name) in ((texts,) if isinstance(texts, str) else texts) for name, texts in labels)


def number_at(entry: FactEntry, word: int) -> float | None:
    """Return the number of a fact, 0 for words; or one word of a text, None where it is no number."""
    if word < 0:
        return entry.number
    words = str(entry.fact.value).split()
    if isinstance(entry.fact.value, float) and not word:
        return entry.fact.value
    return float(words[word]) if word < len(words) and words[word].isdecimal() else None


class _Beside:
    """Values of a source, found by an entry beside them."""

    def __init__(self, evidence: ScopeEvidence, source: Source) -> None:
        self.source = source
        self._evidence = evidence
        self._by_key: dict[object, list[FactEntry]] = {}
        for name in source.facts:
            for entry in evidence.facts(name):
                if _has_labels(entry, source.labels):
                    self._by_key.setdefault(self._key(entry), []).append(entry)

    def of(self, entry: FactEntry) -> _Other | None:
        """Return what is beside an entry."""
        found = self._by_key.get(self._key(entry), [])
        if self.source.match == "file":
            found = self._of_file(entry)
        elif self.source.match == "highest":
            found = sorted(found, key=lambda one: -one.number)[:1]
        elif not self.source.listed and self.source.match != "item":
            # The last of each name: it is the newest, and a name in several files is not summed.
            found = list({one.fact.name: one for one in found}.values())
        if not found:
            return None
        if self.source.listed:
            found = sorted(found, key=lambda one: -one.number)
            texts = [filled(self.source.listed, one.fact.labels) for one in found]
            more = ", …" if len(texts) > self.source.shown else ""
            return _Other(f"{', '.join(texts[: self.source.shown])}{more}", found)
        if self.source.is_text:
            return _Other(str(found[0].fact.value), found)
        numbers = [number_at(one, self.source.word) for one in found]
        known = [one for one in numbers if one is not None]
        return _Other(sum(known), found) if len(known) == len(numbers) else None

    def _key(self, entry: FactEntry) -> object:
        """Return what an entry and the values beside it have in common."""
        match = self.source.match
        names = self.source.by or tuple(entry.fact.labels)
        labels = frozenset((name, entry.label(name)) for name in names)
        if match == "look":
            return id(entry.item), labels, entry.fact.snapshot
        if match == "folder":
            return entry.item.evidence.rsplit("/", 1)[0], labels, entry.fact.snapshot
        return (id(entry.item), labels if self.source.by else ()) if match == "item" else ()

    def _of_file(self, entry: FactEntry) -> list[FactEntry]:
        """Return the highest of each name, of its own file, else of the only other one that has it.

        The kernel prints the counters of one protocol in two files, /proc/net/snmp and netstat.
        """
        names = self.source.facts
        found = [one for name in names if (one := self._evidence.highest(name))]
        if found and found[0].item is entry.item:
            return found
        files = {id(one.item) for name in names for one in self._evidence.facts(name)}
        is_only = len(files) == 1 and all(len(self._evidence.facts(name)) < 2 for name in names)
        return found if is_only else []
