"""What the endpoints about the hosts of a case give."""

from __future__ import annotations

from uuid import UUID

from pydantic import BaseModel

from backend.findings.schemas import PlaceRead, Verdict

Value = float | str | bool | None


class BootRead(BaseModel):
    """One boot of a machine, as its evidence names it; "" for what it does not say."""

    machine_id: str
    boot_id: str
    evidence_count: int


class HostRead(BaseModel):
    """One machine of a case and what is known of it; the name is "" for evidence that names none."""

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
    """A signature that says something on at least one host, and what it says on each."""

    signature: str
    title: str
    severity: str
    cells: list[CellRead]


class HostsRead(BaseModel):
    """How the evidence of a case falls apart into machines and boots, and the verdicts on each."""

    hosts: list[HostRead]
    rows: list[MatrixRow]


class DifferenceRead(BaseModel):
    """A fact that differs; `bits` is how surprising the bad value is, given the `good` ones."""

    name: str
    labels: dict[str, str]
    unit: str
    meaning: str
    bad: Value
    good: list[Value]
    bits: float
    because: str
    bad_at: PlaceRead
    good_at: PlaceRead


class ContrastRead(BaseModel):
    """What differs on `bad` from `good`, most surprising first; `total` counts those that were cut off too.

    What only one side states proves nothing and is counted alone.
    """

    bad: str
    good: list[str]
    differences: list[DifferenceRead]
    total: int
    alike: int
    only_bad: int
    only_good: int


class OutlierRead(BaseModel):
    """The host whose facts stand out from all others; null when none does or there are fewer than three."""

    host: str | None
    bits: float = 0.0
    runner_up: float = 0.0
    names: list[str] = []
