"""Threads of programs: rings of locks, who waits for which lock, calls that do not end; else what all do.

    5 of 26 threads (pool-worker-N) wait for the lock of the class Busy, held by pool-worker-0, which …

Threads that wait for work, events or a time are usual, and no alarm is made of them.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ingest.engines.threads.forms import form_of
from ingest.engines.threads.groups import crowd_of, reentered
from ingest.engines.threads.looks import REMARKED, looks_of
from ingest.engines.threads.waiting import KERNEL
from signatures.overview.model import Answer, Figure, Quantity, Statement, place
from signatures.overview.threads import lock_lists, words
from signatures.overview.thresholds import thresholds_of
from signatures.overview.waiting.captures import BLOCKED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.engines.threads.groups import LockGroup, Waiting
    from ingest.engines.threads.model import ThreadLook
    from signatures.documents.levels import Level
    from signatures.documents.overview import StatementKind
    from signatures.engines import EngineName
    from signatures.judging.scope import Item
    from signatures.overview.first_steps import Topic
    from signatures.overview.model import Place, QuestionName
    from signatures.overview.scope_evidence import ScopeEvidence

ENGINE: EngineName = "threads"
LIMITS = thresholds_of("threads")
QUEUE = int(LIMITS["queue"])
FEW, FEW_SHARE, LONG = int(LIMITS["waiters"]), LIMITS["share"], LIMITS["long_seconds"]
LISTED = LIMITS["listed_seconds"]
SHOWN = int(LIMITS["statements"])

STACKS_OF_ALL = "gdb -p PID -batch -ex 'thread apply all bt'"
ASKS_ALL = "the stacks of all threads: who holds the lock"
CALL = "ls -l /proc/PID/fd; for t in /proc/PID/task/*; do cat $t/comm $t/wchan $t/stack; done"
STATED = "threads.stated_deadlocks"


def threads(evidence: ScopeEvidence) -> Answer:
    """Return what the lists of threads, and the stacks of programs, show."""
    found: list[Statement] = []
    lists: dict[tuple[str, str], list[_Seen]] = {}
    for item in evidence.items:
        for look in looks_of(item.reading):
            # A report of a deadlock, and a list that a person parted, are of the list beside them.
            lists.setdefault((item.evidence, look.form.partition("-")[0]), []).append(_Seen(item, look))
    for seen in lists.values():
        found += _Told(seen).statements()
    if not found:
        return Answer("No list of threads of a program.")
    figures = tuple(Figure(one.subject, one.words, "", one.places, one.is_notable) for one in found)
    return Answer(f"{found[0].text}.", figures, (), tuple(found), is_undecided=True)


class _Seen(NamedTuple):
    """A thread, and the section that it stands in."""

    item: Item
    look: ThreadLook


class _Told:
    """The statements of one list."""

    def __init__(self, seen: Sequence[_Seen]) -> None:
        self._items = {id(one.look): one.item for one in seen}
        self._crowd = crowd_of([one.look for one in seen])
        self._form = form_of(seen[0].look.form)

    def statements(self) -> list[Statement]:
        """Return the statements, a deadlock first; of a list in which nothing is stuck, the one of all."""
        if self._crowd.threads[0].look.form == lock_lists.LISTED:
            return [self._listed()]
        found = [*self._rings(), *self._locks(), *self._long()][:SHOWN]
        return found or [self._all()]

    def _listed(self) -> Statement:
        """Return which locks several tasks list: lockdep lists what a task holds and what it waits for."""
        by_lock: dict[str, list[Waiting]] = {}
        for one in self._crowd.threads:
            for lock in one.look.holds:
                by_lock.setdefault(lock.address, []).append(one)
        shared = {name: several for name, several in by_lock.items() if len(several) > 1}
        return self._statement(
            lock_lists.listed(self._crowd, shared),
            [one for several in shared.values() for one in several] or self._crowd.threads,
            "notable" if shared else "context",
            subject=" ".join(sorted(shared)) or "locks that lockdep lists",
            quantity=Quantity(float(len(shared)), "count"),
        )

    def _rings(self) -> Iterator[Statement]:
        stated = [
            place(item, fact.lines.first, fact.lines.last)
            for item in {id(one): one for one in self._items.values()}.values()
            for fact in item.reading.facts
            if fact.name == STATED
        ]
        for ring in self._crowd.rings:
            names = [words.name_of(one) for one in ring]
            yield self._statement(
                words.ring(self._crowd, ring),
                ring,
                "failure",
                topic="deadlock",
                subject=f"deadlock of {', '.join(sorted(names))}",
            )
        if stated and not self._crowd.rings:
            asleep = [one for one in self._crowd.threads if one.wait.kind != "running"] or self._crowd.threads
            yield self._statement(
                words.stated(asleep[0]),
                asleep[:1],
                "failure",
                topic="deadlock",
                subject="deadlock that the run-time reports",
                more=(stated[0],),
            )

    def _locks(self) -> Iterator[Statement]:
        in_ring = {id(one.look) for ring in self._crowd.rings for one in ring}
        for group in self._crowd.locks:
            others = [one for one in group.waiting if id(one.look) not in in_ring]
            seconds = max((one.look.seconds or 0.0 for one in others), default=0.0)
            is_long = seconds >= LONG
            least = max(FEW, FEW_SHARE * self._crowd.total)
            is_usual = group.count < least and not is_long and self._crowd.total > 1
            if is_usual and self._is_of_lock_list(group):
                is_usual = seconds < LISTED
            if not others or is_usual:
                continue
            yield self._statement(
                words.lock(self._crowd, group, seconds if is_long else 0.0),
                [*others, *([group.holder] if group.holder else [])],
                "degraded" if is_long else "notable",
                topic=self._lock_topic(),
                subject=f"lock in {others[0].wait.subject or others[0].wait.function or 'a program'}",
                quantity=Quantity(float(group.count), "count"),
                qualifiers=self._holder_unknown(group),
            )

    def _is_of_lock_list(self, group: LockGroup) -> bool:
        """Return whether a table of sessions states who holds the lock that one of them waits for."""
        is_of_sessions = self._crowd.threads[0].look.form == words.SESSIONS
        return is_of_sessions and (group.holder is not None or bool(group.owner))

    def _lock_topic(self) -> Topic:
        is_of_sessions = self._crowd.threads[0].look.form == words.SESSIONS
        return "held session lock" if is_of_sessions else "held user lock"

    def _holder_unknown(self, group: LockGroup) -> tuple[str, ...]:
        if group.holder is not None or group.owner:
            return ()
        if own := next(filter(None, map(reentered, group.waiting)), ""):
            return (f"; it holds it itself: a signal interrupted {own}, and its handler calls {own} again",)
        opened = [one for one in self._crowd.threads if one.wait.kind == words.TRANSACTION]
        if opened:
            return (f"; {words.name_of(opened[0])} is idle in a transaction and may hold it",)
        is_whole_list = self._crowd.threads[0].look.form != words.SESSIONS and not words.is_cut(self._crowd)
        if (
            is_whole_list
            and group.count >= FEW
            and all(one.wait.kind in words.BEHIND for one in self._crowd.threads)
        ):
            return ("; all listed threads wait for locks or conditions: it may be a deadlock",)
        return ("; who holds it is not in the evidence",)

    def _long(self) -> Iterator[Statement]:
        """Yield threads that have been in a call, or wait for what nobody does, for long."""
        for one in sorted(self._crowd.threads, key=lambda each: -each.look.queue):
            seconds = one.look.seconds or 0.0
            if one.look.queue >= QUEUE:
                yield self._statement(
                    words.behind_queue(one),
                    [one],
                    "notable",
                    subject=f"messages that wait for {words.name_of(one)}",
                    quantity=Quantity(float(one.look.queue), "count"),
                    question="scheduling",
                )
            if one.wait.kind in words.ENDED or (seconds >= LONG and one.wait.kind in words.STUCK):
                is_file = one.wait.kind == "file_call"
                yield self._statement(
                    words.stuck(one, seconds),
                    [one],
                    "degraded" if is_file else "notable",
                    topic="blocked tasks" if is_file else "",
                    subject=f"{words.name_of(one)} in {one.wait.subject or one.wait.function}",
                    quantity=Quantity(seconds, "seconds"),
                    question="io" if is_file else "scheduling",
                    step=(CALL, "the file that it waits for, and where in the kernel") if is_file else None,
                )

    def _all(self) -> Statement:
        """Return what the threads of a list wait for in which no lock is waited for by several."""
        counted: Counter[tuple[str, str]] = Counter()
        first: dict[tuple[str, str], Waiting] = {}
        for one in self._crowd.threads:
            key = words.group_of(one)
            counted[key] += one.look.count
            first.setdefault(key, one)
        groups = [(count, first[key]) for key, count in counted.most_common()]
        return self._statement(
            words.everything(self._crowd, groups),
            [one for _, one in groups],
            "context",
            # A debugger that attaches to a thread that the kernel does not let go hangs as well.
            step=(CALL, "where in the kernel they wait") if groups[0][1].wait.kind == KERNEL else None,
            subject="threads of a program",
            quantity=Quantity(float(self._crowd.total), "count"),
        )

    def _statement(
        self,
        text: str,
        shown: Sequence[Waiting],
        level: Level,
        *,
        subject: str,
        topic: Topic = "",
        quantity: Quantity | None = None,
        qualifiers: tuple[str, ...] = (),
        question: QuestionName = "locks",
        step: tuple[str, str] | None = None,
        more: tuple[Place, ...] = (),
    ) -> Statement:
        kind: StatementKind = "fact" if level in {"notable", "context"} else "alarm"
        if self._crowd.threads[0].look.form == REMARKED:
            step = step or (BLOCKED, "where all blocked tasks wait")
        run, asks = step or ((self._form.next, self._form.asks) if self._form else (STACKS_OF_ALL, ASKS_ALL))
        places = tuple(
            place(self._items[id(one.look)], one.look.line, one.look.last_line) for one in shown[:SHOWN]
        )
        return Statement(
            question,
            text,
            (*more, *dict.fromkeys(places)),
            kind,
            level,
            run,
            is_notable=level != "context",
            asks=asks,
            topic=topic,
            subject=subject,
            quantity=quantity,
            qualifiers=qualifiers,
            engine=ENGINE,
        )
