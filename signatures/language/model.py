"""What a signature is, once read: typed, frozen, without YAML.

A clause tests one condition or a group of them (`any`, `all`, `none`); every condition asks one predicate.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from signatures.language.conditions import FrameSet, KernelCondition, Test

Role: TypeAlias = Literal["core", "corroborates", "context", "rival"]


@dataclass(frozen=True, slots=True)
class Clause:
    """One condition of a signature as a person would name it.

    Attributes:
        weight: Positive; what a rival weighs is taken off the score.
        is_veto: A rival that ends the matter when TRUE.
        refuted_by: A test that can make this clause FALSE and never TRUE.
        when: Kernels that can show this at all; others make it NOT_OBSERVABLE.
    """

    id: str
    title: str
    role: Role
    weight: float
    is_veto: bool
    test: Test
    refuted_by: Test | None = None
    when: tuple[KernelCondition, ...] = ()


@dataclass(frozen=True, slots=True)
class Require:
    """What must not be missing: ids of clauses."""

    all: tuple[str, ...] = ()
    any: tuple[str, ...] = ()
    not_false: tuple[str, ...] = ()
    at_least: tuple[int, tuple[str, ...]] = (0, ())


@dataclass(frozen=True, slots=True)
class Decide:
    """The rules that turn clause states into a verdict.

    Attributes:
        match_version: Version verdicts a match is possible with; () for any.
        match_aspect: The face of the defect that the clauses show; its version verdict is the signature's.
    """

    require: Require
    suspect_score: float
    suspect_any: tuple[str, ...]
    match_score: float
    match_all: tuple[str, ...]
    match_any: tuple[str, ...]
    match_pairs: tuple[tuple[str, ...], ...]
    min_coverage: float
    match_version: tuple[str, ...]
    match_aspect: str = ""


@dataclass(frozen=True, slots=True)
class Capture:
    """A command that settles a clause, from the shared, safety-checked catalogue or beside it.

    Attributes:
        unsafe_if: Ids of signatures under which it must not be run.
        cgroup: The only cgroup version that has these files: `v1`, `v2`, or "" for either.
        os: `linux`, whose captures are POSIX sh, or `windows`.
    """

    name: str
    title: str
    run: str
    cost: str
    needs: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    unsafe_if: tuple[str, ...] = ()
    cgroup: str = ""
    reads: tuple[str, ...] = ()
    os: str = "linux"


@dataclass(frozen=True, slots=True)
class First:
    """Once the clauses `after` are TRUE, `ask` is the first to settle."""

    after: tuple[str, ...]
    ask: str


@dataclass(frozen=True, slots=True)
class Affected:
    """One row of the version table: a range in one ecosystem, or a recorded verdict for a branch.

    Attributes:
        introduced: First release that has it, as the ecosystem writes releases; "" for every one looked at.
        fixed: First release without it; "" when none is on record.
        branch: Stable branches (`6.12.y`) or a vendor's line (`el7`, `amzn2`) the row speaks of alone.
        verdict: What is said in place of `affected`, where the record does not say more.
        flavour: Kernel flavour (`gcp`, `generic`) the row speaks of alone.
        as_of: The day (`2026-01-13`) on which the record was true; what was built later is unknown.
    """

    ecosystem: str
    aspect: str = ""
    introduced: str = ""
    fixed: str = ""
    branch: str = ""
    flavour: str = ""
    verdict: str = ""
    basis: str = ""
    status: str = ""
    as_of: str = ""


@dataclass(frozen=True, slots=True)
class Implication:
    """Something seen that proves a fact, whatever the release says.

    Attributes:
        kind: `frame`, `tracepoint`, `rows`, `log` or `has_fact`: what must have been seen.
        names: Which, for every kind but `frame`.
    """

    frames: FrameSet
    fact: str
    value: bool | str
    kind: str = "frame"
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Signature:
    """A known pathology.

    Attributes:
        bind: Variable to kind of entity: `process` or `cgroup`.
        own_of: Variable of a group to that of the process whose own group it is.
        applies: FALSE makes the signature not applicable; missing never blocks a suspect.
        reported: Rows shown as "seen on", never as "affected".
        fixes: Documents as written, for the page; `scope`, `risk`, `undo` are checked by lint.
        next: Clause id to the captures that settle it, best first.
        first: What is asked first, given what is TRUE; the first row that holds counts.
    """

    id: str
    version: int
    title: str
    severity: str
    status: str
    symptoms: tuple[str, ...]
    bind: dict[str, str]
    applies: Test | None
    affected: tuple[Affected, ...]
    reported: tuple[dict[str, str], ...]
    implies: tuple[Implication, ...]
    clauses: tuple[Clause, ...]
    decide: Decide
    extract: dict[str, str]
    supersedes: tuple[str, ...]
    next: dict[str, tuple[Capture, ...]]
    fixes: tuple[dict[str, object], ...]
    references: tuple[dict[str, str], ...]
    aliases: tuple[str, ...] = ()
    own_of: dict[str, str] = field(default_factory=dict)
    first: tuple[First, ...] = ()
    story: str = field(default="", repr=False)
    folder: str = ""

    def clause(self, clause_id: str) -> Clause:
        """Return the clause with this id."""
        return next(clause for clause in self.clauses if clause.id == clause_id)
