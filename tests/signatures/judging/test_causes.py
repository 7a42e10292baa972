"""The card of a cause comes before those of its consequences."""

from __future__ import annotations

import pytest

from cli.evidence.analysis import analyse

NVME = """\
[ 100.000000] nvme nvme2: I/O tag 211 (10d3) opcode 0x1 (I/O Cmd) QID 7 timeout, aborting
[ 131.000000] nvme nvme2: I/O tag 211 (10d3) opcode 0x1 (I/O Cmd) QID 7 timeout, reset controller
[ 204.000000] nvme nvme2: Device not ready; aborting reset, CSTS=0x1
[ 235.000000] nvme nvme2: Disabling device after reset failure: -19
[ 235.100000] I/O error, dev nvme2n1, sector 903817472 op 0x1:(WRITE) flags 0x8800 phys_seg 32 prio class 2
"""
EXT4 = """\
[ 235.200000] EXT4-fs error (device nvme2n1): __ext4_find_entry:1678: inode #31457282: comm java
[ 235.300000] EXT4-fs (nvme2n1): Remounting filesystem read-only
"""


@pytest.fixture
def judged(tmp_path):
    def judge(text: str) -> dict[str, str]:
        path = tmp_path / "dmesg.txt"
        path.write_text(text)
        found = [one for one in analyse([str(path)]).findings if one.verdict == "match"]
        return {one.signature.id: one.caused_by for one in found}

    return judge


def test_a_lost_controller_comes_before_the_file_system_that_it_took_along(judged):
    found = judged(NVME + EXT4)
    assert next(iter(found)) == "block/nvme-controller-lost"
    assert found["fs/readonly-after-error"] == "block/nvme-controller-lost"


def test_what_failed_later_is_no_cause(judged):
    later = NVME.replace("[ ", "[ 9")
    assert judged(EXT4 + later)["fs/readonly-after-error"] == ""


def test_a_file_system_alone_has_no_cause(judged):
    assert judged(EXT4) == {"fs/readonly-after-error": ""}
