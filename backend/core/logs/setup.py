"""Logging setup: bounded lines without secrets, formatted and written by a thread.

    2026-11-22 03:00:12,345 INFO uvicorn.access [request 0b6f2c1e9d3a4f57]: 127.0.0.1:4711 - "GET /sign-in?…

`CASEBOOK_LOG_FORMAT=json` writes an object a line (`JsonLines`).

An argument of a log call is truncated to 2 KiB, a message to 8 KiB, a traceback to 16 KiB, mostly at its
end; control characters in a message are escaped. The finished line is redacted, traceback included
(`backend.core.logs.redaction`): it does not matter who logged a secret or how. Secrets of the settings are
removed literally.
"""

from __future__ import annotations

import copy
import json
import logging
import os
import signal
import sys
import threading
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from backend.core.logs.context import Record, subject_of
from backend.core.logs.queue import DescriptorHandler, QueueHandler
from backend.core.logs.redaction import bounded, redact

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType, TracebackType

    from backend.core.settings import Settings

LINE = "%(asctime)s %(levelname)s %(name)s%(subject)s: %(message)s"
SECRET_VARIABLES = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
SHORTEST = 6
"""Shorter passwords would redact ordinary words; their URLs are recognised by shape."""

MAX_MESSAGE_BYTES = 8 << 10
MAX_FRAMES = 40
TRACEBACK_START_CHARACTERS = 4 << 10
TRACEBACK_END_CHARACTERS = 12 << 10
MAX_INTEGER_BITS = 4096
"""Python refuses to print integers of more than 4,300 digits."""

CONTROL_CHARACTERS = {code: repr(chr(code))[1:-1] for code in (*range(9), *range(10, 32), *range(127, 160))}
"""Escapes by code point: a path with a line break must not look like a second record."""

TALKATIVE = ("python_multipart", "multipart")
"""Loggers that write a line per few bytes of a body at DEBUG."""


class Redacting(logging.Formatter):
    """Bounds the fields of a record, formats it as usual, and redacts the whole text."""

    def __init__(self, secrets: tuple[str, ...]) -> None:
        """Redact `secrets` beside anything of the shape of one."""
        super().__init__(LINE)
        self._secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        """Return the redacted line, traceback included."""
        return redact(super().format(self._shown(record)), self._secrets)

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the name of logging
        """Return the innermost frames of a traceback."""
        error = traceback.TracebackException(*ei, limit=-MAX_FRAMES, compact=True)
        return self._lines("".join(error.format()).rstrip("\n"))

    def formatStack(self, stack_info: str) -> str:  # noqa: N802 - same
        """Return the innermost frames of a stack."""
        return self._lines(stack_info)

    def _shown(self, record: logging.LogRecord) -> logging.LogRecord:
        """Return a copy of `record` with bounded texts."""
        shown = copy.copy(record)
        shown.msg, shown.args = self._message(record), None
        shown.exc_text = self._lines(record.exc_text) if record.exc_text else None
        ids = [f"{name.removesuffix('_id')} {value}" for name, value in subject_of(record).items()]
        shown.subject = f" [{', '.join(ids)}]" if ids else ""
        return shown

    def _message(self, record: logging.LogRecord) -> str:
        """Return the message with bounded arguments."""
        template = str(record.msg)
        try:
            text = template % self._arguments(record.args) if record.args else template
        except (TypeError, ValueError):
            # An argument that formats only as its own type, or arguments that do not fit the message.
            try:
                text = record.getMessage()
            except (TypeError, ValueError) as error:
                text = f"{template} (not formatted: {error})"
        return bounded(text, self._secrets, MAX_MESSAGE_BYTES).translate(CONTROL_CHARACTERS)

    def _arguments(self, arguments: Any) -> Any:
        if isinstance(arguments, Mapping):
            return {name: self._argument(value) for name, value in arguments.items()}
        return tuple(self._argument(value) for value in arguments)

    def _argument(self, value: Any) -> Any:
        if isinstance(value, str):
            return bounded(value, self._secrets)
        if value is None or isinstance(value, float):
            return value
        if isinstance(value, int) and value.bit_length() <= MAX_INTEGER_BITS:
            return value
        return _Shown(value, self._secrets)

    def _lines(self, text: str) -> str:
        """Return bounded text of bounded lines; where some are left out, both ends are whole lines."""
        lines = [bounded(line, self._secrets) for line in text.split("\n")]
        if sum(map(len, lines)) + len(lines) <= TRACEBACK_START_CHARACTERS + TRACEBACK_END_CHARACTERS:
            return "\n".join(lines)
        start = _fitting(lines, TRACEBACK_START_CHARACTERS)
        end = _fitting(lines[::-1], TRACEBACK_END_CHARACTERS)
        left_out = lines[start : len(lines) - end]
        size = sum(len(line.encode("utf-8", "backslashreplace")) + 1 for line in left_out)
        return "\n".join([*lines[:start], f"… ({size:,} more bytes)", *lines[len(lines) - end :]])


class JsonLines(Redacting):
    """A record as an object in a line, for collectors of logs.

    {"time": "2026-11-22T03:00:12.345+00:00", "level": "ERROR", "logger": "backend.core.http.problems",
     "message": "GET /api/v1/cases/7 failed", "request_id": "0b6f2c1e9d3a4f57", "exception": "Traceback …"}
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the redacted object."""
        shown = self._shown(record)
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fields = {"time": time, "level": record.levelname, "logger": record.name, "message": shown.msg}
        fields |= subject_of(record)
        if record.exc_info or shown.exc_text:
            fields["exception"] = shown.exc_text or self.formatException(record.exc_info)
        if record.stack_info:
            fields["stack"] = self.formatStack(record.stack_info)
        return json.dumps({name: redact(text, self._secrets) for name, text in fields.items()})


class _Shown:
    """An argument as its bounded text."""

    def __init__(self, value: object, secrets: tuple[str, ...]) -> None:
        self._value = value
        self._secrets = secrets

    def __str__(self) -> str:
        return self._bounded(str)

    def __repr__(self) -> str:
        return self._bounded(repr)

    def _bounded(self, shown_by: Any) -> str:
        try:
            return bounded(shown_by(self._value), self._secrets)
        except Exception as error:  # noqa: BLE001 - a logged object may fail in any way
            return f"<{type(self._value).__name__}, not shown: {type(error).__name__}>"


def install(settings: Settings) -> None:
    """Log to standard error, formatted by a separate thread."""
    writer = DescriptorHandler(sys.__stderr__.fileno() if sys.__stderr__ is not None else 2)
    form = JsonLines if settings.log_format == "json" else Redacting
    writer.setFormatter(form(tuple(_secrets_of(settings))))
    logging.setLogRecordFactory(Record)
    handler = QueueHandler(writer)
    logging.basicConfig(level=settings.log_level, handlers=[handler], force=True)
    logging.captureWarnings(capture=True)
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(logging.INFO)
    sys.excepthook = _log_crash
    threading.excepthook = _log_thread_crash
    _flush_on_termination(handler)


def _flush_on_termination(handler: logging.Handler) -> None:
    """Flush the queue before SIGTERM ends this process; every other exit runs `logging.shutdown`.

    uvicorn handles the signal while it serves, then re-raises it to the previous handler.
    """

    def end(number: int, _: FrameType | None) -> None:
        handler.flush()
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    is_main = threading.current_thread() is threading.main_thread()
    if is_main and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, end)


def _log_crash(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Log an uncaught exception of the process through the same formatter."""
    logging.getLogger("casebook").critical("the process ends", exc_info=(kind, error, trace))


def _log_thread_crash(ended: threading.ExceptHookArgs) -> None:
    """Log an uncaught exception of a thread through the same formatter."""
    if ended.exc_value is not None:
        crash = (ended.exc_type, ended.exc_value, ended.exc_traceback)
        logging.getLogger("casebook").critical("a thread ends", exc_info=crash)


def _fitting(lines: list[str], characters: int) -> int:
    """Return how many of the first `lines` fit into `characters`."""
    for count, line in enumerate(lines):
        characters -= len(line) + 1
        if characters < 0:
            return count
    return len(lines)


def _secrets_of(settings: Settings) -> Iterator[str]:
    """Yield the secrets of the settings and the environment, longest first."""
    urls = (
        settings.database_url,
        settings.database_owner_url,
        settings.broker_url,
        settings.store_url,
    )
    passwords = [urlsplit(url).password or "" for url in urls]
    keys = (settings.seal_key, settings.oidc_client_secret)
    found = {
        *passwords,
        *(unquote(password) for password in passwords),
        *(key.get_secret_value() for key in keys),
        *(os.environ.get(name, "") for name in SECRET_VARIABLES),
    }
    yield from sorted((one for one in found if len(one) >= SHORTEST), key=len, reverse=True)
