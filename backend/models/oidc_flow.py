"""Browsers that are at an OpenID Connect provider just now, to come back with a proof of who they are."""

from __future__ import annotations

from sqlalchemy.orm import Mapped, mapped_column

from backend.models.base import Base, HasCreatedAt


class OidcFlow(HasCreatedAt, Base):
    """One way there and back, good once and for ten minutes.

    Attributes:
        state_hash: SHA-256 (hex) of what the provider returns unseen.
        browser_hash: SHA-256 (hex) of the cookie of the browser that left: no other may come back.
        nonce: Stands in the proof that this way is for.
        verifier: Shows that who left exchanges the code (PKCE).
        leads_to: Path of the page to open afterwards.
    """

    __tablename__ = "oidc_flow"

    state_hash: Mapped[str] = mapped_column(primary_key=True)
    browser_hash: Mapped[str]
    nonce: Mapped[str]
    verifier: Mapped[str]
    leads_to: Mapped[str]
