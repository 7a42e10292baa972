"""Typed client of the REST API, for CI jobs, the smoke test and our own commands.

with Client("http://127.0.0.1:8321", token="cbk_…") as casebook:
    received = casebook.put_file(Path("perf.script"))
    casebook.wait_until_judged(received.case.id, timeout_seconds=60)
    for finding in casebook.findings(received.case.id).items: …

Paginated lists are fetched completely; cases lazily.
"""

from __future__ import annotations

import base64
import math
import time
from contextlib import ExitStack
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar
from urllib.parse import quote

import httpx
from pydantic import BaseModel

from backend.accounts.schemas import AccountRead
from backend.cases.schemas import CaseRead
from backend.core.http.envelope import Listed
from backend.evidence.schemas import EvidenceRead, LinesRead, Received
from backend.findings.schemas import FindingsRead
from backend.findings.schemas_signatures import SignatureSummary
from backend.operations.schemas import JobRead, Status
from backend.profiles.schemas import GraphRead, ProfileRead
from backend.stories.schemas import DraftRead
from backend.trusted_authorities import trusted_authorities
from backend.uploads.schemas import DropUploadRead, UploadCreated, UploadRead

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path
    from uuid import UUID

CaseId: TypeAlias = "UUID | int | str | None"
ModelT = TypeVar("ModelT", bound=BaseModel)

WAIT_SECONDS = 30
"""Long-poll time of one request, below the time-outs of the client and of proxies."""
MAX_WAITS = 5
TUS = {"Tus-Resumable": "1.0.0"}
TUS_BYTES = "application/offset+octet-stream"


class ClientError(Exception):
    """The service returned an error; the message is its detail.

    Attributes:
        status: HTTP status.
        code: The problem's code, `NotFound`; "" when the response was no problem document.
    """

    def __init__(self, status: int, code: str, detail: str) -> None:
        """Store status, code and detail of the problem document."""
        super().__init__(detail)
        self.status = status
        self.code = code


class Client:
    """One connection to one instance."""

    def __init__(self, base_url: str, *, token: str, timeout_seconds: float = 60.0) -> None:
        """Connect to the instance at `base_url` when first used."""
        self._http = httpx.Client(
            base_url=f"{base_url.rstrip('/')}/api/v1/",
            headers={"Authorization": f"Bearer {token}"},
            timeout=timeout_seconds,
            verify=trusted_authorities(),
        )

    def __enter__(self) -> Self:
        """Return the client itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connection."""
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def me(self) -> AccountRead:
        """Return the account of the token."""
        return self._one(AccountRead, "GET", "me")

    def status(self) -> Status:
        """Return the responding process and the queue lengths."""
        return self._one(Status, "GET", "status")

    def jobs(self, case_id: UUID | int) -> list[JobRead]:
        """Return the jobs of a case, newest first."""
        return self._many(JobRead, f"cases/{case_id}/jobs")

    def cases(self, *, q: str = "") -> Iterator[CaseRead]:
        """Return the visible cases, newest first, fetched as they are iterated."""
        return self._each(CaseRead, "cases", params={"q": q})

    def case(self, case_id: UUID | int, *, wait_seconds: int = 0) -> CaseRead:
        """Return one case, once it is judged or after `wait_seconds`."""
        parameters = {"wait": wait_seconds} if wait_seconds else {}
        return self._one(CaseRead, "GET", f"cases/{case_id}", params=parameters)

    def import_story(self, path: Path) -> DraftRead:
        """Import a Markdown file as a story draft."""
        return self._one(
            DraftRead, "POST", "stories/import", params={"filename": path.name}, content=path.read_bytes()
        )

    def create_case(self, title: str = "", *, key: str = "") -> CaseRead:
        """Create a case; idempotent with a `key` for a day."""
        return self._one(CaseRead, "POST", "cases", json={"title": title}, headers=_keyed(key))

    def put_file(
        self, path: Path, *, case_id: UUID | int | None = None, name: str = "", key: str = ""
    ) -> Received:
        """Upload one file as a raw body under `name` or its own name; without a case a new one is created."""
        place = _within(case_id, f"evidence/{quote(name or path.name)}")
        with path.open("rb") as stream:
            return self._one(Received, "PUT", place, content=stream, headers=_keyed(key))

    def post_files(
        self, files: Sequence[tuple[str, Path]], *, case_id: CaseId = None, key: str = "", **placed: str
    ) -> Received:
        """Upload files in one request with their captured paths, and the `host` and `phase` of all."""
        with ExitStack() as stack:
            parts = [("files", (name, stack.enter_context(path.open("rb")))) for name, path in files]
            place, headers = _within(case_id, "evidence"), _keyed(key)
            return self._one(Received, "POST", place, files=parts, params=placed, headers=headers)

    def create_upload(
        self,
        size_bytes: int,
        metadata: Mapping[str, str],
        *,
        case_id: CaseId = None,
        key: str = "",
        content: bytes = b"",
    ) -> UploadCreated:
        """Create a resumable upload of `metadata`, which has a `filename`; `content` is its first chunk."""
        headers = _upload_headers(size_bytes, metadata, content) | _keyed(key)
        place = _within(case_id, "uploads")
        return self._one(UploadCreated, "POST", place, headers=headers, content=content)

    def create_drop_upload(
        self, size_bytes: int, metadata: Mapping[str, str], *, key: str = "", content: bytes = b""
    ) -> DropUploadRead:
        """Create a resumable upload in the case of a write-only token."""
        headers = _upload_headers(size_bytes, metadata, content) | _keyed(key)
        return self._one(DropUploadRead, "POST", "drop/uploads", headers=headers, content=content)

    def offset_of(self, place: str) -> int:
        """Return the stored offset of the upload at `place`, such as `uploads/<id>`."""
        return int(self._send("HEAD", place, headers=TUS).headers["upload-offset"])

    def send_bytes(self, place: str, offset: int, content: Iterator[bytes], size_bytes: int) -> int:
        """Send `size_bytes` of `content` to the upload at `place`; return the new offset."""
        headers = TUS | {
            "Content-Type": TUS_BYTES,
            "Content-Length": str(size_bytes),
            "Upload-Offset": str(offset),
        }
        return int(self._send("PATCH", place, headers=headers, content=content).headers["upload-offset"])

    def upload(self, upload_id: UUID | str) -> UploadRead:
        """Return the state of an upload, and its evidence."""
        return self._one(UploadRead, "GET", f"uploads/{upload_id}")

    def cancel_upload(self, place: str) -> None:
        """Delete the record of an upload."""
        self._send("DELETE", place, headers=TUS)

    def paste(
        self, text: str, *, captured_path: str = "", case_id: UUID | int | None = None, key: str = ""
    ) -> Received:
        """Paste terminal text; without a case a new one is created."""
        body = {"text": text, "captured_path": captured_path}
        return self._one(Received, "POST", _within(case_id, "paste"), json=body, headers=_keyed(key))

    def evidence(self, case_id: UUID | int) -> list[EvidenceRead]:
        """Return all evidence of a case."""
        return self._many(EvidenceRead, f"cases/{case_id}/evidence")

    def lines(self, evidence_id: UUID, *, first: int, last: int) -> LinesRead:
        """Return raw lines."""
        return self._one(
            LinesRead, "GET", f"evidence/{evidence_id}/lines", params={"first": first, "last": last}
        )

    def findings(self, case_id: UUID | int, *, with_all: bool = False) -> FindingsRead:
        """Return the current findings of a case."""
        pages = self._pages(f"cases/{case_id}/findings", params={"all": with_all})
        metadata = [FindingsRead.model_validate_json(page.content) for page in pages]
        return metadata[-1].model_copy(update={"items": [one for page in metadata for one in page.items]})

    def profiles(self, case_id: UUID | int) -> list[ProfileRead]:
        """Return the profiles of a case."""
        return self._many(ProfileRead, f"cases/{case_id}/profiles")

    def graph(self, profile_id: UUID, *, min_share: float = 0.001) -> GraphRead:
        """Return one call tree as columns."""
        return self._one(GraphRead, "GET", f"profiles/{profile_id}/graph", params={"min_share": min_share})

    def signatures(self) -> list[SignatureSummary]:
        """Return the signature library."""
        return self._many(SignatureSummary, "signatures")

    def wait_until_judged(self, case_id: UUID | int, *, timeout_seconds: float) -> CaseRead:
        """Wait until all evidence of a case is read and judged, and return it.

        Raises:
            TimeoutError: The time is over.
        """
        deadline = time.monotonic() + timeout_seconds
        while True:
            left = max(0.0, deadline - time.monotonic())
            case = self.case(case_id, wait_seconds=min(WAIT_SECONDS, math.ceil(left)))
            if case.judged:
                return case
            if time.monotonic() >= deadline:
                raise TimeoutError(f"case {case.number} was not judged within {timeout_seconds:.0f} s")

    def _one(self, model: type[ModelT], method: str, path: str, **request: Any) -> ModelT:
        return model.model_validate_json(self._send(method, path, **request).content)

    def _many(self, item: type[ModelT], path: str) -> list[ModelT]:
        return list(self._each(item, path))

    def _each(self, item: type[ModelT], path: str, **request: Any) -> Iterator[ModelT]:
        """Yield the items of a list."""
        for page in self._pages(path, **request):
            yield from Listed[item].model_validate_json(page.content).items  # type: ignore[valid-type]

    def _pages(self, path: str, **request: Any) -> Iterator[httpx.Response]:
        """Yield the pages of a list."""
        page = self._send("GET", path, **request)
        yield page
        while link := page.links.get("next"):
            page = self._send("GET", str(page.url.join(link["url"])))
            yield page

    def _send(self, method: str, path: str, **request: Any) -> httpx.Response:
        response = self._http.request(method, path, **request)
        waits = 0
        while waits < MAX_WAITS and _may_repeat(method, request, response):
            time.sleep(int(response.headers.get("retry-after", "1")))
            _rewind(request)
            response = self._http.request(method, path, **request)
            waits += 1
        if response.is_success:
            return response
        if response.headers.get("content-type", "").startswith("application/problem+json"):
            problem = response.json()
            raise ClientError(response.status_code, problem["code"], problem["detail"])
        raise ClientError(response.status_code, "", f"{method} {path} returned {response.status_code}")


def _may_repeat(method: str, request: Mapping[str, Any], response: httpx.Response) -> bool:
    """Return whether the request may be retried.

    Reads may whenever Retry-After is there, writes after 503 of an overloaded service; an iterator may not.
    """
    if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
        return method == "GET"
    is_overload = response.status_code == HTTPStatus.SERVICE_UNAVAILABLE and "retry-after" in response.headers
    content = request.get("content")
    return is_overload and (content is None or isinstance(content, bytes) or hasattr(content, "seek"))


def _rewind(request: Mapping[str, Any]) -> None:
    """Rewind a file used as the request body; multipart parts rewind themselves."""
    content = request.get("content")
    if content is not None and hasattr(content, "seek"):
        content.seek(0)


def _upload_headers(size_bytes: int, metadata: Mapping[str, str], content: bytes) -> dict[str, str]:
    pairs = [f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in metadata.items()]
    headers = TUS | {"Upload-Length": str(size_bytes), "Upload-Metadata": ",".join(pairs)}
    return headers | {"Content-Type": TUS_BYTES} if content else headers


def _keyed(key: str) -> dict[str, str]:
    return {"Idempotency-Key": key} if key else {}


def _within(case_id: CaseId, path: str) -> str:
    return path if case_id is None else f"cases/{case_id}/{path}"
