"""The overview of a case, and its headline as lists show it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

from signatures.documents.citation import Place
from signatures.documents.finding import Verdict
from signatures.documents.hypotheses import MatrixDocument
from signatures.documents.levels import HeadlineKind, Level, Severity

QuestionName: TypeAlias = Literal[
    "kernel-log", "cpu", "memory", "io", "network", "locks", "scheduling", "cgroup-limits"
]
QuestionState: TypeAlias = Literal["alarm", "unclassified errors", "notable", "no alarm", "not assessed"]
StatementKind: TypeAlias = Literal["alarm", "unclassified", "fact"]

Relation: TypeAlias = Literal["", "follows", "wait", "task", "cgroup", "device", "time", "together"]
"""What connects two nodes of a chain: a known consequence, a wait, or one thing that both are about."""

SHOWN = 3
"""Statements below the headline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspicionDocument:
    """The suspected cause below a headline that is not of it.

    Attributes:
        signature: Signature of the finding; empty for a statement.
        host: Host it is about, "" when unknown or of all.
    """

    kind: HeadlineKind
    text: str
    signature: str = ""
    host: str = ""


@dataclass(frozen=True, slots=True)
class ChipDocument:
    """A number of a headline with its line; `title` is the sentence or condition that it is from."""

    text: str
    title: str
    citation: Place


@dataclass(frozen=True, slots=True)
class LinkDocument:
    """A node of the chain of causes with its lines.

    Attributes:
        edge: `then` where the evidence has an order, `with` where it has none; "" of the first node.
        relation: What connects it with an earlier node; "" of the first.
        reason: That in a few words; "" in cases judged before it was stored.
        proof: Lines that show it.
    """

    text: str
    edge: str
    citation: Place
    relation: Relation = ""
    reason: str = ""
    proof: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineDocument(SuspicionDocument):
    """The first sentence: a match, else the strongest statement, else what was assessed.

    It has at most 12 words and 90 characters (`headline_grammar.yaml`).

    Attributes:
        signature: Signature of the finding; empty for a statement.
        host: Host it is about, "" when unknown or of all.
        severity: Of the finding or alarm; null for all others.
        statement: Index of the statement that it is of, or whose cause it names; null without one.
        is_stated: It is that statement as a whole.
        detail: The same in full.
        chips: Its numbers, at most three.
        may_be: The suspected cause in the same grammar; empty without one.
    """

    severity: Severity | None = None
    statement: int | None = None
    is_stated: bool = False
    detail: str = ""
    chips: tuple[ChipDocument, ...] = ()
    may_be: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseHeadlineDocument:
    """The first sentence of a case as lists show it.

    Attributes:
        signature: Signature of the finding; empty without one.
        suspicion: Signature of the suspected cause below it; empty without one.
        alarm: Class of the kernel log, or area, of the alarm; empty without one.
        title: Title of the signature or alarm, else `text`.
        verdict: Of the finding or alarm; null without one, as are severity, level, confidence and coverage.
        unjudged: Why the newest evidence is not judged; empty if it is.
    """

    kind: HeadlineKind
    text: str
    signature: str = ""
    host: str = ""
    suspicion: str = ""
    alarm: str = ""
    title: str = ""
    verdict: Verdict | None = None
    severity: Severity | None = None
    level: Level | None = None
    confidence: float | None = None
    coverage: float | None = None
    unjudged: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionDocument:
    """The state of one question over all hosts.

    Attributes:
        alarms: Number of its alarms.
        capture: Command that would answer it; "" when it is answered.
        is_partial: Not assessed, but some evidence is about it.
        note: Why that does not answer it.
    """

    name: QuestionName
    title: str
    state: QuestionState
    alarms: int
    capture: str
    is_partial: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementDocument:
    """One sentence about the evidence with its lines.

    Attributes:
        level: What orders the statements.
        capture: Command that shows more; "" when none.
    """

    question: QuestionName
    kind: StatementKind
    text: str
    host: str = ""
    level: Level = "context"
    capture: str = ""
    citations: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HostLeadDocument:
    """The headline that each of some hosts has on its own.

    Attributes:
        hosts: By name.
        text: In the grammar of headlines; empty where nothing is stated.
        signature: Signature of the finding; empty for a statement.
        citation: Lines of the first of the hosts; null without any.
    """

    hosts: tuple[str, ...]
    kind: HeadlineKind
    text: str
    level: Level = "context"
    signature: str = ""
    citation: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatedDocument:
    """How many signatures were evaluated."""

    checked: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewDocument:
    """What the first screen of a case says.

    Attributes:
        suspicion: The suspected cause, `May be: …`, where the headline is not of it.
        statements: The worst level first.
        chain: The cause of the headline and what followed from it; empty where one thing happened.
        next_capture: Command to run next; empty when nothing is missing.
        next_capture_reason: What the output of the command shows.
        first_steps: What to do first where no signature matches, one step for each thing that may turn out.
        is_urgent: The first steps do not wait for the next capture: damage grows meanwhile, or the step is of
            the very class of the log.
        matrix: What else it could be; its first capture is `next_capture`.
        by_host: What leads on each host, the worst level first; empty with fewer than two hosts.
    """

    SPARSE: ClassVar[frozenset[str]] = frozenset({"by_host"})

    headline: HeadlineDocument
    suspicion: SuspicionDocument | None = None
    questions: tuple[QuestionDocument, ...] = ()
    statements: tuple[StatementDocument, ...] = ()
    chain: tuple[LinkDocument, ...] = ()
    next_capture: str = ""
    next_capture_reason: str = ""
    first_steps: tuple[str, ...] = ()
    is_urgent: bool = False
    signatures: EvaluatedDocument = EvaluatedDocument()
    matrix: MatrixDocument = field(default_factory=MatrixDocument)
    by_host: tuple[HostLeadDocument, ...] = ()

    @property
    def strongest(self) -> tuple[StatementDocument, ...]:
        """The statements below the headline: first its own, unless the headline is that as a whole."""
        return self.ordered[self.headline.is_stated :][:SHOWN]

    @property
    def ordered(self) -> tuple[StatementDocument, ...]:
        """All statements, that of the headline first."""
        own = self.lead
        others = tuple(one for one in self.statements if one is not own)
        return (own, *others) if own else others

    @property
    def lead(self) -> StatementDocument | None:
        """The statement that the headline is of; None without one."""
        index = self.headline.statement
        return None if index is None else self.statements[index]

    @property
    def unstated(self) -> str:
        """The headline in full, where neither a finding nor a statement says it; else ""."""
        headline = self.headline
        is_said = headline.signature or self.lead or headline.detail == headline.text
        return "" if is_said or headline.kind in {"nothing unusual", "no evidence"} else headline.detail
