"""The list of crates holds what the Rust core links; the audit states what it could not check."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tools.supply_chain import advisories, audit
from tools.supply_chain.advisories import Result

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


PYPI = {
    "dependencies": [
        {"name": "click", "version": "8.3.1", "vulns": []},
        {
            "name": "jinja2",
            "version": "2.4.1",
            "vulns": [
                {"id": "PYSEC-2014-8", "fix_versions": ["2.7.2"], "aliases": ["CVE-2014-1402"]},
                {"id": "PYSEC-0", "fix_versions": []},
            ],
        },
        {"name": "ours", "skip_reason": "Dependency not found on PyPI and could not be audited: ours (1.0)"},
    ],
    "fixes": [],
}
NPM = {
    "auditReportVersion": 2,
    "vulnerabilities": {"minimist": {"name": "minimist", "severity": "critical", "range": "<=0.2.3"}},
    "metadata": {"vulnerabilities": {"critical": 1, "total": 1}, "dependencies": {"prod": 41, "dev": 300}},
}
RUSTSEC = {
    "lockfile": {"dependency-count": 61},
    "vulnerabilities": {
        "found": True,
        "count": 1,
        "list": [
            {"advisory": {"id": "RUSTSEC-2020-0071"}, "package": {"name": "time", "version": "0.1.43"}},
        ],
    },
    "warnings": {
        "yanked": [{"kind": "yanked", "package": {"name": "spin", "version": "0.9.0"}, "advisory": None}],
    },
}


def test_advisories_are_counted_and_named_and_packages_that_a_registry_does_not_know_are_not_checked():
    assert advisories.of_pypi(PYPI) == Result(
        checked=2,
        advisories=(
            "jinja2 2.4.1: PYSEC-2014-8, fixed in 2.7.2",
            "jinja2 2.4.1: PYSEC-0, fixed in no version",
        ),
        unknown=("ours",),
    )
    assert advisories.of_npm(NPM) == Result(41, ("minimist <=0.2.3: critical",))
    assert advisories.of_rustsec(RUSTSEC) == Result(
        61, ("time 0.1.43: RUSTSEC-2020-0071", "spin 0.9.0: yanked")
    )


@pytest.mark.parametrize(
    ("output", "errors", "said"),
    [
        (
            "",
            "    Updating index\nerror: no such command: `audit`\n\nhelp: view all commands\n",
            "error: no such command: `audit` ",
        ),
        (
            '{"error": {"code": "ENOTFOUND", "summary": "no network"}}',
            "npm error network",
            "npm error network",
        ),
        ("Traceback …", "", "Traceback …"),
        ("", "", "no answer"),
        ("[]", "", "[]"),
    ],
)
def test_a_client_without_a_readable_answer_checked_nothing(output, errors, said):
    for reader in (advisories.of_pypi, advisories.of_npm, advisories.of_rustsec):
        assert advisories.read(output, errors, reader) == Result(failure=said)


def test_a_client_that_is_missing_checked_nothing():
    assert advisories.ask(["no-such-client"], advisories.of_npm) == Result(
        failure="no-such-client cannot be run: No such file or directory"
    )


def test_the_audit_says_what_it_could_not_check_and_passes_only_when_everything_was_checked():
    clean, unknown = Result(3), Result(2, unknown=("ours",))
    found, failed = Result(2, advisories=("a 1: X-1",)), Result(failure="no network")
    assert list(audit.lines("PyPI", clean)) == ["PyPI: 3 packages, no advisory"]
    assert list(audit.lines("PyPI", found)) == ["PyPI: 2 packages, 1 advisory", "  a 1: X-1"]
    assert list(audit.lines("PyPI", unknown)) == [
        "PyPI: 2 packages, no advisory",
        "  not checked, unknown to PyPI: ours",
    ]
    assert list(audit.lines("PyPI", failed)) == ["PyPI: not checked: no network"]
    assert audit.status([clean, clean], []) == 0
    assert audit.status([clean, failed], []) == audit.status([clean, unknown], []) == audit.NOT_CHECKED
    assert audit.status([failed, found], []) == audit.status([clean], ["node:20 …"]) == audit.FOUND
