"""Why a question has no answer: what a fork says instead of one."""

from __future__ import annotations


class AbsentError(Exception):
    """There is no such node, row or function; the message is for people."""


class DamagedFolderError(Exception):
    """A reading folder is incomplete or altered; the message is its path."""
