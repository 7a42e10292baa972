"""Response schemas of the signature library."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from ingest.model.json_value import JsonValue
from signatures.documents.finding import Verdict


class ProofRead(BaseModel):
    """A test fixture of a signature, its provenance and its expected verdict."""

    name: str
    kind: Literal["pos", "neg", "unk", "ver"]
    provenance: str
    verdict: Verdict
    same_as: str


class DetectionRead(BaseModel):
    """An export of a signature as detection outside Casebook, served as a file."""

    name: Literal["prometheus", "probe", "node-problem-detector"]
    title: str
    filename: str


class SignatureSummary(BaseModel):
    """List entry of a signature; `library` is that of a team with its commit, "" for that of Casebook."""

    id: str
    version: int
    title: str
    severity: str
    status: str
    area: str
    symptoms: list[str]
    library: str = ""
    aliases: list[str]


class SignatureRead(SignatureSummary):
    """A signature with its document as written and its story as Markdown."""

    document: dict[str, JsonValue]
    story: str
    evidence: list[ProofRead]
    detections: list[DetectionRead]
