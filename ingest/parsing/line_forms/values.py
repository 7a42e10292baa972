"""What a cell or a fact is of the groups of lines: texts and numbers.

Examples:
    caller                             the text of the group, None where the line has none
    origin?                            the same; there is no column where no row has a text
    {value: mutex}                     this text
    {text: [error, result]}            the first that is there; otherwise: without one; lower: in lower case;
                                       words: other words; until: what stands before; joined: blanks as one
    {form: "{comm}-{pid}"}             a text made of several; `{key:slug}` as a name
    {number: us, factor: 1.0e-6}       a number; units: of its last letter; most: the largest; digits: of it
    {number: {hours: 3600, minutes: 60}}    a sum of numbers, each times its factor
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ingest.model.reading import Cell

    Values = Mapping[str, str | None]

_NO_NAME = re.compile(r"[^a-z0-9]+")


def slug(text: str) -> str:
    """Return printed words as a name: `LLC Misses (HITM)` is `llc_misses_hitm`."""
    return _NO_NAME.sub("_", text.lower()).strip("_")


@dataclass(frozen=True, slots=True)
class Value:
    """One cell; `of` makes it of the values of a line.

    Attributes:
        of: From the values to the cell.
        is_optional: Without a text there is no column.
    """

    of: Callable[[Values], Cell]
    is_optional: bool = False


def value(row: Any) -> Value:
    """Return the value that a row of data describes."""
    if isinstance(row, str):
        name = row.removesuffix("?")
        return Value(lambda values: values.get(name), row.endswith("?"))
    if "value" in row:
        constant = row["value"]
        return Value(lambda _: constant)
    if "form" in row:
        form = str(row["form"])
        return Value(lambda values: form.format_map(_Texts(values)))
    if "number" in row:
        return Value(_number(row).of)
    return Value(_Text.of_row(row).of, is_optional=bool(row.get("optional")))


class _Words(str):
    """A text that `{:slug}` prints as a name."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        return slug(self) if spec == "slug" else super().__format__(spec)


class _Texts(dict[str, _Words]):
    """Values as texts, "" of those that are not there."""

    def __init__(self, values: Values) -> None:
        super().__init__({name: _Words(text or "") for name, text in values.items()})

    def __missing__(self, name: str) -> _Words:
        return _Words()


@dataclass(frozen=True, slots=True)
class _Text:
    names: tuple[str, ...]
    otherwise: str | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    until: str = ""
    is_lower: bool = False
    is_joined: bool = False

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> _Text:
        names = row.get("text", ())
        return cls(
            names=(names,) if isinstance(names, str) else tuple(names),
            otherwise=row.get("otherwise"),
            words=row.get("words", {}),
            until=row.get("until", ""),
            is_lower=row.get("lower", False),
            is_joined=row.get("joined", False),
        )

    def of(self, values: Values) -> str | None:
        text = next((found for name in self.names if (found := values.get(name))), None)
        if text is None:
            return self.otherwise
        text = text.partition(self.until)[0] if self.until else text
        text = text.lower() if self.is_lower else text
        text = " ".join(text.split()) if self.is_joined else text
        return self.words.get(text, text)


@dataclass(frozen=True, slots=True)
class _Number:
    factors: Mapping[str, float]
    units: Mapping[str, float]
    most: float | None
    otherwise: float | None
    digits: int | None

    def of(self, values: Values) -> float | None:
        printed = [(values.get(name), factor) for name, factor in self.factors.items()]
        if not any(text for text, _ in printed):
            return self.otherwise
        try:
            number = sum(self._scaled(text) * factor for text, factor in printed if text)
        except ValueError:
            return self.otherwise
        number = number if self.most is None else min(number, self.most)
        return number if self.digits is None else round(number, self.digits)

    def _scaled(self, text: str) -> float:
        scale = self.units.get(text[-1])
        return float(text) if scale is None else float(text[:-1]) * scale


def _number(row: Mapping[str, Any]) -> _Number:
    names = row["number"]
    factor = float(row.get("factor", 1.0))
    factors = {names: factor} if isinstance(names, str) else {name: float(one) for name, one in names.items()}
    units = {letter: float(scale) for letter, scale in row.get("units", {}).items()}
    return _Number(factors, units, row.get("most"), row.get("otherwise"), row.get("digits"))
