"""OpenID Connect login flows in progress."""

from __future__ import annotations

from sqlalchemy import false
from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt


class OidcFlow(HasCreatedAt, Base):
    """One login flow, valid once and for ten minutes.

    Attributes:
        state_hash: SHA-256 (hex) of the `state` parameter.
        browser_hash: SHA-256 (hex) of the cookie of the browser that started the flow; no other may finish
            it.
        nonce: `nonce` claim expected in the ID token.
        verifier: PKCE code verifier.
        leads_to: Path of the page to open afterwards.
        is_confirmation: The provider was asked to authenticate the person anew.
    """

    __tablename__ = "oidc_flow"

    state_hash: Mapped[str] = mapped_column(primary_key=True)
    browser_hash: Mapped[str]
    nonce: Mapped[str]
    verifier: Mapped[str]
    leads_to: Mapped[str]
    is_confirmation: Mapped[bool] = mapped_column(default=False, server_default=false())
