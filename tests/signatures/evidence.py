"""Judge evidence files and folders like the command."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ingest.evidence import read_bytes, read_file
from signatures.authoring import fixture_tests
from signatures.authoring.fixture_tests import EXCLUDED_FILES
from signatures.authoring.fixture_tests import fixtures as library_fixtures
from signatures.document.catalog import load_catalog
from signatures.judging.judge import judge
from signatures.judging.scope import items_of

DATA = Path(__file__).parents[1] / "data"
PUBLISHED = DATA / "published"


def files_of(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name not in EXCLUDED_FILES)


@cache
def read_folder(folder: Path):
    """Read a folder of evidence with captured paths relative to it; committed files never change."""
    return fixture_tests.read_folder(folder)


@cache
def items_of_folder(folder: Path):
    return items_of(read_folder(folder))


def library():
    return load_catalog()


@cache
def library_findings(folder: Path):
    """Judge a committed folder by the whole library, once for all tests of a process."""
    return tuple(judge(items_of_folder(folder), library()))


def findings_of(evidences, catalog):
    return {finding.signature.id: finding for finding in judge(items_of(evidences), catalog)}


def judge_folder(folder: Path, catalog):
    return findings_of(read_folder(folder), catalog)


def judge_file(path: Path, catalog):
    return findings_of([read_file(path)], catalog)


def judge_text(text: str, catalog, name="pasted"):
    return findings_of([read_bytes(text.encode(), name=name)], catalog)


def fixtures():
    """Return every evidence folder of the library with what it expects."""
    for fixture in library_fixtures():
        yield f"{fixture.signature}:{fixture.name}", fixture.folder, fixture.expected, fixture.signature
