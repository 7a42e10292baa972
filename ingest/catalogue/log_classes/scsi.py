"""Messages of SCSI disks, their host adapters, Fibre Channel and iSCSI."""

from __future__ import annotations

from ingest.catalogue.log_classes.causes import BUS, INTERRUPTS, LINKS, MACHINE_CHECKS
from ingest.catalogue.log_classes.model import LogClass

_ADAPTER = ("storage_controller_fault", "fc_port_lost", "iscsi_connection_error", "iscsi_session_timeout")

CLASSES = (
    LogClass(
        name="scsi_medium_error",
        subsystem="scsi",
        severity="error",
        pattern=r"^sd \S+: \[(?P<device>\w+)\] .*(?:Sense Key : (?:Medium Error|0x3\b)|"
        r"Add\. Sense: (?:Unrecovered read|Write) error)",
        meaning="SCSI medium error: a sector cannot be read or written",
        source="drivers/scsi/scsi_logging.c scsi_log_print_sense; names in constants.c",
        sample="sd 0:0:9:0: [sdk] tag#915 Sense Key : Medium Error [current] ",
        follows=("storage_controller_fault", "ata_exception"),
    ),
    LogClass(
        name="scsi_hardware_error",
        subsystem="scsi",
        severity="error",
        pattern=r"^(?:sd \S+: \[(?P<device>\w+)\] .*(?:Sense Key : (?:Hardware Error|0x4\b)|"
        r"Add\. Sense: (?:Internal target failure|Logical unit communication|Mechanical positioning|"
        r"Peripheral device))|(?P<device_2>sd[a-z]+): Current(?: \[descriptor\])?: "
        r"sense key: Hardware Error)",
        meaning="SCSI hardware error of a disk or its controller",
        source="drivers/scsi/scsi_logging.c scsi_log_print_sense; names in constants.c",
        sample="sd 0:0:3:0: [sdc] tag#12 Sense Key : Hardware Error [current] ",
        follows=("storage_controller_fault",),
    ),
    LogClass(
        name="scsi_failure_predicted",
        subsystem="scsi",
        severity="warning",
        pattern=r"^sd \S+: \[(?P<device>\w+)\] .*Failure prediction threshold exceeded",
        meaning="SMART: a disk predicts its failure",
        source="drivers/scsi/scsi_logging.c scsi_log_print_sense; names in sense_codes.h",
        sample="sd 0:0:1:0: [sdb] tag#3 Add. Sense: Failure prediction threshold exceeded",
    ),
    LogClass(
        name="scsi_transport_failed",
        subsystem="scsi",
        severity="error",
        pattern=r"^s[dr] \S+: (?:\[(?P<device>\w+)\] )?.*hostbyte=(?P<host_byte>DID_(?:NO_CONNECT|BUS_BUSY|"
        r"TIME_OUT|BAD_TARGET|ABORT|PARITY|ERROR|RESET|BAD_INTR|SOFT_ERROR|TRANSPORT_\w+|TARGET_FAILURE|"
        r"NEXUS_FAILURE|MEDIUM_ERROR|ALLOC_FAILURE|REQUEUE|IMM_RETRY))",
        meaning="SCSI transport error: a command did not reach its disk or timed out; the host byte says why",
        source="drivers/scsi/scsi_logging.c scsi_print_result; names in constants.c",
        sample="sd 2:0:0:1: [sdc] tag#20 FAILED Result: hostbyte=DID_NO_CONNECT driverbyte=DRIVER_OK "
        "cmd_age=31s",
        follows=(*_ADAPTER, *BUS, *LINKS, *INTERRUPTS, "scsi_abort", "scsi_reset", "hyperv_storage_error"),
    ),
    LogClass(
        name="scsi_command_failed",
        subsystem="scsi",
        severity="error",
        pattern=r"^s[dr] \S+: (?:\[(?P<device>\w+)\] )?(?:.*FAILED Result: |.*Sense Key : (?:Not Ready|"
        r"Aborted Command|Data Protect|Blank Check|Miscompare|Volume Overflow|0x[278bBdDeE]\b)|"
        r"(?P<command>Synchronize Cache\(1[06]\)|Read Capacity\(1[06]\)|Start/Stop Unit|"
        r"Test Unit Ready) failed|Unaligned partial completion|.*timing out command, waited|"
        r".*SCSI error: return code|Unit Not Ready|Failed to get completion status)",
        meaning="SCSI command failed; the sense key says why",
        source="drivers/scsi/scsi_logging.c scsi_print_result, drivers/scsi/sd.c",
        sample="sd 0:0:1:0: [sdb] tag#7 FAILED Result: hostbyte=DID_OK driverbyte=DRIVER_OK cmd_age=0s",
        follows=(*_ADAPTER, *BUS),
    ),
    LogClass(
        name="scsi_detail",
        subsystem="scsi",
        severity="notice",
        pattern=r"^s[dr] \S+: (?:\[(?P<device>\w+)\] )?(?:tag#\d+ )?(?:.*CDB: |.*Sense Key : |"
        r".*Add\. Sense: |.*Result: hostbyte=)",
        meaning="command and sense data of a SCSI error, or a unit attention",
        source="drivers/scsi/scsi_logging.c scsi_print_command, scsi_log_print_sense",
        sample="sd 0:0:9:0: [sdk] tag#915 CDB: Write(16) 8a 00 00 00 00 00 07 c8 f5 8b 00 00 00 08 00 00",
    ),
    LogClass(
        name="scsi_abort",
        subsystem="scsi",
        severity="warning",
        pattern=r"^(?:sd|scsi|sr|ses|qla2xxx|lpfc|mpt3sas\S*|mpt2sas\S*|aacraid|hpsa|"
        r"megaraid_sas)\b.*(?:attempting task abort|task abort: (?:SUCCESS|FAILED)|Abort command issued|"
        r"[Aa]borting command|cmd abort |uas_eh_abort|Host adapter abort request|"
        r"eh timeout, not (?:aborting|retrying))",
        meaning="SCSI command timeout, and abort",
        source="drivers/scsi/mpt3sas/mpt3sas_scsih.c scsih_abort, qla2xxx/qla_os.c qla2xxx_eh_abort, "
        "scsi_error.c",
        sample="sd 0:0:1:0: attempting task abort!scmd(0x00000000c2f2b6d5), outstanding for 31004 ms & "
        "timeout 30000 ms",
        follows=(*_ADAPTER, *BUS, *INTERRUPTS),
    ),
    LogClass(
        name="scsi_reset",
        subsystem="scsi",
        severity="warning",
        pattern=r"^sd \S+: \[(?P<device>\w+)\] megasas: RESET cmd=|"
        r"^(?:sd|scsi|sr|ses|qla2xxx|lpfc|mpt3sas\S*|mpt2sas\S*|aacraid|hpsa|ata|"
        r"megaraid_sas)\b.*(?:attempting (?:device|target|host|bus) reset|(?:DEVICE|TARGET|BUS|ADAPTER|HOST|"
        r"LOOP) RESET (?:ISSUED|SUCCEEDED|FAILED)|(?:device|target|host) reset: (?:SUCCESS|FAILED)|"
        r"Host adapter reset request|resetting logical|reset (?:completed|failed)|Sending (?:BDR|BRST|HRST))",
        meaning="SCSI reset of a disk, target or host adapter after command timeouts",
        source="drivers/scsi/mpt3sas/mpt3sas_scsih.c scsih_dev_reset, qla2xxx/qla_os.c "
        "__qla2xxx_eh_generic_reset",
        sample="sd 0:0:1:0: attempting device reset! scmd(0x00000000c2f2b6d5)",
        follows=("scsi_abort", *_ADAPTER, *BUS),
    ),
    LogClass(
        name="scsi_offline",
        subsystem="scsi",
        severity="critical",
        pattern=r"^(?:sd|scsi|sr) \S+: (?:\[(?P<device>\w+)\] )?(?:.*Device offlined - not ready after "
        r"error recovery|.*rejecting I/O to (?:offline|dead) device|"
        r".*Medium access timeout failure\. Offlining disk|.*killing request)",
        meaning="SCSI device offline: every request fails",
        source="drivers/scsi/scsi_error.c scsi_eh_offline_sdevs, scsi_lib.c scsi_device_state_check, sd.c "
        "sd_eh_action",
        sample="sd 2:0:0:0: Device offlined - not ready after error recovery",
        follows=(
            "scsi_abort",
            "scsi_reset",
            "scsi_command_failed",
            "scsi_transport_failed",
            *_ADAPTER,
            *BUS,
            *LINKS,
        ),
    ),
    LogClass(
        name="scsi_reservation_conflict",
        subsystem="scsi",
        severity="warning",
        pattern=r"^(?:sd|scsi) \S+: (?:\[(?P<device>\w+)\] )?.*reservation conflict",
        meaning="SCSI reservation conflict; in clusters a fence",
        source="drivers/scsi/scsi_error.c scsi_decide_disposition",
        sample="sd 1:0:0:0: [sdb] tag#2 reservation conflict",
    ),
    LogClass(
        name="scsi_lun_changed",
        subsystem="scsi",
        severity="warning",
        pattern=r"^(?:sd|scsi) .*(?:LUN assignments on this target have changed|"
        r"thin provisioning soft threshold|Capacity data has changed|Inquiry data has changed|"
        r"Operating parameters on this target have changed)",
        meaning="storage array: LUNs changed, or a thin pool fills",
        source="drivers/scsi/scsi_error.c scsi_report_sense",
        sample="sd 1:0:0:5: LUN assignments on this target have changed. The Linux SCSI layer does not "
        "automatically remap LUN assignments.",
    ),
    LogClass(
        name="scsi_power_on_reset",
        subsystem="scsi",
        severity="notice",
        pattern=r"^(?:sd|scsi|sr|ses) \S+: .*Power-on or device reset occurred",
        meaning="a SCSI device was switched on or reset; normal once at boot",
        source="drivers/scsi/scsi_error.c scsi_report_sense",
        sample="sd 0:0:1:0: Power-on or device reset occurred",
    ),
    LogClass(
        name="storage_controller_fault",
        subsystem="scsi",
        severity="critical",
        pattern=r"(?:Found FW in FAULT state, will reset|FW in FAULT state Fault code:|"
        r"FW detected to be in fault ?state|"
        r"^mpt[23]sas\S*: (?:fault_state\(|SAS host is non-operational)|"
        r"^hpsa \S+: .*[Cc]ontroller lockup detected|^aacraid: Host adapter (?:dead|BLINK LED)|"
        r"^smartpqi \S+: (?:.*offline|controller .*not responding)|"
        r"^megaraid_sas \S+: .*(?:Adapter is (?:dead|OFFLINE)|waiting for controller reset|FW is in FAULT))",
        meaning="firmware fault of a storage controller",
        source="drivers/scsi/megaraid/megaraid_sas_base.c, mpt3sas/mpt3sas_base.c, hpsa.c, aacraid, smartpqi",
        sample="megaraid_sas 0000:03:00.0: Found FW in FAULT state, will reset adapter scsi0.",
        follows=(*BUS, *MACHINE_CHECKS),
    ),
    LogClass(
        name="fc_port_lost",
        subsystem="scsi",
        severity="error",
        pattern=r"^(?:(?: ?rport-(?P<port>\S+): )?blocked FC remote port time out|"
        r"qla2xxx \[\S+: (?:LOOP DOWN detected|.*Link is DOWN)|lpfc \S+: .*Link Down Event|"
        r"bfa \S+: .*[Ll]ink down|bnx2fc: .*link down)",
        meaning="Fibre Channel link or remote port lost; its disks fail after dev_loss_tmo",
        source="drivers/scsi/scsi_transport_fc.c fc_timeout_deleted_rport, qla2xxx/qla_isr.c, "
        "lpfc/lpfc_els.c",
        sample="rport-1:0-2: blocked FC remote port time out: removing target and saving binding",
        follows=BUS,
    ),
    LogClass(
        name="fc_link_up",
        subsystem="scsi",
        severity="notice",
        pattern=r"^(?:qla2xxx \[\S+: LOOP UP detected|lpfc \S+: .*Link Up Event)",
        meaning="Fibre Channel link up",
        source="drivers/scsi/qla2xxx/qla_isr.c qla2x00_async_event, lpfc/lpfc_els.c",
        sample="qla2xxx [0000:05:00.0]-500a:1: LOOP UP detected (8 Gbps).",
        ends=("fc_port_lost",),
    ),
    LogClass(
        name="fc_scan_skipped",
        subsystem="scsi",
        severity="warning",
        pattern=r"^qla2xxx \[(?P<device>[0-9a-f:.]+)\]-\w+:\d+: skipping scsi_scan_host\(\) for non-init",
        meaning="the adapter does not look for disks: its port is no initiator (option qlini_mode)",
        source="drivers/scsi/qla2xxx/qla_os.c qla2x00_probe_one",
        sample="qla2xxx [0000:04:00.0]-0122:1: skipping scsi_scan_host() for non-initiator port",
    ),
    LogClass(
        name="iscsi_session_timeout",
        subsystem="iscsi",
        severity="critical",
        pattern=r"^ ?session(?P<session>\d+): session recovery timed out after (?P<seconds>\d+) secs",
        meaning="iSCSI session recovery timed out: its disks fail",
        source="drivers/scsi/scsi_transport_iscsi.c session_recovery_timedout",
        sample="session1: session recovery timed out after 120 secs",
        follows=("iscsi_connection_error", *LINKS),
    ),
    LogClass(
        name="iscsi_connection_error",
        subsystem="iscsi",
        severity="error",
        pattern=r"^ ?connection(?P<connection>\d+:\d+): (?:ping timeout of \d+ secs expired|"
        r"detected conn error|pdu .*rejected|.*Could not send|.*digest error)",
        meaning="iSCSI connection error; its disks wait for replacement_timeout",
        source="drivers/scsi/libiscsi.c iscsi_check_transport_timeouts, scsi_transport_iscsi.c "
        "iscsi_conn_error_event",
        sample="connection1:0: ping timeout of 5 secs expired, recv timeout 5, last rx 4295034368, last "
        "ping 4295035648, now 4295036928",
        follows=LINKS,
    ),
    LogClass(
        name="hyperv_storage_error",
        subsystem="hyperv",
        severity="error",
        pattern=r"^(?:hv_storvsc|storvsc) \S+: tag#\d+ cmd (?P<command>0x[0-9a-f]+) status: scsi "
        r"(?P<status>0x[0-9a-f]+) srb",
        meaning="Hyper-V storage: a command failed",
        source="drivers/scsi/storvsc_drv.c storvsc_on_io_completion",
        sample="hv_storvsc f8b3781b-1e82-4818-a1c3-63d806ec15bb: tag#4 cmd 0x2a status: scsi 0x2 srb 0x4 hv "
        "0xc0000001",
    ),
    LogClass(
        name="ufs_error",
        subsystem="scsi",
        severity="error",
        pattern=r"^ufs\S* (?P<device>\S+): (?:(?:pa|dl|nl|tl|dme|auto_hibern8|fatal)_err(?:\[\d+\] = |: "
        r"total cnt=)|(?:link_startup_fail|(?:wlun )?(?:resume|suspend)_fail|dev_reset|host_reset|task_abort)"
        r"(?:\[\d+\] = |: total cnt=)|OCS error from controller|ufshcd_abort: |UFS Host state=|"
        r"saved_err=0x|ufshcd_\w+: .*\b(?:failed|timed? ?out|[Ee]rror)\b)",
        meaning="UFS storage: the host controller reports errors of its link, its device or a command",
        source="drivers/ufs/core/ufshcd.c ufshcd_print_evt, ufshcd_print_host_state, ufshcd_abort",
        sample="ufshcd-qcom 1d84000.ufshc: pa_err[0] = 0x80000010 at 1234 us",
    ),
)
