"""A hunt of a library in a folder of cases, whose readings are kept."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import main
from tests.backend.libraries.conftest import OWN, write

LIBRARY = Path("signatures/library")
FULL = LIBRARY / "net/conntrack-table-full/evidence/pos-one-line/kern.log"
OTHER = LIBRARY / "mm/memcg-oom/evidence/pos-two-victims/dmesg.oom.txt"
OURS, SHIPPED = "net/our-table-full", "net/conntrack-table-full"


@pytest.fixture
def incidents(tmp_path):
    """A folder of three cases: a folder and a file that hold the message, and another log."""
    folder = tmp_path / "incidents"
    (folder / "gateway").mkdir(parents=True)
    shutil.copy(FULL, folder / "gateway/kern.log")
    shutil.copy(FULL, folder / "again.log")
    shutil.copy(OTHER, folder / "oom.txt")
    return folder


@pytest.fixture
def hunt(incidents, tmp_path):
    """Hunts a library in the folder and returns exit status and document."""

    def run(text=OWN, signature=OURS):
        shutil.rmtree(tmp_path / "mine", ignore_errors=True)
        write(tmp_path / "mine", signature, text)
        given = ["--evidence", incidents, "--kept", tmp_path / "kept", "--json"]
        result = CliRunner().invoke(main, list(map(str, ["signature", "hunt", tmp_path / "mine", *given])))
        assert result.exit_code in {0, 4, 5}, result.output
        return result.exit_code, json.loads(result.stdout)

    return run


def test_a_folder_of_cases_is_hunted_and_the_deciding_lines_are_named(hunt):
    status, found = hunt()
    assert status == 4
    assert {name: found["hunt"][name] for name in ("total", "gained", "lost", "opened")} == {
        "total": 3,
        "gained": 2,
        "lost": 0,
        "opened": 3,
    }
    assert [row["case"] for row in found["cases"]] == ["again.log", "gateway"]
    verdict = found["cases"][1]["verdicts"][0]
    assert (verdict["signature"], verdict["before"], verdict["after"]) == (OURS, None, "match")
    assert (verdict["lines"][0]["path"], verdict["lines"][0]["first_line"]) == ("kern.log", 1)


def test_the_next_hunt_opens_only_what_changed(hunt, incidents, tmp_path):
    hunt()
    narrow = OWN.replace(OURS, SHIPPED).replace("at_least: 1, strong: 1", "at_least: 1000, strong: 1000")
    status, found = hunt(narrow, SHIPPED)
    assert (status, found["hunt"]["lost"], found["hunt"]["opened"]) == (4, 2, 0)
    with (incidents / "oom.txt").open("ab") as log:
        log.write(FULL.read_bytes())
    assert hunt()[1]["hunt"]["opened"] == 1
    # What a killed command left is read again.
    for places in (tmp_path / "kept").glob("*/places.json"):
        places.write_text(places.read_text()[:-5])
    assert hunt()[1]["hunt"]["opened"] == 3


def test_other_words_change_no_verdict(hunt):
    shipped = (LIBRARY / SHIPPED / "signature.yaml").read_text()
    text = shipped.replace("title: The connection tracking", "title: Our connection tracking", 1)
    assert text != shipped
    status, found = hunt(text, SHIPPED)
    assert (status, found["hunt"]["signatures"], found["cases"]) == (0, [], [])


def test_what_cannot_be_read_is_named_and_is_no_calm(hunt, incidents):
    (incidents / "noise.bin").write_bytes(bytes(range(256)) * 8)
    shutil.rmtree(incidents / "gateway")
    (incidents / "again.log").unlink()
    status, found = hunt()
    assert status == 5
    assert found["cases"][0]["case"] == "noise.bin"
    assert "noise.bin" in found["cases"][0]["unread"][0]
