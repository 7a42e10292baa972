"""Words in the headers of tables that tools of bcc print."""

from __future__ import annotations

_KEY_COLUMN_NAMES = (
    "LATms RVAL BLOCK "
    "TIME(s) TIME(ms) LAT(us) LAT(ms) QUE(ms) DISK SECTOR BYTES LADDR RADDR LPORT RPORT TX_KB RX_KB SADDR "
    "DADDR SPORT DPORT HITS MISSES DIRTIES HITRATIO BUFFERS_MB CACHED_MB READ/s WRITE/s FSYNC/s "
    "OPEN/s CREATE/s SYSCALL FUNC SOFTIRQ HARDIRQ TOTAL_usecs TOTAL_nsecs CACHE ALLOCS READS WRITES "
    "R_Kb W_Kb REFERENCE MISS HIT% RETRIES OFF_KB FILENAME PATH ERR RET SIG TPID PAGES FPID EVENT "
    "AGE(s) LATENCY OLDSTATE NEWSTATE BACKLOG PROTO TRAN SWAP(us) EXIT_REASON KVM_EXIT "
    "MAJ MIN FLAG ARGS PCOMM LADDR:LPORT RADDR:RPORT RETRANSMITS LAT WORKQUEUE MNT_NS EXIT_CODE "
    "AVG_LAT(us) TOTAL_LAT(us) SYSCALLS CAP AUDIT REFS/s SLOW/s MISS/s KBYTES"
)
KEY_COLUMNS = frozenset(_KEY_COLUMN_NAMES.split())
_PLAIN_WORDS = (
    "TIME PID TID PPID COMM UID USER COUNT CPU NAME IP T BYTES MS DELTA INO TASK KB QUEUE CODE FD TYPE DEV "
    "ADDR SERVER STATE FILE"
)
PLAIN = frozenset(_PLAIN_WORDS.split())
WHOLE = frozenset(
    (
        "COMM PID COUNT",
        "COMM PID TID MNT_NS CALL",
        "PID COMM PROT ADDR PORT OPTS IF",
        "PID COMM NETNS PROTO BACKLOG ADDR PORT",
        "PID COMM PROTO BACKLOG ADDR PORT",
        "TIME PID COMM AGE(s) FILE",
        "TIME PID COMM SIG TPID RESULT",
        "TIME(s) PID COMM T FILE",
        "ADDR FUNC COUNT",
        "TIME PID COMM DEVICE",
        "PID COMM SYS RET ARGs",
        "PID COMM TYPE COUNT",
        "TIME PID TID SRC_NID DST_NID COMM",
        "TIME ID TYPE DESCRIPTION",
        "TIME(s) PID MS QUERY",
        "METHOD CALLS",
        "METHOD CALLS TIME(us)",
        "NAME/TYPE ALLOCS BYTES",
        "START TIME(us) DESCRIPTION",
        "PPC HCALL COUNT",
        "TIME DISK %RND %SEQ COUNT KBYTES",
        "COMM PID NODE ZONE ORDER MODE LAT(ms) STATUS",
        "TIME PID COMM LATms HOST",
        "TIME STAGE SOFTIRQ LAT(us) CPU COMM",
        "TIME(s) COMM CALL",
        "ACTION TID COMM SOCKET FD NAME",
        "TIME(s) ACTION TID COMM SOCKET FD NAME",
        "TIME PID COMMAND",
        "PID TID KVM_EXIT_REASON COUNT",
        "TID KVM_EXIT_REASON COUNT",
        "KVM_EXIT_REASON COUNT",
        "PID CMDLINE METHOD/s GC/s OBJNEW/s CLOAD/s EXC/s THR/s",
        "CPU PID TID TIME(us) METHOD",
        "DRIVER DEVICE VQ_NAME IN_SGS OUT_SGS IN_BW OUT_BW",
    )
)
"""Headers of words too common one by one: swapin, mountsnoop, bindsnoop, solisten, filelife, killsnoop,
dcsnoop, vfscount, mdflush, shmsnoop, bpflist, numasched, uthreads, mysqld_qslower, ucalls, uobjnew, ugc,
biopattern, compactsnoop, gethostlatency, softirqslower, syncsnoop, sofdsnoop, bashreadline, kvmexit, ustat,
uflow, virtiostat."""

NAMES = {
    "TIME(s)": "time_s",
    "TIME(ms)": "time_ms",
    "TIME(us)": "time_us",
    "LAT(us)": "latency_us",
    "LAT(ms)": "latency_ms",
    "LATms": "latency_ms",
    "QUE(ms)": "queue_ms",
    "HITRATIO": "hit_share",
    "HIT%": "hit_share",
    "T": "type",
    "MS": "duration_ms",
    "AGE(s)": "age_s",
    "TOTAL_usecs": "total_us",
    "TOTAL_nsecs": "total_ns",
    "SWAP(us)": "swap_us",
    "AVG_LAT(us)": "average_latency_us",
    "TOTAL_LAT(us)": "total_latency_us",
    "-": "message",
    "%RND": "random_share",
    "%SEQ": "sequential_share",
}
_FREE_WORDS = (
    "PATH FILENAME FILE ARGS ARGs FUNC COMM COMMAND NAME EXIT_REASON EXIT_CODE SYSCALL CALL DESCRIPTION "
    "QUERY METHOD"
)
MESSAGE = "-"
"""The last column of trace, which a person's format fills."""

FREE_LAST = frozenset((*_FREE_WORDS.split(), MESSAGE))

VIRTIO = ("DRIVER", "DEVICE", "VQ_NAME", "IN_SGS", "OUT_SGS", "IN_BW", "OUT_BW")
"""Columns of virtiostat, whose names are two words each."""

_NUMERIC_WORDS = (
    "PID TID COUNT LAT(us) LAT(ms) LATms BYTES TOTAL_usecs TOTAL_nsecs HITS MISSES CALLS ALLOCS TIME(us)"
)
NUMERIC = frozenset(_NUMERIC_WORDS.split())
"""Columns whose cells are numbers: a row without is none."""
