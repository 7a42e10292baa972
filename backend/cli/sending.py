"""Files sent in pieces: each goes on from what the service has, as long as somebody is patient.

Source: https://tus.io/protocols/resumable-upload
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

import click
import httpx

from backend.cli.output import bare
from backend.cli.progress import ProgressLine
from backend.client import Client, ClientError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from backend.cli.upload_state import BegunFile, State

PIECE_BYTES = 1 << 20
SMALL_BYTES = 256 << 10
"""A file of at most so many bytes is sent in the request that begins it."""

TIMEOUT_SECONDS = 30.0
PAUSES_SECONDS = (0.5, 1.0, 2.0, 4.0, 8.0)
PASSING = frozenset({408, 409, 423, 429, 500, 502, 503, 504})
"""Statuses that may be others in a moment; 423 is a connection of ours that the service still holds."""

USED_UP = frozenset({"KeyReused", "ResponseUnavailable"})
"""Codes that ask for a new key: what comes with the first file changed, or nobody knows its answer."""


class RefusedError(Exception):
    """The service said no; the message is its sentence."""


class UnreachableError(Exception):
    """The service could not be reached for too long."""


@dataclass(frozen=True, slots=True)
class Found:
    """One file, and the path it is sent under."""

    path: Path
    name: str
    size: int
    changed_ns: int

    @property
    def fingerprint(self) -> str:
        """What the service is told to know it by, as the browser does: bytes and milliseconds since 1970."""
        return f"{self.size}:{self.changed_ns // 1_000_000}"


def files_below(paths: Sequence[Path]) -> list[Found]:
    """Return every file at or below `paths`, small ones first; links in directories are not followed."""
    found: dict[Path, str] = {}
    for path in paths:
        if path.is_dir():
            below = sorted(one for one in path.rglob("*") if one.is_file() and not one.is_symlink())
            found.update({one.absolute(): one.relative_to(path).as_posix() for one in below})
        else:
            found.setdefault(path.absolute(), path.name)
    told = [(path, name, path.stat()) for path, name in found.items()]
    files = [Found(path, name, status.st_size, status.st_mtime_ns) for path, name, status in told]
    return sorted(files, key=lambda file: file.size)


@dataclass(frozen=True, slots=True)
class Arrived:
    """Where files went.

    Attributes:
        case: Its number; None when a token of one case sent them, which may not know.
        page: Address of the case.
        uploads: Ids of what was sent, in no order.
    """

    case: int | None
    page: str
    uploads: tuple[str, ...]


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
        say: Callable[[str], None] = click.echo,
    ) -> None:
        """Send to the service at `url`, going on with `state`.

        A new case is called `name`; `say` is told the page as soon as there is one.
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
        self._say = say

    def all(self, files: Sequence[Found]) -> Arrived:
        """Send every file, and say where they went.

        Raises:
            RefusedError: The service said no to one; those before it are sent.
            UnreachableError: It could not be reached.
        """
        state = self._state
        if state.permalink:
            self._say(state.permalink)
        left = [file for file in files if not self._begun(file).is_done]
        if len(left) < len(files):
            click.echo(
                f"going on: {len(files) - len(left)} of {len(files)} files are there already", err=True
            )
        with self._client:
            for file in left:
                self._patiently(file, left)
                self._begun(file).is_done = True
                state.save()
                self._line.done(f"{bare(file.name)}: sent, {file.size:,} bytes")
        uploads = tuple(self._begun(file).place.rpartition("/")[2] for file in files)
        return Arrived(state.case, state.permalink, uploads)

    def _begun(self, file: Found) -> BegunFile:
        return self._state.of(file.path, size=file.size, changed_ns=file.changed_ns)

    def _patiently(self, file: Found, drop: Sequence[Found]) -> None:
        """Send one file, again and again while no byte gets through for less than the patience."""
        failures = 0
        self._moved_at = time.monotonic()
        while True:
            moved_at = self._moved_at
            try:
                return self._send(file, drop)
            except (httpx.TransportError, ClientError) as error:
                if isinstance(error, ClientError) and error.code in USED_UP:
                    self._state.key = self._begun(file).key = str(uuid4())
                    continue
                if isinstance(error, ClientError) and error.status not in PASSING:
                    raise RefusedError(f"{bare(file.name)}: {error}") from None
                failures = 0 if self._moved_at > moved_at else failures + 1
                if time.monotonic() - self._moved_at > self._patience:
                    raise UnreachableError(f"{self._url} could not be reached: {_reason(error)}") from None
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
        if file.path.stat().st_mtime_ns != file.changed_ns:
            raise RefusedError(
                f"{bare(file.name)} was changed while it was sent: what arrived is a mixture; take it out of "
                "the case, and send a copy that stays as it is"
            )

    def _offset(self, begun: BegunFile) -> int | None:
        """Return where an upload stands; None when the service has forgotten it."""
        try:
            return self._client.offset_of(begun.place)
        except ClientError as error:
            if error.status in {404, 410}:
                return None
            raise

    def _begin(self, file: Found, begun: BegunFile, drop: Sequence[Found]) -> int:
        """Have the service make room for a file and take a small one along; return where it stands."""
        content = file.path.read_bytes() if file.size <= SMALL_BYTES else b""
        if len(content) > file.size:
            raise RefusedError(f"{bare(file.name)} became longer while it was sent")
        told = {"filename": file.name, "fingerprint": file.fingerprint}
        state = self._state
        if not any(one.place for one in state.files.values()):
            told |= {"drop_files": str(len(drop)), "drop_bytes": str(sum(one.size for one in drop))}
        state.save()
        if self._is_drop:
            made_drop = self._client.begin_drop(file.size, told, key=begun.key, content=content)
            begun.place, offset = f"drop/uploads/{made_drop.id}", made_drop.offset_bytes
        else:
            if self._name and state.case is None:
                state.case = self._client.create_case(self._name, key=state.key).number
                state.save()
            case = self._case or state.case
            made = self._client.begin_upload(file.size, told, case_id=case, key=begun.key, content=content)
            begun.place, offset = f"uploads/{made.upload.id}", made.upload.offset_bytes
            if not state.permalink:
                self._say(made.permalink)
            state.case, state.permalink = made.case_number, made.permalink
        state.save()
        self._moved_at = time.monotonic()
        return offset

    def _pieces(self, file: Found, offset: int) -> Iterator[bytes]:
        """Yield the rest of a file, exactly as much as was announced."""
        rest = file.size - offset
        with file.path.open("rb") as stream:
            stream.seek(offset)
            while rest:
                piece = stream.read(min(PIECE_BYTES, rest))
                if not piece:
                    raise RefusedError(f"{bare(file.name)} became shorter while it was sent")
                yield piece
                rest -= len(piece)
                self._moved_at = time.monotonic()
                self._line.sending(bare(file.name), file.size - rest, file.size)


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__
