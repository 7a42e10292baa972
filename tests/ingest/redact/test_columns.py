"""Names in the columns of tables of any program."""

from __future__ import annotations

import pytest

from ingest.redact import columns, tables


def names(text: str) -> list[str]:
    content = text.encode()
    return [
        f"{cell.kind} {content[cell.start : cell.end].decode()}{'' if cell.is_certain else '?'}"
        for cell in columns.cells(content)
    ]


def test_a_cell_below_a_title_for_names_is_a_name_and_a_word_there_a_doubtful_one():
    assert names("NAME     USED  AVAIL\nwalnut  1.13T   612G\nmemory     8G     1G\n\nlater after\n") == [
        "project walnut",
        "project memory?",
    ]


def test_a_compound_of_words_is_a_name_below_a_title_of_nothing_but_names():
    text = "POOL NAME     SWITCH-NAME    VOLUME\ndefault-pool  edge-switch-4  cold-data\n"
    assert names(text) == ["project default-pool?", "project edge-switch-4?", "project cold-data"]


def test_titles_set_apart_by_one_blank_are_told_from_titles_of_two_words():
    text = "JOBID PARTITION     USER ST NODE NAME\n  881   compute mkarlsen  R larch0112\n"
    assert names(text) == ["user mkarlsen", "host larch0112"]


def test_bars_tabs_and_commas_separate_columns():
    assert names("| hostname | port |\n+----------+------+\n| bramble  | 3306 |\n") == ["host bramble"]
    assert names("name\tmessages\tconsumers\nsaffron.in\t12\t0\n") == ["project saffron.in"]
    assert names("mac,state,hostname,lease\n3c:ec,0,bramble4,3600\n") == ["host bramble4"]


def test_commands_of_processes_and_lines_of_stacks_are_no_names():
    assert names("PID    NAME             CPU\n4417   stress-ng          3\n") == []
    assert (
        names("  node  ffffffff8156b5dc perf_iterate_sb\n  npm           13929e1 v8::internal::Fast\n") == []
    )


def test_a_table_ends_at_a_line_of_half_as_many_words():
    text = "HOST  STATE  SINCE  LOAD  USERS\nbramble4  up  3d  0.1  2\nwalnut failed\n"
    assert names(text) == ["host bramble4"]


@pytest.mark.parametrize(
    "behind",
    [
        "# sysctl -a",
        "[root@db7 ~]# free",
        "san1:admin> switchshow",
        "kernel.panic_on_oops = 0",
        "Namespace:        default-space",
        "Jan 30 10:44:01 build7 web[9912]: exited",
    ],
)
def test_a_table_ends_at_a_command_a_setting_a_key_and_a_message(behind: str):
    rows = ["NAMESPACE          NODE          AGE", "orchard-prod       larch-worker  2d"]
    text = "\n".join([*rows, behind, "walnut-store  a  b\n"])
    assert names(text) == ["project orchard-prod", "host larch-worker"]
    table = (
        f"CONTAINER ID   IMAGE     NAMES\n4c01db0b339c   redis:7   ledger\n{behind}\nwalnut  a  b\n".encode()
    )
    assert [table[cell.start : cell.end] for cell in tables.cells(table)] == [b"4c01db0b339c", b"ledger"]


def test_a_table_with_bars_ends_at_a_line_with_others():
    text = "| host    | port |\n| bramble | 3306 |\nmysql> SHOW REPLICA STATUS\n| walnut_state | a | b |\n"
    assert names(text) == ["host bramble"]


def test_lines_of_a_tree_are_no_part_of_a_name_and_as_wide_as_one_letter_each():
    rows = ["NAME            LABEL      OWNER", "├─sda1          walnut     mkarlsen"]
    text = "\n".join([*rows, "└─brambleroot   a          b\n"])
    assert names(text) == ["project sda1?", "project walnut", "user mkarlsen", "project brambleroot"]


def test_a_terminal_is_no_name():
    assert names("USER      HOST      IDLE\npts/2     pts/3     12s\n") == []
