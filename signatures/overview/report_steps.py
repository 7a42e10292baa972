"""What to do first about a report of the kernel log that no signature explains: crashes, lockups, devices.

The log is saved before anything that may end the host, what can be undone comes before what cannot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

ReportTopic: TypeAlias = Literal[
    "bus access",
    "bus errors",
    "clock",
    "device",
    "failed allocation",
    "failed check",
    "firmware",
    "iommu fault",
    "late timer",
    "lockup",
    "long work",
    "lost device",
    "lost link",
    "lost transfers",
    "memory corruption",
    "new release",
    "oops",
    "packet size",
    "panic",
    "power and heat",
    "power supply",
    "process crash",
    "real-time tasks",
    "rule violation",
    "unknown NMI",
]

REPORT_STEPS: Mapping[str, tuple[str, ...]] = {
    "bus access": (
        "If a driver is in the trace: it touched hardware that did not answer; boot once without that driver",
        "If it began with a kernel, driver or device tree release: go back to the last one that worked",
    ),
    "bus errors": (
        "If they are few: nothing is lost; count them (aer_dev_correctable in sysfs)",
        "If they are many: compare LnkSta with LnkCap (lspci -vv); a narrow or slow link is a bad contact",
        "If saving power makes them: pcie_aspm/parameters/policy to performance; note the old policy",
    ),
    "clock": (
        "If it is a guest: look at its host at that second; the hypervisor's clock (kvm-clock) is the better",
        "If not: the kernel has changed to another clock; see the firmware before the old one is forced",
    ),
    "late timer": (
        "If it is a guest: look at its host at that second (steal time, live migration); it is printed once",
        "If not: count firmware interrupts (turbostat shows SMI), and look for CPUs held with interrupts off",
    ),
    "device": (
        "If it recovered by itself: count how often, and note the versions of driver and firmware",
        "If it has a partner that is well: take it out of use, and note how to put it back",
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
    "iommu fault": (
        "If the device fails, too: take it out of use; it used memory that its driver had given back",
        "If it began with a kernel, driver or firmware release: go back to the last one that worked",
    ),
    "lockup": (
        "If it is a virtual machine: look at steal time and at its host; a CPU that is not run looks stuck",
        "If it lasts: timeout -s KILL 30 perf record -N --synth=task -ag -F 49 -o /dev/shm/l -- sleep 10",
        "If it spins on a lock: its holder is the cause, on another CPU of the same recording",
        "If it does not end: drain the host, copy dmesg off it, restart it",
    ),
    "long work": (
        "If it is rare: nothing is lost; the message names the function and how often it took so long",
        "If latency suffers: search that function with the release of the kernel; some were moved since",
    ),
    "lost device": (
        "If somebody pulled it or switched it off: nothing to do",
        "If it has a partner (bond, multipath, array): see that the partner carries all, and touch nothing",
        "If it began with a kernel, driver or firmware release: go back to the last one that worked",
        "If nothing changed: power and seat of the device; a cold start often brings it back",
    ),
    "lost link": (
        "If another member of the bond is up: traffic goes on; it alone carries it now",
        "If none is up: look for what they share: switch, its port settings, driver, firmware",
        "If the switch shows errors on that port: cable or transceiver, one at a time",
    ),
    "lost transfers": (
        "If the device still works: move its work away before it is reset or exchanged",
        "Compare LnkSta with LnkCap (lspci -vv): a narrow or slow link is a bad contact",
        "If it comes again: other slot or riser, then another device",
    ),
    "memory corruption": (
        "If the host runs: copy dmesg off it, stop what writes data, restart it; its memory may be damaged",
        "If the hardware logs memory errors, too (ras-mc-ctl --errors): exchange that module",
        "If a module of another source is in the trace: boot once without it",
        "If it comes again: a kernel with KASAN, or slub_debug=FZPU, on one test host names who wrote",
    ),
    "new release": (
        "If it began with a kernel, driver or firmware release: go back to the last one that worked",
        "If not: keep the log; the device may be worn, or its firmware at fault",
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
        "If a sensor of a fan, the inlet or a supply is out of range (sensors, or the BMC's): that first",
        "If load makes the heat: cap it (cpu.max) or move work away; the clock comes back by itself",
    ),
    "power supply": (
        "Another supply and a short, thick cable first: low voltage corrupts cards and drops USB devices",
        "If devices hang on its ports: unplug what is not needed, or give them a supply of their own",
    ),
    "process crash": (
        "If one program crashes: coredumpctl list, and its last release; restart it or go back",
        "If different programs crash: look for memory errors (ras-mc-ctl --errors), then test the memory",
    ),
    "real-time tasks": (
        "If a real-time task loops: note its policy (chrt -p PID), then chrt -o -p 0 PID lets others run",
        "If its work is meant: pin it to a CPU of its own, or give it less to do",
    ),
    "rule violation": (
        "If it is printed once and all works: keep the log; nothing to do now",
        "If tasks hang after it: the functions that it names are the first to look at",
        "If it began with a kernel or module release: go back to the last one that worked",
    ),
    "unknown NMI": (
        "If perf, a profiler or a hypervisor's tool runs: end it, and see whether they stop",
        "If the hardware logged an error at that second: that part first",
    ),
}
