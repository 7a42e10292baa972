"""Response schemas of the host endpoints."""

from __future__ import annotations

from uuid import UUID

from pydantic import BaseModel

from signatures.documents.citation import Place
from signatures.documents.finding import Verdict

Value = float | str | bool | None


class BootRead(BaseModel):
    """One boot of a host, as stated by its evidence; "" where not stated."""

    machine_id: str
    boot_id: str
    evidence_count: int


class HostRead(BaseModel):
    """One host of a case; `name` is "" for evidence without a host name."""

    name: str
    boots: list[BootRead]
    evidence_count: int
    fact_count: int
    kernels: list[str]


class CellRead(BaseModel):
    """The verdict of a signature for one host and phase."""

    host: str
    phase: str
    finding_id: UUID
    verdict: Verdict
    confidence_word: str | None
    coverage_word: str


class MatrixRow(BaseModel):
    """A signature with a listed finding on at least one host, and its verdict on each."""

    signature: str
    title: str
    severity: str
    cells: list[CellRead]


class HostsRead(BaseModel):
    """Hosts and boots of the evidence, and the verdicts on each."""

    hosts: list[HostRead]
    rows: list[MatrixRow]


class DifferenceRead(BaseModel):
    """A differing fact; `bits` is the surprisal of the bad value given the `good` ones."""

    name: str
    labels: dict[str, str]
    unit: str
    meaning: str
    bad: Value
    good: list[Value]
    bits: float
    because: str
    bad_at: Place
    good_at: Place


class ContrastRead(BaseModel):
    """Differences of `bad` from `good`, most surprising first; `total` includes those cut off.

    Facts stated by one side only prove nothing and are counted separately.
    """

    bad: str
    good: list[str]
    differences: list[DifferenceRead]
    total: int
    alike: int
    only_bad: int
    only_good: int


class OutlierRead(BaseModel):
    """The host whose facts are an outlier; null when there is none or fewer than three hosts."""

    host: str | None
    bits: float = 0.0
    runner_up: float = 0.0
    names: list[str] = []
