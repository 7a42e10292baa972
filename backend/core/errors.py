"""Errors of the API with their HTTP status; the class name without `Error` is the problem's code.

    CasebookError
    ├── InvalidRequestError 400     the request contradicts itself
    │   ├── InvalidNameError        a file name that leaves its folder or cannot be shown
    │   ├── MalformedRequestError   a body that is not what its header says
    │   └── UploadInterruptedError  the connection closed before the body was complete
    ├── NotSignedInError 401        no valid session or token
    │   ├── CodeNeededError         the password is right; the code of an authenticator is missing
    │   ├── DeniedByProviderError   the OpenID Connect provider or its user denied the login
    │   ├── LoginExpiredError       OpenID Connect callback used twice, too late or in another browser
    │   ├── InvalidIdTokenError     the ID token of the provider is invalid
    │   └── AccountDisabledError    an admin disabled the account
    ├── NotAllowedError 403         signed in, but not for this
    │   └── ReauthenticationNeededError  signed in too long ago for this: confirm the password
    ├── NotFoundError 404           does not exist, or is not visible
    ├── ConflictError 409           the resource is in another state than required
    │   ├── RequestInProgressError  the first request with this key is still in progress
    │   └── ResponseUnavailableError  it was done, but its response was not stored
    ├── GoneError 410               it existed and was removed permanently
    ├── PreconditionError 412       a header requires a version or protocol that is not current
    ├── TooLargeError 413           more than a stated limit
    ├── TooManyAttemptsError 429    login throttling
    ├── QueueFullError 429          too many queued jobs of this sender
    ├── WrongContentError 415       unsupported Content-Type
    ├── UnsupportedQueryError 422   the data cannot answer the query, or the query is malformed
    ├── NotComputedError 422        a computation on evidence failed or needs more than its limits
    ├── InvalidCursorError 422      a cursor of another list or order, or malformed
    ├── KeyReusedError 422          an Idempotency-Key used by another request
    ├── SupersededError 423         another connection took over
    ├── ChecksumError 460           the bytes do not match the announced checksum (tus 1.0)
    ├── NoSpaceError 507            not enough storage
    ├── UnavailableError 503        the database, broker or store is unavailable; retry
    │   └── AuditUnavailableError   the audit log cannot be written: an answer without a body
    ├── StoredBytesError 500        the object store does not have the bytes that were stored
    │   ├── MissingBytesError       there are none
    │   └── DamagedBytesError       they do not match their SHA-256
    └── SettingsError 500           an invalid setting; never a response, printed at startup
        ├── DatabaseTooNewError     a newer version migrated the database
        ├── DataDirectoryError      the database belongs to another data directory
        └── WorkerFencedError       the worker is of another instance, generation or version

Any other exception is a bug: 500 with the code `InternalError`, logged with its path.
"""

from __future__ import annotations


class CasebookError(Exception):
    """The request is refused; the message is one sentence for the client.

    Attributes:
        status: HTTP status of the response.
    """

    status = 500


class InvalidRequestError(CasebookError):
    """The request contradicts itself or the state of its resource."""

    status = 400


class InvalidNameError(InvalidRequestError):
    """A file name or path that leaves its folder, is too long or cannot be shown."""


class MalformedRequestError(InvalidRequestError):
    """The body does not match its Content-Type."""


class UploadInterruptedError(InvalidRequestError):
    """The connection closed before the body was complete."""


class NotSignedInError(CasebookError):
    """No valid session or token."""

    status = 401


class CodeNeededError(NotSignedInError):
    """The password is right; the code of the authenticator is missing."""


class DeniedByProviderError(NotSignedInError):
    """The OpenID Connect provider or its user denied the login."""


class LoginExpiredError(NotSignedInError):
    """The OpenID Connect login was already used, took too long, or was started in another browser."""


class InvalidIdTokenError(NotSignedInError):
    """The OpenID Connect provider refuses the code, or its ID token is invalid."""


class AccountDisabledError(NotSignedInError):
    """An admin disabled this account."""


class TooManyAttemptsError(CasebookError):
    """Too many failed attempts to sign in.

    Attributes:
        retry_after_seconds: Seconds until the next attempt is allowed.
    """

    status = 429

    def __init__(self, message: str, *, retry_after_seconds: int) -> None:
        """Set the message and the retry delay."""
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class QueueFullError(CasebookError):
    """The queue of this sender is full; nothing of the request was stored.

    Attributes:
        retry_after_seconds: Estimated seconds until there is space in the queue.
    """

    status = 429

    def __init__(self, message: str, *, retry_after_seconds: int) -> None:
        """Set the message and the retry delay."""
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class NotAllowedError(CasebookError):
    """The account or token lacks the required role or scope."""

    status = 403


class ReauthenticationNeededError(NotAllowedError):
    """The sign-in was too long ago for a change of credentials; confirm it, or sign in again."""


class NotFoundError(CasebookError):
    """There is does not exist, or is not visible: both answer alike."""

    status = 404


class ConflictError(CasebookError):
    """The resource is in another state than the request requires."""

    status = 409


class RequestInProgressError(ConflictError):
    """The first request with this Idempotency-Key is still in progress."""


class ResponseUnavailableError(ConflictError):
    """The request was done, but the service stopped before storing its response."""


class InvalidCursorError(CasebookError):
    """The cursor belongs to another list, filter or order, or is malformed."""

    status = 422


class KeyReusedError(CasebookError):
    """The Idempotency-Key was used for another request."""

    status = 422


class GoneError(CasebookError):
    """It existed and was removed permanently."""

    status = 410


class TooLargeError(CasebookError):
    """More than a stated limit."""

    status = 413


class PreconditionError(CasebookError):
    """A header requires a version or state that is not the current one."""

    status = 412


class WrongContentError(CasebookError):
    """The Content-Type is not supported here."""

    status = 415


class SupersededError(CasebookError):
    """Another connection took over; retrying would interrupt it."""

    status = 423


class ChecksumError(CasebookError):
    """The bytes do not match the announced checksum (status 460 is from tus 1.0)."""

    status = 460


class NoSpaceError(CasebookError):
    """Not enough storage on the server."""

    status = 507


class UnsupportedQueryError(CasebookError):
    """The data cannot answer the query, or the query is malformed."""

    status = 422


class NotComputedError(CasebookError):
    """A computation on evidence failed, or needs more time or memory than its limits; all else stands."""

    status = 422


class UnavailableError(CasebookError):
    """The database, the broker or the store is unavailable."""

    status = 503


class AuditUnavailableError(UnavailableError):
    """The audit log is unavailable; the response has no body, since nothing may leave unrecorded."""


class StoredBytesError(CasebookError):
    """The object store does not have the bytes that were stored; `casebook scrub` lists all such objects."""


class MissingBytesError(StoredBytesError):
    """Stored bytes are missing from the object store."""

    def __init__(self, subject: str) -> None:
        """Name the missing object: the SHA-256 of bytes, or the key of a reading."""
        super().__init__(f"the object store has lost {_object(subject)}; {_REMEDY}")


class DamagedBytesError(StoredBytesError):
    """Stored bytes do not match the SHA-256 that names them."""

    def __init__(self, subject: str) -> None:
        """Name the damaged object: the SHA-256 of bytes, or the key of a reading."""
        super().__init__(f"the object store has damaged {_object(subject)}; {_REMEDY}")


_REMEDY = "restore the object from a backup, or send the same file again, to any case"
SHA256_DIGITS = 64


def _object(subject: str) -> str:
    """Return the name of an object in a sentence."""
    return f"the bytes with SHA-256 {subject}" if len(subject) == SHA256_DIGITS else f"the reading {subject}"


class SettingsError(CasebookError):
    """A setting is invalid; the message states which and the accepted values."""


class DatabaseTooNewError(SettingsError):
    """A newer version of Casebook migrated the database; the message names it."""


class DataDirectoryError(SettingsError):
    """The database belongs to another data directory, whose service runs."""


class WorkerFencedError(SettingsError):
    """The worker may not claim jobs: it is of another instance, generation or version."""
