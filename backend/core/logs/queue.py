"""Asynchronous logging: a thread formats and writes records, so no event loop does.

A call to log costs the caller an append to a queue. The queue is bounded: while the writer is behind, further
records are dropped and counted, and the count is logged as soon as the queue has space.
"""

from __future__ import annotations

import logging
import os
import queue
import threading

MAX_RECORDS = 10_000
FLUSH_SECONDS = 5.0
DROPPED = "%s log records were dropped: the writer is too slow"


class DescriptorHandler(logging.Handler):
    """Writes each line to a file descriptor with one system call, so that processes can share a file.

    A stream has a lock that may be locked forever in a forked process; a descriptor has none.
    """

    def __init__(self, descriptor: int) -> None:
        """Write to `descriptor`."""
        super().__init__()
        self._descriptor = descriptor

    def emit(self, record: logging.LogRecord) -> None:
        """Format and write one record."""
        try:
            line = f"{self.format(record)}\n".encode("utf-8", "backslashreplace")
            while line:
                line = line[os.write(self._descriptor, line) :]
        except OSError:
            pass  # The log itself is gone: there is nowhere to report it.
        except Exception:  # noqa: BLE001 - a record that cannot be formatted must not end the writer
            self.handleError(record)


class QueueHandler(logging.Handler):
    """Has a thread of this process write each record, in order, and drops what exceeds `max_records`.

    A forked process has no such thread, nor an event loop of ours: it writes its records itself.
    """

    def __init__(self, writer: logging.Handler, max_records: int = MAX_RECORDS) -> None:
        """Write by `writer`."""
        super().__init__()
        self._writer = writer
        self._max_records = max_records
        # `SimpleQueue.put` is reentrant for a signal handler that flushes; `Queue.put` would deadlock.
        self._waiting: queue.SimpleQueue[logging.LogRecord | threading.Event | None] = queue.SimpleQueue()
        self._dropped = 0
        self._process_id = os.getpid()
        self._thread = threading.Thread(target=self._write, name="log-writer", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Queue one record."""
        if os.getpid() != self._process_id:
            self._writer.handle(record)
        elif self._waiting.qsize() >= self._max_records:
            self._dropped += 1
        else:
            self._waiting.put(record)

    def flush(self) -> None:
        """Wait until everything queued so far is written, or for `FLUSH_SECONDS`."""
        if os.getpid() == self._process_id and self._thread.is_alive():
            is_reached = threading.Event()
            self._waiting.put(is_reached)
            is_reached.wait(FLUSH_SECONDS)

    def close(self) -> None:
        """Write what is queued, and end the thread."""
        self.flush()
        if os.getpid() == self._process_id:
            self._waiting.put(None)
        super().close()

    def _write(self) -> None:
        reported = 0
        while (item := self._waiting.get()) is not None:
            if (dropped := self._dropped) > reported:
                self._writer.handle(_report(dropped - reported))
                reported = dropped
            if isinstance(item, threading.Event):
                item.set()
            else:
                self._writer.handle(item)


def _report(dropped: int) -> logging.LogRecord:
    return logging.LogRecord(__name__, logging.WARNING, __file__, 0, DROPPED, (f"{dropped:,}",), None)
