"""Source trees of the distributions: everything that is installed, below one import package.

    pyproject.toml  README.md  LICENSE  native/        (the Rust core)
    kernel_casebook/{backend,cli,ingest,signatures,migrations}
    installed/data/share/man/man1                      (the manual pages)

The built pages are a distribution of their own, which the extra `server` requires; it installs
`kernel_casebook/frontend/dist`. Files are those that git tracks, with what `make build` makes.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

from cli import main as command
from cli.process.man_pages import pages
from ingest import format_list
from signatures.document import compiled_catalog
from signatures.document.catalog import parsed_library
from signatures.reporting import signature_list
from tools.release.renaming import MOVED, renamed

ROOT = Path(__file__).parents[2]
PACKAGE = "kernel_casebook"
CORE = Path("ingest/native")
LIBRARY = Path("signatures/library.json")
PAGES = Path("frontend/dist")
PAGES_SUFFIX = "-pages"
INSTALLED = "installed"
"""Folder of what a wheel installs outside of Python packages, below the prefix."""

_KEPT = re.compile(r"\[(build-system|project(\.(optional-dependencies|scripts))?)\]")
DOCUMENT = '"""Casebook: cited findings from kernel evidence. `casebook` is the command."""\n'


def distribution() -> tuple[str, str]:
    """Return the name and version of the distribution."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["name"], project["version"]


def write_source_tree(folder: Path) -> None:
    """Write the tree to an empty folder.

    Raises:
        FileNotFoundError: `make build` did not run.
    """
    tracked = _tracked()
    modules = {_module(path) for path in tracked if path.suffix == ".py" and path.parts[0] in MOVED}
    for path in tracked:
        if path.parts[0] in {*MOVED, "migrations"} and not path.is_relative_to(CORE / "fuzz"):
            target = folder / _place(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".py":
                source = (ROOT / path).read_text(encoding="utf-8")
                target.write_text(renamed(source, PACKAGE, modules), encoding="utf-8")
            else:
                shutil.copyfile(ROOT / path, target)
    shutil.copyfile(ROOT / LIBRARY, folder / PACKAGE / LIBRARY)
    format_list.write(folder / PACKAGE / "ingest")
    signature_list.write(folder / PACKAGE / "signatures")
    compiled_catalog.write(parsed_library(), folder / PACKAGE / "signatures")
    manual = folder / INSTALLED / "data/share/man/man1"
    manual.mkdir(parents=True)
    for name, page in pages(command).items():
        (manual / f"{name}.1").write_text(page, encoding="utf-8")
    for name in ("README.md", "LICENSE"):
        shutil.copyfile(ROOT / name, folder / name)
    (folder / PACKAGE / "__init__.py").write_text(DOCUMENT, encoding="utf-8")
    (folder / "pyproject.toml").write_text(
        _settings((ROOT / "pyproject.toml").read_text(encoding="utf-8")), encoding="utf-8"
    )
    _set_modes(folder)


def write_pages_tree(folder: Path) -> None:
    """Write the tree of the distribution of the pages to an empty folder.

    Raises:
        FileNotFoundError: `make build` did not run.
    """
    name, version = distribution()
    shutil.copytree(ROOT / PAGES, folder / PACKAGE / PAGES)
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")
    (folder / "README.md").write_text(
        f"The built pages of Casebook. `{name}[server]` requires them.\n", encoding="utf-8"
    )
    (folder / "pyproject.toml").write_text(
        f"""[build-system]
requires = ["hatchling==1.28.0"]
build-backend = "hatchling.build"

[project]
name = "{name}{PAGES_SUFFIX}"
version = "{version}"
description = "The built pages of {name}."
readme = "README.md"
license = "Apache-2.0"
license-files = ["LICENSE"]
requires-python = ">=3.11"

[tool.hatch.build.targets.wheel]
only-include = ["{PACKAGE}"]
""",
        encoding="utf-8",
    )
    _set_modes(folder)


def _set_modes(folder: Path) -> None:
    """Give every file the same mode: those of a checkout depend on the umask of whoever made it."""
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)


def _tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    return [Path(name) for name in sorted(listed.stdout.split("\0")) if name and (ROOT / name).is_file()]


def _module(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _place(path: Path) -> Path:
    """Return where a file lies in the tree; sources of the core are outside the package."""
    is_core = path.is_relative_to(CORE) and (
        path.is_relative_to(CORE / "src") or path.name in {"Cargo.toml", "Cargo.lock"}
    )
    return Path("native") / path.relative_to(CORE) if is_core else Path(PACKAGE) / path


def _settings(text: str) -> str:
    """Return pyproject.toml of the tree: the same metadata, other places."""
    tables = re.split(r"^(?=\[)", text, flags=re.MULTILINE)
    kept = [table for table in tables if _KEPT.match(table)]
    place = f"""[tool.maturin]
python-source = "."
python-packages = ["{PACKAGE}"]
module-name = "{PACKAGE}.ingest.native._core"
manifest-path = "native/Cargo.toml"
features = ["python"]
data = "{INSTALLED}"
include = [{{ path = "{INSTALLED}/**/*", format = "sdist" }}]
strip = true

# That of maturin names the folder of the build; a release has one of its own.
[tool.maturin.sbom]
rust = false
"""
    name, version = distribution()
    metadata = "".join(kept).replace('"cli:main"', f'"{PACKAGE}.cli:main"')
    return metadata.replace("server = [\n", f'server = [\n    "{name}{PAGES_SUFFIX}=={version}",\n') + place
