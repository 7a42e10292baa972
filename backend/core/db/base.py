"""Base of all tables: time-ordered ids, aware UTC times, JSON that PostgreSQL accepts."""

from __future__ import annotations

import enum
import json
import math
import os
import re
import threading
import time
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import UUID

from sqlalchemy import ARRAY, DateTime, Dialect, Double, Enum, MetaData, Text, Uuid, any_, func, literal
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import ColumnClause, ColumnElement
    from sqlalchemy.orm import InstrumentedAttribute

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
_UNKEPT = dict.fromkeys([0, *range(0xD800, 0xE000)], "\ufffd")
_UNSTORABLE_PATTERN = re.compile("[\0\ud800-\udfff]")
_lock = threading.Lock()
_last = 0


def uuid7() -> UUID:
    """Return a UUID version 7; ids of one process ascend, also within a millisecond.

    48 bits of milliseconds, 12 bits that count up, 62 random bits (RFC 9562, section 6.2, method 1).
    """
    global _last  # noqa: PLW0603 - one counter per process is the point
    with _lock:
        _last = max(_last + 1, time.time_ns() // 1_000_000 << 12)
        stamp = _last
    random = int.from_bytes(os.urandom(8), "big") >> 2
    return UUID(int=(stamp >> 12) << 80 | 7 << 76 | (stamp & 0xFFF) << 64 | 2 << 62 | random)


def among(
    column: InstrumentedAttribute[Any] | ColumnClause[Any], values: Iterable[Any]
) -> ColumnElement[bool]:
    """Return the condition that `column` is one of `values`.

    One array parameter, where `in_` makes one per value: the statement text is the same for any number of
    values, so it is compiled and planned only once.
    """
    return column == any_(literal(list(values), ARRAY(column.type)))


def array_text(numbers: Iterable[float]) -> str:
    """Return numbers as PostgreSQL reads an array of them; the driver takes three to eight times as long."""
    return f"{{{','.join(map(str, numbers))}}}"


def clean_text(text: str) -> str:
    """Return `text` as PostgreSQL can store it: NUL and lone surrogates become U+FFFD."""
    return text.translate(_UNKEPT) if _UNSTORABLE_PATTERN.search(text) else text


def clean_json(value: Any) -> Any:
    """Return `value` as JSON that PostgreSQL accepts; a number that is not finite becomes text (`inf`)."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {clean_text(str(key)): clean_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [clean_json(item) for item in value]
    return value


def json_text(value: Any) -> str:
    """Return `value` as JSON text that PostgreSQL accepts, for a statement that casts it to `jsonb`."""
    try:
        encoded = json.dumps(value, allow_nan=False)
    except ValueError:
        return json.dumps(clean_json(value))
    # JSON escapes NUL and lone surrogates, and also the halves of valid surrogate pairs.
    return json.dumps(clean_json(value)) if "\\u0000" in encoded or "\\ud" in encoded else encoded


class CleanText(TypeDecorator[str]):
    """Text from any source, cleaned when bound."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - its signature
        """Clean the bound value."""
        return None if value is None else clean_text(value)


class CleanJson(TypeDecorator[Any]):
    """JSON from any source, cleaned when bound."""

    impl = JSONB
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:  # noqa: ARG002 - its signature
        """Clean the bound value."""
        return clean_json(value)


class Base(DeclarativeBase):
    """The base of all tables."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: DateTime(timezone=True),
        UUID: Uuid(),
        float: Double(),
        str: CleanText(),
        dict[str, Any]: CleanJson(),
        dict[str, str]: CleanJson(),
        list[Any]: CleanJson(),
        list[dict[str, Any]]: CleanJson(),
        enum.StrEnum: Enum(
            enum.StrEnum,
            native_enum=False,
            length=20,
            values_callable=lambda members: [member.value for member in members],
        ),
    }


class HasId:
    """A table with a UUID version 7 as primary key."""

    id: Mapped[UUID] = mapped_column(primary_key=True, default=uuid7)


class HasCreatedAt:
    """A table with a creation time."""

    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
