"""What one reading shows, as conditions of a draft: drops since boot, and who holds memory that is short.

The overview raises an alarm for both, so a case can be solved by them alone. A drop is asked for as a share
of what it is a part of, in whichever file. An average since boot (`single: true`) never matches by itself.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from signatures.authoring.draft_clause import DraftClause
from signatures.language.number_format import value_words
from signatures.overview.drop_counters import drops
from signatures.overview.memory.owners import AVAILABLE_SHARE, CONTAINS_OTHERS, HOLDS_SHARE, OWNERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from signatures.judging.scope import Item
    from signatures.overview.drop_counters import Drop

TOTAL = "meminfo.memtotal_bytes"
AVAILABLE = "meminfo.memavailable_bytes"
POOL, POOL_FREE = "meminfo.hugepages_total", "meminfo.hugepages_free"
IDLE_POOL = 0.5
"""Share of reserved huge pages that nobody uses, from which that is what the case is about."""

WEIGHT = 4
BESIDE = 2
"""Weight of what many pathologies show: not enough to be suspected."""

_NETWORK, _MEMORY, _POOL = "tcp_counters", "memory_pressure", "huge_pages"
"""The captures that read them."""


def level_clauses(items: Sequence[Item]) -> list[DraftClause]:
    """Return the conditions that single readings of counters and of memory meet."""
    levels = _levels(items)
    return [*_of_drops(levels), *_of_memory(levels)]


def _levels(items: Sequence[Item]) -> dict[str, float]:
    """Return every number that has one reading and no labels."""
    found: dict[str, list[float]] = {}
    for item in items:
        for fact in item.reading.facts:
            if isinstance(fact.value, float) and not fact.labels:
                found.setdefault(fact.name, []).append(fact.value)
    return {name: values[0] for name, values in found.items() if len(values) == 1}


class _Share(NamedTuple):
    """A drop, with its share of its base; None where that is not in the evidence."""

    drop: Drop
    number: float
    base: float
    share: float | None

    @property
    def excess(self) -> float:
        """How far it is above what is usual; without a base, above the count that is worth a sentence."""
        return self.number / self.drop.alone if self.share is None else self.share / self.drop.above


def _of_drops(levels: Mapping[str, float]) -> Iterator[DraftClause]:
    """Yield the drop that is farthest above the usual; else one that is many, whatever its share."""
    shares = [_share(drop, levels) for drop in drops() if levels.get(drop.counter, 0.0) >= drop.least]
    unusual = [one for one in shares if one.share is not None and one.share >= one.drop.above]
    many = [one for one in shares if one.number >= one.drop.alone]
    if chosen := unusual or many:
        yield _drop_clause(max(chosen, key=lambda one: one.excess))


def _share(drop: Drop, levels: Mapping[str, float]) -> _Share:
    bases = [levels[name] for name in drop.base if name in levels]
    base = sum(bases) if len(bases) == len(drop.base) else 0.0
    count = levels[drop.counter]
    return _Share(drop, count, base, count / base if base else None)


def _drop_clause(one: _Share) -> DraftClause:
    drop = one.drop
    clause = "share_" + drop.counter.replace(".", "_")
    title = f"{drop.meaning[0].upper()}{drop.meaning[1:]}"
    if one.share is None:
        clause = "many_" + drop.counter.replace(".", "_")
        seen = f"{one.number:,.0f} in this evidence, of a total that is not in it"
        least = f"{max(drop.alone, one.number / 2):.0f}"
        test = f"    fact: {{name: {drop.counter}, at_least: {least}, single: true, say: since boot}}\n"
    else:
        share, usual = value_words(one.share, "share"), value_words(drop.above, "share")
        seen = f"{share} in this evidence ({one.number:,.0f} of {one.base:,.0f}); up to {usual} is usual"
        least = f"at_least: {one.share / 2:.2g}, strong: {one.share:.2g}"
        grown = [f"delta({name})" for name in drop.base]
        test = (
            "    any:\n"
            f"      - fact: {{expr: delta({drop.counter}) / {_sum(grown)}, {least}, "
            f"min: {{{' + '.join(grown)}: {drop.least:.0f}}}, say: between the readings}}\n"
            f"      - fact: {{expr: {drop.counter} / {_sum(drop.base)}, {least}, "
            f"min: {{{drop.counter}: {drop.least:.0f}}}, single: true, say: since boot}}\n"
        )
    return DraftClause(
        clause,
        f"  {clause}:\n"
        f"    title: '{title}'\n"
        "    role: core\n"
        f"    # {seen}.\n"
        "    # An average since boot never matches alone; two readings while it happens do.\n"
        f"{test}"
        f"    weight: {WEIGHT}\n",
        WEIGHT,
        _NETWORK,
    )


def _sum(names: Sequence[str]) -> str:
    return f"({' + '.join(names)})" if len(names) > 1 else names[0]


def _of_memory(levels: Mapping[str, float]) -> Iterator[DraftClause]:
    """Yield who holds memory, when little of it is available or that owner is seldom large."""
    total = levels.get(TOTAL, 0.0)
    if not total:
        return
    available = levels.get(AVAILABLE, total) / total
    is_short = available < AVAILABLE_SHARE
    held = [(owner, levels.get(f"meminfo.{owner.field}_bytes", 0.0) / total) for owner in OWNERS]
    telling = [
        (owner, share)
        for owner, share in held
        if share >= (owner.above or HOLDS_SHARE)
        and owner.field not in CONTAINS_OTHERS
        and (is_short or owner.above is not None)
    ]
    if not telling:
        return
    owner, share = max(telling, key=lambda one: one[1])
    least = max(owner.above or HOLDS_SHARE, share / 2)
    of_owner = f"meminfo.{owner.field}_bytes / {TOTAL}"
    yield _level_clause(
        f"held_by_{owner.field}",
        f"A large part of memory is {owner.words}",
        f"{value_words(share, 'share')} of memory",
        f"expr: {of_owner}, at_least: {_percent(least)}, strong: {_percent(share)}",
        _POOL if owner.field == "hugetlb" else _MEMORY,
    )
    pool, free = levels.get(POOL, 0.0), levels.get(POOL_FREE, 0.0)
    if owner.field == "hugetlb" and pool and free >= IDLE_POOL * pool:
        yield _level_clause(
            "idle_huge_pages",
            "Most reserved huge pages are not in use",
            f"{free:,.0f} of {pool:,.0f}",
            f"expr: {POOL_FREE} / {POOL}, at_least: {_percent(IDLE_POOL)}, strong: {_percent(free / pool)}",
            _POOL,
        )
    if is_short:
        yield _level_clause(
            "little_available",
            "Little memory is available",
            f"{value_words(available, 'share')} of memory",
            f"expr: {AVAILABLE} / {TOTAL}, at_most: {_percent(AVAILABLE_SHARE)}",
            _MEMORY,
            weight=BESIDE,
        )


def _percent(share: float) -> str:
    """Return a share in whole per cent, rounded down: what was seen reaches it."""
    return f"{math.floor(share * 100)} %"


def _level_clause(
    clause: str, title: str, seen: str, test: str, capture: str, *, weight: int = WEIGHT
) -> DraftClause:
    return DraftClause(
        clause,
        f"  {clause}:\n"
        f"    title: {title}\n"
        "    role: core\n"
        f"    # {seen} in this evidence.\n"
        f"    fact: {{{test}}}\n"
        f"    weight: {weight}\n",
        weight,
        capture,
    )
