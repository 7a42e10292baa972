"""Domain events of uploads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID


@dataclass(frozen=True, slots=True)
class SmallFilesWaiting:
    """Small files of a case wait for the next batch.

    Published while the case is locked or new: a batch that ends concurrently either sees the waiting files,
    or is followed by another.

    Attributes:
        sender: Who is charged; by default the sender of the session.
        delay_seconds: How long the batch waits for more files.
    """

    case_id: UUID
    sender: str = ""
    delay_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class UploadCompleted:
    """All bytes of an upload that shares no batch are received.

    Attributes:
        queue: Weight class of its jobs.
    """

    upload_id: UUID
    sender: str
    queue: str = "light"


@dataclass(frozen=True, slots=True)
class PreviewBytesReceived:
    """An incomplete upload has enough bytes for a preview."""

    upload_id: UUID
    sender: str


@dataclass(frozen=True, slots=True)
class PreviewedUploadDeleted:
    """An upload was cancelled or expired after its preview became the evidence `evidence_id`."""

    evidence_id: UUID
    sender: str
