"""Measure the bytes that the findings of a case take in the database, write FINDING_BYTES.md.

python -m benchmarks.finding_bytes 264
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
from sqlalchemy import text

from backend.client import Client
from backend.core.sessions import create_sessions
from backend.core.settings import Settings
from benchmarks.stored_cases import SETTINGS, fill, settle
from cli.service.instance import throw_away

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

RESULTS = Path(__file__).parent / "FINDING_BYTES.md"
GOAL_BYTES = 4096
ROWS = text("""
    select octet_length(kept.document), pg_column_size(kept.*),
        (select coalesce(sum(pg_column_size(row.*)), 0) from finding as row where case_id = kept.case_id)
    from case_findings as kept
""")
RELATIONS = text("select pg_total_relation_size('case_findings') + pg_total_relation_size('finding')")
DICTIONARY = text("select max(octet_length(text)) from finding_dictionary")


class CaseBytes(NamedTuple):
    """Bytes of one case: its document, the row of that, and the rows of its matches and suspects."""

    document: int
    row: int
    finding_rows: int


def revision() -> str:
    """Return the commit that is measured, `+` with changes."""
    described = subprocess.run(
        ["git", "describe", "--always", "--exclude=*", "--dirty=+"],
        capture_output=True,
        text=True,
        check=True,
    )
    return described.stdout.strip()


@click.command()
@click.argument("count", type=click.IntRange(1), default=264)
def main(count: int) -> None:
    """Measure with COUNT cases, and write the page."""
    with throw_away(say=click.echo, settings=SETTINGS) as instance:
        token = instance.create_token("bytes", scopes=("read", "write", "evidence"))
        sessions = create_sessions(Settings(data_dir=instance.data_dir), pool_size=1)
        with Client(instance.url, token=token) as client:
            fill(client, count)
        settle(sessions)
        with sessions() as session:
            table = lines_of(session)
        sessions.kw["bind"].dispose()
    page = f"""\
# Bytes of findings

Written by `make bench-finding-bytes CASES={count}`, {datetime.now(UTC):%Y-%m-%d},
commit {revision()}. An embedded instance judged {count:,} cases, three of four
of the positive evidence of the library and one of generated stacks.
Goal: {GOAL_BYTES:,} bytes a case of the tables `case_findings` and `finding` with their indexes.

{table}
"""
    RESULTS.write_text(page, encoding="utf-8")
    sys.stdout.write(page)


def lines_of(session: Session) -> str:
    """Return a table of the bytes that a case takes, by part."""
    cases = [CaseBytes(*map(int, row)) for row in session.execute(ROWS)]
    parts = {
        "document": [one.document for one in cases],
        "its row": [one.row for one in cases],
        "rows of matches and suspects": [one.finding_rows for one in cases],
        "all rows": [one.row + one.finding_rows for one in cases],
    }
    lines = ["| bytes a case | mean | median | 95 of 100 | largest |", "| --- | ---: | ---: | ---: | ---: |"]
    for name, values in parts.items():
        last = sorted(values)[len(values) * 95 // 100]
        figures = (statistics.mean(values), statistics.median(values), last, max(values))
        lines.append(f"| {name} | {' | '.join(f'{figure:,.0f}' for figure in figures)} |")
    on_disk = (session.scalar(RELATIONS) or 0) / len(cases)
    verdict = "met" if on_disk <= GOAL_BYTES else "missed"
    lines += [
        f"| tables with their indexes, {verdict} | {on_disk:,.0f} | | | |",
        "",
        f"The dictionary of these {len(cases):,} cases takes {session.scalar(DICTIONARY) or 0:,} bytes.",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
