"""Traits of a case: what another host with the same problem shows, too, each with a weight in 0..1.

wait:jbd2_log_wait_commit      innermost functions of tasks that wait
class:nvme_timeout/nvme        class of the kernel log of an alarm, with the kind of device
function:osq_lock              function that is heavy in a profile, or on the stack of a waiting task
statement:throttled            word of a statement that is no context: names and numbers are left out
signature:mm/memcg-oom         signature that is, or may be

Titles, hosts, kernels, files, facts and functions of most stacks are no traits.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from backend.search.clusters import COMMON_FUNCTIONS, device_kind_of
from backend.search.words import plain_words_of
from ingest.frames.normalise import normalise

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from signatures.documents.alarm import AlarmDocument
    from signatures.documents.overview import OverviewDocument
    from signatures.documents.waits import WaitGraphDocument

Kind: TypeAlias = Literal["wait", "class", "function", "statement", "signature"]
Traits: TypeAlias = dict[str, float]

WAIT_DEPTH, STACK_DEPTH = 2, 12
"""Functions of a waiting task that say what it waits for, and of its whole stack."""
MAX_FUNCTIONS = 40
LEAST_OF_HEAVIEST = 0.02
"""Lighter functions, as a share of the heaviest, are no traits."""
MAX_TRAITS = 200
MAX_LENGTH = 100
_FUNCTION = re.compile(r"[A-Za-z_][\w.:~<>]{3,}")


class Shown(NamedTuple):
    """What the evidence of a case shows.

    Attributes:
        findings: Signature and verdict of matches and suspects.
        functions: Name and weight, the heaviest first.
    """

    findings: Sequence[tuple[str, str]]
    alarms: Sequence[AlarmDocument]
    waits: Sequence[WaitGraphDocument]
    overview: OverviewDocument | None
    functions: Sequence[tuple[str, float]]


def kind_of(trait: str) -> str:
    """Return the kind of a trait."""
    return trait.partition(":")[0]


def traits_of(shown: Shown) -> Traits:
    """Return the traits of a case with their weights."""
    found: Traits = {}
    for trait, weight in _all(shown):
        name = trait[:MAX_LENGTH]
        found[name] = max(found.get(name, 0.0), weight)
    ranked = sorted(found, key=lambda trait: (-found[trait], trait))[:MAX_TRAITS]
    return {trait: round(found[trait], 3) for trait in ranked}


def _all(shown: Shown) -> Iterator[tuple[str, float]]:
    for signature, verdict in shown.findings:
        yield f"signature:{signature}", 1.0 if verdict == "match" else 0.5
    for alarm in shown.alarms:
        yield from _classes(alarm)
    for graph in shown.waits:
        yield from _waits(graph)
    yield from _functions(shown.functions)
    if shown.overview is not None:
        for statement in shown.overview.statements:
            if statement.kind != "fact" or statement.level != "context":
                yield from ((f"statement:{word}", 1.0) for word in plain_words_of(statement.text))


def _classes(alarm: AlarmDocument) -> Iterator[tuple[str, float]]:
    for place, name in enumerate(alarm.log_classes):
        yield f"class:{name}", 0.7 if place else 1.0
    device = device_kind_of(alarm)
    if alarm.log_classes and device:
        yield f"class:{alarm.log_classes[0]}/{device}", 0.5


def _waits(graph: WaitGraphDocument) -> Iterator[tuple[str, float]]:
    waiting = sum(node.count for node in graph.nodes if node.frames) or 1
    for node in graph.nodes:
        share = (node.count / waiting) ** 0.5
        for depth, name in enumerate(_telling(node.frames)):
            kind = "wait" if depth < WAIT_DEPTH else "function"
            yield f"{kind}:{name}", share * (0.6 if depth else 1.0)


def _telling(frames: Iterable[str]) -> list[str]:
    """Return the innermost functions without those of most stacks."""
    return [name for name in map(normalise, frames) if name not in COMMON_FUNCTIONS][:STACK_DEPTH]


def _functions(functions: Sequence[tuple[str, float]]) -> Iterator[tuple[str, float]]:
    telling = [one for one in functions if one[0] not in COMMON_FUNCTIONS and _FUNCTION.fullmatch(one[0])]
    heaviest = max((weight for _, weight in telling), default=0.0)
    for name, weight in telling[:MAX_FUNCTIONS]:
        if weight > 0 and weight >= LEAST_OF_HEAVIEST * heaviest:
            yield f"function:{name}", (weight / heaviest) ** 0.5
