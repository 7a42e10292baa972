"""Readings from perf stat, in each of its forms."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from ingest.evidence import read_file
from ingest.model.section import Text
from ingest.parsing.perf_counts import number
from ingest.readers.perf import perf_stat

DATA = Path(__file__).parents[3] / "data" / "perf-stat"


def read(name):
    return perf_stat.read(Text((DATA / name).read_text().splitlines()))


def facts_of(reading):
    return {fact.name.removeprefix("perf.stat."): fact.value for fact in reading.facts}


def test_the_published_table_is_about_its_process():
    facts = {fact.name: fact for fact in read("perf-stat.page-faults.txt").facts}
    assert {tuple(fact.labels.items()) for fact in facts.values()} == {(("pid", "864720"),)}
    clock = facts["perf.stat.task_clock_ms"]
    assert (clock.value, clock.unit, clock.lines.first) == (304675.80, "ms", 5)
    assert facts["perf.stat.page_faults"].value == 90.0
    assert facts["perf.stat.context_switches"].value == 97934.0


def test_a_truncated_table_still_has_its_duration():
    reading = read("perf-stat.page-faults.txt")
    assert facts_of(reading)["elapsed_seconds"] == pytest.approx(304.6758 / 29.130)
    assert reading.quality_names == {"cut_off"}


def test_a_whole_table_states_its_time_itself():
    reading = read("perf-stat.process.txt")
    assert facts_of(reading)["elapsed_seconds"] == 4.029858324
    assert reading.quality_names == frozenset()


def test_unsupported_events_are_counted_not_zero():
    reading = read("perf-stat.system-wide.txt")
    assert "cycles" not in facts_of(reading)
    assert [(skip.reason, skip.count, skip.first_line) for skip in reading.skipped] == [
        ("event not supported", 8, 8)
    ]


def test_tracepoints_keep_their_system_in_the_name():
    facts = facts_of(read("perf-stat.tracepoints.txt"))
    assert facts["vmscan_mm_vmscan_memcg_reclaim_end"] == 15615.0
    assert facts["page_faults"] == 67706.0


def test_intervals_add_up():
    reading = read("perf-stat.intervals.csv.txt")
    facts = facts_of(reading)
    lines = (DATA / "perf-stat.intervals.csv.txt").read_text().splitlines()
    faults = sum(int(line.split(",")[1]) for line in lines if ",page-faults," in line)
    assert facts["page_faults"] == faults
    assert facts["elapsed_seconds"] == float(lines[-1].split(",")[0])


def test_intervals_as_text_leave_out_what_was_not_counted():
    reading = read("perf-stat.intervals.txt")
    assert 0 < facts_of(reading)["page_faults"] < 100
    assert {skip.reason for skip in reading.skipped} == {"event not counted"}


@pytest.mark.parametrize("name", ["perf-stat.json.txt", "perf-stat.csv.txt", "perf-stat.repeated.txt"])
def test_json_csv_and_repeated_runs_give_the_same_facts(name):
    facts = facts_of(read(name))
    assert {"task_clock_ms", "page_faults", "elapsed_seconds"} == set(facts)
    assert 40 < facts["page_faults"] < 100
    assert 0 < facts["task_clock_ms"] < 5


def test_the_process_of_csv_comes_from_the_command():
    line = "90,,page-faults,612322,100.00,120.851,K/sec"
    (fact,) = perf_stat.read(Text([line], command="perf stat -x, -p 4711 -- sleep 1")).facts
    assert fact.labels == {"pid": "4711"}


def test_several_processes_have_no_single_pid():
    lines = [" Performance counter stats for process id '1,2':", "", "     90      page-faults"]
    (fact,) = perf_stat.read(Text(lines)).facts
    assert fact.labels == {}


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        ("12,345,678", 12345678.0),
        ("1.234.567", 1234567.0),
        ("12\u202f345", 12345.0),
        ("304675.80", 304675.8),
        ("1,027.86", 1027.86),
        ("1.027,86", 1027.86),
        ("304675.800000", 304675.8),
        ("97934", 97934.0),
    ],
)
def test_thousands_are_grouped_in_any_locale(printed, value):
    assert number(printed) == value


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        (
            "       304675.800000 task-clock (msec)         #   29.130 CPUs utilized",
            "task_clock_ms",
            304675.8,
        ),
        ("     1,234      cycles:u                  #    3.1 GHz   (83.20%)", "cycles_u", 1234.0),
        ("        12      faults", "page_faults", 12.0),
        ("     12.34 Joules power/energy-pkg/", "power_energy_pkg_joules", 12.34),
    ],
)
def test_rows_of_other_ages_and_locales_are_read(line, name, value):
    facts = facts_of(perf_stat.read(Text([" Performance counter stats for 'system wide':", "", line])))
    assert facts[name] == value


@pytest.mark.parametrize("sample", sorted(DATA.glob("*.txt")), ids=lambda path: path.name)
def test_it_begins_at_the_first_line_and_continues_to_the_end(sample):
    lines = [
        line
        for line in sample.read_text().splitlines()
        if line.strip() and not line.startswith(("# perf", "$ perf"))
    ]
    assert perf_stat.begins(lines, 0)
    assert all(perf_stat.continues(line) for line in lines)


@pytest.mark.parametrize("line", ["1,2,3,4,5", "a,b,c", '{"type": "map"}', "12 apples", "name,12,ms,x,1.0"])
def test_other_tables_are_not_claimed(line):
    assert not perf_stat.begins([line], 0)


def test_a_thread_that_ended_early_is_reported_and_the_table_is_read():
    (section,) = read_file(DATA / "perf-stat.thread-ended.txt").sections
    assert section.format == "perf-stat"
    assert facts_of(section.reading)["page_faults"] == 3170.0
    assert [(skip.reason, skip.count) for skip in section.reading.skipped] == [
        ("thread that ended before it was counted", 1)
    ]


def test_the_same_warning_of_perf_record_is_not_a_table():
    warning = "WARNING: Ignored open failure for pid 15758"
    assert not perf_stat.begins([warning, "", "[ perf record: Woken up 1 times to write data ]"], 0)
    assert not perf_stat.begins([warning], 0)


@pytest.mark.parametrize("form", ["perf-stat.intervals.json.txt", "perf-stat.intervals.csv.txt"])
def test_each_interval_is_a_row_of_rates(form):
    reading = read(form)
    (rows,) = reading.row_sets
    facts = {fact.name: fact.value for fact in reading.facts}
    counted = facts["perf.stat.context_switches"]
    times = [0.0, *rows.column("time_s")]
    rates = rows.column("rate.context_switches")
    spans = [after - before for before, after in pairwise(times)]
    assert sum(rate * span for rate, span in zip(rates, spans, strict=True)) == pytest.approx(
        counted, rel=1e-3
    )
    assert facts["perf.stat.elapsed_seconds"] == times[-1]


def test_intervals_whose_beginning_is_cut_off_do_not_count_it():
    lines = (DATA / "perf-stat.intervals.json.txt").read_text().splitlines()
    kept = [line for line in lines if '"interval" : 0.1' not in line]
    facts = {fact.name: fact.value for fact in perf_stat.read(Text(kept)).facts}
    whole = {fact.name: fact.value for fact in perf_stat.read(Text(lines)).facts}
    assert facts["perf.stat.elapsed_seconds"] < 0.8 * whole["perf.stat.elapsed_seconds"]


def test_rows_of_all_cpus_are_of_the_time_of_one_wall_clock():
    elapsed = facts_of(read("perf-stat.per-cpu.csv.txt"))["elapsed_seconds"]
    assert elapsed == pytest.approx(0.203, abs=0.01)


@pytest.mark.parametrize(
    "value", ["1e999", "NaN", "9" * 400, '"' + "9" * 400 + '"', "null", "[]", "{}", "true", "-5"]
)
def test_values_that_are_no_count_are_skipped(value):
    line = f'{{"interval" : {value}, "counter-value" : {value}, "event" : "cycles"}}'
    reading = perf_stat.read(Text([line]))
    assert not reading.facts
    assert sum(skip.count for skip in reading.skipped) == 1


def test_further_metrics_of_a_counter_are_no_skipped_lines():
    lines = [
        "1000,,cycles,100,100.00,0.5,GHz",
        ",,,,,,,0.50,stalled cycles per insn",
        '{"metric-value" : 2.1, "metric-unit" : "stalled cycles per insn"}',
    ]
    assert all(map(perf_stat.continues, lines))
    assert not perf_stat.read(Text(lines)).skipped
