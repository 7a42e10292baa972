"""What a log may hold: bounded fields without secrets, in time linear in their length.

    sign-in?token=q0Xk…          sign-in?token=[secret]
    Bearer cbk_F2l…              Bearer [secret]
    postgresql://a:b@host/c      postgresql://a:[secret]@host/c
    GET /qqqq… (8,000 bytes)     GET /qqqq…… (5,952 more bytes)

A field is cut before it is searched, so a cut may leave the beginning of a secret, too short for its usual
shape: `bounded` removes such a beginning with the cut.

No pattern here may try a run of characters again from each of its characters: none begins with a repetition,
and whatever repeats behind a keyword cannot hold that keyword's beginning and then fail. The tests double the
input of adversarial shapes and compare the CPU time.
"""

from __future__ import annotations

import re

SECRET = "[secret]"  # noqa: S105 - what stands in place of one
MAX_FIELD_BYTES = 2048
"""Of one argument of a log call, or one line of a traceback."""

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
"""The same at the end of a text that was cut, where too little of the secret is left for `SHAPES`."""

_UNBROKEN = re.compile(r"[^\s@'\"]++@?")
_USER = re.compile(r"\w://[^:/]*:")


def redact(text: str, secrets: tuple[str, ...] = ()) -> str:
    """Return `text` without `secrets` and without what has the shape of one."""
    for secret in secrets:
        text = text.replace(secret, SECRET)
    for shape, instead in SHAPES:
        text = shape.sub(instead, text)
    return _UNBROKEN.sub(_without_password, text)


def bounded(text: str, secrets: tuple[str, ...] = (), max_bytes: int = MAX_FIELD_BYTES) -> str:
    """Return the first `max_bytes` of `text` and how many more there were.

    The end of what is left holds no beginning of one of `secrets`, nor of anything else that `redact` would
    have recognised in the whole text and cannot any more.
    """
    encoded = text.encode("utf-8", "backslashreplace")
    if len(encoded) <= max_bytes:
        return text
    kept = encoded[:max_bytes].decode("utf-8", "ignore")
    for secret in secrets:
        kept = _without_beginning(kept, secret)
    for shape, instead in CUT_SHAPES:
        kept = shape.sub(instead, kept)
    return f"{_without_last_password(kept)}… ({len(encoded) - max_bytes:,} more bytes)"


def _without_beginning(kept: str, secret: str) -> str:
    """Return `kept` without the beginning of `secret` that it ends with."""
    for length in range(min(len(secret) - 1, len(kept)), 0, -1):
        if kept.endswith(secret[:length]):
            return f"{kept[:-length]}{SECRET}"
    return kept


def _without_password(run: re.Match[str]) -> str:
    """Return an unbroken run of characters without the password of a URL, if it ends with one's `@`."""
    text = run[0]
    user = _USER.search(text) if text.endswith("@") else None
    return text if user is None else f"{text[: user.end()]}{SECRET}@"


def _without_last_password(kept: str) -> str:
    """Return `kept` without the password of a URL whose `@` was cut off."""
    start = 0
    for run in _UNBROKEN.finditer(kept):
        start = run.start()
    user = _USER.search(kept, start)
    return (
        kept if user is None or kept[-1] in "@'\"" or kept[-1].isspace() else f"{kept[: user.end()]}{SECRET}"
    )
