"""Fields of the query language, one row each."""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["value", "begins", "words", "line", "fact", "time"]


class Field(NamedTuple):
    """A field of a query.

    Attributes:
        kind: `value`: equal, or by its beginning with `*`. `begins`: a release or a part of its beginning.
            `words`: all words of the value. `line`: neighbouring words of one log line. `fact`: a name,
            compared. `time`: a date, or an age such as `7d`.
        says: Meaning, for the completion.
        example: A value.
        is_counted: Facets and completion count its values.
        values: All values, where they are few.
    """

    name: str
    kind: Kind
    says: str
    example: str
    is_counted: bool = False
    values: tuple[str, ...] = ()


FIELDS: dict[str, Field] = {
    field.name: field
    for field in (
        Field("host", "value", "Host of the evidence", "db7", is_counted=True),
        Field("kernel", "begins", "Kernel release, or its beginning", "6.1", is_counted=True),
        Field("distro", "value", "Distribution of the kernel or the host", "debian", is_counted=True),
        Field(
            "finding",
            "value",
            "Signature that is or may be, its area or its name",
            "memcg-oom",
            is_counted=True,
        ),
        Field(
            "problem",
            "value",
            "Signature that is, or cluster of unexplained cases",
            "mm/memcg-oom",
            is_counted=True,
        ),
        Field(
            "verdict",
            "value",
            "Verdict of some finding",
            "match",
            is_counted=True,
            values=("match", "suspect"),
        ),
        Field(
            "severity",
            "value",
            "Severity of the case",
            "high",
            is_counted=True,
            values=("critical", "high", "medium", "low", "none"),
        ),
        Field(
            "status",
            "value",
            "Status of the case; `open` is not resolved",
            "open",
            is_counted=True,
            values=("investigating", "mitigated", "resolved", "open", "closed"),
        ),
        Field("owner", "value", "Account that works on it; `me`, `none`", "me", is_counted=True),
        Field(
            "label",
            "value",
            "What somebody said of a finding",
            "wrong",
            is_counted=True,
            values=("right", "wrong", "unsure"),
        ),
        Field("frame", "value", "Function in a stack", "osq_lock"),
        Field("function", "value", "Function that is among the heaviest", "memcg_stat_show"),
        Field("class", "value", "Class of a kernel log record", "oom_kill", is_counted=True),
        Field("line", "line", "Neighbouring words of a log line", '"EXT4-fs error"'),
        Field("fact", "fact", "Fact of the evidence, compared", "memcg.usage_share>0.9"),
        Field("fix", "words", "Words of the fix", "limit"),
        Field("cleared", "value", "Signature that is gone after the fix", "memcg-oom"),
        Field("file", "value", "File name of the evidence", "dmesg.txt"),
        Field("tag", "value", "Tag of the case", "postgres", is_counted=True),
        Field("team", "value", "Team of the case", "databases", is_counted=True),
        Field("since", "time", "Opened at this time or later", "7d"),
        Field("until", "time", "Opened before this time", "2026-11-01"),
    )
}

COUNTED = tuple(field.name for field in FIELDS.values() if field.is_counted)
