"""Threads of programs: a deadlock leads, a lock has its holder, and threads without work raise no alarm."""

from __future__ import annotations

import pytest

from ingest.engines.threads import listing
from ingest.engines.threads.looks import looks_of
from ingest.engines.threads.waiting import wait_of
from ingest.evidence import read_bytes, read_paths
from signatures.engines import Engines
from signatures.judging.scope import items_of
from signatures.overview import run
from signatures.waits import graph_of
from tests.ingest.samples import DATA
from tests.signatures.overview.stated import statements

LISTS, STACKS = DATA / "thread-dump", DATA / "bare-stack"
HANGS = DATA / "recorded" / "hangs"

NO_RUNNER = """\
fatal error: all goroutines are asleep - deadlock!

goroutine 1 [chan receive]:
main.main()
\t/src/x.go:7 +0x2b
"""

STAT = """\
Jan 02 01:42:17 n1 kubelet[190224]: goroutine 341 [syscall, 46 minutes]:
Jan 02 01:42:17 n1 kubelet[190224]: syscall.Syscall6(0x106, 0xffffffffffffff9c, 0xc002775d50, 0x0, 0x0)
Jan 02 01:42:17 n1 kubelet[190224]: /usr/local/go/src/syscall/asm_linux_amd64.s:44 +0x5
Jan 02 01:42:17 n1 kubelet[190224]: syscall.Stat(...)
Jan 02 01:42:17 n1 kubelet[190224]: /usr/local/go/src/syscall/syscall_linux_amd64.go:64
Jan 02 01:42:17 n1 kubelet[190224]: os.Stat(0xc002b20d20, 0x60, 0x40f189, 0xc001fb8400, 0x200, 0x200)
Jan 02 01:42:17 n1 kubelet[190224]: /usr/local/go/src/os/stat.go:13 +0x4d
Jan 02 01:42:17 n1 kubelet[190224]: k8s.io/utils/mount.(*Mounter).IsLikelyNotMountPoint(0xc000a1, 0xc00)
"""

MUTEX = """\
goroutine 7 [sync.Mutex.Lock, 41 minutes]:
internal/sync.runtime_SemacquireMutex(0xc0001, 0x0, 0x1)
\t/usr/local/go/src/runtime/sema.go:95 +0x25
internal/sync.(*Mutex).lockSlow(0xc0001)
\t/usr/local/go/src/internal/sync/mutex.go:149 +0x15d
sync.(*Mutex).Lock(...)
\t/usr/local/go/src/sync/mutex.go:46
main.handle(0xc0001)
\t/app/main.go:41 +0x21

goroutine 12 [chan receive, 41 minutes]:
main.worker(0xc0001)
\t/app/main.go:81 +0x21
"""


def told(content, engines=None):
    evidence = [read_bytes(content.encode(), name="x")] if isinstance(content, str) else read_paths([content])
    panels = run(items_of(evidence), engines=engines)
    return [one for panel in panels for one in panel.statements if one.engine == "threads"]


@pytest.mark.parametrize(
    ("content", "level", "names"),
    [
        (
            LISTS / "thread-list.jstack-deadlock.txt",
            "failure",
            ["Deadlock", "exec-377", "exec-386", "WebappClassLoader", "CachedWeavePackage", "2 more wait"],
        ),
        (
            STACKS / "stack.zfs-remarks.txt",
            "failure",
            ["Deadlock by the remarks", "dmu_zfetch", "zfs_zinactive", "zf_rwlock", "z_hold_mtx"],
        ),
        (HANGS / "pthread-deadlock" / "gdb.txt", "failure", ["Deadlock", "audit", "transfer", "accounts"]),
        (NO_RUNNER, "failure", ["deadlock", "goroutine 1", "main.main"]),
        (STAT, "degraded", ["system call on a file", "46 min", "os.Stat", "IsLikelyNotMountPoint"]),
        (MUTEX, "degraded", ["1 of 2 goroutines", "sync.(*Mutex).Lock", "main.handle", "41 min"]),
        (
            HANGS / "pthread-mutex-under-read" / "gdb.txt",
            "notable",
            ["3 of 9 threads", "lock pool", "held by refill", "lock config", "held by fetcher"],
        ),
        (LISTS / "jstack.txt", "notable", ["5 of 26", "class Busy", "Busy.hold", "held by pool-worker-0"]),
        (
            LISTS / "thread-list.gdb-info-threads.txt",
            "notable",
            ["4 of 11", "__lll_lock_wait", "may be a dead"],
        ),
        (LISTS / "thread-list.goroutines.txt", "notable", ["goroutine 1", "44 h", "channel"]),
        (STACKS / "stack.postgres-lwlock.txt", "notable", ["LWLockAcquire", "entry_store"]),
        (LISTS / "thread-list.wait-channels.txt", "context", ["94", "futex_do_wait", "56 tiny-http-conn"]),
        (LISTS / "thread-list.dotnet.txt", "notable", ["3 of 4", "Monitor.Enter", "PriceCache.Get"]),
        (LISTS / "thread-list.clrstack.txt", "notable", ["2 of 3", "ReliableEnter", "Ledger.Post"]),
        (LISTS / "thread-list.windbg.txt", "notable", ["2 of 3", "CriticalSection", "OrderBook::Insert"]),
        (LISTS / "thread-list.solaris-pstack.txt", "notable", ["2 of 3", "mutex_lock", "route_message"]),
        (LISTS / "thread-list.macos-sample.txt", "context", ["1 waits for a lock in -[Store save]"]),
        (LISTS / "thread-list.delve.txt", "notable", ["2 of 3 goroutines", "sync.(*Mutex)", "Pool).Get"]),
        (LISTS / "thread-list.rbspy.txt", "notable", ["synchronize", "checkout"]),
        (LISTS / "thread-list.phpspy.txt", "notable", ["flock", "session_start", "in each of the dumps"]),
        (LISTS / "thread-list.erlang.txt", "notable", ["184,223 messages", "ledger_writer"]),
        (LISTS / "thread-list.asyncio.txt", "notable", ["2 of 3 tasks", "lock", "fetch"]),
        (LISTS / "thread-list.rust-panic.txt", "notable", ["panicked in store::Store::put", "store.rs:88"]),
        (LISTS / "thread-list.innodb.txt", "degraded", ["RW-latch", "4 min", "held by thread 140299"]),
        (LISTS / "thread-list.sessions-mysql.txt", "degraded", ["3 of 5", "table metadata", "15 min"]),
        (
            LISTS / "thread-list.sessions-blocked.txt",
            "notable",
            ["2 of 4", "held by session 19877", "idle in a transaction"],
        ),
        (
            LISTS / "thread-list.sessions-postgres.txt",
            "degraded",
            ["2 of 5", "transactionid", "session 19877 is idle in a transaction and may hold it"],
        ),
    ],
)
def test_the_statement_has_the_mechanism_and_its_subject(content, level, names):
    first = told(content)[0]
    assert first.level == level
    assert [name for name in names if name not in first.text] == []
    assert all(place.last_line >= place.first_line >= 1 for place in first.places)


@pytest.mark.parametrize(
    "sample",
    [
        LISTS / "thread-list.idle-go.txt",
        LISTS / "thread-list.idle-jvm.txt",
        LISTS / "thread-list.idle-python.txt",
        *(LISTS / f"thread-list.idle-{tool}.txt" for tool in ("dotnet", "windbg", "macos", "erlang")),
        LISTS / "thread-list.idle-mysql.txt",
        LISTS / "py-spy-dump.txt",
        LISTS / "pystack.txt",
        STACKS / "stack.idle-pool.txt",
        STACKS / "gdb.thread_apply_all_bt.txt",
    ],
    ids=lambda path: path.name,
)
def test_threads_without_work_raise_no_alarm(sample):
    (only,) = told(sample)
    assert (only.kind, only.level, only.is_notable) == ("fact", "context", False)
    assert "none is shown to wait for a lock" in only.text


def test_the_step_for_a_lock_of_a_program_is_no_dump_of_the_kernel():
    for sample in (LISTS / "jstack.txt", LISTS / "thread-list.gdb-info-threads.txt"):
        (first, *_) = told(sample)
        assert "sysrq" not in first.capture
        assert first.asks


def test_a_condition_is_given_up_while_its_thread_waits_for_it():
    (evidence,) = read_paths([LISTS / "thread-list.idle-jvm.txt"])
    (section,) = evidence.sections
    timer = next(look for look in looks_of(section.reading) if look.name == "Timer-0")
    assert (wait_of(timer).kind, [one.address for one in timer.holds]) == ("work", [])


def test_the_wait_graph_has_the_holder_of_a_lock_of_a_list():
    graph = graph_of(items_of(read_paths([LISTS / "jstack.txt"])))
    (root,) = graph.roots
    assert (graph.tasks[root.task].comm, root.behind) == ("pool-worker-0", 5)


def test_the_engine_can_be_switched_off_and_kept_in_shadow():
    sample = LISTS / "thread-list.jstack-deadlock.txt"
    assert told(sample, Engines.parse("threads=off")) == []
    assert told(sample, Engines.parse("threads=shadow")) == []


def test_many_threads_are_grouped_in_time_that_grows_with_their_number():
    row = '  {0}    Thread 0x7f (LWP {0}) "pool-{0}" 0x00007f in __lll_lock_wait () from /lib/libc.so.6\n'
    (only,) = told("".join(row.format(number) for number in range(1, 19_001)))
    assert only.text.startswith("19,000 of 19,000 threads (pool-N) wait for a lock")


def test_a_list_that_is_cut_speaks_of_its_first_threads(monkeypatch):
    monkeypatch.setattr(listing, "MOST_LOOKS", 20)
    text = "".join(
        f'"worker-{number}" #{number} prio=5 tid=0x{number:x} nid=0x{number:x} waiting for monitor entry\n'
        "   java.lang.Thread.State: BLOCKED (on object monitor)\n"
        "\tat com.example.Pool.take(Pool.java:42)\n"
        "\t- waiting to lock <0x0000000000000001> (a java.lang.Object)\n\n"
        for number in range(1, 41)
    )
    said = " ".join(
        statements("Full thread dump OpenJDK 64-Bit Server VM (21.0.2+13 mixed mode):\n\n" + text)
    )
    assert "the first 20 threads" in said
    assert "listed threads" not in said
