"""A story uploaded as evidence becomes a draft of its sender without loss."""

from __future__ import annotations

import pytest
from httpx import Client
from sqlalchemy import select

from backend.accounts import tokens
from backend.core.jobs.runner import run_job
from backend.models import Account, Job, Team, TeamMember
from backend.models.account import Role, TokenKind
from backend.stories import from_evidence
from backend.stories.schemas import MAX_TEXT_CHARS
from tests.backend.conftest import PATIENT

STORY = """---
title: Ping spikes every five seconds
symptoms:
- ping has spikes of 100 ms
signatures:
- mm/memcg-stat-show-stall
fix: cadvisor 0.45
---

It began on a Tuesday.

```
java;start_thread;entry_SYSCALL_64_after_hwframe;ksys_read 42
```
"""


@pytest.fixture
def work(app_settings, sessions, store):
    """Return a function that does the queued jobs of a kind."""
    patient = app_settings.model_copy(update=PATIENT)

    def done(kind, subject_id):
        with sessions() as session:
            found = session.scalars(
                select(Job.id).where(Job.kind == kind, Job.subject_id == subject_id, Job.state == "queued")
            ).all()
        for job_id in found:
            run_job(job_id, patient, sessions, store)
        return len(found)

    return done


@pytest.fixture
def drop(work):
    """Send a file, have it read, and return its case, its evidence, and the stories of the case."""

    def dropped(browser, text, name="night.md", case=None, sender=None):
        url = f"/cases/{case}/evidence/{name}" if case else f"/evidence/{name}"
        answer = (sender or browser).put(url, content=text.encode())
        assert answer.status_code == 202, answer.text
        body = answer.json()
        evidence, number = body["evidence"][0]["id"], body["case"]["number"]
        work("evidence.batch", body["case"]["id"])
        work("stories.begin", evidence)
        return number, evidence, browser.get(f"/cases/{number}/stories").json()["items"]

    return dropped


def says(browser, number):
    return [entry["says"] for entry in browser.get(f"/cases/{number}/timeline").json()["items"]]


def test_it_is_a_draft_of_its_sender_and_stays_evidence(people, drop):
    kim = people("kim")
    number, evidence, (story,) = drop(kim, STORY)
    assert story == {
        "number": story["number"],
        "slug": f"{story['number']}-ping-spikes-every-five-seconds",
        "title": "Ping spikes every five seconds",
        "author": "kim",
        "is_published": False,
        "evidence_id": evidence,
    }
    draft = kim.get(f"/stories/{story['number']}/draft").json()
    assert draft["is_own"]
    assert draft["text"] == STORY.partition("---\n\n")[2]
    assert (draft["symptoms"], draft["fix"]) == (["ping has spikes of 100 ms"], "cadvisor 0.45")
    assert [one["id"] for one in draft["signatures"]] == ["mm/memcg-stat-show-stall"]
    assert [one["number"] for one in draft["cases"]] == [number]
    (read,) = kim.get(f"/cases/{number}/evidence").json()["items"]
    assert [section["format"] for section in read["sections"]] == ["text", "folded"]
    assert "night.md is a story; kim has a draft of it" in says(kim, number)


def test_who_sees_the_case_does_not_see_the_draft(people, drop):
    kim, vic = people("kim"), people("vic")
    number, _, (story,) = drop(kim, STORY)
    assert vic.get(f"/cases/{number}/stories").json()["items"] == []
    assert vic.get(f"/stories/{story['number']}/draft").status_code == 404


def test_a_case_of_a_team_shares_the_draft_with_it(people, drop, sessions):
    kim, tom = people("kim"), people("tom")
    with sessions.begin() as session:
        team = Team(name="kernel")
        session.add(team)
        session.flush()
        ids = session.scalars(select(Account.id).where(Account.name.in_(["kim", "tom"]))).all()
        session.add_all(TeamMember(team_id=team.id, account_id=one) for one in ids)
        team_id = str(team.id)
    made = kim.post("/cases", json={"title": "stall"}).json()
    answer = kim.put(f"/cases/{made['number']}/access", json={"visibility": "team", "team_id": team_id})
    assert answer.status_code == 200, answer.text
    drop(kim, STORY, case=made["number"])
    assert [one["author"] for one in tom.get(f"/cases/{made['number']}/stories").json()["items"]] == ["kim"]


def test_parsing_again_creates_no_second_draft(people, drop, sessions, store):
    kim = people("kim")
    number, evidence, stories = drop(kim, STORY)
    with sessions.begin() as session:
        from_evidence.begin(session, store, evidence)
    assert kim.get(f"/cases/{number}/stories").json()["items"] == stories


@pytest.mark.parametrize(
    ("front", "why"),
    [
        ("title: x\nfix: y\nmood: bad\n", "there is no key 'mood'"),
        ("title: x\nsignatures: [mm/memcg-stat-show-stal]\n", "the library has no signature"),
        ("title: x\ncases: [1234567]\n", "it names cases by number"),
    ],
)
def test_invalid_front_matter_stays_text_with_a_reason_in_the_timeline(people, drop, front, why):
    kim = people("kim")
    written = f"---\n{front}---\n\nIt was the kernel.\n"
    number, _, (story,) = drop(kim, written)
    draft = kim.get(f"/stories/{story['number']}/draft").json()
    assert (draft["title"], draft["text"]) == ("night", written)
    assert any(why in sentence for sentence in says(kim, number))


def test_a_too_long_story_stays_evidence_with_a_reason_in_the_timeline(people, drop):
    kim = people("kim")
    long = STORY + "And so it went on. " * (MAX_TEXT_CHARS // 18)
    number, _, stories = drop(kim, long)
    assert stories == []
    assert any("night.md is a story but not a draft" in sentence for sentence in says(kim, number))


def test_a_story_uploaded_by_a_token_is_a_draft_of_its_owner(people, drop, sessions):
    kim = people("kim")
    made = kim.post("/cases", json={"title": "stall"}).json()
    with sessions.begin() as session:
        program = Account(name="ci", is_service=True, role=Role.RESPONDER)
        session.add(program)
        session.flush()
        _, secret = tokens.make(
            session, program.id, kind=TokenKind.SERVICE, name="ci", scopes=tokens.EVERYTHING, lifetime=None
        )
    with Client(base_url=kim.base_url, headers={"Authorization": f"Bearer {secret}"}) as ci:
        drop(kim, STORY, case=made["number"], sender=ci)
    (story,) = kim.get(f"/cases/{made['number']}/stories").json()["items"]
    assert story["author"] == "kim"


def test_notes_and_tool_output_create_no_draft(people, drop):
    kim = people("kim")
    _, _, stories = drop(kim, "ps aux hangs since ten\n", name="note.md")
    assert stories == []


def test_a_title_that_hides_or_reorders_text_shows_it(people, drop):
    kim = people("kim")
    number, _, (story,) = drop(
        kim, STORY.replace("five seconds", "five\u202e seconds"), name="a\u202enight.md"
    )
    assert story["title"] == "a\ufffdnight"
    assert "title must not contain U+202E" in says(kim, number)[-1]
    assert kim.get(f"/cases/{number}").json()["title"] == "a\ufffdnight.md"
    assert kim.post(f"/stories/{story['number']}/offer").status_code == 200
