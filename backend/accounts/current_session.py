"""The browser session of a request: its secret is renewed, and the other sessions of the account end.

    POST /session/confirm    a new secret                       a stolen copy gains nothing by it
    PUT /me/password         a new secret, no other sessions    a stolen copy ends too

Source: OWASP ASVS 5.0, V7.2.4
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request, Response
from sqlalchemy.orm import Session

from backend.access.dependencies import PrincipalDep, SessionDep, SettingsDep
from backend.access.principals import Principal
from backend.accounts import known_devices, login, login_throttle, service
from backend.core.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class CurrentSession:
    """The browser session that sends a request."""

    request: Request
    response: Response
    session: Session
    settings: Settings
    principal: Principal

    @contextmanager
    def proof(self) -> Iterator[None]:
        """Throttle and audit an attempt to prove who the person of this session is.

        Raises:
            TooManyAttemptsError: It comes too early.
        """
        limits = login_throttle.of_session(self.principal.token_id)
        with (
            login.audit_refusals(self.request, self.session, "confirmation", name=self.principal.name),
            login_throttle.attempt(self.session, limits),
        ):
            yield

    def renew(self) -> None:
        """Give it a new secret; whoever holds the old one is signed out.

        Raises:
            NotSignedInError: Another request did so meanwhile.
        """
        login.renew_session(self.request, self.response, self.session, self.settings, self.principal)

    def end_others(self, *, with_tokens: bool = False) -> None:
        """End every other session and known device of the account, and every copy of this session's secret.

        `with_tokens` revokes the tokens of the account too.
        """
        service.end_other_sessions(self.session, self.principal, with_tokens=with_tokens)
        known_devices.forget_others(self.session, self.request, self.principal.id)
        self.renew()


def get_current_session(
    request: Request,
    response: Response,
    session: SessionDep,
    settings: SettingsDep,
    principal: PrincipalDep,
) -> CurrentSession:
    """Return the browser session of the request."""
    return CurrentSession(request, response, session, settings, principal)


CurrentSessionDep = Annotated[CurrentSession, Depends(get_current_session)]
