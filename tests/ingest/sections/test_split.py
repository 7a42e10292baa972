"""A paste is split into what its tools printed, with the paste's own line numbers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ingest.sections import captured_files
from ingest.sections.split import split
from tests.growth import grows

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = Path(__file__).parents[2] / "data"
TOP = ["    64.28%  [kernel]       [k] shrink_lruvec", "    28.81%  [kernel]       [k] lru_note_cost"]
STACK = ["#0  shrink_lruvec", "#1  shrink_node", "#2  do_try_to_free_pages"]
OOM = (
    "[ 2228.006474] Memory cgroup out of memory: Killed process 6262 (python3) total-vm:213940kB, "
    "anon-rss:203904kB, file-rss:6644kB, shmem-rss:0kB, UID:0 pgtables:456kB oom_score_adj:0"
)
HIST = ["@latency_us:", "[0]                10402 |@@@@@@@@@@@@|", "[1]                 1452 |@@@@@@@     |"]


def shown(lines, **hints):
    return [(part.reader.NAME, part.first_line, part.last_line) for part in split(lines, **hints).parts]


def test_banners_part_captured_files():
    lines = (DATA / "published/vanishing-cpu/cgroup-v1-memory-files.txt").read_text().splitlines()
    parts = split(lines).parts
    assert [part.text.path for part in parts] == [
        "memory.failcnt",
        "memory.limit_in_bytes",
        "memory.usage_in_bytes",
        "memory.max_usage_in_bytes",
    ]
    assert [(part.first_line, part.text.first_line, part.last_line) for part in parts][:2] == [
        (1, 2, 2),
        (4, 5, 5),
    ]


def test_an_empty_captured_file_is_counted():
    splitting = split(["==> a/memory.pressure <==", "", "==> proc/loadavg <==", "1.00 2.00 3.00 1/2 3"])
    assert [part.reader.NAME for part in splitting.parts] == ["proc-loadavg"]
    assert [(skipped.reason, skipped.first_line) for skipped in splitting.skipped] == [
        ("captured file is empty", 1)
    ]


@pytest.mark.parametrize(
    "prompt",
    [
        "$ cat /sys/fs/cgroup/pods/a/memory.current",
        "# cat /sys/fs/cgroup/pods/a/memory.current",
        "root@db-02:~# cat /sys/fs/cgroup/pods/a/memory.current",
        "[root@db-02 ~]# sudo cat /sys/fs/cgroup/pods/a/memory.current",
        "sre@node ~ $ cat /sys/fs/cgroup/pods/a/memory.current 2>/dev/null",
        "bash-5.1$ cat /sys/fs/cgroup/pods/a/memory.current",
    ],
)
def test_a_prompt_that_prints_a_file_names_the_file(prompt):
    (part,) = split([prompt, "402653184"]).parts
    assert part.reader.NAME == "cgroup-memory-value"
    assert part.text.path == "/sys/fs/cgroup/pods/a/memory.current"
    assert (part.first_line, part.text.first_line, part.last_line) == (1, 2, 2)
    assert "cat /sys/fs/cgroup" in part.text.command


def test_a_prompt_gives_its_command_to_what_follows():
    lines = ["sre@node ~ $ sudo perf top --stdio | head", *TOP, "sre@node ~ $"]
    splitting = split(lines)
    (part,) = splitting.parts
    assert (part.reader.NAME, part.first_line, part.last_line) == ("perf-table", 1, 3)
    assert part.text.command == "sudo perf top --stdio | head"
    assert part.text.lines[0] == TOP[0]
    assert [skipped.reason for skipped in splitting.skipped] == ["prompt without a command"]


def test_a_command_of_several_lines_is_one_command():
    lines = [
        "# bpftrace -e '",
        "tracepoint:syscalls:sys_enter_mincore { @[comm] = count(); }",
        "'",
        "",
        *HIST,
    ]
    (part,) = split(lines).parts
    assert part.text.command.splitlines()[1].startswith("tracepoint:syscalls")
    assert (part.first_line, part.last_line) == (1, 7)


@pytest.mark.parametrize(
    "comment",
    [
        "# perf version : 6.1.129",
        "# cmdline : /usr/bin/perf record -a -g",
        "# ========",
        "# time of the incident was noon",
        "#0  shrink_lruvec",
        "# Samples: 12K of event 'cycles'",
    ],
)
def test_a_comment_is_not_a_prompt(comment):
    assert all(not part.text.command for part in split([comment, "and more"]).parts)


def test_outputs_one_after_another_are_parts():
    lines = [*TOP, "", OOM, "", *HIST, "", *STACK]
    assert shown(lines) == [
        ("perf-table", 1, 2),
        ("kernel-log", 4, 4),
        ("bpftrace-text", 6, 8),
        ("bare-stack", 10, 12),
    ]


def test_grep_with_file_names_is_many_captured_files():
    lines = [
        "$ grep -H . /sys/fs/cgroup/memory/pods/memory.*",
        "/sys/fs/cgroup/memory/pods/memory.failcnt:31",
        "/sys/fs/cgroup/memory/pods/memory.oom_control:oom_kill_disable 0",
        "/sys/fs/cgroup/memory/pods/memory.oom_control:under_oom 1",
        "/sys/fs/cgroup/memory/pods/memory.oom_control:oom_kill 2",
    ]
    parts = split(lines).parts
    assert [(part.text.path.rsplit("/", 1)[-1], part.first_line, part.last_line) for part in parts] == [
        ("memory.failcnt", 1, 2),
        ("memory.oom_control", 3, 5),
    ]
    assert parts[1].text.lines == ["oom_kill_disable 0", "under_oom 1", "oom_kill 2"]


def test_a_quoted_mail_reads_like_the_original():
    assert shown([f"> {line}" for line in [*TOP, "", *STACK]]) == [("perf-table", 1, 2), ("bare-stack", 4, 6)]


def test_a_quote_inside_prose_is_found():
    prose = ["He wrote on Tuesday that it was slow and nobody knew why.", ""]
    lines = [*prose, *(f"> {line}" for line in STACK), "", "I have no idea."]
    assert shown(lines) == [("text", 1, 1), ("bare-stack", 3, 5), ("text", 7, 7)]


def test_an_indented_block_keeps_its_line_numbers():
    table = ["    #subsys_name\thierarchy\tnum_cgroups\tenabled", "    memory\t4\t4110\t1"]
    assert shown(["See what the host says about its groups:", "", *table]) == [
        ("text", 1, 1),
        ("proc-cgroups", 3, 4),
    ]


def test_short_residue_in_the_same_paragraph_stays_with_its_output():
    lines = ["Overhead below, taken at noon", *TOP, "(cut here)", "", "An unrelated remark."]
    assert shown(lines) == [("perf-table", 1, 4), ("text", 6, 6)]


def test_long_unknown_text_is_a_section():
    prose = [f"sentence number {number} about the incident and its people" for number in range(20)]
    assert shown([*TOP, *prose]) == [("perf-table", 1, 2), ("text", 3, 22)]


def test_unknown_text_is_text():
    assert shown(["it got slow", "", "after the deploy"]) == [("text", 1, 3)]


def test_a_captured_path_decides_before_content():
    (part,) = split(["402653184"], path="cg_during/memory.limit_in_bytes").parts
    assert part.reader.NAME == "cgroup-memory-value"


@pytest.mark.parametrize(
    ("name", "reader"),
    [
        ("proc_pressure_memory.txt", "pressure"),
        ("lru_gen_enabled.txt", "kernel-switch"),
        ("live_cgroups_count.txt", "cgroup-dirs"),
        ("proc_cgroups_memory.txt", "proc-cgroups"),
        ("proc_vmstat_oom.txt", "proc-vmstat"),
    ],
)
def test_a_file_name_hint_is_marked_as_assumed(name, reader):
    lines = (DATA / "files" / "loose" / name).read_text().splitlines()
    (part,) = split(lines, filename=name).parts
    assert (part.reader.NAME, part.hint) == (reader, name)


@pytest.mark.parametrize("name", ["memory.current", "proc_vmstat.txt", "nproc.txt"])
def test_a_name_that_the_content_denies_is_not_believed(name):
    assert shown(["the value was high"], filename=name) == [("text", 1, 1)]
    assert shown(STACK, filename=name) == [("bare-stack", 1, 3)]


def test_splitting_is_linear():
    block = [*TOP, "", *STACK, "", "some words that nobody knows", "", OOM, ""]

    def made(times: int) -> Callable[[], object]:
        lines = block * times
        return lambda: split(lines)

    assert grows(made, screened=(100, 400)) == ""


def test_a_time_above_banners_holds_for_the_files_below_it():
    lines = ["1764000000.000000000", "==> proc/loadavg <==", "1.00 2.00 3.00 1/2 3",
             "==> memory.failcnt <==", "31",
             "1764000010.500000000", "==> proc/loadavg <==", "1.00 2.00 3.00 1/2 3",
             "$ cat /proc/loadavg", "1.00 2.00 3.00 1/2 3"]  # fmt: skip
    splitting = split(lines)
    assert [part.at for part in splitting.parts] == [1764000000.0, 1764000000.0, 1764000010.5, None]
    assert (splitting.skipped, [part.first_line for part in splitting.parts]) == ((), [2, 4, 7, 9])


@pytest.mark.parametrize("time", ["Fri May  5 15:39:5{} CST 2017", "2017-05-05 15:39:5{}", "15:39:5{}"])
def test_a_date_above_banners_holds_for_the_files_below_it(time):
    looks = [(time.format(at), "==> proc/loadavg <==", "1.00 2.00 3.00 1/2 3") for at in (1, 4)]
    parts = split([line for look in looks for line in look]).parts
    assert parts[1].at - parts[0].at == 3.0
    assert [list(part.text.lines) for part in parts] == [["1.00 2.00 3.00 1/2 3"]] * 2


def test_a_number_that_is_no_time_is_kept():
    parts = split(["==> memory.current <==", "1764000000", "==> memory.max <==", "max"]).parts
    assert [(part.at, part.text.lines) for part in parts] == [(None, ["1764000000"]), (None, ["max"])]


@pytest.mark.parametrize(
    ("command", "printed", "rest", "values"),
    [
        ("uname -r; nproc", ["6.8.4", "256"], "", ["uname -r", "nproc"]),
        ("ps -p 1 && uname -r", ["  PID", "6.8.4"], "ps -p 1", ["uname -r"]),
        ("getconf PAGESIZE; nproc --all", ["65536", "256"], "", ["getconf PAGESIZE", "nproc --all"]),
        ("uname -r; nproc", ["6.8.4", "note", "8"], "uname -r", ["nproc"]),
        ("uname -r; nproc", ["256", "6.8.4"], "uname -r; nproc", []),
        ("nproc", ["256"], "nproc", []),
        ("uname -r; nproc", [], "uname -r; nproc", []),
    ],
)
def test_a_list_of_commands_owns_a_line_each_where_the_lines_are_what_they_print(
    command, printed, rest, values
):
    assert captured_files.last_values(command, printed) == (rest, values)


@pytest.mark.parametrize(
    ("command", "printed", "values", "rest"),
    [
        (
            "nproc; uname -r; P=$(pgrep x | head -1); cat f",
            ["8", "6.5.1", "a"],
            ["nproc", "uname -r"],
            "cat f",
        ),
        ("cd /tmp; nproc; ps", ["8", "  PID"], ["nproc"], "ps"),
        ("nproc; uname -r", ["8"], [], "nproc; uname -r"),
        ("nproc; ps", ["  PID", "1"], [], "nproc; ps"),
    ],
)
def test_values_before_a_longer_output_belong_to_their_commands(command, printed, values, rest):
    assert captured_files.first_values(command, printed) == (values, rest)


def test_a_single_line_that_grep_prints_is_of_its_file():
    lines = ["$ grep VmRSS /proc/18120/status; grep ^Rss /proc/18120/smaps_rollup",
             "VmRSS:\t  156432 kB", "Rss:              499712 kB"]  # fmt: skip
    parts = split(lines).parts
    assert [part.reader.NAME for part in parts] == ["proc-status", "proc-smaps-rollup"]
