"""Tables as CSV (RFC 4180), safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from fastapi import Response

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings of a cell that a spreadsheet computes."""


def table_response(name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Response:
    """Return the download `name` of a table, in UTF-8."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(columns)
    table.writerows([_cell(str(value)) for value in row] for row in rows)
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text.getvalue(), media_type="text/csv; charset=utf-8", headers=disposition)


def _cell(value: str) -> str:
    """Return a value that no spreadsheet takes for a formula."""
    return f"'{value}" if value.startswith(FORMULA) else value
