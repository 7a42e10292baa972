"""Base of JSON request bodies: unknown fields are rejected, very many of them as a whole.

`Line` is the type of names and titles that people write. They are shown beside others in lists, logs and
terminals, so characters that hide or reorder text are rejected.

Source: https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing
"""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, model_validator

MAX_FIELDS = 100
_HIDING = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def _is_shown(text: str) -> str:
    found = _HIDING.search(text)
    if found is not None:
        raise ValueError(
            f"must not contain U+{ord(found[0]):04X}, which hides or reorders what it is shown with"
        )
    return text


Shown = AfterValidator(_is_shown)
"""Rejects control characters and those that hide or reorder text; after constraints of length."""

Line = Annotated[str, Shown]
"""One line of text without control characters and without those that hide or reorder text."""


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
