"""Errors of signature files, with location and remedy."""

from __future__ import annotations


class SignatureError(Exception):
    """A signature file is invalid.

    Attributes:
        file: Name of the file.
        key: Dotted path of the offending key.
        problem: The problem.
        remedy: How to fix it.
        line: 1-based line of the file, 0 when unknown.
    """

    def __init__(self, file: str, key: str, problem: str, remedy: str, line: int = 0) -> None:
        """Build the message from its parts."""
        place = f"{file}:{line}" if line else file
        super().__init__(f"{place}: {key}: {problem}; {remedy}")
        self.file = file
        self.key = key
        self.problem = problem
        self.remedy = remedy
        self.line = line
