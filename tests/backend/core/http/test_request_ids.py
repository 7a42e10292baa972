"""Every response has the id of its request; the log has it in each line about it."""

from __future__ import annotations

import json
import logging

import pytest

from backend.core.http.request_ids import HEADER
from backend.core.logs.context import JOB_ID, REQUEST_ID, Record
from backend.core.logs.setup import JsonLines, Redacting


def line_by(form: logging.Formatter, exc_info=None) -> str:
    record = Record("backend.x", logging.ERROR, __file__, 1, "it failed\nat once", None, exc_info)
    return form.format(record)


def test_every_response_has_one_of_its_own(browser, address):
    ids = {browser.get(address + path).headers[HEADER] for path in ("/healthz", "/api/v1/me", "/nothing")}
    assert len(ids) == 3


@pytest.mark.parametrize(
    ("sent", "is_kept"), [("a1.b-c_2", True), ("x" * 65, False), ('"},{"', False), ("", False)]
)
def test_that_of_a_proxy_is_kept_if_it_is_harmless(browser, address, sent: str, is_kept):
    answered = browser.get(f"{address}/healthz", headers={HEADER: sent}).headers[HEADER]
    assert (answered == sent) is is_kept


def test_an_internal_error_names_what_the_log_has(app, web):
    @app.get("/api/v1/broken")
    def broken() -> None:
        raise RuntimeError("a bug")

    app.router.routes.insert(0, app.router.routes.pop())
    answer = web.get("/broken", headers={HEADER: "r-17"})
    assert "r-17" in answer.json()["detail"]


def test_a_line_names_its_request_and_its_job():
    request, job = REQUEST_ID.set("r-17"), JOB_ID.set("j-4")
    try:
        text, fields = line_by(Redacting(())), json.loads(line_by(JsonLines(())))
    finally:
        REQUEST_ID.reset(request)
        JOB_ID.reset(job)
    assert "request r-17" in text
    assert "job j-4" in text
    assert (fields["request_id"], fields["job_id"]) == ("r-17", "j-4")
    assert "request" not in line_by(Redacting(()))


def test_an_object_of_the_log_is_one_line_without_secrets():
    error = RuntimeError("password=hunter22secret and cbk_0123456789abcdefghijklmnop")
    line = line_by(JsonLines(("hunter22secret",)), exc_info=(RuntimeError, error, None))
    fields = json.loads(line)
    assert "\n" not in line
    assert "RuntimeError" in fields["exception"]
    assert "hunter22" not in line
    assert "0123456789abcdef" not in line
