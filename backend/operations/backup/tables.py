"""Tables as PostgreSQL's COPY text, in one snapshot: what leaves, comes back, and is compared.

The text of a table is ordered by its primary key and has the same formats on every server, so that equal
tables have equal digests.

Source: https://www.postgresql.org/docs/18/sql-copy.html
"""

from __future__ import annotations

import graphlib
import hashlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg
from psycopg import sql
from sqlalchemy import text

from backend.models import Base
from backend.operations.backup import compressed_files
from backend.operations.backup.manifest import BackupError, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from sqlalchemy import Connection

SUFFIX = ".copy.zst"
READ_BYTES = 1 << 20
FORMATS = (
    "set local timezone = 'UTC'",
    "set local datestyle = 'ISO, MDY'",
    "set local intervalstyle = 'postgres'",
    "set local extra_float_digits = 1",
    "set local bytea_output = 'hex'",
)
"""Of values as text; others are the same on all servers."""

_TABLES = """
    select relname::text, array_agg(attname::text order by attnum) filter (where attgenerated = ''),
        coalesce((select array_agg(key.attname::text order by at) from pg_index,
            unnest(indkey::int2[]) with ordinality as place(number, at), pg_attribute as key
            where indrelid = pg_class.oid and indisprimary
            and key.attrelid = pg_class.oid and key.attnum = place.number), '{}'),
        has_table_privilege(pg_class.oid, 'select')
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname <> 'alembic_version'
    group by pg_class.oid, relname order by relname
"""
_REFERENCES = """
    select referring.relname::text, referred.relname::text from pg_constraint
    join pg_class referring on referring.oid = conrelid join pg_class referred on referred.oid = confrelid
    where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid
"""
_KEY_TYPES = """
    select attname::text, attcollation <> 0 from pg_attribute
    where attrelid = (select oid from pg_class
        where relname = :name and relnamespace = 'public'::regnamespace) and attname = any(:key)
"""
_SEQUENCES = (
    "select sequencename::text, coalesce(last_value, 0) from pg_sequences where schemaname = 'public'"
)


class Source(NamedTuple):
    """A table of a database: its stored columns, and those of its primary key."""

    name: str
    columns: list[str]
    key: list[str]


def sources(connection: Connection) -> list[Source]:
    """Return the tables of the database, those before that others refer to.

    Tables that are not ours are left out when they have no primary key, or may not be read.
    """
    found = {
        name: Source(name, columns, key)
        for name, columns, key, is_readable in connection.execute(text(_TABLES))
        if name in Base.metadata.tables or (key and is_readable)
    }
    order: graphlib.TopologicalSorter[str] = graphlib.TopologicalSorter(dict.fromkeys(found, ()))
    for name, target in connection.execute(text(_REFERENCES)):
        if {name, target} <= found.keys():
            order.add(name, target)
    return [found[name] for name in order.static_order()]


def sequences(connection: Connection) -> dict[str, int]:
    """Return the last value of every sequence; 0 for one that was not used."""
    return dict(connection.execute(text(_SEQUENCES)).all())


def use_formats(connection: Connection) -> None:
    """Have the transaction write values as text in the formats of a backup."""
    for statement in FORMATS:
        connection.execute(text(statement))


def save(connection: Connection, source: Source, directory: Path) -> Table:
    """Write a table to its file in `directory`."""
    with compressed_files.open_to_write(directory / f"{source.name}{SUFFIX}") as stream:
        return _described(source, _written(_copied_out(connection, source), stream))


def measure(connection: Connection, source: Source) -> Table:
    """Return the description of a table as `save` would."""
    return _described(source, _copied_out(connection, source))


def load(connection: Connection, table: Table, directory: Path) -> None:
    """Fill an empty table from its file in `directory`.

    Raises:
        BackupError: The file is missing or damaged.
    """
    path = directory / f"{table.name}{SUFFIX}"
    statement = sql.SQL("copy {} ({}) from stdin").format(
        sql.Identifier(table.name),
        sql.SQL(", ").join(map(sql.Identifier, table.columns)),
    )
    digest = hashlib.sha256()
    try:
        with (
            compressed_files.open_to_read(path) as stream,
            driver_of(connection).cursor() as cursor,
            cursor.copy(statement) as copy,
        ):
            while chunk := stream.read(READ_BYTES):
                digest.update(chunk)
                copy.write(chunk)
    except compressed_files.UNREADABLE as error:
        raise BackupError(f"{path} cannot be read: {error}") from None
    except psycopg.DataError as error:
        raise BackupError(f"{path} is damaged: {str(error).strip()}") from None
    if digest.hexdigest() != table.sha256:
        raise BackupError(f"{path} is damaged: its SHA-256 is not that of the manifest")


def driver_of(connection: Connection) -> psycopg.Connection[Any]:
    """Return the connection of the driver."""
    driver: psycopg.Connection[Any] = connection.connection.driver_connection  # type: ignore[assignment]
    return driver


def _copied_out(connection: Connection, source: Source) -> Iterator[bytes]:
    """Yield the text of a table."""
    key = [
        sql.SQL('{} collate "C"').format(sql.Identifier(name)) if is_text else sql.Identifier(name)
        for name, is_text in _key_types(connection, source)
    ]
    statement = sql.SQL("copy (select {} from {} order by {}) to stdout").format(
        sql.SQL(", ").join(map(sql.Identifier, source.columns)),
        sql.Identifier(source.name),
        sql.SQL(", ").join(key),
    )
    with driver_of(connection).cursor() as cursor, cursor.copy(statement) as copy:
        for chunk in copy:
            yield bytes(chunk)


def _key_types(connection: Connection, source: Source) -> list[tuple[str, bool]]:
    """Return the columns of the primary key, and whether their order depends on a collation."""
    rows = connection.execute(text(_KEY_TYPES), {"name": source.name, "key": source.key})
    types: dict[str, bool] = dict(rows.all())
    return [(name, types[name]) for name in source.key]


def _written(chunks: Iterable[bytes], stream: Any) -> Iterator[bytes]:
    for chunk in chunks:
        stream.write(chunk)
        yield chunk


def _described(source: Source, chunks: Iterable[bytes]) -> Table:
    digest, size, rows = hashlib.sha256(), 0, 0
    for chunk in chunks:
        digest.update(chunk)
        size += len(chunk)
        # Line feeds within values are escaped.
        rows += chunk.count(b"\n")
    return Table(source.name, source.columns, rows, digest.hexdigest(), size)


def empty(connection: Connection, names: Iterable[str]) -> None:
    """Delete the rows that migrations inserted."""
    listed = sql.SQL(", ").join(map(sql.Identifier, sorted(names)))
    driver_of(connection).execute(sql.SQL("truncate {}").format(listed))


@contextmanager
def without_triggers(connection: Connection, names: Iterable[str]) -> Iterator[None]:
    """Context manager: our triggers do not fire; what they would write is loaded too."""
    statement = sql.SQL("alter table {} {} trigger user")
    tables = [sql.Identifier(name) for name in names]
    for table in tables:
        driver_of(connection).execute(statement.format(table, sql.SQL("disable")))
    yield
    for table in tables:
        driver_of(connection).execute(statement.format(table, sql.SQL("enable")))


def set_sequences(connection: Connection, values: Mapping[str, int]) -> None:
    """Have the sequences that exist go on after `values`."""
    known = sequences(connection)
    for name, value in values.items():
        if value and name in known:
            query = text("select setval(cast(quote_ident(:name) as regclass), :value)")
            connection.execute(query, {"name": name, "value": value})
