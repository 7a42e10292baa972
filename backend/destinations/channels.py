"""Channels beside webhooks: what a destination of each needs, and what the page may show of it.

`url` of a chat or mail destination holds credentials, so it is stored encrypted and only its beginning shown.
"""

from __future__ import annotations

import importlib.util
import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote_plus, urlsplit

from backend.core.errors import InvalidRequestError
from backend.destinations import targets
from backend.models.destination import Channel

if TYPE_CHECKING:
    from backend.core.settings import Settings

SLACK_API, GITHUB_API = "https://slack.com/api", "https://api.github.com"
SCHEMES = frozenset(
    {
        "mailto",
        "mailtos",
        "discord",
        "gchat",
        "gotify",
        "gotifys",
        "json",
        "jsons",
        "matrix",
        "matrixs",
        "mmost",
        "mmosts",
        "msteams",
        "ntfy",
        "ntfys",
        "opsgenie",
        "pagerduty",
        "rocket",
        "rockets",
        "splunk",
        "tgram",
        "victorops",
        "webex",
        "workflows",
        "zulip",
    }
)
"""Services of Apprise that speak HTTP or SMTP; others write files, run programs or use other protocols."""
OPTIONS = frozenset(
    {"to", "from", "name", "smtp", "mode", "user", "pass", "cc", "bcc", "reply", "format", "priority", "tags"}
)
"""Options in a URL of Apprise; others can name files of this machine that it would send."""
EXTRA = "this service is installed without chat and mail: install kernel-casebook[notify]"


class Entered(NamedTuple):
    """What a person entered.

    Attributes:
        url: URL to call; "" where a token leads to the service.
        token: Token of a bot or of the API; "" for none.
        target: Channel of Slack, or `owner/repository`.
    """

    url: str
    token: str
    target: str


def check(settings: Settings, channel: Channel, entered: Entered) -> Entered:
    """Return what is stored, with default URLs.

    Raises:
        InvalidRequestError: Something is missing, or may not be called.
    """
    match channel:
        case Channel.WEBHOOK | Channel.TEAMS:
            targets.check(settings, entered.url)
            return entered
        case Channel.SLACK:
            _require_extra("slack_sdk")
            if bool(entered.token) != bool(entered.target):
                raise InvalidRequestError(
                    "Slack needs the `url` of an incoming webhook, or `token` and `target`"
                )
            url = entered.url or (SLACK_API if entered.token else "")
            targets.check(settings, url)
            return entered._replace(url=url)
        case Channel.GITHUB:
            if not entered.token or entered.target.count("/") != 1 or not all(entered.target.split("/")):
                raise InvalidRequestError("GitHub needs a `token`, and a `target` such as owner/repository")
            url = entered.url or GITHUB_API
            targets.check(settings, url)
            return entered._replace(url=url)
        case Channel.APPRISE:
            _require_extra("apprise")
            _check_apprise(entered.url)
            return entered


def _check_apprise(url: str) -> None:
    """Require a service that may be used, without options that reach beyond it."""
    try:
        parts = urlsplit(url)
    except ValueError:
        raise InvalidRequestError("`url` is not a URL") from None
    if parts.scheme.lower() not in SCHEMES:
        raise InvalidRequestError(f"`url` must begin with one of: {', '.join(sorted(SCHEMES))}")
    options = re.split("[&;?]", url.partition("?")[2])
    names = {unquote_plus(one.partition("=")[0]).strip().lower() for one in options if one}
    if names - OPTIONS:
        raise InvalidRequestError(f"`url` has the option {min(names - OPTIONS)!r}, which is not admitted")


def shown(channel: Channel, entered: Entered) -> str:
    """Return the URL without credentials."""
    if channel is Channel.WEBHOOK:
        return entered.url
    parts = urlsplit(entered.url)
    if channel is Channel.APPRISE:
        return f"{parts.scheme}://…"
    return f"{parts.scheme}://{parts.hostname}/…" + (f" {entered.target}" if entered.target else "")


def _require_extra(module: str) -> None:
    if importlib.util.find_spec(module) is None:
        raise InvalidRequestError(EXTRA)
