"""Reports in the words of older kernels and drivers have their class."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("[   63.550339][    C1] divide_error: 0000 [#1] PREEMPT SMP KASAN", "divide_error"),
        ("[   63.550339] divide error: 0000 [#1] PREEMPT SMP NOPTI", "divide_error"),
        ("[  734.270366] [ BUG: syz-executor/31761 still has locks held! ]", "lockdep_deadlock"),
        ("[  734.270366] WARNING: syz-executor/31761 still has locks held!", "lockdep_deadlock"),
        (
            "[7.270366] megaraid_sas 0000:18:00.0: FW in FAULT state Fault code:0x10000 subcode:0x0",
            "storage_controller_fault",
        ),
        (
            "[7.27036] WARNING: Pool 'a' has encountered an uncorrectable I/O failure and has been suspended",
            "zfs_pool_suspended",
        ),
    ],
)
def test_a_report_has_its_class(line, kind):
    (section,) = read_bytes(f"{line}\n".encode(), name="log").sections
    assert [record.kind for record in section.reading.log_records] == [kind]


def test_a_program_that_speaks_of_locks_has_none():
    log = b"Nov 24 10:11:12 db-02 backup[812]: BUG: worker still has locks held!\n"
    kinds = [one.kind for part in read_bytes(log, name="log").sections for one in part.reading.log_records]
    assert "lockdep_deadlock" not in kinds
