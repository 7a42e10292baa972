"""Types of structured settings: URLs, networks, keys.

Each may be empty; an invalid value raises with a sentence that states the accepted form.
"""

from __future__ import annotations

import re
from ipaddress import ip_network
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr

_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
_DATABASES = {"postgresql", "postgres", "postgresql+psycopg"}
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


def _key(value: SecretStr) -> SecretStr:
    digits = value.get_secret_value()
    if digits and re.fullmatch(r"[0-9a-fA-F]{64}", digits) is None:
        raise ValueError("must be 64 hexadecimal digits, as printed by `openssl rand -hex 32`")
    return value


def _level(value: str) -> str:
    if value.upper() not in _LEVELS:
        raise ValueError("must be DEBUG, INFO, WARNING or ERROR")
    return value.upper()


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

Key = Annotated[SecretStr, AfterValidator(_key), _form("64 hexadecimal digits")]
"""256 bits in hexadecimal digits."""

LogLevel = Annotated[str, AfterValidator(_level), _form(", ".join(f"`{level}`" for level in _LEVELS))]
"""The least severity that is logged, in capitals."""
