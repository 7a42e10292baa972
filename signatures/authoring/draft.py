"""Draft a signature from evidence: its most prominent features as conditions.

The draft is valid and fires on the evidence it was made from. It lacks counter-evidence: the author adds
excluding conditions, negative evidence and titles.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ingest.catalogue.log_classes import ALARMING
from ingest.frames.wait_points import title_of
from signatures.authoring.draft_counters import counter_clause, growing_counters
from signatures.judging.profile_index import Tree
from signatures.waits import graph_of
from signatures.waits.sentences import MANY, is_notable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.profile import Profile
    from ingest.model.reading import LogRecord, Reading
    from signatures.judging.scope import Item

LEAST_SHARE = 0.05
LEAST_SAMPLES = 200
LEAST_STACKS = 2
MAX_OF_A_KIND = 2
FRAMES = 8
SAME_CHAIN = 0.7
"""Functions with nearly the share of a heavier one belong to the same call chain and are omitted."""

ENTRIES = (
    "entry_",
    "do_syscall_64",
    "asm_",
    "ret_from_fork",
    "kthread",
    "x64_sys_call",
    "start_",
    "secondary_",
)
NAMING_FIELDS = ("function", "driver", "constraint", "table", "trap")
"""Fields of log records that name code, not a machine."""

NOTHING = (
    "no feature that a condition could test: "
    "add a perf script with kernel stacks, a kernel log with the error, or "
    "two readings of a counter that grows; "
    "a message without a class is tested by `log: {text: …}`"
)


@dataclass(frozen=True, slots=True)
class DraftClause:
    """One drafted clause.

    Attributes:
        clause: Id of the condition.
        yaml: Its lines, indented for `clauses:`.
        weight: Weight of the clause.
        capture: Name of the capture that settles it, "" for none.
    """

    clause: str
    yaml: str
    weight: int
    capture: str


def draft(signature_id: str, items: Sequence[Item]) -> str:
    """Return the text of `signature.yaml` for a new signature.

    Raises:
        ValueError: No prominent feature.
    """
    found: dict[str, DraftClause] = {}
    facts: set[str] = set()
    for item in items:
        facts.update(fact.name for fact in item.reading.facts)
        for each in _of(item.reading):
            found.setdefault(each.clause, each)
    waits = list(_of_waits(items))
    if waits:
        # Who waits behind whom says more than that somebody waits, and where.
        said = [name for name in found if name == "logged_hung_task" or name.startswith("seen_")]
        for name in said:
            del found[name]
    found.update((each.clause, each) for each in waits)
    if not found:
        found = {row[0]: DraftClause(*row) for row in map(counter_clause, growing_counters(items))}
    if not found:
        raise ValueError(NOTHING)
    total = sum(each.weight for each in found.values())
    name = signature_id.rpartition("/")[2].replace("-", " ")
    captures = "".join(f"  {each.clause}: {each.capture}\n" for each in found.values() if each.capture)
    return f"""# yaml-language-server: $schema=../../../signature.schema.json
schema: 1
id: {signature_id}
version: 1
title: {name.capitalize()}
severity: medium
status: draft
symptoms: [what a user notices first]
# Facts in this evidence, to test with `fact: {{name: …, at_least: …}}`:
#   {_facts_words(facts)}
clauses:
{"".join(each.yaml for each in found.values())}decide:
  require: {{any: [{", ".join(found)}]}}
  suspect: {{score: {max(each.weight for each in found.values()) / 2:g}}}
  match: {{score: {total:g}, all: [{", ".join(found)}], min_coverage: 0.5}}
{f"next:{chr(10)}{captures}" if captures else ""}"""


def _facts_words(facts: set[str]) -> str:
    chosen = sorted(name for name in facts if not name.startswith(("log.", "perf.event", "perf.cmdline")))
    return ", ".join(chosen[:12]) + (" …" if len(chosen) > 12 else "") if chosen else "none"


def _of(reading: Reading) -> Iterator[DraftClause]:
    for profile in reading.profiles:
        yield from _of_profile(profile)
    yield from _of_log(reading.log_records)


def _of_log(records: Sequence[LogRecord]) -> Iterator[DraftClause]:
    """Yield the first classes of alarms, with the code that their records agree on."""
    of_kind: dict[str, list[LogRecord]] = {}
    for record in records:
        if record.severity in ALARMING and record.kind != "call_trace":
            of_kind.setdefault(record.kind, []).append(record)
    for kind, alarms in list(of_kind.items())[:MAX_OF_A_KIND]:
        named = {
            name: values.pop()
            for name in NAMING_FIELDS
            for values in [{str(record.fields.get(name, "")) for record in alarms}]
            if len(values) == 1 and "" not in values
        }
        fields = ", ".join(f"{name}: {json.dumps(value)}" for name, value in named.items())
        code = f", fields: {{{fields}}}" if named else ""
        about = " about " + " ".join(named.values()) if named else ""
        title = json.dumps(f"The kernel log has a record of the kind {kind}{about}")
        yield DraftClause(
            f"logged_{kind}",
            f"  logged_{kind}:\n"
            f"    title: {title}\n"
            "    role: core\n"
            f"    log: {{class: {kind}{code}, at_least: 1, window: 1 h}}\n"
            "    weight: 3\n",
            3,
            "kernel_log",
        )


def _of_waits(items: Sequence[Item]) -> Iterator[DraftClause]:
    """Yield the resources at the end of chains of waits, the longest chains first."""
    graph = graph_of(items)
    roots = [root for root in graph.roots if root.behind >= MANY and is_notable(graph, root)]
    for root in sorted(roots, key=lambda root: -root.behind)[:MAX_OF_A_KIND]:
        kind = graph.resources[root.waits_for if root.waits_for >= 0 else root.resource].kind
        yield DraftClause(
            f"waits_{kind}",
            f"  waits_{kind}:\n"
            f"    title: Three tasks or more wait behind {title_of(kind)}\n"
            "    role: core\n"
            f"    # {root.behind} in this evidence.\n"
            f"    waits: {{on: [{kind}], tasks: {{at_least: {MANY}}}}}\n"
            "    weight: 4\n",
            4,
            "blocked_tasks",
        )


def _of_profile(profile: Profile) -> Iterator[DraftClause]:
    """Yield the heaviest functions of the busy kernel, each below its most frequent caller."""
    tree = Tree(profile)
    busy = np.flatnonzero(tree.population("kernel_busy")) if tree.is_timed else np.empty(0, dtype=np.intp)
    total = float(tree.weight[busy].sum()) if len(busy) else 0.0
    if len(busy) < LEAST_SAMPLES or not total:
        yield from _of_few_stacks(tree)
        return
    shares: dict[tuple[str, str], float] = {}
    for sample in busy:
        for pair in set(_pairs(tree, int(profile.sample_node[sample]))):
            shares[pair] = shares.get(pair, 0.0) + float(tree.weight[sample]) / total
    heaviest = sorted(shares.items(), key=lambda row: (-row[1], row[0]))
    chosen: list[float] = []
    for (frame, caller), share in heaviest:
        if share < LEAST_SHARE or len(chosen) == MAX_OF_A_KIND:
            return
        if chosen and share > SAME_CHAIN * chosen[-1]:
            continue
        chosen.append(share)
        whole = math.floor(share * 100) / 100
        clause = f"hot_{frame.strip('_').lower().replace('.', '_')}"
        yield DraftClause(
            clause,
            f"  {clause}:\n"
            f"    title: Kernel time in {frame} called from {caller}\n"
            "    role: core\n"
            f"    # {share:.1%} in this evidence: full weight; half of it: half the weight.\n"
            f"    stack: {{contains: [{frame}], under: [{caller}], of: kernel_busy}}\n"
            f"    share: {{at_least: {max(LEAST_SHARE, share / 2):.2f}, strong: {whole:.2f}}}\n"
            "    weight: 4\n",
            4,
            "kernel_stacks",
        )


def _of_few_stacks(tree: Tree) -> Iterator[DraftClause]:
    """Yield the kernel function at the end of most stacks, of which there are too few for a share."""
    profile = tree.profile
    if profile.samples < LEAST_STACKS:
        return
    counts: Counter[tuple[str, str]] = Counter()
    for sample in np.flatnonzero(tree.population("kernel_busy")):
        innermost = next(_pairs(tree, int(profile.sample_node[sample])), None)
        if innermost is not None:
            counts[innermost] += 1
    for (frame, caller), count in counts.most_common(1):
        clause = f"seen_{frame.strip('_').lower().replace('.', '_')}"
        yield DraftClause(
            clause,
            f"  {clause}:\n"
            f"    title: Stacks end in {frame} called from {caller}\n"
            "    role: core\n"
            f"    # {count} of {profile.samples:g} stacks in this evidence: too few for a share.\n"
            f"    stack: {{contains: [{frame}], under: [{caller}]}}\n"
            "    seen: true\n"
            "    weight: 2\n",
            2,
            "kernel_stacks",
        )


def _pairs(tree: Tree, node: int) -> Iterator[tuple[str, str]]:
    """Yield (function, caller) for the innermost frames of a stack, without entry code."""
    profile = tree.profile
    names: list[str] = []
    while node >= 0 and len(names) < FRAMES:
        names.append(tree.names[profile.node_frame[node]])
        node = int(profile.node_parent[node])
    for inner, outer in pairwise(names):
        if not inner.startswith(ENTRIES) and not outer.startswith(ENTRIES) and "[" not in inner + outer:
            yield inner, outer
