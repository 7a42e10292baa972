"""Rate limits: requests per sender and minute, counted in the broker for all processes together.

    budget     counts                                      setting
    requests   requests of a session or token              CASEBOOK_REQUESTS_PER_MINUTE
    sending    its uploads, whole or in chunks             CASEBOOK_SENDS_PER_MINUTE
    strangers  an IP without valid credentials             CASEBOOK_STRANGERS_PER_MINUTE
    guests     guest uploads of an IP                      CASEBOOK_GUEST_SENDS_PER_MINUTE
    pages      pages and static files, per IP              CASEBOOK_PAGES_PER_MINUTE

Health checks are not counted; an event stream counts once, at its start. Every counted response states the
remaining budget; a request over it is answered 429 before any other work. While the broker is unavailable
nothing is counted or refused: login throttling is stored in the database (`backend.accounts.login_throttle`),
so only fairness is lost, and a partly working service should not refuse the rest.

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
from backend.core.http.rate_limit_keys import SCOPE_KEY, Sender, ValidSecrets

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
"""A dropped folder is thousands of these in sequence; quotas and the disk bound their volume."""

GUESTS = frozenset({"POST /api/v1/guest/paste", "POST /api/v1/guest/evidence"})
BY_ADDRESS = frozenset({"guests", "pages"})
"""Budgets per IP, with or without credentials."""

PREFIX = "casebook:rate"
WINDOW_SECONDS = 60
ANSWER_SECONDS = 0.5
PAUSE_SECONDS = 5.0
MAX_CONNECTIONS = 32
"""Connections to the broker per process; a request waits for one as long as for a response."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limit of one kind of request per sender and minute."""

    name: str
    limit: RateLimitItemPerMinute

    @property
    def policy(self) -> str:
        """The value of the `RateLimit-Policy` field."""
        return f'"{self.name}";q={self.limit.amount};w={WINDOW_SECONDS}'


@dataclass(frozen=True, slots=True)
class BudgetState:
    """State of a budget for one sender.

    Attributes:
        is_over: Whether the request exceeds the budget.
        remaining: Requests remaining in the window.
        wait_seconds: Seconds until budget is free again; whole, at least 1.
    """

    budget: Budget
    is_over: bool
    remaining: int
    wait_seconds: int

    def headers(self) -> dict[str, str]:
        """Return the rate limit fields of the response."""
        fields = {
            "RateLimit-Policy": self.budget.policy,
            "RateLimit": f'"{self.budget.name}";r={self.remaining};t={self.wait_seconds}',
        }
        return fields | ({"Retry-After": str(self.wait_seconds)} if self.is_over else {})


class Rates:
    """The request counters of all senders."""

    def __init__(self, settings: Settings) -> None:
        """Count in the broker of `settings`; connects at first use."""
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

    async def count(self, name: str, sender: str) -> BudgetState | None:
        """Count one request of `sender` in the budget `name`; None when it is not limited."""
        budget = self._budgets.get(name)
        if budget is None or time.monotonic() < self._away_until:
            return None
        try:
            is_within = await self._counter.hit(budget.limit, sender)
            stats = await self._counter.get_window_stats(budget.limit, sender)
        except StorageError as error:
            logger.warning("rate limits are off: the broker is unavailable: %s", error)
            self._away_until = time.monotonic() + PAUSE_SECONDS
            return None
        wait = max(1, math.ceil(stats.reset_time - time.time()))
        return BudgetState(budget, not is_within, stats.remaining if is_within else 0, wait)

    async def close(self) -> None:
        """Close the connections."""
        await self._pool.disconnect()


class RateLimits:
    """Counts every request, states the remaining budget, and refuses requests over it."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self.app = app
        self._valid_secrets = ValidSecrets()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request, or answer 429 with the time to retry."""
        if scope["type"] != "http" or scope["path"] in UNCOUNTED:
            await self.app(scope, receive, send)
            return
        sender = scope[SCOPE_KEY] = Sender(scope)
        name = budget_of(scope["method"], scope["path"])
        is_by_address = name in BY_ADDRESS
        is_authenticated = not is_by_address and sender.secret in self._valid_secrets
        if not is_authenticated and not is_by_address:
            name = "strangers"
        rates: Rates = scope["app"].state.rates
        state = await rates.count(name, sender.secret if is_authenticated else sender.address)
        if state is not None and state.is_over:
            await _refuse(Request(scope), state)(scope, receive, send)
            return

        async def send_with_fields(message: Message) -> None:
            if message["type"] == "http.response.start":
                if sender.is_valid:
                    self._valid_secrets.add(sender.secret)
                if state is not None:
                    MutableHeaders(scope=message).update(state.headers())
            await send(message)

        await self.app(scope, receive, send_with_fields)


def budget_of(method: str, path: str) -> str:
    """Return the budget of a request with valid credentials."""
    if not path.startswith(API):
        return "pages"
    target = f"{method} {path}"
    if target in GUESTS:
        return "guests"
    return "sending" if SENDING.fullmatch(target) else "requests"


def _refuse(request: Request, state: BudgetState) -> ASGIApp:
    limit, name = state.budget.limit.amount, state.budget.name
    who = "an IP address" if name in BY_ADDRESS | {"strangers"} else "a session or token"
    what = {
        "strangers": "requests without valid credentials",
        "guests": "guest pastes",
        "sending": "upload requests",
        "pages": "requests for pages and static files",
    }
    detail = (
        f"{who} may make {limit:,} {what.get(name, 'requests')} a minute; "
        f"try again in {state.wait_seconds} seconds"
    )
    return problems.respond(request, 429, problems.TOO_MANY, detail, headers=state.headers())


def client_url(broker_url: str) -> str:
    """Return the URL of the broker for valkey-py; Celery writes socket URLs differently."""
    parts = urlsplit(broker_url)
    if parts.scheme == "redis+socket":
        database = parse_qs(parts.query).get("virtual_host", ["0"])[0]
        return f"unix://{parts.path}?db={database}"
    return broker_url
