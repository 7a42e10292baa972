"""Rights of the application's role: it owns no table, and only appends to the audit log.

Migrations run as the owner (`CASEBOOK_DATABASE_OWNER_URL`), the service as another role. What reaches the
database through the service can then neither disable the triggers of the audit log nor change or remove its
entries. With one role for both, which an external database may have, the service owns everything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from psycopg import sql
from sqlalchemy import make_url, text

if TYPE_CHECKING:
    from psycopg import Connection as PsycopgConnection
    from sqlalchemy import Connection

    from backend.core.settings import Settings

RIGHTS = (
    "grant usage on schema public to {role}",
    "grant select, insert, update, delete on all tables in schema public to {role}",
    "grant usage, select on all sequences in schema public to {role}",
    "revoke all on audit_entry, audit_head, alembic_version, schema_version, instance from {role}",
    "grant select, insert on audit_entry to {role}",
    "grant select, update on audit_head to {role}",
    "grant select on alembic_version, schema_version, instance to {role}",
)


def grant(connection: Connection, settings: Settings) -> None:
    """Create the role of the application if it is missing, and grant it what the service needs."""
    url = make_url(settings.effective_database_url)
    role = url.username
    if not role or role == make_url(settings.effective_owner_url).username:
        return
    known = connection.scalar(text("select true from pg_roles where rolname = :role"), {"role": role})
    if not known:
        create = sql.SQL("create role {role} login password {password}")
        password = sql.Literal(url.password) if url.password else sql.SQL("null")
        _run(connection, create.format(role=sql.Identifier(role), password=password))
    for right in RIGHTS:
        _run(connection, sql.SQL(right).format(role=sql.Identifier(role)))


def owns_audit_log(connection: Connection) -> bool:
    """Return whether the role of `connection` could change the audit log: it owns it, or is a superuser."""
    return bool(
        connection.scalar(
            text(
                "select pg_has_role(current_user, relowner, 'member') from pg_class"
                " where oid = 'audit_entry'::regclass"
            )
        )
    )


def _run(connection: Connection, statement: sql.Composed) -> None:
    raw: PsycopgConnection = connection.connection.driver_connection  # type: ignore[assignment]
    raw.execute(statement)
