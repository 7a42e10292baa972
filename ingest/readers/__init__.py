"""The readers: one module per output format or captured file, found by discovery.

A module of a family (`proc/proc_loadavg.py`) is a reader when it ends in a `FORMAT`, a shape of
`ingest.parsing.shapes`. One of the older form has a `NAME`. Attributes say of which kind a reader is:

    PATHS             a captured file, recognised by its path or by the command that printed it
    begins            an output format, recognised by its lines
    stream            an output format whose section may be larger than memory
    read_document     a format that is one whole document instead of lines

A YAML file of a family (`bpf/klockstat.yaml`) is a reader, too: a form of lines as data
(`ingest.parsing.line_forms`).

Where several formats claim a line, the one of the lower `PRIORITY` reads it, then the first by name; `text`
reads what no other format claims. The protocols are in `ingest.parsing.protocols`.

Recognition needs names, paths and expressions of all readers, and the code of few. `make build` compiles an
index of the former; with it a reader is imported when it is first used. Without, all are imported at once.
"""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ingest.compiled import Compiled
from ingest.parsing import late_modules
from ingest.parsing.form_modules import FormLoader, form_names
from ingest.parsing.format_reader import FORMAT, FormatReader, imported_format
from ingest.parsing.late_modules import import_now, late_module
from ingest.parsing.protocols import Start
from ingest.parsing.shapes import DEFAULT_PRIORITY, Meaning

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import ModuleType

    from ingest.parsing.protocols import CapturedFile, DocumentFormat, Format, OutputFormat, StreamFormat

INDEX = Compiled(
    "readers.json",
    (
        "readers/*.py",
        "readers/*/*.py",
        "readers/*/*/*.py",
        "readers/*/*.yaml",
        "parsing/*.py",
        "parsing/*/*.py",
        "paste/*.py",
        "engines/*/*.py",
        "engines/*/*.yaml",
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
    "RESUMES",
    "BEGINS_ONCE",
)
"""Attributes that do not import a reader of the older form."""

_TEXT = "text"
_PACKAGE = Path(__file__).parents[1]


def _imported() -> Iterator[Any]:
    """Yield every reader of every family, a package that reads one format as one module."""
    for family in pkgutil.iter_modules(__path__, f"{__name__}."):
        package = importlib.import_module(family.name)
        for found in pkgutil.iter_modules(package.__path__, f"{family.name}."):
            module = importlib.import_module(found.name)
            if hasattr(module, FORMAT):
                yield imported_format(module)
            elif hasattr(module, "NAME"):
                yield module
        for name in form_names(package):
            module = _form_module(package, name)
            import_now(module)
            yield imported_format(module)


def _form_module(package: ModuleType, name: str) -> ModuleType:
    """Return the module of a form of lines, which is read when it is first used."""
    loader = FormLoader(Path(package.__path__[0]) / f"{name}.yaml")
    return late_module(package, name, {}, frozenset(("FORMAT", "FACTS")), loader=loader)


def _indexed() -> Iterator[Any]:
    """Yield every reader, to be imported when it is used; all at once when there is no current index."""
    rows = INDEX.load(_PACKAGE)
    if rows is None:
        yield from _imported()
        return
    for row in rows:
        package = importlib.import_module(f"{__name__}.{row['family']}")
        known = {name: _restored(value) for name, value in row["known"].items()}
        names = frozenset(row["names"])
        is_format = "methods" in row
        module = (
            _form_module(package, row["name"])
            if row["is_form"]
            else late_module(
                package, row["name"], {} if is_format else known, names, is_package=row["is_package"]
            )
        )
        if is_format:
            facts = {name: Meaning(*_restored(fact)) for name, fact in row["facts"].items()}
            yield FormatReader(module, known, frozenset(row["methods"]), facts)
        else:
            yield module


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
        import_now(_module(reader))


def own_facts() -> dict[str, tuple[str, Meaning]]:
    """Return by name the facts that only one format has, with its name and what they mean."""
    formats = [reader for reader in _READERS if isinstance(reader, FormatReader)]
    return {name: (one.NAME, meaning) for one in formats for name, meaning in one.facts.items()}


def _module(reader: Any) -> ModuleType:
    module: ModuleType = reader.module if isinstance(reader, FormatReader) else reader
    return module


def _has(reader: Any, name: str) -> bool:
    """Return whether a reader has an attribute, without importing it."""
    return reader.has(name) if isinstance(reader, FormatReader) else late_modules.has(reader, name)


def write_index(package: Path = _PACKAGE) -> None:
    """Compile the index of the readers into a copy of `ingest`."""
    import_all()
    INDEX.write(package, [_row(reader) for reader in _READERS])


def _row(reader: Any) -> Mapping[str, Any]:
    module = _module(reader)
    *_, family, name = module.__name__.split(".")
    if isinstance(reader, FormatReader):
        known = reader.attributes
    else:
        known = {one: getattr(reader, one) for one in KNOWN if hasattr(reader, one)}
    row = {
        "family": family,
        "name": name,
        "is_package": hasattr(module, "__path__"),
        "is_form": isinstance(getattr(module.__spec__, "loader", None), FormLoader),
        "names": sorted(one for one in vars(module) if not one.startswith("__")),
        "known": {one: _plain(value) for one, value in known.items()},
    }
    if isinstance(reader, FormatReader):
        facts = {fact: _plain(tuple(meaning)) for fact, meaning in reader.facts.items()}
        row |= {"methods": sorted(reader.methods), "facts": facts}
    return row


def _plain(value: Any) -> Any:
    """Return an attribute as JSON has it."""
    if isinstance(value, Start):
        return value._asdict()
    return list(map(_plain, value)) if isinstance(value, tuple) else value


def _order(reader: Any) -> tuple[int, str]:
    return getattr(reader, "PRIORITY", DEFAULT_PRIORITY), reader.NAME


_READERS = sorted(_indexed(), key=_order)

FILES: tuple[CapturedFile, ...] = tuple(reader for reader in _READERS if _has(reader, "PATHS"))

BY_CONTENT: tuple[Format, ...] = tuple(
    reader for reader in _READERS if _has(reader, "PATHS") and _has(reader, "begins")
)
"""Captured files whose content is unmistakable without a path."""

FORMATS: tuple[OutputFormat, ...] = tuple(
    reader
    for reader in _READERS
    if _has(reader, "begins") and not _has(reader, "PATHS") and reader.NAME != _TEXT
)

STREAMS: dict[str, StreamFormat] = {
    reader.NAME: reader for reader in _READERS if _has(reader, "stream") and reader.NAME != _TEXT
}
"""Formats whose section may be larger than memory, by name."""

DOCUMENTS: tuple[DocumentFormat, ...] = tuple(reader for reader in _READERS if _has(reader, "read_document"))
"""Formats that are one whole document; the first that claims the beginning reads it."""
