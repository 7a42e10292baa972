"""Log redaction: bounded fields without secrets, in time linear in their length.

    sign-in?token=q0Xk…          sign-in?token=[secret]
    Bearer cbk_F2l…              Bearer [secret]
    postgresql://a:b@host/c      postgresql://a:[secret]@host/c
    GET /qqqq… (8,000 bytes)     GET /qqqq…… (5,952 more bytes)

A field is truncated before it is searched, so its end may be the beginning of a secret, too short for its
usual shape: `bounded` removes such a beginning too.

No pattern may backtrack over a run of characters from each of its positions: none begins with a repetition,
and no repetition after a keyword can match that keyword's beginning and then fail. The tests double
adversarial input and compare the CPU time.
"""

from __future__ import annotations

import re

SECRET = "[secret]"  # noqa: S105 - the placeholder
MAX_FIELD_BYTES = 2048
"""Limit of one argument of a log call, or of one line of a traceback."""

_KEYED = (
    r"(?i)((?:token|secret|password|passwd|session|code|state|nonce|verifier)['\"]?\s*[=:]\s*['\"]?)"
    r"(?!\[secret\])[\w.~%+/=-]"
)
SHAPES = (
    (re.compile(r"\bcb[a-z]_[\w-]{16,}"), SECRET),
    (re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{8,}"), rf"\1 {SECRET}"),
    (re.compile(r"(?i)((?:set-)?cookie['\"]?\s*[:=,]\s*b?['\"]?)[^\r\n'\"]+"), rf"\1{SECRET}"),
    (re.compile(rf"{_KEYED}{{16,}}"), rf"\1{SECRET}"),
)
CUT_SHAPES = (
    (re.compile(r"\bcb[a-z]_[\w-]{0,15}\Z"), SECRET),
    (re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{0,7}\Z"), rf"\1 {SECRET}"),
    (re.compile(rf"{_KEYED}{{0,15}}\Z"), rf"\1{SECRET}"),
)
"""The same at the end of truncated text, where too little of the secret is left for `SHAPES`."""

_UNBROKEN = re.compile(r"[^\s@'\"]++@?")
_USER = re.compile(r"\w://[^:/]*:")


def redact(text: str, secrets: tuple[str, ...] = ()) -> str:
    """Return `text` without `secrets` and without anything of the shape of a secret."""
    for secret in secrets:
        text = text.replace(secret, SECRET)
    for shape, instead in SHAPES:
        text = shape.sub(instead, text)
    return _UNBROKEN.sub(_without_password, text)


def bounded(text: str, secrets: tuple[str, ...] = (), max_bytes: int = MAX_FIELD_BYTES) -> str:
    """Return the first `max_bytes` of `text` and the number of bytes cut.

    The end holds no beginning of one of `secrets`, nor of anything that `redact` would have recognised in the
    whole text only.
    """
    encoded = text.encode("utf-8", "backslashreplace")
    if len(encoded) <= max_bytes:
        return text
    truncated = encoded[:max_bytes].decode("utf-8", "ignore")
    for secret in secrets:
        truncated = _without_beginning(truncated, secret)
    for shape, instead in CUT_SHAPES:
        truncated = shape.sub(instead, truncated)
    return f"{_without_last_password(truncated)}… ({len(encoded) - max_bytes:,} more bytes)"


def _without_beginning(truncated: str, secret: str) -> str:
    """Return `truncated` without the beginning of `secret` at its end."""
    for length in range(min(len(secret) - 1, len(truncated)), 0, -1):
        if truncated.endswith(secret[:length]):
            return f"{truncated[:-length]}{SECRET}"
    return truncated


def _without_password(run: re.Match[str]) -> str:
    """Return an unbroken run of characters without the password of a URL, if it ends with one's `@`."""
    text = run[0]
    user = _USER.search(text) if text.endswith("@") else None
    return text if user is None else f"{text[: user.end()]}{SECRET}@"


def _without_last_password(truncated: str) -> str:
    """Return `truncated` without the password of a URL whose `@` was cut off."""
    start = 0
    for run in _UNBROKEN.finditer(truncated):
        start = run.start()
    user = _USER.search(truncated, start)
    return (
        truncated
        if user is None or truncated[-1] in "@'\"" or truncated[-1].isspace()
        else f"{truncated[: user.end()]}{SECRET}"
    )
