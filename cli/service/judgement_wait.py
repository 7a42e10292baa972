"""Waits until the service has judged uploaded files, and returns the result.

reading: 3 of 12 files to go
judging
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import click
import httpx

from backend.client import Client, ClientError
from backend.core.version import VERSION
from cli.process.progress import ProgressLine
from cli.service.uploads import PASSING, PAUSES_SECONDS, RefusedError, UnreachableError
from signatures.rendering.check import Outcome, Sent

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from uuid import UUID

    from backend.cases.schemas import CaseRead
    from backend.evidence.schemas import EvidenceRead
    from cli.service.uploads import Arrived
    from signatures.reporting.fail_on import FailOnPolicy

AnswerT = TypeVar("AnswerT")

ASK_SECONDS = 5
REPORT_SECONDS = 10.0
"""Interval of progress lines in a log that is no terminal."""


class LateError(Exception):
    """The case was not judged in time, or a file could not be stored: a failure of the service."""


class Await:
    """Waits for one case."""

    def __init__(self, client: Client, *, patience_seconds: float) -> None:
        """Poll with `client`, retrying within the patience."""
        self._client = client
        self._patience = patience_seconds
        self._line = ProgressLine()
        self._reported_at = time.monotonic()

    def signatures(self) -> list[str]:
        """Return the ids of the signatures in the library."""
        return [one.id for one in self._patiently(self._client.signatures)]

    def outcome(self, arrived: Arrived, gates: Sequence[FailOnPolicy], *, timeout_seconds: float) -> Outcome:
        """Return the findings of the case once judged, and the state of the uploaded files.

        Raises:
            LateError: It was not judged in time, or a file was not stored.
            RefusedError: The token may not read.
            UnreachableError: The service was unreachable for too long.
        """
        case = arrived.case
        assert case is not None  # noqa: S101 - a token that may not know it may not wait
        read = self._judged(case, timeout_seconds)
        ids = {*arrived.evidence, *(self._evidence_of(upload) for upload in arrived.uploads)}
        evidence = _below(self._patiently(lambda: self._client.evidence(case)), ids)
        answer = self._patiently(lambda: self._client.findings(case))
        dumped = answer.model_dump(mode="json", by_alias=True)
        return Outcome(
            subject=f"case {read.number}",
            page=arrived.page,
            findings=tuple(answer.items),
            evidence=tuple(
                Sent(one.captured_path or one.filename, one.state, one.reason) for one in evidence
            ),
            gates=tuple(gates),
            document={
                "engine": {"name": "casebook", "version": VERSION},
                "case": read.model_dump(mode="json"),
                "evidence": [one.model_dump(mode="json") for one in evidence],
                "findings": dumped["items"],
                "next_captures": dumped["next_captures"],
            },
        )

    def _judged(self, case: int, timeout_seconds: float) -> CaseRead:
        deadline = time.monotonic() + timeout_seconds
        while True:
            seconds = min(ASK_SECONDS, max(0, round(deadline - time.monotonic())))
            read = self._patiently(partial(self._client.case, case, wait_seconds=seconds))
            if read.judged:
                self._line.clear()
                return read
            if time.monotonic() >= deadline:
                raise LateError(
                    f"case {read.number} was not judged within {timeout_seconds:.0f} s; "
                    "see its page, or wait longer with --timeout"
                )
            self._report(read)

    def _report(self, case: CaseRead) -> None:
        remaining = case.reading_count
        text = f"reading: {remaining:,} of {case.evidence_count:,} files to go" if remaining else "judging"
        self._line.show(text)
        if not self._line.is_terminal and time.monotonic() - self._reported_at > REPORT_SECONDS:
            self._reported_at = time.monotonic()
            click.echo(text, err=True)

    def _evidence_of(self, upload: str) -> UUID:
        document = self._patiently(lambda: self._client.upload(upload))
        if document.evidence_id is None:
            raise LateError(
                f"{document.filename} was received but could not be stored ({document.state}); send it again"
            )
        return document.evidence_id

    def _patiently(self, ask: Callable[[], AnswerT]) -> AnswerT:
        """Return a response, retrying while the service is unreachable, within the patience."""
        began_at = time.monotonic()
        failures = 0
        while True:
            try:
                return ask()
            except (httpx.TransportError, ClientError) as error:
                if isinstance(error, ClientError) and error.status not in PASSING:
                    raise RefusedError(str(error)) from None
                if time.monotonic() - began_at > self._patience:
                    raise UnreachableError(f"the service is unreachable: {error}") from None
                self._line.show(f"{error}; trying again")
                time.sleep(PAUSES_SECONDS[min(failures, len(PAUSES_SECONDS) - 1)])
                failures += 1


def _below(evidence: Sequence[EvidenceRead], ids: Collection[UUID]) -> list[EvidenceRead]:
    """Return the evidence with an id in `ids`, or a member of one."""
    mine = set(ids)
    while more := {one.id for one in evidence if one.parent_id in mine and one.id not in mine}:
        mine |= more
    return [one for one in evidence if one.id in mine]
