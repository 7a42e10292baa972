"""Query parameters that an operation does not take."""

from __future__ import annotations


def test_an_unknown_parameter_is_rejected_with_the_known_ones(web):
    answer = web.get("/cases", params={"stat": "open"})
    assert (answer.status_code, answer.json()["code"]) == (422, "InvalidRequest")
    [field] = answer.json()["fields"]
    assert field.startswith("query.stat: unknown parameter; this operation takes assignee, count, cursor, ")
    assert "state" in field


def test_an_operation_without_parameters_takes_none(web):
    answer = web.get("/me", params={"a": 1, "b": 2})
    assert answer.status_code == 422
    assert answer.json()["fields"] == [
        f"query.{name}: unknown parameter; this operation takes none" for name in ("a", "b")
    ]


def test_parameters_of_dependencies_are_known(web):
    assert web.get("/cases", params={"limit": 1, "q": "a"}).status_code == 200
