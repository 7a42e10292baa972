"""Messages of network devices and protocols."""

from __future__ import annotations

from ingest.catalogue.log_classes.causes import BUS, CRASHES, INTERRUPTS
from ingest.catalogue.log_classes.model import LogClass

_NETDEV = r"^(?:\S+ \S+ )?(?P<device>[\w.-]+)(?: \([^)]*\))?: "
"""`e1000e 0000:00:19.0 eno1: `, or the interface alone."""

_OLD_NETDEV = r"^[a-z][a-z0-9_-]+: (?P<device_2>\S+) NIC Link is "
"""`e1000e: eth0 NIC Link is Down`, of Intel's drivers before Linux 3.13."""

CLASSES = (
    LogClass(
        name="netdev_watchdog",
        subsystem="ethernet",
        severity="error",
        pattern=r"(?:NETDEV WATCHDOG: (?P<device>\S+) \((?P<driver>[^)]*)\): |"
        r"(?:(?P<device_2>\S+): )?NETDEV WATCHDOG: (?:CPU: (?P<cpu>\d+): )?|"
        r"^\(\w+\): )transmit queue (?P<queue>\d+) timed out",
        meaning="NETDEV WATCHDOG: transmit queue timed out; the driver resets the device",
        source="net/sched/sch_generic.c dev_watchdog; with the driver's name to 6.8",
        sample="e1000e 0000:00:19.0 eno1: NETDEV WATCHDOG: CPU: 3: transmit queue 0 timed out 5376 ms",
        follows=("nic_hang", "nic_fault", *BUS, *INTERRUPTS),
        is_report=True,
    ),
    LogClass(
        name="nic_hang",
        subsystem="ethernet",
        severity="error",
        pattern=r"(?:^\S+ [0-9a-f:.]{7,15} (?P<device>[a-z]\w*): )?"
        r"(?:Detected (?:Hardware|Tx) Unit Hang|(?:[Tt]x|TX) hang\b|"
        r"initiating reset due to tx timeout|[Tt]x_timeout: VSI_seid|TX timeout (?:detected|on queue)|"
        r"transmit timed out|: Reset adapter unexpectedly|tx timeout: q|TX driver issue detected)",
        meaning="NIC transmit hang; drivers reset the device after it",
        source="drivers/net/ethernet/intel/e1000e/netdev.c e1000_print_hw_hang, ixgbe, i40e, mlx5, vmxnet3",
        sample="e1000e 0000:00:19.0 eno1: Detected Hardware Unit Hang:",
        follows=(*BUS, "nic_fault"),
        needs_prefix=True,
    ),
    LogClass(
        name="nic_reset",
        subsystem="ethernet",
        severity="warning",
        pattern=r"^(?:e1000e?|igb|igbvf|igc|ixgbe|ixgbevf|i40e|iavf|ice|r81\d\d) \S+ (?P<device>[\w.-]+)"
        r"(?: \([^)]*\))?: (?:Reset adapter$|Transmit timeout reset Device!)",
        meaning="the driver reset the NIC: a transmit hung, or the link was lost with packets to send",
        source="drivers/net/ethernet/intel/igb/igb_main.c igb_reset_task, ixgbe_main.c ixgbe_reset_subtask",
        sample="igb 0000:01:00.0 eth0: Reset adapter",
        follows=("nic_hang", "netdev_watchdog", "link_down", "nic_fault", *BUS),
        needs_prefix=True,
    ),
    LogClass(
        name="nic_queue_trouble",
        subsystem="ethernet",
        severity="warning",
        pattern=r"(?:Malicious Driver Detection event|[Tt]ransmit queue (?:overrun|full)|"
        r"failed to flush (?:mgmt )?transmit queue)",
        meaning="NIC transmit queue full, overrun, not flushed, or stopped by the card",
        source="drivers/net/ethernet/intel/i40e/i40e_main.c i40e_handle_mdd_event; wireless drivers",
        sample="mwifiex_pcie 0000:01:00.0: failed to flush transmit queue",
        follows=(*BUS, "nic_fault"),
        needs_prefix=True,
    ),
    LogClass(
        name="nic_timestamp_lost",
        subsystem="ethernet",
        severity="notice",
        pattern=r"clearing [TR]x timestamp hang",
        meaning="NIC transmit timestamp lost; PTP misses a value",
        source="drivers/net/ethernet/intel/e1000e/netdev.c e1000e_tx_hwtstamp_work, igb, ixgbe",
        sample="igb 0000:09:00.0: clearing Tx timestamp hang",
        needs_prefix=True,
    ),
    LogClass(
        name="nic_fault",
        subsystem="ethernet",
        severity="critical",
        pattern=r"^(?:mlx[45]_core|bnx2x?|bnxt_en|i40e|ice|ixgbe|igb|igc|be2net|cxgb4|qede|sfc|ena|hns3|"
        r"r8169|tg3|nfp)\b.*(?:[Hh]ealth (?:issue|compromised|poll)|assert_var|device's health|Fatal sensor|"
        r"firmware (?:error|hang|crash|fatal)|MC assert|PCIe link lost|Adapter removed|fatal (?:error|"
        r"exception)|heart ?beat|keep alive watchdog timeout|UE: |unrecoverable|cmd_work_handler|"
        r"timeout\. Will cause a leak|wait_func_handle_exec_timeout)",
        meaning="NIC or NIC firmware failed",
        source="drivers/net/ethernet/mellanox/mlx5/core/health.c, cmd.c, intel/igb/e1000_mac.c, amazon/ena",
        sample="mlx5_core 0000:3b:00.0: poll_health:800:(pid 0): device's health compromised - reached miss "
        "count",
        follows=BUS,
        needs_prefix=True,
    ),
    LogClass(
        name="bond_no_active",
        subsystem="bonding",
        severity="critical",
        pattern=r"^(?:bonding: )?(?P<device>\S+): now running without any active interface",
        meaning="bond without an active interface",
        source="drivers/net/bonding/bond_main.c bond_set_active; bonding: to 4.3",
        sample="bond0: now running without any active interface!",
        follows=("link_down", "bond_link_down", "netdev_watchdog", "nic_hang", "nic_fault"),
    ),
    LogClass(
        name="bond_link_down",
        subsystem="bonding",
        severity="warning",
        pattern=r"^(?:bonding: )?(?P<device>\S+?):? ?(?:\(slave (?P<interface>\S+)\))?: link status "
        r"(?:definitely )?down(?: for (?:active )?(?:backup )?(?:interface )?(?P<interface_2>[^\s,]+))?",
        meaning="bond: link of a member down",
        source="drivers/net/bonding/bond_main.c bond_miimon_commit",
        sample="bond0: (slave eth0): link status definitely down, disabling slave",
        follows=("link_down", "netdev_watchdog", "nic_hang", "nic_fault"),
    ),
    LogClass(
        name="bond_misconfigured",
        subsystem="bonding",
        severity="warning",
        pattern=r"^(?:bonding: )?(?P<device>\S+): Warning: (?:No 802\.3ad response|the permanent HWaddr|"
        r"no carrier|bond_set_)|(?:Could not set as active slave|An illegal loopback occurred on adapter|"
        r"802\.3ad response from the link partner)",
        meaning="bond misconfigured, or no answer from the switch (LACP)",
        source="drivers/net/bonding/bond_3ad.c ad_agg_selection_logic, bond_main.c",
        sample="bond0: Warning: No 802.3ad response from the link partner for any adapters in the bond",
    ),
    LogClass(
        name="link_down",
        subsystem="ethernet",
        severity="notice",
        pattern=_NETDEV
        + r"(?:(?:ig[bc]: \S+ )?NIC (?:Copper |Fibre )?Link is Down|Link is Down|[Ll]ink [Dd]own$|"
        r"link down\b|NIC Link is Down|carrier lost|link lost|Link DOWN)|" + _OLD_NETDEV + "Down",
        meaning="network link down; normal for an unplugged port",
        source="drivers/net/phy/phy.c phy_print_status, intel/e1000e/netdev.c, mellanox/mlx5",
        sample="e1000e 0000:00:19.0 eno1: NIC Link is Down",
        follows=("nic_fault", "nic_reset", *BUS),
        needs_prefix=True,
    ),
    LogClass(
        name="link_up",
        subsystem="ethernet",
        severity="notice",
        pattern=_NETDEV + r"(?:(?:ig[bc]: \S+ )?NIC (?:Copper |Fibre )?Link is Up|Link is [Uu]p|[Ll]ink up\b|"
        r"link becomes ready|carrier acquired)|" + _OLD_NETDEV + "Up",
        meaning="network link up",
        source="drivers/net/ethernet/intel/e1000e/netdev.c e1000_print_link_info, drivers/net/phy/phy.c",
        sample="e1000e 0000:00:19.0 eno1: NIC Link is Up 1000 Mbps Full Duplex, Flow Control: Rx/Tx",
        needs_prefix=True,
        ends=("link_down", "bond_link_down", "netdev_watchdog", "nic_hang"),
    ),
    LogClass(
        name="checksum_failure",
        subsystem="ethernet",
        severity="error",
        pattern=r"^(?:\(NULL net_device\): |" + _NETDEV.removeprefix("^") + r")hw csum failure",
        meaning="hw csum failure: wrong checksum from a NIC",
        source="net/core/dev.c do_netdev_rx_csum_fault",
        sample="eth0: hw csum failure",
        is_report=True,
    ),
    LogClass(
        name="unregister_netdevice",
        subsystem="net",
        severity="error",
        pattern=r"unregister_netdevice: waiting for (?P<device>\S+) to become free\. Usage count = "
        r"(?P<count>-?\d+)",
        meaning="unregister_netdevice waits for a reference that is not released; the caller waits for ever",
        source="net/core/dev.c netdev_wait_allrefs_any",
        sample="unregister_netdevice: waiting for lo to become free. Usage count = 1",
        follows=CRASHES,
    ),
    LogClass(
        name="page_pool_stalled",
        subsystem="net",
        severity="warning",
        pattern=r"page_pool_release_retry\(\) stalled pool shutdown(?:: id \d+,)? (?P<count>-?\d+) inflight "
        r"(?P<seconds>\d+) sec",
        meaning="page_pool release stalled: packets of a removed queue are still in use",
        source="net/core/page_pool.c page_pool_release_retry",
        sample="page_pool_release_retry() stalled pool shutdown: id 62, 1 inflight 604 sec",
    ),
    LogClass(
        name="packet_over_mtu",
        subsystem="net",
        severity="warning",
        pattern=r"(?P<device>\S+): dropped over-mtu packet(?:: (?P<size>\d+) > (?P<mtu>\d+))?",
        meaning="packet dropped, larger than the MTU of the output port",
        source="net/openvswitch/vport.c ovs_vport_send",
        sample="o-hm0: dropped over-mtu packet: 1760 > 1500",
    ),
    LogClass(
        name="bridge_loop",
        subsystem="net",
        severity="warning",
        pattern=r"^(?P<bridge>\S+): received packet on (?P<device>\S+) with own address as source address",
        meaning="bridge received its own packet: a loop or a duplicate MAC address",
        source="net/bridge/br_fdb.c br_fdb_update",
        sample="br0: received packet on eth0 with own address as source address (addr:52:54:00:12:34:56, "
        "vlan:0)",
    ),
    LogClass(
        name="openvswitch_limit",
        subsystem="net",
        severity="warning",
        pattern=r"(?:^openvswitch: |: )(?:\S+: )?deferred action limit reached, drop (?P<action>\w+)",
        meaning="Open vSwitch: recirculation limit reached, packet dropped",
        source="net/openvswitch/actions.c clone_execute",
        sample="openvswitch: ovs-system: deferred action limit reached, drop recirc action (recirc_id=0x3)",
    ),
)
