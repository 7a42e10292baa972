"""Lines of kernel logs in any form, written in one: `ingest.native.log_prefix` learns their prefixes.

    11:22:33 kernel: e1000e 0000:00:1f.6: Detected Hardware Unit Hang
    ->  <->1 ~40953 - kernel - 65 - e1000e 0000:00:1f.6: Detected Hardware Unit Hang

Lines that another format recognises stay as they are.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from ingest.native.log_prefix import PrefixForms
from ingest.paste.marks import has_mark
from ingest.readers.logs import kernel_log
from ingest.readers.logs.kernel_log import classes
from ingest.readers.logs.kernel_log.levels import level_of
from ingest.sections.recognise import Span, spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.parsing.protocols import Format

_TALOS = re.compile(
    r"^(?:\S{1,60}:)?\s*kern:\s+(?P<level>[a-z]+): "
    r"\[(?P<time>\d{4}-[\dT:-]{14,15})(?:\.\d{1,9})?Z\]:(?: (?P<text>.*))?$"
)
"""`talosctl dmesg`: the facility stands where other forms name a program."""

_LOGGER = re.compile(r"\b[a-z][\w.-]* +(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|SEVERE|CRITICAL)\b")
"""The name of a program and a level, as loggers of programs write them."""

_MESSAGE = re.compile(r"^.*? - \d+ - ")


def has_kernel_lines(lines: Sequence[str]) -> bool:
    """Return whether lines of a kernel log are among `lines`, of forms that have to be learned."""
    return bool(_read(PrefixForms(), lines))


def _read(forms: PrefixForms, lines: Sequence[str]) -> list[tuple[int, str]]:
    """Return the lines of the kernel in one form, each with its place."""
    found = [
        (at, line)
        for at, line in forms.read(list(lines), classes.kernel_messages())
        if not _is_of_logger(lines[at], _MESSAGE.sub("", line, count=1))
    ]
    if found or not has_mark(lines, ("kern:",)):
        return found
    return [(at, line) for at, raw in enumerate(lines) if "kern:" in raw and (line := _talos(raw))]


def _is_of_logger(raw: str, message: str) -> bool:
    prefix = raw[: raw.find(message)] if message in raw else ""
    return "kern" not in prefix and _LOGGER.search(prefix) is not None


def _talos(raw: str) -> str:
    found = _TALOS.match(raw)
    if found is None:
        return ""
    at = "-"
    with suppress(ValueError):
        at = f"@{datetime.fromisoformat(found['time'] + '+00:00').timestamp():.0f}"
    level = level_of(None, found["level"])
    priority = "-" if level is None else level
    return f"<{priority}>1 {at} - kernel - {len(raw)} - {found['text'] or ''}"


class LogPrefixes:
    """Forms of log prefixes in one text, learned from its lines in order.

    Attributes:
        is_whole: Whether the lines are all of the text, and not a window of a long one.
    """

    def __init__(self, *, is_whole: bool = False) -> None:
        """Begin with no form."""
        self.is_whole = is_whole
        self._forms = PrefixForms()

    def spans(self, lines: Sequence[str], current: Format | None) -> tuple[Sequence[str], list[Span]]:
        """Return `lines`, those of kernel logs in one form, and their spans; see `recognise.spans`."""
        found = spans(lines, current)
        owned = [span for span in found if span.format not in {None, kernel_log}]
        if sum(span.last + 1 - span.first for span in owned) == len(lines):
            return lines, found
        # What another format reads teaches nothing about logs.
        free = list(lines)
        for span in owned:
            free[span.first : span.last + 1] = [""] * (span.last + 1 - span.first)
        written = _read(self._forms, free)
        if not written:
            return lines, found
        changed = list(lines)
        for at, line in written:
            changed[at] = line
        return changed, spans(changed, current)
