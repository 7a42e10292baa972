"""Forks that stay for the next questions about the same readings.

    forks = KeptForks(settings)
    forks.answer(key, folders, {"ask": "graph", …}, what="the view")       # ("answer", b"…")

A fork may read the folders of its key only, which are of one case (two in a comparison), so that no evidence
can alter what another case shows. It answers one question at a time, each within the limits of a request, and
ends when it is idle, has used up its processor time, or when forks asked later need its memory.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import OrderedDict, deque
from typing import TYPE_CHECKING, Any

from backend.sandbox.fork_server import SandboxCrashError
from backend.sandbox.kept_fork import KeptFork

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from pathlib import Path

    from backend.core.settings import Settings
    from backend.sandbox.watch import SandboxLimits

logger = logging.getLogger(__name__)

IDLE_SECONDS = 60.0
MAX_FORKS = 8
MAX_KEPT_BYTES = 1 << 30
"""Resident memory of all forks that wait for questions; the latest may have it alone."""

AHEAD_SECONDS = 0.5
"""After an answer a page asks more; only then is the next fork made ahead."""

BUSY_SECONDS = 0.5
"""Longest wait for a fork that answers another question; then a second one computes the answer."""


class KeptForks:
    """The forks of one process, by key; safe to use from several threads."""

    def __init__(self, settings: Settings, limits: SandboxLimits) -> None:
        """Begin without any; each question has `limits`."""
        self._settings = settings
        self._limits = limits
        self._lock = threading.Lock()
        self._forks: OrderedDict[Hashable, KeptFork] = OrderedDict()
        self._sweeper: threading.Timer | None = None
        self._ahead: deque[KeptFork] = deque()
        self._making: threading.Timer | None = None
        self._is_prepared = False

    def answer(
        self, key: Hashable, folders: Sequence[Path], question: dict[str, Any], *, what: str
    ) -> tuple[str, bytes]:
        """Return outcome and content of the answer to a question about the readings in `folders`.

        Args:
            key: Whoever asks with an equal one may be answered by the same fork; None: by none.
            folders: What the fork may read; equal for equal keys.
            question: What `backend.sandbox.computations.questions` takes.
            what: What is computed, in the words for people: "the view".

        Raises:
            LimitHitError: It needs more than a request may use.
            SandboxCrashError: The fork crashed.
            UnavailableError: The kernel grants too few layers.
        """
        line = json.dumps(question, allow_nan=False, separators=(",", ":")).encode() + b"\n"
        kept = None if key is None else self._of(key)
        if kept is None or not kept.lock.acquire(timeout=BUSY_SECONDS):
            single = self._new()
            try:
                return single.answer(folders, line, what)
            finally:
                single.close()
                self._make_room()
        try:
            answer = kept.answer(folders, line, what)
        except BaseException:
            self._drop(key, kept)
            raise
        else:
            # Another thread may have dropped it before this one had its lock.
            if kept.is_spent() or self._forks.get(key) is not kept:
                self._drop(key, kept)
            return answer
        finally:
            kept.lock.release()
            self._make_room()

    def prepare(self) -> None:
        """Have a fork ready for the next reading that somebody asks about, from now on; returns at once."""
        self._is_prepared = True
        self._making = _later(0.0, self._make_ahead)

    def close(self) -> None:
        """End all forks."""
        with self._lock:
            self._is_prepared = False
            forks = [*self._forks.values(), *self._ahead]
            self._forks.clear()
            self._ahead.clear()
            for timer in (self._sweeper, self._making):
                if timer is not None:
                    timer.cancel()
            self._sweeper = self._making = None
        for one in forks:
            one.kill()
            with one.lock:
                one.close()

    def _of(self, key: Hashable) -> KeptFork:
        with self._lock:
            kept = self._forks.get(key)
            if kept is None:
                kept = self._forks[key] = self._new()
            self._forks.move_to_end(key)
            return kept

    def _make_ahead(self) -> None:
        self._making = None
        fork = KeptFork(self._settings, self._limits)
        try:
            fork.start_ahead()
        except (OSError, SandboxCrashError):
            logger.exception("no fork could be made ahead")
            return
        with self._lock:
            if self._is_prepared and not self._ahead:
                self._ahead.append(fork)
                return
        fork.close()

    def _new(self) -> KeptFork:
        """Return the fork that was made ahead, or one that is not started yet."""
        try:
            return self._ahead.pop()
        except IndexError:
            return KeptFork(self._settings, self._limits)

    def _drop(self, key: Hashable, kept: KeptFork) -> None:
        """Forget and end a fork whose lock the caller holds."""
        with self._lock:
            if self._forks.get(key) is kept:
                del self._forks[key]
        kept.close()

    def _make_room(self) -> None:
        """End the forks used longest ago while there are too many, and later those that stay idle."""
        with self._lock:
            candidates = list(self._forks.items())[:-1]
            if self._forks and self._sweeper is None:
                self._sweeper = _later(IDLE_SECONDS, self._sweep)
        if self._is_prepared and not self._ahead and self._making is None:
            self._making = _later(AHEAD_SECONDS, self._make_ahead)
        used = sum(one.resident_bytes() for _, one in candidates)
        count = len(candidates)
        for key, one in candidates:
            if count < MAX_FORKS and used <= MAX_KEPT_BYTES:
                return
            used -= one.resident_bytes()
            count -= 1
            self._end_unused(key, one)

    def _sweep(self) -> None:
        """End the forks that nobody asked for long."""
        with self._lock:
            self._sweeper = None
            candidates = list(self._forks.items())
        before = time.monotonic() - IDLE_SECONDS
        for key, one in candidates:
            if one.last_used <= before:
                self._end_unused(key, one)
        self._make_room()

    def _end_unused(self, key: Hashable, one: KeptFork) -> None:
        """End a fork unless it answers at the moment."""
        if one.lock.acquire(blocking=False):
            try:
                self._drop(key, one)
            finally:
                one.lock.release()


def _later(seconds: float, work: Callable[[], None]) -> threading.Timer:
    timer = threading.Timer(seconds, work)
    timer.daemon = True
    timer.start()
    return timer
