"""Words about threads: who waits for what, in which function, behind whom."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from ingest.engines.threads import listing
from ingest.engines.threads.looks import REMARKED
from ingest.engines.threads.waiting import GENERIC, KERNEL, LOCK, OTHER, RUNNING, wait_kinds
from ingest.frames.wait_points import title_of, wait_point
from signatures.language.number_format import value_words
from signatures.overview.thresholds import thresholds_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ingest.engines.threads.groups import Crowd, LockGroup, Waiting

LIMITS = thresholds_of("threads")
NAMES, GROUPS, PATH = int(LIMITS["names"]), int(LIMITS["groups"]), int(LIMITS["path"])

STUCK = frozenset({"send", "file_call", "never"})
"""Kinds of waits that last for long only where something is wrong."""

ENDED = frozenset({"never", "panic"})
"""Kinds of waits that do not end, however short they are."""

NAMED = frozenset({GENERIC, KERNEL, "condition", "semaphore"})
"""Kinds whose function says more than their title."""

BEHIND = frozenset({LOCK, GENERIC, "condition"})
"""Kinds of waits that another thread ends: where all threads wait so, none can end them."""

TRANSACTION, SESSIONS = "transaction", "sessions"
THREAD = "thread"
NOUNS = {
    "go": "goroutine",
    "delve": "goroutine",
    "sessions": "session",
    "erlang": "process",
    "asyncio": "task",
}
"""What the threads of a form are called."""

HOUR, MINUTE = 3600.0, 60.0
_CLASS = re.compile(r"^java\.lang\.Class for (.*)$")


def name_of(one: Waiting) -> str:
    """Return what a thread is called: its name, else its id."""
    if one.look.name and one.look.form != "sessions":
        return one.look.name
    if one.look.tid < 0:
        return f"the thread in {one.wait.path[0]}" if one.wait.path else "the thread"
    return f"{NOUNS.get(one.look.form, THREAD)} {one.look.tid}"


def ring(crowd: Crowd, threads: Sequence[Waiting]) -> str:
    """Return `Deadlock: A waits for X, held by B, which waits for Y, held by A; 2 more wait behind them`."""
    parts = [f"{name_of(threads[0])} waits for {_lock_of(threads[0])}"]
    parts += [f"held by {name_of(one)}, which waits for {_lock_of(one)}" for one in threads[1:]]
    parts.append(f"held by {name_of(threads[0])}")
    by = " by the remarks beside the frames" if threads[0].look.form == REMARKED else ""
    text = f"Deadlock{by}: {', '.join(parts)}"
    behind = _behind(crowd, threads)
    if behind:
        verb = "waits" if behind == 1 else "wait"
        text += f"; {behind:,} more {verb} behind them"
    return text


def _behind(crowd: Crowd, threads: Sequence[Waiting]) -> int:
    """Return how many threads wait for one of the ring, or for one that does."""
    known = {id(one.look) for one in threads}
    size = 0
    while len(known) != size:
        size = len(known)
        for group in crowd.locks:
            if group.holder is not None and id(group.holder.look) in known:
                known |= {id(one.look) for one in group.waiting}
    return len(known) - len(threads)


def stated(one: Waiting) -> str:
    """Return the sentence about a deadlock that the run-time reports without naming a ring."""
    return f"The run-time reports a deadlock: {name_of(one)} waits {_where(one)}".rstrip()


def lock(crowd: Crowd, group: LockGroup, seconds: float) -> str:
    """Return who waits for a lock, where, for how long, and who holds it."""
    first = group.waiting[0]
    of = _count_words(group.count, crowd, _who(group.waiting))
    text = f"{of} for {_lock_of(first)}"
    places = Counter(one.wait.path[:1] for one in group.waiting)
    taken = Counter(one.wait.function for one in group.waiting if one.wait.function)
    path = first.wait.path[: PATH if len(group.waiting) == 1 else 1] if len(places) == 1 else ()
    if path:
        text += f" in {' ← '.join(path)}"
    elif not group.lock.what and (
        taken := Counter(one.wait.function for one in group.waiting if one.wait.function)
    ):
        text += f" in {', '.join(taken)}"
    if seconds:
        text += f", {'the longest ' if len(group.waiting) > 1 else ''}for {lasting(seconds)}"
    if group.holder is not None:
        text += _held(crowd, group.holder)
    elif group.owner:
        text += f", held by {group.owner}"
    if min(one.looks for one in group.waiting) > 1:
        text += "; so in each of the dumps"
    return text


def _held(crowd: Crowd, holder: Waiting) -> str:
    """Return who holds a lock and what that thread does, and so on along the locks that it waits for."""
    text, at, seen = "", holder, set[int]()
    while id(at.look) not in seen and len(seen) < PATH:
        seen.add(id(at.look))
        text += f", held by {name_of(at)}, which {_does(at)}"
        behind = next((one for one in crowd.locks if any(each is at for each in one.waiting)), None)
        if behind is None or behind.holder is None:
            break
        at = behind.holder
    return text


def stuck(one: Waiting, seconds: float) -> str:
    """Return the sentence about one thread that does not go on."""
    who = name_of(one)
    lasts = f" for {lasting(seconds)}" if seconds else ""
    path = " ← ".join(one.wait.path[:PATH])
    where = f" in {path}" if path else ""
    if one.wait.kind == "panic":
        return f"{who} panicked{where}, {one.look.state.removeprefix('panicked ')}".rstrip(", ")
    if one.wait.kind == "file_call":
        caller = f", called by {path}" if path else ""
        return f"{who} has been in a system call on a file{lasts}: {one.wait.function}{caller}"
    if one.wait.kind == "send":
        return f"{who} waits{lasts} to send to a channel that nobody receives from{where}"
    return f"{who} waits for ever ({one.look.state}){where}"


def behind_queue(one: Waiting) -> str:
    """Return the sentence about a thread or process whose messages pile up."""
    doing = "is busy or waits" if one.wait.kind in {OTHER, GENERIC} else f"waits {_for(one)}"
    return f"{one.look.queue:,} messages wait for {name_of(one)}, which {doing}{_in(one)}"


def _in(one: Waiting) -> str:
    """Return ` in FUNCTION`, "" without one."""
    function = one.wait.subject or one.wait.function
    return f" in {function}" if function else ""


def lasting(seconds: float) -> str:
    """Return a time as people say it: `44 h`, `41 min`, `12 s`."""
    if seconds >= 2 * HOUR:
        return f"{seconds / HOUR:,.0f} h"
    return f"{seconds / MINUTE:,.0f} min" if seconds >= 2 * MINUTE else value_words(seconds, "seconds")


def group_of(one: Waiting) -> tuple[str, str]:
    """Return what threads have in common that a list counts together."""
    kind = one.wait.kind
    if kind in {OTHER, "idle", TRANSACTION}:
        return kind, one.wait.subject
    return kind, (one.wait.subject or one.wait.function) if kind in NAMED else ""


def everything(crowd: Crowd, groups: Sequence[tuple[int, Waiting]]) -> str:
    """Return what the threads of a list do, the most frequent first."""
    total = crowd.total
    if total == 1:
        one = groups[0][1]
        path = " ← ".join(one.wait.path[:PATH])
        where = f" in {path}" if path else f" in {one.wait.function}" if one.wait.function else ""
        doing = "waits " + _for(one) if one.wait.kind not in {OTHER, RUNNING} else "is"
        return f"The thread {doing}{where}"
    parts = [_group_words(crowd, count, one) for count, one in groups[:GROUPS]]
    left = total - sum(count for count, _ in groups[:GROUPS])
    noun = _noun(crowd)
    if len(groups) == 1:
        of_all = f"of the first {total:,} {noun}s " if is_cut(crowd) else f"{total:,} listed {noun}s "
        return f"All {of_all}{parts[0].partition(' ')[2]}"
    if left:
        parts.append(f"{left:,} {'does' if left == 1 else 'do'} something else")
    text = f"Of {'the first ' if is_cut(crowd) else ''}{total:,} {noun}s, {', '.join(parts)}"
    return text if crowd.counts()[LOCK] else f"{text}; none is shown to wait for a lock"


def _group_words(crowd: Crowd, count: int, one: Waiting) -> str:
    own = [other for other in crowd.threads if group_of(other) == group_of(one)]
    whose = _who(own)
    named = f" ({whose})" if whose else ""
    kind, verb = one.wait.kind, "is" if count == 1 else "are"
    subject = one.wait.subject if len({other.wait.subject for other in own}) == 1 else ""
    where = f" in {subject}" if subject else ""
    if kind == RUNNING:
        return f"{count:,} {'runs' if count == 1 else 'run'}{where}{named}"
    if kind in {OTHER, "idle", TRANSACTION}:
        doing = {"idle": "idle", TRANSACTION: "idle in a transaction"}.get(kind, "")
        return f"{count:,} {verb} {doing}{where or ('' if doing else ' somewhere')}{named}".replace("  ", " ")
    function = f" in {one.wait.function}" if kind in NAMED and not subject else where
    return f"{count:,} {'waits' if count == 1 else 'wait'} {_for(one)}{function}{named}"


def _for(one: Waiting) -> str:
    kind = one.wait.kind
    if kind == KERNEL:
        point = wait_point((one.wait.function,))
        return f"for {title_of(point.kind)}" if point else "in the kernel"
    if kind == GENERIC:
        return "for a futex, which may be a lock or work" if "futex" in one.wait.function else "for something"
    known = wait_kinds().get(kind)
    if kind == "condition":
        return "for a condition variable: for work, or for another thread,"
    if kind == "system_call":
        return "for a system call"
    return f"for {known.title}" if known else "for ever"


def _does(one: Waiting) -> str:
    """Return what the holder of a lock does."""
    path = one.wait.subject
    where = f" in {path}" if path else ""
    if one.wait.kind == TRANSACTION:
        return "is idle in a transaction"
    if one.wait.kind in {OTHER, RUNNING}:
        return f"is{where}" if where else "runs" if one.look.state else "is not further described"
    if one.wait.kind == LOCK:
        return f"itself waits for {_lock_of(one)}{where}"
    return f"waits {_for(one)}{where}"


def _where(one: Waiting) -> str:
    path = " ← ".join(one.wait.path[:PATH])
    state = f" ({one.look.state})" if one.look.state else ""
    return f"in {path}{state}" if path else state.strip()


def _lock_of(one: Waiting) -> str:
    """Return the lock that a thread waits for: its type, else the function that takes it."""
    what = one.look.waits.what
    if what:
        of_class = _CLASS.match(what)
        return f"the lock of the class {_short(of_class[1])}" if of_class else f"the lock {_short(what)}"
    return f"a lock ({one.wait.function})" if one.wait.function and one.wait.path else "a lock"


def _short(name: str) -> str:
    return name.rpartition(".")[2] or name


def _noun(crowd: Crowd) -> str:
    return NOUNS.get(crowd.threads[0].look.form, THREAD)


def _count_words(count: int, crowd: Crowd, who: str) -> str:
    noun = _noun(crowd)
    named = f" ({who})" if who else ""
    if crowd.total == 1:
        return f"The {noun}{named} waits"
    first = "the first " if is_cut(crowd) else ""
    return f"{count:,} of {first}{crowd.total:,} {noun}s{named} {'waits' if count == 1 else 'wait'}"


def is_cut(crowd: Crowd) -> bool:
    """Return whether the list may go on: further threads are counted and not kept."""
    return crowd.total >= listing.MOST_LOOKS


def _who(threads: Iterable[Waiting]) -> str:
    """Return the names that threads have, with counts where there are several; "" without names."""
    counted: Counter[str] = Counter()
    example: dict[str, str] = {}
    for one in threads:
        stem = one.look.name.rstrip("0123456789")
        counted[stem] += one.look.count
        example.setdefault(stem, one.look.name)
    if not any(counted):
        return ""
    shown = [(stem, count) for stem, count in counted.most_common() if stem][:NAMES]
    if len(counted) == 1:
        return _shown(*shown[0], example)
    listed = (f"{count:,} {_shown(stem, count, example)}" for stem, count in shown)
    return ", ".join(listed) + (", …" if len(counted) > len(shown) else "")


def _shown(stem: str, count: int, example: Mapping[str, str]) -> str:
    """Return the name of one thread, or the common part of several: `pool-worker-N`."""
    return example[stem] if count == 1 or stem == example[stem] else f"{stem}N"
