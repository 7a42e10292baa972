"""Sealed parts of the pool of public incidents: complete, unaltered, opened once and at a commit."""

from __future__ import annotations

import csv
import hashlib
import subprocess
import tarfile
from typing import TYPE_CHECKING

import pytest

from tools.unseen import PARTS, ROOT, SEALED, SealError, open_part, parts

if TYPE_CHECKING:
    from pathlib import Path

POOL = ROOT / "benchmarks/pool"
KINDS = {"logs": 80, "tables": 60, "threads": 40, "series": 20}


def git(root: Path, *arguments: str) -> None:
    who = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A committed checkout with one part that was never opened."""
    sealed = tmp_path / SEALED
    sealed.mkdir(parents=True)
    packed = sealed / "some.tar.xz"
    (tmp_path / "key.tsv").write_text("id\n001\n")
    with tarfile.open(packed, "w:xz") as archive:
        archive.add(tmp_path / "key.tsv", "key.tsv")
    digest = hashlib.sha256(packed.read_bytes()).hexdigest()
    (tmp_path / PARTS).write_text(f"part\tcases\tsha256\topened\tcommit\nsome\t1\t{digest}\t\t\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "Seal")
    return tmp_path


def test_the_sealed_parts_are_the_files_that_were_sealed():
    for part in parts():
        packed = ROOT / SEALED / f"{part['part']}.tar.xz"
        assert hashlib.sha256(packed.read_bytes()).hexdigest() == part["sha256"]


def test_half_of_each_kind_is_shown_with_its_key():
    for kind, least in KINDS.items():
        folder = POOL / "shown" / kind
        with (folder / "key.tsv").open(encoding="utf-8", newline="") as stream:
            keys = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
        assert [f"{key['id']}.txt" for key in keys] == sorted(path.name for path in folder.glob("*.txt"))
        assert len(keys) >= least // 2
        assert all(key["url"].startswith("http") and key["mechanism"] for key in keys)


def test_a_part_is_opened_once_and_the_commit_is_recorded(checkout: Path):
    folder = open_part("some", checkout)
    assert (folder / "key.tsv").read_text() == "id\n001\n"
    (row,) = parts(checkout)
    assert row["opened"]
    assert len(row["commit"]) == 12
    git(checkout, "add", "-A")
    git(checkout, "commit", "-qm", "Open")
    with pytest.raises(SealError, match=row["commit"]):
        open_part("some", checkout)


def test_a_part_is_not_opened_on_changes_without_a_commit(checkout: Path):
    (checkout / PARTS).write_text("part\tcases\tsha256\topened\tcommit\nsome\t1\tx\t\t\n")
    with pytest.raises(SealError, match="no commit"):
        open_part("some", checkout)


def test_an_altered_part_is_not_opened(checkout: Path):
    (checkout / SEALED / "some.tar.xz").write_bytes(b"x")
    git(checkout, "commit", "-qam", "Alter")
    with pytest.raises(SealError, match="not the file"):
        open_part("some", checkout)
