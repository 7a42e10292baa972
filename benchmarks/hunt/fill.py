"""Cases to hunt in: fixtures of the library sent as evidence, and copies of them as rows.

A copy has its own case, evidence, sections, readings and rows of the index; its reading has another digest,
so nothing observed on the original is known of it. The folders of readings are shared.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sqlalchemy import text

from benchmarks.find.cases_of_fixtures import folders
from benchmarks.stored_cases import NOTES, settle

if TYPE_CHECKING:
    from sqlalchemy.orm import Session, sessionmaker

    from backend.client import Client

MOST_BYTES = 300_000
MOST_FILES = 20

SETUP = """
create function pg_temp.copy_id(id uuid, n int) returns uuid language sql immutable as
    $$ select (substr(md5(id::text || n), 1, 32))::uuid $$;
create temporary table copied as
    select "case".id as seed, n,
        -- Ids of cases ascend with time; a hunt follows them.
        (substr(replace("case".id::text, '-', ''), 1, 13)
            || substr(md5("case".id::text || n), 1, 19))::uuid as id
    from "case", generate_series(1, :copies) as n where "case".judged_rev > 0;
"""

TABLES: dict[str, dict[str, str]] = {
    "case": {"id": "made.id", "number": ""},
    "host": {"id": "copy", "case_id": "made.id"},
    "evidence": {"id": "copy", "case_id": "made.id", "parent_id": "parent_id", "host_id": "host_id"},
    "section": {"id": "copy", "evidence_id": "evidence_id"},
    "reading": {"id": "copy", "section_id": "section_id", "case_id": "made.id", "digest": "digest"},
    "profile": {"id": "copy", "reading_id": "reading_id", "case_id": "made.id"},
    "profile_frame": {"profile_id": "profile_id"},
    "fact": {"id": "", "reading_id": "reading_id", "case_id": "made.id"},
    "log_record": {"id": "", "reading_id": "reading_id", "case_id": "made.id"},
    "row_set": {"id": "copy", "reading_id": "reading_id", "case_id": "made.id"},
    "histogram": {"id": "copy", "reading_id": "reading_id", "case_id": "made.id"},
    "finding": {"id": "copy", "case_id": "made.id"},
}
"""Columns that are made anew, by table: an id, that of another copied row, or "" for one that counts up."""

OWNERS = {
    "case": "kept.id",
    "section": "(select case_id from evidence where evidence.id = kept.evidence_id)",
    "profile_frame": "(select case_id from profile where profile.id = kept.profile_id)",
}
"""The case of a row, where no column of it says so."""


def send(client: Client, sessions: sessionmaker[Session], count: int) -> float:
    """Send `count` fixtures, a case each, and wait until all are judged; return the seconds."""
    began = time.monotonic()
    sent = 0
    for folder in folders(10 * count):
        files = [
            (str(path.relative_to(folder)), path)
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name not in NOTES
        ]
        if not files or sum(path.stat().st_size for _, path in files) > MOST_BYTES:
            continue
        client.post_files(files[:MOST_FILES])
        sent += 1
        if sent == count:
            break
    settle(sessions)
    return time.monotonic() - began


def multiply(session: Session, copies: int) -> None:
    """Copy every judged case `copies` times."""
    session.execute(text("set local session_replication_role = replica"))
    for statement in SETUP.split(";\n"):
        if statement.strip():
            session.execute(text(statement), {"copies": copies} if ":copies" in statement else {})
    for table, made in TABLES.items():
        columns = [
            name
            for (name,) in session.execute(
                text(
                    "select column_name from information_schema.columns where table_name = :table "
                    "and table_schema = 'public' and is_generated = 'NEVER' order by ordinal_position"
                ),
                {"table": table},
            )
            if made.get(name, "kept") != ""
        ]
        values = ", ".join(_value(name, made.get(name)) for name in columns)
        names = ", ".join(f'"{name}"' for name in columns)
        owner = OWNERS.get(table, "kept.case_id")
        session.execute(
            text(
                f'insert into "{table}" ({names}) select {values} from "{table}" kept '  # noqa: S608 - names of ours
                f"join copied made on made.seed = {owner}"
            )
        )
    session.commit()


def _value(name: str, made: str | None) -> str:
    if made is None:
        return f'kept."{name}"'
    if made == "copy":
        return "pg_temp.copy_id(kept.id, made.n)"
    if made == "digest":
        return "md5(kept.digest || made.n) || md5(made.n || kept.digest)"
    if made.endswith(".id"):
        return made
    return f"case when kept.{made} is null then null else pg_temp.copy_id(kept.{made}, made.n) end"
