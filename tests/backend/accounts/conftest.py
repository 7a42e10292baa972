"""What tests of accounts share."""

from __future__ import annotations

import pytest

from backend.accounts import passwords


@pytest.fixture
def standing_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the time step of an authenticator's codes stand still, however long a test waits."""
    step = passwords.current_step()
    monkeypatch.setattr(passwords, "current_step", lambda: step)
