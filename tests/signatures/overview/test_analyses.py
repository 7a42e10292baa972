"""General analyses: calm on healthy machines, notable on affected ones, every figure with citations."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ingest.evidence import read_bytes, read_paths
from signatures.judging.scope import items_of
from signatures.overview import ANALYSES, run
from signatures.overview.model import Answer
from tests.cpu_time import cpu_time
from tests.ingest.samples import whole

ROOT = Path(__file__).parents[3]
DATA = ROOT / "tests/data"
SICK = ROOT / "backend/evidence/sample_cases/reclaim-at-the-limit"
HEALTHY = DATA / "perf-script/healthy-database.fields_full.txt.gz"
PUBLISHED = sorted((DATA / "published").iterdir())


def panels(*paths):
    return {panel.name: panel for panel in run(items_of(read_paths(list(paths))))}


def figure(panel, label):
    return next(one for one in panel.figures if one.label.startswith(label))


def test_analyses_have_distinct_names_and_titles():
    assert len({analysis.name for analysis in ANALYSES}) == len(ANALYSES)
    assert len({analysis.title for analysis in ANALYSES}) == len(ANALYSES)


def test_a_machine_at_work_is_calm_except_that_its_cpus_are_all_in_use():
    found = panels(HEALTHY, DATA / "mpstat/mpstat.all-cpus.txt", DATA / "pidstat/pidstat.processes.txt")
    assert [panel.name for panel in found.values() if panel.state == "notable"] == ["load"]
    assert found["load"].summary.startswith("CPUs are 0 % idle")
    assert found["cpu-time"].state == "calm"


def test_a_sosreport_of_an_idle_guest_is_calm_except_for_the_oom_kill_in_its_log():
    found = panels(DATA / "sosreport/sosreport-analytics-db-02.trimmed.tar.xz")
    assert [panel.name for panel in found.values() if panel.state == "notable"] == [
        "cgroup-limits",
        "first-bad-line",
    ]
    assert found["identity"].summary.startswith("6.12")


def test_reclaim_at_the_limit_is_notable_with_share_and_pressure():
    found = panels(SICK)
    assert found["reclaim"].state == "notable"
    assert found["pressure"].state == "notable"
    assert float(figure(found["reclaim"], "CPU in memory cgroup reclaim").value) > 0.2


def test_next_to_no_faults_per_cpu_second_is_stated_with_what_it_may_mean():
    found = panels(DATA / "perf-stat/perf-stat.page-faults.txt")["progress"]
    assert round(float(found.figures[0].value), 3) == 0.295
    (said,) = found.statements
    assert ("304.7 s" in said.text, "90 page faults" in said.text) == (True, True)
    assert (said.kind, said.is_notable) == ("fact", True)


def test_a_falling_ramp_is_a_backlog():
    found = panels(DATA / "packet-rows/bcc-icmp-trace.stalls.txt")["latency"]
    assert "backlog" in figure(found, "longest falling ramp").note


def test_the_first_error_of_a_kernel_log_is_shown():
    found = panels(DATA / "kernel-log/dmesg-oom.txt")["first-bad-line"]
    assert found.state == "notable"
    assert figure(found, "oom kill").value >= 1


@pytest.mark.parametrize("folder", PUBLISHED, ids=lambda path: path.name)
def test_every_published_story_gets_figures_or_a_reason(folder):
    for panel in run(items_of(read_paths([folder]))):
        assert panel.summary
        assert panel.figures or panel.lacks or panel.state == "unknown"


@pytest.mark.parametrize("folder", [*PUBLISHED, SICK], ids=lambda path: path.name)
def test_every_figure_cites_lines_of_its_evidence(folder):
    items = items_of(read_paths([folder]))
    ends = {(item.evidence, item.section): (item.first_line, item.last_line) for item in items}
    for panel in run(items):
        for one in panel.figures:
            assert one.places, (panel.name, one.label)
            for place in one.places:
                first, last = ends[place.evidence, place.section]
                assert first <= place.first_line <= place.last_line <= last, (panel.name, one.label)


def test_mixed_kernels_are_a_contradiction():
    items = items_of(
        read_paths([DATA / "mpstat/mpstat.all-cpus.txt", DATA / "pidstat/pidstat.processes.txt"])
    )
    assert {panel.name for panel in run(items) if panel.state == "notable"} == {"load"}
    other = [replace(item, host="vm") for item in items]
    fact = next(fact for fact in other[0].reading.facts if fact.name == "kernel.release")
    reading = replace(other[0].reading, facts=(replace(fact, value="4.19.0"),))
    found = {panel.name: panel for panel in run([replace(other[0], reading=reading), *other[1:]])}
    assert figure(found["quality"], "different kernels").is_notable


def test_a_counter_that_fell_was_reset_and_is_ignored(tmp_path):
    def vmstat(scanned):
        fillers = "".join(f"pgfiller{n} 1\n" for n in range(20))
        return f"nr_free_pages 5\npgscan_direct {scanned}\npgsteal_direct 7\npgfault 5\n{fillers}"

    path = tmp_path / "paste.txt"
    path.write_text(f"==> /proc/vmstat <==\n{vmstat(900000)}\n==> /proc/vmstat <==\n{vmstat(3)}")
    assert panels(path)["reclaim"].state == "unknown"


def test_a_large_profile_is_analyzed_quickly():
    (profile,) = whole("perf-script/healthy-database.fields_full.txt.gz").profiles
    copies = 1_400_000 // len(profile.node_parent) + 1
    count = len(profile.node_parent)
    shift = np.repeat(np.arange(copies, dtype=np.int32) * count, count)
    parents = np.tile(profile.node_parent, copies)
    large = replace(
        profile,
        node_parent=np.where(parents < 0, -1, parents + shift).astype(np.int32),
        node_frame=np.tile(profile.node_frame, copies),
        node_line=np.tile(profile.node_line, copies),
    )
    (item,) = items_of(read_paths([HEALTHY]))
    large_item = replace(item, reading=replace(item.reading, profiles=(large,)))
    with cpu_time() as spent:
        found = run([large_item])
    assert spent.seconds < 3.0, "0.3 s on a quiet machine"
    assert {panel.name: panel for panel in found}["cpu-time"].state == "calm"


def test_an_answer_without_figures_is_unknown():
    assert panels(DATA / "text/app-log.memcached.txt")["cpu-time"].state == "unknown"
    assert Answer("x").figures == ()


ONE_BUSY_CPU = """\
Linux 6.1.0-28-amd64 (web-7) \t11/18/2025 \t_x86_64_\t(8 CPU)

05:20:01 PM  CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle
05:20:06 PM  all    9.11    0.00    3.02    0.05    0.00   14.20    0.00    0.00    0.00   73.62
05:20:06 PM    0    0.20    0.00    0.60    0.00    0.00   99.00    0.00    0.00    0.00    0.20
05:20:06 PM    1   11.02    0.00    3.41    0.00    0.00    2.00    0.00    0.00    0.00   83.57
"""


def test_a_panel_that_raises_an_alarm_is_not_called_normal():
    panels = run(items_of([read_bytes(ONE_BUSY_CPU.encode(), name="mpstat.txt")]))
    alarming = [panel for panel in panels if any(one.kind == "alarm" for one in panel.statements)]
    assert "load" in {panel.name for panel in alarming}
    assert {panel.state for panel in alarming} == {"notable"}
