"""Build the distribution: `python -m tools.release [--again]` writes var/release.

`python -m tools.release --wheel` builds into var/wheel the wheel for this machine alone, of the working tree
as it is.

Wheels for x86_64 and, where the Rust target is installed, aarch64, a source distribution, and the wheel of
the built pages, with checksums and a bill of materials. Two builds of one commit are equal byte by byte:
times are the commit's and paths are relative; `--again` builds a second time elsewhere, and fails when a file
differs. Uploading is left to a person:

    uv publish var/release/*.whl var/release/*.tar.gz
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.release.bills import write_bills
from tools.release.source_tree import ROOT, distribution, write_pages_tree, write_source_tree

MATURIN = "maturin==1.16.0"
ZIG = "ziglang==0.15.2"
TARGETS = ("x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu")
GLIBC = "manylinux_2_28"
CHECKSUMS = "SHA256SUMS"


class ReleaseError(Exception):
    """The checkout cannot be released; the message says why."""


def main(folder: Path, *, again: bool) -> None:
    """Build everything into `folder`, which is emptied.

    Raises:
        ReleaseError: The working tree has changes, no target is installed, or a second build differs.
    """
    _, version = distribution()
    _check_clean()
    _build(folder)
    if again:
        with tempfile.TemporaryDirectory(prefix="casebook-again-") as second:
            _build(Path(second))
            _compare(folder, Path(second))
    for path in _files(folder):
        _say(f"{path.stat().st_size:>12,}  {path.name}")
    _say(f"git tag --annotate v{version} --message 'Casebook {version}'   # then upload: docs/release.md")


def build_wheel(folder: Path) -> None:
    """Build the wheel for this machine into `folder`, which is emptied."""
    name, version = distribution()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as temporary:
        tree = Path(temporary) / f"{name}-{version}"
        tree.mkdir()
        write_source_tree(tree)
        _build_wheel(tree, folder, f"{platform.machine()}-unknown-linux-gnu")


def _build(folder: Path) -> None:
    name, version = distribution()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    installed = _installed_targets()
    for target in TARGETS:
        if target not in installed:
            _say(f"{target}: not built; rustup target add {target}")
    if not installed:
        raise ReleaseError("no Rust target is installed")
    with tempfile.TemporaryDirectory() as temporary:
        tree = Path(temporary) / f"{name}-{version}"
        tree.mkdir()
        write_source_tree(tree)
        for target in installed:
            _build_wheel(tree, folder, target)
        _maturin(tree, folder, "sdist")
        pages = Path(temporary) / "pages"
        pages.mkdir()
        write_pages_tree(pages)
        command = [ROOT / ".venv/bin/uv", "build", "--quiet", "--wheel", "--out-dir", folder, pages]
        subprocess.run(command, check=True, env=os.environ | _times())
        (folder / ".gitignore").unlink(missing_ok=True)
    write_bills(folder, int(_times()["SOURCE_DATE_EPOCH"]))
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in _files(folder)]
    (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8")


def _compare(first: Path, second: Path) -> None:
    sums = [set((folder / CHECKSUMS).read_text(encoding="utf-8").splitlines()) for folder in (first, second)]
    differing = sorted({line.split()[1] for line in sums[0] ^ sums[1]})
    if differing:
        raise ReleaseError(f"two builds differ: {', '.join(differing)}")
    _say(f"two builds are equal: {len(sums[0])} files")


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file() and path.name != CHECKSUMS)


def _build_wheel(tree: Path, folder: Path, target: str) -> None:
    options = ("--release", "--locked", "--zig", "--target", target, "--compatibility", GLIBC)
    _maturin(tree, folder, "build", *options)


def _maturin(tree: Path, folder: Path, *arguments: str) -> None:
    """Run maturin in the tree, with what makes builds equal."""
    cargo = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    environment = {
        **os.environ,
        **_times(),
        "CARGO_TARGET_DIR": str(tree.parent / "target"),
        "CARGO_INCREMENTAL": "0",
        "RUSTFLAGS": f"--remap-path-prefix={tree.parent}=. --remap-path-prefix={cargo}=cargo",
    }
    command = [ROOT / ".venv/bin/uv", "tool", "run", "--quiet", "--with", ZIG, "--from", MATURIN]
    out = ["--out", folder, "--manifest-path", "native/Cargo.toml"]
    subprocess.run([*command, "maturin", *arguments, *out], cwd=tree, check=True, env=environment)


def _times() -> dict[str, str]:
    """Return what makes the times in archives those of the commit."""
    return {"SOURCE_DATE_EPOCH": _git("log", "-1", "--format=%ct")}


def _installed_targets() -> list[str]:
    root = subprocess.run(["rustc", "--print", "sysroot"], check=True, capture_output=True, text=True).stdout
    return [one for one in TARGETS if (Path(root.strip()) / "lib/rustlib" / one / "lib").is_dir()]


def _check_clean() -> None:
    changed = _git("status", "--porcelain")
    if changed:
        raise ReleaseError(f"the working tree has changes:\n{changed}")


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        if "--wheel" in sys.argv[1:]:
            build_wheel(ROOT / "var/wheel")
        else:
            main(ROOT / "var/release", again="--again" in sys.argv[1:])
    except ReleaseError as error:
        sys.exit(f"Error: {error}")
