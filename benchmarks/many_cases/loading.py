"""Loading tables fast: without foreign keys, triggers and indexes, which are built again at the end."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy import text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from sqlalchemy import Connection, Engine

_INDEXES = """
    select indexrelid::regclass::text as name, indrelid::regclass::text as of, conname,
        coalesce(pg_get_constraintdef(constraint_of.oid), pg_get_indexdef(indexrelid)) as definition
    from pg_index left join pg_constraint constraint_of
        on constraint_of.conindid = indexrelid and constraint_of.contype in ('p', 'u')
    where indrelid = any(cast(:tables as regclass[]))
        and not exists (select from pg_constraint where conindid = indexrelid and contype = 'f')
    order by pg_relation_size(indrelid), 1
"""
"""All but those that foreign keys refer to: they are in the order of the rows, and cheap."""


@contextmanager
def at_speed(engine: Engine) -> Iterator[Connection]:
    """Context manager: a transaction without foreign keys and triggers, with memory for sorting."""
    with engine.begin() as connection:
        for option in (
            "session_replication_role = replica",
            "synchronous_commit = off",
            "jit = off",
            "work_mem = '256MB'",
            "maintenance_work_mem = '1GB'",
        ):
            connection.execute(text(f"set local {option}"))
        yield connection


@contextmanager
def without_indexes(engine: Engine, tables: Collection[str]) -> Iterator[None]:
    """Context manager: drop the indexes of `tables`, then rebuild them."""
    with engine.begin() as connection:
        indexes = connection.execute(text(_INDEXES), {"tables": list(tables)}).all()
        for index in indexes:
            table = f"alter table {index.of} drop constraint {index.conname}"
            connection.execute(text(table if index.conname else f"drop index {index.name}"))
    yield
    for index in indexes:
        table = f"alter table {index.of} add constraint {index.conname} {index.definition}"
        with at_speed(engine) as connection:
            connection.exec_driver_sql(table if index.conname else index.definition)
