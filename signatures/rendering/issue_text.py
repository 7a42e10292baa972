"""The text of an issue about a case or one of its findings, for GitHub, GitLab or Jira.

    issue(case, findings, "https://casebook/cases/12", "gitlab").title  ->  "Case 12: OOM kill in db.slice"

The body ends in the link. That of GitLab has a quick action with labels, of severity and tags of the case.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from signatures.documents.alarm import AlarmDocument, is_relevant
from signatures.documents.finding import FindingDocument
from signatures.fixes.plan import fixes_now
from signatures.rendering import finding_text
from signatures.rendering.finding_rows import rule_of
from signatures.rendering.issue_markup import MARKUPS
from signatures.rendering.lines import bare
from signatures.rendering.places import places_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.documents.alarm import AnyFinding
    from signatures.documents.service_case import ServiceCase
    from signatures.rendering.issue_markup import Markup

MAX_TITLE, MAX_BODY = 250, 30_000
"""Characters; Jira takes 255 of a title and 32,767 of a text, the least of the three."""
MAX_FINDINGS, MAX_CONDITIONS = 5, 20
GITLAB = "gitlab"
HEADER = ("condition", "state", "observed", "threshold", "evidence")
_NO_LABEL = re.compile(r"[^\w .:/+-]")


class Issue(NamedTuple):
    """Title and body of an issue, and the labels that its case suggests."""

    title: str
    body: str
    labels: list[str]


def issue(
    case: ServiceCase, findings: Sequence[AnyFinding], url: str, tracker: str, *, is_chosen: bool = False
) -> Issue:
    """Return the text of an issue about a case with its relevant findings, or with those that are chosen."""
    markup = MARKUPS[tracker]
    headline = case["headline"]["text"] if case["headline"] else case.get("name") or case["title"]
    labels = _labels(case)
    shown = [one for one in findings if is_chosen or is_relevant(one)]
    parts = ["\n".join(_facts(case, headline, markup))]
    for finding in shown[:MAX_FINDINGS]:
        parts += _finding(finding, markup)
    if len(shown) > MAX_FINDINGS:
        parts.append(f"{len(shown) - MAX_FINDINGS} more findings.")
    end = [url, *([_quick_action(labels)] if tracker == GITLAB and labels else [])]
    return Issue(_cut(bare(f"Case {case['number']}: {headline}"), MAX_TITLE), _bounded(parts, end), labels)


def _facts(case: ServiceCase, headline: str, markup: Markup) -> Iterator[str]:
    yield markup.bullet(f"{markup.strong('Headline')}: {markup.text(headline)}")
    values = {
        "Severity": case["severity"] or "",
        "Status": case["status"],
        "Hosts": ", ".join(case["hosts"][:10]),
        "Tags": ", ".join(case["tags"]),
    }
    for name, value in values.items():
        if value:
            yield markup.bullet(f"{markup.strong(name)}: {markup.text(value)}")
    for name, value in (case["resolution"] or {}).items():
        if value:
            yield markup.bullet(f"{markup.strong(name.capitalize())}: {markup.text(value)}")


def _finding(finding: AnyFinding, markup: Markup) -> Iterator[str]:
    yield markup.heading(finding.headline or finding.title)
    about = markup.code(rule_of(finding))
    if isinstance(finding, FindingDocument):
        about += f" version {finding.version}"
        about += f" of {markup.code(finding.library)}" if finding.library else ""
    host = f" on {markup.text(finding.host)}" if finding.host else ""
    sentences = [finding.certainty, finding.affected.sentence if isinstance(finding, FindingDocument) else ""]
    yield " ".join([f"{about}{host}.", *(markup.text(one) for one in sentences if one)])
    if isinstance(finding, AlarmDocument):
        yield from (markup.bullet(markup.code(place)) for place in places_of(finding.citations)[:3])
        return
    rows = [
        (
            markup.text(finding_text.title_of(one)),
            markup.text(finding_text.state_words(one)),
            markup.text(finding_text.observed_words(one)),
            markup.text(finding_text.threshold_words(one)),
            ", ".join(markup.code(place) for place in places_of(one.citations)),
        )
        for one in finding_text.shown_conditions(finding)[:MAX_CONDITIONS]
    ]
    if rows:
        yield markup.table(HEADER, rows)
    for title in finding_text.warnings(finding):
        yield markup.bullet(f"{markup.strong('Do not')}: {markup.text(title)}")
    for fix in fixes_now(finding.fixes):
        yield markup.bullet(f"{markup.strong('Do this now')}: {markup.text(fix.title)}")
        yield from (markup.bullet(markup.text(one)) for one in finding_text.fix_details(fix))
        if fix.run:
            yield markup.block(fix.run)
    for fix in finding_text.fixes_later(finding):
        yield markup.bullet(f"{markup.strong('Needs planning')}: {markup.text(fix.title)}")


def _labels(case: ServiceCase) -> list[str]:
    severity = [f"severity::{case['severity']}"] if case["severity"] else []
    return [*severity, *filter(None, (_NO_LABEL.sub("", tag).strip() for tag in case["tags"]))]


def _quick_action(labels: Sequence[str]) -> str:
    return "/label " + " ".join(f'~"{label}"' for label in labels)


def _bounded(parts: Sequence[str], end: Sequence[str]) -> str:
    """Return the parts that fit, whole ones only, and the end."""
    last = "\n\n".join(end) + "\n"
    room = MAX_BODY - len(last) - 100
    kept: list[str] = []
    for part in parts:
        if len(part) + 2 > room:
            kept.append("More is at the link.")
            break
        kept.append(part)
        room -= len(part) + 2
    return "\n\n".join([*kept, last])


def _cut(text: str, characters: int) -> str:
    return text if len(text) <= characters else f"{text[: characters - 1]}…"
