"""A limited link opened by many at once, over connections of their own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

from backend.access.secrets import digest
from backend.core.errors import GoneError
from backend.handoffs import sharing
from backend.models import Handoff, HandoffState, Share
from tests.backend.stored_evidence import new_case


def test_fifty_concurrent_openings_respect_the_limit(own_sessions):
    secret = "a secret of this test alone, shared by fifty"
    with own_sessions.begin() as session:
        case = new_case(session, "asked for by many")
        handoff = Handoff(case_id=case.id, recipient="all", author="owner", state=HandoffState.OFFERED)
        session.add(handoff)
        session.flush()
        ends = datetime.now(UTC) + timedelta(days=1)
        session.add(
            Share(
                handoff_id=handoff.id,
                hash=digest(secret),
                created_by="owner",
                expires_at=ends,
                views_left=3,
            )
        )

    def opens(_: int) -> bool:
        try:
            with own_sessions.begin() as session:
                sharing.open_link(session, secret, address="192.0.2.7")
        except GoneError:
            return False
        return True

    with ThreadPoolExecutor(50) as crowd:
        assert sum(crowd.map(opens, range(50))) == 3
