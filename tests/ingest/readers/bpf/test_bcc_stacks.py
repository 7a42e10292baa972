"""Readings from the stacks of bcc tools."""

from __future__ import annotations

from ingest.model.section import Text
from ingest.readers.bpf import bcc_stacks
from tests.ingest.samples import lines_of, read, stacks


def test_off_cpu_stacks_weigh_microseconds():
    (profile,) = read(bcc_stacks, "bcc-stacks/offcputime.txt").profiles
    assert (profile.what, profile.unit) == ("offcpu", "us")
    names, weight = stacks(profile)[0]
    assert (names[0], names[-1], weight) == (
        "entry_SYSCALL_64_after_hwframe",
        "bpf_prog_6896d07dd3e1383c_sched_switch",
        183.0,
    )
    assert profile.threads[0].comm == "git"


def test_total_weight_is_what_is_printed():
    lines = lines_of("bcc-stacks/offcputime.txt")
    (profile,) = read(bcc_stacks, "bcc-stacks/offcputime.txt").profiles
    assert profile.weight == sum(int(line) for line in lines if line.strip().isdigit())


def test_samples_of_profile_are_on_the_cpu():
    lines = ["    read", "    --", "    main", "    -                dd (25036)", "        4"]
    (profile,) = bcc_stacks.read(Text(lines, command="profile -d 5")).profiles
    assert (profile.what, profile.samples) == ("cpu", 4.0)
    assert {frame.name: frame.kind for frame in profile.frames}["main"] == "user"


def test_a_stack_without_a_count_is_cut_off():
    reading = bcc_stacks.read(Text([*bcc_stacks.EXAMPLE.splitlines(), "", "    __schedule", "    schedule"]))
    assert [(skip.reason, skip.count) for skip in reading.skipped] == [
        ("a stack without a count: cut off", 2)
    ]


def test_stacks_that_could_not_be_walked_are_reported():
    lines = ["    [Missed User Stack]", *bcc_stacks.EXAMPLE.splitlines()]
    assert "truncated_stacks" in bcc_stacks.read(Text(lines)).quality_names
