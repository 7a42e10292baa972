"""Compiled catalogue: the parsed library of Casebook as one file, which loads faster than it is parsed.

With it is the index of its signatures, by which evidence is judged.

`make build` writes it: `python -m signatures.document.catalog`. It states the digest of all that the
catalogue is made of, so a stale one counts as missing. It is a pickle of our own classes, beside the code
that reads it; no other class is restored.
"""

from __future__ import annotations

import importlib
import io
import json
import pickle
from dataclasses import fields, is_dataclass, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ingest.compiled import is_current, state_of
from signatures.judging.signature_index import SignatureIndex, keep
from signatures.judging.states import NOTHING

if TYPE_CHECKING:
    from signatures.language.model import Catalog

PACKAGE = Path(__file__).parents[1]
NAME = "catalog.pickle"
OURS = ("ingest.", "signatures.")
COLLECTIONS = frozenset(
    {
        ("builtins", "dict"),
        ("builtins", "frozenset"),
        ("builtins", "set"),
        ("collections", "defaultdict"),
        ("itertools", "count"),
    }
)
SOURCES = (
    "captures.yaml",
    "document/*.py",
    "judging/*.py",
    "judging/predicates/*.py",
    "language/*.py",
    "language/*.yaml",
    "library/*/*/signature.yaml",
    "library/*/*/story.md",
)
FRAMES = ("frames/*.py", "frames/*.yaml")
"""What the names of frames are expanded by, below `ingest`."""

_PREFIX = __name__.removesuffix("signatures.document.compiled_catalog")
"""Packages around ours: a distribution has all of them below one."""


class _Unpickler(pickle.Unpickler):
    """Restores classes of our packages, wherever they are."""

    def find_class(self, module: str, name: str) -> Any:
        """Return a class of ours, or a collection.

        Raises:
            UnpicklingError: It is another.
        """
        if (module, name) in COLLECTIONS:
            return super().find_class(module, name)
        if not module.startswith(OURS) or "." in name:
            raise pickle.UnpicklingError(f"{module}.{name} is no class of a signature")
        return getattr(importlib.import_module(_PREFIX + module), name)


class _Pickler(pickle.Pickler):
    """Has a class restored by its constructor, which takes half the time of a field after the other."""

    def reducer_override(self, value: Any) -> Any:
        """Return what restores an instance of a data class; NotImplemented for any other.

        A counter begins anew, as nothing was judged yet; what is one object stays one.
        """
        if value is NOTHING:
            return "NOTHING"
        if isinstance(value, count):
            return count, ()
        if not is_dataclass(value) or isinstance(value, type) or hasattr(value, "__post_init__"):
            return NotImplemented
        every = fields(value)
        if not all(one.init and not one.kw_only for one in every):
            return NotImplemented
        return type(value), tuple(getattr(value, one.name) for one in every)


def load(package: Path = PACKAGE) -> Catalog | None:
    """Return the catalogue of the library; None when none was compiled of these sources."""
    try:
        with (package / NAME).open("rb") as stored:
            if not is_current(json.loads(stored.readline()), _sources(package)):
                return None
            found: Catalog
            found, index = _Unpickler(stored).load()
    except FileNotFoundError:
        return None
    except (
        pickle.UnpicklingError,
        EOFError,
        AttributeError,
        ImportError,
        IndexError,
        KeyError,
        TypeError,
        ValueError,
    ):
        return None
    library = str(package / "library")
    for one in found.signatures:
        # Nobody has seen it yet, and the index knows this very one.
        object.__setattr__(one, "folder", f"{library}/{one.id}")
    keep(found, index)
    return found


def write(catalog: Catalog, package: Path = PACKAGE) -> None:
    """Compile a catalogue into a copy of this package; one with problems is parsed at each start."""
    import pickletools  # noqa: PLC0415 - at build only

    target = package / NAME
    target.unlink(missing_ok=True)
    if not catalog.problems:
        bare = replace(catalog, signatures=tuple(replace(one, folder="") for one in catalog.signatures))
        state = json.dumps(state_of(_sources(package))).encode()
        content = io.BytesIO()
        _Pickler(content, protocol=5).dump((bare, SignatureIndex(bare)))
        target.write_bytes(state + b"\n" + pickletools.optimize(content.getvalue()))


def _sources(package: Path) -> dict[Path, tuple[str, ...]]:
    """Return what the catalogue is made of, by folder."""
    return {package: SOURCES, package.parent / "ingest": FRAMES}
