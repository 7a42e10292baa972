"""The import contracts hold, and each catches a planted violation."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from itertools import takewhile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("backend", "cli", "ingest", "signatures")
CONTRACTS = {
    contract["id"]: contract["name"]
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
}


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache", "--no-logo"]
    environment = {"PYTHONPATH": str(folder), "COLUMNS": "200"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the packages without their data, enough to see who imports whom."""
    folder = tmp_path_factory.mktemp("packages")
    for package in (*PACKAGES, "tools"):
        for path in (ROOT / package).rglob("*.py"):
            place = folder / path.relative_to(ROOT)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def test_every_contract_is_kept(copied: Path):
    result = lint(copied)
    assert result.returncode == 0, result.stdout + result.stderr
    assert f"Contracts: {len(CONTRACTS)} kept, 0 broken." in result.stdout


PLANTED = [
    ("packages", "ingest/model/limits.py", "import signatures.language.model"),
    ("packages", "signatures/judging/derived_facts.py", "import backend.core.settings"),
    ("packages", "backend/cases/service.py", "import cli.process.exits"),
    ("engine", "ingest/model/limits.py", "import httpx"),
    ("engine", "signatures/judging/derived_facts.py", "import sqlalchemy"),
    ("templates", "signatures/handoff/bundle.py", "import jinja2"),
    ("pure", "ingest/model/limits.py", "import time"),
    ("pure", "signatures/judging/derived_facts.py", "from urllib.request import urlopen"),
    ("command", "cli/process/exits.py", "import cli.reports.report_shapes"),
    ("layers", "backend/core/settings.py", "import backend.models.case"),
    ("layers", "backend/cases/service.py", "import backend.findings.judging"),
    ("layers", "backend/worker.py", "import backend.app"),
    ("layers", "backend/unplaced/__init__.py", ""),
    ("feature-layers", "backend/evidence/service.py", "import backend.evidence.tasks"),
    ("feature-layers", "backend/evidence/receiving.py", "import backend.evidence.routes_receive"),
    ("feature-layers", "backend/cases/queries.py", "import backend.cases.service"),
    ("feature-layers", "backend/cases/schemas.py", "import backend.cases.overview"),
    ("feature-layers", "backend/evidence/routes.py", "import backend.evidence.tasks"),
    ("feature-layers", "backend/evidence/service.py", "import backend.evidence.router"),
    ("feature-layers", "backend/findings/judging.py", "import backend.evidence.tasks"),
    ("outgoing", "backend/accounts/provider.py", "import httpx"),
    ("outgoing", "backend/findings/judging.py", "import requests"),
    ("envelope", "backend/profiles/series.py", "import ingest.model.reading_folder"),
    ("envelope", "backend/profiles/service.py", "import ingest.native.views"),
    ("envelope", "backend/baselines/trends.py", "import ingest.native.views"),
    ("readers", "ingest/readers/profilers/folded.py", "import ingest.readers.perf.perf_stat"),
    ("readers", "ingest/readers/commands/free.py", "import ingest.readers.commands.ps"),
    ("signatures", "signatures/language/patterns.py", "import signatures.judging.predicates.fact"),
    ("signatures", "signatures/judging/predicates/stack.py", "import signatures.document.parse"),
    ("conditions", "signatures/judging/predicates/kernel.py", "import signatures.judging.predicates.fact"),
    ("cycles", "ingest/model/errors.py", "import ingest.model.limits\nimport ingest.evidence"),
    ("cycles", "backend/core/jobs/job.py", "import backend.core.jobs.runner"),
]


@pytest.fixture(scope="module")
def broken(copied: Path) -> dict[str, str]:
    """What is said of each contract, by its id, when everything is planted at once."""
    before = {}
    for _, place, lines in PLANTED:
        path = copied / place
        before.setdefault(path, path.read_text() if path.exists() else None)
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{path.read_text() if path.exists() else ''}\n{lines}\n")
    result = lint(copied)
    for path, text in before.items():
        if text is None:
            shutil.rmtree(path.parent)
        else:
            path.write_text(text)
    assert result.returncode == 1, result.stdout + result.stderr
    ids = {name: contract for contract, name in CONTRACTS.items()}
    said: dict[str, str] = {}
    contract = ""
    for line in result.stdout.partition("Broken contracts")[2].splitlines():
        contract = ids.get(line, contract)
        said[contract] = f"{said.get(contract, '')}{line}\n"
    return said


def sentences(module: str, imported: str) -> list[str]:
    """Return what the kinds of contracts say of an import: the modules, or the siblings of their package."""
    importer, target = module.split("."), imported.split(".")
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(importer, target, strict=False)))
    siblings = [names[shared] for names in (importer, target) if len(names) > shared]
    return [
        f"{module} -> {imported} (",
        f"{module} -> {target[0]} (",
        f"{module} is not allowed to import {imported}\n",
        f"- .{' -> .'.join(siblings)} (",
    ]


@pytest.mark.parametrize(("contract", "place", "lines"), PLANTED)
def test_a_planted_import_is_caught(broken: dict[str, str], contract: str, place: str, lines: str):
    module = place.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    *_, imported = re.findall(r"^(?:import|from) ([\w.]+)", lines, re.MULTILINE) or [""]
    wanted = sentences(module, imported) if imported else [f"- {module}\n"]
    assert any(one in broken[contract] for one in wanted), broken[contract]


def test_every_contract_has_a_planted_import():
    assert {contract for contract, _, _ in PLANTED} == set(CONTRACTS)


def test_only_task_modules_enqueue_jobs_and_name_them():
    queue = ROOT / "backend/core/jobs/queue.py"
    enqueueing = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "backend").rglob("*.py")
        if path != queue and re.search(r"\benqueue\(|^[A-Z]+_JOB = ", path.read_text(), re.MULTILINE)
    }
    task_modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "backend").glob("*/tasks.py")}
    # The broker has the name of the one Celery task; a person repeats a job of whatever name.
    others = {"backend/core/jobs/broker.py", "backend/core/jobs/interventions.py"}
    assert enqueueing - task_modules == others
    assert len(enqueueing & task_modules) == 11


@pytest.mark.parametrize("line", ["from urllib.request import urlopen", "import http.client"])
def test_a_planted_call_by_the_standard_library_is_caught(copied: Path, line: str):
    command = [str(Path(sys.executable).with_name("ruff")), "check", "--no-cache", "--select", "TID251", "-"]
    command += ["--stdin-filename", "backend/accounts/planted.py"]
    result = subprocess.run(
        command, cwd=copied, input=f"{line}\n", capture_output=True, text=True, check=False
    )
    assert result.returncode == 1, result.stdout + result.stderr
    assert "calls go through backend.core.ssrf_guard" in result.stdout


@pytest.mark.parametrize(
    ("place", "line", "reason"),
    [
        ("profile/planted.ts", "export { api } from '../api'", "profile/ imports nothing outside itself"),
        ("profile/planted.ts", "export { zoom } from 'd3-zoom'", "profile/ imports nothing outside itself"),
        ("ui/planted.ts", "export { api } from '../api'", "ui/ imports neither api/ nor features/"),
        (
            "ui/planted.ts",
            "export { Cases } from '../features/cases'",
            "ui/ imports neither api/ nor features/",
        ),
        (
            "features/case/planted.ts",
            "export { words } from '../findings/words'",
            "features meet through index.ts",
        ),
        (
            "features/case/planted.ts",
            "export { client } from '../../api/client'",
            "features meet through index.ts",
        ),
    ],
)
def test_a_planted_import_in_the_front_end_is_caught(tmp_path: Path, place: str, line: str, reason: str):
    path = tmp_path / "frontend/src" / place
    path.parent.mkdir(parents=True)
    path.write_text(f"{line}\n")
    shutil.copy(ROOT / ".oxlintrc.json", tmp_path)
    command = [ROOT / "node_modules/.bin/oxlint", "--deny-warnings", "frontend/src"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 1, result.stdout + result.stderr
    assert reason in result.stdout


COMPUTING = {
    ("signatures.judging.judge", "judge"),
    ("signatures.overview", "run"),
    ("signatures.waits", "graph_of"),
    ("ingest.redact", "Redactor"),
    ("ingest.redact.redactor", "Redactor"),
    ("ingest.native.views", "View"),
}
TRUSTED = {"backend/library/fixtures.py"}
"""What is drawn there is a file of the library, and no evidence."""


def imported_names(path: Path) -> set[tuple[str, str]]:
    return {
        (node.module or "", name.name)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }


def test_workers_and_the_api_compute_nothing_on_evidence_themselves():
    outside = [
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "backend").rglob("*.py")
        if not path.is_relative_to(ROOT / "backend/sandbox/computations") and imported_names(path) & COMPUTING
    ]
    assert set(outside) == TRUSTED


@pytest.mark.parametrize("name", ["handoff", "case_analysis", "signature_draft", "recognition"])
def test_a_computation_of_the_sandbox_is_seen_to_compute(name: str):
    path = ROOT / f"backend/sandbox/computations/{name}.py"
    imported = imported_names(path) | imported_names(path.with_name("redaction.py"))
    assert imported & COMPUTING
