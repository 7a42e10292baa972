"""Keywords of the tests in `signature.yaml`: the parser and the JSON Schema of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from signatures.language.conditions import Test
    from signatures.language.schema_parts import Schema

Parser: TypeAlias = "Callable[[str, str, Mapping[str, Any]], Test]"
"""Builds the test from the name of the file, the path of the clause and its mapping."""


class Form(NamedTuple):
    """One way to write a keyword.

    Attributes:
        value: Schema of its value.
        beside: Schemas of the keys beside it.
    """

    value: Schema
    beside: Mapping[str, Schema]


class Keyword(NamedTuple):
    """A keyword with its parser and the ways to write it, the usual one first."""

    parse: Parser
    forms: tuple[Form, ...]
