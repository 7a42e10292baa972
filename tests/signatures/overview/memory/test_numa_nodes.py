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
