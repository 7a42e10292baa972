"""Filters of the list of cases, as query parameters."""

from __future__ import annotations

# Pydantic needs it at run time.
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from backend.cases.schemas import CaseSort, CaseState, Severity
from backend.models.case import Status
from backend.search.language import Every, Node, Term, parse
from ingest.frames.normalise import normalise

Text = Annotated[str | None, Field(min_length=1, max_length=200)]


class CaseFilter(BaseModel):
    """Filters of cases, of which all must hold, and their order.

    `sort`: by `relevance`, cases whose title, headline or findings say all words of `q` come first, then the
    newest.
    """

    q: str = Field(
        default="",
        max_length=1000,
        description='Query: `memory host:db7 -status:closed line:"out of memory" fact:loadavg.1m>4`',
    )
    sort: CaseSort = "relevance"
    status: Status | None = None
    state: CaseState | None = None
    assignee: Text = Field(default=None, description="Name of the account that works on it")
    tag: Text = Field(default=None, description="A tag")
    severity: Severity | None = None
    signature: Text = Field(default=None, description="Id of a signature that matches or is suspected")
    verdict: Literal["match", "suspect"] | None = Field(
        default=None, description="Verdict of some finding, or of the finding of `signature`"
    )
    host: Text = Field(default=None, description="Name of a host")
    kernel: Text = Field(default=None, description="Kernel release, or its beginning, such as `6.1.`")
    frame: Text = Field(default=None, description="Function in a profile")
    log_class: Text = Field(default=None, description="Class of a kernel log record, such as `oom_kill`")
    since: datetime | None = Field(default=None, description="Opened at this time or later")
    until: datetime | None = Field(default=None, description="Opened before this time")

    def node(self) -> Node:
        """Return all filters as one query.

        Raises:
            QueryError: `q` cannot be read.
        """
        finding = self.signature and f"{self.signature}/{self.verdict}" if self.verdict else self.signature
        values = {
            "status": self.status or self.state,
            "owner": self.assignee,
            "tag": self.tag,
            "severity": self.severity,
            "finding": finding,
            "verdict": None if self.signature else self.verdict,
            "host": self.host,
            "kernel": self.kernel,
            "frame": self.frame and normalise(self.frame),
            "class": self.log_class,
            "since": self.since and self.since.isoformat(),
            "until": self.until and self.until.isoformat(),
        }
        terms = tuple(Term(field, value, 1) for field, value in values.items() if value)
        asked = parse(self.q)
        if not terms:
            return asked
        return Every(((asked,) if asked != Every(()) else ()) + terms)
