"""Notes: Markdown as typed, no lost update, every deletion reversible."""

from __future__ import annotations

import pytest

from backend.models import Role
from tests.backend.people import case as new_case
from tests.backend.people import person, signed_in


@pytest.fixture
def case(sessions):
    return new_case(sessions)


def write(web, case, text):
    return web.post(f"/cases/{case.number}/notes", json={"text": text}).json()


def texts(web, case):
    return [note["text"] for note in web.get(f"/cases/{case.number}/notes").json()["items"]]


def test_a_note_is_stored_verbatim_with_author_and_time(case, web):
    text = "# 03:12\n\n<script>alert(1)</script> & `cat /proc/meminfo`\n"
    note = write(web, case, text)
    assert (note["text"], note["author"], note["revision"]) == (text, "owner", 1)
    assert note["created_at"].endswith("Z")
    assert web.get(f"/cases/{case.number}/notes").json()["items"] == [note]


def test_an_edit_names_its_author(case, web, address, sessions):
    note = write(web, case, "limit raised")
    with signed_in(address, sessions, person(sessions, "kim", Role.RESPONDER)) as kim:
        note_read = kim.put(f"/notes/{note['id']}", json={"text": "limit raised to 8G", "revision": 1}).json()
    assert (note_read["author"], note_read["editor"], note_read["revision"]) == ("owner", "kim", 2)
    assert texts(web, case) == ["limit raised to 8G"]


def test_a_stale_revision_is_not_overwritten(case, web):
    note = write(web, case, "one")
    web.put(f"/notes/{note['id']}", json={"text": "two", "revision": 1})
    late = web.put(f"/notes/{note['id']}", json={"text": "three", "revision": 1})
    assert late.status_code == 409
    assert "keep a copy" in late.json()["detail"]
    assert texts(web, case) == ["two"]


def test_saving_the_same_text_changes_nothing(case, web):
    note = write(web, case, "one")
    assert web.put(f"/notes/{note['id']}", json={"text": "one", "revision": 1}).json() == note


def test_a_deleted_note_comes_back_as_it_was(case, web):
    kept, gone = write(web, case, "kept"), write(web, case, "gone")
    assert web.delete(f"/notes/{gone['id']}").status_code == 204
    assert texts(web, case) == ["kept"]
    assert web.put(f"/notes/{gone['id']}", json={"text": "x", "revision": 1}).status_code == 404
    assert web.post(f"/notes/{gone['id']}/restore").json() == gone
    assert web.get(f"/cases/{case.number}/notes").json()["items"] == [kept, gone]


@pytest.mark.parametrize("text", ["", " \n\t", "x" * 50_001], ids=["empty", "blank", "too long"])
def test_an_empty_or_too_long_note_is_refused(case, web, text):
    assert web.post(f"/cases/{case.number}/notes", json={"text": text}).status_code == 422
    assert texts(web, case) == []


def test_a_viewer_reads_notes_and_writes_none(case, web, address, sessions):
    note = write(web, case, "one")
    with signed_in(address, sessions, person(sessions, "vic", Role.VIEWER)) as viewer:
        assert texts(viewer, case) == ["one"]
        assert viewer.post(f"/cases/{case.number}/notes", json={"text": "two"}).status_code == 403
        assert viewer.delete(f"/notes/{note['id']}").status_code == 403
