"""One command sets the version of a release in every place; the files beside a release are well-formed."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from datetime import date
from pathlib import Path

import pytest
import yaml

from tools.release.version import CHANGELOG, PLACES, VersionError, set_version

ROOT = Path(__file__).parents[1]


@pytest.fixture
def copy(tmp_path) -> Path:
    for place in (*PLACES, CHANGELOG):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / place, tmp_path / place)
    (tmp_path / CHANGELOG).write_text(
        "# Changelog\n\n## [Unreleased]\n\n- A change.\n\n## [9.0.0] - 2026-01-01\n"
    )
    return tmp_path


def test_every_place_has_the_version_and_nothing_else_changes(copy):
    before = {place: (ROOT / place).read_text().splitlines() for place in PLACES}
    set_version(copy, "9.1.0", date(2026, 2, 3))
    for place, lines in before.items():
        after = (copy / place).read_text().splitlines()
        changed = [new for old, new in zip(lines, after, strict=True) if old != new]
        assert [one for one in changed if "9.1.0" in one] == changed, place
        assert len(changed) == 1, place
    assert tomllib.loads((copy / "pyproject.toml").read_text())["project"]["version"] == "9.1.0"
    assert (
        (copy / CHANGELOG)
        .read_text()
        .startswith("# Changelog\n\n## [Unreleased]\n\n## [9.1.0] - 2026-02-03\n\n- A change.\n")
    )


@pytest.mark.parametrize(("version", "message"), [("0.2", "no version"), ("9.0.0", "section 9.0.0 already")])
def test_what_is_no_next_version_changes_nothing(copy, version, message):
    before = (copy / "pyproject.toml").read_text()
    with pytest.raises(VersionError, match=message):
        set_version(copy, version, date(2026, 2, 3))
    assert (copy / "pyproject.toml").read_text() == before


def test_without_changes_there_is_no_release(copy):
    set_version(copy, "9.1.0", date(2026, 2, 3))
    with pytest.raises(VersionError, match="nothing below Unreleased"):
        set_version(copy, "9.2.0", date(2026, 2, 4))


def test_only_the_job_that_uploads_may_ask_for_an_identity_of_the_index():
    document = yaml.safe_load((ROOT / "docs/ci/publish.yml").read_text())
    assert document["permissions"] == {}
    upload = document["jobs"]["upload"]
    assert (upload["permissions"], upload["environment"]["name"]) == ({"id-token": "write"}, "pypi")
    text = (ROOT / "docs/ci/publish.yml").read_text()
    assert "password" not in text
    assert "secrets." not in text


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_the_unit_of_systemd_is_valid(tmp_path):
    unit = tmp_path / "casebook.service"
    text = (ROOT / "docs/systemd/casebook.service").read_text()
    unit.write_text(text.replace("/usr/local/bin/casebook", "/bin/true"))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
