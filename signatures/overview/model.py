"""Result of a general analysis: a panel of figures and statements, each with citations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from signatures.documents.citation import Place
from signatures.documents.overview import QuestionName, Relation, StatementKind
from signatures.documents.panel import PanelState
from signatures.language.number_format import quantity_words

if TYPE_CHECKING:
    from collections.abc import Hashable

    from signatures.documents.levels import Level
    from signatures.engines import EngineName
    from signatures.faults import Fault
    from signatures.judging.scope import Item
    from signatures.overview.first_steps import Topic

__all__ = (
    "Answer",
    "Covers",
    "Figure",
    "Panel",
    "PanelState",
    "Place",
    "Quantity",
    "QuestionName",
    "Statement",
    "StatementKind",
    "kind_of",
    "place",
    "ranked",
    "shortened",
    "shortened_words",
)


@dataclass(frozen=True, slots=True)
class Figure:
    """One number or text with its source.

    Attributes:
        label: Name of the quantity.
        value: A number in `unit`, or a text.
        unit: `share` (0..1), `seconds`, `bytes`, `count`, `per_second`… or "" for texts.
        places: Source lines; never empty.
        is_notable: Far outside the normal range.
        note: Interpretation, "" when none is needed.
    """

    label: str
    value: float | str
    unit: str
    places: tuple[Place, ...]
    is_notable: bool = False
    note: str = ""

    @property
    def words(self) -> str:
        """The value formatted for people, with its unit."""
        return quantity_words(self.value, self.unit)


class Quantity(NamedTuple):
    """A measured value with its unit, which is one of `Figure`."""

    value: float
    unit: str


class Link(NamedTuple):
    """A node of a chain of causes, with the edge to it.

    Attributes:
        text: What happened.
        place: Its line.
        edge: `then` where the evidence has an order, `with` where it has none; "" of the first node.
        relation: What connects it with an earlier node; "" of the first.
        reason: That in a few words: `same device sda, 30 s later`.
        proof: Lines that show it.
    """

    text: str
    place: Place
    edge: Literal["", "then", "with"] = ""
    relation: Relation = ""
    reason: str = ""
    proof: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of the overview about one question.

    Attributes:
        question: What it is about.
        words: The sentence without its qualifiers and without a full stop.
        places: Source lines; never empty.
        kind: `alarm`: far outside the normal range; `unclassified`: errors of no known class; else `fact`.
        level: What orders the first screen (`signatures.overview.levels`).
        capture: The command that would show more; "" when none.
        also: Other questions that it is an alarm on: a failed write is one of the kernel log and of IO.
        gist: The sentence without the quoted message; "" when it quotes none.
        is_notable: A fact with which its questions are not calm, though it may be meant: CPUs all in use.
        topic: What its first steps are about; "" for none.
        extent: From the first to the last line that it tells of; `places` are the first of them.
        asks: What the output of `capture` shows; "" for the usual of the question.
        is_summary: A number that does not say what is wrong: what says more leads.
        ratio: The value against its threshold; below 1 it is usual. None where no value is compared.
        subject: What it measures or tells of, without a measure: `load average`; "" where the words are that.
        names: What its words name beside the subject, such as commands: other names say something else.
        quantity: What its subject measures; None where that is not named apart.
        qualifiers: What limits or completes the words, each with its own punctuation.
        names_preceding: Its words name what the log reports just before.
        log_classes: Classes of the kernel log that it tells of, the cause first; none of other statements.
        things: Devices and servers that its gist names.
        device: What the cause is about, such as `sda1`; "" when it names none.
        is_cause: It explains alarms of its level, which it stands above.
        first_step: The step that its lines decide; "" where that of its class or topic is said.
        short: The headline that its lines decide; "" where its words are shortened.
        engine: The engine that derived it; "" of what a reader or rule states by name.
        explained: Lines of alarms that its cause explains: what rests on them alone does not lead over it.
        covers: All lines that a calm statement speaks of; only `signatures.overview.calm` states calm.
        chain: The cause and what followed from it, each with its line; empty for fewer than two.
        reports: Classes of its chain, each with what its first message names: `("panic", (("cpu", "3"),))`.
        is_combined: Statements below it are what it says together.
    """

    question: QuestionName
    words: str
    places: tuple[Place, ...]
    kind: StatementKind = "alarm"
    level: Level = "saturation"
    capture: str = ""
    also: tuple[QuestionName, ...] = ()
    gist: str = ""
    is_notable: bool = False
    asks: str = ""
    topic: Topic = ""
    extent: Place | None = None
    is_summary: bool = False
    ratio: float | None = None
    subject: str = ""
    names: tuple[str, ...] = ()
    quantity: Quantity | None = None
    qualifiers: tuple[str, ...] = ()
    names_preceding: bool = False
    log_classes: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    device: str = ""
    is_cause: bool = False
    first_step: str = ""
    short: str = ""
    engine: EngineName | Literal[""] = ""
    explained: tuple[Place, ...] = ()
    covers: tuple[Place, ...] = ()
    chain: tuple[Link, ...] = ()
    reports: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    is_combined: bool = False

    @property
    def text(self) -> str:
        """The whole sentence, without a full stop."""
        return "".join((self.words, *self.qualifiers))

    def title(self, at_most: int) -> str:
        """Return the sentence without what it quotes, cut between words when it is long."""
        return shortened_words(self.gist or "".join((self.words, *self.qualifiers)), at_most)

    @property
    def key(self) -> Hashable:
        """What is equal of statements that say the same, but for a quantity."""
        said = self.words if self.is_combined else self.subject or self.text
        return self.kind, self.question, self.level, said, self.names

    @property
    def questions(self) -> tuple[QuestionName, ...]:
        """All questions that it is about."""
        return (self.question, *self.also)

    @property
    def explains_calm(self) -> bool:
        """Whether it says why values are those of a healthy machine."""
        return self.is_cause and self.kind == "fact" and not self.is_notable

    @property
    def is_filler(self) -> bool:
        """Whether it is a largest value that nobody judged: it leads only where there is nothing else."""
        return self.engine == "quantities" and self.level == "context"

    @property
    def is_usual(self) -> bool:
        """Whether it states a value below its threshold, and is no sum over the machine."""
        return self.ratio is not None and self.ratio < 1 and not self.is_summary


class Covers(NamedTuple):
    """A question that evidence answers, and what the answer rests on.

    Attributes:
        places: Lines; never empty.
        unlisted: How many things its own head counts that are not among the rows.
    """

    question: QuestionName
    places: tuple[Place, ...]
    unlisted: int = 0


@dataclass(frozen=True, slots=True)
class Panel:
    """The result of one analysis for one host and phase.

    Attributes:
        name: Stable name: `cpu-time`, `use-table`.
        title: Name of the analysis for people.
        host: Host name, "" when unknown.
        phase: `before`, `during` or `after`.
        state: `notable` when a figure is or a statement is an alarm, `unknown` without figures or undecided,
            else `calm`.
        summary: One sentence.
        figures: Figures, the most informative first.
        lacks: Missing evidence: commands or files.
        statements: Sentences for the overview.
        assesses: Questions that its evidence answers completely, as `signatures.overview.calm` decides.
        about: Questions that its figures are about, whether or not they answer them.
        partial: Questions that it does not answer, though it is about them, each with the reason.
        refused: Questions that its evidence would answer if it were whole, and that nothing else answers.
        fault: Why it could not be evaluated; None when it was. Nothing about its questions is calm then.
    """

    name: str
    title: str
    host: str
    phase: str
    state: PanelState
    summary: str
    figures: tuple[Figure, ...] = ()
    lacks: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()
    assesses: tuple[QuestionName, ...] = ()
    about: tuple[QuestionName, ...] = ()
    partial: tuple[tuple[QuestionName, str], ...] = ()
    refused: tuple[QuestionName, ...] = ()
    fault: Fault | None = None


class Answer(NamedTuple):
    """What an analysis function returns; the attributes are those of `Panel`.

    Attributes:
        assesses: Questions that it answers if what it rests on was read whole.
        is_undecided: The figures are facts; whether they are normal needs what `lacks` names.
    """

    summary: str
    figures: tuple[Figure, ...] = ()
    lacks: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()
    assesses: tuple[Covers, ...] = ()
    is_undecided: bool = False
    about: tuple[QuestionName, ...] = ()
    partial: tuple[tuple[QuestionName, str], ...] = ()


def kind_of(*, is_alarm: bool) -> StatementKind:
    """Return the kind of a statement about a measured value."""
    return "alarm" if is_alarm else "fact"


def ranked(
    *, is_alarm: bool, alarm: Level = "saturation", fact: Level = "notable"
) -> tuple[StatementKind, Level]:
    """Return the kind of a statement with the level that it has as that kind."""
    return ("alarm", alarm) if is_alarm else ("fact", fact)


def place(item: Item, first_line: int, last_line: int | None = None) -> Place:
    """Return a place in the section of `item`."""
    return Place(item.evidence, item.section, first_line, last_line or first_line)


def shortened_words(text: str, at_most: int = 60) -> str:
    """Return a text that is cut between words when it is long."""
    if len(text) <= at_most:
        return text
    return f"{text[:at_most].rpartition(' ')[0] or text[:at_most]} …"


def shortened(figures: list[Figure], at_most: int) -> tuple[Figure, ...]:
    """Return at most `at_most` figures, notable ones first, then by size."""
    ranked = sorted(
        figures, key=lambda one: (not one.is_notable, -one.value if isinstance(one.value, float) else 0.0)
    )
    return tuple(ranked[:at_most])
