"""Messages of graphics devices, firmware, power, and of drivers without classes of their own."""

from __future__ import annotations

from ingest.catalogue.log_classes.causes import BUS, MEMORY
from ingest.catalogue.log_classes.model import LogClass

_DEVICE = r"^(?P<driver>[\w-]+) (?P<device>[\w:.-]*\d[\w:.-]*)(?: (?P<interface>\S+))?: "
"""What `dev_err` and `netdev_err` print first: driver, device, and the interface of network devices."""

GRAPHICS = (
    LogClass(
        name="gpu_xid",
        subsystem="gpu",
        severity="error",
        pattern=r"^NVRM: Xid \((?:PCI:)?(?P<device>[0-9a-fA-F:.]+)\): (?P<xid>\d+)",
        meaning="NVIDIA Xid error; 79: off the bus, 48: double-bit ECC, 13: a program",
        source="the nvidia module; https://docs.nvidia.com/deploy/xid-errors/",
        sample="NVRM: Xid (PCI:0000:3b:00): 48, pid=4711, name=python3, DBE (double bit error) ECC error.",
        follows=("gpu_lost", *BUS),
    ),
    LogClass(
        name="gpu_hang",
        subsystem="gpu",
        severity="error",
        pattern=r"(?:GPU HANG: ecode|ring (?P<ring>\S+) timeout, |ring \S+ stalled for more than|"
        r"GPU fault detected|GPU lockup|amdgpu \S+: .*(?:GPU reset begin|\[gfxhub\d*\].*page fault)|"
        r"Resetting chip for|fifo: .*(?:fault|SCHED_ERROR))",
        meaning="GPU hang and reset",
        source="drivers/gpu/drm/amd/amdgpu/amdgpu_job.c amdgpu_job_timedout, i915/i915_gpu_error.c, radeon, "
        "nouveau",
        sample="[drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring gfx timeout, signaled seq=4711, emitted "
        "seq=4713",
        follows=BUS,
    ),
    LogClass(
        name="gpu_error",
        subsystem="gpu",
        severity="notice",
        pattern=r"(?:^\[drm(?::\S+(?: \[\w+\])?)?\] \*ERROR\* |: \[drm\] \*ERROR\* |"
        r"^NVRM: (?:RmInitAdapter failed|.*failed|.*error))",
        meaning="graphics driver error",
        source="drivers/gpu/drm/i915/display/intel_fifo_underrun.c, drivers/gpu/drm/drm_print.c drm_err",
        sample="[drm:intel_cpu_fifo_underrun_irq_handler [i915]] *ERROR* CPU pipe A FIFO underrun",
        follows=("gpu_hang",),
    ),
)

COMMON = (
    LogClass(
        name="firmware_crash",
        subsystem="firmware",
        severity="error",
        # Not "firmware crash dump : no".
        pattern=r"(?:Microcode SW error detected|firmware (?:has )?crash(?:$|[^ \t]|\s(?:[^d]|d[^u]))|"
        r"[Ff]irmware (?:crashed|halted|"
        r"error detected|hang)|Firmware Assertion|firmware fatal|FW (?:assert|hang|crash))",
        meaning="device firmware crashed; its driver restarts it",
        source="drivers/net/wireless/intel/iwlwifi/pcie/rx.c iwl_pcie_irq_handle_error, ath10k and others",
        sample="iwlwifi 0000:00:14.3: Microcode SW error detected. Restarting 0x0.",
        needs_prefix=True,
    ),
    LogClass(
        name="probe_failed",
        subsystem="driver",
        severity="notice",
        pattern=r"^(?P<driver>\S+): probe of (?P<device>\S+) failed with error (?P<error>-\d+)|"
        r"^\S+ \S+: probe with driver (?P<driver_2>\S+) failed with error (?P<error_2>-\d+)",
        meaning="driver probe failed",
        source="drivers/base/dd.c call_driver_probe; probe of: to 6.10",
        sample="e1000e 0000:00:19.0: probe with driver e1000e failed with error -5",
    ),
    LogClass(
        name="bluetooth_timeout",
        subsystem="driver",
        severity="error",
        pattern=r"^Bluetooth: (?P<device>hci\d+): (?:command (?:0x[0-9a-f]{4} )?tx timeout|"
        r"Opcode 0x ?[0-9a-f]{3,4} failed: -110)",
        meaning="Bluetooth controller does not answer a command",
        source="net/bluetooth/hci_core.c hci_cmd_timeout, net/bluetooth/hci_sync.c __hci_cmd_sync_status_sk",
        sample="Bluetooth: hci0: command 0x0c03 tx timeout",
    ),
    LogClass(
        name="firmware_missing",
        subsystem="firmware",
        severity="notice",
        pattern=r"Direct firmware load for (?P<file>\S+) failed with error (?P<error>-\d+)|"
        r"firmware: failed to load (?P<file_2>\S+)",
        meaning="firmware file not found; many are optional",
        source="drivers/base/firmware_loader/main.c _request_firmware",
        sample="bluetooth hci0: Direct firmware load for brcm/BCM20702A1-0b05-17cb.hcd failed with error -2",
    ),
    LogClass(
        name="dma_error",
        subsystem="driver",
        severity="error",
        pattern=_DEVICE + r".*(?:(?:DMA|dma)[ -](?:mapping|map) (?:error|fail)|DMA (?:error|timeout)|"
        r"[Ff]ailed to map|[Uu]nable to map)",
        meaning="DMA mapping or transfer error",
        source="drivers/net/ethernet/realtek/r8169_main.c rtl8169_alloc_rx_data and others",
        sample="r8169 0000:02:00.0 eth0: Failed to map RX DMA!",
        follows=("swiotlb_full", "page_allocation_failure", *BUS),
        needs_prefix=True,
    ),
    LogClass(
        name="device_no_memory",
        subsystem="driver",
        severity="warning",
        pattern=_DEVICE + r".*(?:[Oo]ut of memory|[Cc]annot allocate memory|[Nn]o memory (?:for|available)|"
        r"memory allocation failed|[Ff]ailed to allocate)",
        meaning="a driver failed to allocate memory",
        source="drivers/net/ethernet/atheros/ag71xx.c ag71xx_poll and others",
        sample="ag71xx 19000000.eth eth0: out of memory",
        follows=MEMORY,
        needs_prefix=True,
    ),
    LogClass(
        name="undervoltage",
        subsystem="power",
        severity="warning",
        pattern=r"(?:Undervoltage|Under-voltage) detected",
        meaning="undervoltage detected",
        source="drivers/hwmon/raspberrypi-hwmon.c rpi_firmware_get_throttled",
        sample="hwmon hwmon1: Undervoltage detected!",
    ),
    LogClass(
        name="device_setup_failed",
        subsystem="driver",
        severity="notice",
        pattern=_DEVICE + r"(?:[\w-]+: )?[Cc]ould(?: not|n't) set",
        meaning="device setup failed in part",
        source="drivers/char/ipmi/ipmi_si_pci.c ipmi_pci_probe and others",
        sample="ipmi_si 0000:01:04.6: Could not setup I/O space",
        needs_prefix=True,
    ),
    LogClass(
        name="device_timeout",
        subsystem="driver",
        severity="warning",
        pattern=_DEVICE + r".*(?:[Tt]imed out|TIMEOUT|error -110\b|[Tt]imeout(?:!|\.?$| (?:waiting|while|"
        r"on\b|when|during|error|occurred|detected|expired|happened)))",
        meaning="device timeout",
        source="drivers/i2c/busses/i2c-designware-master.c i2c_dw_xfer and others",
        sample="i2c_designware i2c_designware.0: controller timed out",
        follows=BUS,
        needs_prefix=True,
    ),
    LogClass(
        name="device_reset",
        subsystem="driver",
        severity="notice",
        pattern=_DEVICE + r".*(?:[Rr]esetting|[Rr]eset (?:adapter|controller|device|completed|done)|"
        r"reset [\w -]+USB device number)",
        meaning="device reset",
        source="drivers/usb/core/hub.c hub_port_init and others",
        sample="usb 2-1: reset SuperSpeed USB device number 2 using xhci_hcd",
        follows=("device_timeout", "nic_hang", "netdev_watchdog", *BUS),
        needs_prefix=True,
    ),
)

CLASSES = (*GRAPHICS, *COMMON)
