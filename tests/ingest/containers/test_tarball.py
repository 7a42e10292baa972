"""Reproducible archives: equal members give equal bytes, without traces of the machine."""

from __future__ import annotations

import io
import tarfile

import pytest

from ingest.containers import tarball


def made(name: str) -> bytes:
    stream = io.BytesIO()
    with tarball.writing(stream, name) as archive:
        archive.add("a/proc/meminfo", b"MemTotal: 1 kB\n")
        archive.add("\u00e4.txt", b"")
    return stream.getvalue()


@pytest.mark.parametrize("name", ["x.tar", "x.tar.gz", "x.tgz", "x.tar.zst"])
def test_the_same_members_are_the_same_bytes(name: str):
    assert made(name) == made(name)


@pytest.mark.parametrize("name", ["x.tar", "x.tar.gz"])
def test_members_have_names_and_no_owner(name: str):
    with tarfile.open(fileobj=io.BytesIO(made(name))) as archive:
        headers = {(one.name, one.mtime, one.uid, one.gid, one.uname, one.gname) for one in archive}
    assert headers == {("a/proc/meminfo", 0, 0, 0, "", ""), ("\u00e4.txt", 0, 0, 0, "", "")}
