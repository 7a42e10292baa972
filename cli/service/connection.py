"""Connection of a command to a service: JSON in and out, errors as exit statuses.

`backend.client` has types for every document; loading those takes longer than a listing does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import click
import httpx

from backend.trusted_authorities import trusted_authorities
from cli.process import exits

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from cli.service.profiles import Profile

TIMEOUT_SECONDS = 60.0


class ConnectionFailedError(click.ClickException):
    """The service refused, failed or did not answer.

    `exit_code` is `REFUSED`, `FAILED` or `UNREACHABLE` of `cli.process.exits`.
    """

    def __init__(self, message: str, exit_code: int) -> None:
        """Store the message and the exit status."""
        super().__init__(message)
        setattr(self, "exit_code", exit_code)  # noqa: B010 - click declares it for the class only


class Connection:
    """Requests to one service."""

    def __init__(self, service: Profile) -> None:
        """Connect when first used.

        Raises:
            AuthoritiesError: `SSL_CERT_FILE` or its like names no certificates.
        """
        self.url = service.url
        self._http = httpx.Client(
            base_url=f"{service.url}/api/v1/",
            headers={"Authorization": f"Bearer {service.token}"},
            timeout=TIMEOUT_SECONDS,
            verify=trusted_authorities(),
        )

    def __enter__(self) -> Self:
        """Return the connection itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self._http.close()

    def get(self, path: str, **parameters: Any) -> Any:
        """Return the document at `path`."""
        return self._send("GET", path, params=parameters).json()

    def content(self, path: str) -> bytes:
        """Return the bytes at `path`."""
        return self._answer("GET", path).content

    def change(self, method: str, path: str, body: object) -> Any:
        """Send a document, JSON values, and return the answer."""
        return self._send(method, path, json=body).json()

    def replace(self, path: str, content: bytes, media_type: str, **parameters: Any) -> Any:
        """Put bytes at `path` and return the answer."""
        headers = {"Content-Type": media_type}
        return self._send("PUT", path, content=content, headers=headers, params=parameters).json()

    def delete(self, path: str, **parameters: Any) -> None:
        """Delete what is at `path`."""
        self._answer("DELETE", path, params=parameters)

    def items(self, path: str, most: int = -1, **parameters: Any) -> Iterator[Any]:
        """Yield at most `most` items of a list, page by page; all of them by default."""
        page = self._send("GET", path, params=parameters)
        while True:
            for item in page.json()["items"]:
                if most == 0:
                    return
                most -= 1
                yield item
            link = page.links.get("next")
            if most == 0 or link is None:
                return
            page = self._send("GET", str(page.url.join(link["url"])))

    def _send(self, method: str, path: str, **request: Any) -> httpx.Response:
        response = self._answer(method, path, **request)
        if response.headers.get("content-type", "").startswith("application/json"):
            return response
        raise _failure(self.url, method, path, response)

    def _answer(self, method: str, path: str, **request: Any) -> httpx.Response:
        try:
            response = self._http.request(method, path, **request)
        except (httpx.InvalidURL, httpx.UnsupportedProtocol):
            hint = "" if "://" in self.url else f"; did you mean https://{self.url}?"
            raise click.UsageError(f"{self.url} is no URL of a service{hint}") from None
        except httpx.HTTPError as error:
            reason = str(error) or type(error).__name__
            raise ConnectionFailedError(f"{self.url} did not answer: {reason}", exits.UNREACHABLE) from None
        if response.is_success:
            return response
        raise _failure(self.url, method, path, response)


def _failure(url: str, method: str, path: str, response: httpx.Response) -> ConnectionFailedError:
    status = response.status_code
    detail = f"{method} {path} returned {status}"
    if response.is_success:
        return ConnectionFailedError(
            f"{url} is no Casebook service: {detail} without JSON", exits.SERVICE_FAILED
        )
    if response.headers.get("content-type", "").startswith("application/problem+json"):
        detail = response.json()["detail"]
    return ConnectionFailedError(detail, exits.SERVICE_FAILED if status >= 500 else exits.REFUSED)
