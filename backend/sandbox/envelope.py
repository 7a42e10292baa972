"""The envelope of computations on stored evidence: a scratch directory, limits of a job or of a request.

    result_of_job(settings, "analyse", arguments, what="the analysis", limits=…, readable=folders)
    result_of_request(settings, "draw wait graph", arguments, what="the wait graph", readable=folders)
    answer_of_request(forks, key, folders, {"ask": "graph", …}, what="the view")

Nothing else in the service computes on evidence; all others look up rows.
"""

from __future__ import annotations

import logging
import tempfile
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.core.errors import (
    DamagedBytesError,
    MissingBytesError,
    NotComputedError,
    NotFoundError,
    StoredBytesError,
    UnsupportedQueryError,
)
from backend.sandbox.runner import LimitHitError, SandboxCrashError, SandboxLimits, compute

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store
    from backend.sandbox.kept_forks import KeptForks

logger = logging.getLogger(__name__)

REQUEST_CPU_SECONDS = 20
REQUEST_WALL_SECONDS = 60.0
"""A busy machine gives a fork a share of a processor; whoever waits longer gives up."""

RESULT_BYTES = 256 << 20


def limits_of_job(settings: Settings, queue: str) -> SandboxLimits:
    """Return the limits of a computation: in the light queue those of a first try, in the heavy one all."""
    if queue == "heavy":
        return SandboxLimits.of(settings, is_heavy=True)
    cpu_seconds, memory_bytes = settings.light_cpu_seconds, settings.parse_memory_bytes
    return SandboxLimits(cpu_seconds, memory_bytes, RESULT_BYTES, is_first_try=True, policy=settings.sandbox)


def limits_of_request(settings: Settings) -> SandboxLimits:
    """Return the limits of a computation that a client waits for."""
    return SandboxLimits(
        REQUEST_CPU_SECONDS,
        settings.parse_memory_bytes,
        RESULT_BYTES,
        wall_seconds=REQUEST_WALL_SECONDS,
        policy=settings.sandbox,
    )


def result_of_job(
    settings: Settings,
    computation: str,
    arguments: Mapping[str, object],
    *,
    what: str,
    limits: SandboxLimits,
    readable: Sequence[Path] = (),
    check: Callable[[], None] | None = None,
) -> Any:
    """Return the result of a computation of a job.

    Raises:
        LimitHitError: It needs more than its limits.
        SandboxCrashError: It crashed.
        TooSlowError: It exceeded the time of a first try.
    """
    with computed_in_job(
        settings, computation, arguments, what=what, limits=limits, readable=readable, check=check
    ) as (result, _):
        return result


@contextmanager
def computed_in_job(
    settings: Settings,
    computation: str,
    arguments: Mapping[str, object],
    *,
    what: str,
    limits: SandboxLimits,
    readable: Sequence[Path] = (),
    unsaved: Mapping[str, Any] | None = None,
    on_progress: Callable[[float], None] | None = None,
    check: Callable[[], None] | None = None,
) -> Iterator[tuple[Any, Path]]:
    """Yield the result of a computation of a job, and the directory with its files, deleted afterwards.

    Raises:
        LimitHitError: It needs more than its limits.
        SandboxCrashError: It crashed.
        TooSlowError: It exceeded the time of a first try.
    """
    settings.scratch_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(dir=settings.scratch_dir, prefix="compute-") as scratch:
        output = Path(scratch)
        result = compute(
            computation,
            arguments,
            what=what,
            output=output,
            limits=limits,
            readable=readable,
            unsaved=unsaved,
            on_progress=on_progress,
            check=check,
        )
        yield result, output


def result_of_request(
    settings: Settings,
    computation: str,
    arguments: Mapping[str, object],
    *,
    what: str,
    readable: Sequence[Path] = (),
) -> Any:
    """Return the result of a computation that a client waits for.

    Raises:
        NotComputedError: It failed, or needs more than a request may use.
    """
    limits = limits_of_request(settings)
    with _told(what):
        return result_of_job(settings, computation, arguments, what=what, limits=limits, readable=readable)


def answer_of_request(
    forks: KeptForks,
    key: Hashable,
    folders: Mapping[str, Path],
    question: dict[str, Any],
    *,
    what: str,
) -> bytes:
    """Return the answer to a question about stored readings that a client waits for.

    Args:
        forks: The forks of this process.
        key: Questions with an equal key may be answered by one fork, which stays; None: by none that stays.
        folders: The reading folders that it may read, by their keys in the object store.
        question: What `backend.sandbox.computations.questions` takes.
        what: What is computed, in the words for people: "the view".

    Raises:
        NotComputedError: It failed, needs more than a request may use, or a folder is damaged.
        NotFoundError: What is asked for is not in the readings.
        UnsupportedQueryError: The readings lack the data, or the question is malformed.
    """
    with _told(what):
        outcome, content = forks.answer(key, list(folders.values()), question, what=what)
    if outcome == "answer":
        return content
    sentence = content.decode("utf-8", "replace")
    if outcome == "absent":
        raise NotFoundError(sentence)
    if outcome == "unsupported":
        raise UnsupportedQueryError(sentence)
    lost = next((store_key for store_key, path in folders.items() if str(path) == sentence), None)
    if lost is None:
        raise NotComputedError(f"{what} could not be computed: a reading is damaged")
    raise NotComputedError(f"{what} could not be computed: {stored_error(lost, folders[lost])}")


def folders_of(store: Store, store_keys: Iterable[str], *, what: str) -> dict[str, Path]:
    """Return the reading folders that a question may read, by their keys.

    Raises:
        NotComputedError: The store has lost one.
        UnavailableError: The store is away.
    """
    try:
        return {store_key: store.folder(store_key) for store_key in store_keys}
    except StoredBytesError as error:
        raise NotComputedError(f"{what} could not be computed: {error}") from error


def stored_error(store_key: str, folder: Path) -> StoredBytesError:
    """Return the error of a reading that cannot be loaded."""
    return DamagedBytesError(store_key) if folder.exists() else MissingBytesError(store_key)


@contextmanager
def _told(what: str) -> Iterator[None]:
    """Turn what stops a computation into a sentence for the client."""
    try:
        yield
    except LimitHitError as hit:
        raise NotComputedError(str(hit)) from hit
    except SandboxCrashError as crash:
        number = f"{zlib.crc32(str(crash).encode('utf-8', 'replace')):08x}"
        logger.exception("%s failed, reported as %s", what, number)
        raise NotComputedError(f"{what} could not be computed, reported as {number}") from crash
