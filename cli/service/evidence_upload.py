"""An upload of files to a case, and the wait for its verdict: the core of `casebook upload`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

from backend.client import Client
from cli.process.arguments import refuse_strangers
from cli.service import upload_state, uploads
from cli.service.files_to_send import files_below
from cli.service.judgement_wait import Await

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cli.service.profiles import Profile
    from signatures.rendering.check import Outcome
    from signatures.reporting.fail_on import FailOnPolicy

DROP_TOKEN = "cbk_c_"  # noqa: S105 - how write-only tokens begin


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """Files and their case.

    Attributes:
        paths: Files and directories.
        case: Number or UUID; None for a new case, or that of a write-only token.
        name: Title of a new case; "" for the directory that holds all files.
        host: Host of all files; "" to have it suggested.
        phase: Phase of all files; "" to have it suggested.
        anew: Start over instead of resuming.
        patience_seconds: Time without progress before giving up.
    """

    paths: Sequence[Path]
    case: str | None
    name: str
    host: str
    phase: str
    anew: bool
    patience_seconds: float

    @property
    def placed(self) -> dict[str, str]:
        """Host and phase that were given."""
        return {key: value for key, value in (("host", self.host), ("phase", self.phase)) if value}


class NoFilesError(Exception):
    """There is no file below the paths."""


def is_write_only(service: Profile) -> bool:
    """Return whether the token uploads to its case and cannot read it."""
    return service.token.startswith(DROP_TOKEN)


def upload(
    service: Profile,
    request: Upload,
    *,
    say: Callable[[str], None],
    gates: Sequence[FailOnPolicy] = (),
    report: Callable[[Outcome], None] | None = None,
    timeout_seconds: float,
) -> Outcome | None:
    """Upload files; with `report` wait for the verdict, report and return it.

    Args:
        service: URL and token.
        request: What to upload, and where.
        say: Receives the URL of the case and progress.
        gates: Expressions of --fail-on.
        report: Receives the outcome; the upload can be resumed until it returns.
        timeout_seconds: For the verdict.

    Raises:
        NoFilesError: There is nothing to upload.
        UsageError: An expression names a signature that the service does not have.
        AlreadyRunningError: Another process uploads the same files.
        LateError: The verdict was not there in time, or a file was not stored.
        RefusedError: The service refused.
        UnreachableError: The service was unreachable for too long.
    """
    files = files_below(request.paths)
    if not files:
        raise NoFilesError("no files below " + ", ".join(str(path) for path in request.paths))
    is_drop = is_write_only(service)
    patience = request.patience_seconds
    if gates:
        with Client(service.url, token=service.token) as client:
            refuse_strangers(gates, Await(client, patience_seconds=patience).signatures())
    door = "drop" if is_drop else request.case or ""
    roots = [path.absolute() for path in request.paths]
    with upload_state.state_of(service.url, door, roots, anew=request.anew) as state:
        send = uploads.Send(
            service.url,
            service.token,
            request.case,
            state,
            patience_seconds=patience,
            name=request.name or ("" if request.case or is_drop else _name_of(request.paths)),
            placed=request.placed,
            say=say,
        )
        arrived = send.all(files)
        outcome = None
        if report is not None:
            with Client(service.url, token=service.token) as client:
                waiting = Await(client, patience_seconds=patience)
                outcome = waiting.outcome(arrived, gates, timeout_seconds=timeout_seconds)
            report(outcome)
        state.forget()
    return outcome


def _name_of(paths: Sequence[Path]) -> str:
    """Return the name of a single directory, or of that which holds all of several paths; else ""."""
    if len(paths) == 1:
        return paths[0].resolve().name if paths[0].is_dir() else ""
    parents = {path.absolute().parent for path in paths}
    parent = parents.pop()
    return "" if parents or parent in {Path.home(), Path(gettempdir())} else parent.name
