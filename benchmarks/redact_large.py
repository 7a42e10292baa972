"""Speed and memory of redaction on large evidence, by stage.

python -m benchmarks.redact_large TEXT_OR_ARCHIVE        # one row, as JSON; `benchmarks.redact` asks for all

The inputs are what people hand over: perf scripts of `benchmarks.record`, a log of a fleet in which two
thousand hosts and twenty thousand addresses are named, and sosreports of fourteen machines with their logs,
in one archive. Each is redacted in a process of its own, piece by piece as a worker does it.
"""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
import tarfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.record import INPUTS, MEGABYTE, make_input, recordings
from ingest.redact import Redactor
from ingest.redact.leak_scan import Detector
from ingest.redact.texts import pieces
from signatures.document.vocabulary import library_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SEED = 612
PERF_MEGABYTES = (100, 500)
LOG_MEGABYTES = 100
HOSTS, ADDRESSES, USERS = 2000, 20_000, 500
MACHINES, LOGS, LOG_OF_MACHINE_MEGABYTES = 14, 6, 25
OWN_NAME = b"analytics-db-02"
STAGES = ("patterns", "find", "settle", "replace", "writings", "second look")


class Large(NamedTuple):
    """What one input cost.

    Attributes:
        seconds: Of each of `STAGES`; reading and unpacking count with the stages that read.
        names: How many different names were found.
        memory_bytes: Peak memory beyond that before the first stage.
    """

    name: str
    size_bytes: int
    files: int
    seconds: dict[str, float]
    names: int
    memory_bytes: int


def measure(path: Path) -> Large:
    """Redact the texts in `path` in this process, on one core."""
    words = library_words()
    seconds = dict.fromkeys(STAGES, 0.0)

    @contextmanager
    def timed(stage: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        seconds[stage] += time.perf_counter() - start

    before = _memory_bytes()
    with timed("patterns"):
        redactor = Redactor(b"benchmark".ljust(32, b"."), words=words)
    with timed("find"), path.open("rb") as stream:
        for piece in pieces(stream, path.name):
            redactor.learn([piece.path.encode()])
            redactor.learn(piece.chunks, piece.path)
    with timed("settle"):
        redactor.settle()
    with timed("writings"):
        detector = Detector({name for names in redactor.originals.values() for name in names})
    files = size_bytes = 0
    with path.open("rb") as stream:
        start = time.perf_counter()
        for piece in pieces(stream, path.name):
            look = detector.look()
            for chunk in redactor.redact(piece.chunks, piece.path):
                size_bytes += len(chunk)
                seconds["replace"] += time.perf_counter() - start
                with timed("second look"):
                    sum(1 for _ in look.at(chunk))
                start = time.perf_counter()
            seconds["replace"] += time.perf_counter() - start
            with timed("second look"):
                sum(1 for _ in look.end())
            files += 1
            start = time.perf_counter()
    names = sum(map(len, redactor.originals.values()))
    return Large(path.name, size_bytes, files, seconds, names, _memory_bytes() - before)


def _memory_bytes() -> int:
    """Return the peak memory of this process; unlike `getrusage`, without that of its parent."""
    output = Path("/proc/self/status").read_text(encoding="ascii")
    return 1024 * int(output.partition("VmHWM:")[2].split()[0])


def rows(texts: Sequence[tuple[str, bytes]]) -> list[Large]:
    """Measure all inputs, made when they are not there; `texts` are those of the sosreport of one machine."""
    parts = recordings()
    inputs = [make_input(size * MEGABYTE, parts) for size in PERF_MEGABYTES]
    inputs += [_log_of_a_fleet(texts), _sosreports(texts)]
    found = []
    for path in inputs:
        command = [sys.executable, "-m", "benchmarks.redact_large", str(path)]
        output = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        found.append(Large(**output))
    return found


def page(found: Sequence[Large]) -> Iterator[str]:
    """Yield the lines of the page about large evidence."""
    yield "## Large files"
    yield ""
    yield "One core; MB/s of each stage. *settle* draws pseudonyms and spells names, *writings* spells"
    yield "them again for the second look: both are done once for each case, and take as long as it has"
    yield "names, whatever its size. *all* is everything from the first byte to the last, with compiling"
    yield "the patterns; *memory* is what the process held at the most beyond what it held at its start."
    yield ""
    heads = ("input", "MB", "files", "names", *STAGES[1:], "all", "seconds", "memory, MB")
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    for row in found:
        speed = [f"{row.size_bytes / row.seconds[stage] / 1e6:,.0f}" for stage in STAGES[1:]]
        total = sum(row.seconds.values())
        cells = (
            row.name,
            f"{row.size_bytes / 1e6:.0f}",
            f"{row.files:,}",
            f"{row.names:,}",
            *speed,
            f"{row.size_bytes / total / 1e6:.0f}",
            f"{total:.1f}",
            f"{row.memory_bytes / 1e6:.0f}",
        )
        yield f"| {' | '.join(cells)} |"
    yield ""
    yield "*fleet* names one of 2,000 hosts in every line and one of 20,000 addresses in every fourth;"
    yield "*sosreports* are those of fourteen machines with their logs. What limits: every byte is read by"
    yield "the patterns twice, to find and to replace. As soon as one name is known, each byte is also"
    yield "asked whether a writing of it begins there, once to replace and once in the second look. In a"
    yield "dense log each place costs a look-up in each pass, and each name in new surroundings is judged"
    yield "in Python, once."
    yield ""


def _log_of_a_fleet(texts: Sequence[tuple[str, bytes]]) -> Path:
    path = INPUTS / f"fleet-{LOG_MEGABYTES}MB.log"
    if not path.is_file():
        path.write_bytes(_log(LOG_MEGABYTES * MEGABYTE, texts, seed=SEED))
    return path


def _sosreports(texts: Sequence[tuple[str, bytes]]) -> Path:
    path = INPUTS / "sosreports.tar"
    if path.is_file():
        return path
    partial = path.with_suffix(".new")
    with tarfile.open(partial, "w") as tar:
        for number in range(1, MACHINES + 1):
            name = f"analytics-db-{number:02}".encode()
            for text_path, content in texts:
                _add(
                    tar, text_path.replace(OWN_NAME.decode(), name.decode()), content.replace(OWN_NAME, name)
                )
        for number in range(LOGS):
            log = _log(LOG_OF_MACHINE_MEGABYTES * MEGABYTE, texts, seed=SEED + number)
            _add(tar, f"logs/messages-{number}", log)
    partial.rename(path)
    return path


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(content)
    tar.addfile(member, io.BytesIO(content))


def _log(size_bytes: int, texts: Sequence[tuple[str, bytes]], *, seed: int) -> bytes:
    """Return a log of the fleet: lines of a real kernel and of daemons, with made-up names."""
    dice = random.Random(SEED)  # noqa: S311 - repeatable on purpose

    def word(length: int) -> str:
        return "".join(dice.choice("bcdfghjklmnpqrstvwxz") for _ in range(length))

    def address() -> str:
        return f"10.{dice.randrange(256)}.{dice.randrange(256)}.{dice.randrange(1, 255)}"

    dmesg = (content for path, content in texts if "dmesg" in path.rpartition("/")[2])
    kernel = [line.partition(b"] ")[2] for line in b"\n".join(dmesg).split(b"\n") if line.startswith(b"[")]
    lines = random.Random(seed)  # noqa: S311 - repeatable on purpose
    hosts = [f"{word(4)}-{word(3)}-{number:04}" for number in range(HOSTS)]
    addresses = [address() for _ in range(ADDRESSES)]
    users = [word(dice.randrange(6, 11)) for _ in range(USERS)]
    out = io.BytesIO()
    while out.tell() < size_bytes:
        second = out.tell() // 1000
        stamp = f"Nov 21 {second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}"
        host, peer, port = lines.choice(hosts), lines.choice(addresses), lines.randrange(1024, 65536)
        line = lines.choice(
            (
                f"sshd[{port}]: Accepted publickey for {lines.choice(users)} from {peer} port {port} ssh2",
                f'nginx[812]: {peer} - - "GET /api/v1/items/{port} HTTP/1.1" 200 {port}',
                f"kernel: [UFW BLOCK] IN=eth0 OUT= SRC={peer} DST={lines.choice(addresses)} LEN=40",
            )
        )
        out.write(f"{stamp} {host} {line}\n".encode())
        start = lines.randrange(len(kernel) - 3)
        out.writelines(
            f"{stamp} {host} kernel: ".encode() + line + b"\n" for line in kernel[start : start + 3]
        )
    return out.getvalue()


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(Path(sys.argv[1]))._asdict()))
