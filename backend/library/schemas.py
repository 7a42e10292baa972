"""What the library is asked, and what it answers."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backend.profiles.schemas import Columns
from backend.profiles.schemas_series import Distribution

MAX_TEXT_CHARACTERS = 200_000

EntryKind = Literal["signature", "story"]
KernelVerdict = Literal["affected", "unknown", "fixed", "not_affected"]


class SearchAsk(BaseModel):
    """Words, or anything copied from a terminal, and what the answers are narrowed to."""

    text: str = Field(default="", max_length=MAX_TEXT_CHARACTERS, examples=["ps aux hangs"])
    kind: EntryKind | None = None
    area: str | None = Field(default=None, max_length=50, examples=["mm"])
    symptom: str | None = Field(default=None, max_length=50, description="Name of a group of symptoms")
    has_fix: bool | None = None
    kernel: str | None = Field(
        default=None,
        max_length=200,
        description="A kernel release (`uname -r`): every answer says whether it is affected",
        examples=["5.15.0-1040-gke"],
    )
    kernel_verdict: KernelVerdict | None = Field(
        default=None, description="Only answers that say this of `kernel`"
    )


class PieceRead(BaseModel):
    """Lines of the text that were recognised as the output of a tool."""

    format: str
    title: str
    first_line: int
    last_line: int


class PartRead(BaseModel):
    """A part of a text; a hit is shown as one."""

    text: str
    is_hit: bool


class ReasonRead(BaseModel):
    """One share of an answer's rank, 0..1 of it, and what it rests on."""

    kind: Literal["judged", "functions", "words"]
    share: float
    told: list[str]


class ResultRead(BaseModel):
    """One signature or story that answers.

    `verdict` is what the judge said of the pasted text, `kernel_verdict` what the version table says of the
    kernel asked for or named in the text; None when there was nothing to say it of.
    """

    kind: EntryKind
    key: str
    title: list[PartRead]
    headline: str
    snippet: list[PartRead]
    area: str
    severity: str
    status: str
    symptoms: list[str]
    has_fix: bool
    score: float
    reasons: list[ReasonRead]
    verdict: str | None
    met: list[str]
    kernel_verdict: KernelVerdict | None
    kernel_basis: str
    updated_at: datetime


class FacetRead(BaseModel):
    """One value that answers can be narrowed to, and how many would stay."""

    value: str
    title: str
    count: int


class FacetsRead(BaseModel):
    """Every facet counts the answers as narrowed by all others."""

    kind: list[FacetRead]
    area: list[FacetRead]
    symptom: list[FacetRead]
    has_fix: list[FacetRead]
    kernel_verdict: list[FacetRead]


class SearchRead(BaseModel):
    """Answers, best first; all entries by name when nothing was asked.

    `spellings` are words that the library does not know with the nearest that it does, which were asked for
    too; `text` as a whole with these is `did_you_mean`. `unread` says why it could not be read as evidence.
    """

    count: int
    results: list[ResultRead]
    facets: FacetsRead
    recognised: list[PieceRead]
    functions: list[str]
    did_you_mean: str | None
    spellings: dict[str, str]
    unread: str


class ExhibitProfile(Columns):
    """A call tree of evidence of the library; `total_weight` of `unit` is 100 %."""

    evidence_name: str
    has_weights: bool
    event: str
    unit: str
    total_weight: float
    total_samples: float


class ExhibitHistogram(Distribution):
    """A histogram of evidence of the library."""

    evidence_name: str


class ExhibitsRead(BaseModel):
    """What can be drawn of one folder of evidence, the largest profile first; `left_out` is how many more."""

    name: str
    kind: Literal["pos", "neg", "unk", "ver"]
    profiles: list[ExhibitProfile]
    histograms: list[ExhibitHistogram]
    left_out: int
