"""The distribution: its name, its tree below one import package, and what the command needs."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from backend.core.version import VERSION
from cli import DISTRIBUTION
from tools.release.bills import dated
from tools.release.renaming import MOVED, UnsupportedImportError, renamed
from tools.release.source_tree import PACKAGE, write_pages_tree, write_source_tree

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
MODULES = {"backend", "cli.process", "ingest.model.errors"}


@pytest.fixture(scope="module")
def tree(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("release") / "tree"
    folder.mkdir()
    write_source_tree(folder)
    return folder


def test_the_version_of_the_code_is_that_of_the_distribution():
    assert (PROJECT["name"], PROJECT["version"]) == (DISTRIBUTION, VERSION)


def test_no_page_leads_to_the_other_project_called_casebook():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    wrong = re.compile(r"\b(?:pip|pipx|uv tool|uv pip) install [^\n`#&]*(?<![-\w/])casebook(?![-\w/])")
    assert [str(page) for page in pages if wrong.search(page.read_text())] == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from backend.core import audit\n", "from p.backend.core import audit\n"),
        ("from . import near\n", "from . import near\n"),
        ("import os\n", "import os\n"),
        ("import ingest.model.errors\n", "import p.ingest.model.errors; from p import ingest\n"),
        ("import ingest.model as model\n", "import p.ingest.model as model\n"),
        ('run(["-m", "cli.process"])\n', 'run(["-m", "p.cli.process"])\n'),
        ('KEYS = ("backend", "backend.unknown")\n', 'KEYS = ("backend", "backend.unknown")\n'),
        ("é = 'é', 'cli.process'\n", "é = 'é', 'p.cli.process'\n"),
    ],
)
def test_imports_and_names_of_modules_move_below_the_package(source, expected):
    assert renamed(source, "p", MODULES) == expected


def test_an_import_that_cannot_be_renamed_is_refused():
    with pytest.raises(UnsupportedImportError, match="line 1"):
        renamed("import os, backend\n", "p", MODULES)


def test_everything_that_is_installed_lies_below_one_package(tree):
    assert {path.name for path in tree.iterdir()} == {
        PACKAGE,
        "installed",
        "native",
        "pyproject.toml",
        "README.md",
        "LICENSE",
    }
    needed = [
        "migrations/env.py",
        "signatures/catalog.pickle",
        "signatures/library.json",
        "signatures/signatures.json",
        "ingest/formats.json",
        "ingest/literals.json",
        "ingest/readers.json",
        "ingest/tables.json",
        "ingest/collect/collect.sh",
    ]
    assert [name for name in needed if not (tree / PACKAGE / name).is_file()] == []
    assert not list(tree.rglob("__pycache__"))


def test_manual_pages_are_installed_where_man_finds_them(tree):
    manual = tree / "installed/data/share/man/man1"
    assert (manual / "casebook-baseline-add.1").read_text().startswith('.TH "CASEBOOK')
    assert 'data = "installed"' in (tree / "pyproject.toml").read_text()


def test_the_pages_are_a_distribution_of_their_own_that_the_server_requires(tree, tmp_path):
    write_pages_tree(tmp_path)
    pages = tomllib.loads((tmp_path / "pyproject.toml").read_text())["project"]
    assert (tmp_path / PACKAGE / "frontend/dist/index.html").is_file()
    assert not (tree / PACKAGE / "frontend").exists()
    extras = tomllib.loads((tree / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert f"{pages['name']}=={pages['version']}" in extras["server"]
    assert PROJECT["name"] != pages["name"]


def test_no_module_of_the_tree_imports_by_the_short_names(tree):
    short = []
    for path in tree.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += (
                [node.module] if isinstance(node, ast.ImportFrom) and not node.level and node.module else []
            )
            short += [f"{path.name}: {name}" for name in names if name.partition(".")[0] in MOVED]
    assert short == []


def test_the_command_of_the_tree_runs_isolated_from_the_repository(tree):
    script = f"import sys; sys.path.insert(0, {str(tree)!r}); from {PACKAGE}.cli import main; main(['-V'])"
    done = subprocess.run(
        [sys.executable, "-I", "-c", script], capture_output=True, text=True, check=False, cwd="/"
    )
    assert (done.stdout, done.stderr) == (f"casebook, version {VERSION}\n", "")


def test_the_tree_installs_the_same_requirements(tree):
    project = tomllib.loads((tree / "pyproject.toml").read_text())["project"]
    ours = {"scripts": None, "optional-dependencies": None}
    assert project | ours == PROJECT | ours
    extras, named = PROJECT["optional-dependencies"], project["optional-dependencies"]
    assert named == extras | {"server": [f"{DISTRIBUTION}-pages=={VERSION}", *extras["server"]]}
    assert project["scripts"] == {"casebook": f"{PACKAGE}.cli:main"}


def test_two_bills_of_materials_of_one_commit_are_equal():
    bills = [
        dated(
            json.dumps({"serialNumber": f"urn:uuid:{at}", "metadata": {"timestamp": at}, "components": []}), 1
        )
        for at in ("a", "b")
    ]
    assert bills[0] == bills[1]
    assert '"1970-01-01T00:00:01+00:00"' in bills[0]
