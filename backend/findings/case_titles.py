"""Titles of cases of many files without a common folder: by their hosts, else by the file that says most.

    memory.failcnt and 122 more files  ->  db7 (123 files)  ->  dmesg.txt and 122 more files

A title that a person wrote stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.models.evidence import Evidence
from backend.models.host import Host
from backend.models.section import Section
from backend.uploads.names import is_of_one_file, title_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sqlalchemy.orm import Session

    from backend.models.case import Case
    from signatures.documents.finding import FindingDocument

MAX_HOSTS = 3
TELLING = ("kernel-log", "perf-script", "perf-table", "bpftrace-text", "bcc-stacks", "thread-dump")
"""Formats that say most about a case without a finding, the first first; then the largest file."""


def rename(session: Session, case: Case, findings: Sequence[FindingDocument]) -> None:
    """Title `case` by what was read, if its title names one of its files and counts the others."""
    if not is_of_one_file(case.title):
        return
    files = session.execute(
        select(Evidence.id, Evidence.captured_path, Evidence.filename, Evidence.size_bytes, Host.name)
        .outerjoin(Host, Host.id == Evidence.host_id)
        .where(Evidence.case_id == case.id, Evidence.parent_id.is_(None), Evidence.deleted_at.is_(None))
    ).all()
    names = {str(row.id): row.captured_path or row.filename for row in files}
    if not is_of_one_file(case.title, list(names.values())):
        return
    hosts = sorted({row.name for row in files if row.name})
    if 0 < len(hosts) <= MAX_HOSTS:
        case.title = title_of("", len(files), folder=", ".join(hosts))
        return
    first = next((one for one in _cited(findings) if one in names), None) or _telling(session, case, names)
    sizes = {str(row.id): row.size_bytes for row in files}
    case.title = title_of(names[first or max(sizes, key=sizes.__getitem__)], len(files), folder="")


def _cited(findings: Sequence[FindingDocument]) -> Iterator[str]:
    """Yield the evidence that met conditions of matches cite, then that of suspects."""
    for verdict in ("match", "suspect"):
        for finding in findings:
            if finding.verdict == verdict:
                for condition in finding.conditions:
                    if condition.state == "TRUE":
                        yield from (citation.evidence for citation in condition.citations)


def _telling(session: Session, case: Case, names: Mapping[str, str]) -> str | None:
    """Return the file with a section of the most telling format; None without one."""
    query = (
        select(Section.evidence_id, Section.format)
        .join(Evidence, Evidence.id == Section.evidence_id)
        .where(Evidence.case_id == case.id, Section.format.in_(TELLING))
    )
    found = [
        (TELLING.index(name), str(evidence_id))
        for evidence_id, name in session.execute(query)
        if str(evidence_id) in names
    ]
    return min(found, default=(0, None))[1]
