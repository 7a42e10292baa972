"""Messages of disks that speak NVMe, ATA or MMC."""

from __future__ import annotations

from ingest.catalogue.log_classes.causes import BUS, INTERRUPTS, LINKS, MACHINE_CHECKS
from ingest.catalogue.log_classes.model import LogClass

NVME = (
    LogClass(
        name="nvme_controller_down",
        subsystem="nvme",
        severity="error",
        pattern=r"^nvme (?P<device>\S+): controller is down; will reset: CSTS=(?P<status>0x[0-9a-f]+)",
        meaning="NVMe controller down, will reset; all ones in CSTS: it left the bus",
        source="drivers/nvme/host/pci.c nvme_warn_reset",
        sample="nvme nvme0: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0x10",
        follows=(*BUS, *MACHINE_CHECKS),
    ),
    LogClass(
        name="nvme_dead",
        subsystem="nvme",
        severity="critical",
        pattern=r"^nvme (?P<device>\S+): (?:Disabling device after reset failure: |"
        r"Removing after probe failure status: |Device not ready; aborting |IO queues lost|"
        r"IO queues not created)",
        meaning="NVMe controller removed after a failed reset; its namespaces are gone",
        source="drivers/nvme/host/pci.c nvme_reset_work; Removing after probe failure: 3.19 to 6.4",
        sample="nvme nvme0: Disabling device after reset failure: -19",
        follows=("nvme_timeout", "nvme_controller_down", *BUS, *MACHINE_CHECKS),
    ),
    LogClass(
        name="nvme_connection_lost",
        subsystem="nvme",
        severity="error",
        pattern=r"^nvme (?P<device>\S+): (?:.*(?:controller connectivity lost|Failed reconnect attempt|"
        r"[Rr]econnect attempt failed|reconnect failure|starting error recovery)|"
        r"Reconnecting in \d+ seconds|(?:failed nvme_keep_alive_end_io error=|"
        r"keep-alive failed: )(?P<error>-?\d+)|failfast expired|Removing controller \(|"
        r".*dev_loss_tmo \(\d+\) expired|.*Max reconnect attempts)",
        meaning="NVMe over Fabrics: connection lost; requests wait or fail",
        source="drivers/nvme/host/core.c nvme_keep_alive_end_io, fc.c, fabrics.c, tcp.c",
        sample="nvme nvme2: failed nvme_keep_alive_end_io error=10",
        follows=(*LINKS, "fc_port_lost", "nvme_timeout"),
    ),
    LogClass(
        name="nvme_timeout",
        subsystem="nvme",
        severity="warning",
        pattern=r"^nvme (?P<device>nvme\d+)\S*:? (?:.*\bQID (?P<queue>\d+) timeout\b(?:, "
        r"(?P<action>aborting|reset controller|disable controller|completion polled))?|"
        r"queue \d+: timeout request |.*: io timeout: opcode )",
        meaning="NVMe command timeout; the limit is nvme_core.io_timeout; polled: its interrupt was lost",
        source="drivers/nvme/host/pci.c nvme_timeout, tcp.c nvme_tcp_timeout, rdma.c nvme_rdma_timeout",
        sample="nvme nvme0: I/O tag 12 (100c) opcode 0x2 (Read) QID 5 timeout, aborting req_op:READ(0) "
        "size:4096",
        follows=("nvme_controller_down", *BUS, *MACHINE_CHECKS, *INTERRUPTS, *LINKS),
    ),
    LogClass(
        name="nvme_abort_status",
        subsystem="nvme",
        severity="warning",
        pattern=r"^nvme (?P<device>nvme\d+)\S*:? Abort status: (?P<status>0x[0-9a-f]+)",
        meaning="NVMe: answer to the abort of a timed-out command; other than 0x0: an error",
        source="drivers/nvme/host/pci.c abort_endio",
        sample="nvme nvme0: Abort status: 0x0",
        follows=("nvme_timeout",),
    ),
    LogClass(
        name="nvme_no_path",
        subsystem="nvme",
        severity="error",
        pattern=r"^block (?P<device>nvme\S+): no (?:available path - failing|usable path - requeuing) I/O",
        meaning="NVMe multipath: no usable path; requests wait or fail",
        source="drivers/nvme/host/multipath.c nvme_ns_head_submit_bio",
        sample="block nvme0n1: no usable path - requeuing I/O",
        follows=("nvme_connection_lost", "nvme_dead", "nvme_controller_down", "fc_port_lost", *LINKS),
    ),
    LogClass(
        name="nvme_error",
        subsystem="nvme",
        severity="error",
        pattern=r"^(?:nvme )?(?P<device>nvme[\dnc]+): .*\(sct (?P<status_type>0x[0-9a-f]+) / sc "
        r"(?P<status>0x[0-9a-f]+)\)",
        meaning="NVMe command failed; the status says why",
        source="drivers/nvme/host/core.c nvme_log_error",
        sample="nvme0n1: Read(0x2) @ LBA 1464, 8 blocks, Unrecovered Read Error (sct 0x2 / sc 0x81) MORE DNR",
    ),
    LogClass(
        name="nvme_duplicate_ids",
        subsystem="nvme",
        severity="error",
        pattern=r"^nvme (?P<device>\S+): (?:globally duplicate IDs for nsid|"
        r"duplicate IDs in subsystem for nsid|ignoring nsid \d+ because of duplicate IDs|Duplicate cntlid|"
        r"identifiers changed for nsid)",
        meaning="NVMe: duplicate or changed namespace identifiers; the kernel does not use the namespace",
        source="drivers/nvme/host/core.c nvme_init_ns_head",
        sample="nvme nvme1: duplicate IDs in subsystem for nsid 1",
    ),
    LogClass(
        name="nvme_recovered",
        subsystem="nvme",
        severity="notice",
        pattern=r"^nvme (?P<device>\S+): (?:.*Successfully reconnected|.*connectivity re-established|"
        r"controller reset completed after pcie flr|restart after slot reset)",
        meaning="an NVMe controller works again",
        source="drivers/nvme/host/tcp.c, rdma.c, fc.c, pci.c",
        sample="nvme nvme2: Successfully reconnected (attempt 3/60)",
        ends=("nvme_connection_lost", "nvme_controller_down", "nvme_timeout", "nvme_no_path"),
    ),
)

ATA = (
    LogClass(
        name="ata_exception",
        subsystem="ata",
        severity="error",
        pattern=r"^(?P<device>ata\d+(?:\.\d+)?): exception Emask (?P<status>0x[0-9a-f]+) SAct ",
        meaning="ATA exception; frozen: the device did not respond",
        source="drivers/ata/libata-eh.c ata_eh_link_report",
        sample="ata1.00: exception Emask 0x0 SAct 0x0 SErr 0x0 action 0x6 frozen",
        follows=(*BUS, *INTERRUPTS),
    ),
    LogClass(
        name="ata_command_failed",
        subsystem="ata",
        severity="error",
        pattern=r"^(?P<device>ata\d+\.\d+): (?:failed command: (?P<command>.+)|cmd [0-9a-f]{2}/.* tag \d+ )",
        meaning="failed ATA command",
        source="drivers/ata/libata-eh.c ata_eh_link_report",
        sample="ata1.00: failed command: READ FPDMA QUEUED",
        follows=("ata_exception",),
    ),
    LogClass(
        name="ata_link_error",
        subsystem="ata",
        severity="error",
        pattern=r"^(?P<device>ata\d+(?:\.\d+)?): (?P<register>error|SError): "
        r"\{ (?P<status>[^}]*(?:ICRC|BadCRC|10B8B|Dispar|LinkSeq)[^}]*)\}",
        meaning="errors on the SATA link: cable, connector, power or controller, not the medium",
        source="drivers/ata/libata-eh.c ata_eh_link_report",
        sample="ata4: SError: { UnrecovData 10B8B BadCRC }",
        follows=("ata_exception", "ata_command_failed"),
    ),
    LogClass(
        name="ata_status",
        subsystem="ata",
        severity="error",
        pattern=r"^(?P<device>ata\d+(?:\.\d+)?): (?P<register>status|error|SError): \{ (?P<status>[^}]*)\}",
        meaning="ATA status and error registers; UNC: unreadable sector, ICRC and BadCRC: cable",
        source="drivers/ata/libata-eh.c ata_eh_link_report",
        sample="ata1.00: error: { UNC }",
        follows=("ata_exception", "ata_command_failed"),
    ),
    LogClass(
        name="ata_command_timeout",
        subsystem="ata",
        severity="error",
        pattern=r"^(?P<device>ata\d+(?:\.\d+)?): (?:qc timeout |failed to IDENTIFY|revalidation failed|"
        r"failed to (?:set xfermode|recover some devices|read|enable)|NCQ disabled due to)",
        meaning="ATA command timeout, or IDENTIFY failed",
        source="drivers/ata/libata-core.c ata_exec_internal, ata_dev_read_id, ata_dev_revalidate",
        sample="ata1.00: qc timeout after 5000 msecs (cmd 0xec)",
        follows=("ata_exception", *BUS),
    ),
    LogClass(
        name="ata_disabled",
        subsystem="ata",
        severity="critical",
        pattern=r"^(?P<device>ata\d+(?:\.\d+)?): (?:disabled$|disable device$|reset failed, giving up|"
        r"EH pending after \d+ tries, giving up|failed to stop engine|failed to resume link)",
        meaning="ATA device or port disabled",
        source="drivers/ata/libata-eh.c ata_dev_disable, ata_eh_reset",
        sample="ata1.00: disable device",
        follows=("ata_exception", "ata_command_timeout", "ata_link_reset"),
    ),
    LogClass(
        name="ata_link_reset",
        subsystem="ata",
        severity="warning",
        pattern=r"^(?P<device>ata\d+(?:\.\d+)?): (?:(?:hard|soft) resetting link|COMRESET failed|(?:soft|"
        r"hard)reset failed|link is slow to respond|limiting SATA link speed|link online but |SRST failed|"
        r"device not ready)",
        meaning="ATA link reset, slow, or limited in speed",
        source="drivers/ata/libata-eh.c ata_eh_reset, libata-sata.c sata_link_hardreset",
        sample="ata3: limiting SATA link speed to 1.5 Gbps",
        follows=("ata_exception", "ata_command_timeout", *BUS),
    ),
    LogClass(
        name="ata_link_down",
        subsystem="ata",
        severity="notice",
        pattern=r"^(?P<device>ata\d+(?:\.\d+)?): SATA link down",
        meaning="ATA link down; normal for an empty port",
        source="drivers/ata/libata-core.c sata_print_link_status",
        sample="ata2: SATA link down (SStatus 0 SControl 300)",
    ),
)

MMC = (
    LogClass(
        name="mmc_error",
        subsystem="mmc",
        severity="error",
        pattern=r"^(?P<device>mmc(?:blk)?\d\S*): (?:Timeout waiting for hardware|error -\d+|"
        r".*recovery failed|unrecoverable|.*timed out|tuning execution failed|.*cache flush error|"
        r"Card stuck|.*card never left busy)",
        meaning="SD card or eMMC error",
        source="drivers/mmc/host/sdhci.c sdhci_timeout_timer, drivers/mmc/core/block.c",
        sample="mmc0: Timeout waiting for hardware interrupt.",
        follows=(*BUS, *INTERRUPTS, "undervoltage"),
    ),
)

CLASSES = (*NVME, *ATA, *MMC)
