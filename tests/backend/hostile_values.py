"""Values of hostile requests."""

from __future__ import annotations

from urllib.parse import quote

NOBODY = "01900000-0000-7000-8000-000000000000"
JSON = "application/json"
API = "/api/v1"

SEGMENTS = (
    "99999999999999999999",
    "9223372036854775808",
    "-9223372036854775809",
    "2147483648",
    str(10**30),
    "-1",
    "1e400",
    "NaN",
    "%00",
    "7%00",
    "%ff%fe",
    "%ed%a0%80",
    "%F4%90%80%80",
    "%D9%A3",
    "%0d%0aX:y",
    "%2e%2e",
    "..",
    "a%2fb",
    "[",
    "%",
    "%zz",
    "q" * 300,
    "q" * 7000,
    "9" * 5000,
    quote("{7*7}${x}' or 1=1--"),
)
VALUES = (
    *SEGMENTS,
    "",
    "%00%00",
    "true",
    "[]",
    "{}",
    "((((((((",
    "a" * 2000 + "!",
    quote("٣٤ 𝟛 \u202e\ufeff"),
    quote(" " * 2000),
    quote('"' * 900),
    quote("- " * 900),
    quote("a*" * 900),
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59-23:59",
    "2026-01-01T00:00:00%2B99:99",
    "eyJhIjoxfQ==",
    "WyJhIl0=",
    "W1tbW1tbW1tbW1tbW10=" * 20,
    "é",
)
STRINGS = (
    "a\0b",
    "\ud800",
    "\udfff\ud800",
    "q" * 60_000,
    "\u202e\ufeff\x1b[2J\r\n",
    "",
    " " * 5000,
    "((((" * 500,
    "-" * 5000,
    "'; drop table cases --",
    "a://b:" * 900,
    "token=" * 900,
    "* " * 2000,
    "[" * 5000,
    "<" * 5000,
    "𝟛" * 500,
    "9" * 5000,
    NOBODY,
    "2026-01-01T00:00:00Z",
)
NUMBERS = (10**30, -(10**30), 2**63, -(2**63) - 1, 2**31, 1e308, -1, 0, 0.1)
RAW_BODIES = (
    b"",
    b"\0",
    b"\xff\xfe",
    b'"\xed\xa0\x80"',
    b'{"title": "\xff"}',
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b'{"a":' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    b"NaN",
    b'{"title": NaN}',
    b'{"title": Infinity}',
    b'{"title": 1e999999}',
    b"9" * 100_000,
    b'{"title": ' + b"9" * 5000 + b"}",
    b"{" + b",".join(b'"a%d":1' % number for number in range(20_000)) + b"}",
    b"[" + b"1," * 200_000 + b"1]",
    b'"' + b"\\u0000" * 20_000 + b'"',
    b" " * 500_000,
    b"{}",
    b"[]",
    b"null",
    b"0",
    b"\x1f\x8b\x08\x00",
)
CONTENT_TYPES = (
    "",
    "application/json; charset=utf-16",
    "application/json" + ";" * 20_000,
    "application/json; a=" + "\\" * 20_000,
    "application/json" + '; a="' * 4000,
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "multipart/form-data; boundary=" + "-" * 20_000,
    'multipart/form-data; boundary="' + "\\" * 20_000,
    "multipart/form-data" + "; boundary=q" * 2000,
    "multipart/form-data; boundary=\xff\xfe",
    "application/x-www-form-urlencoded",
    "application/offset+octet-stream",
    "text/plain; charset=" + "q" * 20_000,
    "q" * 20_000,
    "/",
)
TARGETS = (
    *(f"/{'q' * length}" for length in (300, 8000, 60_000)),
    *(f"{API}/{'q' * length}" for length in (300, 8000, 60_000)),
    *(f"/assets/{'q' * length}.js" for length in (300, 7000)),
    *(f"/speedscope/{'q' * length}" for length in (300, 7000)),
    *(f"/problems/{'q' * length}" for length in (300, 7000)),
    *(f"/{segment}" for segment in SEGMENTS),
    *(f"{API}/cases/{segment}" for segment in SEGMENTS),
    *(f"/cases/{segment}" for segment in SEGMENTS),
    *(f"/problems/{segment}" for segment in SEGMENTS[:16]),
    "/" + "q/" * 4000,
    "/" + "q/" * 10_000,
    "/" * 8000,
    "//",
    "//[",
    "//[::1",
    "//host:99999999/",
    "/" + "%2f" * 2600,
    "/" + "%2e%2e%2f" * 900,
    "/" + "../" * 2600,
    "/" + "token=" * 1300,
    "/" + "token" * 1600,
    "/" + "a://b:" * 1300,
    "*",
    "http://other.example/",
    "http://[/",
    "?",
    "/?",
    "/#",
    "/;q",
    "/\\",
    "/metrics",
    "/.env",
    "/healthz",
    "/readyz",
    f"{API}/openapi.json",
    "/api-reference",
    "/collect.sh",
)
QUERIES = (
    "q=" + "q" * 8000,
    "q=" + "q" * 60_000,
    "&".join(["q=1"] * 2000),
    "&".join(["q=1"] * 100_000),
    "&".join(f"a{number}=1" for number in range(1000)),
    "&" * 8000,
    "=" * 8000,
    "%" * 8000,
    "q" + "[q]" * 2600,
    "+" * 8000,
    "q=" + "%00" * 2600,
    "q=" + "%ff" * 2600,
    "q=%ed%a0%80",
    *(f"q={value}" for value in VALUES),
    *(f"cursor={value}" for value in VALUES),
    *(f"limit={value}" for value in VALUES[:12]),
    "after=" + str(10**30),
)
COMMAS = b"," * 30_000
HEADERS: tuple[tuple[tuple[bytes, bytes], ...], ...] = (
    tuple((b"X-%d" % number, b"q") for number in range(90)),
    tuple((b"X-%d" % number, b"q") for number in range(120)),
    tuple((b"X-%d" % number, b"q") for number in range(5000)),
    tuple((b"a", b"") for _ in range(12_000)),
    ((b"X", b"q" * 30_000),),
    ((b"X", b"q" * 60_000),),
    ((b"X", b"q" * 500_000),),
    ((b"X" * 30_000, b"q"),),
    ((b"X", b"\xff\xfe\x80"),),
    ((b"X", b"\0"),),
    ((b"X\0", b"q"),),
    ((b"X y", b"q"),),
    ((b"", b"q"),),
    *(
        ((b"Host", host),)
        for host in (b"", b"[", b"[::1", b"a b", b"\xff", b"a:99999999", b"q" * 9000, b"@", b"/?#")
    ),
    ((b"Host", b"a"), (b"Host", b"b")),
    *(
        ((b"Content-Length", length),)
        for length in (b"-1", b"x", b"1e3", b"9" * 5000, b"+5", b"0x10", b"\xb2", b" ")
    ),
    ((b"Content-Length", b"0"), (b"Content-Length", b"1")),
    ((b"Transfer-Encoding", b"gzip"),),
    ((b"Transfer-Encoding", b"chunked"), (b"Content-Length", b"5")),
    ((b"Expect", b"100-continue"),),
    ((b"Expect", b"q" * 9000),),
    ((b"Upgrade", b"websocket"), (b"Sec-WebSocket-Key", b"q"), (b"Sec-WebSocket-Version", b"13")),
    ((b"Upgrade", b"h2c"),),
    *(
        ((b"Range", value),)
        for value in (
            b"bytes=" + b"0-0," * 7000,
            b"bytes=" + b",".join(b"%d-%d" % (number, number) for number in range(3000)),
            b"bytes=" + b",".join(b"%d-%d" % (number, number) for number in range(3000, 0, -1)),
            b"bytes=-" + b"9" * 5000,
            b"bytes=" + b"9" * 5000 + b"-",
            b"bytes=5-1",
            b"bytes=\xb2-",
            b"bytes=--",
            b"q=0-1",
            b"bytes",
        )
    ),
    ((b"Range", b"bytes=0-1"), (b"If-Range", b"q" * 9000)),
    *(
        ((name, value),)
        for name in (
            b"If-Match",
            b"If-None-Match",
            b"Accept",
            b"Accept-Encoding",
            b"Accept-Language",
            b"Forwarded",
        )
        for value in (
            COMMAS,
            b'W/"q", ' * 4000,
            b'"' * 30_000,
            b";q=" * 9000,
            b"gzip;" * 6000,
            b"\xff" * 99,
            b"",
        )
    ),
    *(
        ((b"If-Modified-Since", value),)
        for value in (b"q" * 9000, b"Thu, 99 Jan 99999 00:00:00 GMT", b"\xff")
    ),
    *(
        ((b"Cookie", value),)
        for value in (
            b"; ".join(b"a%d=b" % number for number in range(3000)),
            b"; ".join(b"a%d=b" % number for number in range(5000)),
            b"casebook_session=" + b"q" * 30_000,
            b"casebook_session=\xff\xfe",
            b"casebook_session=a\0b",
            b'casebook_session="' + b"\\" * 20_000,
            b'casebook_session="' + b"\\377" * 5000 + b'"',
            b"casebook_guest=%00; casebook_session=%ff",
            b"casebook_guest=" + b"q" * 9000,
            b";" * 30_000,
            b"=" * 30_000,
        )
    ),
    *(
        ((b"Authorization", value),)
        for value in (
            b"",
            b"Bearer",
            b"Bearer ",
            b"Bearer " + b" " * 20_000,
            b"bearer " + b"q" * 30_000,
            b"Bearer cbk_\xff",
            b"Bearer cbk_\xed\xa0\x80",
            b"Bearer a\0b",
            b"Basic " + b"=" * 20_000,
            b"Digest " + b'a="' * 7000,
            b"Bearer cbk_" + b"q" * 43,
        )
    ),
    ((b"Authorization", b"Bearer a"), (b"Authorization", b"Bearer b")),
    *(
        ((b"Last-Event-ID", value),)
        for value in (b"9" * 30, b"9" * 5000, b"-1", b"-" + b"9" * 30, b"\xff", b"q")
    ),
    *(
        ((b"Idempotency-Key", value),)
        for value in (b"", b"\xff", b"q" * 255, b"q" * 9000, b'"q"', b"q q", b"\xc3\xa9")
    ),
    *(
        (
            (b"Tus-Resumable", b"1.0.0"),
            (b"Upload-Length", length),
            (b"Upload-Metadata", b"filename " + metadata),
        )
        for length in (b"9" * 30, b"9" * 5000, b"-1", b"", b"\xb2", b"5")
        for metadata in (
            b"AA==",
            b"/////w==",
            b"7aCA",
            b"====",
            b"\xff",
            b"a," * 9000,
            b"q" * 20_000,
            b"Li4vLi4=",
        )
    ),
    *(
        ((b"X-Forwarded-For", value),)
        for value in (b"q" * 9000, b"::%25" * 900, b"1.2.3.4," * 3000, b"\xff", b"")
    ),
    *(((b"X-Forwarded-Proto", value),) for value in (b"q" * 9000, b"https", b"\xff", b"wss")),
    *(((b"Origin", value),) for value in (b"null", b"://", b"q" * 9000, b"http://[")),
    *(((b"Sec-Fetch-Site", value),) for value in (b"cross-site", b"\xff")),
    *(((b"Content-Type", value.encode("latin-1")),) for value in CONTENT_TYPES),
)
PLACES = (
    ("GET", f"{API}/me"),
    ("GET", "/"),
    ("GET", f"{API}/cases"),
    ("POST", f"{API}/cases"),
    ("POST", f"{API}/uploads"),
)
FILE = ("GET", "/favicon.svg")
CHUNKED = (
    b"1" + b";q" * 9000 + b"\r\na\r\n0\r\n\r\n",
    b"1;q=" + b"q" * 60_000 + b"\r\na\r\n0\r\n\r\n",
    b"1\r\na\r\n" * 20_000 + b"0\r\n\r\n",
    b"f" * 60 + b"\r\n",
    b"-1\r\na\r\n0\r\n\r\n",
    b"q\r\n",
    b"0\r\n" + b"a: b\r\n" * 1000 + b"\r\n",
    b"0\r\n" + b"a: b\r\n" * 9000 + b"\r\n",
)
BOUNDARY = "multipart/form-data; boundary=q"
PARTS = (
    b"--q\r\n" * 20_000,
    b"--q\r\n\r\n" * 20_000 + b"--q--",
    b'--q\r\nContent-Disposition: form-data; name="files"; filename="'
    + b"\\" * 60_000
    + b'"\r\n\r\na\r\n--q--',
    b'--q\r\nContent-Disposition: form-data; name="files"; filename="a\0b"\r\n\r\na\r\n--q--',
    b'--q\r\nContent-Disposition: form-data; name="files"; filename="\xff\xfe"\r\n\r\na\r\n--q--',
    b"--q\r\n" + b"X: y\r\n" * 20_000 + b"\r\na\r\n--q--",
    b"--q\r\n" + b"X" * 60_000 + b": y\r\n\r\na\r\n--q--",
    b"--q\r\nContent-Disposition: " + b";" * 60_000 + b"\r\n\r\na\r\n--q--",
    b"--q\r\nContent-Disposition: form-data" + b'; a="' * 20_000 + b"\r\n\r\na\r\n--q--",
    b'--q\r\nContent-Disposition: form-data; name="' + b"q" * 60_000 + b'"\r\n\r\na\r\n--q--',
    b'--q\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n'
    + b"\r\n--" * 100_000
    + b"\r\n--q--",
    b"".join(
        b'--q\r\nContent-Disposition: form-data; name="f%d"\r\n\r\na\r\n' % number for number in range(3000)
    )
    + b"--q--",
    b"\r" * 100_000,
    b"-" * 100_000,
    b"",
)
MULTIPART = (f"{API}/evidence", f"{API}/drop", f"{API}/guest/evidence", f"{API}/cases")
