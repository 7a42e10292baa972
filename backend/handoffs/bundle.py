"""The bundle of a handoff, `NAME.casebook.tar.zst`, and the check that it is whole.

    manifest.json     what it is, SHA-256 and size of every other member, and host and phase of evidence
    summary.md        to read first
    case.html         everything in one page, without a network
    findings.json     verdicts with their conditions and citations
    evidence/…        the chosen evidence, redacted, at its captured path

The same handoff makes the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import tarfile
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import zstandard

from backend.core.version import VERSION
from backend.handoffs import page, summary, tarball
from ingest.containers import bundle_manifest
from ingest.model.errors import MalformedInputError
from ingest.model.evidence import Placement

if TYPE_CHECKING:
    from pathlib import Path

    from backend.handoffs.contents import Contents

FORMAT = "casebook-bundle"
FORMAT_VERSION = 1
MANIFEST = bundle_manifest.MANIFEST
FINDINGS = "findings.json"
SUFFIX = ".casebook.tar.zst"
BLOCK_BYTES = 1 << 20
MAX_MANIFEST_BYTES = bundle_manifest.MAX_MANIFEST_BYTES


class BrokenBundleError(Exception):
    """It is no bundle, or not what its manifest says; one sentence."""


class Verified(NamedTuple):
    """A bundle that is whole."""

    title: str
    members: int
    size_bytes: int
    engine: str


def documents(told: Contents) -> dict[str, bytes]:
    """Return what is written for the bundle, by its path."""
    findings = {
        "findings": [_with_paths(told, finding) for finding in told.findings],
        "oom": told.oom | {"places": [_with_path(told, place) for place in told.oom["places"]]},
        "next_captures": told.captures,
    }
    return {
        "summary.md": summary.markdown(told).encode(),
        "case.html": page.html(told).encode(),
        FINDINGS: _json(findings),
    }


def write(told: Contents, written: dict[str, bytes], stream: IO[bytes]) -> None:
    """Write the bundle of `told`, whose documents are `written`."""
    rows = [
        _row(path, hashlib.sha256(content).hexdigest(), len(content)) for path, content in written.items()
    ]
    rows += [
        _row(piece.path, piece.sha256, piece.size_bytes)
        | Placement(piece.host, piece.boot, piece.phase)._asdict()
        for piece in told.pieces
    ]
    manifest = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "engine": {"name": "casebook", "version": VERSION},
        "case": {"number": told.number, "title": told.title},
        "is_redacted": True,
        "members": sorted(rows, key=lambda row: str(row["path"])),
    }
    with tarball.writing(stream, SUFFIX) as archive:
        archive.add(MANIFEST, _json(manifest))
        for path, content in written.items():
            archive.add(path, content)
        for piece in told.pieces:
            with piece.file.open("rb") as content_stream:
                archive.add_stream(piece.path, content_stream, piece.size_bytes)


def verify(path: Path) -> Verified:
    """Check every member of the bundle at `path` against its manifest.

    Raises:
        BrokenBundleError: It is none, or a member is missing, changed or not listed.
        OSError: It cannot be read.
    """
    with path.open("rb") as stored, zstandard.ZstdDecompressor().stream_reader(stored) as stream:
        try:
            with tarfile.open(fileobj=stream, mode="r|") as archive:
                return _verify(archive)
        except (zstandard.ZstdError, tarfile.TarError, EOFError) as error:
            raise BrokenBundleError(f"this is no bundle, or it is cut off: {error}") from error


def told_by(stream: IO[bytes]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the manifest and the findings of a bundle; what stands behind them is not read.

    Raises:
        BrokenBundleError: It is none, or breaks off before.
    """
    packed = zstandard.ZstdDecompressor().stream_reader(stream)
    try:
        with tarfile.open(fileobj=packed, mode="r|") as archive:
            manifest: dict[str, Any] | None = None
            for member in archive:
                content = archive.extractfile(member)
                if manifest is None and content is not None:
                    manifest = _manifest(member, content)
                if manifest is not None and content is not None and member.name == FINDINGS:
                    return manifest, _findings(member, content)
    except (zstandard.ZstdError, tarfile.TarError, EOFError) as error:
        raise BrokenBundleError(f"it is cut off: {error}") from error
    raise BrokenBundleError(f"{FINDINGS} is missing")


def _findings(member: tarfile.TarInfo, content: IO[bytes]) -> list[dict[str, Any]]:
    if member.size > MAX_MANIFEST_BYTES:
        raise BrokenBundleError(f"{FINDINGS} is larger than {MAX_MANIFEST_BYTES:,} bytes")
    try:
        told = json.loads(content.read())["findings"]
        return [
            {name: str(one[name]) for name in ("host", "phase", "signature", "title", "verdict")}
            for one in told
        ]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BrokenBundleError(f"{FINDINGS} cannot be read: {error}") from error


def _verify(archive: tarfile.TarFile) -> Verified:
    manifest: dict[str, Any] | None = None
    open_rows: dict[str, dict[str, Any]] = {}
    size = 0
    for member in archive:
        content = archive.extractfile(member)
        if not member.isreg() or content is None:
            raise BrokenBundleError(f"{member.name} is no file")
        if manifest is None:
            manifest = _manifest(member, content)
            open_rows = {row["path"]: row for row in manifest["members"]}
            continue
        row = open_rows.pop(member.name, None)
        if row is None:
            raise BrokenBundleError(f"{member.name} is not in the manifest, or is there twice")
        if row["sha256"] != _digest(content) or row["size_bytes"] != member.size:
            raise BrokenBundleError(f"{member.name} is not what the manifest says: it was changed")
        size += member.size
    if manifest is None:
        raise BrokenBundleError("this is no bundle: it is empty")
    if open_rows:
        raise BrokenBundleError(f"{min(open_rows)} is missing")
    count = len(manifest["members"])
    return Verified(str(manifest["case"]["title"]), count, size, str(manifest["engine"]["version"]))


def _manifest(member: tarfile.TarInfo, content: IO[bytes]) -> dict[str, Any]:
    if member.name != MANIFEST or member.size > MAX_MANIFEST_BYTES:
        raise BrokenBundleError(f"this is no bundle: it begins with {member.name}, not with {MANIFEST}")
    try:
        told: dict[str, Any] = json.loads(content.read())
        is_known = told["format"] == FORMAT and told["version"] == FORMAT_VERSION
        rows = {(row["path"], row["sha256"], row["size_bytes"]) for row in told["members"]}
        is_known = is_known and len(rows) == len(told["members"]) and "title" in told["case"]
        is_known = is_known and bool(told["engine"]["version"])
        if not isinstance(told["case"]["number"], int):
            raise BrokenBundleError("its manifest has no number of a case")
        for row in told["members"]:
            bundle_manifest.placement(row)
    except MalformedInputError as error:
        raise BrokenBundleError(str(error)) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BrokenBundleError(f"its manifest cannot be read: {error}") from error
    if not is_known:
        raise BrokenBundleError(f"this is a bundle of another version than {FORMAT_VERSION}")
    return told


def _digest(content: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while block := content.read(BLOCK_BYTES):
        digest.update(block)
    return digest.hexdigest()


def _row(path: str, sha256: str, size_bytes: int) -> dict[str, Any]:
    return {"path": path, "sha256": sha256, "size_bytes": size_bytes}


def _with_paths(told: Contents, finding: dict[str, Any]) -> dict[str, Any]:
    clauses = [
        clause | {"citations": [_with_path(told, citation) for citation in clause["citations"]]}
        for clause in finding["clauses"]
    ]
    return finding | {"clauses": clauses}


def _with_path(told: Contents, place: dict[str, Any]) -> dict[str, Any]:
    piece = told.piece_of(str(place["evidence"]))
    return place | {"evidence": piece.path if piece else ""}


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode("utf-8", "replace")
