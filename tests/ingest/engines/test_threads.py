"""Threads of any tool: what each waits for, and who holds the lock."""

from __future__ import annotations

import random

import pytest

from ingest.engines.threads import listing
from ingest.engines.threads.forms import forms
from ingest.engines.threads.groups import crowd_of
from ingest.engines.threads.listing import begins, listed
from ingest.engines.threads.model import ThreadFrame, ThreadLook
from ingest.engines.threads.waiting import wait_of
from tests.ingest.samples import DATA

SAMPLES = sorted((DATA / "thread-dump").glob("*.txt"))

JVM = """\
"a" #1 prio=5 os_prio=0 tid=0x1 nid=0x1 waiting for monitor entry [0x1]
   java.lang.Thread.State: BLOCKED (on object monitor)
\tat x.A.m(A.java:1)
\t- waiting to lock <0x0000000000000002> (a x.B)
\t- locked <0x0000000000000001> (a x.A)
"b" #2 prio=5 os_prio=0 tid=0x2 nid=0x2 waiting for monitor entry [0x1]
   java.lang.Thread.State: BLOCKED (on object monitor)
\tat x.B.m(B.java:1)
\t- waiting to lock <0x0000000000000001> (a x.A)
\t- locked <0x0000000000000002> (a x.B)
"c" #3 prio=5 os_prio=0 tid=0x3 nid=0x3 waiting for monitor entry [0x1]
   java.lang.Thread.State: BLOCKED (on object monitor)
\tat x.A.m(A.java:1)
\t- waiting to lock <0x0000000000000001> (a x.A)
"""

EU_STACK = """\
PID 4711 - process
TID 4712:
#0  0x00007f8d1c0b1e46 __lll_lock_wait
#1  0x00007f8d1c0b8782 pthread_mutex_lock
#2  0x00005570a1b2d111 Log::write(char const*)
"""

PYTHON = """\
Thread 0x00007f41a0dff6c0 (most recent call first):
  File "/usr/lib/python3.11/threading.py", line 320 in wait
  File "/usr/lib/python3.11/queue.py", line 171 in get
  File "/app/server.py", line 12 in run
"""


def looks(text):
    return listed(list(enumerate(text.splitlines(), start=1))).looks


@pytest.mark.parametrize(
    ("frames", "kind", "subject"),
    [
        ("__lll_lock_wait ___pthread_mutex_lock std::mutex::lock Cache::evict(int)", "lock", "Cache::evict"),
        ("__futex_abstimed_wait_common64 ___pthread_cond_wait Pool::next", "condition", "Pool::next"),
        ("__new_sem_wait_slow64 PyThread_acquire_lock_timed acquire_timed f", "condition", "f"),
        ("futex_wait os_event::wait_low srv_master_sleep", "condition", "srv_master_sleep"),
        ("epoll_wait WaitEventSetWait WaitLatch ProcSleep WaitOnLock LockAcquire f", "lock", "f"),
        ("epoll_wait WaitEventSetWait secure_read", "events", "secure_read"),
        ("Cache::select_victim Cache::evict", "", "Cache::select_victim"),
        ("sync.runtime_Semacquire sync.(*WaitGroup).Wait main.serve", "end", "main.serve"),
        ("runtime.gopark runtime.chanrecv main.worker", "channel", "main.worker"),
    ],
)
def test_the_subject_is_the_first_function_that_is_not_of_the_library_of_waiting(frames, kind, subject):
    own = [ThreadFrame(name, "", at) for at, name in enumerate(frames.split(" "))]
    wait = wait_of(ThreadLook("stacks", "", 1, 1, frames=own))
    assert (wait.kind, wait.subject) == (kind, subject)


def test_a_thread_that_runs_in_a_lock_function_does_not_wait():
    own = [ThreadFrame("sync.(*Mutex).Unlock", "", 2), ThreadFrame("main.handle", "", 4)]
    assert wait_of(ThreadLook("go", "", 1, 1, state="runnable", frames=own)).kind == "running"


def test_a_ring_of_locks_is_found_once_and_others_wait_behind_it():
    crowd = crowd_of(looks(JVM))
    (ring,) = crowd.rings
    assert sorted(one.look.name for one in ring) == ["a", "b"]
    assert {group.lock.what: group.holder.look.name for group in crowd.locks} == {"x.A": "a", "x.B": "b"}
    assert crowd.total == 3


@pytest.mark.parametrize(
    ("text", "form", "function"),
    [(EU_STACK, "eu-stack", "__lll_lock_wait"), (PYTHON, "faulthandler", "wait")],
)
def test_other_tools_are_rows_of_the_same_form(text, form, function):
    assert begins(text.splitlines(), 0)
    (look,) = looks(text)
    assert (look.form, look.frames[0].name) == (form, function)


def test_every_form_says_what_shows_more():
    assert [form.name for form in forms() if not (form.next and form.asks)] == []
    assert [form.name for form in forms() if form.kind != "kernel" and "sysrq" in form.next] == []


def test_damaged_lists_are_read_without_an_error():
    chance = random.Random(44)  # noqa: S311 - the same damage every time
    for sample in SAMPLES:
        lines = sample.read_text().splitlines()
        for _ in range(40):
            damaged = [
                line[: chance.randrange(len(line) + 1)] + "9" * chance.choice((0, 0, 400)) + line[-8:]
                if chance.random() < 0.2
                else line
                for line in chance.sample(lines, min(len(lines), chance.randrange(1, 60)))
            ]
            crowd = crowd_of(looks("\n".join(damaged)))
            assert crowd.total >= len(crowd.threads)


def test_threads_beyond_the_limit_are_counted_and_not_kept(monkeypatch):
    monkeypatch.setattr(listing, "MOST_LOOKS", 2)
    found = listed(list(enumerate(JVM.splitlines(), start=1)))
    assert ([look.name for look in found.looks], found.beyond) == (["a", "b"], 1)
    assert found.looks[1].waits.address == "0x0000000000000001"
