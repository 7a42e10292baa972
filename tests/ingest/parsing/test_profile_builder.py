"""How stacks become a profile."""

from __future__ import annotations

import pytest

from ingest.model.profile import ROOT, Frame, Thread
from ingest.parsing.profile_builder import PlacedFrame, StackBuilder, kind_of_stack


def placed_frames(*names: str, line: int = 1) -> list[PlacedFrame]:
    return [PlacedFrame(Frame(name, "", "kernel"), line) for name in names]


def test_stacks_share_the_nodes_of_their_callers():
    builder = StackBuilder()
    builder.add(placed_frames("read", "main"), line=1, weight=2)
    builder.add(placed_frames("write", "main"), line=5, weight=3)
    profile = builder.build(event="e", unit="count", what="event", has_weights=True)
    assert [frame.name for frame in profile.frames] == ["main", "read", "write"]
    assert (profile.node_parent.tolist(), profile.sample_node.tolist()) == ([ROOT, 0, 0], [1, 2])
    assert (profile.weight, profile.sample_line.tolist()) == (5, [1, 5])


def test_an_empty_stack_is_a_sample_without_node():
    builder = StackBuilder()
    builder.add([], line=1, thread=Thread("pip", -1, -1))
    profile = builder.build(event="", unit="count", what="event", has_weights=True)
    assert (profile.sample_node.tolist(), profile.threads[0].comm) == ([ROOT], "pip")


def test_a_mangled_name_becomes_the_one_of_the_source():
    builder = StackBuilder()
    builder.add(placed_frames("_ZN3foo3barEi", "main"), line=1)
    builder.add(placed_frames("_ZN4core3ptr5write17h26b3fca3b2f0f3a7E", "main"), line=2)
    builder.add(placed_frames("_ZN4core3ptr5write17h0123456789abcdefE", "main"), line=3)
    profile = builder.build(event="", unit="count", what="cpu", has_weights=False)
    assert [frame.name for frame in profile.frames] == ["main", "foo::bar(int)", "core::ptr::write"]
    assert profile.sample_node.tolist() == [1, 2, 2]


def test_nothing_added_is_an_empty_profile():
    profile = StackBuilder().build(event="", unit="count", what="bare", has_weights=False)
    assert (profile.samples, len(profile.node_parent)) == (0, 0)


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (["shrink_lruvec", "asm_exc_page_fault"], "kernel"),
        (["worker_thread", "kthread", "ret_from_fork_asm"], "kernel"),
        (["ffffffff815ab0b9"], "kernel"),
        (["walk", "start_thread"], "user"),
        (["shrink_lruvec"], "unknown"),
    ],
)
def test_an_entry_function_classifies_the_stack(names, kind):
    assert kind_of_stack(names) == kind
