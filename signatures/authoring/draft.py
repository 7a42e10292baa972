"""Draft a signature from evidence: its most prominent features as conditions.

The draft is valid and fires on the evidence it was made from. It lacks counter-evidence: the author adds
excluding conditions, negative evidence and titles.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ingest.catalogue.log_classes import ALARMING, classes_by_name
from ingest.frames.wait_points import title_of
from signatures.authoring.distinct import distinct
from signatures.authoring.draft_clause import DraftClause
from signatures.authoring.draft_counters import counter_clauses
from signatures.authoring.draft_levels import level_clauses
from signatures.authoring.draft_profile import profile_clauses
from signatures.waits import graph_of
from signatures.waits.sentences import MANY, is_notable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.reading import LogRecord, Reading
    from signatures.judging.scope import Item

MAX_OF_A_KIND = 2
NAMING_FIELDS = ("function", "driver", "constraint", "table", "trap")
"""Fields of log records that name code, not a machine."""

FIXES = """\
# fixes:
#   - {{kind: procedure, title: {title}, scope: runtime, first_on: , risk: , undo: , verify: }}
"""
"""The one that cured the case, for its author to complete: no draft knows risk and undo."""

NOTHING = (
    "no feature that a condition could test: "
    "add a perf script with kernel stacks, a kernel log with the error, or "
    "two readings of a counter that grows; "
    "a message without a class is tested by `log: {text: …}`"
)


def draft(
    signature_id: str,
    items: Sequence[Item],
    *,
    title: str = "",
    fix: str = "",
    unlike: Sequence[Sequence[Item]] = (),
) -> str:
    """Return the text of `signature.yaml` for a new signature.

    Args:
        signature_id: `area/name`.
        items: Evidence that shows the pathology.
        title: Title of the signature; made of its name when "".
        fix: What cured the case, "" when unknown.
        unlike: Evidence that resembles it and shows another pathology: of the functions of profiles those are
            tested that it does not have.

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
    if not any(each.is_core for each in found.values()):
        found.update((each.clause, each) for each in counter_clauses(items) or level_clauses(items))
    if not any(each.is_core for each in found.values()):
        raise ValueError(NOTHING)
    found = {each.clause: each for each in distinct(list(found.values()), unlike)}
    cores = {each.clause: each.weight for each in found.values() if each.is_core}
    total, heaviest = sum(cores.values()), max(cores.values())
    name = signature_id.rpartition("/")[2].replace("-", " ")
    captures = "".join(f"  {each.clause}: {each.capture}\n" for each in found.values() if each.capture)
    return f"""# yaml-language-server: $schema=../../../signature.schema.json
schema: 1
id: {signature_id}
version: 1
title: {json.dumps(title, ensure_ascii=False) if title else name.capitalize()}
severity: medium
status: draft
# defect: a fault of kernel code, `affected` lists the releases. condition: a limit, a setting, a load or
# hardware, `reason` says why no release causes or ends it.
kind: defect
symptoms: [what a user notices first]
# Facts in this evidence, to test with `fact: {{name: …, at_least: …}}`:
#   {_facts_words(facts)}
clauses:
{"".join(each.yaml for each in found.values())}decide:
  require: {{any: [{", ".join(cores)}]}}
  suspect: {{score: {heaviest if len(cores) > 1 else heaviest / 2:g}}}
  match: {{score: {total:g}, all: [{", ".join(cores)}], min_coverage: 0.5}}
{f"next:{chr(10)}{captures}" if captures else ""}{FIXES.format(title=json.dumps(fix, ensure_ascii=False))}"""


def _facts_words(facts: set[str]) -> str:
    chosen = sorted(name for name in facts if not name.startswith(("log.", "perf.event", "perf.cmdline")))
    return ", ".join(chosen[:12]) + (" …" if len(chosen) > 12 else "") if chosen else "none"


def _of(reading: Reading) -> Iterator[DraftClause]:
    for profile in reading.profiles:
        yield from profile_clauses(profile)
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
        about = f" ({' '.join(named.values())})" if named else ""
        known = classes_by_name()[kind]
        title = json.dumps(f"Kernel log: {known.meaning}{about}", ensure_ascii=False)
        # One warning is common; half of what was seen says the same of another host.
        least = max(1, len(alarms) // 2) if known.severity == "warning" else 1
        yield DraftClause(
            f"logged_{kind}",
            f"  logged_{kind}:\n"
            f"    title: {title}\n"
            "    role: core\n"
            f"    # {len(alarms)} in this evidence.\n"
            f"    log: {{class: {kind}{code}, at_least: {least}, window: 1 h}}\n"
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
