"""Fixtures of libraries, for hunts."""

from tests.backend.libraries.conftest import app_settings, work

__all__ = ["app_settings", "work"]
