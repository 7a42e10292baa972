"""Requests and responses of libraries."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from backend.core.http.request_body import Line, RequestBody

NAME = r"^[a-z0-9]+(-[a-z0-9]+)*$"
MAX_URL, MAX_REF = 500, 200
Name = Annotated[str, Field(min_length=1, max_length=60, pattern=NAME)]
Url = Annotated[Line, Field(max_length=MAX_URL)]
Ref = Annotated[Line, Field(min_length=1, max_length=MAX_REF)]
Username = Annotated[Line, Field(min_length=1, max_length=100)]
Token = Annotated[Line, Field(max_length=500)]
State = Literal["pulling", "failed", "shadow", "active", "retired"]


class LibraryCreate(RequestBody):
    """A library from a Git repository (`url` and `ref`), or from a finished draft of a signature.

    `ref`: a branch, a tag, or `HEAD`. `token`: a deploy token that may read the repository; it is stored
    encrypted and never shown. `username` goes with it: any text for GitHub, that of the token for GitLab.
    """

    name: Name
    url: Url = ""
    ref: Ref = "HEAD"
    username: Username = "git"
    token: Token = ""
    draft_id: UUID | None = None


class LibraryUpdate(RequestBody):
    """Fields of a Git source to change; an empty `token` deletes the stored one."""

    url: Url | None = None
    ref: Ref | None = None
    username: Username = "git"
    token: Token | None = None


class LibraryActivate(RequestBody):
    """`unchecked`: despite lint messages, or without a finished preview of the retro-hunt."""

    unchecked: bool = False


class LibrarySignatureRead(BaseModel):
    """A signature; `shadows` is the version that Casebook ships under its id, null without one."""

    id: str
    version: int
    title: str
    status: str
    shadows: int | None


class LibraryVersionRead(BaseModel):
    """One commit, archive or draft of a library.

    `commit`: what was pulled, or the SHA-256 of the archive; "" before it is known. `problem`: why it failed.
    `messages`: lint messages with file and line. `shadow_cases`: cases in which it matches or suspects.
    """

    id: UUID
    state: State
    commit: str
    author: str
    created_at: datetime
    ended_at: datetime | None
    activated_at: datetime | None
    problem: str
    messages: list[str]
    signatures: list[LibrarySignatureRead]
    shadow_cases: int


class LibraryRead(BaseModel):
    """A library of a team with its newest version, and the ones in use; `has_token`: a token is stored."""

    name: str
    source: Literal["git", "upload", "draft"]
    url: str
    ref: str
    has_token: bool
    author: str
    created_at: datetime
    newest: LibraryVersionRead | None
    shadow: LibraryVersionRead | None
    active: LibraryVersionRead | None


class DecidingLine(BaseModel):
    """What decided a verdict: a required condition that is met, and lines of evidence.

    `evidence_id` and lines are null where no line shows it.
    """

    condition: str
    evidence_id: UUID | None
    path: str
    first_line: int | None
    last_line: int | None


class ShadowFindingRead(BaseModel):
    """A match or suspect of a signature in shadow."""

    case_id: UUID
    case_number: int
    case_title: str
    signature: str
    host: str
    phase: str
    verdict: Literal["match", "suspect"]
    lines: list[DecidingLine]
    at: datetime
