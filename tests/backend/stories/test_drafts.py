"""Drafts: saved with optimistic locking, every revision restorable."""

from __future__ import annotations

from uuid import UUID

import pytest

from backend.models import Team, TeamMember
from backend.models.account import Role
from tests.backend.people import case as new_case


def revisions(browser, story):
    return browser.get(f"/stories/{story['number']}/revisions").json()["items"]


def test_a_draft_is_stored_verbatim(people, begin):
    kim = people("kim")
    text = "# 03:12\n\n<script>alert(1)</script> \\* `a`\n\n\u202e\n"
    story = begin(
        kim, text=text, symptoms=["ping spikes"], signatures=["mm/memcg-stat-show-stall"], fix="cadvisor"
    )
    read = kim.get(f"/stories/{story['number']}/draft")
    assert read.json() == story
    assert read.headers["ETag"] == '"1"'
    assert (story["text"], story["author"], story["revision"], story["is_own"]) == (text, "kim", 1, True)
    assert story["signatures"][0]["title"].startswith("Reading memory.stat")
    assert story["slug"] == f"{story['number']}-ping-spikes"
    assert kim.get(f"/stories/{story['slug']}/draft").json() == story


def test_an_editing_session_is_one_revision(people, begin, save):
    kim = people("kim")
    story = begin(kim)
    for at, words in enumerate(["It", "It began", "It began again."]):
        story = save(kim, story, text=words, sitting="morning").json()
        assert (story["revision"], story["version"]) == (2, at + 2)
    story = save(kim, story, text="Later.", sitting="evening").json()
    assert [(one["number"], one["editor"]) for one in revisions(kim, story)] == [
        (3, "kim"),
        (2, "kim"),
        (1, "kim"),
    ]
    assert kim.get(f"/stories/{story['number']}/revisions/2").json()["content"]["text"] == "It began again."


def test_saving_the_same_changes_nothing(people, begin, save):
    kim = people("kim")
    story = begin(kim)
    assert save(kim, story).json() == story


def test_two_editors_never_overwrite_each_other(people, begin, save):
    kim, vera = people("kim"), people("vera", Role.ADMIN)
    story = begin(kim)
    theirs = save(vera, story, text="Vera's", sitting="b").json()
    mine = save(kim, story, text="Kim's", sitting="a")
    assert mine.status_code == 412
    assert "vera saved this story meanwhile" in mine.json()["detail"]
    assert kim.get(f"/stories/{story['number']}/draft").json()["text"] == "Vera's"
    stood = save(kim, theirs, text="Kim's", sitting="a").json()
    assert [one["editor"] for one in revisions(kim, stood)] == ["kim", "vera", "kim"]
    back = kim.post(
        f"/stories/{story['number']}/revisions/2/restore", headers={"If-Match": f'"{stood["version"]}"'}
    )
    assert (back.json()["text"], back.json()["revision"]) == ("Vera's", 4)


def test_two_tabs_of_one_person_are_two_editors(people, begin, save):
    kim = people("kim")
    story = begin(kim)
    one = save(kim, story, text="one", sitting="one").json()
    assert save(kim, story, text="two", sitting="two").status_code == 412
    two = save(kim, one, text="two", sitting="two").json()
    assert [item["number"] for item in revisions(kim, two)] == [3, 2, 1]


@pytest.mark.parametrize("held", [{}, {"If-Match": "7"}, {"If-Match": "*"}])
def test_saving_needs_the_revision_that_was_read(people, begin, held):
    story = begin(people("kim"))
    answer = people("kim").put(f"/stories/{story['number']}/draft", json={"text": "x"}, headers=held)
    assert answer.status_code in {400, 422}
    assert "if-match" in answer.json()["detail"].lower()


def test_a_difference_shows_what_changed_with_lines_around_it(people, begin, save):
    kim = people("kim")
    lines = [f"line {at}" for at in range(30)]
    story = begin(kim, text="\n".join(lines))
    lines[20] = "another"
    story = save(kim, story, text="\n".join(lines), fix="a reboot").json()
    difference = kim.get(f"/stories/{story['number']}/revisions/2/difference?base=1").json()
    assert (difference["added"], difference["removed"]) == (2, 1)
    changed = [
        (line["kind"], line["text"]) for line in difference["lines"] if line["kind"] in {"added", "removed"}
    ]
    assert changed == [("added", "fix: a reboot"), ("removed", "line 20"), ("added", "another")]
    assert "line 10" not in {line["text"] for line in difference["lines"]}
    assert kim.get(f"/stories/{story['number']}/revisions/1/difference").json()["removed"] == 0


def test_an_unknown_signature_is_reported_with_similar_ones(people):
    answer = people("kim").post("/stories", json={"title": "a", "text": "b", "signatures": ["mm/memcg-oomm"]})
    assert answer.status_code == 422
    assert "did you mean mm/memcg-oom" in answer.json()["detail"]


def test_an_invisible_case_is_reported_as_missing(people, begin, sessions):
    hidden = new_case(sessions, visibility="restricted")
    kim = people("kim")
    answers = [kim.post("/stories", json={"cases": [number]}) for number in (hidden.number, 2**30)]
    assert {answer.status_code for answer in answers} == {422}
    admin = people("vera", Role.ADMIN)
    story = begin(admin, cases=[hidden.number], title="x")
    team_story = admin.get(f"/stories/{story['number']}/draft").json()
    assert [one["number"] for one in team_story["cases"]] == [hidden.number]
    assert story["closed_cases"] == [hidden.number]


def test_saving_keeps_linked_cases_invisible_to_the_editor(people, begin, save, sessions):
    hidden = new_case(sessions, visibility="restricted")
    admin, curator = people("vera", Role.ADMIN), people("curt", Role.CURATOR)
    story = begin(admin, cases=[hidden.number])
    admin.post(f"/stories/{story['number']}/offer")
    seen = curator.get(f"/stories/{story['number']}/draft").json()
    assert seen["cases"] == []
    assert save(curator, seen, text="better").status_code == 200
    difference = curator.get(f"/stories/{story['number']}/revisions/2/difference?base=1").json()
    assert str(hidden.number) not in {line["text"].strip("- ") for line in difference["lines"]}
    assert admin.get(f"/stories/{story['number']}/draft").json()["cases"][0]["number"] == hidden.number


def test_a_draft_is_visible_to_author_team_and_once_offered_curators(people, begin, sessions):
    kim, lou = people("kim"), people("lou")
    stranger, curator, viewer = people("sam"), people("curt", Role.CURATOR), people("vic", Role.VIEWER)
    members = [UUID(one.get("/me").json()["id"]) for one in (kim, lou)]
    with sessions.begin() as session:
        team = Team(name="storage")
        session.add(team)
        session.flush()
        for member in members:
            session.add(TeamMember(team_id=team.id, account_id=member))
            session.flush()
        team_id = str(team.id)
    story = begin(kim)
    address = f"/stories/{story['number']}/draft"
    assert [one.get(address).status_code for one in (kim, lou, stranger, curator, viewer)] == [
        200,
        404,
        404,
        404,
        403,
    ]
    assert stranger.get(address).json()["detail"] == f"there is no story {story['number']}"
    kim.put(f"/stories/{story['number']}/team", json={"team_id": team_id})
    assert lou.get(address).status_code == 200
    assert stranger.put(f"/stories/{story['number']}/team", json={"team_id": team_id}).status_code == 404
    assert lou.get("/stories/drafts").json()["items"][0]["number"] == story["number"]
    lou.post(f"/stories/{story['number']}/offer")
    assert curator.get(address).json()["is_offered"]
    assert stranger.get(address).status_code == 404
    assert stranger.get("/stories/drafts").json()["items"] == []


def test_a_markdown_file_becomes_a_draft_and_a_bad_one_says_where(people):
    kim = people("kim")
    good = kim.post("/stories/import", content="---\ntitle: A night\nsymptoms: ps hangs\n---\nIt began.\n")
    assert (good.status_code, good.json()["title"], good.json()["published_revision"]) == (
        201,
        "A night",
        None,
    )
    named = kim.post("/stories/import?filename=a-night.md", content="It began.\n").json()
    assert named["title"] == "a-night"
    hidden = kim.post("/stories/import?filename=a%E2%80%AEb.md", content="It began.\n")
    assert (hidden.status_code, hidden.json()["title"]) == (201, "a\ufffdb")
    bad = kim.post("/stories/import", content="---\ntitle: A\nfoo: 1\n---\nx")
    assert (bad.status_code, bad.json()["code"]) == (422, "InvalidStory")
    assert "line 3: there is no key 'foo'" in bad.json()["detail"]
    assert "line 2: the file is not UTF-8" in kim.post("/stories/import", content=b"a\n\xff").json()["detail"]
