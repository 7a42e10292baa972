"""One commit of a Git repository over HTTPS, as a pack that a sandboxed child unpacks.

Dulwich speaks the protocol; the connection is that of the SSRF guard, whose every address is checked.
No redirect is followed, so a token never goes to another host. History, submodules, LFS and hooks are not
fetched, and files above `BLOB_BYTES` only where the server knows no filter.

Sources: https://git-scm.com/docs/gitprotocol-http, https://git-scm.com/docs/gitprotocol-v2
"""

from __future__ import annotations

import io
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from backend.core import ssrf_guard
from backend.core.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from backend.core.settings import Settings

MAX_BYTES = 64 << 20
BLOB_BYTES = 256 << 10
STEP_SECONDS, TOTAL_SECONDS = 20.0, 180.0
SHA = re.compile(r"[0-9a-f]{40}")
MOVED = "not our ref"
_REFUSALS = {
    401: "the server asks for a token, or refuses the one that is stored",
    403: "the server refuses the token",
    404: "the server has no such repository, or the token does not reach it",
}


class PullError(Exception):
    """The commit was not fetched; one sentence."""


class Login(NamedTuple):
    """User name and deploy token; the token is "" for none."""

    username: str
    token: str


def fetch(settings: Settings, url: str, ref: str, login: Login, target: Path) -> str:
    """Write the pack of the commit that `ref` names to `target`; return the id of the commit or of its tag.

    Raises:
        PullError: The repository or the ref is missing, too large, too slow, or not at a public address.
    """
    try:
        return _fetch(settings, url, ref, login, target)
    except _MovedError:
        pass
    try:
        return _fetch(settings, url, ref, login, target)
    except _MovedError:
        raise PullError(f"{ref} moved while it was pulled, or the server broke off; pull again") from None


class _MovedError(Exception):
    """The ref was moved between its look-up and the fetch, and the server no longer offers the commit."""


def _fetch(settings: Settings, url: str, ref: str, login: Login, target: Path) -> str:
    from dulwich.errors import GitProtocolError, HangupException, NotGitRepository  # noqa: PLC0415 - slow
    from dulwich.object_store import ObjectStoreGraphWalker  # noqa: PLC0415 - same

    wanted: list[bytes] = []

    def determine_wants(refs: Mapping[bytes, bytes], depth: int | None = None) -> list[bytes]:
        del depth
        wanted.append(_resolved(ref, refs))
        return wanted

    auth = (login.username, login.token) if login.token else None
    with (
        ssrf_guard.client(settings, timeout_seconds=STEP_SECONDS, total_seconds=TOTAL_SECONDS) as http,
        target.open("wb") as pack,
    ):
        budget = _Budget(time.monotonic() + TOTAL_SECONDS, MAX_BYTES)
        client = _client(http, auth, budget, url)
        try:
            client.fetch_pack(
                "",
                determine_wants,
                ObjectStoreGraphWalker([], lambda _: []),
                pack.write,
                depth=1,
                ref_prefix=[b"HEAD"] if ref == "HEAD" else [path.encode() for path in _places(ref)],
                filter_spec=b"blob:limit=%d" % BLOB_BYTES,
            )
        except ssrf_guard.CallError as error:
            raise PullError(f"the server did not answer: {error}"[:300]) from None
        except (NotGitRepository, GitProtocolError, HangupException) as error:
            # Servers say that a commit is gone, or just close the connection.
            if MOVED in str(error) or (wanted and isinstance(error, HangupException)):
                raise _MovedError from error
            raise PullError(f"the server speaks no Git, or refused: {error}"[:300]) from None
        except (ValueError, KeyError, AssertionError, EOFError) as error:
            raise PullError("the server speaks no Git that is understood") from error
    if not wanted or not target.stat().st_size:
        raise PullError("the server sent no commit")
    return wanted[0].decode("ascii")


def _places(ref: str) -> tuple[str, ...]:
    return (ref, f"refs/heads/{ref}", f"refs/tags/{ref}")


def _resolved(ref: str, refs: Mapping[bytes, bytes]) -> bytes:
    for place in _places(ref):
        if place.encode() in refs:
            return refs[place.encode()]
    if SHA.fullmatch(ref):
        return ref.encode()
    raise PullError(f"the repository has no branch or tag {ref}")


@dataclass(slots=True)
class _Budget:
    """Time and bytes that a pull has left."""

    deadline: float
    bytes_left: int

    def spend(self, size: int) -> None:
        """Count bytes that were received.

        Raises:
            PullError: They are too many, or the time is up.
        """
        self.bytes_left -= size
        if self.bytes_left < 0:
            raise PullError(f"the repository has more than {MAX_BYTES >> 20} MiB; nothing of it is kept")
        if time.monotonic() > self.deadline:
            raise PullError(f"the pull took longer than {TOTAL_SECONDS:g} s; nothing of it is kept")


class _Body(io.RawIOBase):
    """The body of a response as a file, counted."""

    def __init__(self, pieces: Iterator[bytes], budget: _Budget) -> None:
        super().__init__()
        self._pieces = pieces
        self._budget = budget
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._budget.spend(len(piece))
            self._rest = piece
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


@dataclass(slots=True)
class _Answer:
    """What Dulwich asks of a response."""

    content_type: str
    close: Callable[[], None]
    redirect_location: str = ""


def _client(http: Any, auth: tuple[str, str] | None, budget: _Budget, url: str) -> Any:
    """Return a Git client on the connection of the SSRF guard."""
    from dulwich.client import AbstractHttpGitClient  # noqa: PLC0415 - slow to import

    class Client(AbstractHttpGitClient):  # type: ignore[misc]
        """Git over the guarded connection."""

        def _http_request(
            self,
            url: str,
            headers: dict[str, str] | None = None,
            data: Any = None,
            raise_for_status: bool = True,  # noqa: FBT001, FBT002 - the signature of Dulwich
        ) -> tuple[_Answer, Callable[[int], bytes]]:
            del raise_for_status
            content = data if data is None or isinstance(data, bytes) else b"".join(data)
            request = http.build_request(
                "GET" if data is None else "POST",
                url,
                content=content,
                headers={
                    "User-Agent": f"git/2 Casebook/{VERSION}",
                    "Accept-Encoding": "identity",
                    **(headers or {}),
                },
            )
            response = http.send(request, stream=True, auth=auth)
            if response.status_code != 200:
                response.close()
                raise PullError(_refusal(response.status_code, response.headers.get("Location", "")))
            body = io.BufferedReader(_Body(response.iter_bytes(), budget), 1 << 16)
            answer = _Answer(response.headers.get("Content-Type", ""), response.close)
            return answer, lambda size=-1: body.read(size) or b""

    return Client(url, thin_packs=False, quiet=True)


def _refusal(status: int, location: str) -> str:
    if 300 <= status < 400:
        return f"the server redirects to {location[:200]}; add the library by that URL"
    return _REFUSALS.get(status, f"the server answers {status}")
