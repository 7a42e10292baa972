"""Files of the service are for its user alone, also those of an older version."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from backend.core import layout
from backend.core.errors import SettingsError


def modes(directory: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.lstat().st_mode) for path in directory.iterdir()}


@pytest.fixture
def umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.usefixtures("umask")
def test_what_is_open_to_others_becomes_private(tmp_path):
    data = tmp_path / "data"
    (data / "log").mkdir(parents=True)
    (data / "log" / "api.log").write_text("x")
    (data / "seal.key").write_text("x")
    (data / "elsewhere").symlink_to("/")
    layout.make_files_private(data)
    (data / "new").write_text("x")
    (data / "newer").mkdir()
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    found = modes(data)
    assert found.pop("elsewhere") == 0o777
    assert found == {"log": 0o700, "seal.key": 0o600, "new": 0o600, "newer": 0o700}
    assert stat.S_IMODE(Path("/").stat().st_mode) & 0o077


def test_a_directory_of_another_user_is_refused(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    os.chown(data, 12345, 12345)
    with pytest.raises(SettingsError, match="must be a directory of the user who runs casebook"):
        layout.make_files_private(data)


@pytest.mark.parametrize("command", ["migrate", "reap", "api", "worker"])
def test_every_command_of_the_service_makes_its_files_private(tmp_path, command):
    """The data directory of a service that cannot reach its database is private already."""
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    given = {
        "CASEBOOK_DATA_DIR": str(data),
        "CASEBOOK_DATABASE_URL": f"postgresql:///none?host={tmp_path}",
        "CASEBOOK_BROKER_URL": f"redis+socket://{tmp_path}/none",
    }
    options = {"api": ["--fd", "99"]}.get(command, [])
    with subprocess.Popen(
        [sys.executable, "-m", "cli", command, *options],
        env={**os.environ, **given},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        while stat.S_IMODE(data.stat().st_mode) != 0o700:
            if process.poll() is not None:
                break
        process.kill()
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
