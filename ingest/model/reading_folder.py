"""The reading folder: everything one parser read, as `manifest.json` and compressed columns.

Example:
    manifest.json
    facts.col.zst
    profile-0.frames.col.zst
    profile-0.node_parent.col.zst

A column is one array (little-endian, `dtype` in the manifest) or one JSON document (`dtype` `json`). The
manifest names each column with its length and the SHA-256 of its uncompressed bytes, so the digest of a
folder is the digest of its manifest and does not depend on the compressor.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from ingest.model import reading_documents, row_documents
from ingest.model.profile import Frame, Profile, Thread
from ingest.model.zstd import zstd

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from ingest.model.reading import Quality, Reading

FORMAT = "casebook-reading/2"
READABLE = frozenset({FORMAT, "casebook-reading/1"})
"""Formats of kept folders; the first held all rows as JSON."""

MANIFEST = "manifest.json"
COLUMN_SUFFIX = ".col.zst"
MAX_COLUMN_BYTES = 4 << 30
LEVEL = 3

INTEGER_COLUMNS = ("node_parent", "node_frame", "node_line", "sample_node", "sample_thread", "sample_line")
FLOAT_COLUMNS = ("sample_weight", "sample_count")
OPTIONAL_COLUMNS = {"sample_time": "<f8", "sample_cpu": "<i4"}
DTYPES: dict[str, np.dtype[Any]] = {"<i4": np.dtype("<i4"), "<f8": np.dtype("<f8")}


class BrokenFolderError(ValueError):
    """A reading folder is incomplete, altered or breaks its own rules."""


class _Writer:
    """Writes columns and collects their manifest entries."""

    def __init__(self, directory: Path) -> None:
        """Write below `directory`, which is made."""
        directory.mkdir(parents=True, exist_ok=True)
        self.directory = directory
        self.columns: dict[str, dict[str, Any]] = {}

    def write(self, name: str, content: bytes, dtype: str) -> None:
        """Write one column."""
        (self.directory / f"{name}{COLUMN_SUFFIX}").write_bytes(zstd.compress(content, LEVEL))
        self.columns[name] = {
            "dtype": dtype,
            "bytes": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        }

    def write_array(self, name: str, array: NDArray[Any], dtype: str) -> None:
        """Write an array in the byte order of the format."""
        self.write(name, np.ascontiguousarray(array, dtype=DTYPES[dtype]).tobytes(), dtype)

    def write_json(self, name: str, document: object) -> None:
        """Write a JSON document; an empty one is left out."""
        if document:
            self.write(name, _json_bytes(document), "json")


class _Reader:
    """Reads columns back and checks them against the manifest."""

    def __init__(self, directory: Path) -> None:
        """Read below `directory`."""
        self.directory = directory
        try:
            self.manifest = json.loads((directory / MANIFEST).read_bytes())
        except (OSError, ValueError) as error:
            raise BrokenFolderError(f"no readable {MANIFEST}: {error}") from error
        if not isinstance(self.manifest, dict) or self.manifest.get("format") not in READABLE:
            raise BrokenFolderError(f"{MANIFEST} is not of format {FORMAT}")

    def read(self, name: str, dtype: str) -> bytes | None:
        """Return the bytes of a column, None when the folder has no such column."""
        entry = self.manifest["columns"].get(name)
        if entry is None:
            return None
        if entry["dtype"] != dtype or not 0 <= entry["bytes"] <= MAX_COLUMN_BYTES:
            raise BrokenFolderError(f"column {name} is not {dtype} of at most {MAX_COLUMN_BYTES} bytes")
        try:
            stored = (self.directory / f"{name}{COLUMN_SUFFIX}").read_bytes()
            if zstd.get_frame_info(stored).decompressed_size != entry["bytes"]:
                raise BrokenFolderError(f"column {name} has another length than the manifest says")
            content = zstd.ZstdDecompressor().decompress(stored, entry["bytes"])
        except (OSError, zstd.ZstdError) as error:
            raise BrokenFolderError(f"column {name} cannot be read: {error}") from error
        if hashlib.sha256(content).hexdigest() != entry["sha256"]:
            raise BrokenFolderError(f"column {name} was altered")
        return content

    def read_array(self, name: str, dtype: str) -> NDArray[Any] | None:
        """Return an array, None when the folder has no such column."""
        content = self.read(name, dtype)
        return None if content is None else np.frombuffer(content, dtype=DTYPES[dtype])

    def required(self, name: str, dtype: str) -> NDArray[Any]:
        """Return an array that must be there."""
        array = self.read_array(name, dtype)
        if array is None:
            raise BrokenFolderError(f"column {name} is missing")
        return array

    def read_json(self, name: str) -> list[Any]:
        """Return a JSON document; [] when the folder has no such column."""
        content = self.read(name, "json")
        return [] if content is None else list(json.loads(content))


def _json_bytes(document: object) -> bytes:
    return json.dumps(
        document, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    ).encode("utf-8", "surrogatepass")


def save(reading: Reading, directory: Path) -> str:
    """Write `reading` below `directory` and return its digest; equal readings give equal digests."""
    writer = _Writer(directory)
    profiles = [_save_profile(writer, f"profile-{at}", one) for at, one in enumerate(reading.profiles)]
    documents = reading_documents.documents(reading)
    documents[row_documents.DOCUMENT] = row_documents.save(reading.row_sets, writer)
    for name, document in sorted(documents.items()):
        writer.write_json(name, document)
    manifest = {"format": FORMAT, "profiles": profiles, "columns": writer.columns}
    (directory / MANIFEST).write_bytes(_json_bytes(manifest))
    return digest(directory)


def digest(directory: Path) -> str:
    """Return the hex digest of a saved folder: equal content, equal digest."""
    try:
        return hashlib.sha256((directory / MANIFEST).read_bytes()).hexdigest()
    except OSError as error:
        raise BrokenFolderError(f"no readable {MANIFEST}: {error}") from error


def verify(directory: Path) -> str:
    """Check every column of a saved folder against its manifest, and return the digest of the folder.

    Raises:
        BrokenFolderError: A column is missing or altered.
    """
    reader = _Reader(directory)
    try:
        for name, entry in reader.manifest["columns"].items():
            reader.read(name, entry["dtype"])
    except (KeyError, TypeError, AttributeError) as error:
        raise BrokenFolderError(f"{MANIFEST} does not describe its columns: {error!r}") from error
    return digest(directory)


def load(directory: Path) -> Reading:
    """Read a saved folder back.

    Raises:
        BrokenFolderError: The folder is incomplete, altered or breaks its own rules.
    """
    reader = _Reader(directory)
    try:
        profiles = tuple(
            _load_profile(reader, f"profile-{at}", head)
            for at, head in enumerate(reader.manifest["profiles"])
        )
        return reading_documents.reading(reader.read_json, profiles, row_documents.load(reader))
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, BrokenFolderError):
            raise
        raise BrokenFolderError(f"the folder breaks its own rules: {error!r}") from error


def load_profile(directory: Path, ordinal: int) -> tuple[Profile, tuple[Quality, ...]]:
    """Read one profile of a saved folder, and the remarks on the quality of all of it.

    Raises:
        BrokenFolderError: What is read of the folder is incomplete, altered or breaks its own rules.
    """
    reader = _Reader(directory)
    try:
        profile = _load_profile(reader, f"profile-{ordinal}", reader.manifest["profiles"][ordinal])
        return profile, reading_documents.qualities(reader.read_json)
    except BrokenFolderError:
        raise
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise BrokenFolderError(f"the folder breaks its own rules: {error!r}") from error


def load_documents(directory: Path) -> Reading:
    """Read all of a saved folder but its profiles.

    Raises:
        BrokenFolderError: What is read of the folder is incomplete, altered or breaks its own rules.
    """
    reader = _Reader(directory)
    try:
        return reading_documents.reading(reader.read_json, (), row_documents.load(reader))
    except BrokenFolderError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise BrokenFolderError(f"the folder breaks its own rules: {error!r}") from error


def _save_profile(writer: _Writer, prefix: str, profile: Profile) -> dict[str, Any]:
    """Write the columns of one profile; return its head for the manifest."""
    for name in INTEGER_COLUMNS:
        writer.write_array(f"{prefix}.{name}", getattr(profile, name), "<i4")
    for name in FLOAT_COLUMNS:
        writer.write_array(f"{prefix}.{name}", getattr(profile, name), "<f8")
    for name, dtype in OPTIONAL_COLUMNS.items():
        array = getattr(profile, name)
        if array is not None:
            writer.write_array(f"{prefix}.{name}", array, dtype)
    writer.write_json(f"{prefix}.frames", [list(frame) for frame in profile.frames])
    writer.write_json(f"{prefix}.threads", [list(thread) for thread in profile.threads])
    return {
        "event": profile.event,
        "unit": profile.unit,
        "what": profile.what,
        "is_ordered": profile.is_ordered,
        "has_weights": profile.has_weights,
        "samples": profile.samples,
        "weight": profile.weight,
        "nodes": len(profile.node_parent),
    }


def _load_profile(reader: _Reader, prefix: str, head: dict[str, Any]) -> Profile:
    """Read the columns of one profile and check that indices point at what is there."""
    columns: dict[str, Any] = {name: reader.required(f"{prefix}.{name}", "<i4") for name in INTEGER_COLUMNS}
    columns |= {name: reader.required(f"{prefix}.{name}", "<f8") for name in FLOAT_COLUMNS}
    for name, dtype in OPTIONAL_COLUMNS.items():
        columns[name] = reader.read_array(f"{prefix}.{name}", dtype)
    frames = tuple(Frame(*frame) for frame in reader.read_json(f"{prefix}.frames"))
    threads = tuple(Thread(*thread) for thread in reader.read_json(f"{prefix}.threads"))
    _check(prefix, columns, len(frames), len(threads))
    return Profile(
        event=head["event"],
        unit=head["unit"],
        frames=frames,
        threads=threads,
        is_ordered=head["is_ordered"],
        has_weights=head["has_weights"],
        what=head["what"],
        **columns,
    )


def _check(prefix: str, columns: dict[str, Any], frames: int, threads: int) -> None:
    """Refuse columns of unequal length and indices out of range."""
    nodes, samples = len(columns["node_parent"]), len(columns["sample_node"])
    for name, column in columns.items():
        if column is not None and len(column) != (nodes if name.startswith("node_") else samples):
            raise BrokenFolderError(f"column {prefix}.{name} has another length than its fellows")
    within = (
        ("node_parent", -1, np.arange(nodes)),
        ("node_frame", 0, frames),
        ("sample_node", -1, nodes),
        ("sample_thread", 0, threads),
    )
    for name, low, high in within:
        column = columns[name]
        if np.any(column < low) or np.any(column >= high):
            raise BrokenFolderError(f"column {prefix}.{name} points outside")
