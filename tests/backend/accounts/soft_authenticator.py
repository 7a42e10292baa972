"""An authenticator in software that makes and uses one passkey, as a browser hands over what it says.

Source: https://www.w3.org/TR/webauthn-3/#sctn-authenticator-data
"""

from __future__ import annotations

import hashlib
import json
import secrets
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def to_text(raw: bytes) -> str:
    """Encode bytes as WebAuthn's JSON does: base64url without padding."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def to_bytes(text: str) -> bytes:
    """Decode base64url without padding."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class SoftAuthenticator:
    """An authenticator with one key; `verifies`: it checks its user, `count`: its signature counter."""

    origin: str
    verifies: bool = True
    count: int = 0
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    credential_id: bytes = field(default_factory=lambda: secrets.token_bytes(16))

    def create(self, options: dict[str, Any]) -> dict[str, Any]:
        """Answer `navigator.credentials.create`."""
        numbers = self.key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        attested = (
            bytes(16) + struct.pack(">H", len(self.credential_id)) + self.credential_id + cbor2.dumps(cose)
        )
        data = self._data(options["rp"]["id"], ATTESTED) + attested
        return self._answer(
            {
                "clientDataJSON": self._client_data("webauthn.create", options["challenge"]),
                "attestationObject": to_text(cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})),
                "transports": ["internal"],
            }
        )

    def get(self, options: dict[str, Any]) -> dict[str, Any]:
        """Answer `navigator.credentials.get`."""
        self.count += 1
        data = self._data(options["rpId"], 0)
        client_data = self._client_data("webauthn.get", options["challenge"])
        signed = data + hashlib.sha256(to_bytes(client_data)).digest()
        return self._answer(
            {
                "clientDataJSON": client_data,
                "authenticatorData": to_text(data),
                "signature": to_text(self.key.sign(signed, ec.ECDSA(hashes.SHA256()))),
            }
        )

    def _data(self, host: str, flags: int) -> bytes:
        flags |= PRESENT | (VERIFIED if self.verifies else 0)
        return hashlib.sha256(host.encode()).digest() + struct.pack(">BI", flags, self.count)

    def _client_data(self, kind: str, challenge: str) -> str:
        return to_text(json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode())

    def _answer(self, response: dict[str, Any]) -> dict[str, Any]:
        name = to_text(self.credential_id)
        return {
            "id": name,
            "rawId": name,
            "type": "public-key",
            "response": response,
            "clientExtensionResults": {},
        }
