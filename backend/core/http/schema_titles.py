"""The OpenAPI schema without the titles that repeat the names of fields, a tenth of its size."""

from __future__ import annotations

from typing import Any

_VALUES = {"default", "const", "enum", "example", "examples"}
"""Keys of JSON Schema whose values are data, not schemas."""


def document(schema: dict[str, Any]) -> None:
    """Remove the titles of all parameters and of all schemas and their fields."""
    _remove(schema["paths"])
    _remove(schema["components"])


def _remove(part: object) -> None:
    if isinstance(part, list):
        for one in part:
            _remove(one)
    elif isinstance(part, dict):
        # A field that is named "title" has a schema, not a text.
        if isinstance(part.get("title"), str):
            del part["title"]
        for key, value in part.items():
            if key not in _VALUES:
                _remove(value)
