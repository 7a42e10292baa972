"""Report of a sandboxed child, validated before use."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ingest.model.evidence import Placement


class _Value(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ReadSkipped(_Value):
    """Skipped content with its reason."""

    reason: str
    count: int
    first_line: int


class ReadSection(_Value):
    """One section; its reading is in the folder named `folder` below the output directory."""

    ordinal: int
    format: str
    format_version: int
    first_line: int
    last_line: int
    path: str
    command: str
    folder: str = Field(pattern=r"^readings/[0-9]{1,9}$")
    digest: str = Field(pattern=r"^[0-9a-f]{64}$")


class ReadEvidence(_Value):
    """One evidence as the child read it, with its members; a member's bytes are in the file `content`."""

    name: str
    captured_path: str
    sha256: str
    size_bytes: int
    line_count: int
    state: Literal["read", "rejected"]
    reason: str
    host: str
    placed: Placement | None = None
    content: str = Field(default="", pattern=r"^(members/[0-9]{1,9})?$")
    skipped: list[ReadSkipped]
    sections: list[ReadSection]
    members: list[ReadEvidence]


class Report(_Value):
    """The complete response of a child."""

    evidence: ReadEvidence
