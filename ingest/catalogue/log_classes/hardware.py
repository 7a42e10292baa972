"""Messages of processors, memory controllers, interrupts, clocks and temperature."""

from __future__ import annotations

from ingest.catalogue.log_classes.causes import INTERRUPTS, STUCK
from ingest.catalogue.log_classes.model import LogClass

ERRORS = (
    LogClass(
        name="mce_uncorrected",
        subsystem="mce",
        severity="critical",
        pattern=r"(?:^mce: Uncorrected |^MCE: Killing (?P<comm>.+):(?P<pid>\d+) due to hardware|"
        r"\[Hardware Error\]: (?:CPU (?P<cpu>\d+): Machine Check(?: Exception)?: [4-9a-f]\w*"
        r"(?: Bank (?P<bank>\d+))?|Machine check: |"
        r"This is not a software problem)|^Disabling lock debugging due to machine check|^mce: .*(?:Fatal|"
        r"fatal|panic))",
        meaning="machine check: uncorrected hardware error",
        source="arch/x86/kernel/cpu/mce/core.c print_mce, kill_me_maybe; arch/x86/mm/fault.c do_sigbus",
        sample="mce: Uncorrected hardware memory error in user-access at 3d40a3000",
        follows=("edac_corrected", "mce", "mce_logged"),
    ),
    LogClass(
        name="ghes_fatal",
        subsystem="mce",
        severity="critical",
        pattern=r"\{\d+\}\[Hardware Error\]: (?:event severity: (?:fatal|recoverable)|"
        r".*Error \d+, type: (?:fatal|recoverable))|^BERT: Error records from previous boot",
        meaning="uncorrected hardware error, reported by the firmware (GHES)",
        source="drivers/firmware/efi/cper.c cper_estatus_print, drivers/acpi/apei/bert.c",
        sample="{1}[Hardware Error]: event severity: fatal",
        follows=("edac_corrected", "mce", "mce_logged"),
    ),
    LogClass(
        name="mce",
        subsystem="mce",
        severity="error",
        pattern=r"(?:\[Hardware Error\](?:: (?:CPU (?P<cpu>\d+): Machine Check: \d+ Bank (?P<bank>\d+)|"
        r"CPU:\d+ \([^)]*\) MC(?P<bank_2>\d+)_STATUS|"
        r"(?P<unit>[A-Z][\w /-]+?) Ext\. Error Code: ))?|"
        r"^mce: .*(?:storm|broadcast|Corrected error)|"
        r"^MCA?E?: .*(?:error|Killing))",
        meaning="hardware error (machine check); the record states its severity",
        source="arch/x86/kernel/cpu/mce/core.c print_mce, drivers/acpi/apei/ghes.c __ghes_print_estatus",
        sample="mce: [Hardware Error]: CPU 0: Machine Check: 0 Bank 17: dc2040000000011b",
        follows=("mce_logged",),
    ),
    LogClass(
        name="edac_uncorrected",
        subsystem="edac",
        severity="critical",
        pattern=r"^EDAC .*\b(?P<count>\d+) UE\b(?:.*? on (?P<part>[^\s(]+)|"
        r".*\blabel \"(?P<part_2>[^\"]+)\")?|^EDAC .*(?:UE on|[Uu]ncorrect)",
        meaning="EDAC: uncorrected memory error",
        source="drivers/edac/edac_mc.c edac_ue_error",
        sample="EDAC MC0: 1 UE memory read error on CPU_SrcID#0_Channel#1_DIMM#0 (channel:1 slot:0 "
        "page:0x12345 offset:0x0 grain:32 - )",
        follows=("edac_corrected", "mce", "mce_logged", "mce_uncorrected"),
    ),
    LogClass(
        name="edac_corrected",
        subsystem="edac",
        severity="warning",
        pattern=r"^EDAC .*\b(?P<count>\d+) CE\b(?:.*? on (?P<part>[^\s(]+)|"
        r".*\blabel \"(?P<part_2>[^\"]+)\")?",
        meaning="EDAC: corrected memory error; many of one module: it fails",
        source="drivers/edac/edac_mc.c edac_ce_error",
        sample="EDAC MC0: 1 CE memory read error on CPU_SrcID#0_Channel#1_DIMM#0 (channel:1 slot:0 "
        "page:0x12345 offset:0x0 grain:32 syndrome:0x0)",
        follows=("mce", "mce_logged"),
    ),
    LogClass(
        name="edac_event",
        subsystem="edac",
        severity="warning",
        pattern=r"^EDAC .*HANDLING \w+ MEMORY ERROR",
        meaning="EDAC: memory error; the line does not say whether it was corrected",
        source="drivers/edac/igen6_edac.c igen6_output_error, drivers/edac/skx_common.c skx_mce_check_error",
        sample="EDAC igen6 MC0: HANDLING IBECC MEMORY ERROR",
        follows=("mce", "mce_logged"),
    ),
    LogClass(
        name="unknown_nmi",
        subsystem="cpu",
        severity="error",
        pattern=r"(?:Uhhuh\. NMI received for unknown reason|Dazed and confused, but trying to continue|"
        r"NMI: (?:IOCK|PCI system) error|NMI IOCK error|Do you have a strange power saving mode enabled)",
        meaning="unknown NMI: often hardware or a profiler",
        source="arch/x86/kernel/nmi.c unknown_nmi_error",
        sample="Uhhuh. NMI received for unknown reason 3d on CPU 0.",
    ),
)

INTERRUPTS_AND_CLOCKS = (
    LogClass(
        name="irq_nobody_cared",
        subsystem="irq",
        severity="error",
        pattern=r"^irq (?P<irq>\d+): nobody cared|^Disabling IRQ #(?P<irq_2>\d+)",
        meaning="irq: nobody cared: 100,000 unhandled interrupts, and the line was disabled",
        source="kernel/irq/spurious.c __report_bad_irq",
        sample='irq 16: nobody cared (try booting with the "irqpoll" option)',
        is_report=True,
    ),
    LogClass(
        name="irq_no_handler",
        subsystem="irq",
        severity="warning",
        pattern=r"(?:No irq handler for (?:vector|\d+\.\d+)|^genirq: Flags mismatch irq (?P<irq>\d+)|"
        r"^APIC error on CPU)",
        meaning="interrupt without a handler, or two drivers with conflicting flags",
        source="arch/x86/kernel/irq.c __common_interrupt, kernel/irq/manage.c __setup_irq",
        sample="No irq handler for 2.37",
    ),
    LogClass(
        name="clocksource_delayed",
        subsystem="clock",
        severity="notice",
        pattern=r"^clocksource: Long readout interval, skipping watchdog check",
        meaning="the clock source watchdog ran late: a busy machine or hypervisor; the clock stays in use",
        source="kernel/time/clocksource.c clocksource_watchdog",
        sample="clocksource: Long readout interval, skipping watchdog check: cs_nsec: 19502914896 wd_nsec: "
        "19502846390",
    ),
    LogClass(
        name="clocksource",
        subsystem="clock",
        severity="warning",
        pattern=r"^(?:clocksource: (?:timekeeping watchdog|\S+ wd|Override|.*unstable|.*skewed|"
        # TSC halts in idle states, boot parameter, running on Hyper-V: nothing is wrong.
        r"wd-)|Clocksource \S+ unstable|(?:tsc: |TSC: )?Marking TSC unstable due to (?:[^Tbr]|TSCs))",
        meaning="clocksource unstable; reading the time is slower, and measured times may be wrong",
        source="kernel/time/clocksource.c clocksource_watchdog, arch/x86/kernel/tsc.c",
        sample="clocksource: timekeeping watchdog on CPU0: Marking clocksource 'tsc' as unstable because "
        "the skew is too large:",
        follows=(*STUCK, *INTERRUPTS, "hrtimer_slow", "hrtimer_stall"),
    ),
    LogClass(
        name="clock_switched",
        subsystem="clock",
        severity="notice",
        pattern=r"^(?:clocksource: |Clocksource: )?[Ss]witched to clocksource (?P<clock>\S+)",
        meaning="clocksource switched; normal once at boot",
        source="kernel/time/clocksource.c __clocksource_select",
        sample="clocksource: Switched to clocksource tsc",
    ),
    LogClass(
        name="thermal_critical",
        subsystem="thermal",
        severity="critical",
        pattern=r"[Cc]ritical temperature reached|^CPU\d+: Temperature.*shutting down|"
        r"emergency shutdown.*temperature",
        meaning="critical temperature: the machine shuts down",
        source="drivers/thermal/thermal_core.c thermal_zone_device_critical",
        sample="thermal thermal_zone0: acpitz: critical temperature reached, shutting down",
        follows=("thermal",),
    ),
    LogClass(
        name="thermal",
        subsystem="thermal",
        severity="warning",
        # Not "thermal throttling logging enabled".
        pattern=r"(?:CPU(?P<cpu>\d+): (?:Core|Package) temperature (?:is )?above|"
        r"[Tt]emperature (?:is )?above threshold|[Tt]emperature/speed normal|"
        r"[Tt]hermal [Tt]hrottl(?:e|ed|ing)?(?:$|[^ ing]| [^l])|[Pp]ower limit notification)",
        meaning="CPU throttled for its temperature, or back to normal",
        source="drivers/thermal/intel/therm_throt.c therm_throt_process",
        sample="mce: CPU3: Core temperature is above threshold, cpu clock is throttled (total events = 12)",
    ),
    LogClass(
        name="split_lock",
        subsystem="cpu",
        severity="warning",
        pattern=r"split[_ ]lock(?: detection)?: #(?:AC|"
        r"DB): (?P<comm>.+)/(?P<pid>\d+) took a (?P<what>split_lock|bus_lock)",
        meaning="split lock: a process locks memory across cache lines, which stalls every CPU; "
        "the kernel slows it down",
        source="arch/x86/kernel/cpu/intel.c split_lock_warn",
        sample="x86/split lock detection: #AC: qemu-kvm/4711 took a split_lock trap at address: "
        "0x7f0012345678",
    ),
    LogClass(
        name="cpu_start_failed",
        subsystem="cpu",
        severity="error",
        pattern=r"(?:^(?:smpboot: )?do_boot_cpu failed\(-?\d+\) to wakeup CPU#(?P<cpu>\d+)|"
        r"^CPU(?P<cpu_2>\d+): failed to (?:come online|boot)|^(?:smpboot: )?CPU\d+: (?:Not responding|"
        r"Stuck))",
        meaning="a CPU failed to start",
        source="arch/x86/kernel/smpboot.c native_kick_ap, arch/arm64/kernel/smp.c",
        sample="smpboot: do_boot_cpu failed(-1) to wakeup CPU#3",
    ),
    LogClass(
        name="cpu_offline",
        subsystem="cpu",
        severity="notice",
        pattern=r"^(?:smpboot: )?CPU ?(?P<cpu>\d+) is now offline",
        meaning="CPU offline",
        source="arch/x86/kernel/smpboot.c arch_cpuhp_cleanup_dead_cpu",
        sample="smpboot: CPU 3 is now offline",
    ),
    LogClass(
        name="msr_access",
        subsystem="cpu",
        severity="notice",
        pattern=r"^unchecked MSR access error: (?P<action>RDMSR|WRMSR)",
        meaning="unchecked MSR access: the processor or hypervisor lacks the register",
        source="arch/x86/mm/extable.c ex_handler_msr",
        sample="unchecked MSR access error: RDMSR from 0x852 at rIP: 0xffffffff8106c6f6 "
        "(native_read_msr+0x6/0x40)",
        is_report=True,
    ),
)

CLASSES = (*ERRORS, *INTERRUPTS_AND_CLOCKS)
