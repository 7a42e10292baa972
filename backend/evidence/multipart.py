"""Streaming multipart/form-data parser for files; other fields are skipped.

Example part:
    Content-Disposition: form-data; name="files"; filename="host7/proc/vmstat"

Source: https://www.rfc-editor.org/rfc/rfc7578
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header

from backend.core.errors import MalformedRequestError, TooLargeError

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

MAX_HEADER_BYTES = 16 << 10
"""Limit of all headers of one part together."""

MAX_OTHER_PARTS = 1000
"""Limit of parts that are not files; they are skipped."""


class FileSink(Protocol):
    """Receiver of the files of a body."""

    def begin(self, sent_name: str) -> None:
        """Start a file."""

    def write(self, chunk: bytes) -> None:
        """Append to the current file."""

    def end(self) -> None:
        """Complete the current file."""


class FileParts:
    """Feeds the file parts of one body to a sink, in order."""

    def __init__(self, content_type: str, sink: FileSink, *, max_files: int) -> None:
        """Parse a body of `content_type` into `sink`."""
        kind, options = parse_options_header(content_type)
        boundary = options.get(b"boundary")
        if kind != b"multipart/form-data" or not boundary:
            raise MalformedRequestError("send files as multipart/form-data with a boundary, or use PUT")
        self._sink = sink
        self._max_files = max_files
        self._files = self._parts = self._header_bytes = 0
        self._is_file = False
        self._is_complete = False
        self._field = b""
        self._value = b""
        self._disposition = b""
        callbacks: MultipartCallbacks = {
            "on_part_begin": self._part_begins,
            "on_header_field": self._header_field,
            "on_header_value": self._header_value,
            "on_header_end": self._header_ends,
            "on_headers_finished": self._headers_finished,
            "on_part_data": self._part_continues,
            "on_part_end": self._part_ends,
            "on_end": self._body_ends,
        }
        self._parser = MultipartParser(boundary, callbacks)

    def feed(self, chunk: bytes) -> None:
        """Parse the next chunk of the body."""
        try:
            self._parser.write(chunk)
        except MultipartParseError as error:
            raise MalformedRequestError(f"the multipart body is broken: {error}") from error

    def finish(self) -> None:
        """Finish parsing at the end of the body.

        Raises:
            MalformedRequestError: The body is truncated or contains no file.
        """
        if not self._is_complete:
            raise MalformedRequestError("the multipart body ends before its last boundary; send it again")
        if self._files == 0:
            raise MalformedRequestError("the request contains no file; name the parts `files`")

    def _part_begins(self) -> None:
        self._is_file = False
        self._field = self._value = self._disposition = b""
        self._header_bytes = 0
        self._parts += 1
        if self._parts > self._max_files + MAX_OTHER_PARTS:
            raise TooLargeError(
                f"too many files: one request may hold {self._max_files:,} files; send an archive instead"
            )

    def _header_field(self, chunk: bytes, start: int, end: int) -> None:
        self._bound_headers(end - start)
        self._field += chunk[start:end]

    def _header_value(self, chunk: bytes, start: int, end: int) -> None:
        self._bound_headers(end - start)
        self._value += chunk[start:end]

    def _bound_headers(self, size_bytes: int) -> None:
        self._header_bytes += size_bytes
        if self._header_bytes > MAX_HEADER_BYTES:
            raise MalformedRequestError(f"part headers too long: at most {MAX_HEADER_BYTES:,} bytes in total")

    def _header_ends(self) -> None:
        if self._field.lower() == b"content-disposition":
            self._disposition = self._value
        self._field = self._value = b""

    def _headers_finished(self) -> None:
        _, options = parse_options_header(self._disposition)
        if b"filename" not in options:
            return
        self._files += 1
        if self._files > self._max_files:
            raise TooLargeError(
                f"too many files: one request may hold {self._max_files:,} files; send an archive instead"
            )
        self._is_file = True
        self._sink.begin(options[b"filename"].decode("utf-8", "replace"))

    def _part_continues(self, chunk: bytes, start: int, end: int) -> None:
        if self._is_file:
            self._sink.write(chunk[start:end])

    def _part_ends(self) -> None:
        if self._is_file:
            self._sink.end()

    def _body_ends(self) -> None:
        self._is_complete = True
