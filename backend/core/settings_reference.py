"""The table of settings in `docs/operations.md`, generated from the fields of `Settings`.

`python -m backend.core.settings_reference` writes it.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from backend.core import layout
from backend.core.settings import Settings
from ingest.generated_parts import with_parts

PAGE = layout.ROOT / "docs" / "operations.md"
HEAD = "| variable | default | allowed | meaning |\n| --- | --- | --- | --- |\n"
NONE = "–"
UNITS = ((1 << 30, "GiB"), (1 << 20, "MiB"))
WORDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "`true`, `false`",
    "path": "a path",
    "password": "a secret",
    "duration": "a duration",
}


def page(text: str) -> str:
    """Return the page with its table of settings."""
    return with_parts(text, {"settings": table()})


def table() -> str:
    """Return one row per setting, in the order of the fields."""
    schemas = Settings.model_json_schema()["properties"]
    rows = (
        f"| `CASEBOOK_{name.upper()}` | {_default(field.get_default())} | {allowed(schemas[name])} |"
        f" {' '.join((field.description or '').split())} |\n"
        for name, field in Settings.model_fields.items()
    )
    return HEAD + "".join(rows)


def allowed(schema: dict[str, Any]) -> str:
    """Return the values that the JSON schema of a setting accepts, in words."""
    match schema:
        case {"form": str(words)}:
            return words
        case {"enum": list(values)}:
            return ", ".join(f"`{value}`" for value in values)
        case {"minimum": low, "maximum": high}:
            return f"{low} to {high}"
        case {"minimum": low}:
            return f"at least {low}"
        case {"exclusiveMinimum": low}:
            return f"more than {low}"
        case {"anyOf": [first, *_]}:
            return allowed(first)
    return WORDS[schema.get("format", schema["type"])]


def _default(value: Any) -> str:
    if isinstance(value, SecretStr):
        value = value.get_secret_value()
    if value is None or value == "":
        return NONE
    if isinstance(value, timedelta):
        count, unit = (value.days, "day") if value.days else (value.seconds // 3600, "hour")
        return f"{count} {unit}{'s' if count > 1 else ''}"
    if isinstance(value, Path) and value.is_relative_to(layout.ROOT):
        value = value.relative_to(layout.ROOT)
    if isinstance(value, int):
        for size, unit in UNITS:
            if value and value % size == 0:
                return f"{value} ({value // size} {unit})"
    return f"`{value}`"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
