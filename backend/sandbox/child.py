"""Parser process: a small parent with `ingest` imported forks a child for every evidence.

It imports nothing but `ingest`. `backend.sandbox.fork_server` starts it once per worker (a fork of the
worker itself would cost more and show the parser its memory), sends a request with three descriptors
(evidence, progress, errors) over a socket pair, and receives the pid and then the exit status of the fork:

    {"name": "perf.script", "captured_path": "", "output": "/…/output", "cpu_seconds": 60, …}
    {"pid": 4711}
    {"status": 0}

The fork confines itself, parses, reports progress (`{"share": 0.25}`), writes reading folders and a report.
"""

from __future__ import annotations

import errno
import gc
import io
import json
import os
import socket
import sys
import time
import traceback
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from backend.sandbox import confinement
from backend.sandbox.code_paths import code_paths
from backend.sandbox.first_part import write_first_part
from backend.sandbox.fork_server import LAYERS, NOT_CONFINED, OUT_OF_MEMORY, OUT_OF_SPACE, PART, REPORT
from backend.sandbox.layers import NotConfinedError, refusal
from backend.sandbox.members import MemberBytes
from ingest import evidence as front_door
from ingest.model import reading_folder
from ingest.readers import import_all

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.evidence import Evidence, Section
    from ingest.model.reading import Skipped

READINGS = "readings"
MEMBERS = "members"
OPEN_FILES = 64
MAX_REQUEST_BYTES = 1 << 16
EVIDENCE_FD = 3
PROGRESS_SECONDS = 0.2
WARM_UP = (
    ("note.txt", b"a note\n"),
    ("loadavg", b"0.10 0.20 0.30 1/200 4711\n"),
    (
        "perf.script",
        (
            b"sh 7 [000]     1.000001:   1000 cpu-clock:ppp: \n"
            b"\tffffffff81000000 do_fault+0x1 ([kernel.kallsyms])\n\n"
        ),
    ),
)


def serve(control: socket.socket) -> None:
    """Fork for every request until the worker disconnects."""
    confinement.die_with_parent()
    _warm_up()
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, MAX_REQUEST_BYTES, 3)
        if not message:
            return
        pid = os.fork()
        if pid == 0:
            control.close()
            _run(json.loads(message), *descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        handle = os.pidfd_open(pid)
        socket.send_fds(control, [json.dumps({"pid": pid}).encode()], [handle])
        os.close(handle)
        _, status = os.waitpid(pid, 0)
        control.send(json.dumps({"status": os.waitstatus_to_exitcode(status)}).encode())


def _warm_up() -> None:
    """Parse constant texts once, so that forks start with modules imported and patterns compiled."""
    import_all()
    for name, text in WARM_UP:
        front_door.read_stream(io.BytesIO(text), name=name, captured_path="")
    code_paths()
    gc.collect()
    # A garbage collection in a fork would write to, and so copy, every shared page.
    gc.freeze()


def _run(request: dict[str, Any], evidence: int, progress: int, errors: int) -> NoReturn:
    """Run as the fork and exit with a status for the outcome."""
    try:
        confinement.die_with_parent()
        _arrange(evidence, progress, errors)
        _read_confined(request)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except NotConfinedError as refused:
        sys.stderr.write(f"{refused}\n")
        os._exit(NOT_CONFINED)
    except OSError as error:
        if error.errno == errno.EFBIG:
            os._exit(OUT_OF_SPACE)
        traceback.print_exc()
        os._exit(1)
    except BaseException:  # noqa: BLE001 - a panic of the native core is one, and the status must say so
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _arrange(evidence: int, progress: int, errors: int) -> None:
    """Set up descriptors: evidence as 3, progress and errors as 1 and 2, all others closed."""
    moved = [
        os.dup2(descriptor, 100 + place) for place, descriptor in enumerate((evidence, progress, errors))
    ]
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for descriptor, place in zip(moved, (EVIDENCE_FD, 1, 2), strict=True):
        os.dup2(descriptor, place)
    os.closerange(EVIDENCE_FD + 1, 4096)


def _read_confined(request: dict[str, Any]) -> None:
    output = Path(request["output"])
    os.chdir(output)
    os.environ["TMPDIR"] = str(output / "tmp")
    confinement.limit(
        cpu_seconds=request["cpu_seconds"], file_bytes=request["output_bytes"], open_files=OPEN_FILES
    )
    layers = confinement.confine(readable=code_paths(), writable=[output])
    (output / LAYERS).write_text(json.dumps(asdict(layers)), encoding="ascii")
    if not layers.is_accepted(request["sandbox"]):
        raise NotConfinedError(refusal(layers, request["sandbox"]))
    confinement.limit_memory(request["memory_bytes"])
    if request["part_bytes"]:
        with open(EVIDENCE_FD, "rb", closefd=False) as stream:
            write_first_part(stream, output / PART, request["part_bytes"])
        os.dup2(os.open(output / PART, os.O_RDONLY), EVIDENCE_FD)
    with open(EVIDENCE_FD, "rb") as stream:
        evidence = front_door.read_stream(
            stream,
            name=request["name"],
            captured_path=request["captured_path"],
            on_progress=Progress(os.fstat(stream.fileno()).st_size),
        )
        members = MemberBytes(output / MEMBERS)
        if evidence.members:
            stream.seek(0)
            members.save(stream, evidence)
    report = {"evidence": _Saver(output, members.stored).evidence(evidence)}
    text = json.dumps(report, allow_nan=False)
    (output / REPORT).write_text(text, encoding="utf-8", errors="surrogatepass")


class Progress:
    """Reports progress to the worker, throttled."""

    def __init__(self, size_bytes: int) -> None:
        """Start at 0 of `size_bytes` stored bytes."""
        self._size_bytes = max(size_bytes, 1)
        self._told_at = 0.0

    def __call__(self, read_bytes: int) -> None:
        """Report `read_bytes` stored bytes as read."""
        now = time.monotonic()
        if now - self._told_at >= PROGRESS_SECONDS:
            self._told_at = now
            os.write(1, json.dumps({"share": min(read_bytes / self._size_bytes, 1.0)}).encode() + b"\n")


class _Saver:
    """Saves readings in numbered folders below the output directory."""

    def __init__(self, output: Path, members: Mapping[str, str]) -> None:
        self._output = output
        self._members = members
        self._saved = 0

    def evidence(self, evidence: Evidence) -> dict[str, Any]:
        """Save all readings of `evidence` and its members; return its part of the report."""
        return {
            "name": evidence.name,
            "captured_path": evidence.captured_path,
            "sha256": evidence.sha256,
            "size_bytes": evidence.size_bytes,
            "line_count": evidence.line_count,
            "state": evidence.state,
            "reason": evidence.reason,
            "host": evidence.host,
            "placed": evidence.placed and evidence.placed._asdict(),
            "content": self._content(evidence.sha256),
            "skipped": _skipped(evidence.skipped),
            "sections": [self.section(section) for section in evidence.sections],
            "members": [self.evidence(member) for member in evidence.members],
        }

    def _content(self, sha256: str) -> str:
        stored = self._members.get(sha256)
        return f"{MEMBERS}/{stored}" if stored else ""

    def section(self, section: Section) -> dict[str, Any]:
        """Save the reading of `section`; return its part of the report."""
        place = f"{READINGS}/{self._saved}"
        self._saved += 1
        digest = reading_folder.save(section.reading, self._output / place)
        return {
            "ordinal": section.ordinal,
            "format": section.format,
            "format_version": section.format_version,
            "first_line": section.first_line,
            "last_line": section.last_line,
            "path": section.path,
            "command": section.command,
            "folder": place,
            "digest": digest,
        }


def _skipped(rows: tuple[Skipped, ...]) -> list[dict[str, Any]]:
    return [asdict(row) for row in rows]


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
