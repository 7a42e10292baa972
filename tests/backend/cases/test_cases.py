"""Cases: created, found, listed, changed, deleted and restored."""

from __future__ import annotations

from itertools import product

from backend.accounts import service as accounts
from backend.cases import queries, service
from backend.cases.schemas_filter import CaseFilter
from backend.core.http.pagination import Page
from tests.backend.people import sign_in


def test_a_case_is_found_by_number_and_by_uuid(web):
    case = web.post("/cases", json={"title": "db7 stalls"}).json()
    assert web.get(f"/cases/{case['number']}").json()["id"] == case["id"]
    assert web.get(f"/cases/{case['id']}").json()["number"] == case["number"]


def test_an_unknown_case_is_a_problem_document(web):
    for name in ("99999", "0198c0de-0000-7000-8000-000000000000", "nonsense", "999999999999999"):
        answer = web.get(f"/cases/{name}")
        assert (answer.status_code, answer.json()["code"]) == (404, "NotFound")
        assert "there is no case" in answer.json()["detail"]


def test_pages_hold_every_case_once_in_every_order(session):
    link = accounts.create_sign_in_token(session)
    principal, _ = sign_in(session, link, lifetime=accounts.SIGN_IN_LIFETIME)
    made = {service.create(session, title=f"case {n % 3}", actor="t").id for n in range(7)}
    session.commit()
    sorts = ("relevance", "-created_at", "created_at", "-updated_at", "title", "-number")
    for sort, q in product(sorts, ("", "case", "-x")):
        seen, page = [], Page(sort, None, 3)
        while True:
            found, total = queries.found(session, principal, page, CaseFilter(sort=sort, q=q))
            assert total == (7 if q else None)
            seen += found
            if page.next_cursor is None:
                break
            page = Page(sort, page.next_cursor, 3)
        assert len(seen) == len(set(seen))
        assert made <= set(seen)


def test_a_cursor_of_another_list_is_refused(web):
    for number in range(3):
        web.post("/cases", json={"title": f"case {number}"})
    cursor = web.get("/cases", params={"limit": 1}).json()["next_cursor"]
    answer = web.get("/cases", params={"limit": 1, "cursor": cursor, "sort": "title"})
    assert (answer.status_code, answer.json()["code"]) == (422, "InvalidCursor")
    assert web.get("/cases", params={"cursor": "bm9wZQ=="}).status_code == 422


def test_search_takes_words_of_the_title_in_any_order_and_the_number(web):
    case = web.post("/cases", json={"title": "Kubelet 100% in memory_stat"}).json()
    web.post("/cases", json={"title": "something else"})

    def found(q):
        return [item["number"] for item in web.get("/cases", params={"q": q}).json()["items"]]

    assert found("stat kubelet") == [case["number"]]
    assert found("100%") == [case["number"]]
    assert found("memory%stat") == [case["number"]]
    assert found("memory_other") == []
    assert found(f"#{case['number']}") == [case["number"]]


def test_changes_are_applied_and_recorded_as_events(web):
    case = web.post("/cases", json={}).json()
    assert case["title"] == "Untitled case"
    changed = web.patch(
        f"/cases/{case['id']}", json={"title": "new", "severity": "high", "state": "closed"}
    ).json()
    assert (changed["title"], changed["severity"], changed["state"]) == ("new", "high", "closed")
    assert web.patch(f"/cases/{case['id']}", json={"severity": None}).json()["severity"] is None
    assert web.patch(f"/cases/{case['id']}", json={"colour": "red"}).status_code == 422


def test_a_deleted_case_is_hidden_until_restored(web):
    case = web.post("/cases", json={"title": "away"}).json()
    assert web.delete(f"/cases/{case['id']}").status_code == 204
    assert web.get(f"/cases/{case['id']}").status_code == 404
    assert all(item["id"] != case["id"] for item in web.get("/cases").json()["items"])
    assert web.post(f"/cases/{case['id']}/restore").json()["id"] == case["id"]
    assert web.get(f"/cases/{case['id']}").status_code == 200
