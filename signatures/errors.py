"""What can be wrong with a signature: its author's fault, one sentence with the remedy."""

from __future__ import annotations


class SignatureError(Exception):
    """A signature file breaks the language.

    Attributes:
        file: Which file, as given to the loader.
        key: Dotted path of the offending key.
        remedy: What would be right.
    """

    def __init__(self, file: str, key: str, problem: str, remedy: str) -> None:
        """Make the sentence out of its parts."""
        super().__init__(f"{file}: {key}: {problem}; {remedy}")
        self.file = file
        self.key = key
        self.remedy = remedy
