"""The age of the code, inferred from names, counters and messages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ingest.readers.proc.proc_kallsyms import FEATURE_SYMBOLS
from signatures.judging.profile_index import Trees
from signatures.judging.version_inference import infer_version, table
from tests.signatures.build import fact, item, log, profile


def test_names_of_functions_date_the_code():
    prof = profile([("x;__add_to_page_cache_locked;charge_memcg;try_charge_memcg", 1)])
    found = infer_version([item("e", profiles=[prof])], Trees())
    assert (found.newer.version, found.older.version) == ("5.10", "6.1")
    assert "older than 6.1 (__add_to_page_cache_locked)" in found.words


@pytest.mark.parametrize(
    ("count", "bounds"), [(5.0, ("6.8", "")), (8.0, ("6.4", "6.12")), (4.0, ("6.4", ""))]
)
def test_counts_of_the_workqueue_message_date_the_code(count, bounds):
    record = log("workqueue_hogged", count=count)._replace(
        message=f"workqueue: f hogged CPU for >10000us {count:g} times, consider switching to WQ_UNBOUND",
    )
    found = infer_version([item("e", log_records=[record])], Trees())
    assert (found.newer.version, found.older.version) == bounds


@pytest.mark.parametrize(
    ("message", "bounds"),
    [
        ("NMI watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [kworker/3:1:311]", ("", "4.19")),
        ("watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [kworker/3:1:311]", ("4.9", "")),
        ("TCP: request_sock_TCP: Possible SYN flooding on port 80. Sending cookies.", ("", "")),
        ("TCP: request_sock_TCP: Possible SYN flooding on port [::]:80. Sending cookies.", ("6.1", "")),
        ("usb 1-1: new high-speed USB device", ("", "")),
    ],
)
def test_the_format_of_a_message_dates_the_code(message, bounds):
    found = infer_version([item("e", log_records=[log("other")._replace(message=message)])], Trees())
    assert (found.newer.version, found.older.version) == bounds


@pytest.mark.parametrize(
    ("version_fact", "bounds"),
    [
        (fact("vmstat.zone_reclaim_success", 0.0), ("6.8", "")),
        (fact("vmstat.workingset_refault", 0.0), ("", "5.15")),
        (fact("cgroup.stat.nr_dying_subsys_memory", 3.0), ("6.8", "")),
        (fact("feature.tracepoint", "writeback", name="inode_switch_wbs_queue"), ("6.12", "")),
    ],
)
def test_an_existing_counter_dates_the_code(version_fact, bounds):
    found = infer_version([item("e", facts=[version_fact])], Trees())
    assert (found.newer.version, found.older.version) == bounds


def test_a_list_of_functions_dates_the_code():
    functions = [fact("feature.function", True, name=name) for name in ("shrink_node", "tmigr_handle_remote")]
    found = infer_version([item("e", facts=functions)], Trees())
    assert found.words == "its code is newer than 6.8 (tmigr_handle_remote)"


@pytest.mark.parametrize(
    ("counters", "hosts", "words"),
    [
        (("memcg_stat_show", "__filemap_add_folio"), ("", ""), "two kernels or one"),
        (("__get_page_tail", "tmigr_handle_remote"), ("", ""), "two kernels: code newer than 6.8"),
        (("memcg_stat_show", "__filemap_add_folio"), ("db7", "db7"), "its code is newer than 5.15"),
    ],
)
def test_code_of_two_files_is_one_kernel_only_where_both_are_of_one_host(counters, hosts, words):
    of_each = [
        replace(item(f"{name}.txt", profiles=[profile([(f"x;{name}", 1)])]), host=host)
        for name, host in zip(counters, hosts, strict=True)
    ]
    said = infer_version(of_each, Trees()).words
    assert all(f"{name}.txt" in said for name in counters) == (not hosts[0])
    assert ("may be two kernels" if words == "two kernels or one" else words) in said


def test_all_dating_functions_of_a_function_list_are_stored():
    assert set(table()["functions"]) == FEATURE_SYMBOLS
