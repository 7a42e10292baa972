r"""Evidence from one file, bytes or a list of paths, split into sections.

    read_bytes(b"==> memory.failcnt <==\n31\n", name="paste") ->
    Evidence(name="paste", state="read", sections=(Section(0, "cgroup-memory-value", …, last_line=2, …),))

Sender's faults (`IngestError`) become `state="rejected"` with the sentence; nothing else is caught.
"""

from __future__ import annotations

import hashlib
import io
import os
from pathlib import Path
from typing import IO, TYPE_CHECKING

from ingest import live_files
from ingest.containers import archive, decompression
from ingest.model.evidence import Evidence, Section
from ingest.model.limits import DEFAULT
from ingest.opening import Members, Opening

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ingest.live_files import LiveReads
    from ingest.model.limits import Limits

__all__ = ["Evidence", "Section", "read_bytes", "read_file", "read_paths", "read_stream"]

SOS_DIRECTORIES = ("sos_commands", "sos_reports", "sos_logs")


def read_file(
    path: Path,
    *,
    name: str | None = None,
    captured_path: str = "",
    limits: Limits = DEFAULT,
    on_progress: Callable[[int], None] | None = None,
    is_named: bool = True,
) -> Evidence:
    """Read one file, maybe compressed, maybe an archive.

    Args:
        path: The stored bytes.
        name: What the sender called it; the file's own name when None.
        captured_path: Path on the captured machine, "" when unknown.
        limits: Bounds; hitting one is a rejection.
        on_progress: Hears how many stored bytes were read so far.
        is_named: Whether the digest of the stored bytes is wanted.
    """
    with path.open("rb") as stream:
        return read_stream(
            stream,
            name=path.name if name is None else name,
            captured_path=captured_path,
            limits=limits,
            on_progress=on_progress,
            is_named=is_named,
        )


def read_bytes(content: bytes, *, name: str, captured_path: str = "", limits: Limits = DEFAULT) -> Evidence:
    """Read `content`, as `read_file` reads a file."""
    return read_stream(io.BytesIO(content), name=name, captured_path=captured_path, limits=limits)


def read_stream(
    stream: IO[bytes],
    *,
    name: str,
    captured_path: str = "",
    limits: Limits = DEFAULT,
    on_progress: Callable[[int], None] | None = None,
    is_named: bool = True,
) -> Evidence:
    """Read an open stream from its position, as `read_file` reads a file."""
    return Opening(name, captured_path, limits).read(
        decompression.Stored(stream, on_progress, is_named=is_named)
    )


def read_paths(
    paths: Sequence[Path],
    limits: Limits = DEFAULT,
    *,
    on_progress: Callable[[int], None] | None = None,
    is_named: bool = True,
    on_file: Callable[[int], None] | None = None,
    live_reads: LiveReads = live_files.WHOLE,
) -> Iterator[Evidence]:
    """Read files and directories; files of a directory have their path below it as captured path.

    An unpacked sosreport is read like a packed one: one evidence with members. `on_progress` hears how many
    stored bytes of the file being read were read, `on_file` how many files of a directory are read. Of /proc
    and /sys of this machine only the files are opened that a reader knows by their path, by `live_reads`.
    """
    for path in paths:
        live = live_files.captured_root(path)
        if live is not None and path.is_dir():
            yield from _read_live(live, limits, live_reads, on_file, is_named=is_named)
        elif live is not None and (reason := live_files.reason_not_to_read(live)):
            yield _rejected(path.name, live, f"it is not read: {reason}")
        elif live is not None and live_files.is_of_process(live) and path.is_file():
            yield _live_file(live, limits, live_reads, is_named=is_named)
        elif not path.is_dir():
            yield _read_or_reject(path, "", limits, on_progress, is_named=is_named)
        elif any((path / name).is_dir() for name in SOS_DIRECTORIES):
            yield _read_tree(path, limits)
        else:
            for count, file in enumerate(_files_below(path)):
                if on_file is not None:
                    on_file(count)
                yield _read_or_reject(file, file.relative_to(path).as_posix(), limits, is_named=is_named)


def _read_live(
    root: str, limits: Limits, reads: LiveReads, on_file: Callable[[int], None] | None, *, is_named: bool
) -> Iterator[Evidence]:
    """Read the known files of the running kernel below `root` until the reads are over."""
    for count, known in enumerate(live_files.known_files(root)):
        if on_file is not None:
            on_file(count)
        if spent := reads.why_spent():
            name = known.rpartition("/")[2]
            yield _rejected(name, known, f"it and the files after it are not read: {spent}")
            return
        yield _live_file(known, limits, reads, is_named=is_named)


def _live_file(path: str, limits: Limits, reads: LiveReads, *, is_named: bool) -> Evidence:
    """Read a file of the running kernel; one that cannot be read is a rejection."""
    name = path.rpartition("/")[2]
    try:
        content = reads.content(Path("/", path))
    except OSError as error:
        return _rejected(name, path, f"cannot be opened: {error.strerror}")
    stream = io.BytesIO(content)
    return read_stream(stream, name=name, captured_path=path, limits=limits, is_named=is_named)


def _read_or_reject(
    path: Path,
    captured_path: str,
    limits: Limits,
    on_progress: Callable[[int], None] | None = None,
    *,
    is_named: bool,
) -> Evidence:
    """Read one file; one that may not be opened is a rejection, not the end of the others."""
    try:
        return read_file(
            path, captured_path=captured_path, limits=limits, on_progress=on_progress, is_named=is_named
        )
    except OSError as error:
        return _rejected(path.name, captured_path, f"cannot be opened: {error.strerror}")


def _rejected(name: str, captured_path: str, reason: str) -> Evidence:
    """Return the evidence of a file of which nothing is read."""
    return Evidence(name, captured_path, hashlib.sha256().hexdigest(), 0, 0, "rejected", reason)


def _files_below(directory: Path) -> Iterator[Path]:
    """Yield the regular files below `directory`, sorted; links are not followed."""
    for where, directories, names in os.walk(directory):
        directories.sort()
        for name in sorted(names):
            file = Path(where) / name
            if file.is_file() and not file.is_symlink():
                yield file


def _read_tree(directory: Path, limits: Limits) -> Evidence:
    """Read an unpacked sosreport; its digest is that of its members' paths and digests."""
    members = Members(directory.name, "", limits, depth=0)
    for file in _files_below(directory):
        path = file.relative_to(directory).as_posix()
        members.add(archive.file_member(file, path))
    listing = "".join(f"{member.sha256} {member.captured_path}\n" for member in members.recognised)
    return members.evidence(
        sha256=hashlib.sha256(listing.encode("utf-8", "surrogateescape")).hexdigest(),
        size_bytes=sum(member.size_bytes for member in members.recognised),
    )
