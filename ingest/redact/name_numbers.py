"""Numbers of names in the core, which gets their replacements later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.redact.lexicon import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

AT_ONCE = 1 << 16
NUMBER_OF = {kind: number for number, kind in enumerate(KINDS)}


class NameNumbers:
    """Numbers names from 0; there may be hundreds of thousands."""

    def __init__(self) -> None:
        """Begin without any."""
        self.count = 0
        self._numbers: dict[str, dict[str, int]] = {kind: {} for kind in KINDS}
        self._unsent: list[str] = []
        self._unsent_kinds = bytearray()

    def of(self, kind: str, text: str) -> int:
        """Return the number of a name."""
        of_kind = self._numbers[kind]
        number = of_kind.get(text)
        if number is None:
            number = of_kind[text] = self.count
            self.count += 1
            self._unsent.append(text)
            self._unsent_kinds.append(NUMBER_OF[kind])
        return number

    def unsent(self) -> Iterator[list[tuple[str, str]]]:
        """Yield the names numbered since the last call as kinds and texts, `AT_ONCE` at a time."""
        while self._unsent:
            yield [
                (KINDS[kind], text)
                for kind, text in zip(self._unsent_kinds, self._unsent[:AT_ONCE], strict=False)
            ]
            del self._unsent[:AT_ONCE], self._unsent_kinds[:AT_ONCE]
