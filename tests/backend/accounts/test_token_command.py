"""`casebook token create`: a bearer token that works, printed once."""

from __future__ import annotations

from click.testing import CliRunner

from backend.access import askers
from backend.cli.token import command
from backend.core.database import create_sessions


def test_the_printed_token_opens_the_api(settings):
    result = CliRunner().invoke(command, ["create", "--name", "ci", "--data-dir", str(settings.data_dir)])
    assert result.exit_code == 0
    token = result.output.strip()
    assert token.startswith("cbk_")
    assert len(token) > 40
    sessions = create_sessions(settings, pool_size=1)
    with sessions() as session:
        assert askers.by_token(session, token).signed_in_by == "token"
    sessions.kw["bind"].dispose()


def test_without_a_running_instance_it_says_what_to_start(tmp_path):
    result = CliRunner().invoke(command, ["create", "--name", "ci", "--data-dir", str(tmp_path)])
    assert result.exit_code == 1
    assert "casebook serve" in result.output
