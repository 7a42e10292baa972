"""Request and response schemas of the explanation of lines of a kernel log."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from backend.core.http import wire_models  # noqa: F401 - configures wire values
from backend.core.http.request_body import RequestBody
from signatures.documents.line import ExplainedLineDocument

MOST_LINES = 20
LONGEST_LINE = 2_000

LogLine = Annotated[str, Field(max_length=LONGEST_LINE)]


class LinesQuery(RequestBody):
    """Lines of a kernel log, with the prefix of the log or without."""

    lines: list[LogLine] = Field(
        min_length=1,
        max_length=MOST_LINES,
        examples=[["nvme nvme0: I/O 12 QID 5 timeout, completion polled"]],
    )


class ExplainedLineRead(BaseModel):
    """What is known of one line, as values and as lines for people."""

    line: ExplainedLineDocument
    words: list[str]


class ExplainedLinesRead(BaseModel):
    """What is known of each line, in their order."""

    looked_at: list[str] = Field(description="Releases whose sources were looked at")
    lines: list[ExplainedLineRead]
