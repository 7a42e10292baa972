"""Parser of `signature.yaml`; unknown keys are errors that list the known keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast

from signatures.document.condition_parser import test_of
from signatures.document.decision_rules import decide_of, first_of, next_of
from signatures.document.variables import bind_of
from signatures.document.version_table import affected_of
from signatures.judging.predicates.kernel import kernels_of
from signatures.language.extract_syntax import CALL
from signatures.language.kernel_ranges import check_range
from signatures.language.model import CONDITION, DEFECT, Clause, Implication, Signature
from signatures.language.patterns import expand
from signatures.language.strict_mapping import Keys
from signatures.language.systems import CHOICES, LINUX, System

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from signatures.language.model import Capture

    Documents: TypeAlias = Callable[[str], Mapping[str, Any] | None]

SEVERITIES = ("critical", "high", "medium", "low")
STATUSES = ("draft", "stable", "retired")
KINDS = (DEFECT, CONDITION)
ROLES = ("core", "corroborates", "context", "rival")
FIX_KEYS = [
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
    "records",
    "effect",
    "endangers",
    "only_with",
]
FIX_KINDS = ("fix", "procedure", "setting", "upgrade", "warning", "workaround")
FIX_SCOPES = ("runtime", "config", "redeploy", "reboot")
FIX_LISTS = frozenset({"unsafe_if", "only_with", "records", "avoid"})
FIXED_IN = "fixed_in"
"""A release, or a list of releases."""

REFERENCE_KEYS = ["kind", "title", "url", "id", "status", "checked", "copy", "words"]
REPORTED_KEYS = ["on", "verdict", "status", "note"]
CLAUSE_KEYS = ["role", "weight", "veto", "title", "refuted_by", "when", "ruled_out_by", "answers", "use"]
USE_KEYS = ["use", "role", "weight", "veto", "title", "ruled_out_by", "answers"]
IMPLIES_KEYS = ["frame", "tracepoint", "rows", "log", "has_fact", "fact", "is"]
TOP_KEYS = [
    "schema",
    "id",
    "version",
    "title",
    "severity",
    "status",
    "kind",
    "reason",
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
    "follows",
    "next",
    "first",
    "fixes",
    "references",
]


def signature_of(
    document: Mapping[str, Any],
    file: str,
    *,
    captures: Mapping[str, Capture] | None = None,
    others: Documents = lambda _: None,
    story: str = "",
    folder: str = "",
) -> Signature:
    """Build the signature of a parsed YAML document.

    Args:
        document: Parsed YAML.
        file: Name of the file in errors.
        captures: The shared catalogue by name.
        others: Returns the document of another signature by id, None without one; for `use`.
        story: Text of `story.md`.
        folder: Path of its folder.

    Raises:
        SignatureError: With file, key and remedy.
    """
    top = Keys(file, "", document, TOP_KEYS)
    top.one_of("schema", (1,))
    clauses_of = Keys(file, "clauses", top.mapping("clauses"), None)
    clauses = tuple(_clause(file, name, clauses_of.mapping(name), others) for name in clauses_of)
    ids = {clause.id for clause in clauses}
    for clause in clauses:
        for other in clause.ruled_out_by:
            if other not in ids - {clause.id}:
                known = ", ".join(sorted(ids - {clause.id}))
                raise clauses_of.error(
                    f"{clause.id}.ruled_out_by", f"{other}: no such clause", f"write one of {known}"
                )
    bind, own_of = bind_of(Keys(file, "bind", top.mapping("bind"), None))
    applies = top.mapping("applies")
    applies.pop("if_missing", None)
    named = {name: applies.pop(name) for name in (*CHOICES, "kernel") if name in applies}
    system = _system(Keys(file, "applies", named, [*CHOICES, "kernel"]))
    return Signature(
        id=top.text("id"),
        version=int(top.value("version")),
        title=top.text("title"),
        severity=top.one_of("severity", SEVERITIES),
        status=top.one_of("status", STATUSES),
        kind=top.one_of("kind", KINDS, default=DEFECT),
        reason=top.text("reason"),
        symptoms=top.texts("symptoms"),
        bind=bind,
        own_of=own_of,
        applies=test_of(file, "applies", applies) if applies else None,
        affected=tuple(affected_of(file, path, row) for path, row in _rows(top, "affected")),
        reported=tuple(
            _strings(Keys(file, path, row, REPORTED_KEYS)) for path, row in _rows(top, "reported")
        ),
        implies=tuple(_implication(file, path, row) for path, row in _rows(top, "implies")),
        clauses=clauses,
        decide=decide_of(file, top.mapping("decide"), ids),
        extract=_extract(Keys(file, "extract", top.mapping("extract"), None), ids),
        supersedes=top.texts("supersedes"),
        follows=top.texts("follows"),
        next=next_of(file, top.mapping("next"), ids, captures or {}),
        fixes=tuple(_fix(Keys(file, path, row, FIX_KEYS)) for path, row in _rows(top, "fixes")),
        references=tuple(
            _strings(Keys(file, path, row, REFERENCE_KEYS)) for path, row in _rows(top, "references")
        ),
        aliases=top.texts("aliases"),
        first=tuple(first_of(file, path, row, ids) for path, row in _rows(top, "first")),
        story=story,
        folder=folder,
        system=system,
    )


def _system(keys: Keys) -> System:
    """Read the system a signature is about; Linux where it says nothing."""
    chosen = {name: keys.one_of(name, CHOICES[name]) for name in keys if name in CHOICES}
    kernel = keys.text("kernel")
    try:
        check_range(kernel)
    except ValueError as error:
        raise keys.error("kernel", str(error), "write a range such as >=5.14,<6.18") from error
    return System(**{"os": LINUX, **chosen}, kernel=kernel)


def _rows(keys: Keys, name: str) -> list[tuple[str, dict[str, Any]]]:
    return [(f"{name}[{at}]", row) for at, row in enumerate(keys.items(name))]


def _fix(keys: Keys) -> dict[str, Any]:
    """Return a fix with the types that stored findings and reports have; a single text is a list of one."""
    return {
        key: list(keys.texts(key))
        if key in FIX_LISTS or (key == FIXED_IN and isinstance(value, list))
        else keys.text(key)
        for key, value in keys.items_.items()
        if value is not None
    }


def _strings(keys: Keys) -> dict[str, str]:
    return {str(key): str(value) for key, value in keys.items_.items()}


def _extract(keys: Keys, ids: set[str]) -> dict[str, str]:
    sources = _strings(keys)
    for name, source in sources.items():
        call = CALL.fullmatch(source)
        if "(" in source and call is None:
            raise keys.error(
                name,
                f"{source!r} is not an extraction",
                "write $variable, a fact, observed(clause), mode(set.column), last(fact), name($variable) or "
                "field(clause.name)",
            )
        clause = call[2].partition(".")[0] if call and call[1] in {"observed", "field"} else None
        if clause is not None and clause not in ids:
            raise keys.error(name, f"{clause}: no such clause", f"clauses are {', '.join(sorted(ids))}")
    return sources


def _used_clause(keys: Keys, source: str, others: Documents) -> dict[str, Any]:
    """Return the document of the clause `area/name.clause`.

    Raises:
        SignatureError: It does not exist, or itself has `use`.
    """
    signature_id, _, clause_id = source.rpartition(".")
    document = others(signature_id)
    clauses = document.get("clauses") if document is not None else None
    clause = clauses.get(clause_id) if isinstance(clauses, dict) else None
    if not isinstance(clause, dict):
        raise keys.error("use", f"{source!r} is not a clause of the library", "write area/name.clause")
    if "use" in clause:
        raise keys.error("use", f"{source!r} itself has `use`", f"write use: {clause['use']}")
    return clause


def _clause(file: str, name: str, document: dict[str, Any], others: Documents) -> Clause:
    path = f"clauses.{name}"
    if "use" in document:
        keys = Keys(file, path, document, USE_KEYS)
        source = _used_clause(keys, keys.text("use"), others)
        own = ("role", "weight", "veto", "ruled_out_by", "answers")
        inherited = {key: value for key, value in source.items() if key not in own}
        document = inherited | {key: value for key, value in document.items() if key != "use"}
    own_keys = {key: document[key] for key in CLAUSE_KEYS if key in document}
    keys = Keys(file, path, own_keys, None)
    role = keys.one_of("role", ROLES, default="corroborates")
    when, refuted_by = keys.mapping("when"), keys.mapping("refuted_by")
    test = {key: value for key, value in document.items() if key not in own_keys}
    if "ruled_out_by" in own_keys and role != "rival":
        raise keys.error("ruled_out_by", f"{name} is not a rival", "write it in a clause with role: rival")
    if "answers" in own_keys and role == "rival":
        raise keys.error("answers", f"{name} is a rival", "write it in a condition that is none")
    return Clause(
        id=name,
        title=keys.text("title"),
        role=cast("Any", role),
        weight=abs(keys.number("weight", 0.0)),
        is_veto=bool(own_keys.get("veto", False)),
        test=test_of(file, path, test),
        refuted_by=test_of(file, f"{path}.refuted_by", refuted_by) if refuted_by else None,
        when=kernels_of(file, f"{path}.when", when) if when else (),
        ruled_out_by=keys.texts("ruled_out_by"),
        answers=keys.text("answers"),
    )


def _implication(file: str, path: str, row: Mapping[str, Any]) -> Implication:
    keys = Keys(file, path, row, IMPLIES_KEYS)
    shown = [key for key in IMPLIES_KEYS[:5] if key in row]
    if len(shown) != 1:
        raise keys.error(
            "implies", f"names {len(shown)} observations", f"name one of {', '.join(IMPLIES_KEYS[:5])}"
        )
    names = keys.texts(shown[0])
    try:
        frames = expand(names) if shown[0] == "frame" else ()
    except ValueError as problem:
        raise keys.error("frame", str(problem), "see docs/signatures.md") from problem
    return Implication(
        frames=frames,
        fact=keys.text("fact", is_required=True),
        value=keys.value("is"),
        kind=shown[0],
        names=() if shown[0] == "frame" else names,
    )
