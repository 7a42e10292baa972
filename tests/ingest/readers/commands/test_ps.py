"""`ps` with any list of columns."""

from __future__ import annotations

import pytest

from ingest.evidence import read_file
from ingest.model.section import Text
from ingest.readers.commands import ps

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
