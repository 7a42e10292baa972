"""Files and outputs that a first step asks for: what each states."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes
from tests.ingest.samples import DATA

FANOTIFY = """/proc/812/fdinfo/3:fanotify flags:4 event-flags:8000
/proc/812/fdinfo/3:fanotify mnt_id:1b mflags:0 mask:10000 ignored_mask:0
/proc/812/fdinfo/3:fanotify sdev:fd00001 mflags:0 mask:8000020 ignored_mask:0
/proc/907/fdinfo/9:fanotify flags:0 event-flags:8000
"""
LOGGED = """Error Log Entries for device:nvme1 entries:3
.................
 Entry[ 0]
.................
error_count  : 3
sqid         : 2
cmdid        : 0x8
status_field : 0x4502(Unrecovered Read Error: The read data could not be recovered from the media)
parm_err_loc : 0xffff
lba          : 0x4004
.................
 Entry[ 1]
.................
error_count  : 2
sqid         : 0
status_field : 0x4004(Invalid Field in Command: A reserved coded value)
.................
 Entry[ 2]
.................
error_count  : 0
status_field : 0(SUCCESS: The command completed successfully)
"""
PORTS = """link mlx5_0/1
\trx_write_requests 7
\tlocal_ack_timeout_err 8
link mlx5_1/1
\tlocal_ack_timeout_err 0
"""
SMB = r"""Display Internal CIFS Data Structures for Debugging
---------------------------------------------------
CIFS Version 2.47
Servers:
1) ConnectionId: 0x1 Hostname: files
TCP status: 3 Instance: 7
Local Users To Server: 1 SecMode: 0x1 Req On Wire: 2 Net namespace: 4026531840
In Send: 0 In MaxReq Wait: 5

	Shares:
	0) IPC: \\files\IPC$ Mounts: 1 DevInfo: 0x0 Attributes: 0x0
	PathComponentMax: 0 Status: 1 type: 0 Serial Number: 0x0
	1) \\files\data Mounts: 1 DevInfo: 0x20 Attributes: 0xc706ff
	PathComponentMax: 255 Status: 1 type: DISK Serial Number: 0x1	DISCONNECTED

	MIDs:
	Server ConnectionId: 0x1
		State: 2 com: 8 pid: 4021 cbdata: 00000000a1b2c3d4 mid 991
		State: 2 com: 8 pid: 4022 cbdata: 00000000a1b2c3d5 mid 992
--
"""


@pytest.mark.parametrize(
    ("text", "name", "values"),
    [
        (FANOTIFY, "process.fanotify_marks", {"812": 2.0, "907": 0.0}),
        (FANOTIFY, "process.fanotify_permission_marks", {"812": 1.0, "907": 0.0}),
        (LOGGED, "nvme.log.media_errors", {"nvme1, Unrecovered Read Error": 1.0}),
        (LOGGED, "nvme.log.errors", {"nvme1, Invalid Field in Command": 1.0}),
        (
            LOGGED[: LOGGED.index(" Entry[ 0]")] + LOGGED[LOGGED.index(" Entry[ 2]") :],
            "nvme.log.errors",
            {"nvme1": 0.0},
        ),
        (PORTS, "rdma.local_ack_timeout_err", {"mlx5_0/1": 8.0, "mlx5_1/1": 0.0}),
        (SMB, "cifs.connection", {"files": "needs reconnect"}),
        (SMB, "cifs.disconnected", {r"\\files\data": 1.0}),
        (SMB, "cifs.requests_waiting", {"files": 5.0}),
        (SMB, "cifs.requests_in_flight", {"files": 2.0}),
        (SMB, "cifs.pending_requests", {"files": 2.0}),
    ],
)
def test_what_an_output_that_is_asked_for_states(text, name, values):
    (section,) = read_bytes(text.encode(), name="paste.txt").sections
    found = [fact for fact in section.reading.facts if fact.name == name]
    assert {", ".join(fact.labels.values()): fact.value for fact in found} == values
    assert not section.reading.skipped


def test_files_that_one_command_prints_are_read_apart():
    stats = "Resources in use\nCIFS Session: 1\n\n3 session 5 share reconnects\n"
    text = f"$ cat /proc/fs/cifs/DebugData /proc/fs/cifs/Stats\n{SMB}{stats}"
    sections = read_bytes(text.encode(), name="paste.txt").sections
    assert [one.format for one in sections] == ["proc-cifs-debug-data", "proc-cifs-stats"]


def test_softirqs_below_interrupts_are_read_as_such():
    files = [(DATA / "files/machine/proc" / one).read_text() for one in ("interrupts", "softirqs")]
    text = "$ cat /proc/interrupts /proc/softirqs\n" + "".join(files)
    sections = read_bytes(text.encode(), name="paste.txt").sections
    assert [one.format for one in sections] == ["proc-interrupts", "proc-softirqs"]
    assert not any(one.reading.skipped for one in sections)
