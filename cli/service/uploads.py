"""Uploads with retries: small files together in one request, others resumable over tus.

Source: https://tus.io/protocols/resumable-upload
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

import click
import httpx

from backend.client import Client, ClientError
from cli.process.progress import ProgressLine
from cli.service.files_to_send import batches
from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cli.service.files_to_send import Found
    from cli.service.upload_state import BegunFile, State

PIECE_BYTES = 1 << 20
SMALL_BYTES = 256 << 10
"""Maximum size of a file sent within the creating request."""

TIMEOUT_SECONDS = 30.0
PAUSES_SECONDS = (0.5, 1.0, 2.0, 4.0, 8.0)
PASSING = frozenset({408, 409, 423, 429, 500, 502, 503, 504})
"""Retryable statuses; 423 is a stale connection of ours that still holds the lock."""

USED_UP = frozenset({"KeyReused", "ResponseUnavailable"})
"""Codes that require a new idempotency key: the request changed, or its response is lost."""


class RefusedError(Exception):
    """The service refused the request; the message is its detail."""


class UnreachableError(Exception):
    """The service was unreachable for too long."""


class _NotTakenError(Exception):
    """The service refused a request with several files."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """The destination of the uploads.

    Attributes:
        case: Case number; None for a write-only token.
        page: URL of the case.
        uploads: Upload ids, unordered.
        evidence: Evidence ids of files that were sent together, unordered.
    """

    case: int | None
    page: str
    uploads: tuple[str, ...]
    evidence: tuple[UUID, ...] = ()


class Send:
    """One run of the command."""

    def __init__(
        self,
        url: str,
        token: str,
        case: str | None,
        state: State,
        *,
        patience_seconds: float,
        name: str = "",
        placed: Mapping[str, str] | None = None,
        say: Callable[[str], None] = click.echo,
    ) -> None:
        """Send to the service at `url`, resuming from `state`.

        A new case gets the title `name`, every file the host and phase of `placed`; `say` receives the URL of
        the case once known.
        """
        self._client = Client(url, token=token, timeout_seconds=TIMEOUT_SECONDS)
        self._url = url
        self._is_drop = token.startswith("cbk_c_")
        self._case = case
        self._state = state
        self._patience = patience_seconds
        self._moved_at = time.monotonic()
        self._line = ProgressLine()
        self._name = name
        self._placed = placed or {}
        self._say = say

    def all(self, files: Sequence[Found]) -> Arrived:
        """Send every file and return the destination.

        Raises:
            RefusedError: The service refused one; earlier files are sent.
            UnreachableError: It was unreachable.
        """
        state = self._state
        if state.permalink:
            self._say(state.permalink)
        remaining = [file for file in files if not self._begun(file).is_done]
        if len(remaining) < len(files):
            click.echo(
                f"resuming: {len(files) - len(remaining)} of {len(files)} files are already uploaded",
                err=True,
            )
        with self._client:
            for batch in batches(remaining, can_share=not self._is_drop):
                if len(batch) == 1 or not self._send_together(batch, remaining):
                    for file in batch:
                        self._patiently(file, lambda file=file: self._send(file, remaining))  # type: ignore[misc]
                        self._done(file)
        places = [self._begun(file).place.rpartition("/") for file in files]
        uploads = tuple(name for kind, _, name in places if kind != "evidence")
        evidence = tuple(UUID(name) for kind, _, name in places if kind == "evidence")
        return Arrived(state.case, state.permalink, uploads, evidence)

    def _begun(self, file: Found) -> BegunFile:
        return self._state.of(file.path, size=file.size, changed_ns=file.changed_ns)

    def _done(self, *files: Found) -> None:
        for file in files:
            if file.path.stat().st_mtime_ns != file.changed_ns:
                raise RefusedError(
                    f"{bare(file.name)} changed during the upload, so the stored content is inconsistent; "
                    "delete it from the case and upload a stable copy"
                )
            self._begun(file).is_done = True
        self._state.save()
        for file in files:
            self._line.done(f"{bare(file.name)}: sent, {file.size:,} bytes")

    def _send_together(self, batch: Sequence[Found], drop: Sequence[Found]) -> bool:
        """Send small files in one request; return whether the service took all of them."""
        try:
            self._patiently(batch[0], lambda: self._post(batch), is_one_of_many=True)
        except _NotTakenError:
            # One by one the service states which it refuses, and keeps the others.
            return False
        self._done(*batch)
        sent = sum(self._begun(file).is_done for file in drop)
        self._line.show(f"{sent:,} of {len(drop):,} files sent")
        return True

    def _post(self, batch: Sequence[Found]) -> None:
        """Send files in one request, once: the key of the first of them is the key of all."""
        state = self._state
        self._create_case()
        state.save()
        received = self._client.post_files(
            [(file.name, file.path) for file in batch],
            case_id=self._case or state.case,
            key=self._begun(batch[0]).key,
            **self._placed,
        )
        for file, evidence in zip(batch, received.evidence, strict=True):
            self._begun(file).place = f"evidence/{evidence.id}"
        if not state.permalink:
            self._say(received.permalink)
        state.case, state.permalink = received.case.number, received.permalink
        self._moved_at = time.monotonic()

    def _create_case(self) -> None:
        """Create the case with the title that was asked for, once."""
        if self._name and self._state.case is None:
            self._state.case = self._client.create_case(self._name, key=self._state.key).number
            self._state.save()

    def _patiently(self, file: Found, send: Callable[[], None], *, is_one_of_many: bool = False) -> None:
        """Send a file, or a batch that begins with it, with retries, within the patience.

        Raises:
            _NotTakenError: The service refused one of many.
            RefusedError: It refused the file.
            UnreachableError: It was unreachable.
        """
        failures = 0
        self._moved_at = time.monotonic()
        while True:
            moved_at = self._moved_at
            try:
                return send()
            except (httpx.TransportError, ClientError) as error:
                if isinstance(error, ClientError) and error.code in USED_UP:
                    self._state.key = self._begun(file).key = str(uuid4())
                    continue
                if isinstance(error, ClientError) and error.status not in PASSING:
                    if is_one_of_many:
                        raise _NotTakenError from None
                    raise RefusedError(f"{bare(file.name)}: {error}") from None
                failures = 0 if self._moved_at > moved_at else failures + 1
                if time.monotonic() - self._moved_at > self._patience:
                    raise UnreachableError(f"{self._url} is unreachable: {_reason(error)}") from None
                pause = PAUSES_SECONDS[min(failures, len(PAUSES_SECONDS) - 1)]
                self._line.show(f"{bare(file.name)}: {_reason(error)}; trying again")
                time.sleep(pause)

    def _send(self, file: Found, drop: Sequence[Found]) -> None:
        begun = self._begun(file)
        offset = self._offset(begun) if begun.place else None
        if offset is None:
            if begun.place:
                begun.key = str(uuid4())
            offset = self._begin(file, begun, drop)
        while offset < file.size:
            pieces = self._pieces(file, offset)
            offset = self._client.send_bytes(begun.place, offset, pieces, file.size - offset)

    def _offset(self, begun: BegunFile) -> int | None:
        """Return the offset of an upload; None when the service no longer has it."""
        try:
            return self._client.offset_of(begun.place)
        except ClientError as error:
            if error.status in {404, 410}:
                return None
            raise

    def _begin(self, file: Found, begun: BegunFile, drop: Sequence[Found]) -> int:
        """Create the upload of a file, including the content of a small one; return its offset."""
        content = file.path.read_bytes() if file.size <= SMALL_BYTES else b""
        if len(content) > file.size:
            raise RefusedError(f"{bare(file.name)} grew during the upload")
        metadata = {"filename": file.name, "fingerprint": file.fingerprint, **self._placed}
        state = self._state
        if not any(one.place for one in state.files.values()):
            metadata |= {"drop_files": str(len(drop)), "drop_bytes": str(sum(one.size for one in drop))}
        state.save()
        if self._is_drop:
            made_drop = self._client.create_drop_upload(file.size, metadata, key=begun.key, content=content)
            begun.place, offset = f"drop/uploads/{made_drop.id}", made_drop.offset_bytes
        else:
            self._create_case()
            case = self._case or state.case
            made = self._client.create_upload(
                file.size, metadata, case_id=case, key=begun.key, content=content
            )
            begun.place, offset = f"uploads/{made.upload.id}", made.upload.offset_bytes
            if not state.permalink:
                self._say(made.permalink)
            state.case, state.permalink = made.case_number, made.permalink
        state.save()
        self._moved_at = time.monotonic()
        return offset

    def _pieces(self, file: Found, offset: int) -> Iterator[bytes]:
        """Yield the rest of a file, exactly the announced size."""
        rest = file.size - offset
        with file.path.open("rb") as stream:
            stream.seek(offset)
            while rest:
                piece = stream.read(min(PIECE_BYTES, rest))
                if not piece:
                    raise RefusedError(f"{bare(file.name)} shrank during the upload")
                yield piece
                rest -= len(piece)
                self._moved_at = time.monotonic()
                self._line.sending(bare(file.name), file.size - rest, file.size)


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__
