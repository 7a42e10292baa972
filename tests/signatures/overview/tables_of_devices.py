"""Tables of networks, disks and latencies."""

from __future__ import annotations

HISTOGRAM = """\
@read_latency_us:
[64, 128)           4141 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|
[128, 256)           933 |@@@@@@@@@@@                                         |
[1M, 2M)             212 |@@                                                  |
"""
ORPHANS = """\
# cat /proc/sys/net/ipv4/tcp_max_orphans
65536
# cat /proc/net/sockstat
sockets: used 39845
TCP: inuse 125217 orphan 65738 tw 103758 alloc 121429 mem 22016
"""
NETLINK = """\
sk               Eth Pid        Groups   Rmem     Wmem     Dump  Locks    Drops    Inode
0000000000000000 0   23984      00000113 0        0        0     2        0        129906
0000000000000000 0   18601      00000113 0        0        0     2        4711     33580
"""
MISSED = """\
6: eth4: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP qlen 1000
    link/ether 9c:8e:99:53:e3:30 brd ff:ff:ff:ff:ff:ff
    RX: bytes  packets  errors  dropped overrun mcast
    1361950677 1745618628 0       179     47323   12119074
    RX errors: length  crc     frame   fifo    missed
               0        0       0       0       1725828
    TX: bytes  packets  errors  dropped carrier collsns
    0          0        0       0       0       0
"""
FSSLOWER = """\
TIME     COMM             PID     T BYTES   OFF_KB   LAT(ms) FILENAME
13:29:01 journal-offline  2992396 F LL_MAX  0          23.99 system.journal
"""
FSYNCSNOOP = """\
# ./fsyncsnoop
Tracing fsync()s. Ctrl-C to end.
COMM             PID     LATms   FD RVAL FILE
multilog         4371    62.01    6 0x0 /service/log/main/current
multilog         4371     1.36    7 0x0 /service/log/main/state
"""
IFCONFIG = """\
o-hm0: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1442
        ether fa:16:3e:00:00:01  txqueuelen 1000  (Ethernet)
        RX packets 4000  bytes 3333377745 (3.1 GiB)
        RX errors 0  dropped 2829  overruns 0  frame 0
"""
TASKQ = """\
@queue_lat_us[dp_sync_taskq]:
[4K, 8K)               2 |@@@@@@                                              |
[64K, 128K)           14 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@    |
[1M, 2M)              15 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|
"""
RESHAPE = """\
md2 : active raid10 sdl1[9] sdk1[8]
      46877236224 blocks super 1.2 512K chunks 2 near-copies [10/10] [UUUUUUUUUU]
      [====>................]  reshape = 22.1% (10380906624/46877236224) finish=2322382.1min speed=261K/sec
"""
CLOSE_WAIT = """\
CLOSE-WAIT  183     0        10.0.0.1:https           10.0.0.54:59762
CLOSE-WAIT  416     0        10.0.0.1:https           10.0.0.91:40734
CLOSE-WAIT  417     0        10.0.0.1:https           10.0.0.35:42462
ESTAB       244     0        10.0.0.1:https           10.0.0.27:60472
"""

TABLES = {
    "connections nobody closes": (
        CLOSE_WAIT,
        "3 connections are in CLOSE-WAIT: the other end has closed them",
    ),
    "a slow reshape": (RESHAPE, "md2: the reshape is at 22.1 %"),
    "ifconfig": (IFCONFIG, "o-hm0"),
    "latencies of a task queue": (TASKQ, "of 31 values of queue_lat_us dp_sync_taskq are 0.5 s or more"),
    "a table of perf-tools": (FSYNCSNOOP, "The longest of 2 traced file operations took 62.01 ms (multilog"),
    "a full receive ring": (MISSED, "found the receive ring of eth4 full"),
    "a synchronisation of a file": (FSSLOWER, "The traced file operation took 23.99 ms (journal-offline"),
    "a histogram with a tail": (HISTOGRAM, "4.01 % of 5,286 values of read_latency_us are 0.5 s or more"),
    "orphans beyond their limit": (ORPHANS, "65,738 of 65,536 TCP orphans that the kernel allows (100 %)"),
    "netlink sockets": (NETLINK, "1 netlink socket dropped 4,711 messages"),
}
"""Output by what it is, with words of its headline."""
