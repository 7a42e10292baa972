"""A real OpenID Connect provider as a process: `python -m tests.oidc_provider DESCRIPTOR [slash]`.

It serves the bound socket that it inherits as DESCRIPTOR, so no other program can take its port.

The package `oidc-provider-mock` (Authlib's server side; discovery, keys, codes, proofs, logout) with what it
leaves out: it is strict about PKCE, with `slash` its issuer ends with one, and it always says that it
authenticated `SEEN_LONG_AGO` an hour ago. Started again, it signs with another key. It ends with its standard
input, so also when its parent is killed.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import socket
import subprocess
import sys
import threading
import time
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import flask
from werkzeug.serving import make_server

if TYPE_CHECKING:
    from collections.abc import Iterator

SEEN_LONG_AGO = "long@example.com"
SUBJECT = "ada@example.com"


def bound_socket() -> socket.socket:
    """Return a socket with a port of its own, which refuses connections until a provider runs."""
    bound = socket.socket()
    bound.bind(("127.0.0.1", 0))
    return bound


@contextmanager
def running_provider(bound: socket.socket, *options: str) -> Iterator[str]:
    """Run a provider on a bound socket; yield its address. A request waits until the provider is ready."""
    bound.listen()
    with subprocess.Popen(
        [sys.executable, "-m", "tests.oidc_provider", str(bound.fileno()), *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=[bound.fileno()],
    ) as process:
        try:
            yield f"http://localhost:{bound.getsockname()[1]}"
        finally:
            process.terminate()


def main(descriptor: int, *, has_slash: bool) -> None:
    warnings.simplefilter("ignore")
    import oidc_provider_mock

    with socket.socket(fileno=os.dup(descriptor)) as bound:
        port = bound.getsockname()[1]
    issuer = f"http://localhost:{port}{'/' if has_slash else ''}"
    people = [
        oidc_provider_mock.User(sub=SEEN_LONG_AGO, claims={"auth_time": int(time.time()) - 3600}),
        oidc_provider_mock.User(sub=SUBJECT, claims={"iss": issuer}),
    ]
    app = oidc_provider_mock.app(require_nonce=True, user_claims=people)
    challenges: dict[str, str] = {}

    @app.after_request
    def remember(answer: flask.Response) -> flask.Response:
        request = flask.request
        if request.path == "/.well-known/openid-configuration":
            answer.set_data(json.dumps({**answer.get_json(), "issuer": issuer}))
        if request.path == "/oauth2/authorize" and request.method == "POST" and answer.location:
            code = parse_qs(urlsplit(answer.location).query).get("code", [""])[0]
            if code and request.values.get("code_challenge_method") == "S256":
                challenges[code] = request.values["code_challenge"]
        return answer

    @app.before_request
    def prove() -> tuple[flask.Response, int] | None:
        if flask.request.path != "/oauth2/token":
            return None
        made = hashlib.sha256(flask.request.form.get("code_verifier", "").encode()).digest()
        due = challenges.pop(flask.request.form.get("code", ""), None)
        if due is None or base64.urlsafe_b64encode(made).decode().rstrip("=") != due:
            return flask.jsonify(error="invalid_grant", error_description="PKCE"), 400
        return None

    make_server("127.0.0.1", port, app, threaded=True, fd=descriptor).serve_forever()


def _end_with_input() -> None:
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=_end_with_input, daemon=True).start()
    main(int(sys.argv[1]), has_slash="slash" in sys.argv[2:])
