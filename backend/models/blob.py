"""Content-addressed bytes in the object store."""

from __future__ import annotations

from sqlalchemy import BigInteger
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt


class Blob(HasCreatedAt, Base):
    """Bytes named by their SHA-256 (hex)."""

    __tablename__ = "blob"

    sha256: Mapped[str] = mapped_column(primary_key=True)
    size_bytes: Mapped[int] = mapped_column(BigInteger)
