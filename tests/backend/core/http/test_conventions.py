"""Conventions of all lists: counts on request, and the nearest known value of an unknown one."""

from __future__ import annotations

import pytest

from backend.core.http import pagination
from tests.backend.access.case_requests import OTHERS
from tests.backend.applications import api_schema
from tests.backend.people import case as new_case

QUERIES = {"/frames/cases": {"name": "vfs_read"}, "/baselines": {}}


def is_cursor(parameter):
    return parameter.get("name") == "cursor" or parameter.get("$ref", "").lower().endswith("/cursor")


def lists():
    paths = api_schema()["paths"]
    return sorted(
        path.removeprefix("/api/v1")
        for path, operations in paths.items()
        if any(is_cursor(one) for one in operations.get("get", {}).get("parameters", []))
    )


def test_every_list_counts_its_rows_on_request_and_only_then(web, sessions):
    case = new_case(sessions)
    for number in range(3):
        web.post(f"/cases/{case.number}/notes", json={"text": f"note {number}"})
    asked, counted = 0, {}
    for path in lists():
        url = path.format_map({**OTHERS, "case_id": case.number, "note_id": "", "run_id": ""})
        plain = web.get(url, params=QUERIES.get(path, {}))
        if plain.status_code != 200:
            continue
        asked += 1
        answer = web.get(url, params={**QUERIES.get(path, {}), "count": "true", "limit": 1})
        assert pagination.TOTAL not in plain.headers, path
        counted[path] = int(answer.headers.get(pagination.TOTAL, -1))
    assert [path for path, total in counted.items() if total < 0] == []
    assert asked > 20
    assert counted["/cases/{case_id}/notes"] == 3
    assert counted["/signatures"] > 80
    page = web.get(f"/cases/{case.number}/notes", params={"count": "true", "limit": 2})
    following = web.get(page.headers["Link"].split(">")[0].strip("<").removeprefix("/api/v1"))
    assert following.headers[pagination.TOTAL] == "3"
    assert len(following.json()["items"]) == 1


@pytest.mark.parametrize(
    ("parameters", "meant"),
    [
        ({"status": "investigatin"}, "did you mean investigating?"),
        ({"state": "opn"}, "did you mean open?"),
        ({"severity": "Hihg"}, "did you mean high?"),
        ({"log_class": "oom_kil"}, "unknown class 'oom_kil': oom_kill?"),
        ({"signature": "mm/memcg-om"}, "unknown finding 'mm/memcg-om': mm/memcg-oom?"),
        ({"q": "memory class:oom_kil"}, "oom_kill?"),
        ({"q": "finding:zzzzzzzz"}, "unknown finding 'zzzzzzzz'"),
    ],
)
def test_an_unknown_value_of_a_filter_is_refused_with_the_nearest_known_one(web, parameters, meant):
    refused = web.get("/cases", params=parameters)
    assert refused.status_code == 422, refused.text
    assert meant in refused.json()["detail"]


@pytest.mark.parametrize(
    "parameters", [{"log_class": "oom_kill"}, {"signature": "mm/memcg-oom"}, {"q": "-class:zzz"}]
)
def test_a_known_value_that_no_case_has_finds_nothing(web, parameters):
    assert web.get("/cases", params=parameters).status_code == 200
