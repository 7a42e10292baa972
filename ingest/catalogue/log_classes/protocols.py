"""Messages of network protocols and of connection tracking."""

from __future__ import annotations

from ingest.catalogue.log_classes.causes import MEMORY
from ingest.catalogue.log_classes.model import LogClass

CLASSES = (
    LogClass(
        name="syn_flood",
        subsystem="tcp",
        severity="warning",
        pattern=r"^(?:TCP(?:v6)?: )?(?:request_sock_\w+(?:v6)?: )?[Pp]ossible SYN flooding on port "
        r"(?P<port_text>\S+?)\.(?: |$)",
        meaning="possible SYN flooding: the SYN queue of a port is full, by an attack or slow accept()",
        source="net/ipv4/tcp_input.c tcp_syn_flood_action",
        sample="TCP: request_sock_TCP: Possible SYN flooding on port 80. Sending cookies.",
    ),
    LogClass(
        name="tcp_memory",
        subsystem="tcp",
        severity="error",
        pattern=r"^(?:TCP: )?(?:out of memory -- consider tuning tcp_mem|too many (?:of )?orphaned sockets)",
        meaning="TCP: out of memory (tcp_mem) or too many orphaned sockets",
        source="net/ipv4/tcp.c tcp_check_oom",
        sample="TCP: out of memory -- consider tuning tcp_mem",
    ),
    LogClass(
        name="tcp_window_shrunk",
        subsystem="tcp",
        severity="notice",
        pattern=r"^TCP: Peer (?P<peer>\S+) unexpectedly shrunk window",
        meaning="a TCP peer shrank its window",
        source="net/ipv4/tcp_timer.c tcp_retransmit_timer, to 6.3",
        sample="TCP: Peer 10.0.0.7:443/55555 unexpectedly shrunk window 123:456 (repaired)",
    ),
    LogClass(
        name="tcp_gro_suspect",
        subsystem="tcp",
        severity="warning",
        pattern=r"^TCP: (?P<device>\S+): Driver has suspect GRO implementation",
        meaning="suspect GRO implementation of a NIC driver, which may cost throughput",
        source="net/ipv4/tcp_input.c tcp_gro_dev_warn",
        sample="TCP: eth0: Driver has suspect GRO implementation, TCP performance may be compromised.",
    ),
    LogClass(
        name="neighbour_table_full",
        subsystem="neighbour",
        severity="error",
        pattern=r"^(?:neighbou?r: )?(?:(?P<table>\w+): )?[Nn]eighbou?r table overflow",
        meaning="neighbour table overflow (ARP or NDISC): hosts become unreachable",
        source="net/core/neighbour.c neigh_alloc",
        sample="neighbour: arp_cache: neighbor table overflow!",
    ),
    LogClass(
        name="route_cache_full",
        subsystem="net",
        severity="error",
        pattern=r"^(?:Route cache is full: consider increasing|(?:IPv[46]: |ipv6: )?dst cache overflow)",
        meaning="route cache full: packets are dropped",
        source="net/core/dst.c dst_alloc, to 6.2; net/ipv4/route.c rt_garbage_collect, to 3.5",
        sample="Route cache is full: consider increasing sysctl net.ipv6.route.max_size.",
    ),
    LogClass(
        name="duplicate_address",
        subsystem="net",
        severity="error",
        pattern=r"(?P<device>\S+): IPv6 duplicate address (?P<address>\S+)",
        meaning="duplicate IPv6 address",
        source="net/ipv6/addrconf.c addrconf_dad_failure",
        sample="IPv6: eth0: IPv6 duplicate address fe80::5054:ff:fe12:3456 used by 52:54:00:12:34:56 "
        "detected!",
    ),
    LogClass(
        name="martian_packet",
        subsystem="net",
        severity="notice",
        pattern=r"^(?:IPv4: )?martian (?:source|destination) (?P<address>\S+) from (?P<peer>[^\s,]+),? "
        r"(?:on )?dev (?P<device>\S+)",
        meaning="martian packet: impossible address for its interface",
        source="net/ipv4/route.c ip_handle_martian_source",
        sample="IPv4: martian source 10.0.0.1 from 10.0.0.2, on dev eth0",
    ),
    LogClass(
        name="ipset_full",
        subsystem="net",
        severity="warning",
        pattern=r"^Set \S+ is full, maxelem \d+ reached",
        meaning="ipset is full; entries are not added",
        source="net/netfilter/ipset/ip_set_hash_gen.h mtype_add",
        sample="Set blocklist is full, maxelem 65536 reached",
    ),
    LogClass(
        name="ipvs_no_destination",
        subsystem="net",
        severity="warning",
        pattern=r"^IPVS: .* - no destination available",
        meaning="IPVS: no destination available",
        source="net/netfilter/ipvs/ip_vs_sched.c ip_vs_scheduler_err, ip_vs_wlc.c",
        sample="IPVS: rr: TCP 10.0.0.1:80 - no destination available",
    ),
    LogClass(
        name="ipvs_error",
        subsystem="net",
        severity="error",
        pattern=r"^IPVS: .*(?:no memory|[Ff]ailed|ERROR|error)",
        meaning="IPVS error",
        source="net/netfilter/ipvs/ip_vs_conn.c, ip_vs_sync.c",
        sample="IPVS: ip_vs_conn_new(): no memory",
        follows=MEMORY,
    ),
)
