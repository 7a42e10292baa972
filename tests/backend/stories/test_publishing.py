"""A published story is found like a shipped one, and no longer after it is unpublished."""

from __future__ import annotations

from pathlib import Path

import pytest

from backend.library import index
from backend.models import Role
from backend.stories import publishing, queries

STACK = Path("tests/data/published/vanishing-cpu/stack.shrink_lruvec.txt").read_text()
LIVELOCK = "mm/shrink-lruvec-livelock"

shipped = pytest.mark.usefixtures("library")


@pytest.fixture
def author(people):
    return people("kim")


@pytest.fixture
def curator(people):
    return people("curt", Role.CURATOR)


@pytest.fixture
def publish(curator):
    def published(browser, story):
        browser.post(f"/stories/{story['number']}/offer")
        answer = curator.post(f"/stories/{story['number']}/publish", json={"revision": story["revision"]})
        assert answer.status_code == 200, answer.text
        return answer.json()

    return published


def found(browser, text, **narrowed):
    body = browser.post("/library/search", params={"limit": 1000}, json={"text": text} | narrowed).json()
    return [one for one in body["items"] if one["kind"] == "story"], body


def test_drafts_are_not_in_the_library(author, people, begin):
    story = begin(author, title="Quuxometer stalls", text="the quuxometer")
    assert found(author, "quuxometer")[0] == []
    assert people("vic", Role.VIEWER).get(f"/stories/{story['number']}").status_code == 404


def test_a_published_story_is_visible_to_all_and_found_by_its_words(author, people, begin, publish):
    story = begin(author, title="Quuxometer stalls", symptoms=["quux hangs"], fix="a new quux")
    publish(author, story)
    viewer = people("vic", Role.VIEWER)
    read = viewer.get(f"/stories/{story['slug']}").json()
    assert (read["title"], read["text"], read["author"]) == ("Quuxometer stalls", story["text"], "kim")
    assert (read["published_by"], read["may_edit"]) == ("curt", False)
    (hit,), body = found(viewer, "quuxometer")
    assert (hit["key"], hit["status"], hit["has_fix"]) == (str(story["number"]), "published", True)
    assert body["items"][0] == hit
    assert {one["value"] for one in body["facets"]["kind"]} >= {"story"}
    assert [one["key"] for one in found(viewer, "quux", kind="story")[0]] == [str(story["number"])]


@shipped
def test_a_paste_finds_the_story_of_the_signature_it_is_judged_to_be(author, begin, publish):
    body = {"text": "`shrink_lruvec` and `lru_note_cost` again.\n", "signatures": [LIVELOCK]}
    story = begin(author, title="The night of the lruvec", **body)
    publish(author, story)
    (hit,), answers = found(author, STACK)
    assert hit["key"] == str(story["number"])
    assert {reason["kind"] for reason in hit["reasons"]} >= {"judged", "functions"}
    assert hit["met"]
    assert LIVELOCK in {one["key"] for one in answers["items"][:2]}
    assert hit["key"] in {one["key"] for one in answers["items"][:2]}
    assert hit["area"] == "mm"


@shipped
def test_the_common_part_of_a_quoted_stack_does_not_answer_every_stack(author, begin, publish):
    quoted = "```\ndo_syscall_64\nksys_read\nksys_pread64\nquux_show\n```\nIt was not `shrink_slab`.\n"
    assert list(publishing.functions_of(quoted)) == ["shrink_slab"]
    story = begin(author, title="Quux", text=quoted)
    publish(author, story)
    pasted = "memcg_stat_show\nksys_pread64\nksys_read\ndo_syscall_64\n"
    hits, answers = found(author, pasted)
    assert all("functions" not in {reason["kind"] for reason in hit["reasons"]} for hit in hits)
    assert answers["items"][0]["key"] != str(story["number"])


def test_edits_after_publishing_are_hidden_until_published(author, people, begin, save, publish):
    story = publish(author, begin(author, text="first quux"))
    changed = save(author, story, text="second quux", sitting="x").json()
    viewer = people("vic", Role.VIEWER)
    assert viewer.get(f"/stories/{story['number']}").json()["text"] == "first quux"
    assert (changed["revision"], changed["published_revision"]) == (2, 1)
    publish(author, changed)
    assert viewer.get(f"/stories/{story['number']}").json()["text"] == "second quux"


def test_further_edits_do_not_change_the_published_text(author, begin, save, publish):
    story = save(author, begin(author), text="one", sitting="s").json()
    story = publish(author, story)
    later = save(author, story, text="two", sitting="s").json()
    assert (later["published_revision"], later["revision"]) == (2, 3)
    assert author.get(f"/stories/{story['number']}").json()["text"] == "one"


def test_the_published_revision_is_the_previewed_one(author, curator, begin, save):
    story = begin(author)
    author.post(f"/stories/{story['number']}/offer")
    save(author, story, text="another")
    late = curator.post(f"/stories/{story['number']}/publish", json={"revision": 1})
    assert (late.status_code, late.json()["code"]) == (409, "Conflict")


@pytest.mark.parametrize("body", [{"title": " "}, {"text": "\n"}])
def test_a_story_without_title_or_text_is_not_published(curator, begin, body):
    story = begin(curator, **body)
    answer = curator.post(f"/stories/{story['number']}/publish", json={"revision": 1})
    assert answer.status_code == 422


def test_members_offer_drafts_to_a_curator(author, begin):
    story = begin(author)
    answer = author.post(f"/stories/{story['number']}/publish", json={"revision": 1})
    assert answer.status_code == 403
    assert not story["may_publish"]


def test_only_the_author_can_unpublish(author, people, begin, publish):
    story = publish(author, begin(author, text="quuxometer"))
    assert people("sam").post(f"/stories/{story['number']}/unpublish").status_code == 404
    assert author.post(f"/stories/{story['number']}/unpublish").json()["published_revision"] is None
    assert author.get(f"/stories/{story['number']}").status_code == 404
    assert found(author, "quuxometer")[0] == []


def test_a_restored_story_is_in_the_library_unchanged(author, begin, publish):
    story = publish(author, begin(author, text="quuxometer"))
    assert author.delete(f"/stories/{story['number']}").status_code == 204
    assert found(author, "quuxometer")[0] == []
    gone = {author.get(f"/stories/{story['number']}{part}").status_code for part in ("", "/draft", "/file")}
    assert gone == {404}
    assert author.post(f"/stories/{story['number']}/restore").json()["text"] == "quuxometer"
    assert [one["key"] for one in found(author, "quuxometer")[0]] == [str(story["number"])]


def test_an_exported_story_imports_unchanged(author, begin, publish):
    body = {"symptoms": ["ps hangs"], "signatures": [LIVELOCK], "fix": "more room", "area": "mm"}
    story = publish(author, begin(author, title="A: night", **body))
    file = author.get(f"/stories/{story['number']}/file")
    assert file.headers["content-type"] == "text/markdown; charset=utf-8"
    again = author.post("/stories/import", content=file.content).json()
    same = ("title", "area", "symptoms", "signatures", "fix", "text")
    assert {name: again[name] for name in same} == {name: story[name] for name in same}


def test_filling_again_writes_nothing_and_puts_back_what_is_missing(author, sessions, begin, publish):
    story = publish(author, begin(author, text="quuxometer"))
    with sessions.begin() as session:
        assert publishing.fill_session(session) == 0
        index.remove(session, "story", str(story["number"]))
        index.put(session, publishing.document_of(*queries.published(session, str(story["number"]))))
        assert publishing.fill_session(session) == 0
        index.remove(session, "story", str(story["number"]))
        assert publishing.fill_session(session) == 1
    assert found(author, "quuxometer")[0] != []
