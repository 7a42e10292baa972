"""FastAPI dependencies: the profile of a URL and the selection of its query."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple
from uuid import UUID

from fastapi import Depends, Query, Request
from pydantic import Field

import ingest.model.errors
from backend.access.dependencies import AdmissionDep, SessionDep, StoreDep
from backend.core.errors import UnsupportedQueryError
from backend.models.profile import Profile
from backend.profiles import queries
from backend.profiles.views import ProfileHandle
from ingest.export.difference import Order
from ingest.model.selection import MAX_PATTERNS, Selection

MAX_VALUES = 500
MAX_POSITION = 1 << 40


def get_profile(admission: AdmissionDep, profile_id: UUID) -> Profile:
    """Return the profile named in the URL.

    Raises:
        NotFoundError: It does not exist, or its case is not visible to the principal.
    """
    return admission.find(queries.profile_of_id(profile_id), absent=queries.absent(profile_id))


ProfileDep = Annotated[Profile, Depends(get_profile)]


def get_handle(profile: ProfileDep, session: SessionDep, store: StoreDep, request: Request) -> ProfileHandle:
    """Return the profile named in the URL with the location of its columns."""
    place = queries.place_of(session, profile)
    return ProfileHandle(request.app.state.forks, store, place, profile.id, profile.ordinal, profile.case_id)


def get_base(
    session: SessionDep,
    admission: AdmissionDep,
    store: StoreDep,
    request: Request,
    base: Annotated[UUID, Query(description="The base profile; may be the same one")],
) -> ProfileHandle:
    """Return the base profile of a comparison.

    Raises:
        NotFoundError: It does not exist, or its case is not visible to the principal.
    """
    return get_handle(get_profile(admission, base), session, store, request)


ProfileHandleDep = Annotated[ProfileHandle, Depends(get_handle)]
BaseDep = Annotated[ProfileHandle, Depends(get_base)]

MinShare = Annotated[float, Query(ge=0, le=1, description="Share of the selection")]

ByCommand = Annotated[
    bool, Query(description="Commands as the first level; not for inverted or chronological trees")
]
JoinNameless = Annotated[
    bool, Query(description="By command: neighbouring frames of user space without a symbol as one row")
]

Seconds = Annotated[
    float | None, Query(ge=0, allow_inf_nan=False, description="Seconds from the first sample")
]
Position = Annotated[
    int | None, Query(ge=0, le=MAX_POSITION, description="Position in the recording, 0-based")
]
Numbers = Annotated[list[Annotated[int, Field(ge=-1, lt=1 << 31)]] | None, Query(max_length=MAX_VALUES)]
Patterns = Annotated[
    list[str] | None,
    Query(max_length=MAX_PATTERNS, description="Exact name, or /regular expression/ between slashes"),
]


def get_selection(
    t0: Seconds = None,
    t1: Seconds = None,
    from_sample: Position = None,
    to_sample: Position = None,
    cpu: Numbers = None,
    pid: Numbers = None,
    tid: Numbers = None,
    comm: Annotated[list[str] | None, Query(max_length=MAX_VALUES)] = None,
    focus: Patterns = None,
    hide: Patterns = None,
    merge: Patterns = None,
    collapse_recursion: bool = False,  # noqa: FBT001, FBT002 - a query parameter
    idle: Annotated[bool, Query(description="false excludes idle samples")] = True,  # noqa: FBT002 - same
    weight: Literal["own", "samples", "period"] = "own",
) -> Selection:
    """Return the selection of a request.

    Raises:
        UnsupportedQueryError: It is contradictory or exceeds a limit.
    """
    try:
        return Selection(
            t0=t0,
            t1=t1,
            from_sample=from_sample,
            to_sample=to_sample,
            cpus=tuple(sorted(set(cpu or ()))),
            pids=tuple(sorted(set(pid or ()))),
            tids=tuple(sorted(set(tid or ()))),
            comms=tuple(sorted(set(comm or ()))),
            focus=tuple(sorted(set(focus or ()))),
            hide=tuple(sorted(set(hide or ()))),
            merge=tuple(sorted(set(merge or ()))),
            collapse_recursion=collapse_recursion,
            has_idle=idle,
            weight="samples" if weight == "samples" else "own",
        )
    except ingest.model.errors.UnsupportedQueryError as error:
        raise UnsupportedQueryError(str(error)) from error


SelectionDep = Annotated[Selection, Depends(get_selection)]


class DiffOptions(NamedTuple):
    """What a diff tree shows of two profiles, and its order."""

    min_share: float
    min_delta: float
    order: Order


def get_diff_options(
    min_share: MinShare = 0.001,
    min_delta: Annotated[float, Query(ge=0, le=1, description="Difference of the shares in both")] = 0.0,
    order: Order = "left-heavy",
) -> DiffOptions:
    """Return the options of a diff tree."""
    return DiffOptions(min_share, min_delta, order)


DiffOptionsDep = Annotated[DiffOptions, Depends(get_diff_options)]
