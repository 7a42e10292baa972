"""Host and phase of files by their statements and their folders."""

from __future__ import annotations

import pytest

from ingest.folders.placing import File, place

A, B = "a" * 32, "b" * 32


def hosts(*files):
    return [(guess.host, guess.host_basis) for guess in place([File(*file) for file in files])]


def phases(*paths):
    return [guess.phase for guess in place([File(path) for path in paths])]


def test_sibling_folders_named_like_hosts_are_hosts_by_assumption():
    found = hosts(("x/web-01/dmesg",), ("x/web-01/proc/meminfo",), ("x/web-02/dmesg",))
    assert found == [("web-01", "assumed"), ("web-01", "assumed"), ("web-02", "assumed")]


def test_a_statement_wins_over_the_folder():
    found = hosts(("x/web-01/uname", "vm7"), ("x/web-01/dmesg",), ("x/web-02/dmesg",))
    assert found == [("vm7", "stated"), ("vm7", "assumed"), ("web-02", "assumed")]


def test_a_folder_is_of_the_one_host_that_its_files_state():
    found = hosts(("x/left/uname", "db1"), ("x/left/dmesg",), ("x/right/uname", "db2"), ("x/dmesg",))
    assert found == [("db1", "stated"), ("db1", "assumed"), ("db2", "stated"), ("", "")]


@pytest.mark.parametrize(
    "folders",
    [("run1", "run2"), ("cpu0", "cpu1"), ("case-41", "case-42"), ("web-01",), ("cold", "warm"), ("1", "2")],
)
def test_other_folders_are_no_hosts(folders):
    assert set(hosts(*((f"x/{folder}/dmesg",) for folder in folders))) == {("", "")}


def test_directories_of_a_machine_are_no_hosts():
    assert set(hosts(("sys/node0/numastat",), ("sys/node1/numastat",))) == {("", "")}


def test_two_machine_ids_are_two_hosts_even_of_one_name():
    found = hosts(("l/id", "localhost", A), ("l/perf",), ("r/id", "localhost", B), ("r/up", "localhost"))
    assert [host for host, _ in found] == [f"localhost ({A[:8]})"] * 2 + [f"localhost ({B[:8]})"] * 2


def test_two_machine_ids_without_names_are_two_hosts():
    (left, _), (right, _), (beside, basis) = hosts(("l/id", "", A), ("r/id", "", B), ("r/perf",))
    assert left != right
    assert (beside, basis) == (right, "assumed")


def test_one_machine_id_is_one_host_under_its_name():
    assert {host for host, _ in hosts(("l/id", "", A), ("r/uname", "db7", A))} == {"db7"}


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (("x/before/a", "x/after/a"), ["before", "after"]),
        (("before/a", "after/a", "pasted.txt"), ["before", "after", ""]),
        (("x/w1/before/a", "x/w1/after/a", "x/w2/after/a"), ["before", "after", "after"]),
        (("t/cg_before/a", "t/cg_during/a", "t/perf"), ["before", "during", ""]),
        (("x/before/a", "x/after/a", "x/uname"), ["before", "after", "before"]),
        (("x/good/a", "x/bad/a"), ["before", "during"]),
        (("x/t0/a", "x/after/a"), ["during", "after"]),
        (("x/web-01-good/a", "x/web-02-bad/a"), ["", ""]),
        (("x/after/a", "x/after/b"), ["", ""]),
        (("incident-after-upgrade/a", "other/b"), ["", ""]),
        (("x/pre-prod/a", "x/post-mortem/a"), ["", ""]),
        (("x/before-after/a", "x/b"), ["", ""]),
        (("proc/before/a", "proc/after/a"), ["", ""]),
    ],
)
def test_folders_name_phases_beside_each_other(paths, expected):
    assert phases(*paths) == expected


def test_good_and_bad_files_of_two_hosts_are_of_one_phase():
    files = [File("x/good/u", "db1"), File("x/good/a"), File("x/bad/u", "db2"), File("x/bad/a")]
    assert [(guess.host, guess.phase) for guess in place(files)] == [("db1", "")] * 2 + [("db2", "")] * 2


def test_hostile_paths_are_placed_nowhere():
    deep = "/".join(["a"] * 2000) + "/f"
    wide = f"{'web-01' * 40}/{'é' * 80}/f"
    assert set(hosts((deep,), (wide,), ("",), ("///",), ("a" * 255,))) == {("", "")}
