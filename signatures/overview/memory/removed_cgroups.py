"""Cgroups that are removed but not freed, because pages are still charged to them.

Some 2,110 memory cgroups are removed but not freed: 4,110 exist, 2,001 have a directory
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.model import Answer, Figure, Statement

if TYPE_CHECKING:
    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import ScopeEvidence

MANY = 1000.0
FACTOR = 1.5
"""So many removed groups; and all groups against those with a directory: a few die at any moment."""

READ_SHARE = 0.01
STATED = ("cgroups.memory.dead", "cgroup.stat.nr_dying_subsys_memory", "cgroup.stat.nr_dying_descendants")
_SHOW = frozenset({"memory_stat_show", "memcg_stat_show", "memory_stat_format", "memcg_stat_format"})
"""mm/memcontrol.c: what a read of memory.stat runs."""


def removed_cgroups(evidence: ScopeEvidence) -> Answer:
    """Return how many cgroups are removed but not freed, with the share of samples that read memory.stat."""
    dead, words, places = _dead(evidence)
    if not words:
        return Answer("")
    is_many = dead >= MANY
    figure = Figure("cgroups that are removed but not freed", dead, "count", places, is_many)
    if not is_many:
        return Answer("", (figure,))
    text = f"{words}{_readers(evidence)}"
    statement = Statement("cgroup-limits", text, places, "fact", "notable", is_notable=True)
    return Answer("", (figure,), (), (statement,))


def _dead(evidence: ScopeEvidence) -> tuple[float, str, tuple[Place, ...]]:
    """Return the number of removed groups, in words, with its lines; 0 and "" when unknown."""
    for name in STATED:
        if entry := evidence.highest(name):
            return entry.number, f"{entry.number:,.0f} cgroups are removed but not freed", (entry.place,)
    known, named = evidence.highest("cgroups.memory.num_cgroups"), evidence.highest("cgroups.memory.dirs")
    if known is None or named is None or not named.number or known.number < FACTOR * named.number:
        return 0.0, "", ()
    dead = known.number - named.number
    words = f"Some {round(dead, -1):,.0f} memory cgroups are removed but not freed: "
    words += f"{known.number:,.0f} exist, {named.number:,.0f} have a directory"
    return dead, words, (known.place, named.place)


def _readers(evidence: ScopeEvidence) -> str:
    """Return who reads memory.stat, for how many of the samples; "" for few."""
    stacks = evidence.main
    if stacks is None:
        return ""
    reads = stacks.has(stacks.frames_where(_SHOW.__contains__))
    share = stacks.share_of_nodes(reads)
    if share < READ_SHARE:
        return ""
    by_comm: dict[str, float] = {}
    profile = stacks.profile
    for node, thread, weight in zip(
        profile.sample_node.tolist(), profile.sample_thread.tolist(), stacks.weight.tolist(), strict=True
    ):
        if node >= 0 and reads[node]:
            comm = profile.threads[thread].comm
            by_comm[comm] = by_comm.get(comm, 0.0) + weight
    who = max(by_comm, key=lambda comm: by_comm[comm])
    return f"; {value_words(share, 'share')} of samples read memory.stat, most of them in {who}"
