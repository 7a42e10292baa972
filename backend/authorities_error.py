"""Error of `backend.trusted_authorities`, for callers that load no HTTP client."""


class AuthoritiesError(ValueError):
    """A variable names no certificates; the message says which."""
