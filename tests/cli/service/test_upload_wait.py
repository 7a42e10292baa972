"""`casebook upload --wait`: findings and exit statuses for CI."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from backend.access.actions import Scope
from backend.accounts import service as accounts
from backend.client import Client
from backend.core.sessions import create_sessions
from cli import main
from tests.backend.applications import create_app
from tests.backend.conftest import serving
from tests.cli.recorded import RECLAIM, SIGNATURE, reclaim_at_the_limit
from tests.cli.reports.test_alarm_outlets import EXT4
from tests.cli.reports.test_ci import junit_of, sarif_of
from tests.cli.reports.test_report_shapes import schema_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def address(pipeline, tmp_path, monkeypatch) -> Iterator[str]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    app = create_app(pipeline.settings, sessions=pipeline.sessions, store=pipeline.store)
    with serving(app) as url:
        yield url


@pytest.fixture
def token(pipeline) -> str:
    with pipeline.sessions.begin() as session:
        return accounts.create_api_token(session, name="ci", scopes=[Scope.READ, Scope.EVIDENCE])


def upload(address: str, token: str, *words: str | Path):
    result = {"CASEBOOK_URL": address, "CASEBOOK_TOKEN": token}
    return CliRunner().invoke(main, ["upload", *map(str, words)], env=result)


def notes(folder: Path) -> Path:
    """Return a file that can be read and shows nothing."""
    path = folder / "notes.txt"
    path.write_text("nothing to see here\n")
    return path


def test_a_match_exits_with_4_and_every_report_cites_it(address, token, tmp_path):
    files = [tmp_path / name for name in ("casebook.xml", "casebook.sarif", "casebook.md", "casebook.json")]
    outputs = [word for file in files for word in ("-o", file)]
    evidence = reclaim_at_the_limit(tmp_path / "evidence")
    result = upload(
        address,
        token,
        evidence,
        "--name",
        "load test 7",
        "--wait",
        "--fail-on",
        "severity>=high",
        *outputs,
        "-o",
        "-",
    )
    assert result.exit_code == 4, result.output
    page = result.stdout.strip().splitlines()[-1]
    assert page in result.stderr
    assert f"is  {SIGNATURE}" in result.stdout
    (failure,) = junit_of(files[0].read_text()).iter("failure")
    assert SIGNATURE in failure.get("message")
    run = sarif_of(files[1].read_text())
    (result,) = [one for one in run["results"] if one["level"] == "error"]
    assert result["ruleId"] == SIGNATURE
    place = result["locations"][0]["physicalLocation"]
    assert (evidence / place["artifactLocation"]["uri"]).is_file()
    assert run["tool"]["driver"]["rules"][0]["helpUri"].startswith(f"{address}/signatures/mm/")
    assert files[2].read_text().startswith("## ❌ case ")
    document = json.loads(files[3].read_text())
    schema_of("upload").validate(document)
    assert (document["failed"], document["page"], document["case"]["title"]) == (True, page, "load test 7")
    (asked,) = document["fail_on"]
    assert [one["signature"] for one in asked["met_by"]] == [SIGNATURE]
    assert {one["state"] for one in document["evidence"]} == {"read"}


def test_an_alarm_without_a_signature_exits_with_4_and_is_in_the_list_of_cases(address, token, tmp_path):
    log, report = tmp_path / "dmesg.txt", tmp_path / "found.json"
    log.write_text(f"[ 1000.123456] {EXT4}\n")
    result = upload(address, token, log, "--fail-on", "default", "-o", "-", "-o", report)
    assert result.exit_code == 4, result.output
    assert "alarm  alarm/ext4_error" in result.stdout
    document = json.loads(report.read_text())
    schema_of("upload").validate(document)
    assert document["case"]["headline"]["alarm"] == "ext4_error"
    (asked,) = document["fail_on"]
    assert [(one["kind"], one["alarm"]) for one in asked["met_by"]] == [("alarm", "ext4_error")]
    environment = {"CASEBOOK_URL": address, "CASEBOOK_TOKEN": token}
    listed = CliRunner().invoke(main, ["case", "list", "--log-class", "ext4_error"], env=environment)
    assert listed.stdout.splitlines()[0].endswith("\talarm/ext4_error")
    number = str(document["case"]["number"])
    shown = CliRunner().invoke(main, ["case", "show", number], env=environment)
    assert "alarm  high  alarm/ext4_error" in shown.stdout


def test_without_findings_it_exits_with_0_and_the_url(address, token, tmp_path):
    result = upload(address, token, notes(tmp_path), "--fail-on", "severity>=low")
    assert result.exit_code == 0, result.output
    assert "no finding with severity>=low" in result.stdout


def test_an_unreadable_file_exits_with_5_and_is_named(address, token, tmp_path):
    junk = tmp_path / "junk.bin"
    junk.write_bytes(bytes(range(256)) * 40)
    result = upload(address, token, junk, "--wait", "--format", "junit")
    assert result.exit_code == 5, result.output
    (error,) = junit_of(result.stdout).iter("error")
    assert error.get("message").startswith("rejected: ")


def test_only_evidence_sent_now_fails_the_build(address, token, tmp_path):
    junk = tmp_path / "junk.bin"
    junk.write_bytes(bytes(range(255)) * 40)
    page = upload(address, token, junk).stdout.strip()
    result = upload(address, token, notes(tmp_path), "--wait", "--case", page.rpartition("/")[2])
    assert result.exit_code == 0, result.output


def test_a_timeout_exits_with_6_and_can_be_resumed(settings, store, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    sessions = create_sessions(settings)
    with sessions.begin() as session:
        token = accounts.create_api_token(session, name="ci")
    own = settings.model_copy(update={"data_dir": tmp_path / "data"})
    with serving(create_app(own, sessions=sessions, store=store)) as address:
        first, again = (upload(address, token, notes(tmp_path), "--wait", "--timeout", "1") for _ in range(2))
    sessions.kw["bind"].dispose()
    assert (first.exit_code, again.exit_code) == (6, 6), first.output
    assert "was not judged within 1 s" in first.stderr
    assert first.stderr.splitlines()[0] == again.stderr.splitlines()[0], "the same page"


def test_an_expression_about_no_signature_is_refused_before_anything_is_sent(address, token):
    with Client(address, token=token) as casebook:
        before = next(casebook.cases(), None)
        result = upload(address, token, RECLAIM, "--fail-on", "signature=mm/memgc-limit-reclaim")
        assert (result.exit_code, "unknown signature" in result.stderr) == (2, True)
        assert next(casebook.cases(), None) == before


def test_an_unreachable_service_exits_with_7(token):
    result = upload("http://127.0.0.1:9", token, RECLAIM, "--patience", "0")
    assert result.exit_code == 7
    assert "is unreachable" in result.stderr


def test_a_token_without_read_scope_is_refused(address, pipeline, tmp_path):
    with pipeline.sessions.begin() as session:
        blind = accounts.create_api_token(session, name="blind", scopes=[Scope.EVIDENCE])
    result = upload(address, blind, notes(tmp_path), "--wait")
    assert result.exit_code == 3
    assert "read" in result.stderr


@pytest.mark.parametrize("words", [["--wait"], ["--name", "x"], ["--fail-on", "severity>=low"]])
def test_a_case_token_cannot_wait_for_verdicts(address, words):
    assert upload(address, "cbk_c_any", RECLAIM, *words).exit_code == 2
