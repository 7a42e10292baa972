"""Display titles of formats."""

from __future__ import annotations

from functools import lru_cache

from ingest.readers import FILES, FORMATS
from ingest.readers.logs import text


@lru_cache(maxsize=1)
def _titles() -> dict[str, str]:
    titles = {text.NAME: text.TITLE}
    titles.update((reader.NAME, reader.TITLE) for reader in FORMATS)
    titles.update((reader.NAME, reader.TITLE) for reader in FILES)
    return titles


def title_of(format_name: str) -> str:
    """Return the title of a format; its name when no reader exists any more."""
    return _titles().get(format_name, format_name)
