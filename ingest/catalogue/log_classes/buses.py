"""Messages of PCI Express, USB and the IOMMU."""

from __future__ import annotations

from ingest.catalogue.log_classes.model import LogClass

CLASSES = (
    LogClass(
        name="pcie_dpc",
        subsystem="pci",
        severity="critical",
        pattern=r"^pcieport (?P<device>\S+): (?:DPC: |AER: )?.*containment event, status:",
        meaning="PCIe DPC: a port disabled its link after an error",
        source="drivers/pci/pcie/dpc.c dpc_process_error",
        sample="pcieport 0000:3a:00.0: DPC: containment event, status:0x1f01: unmasked uncorrectable error "
        "detected",
    ),
    LogClass(
        name="pcie_aer_fatal",
        subsystem="pci",
        severity="critical",
        pattern=r"^\S+ (?P<device>\S+): (?:AER: )?(?:PCIe Bus Error: severity=Uncorrected \(Fatal\)"
        r"(?:, type=(?P<error_type>[\w ]+), \(?(?:id=\w+\()?(?P<agent>[\w ]+)\))?|"
        r"(?:Multiple )?Uncorrect(?:ed|able) \(Fatal\) error)",
        meaning="PCIe AER: fatal error, the link or device must be reset",
        source="drivers/pci/pcie/aer.c aer_print_error, aer_print_port_info; err.c",
        sample="pcieport 0000:00:1c.0: AER: Uncorrectable (Fatal) error message received from 0000:01:00.0",
        follows=("pcie_aer_uncorrected",),
    ),
    LogClass(
        name="pcie_aer_uncorrected",
        subsystem="pci",
        severity="error",
        pattern=r"^\S+ (?P<device>\S+): (?:AER: )?(?:PCIe Bus Error: severity=Uncorrected"
        r"(?: \(Non-Fatal\))?(?:, type=(?P<error_type>[\w ]+), \(?(?:id=\w+\()?(?P<agent>[\w ]+)\))?|"
        r"(?:Multiple )?Uncorrect(?:ed|able) \(Non-Fatal\) error|can't recover|aer_status: 0x|"
        r"(?:subordinate )?device recovery failed|.*broadcast error_detected message failed)",
        meaning="PCIe AER: uncorrected error, a transfer was lost",
        source="drivers/pci/pcie/aer.c aer_print_error",
        sample="nvme 0000:01:00.0: PCIe Bus Error: severity=Uncorrected (Non-Fatal), type=Transaction "
        "Layer, (Requester ID)",
    ),
    LogClass(
        name="pcie_aer_corrected",
        subsystem="pci",
        severity="warning",
        pattern=r"^\S+ (?P<device>\S+): (?:AER: )?(?:PCIe Bus Error: severity=Correct(?:ed|able)"
        r"(?:, type=(?P<error_type>[\w ]+), \(?(?:id=\w+\()?(?P<agent>[\w ]+)\))?|"
        r"(?:Multiple )?Correct(?:ed|able) error)",
        meaning="PCIe AER: corrected error, from signal quality or power saving",
        source="drivers/pci/pcie/aer.c aer_print_error",
        sample="pcieport 0000:00:1c.0: AER: Correctable error message received from 0000:01:00.0",
    ),
    LogClass(
        name="pcie_aer_detail",
        subsystem="pci",
        severity="notice",
        pattern=r"^\S+ (?P<device>\S+): (?:AER: )? *(?:device \[[0-9a-f:]+\] error status/mask=|"
        r"\[ ?\d+\] ?\w+ .*\((?:First)\)|\[ ?\d+\] (?:RxErr|BadTLP|BadDLLP|Rollover|Timeout|NonFatalErr|"
        r"CorrIntErr|HeaderOF|DLP|SDES|TLP|FCP|CmpltTO|CmpltAbrt|UnxCmplt|RxOF|MalfTLP|ECRC|UnsupReq|"
        r"ACSViol|UncorrIntErr|BlockedTLP|AtomicOpBlocked)|TLP Header: |Error of this Agent|(?:device |"
        r".*: )?recovery successful)",
        meaning="status bits of a PCIe error",
        source="drivers/pci/pcie/aer.c __aer_print_error",
        sample="nvme 0000:01:00.0:   device [144d:a808] error status/mask=00000001/00006000",
    ),
    LogClass(
        name="pcie_device_lost",
        subsystem="pci",
        severity="error",
        pattern=r"^\S+ (?P<device>\S+): (?:(?:Unable to|"
        r"can't) change power state from \S+ to \S+,? \(?(?:config space|device) inaccessible|"
        r"Device config space inaccessible|not ready \d+ms after|Refused to change power state)",
        meaning="a PCIe device does not respond",
        source="drivers/pci/pci.c pci_power_up, pci_dev_wait",
        sample="nvme 0000:01:00.0: Unable to change power state from D3cold to D0, device inaccessible",
        follows=("pcie_link_down", "pcie_aer_fatal", "pcie_dpc"),
    ),
    LogClass(
        name="iommu_fault",
        subsystem="iommu",
        severity="error",
        pattern=r"(?:DMAR: \[[^\]]{1,40}\] Request device|"
        r"^DMAR: (?:\[.*fault addr|DRHD: handling fault status|\[INTR-REMAP\])|(?:AMD-Vi: |"
        r": )Event logged \[(?:IO_PAGE_FAULT|INVALID_DEVICE|DEV_TAB|PAGE_TAB|ILLEGAL|COMMAND|IOTLB|RMP)|"
        r"Unhandled context fault: fsr=|^AMD-Vi: Completion-Wait loop timed out|"
        r"^arm-smmu\S* .*event 0x10 received)",
        meaning="IOMMU fault: a device accessed memory that is not mapped for it",
        source="drivers/iommu/intel/dmar.c dmar_fault_do_one, amd/iommu.c, arm/arm-smmu",
        sample="DMAR: [DMA Read NO_PASID] Request device [01:00.0] fault addr 0xfe000000 "
        "[fault reason 0x06] PTE Read access is not set",
        # A device that the firmware left running, until its driver resets it.
        noted="at boot",
    ),
    LogClass(
        name="usb_controller_dead",
        subsystem="usb",
        severity="critical",
        pattern=r"^[xeou]hci[_-]\S+ (?P<device>\S+): (?:xHCI host (?:controller )?not responding, assume "
        r"dead|HC died; cleaning up|Host halt failed|fatal error|(?:WARNING: )?Host System Error|"
        r"WARN: HC couldn't access mem|Abort failed to stop command ring)",
        meaning="USB controller died; its devices are gone",
        source="drivers/usb/core/hcd.c usb_hc_died, drivers/usb/host/xhci-ring.c xhci_hc_died",
        sample="xhci_hcd 0000:00:14.0: HC died; cleaning up",
        follows=("pcie_aer_fatal", "pcie_device_lost", "iommu_fault", "undervoltage"),
    ),
    LogClass(
        name="usb_device_error",
        subsystem="usb",
        severity="warning",
        pattern=r"^(?:usb|hub) (?P<device>\S+): (?:device descriptor read/\S+, error -?\d+|"
        r"device not accepting address|unable to enumerate USB device|.*over-current|can't set config|"
        r"unable to (?:read|get)|.*cannot enable|.*[Cc]annot reset|.*disabled by hub \(EMI\?\)|"
        r"attempt power cycle|device firmware changed|can't read configurations)",
        meaning="a USB device does not respond or draws too much power",
        source="drivers/usb/core/hub.c hub_port_init, port_event",
        sample="usb 1-1: device descriptor read/64, error -71",
        follows=("undervoltage", "usb_controller_dead"),
    ),
    LogClass(
        name="usb_disconnect",
        subsystem="usb",
        severity="notice",
        pattern=r"^usb (?P<device>\S+): USB disconnect, device number",
        meaning="USB device disconnected",
        source="drivers/usb/core/hub.c usb_disconnect",
        sample="usb 1-1: USB disconnect, device number 3",
        follows=("undervoltage", "usb_controller_dead"),
    ),
)
