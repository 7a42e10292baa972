"""`casebook login`, `status`, `case` and `kernels`: worked from the command line, against a real service."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

from backend.access.actions import Scope
from backend.accounts import service as accounts
from backend.app import create_app
from backend.cases import service as cases
from cli import main
from cli.commands.case import list_cases
from signatures.rendering.case_columns import COLUMNS
from signatures.rendering.case_text import case_rows
from tests.backend.conftest import serving

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def config(tmp_path, monkeypatch):
    path = tmp_path / "config" / "casebook" / "config.toml"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("CASEBOOK_URL", "CASEBOOK_TOKEN", "CASEBOOK_PROFILE", "CASEBOOK_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    return path


@pytest.fixture
def address(pipeline, config) -> Iterator[str]:
    assert not config.exists()
    app = create_app(pipeline.settings, sessions=pipeline.sessions, store=pipeline.store)
    with serving(app) as url:
        yield url


def token(pipeline, *scopes: Scope) -> str:
    with pipeline.sessions.begin() as session:
        return accounts.create_api_token(session, name="laptop", scopes=scopes or list(Scope))


def casebook(*words: str, **options):
    return CliRunner().invoke(main, list(words), **options)


@pytest.fixture
def signed_in(address, pipeline) -> str:
    result = casebook("login", address, "--with-token", input=f"{token(pipeline)}\n")
    assert result.exit_code == 0, result.output
    return address


@pytest.fixture
def number(pipeline) -> str:
    with pipeline.sessions.begin() as session:
        return str(cases.create(session, title="db7: stalls\tof 40 s", actor="test").number)


def test_login_checks_the_token_and_keeps_it_from_other_users(address, pipeline, config):
    secret = token(pipeline)
    result = casebook("login", f"{address}/", "--profile", "work", "--with-token", input=f"{secret}\n")
    assert (result.exit_code, "signed in as " in result.output) == (0, True), result.output
    assert secret not in result.output
    stored = {"default": "work", "profiles": {"work": {"url": address, "token": secret}}}
    assert tomllib.loads(config.read_text()) == stored
    assert config.stat().st_mode & 0o777 == 0o600
    refused = casebook("login", address, "--with-token", input="cbk_p_wrong\n")
    assert refused.exit_code == 3
    assert tomllib.loads(config.read_text()) == stored


def test_status_names_the_account_and_the_queues(signed_in):
    document = json.loads(casebook("status", "--json").output)
    assert (document["url"], document["account"]["is_owner"]) == (signed_in, True)
    lines = casebook("status").output.splitlines()
    assert lines[0].startswith(f"{signed_in}, version ")
    queues = {one["name"] for one in document["queues"]} or {"queues"}
    assert {line.split()[0] for line in lines[2:]} == queues


def test_a_case_is_annotated_closed_and_reopened(signed_in, number):
    assert casebook("case", "note", number, "--body", "memory.high raised\nwatching").exit_code == 0
    assert casebook("case", "note", number, "--body-file", "-", input="all quiet").exit_code == 0
    shown = casebook("case", "show", number).output
    assert "  memory.high raised\n  watching\n" in shown
    assert f"{signed_in}/cases/{number}\n" in shown
    words = ["--cause", "memory limit", "--fix", "limit raised"]
    assert casebook("case", "close", number, *words).output == f"closed case {number}\n"
    document = json.loads(casebook("case", "show", number, "--json").output)
    assert (document["state"], document["resolution"]["fix"]) == ("closed", "limit raised")
    assert [one["text"] for one in document["notes"]] == ["memory.high raised\nwatching", "all quiet"]
    assert number not in [one.split("\t")[0] for one in casebook("case", "list").output.splitlines()]
    assert casebook("case", "reopen", number).output == f"reopened case {number}\n"
    assert casebook("case", "open", number).output == f"{signed_in}/cases/{number}\n"


@pytest.mark.usefixtures("signed_in")
def test_a_list_for_programs_is_separated_by_tabs_and_one_for_people_has_a_header(pipeline):
    with pipeline.sessions.begin() as session:
        # A word that no case of another test has in its title.
        number = str(cases.create(session, title="quokka stalls\tof 40 s", actor="test").number)
    (row,) = [one.split("\t") for one in casebook("case", "list", "-q", "quokka").output.splitlines()]
    assert row[:4] == [number, "open", "–", "quokka stalls of 40 s"]
    cases_found = json.loads(casebook("case", "list", "-q", "quokka", "--json").output)
    header, aligned = case_rows(cases_found, 60)
    assert header.split() == ["NUMBER", "STATE", "SEVERITY", "CASE", "CHANGED", "FINDING"]
    assert aligned.index("open") == header.index("STATE")
    for filters in ("--host db0", "--severity low", "--since 2100-01-01", "-q zzzz"):
        assert casebook("case", "list", *filters.split()).output == ""
    assert "unknown finding 'mm/x'" in casebook("case", "list", "--signature", "mm/x").output


@pytest.mark.usefixtures("signed_in")
def test_a_list_shows_the_columns_that_are_named(pipeline):
    with pipeline.sessions.begin() as session:
        number = cases.create(session, title="numbat stalls", actor="test").number
    asked = ["case", "list", "-q", "numbat", "--columns", "owner,title,number,seen"]
    assert casebook(*asked).output == f"–\tnumbat stalls\t{number}\t0\n"
    document = json.loads(casebook(*asked, "--json").output)
    assert document == [{"owner": "", "title": "numbat stalls", "number": number, "seen": 0}]
    refused = casebook("case", "list", "--columns", "hedline")
    assert (refused.exit_code, "did you mean headline?" in refused.output) == (2, True)


@pytest.mark.usefixtures("signed_in")
def test_the_text_of_an_issue_is_printed_for_each_tracker(pipeline):
    with pipeline.sessions.begin() as session:
        case = cases.create(session, title="db7 [@all] *stalls*", actor="test")
        case.severity, case.tags = "high", ["pay"]
        number = str(case.number)
    github = casebook("case", "issue", number).output
    assert github.splitlines()[:2] == [f"Case {number}: db7 [@all] *stalls*", ""]
    assert "db7 \\[@&#8203;all\\] \\*stalls\\*" in github
    jira = casebook("case", "issue", number, "--for", "jira").output
    assert "* *Headline*: db7 \\[\\@all\\] \\*stalls\\*" in jira
    assert '/label ~"severity::high" ~"pay"' in casebook("case", "issue", number, "--for", "gitlab").output
    document = json.loads(casebook("case", "issue", number, "--json").output)
    assert document["labels"] == ["severity::high", "pay"]
    absent = casebook("case", "issue", number, "--finding", "00000000-0000-0000-0000-000000000000")
    assert (absent.exit_code, "has no finding" in absent.output) == (3, True)


def test_the_shell_completes_the_columns_that_are_not_named_yet():
    context = click.Context(list_cases)
    (option,) = [one for one in list_cases.params if one.name == "columns"]
    complete = [one.value for one in option.type.shell_complete(context, option, "owner,s")]
    assert complete == ["owner,severity", "owner,status", "owner,state", "owner,seen"]
    assert not {"owner", "owner,owner"} & {
        one.value for one in option.type.shell_complete(context, option, "owner,")
    }
    assert set(COLUMNS) <= set(casebook("case", "list", "--help").output.split())


@pytest.mark.usefixtures("signed_in")
def test_a_list_ends_at_its_limit_and_goes_over_pages(pipeline):
    with pipeline.sessions.begin() as session:
        for at in range(5):
            cases.create(session, title=f"case {at}", actor="test")
    assert len(casebook("case", "list", "-L", "3").output.splitlines()) == 3
    assert len(casebook("case", "list", "--state", "all", "-L", "1000").output.splitlines()) >= 5


def test_a_token_without_the_scope_is_refused_with_the_reason(address, pipeline, number):
    casebook("login", address, "--with-token", input=f"{token(pipeline, Scope.READ)}\n")
    result = casebook("case", "close", number)
    assert result.exit_code == 3
    assert result.output.startswith("Error: ")
    assert casebook("case", "show", number).exit_code == 0


@pytest.mark.usefixtures("signed_in")
def test_a_service_that_does_not_answer_is_another_status_than_one_that_refuses():
    away = casebook("case", "list", "--url", "http://127.0.0.1:9", "--token", "cbk_p_x")
    assert (away.exit_code, "did not answer" in away.output) == (7, True)
    assert casebook("case", "show", "999999").exit_code == 3


@pytest.mark.usefixtures("signed_in")
def test_a_token_of_a_profile_goes_to_its_own_service_only():
    result = casebook("status", "--url", "http://elsewhere.invalid")
    assert result.exit_code == 2
    assert "no token for http://elsewhere.invalid" in result.output


def test_profiles_are_chosen_by_name_and_removed(signed_in, pipeline, config):
    casebook("login", signed_in, "--profile", "second", "--with-token", input=f"{token(pipeline)}\n")
    assert casebook("status", "--profile", "default").exit_code == 0
    unknown = casebook("status", "--profile", "third")
    assert "no profile 'third' (known: default, second)" in unknown.output
    assert ", profile default\n" in casebook("status", "--profile", "default").output
    assert casebook("profile", "use", "default").output == f"profile default is the default: {signed_in}\n"
    assert casebook("profile", "list").output == f"* default  {signed_in}\n  second   {signed_in}\n"
    assert casebook("profile", "use", "third").exit_code == 2
    casebook("profile", "use", "second")
    assert casebook("logout").output == "removed profile second; the default is now default\n"
    assert set(tomllib.loads(config.read_text())["profiles"]) == {"default"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("default = 1\n", "url and token as text"),
        ("[profiles", "is no TOML"),
        ("[profiles.a]\nurl = 'x'", "token"),
    ],
)
def test_a_damaged_configuration_file_is_named(config, text, reason):
    config.parent.mkdir(parents=True)
    config.write_text(text)
    result = casebook("status")
    assert result.exit_code == 2
    assert str(config) in result.output
    assert reason in result.output


def test_an_unknown_command_names_the_similar_ones():
    assert "Did you mean 'analyze'?" in casebook("analize", "x").output
    assert "Did you mean 'show'?" in casebook("case", "view", "12").output
    assert "Did you mean" not in casebook("zzz").output


def test_an_incident_is_worked_from_the_command_line(signed_in, number, pipeline):
    with pipeline.sessions.begin() as session:
        other = str(cases.create(session, title="db8", actor="test").number)
    assert signed_in
    result = casebook(
        "case", "set", number, other, "--status", "mitigated", "--severity", "high", "--tag", "DB"
    )
    assert result.output.splitlines() == [f"{one}  mitigated, high" for one in (number, other)]
    result = casebook("case", "event", number, "started", "--at", "2026-11-21T03:07", "--text", "Time-outs")
    assert result.output == f"case {number}: started at 2026-11-21T03:07:00Z\n"
    casebook("case", "set", number, "--assignee", "owner", "--severity", "none")
    shown = casebook("case", "show", number).output.splitlines()
    assert shown[1].startswith("mitigated, created")
    assert shown[2:4] == ["assignee: owner", "tags: db"]
    refused = casebook("case", "set", number, other, "999999", "--status", "resolved")
    assert (refused.exit_code, "there is no case 999999" in refused.output) == (3, True)
    assert json.loads(casebook("case", "show", number, "--json").output)["status"] == "mitigated"
    assert casebook("case", "set", number).exit_code == 2
    assert "there is no team 'db'" in casebook("case", "set", number, "--team", "db").output


@pytest.mark.usefixtures("signed_in")
def test_an_inventory_is_uploaded_and_its_kernels_say_what_clears_most(tmp_path):
    hosts = tmp_path / "hosts.csv"
    hosts.write_text("host,release\nweb1,6.12.20\nweb2,6.12.94\nweb3,\n")
    uploaded = casebook("kernels", "upload", str(hosts), "--source", "cmdb")
    assert uploaded.output.splitlines() == ["2 hosts of cmdb stored, 1 rows not read", "row 4: no release"]
    listed = casebook("kernels", "list").output.splitlines()
    [row] = [one for one in listed if one.startswith("6.12.20  1 listed  ")]
    assert "  6.12.94 clears " in row
    shown = casebook("kernels", "show", "6.12.20").output
    assert "writeback/inode-switch-wbs-storm" in shown
    assert casebook("kernels", "delete", "--source", "cmdb").exit_code == 0
    assert casebook("kernels", "delete", "--source", "cmdb").exit_code == 3
