"""Columns of wire values: JSON in the database, classes of `signatures.documents` in the program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from backend.core.db.base import CleanJson
from signatures.documents.codec import from_document, from_documents, to_document, to_documents

if TYPE_CHECKING:
    from sqlalchemy import Dialect


class WireValue(CleanJson):
    """One wire value; None is the empty object."""

    cache_ok = True

    def __init__(self, cls: type) -> None:
        """Store values of class `cls`."""
        super().__init__()
        self.cls = cls

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """Return the value as JSON."""
        return super().process_bind_param({} if value is None else to_document(value), dialect)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:  # noqa: ARG002 - its signature
        """Return the stored value; documents of older releases load."""
        return from_document(self.cls, value) if value else None


class WireValues(WireValue):
    """A tuple of wire values."""

    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """Return the values as JSON."""
        return CleanJson.process_bind_param(self, to_documents(value or ()), dialect)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:  # noqa: ARG002 - its signature
        """Return the stored values; documents of older releases load."""
        return from_documents(self.cls, value or ())
