"""Readings from kernel logs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ingest.model.reading import Skipped
from ingest.model.section import Text
from ingest.readers.logs import kernel_log

if TYPE_CHECKING:
    from ingest.model.reading import LogRecord, Reading

DATA = Path(__file__).parents[3] / "data" / "kernel-log"


def reading_of(name: str) -> Reading:
    return kernel_log.read(Text((DATA / name).read_text().splitlines()))


def read(text: str) -> Reading:
    return kernel_log.read(Text(text.splitlines()))


def only(text: str) -> LogRecord:
    (record,) = read(text).log_records
    return record


class TestPrefixes:
    def test_uptime_and_date_are_facts(self):
        assert reading_of("dmesg-oom.txt").log_records[0].uptime == 2225.621988
        assert reading_of("dmesg-iso.oom.txt").log_records[0].at == 1795220384.621988
        assert reading_of("dmesg-T.oom.txt").log_records[0].at == 1795220384

    def test_the_time_the_log_spans_is_a_fact(self):
        facts = {fact.name: fact.value for fact in reading_of("dmesg-oom.txt").facts}
        assert facts["log.first_uptime_seconds"] == 2225.621988
        assert facts["log.last_uptime_seconds"] == 2228.006474

    @pytest.mark.parametrize(
        "prefix",
        [
            "Feb 11 18:58:28 db-02 kernel: [   12.345678] ",
            "Feb 11 18:58:28 db-02 kernel: ",
            "2024-05-02T10:11:12.123456+00:00 db-02 kernel: ",
            "kernel: ",
            "kernel: [   12.345678] ",
            "[   12.345678][ T3699] ",
            "[   12.345678] db-02 kernel: ",
            "4,1012,12345678,-;",
            "",
        ],
    )
    def test_the_message_is_found_behind_any_prefix(self, prefix):
        record = only(f"{prefix}nf_conntrack: nf_conntrack: table full, dropping packet")
        assert (record.kind, record.message[:12]) == ("conntrack_full", "nf_conntrack")

    def test_syslog_names_its_host(self):
        facts = read("Feb 11 18:58:28 db-02 kernel: hello").facts
        assert [(fact.name, fact.value) for fact in facts] == [("host.name", "db-02")]

    @pytest.mark.parametrize(
        ("stamp", "clock"),
        [
            ("Jan  1 00:00:00", 0.0),
            ("Feb 11 18:58:28", 41 * 86_400.0 + 18 * 3600 + 58 * 60 + 28),
            ("dez 07 18:58:28", None),
            ("Feb 11 25:58:28", None),
        ],
    )
    def test_a_stamp_without_a_year_orders_records(self, stamp, clock):
        record = only(f"{stamp} db-02 kernel: nf_conntrack: nf_conntrack: table full, dropping packet")
        assert (record.uptime, record.at, record.clock) == (None, None, clock)

    def test_journal_json_is_read(self):
        record = only(
            '{"MESSAGE":"cgroup: fork rejected by pids controller in /a","_TRANSPORT":"kernel",'
            '"__REALTIME_TIMESTAMP":"1763683187006452"}'
        )
        assert (record.kind, record.fields, record.at) == (
            "cgroup_fork_rejected",
            {"cgroup": "/a"},
            1763683187.006452,
        )

    def test_other_programs_are_counted_not_read(self):
        reading = read(
            "Feb 11 18:58:28 h kernel: a\nFeb 11 18:58:29 h sshd[12]: BUG: b\nFeb 11 18:58:30 h kernel: c"
        )
        assert [record.message for record in reading.log_records] == ["a", "c"]
        assert reading.skipped == (Skipped("line of another program", 1, 2),)

    def test_a_hard_wrapped_line_is_joined(self):
        whole = "[   12.345678] workqueue: inode_switch_wbs_work_fn hogged CPU for >10000us 4 times, consider"
        record = only(f"{whole[:80]}\n{whole[80:]}")
        assert (record.kind, record.lines, record.fields["count"]) == ("workqueue_hogged", (1, 2), 4)

    def test_the_kernel_states_its_release(self):
        facts = {fact.name: fact for fact in reading_of("dmesg-oom.txt").facts}
        assert (facts["kernel.release"].value, facts["kernel.release"].lines.first) == ("6.18.44-fc-v669", 2)


@pytest.mark.parametrize("sample", sorted(DATA.glob("*.txt")), ids=lambda path: path.name)
def test_it_claims_its_samples_and_all_of_their_lines(sample):
    lines = sample.read_text().splitlines()
    assert kernel_log.begins(lines, 0)
    assert [line for line in lines if not kernel_log.continues(line)] == []


@pytest.mark.parametrize(
    "line",
    [
        "[20:49:30] inode is switching! inode: 3730800 old cgroup: 22438 new cgroup: 88",
        "[Tue Sep 24 21:20:54 2024] [info] Memcached operation exceeded 20ms",
        "May 18 15:13:36 host wrapper[11375]: Launching a JVM...",
        "WARNING: 8 stack traces could not be displayed.",
        "2026-11-21T00:19:44Z some application",
    ],
)
def test_it_does_not_claim_what_only_looks_alike(line):
    assert not kernel_log.begins([line], 0)


@pytest.mark.parametrize(
    ("line", "lock"),
    [
        (
            "INFO: task cat:28631 <reader> blocked on an rw-semaphore likely owned by task ps:28630 <writer>",
            "an rw-semaphore",
        ),
        ("INFO: task cat:28631 is blocked on a mutex likely owned by task ps:28630.", "a mutex"),
    ],
)
def test_the_lock_owner_of_a_hung_task_is_stored(line, lock):
    record = only(
        "[  491.123456] INFO: task cat:28631 blocked for more than 122 seconds.\n"
        "[  491.123456] task:cat             state:D stack:0     pid:28631\n"
        f"[  491.123456] {line}\n"
    )
    fields = dict(record.fields)
    assert (fields["blocker"], fields["blocker_pid"], fields["lock"]) == ("ps", 28630, lock)
