"""What can be wrong with a signature: its author's fault, one sentence with the remedy."""

from __future__ import annotations


class SignatureError(Exception):
    """A signature file breaks the language.

    Attributes:
        file: Which file, as given to the loader.
        key: Dotted path of the offending key.
        problem: What is wrong there.
        remedy: What would be right.
        line: 1-based line of the file, 0 when it is not known.
    """

    def __init__(self, file: str, key: str, problem: str, remedy: str, line: int = 0) -> None:
        """Make the sentence out of its parts."""
        place = f"{file}:{line}" if line else file
        super().__init__(f"{place}: {key}: {problem}; {remedy}")
        self.file = file
        self.key = key
        self.problem = problem
        self.remedy = remedy
        self.line = line
