"""What the service refuses, each with its HTTP status; the class name without `Error` is the problem's code.

    CasebookError
    ├── InvalidRequestError 400     the request contradicts itself
    │   ├── InvalidNameError        a file name that leaves its folder or cannot be shown
    │   ├── MalformedRequestError   a body that is not what its header says
    │   └── UploadInterruptedError  the connection closed before the whole body came
    ├── NotSignedInError 401        no valid session or token
    │   ├── CodeNeededError         the password is right; the code of an authenticator is missing
    │   ├── DeniedByProviderError   the OpenID Connect provider, or the person there, said no
    │   ├── LoginExpiredError           came back from the provider twice, too late or in another browser
    │   ├── InvalidIdTokenError           what the provider sent proves nothing
    │   └── AccountDisabledError            an admin keeps this account out
    ├── NotAllowedError 403         signed in, but not for this
    ├── NotFoundError 404           no such thing, or none that may be seen
    ├── ConflictError 409           the thing is in another state than asked for
    │   ├── RequestInProgressError          the same request is being done at this moment
    │   └── ResponseUnavailableError         it was done before, and its answer was not kept
    ├── GoneError 410               it was here and was taken away for good
    ├── PreconditionError 412       a header asks for what is not spoken here
    ├── TooLargeError 413           more than a stated limit
    ├── TooManyAttemptsError 429    guessing is slowed down
    ├── QueueFullError 429          too much work of this sender waits already
    ├── WrongContentError 415       a body of another type than this is for
    ├── UnsupportedQueryError 422       what is asked about does not tell it, or the question is none
    ├── InvalidCursorError 422      a cursor of another list or order, or of nowhere
    ├── KeyReusedError 422          an Idempotency-Key that another request has
    ├── SupersededError 423         somebody else does this now
    ├── ChecksumError 460           the bytes are not those that were announced (tus 1.0)
    ├── NoSpaceError 507            there is no room for it
    ├── UnavailableError 503        the database, broker or store is away; try again
    └── SettingsError 500           a setting cannot be used; never answered, printed at the start

Any other exception is our bug: 500 with the code `InternalError`, logged with its path.
"""

from __future__ import annotations


class CasebookError(Exception):
    """The request cannot be fulfilled; the message is one sentence for the sender.

    Attributes:
        status: HTTP status it is answered with.
    """

    status = 500


class InvalidRequestError(CasebookError):
    """The request contradicts itself or the state it speaks of."""

    status = 400


class InvalidNameError(InvalidRequestError):
    """A file name or path that leaves its folder, is too long or cannot be shown."""


class MalformedRequestError(InvalidRequestError):
    """The body is not what its header says."""


class UploadInterruptedError(InvalidRequestError):
    """The connection closed before the whole body came."""


class NotSignedInError(CasebookError):
    """There is no valid session or token."""

    status = 401


class CodeNeededError(NotSignedInError):
    """The password is right, and the code of an authenticator is needed too."""


class DeniedByProviderError(NotSignedInError):
    """The OpenID Connect provider, or the person there, said no."""


class LoginExpiredError(NotSignedInError):
    """Whoever comes back from the provider did so before, took too long, or left in another browser."""


class InvalidIdTokenError(NotSignedInError):
    """The provider refuses the code, or its proof does not hold."""


class AccountDisabledError(NotSignedInError):
    """An admin keeps this account out."""


class TooManyAttemptsError(CasebookError):
    """Too many failed attempts to come in.

    Attributes:
        retry_after_seconds: When the next is let through.
    """

    status = 429

    def __init__(self, message: str, *, retry_after_seconds: int) -> None:
        """Say when to try again."""
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class QueueFullError(CasebookError):
    """As much work of this sender waits as may; nothing of the request was kept.

    Attributes:
        retry_after_seconds: When some of it will have been done.
    """

    status = 429

    def __init__(self, message: str, *, retry_after_seconds: int) -> None:
        """Say when to try again."""
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class NotAllowedError(CasebookError):
    """Whoever asks is known, but not allowed this."""

    status = 403


class NotFoundError(CasebookError):
    """There is no such thing, or none that may be seen: both answer alike."""

    status = 404


class ConflictError(CasebookError):
    """The thing is in another state than the request needs."""

    status = 409


class RequestInProgressError(ConflictError):
    """The same request is being done at this moment."""


class ResponseUnavailableError(ConflictError):
    """The request was done before, and the service ended before it could keep the answer."""


class InvalidCursorError(CasebookError):
    """The cursor was given out for another list, filter or order, or nowhere."""

    status = 422


class KeyReusedError(CasebookError):
    """The Idempotency-Key belongs to another request."""

    status = 422


class GoneError(CasebookError):
    """It was here and was taken away for good."""

    status = 410


class TooLargeError(CasebookError):
    """More than a stated limit."""

    status = 413


class PreconditionError(CasebookError):
    """A header asks for a version or a state that is not here."""

    status = 412


class WrongContentError(CasebookError):
    """The body is of another type than this is for."""

    status = 415


class SupersededError(CasebookError):
    """Somebody else does this now; trying again would end them."""

    status = 423


class ChecksumError(CasebookError):
    """The bytes are not those that were announced; the status is that of tus 1.0."""

    status = 460


class NoSpaceError(CasebookError):
    """There is no room for it on the server."""

    status = 507


class UnsupportedQueryError(CasebookError):
    """What is asked about does not hold the answer, or the question is malformed."""

    status = 422


class UnavailableError(CasebookError):
    """The database, the broker or the store is away."""

    status = 503


class SettingsError(CasebookError):
    """A setting cannot be used; the message says which and what would work."""
