"""A team's library in a service by the command: added, hunted, activated, applied, retired."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from backend.access.actions import Scope
from backend.accounts import service as accounts
from backend.client import Client
from cli import main
from tests.backend.applications import create_app
from tests.backend.conftest import serving
from tests.backend.libraries.conftest import OWN, write

FULL = Path("signatures/library/net/conntrack-table-full/evidence/pos-one-line/kern.log")
OURS = "net/our-table-full"


@pytest.fixture
def run(pipeline, tmp_path, monkeypatch):
    """Runs a command at a service with a real worker."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with pipeline.sessions.begin() as session:
        scopes = [Scope.READ, Scope.EVIDENCE, Scope.WRITE]
        token = accounts.create_api_token(session, name="curator", scopes=scopes)
    app = create_app(pipeline.settings, sessions=pipeline.sessions, store=pipeline.store)
    with serving(app) as url:
        with Client(url, token=token) as client:
            case = client.post_files([("kern.log", FULL)]).case
            client.wait_until_judged(case.id, timeout_seconds=120)

        def command(*words):
            given = {"CASEBOOK_URL": url, "CASEBOOK_TOKEN": token}
            return CliRunner().invoke(main, list(map(str, words)), env=given)

        yield command


def test_a_folder_is_hunted_activated_and_applied(run, tmp_path):
    folder = tmp_path / "payments"
    write(folder, OURS, OWN)
    preview = run("signature", "hunt", folder, "--json")
    # Cases gain a verdict: a script sees it by the status.
    assert preview.exit_code == 4, preview.output
    found = json.loads(preview.stdout)
    assert found["hunt"]["gained"] >= 1
    assert found["cases"][0]["verdicts"][0]["lines"][0]["path"] == "kern.log"
    activated = run("library", "activate", "payments")
    assert activated.exit_code == 0, activated.output
    applied = run("signature", "hunt", "--name", "payments", "--apply")
    assert applied.exit_code == 4, applied.output
    assert "none → match  net/our-table-full" in applied.stdout
    # They are judged by it now, so that a second hunt changes nothing.
    assert run("signature", "hunt", "--name", "payments", "--apply").exit_code == 0
    listed = run("library", "list")
    assert listed.stdout.startswith("payments  active ")
    moved = run("library", "pull", "payments", "--ref", "release")
    assert (moved.exit_code, "only a library of a Git repository" in moved.stderr) == (3, True)
    assert run("library", "retire", "payments").exit_code == 0


def test_a_library_that_cannot_be_read_ends_with_4_and_its_lint_messages(run, tmp_path):
    folder = tmp_path / "broken"
    write(folder, OURS, OWN.replace("decide:", "decied:"))
    result = run("library", "add", "broken", "--folder", folder)
    assert result.exit_code == 4, result.output
    assert f"{OURS}/signature.yaml:" in result.stdout
    assert "nothing of it is judged by" in result.stdout


def test_a_folder_without_signatures_is_an_error_of_usage(run, tmp_path):
    assert run("signature", "hunt", tmp_path, "--name", "none").exit_code == 2
    assert run("library", "add", "x").exit_code == 2
