"""Libraries of teams and retro-hunts of a service: requests, and what they answer as lines."""

from __future__ import annotations

import io
import tarfile
import time
from typing import TYPE_CHECKING, TypedDict

from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from cli.evidence.hunt import VerdictDocument
    from cli.service.connection import Connection

POLL_SECONDS = 1.0
TAKEN = ("signature.yaml", "story.md")


class SignatureRow(TypedDict):
    """A signature of a version; `shadows` is the version that Casebook ships, null without one."""

    id: str
    version: int
    title: str
    status: str
    shadows: int | None


class VersionDocument(TypedDict):
    """A version, as `GET /libraries/{name}/versions` has it."""

    id: str
    state: str
    commit: str
    problem: str
    messages: list[str]
    signatures: list[SignatureRow]
    shadow_cases: int


class LibraryDocument(TypedDict):
    """A library, as `GET /libraries` has it."""

    name: str
    source: str
    url: str
    ref: str
    newest: VersionDocument | None
    shadow: VersionDocument | None
    active: VersionDocument | None


class HuntDocument(TypedDict):
    """A hunt, as `GET /hunts/{id}` has it."""

    id: str
    library: str
    commit: str
    version_id: str
    state: str
    reason: str
    applies: bool
    total: int
    done: int
    judged: int
    gained: int
    lost: int
    failed: int


class HuntCase(TypedDict):
    """A case that a hunt changes, as `GET /hunts/{id}/cases` has it."""

    case_number: int
    case_title: str
    reason: str
    verdicts: list[VerdictDocument]


def archive_of(folder: Path) -> bytes:
    """Return the signatures of a library as an archive, without their evidence."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for path in sorted(folder.glob("*/*/*")):
            if path.name in TAKEN and path.is_file():
                archive.add(path, path.relative_to(folder).as_posix(), recursive=False)
    return stream.getvalue()


def settled(connection: Connection, name: str) -> LibraryDocument:
    """Return a library once its newest version was read, or failed."""
    while True:
        library: LibraryDocument = connection.get(f"libraries/{name}")
        newest = library["newest"]
        if newest is None or newest["state"] != "pulling":
            return library
        time.sleep(POLL_SECONDS)


def follow(connection: Connection, hunt: HuntDocument, show: Callable[[HuntDocument], None]) -> HuntDocument:
    """Return the hunt once it has ended; `show` is called with each state of it."""
    while hunt["state"] == "running":
        show(hunt)
        time.sleep(POLL_SECONDS)
        hunt = connection.get(f"hunts/{hunt['id']}")
    return hunt


def library_line(library: LibraryDocument) -> str:
    """Return a library as one line: its versions in use, and where it comes from."""
    parts = [bare(library["name"])]
    parts += [
        f"{state} {_version(row)}"
        for state, row in (("active", library["active"]), ("shadow", library["shadow"]))
        if row is not None
    ]
    newest = library["newest"]
    if newest is not None and newest["state"] in {"pulling", "failed"}:
        parts.append(f"{newest['state']}{': ' if newest['problem'] else ''}{bare(newest['problem'])}")
    elif len(parts) == 1:
        parts.append("retired")
    source = f"{library['url']} {library['ref']}" if library["url"] else library["source"]
    return "  ".join([*parts, bare(source)])


def version_lines(version: VersionDocument) -> Iterator[str]:
    """Yield a version: its state, signatures with what they shadow, and lint messages."""
    yield f"{_version(version)}: {version['state']}"
    if version["problem"]:
        yield f"  {bare(version['problem'])}"
    for one in version["signatures"]:
        shadowing = "" if one["shadows"] is None else f", in place of version {one['shadows']} of Casebook"
        yield f"  {one['id']} version {one['version']}{shadowing}"
    yield from (f"  lint: {bare(message)}" for message in version["messages"])


def hunt_line(hunt: HuntDocument) -> str:
    """Return how far a hunt is and what it changes: `gains 14 of 9,200, loses 1`."""
    state = "" if hunt["state"] in {"running", "done"} else f"{bare(hunt['reason']) or hunt['state']}: "
    verb = ("gained", "lost") if hunt["applies"] else ("gains", "loses")
    if hunt["state"] == "done":
        counts = f"{verb[0]} {hunt['gained']:,} of {hunt['done']:,} cases, {verb[1]} {hunt['lost']:,}"
    else:
        counts = (
            f"{hunt['done']:,} of {hunt['total']:,} cases, {verb[0]} {hunt['gained']:,}, "
            f"{verb[1]} {hunt['lost']:,}"
        )
    failed = f"; {hunt['failed']:,} could not be judged" if hunt["failed"] else ""
    return f"{state}{counts}{failed}"


def case_lines(row: HuntCase) -> Iterator[str]:
    """Yield a case that a hunt changes: each verdict before and after, and the lines that decide."""
    yield f"{row['case_number']}  {bare(row['case_title'])}"
    if row["reason"]:
        yield f"    {bare(row['reason'])}"
    yield from verdict_lines(row["verdicts"])


def verdict_lines(verdicts: Iterable[VerdictDocument]) -> Iterator[str]:
    """Yield verdicts before and after, each with the lines that decide."""
    for verdict in verdicts:
        host = f" on {bare(verdict['host'])}" if verdict["host"] else ""
        before, after = verdict["before"] or "none", verdict["after"] or "none"
        yield f"    {before} → {after}  {verdict['signature']}{host}"
        for line in verdict["lines"]:
            place = f"{bare(line['path'])}:{line['first_line']}" if line["path"] else ""
            yield f"        {bare(line['condition'])}{'  ' if place else ''}{place}"


def _version(version: VersionDocument) -> str:
    return version["commit"][:12] or "new version"
