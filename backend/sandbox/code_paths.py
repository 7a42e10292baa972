"""Paths of our code and its libraries, which a confined process may read: it imports modules late.

Single directories of libraries, never the prefix of an installation: a data directory may be below it.
"""

from __future__ import annotations

import os
import sysconfig
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OURS = ("backend", "cli", "ingest", "signatures")
LIBRARIES = ("stdlib", "platstdlib", "purelib", "platlib")
SYSTEM = ("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib", "/etc/ld.so.cache")


@lru_cache(maxsize=1)
def code_paths() -> tuple[Path, ...]:
    """Return the existing paths, each once."""
    # A build may link to a core that was built elsewhere.
    core = [path.resolve() for path in (ROOT / "ingest/native").glob("_core.*")]
    ours = [*(ROOT / name for name in OURS), *core]
    # The standard library of a virtual environment is that of the Python that made it.
    python = [Path(os.__file__).parent, *(Path(sysconfig.get_path(name)) for name in LIBRARIES)]
    found = {path for path in (*ours, *python, *map(Path, SYSTEM)) if path.exists()}
    return tuple(sorted(found))
