"""Look-alikes: fixtures of a library that resemble evidence, and what a signature says of them.

Similarity is the Jaccard index of features: functions of profiles and kernel log stacks, classes of log
records, and names of row sets. A look-alike on which a draft fires is either the same pathology or lacks an
excluding condition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ingest.frames.normalise import normalise
from signatures.authoring.fixture_tests import FIRING, fixtures, read_folder
from signatures.document.files import LIBRARY
from signatures.judging.judge import judge
from signatures.judging.scope import items_of
from signatures.language.model import Catalog

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from ingest.evidence import Evidence
    from signatures.authoring.fixture_tests import Fixture
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


def features(evidences: Iterable[Evidence]) -> frozenset[str]:
    """Return the features of evidence."""
    return frozenset(_features(evidences))


def _features(evidences: Iterable[Evidence]) -> Iterator[str]:
    for evidence in evidences:
        for section in evidence.sections:
            reading = section.reading
            for profile in reading.profiles:
                yield from (f"frame:{normalise(frame.name)}" for frame in profile.frames)
            yield from (f"log:{record.kind}" for record in reading.log_records)
            yield from (f"rows:{rows.name}" for rows in reading.row_sets)
        yield from _features(evidence.members)


def look_alikes(
    signature: Signature, evidences: Sequence[Evidence], root: Path = LIBRARY, most: int = MOST
) -> list[LookAlike]:
    """Return the fixtures nearest to `evidences`, the nearest first, judged by `signature`."""
    own = features(evidences)
    nearest: dict[Path, tuple[float, Fixture, tuple[Evidence, ...]]] = {}
    for fixture in fixtures(root):
        if fixture.folder in nearest or fixture.signature == signature.id:
            continue
        read = read_folder(fixture.folder)
        theirs = features(read)
        similarity = len(own & theirs) / len(own | theirs) if own and theirs else 0.0
        if similarity >= LEAST_SIMILARITY:
            nearest[fixture.folder] = (similarity, fixture, read)
    ranked = sorted(nearest.values(), key=lambda row: (-row[0], str(row[1].folder)))
    return [
        LookAlike(fixture, similarity, verdict, verdict in FIRING)
        for similarity, fixture, read in ranked[:most]
        for verdict in [_verdict(signature, read)]
    ]


def _verdict(signature: Signature, evidences: tuple[Evidence, ...]) -> str:
    findings = judge(items_of(evidences), Catalog((signature,), ()))
    return findings[0].verdict if findings else "unknown"
