"""Mutated samples thrown at every reader: `make fuzz SECONDS=3600` runs it, and tests replay what it found.

A reader may raise `IngestError` and nothing else, and what it reads must stand in the lines it was given. The
streams of Rust are driven through the same door; a panic arrives as an exception. Whole files go through
decompression, archives, documents and splitting as well.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import random
import signal
import sys
import tarfile
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ingest.decode import lines_of
from ingest.errors import IngestError
from ingest.evidence import read_bytes
from ingest.files import BY_CONTENT, FILES
from ingest.formats import DOCUMENTS, FORMATS, STREAMS
from ingest.formats import text as plain
from ingest.limits import Limits
from ingest.registry import StreamInput, Text
from signatures.generic import run
from signatures.scope import items_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ingest.reading import Reading

DATA = Path(__file__).parents[1] / "data"
FOUND = DATA / "fuzz"
MAX_SEED = 20_000
HANG_SECONDS = 20.0
SMALL = Limits(decoded_bytes=1 << 22, member_bytes=1 << 20, document_bytes=1 << 20, held_bytes=1 << 21)
NUMBERS = (b"0", b"-1", b"4294967295", b"18446744073709551615", b"9" * 400, b"1e999", b"nan", b"0x", b"1,5")
WORDS = (
    b"[",
    b"]",
    b"{",
    b"}",
    b"(",
    b")",
    b"=",
    b":",
    b";",
    b"\t",
    b"  ",
    b"@",
    b"%",
    b"|",
    b'"',
    b"\\",
    b"\xff",
    b"...",
)


class Target(NamedTuple):
    """What is fuzzed: its name, the samples it starts from, and the call."""

    name: str
    seeds: tuple[bytes, ...]
    call: Callable[[bytes], None]


def targets() -> list[Target]:
    """Return every reader, every document, every stream, and whole evidence."""
    found = [_lines_target(one.NAME, one, _seeds(one.NAME, one.EXAMPLE)) for one in (*FORMATS, plain)]
    found += [_lines_target(one.NAME, one, _file_seeds(one), _path(one)) for one in FILES]
    found += [
        Target(f"{one.NAME}:document", _seeds(one.NAME, one.EXAMPLE), _document(one)) for one in DOCUMENTS
    ]
    found += [
        Target(f"{name}:stream", _seeds(name, one.EXAMPLE), _stream(one)) for name, one in STREAMS.items()
    ]
    everything = tuple(seed for one in found for seed in one.seeds[:1])
    found.append(Target("evidence", (*everything, *_containers()), _evidence))
    return found


def _seeds(name: str, example: str) -> tuple[bytes, ...]:
    folder = DATA / name
    files = [path for path in sorted(folder.glob("*")) if path.is_file() and path.name != "PROVENANCE.md"]
    read = [_head(path) for path in files if path.suffix != ".gz"]
    return (*read, example.encode())


def _head(path: Path) -> bytes:
    content = path.read_bytes()
    return content if path.suffix in {".json", ".cpuprofile"} else content[:MAX_SEED]


def _file_seeds(reader: object) -> tuple[bytes, ...]:
    """Return the captured files that a reader owns, and its example."""
    patterns = [pattern.rsplit("/", 1)[-1] for pattern in reader.PATHS]
    owned = [
        path.read_bytes()[:MAX_SEED]
        for path in sorted((DATA / "files").rglob("*"))
        if path.is_file() and any(path.match(pattern) for pattern in patterns)
    ]
    return (*owned[:6], reader.EXAMPLE.encode())


def _path(reader: object) -> str:
    return reader.PATHS[0].replace("*", "7") if reader.PATHS else ""


def _containers() -> Iterator[bytes]:
    """Yield archives and compressed text, broken and whole."""
    yield from (path.read_bytes() for path in sorted((DATA / "bad").iterdir()) if path.suffix != ".md")
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name in ("proc/meminfo", "proc/vmstat"):
            archive.add(DATA / "files/machine" / name, f"host/{name}")
    yield packed.getvalue()
    yield (DATA / "pprof/go.cpu.pb.gz").read_bytes()


def _lines_target(name: str, reader: object, seeds: tuple[bytes, ...], path: str = "") -> Target:
    def call(content: bytes) -> None:
        lines = lines_of(content)
        if hasattr(reader, "begins"):
            for at in range(min(len(lines), 40)):
                reader.begins(lines, at)
                reader.continues(lines[at])
        check(reader.read(Text(lines, 3, path)), 3, 3 + max(len(lines), 1))

    return Target(name, seeds, call)


def _document(reader: object) -> Callable[[bytes], None]:
    def call(content: bytes) -> None:
        reader.claims(content[:65536])
        check(reader.read_document(content), 1, 1)

    return call


def _stream(reader: object) -> Callable[[bytes], None]:
    def call(content: bytes) -> None:
        half = len(content) // 2
        read = reader.read_stream(StreamInput([content[:half], content[half:]]))
        check(read, 1, content.count(b"\n") + 2)

    return call


def _evidence(content: bytes) -> None:
    evidence = read_bytes(content, name="fuzzed", limits=SMALL)
    run(items_of([evidence]))


def check(reading: Reading, first: int, last: int) -> None:
    """Hold what was read against the lines it was read from."""
    for fact in reading.facts:
        assert first <= fact.lines.first <= fact.lines.last <= last, fact
    for rows in reading.row_sets:
        assert len(rows.rows) == len(rows.row_lines)
        assert all(len(row) == len(rows.columns) for row in rows.rows)
        assert all(first <= line <= last for line in rows.row_lines)
    for profile in reading.profiles:
        assert (profile.sample_weight >= 0).all()
        assert (profile.node_parent < range(len(profile.node_parent))).all()
    for skipped in reading.skipped:
        assert skipped.count > 0


def mutated(seed: bytes, chance: random.Random, others: tuple[bytes, ...]) -> bytes:
    """Return `seed` changed in one to six places."""
    content = bytearray(seed)
    for _ in range(chance.randint(1, 6)):
        content = _CHANGES[chance.randrange(len(_CHANGES))](content, chance, others)
        if len(content) > 4 * MAX_SEED:
            del content[4 * MAX_SEED :]
    return bytes(content)


def _flip(content: bytearray, chance: random.Random, _: tuple[bytes, ...]) -> bytearray:
    if content:
        content[chance.randrange(len(content))] = chance.randrange(256)
    return content


def _cut(content: bytearray, chance: random.Random, _: tuple[bytes, ...]) -> bytearray:
    del content[chance.randint(0, len(content)) :]
    return content


def _drop(content: bytearray, chance: random.Random, _: tuple[bytes, ...]) -> bytearray:
    start = chance.randint(0, len(content))
    del content[start : start + chance.randint(1, 60)]
    return content


def _insert(content: bytearray, chance: random.Random, _: tuple[bytes, ...]) -> bytearray:
    at = chance.randint(0, len(content))
    content[at:at] = chance.choice(WORDS) * chance.choice((1, 1, 1, 50))
    return content


def _number(content: bytearray, chance: random.Random, _: tuple[bytes, ...]) -> bytearray:
    digits = [at for at, byte in enumerate(content[:4000]) if 48 <= byte <= 57]
    if digits:
        start = end = chance.choice(digits)
        while end < len(content) and 48 <= content[end] <= 57:
            end += 1
        content[start:end] = chance.choice(NUMBERS)
    return content


def _lines(content: bytearray, chance: random.Random, _: tuple[bytes, ...]) -> bytearray:
    lines = bytes(content).split(b"\n")
    first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
    kind = chance.randrange(3)
    if kind == 0:
        lines[first], lines[second] = lines[second], lines[first]
    elif kind == 1:
        lines.insert(first, lines[second])
    else:
        del lines[first]
    return bytearray(b"\n".join(lines))


def _splice(content: bytearray, chance: random.Random, others: tuple[bytes, ...]) -> bytearray:
    other = chance.choice(others)
    start = chance.randint(0, len(other))
    at = chance.randint(0, len(content))
    content[at:at] = other[start : start + chance.randint(1, 400)]
    return content


_CHANGES = (_flip, _cut, _drop, _insert, _number, _lines, _splice)


def broken_by(target: Target, content: bytes) -> BaseException | None:
    """Return what `target` raised that it may not raise, None when all is well."""
    try:
        target.call(content)
    except IngestError:
        return None
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001 - a panic of the Rust core is no Exception
        return error
    return None


def fuzz(seconds: float, seed: int, only: str = "") -> tuple[Counter[str], int]:
    """Run for so many seconds over all targets in turn; return executions by target and how many broke."""
    chosen = [target for target in targets() if only in target.name]
    every = tuple(one for target in chosen for one in target.seeds)
    chance = random.Random(seed)  # noqa: S311 - a fuzzer must be repeatable
    runs: Counter[str] = Counter()
    broken = 0
    end = time.monotonic() + seconds
    signal.signal(signal.SIGALRM, _hangs)
    while time.monotonic() < end:
        for target in chosen:
            for _ in range(20):
                content = mutated(chance.choice(target.seeds), chance, every)
                runs[target.name] += 1
                signal.setitimer(signal.ITIMER_REAL, HANG_SECONDS)
                error = broken_by(target, content)
                signal.setitimer(signal.ITIMER_REAL, 0)
                if error is not None:
                    broken += 1
                    _keep(target, content, error)
    return runs, broken


def _hangs(_number: int, _frame: object) -> None:
    """End a run that takes too long; it counts as broken."""
    raise TimeoutError(f"not done after {HANG_SECONDS:g} seconds")


def _keep(target: Target, content: bytes, error: BaseException) -> None:
    """Write what broke a target, so that a test replays it from now on."""
    folder = FOUND / target.name.replace(":", "-")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / hashlib.sha256(content).hexdigest()[:16]
    path.write_bytes(content)
    last = traceback.extract_tb(error.__traceback__)[-1]
    sys.stdout.write(f"BROKEN {target.name}: {error!r} at {last.filename}:{last.lineno}; kept as {path}\n")


def main() -> None:
    """Fuzz and report executions."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--seconds", type=float, default=60.0)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--only", default="")
    words = asked.parse_args()
    runs, broken = fuzz(words.seconds, words.seed, words.only)
    for name, count in sorted(runs.items()):
        sys.stdout.write(f"{count:>9,}  {name}\n")
    sys.stdout.write(f"{runs.total():>9,}  executions of {len(runs)} targets, {broken} broken\n")
    sys.exit(1 if broken else 0)


FUZZED = {one.NAME for one in (*FORMATS, *FILES, *DOCUMENTS, *BY_CONTENT)}

if __name__ == "__main__":
    main()
