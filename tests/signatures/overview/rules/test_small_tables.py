"""Small tables and sentences that say one thing: each is in the headline."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes
from tests.signatures.overview.test_first_screen import overview, states, texts

IOTOP = """\
Total DISK READ :       0.00 B/s | Total DISK WRITE :     104.21 M/s
Actual DISK READ:       0.00 B/s | Actual DISK WRITE:      91.33 M/s
    TID  PRIO  USER     DISK READ  DISK WRITE  SWAPIN      IO    COMMAND
  21733 be/4 postgres    0.00 B/s  {written} M/s  0.00 % {waits} % postgres: checkpointer
"""
NFS = """\
nas01:/export/home mounted on /home:

           ops/s       rpc bklog
         212.340           {backlog}

read:              ops/s            kB/s           kB/op         retrans    avg RTT (ms)    avg exe (ms)
                  96.123       12012.210         124.233       41 ({again}%)         {rtt}        {rtt}
"""
WRAPPED = """\
Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgrq-sz avgqu-sz   await r_await w_await  svctm  %util
sda               0.00     0.67    0.01    0.71     0.08    15.25    42.82     0.00    3.34    1.58    3.36   1.13   0.08
/dev/mapper/vg0-data
                  0.00   210.20    0.00  627.11     0.00 11599.13    36.99    91.15  812.24    8.24  812.24   1.59  99.87
"""  # noqa: E501 - as iostat prints


ATOP = """\
ATOP - lemp              2017/01/23  19:42:32              ---------                10s elapsed
PRC | sys    3.18s | user  33.24s | #proc    679 | #tslpu    28 | #zombie    0 | #exit      0 |
CPU | sys      29% | user    330% | irq       1% | idle   1857% | wait    182% | curscal  69% |
CPL | avg1   33.00 | avg5   35.29 | avg15  35.59 | csw    62610 | intr   76926 | numcpu    24 |
MEM | tot    31.3G | free    2.1G | cache   7.6G | dirty  41.0M | buff  362.1M | slab    1.2G |
DSK |          sda | busy    100% | read       4 | write   1789 | MBw/s   2.84 | avio 5.58 ms |
NET | eth0      4% | pcki    6649 | pcko    6136 | si 1478 Kbps | so 4115 Kbps | erro       0 |
"""
BROKEN_IOSTAT = """\
% iostat -xm 5
avg-cpu: %user %nice %system %iowait %steal %idle
35.05 0.00 7.85 47.89 0.00 9.20
Device: rrqm/s wrqm/s r/s w/s rMB/s
sda 0.00 0.20 1.00 163.40 0.00
wMB/s avgrq-sz avgqu-sz await r_await w_await svctm %util
81.09 1010.19 142.74 866.47 97.60 871.17 6.08 100.00
"""
REFUSED_FORK = """\
bash: fork: retry: Resource temporarily unavailable
bash: fork: retry: Resource temporarily unavailable
"""
RUN_QUEUES = """\
# ./runqlen.py -C
Sampling run queue length... Hit Ctrl-C to end.
^C

cpu = 0
     runqlen       : count     distribution
        0          : 80       |****************************************|
        1          : 20       |**********                              |

cpu = 1
     runqlen       : count     distribution
        0          : 0        |                                        |
        7          : 100      |****************************************|
"""
WAITS_FOR_CPU = """\
Tracing run queue latency... Hit Ctrl-C to end.
     usecs               : count     distribution
         2 -> 3          : 742      |************************************    |
         4 -> 7          : 403      |********************                    |
         8 -> 15         : 344      |*****************                       |
     16384 -> 32767      : 807      |****************************************|
     32768 -> 65535      : 64       |***                                     |
"""
RETRANSMITS = """\
# ./tcpretrans.py -c
Tracing retransmits ... Hit Ctrl-C to end
^C
LADDR:LPORT              RADDR:RPORT             RETRANSMITS
192.168.10.50:60366  <-> 172.217.21.194:443         700
192.168.10.50:666    <-> 172.213.11.195:443         345
"""
SWAP_INS = """\
# swapin.py
Counting swap ins. Ctrl-C to end.
13:36:59
COMM             PID    COUNT
gnome-shell      2239   12410

13:37:00
COMM             PID    COUNT
chrome           4536   14635

13:37:02
COMM             PID    COUNT
gnome-shell      2239   2496
"""
POOL = """\
  tank                DEGRADED     0     0     0
    mirror-0          DEGRADED     0     0     0
      /var/tmp/vdev1  FAULTED      0     0     0  external fault
      /var/tmp/vdev2  ONLINE       0     0     0
"""
ACPI = """\
  PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
   64 root      20   0       0      0      0 R  82.1   0.0   2:11.10 kworker/0:1+kacpid
"""
SNMP = """\
Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors IgnoredMulti
Udp: 1704 12 1234 1611 0 0 22 0
"""
ORPHANS = """\
#cat /proc/net/sockstat
sockets: used 39845
TCP: inuse 125217 orphan 65738 tw 103758 alloc 121429 mem 22016
#cat /proc/sys/net/ipv4/tcp_max_orphans
65536
"""
LOCKS = """\
10: FLOCK  ADVISORY  WRITE 1510 fe:00:10175864 0 EOF
11: FLOCK  ADVISORY  WRITE 10049 fe:00:9994265 0 EOF
11: -> FLOCK  ADVISORY  WRITE 10055 fe:00:9994265 0 EOF
11:  -> FLOCK  ADVISORY  WRITE 10056 fe:00:9994265 0 EOF
11:   -> FLOCK  ADVISORY  WRITE 10057 fe:00:9994265 0 EOF
12: POSIX  ADVISORY  READ 1518 fe:00:10175863 128 128
"""
DSTAT = """\
----total-usage---- -dsk/total- -net/total- ---paging-- ---system--
usr sys idl wai stl| read  writ| recv  send|  in   out | int   csw
  9   2  88   1   0|1204k 2211k|   0     0 |   0     0 | 902  1733
  7  11  21  61   0|  18M   43M|1204B 2210B|   0     0 |4821  9833
  7  11  21  61   0|  18M   43M|1204B 2210B|   0     0 |4821  9833
"""
CONTAINERS = """\
CONTAINER ID   NAME         CPU %     MEM USAGE / LIMIT   MEM %     NET I/O          BLOCK I/O        PIDS
3f9d1c20ab7e   shop-db-1    87.42%    1.972GiB / 2GiB     98.60%    1.21GB / 884MB   12.4GB / 3.1MB   214
"""
MEMORY_V1 = """\
$ grep . memory.limit_in_bytes memory.usage_in_bytes memory.failcnt
memory.limit_in_bytes:1073741824
memory.usage_in_bytes:1073737728
memory.failcnt:48213
"""
IMAGES = """\
Filesystem      Size  Used Avail Use% Mounted on
/dev/nvme0n1p2  468G  211G  234G  48% /
/dev/loop0       64M   64M     0 100% /snap/core20/2318
/dev/sr0        1.2G  1.2G     0 100% /media/cdrom
"""


@pytest.mark.parametrize(
    ("text", "headline"),
    [
        (IOTOP.format(written="102.21", waits="91.22"), "postgres writes 102.2 MiB a second"),
        (IOTOP.format(written="  2.21", waits="91.22"), "postgres waits for IO 91.2 % of its time"),
        (
            NFS.format(backlog="3.120", again="0.8", rtt="812.413"),
            "Reads of the NFS mount /home take 812.4 ms",
        ),
        (
            NFS.format(backlog="0.000", again="4.0", rtt="2.413"),
            "4 % of the reads of the NFS mount /home were",
        ),
        (
            "$ swapon --show\nNAME      TYPE      SIZE USED PRIO\n/dev/dm-1 partition   4G 3.9G   -2\n",
            "3994 MiB of 4096 MiB swap that the kernel allows",
        ),
        (
            "Filename\t\t\tType\t\tSize\t\tUsed\t\tPriority\n/dev/dm-1    partition\t4194300\t3193896\t-2\n",
            "76.1 % of swap is in use",
        ),
        ("$ cat /proc/sys/fs/file-nr\n811233\t0\t812000\n", "811,233 of 812,000 open files"),
        ("fs.file-nr = 811233\t0\t812000\n", "811,233 of 812,000 open files"),
        (
            "net.netfilter.nf_conntrack_count = 261233\nnet.netfilter.nf_conntrack_max = 262144\n",
            "261,233 of 262,144 tracked connections that the kernel allows",
        ),
        (WRAPPED, "vg0-data"),
        (
            "4f8a2c1d9e0b   api   412.31%   2.993GiB / 3GiB   99.77%   18.3GB / 22GB   1TB / 88MB   311\n",
            "A container uses nearly all of its limit of memory",
        ),
        (
            "/dev/md0:\n           Version : 1.2\n             State : clean, degraded\n",
            "Array /dev/md0 works without a member, or has failed",
        ),
        ("CPU_SrcID#0_MC#0_Chan#1_DIMM#0  48813   0\n", "Memory modules had errors"),
        (LOCKS, "Process 10049 holds a file lock that 3 tasks wait for"),
        (DSTAT, "61 % of CPU time is waiting for IO"),
        (CONTAINERS, "Container shop-db-1 uses 98.6 % of its memory limit"),
        (ATOP, "Device sda is busy 100 % of the time, and 28 tasks are blocked"),
        (BROKEN_IOSTAT, "sda"),
        (REFUSED_FORK, "a limit of tasks is met"),
        ("cp: error writing '/data/x': No space left on device\n", "A file system or a quota is full"),
        (RUN_QUEUES, "7 tasks wait for CPU 1 on average, and 0.2 for the other CPU"),
        (WAITS_FOR_CPU, "36.9 % of 2,360 waits for a CPU took 10 ms or more"),
        (RETRANSMITS, "1,045 TCP segments were sent again while traced, 700 from 192.168.10.50:60366 to"),
        (SWAP_INS, "29,541 pages were swapped in while traced, 14,906 for gnome-shell"),
        (POOL, "vdev1 is not in use: external fault"),
        ("40 51 08 00 40 37 e6  Error: UNC 8 sectors at LBA = 0x06374000\n", "The disk logged sectors"),
        ("rx_missed_errors: 22637793\n", "22,637,793 packets that arrived at the interface"),
        (SNMP, "42 % of received UDP datagrams had errors (1,234 of 2,938, since boot)"),
        (ACPI, "kworker/0:1+kacpid, which handles events of ACPI"),
        (ORPHANS, "65,738 of 65,536 TCP orphans"),
        (MEMORY_V1, "A cgroup is at its memory limit, and allocations have met it"),
    ],
)
def test_a_small_table_is_told(text, headline):
    found = overview(text)
    assert headline in found.headline.text


@pytest.mark.parametrize(
    "text",
    [
        IOTOP.format(written="  2.21", waits=" 0.22"),
        NFS.format(backlog="0.000", again="0.0", rtt="2.413"),
        "Filename\t\t\tType\t\tSize\t\tUsed\t\tPriority\n/dev/dm-1    partition\t4194300\t93896\t-2\n",
        "$ cat /proc/sys/fs/file-nr\n4267\t0\t2466177\n",
        IMAGES,
        "net.netfilter.nf_conntrack_count = 1233\nnet.netfilter.nf_conntrack_max = 262144\n",
    ],
)
def test_a_small_table_of_a_calm_machine_raises_no_alarm(text):
    found = overview(text)
    assert not texts(found)
    assert found.headline.kind == "not assessed"


CHAT = "box db7 is slow since noon. we see 'blk_update_request: I/O error, dev sda, sector 2048' in dmesg\n"


def test_a_kernel_message_that_a_sentence_quotes_is_told_as_a_quotation():
    found = overview(CHAT)
    assert found.headline.text.startswith(
        "The text quotes a kernel message: block I/O error: blk_update_request"
    )
    assert found.headline.kind == "fact"
    assert states(found)["io"] == "notable"
    assert found.next_capture.command == "journalctl -k -b -o json"


def test_a_host_with_images_of_snaps_has_room():
    found = read_bytes(
        b"Filesystem     Type     1K-blocks     Used Available Use% Mounted on\n"
        b"/dev/vda       ext4     263112772 71868688  23456789  76% /\n"
        b"/dev/loop0     squashfs     65536    65536         0 100% /snap/core20/2318\n",
        name="df.txt",
    )
    (space,) = [
        fact for fact in found.sections[0].reading.facts if fact.name == "filesystem.space_used_share"
    ]
    assert space.labels["mount"] == "/"


@pytest.mark.parametrize(
    "text",
    [
        "it's the network team's fault, they said 'all is well', don't know\n",
        "docs\n" * 60 + CHAT,
        "`Linux version 6.1.0-25-amd64` is in uname, `mounted filesystem with ordered data mode` too\n",
    ],
)
def test_documentation_and_words_in_quotes_are_no_kernel_message(text):
    assert overview(text).headline.kind == "no evidence"
