"""`casebook analyze` on what cannot be read or written: a sentence for each file, and the exit status."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.cli.analyze_run import DATA, THRASH, document, run


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("empty.txt", "the file is empty"),
        ("junk.bin", "binary data"),
        ("truncated.txt.gz", "gzip stream ends early after 25,638 decoded bytes"),
        ("perf.script", "this is a JPEG picture"),
        ("perf.data", "this is a binary perf.data file: run `perf script"),
        ("escaping.tar", "every path leaves the archive: '../../etc/cron.d/x'"),
    ],
)
def test_an_unreadable_file_is_reported_with_exit_3(name, sentence):
    result = run(DATA / "bad" / name)
    assert result.exit_code == 3
    assert f"rejected  {name}: " in result.stdout
    assert sentence in result.stdout


def test_other_files_are_read_beside_a_bad_one():
    result = document(DATA / "bad" / "empty.txt", DATA / "published/vanishing-cpu/perf-top.shrink_lruvec.txt")
    assert [one["state"] for one in result["evidence"]] == ["rejected", "read"]
    assert result["findings"]


def test_a_file_without_read_permission_is_reported_and_the_rest_is_read(tmp_path):
    (tmp_path / "locked.txt").write_text("x")
    (tmp_path / "locked.txt").chmod(0)
    (tmp_path / "uptime.txt").write_text("hello\n")
    command = [sys.executable, "-m", "cli", "analyze", str(tmp_path)]
    if os.geteuid() == 0:
        command = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", *command]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0
    assert "rejected  locked.txt: cannot be opened: Permission denied" in result.stdout
    assert "Read 1 file: uptime.txt: text" in result.stdout


def test_an_empty_directory_has_no_readable_file(tmp_path):
    result = run(tmp_path)
    assert result.exit_code == 3
    assert "There is no file to read in it." in result.stdout


def test_a_device_without_an_end_is_a_usage_error():
    result = run("/dev/zero")
    assert result.exit_code == 2
    assert "'/dev/zero' is a device, not a file" in result.stderr


@pytest.mark.parametrize(
    ("redirection", "status", "sentence"),
    [
        (">/dev/full", 1, "the output cannot be written: No space left on device"),
        (">&-", 0, ""),
        ("<&-", 2, "standard input is closed"),
    ],
)
def test_closed_and_full_output_streams_are_reported(redirection, status, sentence):
    path = "-" if redirection == "<&-" else str(DATA / "published" / "new-linux-kernel")
    script = f'"$@" {redirection}'
    command = [sys.executable, "-m", "cli", "analyze", path]
    result = subprocess.run(["sh", "-c", script, "sh", *command], capture_output=True, text=True, check=False)
    assert result.returncode == status
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr


def test_a_missing_path_is_a_usage_error():
    result = run("no-such-file")
    assert result.exit_code == 2
    assert "'no-such-file' does not exist" in result.stderr


def test_a_closed_pipe_is_no_error():
    command = [sys.executable, "-m", "cli", "analyze", str(THRASH), "--all", "--format", "json"]
    result = subprocess.run(
        ["sh", "-c", '"$@" | head -n 1; exit 0', "sh", *command], capture_output=True, text=True, check=False
    )
    assert result.stdout == "{\n"
    assert "Traceback" not in result.stderr
    assert "BrokenPipe" not in result.stderr
