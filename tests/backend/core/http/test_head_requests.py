"""HEAD is answered wherever GET is, with the same headers and no body."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("path", ["/healthz", "/api/v1/health", "/", "/favicon.ico", "/api/v1/nothing"])
def test_head_has_the_status_and_the_length_of_get(browser, address, path: str):
    got, head = browser.get(address + path), browser.head(address + path)
    assert (head.status_code, head.content) == (got.status_code, b"")
    assert head.headers.get("content-length") == got.headers.get("content-length")


def test_head_of_a_case_has_its_etag(web):
    made = web.post("/cases", json={"title": "a stall"})
    path = f"/cases/{made.json()['number']}"
    assert web.head(path).headers["etag"] == web.get(path).headers["etag"]


def test_head_of_a_stream_ends(web):
    number = web.post("/cases", json={"title": "a stall"}).json()["number"]
    head = web.head(f"/cases/{number}/events")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"].startswith("text/event-stream")


def test_head_reads_nothing_that_get_may_not(browser, address):
    assert browser.head(f"{address}/api/v1/cases").status_code == 401


def test_head_of_what_has_no_get_is_not_allowed(web):
    assert web.head("/paste").status_code == 405
