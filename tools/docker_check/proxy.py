"""docker/nginx.conf in front of a running API: what passes it unchanged, and what it answers by itself."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx

from backend.core.http.security_headers import HEADERS

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import ExitStack

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 10.0
SECURITY_HEADERS = ("cache-control", *(name.lower() for name in HEADERS))
PAGES = ("/", "/cases", "/api/v1/health", "/api/v1/me", "/api/v1/openapi.json", "/speedscope/index.html")
_UPLOAD = "PUT /api/v1/evidence/a.txt HTTP/1.1\r\nHost: localhost\r\n"
TOO_LARGE_BYTES = 9 << 30


def start(stack: ExitStack, directory: Path, *, port: int, api_port: int, user: int) -> str:
    """Start nginx with docker/nginx.conf as the ordinary `user`, its ports replaced; return its address."""
    mine = directory / "proxy"
    mine.mkdir()
    mine.chmod(0o777)
    text = (ROOT / "docker/nginx.conf").read_text()
    for old, new in (
        ("server api:8000;", f"server 127.0.0.1:{api_port};"),
        ("listen 8080;", f"listen 127.0.0.1:{port};"),
        ("/tmp/", f"{mine}/"),  # noqa: S108 - what the file says
    ):
        if old not in text:
            raise SystemExit(f"docker/nginx.conf has no {old!r} any more")
        text = text.replace(old, new)
    (mine / "nginx.conf").write_text(text)
    server = subprocess.Popen(
        ["nginx", "-c", str(mine / "nginx.conf"), "-g", "daemon off;"], user=user, group=user, extra_groups=[]
    )
    stack.callback(server.wait)
    stack.callback(server.terminate)
    return f"http://127.0.0.1:{port}"


def check(url: str, direct: str, *, token: str, sign_in_tokens: tuple[str, str], case_path: str) -> list[str]:
    """Return a sentence for each thing that holds through the proxy at `url` as it does `direct`.

    Raises:
        SystemExit: One does not hold.
    """
    steps: list[Callable[[], str]] = [
        lambda: _headers(url, direct),
        lambda: _compression(url),
        lambda: _events(url, token, case_path),
        lambda: _streaming(url),
        lambda: _too_large(url),
        lambda: _cookie(url, sign_in_tokens),
    ]
    return [step() for step in steps]


def check_away(url: str) -> str:
    """Say what the proxy answers when the API has gone."""
    answer = httpx.get(f'{url}/api/v1/cases/7?q="', timeout=PATIENCE_SECONDS)
    problem = _problem(answer.status_code, answer.headers, answer.text)
    _hold((answer.status_code, problem["code"]) == (503, "Unavailable"), f"no API: {problem}")
    return f"without the API: 503, {problem['detail']!r}"


def _headers(url: str, direct: str) -> str:
    for page in PAGES:
        through, without = (
            [
                (name, re.sub(r"'nonce-[^']+'", "'nonce'", value))
                for name, value in httpx.get(base + page, timeout=PATIENCE_SECONDS).headers.multi_items()
                if name in SECURITY_HEADERS
            ]
            for base in (url, direct)
        )
        _hold(sorted(through) == sorted(without), f"{page}: {through} through the proxy, {without} without")
        _hold("content-security-policy" in dict(through), f"{page} has no content security policy")
    return f"security headers are the API's own, once each, on {len(PAGES)} pages"


def _compression(url: str) -> str:
    with httpx.stream("GET", f"{url}/api/v1/openapi.json", headers={"Accept-Encoding": "gzip"}) as answer:
        _hold(answer.headers.get("content-encoding") == "gzip", f"not compressed: {answer.headers}")
        sent = sum(len(part) for part in answer.iter_raw())
    return f"compressed: openapi.json in {sent:,} bytes"


def _events(url: str, token: str, case_path: str) -> str:
    started = time.monotonic()
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.stream(
        "GET", f"{url}/api/v1/{case_path}/events", headers=headers, timeout=PATIENCE_SECONDS
    ) as answer:
        for line in answer.iter_lines():
            if line.startswith("data:"):
                seconds = time.monotonic() - started
                return f"events come while the stream is open: first after {seconds:.2f} s"
    raise SystemExit("the stream of events ended without one")


def _streaming(url: str) -> str:
    """A request without a right to send is refused before its body is there: the body was not waited for."""
    head = f"{_UPLOAD}Content-Length: 1048576\r\n\r\nfirst byte".encode()
    status, _, _ = _raw(url, head)
    _hold(status == 401, f"an upload of which 10 bytes came was answered with {status}")
    return "uploads are passed on as they come: 401 after 10 bytes of 1,048,576"


def _too_large(url: str) -> str:
    head = f"{_UPLOAD}Content-Length: {TOO_LARGE_BYTES}\r\n\r\n"
    status, headers, body = _raw(url, head.encode())
    problem = _problem(status, headers, body)
    _hold((status, problem["code"]) == (413, "TooLarge"), f"{TOO_LARGE_BYTES} bytes: {status} {problem}")
    return f"{TOO_LARGE_BYTES:,} bytes: 413, {problem['detail']!r}"


def _cookie(url: str, tokens: tuple[str, str]) -> str:
    for token, proto, is_secure in ((tokens[0], "https", True), (tokens[1], "", False)):
        headers = {"X-Forwarded-Proto": proto} if proto else {}
        answer = httpx.post(f"{url}/api/v1/session", json={"token": token}, headers=headers)
        cookie = answer.headers.get("set-cookie", "")
        _hold(answer.is_success, f"signing in answered {answer.status_code}")
        _hold(("Secure" in cookie) == is_secure, f"with {proto or 'http'} the cookie is {cookie!r}")
    return "the cookie is for https only when a proxy with TLS stands before"


def _problem(status: int, headers: httpx.Headers, body: str) -> dict[str, str]:
    """Return the problem document that nginx answered by itself, with the headers of all our answers."""
    kind = headers.get("content-type", "")
    _hold(kind == "application/problem+json", f"{status} came as {kind!r}: {body[:200]}")
    missing = [name for name in SECURITY_HEADERS if name not in headers]
    _hold(not missing, f"{status} of the proxy lacks {missing}")
    problem: dict[str, str] = json.loads(body)
    return problem


def _raw(url: str, sent: bytes) -> tuple[int, httpx.Headers, str]:
    """Send the beginning of a request, then wait for an answer."""
    address = urlsplit(url)
    with socket.create_connection(
        (address.hostname or "", address.port or 80), PATIENCE_SECONDS
    ) as connection:
        connection.sendall(sent)
        got = b""
        while b"\r\n\r\n" not in got or len(got.split(b"\r\n\r\n", 1)[1]) < _length(got):
            part = connection.recv(65536)
            if not part:
                break
            got += part
    head, _, body = got.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = httpx.Headers([(name, value) for name, _, value in (line.partition(": ") for line in lines)])
    return int(first.split()[1]), headers, body.decode()


def _length(got: bytes) -> int:
    found = re.search(rb"\r\ncontent-length: (\d+)", got, re.IGNORECASE)
    return int(found[1]) if found else 0


def _hold(condition: bool, otherwise: str) -> None:  # noqa: FBT001 - reads as `assert`
    if not condition:
        raise SystemExit(f"through the proxy: {otherwise}")
