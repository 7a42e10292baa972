"""Storage accounting: bytes stored, and bytes reserved by requests in progress."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, Identity, func
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasId


class StoredBytes(Base):
    """Changes of the total size of all blobs; their sum is the stored size.

    Triggers on `blob` append one row per statement, so writers never wait for each other;
    `backend.uploads.space` folds the rows into one now and then.
    """

    __tablename__ = "stored_bytes"

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    size_bytes: Mapped[int] = mapped_column(BigInteger)


class SpaceReservation(HasId, Base):
    """Space reserved for the body of one request.

    Attributes:
        received_bytes: Bytes already on disk.
        updated_at: Last renewal; without renewal it expires, since its process was killed.
    """

    __tablename__ = "space_reservation"

    size_bytes: Mapped[int] = mapped_column(BigInteger)
    received_bytes: Mapped[int] = mapped_column(BigInteger)
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())
