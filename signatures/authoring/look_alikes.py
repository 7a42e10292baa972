"""Look-alikes: fixtures of a library that resemble evidence, and what a signature says of them.

Similarity is the Jaccard index of features: functions of profiles and kernel log stacks, classes of log
records, names of row sets and of counters. A look-alike on which a draft fires is either the same pathology,
or lacks an excluding condition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ingest.frames.normalise import normalise
from signatures.authoring.draft_counters import watched_counters
from signatures.authoring.fixture_tests import FIRING, fixtures, read_folder
from signatures.document.files import LIBRARY
from signatures.judging.judge import judge
from signatures.judging.scope import items_of
from signatures.language.model import Catalog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from signatures.authoring.fixture_tests import Fixture
    from signatures.judging.scope import Item
    from signatures.language.model import Signature

MOST = 5
LEAST_SIMILARITY = 0.05


class LookAlike(NamedTuple):
    """A fixture that resembles evidence.

    Attributes:
        similarity: Share of common features, 0..1.
        verdict: Verdict of the drafted signature on it.
        fires: The draft is match or suspect.
    """

    fixture: Fixture
    similarity: float
    verdict: str
    fires: bool


def features(items: Iterable[Item]) -> frozenset[str]:
    """Return the features of evidence."""
    return frozenset(_features(items))


def _features(items: Iterable[Item]) -> Iterator[str]:
    for item in items:
        for profile in item.reading.profiles:
            yield from (f"frame:{normalise(frame.name)}" for frame in profile.frames)
        yield from (f"log:{record.kind}" for record in item.reading.log_records)
        yield from (f"rows:{rows.name}" for rows in item.reading.row_sets)
        yield from (f"counter:{fact.name}" for fact in item.reading.facts if fact.name in watched_counters())


def look_alikes(
    signature: Signature,
    items: Sequence[Item],
    root: Path = LIBRARY,
    most: int = MOST,
    *,
    on_progress: Callable[[float], None] | None = None,
) -> list[LookAlike]:
    """Return the fixtures nearest to `items`, the nearest first, judged by `signature`.

    Args:
        signature: The draft.
        items: The evidence it was made from.
        root: Library with the fixtures.
        most: How many are returned.
        on_progress: Called with the share of the fixtures compared, 0..1.
    """
    own = features(items)
    nearest: list[tuple[float, Fixture, list[Item]]] = []
    # Evidence that several signatures test belongs to the one whose folder it is in.
    candidates = [one for one in fixtures(root) if "same_as" not in one.expected]
    for number, fixture in enumerate(candidates):
        if on_progress is not None:
            on_progress(number / len(candidates))
        if fixture.signature == signature.id:
            continue
        read = items_of(read_folder(fixture.folder))
        theirs = features(read)
        similarity = len(own & theirs) / len(own | theirs) if own and theirs else 0.0
        if similarity >= LEAST_SIMILARITY:
            nearest.append((similarity, fixture, read))
    ranked = sorted(nearest, key=lambda row: (-row[0], str(row[1].folder)))
    return [
        LookAlike(fixture, similarity, verdict, verdict in FIRING)
        for similarity, fixture, read in ranked[:most]
        for verdict in [_verdict(signature, read)]
    ]


def _verdict(signature: Signature, items: Sequence[Item]) -> str:
    findings = judge(items, Catalog((signature,), ()))
    return findings[0].verdict if findings else "unknown"
