"""Stored bytes to decoded bytes: `gz xz zst bz2 lz4` by magic, streamed, within limits.

Example:
    1f 8b 08 …  ->  "swapper     0 [000]  1064.57: …"

Sources: RFC 1952 (gzip), the .xz file format 1.2.1, RFC 8878 (zstd), the LZ4 frame format 1.6.4.
"""

from __future__ import annotations

import bz2
import hashlib
import lzma
import zlib
from typing import TYPE_CHECKING, Protocol

from ingest.model.errors import LimitExceededError, MalformedInputError
from ingest.model.zstd import zstd

# Imported here, since a confined process opens no module later; few programs write lz4, so it is an extra.
try:
    import lz4.frame as lz4_frame
except ModuleNotFoundError:
    lz4_frame = None

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import IO

    from ingest.model.limits import Limits

BLOCK_BYTES = 1 << 20
"""Stored bytes per read, and decoded bytes per chunk at most."""

DICTIONARY_BYTES = 256 << 20
"""Memory a compressed stream may ask for: `xz -9e` needs 65 MiB, `zstd --long=27` 128 MiB."""

MAGICS = (
    (b"\x1f\x8b", "gzip"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"BZh", "bzip2"),
    (b"\x04\x22\x4d\x18", "lz4"),
)
MAGIC_BYTES = 6

_ZSTD_WINDOW: dict[int, int] = {zstd.DecompressionParameter.window_log_max: DICTIONARY_BYTES.bit_length() - 1}

_BROKEN = (zlib.error, lzma.LZMAError, zstd.ZstdError, OSError, RuntimeError, EOFError)
"""What the decoders raise on broken input; bz2 raises OSError, lz4 RuntimeError."""


class _Decoder(Protocol):
    """What the decompressors have in common."""

    @property
    def eof(self) -> bool: ...

    @property
    def needs_input(self) -> bool: ...

    @property
    def unused_data(self) -> bytes | None: ...

    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Gzip:
    """zlib behind the interface of the others."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._stream.eof

    @property
    def needs_input(self) -> bool:
        return not self._stream.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._stream.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        return self._stream.decompress(self._stream.unconsumed_tail + data, max(max_length, 0))


def _lz4() -> _Decoder:
    if lz4_frame is None:
        raise MalformedInputError(
            "lz4 is not installed: decompress the file by `lz4 -d`, or install 'kernel-casebook[lz4]'"
        )
    decoder: _Decoder = lz4_frame.LZ4FrameDecompressor()
    return decoder


_DECODERS: dict[str, Callable[[], _Decoder]] = {
    "gzip": _Gzip,
    "xz": lambda: lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=DICTIONARY_BYTES),
    "zstd": lambda: zstd.ZstdDecompressor(options=_ZSTD_WINDOW),
    "bzip2": bz2.BZ2Decompressor,
    "lz4": _lz4,
}


class Stored:
    """Reads stored bytes once, hashing and counting them on the way.

    Attributes:
        read_bytes: Stored bytes read so far.
        root: What was sent; itself unless it is a member of an archive.
        expanded_bytes: What decompressing has made of the root and all inside it; counted at the root.
    """

    def __init__(
        self,
        stream: IO[bytes],
        on_read: Callable[[int], None] | None = None,
        *,
        is_named: bool = True,
        inside: Stored | None = None,
        is_unpacked: bool = False,
    ) -> None:
        """Read `stream` from its position; `on_read` receives the count after every block.

        Bytes are named by their digest unless `is_named` is false: then hashing is skipped. A
        member is `inside` its archive; it `is_unpacked` when the archive decompresses it.
        """
        self.root: Stored = inside.root if inside else self
        self.expanded_bytes = 0
        self._is_unpacked = is_unpacked
        self._stream = stream
        self._on_read = on_read
        self._hash = hashlib.sha256() if is_named else None
        self.read_bytes = 0

    def blocks(self) -> Iterator[bytes]:
        """Yield the stored bytes in order, never empty."""
        while block := self._stream.read(BLOCK_BYTES):
            if self._hash:
                self._hash.update(block)
            self.read_bytes += len(block)
            if self._is_unpacked:
                self.root.expanded_bytes += len(block)
            if self._on_read:
                self._on_read(self.read_bytes)
            yield block

    def drain(self) -> None:
        """Hash what was not read: bytes are named by all of them, also when they are refused."""
        for _ in self.blocks():
            pass

    @property
    def sha256(self) -> str:
        """Hex digest of the bytes read so far, "" if disabled."""
        return self._hash.hexdigest() if self._hash else ""


def compression(head: bytes) -> str:
    """Return the name of the compression that `head` begins with, "" for none."""
    return next((name for magic, name in MAGICS if head.startswith(magic)), "")


def decoded(stored: Stored, limits: Limits) -> Iterator[bytes]:
    """Yield the decoded bytes of `stored`, opening compressions inside compressions.

    Raises:
        MalformedInputError: A compressed stream is broken or ends early.
        LimitExceededError: More bytes, more layers or a higher ratio than `limits` allow.
    """
    chunks = stored.blocks()
    for _ in range(limits.archive_depth + 1):
        head, chunks = peek(chunks, MAGIC_BYTES)
        name = compression(head)
        if not name:
            return _bounded(chunks, stored, limits)
        chunks = _decompressed(chunks, name, stored, limits)
    raise LimitExceededError(f"more than {limits.archive_depth} compressions inside one another")


def peek(chunks: Iterator[bytes], size: int) -> tuple[bytes, Iterator[bytes]]:
    """Return at least `size` bytes of the beginning (fewer when there are fewer) and all chunks again."""
    buffered: list[bytes] = []
    total = 0
    while total < size and (chunk := next(chunks, None)) is not None:
        buffered.append(chunk)
        total += len(chunk)
    head = b"".join(buffered)

    def again() -> Iterator[bytes]:
        if head:
            yield head
        yield from chunks

    return head, again()


def _bounded(chunks: Iterator[bytes], stored: Stored, limits: Limits) -> Iterator[bytes]:
    """Pass chunks on until a limit on the decoded size is hit."""
    size = 0
    for chunk in chunks:
        size += len(chunk)
        _check_size(size, stored, limits)
        yield chunk


def _check_size(size: int, stored: Stored, limits: Limits) -> None:
    if size > limits.decoded_bytes:
        raise LimitExceededError(f"more than {limits.decoded_bytes:,} bytes after decompression")
    if size > limits.ratio_free_bytes and size > limits.expansion_ratio * stored.read_bytes:
        raise LimitExceededError(
            f"{stored.read_bytes:,} stored bytes expand to more than {size:,}: "
            f"over {limits.expansion_ratio} times is refused"
        )


def check_expansion(stored: Stored, limits: Limits) -> None:
    """Refuse an evidence of which all archives and compressions together make too much.

    Each may be within the limits while thousands of them, one inside another, are not.

    Raises:
        LimitExceededError: They do.
    """
    root = stored.root
    if root.expanded_bytes > max(limits.ratio_free_bytes, limits.expansion_ratio * root.read_bytes):
        raise LimitExceededError(
            f"{root.read_bytes:,} stored bytes expand to more than {root.expanded_bytes - 1:,} in archives "
            f"inside one another: over {limits.expansion_ratio} times is refused"
        )
    if root.expanded_bytes > limits.decoded_bytes:
        raise LimitExceededError(
            f"archives inside one another expand to more than {limits.decoded_bytes:,} bytes"
        )


def _decompressed(chunks: Iterator[bytes], name: str, stored: Stored, limits: Limits) -> Iterator[bytes]:
    """Yield what the concatenated streams of one compression decode to."""
    decoder = _DECODERS[name]()
    size = 0
    for block in chunks:
        rest: bytes = block
        while rest or not decoder.needs_input:
            if decoder.eof:
                rest = _between_streams(rest, name, size)
                if not rest:
                    break
                decoder = _DECODERS[name]()
            try:
                text = decoder.decompress(rest, BLOCK_BYTES)
            except _BROKEN as error:
                raise MalformedInputError(
                    f"{name} stream is broken after {size:,} decoded bytes: {error}"
                ) from error
            size += len(text)
            stored.root.expanded_bytes += len(text)
            _check_size(size, stored, limits)
            check_expansion(stored, limits)
            rest = (decoder.unused_data or b"") if decoder.eof else b""
            if text:
                yield text
    if not decoder.eof:
        raise MalformedInputError(f"{name} stream ends early after {size:,} decoded bytes")


def _between_streams(rest: bytes, name: str, size: int) -> bytes:
    """Return the start of the next stream in `rest`; padding with NUL is allowed, anything else not."""
    following = rest.lstrip(b"\x00")
    magics = [magic for magic, codec in MAGICS if codec == name]
    if following and not any(magic.startswith(following[: len(magic)]) for magic in magics):
        is_skippable = name in {"zstd", "lz4"} and following[1:4] == b"\x2a\x4d\x18"
        if not is_skippable:
            raise MalformedInputError(f"after {size:,} decoded bytes the {name} stream is followed by junk")
    return following
