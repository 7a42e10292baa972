"""Kernel log records that print one event more than once, and what all lines of an event say."""

from __future__ import annotations

from ingest.evidence import read_bytes

HANG = """\
[{at}] e1000e 0000:00:19.0 eth0: Detected Hardware Unit Hang:
[{at}]   TDH                  <13>
[{at}]   TDT                  <88>
[{at}] buffer_info[next_to_clean]:
[{at}]   time_stamp           <{stamp}>
[{at}]   jiffies              <{jiffies}>
"""
WRITE = """\
[  543.674222] sd 0:0:0:0: [sda] {tag}FAILED Result: hostbyte=DID_OK driverbyte=DRIVER_SENSE
[  543.674502] sd 0:0:0:0: [sda] {tag}Sense Key : Aborted Command [current]
[  543.674656] sd 0:0:0:0: [sda] {tag}Add. Sense: I/O process terminated
[  543.674813] sd 0:0:0:0: [sda] {tag}CDB: Write(10) 2a 00 01 b6 b7 e8 00 00 08 00
"""


def records(text: str):
    (section,) = read_bytes(text.encode(), name="dmesg.txt").sections
    return [one for one in section.reading.log_records if one.kind != "other"]


def test_a_hang_that_is_printed_again_is_the_event_of_the_packet_that_hangs():
    text = HANG.format(at=" 9327.470501", stamp="100227358", jiffies="100227517")
    text += HANG.format(at=" 9329.469310", stamp="100227358", jiffies="10022770b")
    text += HANG.format(at=" 9527.470501", stamp="1002aa358", jiffies="1002aa517")
    found = records(text)
    assert [one.fields["event"] for one in found] == ["100227358", "100227358", "1002aa358"]
    assert {one.fields["device"] for one in found} == {"eth0"}


def test_a_hang_whose_dump_is_cut_off_has_no_event():
    (first,) = records("[ 9327.470501] e1000e 0000:00:19.0 eth0: Detected Hardware Unit Hang:\n")
    assert "event" not in first.fields


def test_all_lines_of_a_failed_scsi_command_are_one_event_with_its_sense():
    first, second, *_ = records(WRITE.format(tag=""))
    assert (first.kind, second.kind) == ("scsi_command_failed", "scsi_command_failed")
    assert first.fields["event"] == second.fields["event"]
    assert first.fields["sense"] == "Aborted Command: I/O process terminated"


def test_lines_of_commands_with_other_tags_do_not_join():
    both = (WRITE.format(tag="tag#1 ").splitlines(), WRITE.format(tag="tag#2 ").splitlines())
    mixed = "\n".join(line for pair in zip(*both, strict=True) for line in pair)
    failed = [one for one in records(f"{mixed}\n") if "FAILED" in one.message]
    assert len({one.fields["event"] for one in failed}) == 2
    assert {one.fields["sense"] for one in failed} == {"Aborted Command: I/O process terminated"}


def test_a_rounded_stamp_behind_the_name_of_the_kernel_is_a_stamp():
    (only,) = records(
        "May  7 06:45:12 errol kernel: [  812.1] EDAC MC0: 1 CE memory read error on DIMM_A1 (x)\n"
    )
    assert (only.kind, only.uptime, only.fields["part"]) == ("edac_corrected", 812.1, "DIMM_A1")


def test_the_one_that_asks_for_memory_is_named_with_its_module():
    (failed,) = records(
        "[  1.000001] tcpdump: page allocation failure: order:9, mode:0x20\n"
        "[  1.000002] Call Trace:\n"
        "[  1.000003]  [<ffffffff8113a6c6>] warn_alloc_failed+0xf6/0x150\n"
        "[  1.000004]  [<ffffffff8113e3f0>] __alloc_pages_nodemask+0x860/0x990\n"
        "[  1.000005]  [<ffffffff811394de>] __get_free_pages+0xe/0x40\n"
        "[  1.000006]  [<ffffffff81046119>] x86_swiotlb_alloc_coherent+0x59/0x60\n"
        "[  1.000007]  [<ffffffffa0104e3a>] alloc_dma_memory+0x8a/0xe0 [fbcapture]\n"
    )
    assert failed.fields["stack"] == "alloc_dma_memory [fbcapture]"
