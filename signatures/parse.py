"""One `signature.yaml` to one `Signature`; an unknown key names itself and what is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from signatures.conditions import test_of
from signatures.keys import Keys
from signatures.model import Affected, Capture, Clause, Decide, First, Implication, Require, Signature
from signatures.patterns import expand
from signatures.questions import KernelCondition

if TYPE_CHECKING:
    from collections.abc import Mapping

SEVERITIES = ("critical", "high", "medium", "low")
STATUSES = ("draft", "stable", "retired")
ROLES = ("core", "corroborates", "context", "rival")
_FIX_KEYS = [
    "kind",
    "title",
    "run",
    "scope",
    "first_on",
    "risk",
    "undo",
    "unsafe_if",
    "verify",
    "status",
    "needs",
    "fixed_in",
    "avoid",
    "as_of",
    "aspect",
    "note",
]
_REFERENCE_KEYS = ["kind", "title", "url", "id", "status"]
_TOP = [
    "schema",
    "id",
    "version",
    "title",
    "severity",
    "status",
    "symptoms",
    "aliases",
    "bind",
    "applies",
    "affected",
    "reported",
    "implies",
    "clauses",
    "decide",
    "extract",
    "supersedes",
    "next",
    "first",
    "fixes",
    "references",
]


def signature_of(document: Mapping[str, Any], file: str, *, story: str = "", folder: str = "") -> Signature:
    """Build the signature of a parsed YAML document.

    Raises:
        SignatureError: With file, key and remedy.
    """
    top = Keys(file, "", document, _TOP)
    top.one_of("schema", (1,))
    clauses_of = Keys(file, "clauses", top.mapping("clauses"), None)
    clauses = tuple(_clause(file, name, clauses_of.mapping(name)) for name in clauses_of)
    ids = {clause.id for clause in clauses}
    bind = {name: kind.split("_of")[0] for name, kind in top.mapping("bind").items()}
    applies = top.mapping("applies")
    applies.pop("if_missing", None)
    return Signature(
        id=top.text("id"),
        version=int(top.value("version")),
        title=top.text("title"),
        severity=top.one_of("severity", SEVERITIES),
        status=top.one_of("status", STATUSES),
        symptoms=top.texts("symptoms"),
        bind=bind,
        applies=test_of(file, "applies", applies) if applies else None,
        affected=tuple(_affected(file, row) for row in top.items("affected")),
        reported=tuple(_strings(row) for row in top.items("reported")),
        implies=tuple(_implication(file, row) for row in top.items("implies")),
        clauses=clauses,
        decide=_decide(file, top.mapping("decide"), ids),
        extract=_strings(top.mapping("extract")),
        supersedes=top.texts("supersedes"),
        next=_next(file, top.mapping("next"), ids),
        fixes=tuple(dict(Keys(file, "fixes", row, _FIX_KEYS).items_) for row in top.items("fixes")),
        references=tuple(
            _strings(Keys(file, "references", row, _REFERENCE_KEYS).items_) for row in top.items("references")
        ),
        aliases=top.texts("aliases"),
        first=tuple(_first(file, row, ids) for row in top.items("first")),
        story=story,
        folder=folder,
    )


def _strings(row: Mapping[str, Any]) -> dict[str, str]:
    return {key: str(value) for key, value in row.items()}


def _clause(file: str, name: str, document: Mapping[str, Any]) -> Clause:
    path = f"clauses.{name}"
    own = {
        key: document[key]
        for key in ("role", "weight", "veto", "title", "refuted_by", "when")
        if key in document
    }
    keys = Keys(file, path, own, None)
    role = keys.one_of("role", ROLES, default="corroborates")
    when = keys.mapping("when")
    refuted_by = keys.mapping("refuted_by")
    test = {key: value for key, value in document.items() if key not in own}
    return Clause(
        id=name,
        title=keys.text("title"),
        role=cast("Any", role),
        weight=abs(float(own.get("weight", 0.0))),
        is_veto=bool(own.get("veto", False)),
        test=test_of(file, path, test),
        refuted_by=test_of(file, f"{path}.refuted_by", refuted_by) if refuted_by else None,
        when=KernelCondition(Keys(file, f"{path}.when", when, ["kernel"]).text("kernel")) if when else None,
    )


def _affected(file: str, row: Mapping[str, Any]) -> Affected:
    keys = Keys(
        file,
        "affected",
        row,
        ["ecosystem", "aspect", "introduced", "fixed", "branch", "verdict", "basis", "status"],
    )
    return Affected(
        ecosystem=keys.text("ecosystem"),
        **{key: str(row[key]) for key in row if key != "ecosystem" and row[key] is not None},
    )


def _implication(file: str, row: Mapping[str, Any]) -> Implication:
    keys = Keys(file, "implies", row, ["frame", "fact", "is"])
    return Implication(expand(keys.texts("frame")), keys.text("fact"), keys.value("is"))


def _decide(file: str, document: Mapping[str, Any], ids: set[str]) -> Decide:
    keys = Keys(file, "decide", document, ["require", "suspect", "match"])
    require = Keys(file, "decide.require", keys.mapping("require"), ["all", "any", "not_false", "at_least"])
    suspect = Keys(file, "decide.suspect", keys.mapping("suspect"), ["score", "any"])
    match = Keys(
        file,
        "decide.match",
        keys.mapping("match"),
        ["score", "all", "any", "any_of_pairs", "min_coverage", "version"],
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


def _next(file: str, document: Mapping[str, Any], ids: set[str]) -> dict[str, tuple[Capture, ...]]:
    keys = Keys(file, "next", document, sorted(ids))
    captures = {}
    for clause_id in keys:
        entry = document[clause_id]
        rows = entry if isinstance(entry, list) else [entry]
        captures[clause_id] = tuple(capture_of(file, f"next.{clause_id}", row) for row in rows)
    return captures


def _first(file: str, row: Mapping[str, Any], ids: set[str]) -> First:
    keys = Keys(file, "first", row, ["after", "ask"])
    first = First(keys.texts("after"), keys.text("ask", is_required=True))
    for name in sorted({*first.after, first.ask} - ids):
        raise keys.error(name, "no such clause", f"clauses are {', '.join(sorted(ids))}")
    return first


def capture_of(file: str, path: str, row: Mapping[str, Any]) -> Capture:
    """Build one capture.

    Raises:
        SignatureError: With file, key and remedy.
    """
    keys = Keys(
        file,
        path,
        row,
        ["name", "title", "run", "cost", "needs", "alternatives", "unsafe_if", "cgroup", "reads"],
    )
    return Capture(
        name=keys.text("name"),
        title=keys.text("title"),
        run=keys.text("run", is_required=True),
        cost=keys.text("cost", is_required=True),
        needs=keys.texts("needs"),
        alternatives=keys.texts("alternatives"),
        unsafe_if=keys.texts("unsafe_if"),
        cgroup=keys.one_of("cgroup", ("", "v1", "v2"), default=""),
        reads=keys.texts("reads"),
    )
