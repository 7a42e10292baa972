"""Sessions of databases as vertical records."""

from __future__ import annotations

import pytest

from ingest.engines.quantities.vertical import records
from ingest.engines.threads.looks import looks_of
from ingest.model.section import Text
from ingest.readers.logs import text
from tests.ingest.samples import whole

MARK = "*************************** {}. row ***************************"


def test_sessions_of_a_process_list_wait_as_in_its_table():
    looks = {one.tid: one for one in looks_of(whole("text/session-records.metadata-lock.txt"))}
    assert looks[902].waits.what == "table metadata"
    assert looks[881].seconds == 2214
    assert looks[910].state == "idle"
    assert (looks[902].line, looks[902].last_line) == (12, 21)


def test_a_waiting_session_is_behind_the_one_that_its_record_names():
    looks = {one.tid: one for one in looks_of(whole("text/session-records.row-lock-waits.txt"))}
    assert looks[902].waits.owner == "thread 881"
    assert looks[902].seconds == 48
    assert looks[881].holds == [looks[902].waits._replace(what="", owner="")]


def test_records_of_psql_are_read_as_those_of_mysql():
    looks = looks_of(whole("text/session-records.postgres-expanded.txt"))
    assert [(one.tid, one.waits.what) for one in looks] == [
        (20411, "transactionid"),
        (20412, "transactionid"),
    ]


def test_a_statement_over_several_lines_stays_in_its_record():
    lines = [
        MARK.format(1),
        "     Id: 7",
        "Command: Query",
        "   Time: 99",
        "  State: Waiting for table metadata lock",
        "   Info: SELECT *",
        "  FROM orders",
        "  WHERE id IN (1,",
        "Progress: 0.000",
    ]
    (look,) = looks_of(text.read(Text(lines)))
    assert (look.tid, look.seconds, look.last_line) == (7, 99, 9)


@pytest.mark.parametrize(
    "lines",
    [
        [MARK.format(1), "       Table: t1", "Create Table: CREATE TABLE `t1` ("],
        [MARK.format(1)],
        [MARK.format(1), "Id: 7", "", "Time: 9"],
        ["1. row", "Id: 7", "Time: 9", "State: a", "Info: b"],
    ],
)
def test_other_records_are_no_sessions(lines):
    assert looks_of(text.read(Text(lines))) == []


def test_records_without_end_are_bounded():
    columns = [f"c{at}: {at}" for at in range(10_000)]
    (record,) = records([MARK.format(1), *columns])
    assert len(record.cells) == 200
    many = [text for at in range(30_000) for text in (MARK.format(at), "a: 1", "b: 2")]
    assert sum(1 for _ in records(many)) == 20_000
    assert not list(records([MARK.format(1), "a: " + "9" * 2_000_000, "\0: \0"]))
