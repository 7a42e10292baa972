"""How many requests one sender may make in a minute, counted in the broker for all processes together.

    budget     counts                                            setting
    requests   what a session or token asks and changes          CASEBOOK_REQUESTS_PER_MINUTE
    sending    its evidence, whole or in pieces                  CASEBOOK_SENDS_PER_MINUTE
    strangers  an address without a session or token that holds  CASEBOOK_STRANGERS_PER_MINUTE
    guests     an address that sends without signing in          CASEBOOK_GUEST_SENDS_PER_MINUTE
    pages      an address that asks for pages and their files    CASEBOOK_PAGES_PER_MINUTE

What asks whether the service is alive is not counted, a stream of events once when it begins. Every counted
answer says where the sender stands; what is over is answered 429 before anything else looks at it. While the
broker is away nobody is counted and nobody refused: what slows down guessing is kept in the database
(`backend.accounts.login_throttle`), so only fairness is lost; a service that runs half must not refuse the
rest.

Source: https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ (revision 10)
"""

from __future__ import annotations

import logging
import math
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from limits import RateLimitItemPerMinute
from limits.aio.storage import RedisStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from limits.errors import StorageError
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from valkey.asyncio import BlockingConnectionPool

from backend.core.http import problems
from backend.core.http.rate_limit_keys import SCOPE_KEY, Known, Sender

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from backend.core.settings import Settings

logger = logging.getLogger(__name__)

API = "/api/"
UNCOUNTED = frozenset({"/api/v1/health", "/healthz", "/readyz"})
SENDING = re.compile(
    r"POST /api/v1/(cases/[^/]+/)?(uploads|evidence|paste)"
    r"|POST /api/v1/drop(/uploads)?"
    r"|PUT /api/v1/(cases/[^/]+/)?evidence/.*"
    r"|PUT /api/v1/drop/.*"
    r"|(PATCH|HEAD) /api/v1/(drop/)?uploads/[^/]+"
)
"""A dropped folder is thousands of these, one after the other; quotas and the disk bound what they bring."""

GUESTS = frozenset({"POST /api/v1/guest/paste", "POST /api/v1/guest/evidence"})
BY_ADDRESS = frozenset({"guests", "pages"})
"""Budgets of an address, whatever session or token comes along."""

PREFIX = "casebook:rate"
WINDOW_SECONDS = 60
ANSWER_SECONDS = 0.5
PAUSE_SECONDS = 5.0
MAX_CONNECTIONS = 32
"""To the broker, of one process; a request waits for one as long as for an answer."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What one sender may make of one kind of request in a minute."""

    name: str
    limit: RateLimitItemPerMinute

    @property
    def policy(self) -> str:
        """The budget as the field `RateLimit-Policy`."""
        return f'"{self.name}";q={self.limit.amount};w={WINDOW_SECONDS}'


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a sender stands with a budget.

    Attributes:
        is_over: Whether the request is one too many.
        left: How many more may come now.
        wait_seconds: When some of the budget is free again; whole, at least 1.
    """

    budget: Budget
    is_over: bool
    left: int
    wait_seconds: int

    def headers(self) -> dict[str, str]:
        """Return the fields that tell it."""
        told = {
            "RateLimit-Policy": self.budget.policy,
            "RateLimit": f'"{self.budget.name}";r={self.left};t={self.wait_seconds}',
        }
        return told | ({"Retry-After": str(self.wait_seconds)} if self.is_over else {})


class Rates:
    """The counts of all senders."""

    def __init__(self, settings: Settings) -> None:
        """Count by the broker of `settings`; it is connected to when first needed."""
        amounts = {
            "requests": settings.requests_per_minute,
            "sending": settings.sends_per_minute,
            "strangers": settings.strangers_per_minute,
            "guests": settings.guest_sends_per_minute,
            "pages": settings.pages_per_minute,
        }
        self._budgets = {
            name: Budget(name, RateLimitItemPerMinute(amount, namespace=name))
            for name, amount in amounts.items()
            if amount
        }
        self._pool = BlockingConnectionPool.from_url(
            client_url(settings.effective_broker_url),
            max_connections=MAX_CONNECTIONS,
            timeout=ANSWER_SECONDS,
            socket_timeout=ANSWER_SECONDS,
            socket_connect_timeout=ANSWER_SECONDS,
        )
        storage = RedisStorage(
            "async+valkey://",
            wrap_exceptions=True,
            key_prefix=PREFIX,
            connection_pool=self._pool,  # type: ignore[arg-type]
        )
        self._counter = SlidingWindowCounterRateLimiter(storage)
        self._away_until = 0.0

    async def count(self, name: str, sender: str) -> Standing | None:
        """Count one request of `sender` in the budget `name`; None when it is not counted."""
        budget = self._budgets.get(name)
        if budget is None or time.monotonic() < self._away_until:
            return None
        try:
            is_within = await self._counter.hit(budget.limit, sender)
            state = await self._counter.get_window_stats(budget.limit, sender)
        except StorageError as error:
            logger.warning("requests are not counted: the broker is away: %s", error)
            self._away_until = time.monotonic() + PAUSE_SECONDS
            return None
        wait = max(1, math.ceil(state.reset_time - time.time()))
        return Standing(budget, not is_within, state.remaining if is_within else 0, wait)

    async def close(self) -> None:
        """Close the connections."""
        await self._pool.disconnect()


class RateLimits:
    """Counts every request, tells the sender where they stand, and refuses what is over."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand around `app`."""
        self.app = app
        self._known = Known()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or say when to come again."""
        if scope["type"] != "http" or scope["path"] in UNCOUNTED:
            await self.app(scope, receive, send)
            return
        sender = scope[SCOPE_KEY] = Sender(scope)
        name = budget_of(scope["method"], scope["path"])
        is_by_address = name in BY_ADDRESS
        is_known = not is_by_address and sender.secret in self._known
        if not is_known and not is_by_address:
            name = "strangers"
        rates: Rates = scope["app"].state.rates
        standing = await rates.count(name, sender.secret if is_known else sender.address)
        if standing is not None and standing.is_over:
            await _refuse(Request(scope), standing)(scope, receive, send)
            return

        async def telling(message: Message) -> None:
            if message["type"] == "http.response.start":
                if sender.holds:
                    self._known.add(sender.secret)
                if standing is not None:
                    MutableHeaders(scope=message).update(standing.headers())
            await send(message)

        await self.app(scope, receive, telling)


def budget_of(method: str, path: str) -> str:
    """Return which budget a request counts in whose session or token is known."""
    if not path.startswith(API):
        return "pages"
    asked = f"{method} {path}"
    if asked in GUESTS:
        return "guests"
    return "sending" if SENDING.fullmatch(asked) else "requests"


def _refuse(request: Request, standing: Standing) -> ASGIApp:
    limit, name = standing.budget.limit.amount, standing.budget.name
    who = "an address" if name in BY_ADDRESS | {"strangers"} else "a session or token"
    what = {
        "strangers": "requests without a session or token",
        "guests": "pastes without signing in",
        "sending": "requests with evidence",
        "pages": "requests for pages and their files",
    }
    detail = (
        f"{who} may make {limit:,} {what.get(name, 'requests')} a minute; "
        f"try again in {standing.wait_seconds} seconds"
    )
    return problems.respond(request, 429, problems.TOO_MANY, detail, headers=standing.headers())


def client_url(broker_url: str) -> str:
    """Return the address of the broker as its own client reads it; Celery writes sockets in another way."""
    parts = urlsplit(broker_url)
    if parts.scheme == "redis+socket":
        database = parse_qs(parts.query).get("virtual_host", ["0"])[0]
        return f"unix://{parts.path}?db={database}"
    return broker_url
