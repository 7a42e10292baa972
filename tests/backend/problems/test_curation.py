"""Merge and split: counts, facets, searches and new cases follow; taking it back restores what was."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from backend.models import Case, IncidentEvent, IncidentEventKind, Role, Visibility
from ingest.readers.logs import kernel_log
from tests.backend.people import person, signed_in
from tests.backend.stored_evidence import judge_case, new_case, store_evidence

TIMEOUT = b"[  10.000000] nvme nvme0: I/O 12 QID 5 timeout, completion polled\n"
MEMORY = b"[  10.000000] EDAC MC0: 1 CE memory read error on CPU_SrcID#0_Ha#0_Chan#1_DIMM#0\n"


@pytest.fixture
def made(session, store, tmp_path):
    """Make a judged case of a kernel log that no signature explains."""

    def make(title: str, log: bytes) -> Case:
        case = new_case(session, title)
        folder = tmp_path / title
        folder.mkdir()
        store_evidence(session, store, folder, case, log, kernel_log, name=f"{title}.txt")
        judge_case(session, store, case.id)
        session.commit()
        return case

    return make


def clusters(web) -> dict[str, int]:
    """Return the work list: cases by key."""
    return {
        one["key"]: one["cases"] for one in web.get("/problems", params={"kind": "cluster"}).json()["items"]
    }


def found(web, key: str) -> set[int]:
    """Return the cases of a problem as the list, and as the facets count them."""
    term = f'problem:"{key}"'
    numbers = {one["number"] for one in web.get("/cases", params={"q": term}).json()["items"]}
    facets = web.get("/search/facets", params={"q": term}).json()["facets"]
    counted = {
        value["value"]: value["count"]
        for one in facets
        if one["field"] == "problem"
        for value in one["values"]
    }
    assert counted == ({key: len(numbers)} if numbers else {})
    return numbers


def test_merged_clusters_are_one_problem_until_that_is_taken_back(web, session, store, made):
    first, second = made("one", TIMEOUT), made("two", MEMORY)
    before = clusters(web)
    assert sorted(before.values()) == [1, 1]
    merged = web.post("/problems/merges", json={"keys": list(before), "title": "New shelf"})
    key = merged.json()["key"]
    assert (merged.status_code, merged.headers["Location"]) == (201, f"/api/v1/problems/{key}")
    third = made("three", TIMEOUT)
    assert clusters(web) == {key: 3}
    assert found(web, key) == {first.number, second.number, third.number}
    read = web.get(f"/problems/{key}").json()
    assert (read["title"], read["cases"]) == ("New shelf", 3)
    assert {one["value"]: one["count"] for one in read["made"]["clusters"]} == {
        one: 2 if "nvme" in one else 1 for one in before
    }
    # A merge of a merge, and back in order.
    judge_case(session, store, second.id)
    session.commit()
    assert web.delete(f"/problems/{key}").status_code == 204
    assert clusters(web) == {one: 2 if "nvme" in one else 1 for one in before}
    assert web.get(f"/problems/{key}").status_code == 404


def test_cases_that_were_split_off_stay_so_when_they_are_judged_again(web, session, store, made):
    first, second = made("one", TIMEOUT), made("two", TIMEOUT)
    [cluster] = clusters(web)
    body = {"key": cluster, "cases": [second.number], "title": "Firmware"}
    key = web.post("/problems/splits", json=body).json()["key"]
    judge_case(session, store, second.id)
    session.commit()
    assert clusters(web) == {cluster: 1, key: 1}
    assert (found(web, cluster), found(web, key)) == ({first.number}, {second.number})
    assert web.post("/problems/splits", json={**body, "key": key}).status_code == 409
    both = web.post("/problems/merges", json={"keys": [key, cluster], "title": "Both"}).json()["key"]
    assert clusters(web) == {both: 2}
    assert web.delete(f"/problems/{key}").status_code == 404
    for made_key, left in ((both, {cluster: 1, key: 1}), (key, {cluster: 2})):
        assert web.delete(f"/problems/{made_key}").status_code == 204
        assert clusters(web) == left


def test_what_one_does_not_see_cannot_be_merged_and_signatures_not_at_all(
    address, sessions, web, session, made
):
    made("one", TIMEOUT)
    hidden = made("two", MEMORY)
    keys = list(clusters(web))
    hidden.visibility = Visibility.RESTRICTED
    session.commit()
    with signed_in(address, sessions, person(sessions, "cat", Role.CURATOR)) as curator:
        assert curator.post("/problems/merges", json={"keys": keys, "title": "x"}).status_code == 404
        body = {"key": next(iter(clusters(curator))), "cases": [hidden.number], "title": "x"}
        assert curator.post("/problems/splits", json=body).status_code == 404
        key = web.post("/problems/merges", json={"keys": keys, "title": "x"}).json()["key"]
        read = curator.get(f"/problems/{key}").json()
        assert (read["cases"], len(read["made"]["clusters"])) == (1, 1)
    with signed_in(address, sessions, person(sessions, "rex", Role.RESPONDER)) as responder:
        assert responder.delete(f"/problems/{key}").status_code == 403
    one = {"keys": ["mm/memcg-oom", key], "title": "x"}
    assert web.post("/problems/merges", json=one).status_code == 422


def test_a_fix_states_the_median_time_to_mitigation(web, session, made):
    for minutes, title in ((10, "one"), (30, "two"), (None, "three")):
        case = made(title, TIMEOUT)
        web.patch(
            f"/cases/{case.number}",
            json={"state": "closed", "resolution": {"cause": "", "signature": "", "fix": "new firmware"}},
        )
        if minutes is not None:
            at = datetime(2026, 11, 1, 3, 7, tzinfo=UTC)
            for kind, time in (
                (IncidentEventKind.DETECTED, at),
                (IncidentEventKind.MITIGATED, at + timedelta(minutes=minutes)),
            ):
                session.add(IncidentEvent(case_id=case.id, kind=kind, at=time, author="a", editor="a"))
    session.commit()
    [cluster] = clusters(web)
    [fix] = web.get(f"/problems/{cluster}").json()["fixes"]
    assert (fix["fix"], fix["cases"], fix["mitigated"], fix["mitigation_seconds"]) == (
        "new firmware",
        3,
        2,
        20 * 60,
    )
