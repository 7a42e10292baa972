"""`casebook baseline` and `casebook diff` with the baseline of a service."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from backend.access.actions import Scope
from backend.accounts import service as accounts
from cli import main
from tests.cli.builds import AGAIN, BASE, SLOWER, WORK

NAMES = ("--project", "db/proxy", "--work", WORK)


@pytest.fixture
def run(address, sessions, tmp_path, monkeypatch):
    """Return a function that runs the command with a token for CI jobs."""
    for name in ("CASEBOOK_PROFILE", "CASEBOOK_CONFIG", "CASEBOOK_BASELINES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    with sessions.begin() as session:
        token = accounts.create_api_token(session, name="ci", scopes=[Scope.READ, Scope.EVIDENCE])
    monkeypatch.setenv("CASEBOOK_URL", address)
    monkeypatch.setenv("CASEBOOK_TOKEN", token)
    return lambda *words: CliRunner().invoke(main, [str(word) for word in words])


def add(run, number, *runs, **_):
    at = f"2026-11-{number:02}T12:00:00"
    return run("baseline", "add", *runs, *NAMES, "--at", at, "--commit", f"c{number:02}")


def test_a_stored_baseline_shows_its_trend_and_gates_a_slower_build(run):
    for number, path in enumerate([*BASE, *AGAIN[:4]], start=1):
        added = add(run, number, path)
        assert (added.exit_code, "stored as point" in added.output) == (0, True), added.output
    again = add(run, 30, BASE[0])
    assert (again.exit_code, "stored already" in again.output) == (0, True), again.output
    (series,) = json.loads(run("baseline", "list", "--json").output)
    assert (series["project"], series["points"], series["latest_commit"]) == ("db/proxy", 10, "c10")
    assert run("baseline", "list").output.startswith("db/proxy · default · ")
    shown = run("baseline", "show", "--project", "db/proxy")
    assert (shown.exit_code, len(shown.output.splitlines())) == (0, 12), shown.output
    trend = json.loads(run("baseline", "show", "--function", "user.parse_rows", "--json").output)
    assert (trend["measure"], trend["changes"], len(trend["points"])) == ("user.parse_rows", [], 10)
    failed = run("diff", "--new", *SLOWER, "--baseline", "service", *NAMES)
    assert (failed.exit_code, failed.output[:15]) == (4, "Fail: CPU time "), failed.output
    passed = run("diff", "--new", *AGAIN[4:], "--baseline", "service", *NAMES)
    assert passed.exit_code in {0, 9}, passed.output


def test_without_the_service_builds_are_still_compared_with_each_other(run, monkeypatch):
    monkeypatch.setenv("CASEBOOK_URL", "http://127.0.0.1:9")
    compared = run("diff", "--base", *BASE, "--new", *SLOWER, "--baseline", "service", *NAMES)
    assert (compared.exit_code, "Warning: the baseline is not used" in compared.output) == (4, True)
    assert "http://127.0.0.1:9: not used, " in compared.stdout
    alone = run("diff", "--new", *SLOWER, "--baseline", "service", *NAMES)
    assert (alone.exit_code, "did not answer" in alone.output) == (7, True), alone.output


def test_without_a_project_nothing_is_asked(run):
    for words in (["baseline", "add", BASE[0]], ["diff", "--new", BASE[0], "--baseline", "service"]):
        result = run(*words)
        assert (result.exit_code, "--project" in result.output) == (2, True), result.output
