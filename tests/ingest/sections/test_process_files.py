"""Files of processes that are read without a search for a paste say the same as with it."""

from __future__ import annotations

import io
import random
from dataclasses import replace
from pathlib import Path

import pytest

from ingest.containers.decompression import Stored
from ingest.model.limits import DEFAULT
from ingest.model.reading_documents import documents
from ingest.opening import Opening
from ingest.sections.process_files import ProcessFiles

FILES = Path(__file__).parents[2] / "data" / "files"
STATUS = (FILES / "machine/proc/6879/status").read_bytes().split(b"== 1\n")[1].split(b"== 2\n")[0]
STACK = b"[<0>] rwsem_down_read_slowpath+0x19f/0x4f0\n[<0>] ext4_da_write_begin+0x91/0x2a0 [ext4]\n"
CONTENTS = {
    "proc/812/cgroup": b"4:memory:/lakehouse\n1:name=systemd:/init.scope\n0::/system.slice/x.service\n",
    "proc/812/comm": b"kworker/0:1-events\n",
    "proc/812/limits": (FILES / "machine/proc/6879/limits").read_bytes(),
    "proc/812/stack": STACK,
    "proc/812/task/813/stack": STACK + b"[<ffffffffffffffff>] 0xffffffffffffffff\n",
    "proc/812/stat": (FILES / "machine/proc/6879/stat").read_bytes().splitlines(keepends=True)[0],
    "proc/812/task/813/stat": b"813 (a b) D 1 1 1 0 -1 4194304 5 0 0 0 2 23 0 0 20 0 801 0 223457 258 507\n",
    "proc/812/statm": b"64567 50738 1011 1 0 64210 0\n",
    "proc/812/status": STATUS,
    "proc/812/wchan": b"futex_wait_queue",
}


COLUMNS = ("node_parent", "node_frame", "node_line", "sample_node", "sample_thread", "sample_line")


def generally(path: str, content: bytes):
    """Return what the general reading finds in a member of an archive."""
    stored = Stored(io.BytesIO(content))
    read = Opening(path.rpartition("/")[2], path, DEFAULT, depth=1).read_or_raise(stored)
    stored.drain()
    return replace(read, sha256=stored.sha256, size_bytes=stored.read_bytes)


def told(evidence) -> tuple[object, ...]:
    """Return all that an evidence says, profiles as lists."""
    [section] = evidence.sections
    profiles = [
        (
            one.frames,
            one.threads,
            one.what,
            one.has_weights,
            [getattr(one, name).tolist() for name in COLUMNS],
        )
        for one in section.reading.profiles
    ]
    places = (section.ordinal, section.format, section.format_version, section.path, section.command)
    lines = (section.first_line, section.last_line, evidence.line_count)
    named = (evidence.name, evidence.captured_path, evidence.sha256, evidence.size_bytes, evidence.state)
    rows = [(one.name, one.columns, tuple(one.rows)) for one in section.reading.row_sets]
    return named, places, lines, documents(section.reading), profiles, rows


@pytest.mark.parametrize("path", CONTENTS)
def test_a_file_as_the_kernel_writes_it_reads_as_it_does_among_pastes(path):
    quick = ProcessFiles().read(path, CONTENTS[path])
    assert quick is not None
    assert told(quick) == told(generally(path, CONTENTS[path]))


@pytest.mark.parametrize("path", CONTENTS)
def test_equal_content_of_another_process_is_of_that_process(path):
    files = ProcessFiles()
    files.read(path, CONTENTS[path])
    other = path.replace("/812/", "/4711/").replace("/813/", "/4712/")
    again = files.read(other, CONTENTS[path])
    assert told(again) == told(generally(other, CONTENTS[path]))


def test_a_changed_byte_is_left_to_the_general_reading_or_reads_the_same():
    chosen = random.Random(7)  # noqa: S311 - the same bytes every time
    taken = 0
    for path, content in CONTENTS.items():
        for _ in range(60):
            changed = bytearray(content)
            at = chosen.randrange(len(changed))
            changed[at : at + chosen.randrange(2)] = chosen.choice(
                (b"", b"\n", b"<", b"> ", b"#", b"\xff", b"\0", b"\r\n", b"9" * 400, b"Killed", b"...", b"x")
            )
            quick = ProcessFiles().read(path, bytes(changed))
            if quick is not None:
                taken += 1
                assert told(quick) == told(generally(path, bytes(changed))), bytes(changed)
    assert taken > 50


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("proc/812/stat", b"cat: /proc/812/stat: No such process\n"),
        ("proc/812/comm", b"Killed\n"),
        ("proc/812/wchan", b"ep_poll # it waits\n"),
        ("proc/812/status", b"> Name:\tbash\n> State:\tS (sleeping)\n"),
        ("proc/812/task/813/cgroup", b"0::/system.slice/x.service\n"),
        ("notes/stat", CONTENTS["proc/812/stat"]),
    ],
)
def test_what_people_or_shells_wrote_is_left_to_the_general_reading(path, content):
    assert ProcessFiles().read(path, content) is None
