"""Security headers of every response, set by the application itself, not by a proxy in front of it.

They stand around everything, the answer to a bug of ours and the refusal of a request too long to read
included (`backend.core.http.middleware`, `backend.core.http.server`).

Source: https://owasp.org/www-project-secure-headers/ and https://www.w3.org/TR/CSP3/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

API_POLICY = "sandbox; default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""What an answer of the API may do when somebody opens it as a page: nothing, in an origin of its own."""

SPEEDSCOPE_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'none'; worker-src 'self' blob:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)

POWERS = (
    "accelerometer",
    "autoplay",
    "camera",
    "display-capture",
    "encrypted-media",
    "fullscreen",
    "geolocation",
    "gyroscope",
    "hid",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "picture-in-picture",
    "publickey-credentials-get",
    "screen-wake-lock",
    "serial",
    "usb",
    "web-share",
    "xr-spatial-tracking",
)
"""Powers of a browser that no page of ours asks for."""

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": API_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{power}=()" for power in POWERS),
}
"""What no response may lack; a route's own value of one stays."""

TRANSPORT_SECURITY = "max-age=31536000"
"""A year of https only, said over https alone; subdomains are not ours to speak for."""


def page_policy(nonce: str) -> str:
    """Return the policy of our own page: what it runs carries `nonce`, or was loaded by what does.

    Without 'self' for scripts, no file of this origin becomes one by being named in a tag.
    """
    return (
        f"default-src 'none'; script-src 'nonce-{nonce}' 'strict-dynamic'; "
        f"style-src 'self' 'nonce-{nonce}'; "
        "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self' blob:; "
        "frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )


class SecurityHeaders:
    """Adds the headers that no response may lack; a route's own policy stays."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand around `app`."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and complete the headers of its answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def complete(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope["scheme"] == "https":
                    headers.setdefault("Strict-Transport-Security", TRANSPORT_SECURITY)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self.app(scope, receive, complete)
