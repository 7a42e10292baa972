"""Readings from netqtop, biolatpcts, retsnoop, filegone and pidpersec."""

from __future__ import annotations

from ingest.model.section import Text
from ingest.readers.bpf import biolatpcts
from tests.ingest.samples import leaf_first, reader_of, rows, values, whole

netqtop, retsnoop = reader_of("netqtop"), reader_of("retsnoop")


def test_packets_of_a_queue_are_summed_over_intervals():
    reading = whole("netqtop/lo.txt")
    assert values(reading, interface="lo", direction="tx", queue="0") == {"net.queue.packets": 13.0}
    assert values(reading, interface="lo", direction="rx", queue="0") == {"net.queue.packets": 13.0}


def test_rates_and_units_of_queues_are_read():
    reading = whole("netqtop/eth0-rates.txt")
    (row,) = [
        row for row in rows(reading, "network_queues") if row["queue"] == 9 and row["direction"] == "tx"
    ]
    assert (row["packets"], row["bytes_per_second"], row["packets_per_second"]) == (9.0, 1.42 * 1024, 9.0)
    large = netqtop.read(Text([*netqtop.EXAMPLE.splitlines()[:2], " 3  88  1.5K  2.25M  0  0  0"]))
    assert values(large, direction="tx", queue="3") == {"net.queue.packets": 1536.0 + 2.25 * 1024**2}


def test_a_row_with_too_few_numbers_is_counted():
    reading = netqtop.read(Text([*netqtop.EXAMPLE.splitlines()[:2], " 3  88  1 2 3 4 5 6 7"]))
    assert [skip.reason for skip in reading.skipped] == ["not as many numbers as columns"]


def test_percentiles_are_seconds_of_the_device():
    reading = whole("biolatpcts/default.txt")
    assert values(reading, device="nvme0n1", percentile="99") == {
        "disk.latency.read_seconds": 0.0045,
        "disk.latency.write_seconds": 0.000965,
        "disk.latency.discard_seconds": 0.0015,
        "disk.latency.flush_seconds": 0.0045,
    }


def test_chosen_percentiles_are_named_by_their_number_and_dashes_are_no_time():
    reading = whole("biolatpcts/chosen-percentiles.txt")
    assert values(reading, device="nvme0n1", percentile="99.99")["disk.latency.read_seconds"] == 0.022
    assert set(values(reading, device="nvme0n1", percentile="1")) == {
        "disk.latency.read_seconds",
        "disk.latency.write_seconds",
        "disk.latency.flush_seconds",
    }


def test_the_longest_of_several_intervals_is_the_fact():
    table = biolatpcts.EXAMPLE.splitlines()
    later = [line.replace("4.5ms", "812ms") for line in table]
    reading = biolatpcts.read(Text([*table, "", *later, "", *table]))
    assert values(reading, device="nvme0n1", percentile="99")["disk.latency.read_seconds"] == 0.812


def test_objects_are_read_and_a_broken_one_is_counted():
    reading = whole("biolatpcts/objects.txt")
    assert values(reading, device="nvme0n1", percentile="100")["disk.latency.read_seconds"] == 0.0235
    broken = biolatpcts.read(Text(['{"read": {"50": 0.1, "99": 1e400', '{"read": {"50": "x", "99": true}}']))
    assert not broken.facts
    assert [skip.count for skip in broken.skipped] == [2]


def test_the_innermost_function_that_returned_is_the_one_that_failed():
    reading = whole("retsnoop/bpf-map-create.txt")
    labels = {"function": "bpf_map_alloc_percpu", "error": "ENOMEM"}
    assert values(reading, **labels) == {"trace.failed_calls": 1.0}
    (row,) = rows(reading, "trace:retsnoop")
    assert (row["comm"], row["result"], row["duration_us"]) == ("simfail", "ENOMEM", 73.0)
    assert leaf_first(reading.profiles[0], 0)[:3] == [
        "bpf_map_alloc_percpu",
        "array_map_alloc",
        "find_and_alloc_map",
    ]


def test_call_traces_and_branch_records_are_counted():
    for name in ("call-trace", "branch-records"):
        reading = whole(f"retsnoop/{name}.txt")
        assert "of a function call trace or of branch records" in {skip.reason for skip in reading.skipped}
        assert not reading.facts


def test_a_call_that_succeeds_is_no_failure():
    lines = retsnoop.EXAMPLE.replace("-ENOMEM", "0").splitlines()
    reading = retsnoop.read(Text(lines))
    assert not reading.facts
    assert rows(reading, "trace:retsnoop")[0]["result"] == "0"


def test_files_that_are_gone_are_counted_by_program():
    reading = whole("bcc-events/filegone.txt")
    assert values(reading, comm="vim") == {"trace.files_gone": 5.0}
    assert [row["file"] for row in rows(reading, "trace:filegone")][3] == ".viminfo.tmp > .viminfo"


def test_the_most_processes_of_a_second_are_a_fact():
    assert values(whole("bcc-events/pidpersec.txt")) == {"trace.most_forks_per_second": 21.0}
