"""What the documents say is there, is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from backend.cli import COMMANDS
from backend.core.settings import Settings
from ingest.files import FILES
from ingest.formats import FORMATS

ROOT = Path(__file__).parents[1]
PAGES = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / "signatures/library").glob("*/*/story.md"),
]
MAKEFILE = (ROOT / "Makefile").read_text()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_to_a_file_leads_somewhere(page: Path):
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text())
    here = [link for link in links if not re.match(r"[a-z]+:", link)]
    assert [link for link in here if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_that_is_named_exists(page: Path):
    code = re.findall(r"`([^`\n]+)`", page.read_text()) + re.findall(
        r"^(?:\S+ \| )?(\S*(?:make|casebook) .*)$", page.read_text(), re.MULTILINE
    )
    for line in code:
        if found := re.match(r"(?:\.venv/bin/)?casebook ([a-z][a-z-]*)\b", line):
            assert found[1] in COMMANDS, line
        if found := re.match(r"make ([a-z][a-z0-9-]*)\b", line):
            assert re.search(rf"^{found[1]}:", MAKEFILE, re.MULTILINE), line


def test_make_help_explains_every_target():
    targets = re.findall(r"^([a-z0-9-]+):", MAKEFILE, re.MULTILINE)
    explained = re.findall(r"^([a-z0-9-]+):.*## ", MAKEFILE, re.MULTILINE)
    assert set(targets) - set(explained) <= {"build", "chromium"}
    assert set(re.findall(r"^\.PHONY: (\S+)", MAKEFILE, re.MULTILINE)) == set(targets)


def test_every_setting_is_documented_and_no_other():
    page = (ROOT / "docs/operations.md").read_text()
    documented = set(re.findall(r"^\| `CASEBOOK_([A-Z_]+)` \|", page, re.MULTILINE))
    assert documented == {name.upper() for name in Settings.model_fields}


def test_every_format_and_captured_file_is_documented():
    page = (ROOT / "docs/formats.md").read_text()
    missing = [one.NAME for one in (*FORMATS, *FILES) if f"| `{one.NAME}` | {one.TITLE} |" not in page]
    assert missing == []


def test_decisions_are_numbered_once_short_and_listed():
    pages = sorted((ROOT / "docs/adr").glob("0*.md"))
    numbers = [page.name[:4] for page in pages]
    assert len(numbers) == len(set(numbers))
    listed = (ROOT / "docs/adr/README.md").read_text()
    for page in pages:
        text = page.read_text()
        assert len(text.splitlines()) <= 40, page.name
        assert page.name in listed
        assert text.startswith(f"# {int(page.name[:4])}. ")
        for part in ("## Context", "## Decision", "## Consequences", "## Alternatives"):
            assert part in text, (page.name, part)


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text().splitlines()) <= 150
