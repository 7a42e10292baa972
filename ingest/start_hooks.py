"""How the standard library uses what a start image keeps beside modules.

With an image, annotations that are texts stay texts: `NamedTuple` would compile each to say whether it is an
expression, and `dataclasses` looks for `ClassVar` by an expression in each.
"""

from __future__ import annotations

import collections
import dataclasses
import importlib
import re
import typing
from typing import TYPE_CHECKING, Any

from ingest import plain_dataclasses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import CodeType

    Place = tuple[int, int]
    Find = Callable[[Any], Place | None]

_sre: Any = importlib.import_module("_sre")
"""The engine of `re`."""

_OURS = ("backend.", "cli.", "ingest.", "signatures.")
_is_type_by_expression: Any = vars(dataclasses)["_is_type"]
_process_class: Any = vars(dataclasses)["_process_class"]
_named_tuple_of_names: Any = collections.namedtuple  # noqa: PYI024 - of `typing`
_named_tuple_of_types: Any = vars(typing)["_make_nmtuple"]


class _Kept:
    """What an image keeps for `re`, `dataclasses` and `collections`."""

    def __init__(self, expression: Find, text: Find, made: Callable[[Place], Any]) -> None:
        self._place_of_expression = expression
        self._place_of_text = text
        self._made = made
        self._compile = re._compiler.compile  # type: ignore[attr-defined]  # noqa: SLF001 - of this very Python

    def expression(self, pattern: Any, flags: int = 0) -> re.Pattern[Any]:
        """Return a compiled expression, as `re` makes it."""
        is_text = isinstance(pattern, str | bytes)
        place = self._place_of_expression((pattern, int(flags))) if is_text else None
        if place is None:
            compiled: re.Pattern[Any] = self._compile(pattern, flags)
            return compiled
        found: re.Pattern[Any] = _sre.compile(pattern, *self._made(place))
        return found

    def execute(self, text: str, *spaces: Any) -> None:
        """Execute the text of a function, as the builtin does."""
        exec(self._code_of(text, "exec"), *spaces)  # noqa: S102 - of `dataclasses`

    def evaluate(self, text: str, *spaces: Any) -> Any:
        """Evaluate the text of a function, as the builtin does."""
        return eval(self._code_of(text, "eval"), *spaces)  # noqa: S307 - of `collections`

    def _code_of(self, text: str, mode: str) -> CodeType:
        place = self._place_of_text(text)
        found: CodeType = (
            compile(text, "<string>", mode, dont_inherit=True) if place is None else self._made(place)
        )
        return found


def install(expression: Find, text: Find, made: Callable[[Place], Any]) -> None:
    """Use what an image keeps from now on in this process.

    Args:
        expression: Finds for an expression and its flags what `_sre.compile` takes after the expression.
        text: Finds the code of a text.
        made: Returns what is at a place.
    """
    kept = _Kept(expression, text, made)
    re._compiler.compile = kept.expression  # type: ignore[attr-defined]  # noqa: SLF001 - of this very Python
    for module in (dataclasses, collections):
        vars(module).update(exec=kept.execute, eval=kept.evaluate)
    vars(typing).update(_make_nmtuple=_named_tuple)
    vars(dataclasses).update(_is_type=_is_type)
    hurry(kept.execute)


def hurry(execute: Callable[..., None]) -> None:
    """Have our plain data classes made at once, their texts executed by `execute`."""
    if not plain_dataclasses.IS_KNOWN:
        return

    def process_class(cls: type, *parameters: Any) -> Any:
        found = plain_dataclasses.made(cls, parameters, execute) if cls.__module__.startswith(_OURS) else None
        return _process_class(cls, *parameters) if found is None else found

    vars(dataclasses).update(_process_class=process_class)


def _is_type(annotation: str, cls: type, *others: Any) -> bool:
    """Return whether an annotation is one of the marks, as `dataclasses` finds out."""
    if cls.__module__.startswith(_OURS) and not any(mark in annotation for mark in plain_dataclasses.MARKS):
        return False
    return bool(_is_type_by_expression(annotation, cls, *others))


def _named_tuple(name: str, types: Iterable[tuple[str, Any]], *others: Any, **options: Any) -> Any:
    """Return the class that `typing` makes of the fields of a `NamedTuple`."""
    annotations = dict(types)
    if set(map(type, annotations.values())) != {str}:
        return _named_tuple_of_types(name, types, *others, **options)
    return _named_tuple_of_texts(name, annotations, *others, **options)


def _named_tuple_of_texts(
    name: str, annotations: dict[str, str], module: str, defaults: Sequence[Any] = ()
) -> Any:
    found: Any = _named_tuple_of_names(name, annotations, defaults=defaults, module=module)
    found.__annotations__ = found.__new__.__annotations__ = annotations
    return found
