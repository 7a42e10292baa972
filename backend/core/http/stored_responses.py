"""Downloads of stored bytes, with their digest (`Repr-Digest`, RFC 9530).

Missing bytes, and damaged ones of up to 4 MiB, are answered with a problem document. Larger ones are found
damaged when their end is reached: the connection is closed before the last chunk, and the client has fewer
bytes than announced.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from fastapi.responses import StreamingResponse

from backend.core.storage.verified_bytes import repr_digest

if TYPE_CHECKING:
    from backend.core.storage.object_store import Store

AS_IT_IS = "no-store, no-transform"
"""The digest is that of the bytes sent, so nobody on the way may compress them."""


def stored_response(
    store: Store, sha256: str, *, media_type: str, disposition: str = ""
) -> StreamingResponse:
    """Return the response with the bytes of a blob.

    Args:
        store: Where they are.
        sha256: Their digest.
        media_type: Their content type.
        disposition: Value of `Content-Disposition`; "" for bytes that the page shows.

    Raises:
        MissingBytesError: The store has none.
        DamagedBytesError: They are one chunk, and do not match their digest.
    """
    size_bytes, chunks = store.sized_chunks(sha256)
    first = next(chunks, b"")
    headers = {
        "Cache-Control": AS_IT_IS,
        "Content-Length": str(size_bytes),
        "Repr-Digest": repr_digest(sha256),
    }
    if disposition:
        headers["Content-Disposition"] = disposition
    return StreamingResponse(chain((first,), chunks), media_type=media_type, headers=headers)
