"""`casebook token create`: a bearer token that works, printed once."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from backend.access import principals
from backend.core.sessions import create_sessions
from cli.commands.token import command

LEAST = ["create", "--name", "ci", "--scope", "read", "--days", "1"]


@pytest.mark.parametrize("missing", ["--scope", "--days"])
def test_a_token_needs_scopes_and_an_expiry(missing):
    at = LEAST.index(missing)
    result = CliRunner().invoke(command, [*LEAST[:at], *LEAST[at + 2 :]])
    assert (result.exit_code, f"Missing option '{missing}'" in result.output) == (2, True)


def test_the_printed_token_opens_the_api(settings):
    result = CliRunner().invoke(command, [*LEAST, "--data-dir", str(settings.data_dir)])
    assert result.exit_code == 0
    token = result.output.strip()
    assert token.startswith("cbk_")
    assert len(token) > 40
    sessions = create_sessions(settings, pool_size=1)
    with sessions() as session:
        assert principals.by_token(session, token).signed_in_by == "token"
    sessions.kw["bind"].dispose()


def test_without_a_running_instance_it_says_what_to_start(tmp_path):
    result = CliRunner().invoke(command, [*LEAST, "--data-dir", str(tmp_path)])
    assert result.exit_code == 1
    assert "casebook serve" in result.output


def test_a_token_is_narrowed_listed_and_revoked(settings):
    place = ["--data-dir", str(settings.data_dir)]
    words = ["create", "--name", "nightly", "--scope", "read", "--service", "viewer", "--days", "3", *place]
    secret = CliRunner().invoke(command, words).output.strip()
    listed = CliRunner().invoke(command, ["list", *place]).output
    rows = [line.split() for line in listed.splitlines()]
    assert rows[0] == ["PREFIX", "NAME", "SCOPES", "ENDS", "LAST", "USED"]
    assert [row[1:3] for row in rows if row[0] == secret[:12]] == [["nightly", "read"]]
    revoked = CliRunner().invoke(command, ["revoke", secret[:12], *place])
    assert revoked.output == f"revoked {secret[:12]} (nightly)\n"
    assert secret[:12] not in CliRunner().invoke(command, ["list", *place]).output
    again = CliRunner().invoke(command, ["revoke", secret[:12], *place])
    assert (again.exit_code, "0 tokens begin with" in again.output) == (1, True)
