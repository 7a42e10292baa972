"""A report with the files of thousands of processes is judged in time linear in their number."""

from __future__ import annotations

import io
import tarfile

from ingest.evidence import read_bytes
from signatures.judging.scope import items_of
from signatures.overview import run
from tests.growth import SIXTEENFOLD, is_linear
from tests.ingest.samples import DATA

STACK = b"[<0>] ep_poll+0x3a/0x3b0\n[<0>] do_epoll_wait+0xae/0xd0\n"


def report(processes: int) -> bytes:
    """Return a sosreport with the same few files of each process."""
    stat = (DATA / "files/machine/proc/6879/stat").read_bytes().partition(b"(")[2]
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for pid in range(20_000, 20_000 + processes):
            for name, content in {
                "stat": b"%d (%s" % (pid, stat),
                "comm": b"nginx\n",
                "stack": STACK,
            }.items():
                member = tarfile.TarInfo(f"sosreport-web/proc/{pid}/{name}")
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
    return packed.getvalue()


def test_sixteen_times_the_processes_take_about_sixteen_times_as_long():
    few, many = (items_of([read_bytes(report(count), name="report.tar")]) for count in (60, 960))
    assert len(many) == 16 * len(few)
    assert is_linear(lambda: run(few), lambda: run(many), SIXTEENFOLD)
