"""Progress is shown on a terminal for long files only."""

from __future__ import annotations

import io
import sys

from cli.process import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def long_file(tmp_path):
    path = tmp_path / "perf.script"
    with path.open("wb") as stream:
        stream.truncate(progress.LONG_BYTES)
    return path


def test_a_pipe_gets_no_progress(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert progress.progress_of(long_file(tmp_path)) is None


def test_short_files_are_read_in_silence(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    short = tmp_path / "short"
    short.write_text("x")
    assert progress.progress_of(short) is None


def test_a_terminal_shows_progress_and_clears_it(tmp_path, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "INTERVAL_SECONDS", 0.0)
    reporter = progress.progress_of(long_file(tmp_path))
    reporter(5_000_000)
    reporter.done()
    assert "reading perf.script: 5 of 16 MB" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r")
