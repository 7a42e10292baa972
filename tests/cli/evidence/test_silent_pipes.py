"""A named pipe that nobody writes to is refused; one with a writer is read."""

from __future__ import annotations

import os
import threading

import click
import pytest

from cli.evidence import paths


def test_a_pipe_without_a_writer_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "WRITER_SECONDS", 0.2)
    os.mkfifo(pipe := tmp_path / "pipe")
    with pytest.raises(click.UsageError, match="nobody writes to it"):
        list(paths.read([str(pipe)]))


def test_a_pipe_with_a_writer_is_read(tmp_path):
    os.mkfifo(pipe := tmp_path / "pipe")
    text = " 10:11:12 up 3 days,  2 users,  load average: 0.10, 0.20, 0.30\n"
    writer = threading.Thread(target=pipe.write_text, args=(text,))
    writer.start()
    (read,) = paths.read([str(pipe)])
    writer.join()
    assert (read.state, read.sections[0].format) == ("read", "uptime")
