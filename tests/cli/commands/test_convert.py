"""`casebook convert` writes files that other tools open, without loss."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import main
from ingest.evidence import read_bytes, read_file

DATA = Path(__file__).parents[2] / "data"
SAMPLE = DATA / "perf-script/memcg-reclaim.default.txt"


def run(*words: str):
    return CliRunner().invoke(main, ["convert", *words])


def profiles(evidence):
    return [profile for section in evidence.sections for profile in section.reading.profiles]


@pytest.mark.parametrize("target", ["speedscope", "firefox"])
def test_converted_profiles_keep_their_total_weight(target):
    (source,) = profiles(read_file(SAMPLE))
    written = run(str(SAMPLE), "--to", target).stdout_bytes
    back = profiles(read_bytes(written, name="out.json"))
    factor = 1e-6 if target == "firefox" and "clock" in source.unit else 1.0
    assert sum(profile.weight for profile in back) == pytest.approx(source.weight * factor)
    assert {frame.name for profile in back for frame in profile.frames} == {
        frame.name for frame in source.frames
    }


def test_firefox_keeps_threads_and_their_names():
    (source,) = profiles(read_file(SAMPLE))
    document = json.loads(run(str(SAMPLE), "--to", "firefox").output)
    assert {(one["name"], one["tid"]) for one in document["threads"]} == {
        (thread.comm, thread.tid) for thread in source.threads
    }


def test_folded_stacks_weigh_what_the_recording_weighs():
    (source,) = profiles(read_file(SAMPLE))
    lines = run(str(SAMPLE), "--to", "folded").output.splitlines()
    assert sum(int(line.rpartition(" ")[2]) for line in lines) == round(source.weight)


def test_a_file_is_written_whole(tmp_path):
    target = tmp_path / "out.speedscope.json"
    assert run(str(SAMPLE), "--to", "speedscope", "-o", str(target)).exit_code == 0
    assert json.loads(target.read_text())["exporter"] == "casebook"


def test_without_stacks_it_ends_with_3():
    asked = run(str(DATA / "vmstat/vmstat.narrow.txt"), "--to", "speedscope")
    assert asked.exit_code == 3
    assert "no stacks" in asked.output


def test_of_several_events_one_must_be_named_for_folded_stacks():
    asked = run(str(DATA / "pprof/go.cpu.pb.gz"), "--to", "folded")
    assert asked.exit_code == 2
    assert "choose one with --event" in asked.output
