"""Arrays, paths, media and file systems that need attention speak; healthy ones are silent."""

from __future__ import annotations

import pytest

from tests.signatures.overview.stated import MACHINE, changed, statements

MDSTAT = (MACHINE / "proc/mdstat").read_text()
TWO_MAPS = (MACHINE / "sos_commands/multipath/multipath_-v4_-ll").read_text()
PATHS = TWO_MAPS[: TWO_MAPS.index("mpathe")]
NVME = (MACHINE / "sos_commands/nvme/nvme_smart-log_dev_nvme0").read_text()
MOUNTS = (MACHINE / "proc/self/mountinfo").read_text()
LSBLK = (MACHINE / "sos_commands/block/lsblk").read_text()
DF = (MACHINE / "sos_commands/filesys/df_-al_-x_autofs").read_text()
INODES = (MACHINE / "sos_commands/filesys/df_-ali_-x_autofs").read_text()
SMART = MACHINE.parents[1] / "smartctl"
FAILING = (SMART / "failing-ata.json").read_text()


@pytest.mark.parametrize(
    "text",
    [PATHS, NVME, MOUNTS, LSBLK],
    ids=["multipath", "nvme", "mountinfo", "lsblk"],
)
def test_a_healthy_output_is_silent(text):
    assert statements(text) == []


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


def test_full_file_systems_speak_and_others_do_not():
    assert statements(DF) == ["/srv/spool has no space left: 100 % of 4 MiB used"]
    assert statements(INODES) == ["/srv/spool has no inodes left: 100 % of the inodes used"]
    healthy = "".join(line for line in DF.splitlines(keepends=True) if "spool" not in line)
    assert statements(healthy) == []


def test_read_only_images_are_full_by_nature():
    head = "Filesystem     1K-blocks  Used Available Use% Mounted on\n"
    assert statements(head + "/dev/loop3         56960 56960         0 100% /snap/core18/2074\n") == []
