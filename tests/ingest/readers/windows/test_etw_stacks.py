from __future__ import annotations

from ingest.model.profile import Frame, Thread
from ingest.model.section import Text
from ingest.readers.windows import etw_stacks
from tests.ingest.samples import DATA


def read():
    lines = (DATA / "etw-stacks/dumper.sampled.csv").read_text().splitlines()
    return etw_stacks.read(Text(lines))


def leaf_first(profile, sample):
    node, frames = int(profile.sample_node[sample]), []
    while node >= 0:
        frames.append(profile.frames[profile.node_frame[node]])
        node = int(profile.node_parent[node])
    return frames


def test_a_stack_goes_to_the_sample_of_its_microsecond_and_thread():
    (profile,) = read().profiles
    assert (profile.samples, profile.is_ordered) == (4.0, True)
    first = leaf_first(profile, 0)
    assert first[0] == Frame("ExpWaitForSpinLockExclusiveAndAcquire", "ntoskrnl.exe", "kernel")
    assert first[-1] == Frame("RtlUserThreadStart", "ntdll.dll", "user")
    assert [frame.name for frame in leaf_first(profile, 1)[:2]] == [
        "MiAllocateWsle",
        "MiResolveTransitionFault",
    ]


def test_a_sample_has_its_time_cpu_and_thread():
    (profile,) = read().profiles
    assert profile.sample_time.tolist() == [0.036765, 0.036801, 0.037801, 0.038765]
    assert profile.sample_cpu.tolist() == [0, 1, 1, 0]
    assert profile.threads == (Thread("dbengine.exe", 2204, 1668), Thread("dbengine.exe", 2204, 1672))


def test_a_sample_without_stack_is_in_its_own_function():
    (profile,) = read().profiles
    assert leaf_first(profile, 2) == [Frame("0x5f10a3c0", "", "unknown")]


def test_a_function_with_commas_is_one_function():
    (profile,) = read().profiles
    assert leaf_first(profile, 3)[0].name == "PageCache::Touch(unsigned int, bool)"


def test_what_is_no_sample_is_counted():
    counted = {skip.reason: skip.count for skip in read().skipped}
    assert counted == {
        "another event": 1,
        "a frame of another event's stack": 2,
        "a sample of an idle CPU": 1,
    }
