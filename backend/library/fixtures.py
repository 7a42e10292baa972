"""Flame graphs and histograms of the test fixtures of a signature.

Fixtures are trusted files committed beside the signature; they are read on first request and cached.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from backend.core.errors import NotFoundError
from backend.findings import library
from ingest.export import columns, distribution
from ingest.native.views import View
from signatures.authoring.fixture_tests import fixtures_of, read_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ingest.evidence import Evidence, Section

KEPT = 64
MAX_PROFILES = 4
MAX_HISTOGRAMS = 12


@lru_cache(maxsize=KEPT)
def of_proof(signature: str, name: str) -> bytes:
    """Return the charts of one fixture folder as JSON of `ExhibitsRead`.

    Raises:
        NotFoundError: The signature has no such fixture.
    """
    entry = library.catalog().get(signature)
    brought = fixtures_of(entry.id) if entry is not None else []
    proof = next((one for one in brought if one.name == name), None)
    if proof is None:
        raise NotFoundError(f"the signature {signature} has no fixture {name}")
    sections = list(_sections(read_folder(proof.folder)))
    profiles = [document for place, section in sections for document in _profiles(place, section)]
    profiles.sort(key=lambda document: (not document["has_weights"], -document["total_samples"]))
    histograms = [
        {"evidence_name": place, **distribution.distribution(one)}
        for place, section in sections
        for one in section.reading.histograms
    ]
    document = {
        "name": name,
        "kind": name.partition("-")[0],
        "profiles": profiles[:MAX_PROFILES],
        "histograms": histograms[:MAX_HISTOGRAMS],
        "left_out": max(0, len(profiles) - MAX_PROFILES) + max(0, len(histograms) - MAX_HISTOGRAMS),
    }
    return json.dumps(document, allow_nan=False, separators=(",", ":")).encode()


def _sections(evidences: Iterable[Evidence]) -> Iterator[tuple[str, Section]]:
    for evidence in evidences:
        for section in evidence.sections:
            yield section.path or evidence.captured_path or evidence.name, section
        yield from _sections(evidence.members)


def _profiles(place: str, section: Section) -> Iterator[dict[str, Any]]:
    for profile in section.reading.profiles:
        view = View(profile)
        if len(profile.node_parent) and view.total_weight > 0:
            document = columns.graph(view, min_share=0.0)
            yield {"evidence_name": place, "has_weights": profile.has_weights, **document}
