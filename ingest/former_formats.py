"""Names of formats that a general engine reads now: stored readings and links still have them."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from ingest import catalogue
from ingest.tables import files, table


class FormerFormat(NamedTuple):
    """A format without a reader of its own.

    Attributes:
        name: As stored.
        title: The tool, for people.
        command: A command line that prints it.
        rows: The row set that an engine makes of it.
    """

    name: str
    title: str
    command: str
    rows: str


@cache
def former_formats() -> tuple[FormerFormat, ...]:
    """Return all of them."""
    return tuple(FormerFormat(**row) for row in table(files(catalogue) / "former_formats.yaml"))
