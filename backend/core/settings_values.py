"""Types of structured settings: URLs, networks, keys.

Each may be empty; an invalid value raises with a sentence that states the accepted form.
"""

from __future__ import annotations

import re
from datetime import timedelta
from ipaddress import ip_network
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr

from signatures.engines import Engines

_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
_DATABASES = {"postgresql", "postgres", "postgresql+psycopg"}
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\[?(?:[0-9A-Fa-f.]*:){2,}[0-9A-Fa-f.]*\]?")
_LONGEST = timedelta(days=3650)
_BROKERS = {"redis": "redis", "rediss": "rediss", "valkey": "redis", "redis+socket": "redis+socket"}


def _form(words: str) -> Any:
    """Return the form of a value in words, for the documentation."""
    return Field(json_schema_extra={"form": words})


def _postgresql(value: str) -> str:
    scheme, separator, rest = value.partition("://")
    if not value:
        return value
    if not separator or scheme not in _DATABASES:
        raise ValueError("must start with postgresql://; no other database is supported")
    return f"postgresql+psycopg://{rest}"


def _redis(value: str) -> str:
    scheme, separator, rest = value.partition("://")
    if not value:
        return value
    if not separator or scheme not in _BROKERS:
        raise ValueError("must start with redis://, rediss://, valkey:// or redis+socket://")
    return f"{_BROKERS[scheme]}://{rest}"


def _store(value: str) -> str:
    if value and urlsplit(value).scheme not in {"s3", "file"}:
        raise ValueError("must start with s3:// or file://")
    return value


def _networks(value: str) -> str:
    try:
        for network in filter(None, value.split(",")):
            ip_network(network.strip())
    except ValueError as error:
        raise ValueError(f"must be comma-separated networks: {error}") from None
    return value


def _hosts(value: str) -> str:
    for name in filter(None, (part.strip() for part in value.split(","))):
        if _HOST.fullmatch(name) is None:
            raise ValueError(f"must be comma-separated host names without a port: {name!r} is none")
    return value


def _http(value: str) -> str:
    parts = urlsplit(value)
    if value and (
        parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment
    ):
        raise ValueError("must be a URL such as https://casebook.example.com")
    return value


def _seconds(value: Any) -> Any:
    """Return a plain number as a number of seconds; text of the environment would not be taken for one."""
    is_number = isinstance(value, str) and re.fullmatch(r"[0-9]{1,12}(\.[0-9]+)?", value.strip())
    return float(value) if is_number else value


def _duration(value: timedelta) -> timedelta:
    if not timedelta(seconds=1) <= value <= _LONGEST:
        raise ValueError("must be between one second and ten years, such as P30D, PT2H or 3600")
    return value


def _key(value: SecretStr) -> SecretStr:
    digits = value.get_secret_value()
    if digits and re.fullmatch(r"[0-9a-fA-F]{64}", digits) is None:
        raise ValueError("must be 64 hexadecimal digits, as printed by `openssl rand -hex 32`")
    return value


def _level(value: str) -> str:
    if value.upper() not in _LEVELS:
        raise ValueError("must be DEBUG, INFO, WARNING or ERROR")
    return value.upper()


def _engines(value: str) -> str:
    Engines.parse(value)
    return value


PostgresqlUrl = Annotated[str, AfterValidator(_postgresql), _form("`postgresql://…`")]
"""A URL of PostgreSQL, normalised for SQLAlchemy."""

RedisUrl = Annotated[
    str, AfterValidator(_redis), _form("`redis://…`, `rediss://…`, `valkey://…`, `redis+socket://…`")
]
"""A URL of Valkey or Redis, normalised for Celery."""

StoreUrl = Annotated[str, AfterValidator(_store), _form("`s3://…`, `file://…`")]
"""A URL of an object store or a directory."""

Networks = Annotated[str, AfterValidator(_networks), _form("networks, comma between them")]
"""Comma-separated networks in CIDR notation."""

Hosts = Annotated[str, AfterValidator(_hosts), _form("host names, comma between them")]
"""Comma-separated host names or addresses, without ports."""

HttpUrl = Annotated[str, AfterValidator(_http), _form("`https://…`, `http://…`")]
"""A URL of a web server."""

Duration = Annotated[
    timedelta, BeforeValidator(_seconds), AfterValidator(_duration), _form("`P30D`, `PT2H`, seconds")
]
"""A time span, in ISO 8601 or as a number of seconds."""

Key = Annotated[SecretStr, AfterValidator(_key), _form("64 hexadecimal digits")]
"""256 bits in hexadecimal digits."""

EngineSwitches = Annotated[str, AfterValidator(_engines), _form("`series=on`, `series=shadow`, `series=off`")]
"""States of engines, comma-separated."""

LogLevel = Annotated[str, AfterValidator(_level), _form(", ".join(f"`{level}`" for level in _LEVELS))]
"""The least severity that is logged, in capitals."""
