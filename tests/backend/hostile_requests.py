"""Hostile requests, as the bytes that are sent.

`heads` are odd in address and headers, `Operations` in what every operation of the API takes, `by_chance` are
random mixtures of the same.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from itertools import count, cycle
from typing import TYPE_CHECKING, Any

from backend.core.http.shared_parts import parameters_of
from tests.backend.hostile_headers import HEADERS
from tests.backend.hostile_values import (
    API,
    BOUNDARY,
    CHUNKED,
    FILE,
    JSON,
    MULTIPART,
    NOBODY,
    NUMBERS,
    PARTS,
    PLACES,
    QUERIES,
    RAW_BODIES,
    SEGMENTS,
    STRINGS,
    TARGETS,
    VALUES,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QQQ")


@dataclass(frozen=True)
class Sent:
    """One request."""

    method: str
    target: bytes
    headers: tuple[tuple[bytes, bytes], ...] = ()
    body: bytes = b""
    has_length: bool = True
    may_be_dropped: bool = False

    def raw(self, authorization: str = "") -> bytes:
        """Return what goes over the wire."""
        names = {name.lower() for name, _ in self.headers}
        lines = [self.method.encode() + b" " + self.target + b" HTTP/1.1"]
        if b"host" not in names:
            lines.append(b"Host: 127.0.0.1")
        lines += [name + b": " + value for name, value in self.headers]
        if authorization and b"authorization" not in names:
            lines.append(b"Authorization: Bearer " + authorization.encode())
        if self.has_length and self.body:
            lines.append(b"Content-Length: %d" % len(self.body))
        return b"\r\n".join([*lines, b"Connection: close", b"", self.body])


def heads() -> Iterator[Sent]:
    """Yield requests with odd addresses, queries, headers and framing."""
    for target in TARGETS:
        yield Sent("GET", target.encode())
    for method in METHODS:
        for target in ("/", f"{API}/cases", f"{API}/cases/1", "/q", "/api/q", "*"):
            yield Sent(method, target.encode())
    for query in QUERIES:
        yield Sent("GET", f"{API}/cases?{query}".encode())
    yield from (Sent("GET", f"/?{query}".encode()) for query in QUERIES[:12])
    turns = cycle(PLACES)
    for headers in HEADERS:
        is_tus = headers and headers[0][0] == b"Tus-Resumable"
        method, path = PLACES[-1] if is_tus else next(turns)
        yield Sent(method, path.encode(), headers, b"{}" if method == "POST" and not is_tus else b"")
        if headers and headers[0][0] in {b"Range", b"If-Modified-Since", b"If-None-Match"}:
            yield Sent(FILE[0], FILE[1].encode(), headers)
    for body in CHUNKED:
        headers = ((b"Transfer-Encoding", b"chunked"), (b"Content-Type", JSON.encode()))
        yield Sent(
            "POST",
            f"{API}/cases".encode(),
            headers,
            body,
            has_length=False,
            may_be_dropped=len(body) > 50_000,
        )
    for path, parts in zip(cycle(MULTIPART), PARTS * 2, strict=False):
        yield Sent("POST", path.encode(), ((b"Content-Type", BOUNDARY.encode()),), parts)


class Operations:
    """The operations of the API, with hostile values in each place that takes one."""

    def __init__(self, schema: dict[str, Any], known: dict[str, str]) -> None:
        """Make requests from an OpenAPI `schema`; `known` are ids that exist."""
        self._schema = schema
        self._known = known
        self._turn = count()

    def sent(self, *, all_of: bool = False) -> Iterator[Sent]:
        """Yield requests to every operation: with some values each, in turn, or with all of them."""
        for path, operations in self._schema["paths"].items():
            for method, operation in operations.items():
                yield from self._of(method.upper(), path, operation, all_of=all_of)

    def _of(self, method: str, path: str, operation: dict[str, Any], *, all_of: bool) -> Iterator[Sent]:
        plain = Sent(method, self._filled(path).encode())
        for name in re.findall(r"{(\w+)", path):
            for segment in self._some(SEGMENTS, 1, all_of=all_of):
                yield replace(plain, target=self._filled(path, {name: segment}).encode())
        query = [one["name"] for one in parameters_of(self._schema, operation) if one["in"] == "query"]
        for name in query:
            for value in self._some(VALUES, 1, all_of=all_of):
                yield replace(plain, target=f"{self._filled(path)}?{name}={value}".encode())
        content = operation.get("requestBody", {}).get("content", {})
        if JSON not in content:
            if method in {"POST", "PUT", "PATCH"}:
                for body in self._some(RAW_BODIES, 1, all_of=all_of):
                    yield replace(plain, headers=((b"Content-Type", JSON.encode()),), body=body)
            return
        headers = ((b"Content-Type", JSON.encode()),)
        for text in [STRINGS[0], STRINGS[1], *self._some(STRINGS[2:], 1, all_of=all_of)]:
            number = NUMBERS[next(self._turn) % len(NUMBERS)]
            encoded_body = json.dumps(self._made_up(content[JSON]["schema"], text, number)).encode()
            yield replace(plain, headers=headers, body=encoded_body)
        for body in self._some(RAW_BODIES, 1, all_of=all_of):
            yield replace(plain, headers=headers, body=body)

    def _some(self, of: tuple[Any, ...], how_many: int, *, all_of: bool) -> list[Any]:
        return list(of) if all_of else [of[next(self._turn) % len(of)] for _ in range(how_many)]

    def _filled(self, path: str, odd: dict[str, str] | None = None) -> str:
        values = {**self._known, **(odd or {})}
        return re.sub(r"{(\w+)(?::\w+)?}", lambda found: values.get(found[1], NOBODY), path)

    def _made_up(self, schema: dict[str, Any], text: str, number: float, depth: int = 0) -> Any:
        """Return what fits `schema` in its shape, with `text` and `number` wherever one may stand."""
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            return self._made_up(self._schema["components"]["schemas"][name], text, number, depth)
        for choice in ("anyOf", "oneOf", "allOf"):
            if choice in schema:
                others = [one for one in schema[choice] if one.get("type") != "null"]
                return self._made_up(others[next(self._turn) % len(others)], text, number, depth)
        if "enum" in schema or "const" in schema:
            return schema.get("const", schema.get("enum", [None])[0])
        kind = schema.get("type", "object")
        if kind == "array":
            return [self._made_up(schema.get("items", {}), text, number, depth + 1)] if depth < 6 else []
        if kind == "object":
            properties = schema.get("properties", {})
            return {
                name: self._made_up(one, text, number, depth + 1)
                for name, one in properties.items()
                if depth < 6
            } or ({text[:50]: text} if schema.get("additionalProperties") else {})
        if kind == "string" and schema.get("format") == "uuid":
            return NOBODY
        if kind == "string" and schema.get("format") == "date-time":
            return "2026-01-01T00:00:00Z"
        if kind == "string":
            return text
        return True if kind == "boolean" else int(number) if kind == "integer" else number


def by_chance(random: Random, schema: dict[str, Any], known: dict[str, str], how_many: int) -> Iterator[Sent]:
    """Yield random mixtures: any address with any query, headers, type and body."""
    operations = list(Operations(schema, known).sent())
    for _ in range(how_many):
        base = random.choice(operations)
        target = base.target.partition(b"?")[0]
        if random.random() < 0.3:
            target = random.choice(TARGETS).encode()
        if random.random() < 0.5:
            target += b"?" + random.choice(QUERIES).encode()
        headers = base.headers
        if random.random() < 0.6:
            headers = (*headers, *random.choice(HEADERS))
        body = random.choice([base.body, base.body[::-1], *RAW_BODIES, *PARTS, random.randbytes(500)])
        has_length = not any(name.lower() in {b"content-length", b"transfer-encoding"} for name, _ in headers)
        if not has_length:
            body = b""
        yield Sent(random.choice([base.method, base.method, *METHODS]), target, headers, body, has_length)
