"""Captures: commands that would decide open conditions."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureDocument:
    """A safe command of the capture catalogue.

    Attributes:
        cost: What it costs the machine.
        needs: Packages and rights that it needs.
        alternatives: Names of captures that decide the same.
        unsafe_if: Signatures under which it must not run.
    """

    name: str
    title: str
    run: str
    cost: str = ""
    needs: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    unsafe_if: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionCaptureDocument(CaptureDocument):
    """A capture that would decide `condition` of its finding."""

    condition: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledDocument:
    """A condition of a signature that a capture decides.

    Attributes:
        condition: Its id; "" where pieces of evidence exclude each other.
        title: "" in cases judged before it was stored.
    """

    signature: str
    condition: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextCaptureDocument(CaptureDocument):
    """A capture and every condition it would decide."""

    settles: tuple[SettledDocument, ...] = ()
