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

Recognition needs names, paths and expressions of all readers, and the code of few. `make build` compiles an
index of the former; with it a reader is imported when it is first used. Without, all are imported at once.
"""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ingest.compiled import Compiled
from ingest.parsing.late_modules import has, import_now, late_module
from ingest.parsing.protocols import Start

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import ModuleType

    from ingest.parsing.protocols import CapturedFile, DocumentFormat, Format, OutputFormat, StreamFormat

DEFAULT_PRIORITY = 50
INDEX = Compiled(
    "readers.json",
    (
        "readers/*.py",
        "readers/*/*.py",
        "readers/*/*/*.py",
        "parsing/*.py",
        "parsing/*/*.py",
        "paste/*.py",
        "catalogue/log_classes/*.py",
    ),
)
"""The sources are all that the indexed attributes are made of."""

KNOWN = (
    "NAME",
    "VERSION",
    "TITLE",
    "PRIORITY",
    "PATHS",
    "COMMANDS",
    "HINTS",
    "HEAD",
    "STARTS",
    "CONTINUES",
    "BEGINS_ONCE",
)
"""Attributes that do not import a reader."""

_TEXT = "text"
_PACKAGE = Path(__file__).parents[1]


def _modules() -> Iterator[Any]:
    """Yield every module of every family, a package that reads one format as one module."""
    for family in pkgutil.iter_modules(__path__, f"{__name__}."):
        package = importlib.import_module(family.name)
        for found in pkgutil.iter_modules(package.__path__, f"{family.name}."):
            yield importlib.import_module(found.name)


def _indexed() -> Iterator[Any]:
    """Yield every reader, to be imported when it is used; all at once when there is no current index."""
    rows = INDEX.load(_PACKAGE)
    if rows is None:
        yield from _modules()
        return
    for row in rows:
        package = importlib.import_module(f"{__name__}.{row['family']}")
        known = {name: _restored(value) for name, value in row["known"].items()}
        names = frozenset(row["names"])
        yield late_module(package, row["name"], known, names, is_package=row["is_package"])


def _restored(value: Any) -> Any:
    """Return an attribute as the module has it."""
    if isinstance(value, list):
        return tuple(map(_restored, value))
    if isinstance(value, dict):
        return Start(tuple(value["expressions"]), tuple(value["near"]), value["within"])
    return value


def import_all() -> None:
    """Import every reader, as before the fork of a process that reads."""
    for reader in _READERS:
        import_now(reader)


def write_index(package: Path = _PACKAGE) -> None:
    """Compile the index of the readers into a copy of `ingest`."""
    import_all()
    INDEX.write(package, [_row(reader) for reader in _READERS])


def _row(reader: ModuleType) -> Mapping[str, Any]:
    *_, family, name = reader.__name__.split(".")
    attributes = vars(reader)
    known = {one: _plain(attributes[one]) for one in KNOWN if one in attributes}
    return {
        "family": family,
        "name": name,
        "is_package": hasattr(reader, "__path__"),
        "names": sorted(one for one in attributes if not one.startswith("__")),
        "known": known,
    }


def _plain(value: Any) -> Any:
    """Return an attribute as JSON has it."""
    if isinstance(value, Start):
        return value._asdict()
    return list(map(_plain, value)) if isinstance(value, tuple) else value


def _order(reader: Any) -> tuple[int, str]:
    return getattr(reader, "PRIORITY", DEFAULT_PRIORITY), reader.NAME


_READERS = sorted((module for module in _indexed() if has(module, "NAME")), key=_order)

FILES: tuple[CapturedFile, ...] = tuple(reader for reader in _READERS if has(reader, "PATHS"))

BY_CONTENT: tuple[Format, ...] = tuple(
    reader for reader in _READERS if has(reader, "PATHS") and has(reader, "begins")
)
"""Captured files whose content is unmistakable without a path."""

FORMATS: tuple[OutputFormat, ...] = tuple(
    reader
    for reader in _READERS
    if has(reader, "begins") and not has(reader, "PATHS") and reader.NAME != _TEXT
)

STREAMS: dict[str, StreamFormat] = {
    reader.NAME: reader for reader in _READERS if has(reader, "stream") and reader.NAME != _TEXT
}
"""Formats whose section may be larger than memory, by name."""

DOCUMENTS: tuple[DocumentFormat, ...] = tuple(reader for reader in _READERS if has(reader, "read_document"))
"""Formats that are one whole document; the first that claims the beginning reads it."""
