"""What traces of latencies, allocations and cache lines say in the overview."""

from __future__ import annotations

from pathlib import Path

from ingest.evidence import read_bytes
from signatures.judging.scope import items_of
from signatures.overview import run

DATA = Path(__file__).parents[2] / "data"
IRQSOFF = (DATA / "latency-tracer/irqsoff.txt").read_text()
C2C = (DATA / "perf-c2c/arm-peer.txt").read_text()
CALLERS = (DATA / "perf-kmem/callers.txt").read_text()
MAP = (DATA / "perf-sched-map/map.txt").read_text()
LOCKS = (DATA / "files/machine/proc/lock_stat").read_text()


def panel(text, name):
    [found] = [one for one in run(items_of([read_bytes(text.encode(), name="x")])) if one.name == name]
    return found


def said(text, name):
    return [one.text for one in panel(text, name).statements]


def test_a_long_time_without_interrupts_is_named_with_its_functions():
    assert said(IRQSOFF, "traced-functions") == [
        "Interrupts were off for 259 µs, from __lock_task_sighand to _raw_spin_unlock_irqrestore (ps-6143)"
    ]
    assert said(IRQSOFF.replace("latency: 259 us", "latency: 93635 us"), "traced-functions") == [
        "Interrupts were off for 93.63 ms, from __lock_task_sighand to _raw_spin_unlock_irqrestore (ps-6143)"
    ]


def test_loads_that_other_cpus_answer_speak_from_a_hundredth_on():
    assert said(C2C, "cache-lines") == []
    many = C2C.replace(":       5025\n  Load HIT Remote", ":     290344\n  Load HIT Remote")
    expected = (
        "10 % of sampled loads were answered by the cache of another CPU; "
        "cache line 0x400816340 has 27.7 % of them"
    )
    assert said(many, "cache-lines") == [expected]


def test_the_caller_with_most_bytes_is_named():
    assert said(CALLERS, "allocations") == [
        "Most bytes of the slab allocator went to getname_flags.part.0: 5.938 MiB in 1,520 allocations"
    ]


def test_run_times_and_lock_statistics_are_told_without_a_judgement():
    labels = [figure.label for figure in panel(MAP, "scheduling").figures]
    assert labels[0] == "sh ran"
    locks = panel(LOCKS, "lock-waits")
    assert next(figure.label for figure in locks.figures) == "waited for the lock &mm->mmap_sem-R"
    assert locks.state == "calm"
    assert [(one.kind, one.text.partition(":")[0]) for one in locks.statements] == [
        ("fact", "95.2 % of the time waited for locks is for the lock &mm->mmap_sem-R")
    ]
