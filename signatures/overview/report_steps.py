"""What to do first about a report of the kernel log that no signature explains: crashes, lockups, devices.

The log is saved before anything that may end the host, what can be undone comes before what cannot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

ReportTopic: TypeAlias = Literal[
    "bus errors",
    "device",
    "failed allocation",
    "failed check",
    "firmware",
    "lockup",
    "memory corruption",
    "oops",
    "packet size",
    "panic",
    "power and heat",
    "process crash",
    "real-time tasks",
    "storage link",
]

REPORT_STEPS: Mapping[str, tuple[str, ...]] = {
    "bus errors": (
        "If they are corrected and few: nothing is lost; count them (aer_dev_correctable in sysfs)",
        "If they are many: compare LnkSta with LnkCap (lspci -vv); a narrow or slow link is a bad contact",
        "If saving power makes them: pcie_aspm/parameters/policy to performance; note the old policy",
        "If they are uncorrected or fatal: take the device out of use before it is reset or exchanged",
    ),
    "device": (
        "If it recovered by itself: count how often, and note the versions of driver and firmware",
        "If it has a partner (bond, multipath, array): take it out of use, note how to put it back",
        "If it began with a kernel, driver or firmware release: go back to the last one that worked",
        "If nothing changed: other cable, other slot, then another device",
    ),
    "failed allocation": (
        "If it is rare, and a device or the network asked (GFP_ATOMIC): a packet was lost; nothing to do now",
        "If its order is 0: memory was used up; the table below it (Mem-Info) shows what holds it",
        "If its order is 1 or more: memory is in pieces; raise vm.min_free_kbytes, and note the old value",
    ),
    "failed check": (
        "If it is printed once and all works: keep the log; nothing to do now",
        "If it comes again: what runs at these times is the trigger; run less of it",
        "If kernel.panic_on_warn is 1, the next one ends the host: set it to 0; undo: back to 1",
        "If it began with a kernel or module release: go back to the last one that worked",
    ),
    "firmware": (
        "If the driver kept a dump: copy /sys/class/devcoredump/devcd*/data, often deleted after 5 minutes",
        "If a firmware file is missing: install the package that has it, then reload the driver",
        "If it crashes again: go back to the last driver and firmware that worked together",
    ),
    "lockup": (
        "If it is a virtual machine: look at steal time and at its host; a CPU that is not run looks stuck",
        "If it lasts: timeout -s KILL 30 perf record -a -g -F 49 -o /dev/shm/l.data -- sleep 10 shows it",
        "If it spins on a lock: echo l > /proc/sysrq-trigger shows the holder; not on a serial console",
        "If it does not end: drain the host, copy dmesg off it, restart it",
    ),
    "memory corruption": (
        "If the host runs: copy dmesg off it, stop what writes data, restart it; its memory is damaged",
        "If the hardware logs memory errors, too (ras-mc-ctl --errors): exchange that module",
        "If a module of another source is in the trace: boot once without it",
        "If it comes again: a kernel with KASAN, or slub_debug=FZPU, on one test host names who wrote",
    ),
    "oops": (
        "If the host still runs: copy dmesg off it, then drain and restart it; locks may stay held",
        "If it restarted: copy /var/crash, /sys/fs/pstore and /var/lib/systemd/pstore first",
        "If a module of another source is in the trace (taint O, OE): boot once without it",
        "If it began with a kernel or driver release: boot the last one that worked",
    ),
    "packet size": (
        "If guests or containers send larger packets than the port takes: give them the MTU of the port",
        "If the network below carries more: raise the MTU of the ports; VXLAN over IPv4 adds 50 bytes",
        "If nobody sends so large: look for large-receive-offload on the receiving interface (ethtool -k)",
    ),
    "panic": (
        "If /var/crash has a dump: copy it; makedumpfile --dump-dmesg vmcore dmesg.txt shows the log",
        "If it has none: look in /sys/fs/pstore and the console of the BMC; set up kdump for the next",
        "If it waited instead of restarting: sysctl -w kernel.panic=30 for the next; undo: 0",
        "If it began with a kernel or driver release: boot the last one that worked",
    ),
    "power and heat": (
        "If a fan, the inlet or a power supply is out of range (ipmitool sdr elist): that first",
        "If load makes the heat: cap it (cpu.max) or move work away; the clock comes back by itself",
    ),
    "process crash": (
        "If one program crashes: coredumpctl list, and its last release; restart it or go back",
        "If different programs crash: look for memory errors (ras-mc-ctl --errors), then test the memory",
    ),
    "real-time tasks": (
        "If a real-time task loops: note its policy (chrt -p PID), then chrt -o -p 0 PID lets others run",
        "If its work is meant: pin it to a CPU of its own, or give it less to do",
    ),
    "storage link": (
        "If it recovered and is rare: count it in the log and as UDMA_CRC_Error_Count of smartctl -x",
        "If it comes again: reseat or exchange the cable, other port; the disk is not shown to be bad",
        "If the disk does not come back: fail over to a replica or the array before it is touched",
    ),
}
