"""Rows of an uploaded inventory, CSV with a header or a JSON array of objects.

    host,release,distro,instance_type,cluster
    db7,6.1.0-18-amd64,Debian 12,m6i.4xlarge,prod-eu

Columns of other names are left out. A row without host or release, with a release that is none of Linux, or
with a host that an earlier row has, is rejected alone.
"""

from __future__ import annotations

import csv
import io
import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from backend.core.errors import TooLargeError, UnsupportedQueryError
from backend.core.http.request_body import hiding
from signatures.language.kernel_families import MAX_BUILD, MAX_RELEASE, kernel_of

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 16 << 20
MAX_HOSTS = 100_000
MAX_VALUE = 200
MAX_NAMED = 20
"""Rejected rows that the answer names."""

NAMES = {
    "host": ("host", "hostname", "host_name", "node", "name"),
    "release": ("release", "kernel", "kernel_release", "kernel_version", "uname_r"),
    "build": ("build", "uname_v", "kernel_build"),
    "distro": ("distro", "distribution", "os", "os_image", "os_name"),
    "instance_type": ("instance_type", "instance", "machine_type", "type"),
    "cluster": ("cluster", "cluster_name"),
}
"""Column to the names that it may have, of which the first that is there counts."""

_VERSION = re.compile(r"[0-9]{1,2}\.[0-9]{1,3}(?![0-9])")
"""A greater number is a mistake that would look like the newest kernel."""


class InventoryRow(NamedTuple):
    """A host; what is not stated is ""."""

    host: str
    release: str
    build: str
    distro: str
    instance_type: str
    cluster: str


class Rejected(NamedTuple):
    """A row that is not taken: its line of the CSV, or its place in the array, from 1."""

    row: int
    reason: str


class Rows(NamedTuple):
    """What an upload holds; `rejected` counts all rows that are not taken."""

    taken: list[InventoryRow]
    rejected: int
    named: list[Rejected]


def rows_of(content: bytes, *, is_json: bool) -> Rows:
    """Read an upload.

    Raises:
        UnsupportedQueryError: It is no table, has no column for hosts or releases, or no row can be read.
        TooLargeError: It has more than `MAX_HOSTS` rows.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UnsupportedQueryError(f"line {line}: the inventory is not UTF-8 text") from error
    taken: dict[str, InventoryRow] = {}
    rejected = 0
    named: list[Rejected] = []
    for at, (row, found) in enumerate(_of_json(text) if is_json else _of_csv(text)):
        if at >= MAX_HOSTS:
            raise TooLargeError(f"an inventory has at most {MAX_HOSTS:,} hosts")
        fault = found if isinstance(found, str) else _fault(found)
        if not fault and found.host in taken:  # type: ignore[union-attr]
            fault = f"host {found.host} is in an earlier row"  # type: ignore[union-attr]
        if fault:
            rejected += 1
            named += [Rejected(row, fault)] if len(named) < MAX_NAMED else []
        else:
            taken[found.host] = found  # type: ignore[assignment,union-attr]
    if not taken:
        first = f"; row {named[0].row}: {named[0].reason}" if named else ""
        raise UnsupportedQueryError(f"no row of the inventory can be read{first}")
    return Rows(list(taken.values()), rejected, named)


def _of_csv(text: str) -> Iterator[tuple[int, InventoryRow | str]]:
    table = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
    places: dict[str, int] | None = None
    while True:
        try:
            cells = next(table, None)
        except csv.Error as error:
            raise UnsupportedQueryError(f"line {table.line_num}: {error}") from error
        if cells is None:
            return
        if not any(cell.strip() for cell in cells):
            continue
        if places is None:
            places = _places([cell.strip().lower().replace(" ", "_") for cell in cells])
            continue
        values = {name: cells[at].strip() for name, at in places.items() if at < len(cells)}
        yield table.line_num, InventoryRow(*(values.get(name, "") for name in InventoryRow._fields))


def _delimiter(text: str) -> str:
    """Return what separates the cells of the header: a comma, else a semicolon or a tab."""
    head = text.lstrip().partition("\n")[0]
    return next((one for one in (",", ";", "\t") if one in head), ",")


def _of_json(text: str) -> Iterator[tuple[int, InventoryRow | str]]:
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnsupportedQueryError(f"the inventory is not JSON: {error}") from error
    if not isinstance(rows, list):
        raise UnsupportedQueryError("the inventory is not an array of objects")
    for row, found in enumerate(rows, 1):
        yield row, _of_object(found)


def _of_object(found: Any) -> InventoryRow | str:
    if not isinstance(found, dict):
        return "not an object"
    given = {str(key).strip().lower(): value for key, value in found.items()}
    values = []
    for column in InventoryRow._fields:
        value = next((given[name] for name in NAMES[column] if given.get(name) is not None), "")
        if not isinstance(value, str):
            return f"{column} is not a text"
        values.append(value.strip())
    return InventoryRow(*values)


def _places(head: list[str]) -> dict[str, int]:
    places = {
        column: head.index(next(name for name in names if name in head))
        for column, names in NAMES.items()
        if any(name in head for name in names)
    }
    for column in ("host", "release"):
        if column not in places:
            names = ", ".join(NAMES[column])
            raise UnsupportedQueryError(f"line 1: no column {column} (or {names}) in the header")
    return places


@lru_cache(maxsize=4096)
def _is_release(text: str) -> bool:
    return _VERSION.match(text) is not None and kernel_of(text) is not None


def _fault(row: InventoryRow) -> str:
    """Return why a row is not taken, "" when it is."""
    # One look at all of a row decides for nearly every row.
    is_plain = hiding(" ".join(row)) is None and max(map(len, row)) <= MAX_VALUE
    for name, value in () if is_plain else zip(row._fields, row, strict=True):
        longest = {"build": MAX_BUILD, "release": MAX_RELEASE}.get(name, MAX_VALUE)
        if len(value) > longest:
            return f"{name} has more than {longest} characters"
        if wrong := hiding(value):
            return f"{name} {wrong}"
    if not row.host:
        return "no host"
    if not row.release:
        return "no release"
    if not _is_release(row.release):
        return f"{row.release[:60]} is no release of Linux"
    return ""
