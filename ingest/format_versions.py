"""Versions of formats: the reader, all it reads with, and how texts are cut into its sections.

    version_of_format("perf-script")   -> "07ab…", 16 hex digits

That of `text`, which reads what no format claims, covers every reader: any of them may claim it some day.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ingest.code_versions import modules_of, version_of_these
from ingest.readers import DOCUMENTS, FILES, FORMATS
from ingest.readers.logs import text

CUTTING = "ingest.opening"
LOADING = "ingest.model.reading_folder"


@cache
def version_of_format(name: str) -> str:
    """Return the version of a format; that of `text` for a name of no format."""
    readers = _readers()
    used = modules_of(*(readers.values() if name not in readers else (readers[name],)))
    return version_of_these(used | _cutting())


def versions() -> dict[str, str]:
    """Return the version of every format."""
    return {name: version_of_format(name) for name in (*_readers(), text.NAME)}


@cache
def _readers() -> dict[str, str]:
    """Return the module of each format but `text`."""
    modules: tuple[Any, ...] = (*FILES, *FORMATS, *DOCUMENTS)
    return {reader.NAME: reader.__name__ for reader in modules}


@cache
def _cutting() -> frozenset[str]:
    """Return the modules that open and cut, without readers that remarks are made with."""
    names = ("containers", "evidence", "model", "native", "opening", "parsing", "paste", "sections")
    return modules_of(CUTTING, LOADING, within=tuple(f"ingest.{name}" for name in names))
