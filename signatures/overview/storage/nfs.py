"""NFS mounts of a client since they were mounted, and the NFS server of the kernel.

NFS mount /mnt: WRITE takes 107.6 ms on average (25.9 ms from sending to the reply), the slowest operation
No thread of the NFS server was free at once for 12 % of 9,919,427 requests (pool 0)

The counters run since the mount or since the server began: none of them is a look at now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.model import Answer, Figure, Statement
from signatures.overview.thresholds import thresholds_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.documents.levels import Level
    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

LIMITS = thresholds_of("nfs")
SINCE_MOUNT = "nfs.since_mount."
SERVER_CAPTURE = "cat /proc/fs/nfsd/pool_stats; sleep 10; cat /proc/fs/nfsd/pool_stats"
CLIENT_CAPTURE = "nfsiostat 5 3; nstat -asz"
GROWS = "whether requests wait for a thread now: sockets-enqueued grows"
SINCE = "since it was mounted"


def nfs(evidence: ScopeEvidence) -> Answer:
    """Return the slowest operation of each mount, what was sent again, and calls and threads of a server."""
    statements = (*_mounts(evidence), *_pools(evidence), *_calls(evidence))
    if not statements:
        return Answer("No counters of NFS.")
    figures = tuple(Figure("NFS", one.text, "", one.places) for one in statements)
    return Answer(f"{statements[0].text}.", figures, (), statements, is_undecided=True)


def _mounts(evidence: ScopeEvidence) -> Iterator[Statement]:
    mounts: dict[tuple[str, str], dict[str, dict[str, FactEntry]]] = {}
    for name in evidence.names(SINCE_MOUNT):
        operation, _, column = name.removeprefix(SINCE_MOUNT).rpartition(".")
        for entry in evidence.facts(name):
            key = (entry.item.evidence, entry.label("mount"))
            mounts.setdefault(key, {}).setdefault(operation, {})[column] = entry
    for (_, mount), operations in mounts.items():
        total = sum(one["operations"].number for one in operations.values())
        many = {
            name: one
            for name, one in operations.items()
            if one["operations"].number >= LIMITS["fewest_operations"]
        }
        if total:
            yield _sent_again(mount, operations, total)
        if many:
            name, slowest = max(many.items(), key=lambda one: one[1]["exe_ms"].number)
            yield _slowest(mount, name, slowest)


def _sent_again(mount: str, operations: dict[str, dict[str, FactEntry]], total: float) -> Statement:
    again = sum(one["sent_again"].number for one in operations.values())
    timeouts = sum(one["timeouts"].number for one in operations.values())
    is_much = again / total >= LIMITS["sent_again_share"]
    share = f" ({value_words(again / total, 'share')})" if again else ""
    words = (
        f"NFS mount {mount}: {again:,.0f} of {total:,.0f} operations were sent again{share}, "
        f"{timeouts:,.0f} met a major timeout, {SINCE}"
    )
    worst = max(operations.values(), key=lambda one: one["sent_again"].number)
    return Statement(
        "io",
        words,
        (worst["sent_again"].place,),
        "fact",
        "since boot" if is_much or timeouts else "context",
        CLIENT_CAPTURE if is_much or timeouts else "",
        is_notable=is_much,
    )


def _slowest(mount: str, name: str, slowest: dict[str, FactEntry]) -> Statement:
    exe, rtt = (value_words(slowest[column].number, "ms") for column in ("exe_ms", "rtt_ms"))
    is_slow = slowest["exe_ms"].number >= LIMITS["slow_ms"]
    words = (
        f"NFS mount {mount}: {name.upper()} takes {exe} on average ({rtt} from sending to the reply), the "
        f"slowest operation, {SINCE}"
    )
    capture = CLIENT_CAPTURE if is_slow else ""
    level: Level = "since boot" if is_slow else "context"
    return Statement("io", words, _place(slowest["exe_ms"]), "fact", level, capture, is_notable=is_slow)


def _pools(evidence: ScopeEvidence) -> Iterator[Statement]:
    """Yield how often no thread was free.

    Its rate is ideally 0 (Documentation/filesystems/nfs/knfsd-stats.rst).
    """
    arrived = {_pool(one): one for one in evidence.facts("nfsd.pool.packets_arrived")}
    for entry in evidence.facts("nfsd.pool.sockets_enqueued"):
        base = arrived.get(_pool(entry))
        if base is None or base.number <= 0:
            continue
        if entry.number >= base.number:
            # Some kernels count every request (3.10.0-1062 of CentOS 7): nothing follows from it.
            words = (
                f"The NFS server counted a wait for a thread with each of {base.number:,.0f} requests (pool "
                f"{entry.label('pool')}), as some kernels always do"
            )
            yield Statement("io", words, _place(entry), "fact", "context")
            continue
        share = entry.number / base.number
        words = (
            f"No thread of the NFS server was free at once for {value_words(share, 'share')} of "
            f"{base.number:,.0f} requests (pool {entry.label('pool')}), since it was started"
        )
        level: Level = "since boot" if entry.number else "context"
        capture = SERVER_CAPTURE if entry.number else ""
        yield Statement("io", words, _place(entry), "fact", level, capture, asks=GROWS)


def _calls(evidence: ScopeEvidence) -> Iterator[Statement]:
    """Yield the bad calls and stale file handles of a server, with its threads."""
    calls, bad = evidence.highest("nfsd.calls"), evidence.highest("nfsd.bad_calls")
    if calls is None or bad is None:
        return
    threads, stale = evidence.highest("nfsd.threads"), evidence.highest("nfsd.stale_handles")
    of = f" with {threads.number:,.0f} threads" if threads else ""
    handles = f", {stale.number:,.0f} file handles were stale" if stale else ""
    words = (
        f"NFS server{of}: {bad.number:,.0f} of {calls.number:,.0f} RPC calls were bad{handles}; whether all "
        "threads are busy stands in /proc/fs/nfsd/pool_stats"
    )
    capture = "" if evidence.facts("nfsd.pool.packets_arrived") else SERVER_CAPTURE
    yield Statement("io", words, _place(bad), "fact", "context", capture, asks=GROWS)


def _pool(entry: FactEntry) -> tuple[str, int, str, int]:
    return entry.item.evidence, entry.item.section, entry.label("pool"), entry.fact.snapshot


def _place(entry: FactEntry) -> tuple[Place, ...]:
    return (entry.place,)
