"""Tables that are data: YAML files of the packages, as `make build` compiled them to JSON.

    rows = table(files(__name__) / "facts.yaml")

A table is keyed by the digest of its text, and one that changed is read from YAML, so a stale file is never
wrong. Each has a line of the compiled file, of which only those that are used are parsed.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from types import ModuleType

PACKAGE = Path(__file__).parent
DATE = "!date"
COMPILED = "tables.json"
FOLDERS = (
    "ingest/catalogue",
    "ingest/containers",
    "ingest/engines/quantities",
    "ingest/engines/status",
    "ingest/engines/symbols",
    "ingest/engines/threads",
    "ingest/folders",
    "ingest/frames",
    *(f"ingest/readers/{one}" for one in ("bpf", "commands", "net", "perf", "traces")),
    "signatures/fixes",
    "signatures/judging",
    "signatures/kernels",
    "signatures/kernels/fixes",
    "signatures/language",
    "signatures/overview",
    "signatures/overview/mechanisms",
    "signatures/overview/rules",
    "signatures/overview/waiting",
    "signatures/reporting",
)


def files(package: str | ModuleType) -> Path:
    """Return the folder of a package; `importlib.resources` imports a dozen modules to find the same."""
    module = import_module(package) if isinstance(package, str) else package
    return Path(module.__path__[0])


def table(path: Path | Traversable) -> Any:
    """Return the document in a YAML file; every call returns the same one, read once in a process."""
    name = str(path)
    if name not in _read:
        content = path.read_bytes()
        text = _text(_compiled(PACKAGE), _digest(content))
        _read[name] = _parsed(content) if text is None else _restored(text)
    return _read[name]


_read: dict[str, Any] = {}
"""The documents by path."""


def write(package: Path = PACKAGE) -> None:
    """Compile the tables into a copy of this package."""
    documents = {}
    for folder in FOLDERS:
        for path in sorted((PACKAGE.parent / folder).glob("*.yaml")):
            content = path.read_bytes()
            document = _parsed(content)
            text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), default=_dated)
            # JSON has no keys but texts.
            if _restored(text.encode()) == document:
                documents[_digest(content)] = text
    lines = ",\n".join(f'"{digest}":{text}' for digest, text in documents.items())
    (package / COMPILED).write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


class _Tables(NamedTuple):
    """The compiled file, and the first byte of each table and the byte behind it by digest."""

    content: bytes
    places: dict[bytes, tuple[int, int]]


@cache
def _compiled(package: Path) -> _Tables:
    """Return the compiled file: an object of JSON, each member a line; empty when nothing was compiled."""
    try:
        content = (package / COMPILED).read_bytes()
    except FileNotFoundError:
        return _Tables(b"", {})
    places = {}
    start = content.find(b"\n") + 1
    while (end := content.find(b"\n", start)) > 0:
        mark = content.find(b'":', start, end)
        if mark > 0:
            places[content[start + 1 : mark]] = mark + 2, end
        start = end + 1
    return _Tables(content, places)


def _text(compiled: _Tables, digest: str) -> bytes | None:
    """Return the JSON of a table, None when it was not compiled, or by a version that did so otherwise."""
    place = compiled.places.get(digest.encode())
    return compiled.content[slice(*place)].removesuffix(b",") if place else None


def _restored(text: bytes) -> Any:
    return json.loads(text, object_hook=_undated if DATE.encode() in text else None)


def _dated(value: Any) -> dict[str, str]:
    """Return a date as JSON has it."""
    if not isinstance(value, dt.date):
        raise TypeError(f"{type(value).__name__} has no form in JSON")
    return {DATE: value.isoformat()}


def _undated(row: dict[str, Any]) -> Any:
    """Return a date, or the object itself."""
    return dt.date.fromisoformat(row[DATE]) if row.keys() == {DATE} else row


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _parsed(content: bytes) -> Any:
    import yaml  # noqa: PLC0415 - its import takes as long as reading all tables

    return yaml.load(content, Loader=yaml.CSafeLoader)
