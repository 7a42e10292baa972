"""Every response has the security headers of the application."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest

from backend.app import create_app
from backend.core.http.security_headers import API_POLICY, HEADERS, TRANSPORT_SECURITY
from tests.backend.conftest import serving

if TYPE_CHECKING:
    import httpx
    from fastapi import FastAPI

ANSWERS = {
    "/": 200,
    "/favicon.svg": 200,
    "/assets/nope.js": 404,
    "/speedscope/": 200,
    "/api/v1/health": 200,
    "/api/v1/me": 401,
    "/api/v1/nope": 404,
    "/api/v1/evidence/none/content": 422,
}


@pytest.fixture
def pages(app_settings):
    (app_settings.frontend_dir / "favicon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (app_settings.frontend_dir / "speedscope").mkdir()
    (app_settings.frontend_dir / "speedscope" / "index.html").write_text("speedscope")


def assert_complete(answer: httpx.Response) -> None:
    sent_headers = answer.headers
    assert {name.lower() for name in HEADERS} <= set(sent_headers)
    assert len(sent_headers.get_list("content-security-policy")) == 1
    assert sent_headers["x-content-type-options"] == "nosniff"
    assert sent_headers["referrer-policy"] == "no-referrer"
    assert (
        "unsafe-inline"
        not in sent_headers["content-security-policy"].partition("script-src")[2].partition(";")[0]
    )
    assert "unsafe-eval'" not in sent_headers["content-security-policy"].replace("'wasm-unsafe-eval'", "")


@pytest.mark.usefixtures("pages")
@pytest.mark.parametrize("path", ANSWERS)
def test_pages_files_and_errors_carry_them(browser, address, path: str):
    answer = browser.get(address + path)
    if path != "/api/v1/evidence/none/content":
        assert answer.status_code == ANSWERS[path]
    assert_complete(answer)


def test_an_internal_error_has_the_headers(app: FastAPI, web):
    @app.get("/api/v1/broken")
    def broken() -> None:
        raise ZeroDivisionError

    app.router.routes.insert(0, app.router.routes.pop())
    answer = web.get("/broken")
    assert (answer.status_code, answer.json()["code"]) == (500, "InternalError")
    assert_complete(answer)


def test_invalid_http_is_answered_with_them(address):
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=300) as peer:
        peer.sendall(b"GARBAGE\r\n\r\n")
        text = b"".join(iter(lambda: peer.recv(65536), b"")).decode()
    head, _, body = text.partition("\r\n\r\n")
    assert head.startswith("HTTP/1.1 400 ")
    assert all(f"\r\n{name.lower()}: {value}" in head for name, value in HEADERS.items())
    assert '"code":"MalformedRequest"' in body


def test_event_streams_carry_them(web):
    case = web.post("/cases", json={}).json()["number"]
    with web.stream("GET", f"/cases/{case}/events") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert_complete(answer)
        assert answer.headers["content-security-policy"] == API_POLICY


def test_a_download_is_an_attachment_that_runs_nothing(web):
    html = b"<script>alert(1)</script>"
    received = web.put("/evidence/page.html", content=html).json()
    answer = web.get(f"/evidence/{received['evidence'][0]['id']}/content")
    assert answer.content == html
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"].startswith("attachment;")
    assert answer.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert_complete(answer)


def test_hsts_is_sent_over_https_only(app_settings, sessions, store, browser):
    behind_proxy = app_settings.model_copy(update={"trusted_proxies": "127.0.0.1/32"})
    with serving(create_app(behind_proxy, sessions=sessions, store=store)) as address:
        secure = browser.get(f"{address}/api/v1/health", headers={"X-Forwarded-Proto": "https"})
        assert secure.headers["strict-transport-security"] == TRANSPORT_SECURITY
        assert "strict-transport-security" not in browser.get(f"{address}/api/v1/health").headers


def test_a_page_runs_only_scripts_with_its_nonce(browser, address):
    policy = browser.get(f"{address}/").headers["content-security-policy"]
    scripts = next(part for part in policy.split("; ") if part.startswith("script-src "))
    assert "'self'" not in scripts
    assert scripts.endswith("'strict-dynamic'")
