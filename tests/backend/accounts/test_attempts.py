"""Failed attempts to sign in are counted by a name as the database keeps it."""

from __future__ import annotations

import pytest

from backend.accounts import attempts
from backend.core.errors import TooManyAttemptsError


@pytest.mark.parametrize("name", ["ada", "a\0b", "\ud800"])
def test_any_name_is_slowed_down(session, name: str):
    counted = attempts.keys(name, "198.51.100.7")
    for _ in range(attempts.FREE + 1):
        attempts.check(session, dict.fromkeys(counted, 99))
        attempts.failed(session, counted)
    with pytest.raises(TooManyAttemptsError):
        attempts.check(session, counted)
    attempts.succeeded(session, name)
    attempts.check(session, counted)
