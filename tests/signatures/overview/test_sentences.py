"""Sentences of the first screen: how parts are joined, what a share is of, and what leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.evidence.analysis import analyse
from signatures.rendering.terminal import report_lines
from tests.ingest.samples import DATA
from tests.signatures.overview.test_first_screen import overview, texts

if TYPE_CHECKING:
    from pathlib import Path

JOURNAL = """\
[ 8823.100011] INFO: task mysqld:2201 blocked for more than 120 seconds.
[ 8823.100013] task:mysqld          state:D stack:    0 pid: 2201 ppid:     1 flags:0x00000000
[ 8823.100014] Call Trace:
[ 8823.100015]  __schedule+0x24e/0x590
[ 8823.100016]  schedule+0x69/0x110
[ 8823.100017]  jbd2_log_wait_commit+0x10d/0x170
[ 8823.100020]  ext4_sync_file+0x130/0x320
[ 8823.100021]  do_fsync+0x38/0x70
[ 8823.300011] INFO: task jbd2/dm-0-8:811 blocked for more than 120 seconds.
[ 8823.300013] task:jbd2/dm-0-8     state:D stack:    0 pid:  811 ppid:     2 flags:0x00004000
[ 8823.300014] Call Trace:
[ 8823.300015]  __schedule+0x24e/0x590
[ 8823.300016]  schedule+0x69/0x110
[ 8823.300017]  io_schedule+0x46/0x80
[ 8823.300018]  wait_on_page_bit_common+0x10c/0x3d0
[ 8823.300019]  jbd2_journal_commit_transaction+0x9d8/0x1a60
[ 8823.300020]  kjournald2+0xa9/0x280
"""
NVME = """\
[ 5210.100001] nvme nvme0: I/O 17 QID 4 timeout, disable controller
[ 5211.100001] nvme nvme0: Device not ready; aborting reset, disabling device.
[ 5211.200001] blk_update_request: I/O error, dev nvme0n1, sector 41943040 op 0x1:(WRITE) flags 0x800
"""
HEAD = "            CPU0       CPU1       CPU2       CPU3\n"
LOCAL = "LOC:     158209     153920     150000     149000   Local timer interrupts\n"


def interrupt(number: int, counts: tuple[int, ...], device: str) -> str:
    columns = " ".join(f"{count:>10}" for count in counts)
    return f"{number:>3}: {columns}  PCI-MSI {number}-edge {device}\n"


def test_a_message_ends_without_its_full_stop_where_more_follows():
    said = texts(overview(NVME))
    assert said
    assert not [one for one in said if ".;" in one]


def test_a_share_of_throttled_periods_states_since_when_it_counts():
    found = overview("nr_periods 41233\nnr_throttled 3299\nthrottled_usec 99123441\n")
    assert "8 % of the CPU periods were throttled since it was made" in found.headline.text


def test_a_queue_per_cpu_is_no_trouble():
    table = HEAD + interrupt(40, (991223, 0, 0, 0), "nvme0q1") + interrupt(41, (0, 10, 0, 0), "nvme0q2")
    found = overview(table + LOCAL)
    assert "nvme0q1" not in " ".join(texts(found, "fact"))
    assert found.headline.kind == "not assessed"


def test_queues_that_all_interrupt_one_cpu_are_named_together():
    table = HEAD + "".join(interrupt(50 + at, (500000, 10, 0, 0), f"eth0-TxRx-{at}") for at in range(4))
    assert "100 % of 2,000,040 interrupts of the 4 queues of eth0 went to CPU 0 since boot" in texts(
        overview(table + LOCAL), "fact"
    )


def test_interrupts_of_one_cpu_need_a_second_cpu():
    found = overview(
        "           CPU0\n"
        " 11:     991223  IO-APIC   11-fasteoi   eth0\n"
        "LOC:     158209   Local timer interrupts\n"
    )
    assert "went to CPU" not in " ".join((found.headline.text, *texts(found, "fact")))


def test_the_match_leads_the_terminal_where_its_headline_ends_with_a_statement():
    first = next(iter(report_lines(analyse([str(DATA / "kernel-log" / "hung-task.guest.txt")]).report))).text
    assert "waits for timer in journal_writer, for" in first


def test_the_journal_thread_is_named_among_blocked_tasks(tmp_path: Path):
    file = tmp_path / "dmesg.txt"
    file.write_text(JOURNAL)
    assert "jbd2/dm-0-8:811" in analyse([str(file)]).overview.headline.text
