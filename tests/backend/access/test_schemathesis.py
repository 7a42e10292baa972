"""Every operation, asked with made-up requests by everybody, answers what the schema says it may and no 5xx.

schemathesis makes the requests from the schema of the API, and for every second operation some against it.
Most ids in their addresses are those of a case that the principal sees. `make schemathesis` asks for longer,
by chance, as everybody, and every operation against the schema.
"""

from __future__ import annotations

import os
from collections import Counter
from contextlib import nullcontext, suppress
from itertools import cycle
from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from backend.access.permission_matrix import EVERYBODY, Caller, Sight
from backend.models import Account, Role, Team
from tests.backend.access.case_requests import OTHERS
from tests.backend.access.stage import Stage
from tests.backend.applications import api_schema

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fastapi import FastAPI
    from schemathesis import APIOperation, Case
    from sqlalchemy.orm import Session, sessionmaker

LONG = "CASEBOOK_SCHEMATHESIS_EXAMPLES"
EXAMPLES = int(os.environ.get(LONG, "0"))
PATIENCE_SECONDS = 300
"""Longer than `?wait=` lets an answer take."""

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")  # tus 1.0
ASKED = settings(
    max_examples=EXAMPLES or 1,
    derandomize=not EXAMPLES,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def operations() -> Iterator[APIOperation[Any, Any, Any, Any]]:
    """Yield every operation but the endless stream of events, which tests/backend/cases reads."""
    for found in schemathesis.openapi.from_dict(api_schema()).get_all_operations():
        operation = found.ok()
        if not operation.path.endswith("/events"):
            yield operation


class Everybody:
    """All kinds of principals, each with a case of their own, and what they were answered."""

    def __init__(self, app: FastAPI, sessions: sessionmaker[Session], tmp_path: Path) -> None:
        self.wrong: dict[str, str] = {}
        self.answered: Counter[tuple[str, int]] = Counter()
        self._app = app
        self._bind = sessions.kw["bind"]
        with sessions.begin() as session:
            account, team = Account(name="somebody", role=Role.VIEWER), Team(name="a team")
            session.add_all([account, team])
            session.flush()
            ids = {"account_id": str(account.id), "member_id": str(account.id), "team_id": str(team.id)}
        self._askers = []
        for somebody in EVERYBODY:
            stage = Stage(app, sessions, somebody, tmp_path / somebody.name, [Sight.OWN])
            known = {**OTHERS, **stage.places[Sight.OWN]._asdict(), **ids}
            self._askers.append((somebody, stage.headers(Sight.OWN), known))
        self._administrator = next(asker for asker in self._askers if asker[0].name == Role.ADMIN)
        self._turns = cycle(self._askers)

    def ask(self, operation: APIOperation[Any, Any, Any, Any], mode: GenerationMode) -> None:
        """Ask an operation: as the next principal, with a right request as an administrator too."""
        askers = [next(self._turns)] + [self._administrator] * (mode is GenerationMode.POSITIVE)

        @ASKED
        @given(case=operation.as_strategy(mode), is_real=st.sampled_from([True, True, False]))
        def once(case: Case, *, is_real: bool) -> None:
            made_up = dict(case.path_parameters or {})
            for somebody, headers, known in self._askers if EXAMPLES else askers:
                ids = {name: known[name] for name in made_up if is_real and name in known}
                case.path_parameters = {**made_up, **ids}
                self._ask(somebody, case, headers)

        # Nothing can be wrong with a request that takes nothing.
        with suppress(Unsatisfiable) if mode is GenerationMode.NEGATIVE else nullcontext():
            once()

    def _ask(self, somebody: Caller, case: Case, headers: dict[str, str]) -> None:
        """Ask once, and undo what it did."""
        undo = self._bind.begin_nested()
        try:
            answer = case.call(app=self._app, headers=headers, timeout=PATIENCE_SECONDS)
            self.answered[somebody.name, answer.status_code] += 1
            case.validate_response(answer, checks=CHECKS)
        except FailureGroup as failed:
            for failure in failed.exceptions:
                what = f"{somebody.name}: {case.operation.label}: {failure.title}"
                self.wrong.setdefault(what, f"{case.as_curl_command()}\n{failure}")
        finally:
            undo.rollback()


@pytest.mark.timeout(0 if EXAMPLES else 1800)
def test_no_operation_answers_500_or_a_response_outside_the_schema(
    app: FastAPI, sessions: sessionmaker[Session], tmp_path: Path
):
    everybody = Everybody(app, sessions, tmp_path)
    every = list(operations())
    for at, operation in enumerate(every):
        everybody.ask(operation, GenerationMode.POSITIVE)
        if EXAMPLES or at % 2:
            everybody.ask(operation, GenerationMode.NEGATIVE)
    assert everybody.wrong == {}
    # Whether nobody's turn comes at an operation that is open to all depends on how many there are.
    assert everybody.answered["nobody", 401]
    done = sum(count for (_, status), count in everybody.answered.items() if status < 300)
    assert done > len(every) // 4, f"too few requests got as far as to be done: {everybody.answered}"
