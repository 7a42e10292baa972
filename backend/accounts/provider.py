"""Client of an OpenID Connect provider: discovery, signing keys, code exchange, ID tokens.

Sources: https://openid.net/specs/openid-connect-core-1_0.html, https://www.rfc-editor.org/rfc/rfc7636 (PKCE)
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
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
MAX_TIME = 1 << 33
# Public-key algorithms only: never `none`, and never our client secret as an HMAC key.
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA", "Ed25519"]


@dataclass(frozen=True, slots=True)
class Claims:
    """Claims of an ID token.

    Attributes:
        subject: Never changes.
        name: For display.
        authenticated_at: When the provider authenticated the person; None when it does not state it.
    """

    issuer: str
    subject: str
    name: str
    authenticated_at: datetime | None


@dataclass(slots=True)
class _Discovery:
    """Cached metadata and keys of a provider, and when they were read."""

    metadata: dict[str, Any] = field(default_factory=dict)
    keys: dict[str, Any] = field(default_factory=dict)
    read_at: float = 0.0


class Provider:
    """One provider; metadata is read on demand and cached, keys again when an unknown key signs."""

    def __init__(self, settings: Settings) -> None:
        """Connect to the provider of `settings` as its client."""
        self._settings = settings
        self._configured_issuer = settings.oidc_issuer
        self._client_id = settings.oidc_client_id
        self._secret = settings.oidc_client_secret.get_secret_value()
        self._discovery = _Discovery()
        self._lock = threading.Lock()

    @property
    def issuer(self) -> str:
        """The issuer as the provider itself writes it, which may end with a slash; `iss` must equal it."""
        return str(self._metadata()["issuer"])

    def authorization_url(
        self, *, redirect_uri: str, state: str, nonce: str, verifier: str, is_confirmation: bool = False
    ) -> str:
        """Return the URL of the provider's login page.

        `is_confirmation` asks it to authenticate the person anew, whatever session it has.

        Raises:
            UnavailableError: The provider is unreachable, or its response is invalid.
        """
        parameters = {
            "response_type": "code",
            "client_id": self._client_id,
            "redirect_uri": redirect_uri,
            "scope": SCOPE,
            "state": state,
            "nonce": nonce,
            "code_challenge": create_s256_code_challenge(verifier),
            "code_challenge_method": "S256",
        }
        if is_confirmation:
            parameters |= {"prompt": "login", "max_age": "0"}
        return _with_query(self._endpoint("authorization_endpoint"), parameters)

    def claims_of(self, code: str, *, redirect_uri: str, nonce: str, verifier: str) -> Claims:
        """Exchange `code` for an ID token, and validate it.

        Raises:
            InvalidIdTokenError: The provider refuses the code, or its ID token is invalid.
            UnavailableError: The provider is unreachable, or its response is invalid.
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
                response = client.post(self._endpoint("token_endpoint"), data=form)
            token = response.json()
        except (ssrf_guard.CallError, ValueError) as error:
            raise UnavailableError(f"the login provider does not respond: {error}") from None
        if not response.is_success or not isinstance(token, dict):
            reason = token.get("error") if isinstance(token, dict) else response.status_code
            raise InvalidIdTokenError(f"the login provider refused the code: {reason}")
        return self._checked(token, nonce)

    def end_url(self, *, redirect_uri: str) -> str | None:
        """Return the logout URL of the provider; None when it has none."""
        endpoint = self._metadata().get("end_session_endpoint")
        if not endpoint:
            return None
        parameters = {"client_id": self._client_id, "post_logout_redirect_uri": redirect_uri}
        return _with_query(str(endpoint), parameters)

    def _get(self, url: str) -> dict[str, Any]:
        try:
            with ssrf_guard.client(self._settings, timeout_seconds=TIMEOUT_SECONDS) as client:
                response = client.get(url)
            response.raise_for_status()
            document: dict[str, Any] = response.json()
        except (ssrf_guard.CallError, ValueError) as error:
            raise UnavailableError(f"the login provider does not respond: {error}") from None
        return document

    def _checked(self, token: dict[str, Any], nonce: str) -> Claims:
        try:
            decoded = self._decoded(str(token.get("id_token", "")))
            id_token_claims = CodeIDToken(
                decoded.claims,
                decoded.header,
                {"iss": {"essential": True, "value": self.issuer}},
                {"nonce": nonce, "client_id": self._client_id, "access_token": token.get("access_token")},
            )
            id_token_claims.validate(leeway=LEEWAY_SECONDS)
            audience = id_token_claims["aud"]
            if self._client_id not in (audience if isinstance(audience, list) else [audience]):
                raise InvalidIdTokenError("the ID token is for another service")
        except (JoseError, ValueError) as error:
            raise InvalidIdTokenError(f"the ID token is invalid: {error}") from None
        subject = str(id_token_claims["sub"])
        name = (
            id_token_claims.get("preferred_username")
            or id_token_claims.get("email")
            or id_token_claims.get("name")
            or subject
        )
        return Claims(self.issuer, subject, str(name), _time_of(id_token_claims.get("auth_time")))

    def _decoded(self, id_token: str) -> jwt.Token:
        registry = JWSRegistry(algorithms=ALGORITHMS, strict_check_header=False)
        try:
            return jwt.decode(id_token, KeySet.import_key_set(self._keys()), registry=registry)
        except (InvalidKeyIdError, BadSignatureError, ValueError):
            # Keys were rotated; without a key id this shows only as a bad signature.
            return jwt.decode(id_token, KeySet.import_key_set(self._keys(anew=True)), registry=registry)

    def _endpoint(self, name: str) -> str:
        endpoint = self._metadata().get(name)
        if not endpoint:
            raise UnavailableError(f"the metadata of the login provider lacks {name}")
        return str(endpoint)

    def _metadata(self) -> dict[str, Any]:
        with self._lock:
            if not self._discovery.metadata or time.monotonic() - self._discovery.read_at > FRESH_SECONDS:
                configured = self._configured_issuer.rstrip("/")
                metadata = self._get(f"{configured}/.well-known/openid-configuration")
                if str(metadata.get("issuer", "")).rstrip("/") != configured:
                    raise UnavailableError(f"the login provider at {configured} states another issuer")
                self._discovery = _Discovery(metadata, {}, time.monotonic())
            return self._discovery.metadata

    def _keys(self, *, anew: bool = False) -> Any:
        uri = self._endpoint("jwks_uri")
        with self._lock:
            if anew or not self._discovery.keys:
                self._discovery.keys = self._get(uri)
            return self._discovery.keys


def _time_of(value: object) -> datetime | None:
    """Return a NumericDate of a token; None when it is absent or malformed."""
    if isinstance(value, (int, float)) and 0 < value < MAX_TIME:
        return datetime.fromtimestamp(value, UTC)
    return None


def _with_query(url: str, parameters: dict[str, str]) -> str:
    """Return `url` with `parameters` appended to its query."""
    parts = urlsplit(url)
    return parts._replace(query=urlencode([*parse_qsl(parts.query), *parameters.items()])).geturl()
