"""`casebook sign-in`: another single-use URL for a browser."""

from __future__ import annotations

import re

from click.testing import CliRunner

from backend.core.sessions import create_sessions
from cli.commands.sign_in import command
from tests.backend.people import sign_in


def test_the_printed_url_signs_a_browser_in(settings):
    result = CliRunner().invoke(command, ["--data-dir", str(settings.data_dir)])
    assert result.exit_code == 0
    found = re.fullmatch(r"http://127\.0\.0\.1:\d+/sign-in\?token=(\S+)\n", result.output)
    assert found, result.output
    sessions = create_sessions(settings, pool_size=1)
    with sessions() as session:
        assert sign_in(session, found[1], lifetime=settings.session_lifetime)
    sessions.kw["bind"].dispose()
