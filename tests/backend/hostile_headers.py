"""Headers of hostile requests."""

from __future__ import annotations

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
