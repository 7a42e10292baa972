"""What alarms of the kernel log count, which thing they name, and what lasts after them."""

from __future__ import annotations

import pytest

from signatures.overview.kernel_log.counts import part_words
from tests.ingest.readers.logs.test_kernel_log_events import HANG, WRITE
from tests.signatures.overview.test_first_screen import overview, texts

CORRECTED = (
    "[21584690.{at:06}] EDAC MC0: {count} CE error on CPU#0Channel#2_DIMM#{dimm} (channel:2 slot:0 page:0x0 "
    "offset:0x0 grain:8 syndrome:0x0)\n"
)


def corrected(*counts: int, dimm: int = 0) -> str:
    return "".join(CORRECTED.format(at=at, count=count, dimm=dimm) for at, count in enumerate(counts))


def test_corrected_errors_are_summed_and_the_module_is_named():
    (text,) = texts(overview(corrected(4, 2, 6, 1, 1, 1, 1)))
    assert text.startswith("EDAC: 16 corrected memory errors on CPU0 channel 2 DIMM 0, in 7 records")
    assert "none uncorrected in this log" in text


def test_of_several_modules_the_worst_is_named():
    (text,) = texts(overview(corrected(1, 1) + corrected(30, dimm=1)))
    assert "32 corrected memory errors on CPU0 channel 2 DIMM 1 (30 of them) and 1 more module" in text


def test_an_uncorrected_error_is_never_denied():
    uncorrected = "[21584691.000001] EDAC MC0: 1 UE memory read error on CPU#0Channel#2_DIMM#0 (channel:2)\n"
    assert not any("none uncorrected" in text for text in texts(overview(corrected(4, 2) + uncorrected)))


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("CPU_SrcID#1_MC#0_Chan#1_DIMM#0", "CPU1 MC 0 channel 1 DIMM 0"),
        ("CPU_SrcID#0_Ha#1_Chan#3_DIMM#2", "CPU0 HA 1 channel 3 DIMM 2"),
        ("mc#0csrow#1channel#0", "MC 0 csrow 1 channel 0"),
        ("DIMM_A1", "DIMM_A1"),
        ("P1-DIMMA1#x", "P1-DIMMA1#x"),
    ],
)
def test_labels_of_modules_are_words(label: str, words: str):
    assert part_words(label) == words


def test_one_hang_that_is_printed_twice_is_one():
    text = HANG.format(at=" 9327.470501", stamp="100227358", jiffies="100227517")
    text += HANG.format(at=" 9329.469310", stamp="100227358", jiffies="10022770b")
    (said,) = texts(overview(text))
    assert said.startswith("NIC transmit hang on eth0 (one report, printed 2 times)")


def test_two_hangs_are_two():
    text = HANG.format(at=" 9327.470501", stamp="100227358", jiffies="100227517")
    text += HANG.format(at=" 9527.470501", stamp="1002aa358", jiffies="1002aa517")
    (said,) = texts(overview(text))
    assert said.startswith("NIC transmit hang on eth0 (2 times)")


def test_a_file_system_that_is_shut_down_stands_in_the_sentence_hours_later():
    log = WRITE.format(tag="")
    log += "[  543.674987] blk_update_request: I/O error, dev sda, sector 28751848\n"
    log += "".join(
        f"[{39648 + 30 * at}.163360] XFS (dm-0): xfs_log_force: error -5 returned.\n" for at in range(9)
    )
    together, alone = texts(overview(log))
    assert together == "I/O errors of sda shut XFS on dm-0 down"
    assert alone.startswith(
        "SCSI command failed on sda; sense key Aborted Command: I/O process terminated; "
        "then: XFS is shut down on dm-0"
    )


def test_a_server_that_does_not_answer_is_named():
    (text,) = texts(overview("[ 6066.656127] nfs: server batalix not responding, still trying\n"))
    assert text.startswith("NFS server batalix not responding")


@pytest.mark.parametrize(
    ("mode", "is_atomic"),
    [("0x20", True), ("0xd0", False), ("0x480020(GFP_ATOMIC)", True), ("0xcc0(GFP_KERNEL)", False)],
)
def test_a_failed_allocation_says_how_much_it_asked_for(mode: str, is_atomic: bool):  # noqa: FBT001 - a row
    (text,) = texts(overview(f"[ 1.000001] tcpdump: page allocation failure: order:9, mode:{mode}\n"))
    assert text.startswith("Page allocation failure: order 9 (2 MiB in one piece, of pages of 4 KiB)")
    assert (", atomic" in text) == is_atomic
