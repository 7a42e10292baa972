"""Pairs of cases that are the same problem, found when the traits of a case change.

Each case owns the pairs that it found, with earlier and later cases: two cases that are judged at the same
time write no row in common. Cases of all audiences are paired; who reads pairs sees those of visible cases.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from backend.core.db.base import clean_text, json_text
from backend.search import queries_pairs as queries
from backend.search.likeness import compare, learned_weights, most_telling
from backend.search.traits import Shown, traits_of

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.search.likeness import Likeness
    from backend.search.queries_content import Content
    from backend.search.traits import Traits

MAX_TELLING = 16
"""Traits of a case that others are found by."""


def refresh(session: Session, content: Content) -> None:
    """Store the traits of a case and its pairs, unless the traits are those that are stored."""
    case_id = content.case.id
    traits = {clean_text(trait): weight for trait, weight in _traits(content).items()}
    digest = zlib.crc32(json_text(sorted(traits.items())).encode())
    if content.traits_digest == digest:
        return
    is_first = content.traits_digest is None
    if is_first and not traits:
        return
    telling = list(most_telling(traits, MAX_TELLING))
    queries.write_traits(session, case_id, traits, digest, telling, is_first=is_first)
    queries.write_pairs(session, case_id, find(session, case_id, traits), is_first=is_first)


def compare_stored(session: Session, one: UUID, other: UUID) -> Likeness:
    """Compare the stored traits of two cases."""
    traits = {stored.case_id: stored.traits for stored in queries.stored_traits(session, [one, other])}
    return compare(traits.get(one, {}), traits.get(other, {}))


def find(session: Session, case_id: UUID, traits: Traits) -> list[tuple[UUID, int, float]]:
    """Return cases of all audiences that are the same: each with the digest of its traits, and the share."""
    telling = most_telling(traits, MAX_TELLING)
    near = queries.sharing_traits(session, case_id, telling, None)
    if not near:
        return []
    weights = learned_weights(queries.label_counts(session))
    found = []
    for other in queries.stored_traits(session, near):
        likeness = compare(traits, other.traits, weights)
        if likeness.is_same:
            found.append((other.case_id, other.digest, likeness.share))
    return found


def _traits(content: Content) -> Traits:
    return traits_of(
        Shown(
            [(signature, verdict) for signature, _, verdict in content.findings],
            content.case.alarms,
            content.waits,
            content.overview,
            content.functions,
        )
    )
