"""perf script: every sample is one sample, in order, with its lines; what is none is counted."""

from __future__ import annotations

import gzip
import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.model.errors import LimitExceededError
from ingest.model.section import Text
from ingest.native import PerfScriptText, parse_perf_script
from ingest.readers.perf import perf_script

DATA = Path(__file__).parents[3] / "data" / "perf-script"
HEAD = re.compile(r"^\S.*?\s+-?\d+(?:/-?\d+)?\s.*\d+\.\d+:\s")
CHAINED = sorted(path for path in DATA.iterdir() if path.suffix != ".md" and "nochain" not in path.name)
MEMCG = (DATA / "memcg-reclaim.default.txt").read_text()


def text_of(path: Path) -> str:
    content = path.read_bytes()
    return (gzip.decompress(content) if path.suffix == ".gz" else content).decode()


def read(text: str, first_line: int = 1):
    return perf_script.read(Text(lines=text.splitlines(), first_line=first_line))


def heads_of(text: str) -> list[int]:
    """Count sample heads the slow and independent way."""
    return [at for at, line in enumerate(text.splitlines(), start=1) if HEAD.match(line)]


@pytest.mark.parametrize("path", CHAINED, ids=lambda path: path.name)
def test_every_head_is_one_sample_at_its_own_line(path):
    text = text_of(path)
    profiles = read(text).profiles
    lines = np.concatenate([profile.sample_line for profile in profiles])
    assert sorted(lines.tolist()) == heads_of(text)
    assert sum(profile.samples for profile in profiles) == len(heads_of(text))


@pytest.mark.parametrize("path", CHAINED, ids=lambda path: path.name)
def test_time_cpu_and_thread_of_each_sample_stay_in_order(path):
    text = text_of(path).splitlines()
    for profile in read("\n".join(text)).profiles:
        assert profile.is_ordered
        for at, line in enumerate(profile.sample_line.tolist()):
            head = text[line - 1]
            printed = re.search(r"\s(\d+\.(\d+)):", head)
            assert f"{profile.sample_time[at]:.{len(printed[2])}f}" == printed[1]
            thread = profile.threads[profile.sample_thread[at]]
            assert head.lstrip().startswith(thread.comm)
            assert re.search(rf"\b{thread.tid}\b", head)
            if profile.sample_cpu is not None:
                assert f"[{profile.sample_cpu[at]:03}]" in head


@pytest.mark.parametrize("path", CHAINED, ids=lambda path: path.name)
def test_the_stack_of_a_sample_follows_its_head(path):
    text = text_of(path).splitlines()
    for profile in read("\n".join(text)).profiles:
        for line, node in zip(profile.sample_line.tolist(), profile.sample_node.tolist(), strict=True):
            below = []
            for row in text[line:]:
                if not row.startswith((" ", "\t")):
                    break
                below.append(
                    re.sub(
                        r"\+0x[0-9a-f]+$",
                        "",
                        re.sub(r" \([^()]*(?:\([^()]*\))?[^()]*\)$", "", row.split(None, 1)[1]),
                    )
                )
            names = []
            while node >= 0:
                names.append(profile.frames[profile.node_frame[node]].name)
                node = int(profile.node_parent[node])  # noqa: PLW2901 - walking up
            assert names == below, line


def test_weight_is_the_sum_of_the_periods_that_are_printed():
    profile = read(MEMCG).profiles[0]
    printed = [int(found[1]) for found in re.finditer(r":\s+(\d+) cpu-clock:ppp:", MEMCG)]
    assert profile.unit == "period:cpu-clock:ppp"
    assert profile.weight == sum(printed)
    assert profile.samples == len(printed)


def test_without_periods_a_sample_weighs_one():
    profile = read(text_of(DATA / "memcg-reclaim.fields_full.txt")).profiles[0]
    assert profile.unit == "samples"
    assert set(profile.sample_weight.tolist()) == {1.0}


def test_every_event_is_a_profile_of_its_own_and_tracepoints_are_no_cpu_time():
    profiles = read(text_of(DATA / "memcg-reclaim.tracepoints_vmscan.txt")).profiles
    by_event = {profile.event: (profile.samples, profile.what) for profile in profiles}
    assert by_event == {
        "vmscan:mm_vmscan_memcg_reclaim_begin": (8.0, "event"),
        "vmscan:mm_vmscan_lru_shrink_inactive": (32.0, "event"),
    }


def test_the_header_names_host_kernel_and_cpus():
    facts = {fact.name: fact for fact in read(text_of(DATA / "memcg-reclaim.header.txt")).facts}
    assert facts["host.name"].value == "vm"
    assert facts["kernel.release"].value.startswith("6.18.")
    assert (facts["cpu.online"].value, facts["cpu.online"].unit) == (2.0, "count")
    assert facts["host.name"].lines == (7, 7)


def test_a_text_without_chains_has_a_sample_per_line():
    profile = read(text_of(DATA / "memcg-reclaim.nochain_ip_sym.txt")).profiles[0]
    assert profile.samples == 120
    assert profile.sample_time is None
    assert profile.sample_line.tolist() == list(range(1, 121))


def test_kernel_and_user_frames_are_distinguished():
    profile = read(MEMCG).profiles[0]
    kinds = {frame.name: frame.kind for frame in profile.frames}
    assert kinds["next_uptodate_folio"] == "kernel"
    assert kinds["start_thread"] == "user"


def test_lines_that_are_no_sample_are_counted_at_the_first():
    text = MEMCG.replace("\n\n", "\nWarning: something perf said\n\n", 2)
    reading = read(text)
    assert reading.profiles[0].samples == 40
    [skipped] = reading.skipped
    assert skipped.count == 2
    assert text.splitlines()[skipped.first_line - 1] == "Warning: something perf said"


def test_lost_events_and_other_records_are_reported():
    lost = "arrow-read-23 14056 [000]  1038.279900: PERF_RECORD_LOST lost 17\n\n"
    reading = read(lost + MEMCG)
    assert reading.profiles[0].samples == 40
    [quality] = [one for one in reading.quality if one.name == "lost_events"]
    assert "17" in quality.detail


def test_a_file_truncated_in_a_sample_keeps_the_sample_and_is_marked():
    whole = parse_perf_script([MEMCG.encode()])
    end = heads_of(MEMCG)[20]
    lines = MEMCG.splitlines(keepends=True)
    cut = "".join(lines[: end + 2]) + lines[end + 2][:9]
    parts = parse_perf_script([cut.encode()])
    assert parts.cut_line >= end
    assert len(parts.profiles[0].sample_line) == 21
    assert parts.profiles[0].sample_line.tolist() == whole.profiles[0].sample_line[:21].tolist()


def test_a_line_without_an_end_is_refused_before_it_fills_the_memory():
    parser = PerfScriptText(line_bytes=1 << 16)
    for _ in range(16):
        parser.feed(b"x" * 4096)
    with pytest.raises(LimitExceededError, match="longer than 65,536 bytes") as caught:
        parser.feed(b"x" * 4096)
    assert caught.value.line == 1


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, len(MEMCG)), max_size=12))
def test_chunks_may_break_anywhere(cuts):
    content = MEMCG.encode()
    bounds = [0, *sorted(cuts), len(content)]
    parts = parse_perf_script(content[a:b] for a, b in itertools.pairwise(bounds))
    whole = parse_perf_script([content])
    for ours, theirs in zip(parts.profiles, whole.profiles, strict=True):
        assert ours.frames == theirs.frames
        assert ours.sample_node.tolist() == theirs.sample_node.tolist()
        assert ours.sample_line.tolist() == theirs.sample_line.tolist()
    assert parts.skipped == whole.skipped


@settings(max_examples=80, deadline=None)
@given(st.binary(max_size=400), st.integers(0, len(MEMCG)))
def test_junk_in_the_middle_breaks_nothing(junk, at):
    content = MEMCG.encode()
    parts = parse_perf_script([content[:at], b"\n", junk, b"\n", content[at:]])
    samples = sum(profile.samples for profile in parts.profiles)
    assert samples >= 39
    for profile in parts.profiles:
        assert (profile.sample_node < len(profile.node_parent)).all()
        assert (profile.node_parent < np.arange(len(profile.node_parent))).all()


def test_lines_count_from_where_the_section_starts():
    assert read(MEMCG, first_line=1001).profiles[0].sample_line[0] == 1001
