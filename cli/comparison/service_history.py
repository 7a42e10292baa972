"""Points of a service for a comparison, which goes on without them where it has a base of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cli.comparison.baseline_service import points
from cli.service.connection import Connection, ConnectionFailedError

if TYPE_CHECKING:
    from cli.comparison.baseline_directory import Point
    from cli.comparison.baseline_options import Names
    from cli.service.profiles import Profile


class ServiceHistory(NamedTuple):
    """Points of a service, oldest first; `failure` says why there are none, "" where it answered."""

    url: str
    points: list[Point]
    failure: str


def service_history(service: Profile, names: Names, *, is_needed: bool) -> ServiceHistory:
    """Return the latest points of the series with these names.

    Args:
        service: URL and token.
        names: Of the series.
        is_needed: Whether there is nothing else to compare with.

    Raises:
        BaselineError: A point is of another format.
        ConnectionFailedError: The service failed, and its points are needed.
    """
    try:
        with Connection(service) as connection:
            return ServiceHistory(service.url, points(connection, **names._asdict()), "")
    except ConnectionFailedError as error:
        if is_needed:
            raise
        return ServiceHistory(service.url, [], error.message)
