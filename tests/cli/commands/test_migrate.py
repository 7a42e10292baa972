"""`casebook migrate` migrates an external database, idempotently."""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.testing import CliRunner

from cli.commands.migrate import command
from tests.cluster import own

if TYPE_CHECKING:
    import pytest


def test_a_database_at_this_version_stays(settings, monkeypatch: pytest.MonkeyPatch):
    own(settings)
    monkeypatch.setenv("CASEBOOK_DATABASE_URL", settings.effective_owner_url)
    monkeypatch.setenv("CASEBOOK_DATA_DIR", str(settings.data_dir))
    result = CliRunner().invoke(command)
    assert (result.exit_code, result.output) == (0, "the database is at this version\n")


def test_an_unreachable_database_is_reported_in_a_sentence(tmp_path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CASEBOOK_DATABASE_URL", f"postgresql:///casebook?host={tmp_path}&user=casebook")
    result = CliRunner().invoke(command)
    assert result.exit_code == 1
    assert "the database is unreachable" in result.output
