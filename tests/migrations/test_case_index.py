"""The migration fills the inverted index from existing cases, and counts stay right after deletion."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

import psycopg
import pytest
from sqlalchemy import Engine, create_engine, text

from backend.models.case_index import ALL_AUDIENCES, EVERYBODY
from tests.migrations.test_frames import down, up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from backend.core.settings import Settings

CASE, PUT_AWAY = (UUID(f"01900000-0000-7000-8000-00000000000{digit}") for digit in "23")
ROWS = """
insert into "case" (id, title, state, evidence_rev, judged_rev, next_captures, visibility, deleted_at)
    values (:id, 'before', 'open', 1, 1, '[]', 'team', :deleted_at);
insert into evidence (id, case_id, captured_path, filename, phase, sha256, size_bytes, state, reason, skipped)
    values (:id, :id, '', 'a.folded', 'during', 'none', 1, 'read', '', '[]');
insert into section (id, evidence_id, ordinal, format, first_line, last_line, path, command)
    values (:id, :id, 0, 'folded', 1, 2, '', '');
insert into reading (id, section_id, case_id, format_version, stage, digest, store_key, quality, skipped,
        is_current)
    values (:id, :id, :id, 1, 'final', 'd', 'k', '[]', '[]', true);
insert into profile (id, reading_id, case_id, ordinal, event, unit, what, samples, weight, nodes, is_ordered,
        has_weights, has_time, has_cpu, has_frames)
    values (:id, :id, :id, 0, '', 'samples', 'cpu', 1, 1, 1, true, true, false, false, true);
insert into profile_frame (frame_id, profile_id, total_share, self_share) values (7, :id, 0.5, 0.25);
insert into fact (case_id, reading_id, ordinal, name, labels, text, unit, snapshot, first_line, last_line)
    values (:id, :id, 0, 'kernel.release', '{}', '6.12', '', 0, 1, 1)
"""


@pytest.fixture
def old(settings: Settings) -> Iterator[Engine]:
    """A database of the version before, with a case that was read and one more that was put away."""
    server = f"host={settings.run_dir} user=casebook dbname=postgres"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("create database uncounted")
    engine = create_engine(settings.effective_owner_url.replace("/casebook?", "/uncounted?"))
    up(engine, "0019")
    with engine.begin() as connection:
        connection.execute(text("set local session_replication_role = replica"))
        for case_id, deleted_at in ((CASE, None), (PUT_AWAY, "2026-01-01")):
            for row in ROWS.split(";\n"):
                connection.execute(text(row), {"id": case_id, "deleted_at": deleted_at})
    yield engine
    engine.dispose()
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("drop database uncounted")


def rows(engine: Engine, query: str) -> list[tuple[object, ...]]:
    with engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(query))]


def test_existing_readings_are_indexed_and_counted(old: Engine):
    up(old, "head")
    postings = rows(
        old,
        "select case_id, frame_id, audience, total_share, round(weight::numeric, 9)::float8"
        " from case_frame order by 1",
    )
    assert postings == [(CASE, 7, EVERYBODY, 0.5, 0.3), (PUT_AWAY, 7, None, 0.5, 0.3)]
    assert rows(old, "select case_id, audience from case_fact order by 1") == [
        (CASE, EVERYBODY),
        (PUT_AWAY, None),
    ]
    counted = "select frame_id, audience, cases from frame_count order by 1"
    assert rows(old, counted) == [(frame, of, 1) for frame in (0, 7) for of in (EVERYBODY, ALL_AUDIENCES)]
    with old.begin() as connection:
        connection.execute(text('delete from "case"'))
    changes = (
        "select frame, sum(change) from frame_count_change, unnest(frames) as frame group by 1 order by 1"
    )
    assert rows(old, changes) == [(0, -1), (7, -1)]


def test_the_migration_can_be_reverted(old: Engine):
    up(old, "head")
    down(old, "0019")
    assert rows(old, 'select count(*) from "case"') == [(2,)]
    up(old, "head")
    assert rows(old, "select count(*) from case_frame") == [(2,)]
