"""An OpenID Connect provider, as the one who lets its people in sees it: discovery, keys, codes, proofs.

Sources: https://openid.net/specs/openid-connect-core-1_0.html, https://www.rfc-editor.org/rfc/rfc7636 (PKCE)
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from authlib.oauth2.rfc7636 import create_s256_code_challenge
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import BadSignatureError, InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry

from backend.core import ssrf_guard
from backend.core.errors import InvalidIdTokenError, UnavailableError

if TYPE_CHECKING:
    from backend.core.settings import Settings

SCOPE = "openid profile email"
TIMEOUT_SECONDS = 10.0
FRESH_SECONDS = 3600.0
LEEWAY_SECONDS = 60
# Only what is verified by a public key: never `none`, and never our secret taken for a key.
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA", "Ed25519"]


@dataclass(frozen=True, slots=True)
class Claims:
    """Who the provider says came: `subject` never changes, `name` is for people."""

    issuer: str
    subject: str
    name: str


@dataclass(slots=True)
class _Known:
    """What was read of one provider, and when."""

    metadata: dict[str, Any] = field(default_factory=dict)
    keys: dict[str, Any] = field(default_factory=dict)
    read_at: float = 0.0


class Provider:
    """One provider; what it publishes is read when needed, and keys again when an unknown one signs."""

    def __init__(self, settings: Settings) -> None:
        """Speak to the provider of `settings`, as its client."""
        self._settings = settings
        self.issuer = settings.oidc_issuer.rstrip("/")
        self._client_id = settings.oidc_client_id
        self._secret = settings.oidc_client_secret.get_secret_value()
        self._known = _Known()
        self._lock = threading.Lock()

    def authorization_url(self, *, redirect_uri: str, state: str, nonce: str, verifier: str) -> str:
        """Return where a browser goes to show who it is.

        Raises:
            UnavailableError: The provider does not answer, or not as one.
        """
        asked = {
            "response_type": "code",
            "client_id": self._client_id,
            "redirect_uri": redirect_uri,
            "scope": SCOPE,
            "state": state,
            "nonce": nonce,
            "code_challenge": create_s256_code_challenge(verifier),
            "code_challenge_method": "S256",
        }
        return _with_query(self._endpoint("authorization_endpoint"), asked)

    def claims_of(self, code: str, *, redirect_uri: str, nonce: str, verifier: str) -> Claims:
        """Exchange `code` for the proof of who came, and check it.

        Raises:
            InvalidIdTokenError: The provider refuses the code, or its proof does not hold.
            UnavailableError: The provider does not answer, or not as one.
        """
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "client_id": self._client_id,
            "code_verifier": verifier,
        }
        try:
            with ssrf_guard.client(self._settings, timeout_seconds=TIMEOUT_SECONDS) as client:
                if self._secret:
                    # Both are form-encoded before they are put together (RFC 6749, section 2.3.1).
                    client.auth = (quote(self._client_id, safe=""), quote(self._secret, safe=""))
                answer = client.post(self._endpoint("token_endpoint"), data=form)
            token = answer.json()
        except (ssrf_guard.CallError, ValueError) as error:
            raise UnavailableError(f"the provider does not answer: {error}") from None
        if not answer.is_success or not isinstance(token, dict):
            reason = token.get("error") if isinstance(token, dict) else answer.status_code
            raise InvalidIdTokenError(f"the provider refused: {reason}")
        return self._checked(token, nonce)

    def end_url(self, *, redirect_uri: str) -> str | None:
        """Return where a browser ends its session at the provider; None when that has no such place."""
        endpoint = self._metadata().get("end_session_endpoint")
        if not endpoint:
            return None
        asked = {"client_id": self._client_id, "post_logout_redirect_uri": redirect_uri}
        return _with_query(str(endpoint), asked)

    def _get(self, url: str) -> dict[str, Any]:
        try:
            with ssrf_guard.client(self._settings, timeout_seconds=TIMEOUT_SECONDS) as client:
                answer = client.get(url)
            answer.raise_for_status()
            found: dict[str, Any] = answer.json()
        except (ssrf_guard.CallError, ValueError) as error:
            raise UnavailableError(f"the provider does not answer: {error}") from None
        return found

    def _checked(self, token: dict[str, Any], nonce: str) -> Claims:
        try:
            decoded = self._decoded(str(token.get("id_token", "")))
            proof = CodeIDToken(
                decoded.claims,
                decoded.header,
                {"iss": {"essential": True, "value": self.issuer}},
                {"nonce": nonce, "client_id": self._client_id, "access_token": token.get("access_token")},
            )
            proof.validate(leeway=LEEWAY_SECONDS)
            audience = proof["aud"]
            if self._client_id not in (audience if isinstance(audience, list) else [audience]):
                raise InvalidIdTokenError("the provider's proof is for another service")
        except (JoseError, ValueError) as error:
            raise InvalidIdTokenError(f"the provider's proof does not hold: {error}") from None
        subject = str(proof["sub"])
        name = proof.get("preferred_username") or proof.get("email") or proof.get("name") or subject
        return Claims(self.issuer, subject, str(name))

    def _decoded(self, id_token: str) -> jwt.Token:
        registry = JWSRegistry(algorithms=ALGORITHMS, strict_check_header=False)
        try:
            return jwt.decode(id_token, KeySet.import_key_set(self._keys()), registry=registry)
        except (InvalidKeyIdError, BadSignatureError, ValueError):
            # Keys were rotated; a provider that does not number them shows it by a signature that fits none.
            return jwt.decode(id_token, KeySet.import_key_set(self._keys(anew=True)), registry=registry)

    def _endpoint(self, name: str) -> str:
        endpoint = self._metadata().get(name)
        if not endpoint:
            raise UnavailableError(f"the provider names no {name}")
        return str(endpoint)

    def _metadata(self) -> dict[str, Any]:
        with self._lock:
            if not self._known.metadata or time.monotonic() - self._known.read_at > FRESH_SECONDS:
                metadata = self._get(f"{self.issuer}/.well-known/openid-configuration")
                if str(metadata.get("issuer", "")).rstrip("/") != self.issuer:
                    raise UnavailableError(f"the provider at {self.issuer} says it is another")
                self._known = _Known(metadata, {}, time.monotonic())
            return self._known.metadata

    def _keys(self, *, anew: bool = False) -> Any:
        uri = self._endpoint("jwks_uri")
        with self._lock:
            if anew or not self._known.keys:
                self._known.keys = self._get(uri)
            return self._known.keys


def _with_query(url: str, asked: dict[str, str]) -> str:
    """Return `url` with `asked` behind what it asks already."""
    parts = urlsplit(url)
    return parts._replace(query=urlencode([*parse_qsl(parts.query), *asked.items()])).geturl()
