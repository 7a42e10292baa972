"""CONTRIBUTING.md, followed literally in a copy of the repository.

`tests/data/contributing/<kind>/` has what a contributor writes: `new/` the files, `edited/` the lines that
are added to others. The instruction must name each path, and the commands are those that it prints.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from tests.long_form import IS_LONG

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
WRITTEN = Path(__file__).parent / "data/contributing"
BUILT = (".venv", "node_modules", "tools/apigen/node_modules", "ingest/native/_core.abi3.so", "frontend/dist")
GENERATED = {
    "format": {
        "docs/formats.md",
        "docs/pastes.md",
        "ingest/catalogue/printed_names.yaml",
        "signatures/signature.schema.json",
        "tests/data/expected/readings.yaml",
    },
    "signature": {"docs/signatures.md", "tests/data/expected/matrix.yaml"},
    "endpoint": {"docs/permissions.md", "frontend/openapi.json"},
    "setting": {"docs/operations.md"},
}
NAMES = {
    "format": {"name": "ipc-usage", "sample": "ipcs-u"},
    "signature": {"area": "net", "name": "route-cache-full", "positive": "pos-full-cache"},
    "endpoint": {"feature": "operations", "subject": "queues"},
    "setting": {},
}
PLACE = re.compile(r"`((?:backend|cli|docs|ingest|signatures|tests)/[^`\s]+)`")
MODULES = """import backend, cli, ingest, signatures
print(*(package.__file__ for package in (backend, cli, ingest, signatures)))"""
SETTING = "from backend.core.settings_environment import load_settings; print(load_settings().slow_query_ms)"
FOREIGN = ("PYTEST", "MAKE", "GIT_")
"""Variables of the run that this test is part of."""
# A line of the class that a new field is put before.
END_OF_FIELDS = '    @field_validator("data_dir"'


@dataclass
class Copy:
    """A copy of the repository, with the output of the commands that ran in it."""

    root: Path
    output: str = field(default="")

    def run(self, *words: str, **variables: str) -> str:
        """Run a command in the copy, on the copy's own modules, and return its output."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
        path = f"{self.root / '.venv/bin'}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            words,
            cwd=self.root,
            env={**inherited, "PATH": path, "PYTHONPATH": str(self.root), **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{shlex.join(words)}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
        return done.stdout

    def read(self, path: str) -> str:
        return (self.root / path).read_text()

    def changes(self) -> tuple[set[str], set[str]]:
        """Return the paths of new and of changed files."""
        rows = self.run("git", "status", "--porcelain", "--untracked-files=all").splitlines()
        assert {row[:2] for row in rows} <= {"??", " M"}, rows
        return {row[3:] for row in rows if row[:2] == "??"}, {row[3:] for row in rows if row[:2] == " M"}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Copy]:
    """A copy of the committed and changed files; what was built is shared."""
    root = tmp_path_factory.mktemp("contributing") / "casebook"
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, root / name)
    for name in BUILT:
        if (ROOT / name).exists():
            (root / name).symlink_to(ROOT / name)
    copy = Copy(root)
    ignored = root / ".git/info/exclude"
    copy.run("git", "init", "--quiet")
    ignored.write_text("".join(f"/{name}\n" for name in BUILT))
    copy.run("git", "add", "--all")
    author = ("-c", "user.name=Contributor", "-c", "user.email=contributor@example.com")
    copy.run("git", *author, "commit", "--quiet", "--message", "Copy the repository")
    modules = copy.run(sys.executable, "-c", MODULES).split()
    assert all(Path(module).is_relative_to(root) for module in modules), modules
    yield copy
    shutil.rmtree(root)


@pytest.fixture
def copy(repository: Copy) -> Iterator[Copy]:
    """The copy as committed; what a test adds is removed."""
    yield repository
    repository.run("git", "reset", "--quiet", "--hard")
    repository.run("git", "clean", "--quiet", "-d", "--force")


def section(kind: str) -> str:
    """Return the instruction for `kind`, with the names that the test chooses."""
    found = re.search(
        rf"^## Adding an? {kind}\n(.*?)^## ", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE | re.DOTALL
    )
    assert found, kind
    return re.sub(r"<(\w+)>", lambda name: NAMES[kind].get(name[1], name[0]), found[1])


def places(kind: str) -> list[re.Pattern[str]]:
    """Return the shapes of the paths that the instruction names; a folder stands for what is in it."""
    steps = re.findall(r"^\d\. .*?(?=^\d\. |^```|^\S)", section(kind), re.MULTILINE | re.DOTALL)
    named = [place for step in steps for place in PLACE.findall(step)]
    shapes = [re.sub(r"<\w+>", "[^/]+", re.sub(r"[.*]", r"\\\g<0>", place)) for place in named]
    return [re.compile(f"{shape}.*" if shape.endswith("/") else shape) for shape in shapes]


def commands(kind: str) -> list[list[str]]:
    """Return the commands that the instruction prints."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", section(kind), re.MULTILINE | re.DOTALL)
    return [shlex.split(line) for block in blocks for line in block.splitlines()]


def files(folder: Path) -> dict[str, Path]:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix().removesuffix(".added"): path for path in found}


def follow(copy: Copy, kind: str) -> None:
    """Write and edit the files that the instruction names, then run its commands."""
    new, edited = files(WRITTEN / kind / "new"), files(WRITTEN / kind / "edited")
    shapes = places(kind)
    unnamed = [path for path in (*new, *edited) if not any(shape.fullmatch(path) for shape in shapes)]
    assert unnamed == [], f"CONTRIBUTING.md does not name what a {kind} needs"
    for path, written in new.items():
        (copy.root / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(written, copy.root / path)
    for path, written in edited.items():
        before, end, after = copy.read(path).partition(END_OF_FIELDS if kind == "setting" else "\0")
        (copy.root / path).write_text(f"{before}{written.read_text()}{end}{after}")
    copy.output = ""
    for words in commands(kind):
        # The prerequisites of a build are shared with the original, not installed again.
        also = ("--assume-old=build",) if words[0] == "make" else ()
        copy.output += copy.run(words[0], *also, *words[1:])
    came, changed = copy.changes()
    assert came == set(new)
    assert changed == set(edited) | GENERATED[kind]
    sys.stdout.write(
        f"{kind}: {len(new)} new, {len(edited)} edited, {len(GENERATED[kind])} generated files\n"
    )


def test_a_format_is_three_new_files(copy: Copy):
    follow(copy, "format")
    assert len(files(WRITTEN / "format/new")) <= 3
    assert not files(WRITTEN / "format/edited")
    assert "ipc-usage @1" in copy.output
    golden = yaml.safe_load(copy.read("tests/data/expected/readings.yaml"))
    [read] = golden["ipc-usage/ipcs-u.txt"]
    assert (read["format"], read["facts"], "skipped" in read) == ("ipc-usage", 10, False)
    assert "| `ipc-usage` | yes |" in copy.read("docs/pastes.md")
    assert "| `ipc.count` | count | `kind` `name` |" in copy.read("docs/formats.md")
    assert " passed" in copy.output


@pytest.mark.skipif(not IS_LONG, reason="`make sweeps` judges every fixture by the longer library, too")
def test_a_signature_is_one_folder(copy: Copy):
    follow(copy, "signature")
    folder = "signatures/library/net/route-cache-full"
    assert all(path.startswith(folder) for path in files(WRITTEN / "signature/new"))
    assert not files(WRITTEN / "signature/edited")
    golden = yaml.safe_load(copy.read("tests/data/expected/matrix.yaml"))
    assert golden["net/route-cache-full:pos-full-cache"]["match"] == ["net/route-cache-full"]
    assert "| `net/route-cache-full` |" in copy.read("docs/signatures.md")
    said = copy.run("casebook", "analyze", f"{folder}/evidence/pos-full-cache")
    assert "The route cache is full" in said


@pytest.mark.skipif(not IS_LONG, reason="`make sweeps` generates the client of the API, too")
def test_an_endpoint_answers_and_has_a_permission(copy: Copy):
    follow(copy, "endpoint")
    assert '"/api/v1/queues"' in copy.read("frontend/openapi.json")
    assert "| GET /queues | service.read |" in copy.read("docs/permissions.md")


def test_a_setting_is_one_field(copy: Copy):
    follow(copy, "setting")
    assert not files(WRITTEN / "setting/new")
    assert set(files(WRITTEN / "setting/edited")) == {"backend/core/settings.py"}
    row = (
        "| `CASEBOOK_SLOW_QUERY_MS` | `250` | at least 1 | Duration from which a database query is logged. |"
    )
    assert row in copy.read("docs/operations.md")
    assert copy.run(sys.executable, "-c", SETTING, CASEBOOK_SLOW_QUERY_MS="40") == "40\n"
