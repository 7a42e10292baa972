"""Files sent in pieces: each goes on from what the service has, as long as somebody is patient.

Source: https://tus.io/protocols/resumable-upload
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click
import httpx

from backend.cli.output import bare
from backend.client import Client, ClientError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from backend.cli.upload_state import BegunFile, State

PIECE_BYTES = 1 << 20
TIMEOUT_SECONDS = 30.0
PAUSES_SECONDS = (0.5, 1.0, 2.0, 4.0, 8.0)
MEGABYTE = 1_000_000
PASSING = frozenset({408, 409, 423, 429, 500, 502, 503, 504})
"""Statuses that may be others in a moment; 423 is a connection of ours that the service still holds."""


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


class Send:
    """One run of the command."""

    def __init__(
        self, url: str, token: str, case: str | None, state: State, *, patience_seconds: float
    ) -> None:
        """Send to the service at `url`, going on with `state`."""
        self._client = Client(url, token=token, timeout_seconds=TIMEOUT_SECONDS)
        self._url = url
        self._is_drop = token.startswith("cbk_c_")
        self._case = case
        self._state = state
        self._patience = patience_seconds
        self._moved_at = time.monotonic()
        self._line = ProgressLine()

    def all(self, files: Sequence[Found]) -> None:
        """Send every file, then forget what was begun.

        Raises:
            RefusedError: The service said no to one; those before it are sent.
            UnreachableError: It could not be reached.
        """
        state = self._state
        if state.permalink:
            click.echo(state.permalink)
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
        state.forget()

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
            self._begin(file, begun, drop)
            offset = 0
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

    def _begin(self, file: Found, begun: BegunFile, drop: Sequence[Found]) -> None:
        told = {"filename": file.name, "fingerprint": file.fingerprint}
        state = self._state
        if not any(one.place for one in state.files.values()):
            told |= {"drop_files": str(len(drop)), "drop_bytes": str(sum(one.size for one in drop))}
        if self._is_drop:
            begun.place = f"drop/uploads/{self._client.begin_drop(file.size, told).id}"
        else:
            made = self._client.begin_upload(file.size, told, case_id=self._case or state.case)
            begun.place = f"uploads/{made.upload.id}"
            if not state.permalink:
                click.echo(made.permalink)
            state.case, state.permalink = made.case_number, made.permalink
        state.save()

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


class ProgressLine:
    """One line on the terminal, rewritten; where stderr is no terminal, only what is done."""

    def __init__(self) -> None:
        """Begin with nothing on the line."""
        self._is_terminal = sys.stderr.isatty()
        self._width = 0
        self._told_at = 0.0
        self._marks: list[tuple[float, int]] = []

    def sending(self, name: str, sent: int, size: int) -> None:
        """Say how far a file is, with rate and time left over the last seconds."""
        now = time.monotonic()
        if self._marks and sent < self._marks[-1][1]:
            self._marks = []
        self._marks = [mark for mark in self._marks if now - mark[0] < PAUSES_SECONDS[-1]] + [(now, sent)]
        if now - self._told_at < 0.2:
            return
        self._told_at = now
        self.show(f"{name}: {sent // MEGABYTE:,} of {size // MEGABYTE:,} MB{self._pace(size)}")

    def _pace(self, size: int) -> str:
        (began, first), (now, sent) = self._marks[0], self._marks[-1]
        if now - began < 1 or sent == first:
            return ""
        rate = (sent - first) / (now - began)
        minutes, seconds = divmod(round((size - sent) / rate), 60)
        left = f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
        return f", {rate / MEGABYTE:.1f} MB/s, {left} left"

    def show(self, text: str) -> None:
        """Show a line until the next one."""
        if self._is_terminal:
            sys.stderr.write(f"\r{text.ljust(self._width)}")
            sys.stderr.flush()
            self._width = len(text)

    def done(self, text: str) -> None:
        """Leave a line for good."""
        self.show(text)
        self._width = 0
        self._marks = []
        click.echo("" if self._is_terminal else text, err=True)


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__
