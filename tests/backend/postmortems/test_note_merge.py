"""Concurrent edits of a note merge by paragraph, and no version is lost."""

from __future__ import annotations

import time

import pytest

from backend.postmortems.note_merge import merge
from tests.backend.people import case as new_case

BASE = "Load climbs\n\nps hangs\n\nRestarted mysqld"


@pytest.mark.parametrize(
    ("mine", "theirs", "merged"),
    [
        (
            "Load climbs to 96\n\nps hangs\n\nRestarted mysqld",
            "Load climbs\n\nps hangs\n\nRestarted mysqld at 03:12",
            "Load climbs to 96\n\nps hangs\n\nRestarted mysqld at 03:12",
        ),
        (f"{BASE}\n\nmine", f"{BASE}\n\ntheirs", f"{BASE}\n\ntheirs\n\nmine"),
        ("ps hangs\n\nRestarted mysqld", f"{BASE}\n\ntheirs", "ps hangs\n\nRestarted mysqld\n\ntheirs"),
        (BASE, "all new", "all new"),
        ("all new", "all new", "all new"),
        ("Load fell\n\nps hangs\n\nRestarted mysqld", "Load rose\n\nps hangs\n\nRestarted mysqld", None),
        ("Load climbs\n\nRestarted mysqld", "Load climbs\n\nps works\n\nRestarted mysqld", None),
    ],
    ids=["other paragraphs", "both add", "delete, add", "unchanged", "same", "conflict", "delete, change"],
)
def test_paragraphs_merge_unless_both_changed_one(mine, theirs, merged):
    assert merge(BASE, mine=mine, theirs=theirs) == merged


def test_a_note_of_very_many_paragraphs_is_compared_in_bounded_time():
    base = "\n\n".join("ab"[at * at % 7 % 2] for at in range(16_000))
    begun = time.process_time()
    assert merge(base, mine=f"{base}\n\nx", theirs=f"y\n\n{base}") is None
    assert time.process_time() - begun < 20


@pytest.fixture
def note(sessions, web):
    case = new_case(sessions)
    return web.post(f"/cases/{case.number}/notes", json={"text": BASE}).json()


def save(web, note, text, revision=1):
    return web.put(f"/notes/{note['id']}", json={"text": text, "revision": revision})


def test_two_edits_of_one_revision_are_both_saved(note, web):
    save(web, note, BASE.replace("climbs", "climbs to 96"))
    merged = save(web, note, f"{BASE}\n\nBetter now").json()
    assert merged["revision"] == 3
    assert merged["text"] == "Load climbs to 96\n\nps hangs\n\nRestarted mysqld\n\nBetter now"


def test_every_text_that_was_saved_can_be_read_again(note, web):
    save(web, note, "two")
    conflicting = save(web, note, "three")
    assert conflicting.status_code == 409
    save(web, note, "three", revision=2)
    versions = web.get(f"/notes/{note['id']}/versions").json()["items"]
    assert [(one["revision"], one["text"]) for one in versions] == [(1, BASE), (2, "two"), (3, "three")]


def test_a_revision_that_never_was_is_a_conflict(note, web):
    assert save(web, note, "two", revision=7).status_code == 409
