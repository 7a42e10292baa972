"""Memory on another NUMA node speaks only of several nodes and many pages."""

from __future__ import annotations

from tests.signatures.overview.stated import MACHINE, statements

NODES = (MACHINE / "sos_commands/numa/numactl_--hardware").read_text()


def test_a_machine_with_local_memory_is_silent():
    assert statements(NODES) == []


def test_pages_on_another_node_speak_only_of_several_nodes_and_many_pages():
    head = "                           node0           node1\n"
    table = head + "numa_hit               {0}       {0}\nnuma_miss              {1}       {1}\n"
    assert statements(table.format(9000000, 10000)) == []
    assert statements(table.format(900, 900)) == []
    assert statements(table.format(9000000, 3000000)) == [
        "25 % of pages were allocated on another NUMA node than wanted (since boot)"
    ]


def test_the_memory_of_a_process_on_one_node_is_stated():
    table = (
        "Per-node process memory usage (in MBs) for PID 4411 (mysqld)\n"
        "                           Node 0          Node 1           Total\n"
        "                  --------------- --------------- ---------------\n"
        "Private                  {:>9.2f}         1211.50        89323.60\n"
    )
    assert statements(table.format(88112.1)) == [
        "98.6 % of the memory of mysqld (PID 4411) is on NUMA node 0: 86 GiB of 87.2 GiB"
    ]
    assert statements(table.format(1400.0)) == []


def test_failures_of_local_reclaim_name_the_setting():
    assert "vm.zone_reclaim_mode" in statements("zone_reclaim_failed: 4412331\n")[0]
    assert statements("zone_reclaim_failed 3\n") == []
