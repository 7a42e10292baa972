"""What a report prints that decides changes its sentence; several lines of one event are one event."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from ingest.catalogue.log_classes import classes_by_name
from signatures.overview.decided_steps import near_of
from signatures.overview.kernel_log import deciding_fields
from signatures.overview.kernel_log.alarms import alarms, assess
from signatures.overview.kernel_log.sentences import cause_of
from tests.signatures.overview.kernel_log.test_chains import dmesg, evidence_of
from tests.signatures.overview.test_first_screen import overview, texts

SAMPLES = yaml.safe_load((Path(__file__).parents[3] / "data/expected/deciding_fields.yaml").read_text())

FREE = """\
               total        used        free      shared  buff/cache   available
Mem:           251Gi       110Gi        56Gi        23Mi        89Gi       140Gi
Swap:          8.0Gi       4.8Gi       3.2Gi
"""
KILLED = "Out of memory: Killed process 7 (x) total-vm:19254864kB, anon-rss:16477484kB, file-rss:0kB"
ZONE = "Node 4 Movable free:130021408kB min:9140kB low:139160kB high:269180kB active_anon:1448kB present:1kB"
HOST_DIED = (
    "xhci_hcd 0000:01:00.0: WARNING: Host System Error",
    "xhci_hcd 0000:01:00.0: xHCI host controller not responding, assume dead",
    "xhci_hcd 0000:01:00.0: HC died; cleaning up",
)


def sentence(*lines):
    """Return class and sentence of the first alarm of a log."""
    evidence = evidence_of(dmesg(*lines))
    found = assess(evidence)
    if not found.chains and found.notable:
        return found.notable[0].lead.log_class.name, cause_of(found.notable[0].lead)
    if not found.chains:
        noted = found.noted[0].record
        words = next(one.text for one in alarms(evidence).statements).rpartition(": ")[0]
        return noted.kind, words
    alarm = found.chains[0].lead
    cause = cause_of(alarm)
    near = near_of(evidence).records(*alarm.first)
    beside = deciding_fields.named_beside(alarm.log_class, alarm.first.record, near, cause)
    return alarm.log_class.name, f"{cause}{beside}"


@pytest.mark.parametrize("row", SAMPLES, ids=lambda row: f"{row['of']} {row['field']} {row['releases']}")
def test_another_value_of_a_deciding_field_is_another_sentence(row):
    samples = ([row[key]] if isinstance(row[key], str) else row[key] for key in ("line", "other"))
    told = [sentence(*((90.0, one) for one in lines)) for lines in samples]
    (kind, words), (other_kind, other_words) = told
    assert (kind, other_kind) == (row["of"], row["of"])
    assert words != other_words


def test_every_field_that_is_said_has_a_sample():
    sampled = {(row["of"], row["field"]) for row in SAMPLES}
    areas = {one.area for one in classes_by_name().values()}
    unsampled = []
    for row in deciding_fields.rows():
        names = set(row["of"])
        assert names <= classes_by_name().keys() | areas
        members = names & classes_by_name().keys() or {
            one.name for one in classes_by_name().values() if one.area in names
        }
        if not any((name, row["field"]) in sampled for name in members):
            unsampled.append((row["field"], sorted(names)))
    assert [one for one in unsampled if one[0] != "jiffies"] == []


def test_a_stall_says_how_long_and_on_which_processor():
    line = "rcu: INFO: rcu_preempt self-detected stall on CPU"
    told = [
        sentence((9.0, line), (9.0, f"rcu: \t{cpu}-....: (2 ticks this GP) (t={jiffies} jiffies g=1 q=2)"))[1]
        for cpu, jiffies in ((3, 21003), (5, 21003), (3, 63003))
    ]
    assert len(set(told)) == 3


def test_the_processors_of_several_reports_are_all_named():
    line = "NMI watchdog: Watchdog detected hard LOCKUP on cpu {}"
    _, words = sentence(*((9.0 + at, line.format(cpu)) for at, cpu in enumerate((0, 2, 4))))
    assert "CPUs 0, 2, 4" in words
    assert "3 times" in words


def test_several_lines_of_one_death_are_one_event():
    _, words = sentence(*((809.0 + at, line) for at, line in enumerate(HOST_DIED)))
    assert "3 lines" in words
    assert "times" not in words
    assert "0000:01:00.0" in words


def test_events_apart_are_counted_with_their_span_and_lines():
    lines = [(start + at, line) for start in (100.0, 1300.0, 2500.0) for at, line in enumerate(HOST_DIED)]
    _, words = sentence(*lines)
    assert "3 times in" in words
    assert "9 lines" in words


def test_a_host_with_memory_available_is_not_called_out_of_memory_without_a_word():
    (text,) = [one for one in texts(overview(dmesg((5.0, KILLED)), FREE)) if "OOM killer" in one]
    assert "140 GiB of 251 GiB is available" in text
    (alone,) = [one for one in texts(overview(dmesg((5.0, KILLED)))) if "OOM killer" in one]
    assert "available" not in alone


def test_free_zones_in_a_report_are_said():
    lines = ("x invoked oom-killer: gfp_mask=0x500cc2(GFP_HIGHUSER), order=0, oom_score_adj=0", ZONE, KILLED)
    _, words = sentence(*((5.0, line) for line in lines))
    assert "124 GiB is free" in words


def test_the_address_of_a_lost_card_stands_in_a_line_above():
    lines = (
        "NVRM: The NVIDIA GPU 0000:b3:00.0",
        "NVRM: (PCI ID: 10de:26b5) installed in this system has",
        "NVRM: fallen off the bus and is not responding to commands.",
    )
    kind, words = sentence(*((5.0, line) for line in lines))
    assert kind == "gpu_lost"
    assert "0000:b3:00.0" in words


def test_free_memory_that_an_allocation_may_not_take_is_named():
    lines = (
        "visiond: page allocation failure: order:10, mode:0x2084020(GFP_ATOMIC|__GFP_COMP)",
        "CPU: 0 PID: 183 Comm: visiond Not tainted 4.9.56 #61",
        "Call Trace:",
        " alloc_ep_req+0x5c/0x98",
        "Mem-Info:",
        "active_anon:3268 inactive_anon:2 isolated_anon:0",
        " free:61874 free_pcp:199 free_cma:60022",
    )
    stamped = [(1877.0 + at / 100, line) for at, line in enumerate(lines)]
    assert "97% of the free memory is CMA" in sentence(*stamped)[1]
    few = [(at, line.replace("free_cma:60022", "free_cma:22")) for at, line in stamped]
    assert "CMA" not in sentence(*few)[1]
    movable = [(at, line.replace("GFP_ATOMIC", "GFP_HIGHUSER_MOVABLE")) for at, line in stamped]
    assert "CMA" not in sentence(*movable)[1]


@pytest.mark.parametrize(
    ("order", "slabs", "words"),
    [(7, 29640, "29,640 slabs of order 7 hold 14.5 GiB"), (3, 12000, "375 MiB"), (99, 12, "")],
)
def test_a_slab_cache_that_got_no_more_says_what_it_holds(order, slabs, words):
    lines = (
        "SLUB: Unable to allocate memory on node -1, gfp=0xa20(GFP_ATOMIC)",
        f"  cache: p_ed_pids, object size: 274832, buffer size: 274880, default order: {order}, min order: 0",
        f"  node 0: slabs: {slabs}, objs: 29640, free: 0",
    )
    (statement,) = alarms(evidence_of(dmesg(*((90.0, one) for one in lines)))).statements
    assert "p_ed_pids" in statement.text
    assert words in statement.text
    assert ("slabs of order" in statement.text) is bool(words)
