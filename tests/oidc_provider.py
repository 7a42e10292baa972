"""A real OpenID Connect provider as a process of its own: `python -m tests.oidc_provider PORT`.

The package `oidc-provider-mock` (Authlib's server side; discovery, keys, codes, proofs, logout) with what it
leaves out: it is strict about PKCE. Started again, it signs with another key.
"""

from __future__ import annotations

import base64
import hashlib
import sys
import warnings
from urllib.parse import parse_qs, urlsplit

import flask


def main(port: int) -> None:
    warnings.simplefilter("ignore")
    import oidc_provider_mock

    app = oidc_provider_mock.app(require_nonce=True)
    challenges: dict[str, str] = {}

    @app.after_request
    def remember(answer: flask.Response) -> flask.Response:
        request = flask.request
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

    app.run(port=port, debug=False, use_reloader=False)


if __name__ == "__main__":
    main(int(sys.argv[1]))
