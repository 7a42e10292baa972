"""Base of JSON request bodies: unknown fields are rejected, very many of them as a whole."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator

MAX_FIELDS = 100


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
