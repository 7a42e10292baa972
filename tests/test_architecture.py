"""The house stands as it is drawn: import contracts hold, and each is seen to catch what it forbids."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("backend", "ingest", "signatures")
CEILINGS = {".py": 300, ".tsx": 250, ".rs": 400}
# Test files may be longer: a list of claims is read one claim at a time.
WRITTEN = [*PACKAGES, "frontend/src", "tools"]
FORBIDDEN = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|coming soon", re.IGNORECASE)


def files(*suffixes: str) -> list[Path]:
    found = []
    for folder in WRITTEN:
        for path in (ROOT / folder).rglob("*"):
            parts = path.relative_to(ROOT).parts
            if path.suffix in suffixes and not {"node_modules", "target", "dist", "__pycache__"} & set(parts):
                found.append(path)
    return found


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [
        str(Path(sys.executable).with_name("lint-imports")),
        "--no-cache",
        "--config",
        "pyproject.toml",
    ]
    return subprocess.run(
        command, cwd=folder, env={"PYTHONPATH": str(folder)}, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages without their data, enough to see who imports whom."""
    folder = tmp_path_factory.mktemp("house")
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            place = folder / path.relative_to(ROOT)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def test_every_contract_is_kept(copy: Path):
    told = lint(copy)
    assert told.returncode == 0, told.stdout


@pytest.mark.parametrize(
    ("place", "line", "contract"),
    [
        ("ingest/limits.py", "import signatures.model", "backend stands on signatures"),
        ("signatures/derive.py", "import backend.core.settings", "backend stands on signatures"),
        ("ingest/limits.py", "import httpx", "the engine knows no web"),
        ("signatures/derive.py", "import sqlalchemy", "the engine knows no web"),
        ("backend/core/settings.py", "import backend.models.case", "every feature has its floor"),
        ("backend/cases/service.py", "import backend.findings.judging", "every feature has its floor"),
        ("backend/unplaced/__init__.py", "", "every feature has its floor"),
        ("ingest/formats/folded.py", "import ingest.formats.perf_stat", "no output format knows another"),
        ("ingest/files/free.py", "import ingest.files.ps", "no reader of a captured file knows another"),
        ("backend/evidence/service.py", "import backend.evidence.tasks", "services enqueue work by name"),
    ],
)
def test_a_planted_violation_is_caught(copy: Path, place: str, line: str, contract: str):
    path = copy / place
    before = path.read_text() if path.exists() else None
    path.parent.mkdir(exist_ok=True)
    path.write_text((before or "") + f"\n{line}\n")
    try:
        told = lint(copy)
    finally:
        if before is None:
            shutil.rmtree(path.parent)
        else:
            path.write_text(before)
    assert told.returncode == 1, told.stdout
    # Contracts that cannot be checked (a package without a floor) are told as errors, broken ones by name.
    assert re.search(rf"{contract}[^\n]*(\n[^\n]*)?BROKEN|unplaced", told.stdout), told.stdout


@pytest.mark.parametrize("path", files(*CEILINGS), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_outgrows_one_idea(path: Path):
    if path.name.endswith(".gen.ts"):
        return
    assert len(path.read_text().splitlines()) <= CEILINGS[path.suffix]


def test_nothing_is_left_for_later():
    left = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in files(".py", ".ts", ".tsx", ".rs", ".css")
        if (found := FORBIDDEN.search(path.read_text()))
    ]
    assert left == []


def test_every_format_reader_has_tests_of_its_own():
    names = {path.stem for path in (ROOT / "ingest/formats").iterdir() if not path.name.startswith("_")}
    missing = [name for name in names if not (ROOT / f"tests/ingest/formats/test_{name}.py").is_file()]
    assert missing == []


def test_no_code_or_test_knows_a_sample_by_its_digest():
    digest = re.compile(r"\b[0-9a-f]{64}\b")
    known = [str(path) for path in files(".py", ".yaml", ".ts", ".tsx") if digest.search(path.read_text())]
    assert known == []
