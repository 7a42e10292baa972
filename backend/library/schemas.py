"""Request and response schemas of the library."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backend.core.http.envelope import Listed
from backend.core.http.request_body import RequestBody
from backend.profiles.schemas import Columns
from backend.profiles.schemas_series import Distribution

MAX_TEXT_CHARACTERS = 200_000

EntryKind = Literal["signature", "story"]
KernelVerdict = Literal[
    "affected",
    "probably_affected",
    "affected_unless_backported",
    "unknown",
    "probably_not_affected",
    "not_affected",
    "fixed",
    "version_independent",
]


class SearchQuery(RequestBody):
    """Search text, or pasted terminal output, with filters."""

    text: str = Field(default="", max_length=MAX_TEXT_CHARACTERS, examples=["ps aux hangs"])
    kind: EntryKind | None = None
    area: str | None = Field(default=None, max_length=50, examples=["mm"])
    symptom: str | None = Field(default=None, max_length=50, description="Name of a symptom group")
    has_fix: bool | None = None
    weak: bool | None = Field(default=None, description="Also results that few of the words support")
    kernel: str | None = Field(
        default=None,
        max_length=2000,
        description=(
            "A kernel: `uname -a`, /proc/version, /proc/version_signature, the name of a cloud image, or "
            "os-release; results state whether it is affected"
        ),
        examples=["5.15.0-1040-gke"],
    )
    kernel_verdict: KernelVerdict | None = Field(
        default=None, description="Only results with this status of `kernel`"
    )


class PieceRead(BaseModel):
    """Lines of the text recognised as the output of a tool."""

    format: str
    title: str
    first_line: int
    last_line: int


class PartRead(BaseModel):
    """A part of a text, highlighted if a hit."""

    text: str
    is_hit: bool


class ReasonRead(BaseModel):
    """One component of the rank of a result, 0..1, and its basis."""

    kind: Literal["judged", "functions", "words"]
    share: float
    basis: list[str]


class ResultRead(BaseModel):
    """One matching signature or story.

    `groups` are the names of its symptom groups. `verdict` is what the judge said of the pasted text,
    `kernel_verdict` what the version table says of the kernel asked for or named in the text; None when there
    was nothing to say it of. `headline`, `lead` and `reading_minutes` are title, beginning and reading time
    of the story of a signature; the title of a story of a team is `title`.
    """

    kind: EntryKind
    key: str
    title: list[PartRead]
    headline: str
    lead: str
    reading_minutes: int
    snippet: list[PartRead]
    area: str
    severity: str
    status: str
    symptoms: list[str]
    groups: list[str]
    has_fix: bool
    score: float
    reasons: list[ReasonRead]
    verdict: str | None
    met: list[str]
    kernel_verdict: KernelVerdict | None
    kernel_basis: str
    kernel_sentence: str = ""
    updated_at: datetime


class FacetRead(BaseModel):
    """One value of a facet with its result count."""

    value: str
    title: str
    count: int


class FacetsRead(BaseModel):
    """Facets; each counts the results filtered by all others."""

    kind: list[FacetRead]
    area: list[FacetRead]
    symptom: list[FacetRead]
    has_fix: list[FacetRead]
    kernel_verdict: list[FacetRead]


class SearchRead(Listed[ResultRead]):
    """Search results by rank; all entries by name for an empty query.

    `weak_count` results that few of the words support are left out; `weak` asks for them.
    `spellings` maps unknown words to the nearest known ones, searched too; `did_you_mean` is the corrected
    `text`. `unread` says why the text could not be parsed as evidence. `kernel` says what was understood of
    the kernel asked for; "" when none was.
    """

    count: int
    weak_count: int = 0
    facets: FacetsRead
    recognised: list[PieceRead]
    functions: list[str]
    did_you_mean: str | None
    spellings: dict[str, str]
    unread: str
    kernel: str = ""


class ExhibitProfile(Columns):
    """A call tree of a fixture; `total_weight` of `unit` is 100 %."""

    evidence_name: str
    has_weights: bool
    event: str
    unit: str
    total_weight: float
    total_samples: float


class ExhibitHistogram(Distribution):
    """A histogram of a fixture."""

    evidence_name: str


class ExhibitsRead(BaseModel):
    """The charts of one fixture folder, the largest profile first; `left_out` counts the omitted ones."""

    name: str
    kind: Literal["pos", "neg", "unk", "ver"]
    profiles: list[ExhibitProfile]
    histograms: list[ExhibitHistogram]
    left_out: int
