"""Pipes are widened as far as the kernel allows; anything else is left as it is."""

from __future__ import annotations

import fcntl
import io
import os

from cli.process.pipes import PIPE_BYTES, widen


def test_a_pipe_holds_more_than_before():
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as stream, os.fdopen(writing, "wb"):
        widen(stream)
        assert fcntl.fcntl(reading, fcntl.F_GETPIPE_SZ) == PIPE_BYTES


def test_what_is_no_pipe_stays_as_it_is(tmp_path):
    (tmp_path / "text").write_bytes(b"a text")
    with (tmp_path / "text").open("rb") as stream:
        for one in (None, io.BytesIO(), stream):
            widen(one)
        assert stream.read() == b"a text"
