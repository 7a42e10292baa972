"""Sockets, queues, arrays, paths, media and mounts that need attention speak; healthy ones are silent."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.evidence import read_bytes
from signatures.judging.scope import items_of
from signatures.overview import run

MACHINE = Path(__file__).parents[2] / "data/files/machine"
NETWORKING = MACHINE / "sos_commands/networking"
SOCKETS = (NETWORKING / "ss_-tan").read_text()
NETSTAT = (NETWORKING / "netstat_-tanope").read_text()
QDISC = (NETWORKING / "tc_-s_qdisc_show").read_text()
TRACKING = (MACHINE / "proc/net/stat/nf_conntrack").read_text()
MDSTAT = (MACHINE / "proc/mdstat").read_text()
TWO_MAPS = (MACHINE / "sos_commands/multipath/multipath_-v4_-ll").read_text()
PATHS = TWO_MAPS[: TWO_MAPS.index("mpathe")]
NVME = (MACHINE / "sos_commands/nvme/nvme_smart-log_dev_nvme0").read_text()
MOUNTS = (MACHINE / "proc/self/mountinfo").read_text()
LSBLK = (MACHINE / "sos_commands/block/lsblk").read_text()
NODES = (MACHINE / "sos_commands/numa/numactl_--hardware").read_text()


def statements(text, name="x"):
    return [
        one.text
        for panel in run(items_of([read_bytes(text.encode(), name=name)]))
        for one in panel.statements
    ]


def changed(text, before, after):
    assert text.count(before) == 1, before
    return text.replace(before, after)


HEALTHY_SOCKETS = SOCKETS.replace("LISTEN     6 ", "LISTEN     5 ")


@pytest.mark.parametrize(
    "text",
    [HEALTHY_SOCKETS, NETSTAT, QDISC, TRACKING, PATHS, NVME, MOUNTS, LSBLK, NODES],
    ids=["ss", "netstat", "tc", "conntrack", "multipath", "nvme", "mountinfo", "lsblk", "numactl"],
)
def test_a_healthy_output_is_silent(text):
    assert statements(text) == []


def test_a_full_listen_queue_speaks_with_its_limit():
    expected = ["The listen queue of 10.77.0.1:8080 is full: 6 connections wait for accept, 5 may"]
    assert statements(SOCKETS) == expected
    headless = "\n".join(line for line in SOCKETS.splitlines()[1:] if "LISTEN" in line) + "\n"
    assert statements(headless) == expected


def test_netstat_prints_no_limit_so_only_a_long_queue_speaks():
    long = changed(NETSTAT, "tcp        6 ", "tcp      129 ")
    (text,) = statements(long)
    assert (
        text.removesuffix(" (limit of the queue not in the evidence)")
        == "129 connections wait for accept at 10.77.0.1:8080 (python3)"
    )


def test_connections_that_nobody_closes_speak():
    row = next(line for line in SOCKETS.splitlines() if line.startswith("CLOSE-WAIT"))
    assert any(
        "1,001 connections are in CLOSE-WAIT" in one
        for one in statements(HEALTHY_SOCKETS + f"{row}\n" * 1000)
    )


def test_drops_of_a_discipline_speak_with_their_base():
    dropping = changed(QDISC, "420 pkt (dropped 0,", "420 pkt (dropped 500,")
    assert statements(dropping) == ["54.3 % of packets for v0 were dropped by its tbf: 500 of 920"]


def test_drops_of_a_driver_speak_with_their_base():
    nic = "NIC statistics:\n     rx_packets: 200000\n     rx_missed_errors: {}\n     tx_packets: 5\n"
    assert statements(nic.format(10)) == []
    (text,) = statements(nic.format(900))
    assert text.startswith("0.45 % of packets that arrived at the interface found no free receive buffer")


def test_tracking_that_drops_speaks():
    head, row = TRACKING.splitlines()[:2]
    cells = row.split()
    cells[10] = "000007d0"
    text = f"{head}\n{' '.join(cells)}\n"
    assert statements(text) == [
        "2,000 packets were dropped since connection tracking could make no entry (since boot)"
    ]


def test_degraded_and_inactive_arrays_speak_and_those_that_are_checked_do_not():
    inactive = [one for one in statements(MDSTAT) if "degraded" not in one]
    assert not any("check" in one for one in inactive)
    assert {"The array md219 is inactive", "The array md4 is inactive"} <= set(inactive)
    degraded = "md1 : active raid1 sdb1[1](F) sda1[0]\n      16787776 blocks [2/1] [U_]\n"
    assert statements(degraded) == ["md1 is degraded: 1 of 2 devices work"]
    check = "      [=>...................]  check = 12.6% (1/9) finish=1min speed=100K/sec\n"
    checked = "md1 : active raid1 sdb[1] sda[0]\n      9 blocks [2/2] [UU]\n" + check
    assert statements(checked) == ["All devices of the array work"]


def test_failed_paths_speak_by_name():
    failed = PATHS.replace(
        "12:0:0:1 sdc 8:32   active ready running", "12:0:0:1 sdc 8:32   failed faulty running"
    )
    assert statements(failed) == ["mpathg: 1 of 8 paths failed (sdc)"]


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (
            "critical_warning\t\t\t: 0",
            "critical_warning\t\t\t: 0x9",
            "nvme0 warns: the spare is below its threshold, the media is read-only",
        ),
        (
            "media_errors\t\t\t\t: 0",
            "media_errors\t\t\t\t: 12",
            "12 errors of data integrity on nvme0 (media_errors)",
        ),
        (
            "percentage_used\t\t\t\t: 0%",
            "percentage_used\t\t\t\t: 104%",
            "nvme0 has used 104 % of the endurance that its vendor states",
        ),
        (
            "spare_threshold\t\t: 0%",
            "spare_threshold\t\t: 10%",
            "0 % spare left on nvme0, below its threshold of 10 %",
        ),
    ],
)
def test_worn_media_speak(before, after, text):
    assert statements(changed(NVME, before, after)) == [text]


SMART = MACHINE.parents[1] / "smartctl"
FAILING = (SMART / "failing-ata.json").read_text()


@pytest.mark.parametrize("name", ["ata.txt", "ata-brief.txt", "scsi.json"])
def test_a_disk_that_passes_is_silent(name):
    assert not any("SMART" in text for text in statements((SMART / name).read_text()))


def test_a_failing_disk_speaks_with_the_attribute_and_its_sectors():
    disk = "sdc (Hitachi HDS721050DLE630)"
    assert statements(FAILING) == [
        f"{disk} fails by its own assessment (SMART): Reallocated_Sector_Ct at its threshold",
        f"{disk} has 8 sectors that it cannot read (Current_Pending_Sector)",
        f"3 self-tests of {disk} found it broken (SMART)",
        f"{disk} has replaced 1,975 sectors (Reallocated_Sector_Ct)",
    ]
    passing = changed(
        FAILING, '"passed": false\n  },\n  "ata_smart_data"', '"passed": true\n  },\n  "ata_smart_data"'
    )
    assert f"Reallocated_Sector_Ct of {disk} is at its threshold (SMART)" in statements(passing)


def test_a_controller_that_warns_speaks_in_every_form():
    log = (MACHINE / "sos_commands/nvme/nvme_smart-log_-o_json_dev_nvme0").read_text()
    warns = "warns: the spare is below its threshold, reliability is degraded"
    assert statements(log) == [f"The NVMe controller {warns}"]
    assert f"QEMU NVMe Ctrl {warns}" in statements((SMART / "nvme-warning.txt").read_text())


def test_a_number_with_leading_zeros_is_decimal():
    padded = changed(NVME, "media_errors\t\t\t\t: 0", "media_errors\t\t\t\t: 012")
    assert statements(padded) == ["12 errors of data integrity on nvme0 (media_errors)"]


def test_a_filesystem_that_turned_read_only_speaks_and_one_mounted_so_does_not():
    row = "34 31 7:0 / /mnt/data rw,relatime - ext4 /dev/loop0 rw,errors=remount-ro"
    turned = changed(MOUNTS, row, row.replace(" rw,errors", " ro,errors"))
    assert statements(turned) == [
        "/mnt/data is mounted for writing, but its ext4 is read-only, as after an error"
    ]
    mounted = changed(MOUNTS, row, row.replace("rw", "ro"))
    assert statements(mounted) == []


def test_pages_on_another_node_speak_only_of_several_nodes_and_many_pages():
    head = "                           node0           node1\n"
    table = head + "numa_hit               {0}       {0}\nnuma_miss              {1}       {1}\n"
    assert statements(table.format(9000000, 10000)) == []
    assert statements(table.format(900, 900)) == []
    assert statements(table.format(9000000, 3000000)) == [
        "25 % of pages were allocated on another NUMA node than wanted (since boot)"
    ]
