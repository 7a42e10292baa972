"""Arguments and results of computations that judge, redact and hand over a case; JSON values.

The process that asks writes the arguments, the limited child reads them and leaves the result
(`backend.sandbox.child`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    from ingest.model.evidence import Phase
    from ingest.model.json_value import JsonValue
    from signatures.document.team_library import LibraryDocument
    from signatures.judging.observation_cache import Row


class PlaceDocument(TypedDict):
    """Where a reading is in its case: the fields of `signatures.judging.scope.Item` but the reading."""

    evidence: str
    captured_path: str
    host: str
    boot: str
    phase: str
    section: int
    format: str
    first_line: int
    last_line: int
    digest: str


class ReadingDocument(TypedDict):
    """A reading folder with its place in the case."""

    folder: str
    is_provisional: bool
    item: PlaceDocument


class ProfileDocument(TypedDict):
    """A profile: the number of its item, and its number in that reading."""

    item: int
    ordinal: int


class AnalysisArguments(TypedDict):
    """Readings to judge; a given `judgement` (`signatures.documents.case.Judgement`) is not made again.

    Attributes:
        libraries: Libraries of teams to judge by besides that of Casebook.
        shadow: Libraries whose matches are counted, and not part of the judgement.
        profiles: Those whose heaviest functions are asked for.
    """

    items: list[ReadingDocument]
    observations: list[Row]
    judgement: dict[str, JsonValue] | None
    libraries: list[LibraryDocument]
    shadow: list[LibraryDocument]
    profiles: list[ProfileDocument]


class HuntedDocument(TypedDict):
    """The readings of a case, and cached results of the conditions that are asked for."""

    items: list[ReadingDocument]
    observations: list[Row]


class HuntArguments(TypedDict):
    """Cases to judge by `signatures` (ids) of Casebook and of `libraries`."""

    cases: list[HuntedDocument]
    libraries: list[LibraryDocument]
    signatures: list[str]


class WaitGraphArguments(TypedDict):
    """The readings of a case, and which of its wait graphs to draw."""

    items: list[ReadingDocument]
    host: str
    phase: str
    shape: Literal["svg", "mermaid", "text"]


class SourceDocument(TypedDict):
    """One evidence of a case to redact.

    Attributes:
        content: Path of its stored bytes, "" for what is no text or is not stored by itself.
        is_chosen: Whether it is handed over when it is text.
        reason: Why it is not text, "" when it is.
    """

    id: str
    name: str
    captured_path: str
    reason: str
    host: str
    boot: str
    phase: Phase
    content: str
    is_chosen: bool


class SubjectDocument(TypedDict):
    """A case to redact but its key; recipient and question are "" without a handoff.

    Attributes:
        replacements: Open tokens to replace: `name` of the class, `text`.
        resolution: Cause and fix.
        pseudonym_map: Pseudonyms of earlier redactions.
    """

    number: int
    title: str
    recipient: str
    question: str
    resolution: list[str]
    hosts: list[str]
    replacements: list[dict[str, str]]
    notes: list[str]
    tried: list[str]
    pseudonym_map: dict[str, str]
    sources: list[SourceDocument]


class RedactionArguments(TypedDict):
    """A case to redact, and the key of its pseudonyms, hexadecimal, which no file holds."""

    subject: SubjectDocument
    key: str
    readings: list[ReadingDocument]


class HandoffArguments(RedactionArguments):
    """A handoff to prepare; `verdicts` are those of the whole case (`FindingDocument`)."""

    verdicts: list[dict[str, JsonValue]]
    version: str


class DraftArguments(RedactionArguments):
    """A signature to draft from a case."""

    signature_id: str


class RedactedFileDocument(TypedDict):
    """A redacted file: fields of `signatures.handoff.contents.BundleFile`."""

    number: int
    name: str
    path: str
    sha256: str
    size_bytes: int
    lines: int
    changed: int
    counts: dict[str, int]


class ReportedFileDocument(RedactedFileDocument):
    """A redacted file with the id of the original."""

    evidence_id: str


class LeakDocument(TypedDict):
    """A name that the leak scan found in what leaves."""

    where: str
    line: int
    what: str
    written: str


class OpenClassDocument(TypedDict):
    """Tokens that no rule classified; each has the fields of `ingest.redact.second_look.OpenToken`."""

    name: str
    distinct: int
    tokens: list[dict[str, JsonValue]]


class OmissionDocument(TypedDict):
    """A chosen file that is left out."""

    name: str
    reason: str


class VerdictCountDocument(TypedDict):
    """How many verdicts were compared, and how many lists show."""

    compared: int
    listed: int


class RedactionReport(TypedDict, total=False):
    """The redaction report of a handoff, with original values, for the sender; empty before there is one.

    Attributes:
        counts: Replaced places by kind of name; `kinds`: different names.
        differences: Verdicts that the handoff changed (`VerdictChangeDocument`).
    """

    counts: dict[str, int]
    kinds: dict[str, int]
    kept_words: list[str]
    pieces: list[ReportedFileDocument]
    verdicts: VerdictCountDocument
    differences: list[dict[str, JsonValue]]
    leaks: list[LeakDocument]
    open_classes: list[OpenClassDocument]
    left_out: list[OmissionDocument]


class _Picture(TypedDict):
    title: str


class PictureDocument(_Picture, total=False):
    """A flame graph; it has a digest once it is stored."""

    sha256: str


class SharedContent(TypedDict, total=False):
    """What recipients of a handoff get, pseudonyms only; empty until it is ready, `page` once stored."""

    title: str
    summary: str
    pieces: list[RedactedFileDocument]
    pictures: list[PictureDocument]
    page: str


class HandoffResult(TypedDict):
    """A prepared handoff; its files are beside it in the output directory."""

    report: RedactionReport
    shared: SharedContent
    pseudonym_map: dict[str, str]
    faults: list[dict[str, str]]


class SignatureCheckArguments(TypedDict):
    """The text of a signature, the readings to judge by it, and whether it is judged on fixtures too."""

    text: str
    items: list[ReadingDocument]
    with_fixtures: bool
