"""Versions of code: the digest of exactly the modules that compute a value, and of their data.

    version_of("signatures.judging.predicates.stack")   -> "3f9a…", 16 hex digits

The modules are those that a module imports when it runs, directly or not, in the packages of the engine;
their data are the YAML files that they name, and the sources of the native code when they call it. What is
imported for types only does not count. Nobody raises a number by hand, and a change of anything else changes
nothing.

A scan of the text finds the imports: to import or to parse the modules takes ten times as long.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

ROOT = Path(__file__).parents[1]
PACKAGES = ("ingest", "signatures")
NATIVE = "ingest.native"
NATIVE_SOURCES = Path(__file__).parent / "native" / "sources.sha256"
"""Digest of the native sources, which an installed package lacks; `make generate-formats` writes it."""
DIGITS = 16
READERS = "ingest.readers"
FORMS = "ingest.parsing.form_modules"
"""What reads a YAML file that stands in place of a reader's module."""

_IMPORT = re.compile(
    r"^[ ]*(?:from[ ]+(?P<module>[\w.]+)[ ]+import[ ]+(?:\((?P<several>[^)]*)\)|(?P<names>[^\n]*))"
    r"|import[ ]+(?P<plain>[^\n]*))",
    re.MULTILINE,
)
_TYPES_ONLY = re.compile(r"^if TYPE_CHECKING:\n(?:(?:[ ]+[^\n]*)?\n)+", re.MULTILINE)
_NAME = re.compile(r"[\w.]+")
_DATA = re.compile(r"\"([\w-]+\.yaml)\"")
_COMMENT = re.compile(r"^[ ]*#[^\n]*\n", re.MULTILINE)


def version_of(*modules: str, within: tuple[str, ...] = PACKAGES) -> str:
    """Return the version of the code that `modules` run, without what lies outside of `within`.

    Args:
        modules: Full names.
        within: Packages whose modules count.
    """
    return version_of_these(_all_imported(modules, within))


def modules_of(*modules: str, within: tuple[str, ...] = PACKAGES) -> frozenset[str]:
    """Return the full names of the modules that `version_of` covers."""
    return frozenset(_all_imported(modules, within))


@cache
def imports_of(module: str) -> frozenset[str]:
    """Return what a module imports when it runs, as full names of modules of the engine."""
    path = _path(module)
    if path is not None and path.suffix == ".yaml":
        return frozenset((FORMS,))
    text = _text(path)
    # A package that imports on first use names the modules for types only.
    if "def __getattr__" not in text:
        text = _TYPES_ONLY.sub("", text)
    return frozenset(_named(text))


def _named(text: str) -> Iterator[str]:
    for found in _IMPORT.finditer(text):
        base = found["module"]
        if base is None:
            yield from (name for name in _NAME.findall(found["plain"]) if _path(name) is not None)
            continue
        for name in _NAME.findall(found["several"] or found["names"] or ""):
            inside = f"{base}.{name}"
            if _path(inside) is not None:
                yield inside
        if _path(base) is not None:
            yield base


def _all_imported(modules: Iterable[str], within: tuple[str, ...]) -> set[str]:
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module in found:
            continue
        found.add(module)
        waiting += [one for one in imports_of(module) if one not in found and _is_within(one, within)]
    return found


def _is_within(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def version_of_these(modules: Collection[str]) -> str:
    """Return the version of the code of `modules`, without what they import."""
    digest = hashlib.sha256()
    for module in sorted(modules):
        digest.update(f"{module}\0{_content(module)}\0".encode())
    if any(_is_within(module, (NATIVE,)) for module in modules):
        digest.update(_native())
    return digest.hexdigest()[:DIGITS]


@cache
def _content(module: str) -> str:
    """Return the digest of a module, without lines that are comments, and of the data that it names."""
    path = _path(module)
    text = _text(path)
    digest = hashlib.sha256(_COMMENT.sub("", text).encode())
    for data in _data_of(path, text):
        digest.update(data.read_bytes())
    return digest.hexdigest()


def data_of(module: str) -> list[Path]:
    """Return the data files of a module: of its name, and those that it names, here or in another folder."""
    path = _path(module)
    return _data_of(path, _text(path))


def _data_of(path: Path | None, text: str) -> list[Path]:
    if path is None:
        return []
    own = path.with_suffix(".yaml")
    found = [own] if own.exists() else []
    for name in sorted(set(_DATA.findall(text))):
        beside = path.parent / name
        found += [beside] if beside.exists() else _tables(name)
    return found


@cache
def _tables(name: str) -> list[Path]:
    """Return the files of a name in any folder of the engine but the library."""
    places = (f"{package}/{place}" for package in PACKAGES for place in (name, f"*/{name}"))
    return sorted(path for place in places for path in ROOT.glob(place) if path.parent.name != "library")


@cache
def _path(module: str) -> Path | None:
    """Return the file of a module of the engine; None for any other name."""
    head, _, rest = module.partition(".")
    if head not in PACKAGES:
        return None
    place = ROOT.joinpath(head, *rest.split(".")) if rest else ROOT / head
    if (place / "__init__.py").exists():
        return place / "__init__.py"
    suffixes = (".py", ".yaml") if module.startswith(f"{READERS}.") else (".py",)
    files = (place.with_name(f"{place.name}{suffix}") for suffix in suffixes)
    return next((one for one in files if one.exists()), None)


@cache
def _text(path: Path | None) -> str:
    return "" if path is None else path.read_text(encoding="utf-8")


@cache
def _native() -> bytes:
    return NATIVE_SOURCES.read_bytes()
