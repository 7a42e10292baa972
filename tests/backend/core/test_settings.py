"""An invalid setting is named, with the accepted values."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from backend.core.errors import SettingsError
from backend.core.settings import Settings
from backend.core.settings_environment import load_settings


def test_every_setting_has_a_description():
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


def test_absent_servers_are_embedded_below_the_data_directory(tmp_path: Path):
    settings = load_settings(data_dir=tmp_path)
    assert settings.embeds_database
    assert settings.embeds_broker
    assert settings.effective_store_url == (tmp_path / "store").as_uri()


def test_configured_servers_are_used(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CASEBOOK_DATABASE_URL", "postgres://me:secret@db/casebook")
    monkeypatch.setenv("CASEBOOK_BROKER_URL", "valkey://broker:6379/2")
    settings = load_settings()
    assert settings.effective_database_url == "postgresql+psycopg://me:secret@db/casebook"
    assert settings.effective_broker_url == "redis://broker:6379/2"


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        (
            "DATABASE_URL",
            "sqlite:///x",
            "CASEBOOK_DATABASE_URL must start with postgresql://; no other database is supported",
        ),
        (
            "BROKER_URL",
            "amqp://x",
            "CASEBOOK_BROKER_URL must start with redis://, rediss://, valkey:// or redis+socket://",
        ),
        ("STORE_URL", "/srv", "CASEBOOK_STORE_URL must start with s3:// or file://"),
        ("PORT", "70000", "CASEBOOK_PORT Input should be less than or equal to 65535"),
        ("LOG_LEVEL", "loud", "CASEBOOK_LOG_LEVEL must be DEBUG, INFO, WARNING or ERROR"),
        (
            "SESSION_LIFETIME",
            "0",
            "CASEBOOK_SESSION_LIFETIME must be between one second and ten years, such as P30D, PT2H or 3600",
        ),
        (
            "GUEST_LIFETIME",
            "999999999999",
            "CASEBOOK_GUEST_LIFETIME must be between one second and ten years, such as P30D, PT2H or 3600",
        ),
        (
            "PUBLIC_URL",
            "casebook.example.com",
            "CASEBOOK_PUBLIC_URL must be a URL such as https://casebook.example.com",
        ),
        (
            "ALLOWED_HOSTS",
            "db7:80",
            "CASEBOOK_ALLOWED_HOSTS must be comma-separated host names without a port: 'db7:80' is none",
        ),
        ("HEARTBEAT_SECONDS", "20", "heartbeat_seconds must be at most a third of lease_seconds"),
    ],
)
def test_an_invalid_value_is_reported_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, sentence: str
):
    monkeypatch.setenv(f"CASEBOOK_{name}", value)
    with pytest.raises(SettingsError) as refusal:
        load_settings()
    assert str(refusal.value) == sentence


SCHEMAS = Settings.model_json_schema()["properties"]
BEYOND = [
    (name, str(schema[bound] + step))
    for name, schema in SCHEMAS.items()
    for bound, step in (("minimum", -1), ("exclusiveMinimum", 0), ("maximum", 1))
    if bound in schema
]
NUMBERS = [name for name, schema in SCHEMAS.items() if schema.get("type") in {"integer", "number"}]


def test_every_number_has_a_bound():
    assert set(NUMBERS) == {name for name, _ in BEYOND}


@pytest.mark.parametrize(("name", "value"), BEYOND, ids=[f"{name}={value}" for name, value in BEYOND])
def test_a_number_beyond_its_bound_is_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str):
    monkeypatch.setenv(f"CASEBOOK_{name.upper()}", value)
    with pytest.raises(SettingsError, match=rf"^CASEBOOK_{name.upper()} Input should be "):
        load_settings()


@pytest.mark.parametrize("name", NUMBERS)
def test_a_value_that_is_no_number_is_refused(monkeypatch: pytest.MonkeyPatch, name: str):
    monkeypatch.setenv(f"CASEBOOK_{name.upper()}", "many")
    with pytest.raises(SettingsError, match=rf"^CASEBOOK_{name.upper()} Input should be "):
        load_settings()


def test_the_default_of_every_setting_is_valid():
    assert load_settings(**load_settings().model_dump()) == load_settings()


DURATIONS = [name for name, schema in SCHEMAS.items() if schema.get("format") == "duration"]


def test_every_lifetime_is_a_duration():
    assert set(DURATIONS) == {name for name in SCHEMAS if name.endswith("_lifetime")}


@pytest.mark.parametrize("name", DURATIONS)
@pytest.mark.parametrize(
    ("value", "seconds"), [("3600", 3600), ("90.5", 90.5), ("P7D", 604_800), ("PT2H", 7200)]
)
def test_a_duration_is_iso_8601_or_a_number_of_seconds(monkeypatch, name: str, value: str, seconds: float):
    monkeypatch.setenv(f"CASEBOOK_{name.upper()}", value)
    assert getattr(load_settings(), name) == timedelta(seconds=seconds)


def test_sockets_of_a_deep_data_directory_have_short_names(tmp_path: Path):
    deep = tmp_path.joinpath(*["a-long-directory-name"] * 6)
    settings = load_settings(data_dir=deep)
    assert len(str(settings.run_dir / ".s.PGSQL.5432.lock")) <= 107
    assert settings.run_dir == load_settings(data_dir=deep).run_dir
    assert load_settings(data_dir=Path("/srv/casebook")).run_dir == Path("/srv/casebook/run")
