"""Strict parser of the tests of a clause: groups, and the keywords of the kinds of conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from signatures.judging.predicates import KEYWORDS
from signatures.language.conditions import Condition, Group, Test
from signatures.language.strict_mapping import Keys

if TYPE_CHECKING:
    from collections.abc import Mapping


def test_of(file: str, path: str, document: Mapping[str, Any]) -> Test:
    """Build the test of one clause.

    Raises:
        SignatureError: With file, key and remedy.
    """
    for op in ("any", "all", "none"):
        if op in document:
            keys = Keys(file, path, document, [op])
            tests = tuple(test_of(file, f"{path}.{op}[{at}]", row) for at, row in enumerate(keys.items(op)))
            return Group(
                op, tuple(test.in_group(tests) if isinstance(test, Condition) else test for test in tests)
            )
    found = [name for name in KEYWORDS if name in document]
    keys = Keys(file, path, document, None)
    if len(found) != 1:
        raise keys.error(
            "test", f"names {len(found)} predicates", f"name one of any, all, none, {', '.join(KEYWORDS)}"
        )
    try:
        return KEYWORDS[found[0]].parse(file, path, document)
    except (ValueError, KeyError) as problem:
        raise keys.error(found[0], str(problem), "see docs/signatures.md") from problem
