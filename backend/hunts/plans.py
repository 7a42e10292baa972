"""What a version of a library changes: signatures to judge, and the evidence that a case needs for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.findings import team_libraries
from backend.models import LibraryVersion, TeamLibrary, VersionState
from signatures.authoring.evidence_needs import Need, needs_of
from signatures.document.team_library import catalog_with_teams, changed_signatures
from signatures.judging.observe import condition_key, conditions_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.orm import Session

    from signatures.document.team_library import LibraryDocument
    from signatures.language.model import Signature


@dataclass(frozen=True, slots=True)
class Plan:
    """How a hunt judges.

    Attributes:
        libraries: Libraries of teams as they are, or would be, in use.
        signatures: Ids of the signatures to judge.
        needs: What a case must hold one of; None where any case may be one.
        conditions: Keys of their conditions, by which earlier results are looked up.
    """

    libraries: list[LibraryDocument]
    signatures: list[str]
    needs: frozenset[Need] | None
    conditions: frozenset[str]


def plan_of(
    session: Session, version: LibraryVersion, *, applies: bool, signatures: list[str] | None
) -> Plan:
    """Return the plan of a hunt for a version.

    A preview compares what is in use with what would be, were the version active. A hunt that `applies`
    judges by what is in use: the signatures of its preview, else all that a version of the library ever had.

    Args:
        session: Its transaction.
        version: One that was read.
        applies: Cases are judged again.
        signatures: Ids that are known from the beginning of the hunt; None at its beginning.
    """
    now = _in_use(session)
    after = dict(now)
    name = session.scalars(select(TeamLibrary.name).where(TeamLibrary.id == version.library_id)).one()
    if not applies:
        after[name] = team_libraries.document_of(session, version.id)
    libraries = [after[one] for one in sorted(after)]
    catalog = catalog_with_teams(libraries)
    if signatures is None:
        in_use = catalog_with_teams([now[name] for name in sorted(now)])
        signatures = _of_library(session, version) if applies else changed_signatures(in_use, catalog)
    chosen = [one for one in catalog.signatures if one.id in set(signatures) and one.status != "retired"]
    keys = frozenset(condition_key(one) for signature in chosen for one in _conditions(signature))
    return Plan(libraries, sorted(signatures), needs_of(chosen), keys)


def _in_use(session: Session) -> dict[str, LibraryDocument]:
    return {one["name"]: one for one in team_libraries.in_use(session).active}


def _of_library(session: Session, version: LibraryVersion) -> list[str]:
    query = select(LibraryVersion.signatures).where(
        LibraryVersion.library_id == version.library_id,
        LibraryVersion.state.in_((VersionState.ACTIVE, VersionState.RETIRED)),
    )
    return sorted({row["id"] for rows in session.scalars(query) for row in rows})


def _conditions(signature: Signature) -> Iterator:  # type: ignore[type-arg]
    yield from conditions_of(signature.applies)
    for clause in signature.clauses:
        yield from conditions_of(clause.test)
        yield from conditions_of(clause.refuted_by)
        yield from clause.when
