"""Incidents of the repository: fixtures of signatures, and opened parts of the pool of public incidents."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

LIBRARY = Path("signatures/library")
POOL = Path("benchmarks/pool/shown")
NOTES = {"expect.yaml", "PROVENANCE.md"}
MAX_BYTES = 3_000_000
MAX_OF_SIGNATURE = {"pos": 2, "neg": 1}
"""Fixtures taken of each signature, by kind."""


class Incident(NamedTuple):
    """An incident: its name, what it belongs to (a signature, or itself), and its files by name."""

    name: str
    family: str
    files: tuple[tuple[str, bytes], ...]

    @property
    def is_tuned(self) -> bool:
        """Whether it belongs to the half that rules are made with; a family is in one half."""
        return hashlib.sha256(self.family.encode()).digest()[0] % 2 == 0


def incidents() -> Iterator[Incident]:
    """Yield all incidents with evidence of moderate size."""
    for signature in sorted(LIBRARY.glob("*/*/evidence")):
        taken = dict.fromkeys(MAX_OF_SIGNATURE, 0)
        for folder in sorted(signature.iterdir()):
            kind = folder.name[:3]
            if taken.get(kind, 99) >= MAX_OF_SIGNATURE.get(kind, 0):
                continue
            files = tuple(_files(folder))
            if files:
                taken[kind] += 1
                family = "/".join(signature.parts[-3:-1])
                yield Incident(f"{family}/{folder.name}", family, files)
    for path in sorted(POOL.glob("*/*.txt")):
        name = f"{path.parent.name}/{path.stem}"
        yield Incident(name, name, ((path.name, path.read_bytes()),))


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name not in NOTES and path.stat().st_size < MAX_BYTES:
            content = path.read_bytes()
            if path.suffix == ".gz":
                content = gzip.decompress(content)
            yield str(path.relative_to(folder)).removesuffix(".gz"), content
