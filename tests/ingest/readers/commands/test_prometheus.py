"""Prometheus: metrics of the kernel are the facts of its files; other metrics are rows."""

from __future__ import annotations

import json

import pytest

from ingest.evidence import read_bytes
from tests.ingest.samples import values, whole


def reading(text):
    (section,) = read_bytes(text.encode(), name="x").sections
    return section.reading


def series(*points, name="node_load1", **labels):
    metric = {"__name__": name, **labels}
    return {
        "metric": metric,
        "values": [[1712000000 + 15 * at, str(value)] for at, value in enumerate(points)],
    }


def answer(*result, kind="matrix"):
    return json.dumps({"status": "success", "data": {"resultType": kind, "result": list(result)}})


def test_metrics_of_node_exporter_are_the_facts_of_the_files_they_come_from():
    found = values(whole("prometheus/node-exporter.txt"))
    assert found["meminfo.memavailable_bytes"] < found["meminfo.memtotal_bytes"]
    assert {"vmstat.oom_kill", "loadavg.1m", "net.tcpext.listenoverflows", "stat.procs_blocked"} <= set(found)
    assert found["cpu.online"] == 2.0
    mount = values(whole("prometheus/node-exporter.txt"), mount="/", device="/dev/vda", type="ext4")
    assert 0 < mount["filesystem.space_used_share"] < 1


def test_times_of_cpus_are_summed_over_the_cpus():
    lines = [
        f'node_cpu_seconds_total{{cpu="{cpu}",mode="{mode}"}} 10' for cpu in "01" for mode in ("idle", "user")
    ]
    assert values(reading("\n".join(lines)))["stat.cpu.user_seconds"] == 20.0


def test_a_range_query_is_a_look_at_each_time():
    facts = [one for one in whole("prometheus-query/range.json").facts if one.name == "loadavg.1m"]
    assert [one.snapshot for one in facts] == list(range(40))
    assert [facts[0].at, facts[1].at] == [1712000000.0, 1712000015.0]
    assert facts[22].value == 92.5


def test_samples_of_several_instances_are_rows_and_no_facts_of_one_host():
    found = reading(answer(series(1, 2, instance="a"), series(9, 9, instance="b")))
    assert found.facts == ()
    (rows,) = found.row_sets
    assert rows.name == "table:node_load1"
    assert [row[0] for row in rows.rows] == ["instance a"] * 2 + ["instance b"] * 2


def test_other_metrics_are_rows():
    (rows,) = whole("prometheus-query/vector.json").row_sets
    assert [(row[1], row[2]) for row in rows.rows] == [("pg_locks_count", 812.0)]


@pytest.mark.parametrize("value", ["NaN", "+Inf", "9" * 400, "x", None, [], {}])
def test_samples_without_a_finite_number_are_left_out(value):
    pair = {"metric": {"__name__": "node_load1"}, "value": [1712000000, value]}
    assert reading(answer(pair, kind="vector")).facts == ()


@pytest.mark.parametrize("at", [None, "x", 1e300, float("nan"), -1e18])
def test_times_that_no_clock_has_do_no_harm(at):
    pair = {"metric": {"__name__": "x_total"}, "values": [[at, "1"], [at, "2"]]}
    assert reading(answer(pair)).facts == ()


@pytest.mark.parametrize(
    "text",
    ["node_load1 is high today", "# HELP", "node_load1{ 5", "up 1 day, 2:03", "load average: 0.1, 0.2, 0.3"],
)
def test_other_text_is_no_sample(text):
    assert not any(one.name.startswith("loadavg.1m") for one in reading(text).facts if "up" not in text)


def test_a_file_of_the_kernel_below_is_not_swallowed():
    text = "node_load1 3\nnode_load5 2\nnode_load15 1\nusage_usec 5\nnr_periods 10\nnr_throttled 7\n"
    formats = [one.format for one in read_bytes(text.encode(), name="x").sections]
    assert formats == ["prometheus", "cgroup-cpu"]
