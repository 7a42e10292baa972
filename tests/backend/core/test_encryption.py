"""A sealed text opens only with the key of the instance and for its own subject."""

from __future__ import annotations

import pytest
from pydantic import SecretStr

from backend.core.encryption import DecryptionError, seal, unseal

ONE, OTHER = SecretStr("1f" * 32), SecretStr("2e" * 32)


@pytest.fixture
def sealing(settings, tmp_path):
    return settings.model_copy(update={"data_dir": tmp_path / "new"})


def test_sealed_text_is_decrypted_and_does_not_show(sealing):
    sealed = seal(sealing, "hunter2hunter2", about="case 1")
    assert unseal(sealing, sealed, about="case 1") == "hunter2hunter2"
    assert "hunter2" not in sealed


def test_the_key_is_created_once_with_mode_0600(sealing):
    sealed = seal(sealing, "x", about="case 1")
    path = sealing.data_dir / "seal.key"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [found.name for found in sealing.data_dir.iterdir()] == ["seal.key"]
    assert unseal(sealing.model_copy(), sealed, about="case 1") == "x"


def test_a_configured_key_is_used_instead_of_the_file(sealing):
    given = sealing.model_copy(update={"seal_key": ONE})
    assert unseal(given, seal(given, "x", about="a"), about="a") == "x"
    assert not given.data_dir.exists()


@pytest.mark.parametrize("wrong", ["another key", "another subject", "changed", "nothing sealed"])
def test_modified_sealed_text_is_refused(sealing, wrong: str):
    given = sealing.model_copy(update={"seal_key": ONE})
    sealed = seal(given, "x", about="case 1")
    if wrong == "changed":
        sealed = sealed[:-4] + ("AAAA" if sealed[-4:] != "AAAA" else "BBBB")
    if wrong == "nothing sealed":
        sealed = "0f" * 32
    opened = given.model_copy(update={"seal_key": OTHER}) if wrong == "another key" else given
    with pytest.raises(DecryptionError):
        unseal(opened, sealed, about="case 2" if wrong == "another subject" else "case 1")
