"""Bytes of archive members: recognised ones, deduplicated, also from nested archives."""

from __future__ import annotations

import hashlib
import io
import tarfile
import zipfile

import pytest

from backend.sandbox.members import MemberBytes
from ingest.evidence import read_bytes

VMSTAT = b"nr_free_pages 1\npgscan_direct 12\npgsteal_direct 7\n"
MEMINFO = b"MemTotal:       16384 kB\nMemFree:        1024 kB\n"
JUNK = b"nobody knows this\n"


def tar_of(files):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for path, content in files:
            info = tarfile.TarInfo(path)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return packed.getvalue()


def zip_of(files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files:
            archive.writestr(path, content)
    return packed.getvalue()


def saved(content, directory):
    members = MemberBytes(directory)
    members.save(io.BytesIO(content), read_bytes(content, name="archive"))
    return {sha256: (directory / name).read_bytes() for sha256, name in members.stored.items()}


@pytest.mark.parametrize("pack", [tar_of, zip_of])
def test_recognised_members_are_kept_under_their_digests(tmp_path, pack):
    known = [("h/proc/vmstat", VMSTAT), ("h/copy/proc/vmstat", VMSTAT), ("h/proc/meminfo", MEMINFO)]
    kept = saved(pack([("h/junk", JUNK), *known]), tmp_path / "members")
    assert kept == {hashlib.sha256(content).hexdigest(): content for content in (VMSTAT, MEMINFO)}


def test_members_inside_a_member_are_kept_too(tmp_path):
    inner = tar_of([("proc/vmstat", VMSTAT)])
    kept = saved(tar_of([("h/inner.tar.gz", inner), ("h/proc/meminfo", MEMINFO)]), tmp_path / "members")
    assert set(kept.values()) == {inner, VMSTAT, MEMINFO}
