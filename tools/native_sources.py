"""Digest of the native sources, which `ingest.code_versions` uses where they are not installed.

python -m tools.native_sources
"""

from __future__ import annotations

import hashlib

from ingest.code_versions import NATIVE_SOURCES


def digest() -> str:
    """Return the SHA-256 of names and contents of the Rust files, their data and locked dependencies."""
    found = hashlib.sha256()
    folder = NATIVE_SOURCES.parent
    for path in sorted([*folder.glob("src/**/*.rs"), *folder.glob("src/**/*.bin"), folder / "Cargo.lock"]):
        found.update(f"{path.relative_to(folder).as_posix()}\0".encode())
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()


if __name__ == "__main__":
    NATIVE_SOURCES.write_text(digest() + "\n", encoding="ascii")
