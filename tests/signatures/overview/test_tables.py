"""Tables of tools: what they are about leads, whatever part of the header is left of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ingest.evidence import read_bytes
from signatures.judging.scope import items_of
from signatures.overview import run
from tests.signatures.overview import (
    tables_of_devices,
    tables_of_fragments,
    tables_of_memory,
    tables_of_profiles,
    tables_of_reports,
    tables_of_tasks,
)
from tests.signatures.overview.test_first_screen import overview, states

TABLES = (
    tables_of_tasks.TABLES
    | tables_of_memory.TABLES
    | tables_of_profiles.TABLES
    | tables_of_devices.TABLES
    | tables_of_reports.TABLES
    | tables_of_fragments.TABLES
)


@pytest.mark.parametrize("name", TABLES)
def test_the_headline_says_what_a_table_is_about(name):
    text, headline = TABLES[name]
    found = overview(text)
    assert headline in found.headline.text
    assert found.headline.kind != "nothing unusual"
    assert found.statements[0].statement.places


SERVERS = """\
F   UID     PID    PPID PRI  NI    VSZ   RSS WCHAN  STAT TTY        TIME COMMAND
1     0     126       1  20   0   4808  1676 fuse_d Ss   ?          0:02 squashfuse /snaps/core20.snap
1     0     127       1  20   0   4744  1564 fuse_d Ss   ?          0:03 squashfuse /snaps/snapd.snap
1     0     128       1  20   0   4516  1328 fuse_dev_do_read.isr Ss ?  0:00 squashfuse /snaps/lxd.snap
"""


def test_servers_of_fuse_that_wait_for_requests_do_not_wait_for_a_server():
    assert all("wait" not in one.statement.text for one in overview(SERVERS).statements)


def test_a_telling_fact_is_no_alarm_and_is_not_called_usual():
    found = overview(tables_of_tasks.FULL)
    assert found.headline.kind == "fact"
    assert states(found)["cpu"] == "notable"


def test_of_two_hosts_the_facts_that_differ_are_named():
    pages = "pgpgin 1\npgscan_direct 4000000\npgsteal_direct 12\nallocstall_normal 90000\noom_kill 0\n"
    usual = "pgpgin 1\npgscan_direct 2\npgsteal_direct 2\nallocstall_normal 0\noom_kill 0\n"
    items = [
        replace(item, host=host)
        for host, text in (("db1", pages), ("db2", usual))
        for item in items_of([read_bytes(f"# cat /proc/vmstat\n{text}".encode(), name=f"{host}.txt")])
    ]
    panel = next(one for one in run(items) if one.name == "hosts-compared")
    assert "db1 differs from db2 most in" in panel.summary
    assert "vmstat.pgscan_direct" in panel.summary
    assert all(figure.places for figure in panel.figures)


@pytest.mark.parametrize(
    ("field", "kind"),
    [("SUnreclaim", "alarm"), ("AnonPages", "fact")],
)
def test_memory_that_grew_between_two_prints_leads(field, kind):
    first = "MemTotal: 65000000 kB\nMemFree: 60000000 kB\nMemAvailable: 61000000 kB\n{}: {} kB\n"
    text = f"{first.format(field, 506172)}\nafter the test:\n{first.format(field, 5134876)}"
    found = overview(text)
    assert found.statements[0].statement.kind == kind
    assert "grew from 494.3 MiB to 5015 MiB in 2 readings" in found.headline.text
