"""`ps` with any list of columns."""

from __future__ import annotations

import pytest

from ingest.evidence import read_file
from ingest.model.section import Text
from ingest.readers.commands import ps
from signatures.judging.fact_index import facts_of
from signatures.judging.scope import Item
from tests.signatures.build import fact, item

TABLES = {
    "axo pid,comm": "  PID COMMAND\n    1 systemd\n    2 kthreadd\n",
    "axo comm,rss": "COMMAND           RSS\npython          319008\npytest          257236\n",
    "-e": "  PID TTY          TIME CMD\n    1 ?        00:07:57 systemd\n",
    "axo ppid,pid,wchan:20,cmd": " PPID   PID WCHAN           CMD\n    0     1 do_epoll_wait   init splash\n",
    "-eLo lwp,psr,nlwp": "  LWP PSR NLWP\n    1   0    1\n",
    "axo": "  PID TTY      STAT   TIME COMMAND\n    1 ?        Ss     0:07 /sbin/init\n",
}


def read(tmp_path, text):
    path = tmp_path / "paste.txt"
    path.write_text(text)
    (section,) = read_file(path).sections
    return section


def rows(section):
    (found,) = section.reading.row_sets
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


@pytest.mark.parametrize("columns", TABLES)
def test_any_list_of_columns_is_read_below_its_command(tmp_path, columns):
    section = read(tmp_path, f"$ ps {columns}\n{TABLES[columns]}")
    assert section.format == "ps"
    assert len(rows(section)) == len(TABLES[columns].splitlines()) - 1
    assert section.reading.skipped == ()


@pytest.mark.parametrize("columns", [columns for columns in TABLES if "rss" not in columns])
def test_with_pids_it_is_read_without_its_command_too(tmp_path, columns):
    section = read(tmp_path, TABLES[columns])
    assert section.format == "ps"
    assert section.reading.skipped == ()


def test_a_table_without_pid_and_command_is_not_claimed(tmp_path):
    assert read(tmp_path, TABLES["axo comm,rss"]).format == "text"


@pytest.mark.parametrize(
    "columns", ["-eo pid=,stat=,comm=", "axo pid,stat,comm --no-headers", "h -eo pid,stat,comm"]
)
def test_without_a_header_the_command_names_the_columns(tmp_path, columns):
    section = read(tmp_path, f"$ ps {columns}\n    1 Ss   systemd\n    2 D    kworker/u4:1 flush\n")
    assert rows(section) == [
        {"pid": 1, "state": "Ss", "command": "systemd"},
        {"pid": 2, "state": "D", "command": "kworker/u4:1 flush"},
    ]


def test_without_a_header_and_without_a_list_nothing_is_guessed(tmp_path):
    section = read(tmp_path, "$ ps --no-headers ax\n    1 ?        Ss     0:07 /sbin/init\n")
    assert section.reading.row_sets == ()
    assert [(row.reason, row.count) for row in section.reading.skipped] == [("before the header of ps", 1)]


def test_a_sentence_in_capitals_is_no_table(tmp_path):
    assert read(tmp_path, "PID TIME\nlater it came back at 12\n").format == "text"


def test_a_word_that_grep_looks_for_is_no_column():
    command = "ps -eo pid,stat,wchan:30,comm | grep inode_switch"
    text = Text(["    812 R    -    kworker/6:1+inode_switch_wbs"], command=command)
    (found,) = ps.read(text).row_sets
    assert found.columns == ("pid", "state", "wchan", "command")
    assert found.rows[0][-1] == "kworker/6:1+inode_switch_wbs"


@pytest.mark.parametrize(
    ("printed", "seconds"),
    [("12-03:04:05", 1_047_845.0), ("03:04:05", 11045.0), ("04:05", 245.0), ("1047845", 1_047_845.0)],
)
def test_the_age_of_a_process_is_a_fact_beside_its_group(tmp_path, printed, seconds):
    groups = "4:cpu,cpuacct:/x,3:memory:/a,0::/system.slice/db.service"
    table = f"    PID     ELAPSED CGROUP\n   4711 {printed:>11} {groups}\n"
    found = read(tmp_path, f"$ ps -eo pid,etime,cgroup\n{table}").reading.facts
    assert [(one.name, one.value, one.labels) for one in found] == [
        ("process.age_seconds", seconds, {"pid": "4711"}),
        ("process.cgroup", "/x", {"pid": "4711", "hierarchy": "cpu,cpuacct"}),
        ("process.cgroup", "/a", {"pid": "4711", "hierarchy": "memory"}),
        ("process.cgroup", "/system.slice/db.service", {"pid": "4711", "hierarchy": "unified"}),
    ]


@pytest.mark.parametrize(
    ("columns", "row", "names"),
    [
        # A group before the last column is cut at the width of the column.
        ("PID CGROUP ELAPSED", "7 0::/system.slice/data 12-00:00:00", ["process.age_seconds"]),
        # A thread may be younger than its process.
        ("PID LWP ELAPSED", "7 8 12-00:00:00", []),
        ("PID ELAPSED CMD", "7 - x", []),
        ("PID START TIME CMD", "7 00:42 0:07 x", []),
    ],
)
def test_what_is_no_age_or_may_be_cut_is_no_fact(tmp_path, columns, row, names):
    found = read(tmp_path, f"$ ps\n{columns}\n{row}\n").reading.facts
    assert [one.name for one in found] == names


def test_a_list_of_tasks_names_none_of_its_place(tmp_path):
    table = "    PID     ELAPSED CGROUP\n      1 12-03:04:05 0::/init.scope\n"
    (section,) = [read(tmp_path, f"$ ps -eo pid,etime,cgroup\n{table}")]
    listed = Item("paste", "", "", "", "during", 0, section.format, section.reading, 1, 3)
    beside = item("paste", facts=[fact("process.threads", 801.0)])
    assert "1" not in facts_of([listed, beside]).keys_of("process.threads")


def test_sizes_of_a_short_list_are_facts():
    text = Text(["    PID   RSS COMMAND", "   4411 410332 mysqld"], command="ps -o pid,rss,comm -p 4411")
    (fact,) = ps.read(text).facts
    assert (fact.name, fact.value, fact.labels["pid"]) == ("process.rss.ps_bytes", 410332 * 1024.0, "4411")
    long = ps.read(Text([text.lines[0], *text.lines[1:] * 17], command="ps -eo pid,rss,comm"))
    assert not long.facts
