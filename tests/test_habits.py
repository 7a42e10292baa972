"""The habits of the repository: small files, nothing left for later, tests where one searches for them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli import COMMANDS
from ingest.readers import FILES
from ingest.sections.captured_files import reader_of_path

ROOT = Path(__file__).parents[1]
PACKAGES = ("backend", "cli", "ingest", "signatures")
READERS = Path("ingest/readers")
WRITTEN = (*PACKAGES, "benchmarks", "docker", "docs", "frontend", "migrations", "tests", "tools")
MADE = {"node_modules", "target", "dist", "__pycache__", "test-results", "playwright-report"}
# What people sent or machines recorded is stored as it came.
QUOTED = ("tests/data/", "signatures/library/", "backend/evidence/sample_cases/")

CEILINGS = {".py": 300, ".tsx": 250, ".rs": 400}
# A list of claims is read one claim at a time; a migration is read once.
CEILING_OF_TESTS = 400
FREE = ("migrations/versions/",)

UNFINISHED = re.compile(
    r"\b(TODO|FIXME|XXX|HACK)\b|\bcoming soon\b|\bnot (yet )?implemented\b", re.IGNORECASE
)
# No issue numbers and no paths of a developer machine.
OUTSIDE = re.compile(r"\bissue #?\d+\b|(?<![\w.])/(work|shared|workspace)/")


def written(*suffixes: str) -> dict[str, Path]:
    """Return every file with one of `suffixes` that a person wrote, by its path from the root."""
    found = [path for path in ROOT.iterdir() if path.is_file() and path.name != ".git"]
    found += [path for folder in WRITTEN for path in (ROOT / folder).rglob("*") if path.is_file()]
    named = {path.relative_to(ROOT).as_posix(): path for path in found if path.suffix in suffixes}
    return {
        name: path
        for name, path in sorted(named.items())
        if not MADE.intersection(path.parts) and not name.endswith(".gen.ts") and not name.startswith(QUOTED)
    }


def test_no_file_outgrows_one_idea():
    too_long = {}
    for name, path in written(*CEILINGS).items():
        ceiling = CEILING_OF_TESTS if name.startswith("tests/") else CEILINGS[path.suffix]
        lines = len(path.read_text().splitlines())
        if lines > ceiling and not name.startswith(FREE):
            too_long[name] = lines
    assert too_long == {}


@pytest.mark.parametrize("forbidden", [UNFINISHED, OUTSIDE], ids=["left for later", "from outside"])
def test_no_text_has_a_forbidden_phrase(forbidden: re.Pattern[str]):
    suffixes = (
        ".py",
        ".pyi",
        ".rs",
        ".ts",
        ".tsx",
        ".css",
        ".mjs",
        ".md",
        ".toml",
        ".yaml",
        ".json",
        ".sh",
        "",
    )
    found = {
        name: match[0]
        for name, path in written(*suffixes).items()
        if path != Path(__file__)
        and not name.endswith("-lock.json")
        and (match := forbidden.search(path.read_text(errors="replace")))
    }
    assert found == {}


def test_no_code_or_test_knows_a_sample_by_its_digest():
    # Images are pinned by digest; that of an example repeats its first half.
    digest = re.compile(r"(?<!@sha256:)\b(?!([0-9a-f]{32})\1)[0-9a-f]{64}\b")
    digests = [
        name
        for name, path in written(".py", ".yaml", ".ts", ".tsx").items()
        if digest.search(path.read_text())
    ]
    assert digests == []


def test_tests_poll_in_one_place_and_pause_only_where_time_itself_is_tested():
    pausing = [
        name
        for name, path in written(".py").items()
        if name.startswith("tests/") and re.search(r"^\s+time\.sleep\(", path.read_text(), re.MULTILINE)
    ]
    assert pausing == [
        "tests/backend/core/http/test_request_limits.py",  # a slow client, a silence
        "tests/backend/core/jobs/test_deleted_subjects.py",  # two transactions that meet
        "tests/ingest/collect/mmap_lock_held.py",  # a lock that is held
        "tests/waiting.py",
    ]


def test_every_folder_of_modules_has_its_tests_at_the_same_place():
    """Tests of `a/b/` are in `tests/a/b/` or, of a small package, in `tests/a/test_b.py`."""
    folders = {
        path.parent.relative_to(ROOT) for name, path in written(".py").items() if name.startswith(PACKAGES)
    }
    bare = [
        folder.as_posix()
        for folder in sorted(folders)
        if not list((ROOT / "tests" / folder).glob("test_*.py"))
        and not (ROOT / "tests" / folder.parent / f"test_{folder.name}.py").is_file()
        and not (ROOT / "tests" / folder.parents[1] / f"test_{folder.name}.py").is_file()
        and READERS not in folder.parents
    ]
    assert bare == ["backend/core/db", "backend/models"], "tables are tested by what uses them"


def test_every_folder_of_tests_has_its_modules_at_the_same_place():
    tests = {path.parent for name, path in written(".py").items() if name.startswith("tests/")}
    places = {path.relative_to(ROOT / "tests") for path in tests} - {Path(), Path("e2e")}
    assert [place.as_posix() for place in sorted(places) if not (ROOT / place).is_dir()] == []


def test_every_reader_of_a_captured_file_reads_a_real_one():
    trees = ROOT / "tests/data/files"
    captured = {"/".join(path.relative_to(trees).parts[1:]) for path in trees.rglob("*") if path.is_file()}
    tried = {reader.NAME for path in captured if (reader := reader_of_path(path))}
    named = "".join(path.read_text() for path in (ROOT / "tests/ingest").rglob("*.py"))
    assert [reader.NAME for reader in FILES if reader.NAME not in tried and reader.NAME not in named] == []


def test_every_command_is_run_by_a_test():
    sources = "".join(path.read_text() for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__))
    sources += (ROOT / "Makefile").read_text()
    assert [name for name in COMMANDS if not re.search(rf"\"{name}\"|casebook {name}\b", sources)] == []
