"""Messages of virtual machines, control groups, security modules and loaded modules."""

from __future__ import annotations

from ingest.catalogue.log_classes.model import LogClass

VIRTUALISATION = (
    LogClass(
        name="virtqueue_broken",
        subsystem="virtio",
        severity="error",
        pattern=r"^virtio\S* (?P<device>[^\s:]+):? ?.*(?:is not a head!|id \d+ out of range|bad ring)|"
        r"^(?P<device_2>virtio\d+): .*Unexpected TXQ",
        meaning="virtqueue broken: the virtio device stops",
        source="drivers/virtio/virtio_ring.c virtqueue_get_buf_ctx",
        sample="virtio_net virtio0: output.0:id 12 is not a head!",
    ),
    LogClass(
        name="balloon_short",
        subsystem="virtio",
        severity="warning",
        pattern=r"(?:Out of puff! Can't get (?P<pages>\d+) pages|xen:balloon: Cannot add additional memory|"
        r"hv_balloon: (?:Balloon request will be|.*failed))",
        meaning="balloon: the guest lacks the memory that the hypervisor asks for",
        source="drivers/virtio/virtio_balloon.c fill_balloon, drivers/xen/balloon.c",
        sample="virtio_balloon virtio3: Out of puff! Can't get 1 pages",
    ),
    LogClass(
        name="hyperv_probe_failed",
        subsystem="hyperv",
        severity="error",
        pattern=r"^(?:hv_vmbus: probe failed for device (?P<device>\S+)|"
        r"hv_\w+: probe of (?P<device_2>\S+) failed)",
        meaning="Hyper-V device failed to probe",
        source="drivers/hv/vmbus_drv.c vmbus_probe",
        sample="hv_vmbus: probe failed for device f8b3781b-1e82-4818-a1c3-63d806ec15bb (-110)",
    ),
    LogClass(
        name="xen_stalled",
        subsystem="xen",
        severity="warning",
        pattern=r"^(?:.*Guest Rx stalled|xen:grant_table: WARNING: .*still in use|xenbus\S*: .*[Tt]imeout|"
        r"WARNING: g\.e\. \S+ still in use)",
        meaning="Xen: a guest does not take its packets or does not release grants",
        source="drivers/net/xen-netback/rx.c xenvif_rx_queue_timeout, drivers/xen/grant-table.c",
        sample="vif vif-3-0 vif3.0: Guest Rx stalled",
    ),
    LogClass(
        name="xen_grants_exhausted",
        subsystem="xen",
        severity="error",
        pattern=r"^xen(?::|/)grant[_-]table: .*max_grant_frames reached",
        meaning="Xen grant table at its limit; new disks and interfaces of the guest get no grants",
        source="drivers/xen/grant-table.c gnttab_expand",
        sample="xen:grant_table: xen/grant-table: max_grant_frames reached cur=32 extra=1 limit=32 "
        "gnttab_free_count=0 req_entries=2",
    ),
    LogClass(
        name="kvm_guest_msr",
        subsystem="kvm",
        severity="notice",
        pattern=r"^kvm(?:_\w+)?(?: \[\d+\])?: .*(?:disabled perfctr|ignored (?:rd|wr)msr|[Uu]nhandled (?:rd|"
        r"wr|RD|WR)MSR|[Uu]nhandled (?:rdmsr|wrmsr)|vcpu\d+.*(?:guest rIP))",
        meaning="KVM: a guest accessed an unhandled MSR, harmless",
        source="arch/x86/kvm/x86.h kvm_pr_unimpl_wrmsr",
        sample="kvm_intel: kvm [4711]: vcpu0, guest rIP: 0xffffffff8106c6f6 Unhandled WRMSR(0x1d9) = 0x1",
    ),
)

CGROUPS = (
    LogClass(
        name="cgroup_fork_rejected",
        subsystem="cgroup",
        severity="error",
        pattern=r"^cgroup: fork rejected by pids controller in (?P<cgroup>\S+)",
        meaning="fork rejected by pids.max of a cgroup",
        source="kernel/cgroup/pids.c pids_event",
        sample="cgroup: fork rejected by pids controller in /kubepods/pod1",
    ),
    LogClass(
        name="cgroup_misc_rejected",
        subsystem="cgroup",
        severity="error",
        pattern=r"^cgroup: charge rejected by the (?P<controller>\w+) controller for (?P<resource>\S+) "
        r"resource in (?P<cgroup>\S+)",
        meaning="charge rejected by misc.max of a cgroup",
        source="kernel/cgroup/misc.c misc_cg_try_charge, 5.13 to 5.15",
        sample="cgroup: charge rejected by the misc controller for sev resource in /kubepods/pod1",
    ),
)

SECURITY = (
    LogClass(
        name="audit_overflow",
        subsystem="audit",
        severity="warning",
        pattern=r"^audit: (?:backlog limit exceeded|audit_backlog=\d+ > audit_backlog_limit=|"
        r"audit_lost=(?P<count>\d+)|kauditd hold queue overflow|rate limit exceeded|error in audit_log)",
        meaning="audit backlog limit exceeded; callers wait or records are lost",
        source="kernel/audit.c audit_log_lost, audit_log_start",
        sample="audit: backlog limit exceeded",
        follows=("hung_task", "soft_lockup", "filesystem_readonly"),
    ),
    LogClass(
        name="access_denied",
        subsystem="lsm",
        severity="notice",
        pattern=r'apparmor="DENIED"|avc: +denied|^(?:audit: )?type=(?:1326|SECCOMP) .*sig=(?:9|31)\b',
        meaning="access denied by a security module or seccomp",
        source="security/lsm_audit.c common_lsm_audit, kernel/auditsc.c audit_seccomp",
        sample='audit: type=1400 audit(1700000000.123:456): apparmor="DENIED" operation="open" '
        'profile="snap.lxd" name="/etc/x" '
        'pid=4711 comm="x"',
    ),
    LogClass(
        name="lockdown_denied",
        subsystem="lsm",
        severity="notice",
        pattern=r"^Lockdown: (?P<comm>.+?): (?P<what>.+) is restricted; see man kernel_lockdown",
        meaning="access denied by kernel lockdown (secure boot)",
        source="security/lockdown/lockdown.c lockdown_is_locked_down",
        sample="Lockdown: systemd-logind: hibernation is restricted; see man kernel_lockdown.7",
    ),
    LogClass(
        name="module_rejected",
        subsystem="module",
        severity="error",
        pattern=r"^(?:(?P<module>[\w-]+): (?:Unknown symbol|disagrees about version of symbol|"
        r"no symbol version for|version magic|exports duplicate symbol|Unknown rela relocation|"
        r"overflow in relocation)|Loading of (?:unsigned )?module .*rejected|"
        r"Lockdown: modprobe: unsigned module loading is restricted|"
        r"module: x86/modules: Skipping invalid relocation)",
        meaning="module not loaded: a missing symbol, another version, or no valid signature",
        source="kernel/module/main.c resolve_symbol, check_modinfo; signing.c",
        sample="nvidia: version magic '5.15.0-91-generic SMP mod_unload modversions ' should be "
        "'5.15.0-92-generic SMP mod_unload modversions '",
    ),
    LogClass(
        name="module_taint",
        subsystem="module",
        severity="notice",
        pattern=r"^(?:(?P<module>[\w-]+): (?:loading out-of-tree module taints kernel|"
        r"module license '.*' taints kernel|module verification failed: signature|"
        r"loading test module taints kernel|module is from the staging directory)|"
        r"Disabling lock debugging due to kernel taint)",
        meaning="module taints the kernel: out of tree, proprietary or unsigned",
        source="kernel/module/main.c module_augment_kernel_taints, check_modinfo",
        sample="nvidia: loading out-of-tree module taints kernel.",
    ),
)

CLASSES = (*VIRTUALISATION, *CGROUPS, *SECURITY)
