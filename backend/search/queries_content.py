"""What a case says: rows of its current readings and of people, as the search index takes them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import ARRAY, Double, Text, Uuid, bindparam, exists, func, literal, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import undefer

from backend.models.account import Account
from backend.models.alert import Alert
from backend.models.case import Case
from backend.models.case_index import CaseFrame
from backend.models.case_pair import CaseTraits
from backend.models.case_screen import CaseScreen
from backend.models.case_search import CaseNumber
from backend.models.evidence import Evidence
from backend.models.fact import Fact
from backend.models.finding import Finding
from backend.models.frame import Frame
from backend.models.host import Host
from backend.models.label import Label
from backend.models.log_record import LogRecord
from backend.models.note import Note
from backend.models.standing import standing
from backend.models.team import Team

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy import BindParameter, ColumnElement, Select
    from sqlalchemy.orm import Session
    from sqlalchemy.types import TypeEngine

    from signatures.documents.overview import OverviewDocument
    from signatures.documents.waits import WaitGraphDocument

MAX_LINES = 400
"""Distinct log lines of each sort, classified and not, that a case is found by."""
MAX_LINE = 400
MAX_VALUES = 1000
MAX_FUNCTIONS = 500
MAX_FACTS = 400
MAX_TEXT = 40_000
"""Characters of notes."""
MAX_FILES = 2_000


OF_CASES: tuple[Any, ...] = (Finding, Label, Note, Alert, LogRecord, CaseFrame, Fact, CaseNumber)
"""Tables of which most cases lack rows of some."""

NO_LOGS: dict[str, list[str]] = {"classes": [], "lines": [], "log_values": []}


class FactRange(NamedTuple):
    """A fact of a case: the least and greatest number, and its texts."""

    name: str
    least: float | None
    greatest: float | None
    texts: list[str] | None


class Content(NamedTuple):
    """What a case is indexed by.

    Attributes:
        findings: Signature, title and verdict, the best first.
        lines: Log lines with a class first.
        log_values: Values of the fields of classified records: tasks, devices, cgroups.
        functions: Name and weight, the heaviest first.
        files: Captured paths, or file names.
        has_numbers: Whether numbers of it are stored.
        traits_digest: That of its stored traits (`queries_pairs.Stored`); None without any.
    """

    case: Case
    owner: str
    team: str
    overview: OverviewDocument | None
    waits: Sequence[WaitGraphDocument]
    findings: list[tuple[str, str, str]]
    labels: list[tuple[str, str]]
    notes: list[str]
    hosts: list[str]
    files: list[str]
    classes: list[str]
    lines: list[str]
    log_values: list[str]
    functions: list[tuple[str, float]]
    facts: list[FactRange]
    has_numbers: bool
    traits_digest: int | None


def content_of(session: Session, case_id: UUID) -> Content | None:
    """Return the content of a case as of this transaction; None when there is none."""
    row = session.execute(_stored(), {"case_id": case_id}).one_or_none()
    if row is None:
        return None
    case, owner, team, overview, waits, files, hosts, traits_digest, *have = row
    # One statement instead of one for each table without rows.
    present = {model for model, is_there in zip(OF_CASES, have, strict=True) if is_there}
    labels = select(Label.signature, Label.opinion).where(Label.case_id == case_id).distinct()
    notes = select(func.left(Note.text, MAX_TEXT)).where(Note.case_id == case_id, Note.deleted_at.is_(None))
    alerted = select(Alert.host).where(Alert.case_id == case_id, Alert.host != "").distinct()
    return Content(
        case=case,
        owner=owner or "",
        team=team or "",
        overview=overview,
        waits=waits or (),
        findings=_findings(session, case_id) if Finding in present else [],
        labels=[(one, opinion.value) for one, opinion in session.execute(labels)] if Label in present else [],
        notes=list(session.scalars(notes.limit(1000))) if Note in present else [],
        hosts=sorted(
            {
                *hosts,
                *(session.scalars(alerted.limit(MAX_FILES)) if Alert in present else ()),
            }
        ),
        files=files,
        **(_of_logs(session, case_id) if LogRecord in present else NO_LOGS),
        functions=_functions(session, case_id) if CaseFrame in present else [],
        facts=_facts(session, case_id) if Fact in present else [],
        has_numbers=CaseNumber in present,
        traits_digest=traits_digest,
    )


@cache
def _stored() -> Select[*tuple[Any, ...]]:
    """Return the query for a case, what is one or a short list of it, and which of `OF_CASES` have rows.

    It has the parameter `case_id`: made once, as that takes longer than it runs.
    """
    case_id = bindparam("case_id", type_=Uuid())
    is_used = select(Evidence.id).where(Evidence.host_id == Host.id, Evidence.deleted_at.is_(None)).exists()
    hosts = select(Host.name).where(Host.case_id == case_id, Host.name != "", is_used).distinct()
    path = func.coalesce(func.nullif(Evidence.captured_path, ""), Evidence.filename)
    files = select(path).where(Evidence.case_id == case_id, Evidence.deleted_at.is_(None)).distinct()
    return (
        select(
            Case,
            Account.name,
            Team.name,
            CaseScreen.overview,
            CaseScreen.waits,
            _array(files.limit(MAX_FILES)),
            _array(hosts.limit(MAX_FILES)),
            select(CaseTraits.digest).where(CaseTraits.case_id == case_id).scalar_subquery(),
            *(exists().where(one.case_id == case_id) for one in OF_CASES),
        )
        .outerjoin(CaseScreen, CaseScreen.case_id == Case.id)
        .outerjoin(Account, Account.id == Case.assignee_id)
        .outerjoin(Team, Team.id == Case.team_id)
        .where(Case.id == case_id)
        .options(undefer(Case.alarms), undefer(Case.audience))
        .execution_options(populate_existing=True)
    )


def _array(query: Select[Any], of: TypeEngine[Any] | None = None) -> ColumnElement[Any]:
    """Return the rows of a query of one column as an array: several lists are one statement."""
    return func.array(query.scalar_subquery(), type_=ARRAY(of or Text()))


def _findings(session: Session, case_id: UUID) -> list[tuple[str, str, str]]:
    query = (
        select(Finding.signature, Finding.title, Finding.verdict)
        .where(Finding.case_id == case_id)
        .order_by(Finding.verdict, Finding.score.desc(), Finding.signature)
    )
    return [(signature, title, verdict) for signature, title, verdict in session.execute(query)]


def _of_logs(session: Session, case_id: UUID) -> dict[str, list[str]]:
    classes, classified, others, fields = session.execute(_log_lists(), {"case_id": case_id}).one()
    found = dict.fromkeys(str(value)[:MAX_LINE] for one in fields for value in one.values())
    return {
        "classes": sorted(classes),
        "lines": [*classified, *others],
        "log_values": list(found)[:MAX_VALUES],
    }


@cache
def _log_lists() -> Select[*tuple[Any, ...]]:
    """Return the query for classes, messages with and without one, and fields; its parameter is `case_id`."""
    case_id = bindparam("case_id", type_=Uuid())
    is_classified = LogRecord.subsystem != ""
    kinds = standing(select(LogRecord.kind), LogRecord).where(LogRecord.case_id == case_id, is_classified)
    values = standing(select(LogRecord.fields), LogRecord).where(LogRecord.case_id == case_id, is_classified)
    return select(
        _array(kinds.distinct()),
        _array(_lines(case_id, is_classified=True)),
        _array(_lines(case_id, is_classified=False)),
        _array(values.order_by(LogRecord.id).limit(MAX_LINES), JSONB()),
    )


def _lines(case_id: BindParameter[UUID], *, is_classified: bool) -> Select[str]:
    """Return the query for distinct messages, each as often as it matters: once."""
    message = func.left(LogRecord.message, MAX_LINE)
    has_class = LogRecord.subsystem != "" if is_classified else LogRecord.subsystem == ""
    query = standing(select(message), LogRecord).where(LogRecord.case_id == case_id, has_class)
    return query.group_by(message).order_by(func.min(LogRecord.id)).limit(MAX_LINES)


def _functions(session: Session, case_id: UUID) -> list[tuple[str, float]]:
    query = (
        select(Frame.name, CaseFrame.weight)
        .join(Frame, Frame.id == CaseFrame.frame_id)
        .where(CaseFrame.case_id == case_id)
        .order_by(CaseFrame.weight.desc(), Frame.name)
        .limit(MAX_FUNCTIONS)
    )
    return [(name, weight) for name, weight in session.execute(query)]


def _facts(session: Session, case_id: UUID) -> list[FactRange]:
    return [FactRange(*row) for row in session.execute(_ranges(), {"case_id": case_id})]


@cache
def _ranges() -> Select[*tuple[Any, ...]]:
    """Return the query for the facts of a case, with the parameter `case_id`."""
    number: Any = Fact.number
    for name in ("nan", "inf", "-inf"):
        number = func.nullif(number, literal(float(name), Double))
    text: Any = func.array_agg(func.left(Fact.text, 100).distinct()).filter(Fact.text.is_not(None))
    ends = func.min(number), func.max(number)
    query = standing(select(Fact.name, *ends, text), Fact)
    query = query.where(Fact.case_id == bindparam("case_id", type_=Uuid()))
    return query.group_by(Fact.name).order_by(Fact.name)
