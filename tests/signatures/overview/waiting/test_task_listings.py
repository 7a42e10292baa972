"""Tasks that the kernel lists as blocked: what each waits for, whatever machine printed the frames."""

from __future__ import annotations

from tests.signatures.overview.stated import statements

ARM = """\
[605111.400055] mk2-dbus        D    0  1284   1265 0x00000000
[605111.400123] [<c05c2e20>] (__schedule) from [<c05c31e0>] (schedule+0x40/0xa0)
[605111.400153] [<c05c31e0>] (schedule) from [<c05c5548>] (rwsem_down_read_failed+0xa8/0xe0)
[605111.400182] [<c05c5548>] (rwsem_down_read_failed) from [<c03df4d4>] (n_tty_read+0xc0/0x880)
[605111.400204] [<c03df4d4>] (n_tty_read) from [<c03da07c>] (tty_read+0x90/0xd4)
"""

DISPLAY = """\
[ 8001.100000] INFO: task kworker/u32:26:3930112 blocked for more than 122 seconds.
[ 8001.100001] task:kworker/u32:26  state:D stack:0     pid:3930112 ppid:2      flags:0x00004000
[ 8001.100002] Call Trace:
[ 8001.100003]  <TASK>
[ 8001.100004]  __schedule+0x30d/0x1270
[ 8001.100005]  schedule+0x61/0xe0
[ 8001.100006]  schedule_preempt_disabled+0x18/0x30
[ 8001.100007]  __mutex_lock.constprop.0+0x38d/0x700
[ 8001.100008]  dm_suspend+0xcc/0x1e0 [amdgpu]
[ 8001.100009]  amdgpu_device_ip_suspend_phase1+0x72/0xe0 [amdgpu]
[ 8001.100010]  </TASK>
"""


def test_frames_of_arm_belong_to_the_task_above_them():
    assert any("mk2-dbus:1284 waits for terminal lock in n_tty_read" in said for said in statements(ARM))


def test_a_function_of_the_display_driver_is_no_device_mapper():
    said = statements(DISPLAY)
    assert any("waits for mutex taken in dm_suspend" in one for one in said)
    assert not any("device-mapper" in one for one in said)
