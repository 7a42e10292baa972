"""Fixtures of libraries, for proposals."""

from tests.backend.libraries.conftest import app_settings, work

__all__ = ["app_settings", "work"]
