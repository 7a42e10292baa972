"""The first view of a case holds what each of its paths answers, and is small."""

from __future__ import annotations

import gzip

import pytest
from sqlalchemy import select

from backend.first_view import row_versions, view
from backend.models.evidence import Evidence
from ingest.readers.commands import host_text
from ingest.readers.proc import proc_vmstat
from tests.backend.stored_evidence import judge_case, new_case, store_evidence

PATHS = {
    "case": "",
    "access": "/access",
    "findings": "/findings",
    "overview": "/overview",
    "analyses": "/analyses",
    "incident": "/incident",
    "seen_before": "/seen-before",
}
LISTS = ("evidence", "uploads", "captures", "labels", "origins", "profiles", "stories")


@pytest.fixture
def case(session, store, tmp_path):
    case = new_case(session)
    store_evidence(session, store, tmp_path, case, b"pgscan_direct 12\n", proc_vmstat, name="vmstat")
    store_evidence(session, store, tmp_path, case, b"db7\n", host_text, captured_path="etc/hostname")
    judge_case(session, store, case.id)
    session.commit()
    return case


def test_each_part_is_the_answer_of_its_path(web, case):
    answer = web.get(f"/cases/{case.number}/view")
    body = answer.json()
    assert {name: body[name] for name in PATHS} == {
        name: web.get(f"/cases/{case.number}{path}").json() for name, path in PATHS.items()
    }
    listed = {name: web.get(f"/cases/{case.number}/{name}").json()["items"] for name in LISTS}
    assert {name: body[name] for name in LISTS} == listed
    assert len(body["evidence"]) == 2
    assert set(body["facts"]) == set(view.FACTS)
    assert len(gzip.compress(answer.content)) < 60_000


def test_a_kept_part_is_of_the_rows_as_they_are_now(web, session, store, tmp_path, case):
    def names():
        body = web.get(f"/cases/{case.number}/view").json()
        assert {name: body[name] for name in PATHS} == {
            name: web.get(f"/cases/{case.number}{path}").json() for name, path in PATHS.items()
        }
        return sorted((one["captured_path"] or one["filename"], one["phase"]) for one in body["evidence"])

    assert row_versions.version_of(session, case.id)
    hostname, vmstat = names()
    assert (hostname, vmstat[0]) == (("etc/hostname", "during"), "vmstat")
    assert names() == [hostname, vmstat]
    session.scalars(select(Evidence).where(Evidence.filename == "vmstat")).one().phase = "after"
    session.commit()
    assert names() == [hostname, ("vmstat", "after")]
    store_evidence(session, store, tmp_path, case, b"pgscan_direct 14\n", proc_vmstat, name="vmstat-2")
    session.commit()
    assert row_versions.version_of(session, case.id) is None
    assert len(names()) == 3
    judge_case(session, store, case.id)
    session.commit()
    assert len(names()) == 3


def test_many_files_are_listed_by_page(web, case, monkeypatch):
    monkeypatch.setattr(view, "MOST_ROWS", 1)
    assert web.get(f"/cases/{case.number}/view").json()["evidence"] is None


def test_only_who_sees_the_case_sees_its_view(web):
    assert web.get("/cases/4711/view").status_code == 404
