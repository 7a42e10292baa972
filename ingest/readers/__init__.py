"""The readers: one module per output format or captured file, found by discovery.

A module of a family (`perf/perf_script.py`) is a reader when it has a `NAME`; its attributes say of which
kind:

    PATHS             a captured file, recognised by its path or by the command that printed it
    begins            an output format, recognised by its lines
    stream            an output format whose section may be larger than memory
    read_document     a format that is one whole document instead of lines

Where several formats claim a line, the one of the lower `PRIORITY` reads it, then the first by name; `text`
reads
what no other format claims. The protocols are in `ingest.parsing.protocols`.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.parsing.protocols import CapturedFile, DocumentFormat, Format, OutputFormat, StreamFormat

DEFAULT_PRIORITY = 50
_TEXT = "text"


def _modules() -> Iterator[Any]:
    """Yield every module of every family, a package that reads one format as one module."""
    for family in pkgutil.iter_modules(__path__, f"{__name__}."):
        package = importlib.import_module(family.name)
        for found in pkgutil.iter_modules(package.__path__, f"{family.name}."):
            yield importlib.import_module(found.name)


def _order(reader: Any) -> tuple[int, str]:
    return getattr(reader, "PRIORITY", DEFAULT_PRIORITY), reader.NAME


_READERS = sorted((module for module in _modules() if hasattr(module, "NAME")), key=_order)

FILES: tuple[CapturedFile, ...] = tuple(reader for reader in _READERS if hasattr(reader, "PATHS"))

BY_CONTENT: tuple[Format, ...] = tuple(
    reader for reader in _READERS if hasattr(reader, "PATHS") and hasattr(reader, "begins")
)
"""Captured files whose content is unmistakable without a path."""

FORMATS: tuple[OutputFormat, ...] = tuple(
    reader
    for reader in _READERS
    if hasattr(reader, "begins") and not hasattr(reader, "PATHS") and reader.NAME != _TEXT
)

STREAMS: dict[str, StreamFormat] = {
    reader.NAME: reader for reader in _READERS if hasattr(reader, "stream") and reader.NAME != _TEXT
}
"""Formats whose section may be larger than memory, by name."""

DOCUMENTS: tuple[DocumentFormat, ...] = tuple(
    reader for reader in _READERS if hasattr(reader, "read_document")
)
"""Formats that are one whole document; the first that claims the beginning reads it."""
