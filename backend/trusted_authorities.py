"""Certificate authorities that a client of a service trusts.

    httpx.Client(verify=trusted_authorities())

Those of the file or directory of `SSL_CERT_FILE`, `SSL_CERT_DIR`, `REQUESTS_CA_BUNDLE` or `CURL_CA_BUNDLE`,
in this order, as curl and other programs read them; else those of the system and of certifi. Proxies
are httpx's matter: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`.
"""

from __future__ import annotations

import os
import ssl
from pathlib import Path

import httpx

from backend.authorities_error import AuthoritiesError

VARIABLES = ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")


def trusted_authorities() -> ssl.SSLContext:
    """Return a context that verifies servers.

    Raises:
        AuthoritiesError: A variable names no certificates.
    """
    for name in VARIABLES:
        value = os.environ.get(name)
        if value:
            return _of(name, Path(value))
    context = httpx.create_ssl_context(trust_env=False)
    context.load_default_certs()
    return context


def _of(name: str, path: Path) -> ssl.SSLContext:
    try:
        if path.is_dir():
            return ssl.create_default_context(capath=str(path))
        return ssl.create_default_context(cafile=str(path))
    except (OSError, ssl.SSLError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise AuthoritiesError(f"{name}: no certificates in {path}: {reason}") from None
