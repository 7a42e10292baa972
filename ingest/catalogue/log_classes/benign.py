"""Error messages of machines that are well: most boots print some of them.

A message is here when its source says that nothing is wrong or that the kernel goes on without loss.
"""

from __future__ import annotations

from ingest.catalogue.log_classes.model import LogClass

CLASSES = (
    LogClass(
        name="benign_acpi",
        subsystem="acpi",
        severity="benign",
        pattern=r"^ACPI(?: BIOS)? (?:Error|Warning|Exception)[: (]|^acpi \S+: _OSC (?:failed|evaluation|: )|"
        r"^ACPI: .*(?:_OSC|SPCR)|^No Local Variables are initialized for Method|"
        r"^Initialized Arguments for Method|^No Arguments are initialized",
        meaning="ACPI tables with a flaw that the kernel works around",
        source="drivers/acpi/acpica/uterror.c acpi_ut_prefixed_namespace_error, drivers/acpi/pci_root.c",
        sample="ACPI BIOS Error (bug): Could not resolve symbol [\\_SB.PCI0.LPCB.HEC.ECAV], AE_NOT_FOUND "
        "(20210331/psargs-330)",
    ),
    LogClass(
        name="benign_certificate",
        subsystem="lsm",
        severity="benign",
        pattern=r"^(?:integrity: (?:Problem loading X\.509 certificate|MODSIGN: Couldn't get UEFI|"
        r"Unable to open file: /etc/keys)|MODSIGN: Couldn't get UEFI|Couldn't get size: 0x8000000000000|"
        r"blacklist: Problem blacklisting hash|Problem loading in-kernel X\.509)",
        meaning="a certificate of the firmware could not be loaded; modules of the distribution still load",
        source="security/integrity/digsig.c integrity_add_key, platform_certs/load_uefi.c",
        sample="integrity: Problem loading X.509 certificate -65",
    ),
    LogClass(
        name="benign_regulatory",
        subsystem="firmware",
        severity="benign",
        pattern=r"(?:Direct firmware load for regulatory\.db|failed to load regulatory\.db|"
        r"loaded regulatory\.db is malformed)",
        meaning="wireless regulatory database missing: only the world's common channels are used",
        source="net/wireless/reg.c regdb_fw_cb",
        sample="platform regulatory.0: Direct firmware load for regulatory.db failed with error -2",
    ),
    LogClass(
        name="benign_split_lock_detection",
        subsystem="cpu",
        severity="benign",
        pattern=r"split lock detection: #(?:AC|DB): (?:crashing the kernel on kernel split_locks|"
        r"warning on |sending SIGBUS on |Ratelimiting )",
        meaning="what the kernel will do when it meets a split lock; it has met none",
        source="arch/x86/kernel/cpu/intel.c split_lock_setup, sld_state_show",
        sample="x86/split lock detection: #AC: crashing the kernel on kernel split_locks and warning on "
        "user-space split_locks",
    ),
    LogClass(
        name="benign_disk_cache",
        subsystem="scsi",
        severity="benign",
        pattern=r"^sd \S+: \[\w+\] (?:No Caching mode page found|Asking for cache data failed|"
        r"Assuming drive cache|Incomplete mode parameter data|Got wrong page|Cache data unavailable|"
        r"Mode Sense|Test WP failed)",
        meaning="a disk, often a virtual one or a stick, does not describe its cache",
        source="drivers/scsi/sd.c sd_read_cache_type",
        sample="sd 2:0:0:0: [sdb] No Caching mode page found",
    ),
    LogClass(
        name="benign_disk_feature",
        subsystem="ata",
        severity="benign",
        pattern=r"^nvme \S+: missing or invalid SUBNQN field|^ata\d+\.\d+: (?:failed to get (?:NCQ|Device|"
        r"Ident)|failed to read log page|READ LOG DMA EXT failed|.*[Ll]og not supported)",
        meaning="a disk does not describe a feature, which is not used then",
        source="drivers/nvme/host/core.c nvme_init_subnqn, drivers/ata/libata-core.c",
        sample="nvme nvme0: missing or invalid SUBNQN field.",
    ),
    LogClass(
        name="benign_no_keyboard",
        subsystem="driver",
        severity="benign",
        pattern=r"^i8042: (?:No controller found|PNP: No PS/2 controller found|Can't read CTR|"
        r"Probing ports directly|Warning: Keylock active)",
        meaning="the machine has no PS/2 keyboard",
        source="drivers/input/serio/i8042.c i8042_controller_check",
        sample="i8042: No controller found",
    ),
    LogClass(
        name="benign_no_virtualisation",
        subsystem="kvm",
        severity="benign",
        pattern=r"^kvm(?:_intel|_amd)?: (?:disabled by bios|no hardware support|"
        r"support for '\w+' disabled by bios|VMX not supported|SVM not supported|"
        r"VMX \(outside TXT\) disabled|already loaded)|^has_svm: not amd|^(?:x86/cpu: )?(?:SGX|"
        r"VMX).*disabled by BIOS|^sgx: ",
        meaning="a feature of the processor is switched off, or the machine is virtual itself",
        source="arch/x86/kernel/cpu/feat_ctl.c init_ia32_feat_ctl; kvm: disabled by bios: to 6.5",
        sample="x86/cpu: VMX (outside TXT) disabled by BIOS",
    ),
    LogClass(
        name="benign_pci_resource",
        subsystem="pci",
        severity="benign",
        pattern=r"^\S+ \S+: (?:BAR \d+|\S+ \[\w+ [^\]]+\])(?: \[[^\]]+\])?:? (?:\[[^\]]+\]:? )?(?:no space "
        r"for|failed to assign|can't assign|failed to claim)|^pnp \S+: can't evaluate _CRS|"
        r"^Cannot find an available gap in the 32-bit",
        meaning="PCI BAR without an address; most are not used",
        source="drivers/pci/setup-res.c pci_assign_resource",
        sample="pci 0000:00:1c.0: BAR 13: failed to assign [io  size 0x1000]",
    ),
    LogClass(
        name="benign_vpd",
        subsystem="pci",
        severity="benign",
        pattern=r"^\S+ \S+: (?:VPD access failed|vpd r/w failed|invalid (?:short )?VPD tag|"
        r".*failed VPD read)|^vpd r/w failed",
        meaning="PCI device without vital product data (VPD)",
        source="drivers/pci/vpd.c pci_vpd_wait",
        sample="mlx5_core 0000:3b:00.0: VPD access failed.  This is likely a firmware bug on this device.  "
        "Contact the card vendor for a firmware update",
    ),
    LogClass(
        name="benign_vulnerability",
        subsystem="cpu",
        severity="benign",
        pattern=r"(?:CPU bug present and SMT on, data leak possible|mitigation leaves CPU vulnerable|"
        r"data leaks? possible|^(?:Spectre V[12]|RETBleed|MDS|TAA|MMIO Stale Data|SRBDS|L1TF|L1Tf|GDS|ITS|"
        r"VMSCAPE|Speculative \S+|Register File Data Sampling) ?: |System may be vulnerable to)",
        meaning="incomplete mitigation of a CPU vulnerability: a question of security, not of stability",
        source="arch/x86/kernel/cpu/bugs.c",
        sample="MDS CPU bug present and SMT on, data leak possible. See "
        "https://www.kernel.org/doc/html/latest/admin-guide/hw-vuln/mds.html for more details.",
    ),
    LogClass(
        name="benign_no_pmu",
        subsystem="cpu",
        severity="benign",
        pattern=r"^(?:(?:NMI )?watchdog: )?(?:Perf NMI watchdog permanently disabled|"
        r"Hard watchdog permanently disabled|disabled \(cpu\d+\): hardware events not enabled)|"
        r"^Performance Events: .*no PMU driver|^(?:core: )?CPUID marked event",
        meaning="no performance counters: hard lockups are not detected, as in most virtual machines",
        source="kernel/watchdog_perf.c watchdog_hardlockup_probe",
        sample="NMI watchdog: Perf NMI watchdog permanently disabled",
    ),
    LogClass(
        name="benign_smbus",
        subsystem="driver",
        severity="benign",
        pattern=r"^piix4_smbus \S+: (?:SMBus (?:Host Controller|base address) (?:not enabled|uninitialized)|"
        r"SMB base address)|^(?:lpc_ich|i801_smbus) .*(?:[Rr]esource conflict|BIOS is accessing SMBus)|"
        r"^sp5100_tco: .*already in use|^ACPI: .*resource.*conflict|^shpchp .*(?:Slot initialization failed|"
        r"Cannot reserve MMIO)",
        meaning="a helper device of the board is not usable: the firmware has it, or it is virtual",
        source="drivers/i2c/busses/i2c-piix4.c piix4_setup",
        sample="piix4_smbus 0000:00:07.3: SMBus Host Controller not enabled!",
    ),
    LogClass(
        name="benign_virtual_graphics",
        subsystem="gpu",
        severity="benign",
        pattern=r"vmwgfx seems to be running on an unsupported hypervisor|"
        r"This configuration is likely broken|Please switch to a supported graphics device|"
        r"\[drm:vmw_\S+ \[vmwgfx\]\] \*ERROR\*",
        meaning="the graphics of a virtual machine are not the driver's own",
        source="drivers/gpu/drm/vmwgfx/vmwgfx_drv.c vmw_driver_load",
        sample="vmwgfx 0000:00:02.0: [drm] *ERROR* vmwgfx seems to be running on an unsupported hypervisor.",
    ),
    LogClass(
        name="benign_edac_absent",
        subsystem="edac",
        severity="benign",
        pattern=r"^EDAC (?:\w+: )?(?:Couldn't find mci handler|Failed to register device|"
        r".*[Nn]o (?:memory controllers|ECC)|ECC disabled)|^intel_rapl\S*: .*(?:no valid|not supported)|"
        r"^ENERGY_PERF_BIAS: |^GHES: HEST is not enabled|^ERST: ",
        meaning="the machine does not offer what a driver looked for",
        source="drivers/edac/sb_edac.c sbridge_register_mci, arch/x86/kernel/cpu/intel_epb.c",
        sample="EDAC sbridge: Couldn't find mci handler",
    ),
    LogClass(
        name="benign_tsc",
        subsystem="clock",
        severity="benign",
        pattern=r"Marking TSC unstable due to (?:TSC halts in idle|boot parameter)|"
        r"^tsc: Fast TSC calibration failed",
        meaning="TSC halts in idle states, as of processors before 2008: another clocksource is used",
        source="arch/x86/kernel/tsc.c mark_tsc_unstable, drivers/acpi/processor_idle.c",
        sample="tsc: Marking TSC unstable due to TSC halts in idle",
    ),
    LogClass(
        name="benign_bcache_registered",
        subsystem="block",
        severity="benign",
        pattern=r"^bcache: register_bcache\(\) error.*device already registered",
        meaning="udev registers a cached device twice",
        source="drivers/md/bcache/super.c register_bcache",
        sample="bcache: register_bcache() error : device already registered (emitting change event)",
    ),
    LogClass(
        name="benign_firmware_bug",
        subsystem="firmware",
        severity="benign",
        pattern=r"\[Firmware (?:Bug|Warn|Info)\]",
        meaning="firmware bug that the kernel works around",
        source="include/linux/printk.h FW_BUG",
        sample="tpm tpm0: [Firmware Bug]: TPM interrupt not working, polling instead",
    ),
    LogClass(
        name="benign_timer_route",
        subsystem="irq",
        severity="benign",
        pattern=r"^\.\.MP-BIOS bug: 8254 timer not connected to IO-APIC",
        meaning="the firmware does not connect the 8254 timer to the IO-APIC; the kernel takes another way",
        source="arch/x86/kernel/apic/io_apic.c check_timer",
        sample="..MP-BIOS bug: 8254 timer not connected to IO-APIC",
    ),
    LogClass(
        name="benign_crash_dump_support",
        subsystem="scsi",
        severity="benign",
        pattern=r"firmware crash dump\s*: (?:yes|no)\b",
        meaning="whether the firmware of a controller can keep a crash dump",
        source="drivers/scsi/megaraid/megaraid_sas_base.c megasas_init_fw",
        sample="megaraid_sas 0000:00:03.0: firmware crash dump\t: no",
    ),
    LogClass(
        name="benign_throttling_logging",
        subsystem="gpu",
        severity="benign",
        pattern=r"thermal throttling logging (?:enabled|disabled)",
        meaning="a graphics driver reports throttling from now on; nothing is throttled",
        source="drivers/gpu/drm/amd/pm/amdgpu_pm.c amdgpu_get_thermal_throttling_logging",
        sample="0000:09:00.0: thermal throttling logging enabled, with interval 60 seconds",
    ),
)
