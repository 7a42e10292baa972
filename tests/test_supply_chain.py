"""The list of crates holds what the Rust core links, and nothing that only tests it."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
LOCK = tomllib.loads((ROOT / "ingest/native/Cargo.lock").read_text())


@pytest.fixture(scope="module")
def crates() -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "tools.supply_chain.crates"]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    document = json.loads(output)
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.5")
    return document["components"]


def test_what_is_linked_is_listed_and_what_only_tests_is_not(crates):
    needed = tomllib.loads((ROOT / "ingest/native/Cargo.toml").read_text())
    names = {crate["name"] for crate in crates}
    assert set(needed["dependencies"]) <= names
    assert "regex-automata" in names, "what a crate needs itself is linked too"
    assert not set(needed["dev-dependencies"]) & names


def test_every_crate_has_its_licence_and_the_checksum_of_the_lock_file(crates):
    locked = {(one["name"], one["version"]): one.get("checksum") for one in LOCK["package"]}
    for crate in crates:
        assert crate["hashes"] == [{"alg": "SHA-256", "content": locked[crate["name"], crate["version"]]}]
        assert crate["licenses"][0]["expression"]
        assert crate["purl"] == f"pkg:cargo/{crate['name']}@{crate['version']}"
