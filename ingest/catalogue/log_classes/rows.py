"""Classes of kernel messages that are rows: `log_class_rows.yaml`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ingest.catalogue.log_classes import causes
from ingest.catalogue.log_classes.model import LogClass
from ingest.tables import files, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


def _follows(names: Iterable[str]) -> Iterator[str]:
    """Yield the classes of a row, those of a group for its name."""
    for name in names:
        if name.isupper():
            yield from getattr(causes, name)
        else:
            yield name


def _classes(rows: Iterable[Mapping[str, Any]]) -> tuple[LogClass, ...]:
    return tuple(LogClass(**{**row, "follows": tuple(_follows(row.get("follows", ())))}) for row in rows)


_ROWS = table(files("ingest.catalogue") / "log_class_rows.yaml")

SPECIFIC = _classes(_ROWS["specific"])
"""Tried before the classes of the modules."""

GENERAL = _classes(_ROWS["general"])
"""Tried after them."""
