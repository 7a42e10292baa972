"""Wait points: what kind of resource a sleeping task waits for, from the functions of its stack.

Example:
    wait_point(("schedule", "rwsem_down_write_slowpath", "down_write", "filename_create", "do_mkdirat"))
    == WaitPoint(kind="inode_lock", mode="write", site="filename_create", primitive="rwsem_write")

The innermost functions are the scheduler's and those of a primitive (mutex, rw-semaphore, completion…); the
first function behind them, the *site*, names the resource. /proc/PID/stack and wchan begin at the site: the
kernel leaves out scheduler and lock functions there.

Source: `wait_points.yaml` beside this module; every entry cites the kernel sources of its functions.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest.frames.idle import is_spin
from ingest.frames.names import Names
from ingest.frames.wait_kinds import Holding, Kind, kind_of, old_holdings
from ingest.tables import files, table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

UNKNOWN = "wait_queue"
"""Kind of a wait whose site is not in the table."""

GENERIC: Mapping[str, str] = {
    "mutex": "mutex",
    "rwsem": "rw-semaphore",
    "percpu_rwsem": "percpu rw-semaphore",
    "semaphore": "semaphore",
    "completion": "completion",
    "bit_wait": "bit wait",
    "sleep": "timer",
    "spinlock": "spinlock",
    UNKNOWN: "wait queue",
}
"""Titles of the kinds that the primitive alone states."""

LOCKS = frozenset({"mutex", "rwsem", "percpu_rwsem", "semaphore", "spinlock"})
"""Generic kinds that one task holds and releases."""

CUT = 6
"""Length from which a name that is no whole function may be cut by ps."""

OUTER = frozenset({"work", "spinning"})
"""Primitives that wait by another one: flushing work by a completion, a spinlock of PREEMPT_RT by a mutex."""

SLEEPING_LOCKS = frozenset({"mutex", "rwsem_read", "rwsem_write", "percpu_rwsem"})
"""Primitives in which a task sleeps for a lock."""

_LOCKING = frozenset({"mutex", "rwsem_read", "rwsem_write", "percpu_rwsem", "semaphore", "work", "spinning"})


class WaitPoint(NamedTuple):
    """Where a task waits.

    Attributes:
        kind: Kind of the resource: a key of `kinds()`, or of `GENERIC` where the site is not in the table.
        mode: `read` or `write` of a lock that has both, else "".
        site: The function that waits or takes the lock, "" when the stack ends before it.
        primitive: The lock or wait primitive, "" when the stack shows none.
        depth: Number of frames before the site.
    """

    kind: str
    mode: str
    site: str
    primitive: str
    depth: int


class _Site(NamedTuple):
    kind: str
    mode: str
    primitives: frozenset[str]


class _Primitive(NamedTuple):
    name: str
    kind: str
    mode: str


class _Table:
    """The table, indexed by function."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.scheduling = Names(tuple(document["scheduling"]["frames"]))
        self.kinds: dict[str, Kind] = {}
        self._primitives: dict[str, _Primitive] = {}
        self._primitive_prefixes: list[tuple[str, _Primitive]] = []
        self._sites: dict[str, list[_Site]] = {}
        self._site_prefixes: list[tuple[str, _Site]] = []
        self.holders: dict[str, list[Holding]] = {}
        self.servers = {
            frame: outside for outside, entry in document["servers"].items() for frame in entry["frames"]
        }
        for name, entry in document["primitives"].items():
            primitive = _Primitive(name, entry["kind"], entry.get("mode", ""))
            for frame in entry["frames"]:
                if frame.endswith("*"):
                    self._primitive_prefixes.append((frame[:-1], primitive))
                else:
                    self._primitives[frame] = primitive
        self.not_below = {
            site: Names(tuple(callers))
            for entry in document["kinds"].values()
            for site, callers in entry.get("not_below", {}).items()
        }
        for name, entry in document["kinds"].items():
            self.kinds[name] = kind_of(name, entry)
            for mode, frames in entry.get("holders", {}).items():
                for frame in frames:
                    holding = Holding(name, "" if mode == "any" else mode, frame)
                    self.holders.setdefault(frame, []).append(holding)
            for holding in old_holdings(name, entry.get("holders_before", {})):
                self.holders.setdefault(holding.function, []).append(holding)
            for mode, frames in entry["sites"].items():
                site = _Site(name, "" if mode == "any" else mode, frozenset(entry.get("with", ())))
                for frame in frames:
                    if frame.endswith("*"):
                        self._site_prefixes.append((frame[:-1], site))
                    else:
                        self._sites.setdefault(frame, []).append(site)

    def lists(self, name: str) -> bool:
        """Return whether a function is listed by its whole name."""
        return name in self._sites or name in self._primitives

    def is_site(self, name: str) -> bool:
        """Return whether a function is listed by its whole name as one that waits for a known resource."""
        return any(not self.kinds[site.kind].is_idle for site in self._sites.get(name, ()))

    def beginning_with(self, prefix: str) -> list[str]:
        """Return the listed functions that begin with `prefix`, underscores in front aside."""
        listed = (*self._sites, *self._primitives)
        return sorted({name for name in listed if name.lstrip("_").startswith(prefix.lstrip("_"))})

    def primitive(self, name: str) -> _Primitive | None:
        """Return the primitive a function belongs to."""
        found = self._primitives.get(name)
        if found is None:
            found = next((one for prefix, one in self._primitive_prefixes if name.startswith(prefix)), None)
        return found

    def site(self, name: str, primitive: str, *, is_asleep: bool) -> _Site | None:
        """Return the entry of a function that waits by `primitive`, "" when the stack shows none.

        `is_asleep`: The stack shows the scheduler.
        """
        entries = self._sites.get(name, ())
        exact = [site for site in entries if primitive and primitive in site.primitives]
        free = [site for site in entries if not site.primitives]
        any_lock = [site for site in entries if not primitive]
        # Below a scheduler frame without a primitive the function itself waits; in /proc locks are left out.
        chosen = exact or (free or any_lock if is_asleep else any_lock or free)
        return chosen[0] if chosen else self._site_by_prefix(name, primitive)

    def _site_by_prefix(self, name: str, primitive: str) -> _Site | None:
        """Return the entry whose prefix a function has.

        One that is limited to primitives needs one of them. The lock of a folio names the resource itself,
        and what is released outside the host is no lock.
        """
        for prefix, site in self._site_prefixes:
            if not name.startswith(prefix):
                continue
            if site.primitives:
                is_allowed = primitive in site.primitives
            else:
                is_lock = primitive in _LOCKING and bool(self.kinds[site.kind].outside)
                is_allowed = primitive != "folio_bit" and not is_lock
            if is_allowed:
                return site
        return None


@cache
def _table() -> _Table:
    return _Table(table(files("ingest.frames") / "wait_points.yaml"))


def kinds() -> Mapping[str, Kind]:
    """Return every kind of resource by name."""
    return _table().kinds


def title_of(kind: str) -> str:
    """Return the name of a kind for people."""
    known = kinds().get(kind)
    return known.title if known else GENERIC[kind]


def named_by_ps(wchan: str) -> str:
    """Return the function of a wait channel, "" where it may be one of several kinds.

    ps strips leading underscores and cuts names to the width of the column, 6 characters for `ps -l`:
    `fuse_d` may be a server that waits for work or a task that waits for a server.
    """
    table = _table()
    name = wchan.partition(".")[0]
    whole = next((one for one in (name, f"_{name}", f"__{name}") if table.lists(one)), "")
    if whole or len(name) < CUT:
        return whole or name
    begun = table.beginning_with(name)
    kinds = {point.kind for one in begun if (point := wait_point((one,))) is not None}
    if len(kinds) > 1:
        return ""
    return begun[0] if begun else name


def wait_point(leaf_first: Sequence[str]) -> WaitPoint | None:
    """Return where a sleeping task waits, None for a stack without frames.

    Args:
        leaf_first: Normalised function names, the innermost first; frames behind `?` left out.
    """
    table = _table()
    held: _Primitive | None = None
    for depth, name in enumerate(leaf_first):
        if name in table.scheduling:
            continue
        site = table.site(name, held.name if held else "", is_asleep=depth > 0)
        if name in table.not_below and any(
            caller in table.not_below[name] for caller in leaf_first[depth + 1 : depth + 2]
        ):
            site = None
        if site is not None and not (held is None and table.primitive(name)):
            mode = site.mode or (held.mode if held else "")
            return WaitPoint(site.kind, mode, name, held.name if held else "", depth)
        primitive = table.primitive(name)
        if primitive is None:
            return _unlisted(name, held, depth)
        if held is None or primitive.name in OUTER:
            held = primitive
    return _unlisted("", held, len(leaf_first)) if held else None


def probable_site(leaf_first: Sequence[str]) -> int:
    """Return which function is the innermost that waits for a known kind of resource, -1 for none.

    For stacks whose frames are doubtful, and those that do not show whether the task sleeps.
    """
    table = _table()
    return next((at for at, name in enumerate(leaf_first) if table.is_site(name)), -1)


def holdings(leaf_first: Sequence[str], release: tuple[int, int] | None = None) -> tuple[Holding, ...]:
    """Return what a task holds by the functions of its stack: each kind and mode once, the innermost.

    Args:
        leaf_first: Normalised function names, the innermost first.
        release: Series of the kernel by `series_of`, None when unknown: then nothing that depends on it.
    """
    table = _table()
    found: dict[tuple[str, str], Holding] = {}
    inner: set[str] = set()
    for name in leaf_first:
        for holding in table.holders.get(name, ()):
            is_of_release = holding.before is None or (release is not None and release < holding.before)
            if is_of_release and inner.isdisjoint(table.kinds[holding.kind].releasing):
                found.setdefault((holding.kind, holding.mode), holding)
        inner.add(name)
    return tuple(found.values())


def served(leaf_first: Sequence[str]) -> tuple[str, str]:
    """Return what a worker serves (`storage`) and the function that shows it; ("", "") for other stacks."""
    servers = _table().servers
    return next(((servers[name], name) for name in leaf_first if name in servers), ("", ""))


def _unlisted(site: str, held: _Primitive | None, depth: int) -> WaitPoint:
    if held is None:
        return WaitPoint(UNKNOWN, "", site, "", depth)
    return WaitPoint(held.kind, held.mode, site, held.name, depth)


def is_scheduler(name: str) -> bool:
    """Return whether a normalised name is a function of the switch to another task, not of a lock."""
    return name in _table().scheduling


def is_waiting(name: str) -> bool:
    """Return whether a thread whose innermost frame is `name` has given up its CPU, and does not spin."""
    table = _table()
    primitive = table.primitive(name)
    return name in table.scheduling or (
        primitive is not None and primitive.name != "spinning" and not is_spin(name)
    )
