"""A signature written in the browser: checked, proposed, reviewed, part of the next version of a library."""

from __future__ import annotations

import pytest

from backend.models import Role
from ingest.readers.logs import kernel_log
from tests.backend.libraries.conftest import OWN, of_bytes
from tests.backend.libraries.test_judging import LOG, OURS, SHIPPED, activate
from tests.backend.people import person, signed_in
from tests.backend.stored_evidence import judge_case, new_case, store_evidence


def propose(web, text=OWN, base="", library="payments", signature=OURS):
    body = {"library": library, "signature_id": signature, "text": text, "base": base}
    answer = web.post("/signature-proposals", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


@pytest.fixture
def ann(address, sessions):
    """A responder in a browser."""
    with signed_in(address, sessions, person(sessions, "ann", Role.RESPONDER)) as web:
        yield web


def test_a_text_is_judged_on_a_case_as_it_is_written(session, store, tmp_path, web):
    case = new_case(session, "gateway drops")
    store_evidence(session, store, tmp_path, case, LOG, kernel_log, name="kern.log")
    judge_case(session, store, case.id)
    session.commit()
    check = web.post(f"/cases/{case.number}/signature-check", json={"text": OWN}).json()
    assert check["problems"] == []
    (found,) = check["findings"]
    assert (found["signature"], found["verdict"]) == (OURS, "match")
    assert found["clauses"][0]["citations"][0]["first_line"] >= 1
    other = OWN.replace("class: conntrack_full", "class: oom_kill")
    (found,) = web.post(f"/cases/{case.number}/signature-check", json={"text": other}).json()["findings"]
    assert found["verdict"] != "match"
    # Nothing of it is stored.
    assert OURS not in web.get(f"/cases/{case.number}/findings?all=true").text


def test_a_text_fires_on_look_alikes_of_other_signatures(web):
    check = web.post("/signature-check", json={"text": OWN}).json()
    assert (check["id"], check["problems"]) == (OURS, [])
    firing = {one["signature"] for one in check["look_alikes"] if one["fires"]}
    assert firing == {SHIPPED}
    assert check["fixtures"] == []


def test_a_shipped_signature_is_judged_on_its_own_fixtures(web):
    text = web.get(f"/signatures/{SHIPPED}/text").json()["text"]
    check = web.post("/signature-check", json={"text": text}).json()
    assert check["fixtures"]
    assert not any(one["problems"] for one in check["fixtures"])
    broken = web.post("/signature-check", json={"text": text.replace("conntrack_full", "oom_kill")}).json()
    assert any("not match" in problem for one in broken["fixtures"] for problem in one["problems"])


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("title: no id\n", 1, "no id"),
        (OWN.replace("weight: 4", "weigth: 4"), 15, "weigth"),
        ("id: a/b\nx: [\n", 3, "not YAML"),
        (
            "id: a/b\na: &a [1,1,1,1,1,1,1,1,1,1]\n"
            + "".join(f"{one}: &{one} [{', '.join([f'*{chr(ord(one) - 1)}'] * 10)}]\n" for one in "bcdefghi"),
            0,
            "aliases",
        ),
        ("", 1, "no id"),
    ],
)
def test_what_is_wrong_with_a_text_is_one_sentence_with_its_line(web, text, line, words):
    check = web.post("/signature-check", json={"text": text})
    assert check.status_code == 200, check.text
    assert len(check.json()["problems"]) == 1
    problem = check.json()["problems"][0]
    assert words in problem["text"]
    assert not line or problem["line"] == line
    assert check.json()["look_alikes"] == []


def test_an_accepted_proposal_is_the_next_version_in_shadow(web, work, ann):
    web.put("/libraries/payments/archive", content=of_bytes({f"{OURS}/signature.yaml": OWN.encode()}))
    work()
    library = web.get("/libraries/payments").json()
    activate(web, library["shadow"])
    assert ann.get(f"/signatures/{OURS}/text").json() == {
        "signature_id": OURS,
        "text": OWN,
        "is_original": True,
    }
    other = "net/our-other"
    row = propose(ann, OWN.replace(OURS, other), signature=other)
    assert ann.post(f"/signature-proposals/{row['id']}/accept", json={"revision": 1}).status_code == 403
    (listed,) = web.get("/signature-proposals?state=proposed").json()["items"]
    assert (listed["author"], listed["library"], "text" in listed) == ("ann", "payments", False)
    accepted = web.post(f"/signature-proposals/{row['id']}/accept", json={"revision": 1})
    assert accepted.json()["state"] == "accepted"
    work()
    library = web.get("/libraries/payments").json()
    assert [one["id"] for one in library["active"]["signatures"]] == [OURS]
    assert [one["id"] for one in library["shadow"]["signatures"]] == [other, OURS]
    assert library["shadow"]["id"] == accepted.json()["version_id"]
    path = f"/libraries/payments/versions/{library['shadow']['id']}/signatures"
    assert web.get(f"{path}/{OURS}").json()["text"] == OWN
    assert web.get(f"{path}/net/none").status_code == 404
    again = web.post(f"/signature-proposals/{row['id']}/reject", json={"revision": 1, "comment": "no"})
    assert again.status_code == 409


def test_a_curator_reviews_the_text_that_was_looked_at(web, ann):
    row = propose(ann)
    path = f"/signature-proposals/{row['id']}"
    changed = ann.put(f"{path}/text", json={"text": OWN + "# more\n", "revision": 1}).json()
    assert changed["revision"] == 2
    stale = web.post(f"{path}/accept", json={"revision": 1})
    assert stale.status_code == 409
    assert "revision 2" in stale.json()["detail"]
    assert web.post(f"{path}/reject", json={"revision": 2}).status_code == 400
    rejected = web.post(f"{path}/reject", json={"revision": 2, "comment": "it shadows ours"}).json()
    assert (rejected["state"], rejected["comment"]) == ("rejected", "it shadows ours")
    assert web.get("/libraries").json()["items"] == []


def test_only_its_author_or_a_curator_changes_a_proposal(ann, address, sessions):
    row = propose(ann)
    with signed_in(address, sessions, person(sessions, "bob", Role.RESPONDER)) as bob:
        assert bob.post(f"/signature-proposals/{row['id']}/withdraw").status_code == 403
    assert ann.post(f"/signature-proposals/{row['id']}/withdraw").json()["state"] == "withdrawn"


def test_a_broken_proposal_leaves_the_library_as_it_is(web, work, ann):
    row = propose(ann, "id: net/our-table-full\nx: [\n")
    web.post(f"/signature-proposals/{row['id']}/accept", json={"revision": 1})
    work()
    library = web.get("/libraries/payments").json()
    assert (library["newest"]["state"], library["shadow"], library["active"]) == ("failed", None, None)
    assert "cannot be read" in library["newest"]["problem"]
