"""Bundle of a handoff, `NAME.casebook.tar.zst`, and its verification.

    manifest.json     format, SHA-256 and size of every other member, host and phase of evidence
    summary.md        the summary
    case.html         everything in one page that works offline
    findings.json     verdicts with their conditions and citations
    evidence/…        the chosen evidence, redacted, at its captured path

Reproducible: the same handoff yields the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import tarfile
from dataclasses import replace
from operator import itemgetter
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeVar

from ingest.containers import bundle_manifest, tarball
from ingest.model.errors import MalformedInputError
from ingest.model.zstd import zstd
from signatures.documents import SCHEMA_VERSION
from signatures.documents.codec import to_document, to_documents
from signatures.handoff.case_file import case_file_of
from signatures.rendering import case_file

if TYPE_CHECKING:
    from pathlib import Path

    from signatures.documents.bundle import ManifestDocument, MemberDocument
    from signatures.documents.citation import Citation
    from signatures.documents.finding import FindingDocument
    from signatures.documents.handoff import OomPlaceDocument
    from signatures.handoff.contents import Contents

    Cited = TypeVar("Cited", Citation, OomPlaceDocument)

FORMAT = "casebook-bundle"
FORMAT_VERSION = 1
MANIFEST = bundle_manifest.MANIFEST
FINDINGS = "findings.json"
SUFFIX = ".casebook.tar.zst"
BLOCK_BYTES = 1 << 20
MAX_MANIFEST_BYTES = bundle_manifest.MAX_MANIFEST_BYTES


class BrokenBundleError(Exception):
    """The file is not a valid bundle."""


class BundledVerdict(NamedTuple):
    """A verdict as a bundle states it; of every release that wrote one."""

    host: str
    phase: str
    signature: str
    title: str
    verdict: str


class Verified(NamedTuple):
    """A verified bundle."""

    title: str
    members: int
    size_bytes: int
    engine: str


def documents(contents: Contents) -> dict[str, bytes]:
    """Return the generated documents of the bundle by path."""
    places = tuple(_with_path(contents, place) for place in contents.oom.places)
    findings = {
        "schema_version": SCHEMA_VERSION,
        "findings": [to_document(_with_paths(contents, finding)) for finding in contents.findings],
        "oom": to_document(replace(contents.oom, places=places)),
        "next_captures": to_documents(contents.captures),
    }
    case = case_file_of(contents)
    return {
        "summary.md": case_file.markdown(case).encode(),
        "case.html": case_file.html(case).encode(),
        FINDINGS: _json(findings),
    }


def write(contents: Contents, written: dict[str, bytes], stream: IO[bytes], *, version: str) -> None:
    """Write the bundle of `contents` with the documents `written`, made by casebook `version`."""
    rows: list[MemberDocument] = [
        {"path": path, "sha256": hashlib.sha256(content).hexdigest(), "size_bytes": len(content)}
        for path, content in written.items()
    ]
    rows += [
        {
            "path": file.path,
            "sha256": file.sha256,
            "size_bytes": file.size_bytes,
            "host": file.host,
            "boot": file.boot,
            "phase": file.phase,
        }
        for file in contents.files
    ]
    manifest: ManifestDocument = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "engine": {"name": "casebook", "version": version},
        "case": {"number": contents.number, "title": contents.title},
        "is_redacted": True,
        "members": sorted(rows, key=itemgetter("path")),
    }
    with tarball.writing(stream, SUFFIX) as archive:
        archive.add(MANIFEST, _json(manifest))
        for path, content in written.items():
            archive.add(path, content)
        for file in contents.files:
            with file.local_path.open("rb") as content_stream:
                archive.add_stream(file.path, content_stream, file.size_bytes)


def verify(path: Path) -> Verified:
    """Verify every member of the bundle at `path` against its manifest.

    Raises:
        BrokenBundleError: It is no bundle, or a member is missing, changed or not listed.
        OSError: It cannot be read.
    """
    with zstd.ZstdFile(path) as stream:
        try:
            with tarfile.open(fileobj=stream, mode="r|") as archive:
                return _verify(archive)
        except (zstd.ZstdError, tarfile.TarError, EOFError) as error:
            raise BrokenBundleError(f"not a bundle, or truncated: {error}") from error


def read_manifest(stream: IO[bytes]) -> tuple[ManifestDocument, list[BundledVerdict]]:
    """Return manifest and findings of a bundle without reading the rest.

    Raises:
        BrokenBundleError: It is no bundle, or it is truncated.
    """
    packed = zstd.ZstdFile(stream)
    try:
        with tarfile.open(fileobj=packed, mode="r|") as archive:
            manifest: ManifestDocument | None = None
            for member in archive:
                content = archive.extractfile(member)
                if manifest is None and content is not None:
                    manifest = _manifest(member, content)
                if manifest is not None and content is not None and member.name == FINDINGS:
                    return manifest, _findings(member, content)
    except (zstd.ZstdError, tarfile.TarError, EOFError) as error:
        raise BrokenBundleError(f"the bundle is truncated: {error}") from error
    raise BrokenBundleError(f"{FINDINGS} is missing")


def _findings(member: tarfile.TarInfo, content: IO[bytes]) -> list[BundledVerdict]:
    if member.size > MAX_MANIFEST_BYTES:
        raise BrokenBundleError(f"{FINDINGS} is larger than {MAX_MANIFEST_BYTES:,} bytes")
    try:
        contents = json.loads(content.read())["findings"]
        return [BundledVerdict(*(str(one[name]) for name in BundledVerdict._fields)) for one in contents]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BrokenBundleError(f"{FINDINGS} cannot be read: {error}") from error


def _verify(archive: tarfile.TarFile) -> Verified:
    manifest: ManifestDocument | None = None
    open_rows: dict[str, MemberDocument] = {}
    size = 0
    for member in archive:
        content = archive.extractfile(member)
        if not member.isreg() or content is None:
            raise BrokenBundleError(f"{member.name} is not a regular file")
        if manifest is None:
            manifest = _manifest(member, content)
            open_rows = {row["path"]: row for row in manifest["members"]}
            continue
        row = open_rows.pop(member.name, None)
        if row is None:
            raise BrokenBundleError(f"{member.name} is not in the manifest, or occurs twice")
        if row["sha256"] != _digest(content) or row["size_bytes"] != member.size:
            raise BrokenBundleError(f"{member.name} does not match the manifest: it was changed")
        size += member.size
    if manifest is None:
        raise BrokenBundleError("not a bundle: the archive is empty")
    if open_rows:
        raise BrokenBundleError(f"{min(open_rows)} is missing")
    count = len(manifest["members"])
    return Verified(str(manifest["case"]["title"]), count, size, str(manifest["engine"]["version"]))


def _manifest(member: tarfile.TarInfo, content: IO[bytes]) -> ManifestDocument:
    if member.name != MANIFEST or member.size > MAX_MANIFEST_BYTES:
        raise BrokenBundleError(f"not a bundle: it begins with {member.name}, not with {MANIFEST}")
    try:
        contents: ManifestDocument = json.loads(content.read())
        is_known = contents["format"] == FORMAT and contents["version"] == FORMAT_VERSION
        rows = {(row["path"], row["sha256"], row["size_bytes"]) for row in contents["members"]}
        is_known = is_known and len(rows) == len(contents["members"]) and "title" in contents["case"]
        is_known = is_known and bool(contents["engine"]["version"])
        if not isinstance(contents["case"]["number"], int):
            raise BrokenBundleError("the manifest has no case number")
        for row in contents["members"]:
            bundle_manifest.placement(row)
    except MalformedInputError as error:
        raise BrokenBundleError(str(error)) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BrokenBundleError(f"the manifest cannot be read: {error}") from error
    if not is_known:
        raise BrokenBundleError(f"unsupported bundle version; expected {FORMAT_VERSION}")
    return contents


def _digest(content: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while block := content.read(BLOCK_BYTES):
        digest.update(block)
    return digest.hexdigest()


def _with_paths(contents: Contents, finding: FindingDocument) -> FindingDocument:
    conditions = tuple(
        replace(one, citations=tuple(_with_path(contents, citation) for citation in one.citations))
        for one in finding.conditions
    )
    return replace(finding, conditions=conditions)


def _with_path(contents: Contents, place: Cited) -> Cited:
    file = contents.file_of(place.evidence)
    return replace(place, evidence=file.path if file else "")


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode("utf-8", "replace")
