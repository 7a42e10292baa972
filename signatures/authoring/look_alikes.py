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
from signatures.judging.decide import UNKNOWN
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
MOST_READ = 25
"""How many are kept for those that the tests of a signature need."""

LEAST_SILENT = 3
"""A signature has two negatives or more, and one on which it must stay undecided."""


class Near(NamedTuple):
    """A fixture, how much it resembles evidence (share of common features, 0..1), and its readings."""

    similarity: float
    fixture: Fixture
    items: list[Item]


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


def nearest(
    items: Sequence[Item],
    root: Path = LIBRARY,
    *,
    on_progress: Callable[[float], None] | None = None,
) -> list[Near]:
    """Return the fixtures that resemble `items` most, the nearest first; of equal ones those of its formats.

    Args:
        items: Evidence.
        root: Library with the fixtures.
        on_progress: Called with the share of the fixtures compared, 0..1.
    """
    own, formats = features(items), {item.format for item in items}
    found: list[tuple[tuple[float, int, str], Near]] = []
    # Evidence that several signatures test belongs to the one whose folder it is in.
    candidates = [one for one in fixtures(root) if "same_as" not in one.expected]
    for number, fixture in enumerate(candidates):
        if on_progress is not None:
            on_progress(number / len(candidates))
        read = items_of(read_folder(fixture.folder))
        theirs = features(read)
        similarity = len(own & theirs) / len(own | theirs) if own and theirs else 0.0
        common = len(formats & {item.format for item in read})
        if similarity or common:
            found.append(((-similarity, -common, str(fixture.folder)), Near(similarity, fixture, read)))
            found = sorted(found, key=lambda row: row[0])[:MOST_READ]
    return [near for _, near in found]


def look_alikes(signature: Signature, near: Sequence[Near]) -> list[LookAlike]:
    """Return the nearest fixtures, judged by `signature`, and the next ones until it has enough silent ones.

    Args:
        signature: The draft.
        near: Fixtures, the nearest first.
    """
    found: list[LookAlike] = []
    others = [one for one in near if one.fixture.signature != signature.id]
    for number, one in enumerate(others):
        is_like = number < MOST and one.similarity >= LEAST_SIMILARITY
        silent = [each.verdict for each in found if not each.fires]
        is_short = len(silent) < LEAST_SILENT
        if not is_like and not is_short and UNKNOWN in silent:
            break
        verdict = _verdict(signature, one.items)
        if is_like or verdict == UNKNOWN or (is_short and verdict not in FIRING):
            found.append(LookAlike(one.fixture, one.similarity, verdict, verdict in FIRING))
    return found


def _verdict(signature: Signature, items: Sequence[Item]) -> str:
    findings = judge(items, Catalog((signature,), ()))
    return findings[0].verdict if findings else UNKNOWN
