"""Settings of the environment, and sentences about those that are invalid."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from backend.core.errors import SettingsError
from backend.core.settings import Settings


def load_settings(**overrides: Any) -> Settings:
    """Return the settings of the environment; `overrides` take precedence.

    Raises:
        SettingsError: One is invalid; the message names each with the accepted values.
    """
    try:
        return Settings(**overrides)
    except ValidationError as error:
        raise SettingsError("; ".join(_sentences(error))) from None


def _sentences(error: ValidationError) -> list[str]:
    sentences = []
    for item in error.errors():
        name = "_".join(str(part) for part in item["loc"])
        reason = item["msg"].removeprefix("Value error, ")
        sentences.append(f"CASEBOOK_{name.upper()} {reason}" if name else reason)
    return sentences
