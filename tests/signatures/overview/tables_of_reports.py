"""Pieces of kernel logs."""

from __future__ import annotations

MACHINE_CHECK = """\
[   12.345678] mce: [Hardware Error]: Machine check events logged
[   12.345900] EDAC MC0: 1 CE memory read error on CPU_SrcID#0_Chan#2_DIMM#0 (channel:2 slot:0 page:0x7f12)
"""
PANIC_ON_WARN = """\
[   12.500000] Kernel panic - not syncing: panic_on_warn set ...
[   12.500001] CPU: 1 PID: 4711 Comm: syz-executor Not tainted 6.8.0 #1
[   12.500002] Call Trace:
[   12.500003]  dump_stack_lvl+0x57/0x80
[   12.500004]  panic+0x107/0x283
[   12.500005]  __warn+0x8a/0x140
[   12.500006]  report_bug+0xbe/0xf0
[   12.500007]  exc_invalid_op+0x1a/0x50
[   12.500008]  asm_exc_invalid_op+0x12/0x20
[   12.500009]  tcp_send_loss_probe+0x1f0/0x210
[   12.500010]  tcp_write_timer_handler+0x12/0x40
"""
RAID_WORKERS = "".join(
    f"[216427.24{at}] INFO: task md{at}_raid1:20{at} blocked for more than 120 seconds.\n"
    f"[216427.24{at}] md{at}_raid1       D    0   20{at}      2 0x80000000\n[216427.24{at}] Call Trace:\n"
    f"[216427.24{at}]  schedule+0x28/0x80\n[216427.24{at}]  {wait}+0x6e/0xa0\n"
    f"[216427.24{at}]  md_check_recovery+0x41/0x530\n[216427.24{at}]  raid1d+0x5c/0xf10\n"
    for at, wait in ((2, "wbt_wait"), (5, "md_super_wait"))
)
HOSTLESS = """\
Oct 12 18:12:16 kernel: INFO: task kworker/u24:0:14899 blocked for more than 120 seconds.
Oct 12 18:12:16 kernel: kworker/u24:0   D ffff99102b3226e0     0 14899      2 0x00000080
Oct 12 18:12:16 kernel: Call Trace:
Oct 12 18:12:16 kernel:  [<ffffffffb3389179>] schedule+0x29/0x70
Oct 12 18:12:16 kernel:  [<ffffffffb31abf45>] md_handle_request+0xd5/0x1c0
"""

TABLES = {
    "syslog without a host": (
        HOSTLESS,
        "kworker/u24:0:14899 waits for MD array in md_handle_request, for at least 120 s",
    ),
    "workers of two arrays": (
        RAID_WORKERS,
        "md2_raid1:202 waits for free request of a block device in wbt_wait",
    ),
    "a panic on a warning": (PANIC_ON_WARN, "tcp_send_loss_probe"),
    "a machine check with its module": (MACHINE_CHECK, "CPU_SrcID#0_Chan#2_DIMM#0"),
}
"""Output by what it is, with words of its headline."""
