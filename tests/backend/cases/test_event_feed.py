"""A subscription wakes its listener when what it waits for changes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from backend.access.rechecks import Access
from backend.cases.event_feed import Feed, Subscription

ACCOUNT = uuid4()
TOMORROW = datetime.now(UTC) + timedelta(days=1)


@pytest.mark.parametrize(
    ("until", "checked", "is_woken"),
    [(None, TOMORROW, True), (TOMORROW, None, True), (TOMORROW, TOMORROW, False), (None, None, False)],
)
def test_a_check_wakes_the_listener_when_its_access_expires_at_another_time(until, checked, is_woken):
    subscription = Subscription(Feed(uuid4()), uuid4(), 0)
    subscription.set_access(Access(ACCOUNT, until), subscription.access_changes)
    subscription.wake.clear()
    subscription.set_access(Access(ACCOUNT, checked), subscription.access_changes)
    assert subscription.wake.is_set() == is_woken
    assert subscription.is_verified
