"""Login throttling counts failures by a name as the database stores it."""

from __future__ import annotations

import pytest

from backend.accounts import login_throttle
from backend.core.errors import TooManyAttemptsError


@pytest.mark.parametrize("name", ["ada", "a\0b", "\ud800"])
def test_login_throttling_applies_to_unknown_names_too(session, name: str):
    counted = login_throttle.keys(name, "198.51.100.7")
    for _ in range(login_throttle.FREE_PER_NAME + 1):
        login_throttle.check(session, dict.fromkeys(counted, 99))
        login_throttle.record_failure(session, counted)
    with pytest.raises(TooManyAttemptsError):
        login_throttle.check(session, counted)
    login_throttle.clear_failures(session, name)
    login_throttle.check(session, counted)
