"""Data model of signatures: typed, immutable, independent of YAML.

A clause tests one condition or a group of them (`any`, `all`, `none`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from signatures.language.systems import ANY_LINUX, System

if TYPE_CHECKING:
    from ingest.model.json_value import JsonObject, JsonValue
    from signatures.language.conditions import Condition, FrameSet, Test
    from signatures.language.errors import SignatureError

DEFECT, CONDITION = "defect", "condition"
"""Kinds of signatures: a fault that some kernel releases have; or behaviour by design, a setting, a load, or
what hardware and other machines do."""

BY_DESIGN = "by_design"
"""Verdict of a row of the version table: an aspect that no release causes or ends."""

Role: TypeAlias = Literal["core", "corroborates", "context", "rival"]


@dataclass(frozen=True, slots=True)
class Clause:
    """One titled condition of a signature.

    Attributes:
        weight: Positive; the weight of a rival is subtracted from the score.
        is_veto: An excluding condition: when TRUE the verdict is `no_match`.
        refuted_by: A test that can make this clause FALSE and never TRUE.
        when: Kernels that can show it; on others it is NOT_OBSERVABLE.
        ruled_out_by: Ids of clauses that leave no room for this rival: one of them TRUE, by a reading that is
            not capped, makes an undecided rival FALSE.
        answers: What is known once it is TRUE, as words behind "not known": `who holds the memory`; or "".
    """

    id: str
    title: str
    role: Role
    weight: float
    is_veto: bool
    test: Test
    refuted_by: Test | None = None
    when: tuple[Condition, ...] = ()
    ruled_out_by: tuple[str, ...] = ()
    answers: str = ""


@dataclass(frozen=True, slots=True)
class Require:
    """Requirements of a match: ids of clauses."""

    all: tuple[str, ...] = ()
    any: tuple[str, ...] = ()
    not_false: tuple[str, ...] = ()
    at_least: tuple[int, tuple[str, ...]] = (0, ())


@dataclass(frozen=True, slots=True)
class Decide:
    """The rules that turn clause states into a verdict.

    Attributes:
        match_version: Version verdicts that allow a match; () for any.
        match_aspect: Aspect of the defect that the clauses show; its version verdict is the signature's.
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
    """A command that settles a clause, from the shared catalogue or defined in the signature.

    Attributes:
        unsafe_if: Ids of signatures under which running it is unsafe.
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
    """When the clauses `after` are TRUE, settle `ask` first."""

    after: tuple[str, ...]
    ask: str


@dataclass(frozen=True, slots=True)
class Affected:
    """One row of the version table: a range in one ecosystem, or a recorded verdict for a branch.

    Attributes:
        introduced: First affected release, in the notation of the ecosystem; "" for every checked release.
        fixed: First fixed release; "" when none is known.
        branch: Stable branches (`6.12.y`) or vendor line (`el7`, `amzn2`) that the row is limited to.
        verdict: Verdict used in place of `affected`; `by_design`: no release causes or ends the aspect.
        flavour: Kernel flavour (`gcp`, `generic`) that the row is limited to.
        as_of: Day (`2026-01-13`) of the record; kernels built later are unknown.
        fixes: Names of records in `signatures/kernels/fixes`; all are needed, and their ranges decide.
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
    fixes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Implication:
    """An observation that proves a fact, independent of the release.

    Attributes:
        kind: `frame`, `tracepoint`, `rows`, `log` or `has_fact`: the kind of observation.
        names: Names to match, for every kind except `frame`.
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
        own_of: Variable of a cgroup to the variable of its process.
        applies: FALSE makes the signature not applicable; UNKNOWN does not prevent `suspect`.
        system: The system it is about; evidence of another one makes it not applicable.
        reported: Systems shown as "seen on", not as "affected".
        follows: Signatures that it is a consequence of, where one of them matches too.
        kind: `defect`, or `condition`, which has no affected kernels.
        reason: Why no release causes or ends a condition; "" for a defect.
        fixes: Unparsed documents; lint checks `scope`, `risk`, `undo`.
        next: Clause id to the captures that settle it, best first.
        first: Clauses to settle first, depending on TRUE clauses; the first applicable row counts.
        library: Library of a team that it is from, with the commit: `payments@1f0c9e2ab7d4`; "" for Casebook.
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
    fixes: tuple[dict[str, JsonValue], ...]
    references: tuple[dict[str, str], ...]
    aliases: tuple[str, ...] = ()
    follows: tuple[str, ...] = ()
    own_of: dict[str, str] = field(default_factory=dict)
    first: tuple[First, ...] = ()
    story: str = field(default="", repr=False)
    folder: str = ""
    system: System = ANY_LINUX
    kind: str = DEFECT
    reason: str = ""
    library: str = ""

    def clause(self, clause_id: str) -> Clause:
        """Return the clause with this id."""
        return next(clause for clause in self.clauses if clause.id == clause_id)


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Catalog:
    """Signatures and captures in the order of their ids, with the errors of unreadable files.

    Attributes:
        replaced: Ids that several libraries have; the signature of the last of them is judged.
    """

    signatures: tuple[Signature, ...]
    captures: tuple[Capture, ...]
    problems: tuple[SignatureError, ...] = ()
    replaced: tuple[str, ...] = ()

    def get(self, signature_id: str) -> Signature | None:
        """Return the signature with this id, None when there is none."""
        return next((found for found in self.signatures if found.id == signature_id), None)


def conditions_of_fix(fix: JsonObject) -> tuple[str, ...]:
    """Return the ids of the conditions of which a fix needs one (`only_with`); none for any state."""
    names = fix.get("only_with") or ()
    return tuple(map(str, names)) if isinstance(names, list | tuple) else (str(names),)
