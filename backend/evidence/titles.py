"""Display titles of formats."""

from __future__ import annotations

from functools import lru_cache

from ingest.former_formats import former_formats
from ingest.readers import FILES, FORMATS
from ingest.readers.logs import text


@lru_cache(maxsize=1)
def _titles() -> dict[str, str]:
    titles = {one.name: one.title for one in former_formats()}
    titles[text.NAME] = text.TITLE
    titles.update((reader.NAME, reader.TITLE) for reader in FORMATS)
    titles.update((reader.NAME, reader.TITLE) for reader in FILES)
    return titles


def title_of(format_name: str) -> str:
    """Return the title of a format; that of a former one, too; else its name."""
    return _titles().get(format_name, format_name)
