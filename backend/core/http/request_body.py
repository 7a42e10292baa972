"""Base of JSON request bodies: unknown fields are rejected, very many of them as a whole.

`Line` is the type of names and titles that people write. They are shown beside others in lists, logs and
terminals, so characters that hide or reorder text are rejected. `Distinct` is for the names of members, which
say who somebody is: two that look alike are one, or one is rejected.

Source: https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing
"""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, model_validator

MAX_FIELDS = 100
INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
"""Controls of direction, separators, fillers, and other characters without a shape of their own."""

JOINING = "\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""Joiners and variation selectors: part of how some scripts and emoji are written, invisible elsewhere."""

_HIDING = re.compile(f"[\x00-\x1f\x7f-\x9f\ud800-\udfff{INVISIBLE}]")
"""Lone surrogates too, which no answer could repeat."""

_WITHOUT_SHAPE = re.compile(f"[{INVISIBLE}{JOINING}]")


def hiding(text: str, pattern: re.Pattern[str] = _HIDING) -> str | None:
    """Return what is wrong with `text`, that it "must not contain …"; None when all of it is seen."""
    found = pattern.search(text)
    if found is None:
        return None
    return f"must not contain U+{ord(found[0]):04X}, which hides or reorders what it is shown with"


def _is_shown(text: str) -> str:
    return _checked(text, _HIDING)


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _distinct(text: str) -> str:
    return _checked(_composed(text), _WITHOUT_SHAPE)


def _checked(text: str, pattern: re.Pattern[str]) -> str:
    wrong = hiding(text, pattern)
    if wrong is not None:
        raise ValueError(wrong)
    return text


Shown = AfterValidator(_is_shown)
"""Rejects control characters and those that hide or reorder text; after constraints of length."""

Composed = AfterValidator(_composed)
"""Composes characters (NFC), as `Distinct` does: a name as somebody types it."""

Distinct = AfterValidator(_distinct)
"""Composes the characters of a name (NFC), and rejects each that is not seen."""

Line = Annotated[str, Shown]
"""One line of text without control characters and without those that hide or reorder text."""


def with_marks(text: str) -> str:
    """Return a title made of the name of a file, with U+FFFD for each character that `Line` rejects."""
    return _HIDING.sub("\ufffd", text)


def without_invisible(text: str) -> str:
    """Return a name that somebody else wrote, composed (NFC) and without characters that are not seen."""
    return _WITHOUT_SHAPE.sub("", _composed(text))


class RequestBody(BaseModel):
    """A JSON request body without unknown fields."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _limit_fields(cls, body: Any) -> Any:
        """Reject very many fields with one error: an error for each would block the event loop."""
        if isinstance(body, dict) and len(body) > MAX_FIELDS:
            raise ValueError(f"the body has {len(body):,} fields, at most {MAX_FIELDS} are allowed")
        return body
