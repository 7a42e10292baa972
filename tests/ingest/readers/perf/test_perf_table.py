"""Readings from perf top and perf report."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.model.section import Text
from ingest.readers.perf import perf_table

DATA = Path(__file__).parents[3] / "data" / "perf-table"


def read(name):
    return perf_table.read(Text((DATA / name).read_text().splitlines()))


def read_lines(*lines, **header):
    return perf_table.read(Text(lines, **header))


def shares(table):
    return [(row.name, row.self_share, row.total_share) for row in table.symbols]


def test_a_screen_of_perf_top_is_a_table_with_event_and_kernel_share():
    (table,) = read("perf-top.shrink_lruvec.txt").tables
    assert (table.event, table.kernel_share, table.lost, table.has_header) == ("cpu-clock", 1.0, 0.0, True)
    assert shares(table)[:2] == [("shrink_lruvec", 0.6428, None), ("lru_note_cost", 0.2881, None)]
    assert table.symbols[0].line == 4


def test_the_share_outside_the_rows_is_known():
    (table,) = read("perf-top.shrink_lruvec.txt").tables
    assert table.residual_share == pytest.approx(0.0115)


def test_a_busy_screen_states_kernel_share_and_losses_as_facts():
    facts = {fact.name: (fact.value, fact.lines.first) for fact in read("perf-top.shrink_lruvec.txt").facts}
    assert facts == {"perf.top.kernel_share": (1.0, 1), "perf.top.lost": (0.0, 1)}


def test_a_timer_event_is_marked_for_skid():
    assert read("perf-top.shrink_lruvec.txt").quality_names == {"skid"}


@pytest.mark.parametrize(
    ("name", "rows", "is_known"),
    [("perf-top.spin-unlock.txt", 2, 0.6752), ("perf-top.get_page_tail.txt", 3, 0.674)],
)
def test_rows_without_a_header_are_an_excerpt_of_an_unknown_population(name, rows, is_known):
    reading = read(name)
    (table,) = reading.tables
    assert (len(table.symbols), table.has_header, table.event, table.kernel_share) == (rows, False, "", None)
    assert 1 - table.residual_share == pytest.approx(is_known)
    assert reading.quality_names == {"no_header", "excerpt"}


def test_rows_pasted_with_single_blanks_keep_object_and_symbol_apart():
    (table,) = read("perf-top.spin-unlock.txt").tables
    assert [(row.module, row.comm, row.kind) for row in table.symbols] == [("[kernel]", "", "kernel")] * 2


def test_each_screen_is_a_table_and_an_empty_one_is_counted():
    reading = read("perf-top.screens.txt")
    assert [len(table.symbols) for table in reading.tables] == [1, 1]
    assert [(skip.reason, skip.count) for skip in reading.skipped] == [
        ("perf top screen without samples", 1),
        ("call trees that do not say which end is the caller's", 2),
    ]


def test_a_screen_of_a_dozen_interrupts_states_no_kernel_share():
    reading = read("perf-top.screens.txt")
    assert reading.facts == ()
    assert "few_samples" in reading.quality_names


def test_children_come_before_self():
    (table,) = read("perf-report.children.txt").tables
    row = next(row for row in table.symbols if row.name == "_PyEval_EvalFrameDefault")
    assert (row.total_share, row.self_share, row.comm) == (0.0257, 0.025, "pip")
    assert (table.event, table.samples) == ("cpu-clock:ppp", 3000.0)


def test_trailing_empty_columns_are_no_part_of_the_symbol():
    (table,) = read("perf-report.children.txt").tables
    assert not any(row.name.endswith("-") or "  " in row.name for row in table.symbols)


def test_a_column_of_counts_is_neither_command_nor_object():
    (table,) = read("perf-report.samples-column.txt").tables
    assert (table.symbols[1].comm, table.symbols[1].module, table.symbols[1].name) == (
        "kworker/u8:1-wr",
        "",
        "__pi_memcpy",
    )


def test_symbols_alone_are_enough():
    (table,) = read("perf-report.symbols-only.txt").tables
    assert shares(table)[0] == ("do_syscall_64", 0.0146, 0.968)


def test_the_percentages_of_call_trees_are_not_rows():
    reading = read("perf-report.caller-trees.txt")
    (table,) = reading.tables
    assert [(row.comm, row.name) for row in table.symbols[:2]] == [
        ("pip", "_PyEval_EvalFrameDefault"),
        ("kworker/u8:1-wr", "__pi_memcpy"),
    ]
    assert (reading.skipped, len(reading.profiles)) == ((), 1)


def test_the_header_of_the_recording_gives_host_kernel_cpus_and_command():
    facts = {fact.name: fact.value for fact in read("perf-report.header.txt").facts}
    assert facts.pop("perf.cmdline").startswith("/usr/bin/perf record -a -g -F 99")
    assert facts == {"host.name": "vm", "kernel.release": "6.18.44-fc-v669", "cpu.online": 2.0}


def test_every_event_of_a_report_is_a_table_of_its_own():
    reading = read_lines(
        "# Samples: 922  of event 'cycles'",
        "#",
        "     2.38%  chrome   chrome  [.] main",
        "",
        "# Samples: 798  of event 'instructions'",
        "     1.49%  chrome   chrome  [.] main",
    )
    assert [(table.event, table.samples, len(table.symbols)) for table in reading.tables] == [
        ("cycles", 922.0, 1),
        ("instructions", 798.0, 1),
    ]


def test_an_event_group_has_one_column_per_event():
    reading = read_lines(
        "# Samples: 13  of events 'anon group { cache-references, branch-misses }'",
        "#         Overhead  Command  Shared Object      Symbol",
        "    68.35%   0.00%  echo     ld-2.23.so         [.] start",
        "     0.12%   1.21%  perf     [kernel.kallsyms]  [k] memcpy",
    )
    assert [(table.event, [row.self_share for row in table.symbols]) for table in reading.tables] == [
        ("cache-references", [0.6835, 0.0012]),
        ("branch-misses", [0.0, 0.0121]),
    ]


def test_branches_are_not_samples():
    reading = read_lines(
        "# Samples: 416  of event 'cycles:ppp'",
        "# Overhead  Command  Source Shared Object  Source Symbol    Target Symbol    Basic Block Cycles",
        "     2.40%  perf     [kernel.kallsyms]     [k] memcpy       [k] memset       1",
    )
    assert reading.tables == ()
    assert "branch from one symbol to another, not a sample" in {skip.reason for skip in reading.skipped}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("+   62.00%   0.10% swapper  [kernel.kallsyms]  [k] start_kernel ▒", ("start_kernel", 0.001, 0.62)),
        ("    62,00%  swapper  [kernel.kallsyms]  [k] start_kernel", ("start_kernel", 0.62, None)),
        ("    12.50%\tswapper  [kernel.kallsyms]  [k] start_kernel", ("start_kernel", 0.125, None)),
        ("     5.31%     -0.52%  [kernel]  [k] memcpy", ("memcpy", 0.0531, None)),
        ("  7.10%  app  app  [.] std::vector<int, std::allocator<int> >::push_back(int const&)   ",
         ("std::vector<int, std::allocator<int> >::push_back(int const&)", 0.071, None)),
        ("   1187.00 25.6% _raw_spin_lock  [kernel.kallsyms]", ("_raw_spin_lock", 0.256, None)),
    ],
)  # fmt: skip
def test_rows_of_all_ages_are_read(line, expected):
    (table,) = read_lines(line).tables
    assert shares(table) == [expected]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("1.0%  Xorg  [i915]  [k] gen8_irq_handler", "module"),
        ("1.0%  z_wr  zfs.ko  [k] zio_execute", "module"),
        ("1.0%  java  [kernel.kallsyms]  [k] memcpy", "kernel"),
        ("1.0%  java  perf-123.map  [.] Lfoo;::bar", "jit"),
        ("1.0%  [JIT] tid 12551  [.] Interpreter", "jit"),
        ("1.0%  java  libc.so.6  [.] malloc", "user"),
        ("1.0%  java  [unknown]  [.] 0000000000000000", "unknown"),
        ("1.0%  qemu  [guest.kernel]  [g] memcpy", "unknown"),
    ],
)
def test_the_kind_comes_from_mark_and_object(line, kind):
    (table,) = read_lines(line).tables
    assert table.symbols[0].kind == kind


def test_a_filter_or_excerpt_in_the_prompt_is_marked():
    reading = read_lines("55.47% [kernel] [k] memcpy", command="perf report --stdio | grep kernel | head")
    assert {"filtered", "excerpt"} <= reading.quality_names


def test_losses_are_marked():
    reading = read_lines(
        "# Total Lost Samples: 2", "#", "# Samples: 1K of event 'cycles'", " 1.0%  a  a  [.] main"
    )
    assert reading.tables[0].lost == 2.0
    assert "lost_events" in reading.quality_names


@pytest.mark.parametrize(
    "lines",
    [
        ["   12.50 │      mov    %rax,%rbx"],
        [" Percent |\tSource code & Disassembly of libc.so.6 for cycles (123 samples)"],
        ["samples  %        image name               symbol name", "1234     12.3400  vmlinux   memcpy"],
        [" contended   total wait     max wait     avg wait         type   caller"],
        ["# ========", "# hostname : vm", "# ========", "java 19983 [000] 12.345: cycles:"],
        ["1.39% 0;gc_collect_main"],
    ],
)
def test_look_alikes_are_not_claimed(lines):
    assert not any(perf_table.begins(lines, at) for at in range(len(lines)))


def test_a_report_begins_at_the_header_of_its_recording():
    lines = (DATA / "perf-report.header.txt").read_text().splitlines()
    assert perf_table.begins(lines, 0)
    assert all(perf_table.continues(line) for line in lines)


def test_rows_of_the_kernel_without_a_mark_are_a_table():
    rows = ["40.3% [kernel] __get_page_tail", "18.7% [kernel] put_compound_page"]
    lines = ["# perf top, during the benchmark", *rows, "..."]
    assert perf_table.begins(lines, 1)
    (table,) = perf_table.read(Text(lines)).tables
    assert [(row.name, row.self_share, row.kind) for row in table.symbols] == [
        ("__get_page_tail", 0.403, "kernel"),
        ("put_compound_page", 0.187, "kernel"),
    ]
    assert not perf_table.begins(["40.3% [other] __get_page_tail"], 0)
