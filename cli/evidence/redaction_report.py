"""What a redaction replaced and left, as lines for the person who sends its output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from cli.evidence.redaction import Outcome
    from ingest.redact import Redactor
    from ingest.redact.second_look import OpenToken

SHOWN_LEAKS = 10
SHOWN_TOKENS = 20
KINDS = {
    "domain": "domains",
    "fqdn": "full host names",
    "host": "host names",
    "ipv4": "IPv4 addresses",
    "ipv4hex": "IPv4 addresses of procfs",
    "ipv4net": "IPv4 addresses in hexadecimal digits",
    "ipv6": "IPv6 addresses",
    "ipv6word": "IPv6 addresses of procfs",
    "mac": "hardware addresses",
    "person": "names of people",
    "project": "names of projects, customers and resources",
    "secret": "keys, tokens and passwords",
    "serial": "serial numbers",
    "user": "users",
    "uuid": "ids of machines",
}


def report_lines(redactor: Redactor, outcome: Outcome, reviewed: Collection[str]) -> Iterator[str]:
    """Yield what was replaced, what was left out, what leaks, and the open tokens of classes not reviewed."""
    replaced = sum(redactor.counts.values())
    yield bare(f"{_number(outcome.texts, 'text')} redacted, {_number(replaced, 'place')} replaced")
    different = redactor.different
    for kind, count in sorted(redactor.counts.items()):
        if count:
            yield bare(f"  {count:>8,}  {KINDS.get(kind, kind)} ({different[kind]:,} different)")
    for reason, count in outcome.left_out.most_common():
        yield bare(f"  {count:>8,}  files left out: {reason}")
    if redactor.unreplaced_words:
        words = ", ".join(sorted(redactor.unreplaced_words))
        yield bare(f"ambiguous words, replaced only where they are certainly names: {words}")
    if outcome.leaks:
        yield bare(f"{len(outcome.leaks)} possible leaks remain; review them before you send this:")
        for path, leak in outcome.leaks[:SHOWN_LEAKS]:
            yield bare(f"  {path}:{leak.line}: {leak.what!r} {leak.written}")
    for one in outcome.to_review(reviewed):
        found = _number(one.distinct, "open token")
        yield bare(f"{found}, class {one.name}; review them, then add --reviewed {one.name}:")
        shown = one.tokens[:SHOWN_TOKENS]
        for token in shown:
            if token.names > 1:
                yield bare(f"  {token.text}: {token.names} names in {token.count} places, the first:")
            yield bare(f"  {_place_of(token)}")
        rest = one.distinct - sum(token.names for token in shown)
        if rest:
            yield bare(f"  and {rest:,} more: --open-tokens FILE writes them")


def open_token_list(outcome: Outcome) -> str:
    """Return the open tokens as lines for --replace-file, each behind its first place."""
    lines = [
        line
        for one in outcome.open_classes
        for token in one.tokens
        for line in (f"# {_place_of(token)}", f"{one.name}:{token.text}")
    ]
    return "".join(f"{line}\n" for line in lines)


def _place_of(token: OpenToken) -> str:
    return bare(f"{token.where}:{token.line}: {token.before.lstrip()}[{token.text}]{token.behind.rstrip()}")


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
