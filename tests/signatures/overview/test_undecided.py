"""What undecided signatures add to the first screen: a sign that is there, and what would decide."""

from __future__ import annotations

import pytest

from cli.evidence.analysis import analyse
from signatures.document.catalog import load_catalog
from signatures.overview.next_capture import EVERYTHING
from tests.signatures.evidence import PUBLISHED

TITLES = {signature.id: signature.title for signature in load_catalog().signatures}


def overview(name):
    return analyse([str(PUBLISHED / name)]).overview


@pytest.mark.parametrize(
    ("name", "signature", "sign", "command"),
    [
        (
            "vanishing-cpu/bpftrace-mmap_lock-kstack.txt",
            "mm/mmap-lock-held-in-reclaim",
            "The lock was let go at the end of a page fault",
            "mmap_lock_acquire_returned",
        ),
        (
            "new-linux-kernel/bpftrace-inode_switch_wbs.txt",
            "writeback/inode-switch-wbs-storm",
            "Inodes change their cgroup",
            "tracepoint:writeback:inode_switch_wbs",
        ),
    ],
)
def test_evidence_that_answers_no_question_shows_its_sign_and_what_would_decide(
    name, signature, sign, command
):
    found = overview(name)
    assert found.headline.kind == "not assessed"
    assert found.headline.text.endswith(f"a sign of {signature}, which alone decides nothing: {sign}")
    assert command in found.next_capture.command
    assert found.next_capture.reason == f"whether it is this: {TITLES[signature]}"


def test_a_statement_without_a_capture_asks_for_what_decides_the_signature_of_its_lines():
    found = overview("vanishing-cpu/cgroup-v1-memory-files.txt")
    assert found.statements[1].statement.text == "a cgroup uses 100 % of its memory limit"
    assert "perf record" in found.next_capture.command
    assert found.next_capture.reason == f"whether it is this: {TITLES['mm/shrink-lruvec-livelock']}"


def test_stacks_of_all_cpus_are_asked_for_without_the_name_of_a_signature():
    found = overview("vanishing-cpu/pidstat.txt")
    assert found.next_capture.reason == "which functions use the CPUs, and who calls them"


def test_evidence_without_any_sign_asks_for_everything():
    for name in ("new-linux-kernel/systemd-cgls.txt", "network-stalls/bcc-icmp-trace.txt"):
        found = overview(name)
        assert found.headline.kind == "not assessed"
        assert found.headline.text == found.statements[0].statement.text, "what was read is stated"
        assert found.next_capture.command == EVERYTHING


def test_of_equal_confidence_the_signature_that_more_of_the_evidence_decides_leads(tmp_path):
    stack = PUBLISHED / "vanishing-cpu/stack.evict_folios.txt"
    assert analyse([str(stack)]).overview.signature == "", "one stack is suspected of nothing"
    five = tmp_path / "stacks.txt"
    five.write_text("\n".join([stack.read_text()] * 5))
    assert analyse([str(five)]).overview.signature == "mm/mglru-evict-folios-lru-lock"
