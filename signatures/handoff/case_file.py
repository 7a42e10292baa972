"""The case file of a handoff: what its page and summary say, in words and with the cited lines."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING

from signatures.fixes.plan import cures, fixes_now
from signatures.language.number_format import value_words
from signatures.rendering import case_file as parts
from signatures.rendering import finding_text, matrix_text, words
from signatures.rendering.verdict import claim_and_decides

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from signatures.documents.citation import Place
    from signatures.documents.finding import ConditionDocument, FindingDocument
    from signatures.documents.fix import FixDocument
    from signatures.documents.hypotheses import CellDocument
    from signatures.documents.overview import StatementDocument
    from signatures.handoff.contents import BundleFile, Contents

SHOWN_CITES = 3
AROUND = 3
MAX_CITED_LINES = 60
MAX_LINES_OF_FILE = 1_500
MAX_LINE_CHARS = 600


def case_file_of(contents: Contents) -> parts.CaseFile:
    """Return what the documents of a handoff say."""
    wanted = _wanted(contents)
    return parts.CaseFile(
        number=contents.number,
        title=contents.title,
        recipient=contents.recipient,
        question=contents.question,
        hosts=contents.hosts,
        lead=contents.lead,
        statements=[_statement(contents, one) for one in contents.statements],
        findings=[_finding(contents, one) for one in contents.findings],
        fixes=[step for one in contents.findings for step in steps_of(one)],
        chain=_chain(contents),
        matrix=_matrix(contents),
        wait_graphs=contents.wait_graphs,
        pictures=contents.pictures,
        oom=_oom(contents),
        resolution=contents.resolution,
        tried=contents.tried,
        notes=contents.notes,
        files=[
            parts.File(one.path, one.sha256, one.lines, one.changed, tuple(_excerpt(one, wanted[one.number])))
            for one in contents.files
        ],
        left_out=sorted(contents.left_out.items()),
        changes=[
            (one.title, "; ".join(one.what)) for one in contents.differences if one.cause == "redaction"
        ],
    )


def _statement(contents: Contents, statement: StatementDocument) -> parts.Statement:
    text = "" if statement.text == contents.lead else statement.text
    return parts.Statement(text, _cites(contents, statement.citations[:1]))


def _finding(contents: Contents, finding: FindingDocument) -> parts.Finding:
    verdict = finding.verdict
    headline = finding.headline or f"{words.capital(words.VERDICTS[verdict])}: {finding.title}"
    claim, decides = claim_and_decides(headline)
    shown = [one for one in finding.conditions if one.role != "rival" or one.state == "TRUE"]
    affected = finding.affected
    return parts.Finding(
        verdict=verdict,
        claim=claim,
        decides=decides,
        signature=finding_text.signature_words(finding),
        host=finding.host or "unknown host",
        certainty=finding.certainty or f"coverage {finding.coverage_word}.",
        affected=f"{affected.sentence.rstrip('.')} ({affected.basis})",
        conditions=tuple(_condition(contents, one) for one in shown),
    )


def _condition(contents: Contents, clause: ConditionDocument) -> parts.Condition:
    cites = _cites(contents, clause.citations)
    return parts.Condition(
        name=clause.title or clause.id,
        state=words.condition_words(clause.state, clause.reason, clause.observed),
        measured="" if clause.observed is None else value_words(clause.observed, clause.unit),
        cites=cites[:SHOWN_CITES],
        more=max(0, len(cites) - SHOWN_CITES),
    )


def steps_of(finding: FindingDocument) -> list[parts.Step]:
    """Return what to do next: the fix that ends it, then those that are safe at once."""
    ends, safe = cures(finding.fixes), fixes_now(finding.fixes)
    return [
        *(_step("Ends it", fix) for fix in ends),
        *(_step("May be done now", fix) for fix in safe if fix not in ends),
    ]


def _step(label: str, fix: FixDocument) -> parts.Step:
    limits = [f"risk: {fix.risk or 'not stated'}"]
    if fix.unsafe_if:
        limits.append(f"not if: {'; '.join(fix.unsafe_if)}")
    run = (fix.run or "").strip()
    return parts.Step(label, fix.title, "; ".join(limits), run)


def _chain(contents: Contents) -> list[parts.Link]:
    """Return the chain of causes with its lines, and those of its edges."""
    return [
        parts.Link(
            words.EDGES[one.edge],
            one.text,
            next(iter(_cites(contents, [one.citation])), None),
            one.reason,
            _cites(contents, one.proof),
        )
        for one in contents.chain
    ]


def _matrix(contents: Contents) -> parts.Matrix:
    """Return what else it could be, each cell with its first line, and the capture that decides most."""
    matrix = contents.matrix
    return parts.Matrix(
        matrix_text.columns(matrix),
        [
            (matrix_text.observation_words(row), [_cell(contents, cell) for cell in row.cells])
            for row in matrix.observations
        ],
        matrix_text.next_words(matrix),
        matrix.captures[0].run.strip() if matrix.captures else "",
    )


def _cell(contents: Contents, cell: CellDocument) -> parts.Cell:
    cite = next(iter(_cites(contents, cell.citations)), None)
    return parts.Cell(matrix_text.MARKS[cell.state], cell.state, cite)


def _oom(contents: Contents) -> parts.Oom:
    oom = contents.oom
    places = tuple(
        parts.OomPlace(next(iter(_cites(contents, [place.place])), None), place.text) for place in oom.places
    )
    return parts.Oom(words.OOM_ANSWERS[oom.answer], oom.sentence, places, oom.more)


def _cites(contents: Contents, citations: Iterable[Place]) -> tuple[parts.Cite, ...]:
    """Return the citations of files that are handed over."""
    found = []
    for citation in citations:
        file = contents.file_of(citation.evidence)
        if file is not None:
            first, last = citation.first_line, citation.last_line
            place = f"{file.name}:{first}" + (f"-{last}" if last > first else "")
            found.append(parts.Cite(place, _anchor(file, first)))
    return tuple(found)


def _anchor(file: BundleFile, line: int) -> str:
    return f"e{file.number}l{line}"


def _wanted(contents: Contents) -> dict[int, dict[int, bool]]:
    """Return the lines to show of each file: number to whether it is cited, not just context."""
    wanted: dict[int, dict[int, bool]] = defaultdict(dict)
    cited: list[Place] = [
        one for finding in contents.findings for clause in finding.conditions for one in clause.citations
    ]
    cited += [one for statement in contents.statements for one in statement.citations[:1]]
    cited += [one.place for one in contents.oom.places]
    cited += [at for one in contents.chain for at in (one.citation, *one.proof)]
    cited += [at for row in contents.matrix.observations for cell in row.cells for at in cell.citations]
    for citation in cited:
        file = contents.file_of(citation.evidence)
        if file is None:
            continue
        lines = wanted[file.number]
        first = citation.first_line
        last = min(citation.last_line, first + MAX_CITED_LINES)
        for line in range(max(1, first - AROUND), last + AROUND + 1):
            if len(lines) < MAX_LINES_OF_FILE:
                lines[line] = lines.get(line, False) or first <= line <= last
    return wanted


def _excerpt(file: BundleFile, wanted: dict[int, bool]) -> Iterator[parts.ExcerptLine]:
    at = 0
    with file.local_path.open("rb") as stream:
        for number in sorted(wanted):
            skipped = number - at - 1
            line = next(islice(stream, skipped, None), None)
            if line is None:
                return
            at = number
            text = line.rstrip(b"\n").decode("utf-8", "replace")
            shown = text[:MAX_LINE_CHARS] + ("…" if len(text) > MAX_LINE_CHARS else "")
            yield parts.ExcerptLine(number, _anchor(file, number), shown, wanted[number], skipped > 0)
