"""Filters of the list of cases."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from backend.kernels import case_rows
from backend.models import Case
from backend.search.fields import FIELDS
from ingest.readers.commands import kernel_version
from ingest.readers.logs import kernel_log
from ingest.readers.profilers import folded
from signatures.rendering.case_columns import COLUMNS, FOR_PROGRAMS
from tests.backend.captures import OOM, UNAME
from tests.backend.stored_evidence import index_profiles, judge_case, new_case, store_evidence


@pytest.fixture
def found(web):
    """The numbers of the cases that a query returns."""

    def ask(**query: str):
        answer = web.get("/cases", params=query)
        assert answer.status_code == 200, answer.text
        return {case["number"] for case in answer.json()["items"]}

    return ask


@pytest.fixture
def killed(session, store, tmp_path, other):
    """A case of a host whose kernel log has an OOM kill, opened after another one."""
    assert other
    case = new_case(session, "checkout restarts")
    store_evidence(session, store, tmp_path, case, OOM, kernel_log, name="dmesg.txt", host="db7")
    store_evidence(session, store, tmp_path, case, UNAME, kernel_version, name="uname", host="db7")
    session.commit()
    judge_case(session, store, case.id)
    session.commit()
    return case.number


@pytest.fixture
def other(session, store, tmp_path):
    """A case with a profile, opened a minute before."""
    case = new_case(session, "something else")
    stacks = b"main;vfs_read;foo.constprop.0 3\n"
    store_evidence(session, store, tmp_path, case, stacks, folded, name="a.folded")
    index_profiles(session, store, case)
    case.created_at -= timedelta(minutes=1)
    session.commit()
    return case.number


def test_a_word_finds_cases_by_their_findings(found, killed, other):
    assert found(q="oom") == {killed}
    assert found(q="checkout oom") == {killed}
    assert found(q="else") == {other}
    assert found(q="oom else") == set()


def test_cases_are_found_by_signature_and_verdict(found, killed):
    assert found(signature="mm/memcg-oom") == {killed}
    assert found(signature="mm/memcg-oom", verdict="match") == {killed}
    assert found(signature="mm/memcg-oom", verdict="suspect") == set()
    assert found(verdict="match") == {killed}


def test_cases_are_found_by_host_kernel_and_log_class(found, killed):
    assert found(host="db7") == {killed}
    assert found(kernel="6.1.") == found(kernel="6.1.0-18-amd64") == {killed}
    assert found(kernel="6.10") == set()
    assert found(log_class="oom_kill") == {killed}
    assert found(log_class="hung_task") == set()


def test_no_case_is_found_by_what_its_deleted_evidence_says(found, web, killed):
    for evidence in web.get(f"/cases/{killed}/evidence").json()["items"]:
        assert web.delete(f"/evidence/{evidence['id']}").status_code == 204
    assert found(kernel="6.1.") == found(log_class="oom_kill") == set()


def test_cases_are_found_by_function_whatever_the_compiler_appended(found, other):
    assert found(frame="foo") == found(frame="foo.isra.3") == {other}
    assert found(frame="bar") == set()


def test_cases_are_found_by_severity_and_time(found, web, killed, other):
    web.patch(f"/cases/{other}", json={"severity": "high"})
    assert found(severity="high") == {other}
    opened = web.get(f"/cases/{killed}").json()["created_at"]
    assert found(since=opened) == {killed}
    assert found(until=opened) == {other}


def test_a_query_that_cannot_be_read_names_its_column(web):
    for path in ("/cases", "/search/facets", "/cases.csv"):
        answer = web.get(path, params={"q": "memory hots:db7"})
        assert (answer.status_code, "did you mean host" in answer.json()["detail"]) == (422, True)
        assert "column 8" in answer.json()["detail"]


def test_found_cases_are_a_table_that_no_spreadsheet_computes(web, killed):
    web.patch(f"/cases/{killed}", json={"title": "=cmd()"})
    rows = web.get("/cases.csv", params={"q": f"#{killed}"}).text.splitlines()
    assert rows[0].startswith("number,title,status")
    assert [row.split(",")[:2] for row in rows[1:]] == [[str(killed), "'=cmd()"]]


def test_a_table_has_the_columns_that_are_chosen_in_their_order(web, session, killed):
    case_rows.refresh(session, session.scalars(select(Case.id).where(Case.number == killed)).one())
    session.commit()
    web.patch(f"/cases/{killed}", json={"severity": "high", "tags": ["pay", "db"]})
    asked = {"q": f"#{killed}", "columns": "tag,severity,owner,kernel,host,class,problem,seen"}
    header, row = web.get("/cases.csv", params=asked).text.splitlines()
    assert header == asked["columns"]
    assert row == "db pay,high,,6.1.0-18-amd64 6.18.44-fc-v669,db7,oom_kill,mm/memcg-oom,0"
    (found,) = web.get("/cases.json", params=asked).json()
    assert list(found) == asked["columns"].split(",")
    assert (found["tag"], found["host"], found["seen"]) == (["db", "pay"], ["db7"], 0)
    assert set(web.get("/cases.json", params={"q": f"#{killed}"}).json()[0]) == set(FOR_PROGRAMS)
    assert set(web.get("/cases.json", params={"columns": ",".join(COLUMNS)}).json()[0]) == set(COLUMNS)


@pytest.mark.parametrize("path", ["/cases.csv", "/cases.json"])
@pytest.mark.parametrize(
    ("columns", "words"), [("headline,hots", "did you mean host?"), (",", "name a column"), ("☃", "one of")]
)
def test_an_unknown_column_is_refused_with_the_nearest(web, path, columns, words):
    answer = web.get(path, params={"columns": columns})
    assert (answer.status_code, words in answer.json()["detail"]) == (422, True), answer.text


def test_the_columns_of_the_fields_of_the_query_language_are_named_like_them():
    other = {"number", "title", "headline", "state", "seen", "files", "cause", "opened", "changed", "closed"}
    assert set(COLUMNS) - other <= set(FIELDS)


def test_a_saved_search_carries_its_columns(web):
    columns = ["owner", "headline", "owner", "seen"]
    saved = web.post("/search/saved", json={"name": "mine", "query": "a", "columns": columns})
    assert (saved.status_code, saved.json()["columns"]) == (201, ["owner", "headline", "seen"])
    assert web.get("/search/saved").json()["items"][0]["columns"] == ["owner", "headline", "seen"]
    plain = web.post("/search/saved", json={"name": "plain", "query": "a"})
    assert plain.json()["columns"] == []
    wrong = web.post("/search/saved", json={"name": "bad", "query": "a", "columns": ["hedline"]})
    assert (wrong.status_code, "did you mean headline?" in wrong.text) == (422, True)
    for one in (saved, plain):
        web.delete(f"/search/saved/{one.json()['id']}")


def test_completion_knows_fields_values_and_facts(web, killed):
    assert killed

    def suggested(query: str) -> list[tuple[str, int | None]]:
        items = web.get("/search/completion", params={"q": query}).json()["items"]
        return [(one["text"], one["count"]) for one in items]

    assert ("host:", None) in suggested("memory ho")
    assert suggested("-host:d") == [("-host:db7", 1)]
    assert suggested("finding:memcg") == [("finding:mm/memcg-oom", 1)]
    assert suggested("fact:loadavg.1m")[0] == ("fact:loadavg.1m", None)
    assert suggested("nothing:x") == []


def test_a_search_is_saved_listed_and_deleted(web):
    saved = web.post("/search/saved", json={"name": "ours", "query": "host:db*"})
    assert saved.status_code == 201
    assert [one["query"] for one in web.get("/search/saved").json()["items"]] == ["host:db*"]
    assert web.post("/search/saved", json={"name": "bad", "query": "hots:x"}).status_code == 422
    stranger = {"name": "x", "query": "a", "team_id": "01900000-0000-7000-8000-000000000007"}
    assert web.post("/search/saved", json=stranger).status_code == 404
    assert web.delete(f"/search/saved/{saved.json()['id']}").status_code == 204
    assert web.get("/search/saved").json()["items"] == []


def test_a_case_that_nobody_named_is_called_by_its_headline(web, session, killed):
    case = session.scalars(select(Case).where(Case.number == killed)).one()
    case.title = "dmesg.txt"
    session.commit()
    [listed] = web.get("/cases", params={"q": "oom"}).json()["items"]
    assert listed["name"] in {listed["headline"]["text"], listed["headline"]["title"]}
    assert listed["seen_before"] == 0


def test_an_unknown_verdict_is_refused_with_the_known_ones(web):
    answer = web.get("/cases", params={"verdict": "unknown"})
    assert answer.status_code == 422
    assert "'match' or 'suspect'" in answer.text


def test_the_next_page_keeps_the_filters(web, killed, other):
    first = web.get("/cases", params={"limit": 1, "q": "e", "sort": "created_at"})
    assert [case["number"] for case in first.json()["items"]] == [other]
    link = first.headers["link"].partition(">")[0].removeprefix("</api/v1")
    assert [case["number"] for case in web.get(link).json()["items"]] == [killed]
