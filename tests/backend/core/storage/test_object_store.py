"""The object store has the same behaviour in a directory and in S3 (a real moto server)."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import boto3
import pytest
from moto.server import ThreadedMotoServer

from backend.core.errors import DamagedBytesError, MissingBytesError, NotFoundError, UnavailableError
from backend.core.settings import Settings
from backend.core.storage.object_store import Store, blob_key

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CONTENT = b"main;read_file 42\n" * 1000
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    server = ThreadedMotoServer(port=0)
    server.start()
    host, port = server.get_host_and_port()
    patch = pytest.MonkeyPatch()
    patch.setenv("AWS_ACCESS_KEY_ID", "casebook")
    patch.setenv("AWS_SECRET_ACCESS_KEY", "casebook")
    patch.setenv("AWS_REGION", "us-east-1")
    patch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    patch.setenv("AWS_ALLOW_HTTP", "true")
    client = boto3.client("s3", endpoint_url=f"http://{host}:{port}", region_name="us-east-1")
    client.create_bucket(Bucket="evidence")
    client.close()
    yield "s3://evidence/casebook"
    patch.undo()
    server.stop()


@pytest.fixture(params=["directory", "s3"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    url = request.getfixturevalue("s3") if request.param == "s3" else ""
    return Store.open(Settings(data_dir=tmp_path / "data", store_url=url))


def test_bytes_come_back_in_pieces(store: Store, tmp_path: Path):
    file = tmp_path / "staged"
    file.write_bytes(CONTENT)
    store.put_file(file, sha256=SHA256)
    assert store.has(SHA256)
    assert b"".join(store.chunks(SHA256)) == CONTENT


def test_the_same_bytes_twice_are_one_blob(store: Store):
    assert store.put_bytes(CONTENT) == store.put_bytes(CONTENT) == SHA256
    store.delete(SHA256)
    assert not store.has(SHA256)


def damage(store: Store) -> None:
    """Flip one bit of the stored bytes."""
    store.put_record(blob_key(SHA256), CONTENT[:-1] + bytes([CONTENT[-1] ^ 1]))


def test_damaged_bytes_are_noticed_before_their_end(store: Store, tmp_path: Path):
    store.put_bytes(CONTENT)
    damage(store)
    with pytest.raises(DamagedBytesError, match=SHA256):
        next(store.chunks(SHA256))
    with pytest.raises(DamagedBytesError, match=SHA256):
        store.fetch(SHA256, tmp_path / "fetched")


@pytest.mark.parametrize("how", ["put_file", "put_bytes"])
def test_the_true_bytes_heal_what_is_damaged(store: Store, tmp_path: Path, how: str):
    store.put_bytes(CONTENT)
    damage(store)
    if how == "put_bytes":
        store.put_bytes(CONTENT)
    else:
        (tmp_path / "staged").write_bytes(CONTENT)
        store.put_file(tmp_path / "staged", sha256=SHA256)
    assert b"".join(store.chunks(SHA256)) == CONTENT


def test_a_stored_blob_outlives_its_staged_file(store: Store, tmp_path: Path):
    file = tmp_path / "staged"
    file.write_bytes(CONTENT)
    store.put_file(file, sha256=SHA256)
    file.unlink()
    store.fetch(SHA256, tmp_path / "fetched")
    assert (tmp_path / "fetched").read_bytes() == CONTENT


def test_what_is_absent_is_not_found(store: Store, tmp_path: Path):
    absent = "0" * 64
    store.delete(absent)
    with pytest.raises(MissingBytesError):
        store.chunks(absent)
    with pytest.raises(MissingBytesError):
        store.fetch(absent, tmp_path / "fetched")
    with pytest.raises(MissingBytesError):
        store.folder("readings/none")


def test_a_folder_comes_back_as_a_local_directory(store: Store, tmp_path: Path):
    folder = tmp_path / "reading"
    folder.mkdir()
    (folder / "manifest.json").write_bytes(b"{}")
    (folder / "facts.col.zst").write_bytes(CONTENT)
    key = "readings/9f/0/folded@1"
    store.put_folder(folder, key)
    store.put_folder(folder, key)
    kept = store.folder(key)
    assert {path.name: path.read_bytes() for path in kept.iterdir()} == {
        "manifest.json": b"{}",
        "facts.col.zst": CONTENT,
    }
    store.delete_folder(key)
    with pytest.raises(MissingBytesError):
        store.folder(key)


def test_objects_are_listed_copied_and_deleted_by_key(store: Store, tmp_path: Path):
    store.put_bytes(CONTENT)
    file = tmp_path / "copy"
    file.write_bytes(b"".join(store.object_chunks(blob_key(SHA256))))
    store.put_object("blobs/of/another", file)
    store.sync()
    listed = {item.key: item.size_bytes for item in store.listing("blobs") if "another" in item.key}
    assert listed == {"blobs/of/another": len(CONTENT)}
    assert blob_key(SHA256) in {item.key for item in store.listing()}
    store.delete_object("blobs/of/another")
    with pytest.raises(NotFoundError):
        next(store.object_chunks("blobs/of/another"))


def test_an_unavailable_store_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "casebook")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "casebook")
    away = Store.open(Settings(data_dir=tmp_path, store_url="s3://evidence/casebook"))
    with pytest.raises(UnavailableError, match="the object store failed"):
        away.check()
