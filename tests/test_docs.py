"""What the documents say is there, is there; and what is there, they say."""

from __future__ import annotations

import json
import re
import shlex
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click
import yaml

from backend.core import settings_reference
from backend.core.settings import Settings
from backend.core.version import VERSION
from cli import COMMANDS, main
from ingest import fact_catalogue, reference, start_image
from ingest.model.limits import DEFAULT
from ingest.readers import DOCUMENTS, FILES, FORMATS
from ingest.readers.logs import text as plain_text
from signatures.document.catalog import load_catalog
from signatures.judging.predicates import KEYWORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


ROOT = Path(__file__).parents[1]
PAGES = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / "signatures/library").glob("*/*/story.md"),
]
TREES = "backend|benchmarks|docker|docs|frontend|ingest|migrations|signatures|tests|tools"
MAKEFILE = (ROOT / "Makefile").read_text()
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@cache
def text(page: str) -> str:
    return (ROOT / page).read_text()


def anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}


def wrong_on(check: Callable[[Path], list[str]]) -> dict[str, list[str]]:
    """Return what `check` finds wrong on every page, by page."""
    return {str(page.relative_to(ROOT)): wrong for page in PAGES if (wrong := check(page))}


def dead_links(page: Path) -> list[str]:
    links = re.findall(r"\]\(([^)\s]+)[^)]*\)", page.read_text())
    dead = []
    for link in links:
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if re.match(r"[a-z]+:", link):
            continue
        if not target.exists() or (anchor and anchor not in anchors(target)):
            dead.append(link)
    return dead


def test_every_link_leads_somewhere():
    assert len(PAGES) > 50
    assert wrong_on(dead_links) == {}


def missing_paths(page: Path) -> list[str]:
    named = re.findall(rf"`((?:{TREES})/[\w./-]*)`", page.read_text())
    # A setting's default, made by `make build`, and what an operator writes.
    places = {ROOT / name for name in named} - {ROOT / "frontend/dist", ROOT / "docker/.env"}
    return [str(path) for path in places if not (path.exists() or path.with_suffix(".py").exists())]


def test_every_path_that_is_named_exists():
    assert wrong_on(missing_paths) == {}


def commands(page: Path) -> Iterator[list[str]]:
    """Yield every call of `casebook` in inline code and in shell blocks, as words."""
    whole = page.read_text()
    lines = re.findall(r"`([^`\n]+)`", FENCE.sub("", whole))
    for language, block in FENCE.findall(whole):
        if language in {"sh", "console"}:
            lines += block.replace("\\\n", " ").splitlines()
    for line in lines:
        for call in re.split(r"\||;|&&", re.sub(r"\s#.*$", "", line)):
            found = re.match(r"\s*(?:\S+=\S+ )*(?:\.venv/bin/)?casebook (.*)$", call)
            if found:
                yield shlex.split(re.sub(r"[\[\]…<>]", " ", found[1].replace("|", " ")))


def is_command(words: list[str]) -> bool:
    """Say whether the command line, its subcommand and its options exist."""
    names = [word for word in words if re.fullmatch(r"[a-z][a-z-]*", word)]
    if not names:
        return True
    if names[0] not in COMMANDS:
        return False
    called = main.get_command(click.Context(main), names[0])
    parameters = list(called.params)
    if names[0] == "gate":
        # What follows `--` is a command of the reader; other options are those of `diff`.
        words = words[: words.index("--")] if "--" in words else words
        parameters += main.get_command(click.Context(main), "diff").params
    if isinstance(called, click.Group) and len(names) > 1:
        if names[1] not in called.commands:
            return False
        parameters += called.commands[names[1]].params
    known = {option for parameter in parameters for option in parameter.opts} | {"--help"}
    return {word for word in words if word.startswith("--")} <= known


def test_every_command_that_is_named_exists():
    assert sum(len(list(commands(page))) for page in PAGES) > 100
    unknown = wrong_on(lambda page: [" ".join(words) for words in commands(page) if not is_command(words)])
    assert unknown == {}


def missing_targets(page: Path) -> list[str]:
    named = re.findall(r"(?:`|^)make ([a-z][a-z0-9-]*)", page.read_text(), re.MULTILINE)
    return [name for name in named if not re.search(rf"^{name}:", MAKEFILE, re.MULTILINE)]


def test_every_target_of_make_that_is_named_exists():
    assert wrong_on(missing_targets) == {}


def test_make_help_explains_every_target():
    targets = re.findall(r"^([a-z0-9-]+):", MAKEFILE, re.MULTILINE)
    explained = re.findall(r"^([a-z0-9-]+):.*## ", MAKEFILE, re.MULTILINE)
    assert set(targets) - set(explained) <= {"build", "port", "chromium", "capture-tools"}
    assert set(re.findall(r"^\.PHONY: (\S+)", MAKEFILE, re.MULTILINE)) == set(targets)


def test_every_command_is_documented():
    pages = text("docs/cli.md") + text("docs/operations.md")
    shown = [name for name, entry in COMMANDS.items() if not entry.is_hidden]
    assert [name for name in shown if f"casebook {name}" not in pages] == []


def test_the_table_of_settings_is_what_the_fields_say():
    page = text("docs/operations.md")
    assert page == settings_reference.page(page), "run `make generate-settings`"
    documented = set(re.findall(r"^\| `CASEBOOK_([A-Z_]+)` \|", page, re.MULTILINE))
    assert documented == {name.upper() for name in Settings.model_fields}


def test_every_variable_that_is_named_is_a_setting():
    known = {f"CASEBOOK_{name.upper()}" for name in Settings.model_fields}
    known |= {"CASEBOOK_URL", "CASEBOOK_TOKEN", "CASEBOOK_PROFILE", "CASEBOOK_CONFIG"}
    known |= {"CASEBOOK_BASELINES", "CASEBOOK_PROJECT", "CASEBOOK_LIBRARIES"}
    known |= {"CASEBOOK_BUILD", "CASEBOOK_RUN", start_image.VARIABLE}
    known |= set(re.findall(r"\$\{(CASEBOOK_\w+)", text("docker/compose.yaml")))

    def unknown(page: Path) -> list[str]:
        return sorted(set(re.findall(r"CASEBOOK_[A-Z]\w*[A-Z]\b", page.read_text())) - known)

    assert wrong_on(unknown) == {}


def test_the_page_of_formats_facts_and_limits_is_what_the_code_says():
    assert text("docs/formats.md") == reference.page(), (
        "run `make generate-formats` and look at the difference"
    )


def test_every_limit_of_a_parse_is_documented():
    limits = text("docs/formats.md").split("## Limits")[1]
    for size in (DEFAULT.decoded_bytes, DEFAULT.member_bytes):
        assert f"{size >> 30} GiB" in limits
    for size in (
        DEFAULT.line_bytes,
        DEFAULT.ratio_free_bytes,
        DEFAULT.sectioned_bytes,
        DEFAULT.buffered_bytes,
    ):
        assert f"{size >> 20} MiB" in limits
    for count in (DEFAULT.members, DEFAULT.expansion_ratio, DEFAULT.archive_depth):
        assert f"| {count:,} |" in limits


def test_every_format_in_the_catalogue_exists():
    known = {one.NAME for one in FORMATS} | {one.NAME for one in FILES} | {one.NAME for one in DOCUMENTS}
    known.add(plain_text.NAME)
    assert {name for entry in fact_catalogue.entries() for name in entry.formats} <= known


def test_every_predicate_is_documented_and_no_other():
    table = text("docs/signatures.md").split("## Predicates")[1].split("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == set(KEYWORDS)


def test_every_signature_is_documented_and_no_other():
    assert set(re.findall(r"^\| `(\w+/[\w-]+)` \|", text("docs/signatures.md"), re.MULTILINE)) == {
        signature.id for signature in load_catalog().signatures
    }


def test_the_readme_states_the_versions_that_setup_requires():
    readme = text("README.md")
    setup = text("tools/setup/prerequisites")
    for program in ("Python", "Node.js", "Rust"):
        version = re.search(rf"{program} (\d+\.\d+)", readme)
        assert version, program
        assert version[1] in setup, program


def test_the_readme_names_the_main_targets():
    assert {"run", "test"} <= set(re.findall(r"\bmake (\w+)", text("README.md")))


def test_every_document_is_in_the_index():
    index = text("docs/README.md")
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert [page for page in sorted(pages) if f"({page})" not in index] == []


def test_the_glossary_is_alphabetical_and_defines_each_term_once():
    terms = re.findall(r"^\*\*(.+?)\*\*:", text("docs/glossary.md"), re.MULTILINE)
    assert terms == sorted(terms, key=str.lower)
    assert len(terms) == len(set(terms))


def test_every_path_of_the_api_is_documented_and_no_other():
    def plain(path: str) -> str:
        return re.sub(r"\{\w+\}", "{}", path).removeprefix("/api/v1")

    schema = json.loads(text("frontend/openapi.json"))
    real = {f"{verb.upper()} {plain(path)}" for path, verbs in schema["paths"].items() for verb in verbs}
    page = text("docs/api.md")
    pages = re.findall(r"`(GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE) ([^`?]+)", page)
    assert {f"{verb} {plain(path)}" for verb, path in pages} == real


def test_decisions_are_numbered_once_short_and_listed():
    pages = sorted((ROOT / "docs/adr").glob("0*.md"))
    numbers = [page.name[:4] for page in pages]
    assert len(numbers) == len(set(numbers))
    listed = (ROOT / "docs/adr/README.md").read_text()
    for page in pages:
        whole = page.read_text()
        title = whole.splitlines()[0].removeprefix(f"# {int(page.name[:4])}. ")
        assert len(whole.splitlines()) <= 40, page.name
        parts = re.findall(r"^## (.*)$", whole, re.MULTILINE)
        assert parts == ["Context", "Decision", "Consequences", "Alternatives"], page.name
        assert f"({page.name})" in listed
        assert title in listed or page.name == "0000-template.md"


def test_the_hooks_run_what_make_check_runs():
    hooks = yaml.safe_load(text(".pre-commit-config.yaml"))["repos"][0]["hooks"]
    recipe = MAKEFILE.replace("$(BIN)", ".venv/bin").replace("$(NPM)", "npm")
    for hook in hooks:
        tool = " ".join(word for word in hook["entry"].split()[:2] if not word.startswith("-"))
        assert tool in recipe, hook["entry"]


def test_the_change_log_keeps_its_form_and_is_short():
    sections = re.split(r"^(?=## \[)", text("CHANGELOG.md"), flags=re.MULTILINE)[1:]
    assert [one[:40] for one in sections if len(one.splitlines()) > 150] == []
    versions = re.findall(r"^## \[(.*?)\]", text("CHANGELOG.md"), re.MULTILINE)
    assert VERSION in versions
    kinds = set(re.findall(r"^### (.*)$", text("CHANGELOG.md"), re.MULTILINE))
    assert versions[0] == "Unreleased"
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_readme_is_short():
    assert len(text("README.md").splitlines()) <= 60
