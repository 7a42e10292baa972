"""Row sets as the columns of a reading folder and back: long ones as arrays, short ones in a JSON document.

Example:
    row_sets.col.zst        [{"name": "vmstat", "columns": ["runnable", "state"], "rows": 300000, …}]
    rows-0.lines.col.zst    300,000 line numbers
    rows-0.numbers.col.zst  300,000 floats; NaN where a row has no such cell
    rows-0.words.col.zst    300,000 places in the words of their column

Folders of the format before it hold every set as the cells of its columns, as short ones still are.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ingest.model.reading import RowSet
from ingest.model.reading_documents import many, plain, value_of, values_of
from ingest.model.row_columns import Mixed, Numbers, Words, column_of, numbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from ingest.model.row_columns import Column

DOCUMENT = "row_sets"
FEW_CELLS = 4096
"""Sets of fewer cells are written as JSON: a file for each would cost more."""


class ArrayWriter(Protocol):
    """What takes arrays by name."""

    def write_array(self, name: str, array: NDArray[Any], dtype: str) -> None:
        """Write an array."""


class ArrayReader(Protocol):
    """What has arrays and documents by name."""

    def required(self, name: str, dtype: str) -> NDArray[Any]:
        """Return an array that must be there."""

    def read_json(self, name: str) -> list[Any]:
        """Return a document."""


def save(row_sets: Sequence[RowSet], writer: ArrayWriter) -> list[dict[str, Any]]:
    """Write the arrays of long sets; return the document."""
    return [_document(rows, f"rows-{at}", writer) for at, rows in enumerate(row_sets)]


def load(reader: ArrayReader) -> tuple[RowSet, ...]:
    """Return the row sets of a folder.

    Raises:
        ValueError: Columns have different lengths, or a word has no text.
    """
    entries = reader.read_json(DOCUMENT)
    return tuple(_row_set(entry, f"rows-{at}", reader) for at, entry in enumerate(entries))


def _document(rows: RowSet, prefix: str, writer: ArrayWriter) -> dict[str, Any]:
    head = {"name": rows.name, "columns": list(rows.columns), "duration": plain(rows.duration)}
    if len(rows) * len(rows.columns) < FEW_CELLS:
        cells = [many(column) for column in rows.cells]
        return {**head, "cells": cells, "row_lines": list(rows.row_lines)}
    writer.write_array(f"{prefix}.lines", np.frombuffer(rows.row_lines, dtype=np.int32), "<i4")
    for name, kind, dtype in (("numbers", Numbers, "<f8"), ("words", Words, "<i4")):
        arrays = [column.array for column in rows.cells if isinstance(column, kind)]
        if arrays:
            writer.write_array(f"{prefix}.{name}", np.concatenate(arrays), dtype)
    return {**head, "rows": len(rows), "stored": [_stored(column) for column in rows.cells]}


def _stored(column: Column) -> dict[str, Any]:
    """Return what the document holds of a column: nothing of one of numbers."""
    if isinstance(column, Words):
        return {"words": list(column.names)}
    return {"cells": many(column)} if isinstance(column, Mixed) else {}


def _row_set(entry: dict[str, Any], prefix: str, reader: ArrayReader) -> RowSet:
    size = entry["rows"] if "stored" in entry else len(entry["row_lines"])
    if "stored" in entry:
        lines = reader.required(f"{prefix}.lines", "<i4").tolist()
        cells = tuple(_columns(entry["stored"], size, prefix, reader))
    else:
        lines = entry["row_lines"]
        cells = tuple(column_of(values_of(column)) for column in entry["cells"])
        cells = cells or (Mixed(()),) * len(entry["columns"])
    columns = tuple(entry["columns"])
    if len(lines) != size or len(cells) != len(columns) or any(len(one) != size for one in cells):
        raise ValueError("columns of different lengths")
    return RowSet(entry["name"], columns, cells, array("i", lines), value_of(entry["duration"]))


def _columns(
    stored: Sequence[dict[str, Any]], size: int, prefix: str, reader: ArrayReader
) -> Iterator[Column]:
    """Yield the columns in order, each with its part of the arrays."""
    found: dict[str, NDArray[Any]] = {}
    read = {"numbers": 0, "words": 0}

    def part(name: str, dtype: str) -> NDArray[Any]:
        if name not in found:
            found[name] = reader.required(f"{prefix}.{name}", dtype)
        read[name] += size
        return found[name][read[name] - size : read[name]]

    for column in stored:
        if "words" in column:
            names, ids = tuple(column["words"]), part("words", "<i4")
            if ids.size and not -1 <= int(ids.min()) <= int(ids.max()) < len(names):
                raise ValueError("a word without a text")
            yield Words(array("i", ids.tobytes()), names)
        elif "cells" in column:
            yield Mixed(values_of(column["cells"]))
        else:
            yield numbers(part("numbers", "<f8"))
