"""Fuzz targets: every reader, every document, every stream, and whole evidence.

A reader may raise `IngestError` and nothing else, and its citations must be within its input. The
streams of Rust are driven through the same interface; a panic arrives as an exception. Whole files go through
decompression, archives, documents, splitting and the generic analyses as well.
"""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest.containers.text_decoding import lines_of
from ingest.evidence import read_bytes
from ingest.model.errors import IngestError
from ingest.model.limits import Limits
from ingest.model.section import Text
from ingest.readers import BY_CONTENT, DOCUMENTS, FILES, FORMATS, STREAMS
from ingest.readers.logs import text as plain
from signatures.judging.scope import items_of
from signatures.overview import run
from tests.ingest.fuzz_mutation import MAX_SEED
from tests.ingest.golden import FAULT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ingest.model.reading import Reading

DATA = Path(__file__).parents[1] / "data"
FOUND = DATA / "fuzz"
DOCUMENT_NAMES = (".json", ".cpuprofile", ".pb.gz")
SMALL = Limits(decoded_bytes=1 << 22, member_bytes=1 << 20, document_bytes=1 << 20, buffered_bytes=1 << 21)


class Target(NamedTuple):
    """What is fuzzed: its name, the samples it starts from, and the call."""

    name: str
    seeds: tuple[bytes, ...]
    call: Callable[[bytes], None]


def targets() -> list[Target]:
    """Return every reader, every document, every stream, and whole evidence."""
    texts: list[Any] = [*FORMATS, plain]
    found = [_lines_target(one.NAME, one, _seeds(one.NAME, one.EXAMPLE)) for one in texts]
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
    return (*(_head(path) for path in files), example.encode())


def _head(path: Path) -> bytes:
    """Return the beginning of a sample, a document whole; readers see what was compressed decompressed."""
    content = path.read_bytes()
    if path.suffix == ".gz":
        content = gzip.decompress(content)
    return content if path.name.endswith(DOCUMENT_NAMES) else content[:MAX_SEED]


def _file_seeds(reader: Any) -> tuple[bytes, ...]:
    """Return the captured files that a reader owns, and its example."""
    patterns = [pattern.rsplit("/", 1)[-1] for pattern in reader.PATHS]
    owned = [
        path.read_bytes()[:MAX_SEED]
        for path in sorted((DATA / "files").rglob("*"))
        if path.is_file() and any(path.match(pattern) for pattern in patterns)
    ]
    return (*owned[:6], reader.EXAMPLE.encode())


def _path(reader: Any) -> str:
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


def _lines_target(name: str, reader: Any, seeds: tuple[bytes, ...], path: str = "") -> Target:
    def call(content: bytes) -> None:
        lines = lines_of(content)
        if hasattr(reader, "begins"):
            for at in range(min(len(lines), 40)):
                reader.begins(lines, at)
                reader.continues(lines[at])
        check(reader.read(Text(lines, 3, path)), 3, 3 + max(len(lines), 1))

    return Target(name, seeds, call)


def _document(reader: Any) -> Callable[[bytes], None]:
    def call(content: bytes) -> None:
        reader.claims(content[:65536])
        check(reader.read_document(content), 1, 1)

    return call


def _stream(reader: Any) -> Callable[[bytes], None]:
    def call(content: bytes) -> None:
        half = content.rfind(b"\n", 0, len(content) // 2) + 1
        section = reader.stream(1)
        section.feed(content[:half])
        section.feed(content[half:])
        check(section.finish(), 1, content.count(b"\n") + 2)

    return call


def _evidence(content: bytes) -> None:
    evidence = read_bytes(content, name="fuzzed", limits=SMALL)
    assert FAULT not in repr(evidence)
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


FUZZED = {one.NAME for readers in (FORMATS, FILES, DOCUMENTS, BY_CONTENT) for one in readers}
"""Every reader there is; each must have a target."""
