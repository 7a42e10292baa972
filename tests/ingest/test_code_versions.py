"""Versions of code: complete, and narrow."""

from __future__ import annotations

import ast
import shutil
from typing import TYPE_CHECKING

import pytest

from ingest import code_versions, format_versions
from ingest.code_versions import PACKAGES, ROOT, imports_of
from signatures.judging import observation_versions
from tools import native_sources

if TYPE_CHECKING:
    from pathlib import Path

STACK = "signatures.judging.predicates.stack"
ROWS = "signatures.judging.predicates.rows"


def sources() -> list[tuple[str, Path]]:
    paths = [
        path for package in PACKAGES for path in (ROOT / package).rglob("*.py") if "library" not in path.parts
    ]
    names = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in paths
    ]
    return list(zip(names, paths, strict=True))


def forms() -> set[Path]:
    """Return the forms of lines, which stand in place of modules."""
    return set((ROOT / "ingest/readers").glob("*/*.yaml"))


def run_time_imports(path: Path) -> set[str]:
    """Return the full names that a file imports outside of `if TYPE_CHECKING`, as the parser sees them."""

    def visit(node: ast.AST) -> None:
        for inner in ast.iter_child_nodes(node):
            if isinstance(inner, ast.If) and ast.unparse(inner.test) == "TYPE_CHECKING":
                continue
            if isinstance(inner, ast.ImportFrom) and inner.module:
                found.add(inner.module)
                found.update(f"{inner.module}.{name.name}" for name in inner.names)
            elif isinstance(inner, ast.Import):
                found.update(name.name for name in inner.names)
            visit(inner)

    found: set[str] = set()
    visit(ast.parse(path.read_text(encoding="utf-8")))
    return found


def test_the_scan_finds_every_import_of_every_module() -> None:
    modules = dict(sources())
    missed = {
        name: sorted((run_time_imports(path) & modules.keys()) - imports_of(name))
        for name, path in modules.items()
    }
    assert {name: names for name, names in missed.items() if names} == {}


def test_every_table_of_the_engine_is_named_by_a_module() -> None:
    tables = {
        path
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.yaml")
        if not {"library", "authoring", "fixes", "tools"} & set(path.parts)
    }
    named = {path for name, _ in sources() for path in code_versions.data_of(name)}
    assert tables - named == forms()


def test_the_digest_of_the_native_sources_is_current() -> None:
    assert code_versions.NATIVE_SOURCES.read_text().strip() == native_sources.digest(), (
        "run 'make generate-formats' and commit ingest/native/sources.sha256"
    )


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("copy")
    for name, path in sources():
        for file in [path, *code_versions.data_of(name)]:
            target = folder / file.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
    for form in forms():
        shutil.copyfile(form, folder / form.relative_to(ROOT))
    shutil.copyfile(code_versions.NATIVE_SOURCES, folder / "ingest/native/sources.sha256")
    return folder


def versions(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Return the versions of two kinds of conditions and three formats of the engine in `folder`."""
    caches = [
        imports_of,
        code_versions._content,
        code_versions._tables,
        code_versions._path,
        code_versions._text,
    ]
    caches += [code_versions._native, observation_versions.version_of_kind, format_versions.version_of_format]
    caches += [format_versions._cutting]
    for one in caches:
        one.cache_clear()
    monkeypatch.setattr(code_versions, "ROOT", folder)
    monkeypatch.setattr(code_versions, "NATIVE_SOURCES", folder / "ingest/native/sources.sha256")
    kinds = {name: observation_versions.version_of_kind(name) for name in (STACK, ROWS)}
    formats = {name: format_versions.version_of_format(name) for name in ("wrk", "dropwatch", "text")}
    monkeypatch.undo()
    for one in caches:
        one.cache_clear()
    return kinds | formats


@pytest.mark.parametrize(
    ("file", "changed"),
    [
        ("signatures/judging/predicates/stack.py", {STACK}),
        ("signatures/judging/stack_shares.py", {STACK}),
        ("signatures/judging/predicates/rows.py", {ROWS}),
        ("signatures/judging/quality_caps.py", {STACK, ROWS}),
        ("ingest/frames/aliases.yaml", {STACK, ROWS}),
        ("ingest/readers/net/wrk.py", {"wrk", "text"}),
        ("ingest/readers/net/nstat.py", {"text"}),
        ("ingest/readers/net/dropwatch.yaml", {"dropwatch", "text"}),
        ("ingest/paste/annotations.py", {"wrk", "dropwatch", "text"}),
        ("ingest/native/sources.sha256", {STACK, ROWS, "wrk", "dropwatch", "text"}),
        ("signatures/overview/first_screen.py", set()),
        ("signatures/judging/decide.py", set()),
    ],
)
def test_a_change_raises_the_versions_of_what_uses_it_only(
    file: str, changed: set[str], copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = versions(copy, monkeypatch)
    content = (copy / file).read_bytes()
    (copy / file).write_bytes(content + b"\nvalue: 1\n")
    after = versions(copy, monkeypatch)
    (copy / file).write_bytes(content)
    assert {name for name in before if before[name] != after[name]} == changed


def test_a_comment_changes_no_version(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = versions(copy, monkeypatch)
    file = copy / "signatures/judging/predicates/stack.py"
    file.write_bytes(file.read_bytes() + b"# a remark\n")
    assert versions(copy, monkeypatch) == before
