"""A filled database upgrades to this version without loss."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, create_engine, text

from backend.core.layout import MIGRATIONS_DIR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from backend.core.settings import Settings

OWNER = UUID("01900000-0000-7000-8000-000000000001")
CASE = UUID("01900000-0000-7000-8000-000000000002")


@pytest.fixture
def old(settings: Settings) -> Iterator[Engine]:
    """A database of the first version with an owner, a token and a case."""
    with psycopg.connect(
        f"host={settings.run_dir} user=casebook dbname=postgres", autocommit=True
    ) as connection:
        connection.execute("create database filled")
    engine = create_engine(settings.effective_owner_url.replace("/casebook?", "/filled?"))
    to(engine, "0001")
    with engine.begin() as connection:
        connection.execute(
            text("insert into account (id, name, is_owner) values (:id, 'owner', true)"), {"id": OWNER}
        )
        connection.execute(
            text(
                "insert into token (id, account_id, kind, name, prefix, hash)"
                " values (gen_random_uuid(), :id, 'api', 'ci', 'cbk_old', 'digest')"
            ),
            {"id": OWNER},
        )
        connection.execute(
            text(
                'insert into "case" (id, title, state, evidence_rev, judged_rev, next_captures)'
                " values (:id, 'before', 'open', 0, 0, '[]')"
            ),
            {"id": CASE},
        )
    yield engine
    engine.dispose()
    with psycopg.connect(
        f"host={settings.run_dir} user=casebook dbname=postgres", autocommit=True
    ) as connection:
        connection.execute("drop database filled")


def to(engine: Engine, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS_DIR))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def row(engine: Engine, query: str) -> tuple[object, ...]:
    with engine.connect() as connection:
        return tuple(connection.execute(text(query)).one())


def test_the_owner_stays_admin_and_keeps_their_rows(old: Engine):
    to(old, "head")
    assert row(old, "select role, disabled_at from account") == ("admin", None)
    assert row(old, "select scopes, case_id from token") == (["read", "evidence", "write", "admin"], None)
    assert row(old, 'select title, owner_id, visibility, team_id from "case"') == (
        "before",
        OWNER,
        "team",
        None,
    )
