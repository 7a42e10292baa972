"""Strict access to mappings: errors name file, key and remedy."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from signatures.language import units
from signatures.language.conditions import Bound, Cap
from signatures.language.errors import SignatureError

if TYPE_CHECKING:
    from signatures.language.conditions import FrameSet

BOUNDS = ["at_least", "strong", "below", "at_most", "equals"]
CAP_KEYS = ["confidence", "because", "title"]
_REQUIRED = object()


class Keys:
    """A mapping of a signature file with its allowed keys."""

    def __init__(
        self, file: str, path: str, mapping: Mapping[str, Any], allowed: Collection[str] | None
    ) -> None:
        """Check the keys; `allowed` None accepts any."""
        self._file = file
        self._path = path
        if not isinstance(mapping, Mapping):
            raise SignatureError(file, path or "the document", "is not a mapping", "write `key: value`")
        self.items_ = mapping
        if allowed is not None:
            for key in mapping:
                if key not in allowed:
                    raise self.error(str(key), "unknown key", f"known here: {', '.join(map(str, allowed))}")

    def __iter__(self) -> Iterator[str]:
        """Yield the keys in the order of the file."""
        return iter(self.items_)

    def error(self, key: str, problem: str, remedy: str) -> SignatureError:
        """Return the error for `key`."""
        return SignatureError(self._file, f"{self._path}.{key}".lstrip("."), problem, remedy)

    def value(self, key: str, default: Any = _REQUIRED) -> Any:
        """Return the value, or `default`; without a default the key is required."""
        if key not in self.items_:
            if default is _REQUIRED:
                raise self.error(key, "is missing", "add it")
            return default
        return self.items_[key]

    def text(self, key: str, *, is_required: bool = False) -> str:
        """Return the value as text, "" when absent."""
        value = self.value(key) if is_required else self.value(key, "")
        if isinstance(value, Mapping | list):
            raise self.error(key, "is not a text", "write one line")
        return str(value)

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts; a single text is a list of one."""
        value = self.value(key, [])
        if isinstance(value, str):
            return (value,)
        if not isinstance(value, list) or any(isinstance(entry, Mapping | list) for entry in value):
            raise self.error(key, "is not a list of texts", "write [a, b]")
        return tuple(str(entry) for entry in value)

    def number(self, key: str, default: float) -> float:
        """Return the value as a number."""
        value = self.value(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(key, f"{value!r} is not a number", "write a number")
        return float(value)

    def mapping(self, key: str) -> dict[str, Any]:
        """Return a copy of the mapping, {} when absent."""
        value = self.value(key, {})
        if not isinstance(value, Mapping):
            raise self.error(key, "is not a mapping", "write {key: value}")
        return dict(value)

    def quantities(self, key: str) -> tuple[tuple[str, units.Quantity], ...]:
        """Return the names of a mapping with their quantities, () when absent."""
        return tuple((str(name), units.parse(value)) for name, value in self.mapping(key).items())

    def patterns(self, key: str) -> tuple[tuple[str, FrameSet], ...]:
        """Return the names of a mapping with the patterns of their values, () when absent."""
        return tuple((str(name), patterns_of(value)) for name, value in self.mapping(key).items())

    def items(self, key: str) -> list[dict[str, Any]]:
        """Return a list of mappings, [] when absent."""
        value = self.value(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, Mapping) for entry in value):
            raise self.error(key, "is not a list of mappings", "write - {key: value}")
        return [dict(entry) for entry in value]

    def one_of(self, key: str, choices: Sequence[Any], *, default: Any = _REQUIRED) -> Any:
        """Return the value, which must be one of `choices`."""
        value = self.value(key, default)
        if value not in choices:
            raise self.error(key, f"{value!r} is not allowed", f"write one of {', '.join(map(str, choices))}")
        return value


def patterns_of(value: Any) -> FrameSet:
    """Return a list of patterns; a single text or number is a list of one."""
    return tuple(map(str, value)) if isinstance(value, list) else (str(value),)


def bound_of(keys: Keys) -> Bound:
    """Build the bound out of the keys `at_least strong below at_most equals`."""
    return Bound(**{name: units.parse(keys.value(name)) for name in BOUNDS if name in keys.items_})


def cap_of(file: str, path: str, document: Mapping[str, Any]) -> Cap | None:
    """Build the cap of a condition, None without one."""
    if "cap" not in document:
        return None
    keys = Keys(file, f"{path}.cap", document["cap"], CAP_KEYS)
    return Cap(
        keys.text("because", is_required=True), float(keys.value("confidence", 1.0)), keys.text("title")
    )
