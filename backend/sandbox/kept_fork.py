"""One fork that stays for the next questions about the same readings.

It answers one question at a time, each within the limits of a request.
"""

from __future__ import annotations

import json
import os
import selectors
import socket
import tempfile
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.core.errors import UnavailableError
from backend.sandbox import process_use
from backend.sandbox.fork_server import ARGUMENTS, SandboxCrashError, forked
from backend.sandbox.watch import ERRORS, LOOK_SECONDS, LimitHitError, TimeUpError, Watch, output_reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from backend.core.settings import Settings
    from backend.sandbox.watch import SandboxLimits

END_SECONDS = 5.0
OUTCOMES = ("answer", "absent", "unsupported", "damaged")
MAX_HEAD_BYTES = 200
MAX_SENTENCE_BYTES = 1 << 16
READ_BYTES = 1 << 20


class KeptFork:
    """One fork; use it from one thread at a time, under its lock."""

    def __init__(self, settings: Settings, limits: SandboxLimits) -> None:
        """Describe it; it starts with the first question, or ahead of it."""
        self.lock = threading.Lock()
        self.last_used = time.monotonic()
        self._settings = settings
        self._limits = limits
        self._stack = ExitStack()
        self._watch: Watch | None = None
        self._socket: socket.socket | None = None
        self._is_told = False

    def start_ahead(self) -> None:
        """Start it before it is known what it may read; nothing of a case is in it until then."""
        self._watch, self._socket = self._start(is_ahead=True)

    def answer(self, folders: Sequence[Path], question: bytes, what: str) -> tuple[str, bytes]:
        """Return the outcome and content of the answer to `question`, a line of JSON.

        `folders` is what it may read: the same each time.

        Raises:
            LimitHitError: It needs more than its limits.
            SandboxCrashError: The fork crashed or sent no answer.
        """
        watch, connection = self._running(folders)
        watch.begin(what)
        try:
            connection.sendall(question)
            return self._heard(watch, connection)
        except TimeoutError:
            raise TimeUpError(
                f"{what} took longer than {self._limits.wall_seconds:g} s by the clock"
            ) from None
        except OSError:
            raise _end_of(watch) from None
        finally:
            self.last_used = time.monotonic()

    def is_spent(self) -> bool:
        """Return whether it has no processor time left for another question."""
        watch = self._watch
        return watch is not None and process_use.cpu_seconds(watch.fork.pid) > self._limits.cpu_seconds

    def resident_bytes(self) -> int:
        """Return its resident memory, 0 before the first question."""
        watch = self._watch
        return process_use.resident_bytes(watch.fork.pid) if watch is not None else 0

    def kill(self) -> None:
        """Have the answer that another thread waits for end at once."""
        watch = self._watch
        if watch is not None:
            watch.fork.kill()

    def close(self) -> None:
        """End the fork."""
        self._watch = self._socket = None
        self._is_told = False
        # It ends with the fork server, too.
        with suppress(SandboxCrashError):
            self._stack.close()

    def _running(self, folders: Sequence[Path]) -> tuple[Watch, socket.socket]:
        """Return the watch and the socket of a running fork, started if there is none."""
        if self._watch is not None and _has_ended(self._watch):
            self.close()
        watch, connection = self._watch, self._socket
        if watch is None or connection is None:
            watch, connection = self._start(is_ahead=False)
            self._watch, self._socket = watch, connection
        if not self._is_told:
            given = {"readable": [str(folder) for folder in folders]}
            (watch.output / ARGUMENTS).write_text(json.dumps(given), encoding="ascii")
            self._is_told = True
        return watch, connection

    def _start(self, *, is_ahead: bool) -> tuple[Watch, socket.socket]:
        limits = self._limits
        with ExitStack() as stack:
            self._settings.scratch_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
            scratch = tempfile.TemporaryDirectory(dir=self._settings.scratch_dir, prefix="questions-")
            output = Path(stack.enter_context(scratch))
            (output / "tmp").mkdir()
            ours, theirs = socket.socketpair()
            stack.enter_context(ours)
            ours.settimeout(limits.wall_seconds)
            request = {
                "computation": "answer questions",
                "waits": True,
                "is_ahead": is_ahead,
                "output": str(output),
                # For a question that begins just before it is spent.
                "cpu_seconds": 2 * limits.cpu_seconds,
                "memory_bytes": limits.memory_bytes,
                "output_bytes": limits.output_bytes,
                "sandbox": limits.policy,
            }
            with theirs, (output / ERRORS).open("wb") as words, Path(os.devnull).open("wb") as nothing:
                descriptors = [theirs.fileno(), nothing.fileno(), words.fileno()]
                fork = stack.enter_context(forked(request, descriptors))
            self._stack = stack.pop_all()
        return Watch(fork, "", output, limits), ours

    def _heard(self, watch: Watch, connection: socket.socket) -> tuple[str, bytes]:
        """Return outcome and content of the next answer."""
        received = bytearray()
        head: dict[str, Any] | None = None
        look_at = time.monotonic() + LOOK_SECONDS
        with selectors.DefaultSelector() as selector:
            selector.register(connection, selectors.EVENT_READ)
            while head is None or len(received) < head["bytes"]:
                is_ready = selector.select(LOOK_SECONDS)
                if time.monotonic() >= look_at:
                    watch.look()
                    look_at = time.monotonic() + LOOK_SECONDS
                if not is_ready:
                    continue
                piece = connection.recv(READ_BYTES)
                if not piece:
                    raise _end_of(watch)
                received += piece
                if head is None and b"\n" in received[:MAX_HEAD_BYTES]:
                    line, _, received = received.partition(b"\n")
                    head = self._head(watch.what, bytes(line))
                if head is None and len(received) > MAX_HEAD_BYTES:
                    raise SandboxCrashError("the fork sent a malformed answer")
        if len(received) > head["bytes"]:
            raise SandboxCrashError("the fork sent more than its answer")
        return head["outcome"], bytes(received)

    def _head(self, what: str, line: bytes) -> dict[str, Any]:
        try:
            head = json.loads(line)
            outcome, size = head["outcome"], head["bytes"]
        except (ValueError, KeyError, TypeError) as error:
            raise SandboxCrashError(f"the fork sent a malformed answer: {error}") from error
        most = self._limits.output_bytes if outcome == "answer" else MAX_SENTENCE_BYTES
        if outcome not in OUTCOMES or not isinstance(size, int) or size < 0:
            raise SandboxCrashError("the fork sent a malformed answer")
        if size > most:
            raise LimitHitError(output_reason(what, self._limits))
        return {"outcome": outcome, "bytes": size}


def _has_ended(watch: Watch, seconds: float = 0.0) -> bool:
    """Return whether the fork, or the fork server, ends within `seconds`."""
    with selectors.DefaultSelector() as selector:
        selector.register(watch.fork.control, selectors.EVENT_READ)
        return bool(selector.select(seconds))


def _end_of(watch: Watch) -> Exception:
    """Return why a fork that closed its socket has ended."""
    if not _has_ended(watch, END_SECONDS):
        return SandboxCrashError("the fork closed its socket and stayed")
    try:
        watch.judge(watch.fork.hear_status())
    except (LimitHitError, SandboxCrashError, UnavailableError) as error:
        return error
    return SandboxCrashError("the fork ended without an answer")
