"""What is written to a log, without what opens a door: tokens, cookies, sign-in links, passwords in URLs.

    sign-in?token=q0Xk…          sign-in?token=[secret]
    Bearer cbk_F2l…              Bearer [secret]
    postgresql://a:b@host/c      postgresql://a:[secret]@host/c

The finished line is looked at, traceback and all, so it does not matter who logged a secret or how. Known
secrets of the settings are looked for literally beside the shapes.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from backend.core.settings import Settings

LINE = "%(asctime)s %(levelname)s %(name)s: %(message)s"
SECRET = "[secret]"  # noqa: S105 - what stands in place of one
SECRET_VARIABLES = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
SHORTEST = 6
"""A password of fewer letters would make ordinary words vanish; its URL is recognised by shape."""

SHAPES = (
    (re.compile(r"\bcb[a-z]_[\w-]{16,}"), SECRET),
    (re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{8,}"), rf"\1 {SECRET}"),
    (re.compile(r"(?i)((?:set-)?cookie['\"]?\s*[:=,]\s*b?['\"]?)[^\r\n'\"]+"), rf"\1{SECRET}"),
    (
        re.compile(
            r"(?i)([\w-]*(?:token|secret|password|passwd|session|code|state|nonce|verifier)['\"]?\s*[=:]\s*['\"]?)"
            r"(?!\[secret\])[\w.~%+/=-]{16,}"
        ),
        rf"\1{SECRET}",
    ),
    (re.compile(r"(\w://[^\s:/@'\"]*):[^\s@'\"]*@"), rf"\1:{SECRET}@"),
)


def redact(text: str, secrets: tuple[str, ...] = ()) -> str:
    """Return `text` without `secrets` and without what has the shape of one."""
    for secret in secrets:
        text = text.replace(secret, SECRET)
    for shape, instead in SHAPES:
        text = shape.sub(instead, text)
    return text


class Redacting(logging.Formatter):
    """Formats as ever, then takes secrets out of the whole text."""

    def __init__(self, secrets: tuple[str, ...]) -> None:
        """Take out `secrets` beside what has the shape of one."""
        super().__init__(LINE)
        self._secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, its traceback too, as it may be kept."""
        return redact(super().format(record), self._secrets)


def install(settings: Settings) -> None:
    """Write every log of this process to standard error through one formatter."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Redacting(tuple(_secrets_of(settings))))
    logging.basicConfig(level=settings.log_level, handlers=[handler], force=True)
    logging.captureWarnings(capture=True)
    sys.excepthook = _log_crash


def _log_crash(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Write what ends this process through the same formatter."""
    logging.getLogger("casebook").critical("the process ends", exc_info=(kind, error, trace))


def _secrets_of(settings: Settings) -> Iterator[str]:
    """Yield what the settings and the environment hold that nobody may read, longest first."""
    urls = (settings.database_url, settings.broker_url, settings.store_url)
    passwords = [urlsplit(url).password or "" for url in urls]
    found = {
        *passwords,
        *(unquote(password) for password in passwords),
        *(os.environ.get(name, "") for name in SECRET_VARIABLES),
    }
    yield from sorted((one for one in found if len(one) >= SHORTEST), key=len, reverse=True)
