"""What the lines of a report add: who holds the lock, why RCU waits, which work runs, what was called.

Examples:
    INFO: task cat:28631 is blocked on a mutex likely owned by task ps:28630.
    rcu:    2-...!: (0 ticks this GP) idle=8c4/0/0x0 softirq=1234/1234 fqs=0
    rcu: rcu_preempt kthread starved for 5250 jiffies! g1234 f0x0 RCU_GP_WAIT_FQS(5) ->state=0x0 ->cpu=1
    rcu:    Tasks blocked on level-0 rcu_node (CPUs 0-3): P1234
        in-flight: 123:inode_switch_wbs_work_fn
    RIP: 0010:0x0

Source: kernel/hung_task.c, kernel/rcu/tree_stall.h, kernel/workqueue.c; arch/*/mm/fault.c; 3.10 to 6.18.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.model.reading import Cell

_BLOCKER = Pattern(
    r"(?:is|<(?:reader|writer)>) blocked on (?P<lock>an? [\w-]+) likely (?:owned|last held) "
    r"by task (?P<comm>.+):(?P<pid>\d+)"
)
_LOCK = Pattern(
    r"^\s*(?:\[?<?(?P<address>[0-9a-fx]*)>?\]?|\(ptrval\)|\(____ptrval____\))\s*\((?P<lock>[^\s(){}][^{}]{0,120})\)\{[^}]*\}"
    r"(?:-\{\d+:\d+\})?, at: (?:\[<[0-9a-fx]+>\] )?(?P<function>[\w.]+)"
)
_HELD = Pattern(
    r"^\s*#0:\s*(?:[0-9a-f]+ )?\s*\((?P<held>[^\s(){}][^{}]{0,120})\)\{[^}]*\}"
    r"(?:-\{\d+:\d+\})?, at: (?:\[<[0-9a-fx]+>\] )?(?P<held_in>[\w.]+)"
)
_STILL_HELD = ("lock held", "lock still", "locks still")
_SUSPICIOUS = re.compile(r"^(?P<where>\S+:\d+):? (?:suspicious |Illegal )?(?P<check>\w+)(?:\(\))? usage!")
_CPU = re.compile(r"^(?:rcu:)?\s*(?P<cpu>\d+)-[.!O?oND\d]+:")
_JIFFIES = re.compile(r"\(?(?:detected by (?P<by>\d+), )?t=(?P<jiffies>\d+) jiffies")
_WORKERS = re.compile(r"\b(in-flight|pending|delayed|inactive): (.*)$")
_IDLE = re.compile(r" idle=[0-9a-f]+/(?P<nesting>-?\d+)/(?P<interrupts>(?:0x)?[0-9a-f]+) ")
_NOT_IDLE_NESTING = 1 << 62
"""DYNTICK_IRQ_NONIDLE of include/linux/context_tracking_state.h, to which interrupts add."""
_QUEUED = re.compile(r"\bq=(?P<queued>\d{1,12})\b")
_HOLDOUT = re.compile(r"nvcsw: (?P<at_start>\d+)/(?P<now>\d+) holdout: 1\b")
_NULL_CALL = re.compile(
    r"^\s*(?:RIP: (?:0010:)?0x0$|RIP: 0010:\[?<?0{16}>?\]?|pc : 0x0$|PC is at 0x0$|IP: \[<0+>\] +\(null\)$"
    r"|NIP \[0{8,16}\] 0x0$|IP: 0x0$)"
)
NULL_CALL = "a function pointer that is NULL was called"
_TICKS = re.compile(r"\((?P<ticks>\d+) (?:ticks this GP|GPs behind)\)")
_REASONS = (
    ("kthread starved for", "the grace-period kthread gets no CPU"),
    ("timer wakeup didn't happen", "the timer of the grace-period kthread did not fire"),
    ("Possible timer handling issue", "timers are not handled"),
    ("Tasks blocked on level-", "readers were preempted"),
    ("All QSes seen", "all CPUs reported, the grace period did not end"),
    ("Offline CPU ", "an offline CPU"),
    ("stuck CSD-lock", "a call to another CPU does not return"),
    # rcutree.kthread_prio is its priority; kernel/rcu/tree_stall.h print_cpu_stall_info.
    (" jiffies(starved)", "its thread rcuc of the CPU is starved"),
)
_CALLS = frozenset({"null_pointer", "bad_access", "oops"})
NO_TICKS = "a CPU takes no timer interrupts: interrupts off, or a virtual CPU that does not run"
BUSY = "a CPU stays in the kernel"
IDLE = "RCU sees it idle"
NOT_IDLE = "RCU does not see it idle"
STAYS = "a task gave up its CPU not once since"
SAME_LOCK = "it holds that very lock"
GAVE_UP = "a task gave up its CPU since"


def add(fields: dict[str, Cell], kind: str, text: str) -> None:
    """Add what one line of a report of `kind` states to its fields."""
    if kind == "hung_task":
        if found := _BLOCKER.search(text):
            fields |= {"blocker": found["comm"], "blocker_pid": float(found["pid"]), "lock": found["lock"]}
    elif kind == "lockdep_deadlock":
        _lockdep(fields, text)
    elif kind == "suspicious_rcu":
        if found := _SUSPICIOUS.match(text):
            fields |= {"where": f"{found['where']} ({found['check']})"}
    elif kind == "rcu_stall":
        _rcu(fields, text)
    elif kind in _CALLS and _NULL_CALL.match(text):
        fields.setdefault("what", NULL_CALL)
    elif kind == "workqueue_lockup" and (found := _WORKERS.search(text)):
        _join(fields, found[1].replace("-", "_"), found[2])


def _lockdep(fields: dict[str, Cell], text: str) -> None:
    """Take the lock that the task takes, then the one that it holds; or one that it should not hold."""
    if str(fields.get("what", "")).startswith(_STILL_HELD):
        if "held" not in fields and (found := _HELD.match(text)):
            fields |= {"held": found["held"], "held_in": found["held_in"]}
        return
    if found := _LOCK.match(text):
        if "lock" not in fields:
            fields |= {"lock": found["lock"], "place": found["function"]}
            fields |= {"address": found["address"]} if found["address"] else {}
        elif "held" not in fields:
            fields |= {"held": found["lock"], "held_in": found["function"]}
            if found["address"] and fields.get("address") == found["address"] and _is_recursive(fields):
                fields["state"] = SAME_LOCK


def _is_recursive(fields: Mapping[str, Cell]) -> bool:
    return str(fields.get("what", "")).endswith("recursive locking")


def _rcu(fields: dict[str, Cell], text: str) -> None:
    if found := _CPU.match(text):
        fields.setdefault("cpu", float(found["cpu"]))
        if ticks := _TICKS.search(text):
            _join(fields, "reason", BUSY if int(ticks["ticks"]) else NO_TICKS)
        if idle := _IDLE.search(text):
            is_idle = int(idle["nesting"]) == 0 and int(idle["interrupts"], 16) < _NOT_IDLE_NESTING
            _join(fields, "state", IDLE if is_idle else NOT_IDLE)
    if found := _QUEUED.search(text):
        fields.setdefault("pending", f"{int(found['queued']):,} callbacks")
    if found := _HOLDOUT.search(text):
        _join(fields, "state", STAYS if found["at_start"] == found["now"] else GAVE_UP)
    if found := _JIFFIES.search(text):
        fields.setdefault("jiffies", float(found["jiffies"]))
    for words, reason in _REASONS:
        if words in text:
            _join(fields, "reason", reason)


def _join(fields: dict[str, Cell], name: str, value: str) -> None:
    """Add a value to a field of several, each once."""
    existing = fields.get(name)
    if existing is None:
        fields[name] = value
    elif value not in str(existing).split(", "):
        fields[name] = f"{existing}, {value}"
