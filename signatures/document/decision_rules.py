"""Parser of the decision rules and captures of a signature: `decide`, `next`, `first`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from signatures.language.model import Capture, Decide, First, Require
from signatures.language.strict_mapping import Keys

if TYPE_CHECKING:
    from collections.abc import Mapping


CAPTURE_KEYS = ["title", "run", "cost", "needs", "alternatives", "unsafe_if", "cgroup", "reads", "os"]


def decide_of(file: str, document: Mapping[str, Any], ids: set[str]) -> Decide:
    """Build the rules; raises for clauses that do not exist."""
    keys = Keys(file, "decide", document, ["require", "suspect", "match"])
    require = Keys(file, "decide.require", keys.mapping("require"), ["all", "any", "not_false", "at_least"])
    suspect = Keys(file, "decide.suspect", keys.mapping("suspect"), ["score", "any"])
    match = Keys(
        file,
        "decide.match",
        keys.mapping("match"),
        ["score", "all", "any", "any_of_pairs", "min_coverage", "version", "aspect"],
    )
    at_least = Keys(file, "decide.require.at_least", require.mapping("at_least"), ["n", "of"])
    pairs = tuple(tuple(pair) for pair in match.value("any_of_pairs", []))
    decide = Decide(
        require=Require(
            require.texts("all"),
            require.texts("any"),
            require.texts("not_false"),
            (int(at_least.value("n", 0)), at_least.texts("of")),
        ),
        suspect_score=float(suspect.value("score")),
        suspect_any=suspect.texts("any"),
        match_score=float(match.value("score")),
        match_all=match.texts("all"),
        match_any=match.texts("any"),
        match_pairs=pairs,
        min_coverage=float(match.value("min_coverage", 0.0)),
        match_version=match.texts("version"),
        match_aspect=match.text("aspect"),
    )
    named = {
        *decide.require.all,
        *decide.require.any,
        *decide.require.not_false,
        *decide.require.at_least[1],
        *decide.suspect_any,
        *decide.match_all,
        *decide.match_any,
        *(name for pair in pairs for name in pair),
    }
    for name in sorted(named - ids):
        raise keys.error(name, "no such clause", f"clauses are {', '.join(sorted(ids))}")
    return decide


def next_of(
    file: str, document: Mapping[str, Any], ids: set[str], catalogue: Mapping[str, Capture]
) -> dict[str, tuple[Capture, ...]]:
    """Build the captures that settle each clause: from the shared catalogue, or defined in place."""
    keys = Keys(file, "next", document, sorted(ids))
    captures = {}
    for clause_id in keys:
        entry = document[clause_id]
        rows = entry if isinstance(entry, list) else [entry]
        for row in rows:
            if isinstance(row, str) and row not in catalogue:
                from difflib import get_close_matches  # noqa: PLC0415 - for messages alone

                close = get_close_matches(row, list(catalogue), n=1)
                names = ", ".join(sorted(catalogue))
                remedy = (
                    f"did you mean {close[0]}? It is one of {names}" if close else f"write one of {names}"
                )
                raise keys.error(clause_id, f"no capture named {row!r}", remedy)
        captures[clause_id] = tuple(
            catalogue[row] if isinstance(row, str) else capture_of(file, f"next.{clause_id}", row)
            for row in rows
        )
    return captures


def first_of(file: str, path: str, row: Mapping[str, Any], ids: set[str]) -> First:
    """Build one row of `first`."""
    keys = Keys(file, path, row, ["after", "ask"])
    first = First(keys.texts("after"), keys.text("ask", is_required=True))
    for name in sorted({*first.after, first.ask} - ids):
        raise keys.error(name, "no such clause", f"clauses are {', '.join(sorted(ids))}")
    return first


def capture_of(file: str, path: str, row: Mapping[str, Any], name: str = "") -> Capture:
    """Build one capture; captures of the catalogue have a `name`.

    Raises:
        SignatureError: With file, key and remedy.
    """
    keys = Keys(
        file,
        path,
        row,
        CAPTURE_KEYS,
    )
    return Capture(
        name=name,
        title=keys.text("title", is_required=True),
        run=keys.text("run", is_required=True),
        cost=keys.text("cost", is_required=True),
        needs=keys.texts("needs"),
        alternatives=keys.texts("alternatives"),
        unsafe_if=keys.texts("unsafe_if"),
        cgroup=keys.one_of("cgroup", ("", "v1", "v2"), default=""),
        reads=keys.texts("reads"),
        os=keys.one_of("os", ("linux", "windows"), default="linux"),
    )
