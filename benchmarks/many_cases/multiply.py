"""Many cases from a few: each is a copy of a seed with its own title, host, owner, facts, frames and dates.

Everything is decided by the number of the case and the seed of the run: the same database each time. Rows are
written by one INSERT … SELECT for each table; its indexes and the inverted index are built at the end.
"""

from __future__ import annotations

import random
import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from backend.core.layout import MIGRATIONS_DIR
from backend.models.frame import frame_id
from benchmarks.many_cases.loading import at_speed, without_indexes
from benchmarks.many_cases.seeds import SEEDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection, Engine

SQL = Path(__file__).parent
PLACES_FROM = "-- The place of every row within its seed.\n"
ACCOUNTS, TEAMS, NAMES = 200, 20, 20_000
MOST_FINDINGS, MOST_LOG_RECORDS, MOST_FACTS = 5, 6, 25
INDEXED = ("profile_frame", "profile", "reading", "section", "evidence", "fact", '"case"')
"""What the inverted index is made of."""
OWN_FRAMES = 12
"""Functions of its own application that each case adds to those of its seed."""

SERVICES = (
    "checkout",
    "search",
    "billing",
    "ledger",
    "gateway",
    "catalogue",
    "mailer",
    "pricing",
    "session",
    "stock",
)
SYMPTOMS = (
    "slow",
    "stalls",
    "hangs",
    "spikes",
    "timeouts",
    "drops",
    "restarts",
    "regressed",
    "saturated",
    "wedged",
)
PLACES = ("ams", "fra", "iad", "sfo", "sin", "gru", "syd", "lhr")
WORDS = (
    "flush",
    "scan",
    "parse",
    "commit",
    "compact",
    "merge",
    "probe",
    "route",
    "shard",
    "fetch",
    "encode",
    "replay",
    "evict",
    "lookup",
)


SEARCH_ROWS = """
    insert into case_search (case_id, number, audience, owner_id, created_at, updated_at, problem, facets,
        terms)
    select id, number, audience, owner_id, created_at, updated_at,
        coalesce(finding.signature, ''),
        array['status:' || status, 'severity:' || coalesce(severity, 'none')],
        array_to_tsvector(array(
            select word from regexp_split_to_table(lower(title), '[^a-z0-9]+') word where word <> ''
            union select '=status:' || status))
    from "case" left join lateral (
        select signature from finding where case_id = "case".id order by verdict, score desc limit 1
    ) as finding on true
    on conflict do nothing
"""
"""Rows of the search index with the words of titles, the status and the first finding."""


def multiply(
    engine: Engine,
    count: int,
    *,
    seed: int = 1,
    frames: float = 1.0,
    facts: int = MOST_FACTS,
    findings: int = MOST_FINDINGS,
) -> None:
    """Fill the database of `engine`, which holds the seeds, with `count` cases more.

    `frames` is the share of the functions that copies keep, `facts` how many facts of a reading, `findings`
    how many of a case.
    """
    setup, places = (SQL / "setup.sql").read_text().split(PLACES_FROM)
    copies = (SQL / "copy.sql").read_text().split("\n;\n")
    with engine.begin() as connection:
        connection.exec_driver_sql(setup)
        _people(connection)
        _vocabulary(connection, seed)
        _choose_seeds(connection)
        connection.exec_driver_sql(places)
    most = {"findings": findings, "records": MOST_LOG_RECORDS, "facts": facts, "frames": frames}
    given = most | {
        "count": count,
        "own": max(1, round(OWN_FRAMES * frames)),
        "names": NAMES,
        "accounts": ACCOUNTS,
        "teams": TEAMS,
        "seed": seed,
    }
    tables = {found for query in copies for found in re.findall(r'insert into ("?\w+"?)', query)}
    with _indexed_after(engine, tables - {"bench_case"}):
        for query in copies:
            with at_speed(engine) as connection:
                connection.execute(text(query), given)
                if "insert into bench_case" in query:
                    connection.execute(text("analyze bench_case"))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("vacuum analyze"))


@contextmanager
def _indexed_after(engine: Engine, tables: set[str]) -> Iterator[None]:
    """Load `tables` without their indexes, then the inverted index; code from before it has none."""
    has_index = inspect(engine).has_table("case_frame")
    with without_indexes(engine, tables | ({"case_frame", "case_fact"} if has_index else set())):
        yield
        if has_index:
            with at_speed(engine) as connection:
                for table in INDEXED:
                    connection.execute(text(f"analyze {table}"))
                _rebuild_index(connection)


def _rebuild_index(connection: Connection) -> None:
    """Fill the inverted index as the migration does for cases that were there before it."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS_DIR))
    script = ScriptDirectory.from_config(config).get_revision("0023")
    connection.execute(text("truncate case_frame, case_fact, frame_count, frame_count_change"))
    for query in script.module.FILL:
        connection.execute(text(query))
    if inspect(connection).has_table("case_search"):
        connection.execute(text(SEARCH_ROWS))


def _people(connection: Connection) -> None:
    """Make accounts, and teams of ten of them."""
    connection.execute(
        text(
            "insert into account (id, name, is_owner, role)"
            " select bench_id(0, 16, n), 'bench ' || lpad(n::text, 4, '0'), false,"
            " (array['viewer', 'responder', 'curator'])[1 + n % 3] from generate_series(1, :accounts) as n"
        ),
        {"accounts": ACCOUNTS},
    )
    connection.execute(
        text(
            "insert into team (id, name) select bench_id(0, 17, n), 'bench ' || lpad(n::text, 3, '0')"
            " from generate_series(1, :teams) as n"
        ),
        {"teams": TEAMS},
    )
    connection.execute(
        text(
            "insert into team_member (team_id, account_id) "
            "select bench_id(0, 17, 1 + n % :teams), bench_id(0, 16, n)"
            " from generate_series(1, :accounts) as n"
        ),
        {"accounts": ACCOUNTS, "teams": TEAMS},
    )


def _vocabulary(connection: Connection, seed: int) -> None:
    """Write the words of titles, and the functions of made-up applications."""
    chance = random.Random(seed)  # noqa: S311 - nothing is secret here
    names = [f"app::{chance.choice(WORDS)}_{chance.choice(WORDS)}_{number}" for number in range(NAMES)]
    numbers = [(frame_id(name), name) for name in names]
    rows = [
        {"kind": "frame", "place": place, "word": str(number)} for place, (number, _) in enumerate(numbers)
    ]
    for kind, words in (("service", SERVICES), ("symptom", SYMPTOMS), ("place", PLACES)):
        rows += [{"kind": kind, "place": place, "word": word} for place, word in enumerate(words)]
    _copy(connection, "bench_word (kind, place, word)", [tuple(row.values()) for row in rows])
    _copy(connection, "frame (id, name)", numbers)


def _copy(connection: Connection, into: str, rows: Sequence[tuple[object, ...]]) -> None:
    driver = connection.connection.driver_connection
    assert driver is not None  # noqa: S101 - it is connected
    with driver.cursor() as cursor, cursor.copy(f"copy {into} from stdin") as copy:
        for row in rows:
            copy.write_row(row)


def _choose_seeds(connection: Connection) -> None:
    """Give every seed its part of 0..1."""
    low = 0.0
    whole = sum(one.share for one in SEEDS)
    for one in SEEDS:
        high = low + one.share / whole
        connection.execute(
            text(
                'insert into bench_seed select id, :low, :high from "case"'
                " where title = :title order by id limit 1"
            ),
            {"low": low, "high": high + 1e-9, "title": one.title},
        )
        low = high
